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
struct page;
struct sk_buff;

/*
 * Lengths: Ethernet (14), a VLAN tag (4, 802.1Q), an MPLS label (4, RFC 3032), IPv4 without options
 * (20, RFC 791), IPv6 (40, RFC 8200), UDP (8, RFC 768), generator header (16)
 */
#define PGX_ETH_LEN	14
#define PGX_TAG_LEN	4
#define PGX_LABEL_LEN	4
#define PGX_IP4_LEN	20
#define PGX_IP6_LEN	40
#define PGX_UDP_LEN	8
#define PGX_STAMP_LEN	16
/* the longest of all headers together: tags and labels exclude each other */
#define PGX_HEAD_MAX \
	(PGX_ETH_LEN + PGX_MAX_LABELS * PGX_LABEL_LEN + PGX_IP6_LEN + PGX_UDP_LEN + PGX_STAMP_LEN)

#define PGX_MAGIC	0xbe9be955U	/* the generator header begins with it */
#define PGX_LABEL_LAST	0x100U		/* bottom of stack, in an MPLS word */

/**
 * enum pgx_field - what may change from packet to packet
 * @PGX_SMAC: offset added to the source MAC
 * @PGX_DMAC: offset added to the destination MAC
 * @PGX_SVID: VLAN of the outer tag
 * @PGX_VID: VLAN of the inner or only tag
 * @PGX_SPORT: UDP source port
 * @PGX_DPORT: UDP destination port
 * @PGX_SADDR: IPv4 source
 * @PGX_DADDR: IPv4 destination
 * @PGX_SIZE: frame length
 * @PGX_QUEUE: transmit queue, no byte of the frame
 * @PGX_NR_FIELDS: those before are numbers with a &struct pgx_range each
 * @PGX_SADDR6: IPv6 source
 * @PGX_DADDR6: IPv6 destination
 * @PGX_LABELS: MPLS labels, drawn
 * @PGX_IMIX: frame length, by a mix
 * @PGX_FLOWS: destination, by flows
 * @PGX_NR_VARYING: how many there are
 */
