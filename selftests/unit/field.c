// SPDX-License-Identifier: GPL-2.0
/* Random numbers, ranges, and the bytes of a frame. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "test.h"
#include "traffic/traffic.h"

/* SplitMix64 whole, after its paper; the code under test keeps the upper half. */
static u64 splitmix(u64 *state)
{
	u64 z;

	*state += 11400714819323198485ULL;
	z = *state;
	z ^= z >> 30;
	z *= 13787848793156543929ULL;
	z ^= z >> 27;
	z *= 10723151780598845931ULL;
	z ^= z >> 31;
	return z;
}

TEST(rand_known_numbers)
{
	static const u64 known[] = { 6457827717110365317ULL, 3203168211198807973ULL };
	struct pgx_rand rand = { 1234567 };
	u64 state = 1234567;
	int i;

	for (i = 0; i < 2; i++) {
		EQ(splitmix(&state), known[i]);
		EQ(pgx_rand_next(&rand), known[i] >> 32);
	}
	for (i = 0; i < 100000; i++)
		EQ(pgx_rand_next(&rand), splitmix(&state) >> 32);
}

TEST(rand_same_seed_same_numbers)
{
	struct pgx_rand a = { 42 }, b = { 42 }, c = { 43 };
	int i, differ = 0;

	for (i = 0; i < 1000; i++) {
		u32 value = pgx_rand_within(&a, 5, 500000);

		EQ(pgx_rand_within(&b, 5, 500000), value);
		differ += pgx_rand_within(&c, 5, 500000) != value;
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
		value = pgx_rand_within(&rand, min, min + nr - 1);
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

	EQ(pgx_rand_within(&rand, 9, 9), 9);
	EQ(pgx_rand_within(&rand, U32_MAX, U32_MAX), U32_MAX);
	rand = again;
	for (i = 0; i < 1000; i++)
		EQ(pgx_rand_within(&rand, 0, U32_MAX), pgx_rand_next(&again));
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

static const u8 empty_head[PGX_HEAD_LEN] = {
	[12] = 0x08, [13] = 0x00,			/* IPv4 */
	[14] = 0x45, [22] = 32, [23] = 17,		/* version and length, TTL, UDP */
	[42] = 0xbe, [43] = 0x9b, [44] = 0xe9, [45] = 0x55,
};

TEST(field_skeleton)
{
	struct pgx_packet pkt;

	memset(&pkt, 0xff, sizeof(pkt));
	pgx_field_skeleton(pkt.head);
	CHECK(!memcmp(pkt.head, empty_head, sizeof(empty_head)));
	EQ(pkt.size, U32_MAX);
}

/* What differs from a frame without values is these bytes at this place. */
static void differs_at(const struct pgx_packet *pkt, size_t at, const char *bytes, size_t len)
{
	u8 want[PGX_HEAD_LEN];

	memcpy(want, empty_head, sizeof(want));
	memcpy(want + at, bytes, len);
	CHECK(!memcmp(pkt->head, want, sizeof(want)));
}

static void writes(enum pgx_field field, u32 value, size_t at, const char *bytes, size_t len)
{
	struct pgx_packet pkt = { .size = 58, .queue = 5 };

	test_note("field %d", field);
	pgx_field_skeleton(pkt.head);
	pgx_field_write(&pkt, field, value);
	differs_at(&pkt, at, bytes, len);
	EQ(pkt.size, 58);
	EQ(pkt.queue, 5);
}

TEST(field_write)
{
	struct pgx_packet pkt = { .size = 58 };

	writes(PGX_SADDR, 0x01020304, 26, "\x01\x02\x03\x04", 4);
	writes(PGX_DADDR, 0xfffefdfc, 30, "\xff\xfe\xfd\xfc", 4);
	writes(PGX_SPORT, 0x1234, 34, "\x12\x34", 2);
	writes(PGX_DPORT, 0xfffe, 36, "\xff\xfe", 2);
	pgx_field_skeleton(pkt.head);
	pgx_field_write(&pkt, PGX_QUEUE, 65535);
	EQ(pkt.queue, 65535);
	differs_at(&pkt, 0, "", 0);
}

TEST(field_stamp)
{
	struct pgx_packet pkt;

	pgx_field_skeleton(pkt.head);
	pgx_field_stamp(pkt.head, 0x01020304, 0x8090a0b0, 999999);
	differs_at(&pkt, 46, "\x01\x02\x03\x04\x80\x90\xa0\xb0\x00\x0f\x42\x3f", 12);
}

TEST(field_size_every)
{
	struct pgx_packet pkt;
	u32 size;

	pgx_field_skeleton(pkt.head);
	for (size = 58; size <= 65549; size++) {
		test_note("size %u", size);
		pgx_field_write(&pkt, PGX_SIZE, size);
		EQ(pkt.size, size);
		/* Without 14 of Ethernet, then without 20 of IPv4 */
		EQ(pkt.head[16] * 256 + pkt.head[17], size - 14);
		EQ(pkt.head[38] * 256 + pkt.head[39], size - 34);
		EQ(pkt.head[40] + pkt.head[41], 0);
	}
}

/* RFC 1071: with its checksum in place the words of a header add up to all ones. */
static u32 header_sum(const u8 *ip)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < 20; i++)
		sum += i % 2 ? ip[i] : (u64)ip[i] * 256;
	while (sum >= 65536)
		sum = sum % 65536 + sum / 65536;
	return sum;
}

static void seals(u64 *seed, u32 saddr, u32 daddr, u32 size, u16 id)
{
	struct pgx_packet pkt;

	pgx_field_skeleton(pkt.head);
	pgx_field_write(&pkt, PGX_SADDR, saddr);
	pgx_field_write(&pkt, PGX_DADDR, daddr);
	pgx_field_write(&pkt, PGX_SIZE, size);
	/* An old checksum is in the way at times. */
	pkt.head[24] = test_rand(seed);
	pkt.head[25] = test_rand(seed);
	pgx_field_seal(&pkt, id);
	EQ(header_sum(pkt.head + 14), 65535);
	EQ(pkt.head[18] * 256 + pkt.head[19], id);
}

TEST(field_seal)
{
	u64 seed = 1, draw;
	int i;

	seals(&seed, 0, 0, 58, 0);
	seals(&seed, U32_MAX, U32_MAX, 65549, 65535);
	seals(&seed, U32_MAX, U32_MAX, 58, 0);
	for (i = 0; i < 300000; i++) {
		draw = test_rand(&seed);
		seals(&seed, draw >> 32, draw, 58 + test_rand(&seed) % 65492, test_rand(&seed));
	}
	for (i = 0; i < 65536; i++)
		seals(&seed, 0xc0a80001, 0xc0a800c7, 115, i);
}

/* The words of a header, added by hand: 4500 + 0064 + 2011 + c0a8 + 0001 + c0a8 + 00c7 */
TEST(field_seal_known_header)
{
	struct pgx_packet pkt;

	pgx_field_skeleton(pkt.head);
	pgx_field_write(&pkt, PGX_SADDR, 0xc0a80001);
	pgx_field_write(&pkt, PGX_DADDR, 0xc0a800c7);
	pgx_field_write(&pkt, PGX_SIZE, 114);
	pgx_field_seal(&pkt, 0);
	EQ(pkt.head[24] * 256 + pkt.head[25],
	   65535 - (0x4500 + 0x64 + 0x2011 + 2 * 0xc0a8 + 0xc8) % 65535);
}
