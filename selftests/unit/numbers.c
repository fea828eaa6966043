// SPDX-License-Identifier: GPL-2.0
/* Numbers and their suffixes. */
#include <stdio.h>
#include "entry.h"

static void takes(const char *line, u64 want)
{
	struct entry entry;

	entry_init(&entry);
	entry.cfg.count = 77;
	EQ(entry_put(&entry, line), 0);
	CHECK(!strncmp(entry.reply, "OK: ", 4));
	EQ(entry_value(&entry, entry.row), want);
}

static void refuses(const char *line, int rc)
{
	struct entry entry;

	entry_init(&entry);
	entry_refuses(&entry, line, rc);
}

TEST(numbers_64_bits)
{
	takes("count 18446744073709551615", U64_MAX);
	takes("count 18446744073709551614", U64_MAX - 1);
	refuses("count 18446744073709551616", -ERANGE);
	refuses("count 18446744073709551625", -ERANGE);
	refuses("count 28446744073709551615", -ERANGE);
	refuses("count 36893488147419103232", -ERANGE);
	refuses("count 340282366920938463463374607431768211456", -ERANGE);
}

/* 2^64 is 18446744073709551616. */
TEST(numbers_suffix_overflow)
{
	takes("count 18446744073709551k", 18446744073709551000ULL);
	refuses("count 18446744073709552k", -ERANGE);
	takes("count 18446744073709M", 18446744073709000000ULL);
	refuses("count 18446744073710M", -ERANGE);
	takes("count 18446744073G", 18446744073000000000ULL);
	refuses("count 18446744074G", -ERANGE);
	refuses("count 18446744073709551616k", -ERANGE);
	takes("duration 18446744073s", 18446744073000000000ULL);
	refuses("duration 18446744074s", -ERANGE);
	refuses("rate 18446744073709551615", -ERANGE);
	refuses("rate 18446744073710", -ERANGE);
}

TEST(numbers_leading_zeros)
{
	takes("count 000", 0);
	takes("count 0010", 10);
	takes("count 0000000000000000000000000000000000000000000000000007", 7);
	takes("count 000018446744073709551615", U64_MAX);
	refuses("count 000018446744073709551616", -ERANGE);
	takes("udp_dst_min 000000065535", 65535);
}

TEST(numbers_left_out_are_zero)
{
	takes("count", 0);
	takes("delay", 0);
	takes("pkt_size", 42);
	takes("burst", 1);
	refuses("rate", -EINVAL);
	refuses("ratep", -EINVAL);
}

TEST(numbers_that_are_none)
{
	static const char *const words[] = {
		"-1", "+1", "-0", "--1", "0x10", "0X10", "x", "1x", "1e3", "1.5", ".5", "1.",
		"1,000", "1_0", "k", "M", "ns", "1K", "1kk", "1k1", "1g", "1m", "\xc2\xb2",
		"1\x01", "0b1", "nan", "1;2"
	};
	char line[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		snprintf(line, sizeof(line), "count %s", words[i]);
		refuses(line, -EINVAL);
		snprintf(line, sizeof(line), "udp_src_max %s", words[i]);
		refuses(line, -EINVAL);
	}
	refuses("udp_src_max 1k", -EINVAL);
	refuses("count 1s", -EINVAL);
	refuses("duration 1k", -EINVAL);
	refuses("delay 1min", -EINVAL);
}

TEST(numbers_rate_units)
{
	takes("rate 300M", 300000000);
	takes("rate 300", 300000000);
	takes("rate 300k", 300000);
	takes("rate 1k", 1000);
	takes("rate 2G", 2000000000);
	takes("rate 10000G", 10000000000000ULL);
	takes("rate 10000000000k", 10000000000000ULL);
	refuses("rate 10001G", -ERANGE);
	refuses("rate 10000000001k", -ERANGE);
	refuses("rate 0", -EINVAL);
	refuses("rate 0k", -EINVAL);
	refuses("rate 300m", -EINVAL);
	refuses("rate 300Mbit", -EINVAL);
	refuses("rate 0.5", -EINVAL);
}

