// SPDX-License-Identifier: GPL-2.0
/* Flows: how many packets each destination has, and how many destinations there are at a time. */
#include <stdio.h>
#include <stdlib.h>
#include "traffic.h"

#define RANGE	200000		/* destinations of the ranges here, so that none comes twice */

/* Who sees every packet and keeps a book of destinations, by their distance from the first one */
struct book {
	struct traffic	traffic;
	u32		*count;
	u32		begun;
	u32		open;		/* begun and not yet done */
	u32		most;		/* that were open at a time */
	u32		last;
};

static void begin(struct book *book, bool v6, u32 flows, u32 flowlen, const char *flag)
{
	char lines[3][64];

	snprintf(lines[0], sizeof(lines[0]), "flows %u", flows);
	snprintf(lines[1], sizeof(lines[1]), "flowlen %u", flowlen);
	snprintf(lines[2], sizeof(lines[2]), "flag %s", flag);
	test_note("flows %u, flowlen %u, %s, IPv6 %d", flows, flowlen, flag, v6);
	if (v6)
		BEGIN(&book->traffic, lines[0], lines[1], lines[2], "dst6_min 2001:db8::fffe:0",
		      "dst6_max 2001:db8::3:0000:0000");
	else
		BEGIN(&book->traffic, lines[0], lines[1], lines[2], "dst_min 11.0.0.0",
		      "dst_max 11.255.255.255");
	free(book->count);
	book->count = calloc(RANGE, sizeof(*book->count));
	book->begun = 0;
	book->open = 0;
	book->most = 0;
}

/* The distance of the packet's destination; beyond the book if it is no destination of the range */
static u32 destination(const struct traffic *traffic)
{
	const u8 *ip = traffic->pkt.head + traffic_ip(&traffic->entry.cfg);
	u64 distance = be(ip + 16, 4) - 0x0b000000ULL;

	if (traffic->entry.cfg.flags & PGX_F_IPV6)
		distance = be(ip + 24, 8) == 0x20010db800000000 ? be(ip + 32, 8) - 0xfffe0000ULL :
			   RANGE;
	return distance < RANGE ? distance : RANGE - 1;
}

static u32 enter(struct book *book, u32 flowlen)
{
	u32 at;

	traffic_next(&book->traffic);
	at = destination(&book->traffic);
	/* The range is walked in order, so a destination that is new is the next one. */
	if (!book->count[at]) {
		EQ(at, book->begun);
		book->begun++;
		book->open++;
	}
	book->most = book->open > book->most ? book->open : book->most;
	book->count[at]++;
	CHECK(book->count[at] <= flowlen);
	book->open -= book->count[at] == flowlen;
	EQ(book->traffic.flow.slots.made, book->begun);
	book->last = at;
	return at;
}

static void in_order(struct book *book, bool v6, u32 flows, u32 flowlen)
{
	u32 i;

	begin(book, v6, flows, flowlen, "FLOW_SEQ");
	for (i = 0; i < 5000; i++)
		EQ(enter(book, flowlen), i / flowlen);
	EQ(book->most, 1);
}

TEST(flows_in_order)
{
	static const u32 numbers[] = { 1, 2, 3, 7, 100 };
	static struct book book;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		for (j = 0; j < ARRAY_SIZE(numbers); j++) {
			in_order(&book, false, numbers[i], numbers[j]);
			in_order(&book, true, numbers[i], numbers[j]);
		}
	}
}

/* All flows are in use once there are enough packets; which one comes next is not in order. */
static void at_random(struct book *book, bool v6, u32 flows, u32 flowlen)
{
	u32 i, at, switches = 0, last = 0;

	begin(book, v6, flows, flowlen, "!FLOW_SEQ");
	for (i = 0; i < 60000 + 20 * flows; i++) {
		at = enter(book, flowlen);
		switches += at != last;
		last = at;
		CHECK(book->open <= flows);
	}
	CHECK(book->most <= flows);
	/* Few are done at a time where flows are long. */
	CHECK(flowlen < 100 || flows > 100 || book->most == flows);
	CHECK(flows == 1 || switches > 20000);
	for (i = 0, at = 0; i < book->begun; i++)
		at += book->count[i] < flowlen;
	EQ(at, book->open);
}

TEST(flows_at_random)
{
	static const u32 numbers[] = { 1, 2, 3, 7, 100, 1000 };
	static struct book book;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		for (j = 0; j < ARRAY_SIZE(numbers); j++)
			at_random(&book, (i + j) % 2, numbers[i], numbers[j]);
}

/* Each of the most flows there can be has its packet; how many were drawn is a matter of chance. */
TEST(flows_as_many_as_possible)
{
	static struct book book;
	u32 i;

	begin(&book, false, 65537, 4294967295, "FLOW_RND");
	EQ(book.traffic.entry.cfg.flows, 65536);
	for (i = 0; i < 400000; i++)
		enter(&book, 4294967295);
	/* 65536 * (1 - exp(-400000 / 65536)) */
	CHECK(book.begun > 65300 && book.begun < 65480);
}

/* A length of 0 is that of 1. */
TEST(flows_of_length_0)
{
	static struct book book;
	u32 i;

	begin(&book, false, 5, 0, "FLOW_SEQ");
	for (i = 0; i < 100; i++)
		EQ(enter(&book, 1), i);
	begin(&book, true, 5, 0, "!FLOW_SEQ");
	for (i = 0; i < 100; i++)
		EQ(enter(&book, 1), i);
}

