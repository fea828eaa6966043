// SPDX-License-Identifier: GPL-2.0
/* The texts of a run, and their bounds. */
#include <stdlib.h>
#include "entry.h"
#include "measure/measure.h"

static const char *run_text(const struct pgx_snapshot *snap)
{
	static char buf[512];
	struct pgx_text text;

	pgx_text_init(&text, buf, sizeof(buf));
	pgx_result_run(&text, snap);
	EQ(text.len, strlen(buf));
	return buf;
}

/* 10^7 packets in 2 s: 5 million a second of 480 bits. */
TEST(result_of_alike_packets)
{
	struct pgx_snapshot snap = {
		.pkts = 10000000, .bytes = 600000000, .size = 60, .idle = 500000999,
		.started = 7000000000, .stopped = 9000000000
	};

	SAME(run_text(&snap),
	     "OK: 2000000(c1499999+d500000) usec, 10000000 (60byte,0frags)\n"
	     "  5000000pps 2400Mb/sec (2400000000bps) errors: 0");
	snap.errors = 17;
	snap.frags = -1;
	snap.pkts = 0;
	snap.bytes = 0;
	SAME(run_text(&snap),
	     "OK: 2000000(c1499999+d500000) usec, 0 (60byte,-1frags)\n"
	     "  0pps 0Mb/sec (0bps) errors: 17");
}

/* 1000 packets in 3 ms: 333333 whole packets a second; of each 800 bits */
TEST(result_rounds_down)
{
	struct pgx_snapshot snap = {
		.pkts = 1000, .bytes = 100000, .size = 100, .idle = 1,
		.started = 1, .stopped = 3000001
	};

	SAME(run_text(&snap),
	     "OK: 3000(c2999+d0) usec, 1000 (100byte,0frags)\n"
	     "  333333pps 266Mb/sec (266666400bps) errors: 0");
}

/* 300 bytes of two sizes in 7 us: 2400 bits, 342857142.86 bit/s; 3 packets, 428571.4 a second */
TEST(result_of_mixed_sizes)
{
	struct pgx_snapshot snap = {
		.pkts = 3, .bytes = 300, .size = 140, .started = 1000, .stopped = 8000
	};

	SAME(run_text(&snap),
	     "OK: 7(c7+d0) usec, 3 (140byte,0frags)\n"
	     "  428571pps 342Mb/sec (342857142bps) errors: 0");
}

/* 2 * 10^10 packets of 64 bytes in 1000 s: 1.024 * 10^13 bits; 10^9 times that is beyond 2^64. */
TEST(result_of_a_long_run)
{
	struct pgx_snapshot snap = {
		.pkts = 20000000000, .bytes = 1280000000000, .size = 64, .started = 5,
		.stopped = 1000000000005
	};

	SAME(run_text(&snap),
	     "OK: 1000000000(c1000000000+d0) usec, 20000000000 (64byte,0frags)\n"
	     "  20000000pps 10240Mb/sec (10240000000bps) errors: 0");
	snap.bytes++;
	SAME(run_text(&snap),
	     "OK: 1000000000(c1000000000+d0) usec, 20000000000 (64byte,0frags)\n"
	     "  20000000pps 10240Mb/sec (10240000000bps) errors: 0");
	snap.bytes += 124;
	CHECK(strstr(run_text(&snap), "(10240000001bps)"));
}

TEST(result_idle_beyond_the_run)
{
	struct pgx_snapshot snap = {
		.pkts = 1, .bytes = 60, .size = 60, .idle = 5000000,
		.started = 1000, .stopped = 2001000
	};

	SAME(run_text(&snap),
	     "OK: 2000(c0+d2000) usec, 1 (60byte,0frags)\n"
	     "  500pps 0Mb/sec (240000bps) errors: 0");
}

