/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a packet looks like: a template of its bytes, and the values that change from one packet to
 * the next.
 */
#ifndef PGX_TRAFFIC_H
#define PGX_TRAFFIC_H

#include <linux/types.h>
#include "pktgen_ext.h"

struct net_device;
struct sk_buff;

/*
 * Offsets into a frame: Ethernet (14), IPv4 without options (20, RFC 791), UDP (8, RFC 768),
 * generator header (16)
 */
#define PGX_OFF_IP	14
#define PGX_OFF_UDP	34
#define PGX_OFF_STAMP	42
#define PGX_HEAD_LEN	58

#define PGX_MAGIC	0xbe9be955U	/* the generator header begins with it */

/**
 * enum pgx_field - what may change from packet to packet
 * @PGX_SMAC: offset added to the source MAC
 * @PGX_DMAC: offset added to the destination MAC
 * @PGX_SPORT: UDP source port
 * @PGX_DPORT: UDP destination port
 * @PGX_SADDR: IPv4 source
 * @PGX_DADDR: IPv4 destination
 * @PGX_SIZE: frame length
 * @PGX_QUEUE: transmit queue, no byte of the frame
 */
enum pgx_field {
	PGX_SMAC,
	PGX_DMAC,
	PGX_SPORT,
	PGX_DPORT,
	PGX_SADDR,
	PGX_DADDR,
	PGX_SIZE,
	PGX_QUEUE,
	PGX_NR_FIELDS
};

/**
 * struct pgx_rand - state of the random number generator
 * @state: any value; the same one gives the same numbers on every kernel
 */
struct pgx_rand {
	u64	state;
};

/**
 * struct pgx_range - one value that is walked in order or drawn at random, both ends included
 * @min: first value
 * @max: last value, not below @min
 * @cur: the value of the last packet; @min before the first
 * @next: the value that comes next, when walked in order
 * @random: drawn, not walked
 */
struct pgx_range {
	u32	min;
	u32	max;
	u32	cur;
	u32	next;
	bool	random;
};

/**
 * struct pgx_packet - the bytes that the next packet will have
 * @head: headers up to and with the generator header; zeros follow in the frame
 * @size: frame bytes without FCS
 * @queue: queue mapping
 */
struct pgx_packet {
	u8	head[PGX_HEAD_LEN] __aligned(8);
	u32	size;
	u16	queue;
};

/**
 * struct pgx_flow - where each changing value stands
 * @range: one per &enum pgx_field
 * @varying: the fields whose range holds more than one value
 * @nr_varying: how many those are
 * @src_mac: source MAC of offset 0
 * @dst_mac: destination MAC of offset 0
 * @rand: random state
 * @ip_id: IPv4 identification of the next packet; never reset
 *
 * Written by the run's thread alone.
 */
struct pgx_flow {
	struct pgx_range	range[PGX_NR_FIELDS];
	u8			varying[PGX_NR_FIELDS];
	u8			nr_varying;
	u8			src_mac[ETH_ALEN];
	u8			dst_mac[ETH_ALEN];
	struct pgx_rand		rand;
	u16			ip_id;
};

u32 pgx_rand_next(struct pgx_rand *rand);
u32 pgx_rand_within(struct pgx_rand *rand, u32 min, u32 max);
void pgx_range_init(struct pgx_range *range, u32 min, u32 max, bool random);
u32 pgx_range_next(struct pgx_range *range, struct pgx_rand *rand);
void pgx_field_mac(u8 *to, const u8 *base, u32 offset);
void pgx_field_stamp(u8 *head, u32 seq, u32 sec, u32 usec);
void pgx_field_seal(struct pgx_packet *pkt, u16 ip_id);
void pgx_field_skeleton(u8 *head);
void pgx_field_write(struct pgx_packet *pkt, enum pgx_field field, u32 value);

void pgx_flow_setup(struct pgx_flow *flow, struct pgx_packet *pkt, const struct pgx_config *cfg,
		    const struct pgx_facts *facts);
void pgx_flow_rewind(struct pgx_flow *flow);
void pgx_flow_next(struct pgx_flow *flow, struct pgx_packet *pkt);

struct sk_buff *pgx_packet_build(struct net_device *dev, const struct pgx_packet *pkt);

#endif
