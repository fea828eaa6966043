// SPDX-License-Identifier: GPL-2.0
/* Which values one packet after another has. */
#include "traffic.h"

#define HEAD_LEN	58	/* Ethernet, IPv4, UDP, generator header */

/* The words' sum: 4500 + 0056 + 1 + 2011 + 0a01 + 0203 + 0a09 + 0807; its complement is 7c83. */
TEST(flow_every_byte)
{
	static const u8 want[HEAD_LEN] = {
		0x02, 0, 0, 0, 0, 0x01, 0x02, 0, 0, 0, 0, 0x02, 0x08, 0x00,
		0x45, 0, 0x00, 0x56, 0x00, 0x01, 0, 0, 0x20, 0x11, 0x7c, 0x83,
		0x0a, 0x09, 0x08, 0x07, 0x0a, 0x01, 0x02, 0x03,
		0x00, 0x09, 0x01, 0x00, 0x00, 0x42, 0, 0,
		0xbe, 0x9b, 0xe9, 0x55, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3,
	};
	struct traffic traffic;

	BEGIN(&traffic, "dst 10.1.2.3", "src_min 10.9.8.7", "dst_mac 02:00:00:00:00:01",
	      "src_mac 02:00:00:00:00:02", "pkt_size 100", "udp_dst_min 256");
	traffic_next(&traffic);
	EQ(be(traffic.pkt.head + 18, 2), 0);
	traffic_next(&traffic);
	CHECK(!memcmp(traffic.pkt.head, want, sizeof(want)));
	EQ(traffic.pkt.size, 100);
	EQ(traffic.flow.nr_varying, 0);
}

TEST(flow_device_fills_in)
{
	struct traffic traffic;

	BEGIN(&traffic, "dst 10.1.2.3");
	traffic_next(&traffic);
	CHECK(!memcmp(traffic.pkt.head + 6, traffic.entry.facts.mac, 6));
	EQ(traffic_value(&traffic, PGX_SADDR), 0x0a000001);
	EQ(traffic.pkt.size, 58);
}

/* A last source address without a first one leaves the device's. */
TEST(flow_source_without_first)
{
	struct traffic traffic;

	BEGIN(&traffic, "src_max 10.1.2.3", "flag IPSRC_RND");
	EQ(traffic.flow.nr_varying, 0);
	SEES(&traffic, PGX_SADDR, 0x0a000001, 0x0a000001);
}

TEST(flow_ranges_in_order)
{
	struct traffic traffic;

	BEGIN(&traffic, "udp_src_min 100", "udp_src_max 102");
	SEES(&traffic, PGX_SPORT, 100, 101, 102, 100, 101);
	BEGIN(&traffic, "udp_dst_min 65534", "udp_dst_max 65535");
	SEES(&traffic, PGX_DPORT, 65534, 65535, 65534);
	BEGIN(&traffic, "src_min 10.0.0.254", "src_max 10.0.1.0");
	SEES(&traffic, PGX_SADDR, 0x0a0000fe, 0x0a0000ff, 0x0a000100, 0x0a0000fe);
	BEGIN(&traffic, "dst_min 255.255.255.254", "dst_max 255.255.255.255");
	SEES(&traffic, PGX_DADDR, 0xfffffffe, 0xffffffff, 0xfffffffe);
	BEGIN(&traffic, "min_pkt_size 60", "max_pkt_size 62");
	SEES(&traffic, PGX_SIZE, 60, 61, 62, 60);
	BEGIN(&traffic, "queue_map_min 3", "queue_map_max 4");
	SEES(&traffic, PGX_QUEUE, 3, 4, 3);
	BEGIN(&traffic, "src_mac 02:00:00:00:00:fe", "src_mac_count 3");
	SEES(&traffic, PGX_SMAC, 0xfe, 0xff, 0x100, 0xfe);
	BEGIN(&traffic, "dst_mac 02:00:00:00:00:fe", "dst_mac_count 2");
	SEES(&traffic, PGX_DMAC, 0xfe, 0xff, 0xfe);
}

TEST(flow_ranges_of_one)
{
	struct traffic traffic;

	BEGIN(&traffic, "udp_src_min 100", "udp_src_max 50", "src_mac_count 1", "dst_mac_count 0",
	      "dst_min 10.0.0.9", "dst_max 10.0.0.3", "queue_map_min 5", "queue_map_max 2",
	      "pkt_size 90");
	EQ(traffic.flow.nr_varying, 0);
	SEES(&traffic, PGX_SPORT, 100, 100);
	SEES(&traffic, PGX_DADDR, 0x0a000009, 0x0a000009);
	SEES(&traffic, PGX_QUEUE, 5, 5);
	SEES(&traffic, PGX_SIZE, 90, 90);
}

