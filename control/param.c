// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters: one row each, which drives parsing, the reply and the listing. A leaf. The table
 * stands last, so that what it names is known.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include "control/param.h"

#define PGX_WORD_SHOWN	15	/* bytes of an unknown word in a reply, as scripts know it */

static bool pgx_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '"' || c == '=';
}

/**
 * pgx_words_cut() - cut a line into words, in place
 * @line: the text, NUL terminated; its first line is cut
 * @words: gets the words, but for those past PGX_MAX_WORDS
 *
 * Blanks, tabs, carriage returns, quotes and '=' separate words.
 *
 * Return: the next line, NULL if there is none.
 */
char *pgx_words_cut(char *line, struct pgx_words *words)
{
	char *c = line;

	words->nr = 0;
	words->more = false;
	words->end = line + strcspn(line, "\r\n");
	while (*c && *c != '\n') {
		if (pgx_is_blank(*c)) {
			*c++ = '\0';
			continue;
		}
		if (words->nr < PGX_MAX_WORDS)
			words->word[words->nr++] = c;
		else
			words->more = true;
		while (*c && *c != '\n' && !pgx_is_blank(*c))
			c++;
	}
	if (!*c)
		return NULL;
	*c++ = '\0';
	return c;
}

/**
 * pgx_param_find() - look up a row
 * @name: the word that sets it
 *
 * Return: the row, or NULL.
 */
const struct pgx_param *pgx_param_find(const char *name)
{
	const struct pgx_param *row;

	for (row = pgx_params; row < pgx_params + pgx_nr_params; row++)
		if (row->name && !strcmp(row->name, name))
			return row;
	return NULL;
}

static void pgx_param_confirm(const struct pgx_param *row, const struct pgx_config *cfg,
			      const struct pgx_facts *facts, const struct pgx_words *words,
			      struct pgx_text *reply)
{
	if (row->reply)
		pgx_text_add(reply, "OK: %s", row->reply);
	else
		pgx_text_add(reply, "OK: %s=", row->name);
	pgx_values[row->type].confirm(row, cfg, facts, reply);
	if (words->nr < 3 || pgx_values[row->type].many)
		return;
	pgx_text_add(reply, " (ignored: \"");
	pgx_text_add_word(reply, words->word[2], PGX_VALUE_SHOWN);
	pgx_text_add(reply, "\")");
}

/**
 * pgx_param_write() - carry out one line of a device file
 * @cfg: the settings, a copy that the caller throws away after a refusal
 * @facts: the device
 * @running: a run goes on with these settings
 * @words: the line, at least one word
 * @reply: gets the answer
 * @row: gets the row, unless the word is unknown
 *
 * Return: 0; PGX_SOFT for a refusal that scripts take for success; -EINVAL, -ERANGE, -E2BIG or
 * -EOPNOTSUPP.
 */
int pgx_param_write(struct pgx_config *cfg, const struct pgx_facts *facts, bool running,
		    const struct pgx_words *words, struct pgx_text *reply,
		    const struct pgx_param **row)
{
	const struct pgx_param *p = pgx_param_find(words->word[0]);
	int rc;

	*row = p;
	if (!p) {
		pgx_text_add(reply, "No such parameter \"");
		pgx_text_add_word(reply, words->word[0], PGX_WORD_SHOWN);
		pgx_text_add(reply, "\"");
		return -EINVAL;
	}
	if (words->more && pgx_values[p->type].many) {
		pgx_text_add(reply, "ERROR: %s: too many words, allowed is %u", p->name,
			     PGX_MAX_WORDS - 1);
		return -E2BIG;
	}
	rc = pgx_values[p->type].parse(p, cfg, facts, words, reply);
	if (rc)
		return p->soft ? PGX_SOFT : rc;
	if (p->fixup)
		p->fixup(cfg);
	if (running)
		pgx_config_complete(cfg, facts);
	rc = pgx_config_check(cfg, facts, p->on | (running ? PGX_ON_START : 0), reply);
	if (!rc)
		pgx_param_confirm(p, cfg, facts, words, reply);
	return rc;
}

