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

const struct pgx_value pgx_values[PGX_NR_TYPES] = {
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
