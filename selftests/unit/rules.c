// SPDX-License-Identifier: GPL-2.0
/* Rules between settings, what a run fills in, and the gap between packets. */
#include <stdio.h>
#include "entry.h"

static void fresh(struct entry *entry, bool sharing, bool running)
{
	entry_init(entry);
	entry->facts.sharing = sharing;
	entry->running = running;
}

TEST(rules_defaults_are_fine)
{
	struct pgx_text reply;
	struct entry entry;

	fresh(&entry, false, false);
	pgx_text_init(&reply, entry.reply, sizeof(entry.reply));
	EQ(pgx_config_check(&entry.cfg, &entry.facts, U32_MAX, &reply), 0);
	EQ(reply.len, 0);
	EQ(entry.cfg.count, 1000);
	EQ(entry.cfg.burst, 1);
	EQ(entry.cfg.udp_dst_max, 9);
	EQ(entry.cfg.flags, 0x40000);
	EQ(entry.cfg.xmit_mode, PGX_START_XMIT);
	EQ(entry.cfg.min_pkt_size, 0);
}

static void clone_and_door(const char *door)
{
	struct entry entry;
	char line[64];

	snprintf(line, sizeof(line), "xmit_mode %s", door);
	fresh(&entry, true, false);
	EQ(entry_put(&entry, "clone_skb 5"), 0);
	entry_clashes(&entry, line, -EOPNOTSUPP);
	CHECK(strstr(entry.reply, "clone_skb: 5") && strstr(entry.reply, door));
	EQ(entry_put(&entry, "clone_skb 0"), 0);
	EQ(entry_put(&entry, line), 0);
	entry_clashes(&entry, "clone_skb 1", -EOPNOTSUPP);
	EQ(entry_put(&entry, "clone_skb 0"), 0);
	EQ(entry_put(&entry, "xmit_mode start_xmit"), 0);
	EQ(entry_put(&entry, "clone_skb 1"), 0);
}

TEST(rules_clone_and_door)
{
	clone_and_door("netif_receive");
	clone_and_door("queue_xmit");
}

/* A burst from before has no effect in the qdisc; it is not allowed to be set there. */
TEST(rules_burst_and_door)
{
	struct entry entry;

	fresh(&entry, true, false);
	EQ(entry_put(&entry, "burst 8"), 0);
	EQ(entry_put(&entry, "xmit_mode queue_xmit"), 0);
	EQ(entry_at_start(&entry), 0);
	entry_clashes(&entry, "burst 4", -EOPNOTSUPP);
	CHECK(strstr(entry.reply, "burst: 4"));
	EQ(entry_put(&entry, "burst 1"), 0);
	entry_clashes(&entry, "burst 2", -EOPNOTSUPP);
	EQ(entry_put(&entry, "burst 0"), 0);
	EQ(entry.cfg.burst, 1);
	EQ(entry_put(&entry, "xmit_mode netif_receive"), 0);
	EQ(entry_put(&entry, "burst 65536"), 0);
}

TEST(rules_driver_that_does_not_share)
{
	struct entry entry;

	fresh(&entry, false, false);
	entry_clashes(&entry, "clone_skb 1", -EOPNOTSUPP);
	CHECK(strstr(entry.reply, "eth0@1"));
	entry_clashes(&entry, "burst 2", -EOPNOTSUPP);
	EQ(entry_put(&entry, "burst 1"), 0);
	EQ(entry_put(&entry, "clone_skb 0"), 0);
	EQ(entry_put(&entry, "xmit_mode netif_receive"), 0);
	EQ(entry_put(&entry, "burst 2"), 0);
	EQ(entry_at_start(&entry), 0);
	/* The door alone says nothing about the driver; the start does, and so does a run. */
	EQ(entry_put(&entry, "xmit_mode start_xmit"), 0);
	EQ(entry_at_start(&entry), (u64)-EOPNOTSUPP);
	entry.cfg.xmit_mode = PGX_NETIF_RECEIVE;
	entry.running = true;
	entry_clashes(&entry, "xmit_mode start_xmit", -EOPNOTSUPP);
}

TEST(rules_driver_changes_before_start)
{
	struct entry entry;

	fresh(&entry, true, false);
	EQ(entry_put(&entry, "clone_skb 1"), 0);
	EQ(entry_at_start(&entry), 0);
	entry.facts.sharing = false;
	EQ(entry_at_start(&entry), (u64)-EOPNOTSUPP);
	CHECK(strstr(entry.reply, "ERROR: clone_skb: ") && strstr(entry.reply, "burst 1"));
}

