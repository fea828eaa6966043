// SPDX-License-Identifier: GPL-2.0
/* What else varies: IPv6 addresses, tags and labels; and what a packet's skb is to be. */
#include "traffic.h"

struct addresses {
	struct pgx_addr6	saddr, daddr;
};

static struct addresses next6(struct traffic *traffic)
{
	const u8 *ip = traffic->pkt.head + traffic_ip(&traffic->entry.cfg);

	traffic_next(traffic);
	EQ(ip[0] >> 4, 6);
	return (struct addresses){ { be(ip + 8, 8), be(ip + 16, 8) },
				   { be(ip + 24, 8), be(ip + 32, 8) } };
}

static void put(struct traffic *traffic, const char *line)
{
	EQ(entry_put(&traffic->entry, line), 0);
	traffic_setup(traffic);
}

/* The device's link-local address, unless there is another one or a range */
TEST(vary_source6)
{
	struct traffic traffic;
	struct addresses got;

	BEGIN(&traffic, "dst6 2001:db8::99");
	got = next6(&traffic);
	EQ(got.saddr.hi, 0xfe80000000000000);
	EQ(got.saddr.lo, 1);
	EQ(got.daddr.hi, 0x20010db800000000);
	EQ(got.daddr.lo, 0x99);
	EQ(traffic.flow.nr_varying, 0);
	put(&traffic, "src6 fd00::5");
	got = next6(&traffic);
	EQ(got.saddr.hi, 0xfd00000000000000);
	EQ(got.saddr.lo, 5);
	put(&traffic, "src6_min fd00::7");
	got = next6(&traffic);
	EQ(got.saddr.lo, 7);
	EQ(traffic.flow.nr_varying, 0);
	put(&traffic, "src6_max fd00::8");
	EQ(next6(&traffic).saddr.lo, 7);
	EQ(next6(&traffic).saddr.lo, 8);
	EQ(next6(&traffic).saddr.lo, 7);
	/* A single address takes the place of the range. */
	put(&traffic, "src6 fd00::9");
	EQ(next6(&traffic).saddr.lo, 9);
	EQ(next6(&traffic).saddr.lo, 9);
	/* None set: the device's again */
	put(&traffic, "src6 ::");
	EQ(next6(&traffic).saddr.hi, 0xfe80000000000000);
}

TEST(vary_ranges6_in_order)
{
	struct traffic traffic;
	struct addresses got;
	u32 i;

	BEGIN(&traffic, "dst6_min 2001:db8::ffff:ffff:ffff:fffe", "dst6_max 2001:db8:0:1::1",
	      "src6_min fd00::fffe", "src6_max fd00::1:0", "udp_src_min 1", "udp_src_max 5");
	EQ(traffic.flow.nr_varying, 3);
	for (i = 0; i < 1000; i++) {
		got = next6(&traffic);
		EQ(got.daddr.hi, 0x20010db800000000 + (i % 4 >= 2));
		EQ(got.daddr.lo, 0xfffffffffffffffe + i % 4);
		EQ(got.saddr.hi, 0xfd00000000000000);
		EQ(got.saddr.lo, 0xfffe + i % 3);
		EQ(traffic_value(&traffic, PGX_SPORT), 1 + i % 5);
	}
}

/* Other settings may change; a range that becomes another one begins anew. */
TEST(vary_ranges6_keep_their_place)
{
	struct traffic traffic;

	BEGIN(&traffic, "dst6_min 2001:db8::10", "dst6_max 2001:db8::19");
	EQ(next6(&traffic).daddr.lo, 0x10);
	EQ(next6(&traffic).daddr.lo, 0x11);
	put(&traffic, "pkt_size 200");
	EQ(next6(&traffic).daddr.lo, 0x12);
	put(&traffic, "dst6_max 2001:db8::1a");
	EQ(next6(&traffic).daddr.lo, 0x10);
	EQ(next6(&traffic).daddr.lo, 0x11);
	pgx_flow_rewind(&traffic.flow);
	EQ(next6(&traffic).daddr.lo, 0x10);
	put(&traffic, "flag IPDST_RND");
	next6(&traffic);
	put(&traffic, "flag !IPDST_RND");
	EQ(next6(&traffic).daddr.lo, 0x11);
	put(&traffic, "dst6_max 2001:db8::");
	EQ(next6(&traffic).daddr.lo, 0x10);
	EQ(next6(&traffic).daddr.lo, 0x10);
	EQ(traffic.flow.nr_varying, 0);
}

