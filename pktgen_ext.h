/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What more than one layer shares: plain data, limits and names. Nothing here needs a kernel
 * service, so the leaves that userland tests compile can include it.
 */
#ifndef PKTGEN_EXT_H
#define PKTGEN_EXT_H

#include <linux/types.h>
#include <linux/if_ether.h>

/* The version line that scripts parse from pgctrl; it names the interface that is spoken. */
#define PGX_INTERFACE_VERSION	"2.75"

#define PGX_MIN_PKT_SIZE	42U	/* Ethernet + IPv4 + UDP */
#define PGX_MAX_PKT_SIZE	65549U	/* Ethernet + the longest IPv4 packet */
#define PGX_MAX_BURST		65536U
#define PGX_NAME_SIZE		160	/* an alternative device name (127), '@', a tag, NUL */
#define PGX_REPLY_SIZE		768	/* text after "Result: " of one command, with NUL */
#define PGX_MAX_LABELS		16	/* MPLS labels of a frame */
#define PGX_MAX_IMIX		20	/* sizes of a mix */
#define PGX_MAX_FLOWS		65536U
#define PGX_MAX_FRAGS		17U	/* fragments of an skb, MAX_SKB_FRAGS of a usual kernel */
#define PGX_NO_VID		0xffffU	/* &pgx_config.vlan_id: no tag */
#define PGX_NO_NODE		0xffffU	/* &pgx_config.node: not set */

/* delay: wait for ever, until told otherwise */
#define PGX_NEVER		U64_MAX

/**
 * enum pgx_door - where a packet enters the stack
 * @PGX_START_XMIT: the driver's ndo_start_xmit()
 * @PGX_NETIF_RECEIVE: netif_receive_skb(), as if the device had received it
 * @PGX_QUEUE_XMIT: dev_queue_xmit(), through the qdisc
 */
enum pgx_door {
	PGX_START_XMIT,
	PGX_NETIF_RECEIVE,
	PGX_QUEUE_XMIT,
	PGX_NR_DOORS
};

/**
 * enum pgx_pacing - what &pgx_config.pace means
 * @PGX_PACE_DELAY: ns between the starts of two bursts, 0 for none, PGX_NEVER to wait
 * @PGX_PACE_RATEP: packets per second
 * @PGX_PACE_RATE: bits per second of Ethernet frames, without FCS, preamble and gap
 */
enum pgx_pacing {
	PGX_PACE_DELAY,
	PGX_PACE_RATEP,
	PGX_PACE_RATE
};

/**
 * enum pgx_burst_mode - what a burst holds
 * @PGX_COPIES: one packet, again and again
 * @PGX_DISTINCT: the packets that follow each other, each with values and a number of its own
 */
enum pgx_burst_mode {
	PGX_COPIES,
	PGX_DISTINCT,
	PGX_NR_BURST_MODES
};

/**
 * enum pgx_skb_mode - which skbs packets go out in
 * @PGX_RECYCLE: those that came back, where the door lets us keep a reference
 * @PGX_FRESH: new ones, of which the stack gets the only reference, as a driver makes them
 */
enum pgx_skb_mode {
	PGX_RECYCLE,
	PGX_FRESH,
	PGX_NR_SKB_MODES
};

/**
 * struct pgx_addr6 - an IPv6 address as a number of 128 bits
 * @hi: upper half, host order
 * @lo: lower half, host order
 */
struct pgx_addr6 {
	u64	hi;
	u64	lo;
};

/**
 * struct pgx_weight - a size of a mix
 * @size: frame bytes without FCS
 * @weight: packets of this size in a cycle
 */
struct pgx_weight {
	u32	size;
	u32	weight;
};

