// SPDX-License-Identifier: GPL-2.0
/*
 * The values of packets that are made together. A leaf.
 *
 * What does not change from packet to packet is in the frames already. What does is chosen and
 * written value by value for all packets of the batch, so that a loop has only one thing to do. A
 * checksum is the sum of what does not change, which is known, and of what does.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "traffic/bytes.h"
#include "traffic/rand.h"
#include "traffic/traffic.h"

#define PGX_IP4_ID	4	/* where these stand in the IPv4 header */
#define PGX_IP4_CSUM	10
#define PGX_IP4_SIZE	2
#define PGX_IP6_SIZE	4
#define PGX_UDP_SIZE	4	/* and these in the UDP header */
#define PGX_UDP_CSUM	6

static void pgx_batch_put16(struct pgx_batch *batch, u32 nr, unsigned int at)
{
	u8 **frame = batch->frame;
	u32 i;

	for (i = 0; i < nr; i++)
		put_be16(frame[i] + at, batch->value[i]);
}

static void pgx_batch_put32(struct pgx_batch *batch, u32 nr, unsigned int at)
{
	u8 **frame = batch->frame;
	u32 i;

	for (i = 0; i < nr; i++)
		put_be32(frame[i] + at, batch->value[i]);
}

static void pgx_batch_sum16(u64 *sum, const u32 *value, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		sum[i] += sum_be16(value[i]);
}

static void pgx_batch_sum32(u64 *sum, const u32 *value, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		sum[i] += sum_be32(value[i]);
}

/* Drawn ports that no checksum feels: the most usual of all, so it has a loop of its own. */
static void pgx_batch_draw16(struct pgx_batch *batch, u32 nr, struct pgx_range *range,
			     struct pgx_rand *rand, unsigned int at)
{
	u64 numbers = pgx_range_numbers(range);
	struct pgx_rand local = *rand;
	u8 **frame = batch->frame;
	u32 min = range->min;
	unsigned long i;
	u32 value = 0;

#define STEP(k) \
	(value = pgx_rand_within(&local, min, numbers), put_be16(frame[k] + at, value))
	PGX_EACH(i, nr, STEP);
#undef STEP
	range->cur = value;
	*rand = local;
}

/* Where the device computes the checksum ports are its business. */
static void pgx_batch_port(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			   enum pgx_field field, const struct pgx_packet *pkt)
{
	unsigned int at = pkt->at.udp + (field == PGX_SPORT ? 0 : 2);
	bool summed = pkt->csum == PGX_CSUM_FULL;

	if (flow->range[field].random && !summed) {
		pgx_batch_draw16(batch, nr, &flow->range[field], &flow->rand[field], at);
		return;
	}
	pgx_range_fill(&flow->range[field], &flow->rand[field], batch->value, nr);
	pgx_batch_put16(batch, nr, at);
	if (summed)
		pgx_batch_sum16(batch->udp, batch->value, nr);
}

static void pgx_batch_addr4(struct pgx_batch *batch, u32 nr, const struct pgx_flow *flow,
			    unsigned int at)
{
	pgx_batch_put32(batch, nr, at);
	pgx_batch_sum32(batch->ip, batch->value, nr);
	if (flow->sums & PGX_SUM_UDP)
		pgx_batch_sum32(batch->udp, batch->value, nr);
}

static void pgx_batch_saddr4(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			     const struct pgx_packet *pkt)
{
	pgx_range_fill(&flow->range[PGX_SADDR], &flow->rand[PGX_SADDR], batch->value, nr);
	pgx_batch_addr4(batch, nr, flow, pkt->at.ip + PGX_IP4_SADDR);
}

static void pgx_batch_daddr4(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			     const struct pgx_packet *pkt)
{
	struct pgx_range *range = &flow->range[PGX_DADDR];
	struct pgx_rand *rand = &flow->rand[PGX_DADDR];
	u32 i;

	if (range->random) {
		for (i = 0; i < nr; i++)
			batch->value[i] = pgx_flow_draw_daddr(range, rand);
	} else {
		pgx_range_fill(range, rand, batch->value, nr);
	}
	pgx_batch_addr4(batch, nr, flow, pkt->at.ip + PGX_IP4_DADDR);
}

