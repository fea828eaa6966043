// SPDX-License-Identifier: GPL-2.0
/* IPv6 addresses as text, with the C library as the judge of most of it. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include "entry.h"

#define ROUNDS	200000

/* Words that the reader gets are in memory of their own size. */
static bool reads(const char *text, struct pgx_addr6 *addr)
{
	struct pgx_words words = { .word = { "src6", strdup(text) }, .nr = 2 };
	struct pgx_config cfg = { .count = 5 };
	const struct pgx_param *row = pgx_param_find("src6");
	char reply[PGX_REPLY_SIZE];
	struct pgx_text out;
	int rc;

	pgx_text_init(&out, reply, sizeof(reply));
	rc = pgx_parse_ip6(row, &cfg, NULL, &words, &out);
	CHECK(rc == 0 || rc == -EINVAL);
	EQ(!rc, !out.len);
	CHECK(!rc || (!cfg.src6.hi && !cfg.src6.lo));
	*addr = cfg.src6;
	free(words.word[1]);
	return !rc;
}

static struct pgx_addr6 from_bytes(const u8 *bytes)
{
	struct pgx_addr6 addr = { 0 };
	int i;

	for (i = 0; i < 8; i++) {
		addr.hi = addr.hi << 8 | bytes[i];
		addr.lo = addr.lo << 8 | bytes[8 + i];
	}
	return addr;
}

static void to_bytes(struct pgx_addr6 addr, u8 *bytes)
{
	int i;

	for (i = 0; i < 8; i++) {
		bytes[i] = addr.hi >> (56 - 8 * i);
		bytes[8 + i] = addr.lo >> (56 - 8 * i);
	}
}

/*
 * The C library takes no zeros before the numbers of an IPv4 address at the end. Here they are
 * taken, up to three digits, as in IPv4 addresses.
 */
static bool library_reads(const char *text, struct pgx_addr6 *addr)
{
	const char *from = strrchr(text, ':') ? strrchr(text, ':') + 1 : text;
	bool ends_in_ip4 = strchr(from, '.');
	char plain[256], *to = plain;
	u8 bytes[16];
	size_t digits;

	memcpy(plain, text, from - text);
	to += from - text;
	while (ends_in_ip4 && *from) {
		digits = strspn(from, "0123456789");
		for (; digits > 1 && digits <= 3 && *from == '0'; digits--)
			from++;
		memcpy(to, from, digits + !!from[digits]);
		to += digits + !!from[digits];
		from += digits + !!from[digits];
	}
	snprintf(to, plain + sizeof(plain) - to, "%s", from);
	if (inet_pton(AF_INET6, plain, bytes) != 1)
		return false;
	*addr = from_bytes(bytes);
	return true;
}

static const char *shows(struct pgx_addr6 addr)
{
	static char buf[64];
	struct pgx_text text;

	pgx_text_init(&text, buf, sizeof(buf));
	pgx_text_add_ip6(&text, addr);
	EQ(text.len, strlen(buf));
	CHECK(text.len <= strlen("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255"));
	return buf;
}

/*
 * The kernel's %pI6c and the C library differ in which addresses end in an IPv4 one: ISATAP only
 * here, IPv4 compatible only there.
 */
static const char *library_shows(struct pgx_addr6 addr, char *buf, size_t size)
{
	bool isatap = (addr.lo >> 32 & 0xfdffffff) == 0x5efe;
	u8 bytes[16];
	char *end;

	if (!addr.hi && !(addr.lo >> 32)) {
		snprintf(buf, size, "::%.0llx%s%.0llx", addr.lo >> 16, addr.lo >> 16 ? ":" : "",
			 addr.lo & 0xffff);
		if (addr.lo >> 16 && !(addr.lo & 0xffff))
			strcat(buf, "0");
		return buf;
	}
	to_bytes(addr, bytes);
	if (isatap)
		memcpy(bytes + 12, "\x11\x11\x11\x11", 4);
	inet_ntop(AF_INET6, bytes, buf, size);
	if (!isatap)
		return buf;
	end = strstr(buf, "1111:1111");
	snprintf(end, buf + size - end, "%llu.%llu.%llu.%llu", addr.lo >> 24 & 255,
		 addr.lo >> 16 & 255, addr.lo >> 8 & 255, addr.lo & 255);
	return buf;
}

