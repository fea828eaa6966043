// SPDX-License-Identifier: GPL-2.0
/* Settings as a whole: defaults, the rules between them, and what a run fills in. A leaf. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include "control/param.h"

#define PGX_HEADERS		58U	/* Ethernet, IPv4, UDP and the generator header */
#define PGX_DEFAULT_COUNT	1000
#define PGX_DEFAULT_PORT	9	/* discard, RFC 863 */

/**
 * pgx_config_init() - make the settings of a new entry
 * @cfg: gets them
 */
void pgx_config_init(struct pgx_config *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->count = PGX_DEFAULT_COUNT;
	cfg->burst = 1;
	cfg->flags = PGX_F_SHARED;
	cfg->udp_src_min = PGX_DEFAULT_PORT;
	cfg->udp_src_max = PGX_DEFAULT_PORT;
	cfg->udp_dst_min = PGX_DEFAULT_PORT;
	cfg->udp_dst_max = PGX_DEFAULT_PORT;
}

/* In the receive path a burst is the way to repeat, and a qdisc may change what it is given. */
static int pgx_rule_clone_door(const struct pgx_config *cfg, const struct pgx_facts *facts,
			       struct pgx_text *reply)
{
	if (!cfg->clone_skb || cfg->xmit_mode == PGX_START_XMIT)
		return 0;
	pgx_text_add(reply, "ERROR: clone_skb: %u does not go with xmit_mode %s, allowed is 0",
		     cfg->clone_skb,
		     cfg->xmit_mode == PGX_QUEUE_XMIT ? "queue_xmit" : "netif_receive");
	return -EOPNOTSUPP;
}

static int pgx_rule_burst_door(const struct pgx_config *cfg, const struct pgx_facts *facts,
			       struct pgx_text *reply)
{
	if (cfg->burst <= 1 || cfg->xmit_mode != PGX_QUEUE_XMIT)
		return 0;
	pgx_text_add(reply, "ERROR: burst: %u does not go with xmit_mode queue_xmit, allowed is 1",
		     cfg->burst);
	return -EOPNOTSUPP;
}

static int pgx_rule_sharing(const struct pgx_config *cfg, const struct pgx_facts *facts,
			    struct pgx_text *reply)
{
	if (facts->sharing || cfg->xmit_mode != PGX_START_XMIT)
		return 0;
	if (!cfg->clone_skb && cfg->burst <= 1)
		return 0;
	pgx_text_add(reply,
		     "ERROR: %s: the driver of %s changes what it sends (no IFF_TX_SKB_SHARING), ",
		     cfg->clone_skb ? "clone_skb" : "burst", facts->name);
	pgx_text_add(reply, "allowed is clone_skb 0 and burst 1");
	return -EOPNOTSUPP;
}

static int pgx_rule_shared(const struct pgx_config *cfg, const struct pgx_facts *facts,
			   struct pgx_text *reply)
{
	if (cfg->flags & PGX_F_SHARED || (!cfg->clone_skb && cfg->burst <= 1))
		return 0;
	pgx_text_add(reply, "ERROR: flag !SHARED does not go with clone_skb %u and burst %u, ",
		     cfg->clone_skb, cfg->burst);
	pgx_text_add(reply, "allowed is clone_skb 0 and burst 1");
	return -EINVAL;
}

static int pgx_rule_size(const struct pgx_config *cfg, const struct pgx_facts *facts,
			 struct pgx_text *reply)
{
	if (cfg->xmit_mode == PGX_NETIF_RECEIVE || cfg->max_pkt_size <= facts->max_frame)
		return 0;
	pgx_text_add(reply, "ERROR: max_pkt_size: %u is more than %s sends, allowed is %u to %u",
		     cfg->max_pkt_size, facts->name, PGX_MIN_PKT_SIZE, facts->max_frame);
	return -ERANGE;
}

/*
 * A rule looks at settings when one of its own is written. What the device can do may change, so
 * that is looked at again when a run starts. A burst that was set before queue_xmit is left without
 * effect, as scripts know it.
 */
static const struct {
	u32	on;
	int (*check)(const struct pgx_config *cfg, const struct pgx_facts *facts,
		     struct pgx_text *reply);
} pgx_rules[] = {
	{ PGX_ON_CLONE | PGX_ON_DOOR | PGX_ON_START,	pgx_rule_clone_door },
	{ PGX_ON_BURST,					pgx_rule_burst_door },
	{ PGX_ON_CLONE | PGX_ON_BURST | PGX_ON_START,	pgx_rule_sharing },
	{ PGX_ON_CLONE | PGX_ON_BURST | PGX_ON_FLAG,	pgx_rule_shared },
	{ PGX_ON_START,					pgx_rule_size },
};

/**
 * pgx_config_check() - apply the rules between settings and for what the device can do
 * @cfg: the settings
 * @facts: the device
 * @on: PGX_ON_* of what happened
 * @reply: gets the reason of a refusal
 *
 * Return: 0, -EOPNOTSUPP, -EINVAL or -ERANGE.
 */
int pgx_config_check(const struct pgx_config *cfg, const struct pgx_facts *facts, u32 on,
		     struct pgx_text *reply)
{
	unsigned int i;
	int rc;

	for (i = 0; i < ARRAY_SIZE(pgx_rules); i++) {
		rc = pgx_rules[i].on & on ? pgx_rules[i].check(cfg, facts, reply) : 0;
		if (rc)
			return rc;
	}
	return 0;
}

/**
 * pgx_config_complete() - fill in what a run needs
 * @cfg: the settings; sizes get at least the headers' sum, queues those that the device has
 * @facts: the device
 *
 * Return: true if a queue number was lowered.
 */
bool pgx_config_complete(struct pgx_config *cfg, const struct pgx_facts *facts)
{
	u32 last = facts->tx_queues ? facts->tx_queues - 1 : 0;
	bool lowered = cfg->queue_map_min > last || cfg->queue_map_max > last;

	cfg->min_pkt_size = max(cfg->min_pkt_size, PGX_HEADERS);
	cfg->max_pkt_size = max(cfg->max_pkt_size, cfg->min_pkt_size);
	cfg->queue_map_min = min_t(u32, cfg->queue_map_min, last);
	cfg->queue_map_max = min_t(u32, cfg->queue_map_max, last);
	return lowered;
}

/**
 * pgx_config_gap() - say a pace as a time between packets
 * @cfg: the settings
 *
 * Return: ns, rounded down; 0 for as fast as possible, PGX_NEVER for not at all.
 */
u64 pgx_config_gap(const struct pgx_config *cfg)
{
	u64 bits = 8ULL * max(cfg->min_pkt_size, PGX_HEADERS);

	switch (cfg->pacing) {
	case PGX_PACE_RATEP:
		return div64_u64(1000000000ULL, cfg->pace);
	case PGX_PACE_RATE:
		return div64_u64(bits * 1000000000ULL, cfg->pace);
	default:
		return cfg->pace;
	}
}
