// SPDX-License-Identifier: GPL-2.0
/* Which values the next packet takes. A leaf. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "traffic/rand.h"
#include "traffic/traffic.h"

#define PGX_DRAWS	8	/* tries to draw an address that one host can have */

/* No host is reached under it: 0/8, loopback, multicast, the limited broadcast address. */
static bool pgx_flow_no_host(u32 addr)
{
	u8 top = addr >> 24;

	return !top || top == 127 || (top >= 224 && top < 240) || addr == U32_MAX;
}

/**
 * pgx_flow_draw_daddr() - draw an IPv4 destination
 * @range: the range
 * @rand: where random values come from
 *
 * A range all of whose addresses are special was asked for, so the draws end.
 *
 * Return: the address, which is also @range->cur from now on.
 */
u32 pgx_flow_draw_daddr(struct pgx_range *range, struct pgx_rand *rand)
{
	int draw;

	for (draw = 1; pgx_flow_no_host(pgx_range_next(range, rand)) && draw < PGX_DRAWS; draw++)
		;
	return range->cur;
}

/* Write a number into the packet. */
static void pgx_flow_apply(const struct pgx_flow *flow, struct pgx_packet *pkt,
			   enum pgx_field field, u32 value)
{
	if (field == PGX_SMAC)
		pgx_field_mac(pkt->head + ETH_ALEN, flow->src_mac, value);
	else if (field == PGX_DMAC)
		pgx_field_mac(pkt->head, flow->dst_mac, value);
	else
		pgx_field_write(pkt, field, value);
}

static void pgx_flow_vary(struct pgx_flow *flow, enum pgx_field field)
{
	flow->varying[flow->nr_varying++] = field;
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
		pgx_flow_vary(flow, field);
}

static void pgx_flow_macs(struct pgx_flow *flow, const struct pgx_config *cfg)
{
	pgx_flow_range(flow, PGX_SMAC, 0, cfg->src_mac_count ? cfg->src_mac_count - 1 : 0,
		       cfg->flags & PGX_F_MACSRC_RND);
	pgx_flow_range(flow, PGX_DMAC, 0, cfg->dst_mac_count ? cfg->dst_mac_count - 1 : 0,
		       cfg->flags & PGX_F_MACDST_RND);
}

/* A drawn VLAN is one that a network may have: 802.1Q keeps 0 and 4095 for itself. */
static void pgx_flow_vid(struct pgx_flow *flow, enum pgx_field field, u16 vid, bool random)
{
	if (vid != PGX_NO_VID && random)
		pgx_flow_range(flow, field, 1, 4094, true);
	else
		pgx_flow_range(flow, field, vid, vid, false);
}

static void pgx_flow_labels(struct pgx_flow *flow, const struct pgx_config *cfg)
{
	u32 marked = 0;
	int i;

	memcpy(flow->labels, cfg->labels, sizeof(flow->labels));
	for (i = 0; i < cfg->nr_labels; i++)
		if (cfg->labels[i] & PGX_LABEL_LAST)
			marked |= 1U << i;
	flow->drawn = cfg->flags & PGX_F_MPLS_RND ? marked : 0;
	if (flow->drawn)
		pgx_flow_vary(flow, PGX_LABELS);
}

static void pgx_flow_ports(struct pgx_flow *flow, const struct pgx_config *cfg)
{
	pgx_flow_range(flow, PGX_SPORT, cfg->udp_src_min, cfg->udp_src_max,
		       cfg->flags & PGX_F_UDPSRC_RND);
	pgx_flow_range(flow, PGX_DPORT, cfg->udp_dst_min, cfg->udp_dst_max,
		       cfg->flags & PGX_F_UDPDST_RND);
}

/* A single address is a range of one. */
static void pgx_flow_range6(struct pgx_flow *flow, struct pgx_range6 *range, enum pgx_field field,
			    struct pgx_addr6 min, struct pgx_addr6 max, bool random)
{
	struct pgx_range6 fresh;

	pgx_range6_init(&fresh, min, max, random);
	if (memcmp(&range->min, &fresh.min, sizeof(fresh.min)) ||
	    memcmp(&range->max, &fresh.max, sizeof(fresh.max)))
		*range = fresh;
	range->random = random;
	if (pgx_addr6_less(range->min, range->max))
		pgx_flow_vary(flow, field);
}

static void pgx_flow_ip6(struct pgx_flow *flow, const struct pgx_config *cfg,
			 const struct pgx_facts *facts)
{
	struct pgx_addr6 own = pgx_addr6_set(cfg->src6) ? cfg->src6 : facts->src6;

	if (pgx_addr6_set(cfg->src6_min))
		pgx_flow_range6(flow, &flow->saddr6, PGX_SADDR6, cfg->src6_min, cfg->src6_max,
				cfg->flags & PGX_F_IPSRC_RND);
	else
		pgx_flow_range6(flow, &flow->saddr6, PGX_SADDR6, own, own, false);
	if (pgx_addr6_set(cfg->dst6_min))
		pgx_flow_range6(flow, &flow->daddr6, PGX_DADDR6, cfg->dst6_min, cfg->dst6_max,
				cfg->flags & PGX_F_IPDST_RND);
	else
		pgx_flow_range6(flow, &flow->daddr6, PGX_DADDR6, cfg->dst6, cfg->dst6, false);
}