/* All ranges together, each at its own pace */
TEST(flow_ranges_are_independent)
{
	struct traffic traffic;
	u32 i;

	BEGIN(&traffic, "udp_src_min 10", "udp_src_max 11", "udp_dst_min 20", "udp_dst_max 22",
	      "src_min 1.0.0.0", "src_max 1.0.0.4", "dst_min 2.0.0.0", "dst_max 2.0.0.6",
	      "min_pkt_size 60", "max_pkt_size 70", "queue_map_max 7", "src_mac_count 13",
	      "dst_mac_count 17", "src_mac 02:00:00:00:00:01");
	EQ(traffic.flow.nr_varying, 8);
	for (i = 0; i < 10000; i++) {
		traffic_next(&traffic);
		EQ(traffic_value(&traffic, PGX_SPORT), 10 + i % 2);
		EQ(traffic_value(&traffic, PGX_DPORT), 20 + i % 3);
		EQ(traffic_value(&traffic, PGX_SADDR), 0x01000000 + i % 5);
		EQ(traffic_value(&traffic, PGX_DADDR), 0x02000000 + i % 7);
		EQ(traffic_value(&traffic, PGX_SIZE), 60 + i % 11);
		EQ(traffic_value(&traffic, PGX_QUEUE), i % 8);
		EQ(traffic_value(&traffic, PGX_SMAC), 1 + i % 13);
		EQ(traffic_value(&traffic, PGX_DMAC), i % 17);
	}
}

/* Draws stay inside and reach both ends. */
static void draws(struct traffic *traffic, enum pgx_field field, u32 min, u32 max)
{
	bool low = false, high = false, order = true;
	u32 value, last = min - 1;
	int i;

	for (i = 0; i < 1000; i++) {
		value = traffic_draw(traffic, field);
		CHECK(value >= min && value <= max);
		low |= value == min;
		high |= value == max;
		order &= value == (last == max ? min : last + 1);
		last = value;
	}
	CHECK(low && high && !order);
}

TEST(flow_ranges_at_random)
{
	struct traffic traffic;

	BEGIN(&traffic, "udp_src_min 100", "udp_src_max 105", "flag UDPSRC_RND");
	draws(&traffic, PGX_SPORT, 100, 105);
	BEGIN(&traffic, "udp_dst_min 65530", "udp_dst_max 65535", "flag UDPDST_RND");
	draws(&traffic, PGX_DPORT, 65530, 65535);
	BEGIN(&traffic, "src_min 127.0.0.1", "src_max 127.0.0.6", "flag IPSRC_RND");
	draws(&traffic, PGX_SADDR, 0x7f000001, 0x7f000006);
	BEGIN(&traffic, "dst_min 10.0.0.1", "dst_max 10.0.0.6", "flag IPDST_RND");
	draws(&traffic, PGX_DADDR, 0x0a000001, 0x0a000006);
	BEGIN(&traffic, "min_pkt_size 60", "max_pkt_size 65", "flag TXSIZE_RND");
	draws(&traffic, PGX_SIZE, 60, 65);
	BEGIN(&traffic, "queue_map_max 5", "flag QUEUE_MAP_RND");
	draws(&traffic, PGX_QUEUE, 0, 5);
	BEGIN(&traffic, "src_mac 02:00:00:00:00:01", "src_mac_count 6", "flag MACSRC_RND");
	draws(&traffic, PGX_SMAC, 1, 6);
	BEGIN(&traffic, "dst_mac_count 6", "flag MACDST_RND");
	draws(&traffic, PGX_DMAC, 0, 5);
}

static bool is_special(u32 addr)
{
	return addr < 0x01000000 || (addr >= 0x7f000000 && addr < 0x80000000) ||
	       (addr >= 0xe0000000 && addr < 0xf0000000) || addr == 0xffffffff;
}

static u32 special_of(struct traffic *traffic, u32 nr)
{
	u32 special = 0;

	while (nr--)
		special += is_special(traffic_draw(traffic, PGX_DADDR));
	return special;
}

/* 18 of 256 first bytes are special: eight draws in a row are so less than once in 10^9. */
TEST(flow_random_daddr_of_everywhere)
{
	struct traffic traffic;

	BEGIN(&traffic, "dst_min 0.0.0.1", "dst_max 255.255.255.255", "flag IPDST_RND");
	EQ(special_of(&traffic, 300000), 0);
}

/* One of two is special: all eight draws are so once in 256 packets. */
TEST(flow_random_daddr_at_the_edges)
{
	static const char *const edges[][2] = {
		{ "dst_min 0.255.255.255", "dst_max 1.0.0.0" },
		{ "dst_min 126.255.255.255", "dst_max 127.0.0.0" },
		{ "dst_min 127.255.255.255", "dst_max 128.0.0.0" },
		{ "dst_min 223.255.255.255", "dst_max 224.0.0.0" },
		{ "dst_min 239.255.255.255", "dst_max 240.0.0.0" },
		{ "dst_min 255.255.255.254", "dst_max 255.255.255.255" },
	};
	struct traffic traffic;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(edges); i++) {
		BEGIN(&traffic, edges[i][0], edges[i][1], "flag IPDST_RND");
		CHECK(special_of(&traffic, 25600) < 200);
	}
}