/* Order and length are changed while packets are sent: nobody has more than the length then. */
TEST(flows_change_while_running)
{
	static struct book book;
	const char *flag;
	u64 seed = 5;
	u32 i;

	begin(&book, false, 7, 8, "FLOW_RND");
	for (i = 0; i < 20000; i++) {
		if (!(test_rand(&seed) >> 58)) {
			flag = test_rand(&seed) >> 63 ? "flag FLOW_SEQ" : "flag FLOW_RND";
			EQ(entry_put(&book.traffic.entry, flag), 0);
			traffic_setup(&book.traffic);
		}
		enter(&book, 8);
		CHECK(book.open <= 7);
	}
}

TEST(flows_get_shorter)
{
	static struct book book;
	u32 i, before;

	begin(&book, false, 5, 100, "FLOW_RND");
	for (i = 0; i < 200; i++)
		enter(&book, 100);
	EQ(book.begun, 5);
	EQ(entry_put(&book.traffic.entry, "flowlen 3"), 0);
	EQ(entry_put(&book.traffic.entry, "flag FLOW_SEQ"), 0);
	traffic_setup(&book.traffic);
	/* All five had more than three, so each of them is done. */
	for (i = 0, before = 5; i < 60; i++)
		EQ(enter(&book, 100), before + i / 3);
}

static u32 sent_to(struct traffic *traffic)
{
	traffic_next(traffic);
	return destination(traffic);
}

/* What has nothing to do with flows leaves them where they are; their number does not. */
TEST(flows_keep_their_place)
{
	static struct book book;
	struct traffic *traffic = &book.traffic;

	begin(&book, false, 3, 4, "FLOW_SEQ");
	EQ(sent_to(traffic), 0);
	EQ(sent_to(traffic), 0);
	EQ(entry_put(&traffic->entry, "udp_dst_min 77"), 0);
	traffic_setup(traffic);
	EQ(destination(traffic), 0);
	EQ(sent_to(traffic), 0);
	EQ(sent_to(traffic), 0);
	EQ(sent_to(traffic), 1);
	EQ(traffic->flow.slots.made, 2);
	EQ(entry_put(&traffic->entry, "flows 2"), 0);
	traffic_setup(traffic);
	EQ(sent_to(traffic), 2);
	pgx_flow_rewind(&traffic->flow);
	EQ(traffic->flow.slots.made, 0);
	EQ(sent_to(traffic), 0);
	EQ(entry_put(&traffic->entry, "flows 0"), 0);
	traffic_setup(traffic);
	EQ(sent_to(traffic), 1);
	EQ(sent_to(traffic), 2);
}

/* The memory of flows is another kind's after a change of addresses. */
TEST(flows_of_other_addresses)
{
	static struct book book;
	struct traffic *traffic = &book.traffic;

	begin(&book, false, 3, 100, "FLOW_SEQ");
	EQ(sent_to(traffic), 0);
	EQ(entry_put(&traffic->entry, "dst6_min 2001:db8::fffe:5"), 0);
	EQ(entry_put(&traffic->entry, "dst6_max 2001:db8::fffe:9"), 0);
	traffic_setup(traffic);
	EQ(sent_to(traffic), 5);
	EQ(sent_to(traffic), 5);
	EQ(entry_put(&traffic->entry, "flag !IPV6"), 0);
	traffic_setup(traffic);
	EQ(sent_to(traffic), 1);
}

TEST(flows_to_one_destination)
{
	struct traffic traffic;

	BEGIN(&traffic, "dst 11.0.0.9", "flows 10", "flowlen 2");
	SEES(&traffic, PGX_DADDR, 0x0b000009, 0x0b000009, 0x0b000009);
	BEGIN(&traffic, "dst6 2001:db8::fffe:7", "flows 10", "flowlen 2");
	EQ(sent_to(&traffic), 7);
	EQ(sent_to(&traffic), 7);
}

/* Sources and ports go their own way. */
TEST(flows_leave_the_rest_alone)
{
	struct traffic traffic;
	u32 i;

	BEGIN(&traffic, "dst_min 11.0.0.0", "dst_max 11.0.0.9", "flows 2", "flowlen 3",
	      "flag FLOW_SEQ", "src_min 1.0.0.0", "src_max 1.0.0.4", "udp_src_min 1",
	      "udp_src_max 2");
	EQ(traffic.flow.nr_varying, 3);
	for (i = 0; i < 300; i++) {
		EQ(traffic_draw(&traffic, PGX_DADDR), 0x0b000000 + i / 3 % 10);
		EQ(traffic_value(&traffic, PGX_SADDR), 0x01000000 + i % 5);
		EQ(traffic_value(&traffic, PGX_SPORT), 1 + i % 2);
	}
}

/* With random destinations a flow keeps the one that it drew. */
TEST(flows_with_random_destinations)
{
	struct traffic traffic;
	u32 i, first = 0, changes = 0, last = 0;
	u8 top;

	BEGIN(&traffic, "dst_min 0.0.0.1", "dst_max 255.255.255.255", "flag IPDST_RND FLOW_SEQ",
	      "flows 4", "flowlen 5");
	for (i = 0; i < 50000; i++) {
		u32 daddr = traffic_draw(&traffic, PGX_DADDR);

		if (i % 5)
			EQ(daddr, first);
		else
			first = daddr;
		top = daddr >> 24;
		CHECK(top && top != 127 && (top < 224 || top > 239) && daddr != U32_MAX);
		changes += daddr != last;
		last = daddr;
	}
	CHECK(changes > 9990);
}
