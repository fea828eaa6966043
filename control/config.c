// SPDX-License-Identifier: GPL-2.0
/* Settings as a whole: defaults, the rules between them, and what a run fills in. A leaf. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include "control/param.h"
#include "traffic/traffic.h"

#define PGX_DEFAULT_PORT	9	/* discard, RFC 863 */

/* What a new entry begins with; set once, when the module is loaded. */
static struct {
	u64	count;
	u64	delay;
	u32	clone_skb;
	u32	debug;
} pgx_defaults = { .count = 1000 };

/**
 * pgx_config_defaults() - choose what a new entry begins with
 * @count: packets to send
 * @delay: ns between packets
 * @clone_skb: bursts that an skb is sent in, where the driver allows it
 * @debug: without effect
 *
 * Return: 0, or -EINVAL if one is below zero.
 */
int pgx_config_defaults(int count, int delay, int clone_skb, int debug)
{
	if (count < 0 || delay < 0 || clone_skb < 0 || debug < 0)
		return -EINVAL;
	pgx_defaults.count = count;
	pgx_defaults.delay = delay;
	pgx_defaults.clone_skb = clone_skb;
	pgx_defaults.debug = debug;
	return 0;
}

/**
 * pgx_config_init() - make the settings of a new entry
 * @cfg: gets them
 */
void pgx_config_init(struct pgx_config *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->count = pgx_defaults.count;
	cfg->pace = pgx_defaults.delay;
	cfg->clone_skb = pgx_defaults.clone_skb;
	cfg->debug = pgx_defaults.debug;
	cfg->burst = 1;
	cfg->vlan_id = PGX_NO_VID;
	cfg->svlan_id = PGX_NO_VID;
	cfg->node = PGX_NO_NODE;
	cfg->flags = PGX_F_SHARED;
	cfg->udp_src_min = PGX_DEFAULT_PORT;
	cfg->udp_src_max = PGX_DEFAULT_PORT;
	cfg->udp_dst_min = PGX_DEFAULT_PORT;
	cfg->udp_dst_max = PGX_DEFAULT_PORT;
}

/* Packets of a burst that are one skb. */
static u32 pgx_copies(const struct pgx_config *cfg)
{
	return cfg->burst_mode == PGX_COPIES ? cfg->burst : 1;
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
	if (pgx_copies(cfg) <= 1 || cfg->xmit_mode != PGX_QUEUE_XMIT)
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
	if (!cfg->clone_skb && pgx_copies(cfg) <= 1)
		return 0;
	pgx_text_add(reply, "ERROR: %s: the driver of ", cfg->clone_skb ? "clone_skb" : "burst");
	pgx_text_add_word(reply, facts->name, PGX_NAME_SIZE);
	pgx_text_add(reply, " changes what it sends (no IFF_TX_SKB_SHARING), ");
	pgx_text_add(reply, "allowed is clone_skb 0 and burst 1");
	return -EOPNOTSUPP;
}

static int pgx_rule_shared(const struct pgx_config *cfg, const struct pgx_facts *facts,
			   struct pgx_text *reply)
{
	if (cfg->flags & PGX_F_SHARED || (!cfg->clone_skb && pgx_copies(cfg) <= 1))
		return 0;
	pgx_text_add(reply, "ERROR: flag !SHARED does not go with clone_skb %u and burst %u, ",
		     cfg->clone_skb, cfg->burst);
	pgx_text_add(reply, "allowed is clone_skb 0 and burst 1");
	return -EINVAL;
}

static u32 pgx_largest(const struct pgx_config *cfg)
{
	u32 size = cfg->nr_imix ? 0 : cfg->max_pkt_size;
	int i;

	for (i = 0; i < cfg->nr_imix; i++)
		size = max(size, cfg->imix[i].size);
	return size;
}

static int pgx_rule_size(const struct pgx_config *cfg, const struct pgx_facts *facts,
			 struct pgx_text *reply)
{
	u32 size = pgx_largest(cfg);

	if (cfg->xmit_mode == PGX_NETIF_RECEIVE || size <= facts->max_frame)
		return 0;
	pgx_text_add(reply, "ERROR: %s: %u is more than ",
		     cfg->nr_imix ? "imix_weights" : "max_pkt_size", size);
	pgx_text_add_word(reply, facts->name, PGX_NAME_SIZE);
	pgx_text_add(reply, " sends, allowed is %u to %u", PGX_MIN_PKT_SIZE, facts->max_frame);
	return -ERANGE;
}

