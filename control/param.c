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
 * @words: gets the words; those past PGX_MAX_WORDS are left out
 *
 * Blanks, tabs, carriage returns, quotes and '=' separate words.
 *
 * Return: the next line, NULL if there is none.
 */
char *pgx_words_cut(char *line, struct pgx_words *words)
{
	char *c = line;

	words->nr = 0;
	while (*c && *c != '\n') {
		if (pgx_is_blank(*c)) {
			*c++ = '\0';
			continue;
		}
		if (words->nr < PGX_MAX_WORDS)
			words->word[words->nr++] = c;
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
 * Return: 0; PGX_SOFT for a refusal that scripts take for success; -EINVAL, -ERANGE or -EOPNOTSUPP.
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
	rc = pgx_values[p->type].parse(p, cfg, words, reply);
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
	static const u64 least[] = { [PGX_ALWAYS] = 0, [PGX_NOT_ZERO] = 1, [PGX_ABOVE_ONE] = 2 };
	const struct pgx_param *row;

	for (row = pgx_params; row < pgx_params + pgx_nr_params; row++) {
		if (!row->label ||
		    (row->when != PGX_ALWAYS && pgx_load(row, cfg) < least[row->when]))
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

static const char *const pgx_flag_names[] = {
	[1]	= "IPSRC_RND",
	[2]	= "IPDST_RND",
	[3]	= "TXSIZE_RND",
	[4]	= "UDPSRC_RND",
	[5]	= "UDPDST_RND",
	[7]	= "NO_TIMESTAMP",
	[9]	= "QUEUE_MAP_RND",
	[10]	= "QUEUE_MAP_CPU",
	[13]	= "MACSRC_RND",
	[14]	= "MACDST_RND",
	[18]	= "SHARED",
};

static_assert(ARRAY_SIZE(pgx_flag_names) <= 32, "flags are bits of a u32");

#define FIELD(member)                                        \
	.size = sizeof(((struct pgx_config *)NULL)->member), \
	.offset = offsetof(struct pgx_config, member)
#define NAMES(list) \
	.names = (list), .nr_names = sizeof(list) / sizeof((list)[0])

/* In the order of the listing; what is not listed stands with what it belongs to. */
const struct pgx_param pgx_params[] = {
	{ "count", .type = PGX_NUMBER, FIELD(count), .max = U64_MAX, .units = pgx_count_units,
	  .label = "Params: count " },
	{ "pkt_size", .type = PGX_NUMBER, FIELD(min_pkt_size), .floor = PGX_MIN_PKT_SIZE,
	  .max = PGX_MAX_PKT_SIZE, .fixup = pgx_fix_pkt_size },
	{ "min_pkt_size", .type = PGX_NUMBER, FIELD(min_pkt_size), .floor = PGX_MIN_PKT_SIZE,
	  .max = PGX_MAX_PKT_SIZE, .label = "  min_pkt_size: " },
	{ "max_pkt_size", .type = PGX_NUMBER, FIELD(max_pkt_size), .floor = PGX_MIN_PKT_SIZE,
	  .max = PGX_MAX_PKT_SIZE, .label = "  max_pkt_size: " },
	{ "delay", .type = PGX_DELAY, FIELD(pace), .max = U64_MAX, .units = pgx_time_units,
	  .fixup = pgx_fix_delay, .label = "\n     frags: 0  delay: " },
	{ "ratep", .type = PGX_NUMBER, FIELD(pace), .min = 1, .max = 1000000000,
	  .units = pgx_count_units, .fixup = pgx_fix_ratep, .reply = "rate=" },
	{ "rate", .type = PGX_MBIT, FIELD(pace), .min = 1000, .max = 10000000000000ULL,
	  .units = pgx_mbit_units, .fixup = pgx_fix_rate },
	{ "clone_skb", .type = PGX_NUMBER, FIELD(clone_skb), .max = S32_MAX, .on = PGX_ON_CLONE,
	  .label = "  clone_skb: " },
	{ NULL, .type = PGX_NAME, .label = "  ifname: " },
	{ "queue_map_min", .type = PGX_NUMBER, FIELD(queue_map_min), .max = U16_MAX,
	  .label = "\n     flows: 0 flowlen: 0\n     queue_map_min: " },
	{ "queue_map_max", .type = PGX_NUMBER, FIELD(queue_map_max), .max = U16_MAX,
	  .label = "  queue_map_max: " },
	{ "dst_min", .type = PGX_IP4, FIELD(dst_min), .label = "\n     dst_min: " },
	{ "dst", .type = PGX_IP4, FIELD(dst_min), .reply = "dst_min=" },
	{ "dst_max", .type = PGX_IP4, FIELD(dst_max), .label = "  dst_max: " },
	{ "src_min", .type = PGX_IP4, FIELD(src_min), .label = "\n     src_min: " },
	{ "src_max", .type = PGX_IP4, FIELD(src_max), .label = "  src_max: " },
	{ "src_mac", .type = PGX_MAC, FIELD(src_mac), .reply = "srcmac ",
	  .label = "\n     src_mac: " },
	{ "dst_mac", .type = PGX_MAC, FIELD(dst_mac), .reply = "dstmac ", .label = " dst_mac: " },
	{ "udp_src_min", .type = PGX_NUMBER, FIELD(udp_src_min), .max = U16_MAX,
	  .label = "\n     udp_src_min: " },
	{ "udp_src_max", .type = PGX_NUMBER, FIELD(udp_src_max), .max = U16_MAX,
	  .label = "  udp_src_max: " },
	{ "udp_dst_min", .type = PGX_NUMBER, FIELD(udp_dst_min), .max = U16_MAX,
	  .label = "  udp_dst_min: " },
	{ "udp_dst_max", .type = PGX_NUMBER, FIELD(udp_dst_max), .max = U16_MAX,
	  .label = "  udp_dst_max: " },
	{ "src_mac_count", .type = PGX_NUMBER, FIELD(src_mac_count), .max = U32_MAX,
	  .label = "\n     src_mac_count: " },
	{ "dst_mac_count", .type = PGX_NUMBER, FIELD(dst_mac_count), .max = U32_MAX,
	  .label = "  dst_mac_count: " },
	{ "burst", .type = PGX_NUMBER, FIELD(burst), .floor = 1, .max = PGX_MAX_BURST,
	  .on = PGX_ON_BURST, .when = PGX_ABOVE_ONE, .label = "\n     burst: " },
	{ "xmit_mode", .type = PGX_CHOICE, FIELD(xmit_mode), NAMES(pgx_door_names), .soft = true,
	  .on = PGX_ON_DOOR, .when = PGX_NOT_ZERO, .label = "\n     xmit_mode: " },
	{ "flag", .type = PGX_FLAGS, FIELD(flags), NAMES(pgx_flag_names), .soft = true,
	  .on = PGX_ON_FLAG, .reply = "flags=", .label = "\n     Flags: " },
	{ "duration", .type = PGX_NUMBER, FIELD(duration), .max = U64_MAX, .units = pgx_time_units,
	  .when = PGX_NOT_ZERO, .label = "\n     duration: " },
	{ "clear_counters", .type = PGX_ACTION, .reply = "Clearing counters.\n" },
};

const unsigned int pgx_nr_params = ARRAY_SIZE(pgx_params);
