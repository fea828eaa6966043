// SPDX-License-Identifier: GPL-2.0
/* Addresses, flags and choices. */
#include <stdio.h>
#include "entry.h"

static void ip4(const char *word, bool good, u32 want)
{
	struct entry entry;
	char line[128];

	entry_init(&entry);
	snprintf(line, sizeof(line), "src_min %s", word);
	if (!good) {
		entry_refuses(&entry, line, -EINVAL);
		return;
	}
	EQ(entry_put(&entry, line), 0);
	EQ(entry.cfg.src_min, want);
}

TEST(values_ip4)
{
	static const char *const bad[] = {
		"", "1", "1.2.3", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.4.", "1.2.3.4.5",
		"256.0.0.0", "0.0.0.256", "1.2.3.0004", "1.2.3.999", "0x1.2.3.4", "-1.2.3.4",
		"1.2.3.4x", "1.2.3,4", "1.2.3.a", "::1", "localhost",
		"1.2.3.4\x01", "1 .2.3.4", "4294967295", "1.2.3.4294967297"
	};
	size_t i;

	ip4("0.0.0.0", true, 0);
	ip4("255.255.255.255", true, 0xffffffff);
	ip4("1.2.3.4", true, 0x01020304);
	ip4("192.168.10.200", true, 0xc0a80ac8);
	/* Zeros in front are no octal number. */
	ip4("010.001.000.009", true, 0x0a010009);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		ip4(bad[i], false, 0);
}

TEST(values_ip4_prefix_is_told)
{
	struct entry entry;

	entry_init(&entry);
	entry_refuses(&entry, "dst 10.0.0.0/8", -EINVAL);
	CHECK(strstr(entry.reply, "\"10.0.0.0/8\" has a prefix length"));
	EQ(entry_put(&entry, "dst 10.0.0.1"), 0);
	SAME(entry.reply, "OK: dst_min=10.0.0.1");
	EQ(entry.cfg.dst_min, 0x0a000001);
	EQ(entry.cfg.dst_max, 0);
}

static void mac(const char *word, const char *want)
{
	struct entry entry;
	char line[128];

	entry_init(&entry);
	snprintf(line, sizeof(line), "dst_mac %s", word);
	if (!want) {
		entry_refuses(&entry, line, -EINVAL);
		return;
	}
	EQ(entry_put(&entry, line), 0);
	CHECK(!memcmp(entry.cfg.dst_mac, want, 6));
	CHECK(!memcmp(entry.cfg.src_mac, "\0\0\0\0\0", 6));
}

TEST(values_mac)
{
	static const char *const bad[] = {
		"", "0", "00", "00:", "00:11:22:33:44", "00:11:22:33:44:", "00:11:22:33:44:5",
		"00:11:22:33:44:55:", "00:11:22:33:44:55:66", "00:11:22:33:44:5g",
		"0:11:22:33:44:55", "00-11-22-33-44-55", "001122334455",
		"00:11:22:33:44:555", ":00:11:22:33:44",
		"00:11:22:33:44:\xb5\xb5", "0x:11:22:33:44:55", "00:11:22::33:44"
	};
	size_t i;

	mac("00:11:22:33:44:55", "\x00\x11\x22\x33\x44\x55");
	mac("aB:Cd:eF:09:90:fF", "\xab\xcd\xef\x09\x90\xff");
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		mac(bad[i], NULL);
}

/* The numbers are those of pktgen, which scripts see. */
TEST(values_flag_numbers)
{
	static const struct {
		const char	*name;
		u32		bits;
	} flags[] = {
		{ "IPSRC_RND", 0x2 }, { "IPDST_RND", 0x4 }, { "TXSIZE_RND", 0x8 },
		{ "UDPSRC_RND", 0x10 }, { "UDPDST_RND", 0x20 }, { "NO_TIMESTAMP", 0x80 },
		{ "QUEUE_MAP_RND", 0x200 }, { "QUEUE_MAP_CPU", 0x400 },
		{ "MACSRC_RND", 0x2000 }, { "MACDST_RND", 0x4000 }, { "SHARED", 0x40000 }
	};
	struct entry entry;
	char line[64], reply[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		entry_init(&entry);
		entry.cfg.flags = 0;
		snprintf(line, sizeof(line), "flag %s", flags[i].name);
		snprintf(reply, sizeof(reply), "OK: flags=0x%x", flags[i].bits);
		EQ(entry_put(&entry, line), 0);
		EQ(entry.cfg.flags, flags[i].bits);
		SAME(entry.reply, reply);
		snprintf(line, sizeof(line), "flag !%s", flags[i].name);
		EQ(entry_put(&entry, line), 0);
		EQ(entry.cfg.flags, 0);
	}
}

