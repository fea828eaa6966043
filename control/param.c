// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters: one row each, which drives parsing, the reply and the listing. A leaf. The table
 * stands last, so that what it names is known.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include "control/param.h"

#define PGX_WORD_SHOWN	15	/* bytes of an unknown word in "No such parameter", as scripts know it */
#define PGX_VALUE_SHOWN	60	/* bytes of a refused value in a reply */
#define PGX_DELAY_NEVER	2147483647ULL	/* scripts write this for "never" */

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

static const char *pgx_words_value(const struct pgx_words *words)
{
	return words->nr > 1 ? words->word[1] : "";
}

static void *pgx_field_of(const struct pgx_param *row, const struct pgx_config *cfg)
{
	return (char *)cfg + row->offset;
}

static void pgx_store(const struct pgx_param *row, struct pgx_config *cfg, u64 value)
{
	void *field = pgx_field_of(row, cfg);

	switch (row->size) {
	case 1:
		*(u8 *)field = value;
		break;
	case 2:
		*(u16 *)field = value;
		break;
	case 4:
		*(u32 *)field = value;
		break;
	default:
		*(u64 *)field = value;
	}
}

static u64 pgx_load(const struct pgx_param *row, const struct pgx_config *cfg)
{
	const void *field = pgx_field_of(row, cfg);

	switch (row->size) {
	case 1:
		return *(const u8 *)field;
	case 2:
		return *(const u16 *)field;
	case 4:
		return *(const u32 *)field;
	default:
		return *(const u64 *)field;
	}
}

static void pgx_refuse(const struct pgx_param *row, const char *value, struct pgx_text *reply)
{
	pgx_text_add(reply, "ERROR: %s: \"", row->name);
	pgx_text_add_word(reply, value, PGX_VALUE_SHOWN);
	pgx_text_add(reply, "\" ");
}

static const struct pgx_unit pgx_no_units[] = { { "", 1 }, { NULL, 0 } };

/*
 * Decimal digits and a suffix. -EINVAL if it is no such number, -ERANGE if it does not fit 64 bits.
 */
static int pgx_digits(const char *value, const struct pgx_unit *unit, u64 *number)
{
	const char *c = value;
	u64 sum = 0, digit;
	bool fits = true;

	for (; *c >= '0' && *c <= '9'; c++) {
		digit = *c - '0';
		fits = fits && sum <= (U64_MAX - digit) / 10;
		sum = sum * 10 + digit;
	}
	while (unit->suffix && strcmp(unit->suffix, c))
		unit++;
	if (c == value || !unit->suffix)
		return -EINVAL;
	if (!fits || sum > div64_u64(U64_MAX, unit->factor))
		return -ERANGE;
	*number = sum * unit->factor;
	return 0;
}

static void pgx_say_allowed(const struct pgx_param *row, const char *what, struct pgx_text *reply)
{
	const struct pgx_unit *unit;

	pgx_text_add(reply, "%s, allowed is %llu to %llu", what, (unsigned long long)row->min,
		     (unsigned long long)row->max);
	if (row->type == PGX_MBIT)
		pgx_text_add(reply, " bit/s, in Mbit/s");
	for (unit = row->units; unit && unit->suffix; unit++)
		if (*unit->suffix)
			pgx_text_add(reply, "%s%s",
				     unit == row->units + 1 ? ", or with suffix " : " ",
				     unit->suffix);
}

/* A number that is left out counts as 0: scripts and tests rely on it. */
static int pgx_parse_number(const struct pgx_param *row, struct pgx_config *cfg,
			    const struct pgx_words *words, struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	u64 number = 0;
	int rc = *value ? pgx_digits(value, row->units ?: pgx_no_units, &number) : 0;

	if (!rc && number < row->floor)
		number = row->floor;
	if (!rc && number >= row->min && number <= row->max) {
		pgx_store(row, cfg, number);
		return 0;
	}
	pgx_refuse(row, value, reply);
	pgx_say_allowed(row, rc == -EINVAL ? "is not a number" : "is out of range", reply);
	return rc ?: number < row->min ? -EINVAL : -ERANGE;
}

static int pgx_parse_delay(const struct pgx_param *row, struct pgx_config *cfg,
			   const struct pgx_words *words, struct pgx_text *reply)
{
	int rc = pgx_parse_number(row, cfg, words, reply);

	if (!rc && cfg->pace == PGX_DELAY_NEVER)
		cfg->pace = PGX_NEVER;
	return rc;
}

