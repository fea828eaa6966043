// SPDX-License-Identifier: GPL-2.0
/* Which values the next packet takes. A leaf. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "traffic/traffic.h"

#define PGX_DRAWS	8	/* tries to draw an address that one host can have */

/* No host is reached under it: 0/8, loopback, multicast, the limited broadcast address. */
static bool pgx_flow_no_host(u32 addr)
{
	u8 top = addr >> 24;

	return !top || top == 127 || (top >= 224 && top < 240) || addr == U32_MAX;
}

/* A range all of whose addresses are special was asked for, so the draws end. */
static u32 pgx_flow_draw_daddr(struct pgx_range *range, struct pgx_rand *rand)
{
	int draw;

	for (draw = 1; pgx_flow_no_host(pgx_range_next(range, rand)) && draw < PGX_DRAWS; draw++)
		;
	return range->cur;
}

static void pgx_flow_apply(struct pgx_flow *flow, struct pgx_packet *pkt, enum pgx_field field,
			   u32 value)
{
	if (field == PGX_SMAC)
		pgx_field_mac(pkt->head + ETH_ALEN, flow->src_mac, value);
	else if (field == PGX_DMAC)
		pgx_field_mac(pkt->head, flow->dst_mac, value);
	else
		pgx_field_write(pkt, field, value);
}

/*
 * A range that stays as it was keeps its place, so that other settings can change while it is
 * walked.
 */
static void pgx_flow_range(struct pgx_flow *flow, enum pgx_field field, u32 min, u32 max,
			   bool random)
{
	struct pgx_range *range = &flow->range[field];
	struct pgx_range fresh;

	pgx_range_init(&fresh, min, max, random);
	if (range->min != fresh.min || range->max != fresh.max)
		*range = fresh;
	range->random = random;
	if (range->min != range->max)
		flow->varying[flow->nr_varying++] = field;
}

static void pgx_flow_ranges(struct pgx_flow *flow, const struct pgx_config *cfg, u32 src_ip)
{
	u32 flags = cfg->flags;

	flow->nr_varying = 0;
	pgx_flow_range(flow, PGX_SMAC, 0, cfg->src_mac_count ? cfg->src_mac_count - 1 : 0,
		       flags & PGX_F_MACSRC_RND);
	pgx_flow_range(flow, PGX_DMAC, 0, cfg->dst_mac_count ? cfg->dst_mac_count - 1 : 0,
		       flags & PGX_F_MACDST_RND);
	pgx_flow_range(flow, PGX_SPORT, cfg->udp_src_min, cfg->udp_src_max,
		       flags & PGX_F_UDPSRC_RND);
	pgx_flow_range(flow, PGX_DPORT, cfg->udp_dst_min, cfg->udp_dst_max,
		       flags & PGX_F_UDPDST_RND);
	if (cfg->src_min)
		pgx_flow_range(flow, PGX_SADDR, cfg->src_min, cfg->src_max,
			       flags & PGX_F_IPSRC_RND);
	else
		pgx_flow_range(flow, PGX_SADDR, src_ip, src_ip, false);
	pgx_flow_range(flow, PGX_DADDR, cfg->dst_min, cfg->dst_max, flags & PGX_F_IPDST_RND);
	pgx_flow_range(flow, PGX_SIZE, cfg->min_pkt_size, cfg->max_pkt_size,
		       flags & PGX_F_TXSIZE_RND);
	pgx_flow_range(flow, PGX_QUEUE, cfg->queue_map_min, cfg->queue_map_max,
		       flags & PGX_F_QUEUE_MAP_RND);
}

/**
 * pgx_flow_setup() - take over a config
 * @flow: the state; values whose range did not change keep their place
 * @pkt: gets every byte that does not vary
 * @cfg: the config, complete: sizes are set and in range
 * @facts: the device, for the addresses that the config leaves to it
 */
void pgx_flow_setup(struct pgx_flow *flow, struct pgx_packet *pkt, const struct pgx_config *cfg,
		    const struct pgx_facts *facts)
{
	static const u8 zero[ETH_ALEN];
	int field;

	memcpy(flow->dst_mac, cfg->dst_mac, ETH_ALEN);
	memcpy(flow->src_mac, memcmp(cfg->src_mac, zero, ETH_ALEN) ? cfg->src_mac : facts->mac,
	       ETH_ALEN);
	pgx_flow_ranges(flow, cfg, facts->src_ip);
	pgx_field_skeleton(pkt->head);
	for (field = 0; field < PGX_NR_FIELDS; field++)
		pgx_flow_apply(flow, pkt, field, flow->range[field].cur);
}

/**
 * pgx_flow_rewind() - begin every range at its first value
 * @flow: the state
 */
void pgx_flow_rewind(struct pgx_flow *flow)
{
	struct pgx_range *range;

	for (range = flow->range; range < flow->range + PGX_NR_FIELDS; range++)
		pgx_range_init(range, range->min, range->max, range->random);
}

/**
 * pgx_flow_next() - choose and write the next packet's values
 * @flow: the state
 * @pkt: the packet; all but its stamp is right afterwards
 */
void pgx_flow_next(struct pgx_flow *flow, struct pgx_packet *pkt)
{
	struct pgx_range *range;
	enum pgx_field field;
	u32 value;
	int i;

	for (i = 0; i < flow->nr_varying; i++) {
		field = flow->varying[i];
		range = &flow->range[field];
		if (field == PGX_DADDR && range->random)
			value = pgx_flow_draw_daddr(range, &flow->rand);
		else
			value = pgx_range_next(range, &flow->rand);
		pgx_flow_apply(flow, pkt, field, value);
	}
	pgx_field_seal(pkt, flow->ip_id++);
}
