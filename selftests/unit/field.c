// SPDX-License-Identifier: GPL-2.0
/* Random numbers, ranges, and MAC addresses in a row. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "test.h"
#include "traffic/rand.h"
#include "traffic/traffic.h"

/* From a calculation in another language; those of SplitMix64 are known. */
TEST(rand_known_numbers)
{
	static const u64 known[] = { 6091822090107170826ULL, 14514526454261344529ULL };
	static const u64 mixed[] = { 6457827717110365317ULL, 3203168211198807973ULL };
	struct pgx_rand rand = { 1234567 }, mix = { 1234567 };
	int i;

	for (i = 0; i < 2; i++) {
		EQ(pgx_rand_next(&rand), known[i]);
		EQ(pgx_rand_mix(&mix), mixed[i]);
	}
}

TEST(rand_same_seed_same_numbers)
{
	struct pgx_rand a = { 42 }, b = { 42 }, c = { 43 };
	int i, differ = 0;

	for (i = 0; i < 1000; i++) {
		u32 value = pgx_rand_within(&a, 5, 499996);

		EQ(pgx_rand_within(&b, 5, 499996), value);
		differ += pgx_rand_within(&c, 5, 499996) != value;
	}
	CHECK(differ > 990);
}

/* Every value of a small range is drawn, about as often as any other. */
static void draw_all(u32 min, u32 nr)
{
	struct pgx_rand rand = { min };
	u32 count[64] = { 0 }, i, value;

	test_note("%u values from %u", nr, min);
	for (i = 0; i < 1000 * nr; i++) {
		value = pgx_rand_within(&rand, min, nr);
		CHECK(value - min < nr);
		count[(value - min) % 64]++;
	}
	for (i = 0; i < nr; i++)
		CHECK(count[i] > 800 && count[i] < 1200);
}

TEST(rand_within_a_range)
{
	u32 nr;

	for (nr = 2; nr <= 64; nr++) {
		draw_all(0, nr);
		draw_all(1000, nr);
		draw_all(U32_MAX - nr + 1, nr);
	}
}

TEST(rand_within_extremes)
{
	struct pgx_rand rand = { 7 }, again = { 7 };
	int i;

	EQ(pgx_rand_within(&rand, 9, 1), 9);
	EQ(pgx_rand_within(&rand, U32_MAX, 1), U32_MAX);
	rand = again;
	for (i = 0; i < 1000; i++)
		EQ(pgx_rand_within(&rand, 0, 1ULL << 32), pgx_rand_next(&again) >> 32);
}

static void walk(u32 min, u32 max, const u32 *want, int nr)
{
	struct pgx_rand rand = { 1 };
	struct pgx_range range;
	int i;

	memset(&range, 0xff, sizeof(range));
	pgx_range_init(&range, min, max, false);
	EQ(range.cur, min);
	test_note("%u to %u", min, max);
	for (i = 0; i < nr; i++) {
		EQ(pgx_range_next(&range, &rand), want[i]);
		EQ(range.cur, want[i]);
	}
	EQ(rand.state, 1);
}

TEST(range_in_order)
{
	walk(3, 5, (u32[]){ 3, 4, 5, 3, 4, 5, 3 }, 7);
	walk(7, 7, (u32[]){ 7, 7, 7 }, 3);
	walk(0, 1, (u32[]){ 0, 1, 0, 1 }, 4);
	/* An end before the beginning counts for nothing. */
	walk(9, 2, (u32[]){ 9, 9, 9 }, 3);
	walk(9, 0, (u32[]){ 9, 9 }, 2);
}

TEST(range_at_the_top)
{
	struct pgx_rand rand = { 1 };
	struct pgx_range range;

	walk(U32_MAX - 1, U32_MAX, (u32[]){ U32_MAX - 1, U32_MAX, U32_MAX - 1, U32_MAX }, 4);
	walk(U32_MAX, U32_MAX, (u32[]){ U32_MAX, U32_MAX }, 2);
	pgx_range_init(&range, 0, U32_MAX, false);
	range.next = U32_MAX - 1;
	EQ(pgx_range_next(&range, &rand), U32_MAX - 1);
	EQ(pgx_range_next(&range, &rand), U32_MAX);
	EQ(pgx_range_next(&range, &rand), 0);
	EQ(pgx_range_next(&range, &rand), 1);
}

TEST(range_at_random)
{
	bool low = false, high = false;
	struct pgx_rand rand = { 99 };
	struct pgx_range range;
	u32 value;
	int i;

	pgx_range_init(&range, 1000, 1099, true);
	for (i = 0; i < 10000; i++) {
		value = pgx_range_next(&range, &rand);
		CHECK(value >= 1000 && value <= 1099);
		EQ(range.cur, value);
		low |= value == 1000;
		high |= value == 1099;
	}
	CHECK(low && high);
}

static void mac(const char *base, u32 offset, const char *want)
{
	u8 to[8] = { 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee, 0xee };

	test_note("offset %u", offset);
	pgx_field_mac(to, (const u8 *)base, offset);
	CHECK(!memcmp(to, want, 6));
	EQ(to[6], 0xee);
}

TEST(field_mac_offset)
{
	mac("\x02\x00\x00\x00\x00\x00", 0, "\x02\x00\x00\x00\x00\x00");
	mac("\x02\x00\x00\x00\x00\x00", 1, "\x02\x00\x00\x00\x00\x01");
	mac("\x02\x00\x00\x00\x00\xff", 1, "\x02\x00\x00\x00\x01\x00");
	mac("\x02\x00\x00\x00\xff\xff", 1, "\x02\x00\x00\x01\x00\x00");
	mac("\x02\x00\x00\xff\xff\xff", 1, "\x02\x00\x01\x00\x00\x00");
	mac("\x02\x00\xff\xff\xff\xff", 1, "\x02\x01\x00\x00\x00\x00");
	/* The first byte stays, and so does its group bit. */
	mac("\x02\xff\xff\xff\xff\xff", 1, "\x02\x00\x00\x00\x00\x00");
	mac("\x00\xff\xff\xff\xff\xff", 2, "\x00\x00\x00\x00\x00\x01");
	mac("\x02\x00\x00\x00\x00\x00", U32_MAX, "\x02\x00\xff\xff\xff\xff");
	mac("\x02\x00\x00\x00\x00\x01", U32_MAX, "\x02\x01\x00\x00\x00\x00");
	mac("\x02\x12\x34\x56\x78\x9a", 0x01020304, "\x02\x12\x35\x58\x7b\x9e");
}

TEST(field_mac_at_random)
{
	u64 seed = 5, base, sum, offset;
	u8 from[6], to[6];
	int i, byte;

	for (i = 0; i < 100000; i++) {
		base = test_rand(&seed) >> 16;
		offset = test_rand(&seed) & U32_MAX;
		for (byte = 0; byte < 6; byte++)
			from[byte] = base >> (40 - 8 * byte);
		pgx_field_mac(to, from, offset);
		sum = (base & 0xff0000000000ULL) | ((base + offset) & 0xffffffffffULL);
		for (byte = 0; byte < 6; byte++)
			EQ(to[byte], sum >> (40 - 8 * byte) & 0xff);
	}
}
