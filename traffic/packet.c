// SPDX-License-Identifier: GPL-2.0
/*
 * Makes an skb from a packet's template, and one that came back like a fresh one. The one place of
 * this layer that knows plain skbs.
 */
#include <linux/bpf.h>
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/udp.h>
#include <net/dst.h>
#include "compat/compat.h"
#include "traffic/pool.h"
#include "traffic/traffic.h"

#define PGX_HEAD_USUAL	64	/* holds the headers of an IPv4 packet without tags */

static_assert(PGX_MAX_FRAGS <= MAX_SKB_FRAGS, "more fragments than an skb takes");

/*
 * There is room in front for what a generic XDP program may add, so that the stack has no reason to
 * move an skb that others hold.
 */
static unsigned int pgx_packet_headroom(const struct net_device *dev)
{
	return max_t(unsigned int, LL_RESERVED_SPACE(dev), XDP_PACKET_HEADROOM);
}

/**
 * pgx_packet_space() - count the bytes that an skb's buffer has to have
 * @dev: the device that sends or receives it
 * @bytes: frame bytes that are not in fragments
 *
 * At least the longest headers fit, for templates are copied whole.
 *
 * Return: bytes, with room in front and behind.
 */
unsigned int pgx_packet_space(const struct net_device *dev, unsigned int bytes)
{
	return max_t(unsigned int, bytes, PGX_HEAD_MAX) + pgx_packet_headroom(dev) +
	       dev->needed_tailroom;
}

static struct sk_buff *pgx_packet_alloc(struct net_device *dev, u16 node, unsigned int bytes,
					struct pgx_pool *pool)
{
	unsigned int space = pgx_packet_space(dev, bytes);
	struct sk_buff *skb;

	if (pool && pgx_pool_serves(pool, space))
		skb = pgx_pool_skb(pool);
	else if (likely(node == PGX_NO_NODE))
		skb = __netdev_alloc_skb(dev, space, GFP_NOWAIT | __GFP_NOWARN);
	else
		skb = __alloc_skb(space, GFP_NOWAIT | __GFP_NOWARN, 0, node);
	if (unlikely(!skb))
		return NULL;
	skb->dev = dev;
	skb_reserve(skb, pgx_packet_headroom(dev));
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

/**
 * pgx_packet_fill() - write all bytes of a frame
 * @data: where it begins
 * @pkt: the bytes
 * @linear: how many there are, without fragments
 *
 * Headers and what follows them up to a number of bytes that is known when this is compiled, so
 * that the usual case is a handful of moves: behind the headers the template is zero too.
 */
void pgx_packet_fill(u8 *data, const struct pgx_packet *pkt, u32 linear)
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
 * @pool: where the buffer comes from, NULL for the kernel's memory
 *
 * The skb stands as a driver or qdisc wants it: data at the Ethernet header, offsets of the
 * network and transport header set.
 *
 * Context: thread or BH off, with a pool BH off; never sleeps.
 *
 * Return: the skb, or NULL when there is no memory, without a line in the log.
 */
struct sk_buff *pgx_packet_build(struct net_device *dev, const struct pgx_packet *pkt,
				 struct page *page, struct pgx_pool *pool)
{
	struct pgx_paged paged = pgx_packet_cut(pkt);
	u32 linear = pkt->size - pgx_packet_paged(&paged);
	struct sk_buff *skb = pgx_packet_alloc(dev, pkt->node, max(linear, pkt->room), pool);
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

/**
 * pgx_packet_copy() - make an skb like another one
 * @like: a fresh one, linear
 * @pkt: its bytes
 * @pool: where the buffer comes from; it serves this CPU, and @like came from it too
 *
 * Context: BH off.
 *
 * Return: the skb, NULL if there is no memory.
 */
struct sk_buff *pgx_packet_copy(const struct sk_buff *like, const struct pgx_packet *pkt,
				struct pgx_pool *pool)
{
	struct sk_buff *skb = pgx_pool_skb(pool);

