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
#define PGX_REPLY_SIZE		640	/* text after "Result: " of one command, with NUL */

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

/* Bits of &pgx_config.flags; the numbers are those that scripts see in "OK: flags=0x...". */
#define PGX_F_IPSRC_RND		(1U << 1)
#define PGX_F_IPDST_RND		(1U << 2)
#define PGX_F_TXSIZE_RND	(1U << 3)
#define PGX_F_UDPSRC_RND	(1U << 4)
#define PGX_F_UDPDST_RND	(1U << 5)
#define PGX_F_NO_TIMESTAMP	(1U << 7)
#define PGX_F_QUEUE_MAP_RND	(1U << 9)
#define PGX_F_QUEUE_MAP_CPU	(1U << 10)
#define PGX_F_MACSRC_RND	(1U << 13)
#define PGX_F_MACDST_RND	(1U << 14)
#define PGX_F_SHARED		(1U << 18)

/**
 * struct pgx_config - every setting of an entry, plain data
 * @count: packets to send, 0 for no limit
 * @duration: ns after which the run ends, 0 for no limit
 * @pace: ns, packets per second or bits per second, as @pacing says
 * @min_pkt_size: bytes of the smallest frame without FCS; 0 until set or started
 * @max_pkt_size: bytes of the largest frame without FCS
 * @clone_skb: bursts that one skb is sent in; 0 and 1 mean a new one each time
 * @burst: packets that are sent back to back from one skb
 * @flags: PGX_F_* bits
 * @dst_min: first destination address, host order, 0 while unset
 * @dst_max: last destination address, host order; below @dst_min it has no effect
 * @src_min: first source address, host order; 0 takes the device's own
 * @src_max: last source address, host order
 * @src_mac_count: consecutive source MACs, counted up from @src_mac
 * @dst_mac_count: consecutive destination MACs, counted up from @dst_mac
 * @udp_src_min: first source port
 * @udp_src_max: last source port, part of the range
 * @udp_dst_min: first destination port
 * @udp_dst_max: last destination port, part of the range
 * @queue_map_min: first transmit queue
 * @queue_map_max: last transmit queue
 * @dst_mac: destination MAC of offset 0
 * @src_mac: source MAC of offset 0; all zero takes the device's own
 * @xmit_mode: an &enum pgx_door
 * @pacing: an &enum pgx_pacing
 *
 * Control writes a private copy and hands it over whole; from then on it is only read.
 */
struct pgx_config {
	u64	count;
	u64	duration;
	u64	pace;
	u32	min_pkt_size;
	u32	max_pkt_size;
	u32	clone_skb;
	u32	burst;
	u32	flags;
	u32	dst_min;
	u32	dst_max;
	u32	src_min;
	u32	src_max;
	u32	src_mac_count;
	u32	dst_mac_count;
	u16	udp_src_min;
	u16	udp_src_max;
	u16	udp_dst_min;
	u16	udp_dst_max;
	u16	queue_map_min;
	u16	queue_map_max;
	u8	dst_mac[ETH_ALEN];
	u8	src_mac[ETH_ALEN];
	u8	xmit_mode;
	u8	pacing;
};

/**
 * struct pgx_facts - what a device is like, read once for a check or a listing
 * @name: the entry's name, device and tag
 * @mac: the device's own address
 * @src_ip: the device's first IPv4 address, host order, 0 if it has none
 * @max_frame: bytes of the longest frame that the device sends, without FCS
 * @tx_queues: transmit queues in use
 * @sharing: the driver leaves an skb alone that others hold too (IFF_TX_SKB_SHARING)
 */
struct pgx_facts {
	const char	*name;
	u8		mac[ETH_ALEN];
	u32		src_ip;
	u32		max_frame;
	u32		tx_queues;
	bool		sharing;
};

#endif
