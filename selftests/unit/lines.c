// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "control/param.h"
#include "lines.h"
#include "test.h"

u64 lines_pick(struct lines *lines, u64 below)
{
	return (test_rand(&lines->seed) >> 33) % below;
}

bool lines_once_in(struct lines *lines, u64 times)
{
	return !lines_pick(lines, times);
}

static void put_bytes(struct lines *lines, const char *bytes, size_t len)
{
	if (lines->len + len >= sizeof(lines->text))
		return;
	memcpy(lines->text + lines->len, bytes, len);
	lines->len += len;
}

static void put_string(struct lines *lines, const char *string)
{
	put_bytes(lines, string, strlen(string));
}

/* Small, near a power of two, or anything */
static u64 some_number(struct lines *lines)
{
	switch (lines_pick(lines, 4)) {
	case 0:
		return lines_pick(lines, 10);
	case 1:
		return lines_pick(lines, 70000);
	case 2:
		return (1ULL << lines_pick(lines, 64)) + lines_pick(lines, 3) - 1;
	default:
		return test_rand(&lines->seed) >> lines_pick(lines, 64);
	}
}

static void put_number(struct lines *lines)
{
	static const char *const suffixes[] = { "k", "M", "G", "s", "ms", "us", "ns", "K", "x" };
	char word[64];

	snprintf(word, sizeof(word), lines_once_in(lines, 20) ? "%030llu" : "%llu",
		 some_number(lines));
	put_string(lines, word);
	if (lines_once_in(lines, 3))
		put_string(lines, suffixes[lines_pick(lines, ARRAY_SIZE(suffixes))]);
}

static void put_ip4(struct lines *lines)
{
	int i, parts = lines_once_in(lines, 10) ? lines_pick(lines, 7) : 4;
	char word[16];

	for (i = 0; i < parts; i++) {
		snprintf(word, sizeof(word), "%s%llu", i ? "." : "",
			 lines_pick(lines, lines_once_in(lines, 10) ? 2000 : 256));
		put_string(lines, word);
	}
	if (lines_once_in(lines, 20))
		put_string(lines, "/8");
}

static void put_mac(struct lines *lines)
{
	int i, parts = lines_once_in(lines, 10) ? lines_pick(lines, 9) : 6;
	char word[16];

	for (i = 0; i < parts; i++) {
		snprintf(word, sizeof(word), "%s%02llx", i ? ":" : "",
			 lines_pick(lines, lines_once_in(lines, 20) ? 512 : 256));
		put_string(lines, word);
	}
}

static void put_name(struct lines *lines, const struct pgx_param *row)
{
	const char *name = row->names[lines_pick(lines, row->nr_names)];

	if (row->type == PGX_FLAGS && lines_once_in(lines, 2))
		put_string(lines, "!");
	put_string(lines, name);
}

static void put_garbage(struct lines *lines, size_t len)
{
	char byte;

	while (len--) {
		byte = test_rand(&lines->seed) >> 40;
		put_bytes(lines, &byte, 1);
	}
}

/* Words of any kind, a gap, an IPv4 address at the end; mostly as many as there have to be */
static void put_ip6(struct lines *lines)
{
	int i, parts = lines_once_in(lines, 10) ? lines_pick(lines, 10) : 8;
	int gap = (int)lines_pick(lines, 16) - 8;
	char word[16];

	for (i = gap >= 0 ? 1 : 0; i < parts; i++) {
		snprintf(word, sizeof(word), "%s%llx", i > (gap >= 0) ? ":" : "",
			 lines_pick(lines, lines_once_in(lines, 40) ? 1 << 20 : 1 << 16));
		if (i == gap)
			put_string(lines, ":");
		if (lines_once_in(lines, 12) && i >= parts - 2) {
			put_string(lines, i > (gap >= 0) ? ":" : "");
			put_ip4(lines);
			return;
		}
		put_string(lines, word);
	}
	if (gap >= parts || lines_once_in(lines, 20))
		put_string(lines, "::");
	if (lines_once_in(lines, 30))
		put_string(lines, "/64");
}

static void put_labels(struct lines *lines)
{
	u64 nr = lines_once_in(lines, 10) ? lines_pick(lines, 20) : 1 + lines_pick(lines, 16);
	char word[16];

	while (nr--) {
		snprintf(word, sizeof(word), lines_pick(lines, 2) ? "%08llx" : "%llX",
			 lines_once_in(lines, 20) ? some_number(lines) :
			 test_rand(&lines->seed) >> (32 + lines_pick(lines, 32)));
		put_string(lines, word);
		if (nr || lines_once_in(lines, 40))
			put_string(lines, ",");
	}
}