TEST(rules_flag_shared)
{
	struct entry entry;

	fresh(&entry, true, false);
	EQ(entry_put(&entry, "clone_skb 1"), 0);
	entry_clashes(&entry, "flag !SHARED", -EINVAL);
	EQ(entry_put(&entry, "flag !SHARED SHARED"), 0);
	EQ(entry_put(&entry, "clone_skb 0"), 0);
	EQ(entry_put(&entry, "burst 2"), 0);
	entry_clashes(&entry, "flag IPSRC_RND !SHARED", -EINVAL);
	EQ(entry_put(&entry, "burst 1"), 0);
	EQ(entry_put(&entry, "flag !SHARED"), 0);
	entry_clashes(&entry, "burst 2", -EINVAL);
	entry_clashes(&entry, "clone_skb 1", -EINVAL);
	EQ(entry_put(&entry, "burst 1"), 0);
	EQ(entry_put(&entry, "clone_skb 0"), 0);
	EQ(entry_put(&entry, "flag SHARED"), 0);
	EQ(entry_put(&entry, "burst 2"), 0);
}

TEST(rules_size)
{
	struct entry entry;

	fresh(&entry, true, false);
	EQ(entry_put(&entry, "pkt_size 1514"), 0);
	EQ(entry_at_start(&entry), 0);
	EQ(entry_put(&entry, "max_pkt_size 1515"), 0);
	EQ(entry_at_start(&entry), (u64)-ERANGE);
	CHECK(strstr(entry.reply, "1515") && strstr(entry.reply, "42 to 1514"));
	EQ(entry_put(&entry, "xmit_mode netif_receive"), 0);
	EQ(entry_at_start(&entry), 0);
	EQ(entry_put(&entry, "xmit_mode queue_xmit"), 0);
	EQ(entry_at_start(&entry), (u64)-ERANGE);
}

TEST(rules_size_of_a_run)
{
	struct entry entry;

	fresh(&entry, true, true);
	EQ(entry_put(&entry, "pkt_size 1514"), 0);
	entry_clashes(&entry, "pkt_size 1515", -ERANGE);
	entry_clashes(&entry, "min_pkt_size 1515", -ERANGE);
	entry_clashes(&entry, "max_pkt_size 65549", -ERANGE);
	EQ(entry_put(&entry, "xmit_mode netif_receive"), 0);
	EQ(entry_put(&entry, "pkt_size 65549"), 0);
	entry_clashes(&entry, "xmit_mode start_xmit", -ERANGE);
}

/* What a run needs is filled in before the line is confirmed. */
TEST(rules_run_is_completed)
{
	struct entry entry;

	fresh(&entry, true, true);
	EQ(entry_put(&entry, "pkt_size 42"), 0);
	SAME(entry.reply, "OK: pkt_size=58");
	EQ(entry.cfg.max_pkt_size, 58);
	EQ(entry_put(&entry, "queue_map_max 100"), 0);
	SAME(entry.reply, "OK: queue_map_max=7");
	fresh(&entry, true, false);
	EQ(entry_put(&entry, "pkt_size 41"), 0);
	SAME(entry.reply, "OK: pkt_size=42");
	EQ(entry.cfg.max_pkt_size, 42);
	EQ(entry_put(&entry, "queue_map_max 100"), 0);
	SAME(entry.reply, "OK: queue_map_max=100");
}

static void complete_sizes(u32 min, u32 max, u32 want_min, u32 want_max)
{
	struct entry entry;

	fresh(&entry, true, false);
	entry.cfg.min_pkt_size = min;
	entry.cfg.max_pkt_size = max;
	CHECK(!pgx_config_complete(&entry.cfg, &entry.facts));
	EQ(entry.cfg.min_pkt_size, want_min);
	EQ(entry.cfg.max_pkt_size, want_max);
}

TEST(complete_fills_in_sizes)
{
	complete_sizes(0, 0, 58, 58);
	complete_sizes(42, 42, 58, 58);
	complete_sizes(57, 57, 58, 58);
	complete_sizes(58, 58, 58, 58);
	complete_sizes(59, 0, 59, 59);
	complete_sizes(0, 1514, 58, 1514);
	complete_sizes(0, 42, 58, 58);
	complete_sizes(200, 100, 200, 200);
	complete_sizes(60, 65549, 60, 65549);
}