static void pgx_flow_ip4(struct pgx_flow *flow, const struct pgx_config *cfg, u32 src_ip)
{
	if (cfg->src_min)
		pgx_flow_range(flow, PGX_SADDR, cfg->src_min, cfg->src_max,
			       cfg->flags & PGX_F_IPSRC_RND);
	else
		pgx_flow_range(flow, PGX_SADDR, src_ip, src_ip, false);
	pgx_flow_range(flow, PGX_DADDR, cfg->dst_min, cfg->dst_max, cfg->flags & PGX_F_IPDST_RND);
}

/* With flows the destination does not vary by itself: a flow asks for the next one. */
static void pgx_flow_addresses(struct pgx_flow *flow, const struct pgx_config *cfg,
			       const struct pgx_facts *facts)
{
	u8 last;

	if (cfg->flags & PGX_F_IPV6)
		pgx_flow_ip6(flow, cfg, facts);
	else
		pgx_flow_ip4(flow, cfg, facts->src_ip);
	if (!cfg->flows)
		return;
	last = flow->nr_varying ? flow->varying[flow->nr_varying - 1] : PGX_NR_VARYING;
	if (last == PGX_DADDR || last == PGX_DADDR6)
		flow->nr_varying--;
	pgx_flow_vary(flow, PGX_FLOWS);
}

static void pgx_flow_sizes(struct pgx_flow *flow, const struct pgx_config *cfg)
{
	struct pgx_mix fresh;

	pgx_flow_range(flow, PGX_SIZE, cfg->min_pkt_size, cfg->max_pkt_size,
		       cfg->flags & PGX_F_TXSIZE_RND);
	pgx_mix_setup(&fresh, cfg);
	if (fresh.nr != flow->mix.nr || memcmp(fresh.size, flow->mix.size, sizeof(fresh.size)) ||
	    memcmp(fresh.ends, flow->mix.ends, sizeof(fresh.ends)))
		flow->mix = fresh;
	if (fresh.nr)
		pgx_flow_vary(flow, PGX_IMIX);
}

static void pgx_flow_rewind_slots(struct pgx_slots *slots)
{
	u32 i;

	slots->cur = 0;
	for (i = 0; i < slots->nr; i++)
		slots->slot[i].count = 0;
}

/*
 * Flows begin anew when there are more or fewer of them, for their memory is another, and when
 * their destinations are of the other kind.
 */
static void pgx_flow_slots(struct pgx_flow *flow, const struct pgx_config *cfg,
			   struct pgx_slot *slot)
{
	struct pgx_slots *slots = &flow->slots;
	bool v6 = cfg->flags & PGX_F_IPV6;
	bool other = slots->slot != slot || slots->v6 != v6;

	slots->slot = slot;
	slots->nr = cfg->flows;
	slots->flowlen = max(cfg->flowlen, 1U);
	slots->ordered = cfg->flags & PGX_F_FLOW_SEQ;
	slots->v6 = v6;
	if (other)
		pgx_flow_rewind_slots(slots);
}

static u8 pgx_flow_csum(const struct pgx_config *cfg, const struct pgx_facts *facts,
			const struct pgx_layout *at)
{
	u8 device = at->v6 ? facts->csum6 : facts->csum4;
	u8 needs = at->mpls ? PGX_CSUM_MPLS : at->vlan ? PGX_CSUM_VLAN : PGX_CSUM_PLAIN;

	/* over IPv6 zero is no checksum (RFC 8200), so there one has to ask for it */
	if (!(cfg->flags & PGX_F_UDPCSUM) && (!at->v6 || cfg->unflags & PGX_F_UDPCSUM))
		return PGX_CSUM_NONE;
	/* what is received comes with its checksum, what is encrypted needs it before */
	if (cfg->xmit_mode == PGX_NETIF_RECEIVE || cfg->flags & PGX_F_IPSEC)
		return PGX_CSUM_FULL;
	return device & needs ? PGX_CSUM_PARTIAL : PGX_CSUM_FULL;
}

/* Write the value that everything has now. */
static void pgx_flow_fill(const struct pgx_flow *flow, struct pgx_packet *pkt)
{
	int field;

	for (field = 0; field < PGX_NR_FIELDS; field++)
		pgx_flow_apply(flow, pkt, field, flow->range[field].cur);
	if (pkt->at.v6) {
		pgx_head_addr6(pkt->head + pkt->at.ip + PGX_IP6_SADDR, flow->saddr6.cur);
		pgx_head_addr6(pkt->head + pkt->at.ip + PGX_IP6_DADDR, flow->daddr6.cur);
	}
	if (flow->mix.nr)
		pgx_field_write(pkt, PGX_SIZE, flow->mix.size[flow->mix.cur]);
}

/**
 * pgx_flow_setup() - take over a config
 * @flow: the state; values whose range did not change keep their place
 * @pkt: gets every byte that does not vary, and what the skb is to be
 * @cfg: the config, complete: sizes are set and in range
 * @facts: the device, for the addresses that the config leaves to it
 * @slots: room for as many flows as the config has
 */