/* The pairs of a mix, with what has to stand between them or something else */
static void put_weights(struct lines *lines)
{
	u64 nr = lines_once_in(lines, 10) ? lines_pick(lines, 24) : 1 + lines_pick(lines, 4);
	char word[64];

	if (lines_once_in(lines, 4)) {
		put_string(lines, "none");
		return;
	}
	while (nr--) {
		snprintf(word, sizeof(word), "%llu,%llu", lines_pick(lines, 2) ?
			 lines_pick(lines, 1515) : lines_pick(lines, 66000),
			 lines_once_in(lines, 4) ? some_number(lines) : 1 + lines_pick(lines, 50));
		put_string(lines, word);
		if (nr)
			put_string(lines, lines_once_in(lines, 60) ? "  " : " ");
	}
}

static void put_digits(struct lines *lines, const struct pgx_param *row)
{
	char word[64];

	switch (row->type) {
	case PGX_BYTE:
		snprintf(word, sizeof(word), lines_once_in(lines, 3) ? "0x%02llx" : "%02llX",
			 lines_pick(lines, lines_once_in(lines, 9) ? 999 : 256));
		break;
	case PGX_VLAN:
		snprintf(word, sizeof(word), "%llu",
			 lines_pick(lines, lines_once_in(lines, 5) ? 70000 : 4096));
		break;
	case PGX_NODE:
		snprintf(word, sizeof(word), "%lld", (long long)lines_pick(lines, 5) - 1);
		break;
	default:
		snprintf(word, sizeof(word), row->hex ? "0x%llx" : "%llu",
			 row->hex ? some_number(lines) : lines_pick(lines, 9));
	}
	put_string(lines, word);
}

static void put_typed(struct lines *lines, const struct pgx_param *row)
{
	switch (row->type) {
	case PGX_IP4:
		put_ip4(lines);
		break;
	case PGX_IP6:
		put_ip6(lines);
		break;
	case PGX_MAC:
		put_mac(lines);
		break;
	case PGX_MPLS:
		put_labels(lines);
		break;
	case PGX_WEIGHTS:
		put_weights(lines);
		break;
	case PGX_FLAGS:
	case PGX_CHOICE:
		put_name(lines, row);
		break;
	case PGX_NUMBER:
	case PGX_DELAY:
	case PGX_MBIT:
		if (row->hex && lines_pick(lines, 2))
			put_digits(lines, row);
		else
			put_number(lines);
		break;
	default:
		put_digits(lines, row);
	}
}

static void put_value(struct lines *lines, const struct pgx_param *row)
{
	if (!lines_once_in(lines, 10))
		put_typed(lines, row);
	else if (lines_once_in(lines, 3))
		put_garbage(lines, lines_pick(lines, lines_once_in(lines, 20) ? 2000 : 12));
	else
		put_number(lines);
}

static void put_blank(struct lines *lines)
{
	static const char *const blanks[] = { " ", " ", " ", "=", "\t", "\"", " = ", "\r", "" };

	put_string(lines, blanks[lines_pick(lines, ARRAY_SIZE(blanks))]);
}

/* A row and values for it; now and then for another, or too many, or of no row at all */
static void put_line(struct lines *lines)
{
	const struct pgx_param *row = &pgx_params[lines_pick(lines, pgx_nr_params)];
	u64 values = lines_once_in(lines, 16) ? lines_pick(lines, 70) : 1;

	if (lines_once_in(lines, 12))
		put_garbage(lines, lines_pick(lines, 40));
	else if (row->name)
		put_string(lines, row->name);
	if (lines_once_in(lines, 30))
		row = &pgx_params[lines_pick(lines, pgx_nr_params)];
	while (values--) {
		put_blank(lines);
		put_value(lines, row);
	}
	if (lines_once_in(lines, 10))
		put_blank(lines);
}

/* A few bytes of what was written become others. */
static void spoil(struct lines *lines)
{
	u64 times = lines_once_in(lines, 6) ? 1 + lines_pick(lines, 4) : 0;

	while (times-- && lines->len)
		lines->text[lines_pick(lines, lines->len)] = test_rand(&lines->seed) >> 40;
}

void lines_make(struct lines *lines)
{
	lines->len = 0;
	put_line(lines);
	while (lines_once_in(lines, 4)) {
		put_string(lines, "\n");
		put_line(lines);
	}
	spoil(lines);
	lines->text[lines->len] = '\0';
}