/* Four decimal numbers of one to three digits. */
static bool pgx_ip4(const char *c, u32 *addr)
{
	unsigned int part, digits, i;

	for (i = 0, *addr = 0; i < 4; i++) {
		if (i && *c++ != '.')
			return false;
		for (part = 0, digits = 0; *c >= '0' && *c <= '9' && digits < 3; c++, digits++)
			part = part * 10 + *c - '0';
		if (!digits || part > 255)
			return false;
		*addr = *addr << 8 | part;
	}
	return !*c;
}

static int pgx_parse_ip4(const struct pgx_param *row, struct pgx_config *cfg,
			 const struct pgx_words *words, struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	u32 addr;

	if (pgx_ip4(value, &addr)) {
		pgx_store(row, cfg, addr);
		return 0;
	}
	pgx_refuse(row, value, reply);
	if (strchr(value, '/'))
		pgx_text_add(reply,
			     "has a prefix length; give the first and the last address instead");
	else
		pgx_text_add(reply,
			     "is not an IPv4 address, allowed is 0.0.0.0 to 255.255.255.255");
	return -EINVAL;
}

static int pgx_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool pgx_mac(const char *c, u8 *mac)
{
	int i, high, low;

	for (i = 0; i < ETH_ALEN; i++, c += 2) {
		if (i && *c++ != ':')
			return false;
		high = pgx_hex(c[0]);
		low = high < 0 ? -1 : pgx_hex(c[1]);
		if (low < 0)
			return false;
		mac[i] = high << 4 | low;
	}
	return !*c;
}

static int pgx_parse_mac(const struct pgx_param *row, struct pgx_config *cfg,
			 const struct pgx_words *words, struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	u8 mac[ETH_ALEN];

	if (pgx_mac(value, mac)) {
		memcpy(pgx_field_of(row, cfg), mac, ETH_ALEN);
		return 0;
	}
	pgx_refuse(row, value, reply);
	pgx_text_add(reply, "is not a MAC address, allowed is xx:xx:xx:xx:xx:xx in hex digits");
	return -EINVAL;
}

static int pgx_name_index(const struct pgx_param *row, const char *name)
{
	int i;

	for (i = 0; i < row->nr_names; i++)
		if (row->names[i] && !strcmp(row->names[i], name))
			return i;
	return -1;
}

static void pgx_say_names(const struct pgx_param *row, struct pgx_text *reply)
{
	const char *between = "";
	int i;

	for (i = 0; i < row->nr_names; i++) {
		if (!row->names[i])
			continue;
		pgx_text_add(reply, "%s%s", between, row->names[i]);
		between = ", ";
	}
}

static void pgx_say_unknown(const char *what, const char *value, struct pgx_text *reply)
{
	pgx_text_add(reply, "%s -:", what);
	pgx_text_add_word(reply, value, PGX_VALUE_SHOWN);
	pgx_text_add(reply, ":- unknown\n");
}

static int pgx_parse_choice(const struct pgx_param *row, struct pgx_config *cfg,
			    const struct pgx_words *words, struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	int choice = pgx_name_index(row, value);

	if (choice >= 0) {
		pgx_store(row, cfg, choice);
		return 0;
	}
	pgx_say_unknown(row->name, value, reply);
	pgx_text_add(reply, "Available modes: ");
	pgx_say_names(row, reply);
	pgx_text_add(reply, "\n");
	return -EINVAL;
}

static int pgx_flag_unknown(const struct pgx_param *row, const char *value, struct pgx_text *reply)
{
	pgx_say_unknown("Flag", value, reply);
	pgx_text_add(reply, "Available flags, (prepend ! to un-set flag):\n");
	pgx_say_names(row, reply);
	return -EINVAL;
}

/* Every flag of the line, or none of them. */
static int pgx_parse_flags(const struct pgx_param *row, struct pgx_config *cfg,
			   const struct pgx_words *words, struct pgx_text *reply)
{
	u32 flags = pgx_load(row, cfg);
	const char *value;
	unsigned int i;
	int bit;

	if (words->nr < 2)
		return pgx_flag_unknown(row, "", reply);
	for (i = 1; i < words->nr; i++) {
		value = words->word[i];
		bit = pgx_name_index(row, value + (*value == '!'));
		if (bit < 0)
			return pgx_flag_unknown(row, value, reply);
		if (*value == '!')
			flags &= ~(1U << bit);
		else
			flags |= 1U << bit;
	}
	pgx_store(row, cfg, flags);
	return 0;
}

static int pgx_parse_action(const struct pgx_param *row, struct pgx_config *cfg,
			    const struct pgx_words *words, struct pgx_text *reply)
{
	return 0;
}

static void pgx_show_number(const struct pgx_param *row, const struct pgx_config *cfg,
			    const struct pgx_facts *facts, struct pgx_text *out)
{
	pgx_text_add(out, "%llu", (unsigned long long)pgx_load(row, cfg));
}

