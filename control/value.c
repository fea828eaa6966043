// SPDX-License-Identifier: GPL-2.0
/* Values of parameters: how each type is read from a line, listed and confirmed. A leaf. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include "control/param.h"

#define PGX_DELAY_NEVER	2147483647ULL	/* scripts write this for "never" */

/**
 * pgx_words_value() - the word behind the command
 * @words: the line
 *
 * Return: the word, empty if there is none.
 */
const char *pgx_words_value(const struct pgx_words *words)
{
	return words->nr > 1 ? words->word[1] : "";
}

/**
 * pgx_field_of() - find the field of a row
 * @row: the row
 * @cfg: the settings
 *
 * Return: where it is.
 */
void *pgx_field_of(const struct pgx_param *row, const struct pgx_config *cfg)
{
	return (char *)cfg + row->offset;
}

/**
 * pgx_store() - write the field of a row
 * @row: the row, with a size of 1, 2, 4 or 8
 * @cfg: the settings
 * @value: the number
 */
void pgx_store(const struct pgx_param *row, struct pgx_config *cfg, u64 value)
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

/**
 * pgx_load() - read the field of a row
 * @row: the row, with a size of 1, 2, 4 or 8
 * @cfg: the settings
 *
 * Return: the number in it.
 */
u64 pgx_load(const struct pgx_param *row, const struct pgx_config *cfg)
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

/**
 * pgx_refuse() - begin the reason of a refusal: the parameter and the value
 * @row: the parameter
 * @value: what was written
 * @reply: gets it
 */
void pgx_refuse(const struct pgx_param *row, const char *value, struct pgx_text *reply)
{
	pgx_text_add(reply, "ERROR: %s: \"", row->name);
	pgx_text_add_word(reply, value, PGX_VALUE_SHOWN);
	pgx_text_add(reply, "\" ");
}

/* For a number that has no suffix. */
const struct pgx_unit pgx_no_units[] = { { "", 1 }, { NULL, 0 } };

/**
 * pgx_hex_digit() - read a hex digit
 * @c: the character
 *
 * Return: 0 to 15, or -1 if it is none.
 */
int pgx_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/**
 * pgx_digits() - read digits and a suffix
 * @value: the word
 * @hex: understand 0x and hex digits too
 * @unit: suffixes
 * @number: gets the number
 *
 * Return: 0; -EINVAL if it is no such number; -ERANGE if it does not fit 64 bits.
 */
