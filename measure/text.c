// SPDX-License-Identifier: GPL-2.0
/* A bounded text: what is too long is cut, never written past the end. A leaf. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "measure/measure.h"

/**
 * pgx_text_init() - begin an empty text
 * @text: the text
 * @buf: room for it
 * @size: bytes at @buf, at least 1
 */
void pgx_text_init(struct pgx_text *text, char *buf, size_t size)
{
	text->buf = buf;
	text->size = size;
	text->len = 0;
	buf[0] = '\0';
}

/**
 * pgx_text_add() - append formatted text
 * @text: the text
 * @fmt: printf format
 */
void pgx_text_add(struct pgx_text *text, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	text->len += vscnprintf(text->buf + text->len, text->size - text->len, fmt, args);
	va_end(args);
}

/**
 * pgx_text_add_word() - append what a user wrote, fit to be shown
 * @text: the text
 * @word: the user's bytes
 * @most: bytes of @word to show
 *
 * A byte that is no printable ASCII becomes '?', so that no terminal acts on it.
 */
void pgx_text_add_word(struct pgx_text *text, const char *word, size_t most)
{
	for (; *word && most; word++, most--)
		pgx_text_add(text, "%c", *word >= ' ' && *word <= '~' ? *word : '?');
}

/**
 * pgx_text_add_ip4() - append an IPv4 address
 * @text: the text
 * @addr: the address, host order
 */
void pgx_text_add_ip4(struct pgx_text *text, u32 addr)
{
	pgx_text_add(text, "%u.%u.%u.%u", addr >> 24, addr >> 16 & 0xff, addr >> 8 & 0xff,
		     addr & 0xff);
}

/* The longest run of two or more words of zero, the first of them if there are several. */
static int pgx_text_gap(const u16 *word, int *len)
{
	int i, run = 0, begin = -1;

	*len = 1;
	for (i = 0; i < 8; i++) {
		run = word[i] ? 0 : run + 1;
		if (run > *len) {
			*len = run;
			begin = i + 1 - run;
		}
	}
	return begin;
}

/* The last words of an address are those of an IPv4 address: mapped (RFC 4291) or ISATAP (5214). */
static bool pgx_text_has_ip4(struct pgx_addr6 addr)
{
	return (!addr.hi && addr.lo >> 32 == 0xffff) ||
	       ((addr.lo >> 32 | 0x02000000) == 0x02005efe);
}

/**
 * pgx_text_add_ip6() - append an IPv6 address
 * @text: the text
 * @addr: the address
 *
 * In the form of RFC 5952, and as the kernel's %pI6c writes it.
 */
void pgx_text_add_ip6(struct pgx_text *text, struct pgx_addr6 addr)
{
	int words = pgx_text_has_ip4(addr) ? 6 : 8;
	int i, gap, len;
	u16 word[8];

	for (i = 0; i < 8; i++)
		word[i] = i < 4 ? addr.hi >> (48 - 16 * i) : addr.lo >> (112 - 16 * i);
	for (i = words; i < 8; i++)
		word[i] = 1;
	gap = pgx_text_gap(word, &len);
	for (i = 0; i < words; i++) {
		if (gap >= 0 && i >= gap && i < gap + len) {
			if (i == gap)
				pgx_text_add(text, "::");
			continue;
		}
		pgx_text_add(text, "%s%x", i && i != gap + len ? ":" : "", word[i]);
	}
	if (words == 8)
		return;
	pgx_text_add(text, "%s", gap + len == 6 && gap >= 0 ? "" : ":");
	pgx_text_add_ip4(text, addr.lo);
}

/**
 * pgx_text_add_mac() - append a MAC address
 * @text: the text
 * @mac: its six bytes
 */
void pgx_text_add_mac(struct pgx_text *text, const u8 *mac)
{
	pgx_text_add(text, "%02x:%02x:%02x:%02x:%02x:%02x",
		     mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
}