/* Both ends are drawn, and all between about as often; the other address stands still. */
TEST(vary_ranges6_at_random)
{
	u32 source[8] = { 0 }, dest[8] = { 0 }, i;
	struct traffic traffic;
	struct addresses got;

	BEGIN(&traffic, "dst6_min 2001:db8::f0", "dst6_max 2001:db8::f7",
	      "flag IPDST_RND IPSRC_RND", "src6_min fd00::ffff:ffff:ffff:fffc",
	      "src6_max fd00:0:0:1::3");
	for (i = 0; i < 8000; i++) {
		got = next6(&traffic);
		EQ(got.daddr.hi, 0x20010db800000000);
		EQ(got.daddr.lo & ~7ULL, 0xf0);
		dest[got.daddr.lo & 7]++;
		EQ(got.saddr.hi, got.saddr.lo < 4 ? 0xfd00000000000001 : 0xfd00000000000000);
		CHECK(got.saddr.lo + 4 < 8);
		source[(got.saddr.lo + 4) & 7]++;
	}
	for (i = 0; i < 8; i++)
		CHECK(dest[i] > 850 && dest[i] < 1150 && source[i] > 850 && source[i] < 1150);
}

/* Between the two kinds of addresses and back; nothing of one is left in the other's packets. */
TEST(vary_between_ip4_and_ip6)
{
	struct traffic traffic;

	BEGIN(&traffic, "dst 10.0.0.9", "src_min 10.0.0.8");
	EQ(traffic_draw(&traffic, PGX_DADDR), 0x0a000009);
	EQ(traffic.pkt.protocol, 0x0800);
	EQ(traffic.pkt.size, 58);
	put(&traffic, "dst6 2001:db8::1");
	EQ(traffic.pkt.protocol, 0x86dd);
	EQ(next6(&traffic).daddr.lo, 1);
	EQ(traffic.pkt.size, 78);
	EQ(traffic.pkt.csum, PGX_CSUM_FULL);
	put(&traffic, "flag !IPV6");
	EQ(traffic_draw(&traffic, PGX_DADDR), 0x0a000009);
	EQ(traffic_value(&traffic, PGX_SADDR), 0x0a000008);
	EQ(traffic.pkt.protocol, 0x0800);
	EQ(be(traffic.pkt.head + 40, 2), 0);
	EQ(be(traffic.pkt.head + 58, 8), 0);
}

/* 0 and 4095 are no VLANs; priority and CFI of a tag stay. */
static void draws_vlans(struct traffic *traffic, enum pgx_field field, u16 upper)
{
	u32 seen[4096] = { 0 }, i, all = 0;
	size_t at = field == PGX_SVID ? 14 : traffic_ip(&traffic->entry.cfg) - 4;

	for (i = 0; i < 100000; i++) {
		seen[traffic_draw(traffic, field)]++;
		EQ(be(traffic->pkt.head + at, 2) >> 12, upper);
	}
	EQ(seen[0] + seen[4095], 0);
	for (i = 1; i < 4095; i++)
		all += !!seen[i];
	CHECK(all > 4080 && seen[1] && seen[4094]);
}

TEST(vary_vlans_at_random)
{
	struct traffic traffic;

	BEGIN(&traffic, "vlan_id 0", "vlan_p 5", "vlan_cfi 1", "flag VID_RND");
	draws_vlans(&traffic, PGX_VID, 0xb);
	BEGIN(&traffic, "vlan_id 77", "svlan_id 88", "svlan_p 3", "flag SVID_RND");
	draws_vlans(&traffic, PGX_SVID, 6);
	EQ(traffic_value(&traffic, PGX_VID), 77);
	put(&traffic, "flag VID_RND !SVID_RND");
	draws_vlans(&traffic, PGX_VID, 0);
	EQ(traffic_value(&traffic, PGX_SVID), 88);
	/* Without a tag there is nothing to draw. */
	BEGIN(&traffic, "flag VID_RND SVID_RND");
	EQ(traffic.flow.nr_varying, 0);
	BEGIN(&traffic, "vlan_id 4095", "flag SVID_RND");
	SEES(&traffic, PGX_VID, 4095, 4095);
}

/* Bits of a label that were 1 and those that were 0, of packets that were drawn */
struct bits {
	u32	ones;
	u32	zeros;
};

static void draw_labels(struct traffic *traffic, struct bits *bits, int nr)
{
	u32 word;
	int i, round;

	memset(bits, 0, nr * sizeof(*bits));
	for (round = 0; round < 2000; round++) {
		traffic_next(traffic);
		for (i = 0; i < nr; i++) {
			word = be(traffic->pkt.head + 14 + 4 * i, 4);
			EQ(word >> 8 & 1, i == nr - 1);
			bits[i].ones |= word;
			bits[i].zeros |= ~word;
		}
	}
}

