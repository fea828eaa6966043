// SPDX-License-Identifier: GPL-2.0
/*
 * Ten thousand million packets, more than 32 bits count: what is kept for a packet, and what is made of it. They come in
 * bursts of 65536, or by turns of a walk that is proven to be where it was after each.
 */
#include <string.h>
#include "measure/measure.h"
#include "traffic.h"

#define LARGE	10000000000ULL
#define BURST	65536

static void add_large(struct pgx_stats *stats, u32 size, u32 mix, u64 pkts)
{
	struct pgx_tally tally = { .mix = mix };

	for (; pkts; pkts -= tally.pkts) {
		tally.pkts = pkts < BURST ? pkts : BURST;
		tally.numbers = tally.pkts;
		tally.bytes = (u64)tally.pkts * size;
		pgx_stats_add(stats, &tally);
	}
}

static const char *text_of(const struct pgx_snapshot *snap)
{
	static char buf[1024];
	struct pgx_text text;

	pgx_text_init(&text, buf, sizeof(buf));
	pgx_result_run(&text, snap);
	pgx_text_add(&text, "\n");
	pgx_result_current(&text, snap);
	return buf;
}

/*
 * At 14880952 packets a second they take 672000002.69 us, and a nanosecond less makes no packet more. 10^10 is
 * 2 * 2^32 + 1410065408, so the next number on the wire is 1410065409.
 */
TEST(large_counts)
{
	struct pgx_snapshot snap = { .started = 1000, .stopped = 1000 + 672000002688ULL, .size = 60 };
	struct pgx_stats stats = { };

	pgx_stats_init(&stats);
	add_large(&stats, 60, 0, LARGE);
	pgx_stats_copy(&stats, &snap);
	EQ(snap.pkts, LARGE);
	EQ(snap.bytes, 600000000000ULL);
	EQ(snap.seq, 1410065409);
	EQ(snap.mix[0], LARGE);
	CHECK(strstr(text_of(&snap), "OK: 672000002(c672000002+d0) usec, 10000000000 (60byte,0frags)\n"
				     "  14880952pps 7142Mb/sec (7142856960bps) errors: 0\n"));
	CHECK(strstr(text_of(&snap), "pkts-sofar: 10000000000  errors: 0\n"));
	CHECK(strstr(text_of(&snap), "seq_num: 1410065409 "));
}

/* The largest frames, in 10^5 s: 65549 * 8 bits, 10^5 of them a second. */
TEST(large_frames)
{
	struct pgx_snapshot snap = { .started = 1, .stopped = 100000000000001ULL, .size = 65549 };
	struct pgx_stats stats = { };

	pgx_stats_init(&stats);
	add_large(&stats, 65549, 0, LARGE);
	pgx_stats_copy(&stats, &snap);
	EQ(snap.bytes, 655490000000000ULL);
	CHECK(strstr(text_of(&snap), "  100000pps 52439Mb/sec (52439200000bps) errors: 0\n"));
}

/* Seven, four and one in twelve of 10^10 + 8 packets, 833333334 cycles. */
TEST(large_mix)
{
	static const u32 size[] = { 64, 576, 1500 }, weight[] = { 7, 4, 1 };
	struct pgx_snapshot snap = { .started = 1, .stopped = 1000000001, .nr_mix = 3 };
	struct pgx_stats stats = { };
	u64 bytes = 0;
	int i;

	pgx_stats_init(&stats);
	for (i = 0; i < 3; i++) {
		add_large(&stats, size[i], i, weight[i] * 833333334ULL);
		bytes += size[i] * (weight[i] * 833333334ULL);
		snap.mix_size[i] = size[i];
	}
	pgx_stats_copy(&stats, &snap);
	EQ(snap.pkts, LARGE + 8);
	EQ(snap.bytes, bytes);
	CHECK(strstr(text_of(&snap),
		     "imix_size_counts: 64,5833333338 576,3333333336 1500,833333334 \n"));
}

/*
 * A walk through a range is back where it was after as many steps as the range has values. So after 10^10 steps it
 * stands where the remainder puts it: 10^10 mod 65521 is 53938, 10^10 mod 997 is 270.
 */
TEST(large_walk)
{
	static const struct { u32 values, rest; } walk[] = { { 65521, 53938 }, { 997, 270 } };
	struct pgx_rand rand = { };
	struct pgx_range range, begin;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(walk); i++) {
		EQ(LARGE % walk[i].values, walk[i].rest);
		pgx_range_init(&range, 4000000000U, 4000000000U + walk[i].values - 1, false);
		begin = range;
		for (n = 0; n < walk[i].values; n++)
			EQ(pgx_range_next(&range, &rand), 4000000000U + n);
		CHECK(range.next == begin.next && range.min == begin.min && range.max == begin.max);
	}
}

/* The same for a mix: after a cycle of 12 it is where it was, each size as often as its weight says. */
TEST(large_mix_walk)
{
	static const struct pgx_config cfg = {
		.nr_imix = 3, .imix = { { 64, 7 }, { 576, 4 }, { 1500, 1 } }
	};
	u32 seen[3] = { 0 };
	struct pgx_mix mix = { };
	u64 pos;
	int i;

	pgx_mix_setup(&mix, &cfg);
	pos = mix.pos;
	for (i = 0; i < 12; i++) {
		pgx_mix_next(&mix);
		seen[mix.cur]++;
	}
	EQ(mix.pos, pos);
	EQ(seen[0], 7);
	EQ(seen[1], 4);
	EQ(seen[2], 1);
}
