// SPDX-License-Identifier: GPL-2.0
/* IPv6 addresses as numbers, with the compiler's numbers of 128 bits as the judge. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "test.h"
#include "traffic/traffic.h"

typedef unsigned __int128 u128;

#define MOST	(~(u128)0)

static u128 number(struct pgx_addr6 addr)
{
	return (u128)addr.hi << 64 | addr.lo;
}

static struct pgx_addr6 address(u128 number)
{
	return (struct pgx_addr6){ number >> 64, number };
}

/* Numbers of every length, often near a power of two */
static u128 some_number(u64 *seed)
{
	u64 draw = test_rand(seed);
	u128 value = (u128)test_rand(seed) << 64 | test_rand(seed);

	if (draw & 1)
		return ((u128)1 << (draw >> 8 & 127)) + (draw >> 16 & 3) - 2;
	return value >> (draw >> 8 & 127);
}

TEST(addr6_less)
{
	u64 seed = 1;
	u128 a, b;
	int i;

	for (i = 0; i < 200000; i++) {
		a = some_number(&seed);
		b = i % 8 ? some_number(&seed) : a;
		EQ(pgx_addr6_less(address(a), address(b)), a < b);
		EQ(pgx_addr6_set(address(a)), a != 0);
	}
	CHECK(!pgx_addr6_set(address(0)) && pgx_addr6_set(address((u128)1 << 64)));
}

static void walk(u128 min, u128 max, int nr)
{
	struct pgx_rand rand = { 1 };
	struct pgx_range6 range;
	u128 want = min;
	int i;

	test_note("%llx:%llx", address(min).hi, address(min).lo);
	memset(&range, 0xff, sizeof(range));
	pgx_range6_init(&range, address(min), address(max), false);
	CHECK(number(range.cur) == min);
	for (i = 0; i < nr; i++) {
		CHECK(number(pgx_range6_next(&range, &rand)) == want);
		CHECK(number(range.cur) == want);
		want = want >= max ? min : want + 1;
	}
	EQ(rand.state, 1);
}

TEST(range6_in_order)
{
	u64 seed = 2;
	u128 min;
	int i;

	walk(0, 0, 3);
	walk(7, 9, 10);
	walk(((u128)1 << 64) - 2, ((u128)1 << 64) + 2, 12);
	walk(MOST - 3, MOST, 10);
	walk(MOST, MOST, 3);
	/* An end before the beginning counts for nothing. */
	walk(9, 3, 4);
	walk((u128)5 << 64, ((u128)4 << 64) + 9, 4);
	for (i = 0; i < 20000; i++) {
		min = some_number(&seed);
		walk(min, MOST - min < 5 ? MOST : min + (test_rand(&seed) >> 61), 20);
	}
}

/* Of all addresses: the last is followed by the first. */
TEST(range6_of_everything)
{
	struct pgx_rand rand = { 1 };
	struct pgx_range6 range;

	pgx_range6_init(&range, address(0), address(MOST), false);
	range.next = address(MOST - 1);
	CHECK(number(pgx_range6_next(&range, &rand)) == MOST - 1);
	CHECK(number(pgx_range6_next(&range, &rand)) == MOST);
	CHECK(number(pgx_range6_next(&range, &rand)) == 0);
	CHECK(number(pgx_range6_next(&range, &rand)) == 1);
}

/* Each address of a small range comes about as often as any other. */
static void draw_all(u128 min, u32 nr)
{
	u32 count[40] = { 0 }, i;
	struct pgx_rand rand = { nr };
	struct pgx_range6 range;
	u128 offset;

	test_note("%u addresses", nr);
	pgx_range6_init(&range, address(min), address(min + nr - 1), true);
	CHECK(number(range.cur) == min);
	for (i = 0; i < 1000 * nr; i++) {
		offset = number(pgx_range6_next(&range, &rand)) - min;
		CHECK(offset < nr && number(range.cur) - min == offset);
		count[(u32)offset % 40]++;
	}
	for (i = 0; i < nr; i++)
		CHECK(count[i] > 800 && count[i] < 1200);
}

TEST(range6_at_random)
{
	u32 nr;

	for (nr = 1; nr <= 40; nr++) {
		draw_all(0, nr);
		draw_all(((u128)1 << 64) - nr / 2, nr);
		draw_all(((u128)0x20010db8 << 96) + 1, nr);
		draw_all(MOST - nr + 1, nr);
	}
}

/*
 * One more than a power of two: half of the draws are too large, so that all sixteen are so once in
 * 65536 times.
 */
static void draw_hard(u128 min, u128 span)
{
	struct pgx_rand rand = { 3 };
	struct pgx_range6 range;
	u32 upper = 0, i;
	u128 offset;

	test_note("span %llx:%llx", address(span).hi, address(span).lo);
	pgx_range6_init(&range, address(min), address(min + span), true);
	for (i = 0; i < 200000; i++) {
		offset = number(pgx_range6_next(&range, &rand)) - min;
		CHECK(offset <= span);
		upper += offset > span / 2;
	}
	CHECK(span < 1000 || (upper > 99000 && upper < 101000));
}

TEST(range6_draws_that_end)
{
	int bit;

	for (bit = 1; bit < 128; bit += 6)
		draw_hard(bit % 4, (u128)1 << bit);
	draw_hard((u128)1 << 127, MOST >> 1);
	draw_hard(0, MOST);
	draw_hard(12345, MOST - 12345);
	draw_hard(MOST, 0);
}

TEST(range6_random_bounds)
{
	struct pgx_rand rand = { 4 };
	struct pgx_range6 range;
	u128 a, b, got;
	u64 seed = 4;
	int i;

	for (i = 0; i < 200000; i++) {
		a = some_number(&seed);
		b = some_number(&seed);
		pgx_range6_init(&range, address(a), address(b), true);
		got = number(pgx_range6_next(&range, &rand));
		CHECK(got >= a && got <= (b > a ? b : a));
	}
}