/* A drawn word has all of its 20 label bits drawn, and none of the others. */
static void sees_drawn(const struct bits *bits, u32 word)
{
	EQ(bits->ones >> 12, 0xfffff);
	EQ(bits->zeros >> 12, 0xfffff);
	EQ(bits->ones & 0xeff, word & 0xeff);
	EQ(bits->zeros & 0xeff, ~word & 0xeff);
}

static void sees_fixed(const struct bits *bits, u32 word)
{
	EQ(bits->ones & ~0x100U, word & ~0x100U);
	EQ(bits->zeros & ~0x100U, ~word & ~0x100U);
}

TEST(vary_labels_that_are_marked)
{
	struct traffic traffic;
	struct bits bits[4];

	BEGIN(&traffic, "mpls 0001000a,00020140,00030c3f,00000100");
	CHECK(traffic.entry.cfg.flags & PGX_F_MPLS_RND);
	draw_labels(&traffic, bits, 4);
	sees_fixed(&bits[0], 0x0001000a);
	sees_drawn(&bits[1], 0x00020140);
	sees_fixed(&bits[2], 0x00030c3f);
	sees_drawn(&bits[3], 0x00000100);
	/* Without the flag they are as they were given. */
	put(&traffic, "flag !MPLS_RND");
	EQ(traffic.flow.nr_varying, 0);
	draw_labels(&traffic, bits, 4);
	sees_fixed(&bits[1], 0x00020140);
	sees_fixed(&bits[3], 0x00000100);
}

TEST(vary_labels_without_a_mark)
{
	struct traffic traffic;
	struct bits bits[16];
	int i;

	BEGIN(&traffic, "mpls 1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,fffffeff");
	EQ(traffic.flow.nr_varying, 0);
	draw_labels(&traffic, bits, 16);
	for (i = 0; i < 15; i++)
		sees_fixed(&bits[i], i + 1);
	sees_fixed(&bits[15], 0xfffffeff);
	/* The flag alone draws nothing: it is about words that ask for it. */
	put(&traffic, "flag MPLS_RND");
	EQ(traffic.flow.nr_varying, 0);
	draw_labels(&traffic, bits, 16);
	for (i = 0; i < 15; i++)
		sees_fixed(&bits[i], i + 1);
	sees_fixed(&bits[15], 0xfffffeff);
	/* Without labels there is nothing to draw. */
	put(&traffic, "mpls 0");
	EQ(traffic.flow.nr_varying, 0);
	EQ(traffic_draw(&traffic, PGX_SIZE), 58 + 64);
	EQ(traffic.pkt.protocol, 0x0800);
}

TEST(vary_nothing_of_the_skb)
{
	struct traffic traffic;

	BEGIN(&traffic, "count 1");
	EQ(traffic.pkt.frags, 0);
	EQ(traffic.pkt.priority, 0);
	EQ(traffic.pkt.node, 0xffff);
	EQ(traffic.pkt.csum, PGX_CSUM_NONE);
	BEGIN(&traffic, "frags 5", "skb_priority 0xdeadbeef", "node 2");
	EQ(traffic.pkt.frags, 5);
	EQ(traffic.pkt.priority, 0xdeadbeef);
	/* The node counts with its flag only. */
	EQ(traffic.pkt.node, 0xffff);
	put(&traffic, "flag NODE");
	EQ(traffic.pkt.node, 2);
	put(&traffic, "node -1");
	EQ(traffic.pkt.node, 0xffff);
}

/* The shortest frame is that of the headers; with labels, tags and IPv6 it is longer. */
static void shortest(const char *first, const char *second, const char *third, u32 size)
{
	struct traffic traffic;

	BEGIN(&traffic, first, second, third);
	test_note("%s, %s, %s", first, second, third);
	EQ(traffic_draw(&traffic, PGX_SIZE), size);
	EQ(traffic.entry.cfg.min_pkt_size, size);
	EQ(traffic.entry.cfg.max_pkt_size, size);
}

TEST(vary_shortest_frames)
{
	shortest("pkt_size 42", "count 0", "count 0", 58);
	shortest("pkt_size 42", "vlan_id 1", "count 0", 62);
	shortest("count 0", "vlan_id 1", "svlan_id 1", 66);
	shortest("pkt_size 42", "dst6 ::1", "count 0", 78);
	shortest("pkt_size 42", "dst6 ::1", "vlan_id 1", 82);
	shortest("mpls 1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,10", "count 0", "count 0", 122);
	shortest("mpls 1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,10", "src6 ::1", "pkt_size 60", 142);
	shortest("pkt_size 142", "dst6 ::1", "mpls 1", 142);
}
