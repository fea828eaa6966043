// SPDX-License-Identifier: GPL-2.0
/* Makes an skb from a packet's template. The one place of this layer that knows plain skbs. */
#include <linux/bpf.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include "traffic/traffic.h"

#define PGX_HEAD_USUAL	64	/* holds the headers of an IPv4 packet without tags */

static_assert(PGX_MAX_FRAGS <= MAX_SKB_FRAGS, "more fragments than an skb takes");

/*
 * At least the longest headers fit, for templates are copied whole. There is room in front for what
 * a generic XDP program may add, so that the stack has no reason to move an skb that others hold.
 */
static struct sk_buff *pgx_packet_alloc(struct net_device *dev, u16 node, unsigned int bytes)
{
	unsigned int room = max_t(unsigned int, LL_RESERVED_SPACE(dev), XDP_PACKET_HEADROOM);
	struct sk_buff *skb;

	bytes = max_t(unsigned int, bytes, PGX_HEAD_MAX) + room + dev->needed_tailroom;
	if (likely(node == PGX_NO_NODE))
		skb = __netdev_alloc_skb(dev, bytes, GFP_NOWAIT | __GFP_NOWARN);
	else
		skb = __alloc_skb(bytes, GFP_NOWAIT | __GFP_NOWARN, 0, node);
	if (unlikely(!skb))
		return NULL;
	skb->dev = dev;
	skb_reserve(skb, room);
	return skb;
}

/**
 * struct pgx_paged - how the zeros behind the headers are cut into fragments
 * @nr: fragments
 * @each: bytes of each but the last
 * @last: bytes of the last
 */
struct pgx_paged {
	u32	nr;
	u32	each;
	u32	last;
};

/* As many fragments as are wanted and have a byte, all alike but the last, none above a page. */
static struct pgx_paged pgx_packet_cut(const struct pgx_packet *pkt)
{
	u32 rest = pkt->size - pkt->at.len;
	struct pgx_paged paged = { .nr = min(pkt->frags, rest) };

	if (!paged.nr)
		return paged;
	paged.each = min_t(u32, rest / paged.nr, PAGE_SIZE);
	paged.last = min_t(u32, rest - paged.each * (paged.nr - 1), PAGE_SIZE);
	return paged;
}

static u32 pgx_packet_paged(const struct pgx_paged *paged)
{
	return paged->nr ? paged->each * (paged->nr - 1) + paged->last : 0;
}

/* The fragments share one page of zeros; it is marked so, that nobody writes to it. */
static void pgx_packet_attach(struct sk_buff *skb, const struct pgx_paged *paged,
			      struct page *page)
{
	u32 bytes = pgx_packet_paged(paged);
	u32 i;

	for (i = 0; i < paged->nr; i++) {
		get_page(page);
		skb_fill_page_desc(skb, i, page, 0, i + 1 < paged->nr ? paged->each : paged->last);
	}
	skb->len += bytes;
	skb->data_len += bytes;
	skb->truesize += bytes;
	skb_shinfo(skb)->flags |= SKBFL_SHARED_FRAG;
}

static void pgx_packet_describe(struct sk_buff *skb, const struct pgx_packet *pkt)
{
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, pkt->at.ip);
	skb_set_transport_header(skb, pkt->at.udp);
	skb->protocol = htons(pkt->protocol);
	skb->priority = pkt->priority;
	skb_set_queue_mapping(skb, pkt->queue);
	if (pkt->csum != PGX_CSUM_PARTIAL)
		return;
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_transport_header(skb) - skb->head;
	skb->csum_offset = offsetof(struct udphdr, check);
}

/*
 * Headers and what follows them up to a number of bytes that is known when this is compiled, so
 * that the usual case is a handful of moves: behind the headers the template is zero too.
 */
static void pgx_packet_fill(u8 *data, const struct pgx_packet *pkt, u32 linear)
{
	u32 done = PGX_HEAD_USUAL;

	memcpy(data, pkt->head, PGX_HEAD_USUAL);
	if (unlikely(pkt->at.len > PGX_HEAD_USUAL)) {
		done = PGX_HEAD_MAX;
		memcpy(data, pkt->head, PGX_HEAD_MAX);
	}
	if (linear > done)
		memset(data + done, 0, linear - done);
}

/**
 * pgx_packet_build() - make an skb
 * @dev: the device that sends or receives it
 * @pkt: its bytes
 * @page: a page of zeros, needed if the packet wants fragments
 *
 * The skb stands as a driver or qdisc wants it: data at the Ethernet header, offsets of the
 * network and transport header set.
 *
 * Context: thread or BH off; never sleeps.
 *
 * Return: the skb, or NULL when there is no memory, without a line in the log.
 */
struct sk_buff *pgx_packet_build(struct net_device *dev, const struct pgx_packet *pkt,
				 struct page *page)
{
	struct pgx_paged paged = pgx_packet_cut(pkt);
	u32 linear = pkt->size - pgx_packet_paged(&paged);
	struct sk_buff *skb = pgx_packet_alloc(dev, pkt->node, linear);
	u8 *data;

	if (unlikely(!skb))
		return NULL;
	data = __skb_put(skb, linear);
	pgx_packet_fill(data, pkt, linear);
	if (unlikely(paged.nr))
		pgx_packet_attach(skb, &paged, page);
	pgx_packet_describe(skb, pkt);
	return skb;
}