void pgx_flow_setup(struct pgx_flow *flow, struct pgx_packet *pkt, const struct pgx_config *cfg,
		    const struct pgx_facts *facts, struct pgx_slot *slots)
{
	static const u8 zero[ETH_ALEN];

	memcpy(flow->dst_mac, cfg->dst_mac, ETH_ALEN);
	memcpy(flow->src_mac, memcmp(cfg->src_mac, zero, ETH_ALEN) ? cfg->src_mac : facts->mac,
	       ETH_ALEN);
	flow->nr_varying = 0;
	pgx_flow_macs(flow, cfg);
	pgx_flow_vid(flow, PGX_SVID, cfg->svlan_id, cfg->flags & PGX_F_SVID_RND);
	pgx_flow_vid(flow, PGX_VID, cfg->vlan_id, cfg->flags & PGX_F_VID_RND);
	pgx_flow_labels(flow, cfg);
	pgx_flow_ports(flow, cfg);
	pgx_flow_addresses(flow, cfg, facts);
	pgx_flow_sizes(flow, cfg);
	pgx_flow_range(flow, PGX_QUEUE, cfg->queue_map_min, cfg->queue_map_max,
		       cfg->flags & PGX_F_QUEUE_MAP_RND);
	pgx_flow_slots(flow, cfg, slots);
	pgx_head_write(pkt, cfg);
	pkt->csum = pgx_flow_csum(cfg, facts, &pkt->at);
	pkt->frags = cfg->frags;
	pkt->priority = cfg->skb_priority;
	pkt->node = cfg->flags & PGX_F_NODE ? cfg->node : PGX_NO_NODE;
	pgx_flow_fill(flow, pkt);
	pgx_batch_setup(flow, pkt);
	if (flow->seed != cfg->seed)
		pgx_flow_seed(flow, cfg->seed);
	flow->seed = cfg->seed;
}

/**
 * pgx_flow_seed() - begin every sequence of random numbers anew
 * @flow: the state
 * @seed: the same one gives the same packets, on every kernel
 */
void pgx_flow_seed(struct pgx_flow *flow, u64 seed)
{
	struct pgx_rand rand = { seed };
	int field;

	for (field = 0; field < PGX_NR_VARYING; field++)
		flow->rand[field].state = pgx_rand_mix(&rand);
}

/**
 * pgx_flow_rewind() - begin everything at its first value
 * @flow: the state
 */
void pgx_flow_rewind(struct pgx_flow *flow)
{
	struct pgx_range *range;

	for (range = flow->range; range < flow->range + PGX_NR_FIELDS; range++)
		pgx_range_init(range, range->min, range->max, range->random);
	pgx_range6_init(&flow->saddr6, flow->saddr6.min, flow->saddr6.max, flow->saddr6.random);
	pgx_range6_init(&flow->daddr6, flow->daddr6.min, flow->daddr6.max, flow->daddr6.random);
	flow->mix.pos = 0;
	flow->mix.cur = 0;
	flow->slots.made = 0;
	pgx_flow_rewind_slots(&flow->slots);
	if (flow->seed)
		pgx_flow_seed(flow, flow->seed);
}

/* The flow that the next packet belongs to; its count is 0 if it begins with it. */
static struct pgx_slot *pgx_flow_pick(struct pgx_slots *slots, struct pgx_rand *rand)
{
	struct pgx_slot *slot = &slots->slot[slots->cur];

	if (!slots->ordered) {
		slots->cur = pgx_rand_within(rand, 0, slots->nr);
	} else if (slot->count >= slots->flowlen) {
		slot->count = 0;
		slots->cur = slots->cur + 1 < slots->nr ? slots->cur + 1 : 0;
	}
	/* where order or length have changed, the next one in order may be done too */
	slot = &slots->slot[slots->cur];
	if (slot->count >= slots->flowlen)
		slot->count = 0;
	return slot;
}

static struct pgx_addr6 pgx_flow_next_daddr(struct pgx_flow *flow, bool v6)
{
	struct pgx_range *range = &flow->range[PGX_DADDR];
	struct pgx_addr6 addr = { };

	if (v6)
		return pgx_range6_next(&flow->daddr6, &flow->rand[PGX_DADDR6]);
	addr.lo = range->random ? pgx_flow_draw_daddr(range, &flow->rand[PGX_DADDR]) :
		  pgx_range_next(range, &flow->rand[PGX_DADDR]);
	return addr;
}

/**
 * pgx_flow_slot() - choose the flow of the next packet
 * @flow: the state, with flows
 * @v6: their destinations are IPv6
 *
 * Return: the flow, the packet counted in it.
 */
struct pgx_slot *pgx_flow_slot(struct pgx_flow *flow, bool v6)
{
	struct pgx_slot *slot = pgx_flow_pick(&flow->slots, &flow->rand[PGX_FLOWS]);

	if (!slot->count) {
		slot->dst = pgx_flow_next_daddr(flow, v6);
		flow->slots.made++;
	}
	slot->count++;
	return slot;
}