static void pgx_show_delay(const struct pgx_param *row, const struct pgx_config *cfg,
			   const struct pgx_facts *facts, struct pgx_text *out)
{
	pgx_text_add(out, "%llu", (unsigned long long)pgx_config_gap(cfg));
}

static void pgx_show_mbit(const struct pgx_param *row, const struct pgx_config *cfg,
			  const struct pgx_facts *facts, struct pgx_text *out)
{
	u32 rest;
	u64 whole = div_u64_rem(pgx_load(row, cfg), 1000000, &rest);

	pgx_text_add(out, "%llu", (unsigned long long)whole);
	if (rest)
		pgx_text_add(out, ".%06u", rest);
}

static void pgx_show_ip4(const struct pgx_param *row, const struct pgx_config *cfg,
			 const struct pgx_facts *facts, struct pgx_text *out)
{
	u32 addr = pgx_load(row, cfg);

	if (addr)
		pgx_text_add_ip4(out, addr);
}

/*
 * Only the source MAC may be left to the device; a destination of zeros is shown as what is sent.
 */
static void pgx_show_mac(const struct pgx_param *row, const struct pgx_config *cfg,
			 const struct pgx_facts *facts, struct pgx_text *out)
{
	static const u8 zero[ETH_ALEN];
	const u8 *mac = pgx_field_of(row, cfg);

	if (mac == cfg->src_mac && !memcmp(mac, zero, ETH_ALEN))
		mac = facts->mac;
	pgx_text_add_mac(out, mac);
}

static void pgx_show_flags(const struct pgx_param *row, const struct pgx_config *cfg,
			   const struct pgx_facts *facts, struct pgx_text *out)
{
	u32 flags = pgx_load(row, cfg);
	int i;

	for (i = 0; i < row->nr_names; i++)
		if (row->names[i] && flags & 1U << i)
			pgx_text_add(out, "%s  ", row->names[i]);
}

static void pgx_show_hex(const struct pgx_param *row, const struct pgx_config *cfg,
			 const struct pgx_facts *facts, struct pgx_text *out)
{
	pgx_text_add(out, "0x%llx", (unsigned long long)pgx_load(row, cfg));
}

static void pgx_show_choice(const struct pgx_param *row, const struct pgx_config *cfg,
			    const struct pgx_facts *facts, struct pgx_text *out)
{
	pgx_text_add(out, "%s", row->names[pgx_load(row, cfg)]);
}

static void pgx_show_name(const struct pgx_param *row, const struct pgx_config *cfg,
			  const struct pgx_facts *facts, struct pgx_text *out)
{
	pgx_text_add(out, "%s", facts->name);
}

static void pgx_show_nothing(const struct pgx_param *row, const struct pgx_config *cfg,
			     const struct pgx_facts *facts, struct pgx_text *out)
{
}

typedef void (*pgx_show_fn)(const struct pgx_param *row, const struct pgx_config *cfg,
			    const struct pgx_facts *facts, struct pgx_text *out);

/* What a type is: how it is read, how it is listed, how it stands in a reply. */
static const struct {
	int		(*parse)(const struct pgx_param *row, struct pgx_config *cfg,
				 const struct pgx_words *words, struct pgx_text *reply);
	pgx_show_fn	list;
	pgx_show_fn	confirm;
	bool		many;
} pgx_types[PGX_NR_TYPES] = {
	[PGX_NUMBER]	= { pgx_parse_number, pgx_show_number, pgx_show_number },
	[PGX_DELAY]	= { pgx_parse_delay, pgx_show_delay, pgx_show_delay },
	[PGX_MBIT]	= { pgx_parse_number, pgx_show_mbit, pgx_show_mbit },
	[PGX_IP4]	= { pgx_parse_ip4, pgx_show_ip4, pgx_show_ip4 },
	[PGX_MAC]	= { pgx_parse_mac, pgx_show_mac, pgx_show_mac },
	[PGX_FLAGS]	= { pgx_parse_flags, pgx_show_flags, pgx_show_hex, true },
	[PGX_CHOICE]	= { pgx_parse_choice, pgx_show_choice, pgx_show_choice },
	[PGX_ACTION]	= { pgx_parse_action, pgx_show_nothing, pgx_show_nothing },
	[PGX_NAME]	= { NULL, pgx_show_name, pgx_show_nothing },
};

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
	pgx_types[row->type].confirm(row, cfg, facts, reply);
	if (words->nr < 3 || pgx_types[row->type].many)
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
	rc = pgx_types[p->type].parse(p, cfg, words, reply);
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
		pgx_types[row->type].list(row, cfg, facts, out);
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
