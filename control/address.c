// SPDX-License-Identifier: GPL-2.0
/* Addresses: how they are read from a line and shown. A leaf. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "control/param.h"

static int pgx_refuse_address(const struct pgx_param *row, const char *value, const char *what,
			      struct pgx_text *reply)
{
	pgx_refuse(row, value, reply);
	if (strchr(value, '/'))
		pgx_text_add(reply,
			     "has a prefix length; give the first and the last address instead");
	else
		pgx_text_add(reply, "is not an %s", what);
	return -EINVAL;
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

/**
 * pgx_parse_ip4() - read an IPv4 address
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @words: the line
 * @reply: gets the reason of a refusal
 *
 * Return: 0 or -EINVAL.
 */
int pgx_parse_ip4(const struct pgx_param *row, struct pgx_config *cfg,
		  const struct pgx_facts *facts, const struct pgx_words *words,
		  struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	u32 addr = 0;

	if (!*value || pgx_ip4(value, &addr)) {
		pgx_store(row, cfg, addr);
		return 0;
	}
	return pgx_refuse_address(row, value, "IPv4 address, allowed is 0.0.0.0 to 255.255.255.255",
				  reply);
}

/* Up to four hex digits. */
static bool pgx_ip6_word(const char **c, u16 *word)
{
	int digit, digits;

	*word = 0;
	for (digits = 0; digits < 4; digits++, ++*c) {
		digit = pgx_hex_digit(**c);
		if (digit < 0)
			break;
		*word = *word << 4 | digit;
	}
	return digits;
}

/* An IPv4 address at the end stands for two words. */
static bool pgx_ip6_tail(const char *c, u16 *word)
{
	u32 addr;

	if (!pgx_ip4(c, &addr))
		return false;
	word[0] = addr >> 16;
	word[1] = addr;
	return true;
}

/**
 * struct pgx_ip6 - an IPv6 address while it is read
 * @word: what was read so far
 * @nr: how many
 * @gap: words before the "::", -1 without one
 */
struct pgx_ip6 {
	u16	word[8];
	int	nr;
	int	gap;
};

/* After a word: nothing, ':' and another one, or the one and only "::". */
static bool pgx_ip6_between(const char **c, struct pgx_ip6 *ip)
{
	if (!**c)
		return true;
	if (*(*c)++ != ':')
		return false;
	if (**c != ':')
		return **c;
	if (ip->gap >= 0)
		return false;
	ip->gap = ip->nr;
	++*c;
	return true;
}

static bool pgx_ip6_words(const char *c, struct pgx_ip6 *ip)
{
	if (c[0] == ':' && c[1] == ':') {
		ip->gap = 0;
		c += 2;
	}
	while (*c) {
		if (ip->nr <= 6 && pgx_ip6_tail(c, &ip->word[ip->nr])) {
			ip->nr += 2;
			return true;
		}
		if (ip->nr == 8 || !pgx_ip6_word(&c, &ip->word[ip->nr]))
			return false;
		ip->nr++;
		if (!pgx_ip6_between(&c, ip))
			return false;
	}
	return true;
}

static u64 pgx_ip6_half(const u16 *word)
{
	return (u64)word[0] << 48 | (u64)word[1] << 32 | (u64)word[2] << 16 | word[3];
}

/*
 * The text form of RFC 4291. Written here since in6_pton() takes words of more than four digits,
 * and userland tests need it.
 */
static bool pgx_ip6(const char *c, struct pgx_addr6 *addr)
{
	struct pgx_ip6 ip = { .gap = -1 };
	u16 word[8] = { };
	int i;

	if (!pgx_ip6_words(c, &ip))
		return false;
	if (ip.gap < 0 ? ip.nr != 8 : ip.nr == 8)
		return false;
	for (i = 0; i < ip.nr; i++)
		word[ip.gap < 0 || i < ip.gap ? i : 8 - ip.nr + i] = ip.word[i];
	addr->hi = pgx_ip6_half(word);
	addr->lo = pgx_ip6_half(word + 4);
	return true;
}

/**
 * pgx_parse_ip6() - read an IPv6 address
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @words: the line
 * @reply: gets the reason of a refusal
 *
 * Return: 0 or -EINVAL.
 */
int pgx_parse_ip6(const struct pgx_param *row, struct pgx_config *cfg,
		  const struct pgx_facts *facts, const struct pgx_words *words,
		  struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	struct pgx_addr6 *addr = pgx_field_of(row, cfg);

	if (pgx_ip6(value, addr))
		return 0;
	return pgx_refuse_address(row, value, "IPv6 address, allowed is such as 2001:db8::1",
				  reply);
}

static bool pgx_mac(const char *c, u8 *mac)
{
	int i, high, low;

	for (i = 0; i < ETH_ALEN; i++, c += 2) {
		if (i && *c++ != ':')
			return false;
		high = pgx_hex_digit(c[0]);
		low = high < 0 ? -1 : pgx_hex_digit(c[1]);
		if (low < 0)
			return false;
		mac[i] = high << 4 | low;
	}
	return !*c;
}

/**
 * pgx_parse_mac() - read a MAC address
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @words: the line
 * @reply: gets the reason of a refusal
 *
 * Return: 0 or -EINVAL.
 */
int pgx_parse_mac(const struct pgx_param *row, struct pgx_config *cfg,
		  const struct pgx_facts *facts, const struct pgx_words *words,
		  struct pgx_text *reply)
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

/**
 * pgx_show_ip4() - show an IPv4 address
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @out: where it goes
 */
void pgx_show_ip4(const struct pgx_param *row, const struct pgx_config *cfg,
		  const struct pgx_facts *facts, struct pgx_text *out)
{
	u32 addr = pgx_load(row, cfg);

	if (addr)
		pgx_text_add_ip4(out, addr);
}

/**
 * pgx_show_mac() - show a MAC address
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @out: where it goes
 *
 * Only the source MAC may be left to the device; a destination of zeros is shown as what is sent.
 */
void pgx_show_mac(const struct pgx_param *row, const struct pgx_config *cfg,
		  const struct pgx_facts *facts, struct pgx_text *out)
{
	static const u8 zero[ETH_ALEN];
	const u8 *mac = pgx_field_of(row, cfg);

	if (mac == cfg->src_mac && !memcmp(mac, zero, ETH_ALEN))
		mac = facts->mac;
	pgx_text_add_mac(out, mac);
}

/**
 * pgx_show_ip6() - show an IPv6 address
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @out: where it goes
 */
void pgx_show_ip6(const struct pgx_param *row, const struct pgx_config *cfg,
		  const struct pgx_facts *facts, struct pgx_text *out)
{
	const struct pgx_addr6 *addr = pgx_field_of(row, cfg);

	pgx_text_add_ip6(out, *addr);
}
