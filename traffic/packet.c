// SPDX-License-Identifier: GPL-2.0
/* Makes an skb from a packet's template. The one place of this layer that knows skbs. */
#include <linux/bpf.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include "traffic/traffic.h"

/**
 * pgx_packet_build() - make an skb
 * @dev: the device that sends or receives it
 * @pkt: its bytes
 *
 * The skb stands as a driver or qdisc wants it: data at the Ethernet header, offsets of the
 * network and transport header set. There is room in front for what a generic XDP program may
 * add, so that the stack has no reason to move an skb that others hold.
 *
 * Context: thread or BH off; never sleeps.
 *
 * Return: the skb, or NULL when there is no memory, without a line in the log.
 */
struct sk_buff *pgx_packet_build(struct net_device *dev, const struct pgx_packet *pkt)
{
	unsigned int room = max_t(unsigned int, LL_RESERVED_SPACE(dev), XDP_PACKET_HEADROOM);
	struct sk_buff *skb;
	u8 *data;

	skb = __netdev_alloc_skb(dev, room + pkt->size + dev->needed_tailroom,
				 GFP_NOWAIT | __GFP_NOWARN);
	if (unlikely(!skb))
		return NULL;
	skb_reserve(skb, room);
	data = __skb_put(skb, pkt->size);
	memcpy(data, pkt->head, PGX_HEAD_LEN);
	memset(data + PGX_HEAD_LEN, 0, pkt->size - PGX_HEAD_LEN);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, PGX_OFF_IP);
	skb_set_transport_header(skb, PGX_OFF_UDP);
	skb->protocol = htons(ETH_P_IP);
	skb_set_queue_mapping(skb, pkt->queue);
	return skb;
}
