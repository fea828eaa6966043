// SPDX-License-Identifier: GPL-2.0
/* Headers of a frame: what stands where, and their checksums. */
#include "traffic.h"

#define HEAD_LEN	58	/* Ethernet, IPv4, UDP, generator header */

static const u8 empty_head[HEAD_LEN] = {
	[12] = 0x08, [13] = 0x00,			/* IPv4 */
	[14] = 0x45, [22] = 32, [23] = 17,		/* version and length, TTL, UDP */
	[42] = 0xbe, [43] = 0x9b, [44] = 0xe9, [45] = 0x55,
};

/* The headers of default settings, into memory that held something else */
static void write_plain(struct pgx_packet *pkt)
{
	struct pgx_config cfg;

	pgx_config_init(&cfg);
	memset(pkt, 0xff, sizeof(*pkt));
	pgx_head_write(pkt, &cfg);
	pkt->csum = PGX_CSUM_NONE;
}

TEST(head_of_defaults)
{
	struct pgx_packet pkt;

	write_plain(&pkt);
	CHECK(!memcmp(pkt.head, empty_head, sizeof(empty_head)));
	EQ(pkt.protocol, 0x0800);
	EQ(pkt.size, U32_MAX);
}

/* What differs from a frame without values is these bytes at this place. */
static void differs_at(const struct pgx_packet *pkt, size_t at, const char *bytes, size_t len)
{
	u8 want[HEAD_LEN];

	memcpy(want, empty_head, sizeof(want));
	memcpy(want + at, bytes, len);
	CHECK(!memcmp(pkt->head, want, sizeof(want)));
}

static void writes(enum pgx_field field, u32 value, size_t at, const char *bytes, size_t len)
{
	struct pgx_packet pkt;

	test_note("field %d", field);
	write_plain(&pkt);
	pkt.size = 58;
	pkt.queue = 5;
	pgx_field_write(&pkt, field, value);
	differs_at(&pkt, at, bytes, len);
	EQ(pkt.size, 58);
	EQ(pkt.queue, 5);
}

TEST(head_write)
{
	struct pgx_packet pkt;

	writes(PGX_SADDR, 0x01020304, 26, "\x01\x02\x03\x04", 4);
	writes(PGX_DADDR, 0xfffefdfc, 30, "\xff\xfe\xfd\xfc", 4);
	writes(PGX_SPORT, 0x1234, 34, "\x12\x34", 2);
	writes(PGX_DPORT, 0xfffe, 36, "\xff\xfe", 2);
	write_plain(&pkt);
	pgx_field_write(&pkt, PGX_QUEUE, 65535);
	EQ(pkt.queue, 65535);
	differs_at(&pkt, 0, "", 0);
}

TEST(head_stamp)
{
	struct pgx_flow flow = { };
	struct pgx_packet pkt;

	write_plain(&pkt);
	traffic_write(&flow, &pkt, 0x01020304, 0x8090a0b0, 999999);
	memset(pkt.head + 24, 0, 2);
	differs_at(&pkt, 46, "\x01\x02\x03\x04\x80\x90\xa0\xb0\x00\x0f\x42\x3f", 12);
}

TEST(head_size_every)
{
	struct pgx_packet pkt;
	u32 size;

	write_plain(&pkt);
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

/* An IPv4 header of constant values */
static void seal(struct pgx_packet *pkt, u16 id)
{
	struct pgx_flow flow = { .ip_id = id };

	pgx_batch_setup(&flow, pkt);
	traffic_write(&flow, pkt, 0, 0, 0);
}

static void seals(u64 *seed, u32 saddr, u32 daddr, u32 size, u16 id)
{
	struct pgx_packet pkt;

	write_plain(&pkt);
	pgx_field_write(&pkt, PGX_SADDR, saddr);
	pgx_field_write(&pkt, PGX_DADDR, daddr);
	pgx_field_write(&pkt, PGX_SIZE, size);
	/* An old checksum is in the way at times. */
	pkt.head[24] = test_rand(seed);
	pkt.head[25] = test_rand(seed);
	seal(&pkt, id);
	EQ(header_sum(pkt.head + 14), 65535);
	EQ(pkt.head[18] * 256 + pkt.head[19], id);
}

TEST(head_seal)
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
TEST(head_seal_known_header)
{
	struct pgx_packet pkt;

	write_plain(&pkt);
	pgx_field_write(&pkt, PGX_SADDR, 0xc0a80001);
	pgx_field_write(&pkt, PGX_DADDR, 0xc0a800c7);
	pgx_field_write(&pkt, PGX_SIZE, 114);
	seal(&pkt, 0);
	EQ(pkt.head[24] * 256 + pkt.head[25],
	   65535 - (0x4500 + 0x64 + 0x2011 + 2 * 0xc0a8 + 0xc8) % 65535);
}