/* No time at all counts as 1 ns. */
TEST(result_started_and_stopped_at_once)
{
	struct pgx_snapshot snap = { .size = 60, .started = 1000, .stopped = 1000, .frags = -1 };

	SAME(run_text(&snap),
	     "OK: 0(c0+d0) usec, 0 (60byte,-1frags)\n"
	     "  0pps 0Mb/sec (0bps) errors: 0");
	snap.pkts = 2;
	snap.bytes = 120;
	SAME(run_text(&snap),
	     "OK: 0(c0+d0) usec, 2 (60byte,-1frags)\n"
	     "  2000000000pps 960000Mb/sec (960000000000bps) errors: 0");
}

/* Where the exact number does not fit, the largest one stands. */
TEST(result_that_does_not_fit)
{
	struct pgx_snapshot snap = {
		.pkts = U64_MAX, .bytes = U64_MAX, .size = 60, .started = 1, .stopped = 1001
	};

	CHECK(strstr(run_text(&snap), "\n  18446744073709551615pps 18446744073709Mb/sec "));
	CHECK(strstr(run_text(&snap), " (18446744073709551615bps) errors: 0"));
	/* 18446744073.9 packets in a ns; 2^64 - 1 in a second are 18446744073.709551615 in a ns. */
	snap.pkts = 184467440739;
	snap.bytes = 1;
	snap.stopped = snap.started + 10;
	CHECK(strstr(run_text(&snap), "\n  18446744073709551615pps 800Mb/sec (800000000bps)"));
}

/* The same with 128 bits, for figures that a run can have */
static void run_at_random(u64 *seed)
{
	struct pgx_snapshot snap = {
		.pkts = test_rand(seed) >> (24 + test_rand(seed) % 40), .errors = test_rand(seed),
		.size = 58 + test_rand(seed) % 65492, .started = test_rand(seed) >> 8,
		.idle = test_rand(seed) >> 20,
	};
	unsigned __int128 pps, bps;
	char want[512];
	u64 ns, idle;

	/* Up to 10^9 packets a second */
	ns = 1 + snap.pkts + (test_rand(seed) >> (20 + test_rand(seed) % 40));
	snap.stopped = snap.started + ns;
	snap.bytes = snap.pkts * (test_rand(seed) % 4 ? snap.size : 58 + test_rand(seed) % 65492);
	idle = snap.idle < ns ? snap.idle : ns;
	pps = (unsigned __int128)snap.pkts * 1000000000 / ns;
	bps = (unsigned __int128)snap.bytes * 8 * 1000000000 / ns;
	if (snap.bytes == snap.pkts * snap.size)
		bps = pps * 8 * snap.size;
	snprintf(want, sizeof(want), "OK: %llu(c%llu+d%llu) usec, %llu (%ubyte,0frags)\n"
		 "  %llupps %lluMb/sec (%llubps) errors: %llu",
		 ns / 1000, (ns - idle) / 1000, idle / 1000, snap.pkts, snap.size,
		 (u64)pps, (u64)(bps / 1000000), (u64)bps, snap.errors);
	SAME(run_text(&snap), want);
}

TEST(result_at_random)
{
	u64 seed = 31337;
	int i;

	for (i = 0; i < 100000; i++)
		run_at_random(&seed);
}

TEST(result_current)
{
	struct pgx_snapshot snap = {
		.pkts = 10000000001, .errors = 3, .idle = 1999,
		.started = 5000999, .stopped = 6000000, .seq = 0x80000000,
		.src_mac_offset = 5, .dst_mac_offset = 6, .saddr = 0x0a000001,
		.daddr = 0xc0a8ffff, .sport = 9, .dport = 65535, .queue = 3
	};
	char buf[512];
	struct pgx_text text;

	pgx_text_init(&text, buf, sizeof(buf));
	pgx_result_current(&text, &snap);
	SAME(buf,
	     "Current:\n"
	     "     pkts-sofar: 10000000001  errors: 3\n"
	     "     started: 5000us  stopped: 6000us idle: 1us\n"
	     "     seq_num: -2147483648  cur_dst_mac_offset: 6  cur_src_mac_offset: 5\n"
	     "     cur_saddr: 10.0.0.1  cur_daddr: 192.168.255.255\n"
	     "     cur_udp_dst: 65535  cur_udp_src: 9\n"
	     "     cur_queue_map: 3\n"
	     "     flows: 0\n");
}