/* Bits of &pgx_config.flags; the numbers are those that scripts see in "OK: flags=0x...". */
#define PGX_F_IPV6		(1U << 0)
#define PGX_F_IPSRC_RND		(1U << 1)
#define PGX_F_IPDST_RND		(1U << 2)
#define PGX_F_TXSIZE_RND	(1U << 3)
#define PGX_F_UDPSRC_RND	(1U << 4)
#define PGX_F_UDPDST_RND	(1U << 5)
#define PGX_F_UDPCSUM		(1U << 6)
#define PGX_F_NO_TIMESTAMP	(1U << 7)
#define PGX_F_MPLS_RND		(1U << 8)
#define PGX_F_QUEUE_MAP_RND	(1U << 9)
#define PGX_F_QUEUE_MAP_CPU	(1U << 10)
#define PGX_F_FLOW_SEQ		(1U << 11)
#define PGX_F_IPSEC		(1U << 12)
#define PGX_F_MACSRC_RND	(1U << 13)
#define PGX_F_MACDST_RND	(1U << 14)
#define PGX_F_VID_RND		(1U << 15)
#define PGX_F_SVID_RND		(1U << 16)
#define PGX_F_NODE		(1U << 17)
#define PGX_F_SHARED		(1U << 18)

/**
 * struct pgx_config - every setting of an entry, plain data
 * @count: packets to send, 0 for no limit
 * @duration: ns after which the run ends, 0 for no limit
 * @pace: ns, packets per second or bits per second, as @pacing says
 * @seed: what random values begin with at each start, 0 for others each time
 * @dst6: destination address, unless @dst6_min is set
 * @dst6_min: first destination address, zero while unset
 * @dst6_max: last destination address; below @dst6_min it has no effect
 * @src6: source address, unless @src6_min is set; zero takes the device's own
 * @src6_min: first source address, zero while unset
 * @src6_max: last source address
 * @min_pkt_size: bytes of the smallest frame without FCS; 0 until set or started
 * @max_pkt_size: bytes of the largest frame without FCS
 * @clone_skb: bursts that one skb is sent in; 0 and 1 mean a new one each time
 * @burst: packets that are sent back to back
 * @flags: PGX_F_* bits
 * @unflags: bits that a '!' took away, for what is on unless it is taken away
 * @dst_min: first destination address, host order, 0 while unset
 * @dst_max: last destination address, host order; below @dst_min it has no effect
 * @src_min: first source address, host order; 0 takes the device's own
 * @src_max: last source address, host order
 * @src_mac_count: consecutive source MACs, counted up from @src_mac
 * @dst_mac_count: consecutive destination MACs, counted up from @dst_mac
 * @flows: destinations that are sent to by turns, 0 for no flows
 * @flowlen: packets of one flow; 0 counts as 1
 * @frags: fragments that the part behind the headers is put into, as far as there are bytes
 * @spi: security parameter index of the IPsec state, 0 to find one by address
 * @skb_priority: priority of the skb
 * @debug: kept for scripts, without effect
 * @labels: MPLS words: label, traffic class, bottom of stack, TTL (RFC 3032)
 * @imix: sizes of a mix
 * @udp_src_min: first source port
 * @udp_src_max: last source port, part of the range
 * @udp_dst_min: first destination port
 * @udp_dst_max: last destination port, part of the range
 * @queue_map_min: first transmit queue
 * @queue_map_max: last transmit queue
 * @vlan_id: VLAN of the inner or only tag, PGX_NO_VID for no tag
 * @svlan_id: VLAN of the outer tag, PGX_NO_VID for none; needs @vlan_id
 * @node: memory node of skbs with PGX_F_NODE, PGX_NO_NODE while unset
 * @dst_mac: destination MAC of offset 0
 * @src_mac: source MAC of offset 0; all zero takes the device's own
 * @nr_labels: how many @labels, 0 for no MPLS
 * @nr_imix: how many @imix, 0 for no mix
 * @vlan_p: priority of the inner tag
 * @vlan_cfi: drop eligible bit of the inner tag
 * @svlan_p: priority of the outer tag
 * @svlan_cfi: drop eligible bit of the outer tag
 * @svlan_tpid: 0 for 0x8100 before the outer tag, 1 for 0x88a8
 * @tos: IPv4 type of service
 * @traffic_class: of IPv6
 * @xmit_mode: an &enum pgx_door
 * @pacing: an &enum pgx_pacing
 * @burst_mode: an &enum pgx_burst_mode
 * @skb_mode: an &enum pgx_skb_mode
 *
 * Control writes a private copy and hands it over whole; from then on it is only read.
 */