/**
 * pgx_param_list() - write the block that scripts know as "Params:"
 * @cfg: the settings
 * @facts: the device
 * @out: where it goes
 */
void pgx_param_list(const struct pgx_config *cfg, const struct pgx_facts *facts,
		    struct pgx_text *out)
{
	const struct pgx_param *row;

	for (row = pgx_params; row < pgx_params + pgx_nr_params; row++) {
		if (!row->label || (row->shown && !row->shown(cfg)))
			continue;
		pgx_text_add(out, "%s", row->label);
		pgx_values[row->type].list(row, cfg, facts, out);
	}
	pgx_text_add(out, "\n");
}

static void pgx_fix_pkt_size(struct pgx_config *cfg)
{
	cfg->max_pkt_size = cfg->min_pkt_size;
}

static void pgx_fix_delay(struct pgx_config *cfg)
{
	cfg->pacing = PGX_PACE_DELAY;
}

static void pgx_fix_ratep(struct pgx_config *cfg)
{
	cfg->pacing = PGX_PACE_RATEP;
}

static void pgx_fix_rate(struct pgx_config *cfg)
{
	cfg->pacing = PGX_PACE_RATE;
}

/* VLAN tags and labels exclude each other; the outer tag goes with the inner one. */
static void pgx_fix_vlan(struct pgx_config *cfg)
{
	if (cfg->vlan_id == PGX_NO_VID)
		cfg->svlan_id = PGX_NO_VID;
	else
		cfg->nr_labels = 0;
}

/* Scripts take both tags away by this one. */
static void pgx_fix_svlan(struct pgx_config *cfg)
{
	if (cfg->svlan_id == PGX_NO_VID)
		cfg->vlan_id = PGX_NO_VID;
}

static void pgx_fix_ip6(struct pgx_config *cfg)
{
	cfg->flags |= PGX_F_IPV6;
}

/* A single address takes the place of a range. */
static void pgx_fix_dst6(struct pgx_config *cfg)
{
	memset(&cfg->dst6_min, 0, sizeof(cfg->dst6_min));
	memset(&cfg->dst6_max, 0, sizeof(cfg->dst6_max));
	pgx_fix_ip6(cfg);
}

static void pgx_fix_src6(struct pgx_config *cfg)
{
	memset(&cfg->src6_min, 0, sizeof(cfg->src6_min));
	memset(&cfg->src6_max, 0, sizeof(cfg->src6_max));
	pgx_fix_ip6(cfg);
}

static bool pgx_is_ip4(const struct pgx_config *cfg)
{
	return !(cfg->flags & PGX_F_IPV6);
}

static bool pgx_is_ip6(const struct pgx_config *cfg)
{
	return cfg->flags & PGX_F_IPV6;
}

static bool pgx_has_imix(const struct pgx_config *cfg)
{
	return cfg->nr_imix;
}

static bool pgx_has_priority(const struct pgx_config *cfg)
{
	return cfg->skb_priority;
}

static bool pgx_has_labels(const struct pgx_config *cfg)
{
	return cfg->nr_labels;
}

static bool pgx_has_vlan(const struct pgx_config *cfg)
{
	return cfg->vlan_id != PGX_NO_VID;
}

static bool pgx_has_svlan(const struct pgx_config *cfg)
{
	return cfg->svlan_id != PGX_NO_VID;
}

static bool pgx_has_tpid(const struct pgx_config *cfg)
{
	return pgx_has_svlan(cfg) && cfg->svlan_tpid;
}

static bool pgx_has_tos(const struct pgx_config *cfg)
{
	return cfg->tos;
}

static bool pgx_has_class(const struct pgx_config *cfg)
{
	return cfg->traffic_class;
}

static bool pgx_has_burst(const struct pgx_config *cfg)
{
	return cfg->burst > 1;
}

static bool pgx_has_node(const struct pgx_config *cfg)
{
	return cfg->node != PGX_NO_NODE;
}

static bool pgx_has_door(const struct pgx_config *cfg)
{
	return cfg->xmit_mode;
}

static bool pgx_has_burst_mode(const struct pgx_config *cfg)
{
	return cfg->burst_mode;
}

static bool pgx_has_skb_mode(const struct pgx_config *cfg)
{
	return cfg->skb_mode;
}