	if (unlikely(!skb))
		return NULL;
	skb->dev = like->dev;
	skb->mac_len = like->mac_len;
	memcpy(&skb->headers, &like->headers, sizeof(skb->headers));
	skb->data = skb->head + (like->data - like->head);
	skb->tail = like->tail;
	skb->len = like->len;
	pgx_packet_fill(skb_mac_header(skb), pkt, like->len + (skb->data - skb_mac_header(skb)));
	return skb;
}

/* Bits that stay what they were in an skb that nobody cloned, and its extensions. */
static __always_inline u16 pgx_packet_marks(const struct sk_buff *skb)
{
	u16 marks;

	memcpy(&marks, (const u8 *)skb + CLONED_OFFSET, sizeof(marks));
	return marks;
}

/* Bytes in all, and those in fragments. */
static __always_inline u64 pgx_packet_lengths(const struct sk_buff *skb)
{
	u64 lengths;

	memcpy(&lengths, &skb->len, sizeof(lengths));
	return lengths;
}

/* Nobody else holds or shares it; another CPU may have had it until then. */
static __always_inline bool pgx_packet_is_ours(const struct sk_buff *skb, u16 marks)
{
	if (pgx_skb_users(skb) != 1)
		return false;
	smp_rmb();
	return pgx_packet_marks(skb) == marks;
}

static __always_inline void pgx_packet_reset(struct sk_buff *skb)
{
	skb->tstamp = 0;
	pgx_skb_reset_flags(skb);
}

/**
 * pgx_packet_renew() - take skbs back that a door has only looked at
 * @skb: the skbs
 * @nr: how many
 * @like: a fresh one, of the same length
 *
 * Looks at what shows that somebody kept or changed one, and sets back what a door itself sets.
 *
 * Context: thread or BH off.
 *
 * Return: how many are as fresh ones are; the next one is not.
 */
u32 pgx_packet_renew(struct sk_buff **skb, u32 nr, const struct sk_buff *like)
{
	u64 lengths = pgx_packet_lengths(like);
	u16 marks = pgx_packet_marks(like);
	unsigned long i;

#define STEP(k)									\
	do {									\
		struct sk_buff *one = skb[k];					\
										\
		if (!pgx_packet_is_ours(one, marks) || pgx_packet_lengths(one) != lengths)	\
			return k;						\
		pgx_packet_reset(one);						\
	} while (0)
	PGX_EACH(i, nr, STEP);
#undef STEP
	return nr;
}

/**
 * pgx_packet_renew_sent() - take skbs back from a driver that leaves shared ones alone
 * @skb: the skbs
 * @nr: how many
 * @like: a fresh one
 *
 * Such a driver (IFF_TX_SKB_SHARING) may keep one or clone it, but not write to it.
 *
 * Context: thread or BH off.
 *
 * Return: how many are as fresh ones are; the next one is not.
 */
u32 pgx_packet_renew_sent(struct sk_buff **skb, u32 nr, const struct sk_buff *like)
{
	u16 marks = pgx_packet_marks(like);
	unsigned long i;

#define STEP(k)						\
	do {						\
		if (!pgx_packet_is_ours(skb[k], marks))	\
			return k;			\
	} while (0)
	PGX_EACH(i, nr, STEP);
#undef STEP
	return nr;
}

/**
 * pgx_packet_renew_any() - likewise where sizes vary
 * @skb: the skbs
 * @frame: where the frame of each begins
 * @nr: how many
 * @like: a fresh one
 *
 * Context: thread or BH off.
 *
 * Return: how many are as fresh ones are but for their length; the next one is not.
 */
u32 pgx_packet_renew_any(struct sk_buff **skb, u8 **frame, u32 nr, const struct sk_buff *like)
{
	unsigned int pull = like->data - skb_mac_header(like);
	u16 marks = pgx_packet_marks(like);
	u32 i;

	for (i = 0; i < nr; i++) {
		if (!pgx_packet_is_ours(skb[i], marks) || skb[i]->data != frame[i] + pull ||
		    skb[i]->data_len)
			break;
		pgx_packet_reset(skb[i]);
	}
	return i;
}

/* What an skb refers to. */
static void pgx_packet_release(struct sk_buff *skb)
{
	skb_orphan(skb);
	skb_dst_drop(skb);
	nf_reset_ct(skb);
	skb_ext_reset(skb);
}

static bool pgx_packet_is_whole(const struct sk_buff *skb, const u8 *frame,
				const struct sk_buff *like)
{
	return !skb_cloned(skb) && !skb_is_nonlinear(skb) && !skb_zcopy((struct sk_buff *)skb) &&
	       skb->end == like->end && frame - skb->head == skb_mac_header(like) - like->head;
}

/**
 * pgx_packet_restore() - make an skb that came back like a fresh one
 * @skb: the skb
 * @frame: where its frame begins
 * @like: a fresh one, linear
 * @pkt: its bytes
 * @users: our references to it
 *
 * Context: thread or BH off.
 *
 * Return: false if it can not be used again: somebody else holds it, or its buffer is another.
 */
bool pgx_packet_restore(struct sk_buff *skb, u8 *frame, const struct sk_buff *like,
			const struct pgx_packet *pkt, u32 users)
{
	if (pgx_skb_users(skb) != users)
		return false;
	/* another CPU may have had it until then */
	smp_rmb();
	if (!pgx_packet_is_whole(skb, frame, like))
		return false;
	pgx_packet_release(skb);
	skb->next = NULL;
	skb->prev = NULL;
	skb->dev = like->dev;
	skb->tstamp = 0;
	memset(skb->cb, 0, sizeof(skb->cb));
	skb->mac_len = like->mac_len;
	skb->hdr_len = like->hdr_len;
	skb->queue_mapping = like->queue_mapping;
	skb->cloned = 0;
	skb->nohdr = 0;
	skb->peeked = 0;
	memcpy(&skb->headers, &like->headers, sizeof(skb->headers));
	skb->data = frame + (like->data - skb_mac_header(like));
	skb->len = like->len;
	skb->tail = like->tail;
	memset(skb_shinfo(skb), 0, offsetof(struct skb_shared_info, dataref));
	pgx_packet_fill(frame, pkt, like->len + (skb->data - frame));
	return true;
}

/**
 * pgx_packet_resize() - give an skb the length of its packet
 * @skb: the skb, linear, with room for it
 * @frame: where its frame begins
 * @size: frame bytes
 */
void pgx_packet_resize(struct sk_buff *skb, const u8 *frame, u32 size)
{
	skb->len = size - (skb->data - frame);
	skb_set_tail_pointer(skb, skb->len);
}

/**
 * pgx_packet_sort() - say whom a received packet is for, by its destination MAC
 * @skb: the skb, as eth_type_trans() leaves it
 * @dev: the device that receives it
 */
void pgx_packet_sort(struct sk_buff *skb, const struct net_device *dev)
{
	const struct ethhdr *eth = eth_hdr(skb);

	if (ether_addr_equal_64bits(eth->h_dest, dev->dev_addr))
		skb->pkt_type = PACKET_HOST;
	else if (!is_multicast_ether_addr(eth->h_dest))
		skb->pkt_type = PACKET_OTHERHOST;
	else if (ether_addr_equal_64bits(eth->h_dest, dev->broadcast))
		skb->pkt_type = PACKET_BROADCAST;
	else
		skb->pkt_type = PACKET_MULTICAST;
}