static void pgx_batch_put_addr6(struct pgx_batch *batch, u32 i, const struct pgx_flow *flow,
				unsigned int at, struct pgx_addr6 addr)
{
	pgx_head_addr6(batch->frame[i] + at, addr);
	if (flow->sums & PGX_SUM_UDP)
		batch->udp[i] += sum_be32(addr.hi >> 32) + sum_be32(addr.hi) +
				 sum_be32(addr.lo >> 32) + sum_be32(addr.lo);
}

static void pgx_batch_addr6(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			    struct pgx_range6 *range, struct pgx_rand *rand, unsigned int at)
{
	u32 i;

	for (i = 0; i < nr; i++)
		pgx_batch_put_addr6(batch, i, flow, at, pgx_range6_next(range, rand));
}

static void pgx_batch_slots4(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			     const struct pgx_packet *pkt)
{
	u32 i;

	for (i = 0; i < nr; i++)
		batch->value[i] = pgx_flow_slot(flow, false)->dst.lo;
	flow->range[PGX_DADDR].cur = batch->value[nr - 1];
	pgx_batch_addr4(batch, nr, flow, pkt->at.ip + PGX_IP4_DADDR);
}

static void pgx_batch_slots6(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			     const struct pgx_packet *pkt)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		flow->daddr6.cur = pgx_flow_slot(flow, true)->dst;
		pgx_batch_put_addr6(batch, i, flow, pkt->at.ip + PGX_IP6_DADDR, flow->daddr6.cur);
	}
}

static void pgx_batch_slots(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			    const struct pgx_packet *pkt)
{
	if (pkt->at.v6)
		pgx_batch_slots6(batch, nr, flow, pkt);
	else
		pgx_batch_slots4(batch, nr, flow, pkt);
}

static void pgx_batch_mac(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			  enum pgx_field field, const u8 *base)
{
	unsigned int at = field == PGX_SMAC ? ETH_ALEN : 0;
	u32 i;

	pgx_range_fill(&flow->range[field], &flow->rand[field], batch->value, nr);
	for (i = 0; i < nr; i++)
		pgx_field_mac(batch->frame[i] + at, base, batch->value[i]);
}

static void pgx_batch_vid(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			  enum pgx_field field, unsigned int at)
{
	u32 i;

	pgx_range_fill(&flow->range[field], &flow->rand[field], batch->value, nr);
	for (i = 0; i < nr; i++)
		pgx_field_vid(batch->frame[i] + at, batch->value[i]);
}

static void pgx_batch_draw_labels(u8 *mpls, unsigned int labels, struct pgx_flow *flow)
{
	unsigned int i;
	u32 word;

	for (i = 0; i < labels; i++) {
		if (!(flow->drawn & 1U << i))
			continue;
		word = (u32)(pgx_rand_next(&flow->rand[PGX_LABELS]) >> 32) & ~0xfffU;
		word |= flow->labels[i] & 0xfff;
		pgx_head_label(mpls, i, labels, word);
	}
}

static void pgx_batch_labels(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			     const struct pgx_packet *pkt)
{
	unsigned int labels = (pkt->at.ip - pkt->at.mpls) / PGX_LABEL_LEN;
	u32 i;

	for (i = 0; i < nr; i++)
		pgx_batch_draw_labels(batch->frame[i] + pkt->at.mpls, labels, flow);
}

/*
 * The UDP length is in the UDP header, and once more in the pseudo header, which is all that counts
 * where the device computes the checksum.
 */
static void pgx_batch_sum_sizes(struct pgx_batch *batch, u32 nr, const struct pgx_packet *pkt)
{
	unsigned int times = pkt->csum == PGX_CSUM_FULL ? 2 : 1;
	u32 i;

	for (i = 0; i < nr; i++) {
		batch->ip[i] += sum_be16(batch->size[i] - pkt->at.ip);
		batch->udp[i] += times * sum_be16(batch->size[i] - pkt->at.udp);
	}
}

static void pgx_batch_write_sizes(struct pgx_batch *batch, u32 nr, struct pgx_packet *pkt)
{
	u32 i;

	for (i = 0; i < nr; i++)
		pgx_field_size(batch->frame[i], &pkt->at, batch->size[i]);
	pgx_batch_sum_sizes(batch, nr, pkt);
	pkt->size = batch->size[nr - 1];
}