/* A mix is one size after another, so what repeats or varies them does not go with it. */
static int pgx_rule_imix_clone(const struct pgx_config *cfg, const struct pgx_facts *facts,
			       struct pgx_text *reply)
{
	if (!cfg->nr_imix || !cfg->clone_skb)
		return 0;
	pgx_text_add(reply, "ERROR: imix_weights does not go with clone_skb %u, allowed is 0",
		     cfg->clone_skb);
	return -EINVAL;
}

static int pgx_rule_imix_size(const struct pgx_config *cfg, const struct pgx_facts *facts,
			      struct pgx_text *reply)
{
	/* while one is not set, the other one may be written first */
	if (!cfg->nr_imix || !cfg->min_pkt_size || cfg->max_pkt_size <= cfg->min_pkt_size)
		return 0;
	pgx_text_add(reply,
		     "ERROR: imix_weights does not go with min_pkt_size %u and max_pkt_size %u, ",
		     cfg->min_pkt_size, cfg->max_pkt_size);
	pgx_text_add(reply, "allowed is one size for both");
	return -EINVAL;
}

static int pgx_rule_frags(const struct pgx_config *cfg, const struct pgx_facts *facts,
			  struct pgx_text *reply)
{
	if (!cfg->frags || cfg->xmit_mode != PGX_START_XMIT || facts->scatter)
		return 0;
	pgx_text_add(reply, "ERROR: frags: %u, but ", cfg->frags);
	pgx_text_add_word(reply, facts->name, PGX_NAME_SIZE);
	pgx_text_add(reply, " takes none (scatter-gather is off), allowed is 0");
	return -EOPNOTSUPP;
}

/* ESP encrypts in place, and the fragments are one page of zeros that all share. */
static int pgx_rule_frags_ipsec(const struct pgx_config *cfg, const struct pgx_facts *facts,
				struct pgx_text *reply)
{
	if (!cfg->frags || !(cfg->flags & PGX_F_IPSEC))
		return 0;
	pgx_text_add(reply, "ERROR: frags: %u does not go with flag IPSEC, allowed is 0",
		     cfg->frags);
	return -EINVAL;
}

static int pgx_rule_ipsec(const struct pgx_config *cfg, const struct pgx_facts *facts,
			  struct pgx_text *reply)
{
	if (facts->ipsec || !(cfg->flags & PGX_F_IPSEC || cfg->spi))
		return 0;
	pgx_text_add(reply, "ERROR: %s: this kernel has no IPsec for packet generators, ",
		     cfg->spi ? "spi" : "flag IPSEC");
	pgx_text_add(reply, "allowed is spi 0 and flag !IPSEC");
	return -EOPNOTSUPP;
}

static int pgx_rule_cpu(const struct pgx_config *cfg, const struct pgx_facts *facts,
			struct pgx_text *reply)
{
	if (facts->cpu)
		return 0;
	pgx_text_add(reply, "ERROR: start: the CPU of ");
	pgx_text_add_word(reply, facts->name, PGX_NAME_SIZE);
	pgx_text_add(reply, " is offline");
	return -ENODEV;
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
	{ PGX_ON_IMIX | PGX_ON_CLONE,			pgx_rule_imix_clone },
	{ PGX_ON_IMIX | PGX_ON_SIZE | PGX_ON_START,	pgx_rule_imix_size },
	{ PGX_ON_FRAGS | PGX_ON_DOOR | PGX_ON_START,	pgx_rule_frags },
	{ PGX_ON_FRAGS | PGX_ON_FLAG,			pgx_rule_frags_ipsec },
	{ PGX_ON_FLAG | PGX_ON_SPI,			pgx_rule_ipsec },
	{ PGX_ON_START,					pgx_rule_cpu },
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
	u32 headers = pgx_head_len(cfg);
	int i;

	for (i = 0; i < cfg->nr_imix; i++)
		cfg->imix[i].size = max(cfg->imix[i].size, headers);
	cfg->min_pkt_size = max(cfg->min_pkt_size, headers);
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
	u64 bits = 8ULL * max(cfg->min_pkt_size, pgx_head_len(cfg));

	switch (cfg->pacing) {
	case PGX_PACE_RATEP:
		return div64_u64(1000000000ULL, cfg->pace);
	case PGX_PACE_RATE:
		return div64_u64(bits * 1000000000ULL, cfg->pace);
	default:
		return cfg->pace;
	}
}
