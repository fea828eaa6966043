// SPDX-License-Identifier: GPL-2.0
/* Mixes of sizes: counted over whole cycles, and how evenly each size comes within one. */
#include "traffic.h"

#define MOST	4294967295U

static struct pgx_config mix_config(const u32 *weights, int nr)
{
	struct pgx_config cfg;
	int i;

	pgx_config_init(&cfg);
	cfg.nr_imix = nr;
	for (i = 0; i < nr; i++)
		cfg.imix[i] = (struct pgx_weight){ 1000 + i, weights[i] };
	return cfg;
}

static u64 sum(const u32 *weights, int nr)
{
	u64 total = 0;

	while (nr--)
		total += *weights++;
	return total;
}

/* Whether a size is at most so many packets ahead of its share or behind it */
static bool near_share(u64 count, u64 packets, u32 weight, u64 total, u32 most)
{
	__int128 off = (__int128)count * total - (__int128)packets * weight;

	return (off < 0 ? -off : off) <= (__int128)most * total;
}

/* All packets of a cycle, or the first of a longer one */
static void count_cycle(struct pgx_mix *mix, const u32 *weights, int nr, u32 most)
{
	u64 count[20] = { 0 }, total = sum(weights, nr), packets;
	int i, size;

	for (packets = 1; packets <= total && packets <= 300000; packets++) {
		size = pgx_mix_next(mix);
		CHECK(size - 1000 == mix->cur && mix->cur < nr);
		count[mix->cur]++;
		for (i = 0; i < nr; i++)
			CHECK(near_share(count[i], packets, weights[i], total, most));
	}
	for (i = 0; i < nr && packets > total; i++)
		EQ(count[i], weights[i]);
}

static void mixes(const u32 *weights, int nr, u32 most)
{
	struct pgx_config cfg = mix_config(weights, nr);
	struct pgx_mix mix;
	int cycle;

	memset(&mix, 0xff, sizeof(mix));
	pgx_mix_setup(&mix, &cfg);
	EQ(mix.nr, nr);
	EQ(mix.cur, 0);
	EQ(mix.total, sum(weights, nr));
	for (cycle = 0; cycle < (mix.total < 10000 ? 3 : 1); cycle++) {
		test_note("%d sizes, %llu packets, first weight %u, cycle %d", nr, mix.total,
			  weights[0], cycle);
		count_cycle(&mix, weights, nr, most);
		CHECK(mix.total > 300000 || mix.pos == 0);
	}
}

#define MIXES(most, ...)	\
	mixes((u32[]){ __VA_ARGS__ }, sizeof((u32[]){ __VA_ARGS__ }) / sizeof(u32), (most))