static void complete_queues(u32 queues, u16 min, u16 max, bool lowered, u16 want_min, u16 want_max)
{
	struct entry entry;

	fresh(&entry, true, false);
	entry.facts.tx_queues = queues;
	entry.cfg.queue_map_min = min;
	entry.cfg.queue_map_max = max;
	EQ(pgx_config_complete(&entry.cfg, &entry.facts), lowered);
	EQ(entry.cfg.queue_map_min, want_min);
	EQ(entry.cfg.queue_map_max, want_max);
	CHECK(!pgx_config_complete(&entry.cfg, &entry.facts));
}

TEST(complete_lowers_queues)
{
	complete_queues(8, 0, 7, false, 0, 7);
	complete_queues(8, 0, 8, true, 0, 7);
	complete_queues(8, 8, 0, true, 7, 0);
	complete_queues(8, 65535, 65535, true, 7, 7);
	complete_queues(1, 0, 0, false, 0, 0);
	complete_queues(1, 0, 1, true, 0, 0);
	complete_queues(0, 0, 0, false, 0, 0);
	complete_queues(0, 1, 1, true, 0, 0);
	complete_queues(65537, 65535, 65535, false, 65535, 65535);
}

TEST(complete_changes_nothing_else)
{
	struct pgx_config before;
	struct entry entry;

	fresh(&entry, true, false);
	EQ(entry_put(&entry, "pkt_size 100"), 0);
	EQ(entry_put(&entry, "queue_map_max 3"), 0);
	before = entry.cfg;
	CHECK(!pgx_config_complete(&entry.cfg, &entry.facts));
	CHECK(!memcmp(&entry.cfg, &before, sizeof(before)));
}

static void gap(const char *pace, u32 size, u64 want)
{
	struct entry entry;

	entry_init(&entry);
	EQ(entry_put(&entry, pace), 0);
	entry.cfg.min_pkt_size = size;
	EQ(pgx_config_gap(&entry.cfg), want);
}

/* A frame of 60 bytes has 480 bits, one of 58 has 464, one of 65549 has 524392. */
TEST(gap_of_a_rate)
{
	gap("rate 100", 60, 4800);
	gap("rate 300M", 60, 1600);
	gap("rate 1000", 60, 480);
	gap("rate 1000", 0, 464);
	gap("rate 1000", 42, 464);
	gap("rate 7", 60, 68571);
	gap("rate 10000G", 60, 0);
	gap("rate 1k", 65549, 524392000000ULL);
}

/* While no size is set, the shortest frame counts: 82 bytes with a tag and IPv6 addresses. */
TEST(gap_of_longer_headers)
{
	struct entry entry;

	entry_init(&entry);
	EQ(entry_put(&entry, "rate 1000"), 0);
	EQ(entry_put(&entry, "dst6 2001:db8::1"), 0);
	EQ(entry_put(&entry, "vlan_id 1"), 0);
	EQ(pgx_config_gap(&entry.cfg), 656);
	EQ(entry_put(&entry, "pkt_size 60"), 0);
	EQ(pgx_config_gap(&entry.cfg), 656);
	EQ(entry_put(&entry, "pkt_size 125"), 0);
	EQ(pgx_config_gap(&entry.cfg), 1000);
}

TEST(gap_of_packets_per_second)
{
	gap("ratep 1", 60, 1000000000);
	gap("ratep 3", 1514, 333333333);
	gap("ratep 1M", 60, 1000);
	gap("ratep 600000001", 60, 1);
	gap("ratep 1G", 60, 1);
}

TEST(gap_of_a_delay)
{
	gap("delay 0", 60, 0);
	gap("delay 12345", 60, 12345);
	gap("delay 2147483647", 60, U64_MAX);
	gap("delay 10s", 60, 10000000000ULL);
}

/* The last pace that was written counts, whatever it was. */
TEST(gap_follows_the_last_line)
{
	struct entry entry;

	entry_init(&entry);
	EQ(entry_put(&entry, "pkt_size 60"), 0);
	EQ(entry_put(&entry, "rate 100"), 0);
	SAME(entry.reply, "OK: rate=100");
	EQ(entry_put(&entry, "ratep 1000"), 0);
	SAME(entry.reply, "OK: rate=1000");
	EQ(pgx_config_gap(&entry.cfg), 1000000);
	EQ(entry_put(&entry, "delay 5"), 0);
	EQ(pgx_config_gap(&entry.cfg), 5);
	EQ(entry_put(&entry, "rate 1500k"), 0);
	SAME(entry.reply, "OK: rate=1.500000");
	EQ(pgx_config_gap(&entry.cfg), 320000);
	entry_refuses(&entry, "ratep 0", -EINVAL);
	EQ(pgx_config_gap(&entry.cfg), 320000);
}
