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
struct pgx_pool;
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
#define PGX_IP6_SADDR	8	/* where the addresses stand */
#define PGX_IP6_DADDR	24
#define PGX_IP4_SADDR	12
#define PGX_IP4_DADDR	16
#define PGX_UDP_LEN	8
#define PGX_STAMP_LEN	16
/* the longest of all headers together: tags and labels exclude each other */
#define PGX_HEAD_MAX \
	(PGX_ETH_LEN + PGX_MAX_LABELS * PGX_LABEL_LEN + PGX_IP6_LEN + PGX_UDP_LEN + PGX_STAMP_LEN)

#define PGX_MAGIC	0xbe9be955U	/* the generator header begins with it */
#define PGX_BATCH	128		/* packets that are made together, at most */
#define PGX_STOCK	256		/* skbs that a run keeps, a multiple of PGX_BATCH */
/*
 * PGX_EACH() - do something with every packet of a batch
 * @i: a variable for its index, an unsigned long
 * @nr: how many there are
 * @step: what to do with the packet of an index, a macro or an inline function
 *
 * What a loop costs is shared by four packets.
 */
#define PGX_EACH(i, nr, step)				\
	do {						\
		for ((i) = 0; (i) + 4 <= (nr); (i) += 4) {	\
			step((i));			\
			step((i) + 1);			\
			step((i) + 2);			\
			step((i) + 3);			\
		}					\
		for (; (i) < (nr); (i)++)		\
			step((i));			\
	} while (0)

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
 * @room: bytes that an skb has to have room for, where it is used for packets of other sizes
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
	u32			room;
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

/* Which checksums a value is part of, or whether any value is part of it. */
#define PGX_SUM_IP	(1U << 0)	/* that of the IPv4 header */
#define PGX_SUM_UDP	(1U << 1)

/**
 * struct pgx_batch - packets that are made together
 * @frame: where each one's headers are written
 * @size: frame bytes of each, without FCS, where sizes vary
 * @queue: transmit queue of each, where queues vary
 * @mix: index of each one's size in the mix, where there is one
 * @value: what is being written
 * @ip: what the values of each add to the sum of the IPv4 header
 * @udp: likewise to that of UDP
 *
 * Room to work in: nothing in it is kept from one batch to the next.
 */
struct pgx_batch {
	u8	**frame;
	u32	size[PGX_BATCH];
	u16	queue[PGX_BATCH];
	u8	mix[PGX_BATCH];
	u32	value[PGX_BATCH];
	u64	ip[PGX_BATCH];
	u64	udp[PGX_BATCH];
};

/**
 * struct pgx_stamp - what the generator header of the next packet says
 * @seq: sequence number; it goes up by one from packet to packet
 * @sec: seconds of CLOCK_REALTIME, modulo 2^32
 * @usec: microseconds
 * @timed: write the time; while it is not written it stays zero
 */
struct pgx_stamp {
	u32	seq;
	u32	sec;
	u32	usec;
	bool	timed;
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
 * @rand: random state of each value, so that none depends on how many others are drawn
 * @seed: what those begin with at each start, 0 to go on
 * @sums: PGX_SUM_* of checksums that a value is part of
 * @ip_base: sum of the IPv4 header without the values that vary, its identification and checksum,
 *	host order
 * @udp_base: likewise for UDP, as its words stand in memory, without the sequence number and time
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
	struct pgx_rand		rand[PGX_NR_VARYING];
	u64			seed;
	u64			udp_base;
	u16			ip_base;
	u8			sums;
	u16			ip_id;
};

/**
 * struct pgx_stock - skbs that a run keeps to send again
 * @skb: each one, NULL where there is none
 * @frame: where the frame of each begins
 * @like: a fresh one as the door wants it, what all are made like again
 * @thorough: restore all that somebody may have changed and not only what the door itself does
 * @built: places that were filled so far, from the first on; the rest are empty
 * @pos: the first one of the batch in hand
 * @nr: skbs of that batch
 * @sent: how many of them the door had
 *
 * Written by the run's thread alone.
 */
struct pgx_stock {
	struct sk_buff	*skb[PGX_STOCK];
	u8		*frame[PGX_STOCK];
	struct sk_buff	*like;
	bool		thorough;
	u32		built;
	u32		pos;
	u32		nr;
	u32		sent;
};

/* field.c: single values */
void pgx_range_init(struct pgx_range *range, u32 min, u32 max, bool random);
u32 pgx_range_next(struct pgx_range *range, struct pgx_rand *rand);
void pgx_range_fill(struct pgx_range *range, struct pgx_rand *rand, u32 *value, u32 nr);
void pgx_field_vid(u8 *tci, u32 vid);
void pgx_field_size(u8 *head, const struct pgx_layout *at, u32 size);
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
void pgx_head_label(u8 *mpls, unsigned int i, unsigned int nr, u32 word);
void pgx_head_addr6(u8 *to, struct pgx_addr6 addr);
u64 pgx_head_sum_ip4(const u8 *head, const struct pgx_layout *at);
u64 pgx_head_sum_udp(const u8 *head, const struct pgx_layout *at, u8 csum);

/* imix.c: sizes in exact shares */
void pgx_mix_setup(struct pgx_mix *mix, const struct pgx_config *cfg);
u32 pgx_mix_next(struct pgx_mix *mix);

/* flow.c: which values the next packet takes */
void pgx_flow_setup(struct pgx_flow *flow, struct pgx_packet *pkt, const struct pgx_config *cfg,
		    const struct pgx_facts *facts, struct pgx_slot *slots);
void pgx_flow_rewind(struct pgx_flow *flow);
void pgx_flow_seed(struct pgx_flow *flow, u64 seed);
u32 pgx_flow_draw_daddr(struct pgx_range *range, struct pgx_rand *rand);
struct pgx_slot *pgx_flow_slot(struct pgx_flow *flow, bool v6);

/* batch.c: the values of packets that are made together */
void pgx_batch_setup(struct pgx_flow *flow, const struct pgx_packet *pkt);
void pgx_batch_write(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow, struct pgx_packet *pkt,
		     const struct pgx_stamp *stamp);

/* packet.c: the skb */
struct sk_buff *pgx_packet_build(struct net_device *dev, const struct pgx_packet *pkt,
				 struct page *page, struct pgx_pool *pool);
struct sk_buff *pgx_packet_copy(const struct sk_buff *like, const struct pgx_packet *pkt,
				struct pgx_pool *pool);
unsigned int pgx_packet_space(const struct net_device *dev, unsigned int bytes);
void pgx_packet_fill(u8 *data, const struct pgx_packet *pkt, u32 linear);
u32 pgx_packet_renew(struct sk_buff **skb, u32 nr, const struct sk_buff *like);
u32 pgx_packet_renew_sent(struct sk_buff **skb, u32 nr, const struct sk_buff *like);
u32 pgx_packet_renew_any(struct sk_buff **skb, u8 **frame, u32 nr, const struct sk_buff *like);
bool pgx_packet_restore(struct sk_buff *skb, u8 *frame, const struct sk_buff *like,
			const struct pgx_packet *pkt, u32 users);
void pgx_packet_resize(struct sk_buff *skb, const u8 *frame, u32 size);
void pgx_packet_sort(struct sk_buff *skb, const struct net_device *dev);

#endif