int pgx_digits(const char *value, bool hex, const struct pgx_unit *unit, u64 *number)
{
	const char *c = value;
	int base = 10, digit;
	bool fits = true;
	u64 sum = 0;

	if (hex && c[0] == '0' && (c[1] == 'x' || c[1] == 'X')) {
		base = 16;
		c += 2;
		value = c;
	}
	for (; (digit = pgx_hex_digit(*c)) >= 0 && digit < base; c++) {
		fits = fits && sum <= div_u64(U64_MAX - digit, base);
		sum = sum * base + digit;
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
	if (row->hex)
		pgx_text_add(reply, ", or 0x and hex digits");
	for (unit = row->units; unit && unit->suffix; unit++)
		if (*unit->suffix)
			pgx_text_add(reply, "%s%s",
				     unit == row->units + 1 ? ", or with suffix " : " ",
				     unit->suffix);
}

/* A number that is left out counts as 0: scripts and tests rely on it. */
static int pgx_parse_number(const struct pgx_param *row, struct pgx_config *cfg,
			    const struct pgx_facts *facts, const struct pgx_words *words,
			    struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	u64 number = 0;
	int rc = 0;

	if (*value)
		rc = pgx_digits(value, row->hex, row->units ?: pgx_no_units, &number);
	if (!rc && number < row->floor)
		number = row->floor;
	if (!rc && row->ceiling && number > row->ceiling)
		number = row->ceiling;
	if (!rc && number >= row->min && number <= row->max) {
		pgx_store(row, cfg, number);
		return 0;
	}
	pgx_refuse(row, value, reply);
	pgx_say_allowed(row, rc == -EINVAL ? "is not a number" : "is out of range", reply);
	return rc ?: number < row->min ? -EINVAL : -ERANGE;
}

static int pgx_parse_delay(const struct pgx_param *row, struct pgx_config *cfg,
			   const struct pgx_facts *facts, const struct pgx_words *words,
			   struct pgx_text *reply)
{
	int rc = pgx_parse_number(row, cfg, facts, words, reply);

	if (!rc && cfg->pace == PGX_DELAY_NEVER)
		cfg->pace = PGX_NEVER;
	return rc;
}

/* Texts of refusals that scripts know begin as they always did. */
static int pgx_parse_node(const struct pgx_param *row, struct pgx_config *cfg,
			  const struct pgx_facts *facts, const struct pgx_words *words,
			  struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	bool none = !strcmp(value, "-1");
	u64 node = 0;
	int rc = 0;

	if (*value && !none)
		rc = pgx_digits(value, false, pgx_no_units, &node);
	if (none || (!rc && node < PGX_NO_NODE && facts->node_exists(node))) {
		pgx_store(row, cfg, none ? PGX_NO_NODE : node);
		return 0;
	}
	pgx_text_add(reply, "ERROR: node not possible: \"");
	pgx_text_add_word(reply, value, PGX_VALUE_SHOWN);
	pgx_text_add(reply, "\", allowed is a memory node of this machine, or -1 for none");
	return -EINVAL;
}

static int pgx_parse_digit(const struct pgx_param *row, struct pgx_config *cfg,
			   const struct pgx_facts *facts, const struct pgx_words *words,
			   struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	bool ready = !row->needs || row->needs(cfg);
	u64 number = 0;
	int rc = 0;

	if (*value)
		rc = pgx_digits(value, false, pgx_no_units, &number);
	if (ready && !rc && number <= row->max) {
		pgx_store(row, cfg, number);
		return 0;
	}
	pgx_text_add(reply, "ERROR: %s must be 0-%u", row->name, (unsigned int)row->max);
	if (!ready)
		pgx_text_add(reply, " and needs %s first", row->lacks);
	pgx_text_add(reply, ": \"");
	pgx_text_add_word(reply, value, PGX_VALUE_SHOWN);
	pgx_text_add(reply, "\"");
	return -EINVAL;
}

/* Two hex digits, with or without 0x before them. */
static int pgx_parse_byte(const struct pgx_param *row, struct pgx_config *cfg,
			  const struct pgx_facts *facts, const struct pgx_words *words,
			  struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	const char *c = value;
	int high, low;

	if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X'))
		c += 2;
	high = pgx_hex_digit(c[0]);
	low = high < 0 ? -1 : pgx_hex_digit(c[1]);
	if (low >= 0 && !c[2]) {
		pgx_store(row, cfg, high << 4 | low);
		return 0;
	}
	pgx_text_add(reply, "ERROR: %s must be 00-ff: \"", row->name);
	pgx_text_add_word(reply, value, PGX_VALUE_SHOWN);
	pgx_text_add(reply, "\" is not two hex digits");
	return -EINVAL;
}

/* A name that is a number may be written without its 0x. */
static bool pgx_name_is(const char *name, const char *word)
{
	return !strcmp(name, word) || (!strncmp(name, "0x", 2) && !strcmp(name + 2, word));
}

static int pgx_name_index(const struct pgx_param *row, const char *name)
{
	int i;

	for (i = 0; i < row->nr_names; i++)
		if (row->names[i] && pgx_name_is(row->names[i], name))
			return i;
	return -1;
}

static void pgx_say_names(const struct pgx_param *row, struct pgx_text *reply)
{
	const char *between = "";
	int i;

	for (i = 0; i < row->nr_names; i++) {
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
			    const struct pgx_facts *facts, const struct pgx_words *words,
			    struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	int choice = pgx_name_index(row, value);

	if (choice >= 0) {
		pgx_store(row, cfg, choice);
		return 0;
	}
	if (row->soft) {
		pgx_say_unknown(row->name, value, reply);
		pgx_text_add(reply, "Available modes: ");
		pgx_say_names(row, reply);
		pgx_text_add(reply, "\n");
	} else {
		pgx_refuse(row, value, reply);
		pgx_text_add(reply, "is unknown, allowed is ");
		pgx_say_names(row, reply);
	}
	return -EINVAL;
}

static int pgx_flag_unknown(const struct pgx_param *row, const char *value, struct pgx_text *reply)
{
	pgx_say_unknown("Flag", value, reply);
	pgx_text_add(reply, "Available flags, (prepend ! to un-set flag):\n");
	pgx_say_names(row, reply);
	if (!strcmp(value, "IPV6"))
		pgx_text_add(reply, "\nIPV6 is set by dst6, src6 and their ranges");
	return -EINVAL;
}

/* What a word of a flag line does: bits to set, bits to clear. False if it is no flag. */
static bool pgx_flag_word(const struct pgx_param *row, const char *word, u32 *set, u32 *clear)
{
	bool off = *word == '!';
	const char *name = word + off;
	int bit = pgx_name_index(row, name);
	u32 mask = bit >= 0 ? 1U << bit : 0;

	if (!strcmp(name, "NODE_ALLOC"))
		mask = PGX_F_NODE;
	if (!strcmp(name, "FLOW_RND")) {
		mask = PGX_F_FLOW_SEQ;
		off = !off;
	}
	*set = off ? 0 : mask;
	*clear = off ? mask : 0;
	return mask && !(*set & PGX_F_IPV6);
}

/* Every flag of the line, or none of them. */
static int pgx_parse_flags(const struct pgx_param *row, struct pgx_config *cfg,
			   const struct pgx_facts *facts, const struct pgx_words *words,
			   struct pgx_text *reply)
{
	u32 flags = cfg->flags, unflags = cfg->unflags;
	u32 set, clear;
	unsigned int i;

	if (words->nr < 2)
		return pgx_flag_unknown(row, "", reply);
	for (i = 1; i < words->nr; i++) {
		if (!pgx_flag_word(row, words->word[i], &set, &clear))
			return pgx_flag_unknown(row, words->word[i], reply);
		flags = (flags | set) & ~clear;
		unflags = (unflags | clear) & ~set;
	}
	cfg->flags = flags;
	cfg->unflags = unflags;
	return 0;
}

static int pgx_parse_action(const struct pgx_param *row, struct pgx_config *cfg,
			    const struct pgx_facts *facts, const struct pgx_words *words,
			    struct pgx_text *reply)
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

/* The order of flows says something only where there are flows. */
static void pgx_show_flags(const struct pgx_param *row, const struct pgx_config *cfg,
			   const struct pgx_facts *facts, struct pgx_text *out)
{
	u32 bit;
	int i;

	for (i = 0; i < row->nr_names; i++) {
		bit = 1U << i;
		if (bit == PGX_F_FLOW_SEQ && !cfg->flows)
			continue;
		if (cfg->flags & bit)
			pgx_text_add(out, "%s  ", row->names[i]);
		else if (bit == PGX_F_FLOW_SEQ)
			pgx_text_add(out, "FLOW_RND  ");
		if (cfg->flags & bit & PGX_F_IPSEC && cfg->spi)
			pgx_text_add(out, "spi:%u  ", cfg->spi);
	}
}

static void pgx_show_hex(const struct pgx_param *row, const struct pgx_config *cfg,
			 const struct pgx_facts *facts, struct pgx_text *out)
{
	pgx_text_add(out, "0x%llx", (unsigned long long)pgx_load(row, cfg));
}

static void pgx_show_byte(const struct pgx_param *row, const struct pgx_config *cfg,
			  const struct pgx_facts *facts, struct pgx_text *out)
{
	pgx_text_add(out, "0x%02x", (unsigned int)pgx_load(row, cfg));
}

static void pgx_show_node(const struct pgx_param *row, const struct pgx_config *cfg,
			  const struct pgx_facts *facts, struct pgx_text *out)
{
	pgx_text_add(out, "%d", cfg->node == PGX_NO_NODE ? -1 : cfg->node);
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

const struct pgx_value pgx_values[PGX_NR_TYPES] = {
	[PGX_NUMBER]	= { pgx_parse_number, pgx_show_number, pgx_show_number },
	[PGX_DELAY]	= { pgx_parse_delay, pgx_show_delay, pgx_show_delay },
	[PGX_MBIT]	= { pgx_parse_number, pgx_show_mbit, pgx_show_mbit },
	[PGX_NODE]	= { pgx_parse_node, pgx_show_node, pgx_show_node },
	[PGX_DIGIT]	= { pgx_parse_digit, pgx_show_number, pgx_show_number },
	[PGX_BYTE]	= { pgx_parse_byte, pgx_show_byte, pgx_show_byte },
	[PGX_VLAN]	= { pgx_parse_vid, pgx_show_number, pgx_confirm_vid },
	[PGX_MPLS]	= { pgx_parse_labels, pgx_list_labels, pgx_confirm_labels },
	[PGX_WEIGHTS]	= { pgx_parse_weights, pgx_list_weights, pgx_confirm_weights, true },
	[PGX_IP4]	= { pgx_parse_ip4, pgx_show_ip4, pgx_show_ip4 },
	[PGX_IP6]	= { pgx_parse_ip6, pgx_show_ip6, pgx_show_ip6 },
	[PGX_MAC]	= { pgx_parse_mac, pgx_show_mac, pgx_show_mac },
	[PGX_FLAGS]	= { pgx_parse_flags, pgx_show_flags, pgx_show_hex, true },
	[PGX_CHOICE]	= { pgx_parse_choice, pgx_show_choice, pgx_show_choice },
	[PGX_ACTION]	= { pgx_parse_action, pgx_show_nothing, pgx_show_nothing },
	[PGX_NAME]	= { NULL, pgx_show_name, pgx_show_nothing },
};