static const char *current_text(const struct pgx_snapshot *snap)
{
	static char buf[2048];
	struct pgx_text text;

	pgx_text_init(&text, buf, sizeof(buf));
	pgx_result_current(&text, snap);
	EQ(text.len, strlen(buf));
	CHECK(text_is_plain(buf));
	return buf;
}

TEST(result_current_of_everything)
{
	struct pgx_snapshot snap = {
		.pkts = 12, .started = 1000, .stopped = 2000, .nr_mix = 3,
		.mix = { 7, 4, 18446744073709551615ULL, 99 }, .mix_size = { 42, 576, 65549, 99 },
		.end = PGX_END_DURATION, .v6 = true, .seq = 13, .flows = 4294967295,
		.saddr6 = { 0xfe80000000000000, 0x00000000000000ab }, .saddr = 0x01020304,
		.daddr6 = { 0x20010db800000000, 0x0001000000000001 }, .daddr = 0x05060708,
	};

	SAME(current_text(&snap),
	     "Current:\n"
	     "     pkts-sofar: 12  errors: 0\n"
	     "     imix_size_counts: 42,7 576,4 65549,18446744073709551615 \n"
	     "     started: 1us  stopped: 2us idle: 0us\n"
	     "     seq_num: 13  cur_dst_mac_offset: 0  cur_src_mac_offset: 0\n"
	     "     cur_saddr: fe80::ab  cur_daddr: 2001:db8::1:0:0:1\n"
	     "     cur_udp_dst: 0  cur_udp_src: 0\n"
	     "     cur_queue_map: 0\n"
	     "     flows: 4294967295\n"
	     "     ended-by: duration\n");
}

TEST(result_ends)
{
	static const char *const words[PGX_NR_ENDS] = {
		[PGX_END_COUNT] = "count", [PGX_END_DURATION] = "duration",
		[PGX_END_STOP] = "stop", [PGX_END_DOWN] = "device down",
		[PGX_END_CPU] = "CPU offline", [PGX_END_IPSEC] = "no IPsec state",
	};
	struct pgx_snapshot snap = { .pkts = 1 };
	char want[64];
	const char *at;
	int end;

	CHECK(!strstr(current_text(&snap), "ended-by"));
	for (end = PGX_END_NONE + 1; end < PGX_NR_ENDS; end++) {
		snap.end = end;
		test_note("end %d", end);
		CHECK(words[end]);
		snprintf(want, sizeof(want), "     flows: 0\n     ended-by: %s\n", words[end]);
		at = strstr(current_text(&snap), "     flows:");
		SAME(at ?: "", want);
	}
}

/* A run that could not send is no "OK"; all others are, however they ended. */
TEST(result_without_ipsec_state)
{
	struct pgx_snapshot snap = {
		.pkts = 18446744073709551615ULL, .started = 1000, .stopped = 5000, .size = 60
	};
	const char *begin = "ERROR: flag IPSEC: after 18446744073709551615 packets ";
	int end;

	for (end = 0; end < PGX_NR_ENDS; end++) {
		snap.end = end;
		EQ(!strncmp(run_text(&snap), "OK: 4(c4+d0) usec, ", 19), end != PGX_END_IPSEC);
	}
	snap.end = PGX_END_IPSEC;
	CHECK(!strncmp(run_text(&snap), begin, strlen(begin)));
	CHECK(strstr(run_text(&snap), "no usable IPsec state") && strstr(run_text(&snap), "spi"));
	CHECK(!strchr(run_text(&snap), '\n') && text_is_plain(run_text(&snap)));
}