static void pgx_batch_sizes(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			    struct pgx_packet *pkt)
{
	pgx_range_fill(&flow->range[PGX_SIZE], &flow->rand[PGX_SIZE], batch->size, nr);
	pgx_batch_write_sizes(batch, nr, pkt);
}

static void pgx_batch_imix(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			   struct pgx_packet *pkt)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		batch->size[i] = pgx_mix_next(&flow->mix);
		batch->mix[i] = flow->mix.cur;
	}
	pgx_batch_write_sizes(batch, nr, pkt);
}

static void pgx_batch_queues(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			     struct pgx_packet *pkt)
{
	u32 i;

	pgx_range_fill(&flow->range[PGX_QUEUE], &flow->rand[PGX_QUEUE], batch->value, nr);
	for (i = 0; i < nr; i++)
		batch->queue[i] = batch->value[i];
	pkt->queue = batch->value[nr - 1];
}

static void pgx_batch_field(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			    struct pgx_packet *pkt, enum pgx_field field)
{
	switch (field) {
	case PGX_SPORT:
	case PGX_DPORT:
		pgx_batch_port(batch, nr, flow, field, pkt);
		break;
	case PGX_SADDR:
		pgx_batch_saddr4(batch, nr, flow, pkt);
		break;
	case PGX_DADDR:
		pgx_batch_daddr4(batch, nr, flow, pkt);
		break;
	case PGX_FLOWS:
		pgx_batch_slots(batch, nr, flow, pkt);
		break;
	case PGX_SADDR6:
		pgx_batch_addr6(batch, nr, flow, &flow->saddr6, &flow->rand[field],
				pkt->at.ip + PGX_IP6_SADDR);
		break;
	case PGX_DADDR6:
		pgx_batch_addr6(batch, nr, flow, &flow->daddr6, &flow->rand[field],
				pkt->at.ip + PGX_IP6_DADDR);
		break;
	case PGX_SMAC:
		pgx_batch_mac(batch, nr, flow, field, flow->src_mac);
		break;
	case PGX_DMAC:
		pgx_batch_mac(batch, nr, flow, field, flow->dst_mac);
		break;
	case PGX_SVID:
		pgx_batch_vid(batch, nr, flow, field, pkt->at.svlan);
		break;
	case PGX_VID:
		pgx_batch_vid(batch, nr, flow, field, pkt->at.vlan);
		break;
	case PGX_LABELS:
		pgx_batch_labels(batch, nr, flow, pkt);
		break;
	case PGX_SIZE:
		pgx_batch_sizes(batch, nr, flow, pkt);
		break;
	case PGX_IMIX:
		pgx_batch_imix(batch, nr, flow, pkt);
		break;
	case PGX_QUEUE:
		pgx_batch_queues(batch, nr, flow, pkt);
		break;
	default:
		break;
	}
}

static void pgx_batch_stamp(struct pgx_batch *batch, u32 nr, unsigned int at,
			    const struct pgx_stamp *stamp)
{
	u32 i;

	if (!stamp->timed)
		return;
	for (i = 0; i < nr; i++) {
		put_be32(batch->frame[i] + at + 8, stamp->sec);
		put_be32(batch->frame[i] + at + 12, stamp->usec);
	}
}

/* Packets up to the place where an identification or a checksum begins anew. */
static u32 pgx_batch_run(u32 nr, u16 id, u16 csum)
{
	return min(nr, min(0x10000U - id, csum + 1U));
}

/* Where these stand is handed over, so that a loop has it in registers. */
static __always_inline void pgx_batch_put_numbers(u8 *frame, unsigned int number, u32 seq,
						  unsigned int ip, u16 id, u16 csum)
{
	put_be32(frame + number, seq);
	put_be16(frame + ip + PGX_IP4_ID, id);
	put_be16(frame + ip + PGX_IP4_CSUM, csum);
}

/*
 * Numbers of packets whose IPv4 headers differ in nothing else. Where the identification goes up by
 * one the checksum goes down by one, until it is zero (RFC 1624); then the sum is taken anew.
 */