/* The draws end where there is nothing else to draw. In order, every address is meant. */
TEST(flow_daddr_all_special)
{
	struct traffic traffic;

	BEGIN(&traffic, "dst_min 127.0.0.1", "dst_max 127.0.0.6", "flag IPDST_RND");
	draws(&traffic, PGX_DADDR, 0x7f000001, 0x7f000006);
	BEGIN(&traffic, "dst_min 224.0.0.1", "dst_max 224.0.0.2");
	SEES(&traffic, PGX_DADDR, 0xe0000001, 0xe0000002, 0xe0000001);
}

/* A changed range begins anew; the others go on where they were. */
TEST(flow_setup_keeps_place)
{
	struct traffic traffic;

	BEGIN(&traffic, "udp_src_min 100", "udp_src_max 109", "udp_dst_min 200", "udp_dst_max 209",
	      "src_mac_count 10", "src_mac 02:00:00:00:00:00");
	SEES(&traffic, PGX_SPORT, 100, 101, 102, 103);
	EQ(entry_put(&traffic.entry, "udp_dst_max 210"), 0);
	EQ(entry_put(&traffic.entry, "pkt_size 100"), 0);
	traffic_setup(&traffic);
	EQ(traffic_value(&traffic, PGX_SPORT), 103);
	EQ(traffic_value(&traffic, PGX_DPORT), 200);
	EQ(traffic_value(&traffic, PGX_SMAC), 3);
	traffic_next(&traffic);
	EQ(traffic_value(&traffic, PGX_SPORT), 104);
	EQ(traffic_value(&traffic, PGX_DPORT), 200);
	EQ(traffic_value(&traffic, PGX_SMAC), 4);
	EQ(traffic_value(&traffic, PGX_SIZE), 100);
}

/* The base address is no part of the range. */
TEST(flow_setup_keeps_place_under_new_mac)
{
	struct traffic traffic;

	BEGIN(&traffic, "src_mac_count 10", "src_mac 02:00:00:00:00:00");
	SEES(&traffic, PGX_SMAC, 0, 1, 2);
	EQ(entry_put(&traffic.entry, "src_mac 04:00:00:00:01:00"), 0);
	traffic_setup(&traffic);
	SEES(&traffic, PGX_SMAC, 0x103, 0x104);
	EQ(traffic.pkt.head[6], 4);
}

TEST(flow_setup_random_and_back)
{
	struct traffic traffic;
	int i;

	BEGIN(&traffic, "udp_src_min 100", "udp_src_max 109");
	SEES(&traffic, PGX_SPORT, 100, 101);
	EQ(entry_put(&traffic.entry, "flag UDPSRC_RND"), 0);
	traffic_setup(&traffic);
	for (i = 0; i < 53; i++)
		CHECK(traffic_draw(&traffic, PGX_SPORT) - 100 < 10);
	EQ(entry_put(&traffic.entry, "flag !UDPSRC_RND"), 0);
	traffic_setup(&traffic);
	SEES(&traffic, PGX_SPORT, 102, 103);
}

TEST(flow_setup_range_to_constant)
{
	struct traffic traffic;

	BEGIN(&traffic, "dst_min 10.0.0.1", "dst_max 10.0.0.9");
	SEES(&traffic, PGX_DADDR, 0x0a000001, 0x0a000002);
	EQ(entry_put(&traffic.entry, "dst_max 10.0.0.1"), 0);
	traffic_setup(&traffic);
	EQ(traffic.flow.nr_varying, 0);
	SEES(&traffic, PGX_DADDR, 0x0a000001, 0x0a000001);
	EQ(entry_put(&traffic.entry, "dst 10.0.0.7"), 0);
	traffic_setup(&traffic);
	SEES(&traffic, PGX_DADDR, 0x0a000007, 0x0a000007);
}

TEST(flow_rewind)
{
	struct traffic traffic;

	BEGIN(&traffic, "udp_src_min 100", "udp_src_max 109", "min_pkt_size 60", "max_pkt_size 90");
	SEES(&traffic, PGX_SPORT, 100, 101, 102);
	pgx_flow_rewind(&traffic.flow);
	EQ(traffic.flow.range[PGX_SPORT].cur, 100);
	SEES(&traffic, PGX_SPORT, 100, 101);
	EQ(traffic.pkt.size, 61);
	EQ(traffic.flow.nr_varying, 2);
}

TEST(flow_same_seed_same_packets)
{
	static struct traffic a, b;
	int i;

	BEGIN(&a, "udp_src_max 60000", "src_mac_count 100", "flag UDPSRC_RND MACSRC_RND TXSIZE_RND",
	      "min_pkt_size 60", "max_pkt_size 1514");
	b = a;
	for (i = 0; i < 1000; i++) {
		traffic_next(&a);
		traffic_next(&b);
		CHECK(!memcmp(a.pkt.head, b.pkt.head, HEAD_LEN) && a.pkt.size == b.pkt.size);
	}
}