/* Texts of RFC 4291, 2.2, and of RFC 5952, 1 to 5; each with the only way it is shown */
TEST(ip6_of_the_standards)
{
	static const struct {
		const char	*text;
		u64		hi, lo;
		const char	*shown;
	} known[] = {
		{ "ABCD:EF01:2345:6789:ABCD:EF01:2345:6789", 0xabcdef0123456789, 0xabcdef0123456789,
		  "abcd:ef01:2345:6789:abcd:ef01:2345:6789" },
		{ "2001:DB8:0:0:8:800:200C:417A", 0x20010db800000000, 0x00080800200c417a,
		  "2001:db8::8:800:200c:417a" },
		{ "FF01:0:0:0:0:0:0:101", 0xff01000000000000, 0x101, "ff01::101" },
		{ "0:0:0:0:0:0:0:1", 0, 1, "::1" },
		{ "0:0:0:0:0:0:0:0", 0, 0, "::" },
		{ "::", 0, 0, "::" },
		{ "0:0:0:0:0:0:13.1.68.3", 0, 0x0d014403, "::d01:4403" },
		{ "::FFFF:129.144.52.38", 0, 0xffff81903426, "::ffff:129.144.52.38" },
		{ "2001:0db8::0001", 0x20010db800000000, 1, "2001:db8::1" },
		{ "2001:db8:0:0:0:0:2:1", 0x20010db800000000, 0x20001, "2001:db8::2:1" },
		{ "2001:db8:0:1:1:1:1:1", 0x20010db800000001, 0x0001000100010001,
		  "2001:db8:0:1:1:1:1:1" },
		{ "2001:db8::1:1:1:1:1", 0x20010db800000001, 0x0001000100010001,
		  "2001:db8:0:1:1:1:1:1" },
		{ "2001:0:0:1:0:0:0:1", 0x2001000000000001, 1, "2001:0:0:1::1" },
		{ "2001:db8:0:0:1:0:0:1", 0x20010db800000000, 0x0001000000000001,
		  "2001:db8::1:0:0:1" },
		{ "2001:db8::192.0.2.33", 0x20010db800000000, 0xc0000221, "2001:db8::c000:221" },
		{ "64:ff9b::192.0.2.33", 0x0064ff9b00000000, 0xc0000221, "64:ff9b::c000:221" },
		{ "1::", 0x0001000000000000, 0, "1::" },
		{ "1:2:3:4:5:6:7::", 0x0001000200030004, 0x0005000600070000, "1:2:3:4:5:6:7:0" },
		{ "::2:3:4:5:6:7:8", 0x0000000200030004, 0x0005000600070008, "0:2:3:4:5:6:7:8" },
		/* RFC 5214, 6.1: with and without the universal bit */
		{ "fe80::5efe:c000:221", 0xfe80000000000000, 0x00005efec0000221,
		  "fe80::5efe:192.0.2.33" },
		{ "fe80::200:5efe:192.0.2.33", 0xfe80000000000000, 0x02005efec0000221,
		  "fe80::200:5efe:192.0.2.33" },
	};
	struct pgx_addr6 addr;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		test_note("%s", known[i].text);
		CHECK(reads(known[i].text, &addr));
		EQ(addr.hi, known[i].hi);
		EQ(addr.lo, known[i].lo);
		SAME(shows(addr), known[i].shown);
	}
}

TEST(ip6_that_is_none)
{
	static const char *const bad[] = {
		"", ":", ":::", "::::", "1", "1:", ":1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:",
		":2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8:", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::",
		"::1:2:3:4:5:6:7:8", "1:2:3:4::5:6:7:8", "1::2::3", "1:::2", "12345::", "::00001",
		"::g", "::1 ", " ::1", "::1/64", "fe80::1%eth0", "[::1]", "::1.2.3", "::1.2.3.4.5",
		"::1.2.3.256", "::1.2.3.4:5", "1.2.3.4", "1.2.3.4::", "1:2:3:4:5:6:7:1.2.3.4",
		"1:2:3:4:5:1.2.3.4", "1:2:3:4:5:6::1.2.3.4.", "::1.2.3.0004", "::1..2.3",
		"::.1.2.3", "::-1", "::+1", "::0x1", "\xff::1", "::1\x01",
	};
	struct pgx_addr6 addr;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		test_note("%s", bad[i]);
		CHECK(!reads(bad[i], &addr));
	}
}