enum pgx_field {
	PGX_SMAC,
	PGX_DMAC,
	PGX_SVID,
	PGX_VID,
	PGX_SPORT,
	PGX_DPORT,
	PGX_SADDR,
	PGX_DADDR,
	PGX_SIZE,
	PGX_QUEUE,
	PGX_NR_FIELDS,
	PGX_SADDR6 = PGX_NR_FIELDS,
	PGX_DADDR6,
	PGX_LABELS,
	PGX_IMIX,
	PGX_FLOWS,
	PGX_NR_VARYING
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
 * struct pgx_range6 - a range of IPv6 addresses, both ends included
 * @min: first address
 * @max: last address, not below @min
 * @mask: all bits that the difference of the two has or lies above
 * @cur: the address of the last packet; @min before the first
 * @next: the address that comes next, when walked in order
 * @random: drawn, not walked
 */
struct pgx_range6 {
	struct pgx_addr6	min;
	struct pgx_addr6	max;
	struct pgx_addr6	mask;
	struct pgx_addr6	cur;
	struct pgx_addr6	next;
	bool			random;
};

/**
 * struct pgx_layout - where things stand in a frame, bytes from its begin
 * @svlan: tag control information of the outer tag, 0 if there is none
 * @vlan: tag control information of the inner or only tag, 0 if there is none
 * @mpls: first MPLS word, 0 if there is none
 * @ip: IP header
 * @udp: UDP header
 * @stamp: generator header
 * @len: end of the headers; zeros follow
 * @v6: IPv6, not IPv4
 */
struct pgx_layout {
	u8	svlan;
	u8	vlan;
	u8	mpls;
	u8	ip;
	u8	udp;
	u8	stamp;
	u8	len;
	bool	v6;
};

/**
 * enum pgx_csum - who computes the UDP checksum
 * @PGX_CSUM_NONE: nobody, it is 0
 * @PGX_CSUM_FULL: we do
 * @PGX_CSUM_PARTIAL: the device does, we write the sum of the pseudo header
 */
enum pgx_csum {
	PGX_CSUM_NONE,
	PGX_CSUM_FULL,
	PGX_CSUM_PARTIAL
};

/**
 * struct pgx_packet - the next packet: its bytes and what its skb says of it
 * @head: headers up to and with the generator header; zeros follow in the frame
 * @at: where things stand in @head
 * @size: frame bytes without FCS
 * @frags: fragments that the zeros are put into, as far as there are any
 * @priority: of the skb
 * @queue: queue mapping
 * @protocol: outer Ethernet type, host order
 * @node: memory node of the skb, PGX_NO_NODE for the CPU's own
 * @csum: an &enum pgx_csum
 */
struct pgx_packet {
	u8			head[PGX_HEAD_MAX] __aligned(8);
	struct pgx_layout	at;
	u32			size;
	u32			frags;
	u32			priority;
	u16			queue;
	u16			protocol;
	u16			node;
	u8			csum;
};

/**
 * struct pgx_mix - sizes in exact shares
 * @total: packets of a cycle, the sum of all weights
 * @step: how far a packet goes on in the cycle; it has no divisor in common with @total, so that
 *	every place is met once, and lies so that a size comes evenly spread
 * @pos: place of the next packet
 * @ends: the place where each size's share ends
 * @size: the sizes
 * @nr: how many, 0 for no mix
 * @cur: index of the last packet's size
 */
struct pgx_mix {
	u64	total;
	u64	step;
	u64	pos;
	u64	ends[PGX_MAX_IMIX];
	u32	size[PGX_MAX_IMIX];
	u8	nr;
	u8	cur;
};

/**
 * struct pgx_slot - a flow
 * @dst: its destination; an IPv4 address is in the lower half
 * @count: packets that it had, 0 if it has to begin
 */
struct pgx_slot {
	struct pgx_addr6	dst;
	u32			count;
};

/**
 * struct pgx_slots - the flows of an entry
 * @slot: room for them, control's
 * @nr: how many, 0 for no flows
 * @flowlen: packets of one flow, at least 1
 * @cur: the flow of the last packet
 * @made: flows that began
 * @ordered: one flow after the other; else they are drawn
 * @v6: their destinations are IPv6
 */
struct pgx_slots {
	struct pgx_slot	*slot;
	u32		nr;
	u32		flowlen;
	u32		cur;
	u32		made;
	bool		ordered;
	bool		v6;
};

/**
 * struct pgx_flow - where each changing value stands
 * @range: one per number
 * @saddr6: IPv6 source
 * @daddr6: IPv6 destination
 * @slots: flows
 * @mix: sizes
 * @labels: MPLS words as they were given
 * @drawn: a bit for each label that is drawn
 * @varying: what holds more than one value
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
	struct pgx_range6	saddr6;
	struct pgx_range6	daddr6;
	struct pgx_slots	slots;
	struct pgx_mix		mix;
	u32			labels[PGX_MAX_LABELS];
	u32			drawn;
	u8			varying[PGX_NR_VARYING];
	u8			nr_varying;
	u8			src_mac[ETH_ALEN];
	u8			dst_mac[ETH_ALEN];
	struct pgx_rand		rand;
	u16			ip_id;
};

/* field.c: single values */
u32 pgx_rand_next(struct pgx_rand *rand);
u32 pgx_rand_within(struct pgx_rand *rand, u32 min, u32 max);
void pgx_range_init(struct pgx_range *range, u32 min, u32 max, bool random);
u32 pgx_range_next(struct pgx_range *range, struct pgx_rand *rand);
void pgx_field_mac(u8 *to, const u8 *base, u32 offset);
void pgx_field_write(struct pgx_packet *pkt, enum pgx_field field, u32 value);

/* addr6.c: IPv6 addresses as numbers */
bool pgx_addr6_less(struct pgx_addr6 a, struct pgx_addr6 b);
bool pgx_addr6_set(struct pgx_addr6 addr);
void pgx_range6_init(struct pgx_range6 *range, struct pgx_addr6 min, struct pgx_addr6 max,
		     bool random);
struct pgx_addr6 pgx_range6_next(struct pgx_range6 *range, struct pgx_rand *rand);

/* head.c: headers as a whole */
void pgx_head_layout(struct pgx_layout *at, const struct pgx_config *cfg);
u32 pgx_head_len(const struct pgx_config *cfg);
void pgx_head_write(struct pgx_packet *pkt, const struct pgx_config *cfg);
void pgx_head_label(struct pgx_packet *pkt, unsigned int i, unsigned int nr, u32 word);
void pgx_head_addr6(struct pgx_packet *pkt, enum pgx_field field, struct pgx_addr6 addr);
void pgx_head_stamp(struct pgx_packet *pkt, u32 seq, u32 sec, u32 usec);
void pgx_head_seal(struct pgx_packet *pkt, u16 ip_id);

/* imix.c: sizes in exact shares */
void pgx_mix_setup(struct pgx_mix *mix, const struct pgx_config *cfg);
u32 pgx_mix_next(struct pgx_mix *mix);

/* flow.c: which values the next packet takes */
void pgx_flow_setup(struct pgx_flow *flow, struct pgx_packet *pkt, const struct pgx_config *cfg,
		    const struct pgx_facts *facts, struct pgx_slot *slots);
void pgx_flow_rewind(struct pgx_flow *flow);
void pgx_flow_next(struct pgx_flow *flow, struct pgx_packet *pkt);

/* packet.c: the skb */
struct sk_buff *pgx_packet_build(struct net_device *dev, const struct pgx_packet *pkt,
				 struct page *page);

#endif