TEST(values_flags_all_or_none)
{
	struct entry entry;

	entry_init(&entry);
	EQ(entry_put(&entry, "flag IPSRC_RND IPDST_RND !SHARED"), 0);
	EQ(entry.cfg.flags, PGX_F_IPSRC_RND | PGX_F_IPDST_RND);
	entry_refuses(&entry, "flag UDPSRC_RND NOSUCH MACSRC_RND", PGX_SOFT);
	CHECK(strstr(entry.reply, "Flag -:NOSUCH:- unknown\n"));
	entry_refuses(&entry, "flag !IPSRC_RND !NOSUCH", PGX_SOFT);
	CHECK(strstr(entry.reply, "-:!NOSUCH:-"));
	entry_refuses(&entry, "flag", PGX_SOFT);
	entry_refuses(&entry, "flag !", PGX_SOFT);
	entry_refuses(&entry, "flag !!SHARED", PGX_SOFT);
	entry_refuses(&entry, "flag ipsrc_rnd", PGX_SOFT);
	entry_refuses(&entry, "flag 0x2", PGX_SOFT);
	EQ(entry.cfg.flags, PGX_F_IPSRC_RND | PGX_F_IPDST_RND);
	CHECK(strstr(entry.reply, "\nAvailable flags, (prepend ! to un-set flag):\nIPV6, "));
	CHECK(strstr(entry.reply, ", IPSRC_RND, IPDST_RND, TXSIZE_RND, UDPSRC_RND, UDPDST_RND, "));
	CHECK(strstr(entry.reply, ", NO_TIMESTAMP, MPLS_RND, QUEUE_MAP_RND, QUEUE_MAP_CPU, "));
	SAME(strstr(entry.reply, "IPSEC"),
	     "IPSEC, MACSRC_RND, MACDST_RND, VID_RND, SVID_RND, NODE, SHARED");
}

TEST(values_flags_in_order)
{
	struct entry entry;

	entry_init(&entry);
	EQ(entry_put(&entry, "flag IPSRC_RND !IPSRC_RND"), 0);
	EQ(entry.cfg.flags, PGX_F_SHARED);
	EQ(entry_put(&entry, "flag !IPSRC_RND IPSRC_RND IPSRC_RND"), 0);
	EQ(entry.cfg.flags, PGX_F_SHARED | PGX_F_IPSRC_RND);
}

TEST(values_choice)
{
	struct entry entry;

	entry_init(&entry);
	EQ(entry_put(&entry, "xmit_mode netif_receive"), 0);
	SAME(entry.reply, "OK: xmit_mode=netif_receive");
	EQ(entry.cfg.xmit_mode, 1);
	entry_refuses(&entry, "xmit_mode netif", PGX_SOFT);
	SAME(entry.reply, "xmit_mode -:netif:- unknown\n"
	     "Available modes: start_xmit, netif_receive, queue_xmit\n");
	entry_refuses(&entry, "xmit_mode", PGX_SOFT);
	entry_refuses(&entry, "xmit_mode 2", PGX_SOFT);
	EQ(entry_put(&entry, "xmit_mode queue_xmit"), 0);
	EQ(entry.cfg.xmit_mode, 2);
	EQ(entry_put(&entry, "xmit_mode start_xmit"), 0);
	EQ(entry.cfg.xmit_mode, 0);
}

/* However long a word is, the reply has room for what is allowed. */
TEST(values_long_word_in_reply)
{
	static const char *const names[] = {
		"count", "flag", "xmit_mode", "dst", "dst_mac", "rate", "pkt_size"
	};
	char line[2100], shown[70];
	struct entry entry;
	size_t i;

	memset(shown, 'y', 60);
	memcpy(shown + 60, "yy", 3);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		entry_init(&entry);
		snprintf(line, sizeof(line), "%s ", names[i]);
		memset(strchr(line, 0), 'y', 2000);
		line[strlen(names[i]) + 2001] = '\0';
		entry_put(&entry, line);
		test_note("%s", names[i]);
		CHECK(!strstr(entry.reply, shown));
		shown[60] = '\0';
		CHECK(strstr(entry.reply, shown));
		shown[60] = 'y';
		CHECK(strstr(entry.reply, "llowed") || strstr(entry.reply, "Available"));
		CHECK(strlen(entry.reply) < 400);
	}
}