TEST(numbers_count_units)
{
	takes("count 3k", 3000);
	takes("count 3M", 3000000);
	takes("count 3G", 3000000000ULL);
	takes("ratep 1", 1);
	takes("ratep 14M", 14000000);
	takes("ratep 1G", 1000000000);
	refuses("ratep 0", -EINVAL);
	refuses("ratep 1000000001", -ERANGE);
	refuses("ratep 2G", -ERANGE);
}

TEST(numbers_time_units)
{
	takes("duration 5", 5);
	takes("duration 5ns", 5);
	takes("duration 5us", 5000);
	takes("duration 5ms", 5000000);
	takes("duration 5s", 5000000000ULL);
	takes("delay 12us", 12000);
}

TEST(numbers_delay_never)
{
	takes("delay 2147483646", 2147483646);
	takes("delay 2147483647", PGX_NEVER);
	takes("delay 2147483647ns", PGX_NEVER);
	takes("delay 2147483648", 2147483648ULL);
	takes("delay 2147483647us", 2147483647000ULL);
	takes("delay 18446744073709551615", PGX_NEVER);
	takes("duration 2147483647", 2147483647);
}

TEST(numbers_reply_of_refusal)
{
	struct entry entry;

	entry_init(&entry);
	entry_refuses(&entry, "ratep 2G", -ERANGE);
	CHECK(strstr(entry.reply, "ERROR: ratep: \"2G\" is out of range, "));
	CHECK(strstr(entry.reply, ", allowed is 1 to 1000000000, "));
	SAME(strstr(entry.reply, ", or"), ", or with suffix k M G");
	entry_refuses(&entry, "ratep 18446744073709551616", -ERANGE);
	CHECK(strstr(entry.reply, "\" is out of range, "));
	entry_refuses(&entry, "udp_dst_max 65536", -ERANGE);
	SAME(entry.reply, "ERROR: udp_dst_max: \"65536\" is out of range, allowed is 0 to 65535");
	entry_refuses(&entry, "rate 5x", -EINVAL);
	CHECK(strstr(entry.reply, "1000 to 10000000000000 bit/s, in Mbit/s, or with suffix k M G"));
	entry_refuses(&entry, "count 1\x1b[m", -EINVAL);
	CHECK(strstr(entry.reply, "\"1?[m\" is not a number"));
}

/* Every number of a small field, and those next to it */
TEST(numbers_all_ports)
{
	struct entry entry;
	char line[32];
	u32 port;

	entry_init(&entry);
	for (port = 0; port < 70000; port++) {
		snprintf(line, sizeof(line), "udp_src_min %u", port);
		EQ(entry_put(&entry, line), port <= 65535 ? 0 : (u64)-ERANGE);
		EQ(entry.cfg.udp_src_min, port <= 65535 ? port : 65535);
	}
	EQ(entry.cfg.udp_src_max, 9);
}

/* The neighbours of a field take no part of it. */
TEST(numbers_at_random)
{
	u64 seed = 20240607, value;
	struct entry entry;
	char line[64];
	int i;

	entry_init(&entry);
	for (i = 0; i < 100000; i++) {
		value = test_rand(&seed) >> test_rand(&seed) % 64;
		snprintf(line, sizeof(line), "count %llu", value);
		EQ(entry_put(&entry, line), 0);
		EQ(entry.cfg.count, value);
		snprintf(line, sizeof(line), "src_mac_count %llu", value);
		EQ(entry_put(&entry, line), value <= 0xffffffff ? 0 : (u64)-ERANGE);
		CHECK(value > 0xffffffff || entry.cfg.src_mac_count == value);
		EQ(entry.cfg.src_max, 0);
		EQ(entry.cfg.dst_mac_count, 0);
	}
}