static void pgx_batch_number_alike(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
				   const struct pgx_layout *at, u32 seq)
{
	unsigned int ip = at->ip, number = at->stamp + 4;
	u8 **frame = batch->frame;
	unsigned long i;
	u16 id, csum;
	u32 run;

	while (nr) {
		id = flow->ip_id;
		csum = ~sum_fold(flow->ip_base + id);
		run = pgx_batch_run(nr, id, csum);
#define STEP(k) \
	pgx_batch_put_numbers(frame[k], number, seq + (u32)(k), ip, id + (k), csum - (k))
		PGX_EACH(i, run, STEP);
#undef STEP
		flow->ip_id += run;
		frame += run;
		seq += run;
		nr -= run;
	}
}

static void pgx_batch_number(struct pgx_batch *batch, u32 nr, unsigned int at, u32 seq)
{
	u8 **frame = batch->frame;
	u32 i;

	for (i = 0; i < nr; i++)
		put_be32(frame[i] + at, seq + i);
}

static void pgx_batch_seal_ip4(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			       unsigned int at)
{
	u64 base = sum_be16(flow->ip_base);
	u16 id = flow->ip_id;
	u32 i;
	u16 csum;
	u8 *ip;

	for (i = 0; i < nr; i++) {
		ip = batch->frame[i] + at;
		put_be16(ip + PGX_IP4_ID, id);
		csum = ~sum_fold(base + batch->ip[i] + sum_be16(id++));
		memcpy(ip + PGX_IP4_CSUM, &csum, sizeof(csum));
	}
	flow->ip_id = id;
}

static void pgx_batch_seal_partial(struct pgx_batch *batch, u32 nr, const struct pgx_flow *flow,
				   unsigned int at)
{
	u32 i;
	u16 csum;

	for (i = 0; i < nr; i++) {
		csum = sum_fold(flow->udp_base + batch->udp[i]);
		memcpy(batch->frame[i] + at + PGX_UDP_CSUM, &csum, sizeof(csum));
	}
}

/* A sum of zero is sent as ones, for zero means that there is none (RFC 768). */
static void pgx_batch_seal_full(struct pgx_batch *batch, u32 nr, const struct pgx_flow *flow,
				unsigned int at, const struct pgx_stamp *stamp)
{
	u64 base = flow->udp_base;
	u32 seq = stamp->seq;
	u32 i;
	u16 csum;

	if (stamp->timed)
		base += sum_be32(stamp->sec) + sum_be32(stamp->usec);
	for (i = 0; i < nr; i++) {
		csum = ~sum_fold(base + batch->udp[i] + sum_be32(seq++));
		csum = csum ?: 0xffff;
		memcpy(batch->frame[i] + at + PGX_UDP_CSUM, &csum, sizeof(csum));
	}
}

static void pgx_batch_seal(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow,
			   const struct pgx_packet *pkt, const struct pgx_stamp *stamp)
{
	if (pkt->at.v6 || flow->sums & PGX_SUM_IP)
		pgx_batch_number(batch, nr, pkt->at.stamp + 4, stamp->seq);
	if (pkt->at.v6)
		flow->ip_id += nr;
	else if (flow->sums & PGX_SUM_IP)
		pgx_batch_seal_ip4(batch, nr, flow, pkt->at.ip);
	else
		pgx_batch_number_alike(batch, nr, flow, &pkt->at, stamp->seq);
	if (pkt->csum == PGX_CSUM_FULL)
		pgx_batch_seal_full(batch, nr, flow, pkt->at.udp, stamp);
	else if (pkt->csum == PGX_CSUM_PARTIAL)
		pgx_batch_seal_partial(batch, nr, flow, pkt->at.udp);
}

/**
 * pgx_batch_write() - choose and write all that differs between packets
 * @batch: @batch->frame is where to; where sizes, queues or a mix vary, it gets those
 * @nr: packets, 1 to PGX_BATCH
 * @flow: the state
 * @pkt: what is common to them; gets the last one's size and queue
 * @stamp: what the first one's generator header says
 *
 * A frame holds the headers of @pkt already, or those of an earlier packet with the same ones.
 */
