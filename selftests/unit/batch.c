// SPDX-License-Identifier: GPL-2.0
/* Packets that are made together: the same as one after the other, with the sums that the RFCs ask for. */
#include <string.h>
#include "traffic.h"

static const char *const kinds[][8] = {
	{ "count 0" },
	{ "udp_src_min 1000", "udp_src_max 60000", "flag UDPSRC_RND" },
	{ "udp_src_min 1", "udp_src_max 65535", "udp_dst_max 12", "flag UDPCSUM" },
	{ "src_min 10.0.0.1", "src_max 10.0.0.200", "dst_min 1.0.0.0", "dst_max 240.0.0.0",
	  "flag IPDST_RND", "flag UDPCSUM" },
	{ "flows 7", "flowlen 3", "dst_min 10.0.0.1", "dst_max 10.0.9.0", "flag UDPCSUM UDPSRC_RND",
	  "udp_src_max 9000" },
	{ "dst6_min fd00::1", "dst6_max fd00::ffff", "src6_min fd00::1:0", "src6_max fd00::7:ffff:ffff",
	  "flag IPSRC_RND" },
	{ "dst6_min fd00::1", "dst6_max fd00::ffff", "flows 3", "flowlen 2", "flag FLOW_SEQ" },
	{ "min_pkt_size 60", "max_pkt_size 1500", "flag TXSIZE_RND UDPCSUM" },
	{ "imix_weights 64,7 576,4 1500,1", "flag UDPCSUM" },
	{ "vlan_id 5", "svlan_id 6", "flag VID_RND SVID_RND UDPCSUM" },
	{ "mpls 00010aff,00020aff", "flag MPLS_RND" },
	{ "src_mac_count 300", "dst_mac_count 70000", "flag MACDST_RND" },
};

/* Words as one adds them by hand, with the carries. */
static u32 add_words(const u8 *p, size_t len, u64 sum)
{
	size_t i;

	for (i = 0; i < len; i++)
		sum += i % 2 ? p[i] : (u64)p[i] * 256;
	while (sum >= 65536)
		sum = sum % 65536 + sum / 65536;
	return sum;
}

/* Behind the headers are zeros, which add nothing. */
static void sums_are_right(const struct traffic *traffic, const u8 *head)
{
	const struct pgx_layout *at = &traffic->pkt.at;
	const u8 *ip = head + at->ip, *udp = head + at->udp;
	u32 pseudo = 17 + be(udp + 4, 2);

	if (!at->v6)
		EQ(add_words(ip, 20, 0), 65535);
	if (traffic->pkt.csum == PGX_CSUM_NONE) {
		EQ(be(udp + 6, 2), 0);
		return;
	}
	pseudo = at->v6 ? add_words(ip + 8, 32, pseudo) : add_words(ip + 12, 8, pseudo);
	EQ(traffic->pkt.csum == PGX_CSUM_FULL ? add_words(udp, 24, pseudo) : be(udp + 6, 2),
	   traffic->pkt.csum == PGX_CSUM_FULL ? 65535 : pseudo);
}

static void together(struct traffic *many, struct traffic *one, u32 nr, u32 seq, bool timed)
{
	static u8 room[PGX_BATCH][PGX_HEAD_MAX];
	static struct pgx_batch batch;
	struct pgx_stamp stamp = { .seq = seq, .sec = 5, .usec = 7, .timed = timed };
	u8 *frame[PGX_BATCH];
	u32 i;

	for (i = 0; i < nr; i++) {
		frame[i] = room[i];
		memcpy(room[i], many->pkt.head, sizeof(room[i]));
	}
	batch.frame = frame;
	pgx_batch_write(&batch, nr, &many->flow, &many->pkt, &stamp);
	for (i = 0; i < nr; i++) {
		u8 *head = one->pkt.head;
		struct pgx_batch alone = { .frame = &head };

		pgx_batch_write(&alone, 1, &one->flow, &one->pkt, &stamp);
		stamp.seq++;
		CHECK(!memcmp(room[i], head, one->pkt.at.len));
		sums_are_right(many, room[i]);
		EQ(be(room[i] + many->pkt.at.stamp + 4, 4), seq + i);
		if (many->flow.mix.nr)
			EQ(batch.size[i], one->pkt.size);
	}
	EQ(many->pkt.size, one->pkt.size);
}

static void of_kind(const char *const *lines, u8 csum)
{
	static const u32 sizes[] = { 1, 2, 3, 4, 5, 7, 64, PGX_BATCH };
	static struct traffic many, one;
	u64 seed = 3;
	u32 i, nr, seq = 1;

	traffic_begin(&many, lines);
	traffic_begin(&one, lines);
	if (many.pkt.csum != PGX_CSUM_NONE && csum != PGX_CSUM_NONE) {
		many.pkt.csum = csum;
		one.pkt.csum = csum;
		pgx_batch_setup(&many.flow, &many.pkt);
		pgx_batch_setup(&one.flow, &one.pkt);
	}
	/* so that identifications and checksums begin anew within batches */
	for (i = 0; i < 3000; i++) {
		nr = sizes[test_rand(&seed) % ARRAY_SIZE(sizes)];
		together(&many, &one, nr, seq, csum == PGX_CSUM_NONE);
		seq += nr;
	}
}

TEST(batch_is_one_after_the_other)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		test_note("%s", kinds[i][0]);
		of_kind(kinds[i], PGX_CSUM_NONE);
		of_kind(kinds[i], PGX_CSUM_PARTIAL);
	}
}

/* The same seed gives the same packets, another one others. */
TEST(batch_seed)
{
	static struct traffic a, b, c;
	u32 i, differ = 0;

	BEGIN(&a, "seed 7", "udp_src_max 60000", "flag UDPSRC_RND");
	BEGIN(&b, "seed 7", "udp_src_max 60000", "flag UDPSRC_RND", "udp_dst_max 99");
	BEGIN(&c, "seed 8", "udp_src_max 60000", "flag UDPSRC_RND");
	for (i = 0; i < 1000; i++) {
		u32 port = traffic_draw(&a, PGX_SPORT);

		EQ(traffic_draw(&b, PGX_SPORT), port);
		differ += traffic_draw(&c, PGX_SPORT) != port;
	}
	CHECK(differ > 990);
}