/* Runs of zeros of every length and the marks of special addresses come often. */
static struct pgx_addr6 some_address(u64 *seed)
{
	u64 mask = test_rand(seed), words[8];
	struct pgx_addr6 addr = { 0 };
	int i;

	for (i = 0; i < 8; i++)
		words[i] = mask >> (4 * i) & 3 ? test_rand(seed) >> 48 >> (mask >> (32 + i) & 12) :
			   0;
	if (!(mask >> 60))
		memset(words, 0, 5 * sizeof(words[0]));
	if (mask >> 58 & 1)
		words[5] = mask >> 59 & 1 ? 0x5efe : 0xffff;
	if (words[5] == 0x5efe)
		words[4] = mask >> 57 & 1 ? 0x200 : 0;
	for (i = 0; i < 4; i++) {
		addr.hi = addr.hi << 16 | words[i];
		addr.lo = addr.lo << 16 | words[4 + i];
	}
	return addr;
}

TEST(ip6_shown_as_the_library_does)
{
	struct pgx_addr6 addr, again;
	u64 seed = 6;
	char buf[64];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		addr = some_address(&seed);
		library_shows(addr, buf, sizeof(buf));
		test_note("%s", buf);
		SAME(shows(addr), buf);
		CHECK(reads(shows(addr), &again));
		CHECK(again.hi == addr.hi && again.lo == addr.lo);
	}
}

/* As %pI6c, in full, with capitals, or with an IPv4 address at the end */
static void some_text(u64 *seed, char *text, size_t size)
{
	struct pgx_addr6 addr = some_address(seed);
	static const char *const forms[] = {
		"%llx:%llx:%llx:%llx:%llx:%llx:%llx:%llx",
		"%04llX:%llX:%04llX:%llX:%llX:%llX:%llX:%04llX",
	};
	u64 draw = test_rand(seed) >> 32, lo = addr.lo;
	size_t len;

	if (draw & 2) {
		snprintf(text, size, "%s", shows(addr));
		return;
	}
	draw &= 1;
	snprintf(text, size, forms[draw], addr.hi >> 48, addr.hi >> 32 & 0xffff,
		 addr.hi >> 16 & 0xffff, addr.hi & 0xffff, lo >> 48, lo >> 32 & 0xffff,
		 lo >> 16 & 0xffff, lo & 0xffff);
	if (test_rand(seed) >> 62)
		return;
	*strrchr(text, ':') = '\0';
	len = strrchr(text, ':') - text + 1;
	snprintf(text + len, size - len, "%llu.%llu.%0*llu.%llu", lo >> 24 & 255, lo >> 16 & 255,
		 (int)(draw + 1), lo >> 8 & 255, lo & 255);
}

static void spoil(u64 *seed, char *text, size_t size)
{
	static const char bytes[] = "0123456789abcdefABCDEF::::....gG/% -x\x80";
	u64 draw = test_rand(seed) >> 16;
	size_t len = strlen(text), at = len ? draw % len : 0;
	char byte = bytes[(draw >> 8) % (sizeof(bytes) - 1)];

	switch ((draw >> 40) % 5) {
	case 0:
		memmove(text + at, text + at + !!len, len - at + !len);
		break;
	case 1:
		text[at] = len ? byte : '\0';
		break;
	case 2:
		if (len + 1 < size) {
			memmove(text + at + 1, text + at, len - at + 1);
			text[at] = byte;
		}
		break;
	case 3:
		text[at] = '\0';
		break;
	default:
		if (2 * len - at < size) {
			memmove(text + len, text + at, len - at);
			text[2 * len - at] = '\0';
		}
	}
}

TEST(ip6_read_as_the_library_does)
{
	struct pgx_addr6 addr, want;
	u64 seed = 66, changes;
	u32 good = 0;
	char text[160];
	bool taken;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		some_text(&seed, text, sizeof(text));
		for (changes = test_rand(&seed) >> 62; changes; changes--)
			spoil(&seed, text, sizeof(text));
		test_note("%s", text);
		taken = library_reads(text, &want);
		EQ(reads(text, &addr), taken);
		CHECK(!taken || (addr.hi == want.hi && addr.lo == want.lo));
		good += taken;
	}
	CHECK(good > ROUNDS / 4 && good < ROUNDS / 4 * 3);
}
