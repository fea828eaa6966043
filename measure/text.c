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