struct pgx_config {
	u64			count;
	u64			duration;
	u64			pace;
	u64			seed;
	struct pgx_addr6	dst6;
	struct pgx_addr6	dst6_min;
	struct pgx_addr6	dst6_max;
	struct pgx_addr6	src6;
	struct pgx_addr6	src6_min;
	struct pgx_addr6	src6_max;
	u32			min_pkt_size;
	u32			max_pkt_size;
	u32			clone_skb;
	u32			burst;
	u32			flags;
	u32			unflags;
	u32			dst_min;
	u32			dst_max;
	u32			src_min;
	u32			src_max;
	u32			src_mac_count;
	u32			dst_mac_count;
	u32			flows;
	u32			flowlen;
	u32			frags;
	u32			spi;
	u32			skb_priority;
	u32			debug;
	u32			labels[PGX_MAX_LABELS];
	struct pgx_weight	imix[PGX_MAX_IMIX];
	u16			udp_src_min;
	u16			udp_src_max;
	u16			udp_dst_min;
	u16			udp_dst_max;
	u16			queue_map_min;
	u16			queue_map_max;
	u16			vlan_id;
	u16			svlan_id;
	u16			node;
	u8			dst_mac[ETH_ALEN];
	u8			src_mac[ETH_ALEN];
	u8			nr_labels;
	u8			nr_imix;
	u8			vlan_p;
	u8			vlan_cfi;
	u8			svlan_p;
	u8			svlan_cfi;
	u8			svlan_tpid;
	u8			tos;
	u8			traffic_class;
	u8			xmit_mode;
	u8			pacing;
	u8			burst_mode;
	u8			skb_mode;
};

/* What a device computes checksums of; a bit of &pgx_facts.csum4 and &pgx_facts.csum6 each. */
#define PGX_CSUM_PLAIN	(1U << 0)	/* frames without tags and labels */
#define PGX_CSUM_VLAN	(1U << 1)	/* frames with VLAN tags in them */
#define PGX_CSUM_MPLS	(1U << 2)	/* frames with MPLS labels */

/**
 * struct pgx_facts - what a device is like, read once for a check or a listing
 * @name: the entry's name, device and tag
 * @mac: the device's own address
 * @src_ip: the device's first IPv4 address, host order, 0 if it has none
 * @src6: the device's link-local IPv6 address, zero if it has none
 * @max_frame: bytes of the longest frame that the device sends, without FCS
 * @tx_queues: transmit queues in use
 * @csum4: PGX_CSUM_* of UDP over IPv4
 * @csum6: PGX_CSUM_* of UDP over IPv6
 * @sharing: the driver leaves an skb alone that others hold too (IFF_TX_SKB_SHARING)
 * @scatter: the driver takes fragments (NETIF_F_SG)
 * @ipsec: this kernel has what IPsec needs
 * @cpu: the entry's CPU is there
 * @node_exists: tells whether there may be a memory node of this number
 */
struct pgx_facts {
	const char		*name;
	u8			mac[ETH_ALEN];
	u32			src_ip;
	struct pgx_addr6	src6;
	u32			max_frame;
	u32			tx_queues;
	u8			csum4;
	u8			csum6;
	bool			sharing;
	bool			scatter;
	bool			ipsec;
	bool			cpu;
	bool			(*node_exists)(u32 node);
};

#endif