TEST(text_pieces)
{
	char buf[128];
	struct pgx_text text;

	pgx_text_init(&text, buf, sizeof(buf));
	SAME(buf, "");
	pgx_text_add_word(&text, "a\tb\x7f\x80 ~\n", 8);
	SAME(buf, "a?b?? ~?");
	pgx_text_add_word(&text, "xyz", 2);
	pgx_text_add_word(&text, "xyz", 0);
	pgx_text_add_word(&text, "", 5);
	pgx_text_add_ip4(&text, 0x00ff0a64);
	pgx_text_add(&text, " %d%s ", -5, "%s");
	pgx_text_add_mac(&text, (const u8 *)"\x00\x0a\xa0\xff\x10\x01");
	SAME(buf, "a?b?? ~?xy0.255.10.100 -5%s 00:0a:a0:ff:10:01");
	EQ(text.len, strlen(buf));
}

static void every_text(struct pgx_text *text)
{
	struct pgx_snapshot snap = { .pkts = U64_MAX, .errors = U64_MAX, .size = U32_MAX };
	struct entry entry;

	entry_init(&entry);
	pgx_text_add_word(text, "word\x01", 60);
	pgx_text_add_mac(text, entry.facts.mac);
	pgx_text_add_ip4(text, U32_MAX);
	pgx_param_list(&entry.cfg, &entry.facts, text);
	pgx_result_current(text, &snap);
	pgx_result_run(text, &snap);
	entry.cfg.nr_imix = 3;
	entry.cfg.nr_labels = 3;
	entry.cfg.flags = U32_MAX >> 13;
	pgx_param_list(&entry.cfg, &entry.facts, text);
	snap.v6 = true;
	snap.nr_mix = 3;
	snap.end = PGX_END_IPSEC;
	pgx_text_add_ip6(text, (struct pgx_addr6){ U64_MAX, 0x5efe0a000001 });
	pgx_result_current(text, &snap);
	pgx_result_run(text, &snap);
}

/* Whatever the room: the text is the beginning of the whole one, and what follows is left alone. */
TEST(text_every_size)
{
	static char whole[4096];
	struct pgx_text text;
	size_t size, len;

	pgx_text_init(&text, whole, sizeof(whole));
	every_text(&text);
	len = text.len;
	CHECK(len > 2000 && len < sizeof(whole) - 1);
	for (size = 1; size < len + 10; size++) {
		char *buf = malloc(size + 8);

		test_note("%zu bytes of room", size);
		memset(buf, 'C', size + 8);
		pgx_text_init(&text, buf, size);
		every_text(&text);
		EQ(text.len, len < size ? len : size - 1);
		CHECK(!memcmp(buf, whole, text.len) && !buf[text.len]);
		CHECK(!memcmp(buf + size, "CCCCCCCC", 8));
		free(buf);
	}
}

/* Replies too: of a line that is taken, and of some that are refused. */
TEST(text_every_size_of_a_reply)
{
	static const char *const lines[] = {
		"count 5 x", "count y", "flag y", "nothing", "clone_skb 1", "dst x/1",
		"dst6 1::2", "imix_weights 60,1 x", "mpls 1,2,3", "vlan_p 3", "node 7", "svlan_id 3"
	};
	const struct pgx_param *row;
	struct pgx_words words;
	struct pgx_text reply;
	struct entry entry;
	char line[32];
	size_t i, size;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		for (size = 1; size < 300; size++) {
			char *buf = malloc(size);

			entry_init(&entry);
			entry.facts.sharing = false;
			snprintf(line, sizeof(line), "%s", lines[i]);
			pgx_words_cut(line, &words);
			pgx_text_init(&reply, buf, size);
			pgx_param_write(&entry.cfg, &entry.facts, false, &words, &reply, &row);
			CHECK(reply.len < size && strlen(buf) == reply.len);
			free(buf);
		}
	}
}