static bool pgx_has_seed(const struct pgx_config *cfg)
{
	return cfg->seed;
}

static bool pgx_has_duration(const struct pgx_config *cfg)
{
	return cfg->duration;
}

static const struct pgx_unit pgx_count_units[] = {
	{ "", 1 }, { "k", 1000 }, { "M", 1000000 }, { "G", 1000000000 }, { NULL, 0 }
};

static const struct pgx_unit pgx_time_units[] = {
	{ "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }, { NULL, 0 }
};

static const struct pgx_unit pgx_mbit_units[] = {
	{ "", 1000000 }, { "k", 1000 }, { "M", 1000000 }, { "G", 1000000000 }, { NULL, 0 }
};

static const char *const pgx_door_names[PGX_NR_DOORS] = {
	[PGX_START_XMIT]	= "start_xmit",
	[PGX_NETIF_RECEIVE]	= "netif_receive",
	[PGX_QUEUE_XMIT]	= "queue_xmit",
};

static const char *const pgx_burst_mode_names[PGX_NR_BURST_MODES] = {
	[PGX_COPIES]	= "copies",
	[PGX_DISTINCT]	= "distinct",
};

static const char *const pgx_skb_mode_names[PGX_NR_SKB_MODES] = {
	[PGX_RECYCLE]	= "recycle",
	[PGX_FRESH]	= "fresh",
};

static const char *const pgx_tpid_names[] = { "0x8100", "0x88a8" };

static const char *const pgx_flag_names[] = {
	"IPV6", "IPSRC_RND", "IPDST_RND", "TXSIZE_RND", "UDPSRC_RND", "UDPDST_RND", "UDPCSUM",
	"NO_TIMESTAMP", "MPLS_RND", "QUEUE_MAP_RND", "QUEUE_MAP_CPU", "FLOW_SEQ", "IPSEC",
	"MACSRC_RND", "MACDST_RND", "VID_RND", "SVID_RND", "NODE", "SHARED",
};

static_assert(ARRAY_SIZE(pgx_flag_names) <= 32, "flags are bits of a u32");
static_assert(PGX_F_SHARED == 1U << (ARRAY_SIZE(pgx_flag_names) - 1), "SHARED is the last flag");

#define FIELD(member)                                        \
	.size = sizeof(((struct pgx_config *)NULL)->member), \
	.offset = offsetof(struct pgx_config, member)
#define NAMES(list) \
	.names = (list), .nr_names = sizeof(list) / sizeof((list)[0])
#define U16_FIELD(member) \
	.type = PGX_NUMBER, FIELD(member), .max = U16_MAX
#define U32_FIELD(member) \
	.type = PGX_NUMBER, FIELD(member), .max = U32_MAX
#define SIZE_FIELD(member) \
	.type = PGX_NUMBER, FIELD(member), .floor = PGX_MIN_PKT_SIZE, .max = PGX_MAX_PKT_SIZE, \
	.on = PGX_ON_SIZE
#define IP4_FIELD(member) \
	.type = PGX_IP4, FIELD(member), .shown = pgx_is_ip4
#define IP6_FIELD(member) \
	.type = PGX_IP6, FIELD(member), .shown = pgx_is_ip6
#define TAG_DIGIT(member, last, tag, word) \
	.type = PGX_DIGIT, FIELD(member), .max = (last), .soft = true, .shown = (tag), \
	.needs = (tag), .lacks = (word)

/* In the order of the listing; what is not listed stands with what it belongs to. */
const struct pgx_param pgx_params[] = {
	{ "count", .type = PGX_NUMBER, FIELD(count), .max = U64_MAX, .units = pgx_count_units,
	  .label = "Params: count " },
	{ "pkt_size", SIZE_FIELD(min_pkt_size), .fixup = pgx_fix_pkt_size },
	{ "min_pkt_size", SIZE_FIELD(min_pkt_size), .label = "  min_pkt_size: " },
	{ "max_pkt_size", SIZE_FIELD(max_pkt_size), .label = "  max_pkt_size: " },
	{ "imix_weights", .type = PGX_WEIGHTS, FIELD(imix), .on = PGX_ON_IMIX,
	  .shown = pgx_has_imix, .label = "\n     imix_weights: " },
	{ "frags", U32_FIELD(frags), .ceiling = PGX_MAX_FRAGS, .on = PGX_ON_FRAGS,
	  .label = "\n     frags: " },
	{ "delay", .type = PGX_DELAY, FIELD(pace), .max = U64_MAX, .units = pgx_time_units,
	  .fixup = pgx_fix_delay, .label = "  delay: " },
	{ "ratep", .type = PGX_NUMBER, FIELD(pace), .min = 1, .max = 1000000000,
	  .units = pgx_count_units, .fixup = pgx_fix_ratep, .reply = "rate=" },
	{ "rate", .type = PGX_MBIT, FIELD(pace), .min = 1000, .max = 10000000000000ULL,
	  .units = pgx_mbit_units, .fixup = pgx_fix_rate },
	{ "clone_skb", .type = PGX_NUMBER, FIELD(clone_skb), .max = S32_MAX, .on = PGX_ON_CLONE,
	  .label = "  clone_skb: " },
	{ NULL, .type = PGX_NAME, .label = "  ifname: " },
	{ "flows", U32_FIELD(flows), .ceiling = PGX_MAX_FLOWS, .label = "\n     flows: " },
	{ "flowlen", U32_FIELD(flowlen), .label = " flowlen: " },
	{ "queue_map_min", U16_FIELD(queue_map_min), .label = "\n     queue_map_min: " },
	{ "queue_map_max", U16_FIELD(queue_map_max), .label = "  queue_map_max: " },
	{ "skb_priority", U32_FIELD(skb_priority), .hex = true, .shown = pgx_has_priority,
	  .label = "\n     skb_priority: " },
	{ "dst_min", IP4_FIELD(dst_min), .label = "\n     dst_min: " },
	{ "dst", IP4_FIELD(dst_min), .reply = "dst_min=" },
	{ "dst_max", IP4_FIELD(dst_max), .label = "  dst_max: " },
	{ "src_min", IP4_FIELD(src_min), .label = "\n     src_min: " },
	{ "src_max", IP4_FIELD(src_max), .label = "  src_max: " },
	{ "src6", IP6_FIELD(src6), .fixup = pgx_fix_src6, .label = "\n     saddr: " },
	{ "src6_min", IP6_FIELD(src6_min), .fixup = pgx_fix_ip6, .label = "  min_saddr: " },
	{ "src6_max", IP6_FIELD(src6_max), .fixup = pgx_fix_ip6, .label = "  max_saddr: " },
	{ "dst6", IP6_FIELD(dst6), .fixup = pgx_fix_dst6, .label = "\n     daddr: " },
	{ "dst6_min", IP6_FIELD(dst6_min), .fixup = pgx_fix_ip6, .label = "  min_daddr: " },
	{ "dst6_max", IP6_FIELD(dst6_max), .fixup = pgx_fix_ip6, .label = "  max_daddr: " },
	{ "src_mac", .type = PGX_MAC, FIELD(src_mac), .reply = "srcmac ",
	  .label = "\n     src_mac: " },
	{ "srcmac", .type = PGX_MAC, FIELD(src_mac), .reply = "srcmac " },
	{ "dst_mac", .type = PGX_MAC, FIELD(dst_mac), .reply = "dstmac ", .label = " dst_mac: " },
	{ "dstmac", .type = PGX_MAC, FIELD(dst_mac), .reply = "dstmac " },
	{ "udp_src_min", U16_FIELD(udp_src_min), .label = "\n     udp_src_min: " },
	{ "udp_src_max", U16_FIELD(udp_src_max), .label = "  udp_src_max: " },
	{ "udp_dst_min", U16_FIELD(udp_dst_min), .label = "  udp_dst_min: " },
	{ "udp_dst_max", U16_FIELD(udp_dst_max), .label = "  udp_dst_max: " },
	{ "src_mac_count", U32_FIELD(src_mac_count), .label = "\n     src_mac_count: " },
	{ "dst_mac_count", U32_FIELD(dst_mac_count), .label = "  dst_mac_count: " },
	{ "mpls", .type = PGX_MPLS, FIELD(labels), .shown = pgx_has_labels,
	  .label = "\n     mpls: " },
	{ "vlan_id", .type = PGX_VLAN, FIELD(vlan_id), .fixup = pgx_fix_vlan,
	  .shown = pgx_has_vlan, .label = "\n     vlan_id: " },
	{ "vlan_p", TAG_DIGIT(vlan_p, 7, pgx_has_vlan, "vlan_id"), .label = "  vlan_p: " },
	{ "vlan_cfi", TAG_DIGIT(vlan_cfi, 1, pgx_has_vlan, "vlan_id"), .label = "  vlan_cfi: " },
	{ "svlan_id", .type = PGX_VLAN, FIELD(svlan_id), .fixup = pgx_fix_svlan,
	  .needs = pgx_has_vlan, .lacks = "vlan_id", .shown = pgx_has_svlan,
	  .label = "\n     svlan_id: " },
	{ "svlan", .type = PGX_VLAN, FIELD(svlan_id), .fixup = pgx_fix_svlan,
	  .needs = pgx_has_vlan, .lacks = "vlan_id", .reply = "svlan_id=" },
	{ "svlan_p", TAG_DIGIT(svlan_p, 7, pgx_has_svlan, "svlan_id"), .label = "  vlan_p: " },
	{ "svlan_cfi", TAG_DIGIT(svlan_cfi, 1, pgx_has_svlan, "svlan_id"),
	  .label = "  vlan_cfi: " },
	{ "svlan_tpid", .type = PGX_CHOICE, FIELD(svlan_tpid), NAMES(pgx_tpid_names),
	  .shown = pgx_has_tpid, .label = "\n     svlan_tpid: " },
	{ "tos", .type = PGX_BYTE, FIELD(tos), .soft = true, .shown = pgx_has_tos,
	  .label = "\n     tos: " },
	{ "traffic_class", .type = PGX_BYTE, FIELD(traffic_class), .soft = true,
	  .shown = pgx_has_class, .label = "\n     traffic_class: " },
	{ "burst", .type = PGX_NUMBER, FIELD(burst), .floor = 1, .max = PGX_MAX_BURST,
	  .on = PGX_ON_BURST, .shown = pgx_has_burst, .label = "\n     burst: " },
	{ "node", .type = PGX_NODE, FIELD(node), .soft = true, .shown = pgx_has_node,
	  .label = "\n     node: " },
	{ "xmit_mode", .type = PGX_CHOICE, FIELD(xmit_mode), NAMES(pgx_door_names), .soft = true,
	  .on = PGX_ON_DOOR, .shown = pgx_has_door, .label = "\n     xmit_mode: " },
	{ "flag", .type = PGX_FLAGS, FIELD(flags), NAMES(pgx_flag_names), .soft = true,
	  .on = PGX_ON_FLAG, .reply = "flags=", .label = "\n     Flags: " },
	{ "spi", U32_FIELD(spi), .hex = true, .on = PGX_ON_SPI },
	{ "debug", U32_FIELD(debug) },
	{ "duration", .type = PGX_NUMBER, FIELD(duration), .max = U64_MAX, .units = pgx_time_units,
	  .shown = pgx_has_duration, .label = "\n     duration: " },
	{ "burst_mode", .type = PGX_CHOICE, FIELD(burst_mode), NAMES(pgx_burst_mode_names),
	  .on = PGX_ON_BURST, .shown = pgx_has_burst_mode, .label = "\n     burst_mode: " },
	{ "skb_mode", .type = PGX_CHOICE, FIELD(skb_mode), NAMES(pgx_skb_mode_names),
	  .on = PGX_ON_BURST, .shown = pgx_has_skb_mode, .label = "\n     skb_mode: " },
	{ "seed", .type = PGX_NUMBER, FIELD(seed), .max = U64_MAX, .shown = pgx_has_seed,
	  .label = "\n     seed: " },
	{ "clear_counters", .type = PGX_ACTION, .reply = "Clearing counters.\n" },
};

const unsigned int pgx_nr_params = ARRAY_SIZE(pgx_params);
