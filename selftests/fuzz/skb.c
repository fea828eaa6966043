// SPDX-License-Identifier: GPL-2.0
#include "engine/engine.h"
#include "holds.h"
#include "skb.h"

static struct net_device nic = { .name = "eth0", .needed_tailroom = 12 };

/* Every byte is one of the template or zero; nothing of what the memory held before is left. */
static void bytes(const struct sk_buff *skb, const struct pgx_packet *pkt)
{
	u32 linear = skb->len - skb->data_len, i;

	CHECK(linear >= pkt->at.len && skb->data + linear <= skb->end);
	CHECK(!memcmp(skb->data, pkt->head, pkt->at.len));
	for (i = pkt->at.len; i < linear; i++)
		if (skb->data[i])
			break;
	EQ(i, linear);
}

static void fragments(struct sk_buff *skb, const struct pgx_packet *pkt)
{
	u32 sum = 0, i, j;

	EQ(skb->info.nr_frags, min(pkt->frags, pkt->size - pkt->at.len));
	for (i = 0; i < skb->info.nr_frags; i++) {
		CHECK(skb->info.bytes[i] && skb->info.bytes[i] <= PAGE_SIZE);
		sum += skb->info.bytes[i];
		for (j = 0; j < skb->info.bytes[i] && !skb->info.page[i]->bytes[j]; j++)
			;
		EQ(j, skb->info.bytes[i]);
	}
	EQ(sum, skb->data_len);
	CHECK(!skb->info.nr_frags || skb->info.flags & SKBFL_SHARED_FRAG);
}

static void places(const struct sk_buff *skb, const struct pgx_packet *pkt)
{
	u32 data = skb->data - skb->head;

	EQ(skb->len, pkt->size);
	EQ(skb->mac, data);
	EQ(skb->network, data + pkt->at.ip);
	EQ(skb->transport, data + pkt->at.udp);
	EQ(skb->queue_mapping, pkt->queue);
	EQ(skb->priority, pkt->priority);
	EQ(shim_htons(skb->protocol), be(pkt->head + 12, 2));
	if (skb->ip_summed != CHECKSUM_PARTIAL)
		return;
	EQ(skb->csum_start, skb->transport);
	EQ(skb->csum_offset, 6);
}

static void one(struct traffic *traffic, const struct pgx_plan *plan)
{
	const struct pgx_packet *pkt = traffic_next(traffic);
	struct sk_buff *skb;

	holds_packet(&plan->cfg, pkt);
	skb = pgx_packet_build(&nic, pkt, plan->page);
	CHECK(skb);
	bytes(skb, pkt);
	fragments(skb, pkt);
	places(skb, pkt);
	shim_skb_free(skb);
}

void skb_start(struct traffic *traffic, int nr)
{
	struct pgx_config cfg = traffic->entry.cfg;
	struct pgx_text reply;
	char buf[PGX_REPLY_SIZE];
	struct pgx_plan *plan;
	int rc;

	pgx_config_complete(&cfg, &traffic->entry.facts);
	pgx_text_init(&reply, buf, sizeof(buf));
	rc = pgx_config_check(&cfg, &traffic->entry.facts, PGX_ON_START, &reply);
	CHECK(!rc == !reply.len && reply.len < sizeof(buf) - 1 && text_is_plain(buf));
	if (rc)
		return;
	plan = pgx_plan_create(&cfg, NULL, &nic);
	CHECK(plan);
	pgx_flow_setup(&traffic->flow, &traffic->pkt, &plan->cfg, &traffic->entry.facts,
		       plan->slots);
	pgx_flow_rewind(&traffic->flow);
	while (nr--)
		one(traffic, plan);
	pgx_plan_free(plan, NULL);
	EQ(shim_blocks, 0);
}