TEST(imix_known_tables)
{
	MIXES(1, 1);
	MIXES(1, 17);
	MIXES(1, 1, 1);
	MIXES(2, 7, 4, 1);
	MIXES(2, 58, 33, 9);
	MIXES(2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
	MIXES(3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
	MIXES(2, 100, 100, 100);
	MIXES(2, 1000, 1);
	MIXES(2, 1, 1000);
	MIXES(4, 99999, 1, 100000);
	/* Cycles near which there are few steps without a divisor in common */
	MIXES(3, 31, 277);
	MIXES(3, 1000, 155);
	MIXES(3, 15015, 15015);
	MIXES(4, 85085, 170170, 255255);
}

TEST(imix_all_pairs)
{
	u32 weights[2];

	for (weights[0] = 1; weights[0] <= 120; weights[0]++)
		for (weights[1] = 1; weights[1] <= 120; weights[1]++)
			mixes(weights, 2, 3);
}

TEST(imix_at_random)
{
	u32 weights[20];
	u64 seed = 20;
	int i, nr, round;

	for (round = 0; round < 600; round++) {
		nr = 1 + test_rand(&seed) % 20;
		for (i = 0; i < nr; i++)
			weights[i] = 1 + test_rand(&seed) % (1 << (test_rand(&seed) >> 60) / 2);
		mixes(weights, nr, 4);
	}
}

static u64 divisor(u64 a, u64 b)
{
	return b ? divisor(b, a % b) : a;
}

/*
 * A cycle that is too long to be counted is exact if its step has no divisor in common with it, for
 * then each place is met once; and if places follow one another as they should, also at its end.
 */
static void long_cycle(const u32 *weights, int nr)
{
	struct pgx_config cfg = mix_config(weights, nr);
	unsigned __int128 place;
	struct pgx_mix mix;
	u64 upto, i;
	int index;

	mixes(weights, nr, 8);
	pgx_mix_setup(&mix, &cfg);
	CHECK(mix.step && mix.step < mix.total);
	EQ(divisor(mix.total, mix.step), 1);
	mix.pos = mix.total - 1;
	for (i = 0, place = mix.pos; i < 1000; i++, place = (place + mix.step) % mix.total) {
		EQ(mix.pos, place);
		for (index = 0, upto = weights[0]; place >= upto; upto += weights[++index])
			;
		EQ(pgx_mix_next(&mix), 1000 + index);
		EQ(mix.cur, index);
	}
}

#define LONG_CYCLE(...)	\
	long_cycle((u32[]){ __VA_ARGS__ }, sizeof((u32[]){ __VA_ARGS__ }) / sizeof(u32))

TEST(imix_long_cycles)
{
	LONG_CYCLE(MOST, MOST, MOST, MOST, MOST, MOST, MOST, MOST, MOST, MOST, MOST, MOST, MOST,
		   MOST, MOST, MOST, MOST, MOST, MOST, MOST);
	LONG_CYCLE(MOST, 1);
	LONG_CYCLE(1, MOST);
	LONG_CYCLE(MOST, MOST);
	LONG_CYCLE(MOST, MOST - 1, MOST - 2);
	LONG_CYCLE(2147483648U, 2147483648U);
	LONG_CYCLE(3000000000U, 2000000000U, 1000000000U);
	LONG_CYCLE(1000000, 1000000, 1);
}

/* Without a mix there is nothing; a mix keeps nothing of the one before. */
TEST(imix_setup)
{
	struct pgx_config cfg = mix_config((u32[]){ 5, 6 }, 2);
	struct pgx_mix mix, again;

	pgx_mix_setup(&mix, &cfg);
	pgx_mix_next(&mix);
	pgx_mix_setup(&mix, &cfg);
	memset(&again, 0xff, sizeof(again));
	pgx_mix_setup(&again, &cfg);
	CHECK(!memcmp(&mix, &again, sizeof(mix)));
	cfg.nr_imix = 0;
	pgx_mix_setup(&mix, &cfg);
	EQ(mix.nr, 0);
	EQ(mix.total, 0);
}

static u32 length_in(const struct traffic *traffic)
{
	return be(traffic->pkt.head + 16, 2) + 14;
}

/* In packets: exact in each cycle, written into the headers, and no size below them */
TEST(imix_of_packets)
{
	struct traffic traffic;
	u32 count[2000];
	int cycle, i;

	BEGIN(&traffic, "imix_weights 42,7 576,4 1500,1", "udp_src_max 10");
	for (cycle = 0; cycle < 50; cycle++) {
		memset(count, 0, sizeof(count));
		for (i = 0; i < 12; i++) {
			traffic_next(&traffic);
			EQ(length_in(&traffic), traffic.pkt.size);
			count[traffic.pkt.size]++;
		}
		EQ(count[58], 7);
		EQ(count[576], 4);
		EQ(count[1500], 1);
	}
	EQ(entry_put(&traffic.entry, "imix_weights none"), 0);
	traffic_setup(&traffic);
	EQ(traffic_draw(&traffic, PGX_SIZE), 58);
	EQ(length_in(&traffic), 58);
}

/* Other settings change in the middle of a cycle, which goes on; a new mix begins anew. */
TEST(imix_keeps_its_place)
{
	struct traffic traffic;
	u32 count[3] = { 0 };
	int i;

	BEGIN(&traffic, "imix_weights 100,5 200,3");
	for (i = 0; i < 8; i++) {
		if (i == 5) {
			EQ(entry_put(&traffic.entry, "udp_dst_min 99"), 0);
			traffic_setup(&traffic);
			EQ(traffic.pkt.size, traffic.flow.mix.cur ? 200 : 100);
			EQ(length_in(&traffic), traffic.pkt.size);
		}
		count[traffic_draw(&traffic, PGX_SIZE) / 100]++;
	}
	EQ(count[1], 5);
	EQ(count[2], 3);
	traffic_next(&traffic);
	EQ(entry_put(&traffic.entry, "imix_weights 100,5 200,4"), 0);
	traffic_setup(&traffic);
	EQ(traffic.flow.mix.pos, 0);
	traffic_next(&traffic);
	pgx_flow_rewind(&traffic.flow);
	EQ(traffic.flow.mix.pos, 0);
}