void pgx_batch_write(struct pgx_batch *batch, u32 nr, struct pgx_flow *flow, struct pgx_packet *pkt,
		     const struct pgx_stamp *stamp)
{
	u32 i;

	if (flow->sums || pkt->csum != PGX_CSUM_NONE) {
		memset(batch->ip, 0, nr * sizeof(*batch->ip));
		memset(batch->udp, 0, nr * sizeof(*batch->udp));
	}
	for (i = 0; i < flow->nr_varying; i++)
		pgx_batch_field(batch, nr, flow, pkt, flow->varying[i]);
	pgx_batch_stamp(batch, nr, pkt->at.stamp, stamp);
	pgx_batch_seal(batch, nr, flow, pkt, stamp);
}

/**
 * struct pgx_place - bytes of a header
 * @at: the first
 * @len: how many
 */
struct pgx_place {
	u8	at;
	u8	len;
};

/* Where a value that is part of a checksum stands; nowhere for one that is not. */
static struct pgx_place pgx_batch_place(const struct pgx_layout *at, enum pgx_field field)
{
	switch (field) {
	case PGX_SPORT:
		return (struct pgx_place){ at->udp, 2 };
	case PGX_DPORT:
		return (struct pgx_place){ at->udp + 2, 2 };
	case PGX_SADDR:
		return (struct pgx_place){ at->ip + PGX_IP4_SADDR, 4 };
	case PGX_DADDR:
		return (struct pgx_place){ at->ip + PGX_IP4_DADDR, 4 };
	case PGX_SADDR6:
		return (struct pgx_place){ at->ip + PGX_IP6_SADDR, 16 };
	case PGX_DADDR6:
		return (struct pgx_place){ at->ip + PGX_IP6_DADDR, 16 };
	case PGX_FLOWS:
		return pgx_batch_place(at, at->v6 ? PGX_DADDR6 : PGX_DADDR);
	case PGX_SIZE:
	case PGX_IMIX:
		return (struct pgx_place){ at->udp + PGX_UDP_SIZE, 2 };
	default:
		return (struct pgx_place){ };
	}
}

/* Take a value out of the copy that the sums are made of. */
static void pgx_batch_blank(u8 *head, const struct pgx_layout *at, enum pgx_field field)
{
	struct pgx_place place = pgx_batch_place(at, field);

	memset(head + place.at, 0, place.len);
	if (field == PGX_SIZE || field == PGX_IMIX)
		memset(head + at->ip + (at->v6 ? PGX_IP6_SIZE : PGX_IP4_SIZE), 0, 2);
}

static u8 pgx_batch_sums(const struct pgx_packet *pkt, enum pgx_field field)
{
	bool port = field == PGX_SPORT || field == PGX_DPORT;
	u8 sums = 0;

	if (!pgx_batch_place(&pkt->at, field).len)
		return 0;
	if (!port && !pkt->at.v6)
		sums |= PGX_SUM_IP;
	if (pkt->csum == PGX_CSUM_FULL || (pkt->csum == PGX_CSUM_PARTIAL && !port))
		sums |= PGX_SUM_UDP;
	return sums;
}

/**
 * pgx_batch_setup() - add up what does not differ between packets
 * @flow: the state, with all that varies; gets the sums
 * @pkt: what is common to the packets, its headers complete
 */
void pgx_batch_setup(struct pgx_flow *flow, const struct pgx_packet *pkt)
{
	const struct pgx_layout *at = &pkt->at;
	u8 head[PGX_HEAD_MAX];
	u32 i;

	flow->sums = 0;
	flow->ip_base = 0;
	flow->udp_base = 0;
	memcpy(head, pkt->head, sizeof(head));
	for (i = 0; i < flow->nr_varying; i++) {
		flow->sums |= pgx_batch_sums(pkt, flow->varying[i]);
		pgx_batch_blank(head, at, flow->varying[i]);
	}
	memset(head + at->udp + PGX_UDP_CSUM, 0, 2);
	memset(head + at->stamp + 4, 0, PGX_STAMP_LEN - 4);
	if (!at->v6) {
		memset(head + at->ip + PGX_IP4_ID, 0, 2);
		memset(head + at->ip + PGX_IP4_CSUM, 0, 2);
		flow->ip_base = sum_host(pgx_head_sum_ip4(head, at));
	}
	if (pkt->csum != PGX_CSUM_NONE)
		flow->udp_base = sum_fold(pgx_head_sum_udp(head, at, pkt->csum));
}
