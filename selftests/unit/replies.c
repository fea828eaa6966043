// SPDX-License-Identifier: GPL-2.0
/* Texts of replies: which ones scripts know, and that the longest of each has room. */
#include <stdio.h>
#include <stdlib.h>
#include "entry.h"

/* What the command layer adds in a write of several lines */
#define PROGRESS	" (line 4294967295; lines applied before it: 4294967295)"

/* The reply to a line in a buffer that is as large as the real one, and in one without bounds */
static int whole_reply(const struct entry *entry, const char *line, char *reply)
{
	static char large[8192], small[PGX_REPLY_SIZE];
	const size_t sizes[] = { sizeof(large), sizeof(small) };
	char *const buffers[] = { large, small };
	struct pgx_config cfg;
	struct pgx_words words;
	struct pgx_text text;
	const struct pgx_param *row;
	int i, rc = 0;
	char *copy;

	test_note("%.400s", line);
	for (i = 0; i < 2; i++) {
		copy = strdup(line);
		cfg = entry->cfg;
		pgx_words_cut(copy, &words);
		pgx_text_init(&text, buffers[i], sizes[i]);
		rc = pgx_param_write(&cfg, &entry->facts, entry->running, &words, &text, &row);
		free(copy);
	}
	SAME(small, large);
	CHECK(strlen(large) + strlen(PROGRESS) < PGX_REPLY_SIZE);
	CHECK(text_is_plain(large));
	strcpy(reply, small);
	return rc;
}

static void long_values(const struct entry *entry, const char *name)
{
	static const char fillers[] = "y9f:,.!/\x01\xff";
	char line[2200], reply[PGX_REPLY_SIZE];
	const char *filler;
	size_t len;

	for (filler = fillers; *filler; filler++) {
		len = sprintf(line, "%s ", name);
		memset(line + len, *filler, 2000);
		line[len + 2000] = '\0';
		whole_reply(entry, line, reply);
		/* A value that is too long for its reply, behind the first and at the end */
		line[len + 1] = ' ';
		whole_reply(entry, line, reply);
	}
}

/* A name as long as there is room for, and a device that can nothing of what is asked for */
static void long_entry(struct entry *entry)
{
	static char name[PGX_NAME_SIZE];

	entry_init(entry);
	memset(name, 'n', sizeof(name) - 1);
	entry->facts.name = name;
	entry->facts.max_frame = 65548;
	entry->facts.sharing = false;
	entry->facts.scatter = false;
	entry->facts.ipsec = false;
	entry->facts.cpu = false;
	entry->cfg.clone_skb = 2147483647;
	entry->cfg.burst = 65536;
	entry->cfg.min_pkt_size = 65548;
	entry->cfg.max_pkt_size = 65549;
}

TEST(replies_have_room)
{
	const struct pgx_param *row;
	struct entry entry;

	for_each_row(row) {
		if (!row->name)
			continue;
		entry_init(&entry);
		long_values(&entry, row->name);
		long_entry(&entry);
		long_values(&entry, row->name);
		entry.running = true;
		long_values(&entry, row->name);
	}
}

/* What settings that clash are told, each at its longest */
TEST(replies_of_clashes_have_room)
{
	static const char *const lines[] = {
		"clone_skb 2147483646", "burst 65535", "flag !SHARED", "frags 17", "flag IPSEC",
		"spi 4294967295", "imix_weights 65549,4294967295", "xmit_mode netif_receive",
		"xmit_mode queue_xmit", "max_pkt_size 65549", "min_pkt_size 65547", "count 1"
	};
	char reply[PGX_REPLY_SIZE];
	struct entry entry;
	u32 door, runs;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		for (door = 0; door < PGX_NR_DOORS; door++) {
			for (runs = 0; runs < 2; runs++) {
				long_entry(&entry);
				entry.cfg.xmit_mode = door;
				entry.running = runs;
				whole_reply(&entry, lines[i], reply);
				entry.cfg.clone_skb = 0;
				entry.cfg.burst = 1;
				whole_reply(&entry, lines[i], reply);
			}
		}
	}
}

/* Of a start all rules that there are, one after the other */
TEST(replies_of_a_start_have_room)
{
	static char large[8192];
	struct pgx_text text;
	struct entry entry;
	u32 on;
	int i;

	for (on = 1; on <= PGX_ON_SPI; on <<= 1) {
		for (i = 0; i < 64; i++) {
			long_entry(&entry);
			entry.cfg.xmit_mode = i % 3;
			entry.cfg.flags = i & 4 ? PGX_F_IPSEC : PGX_F_SHARED;
			entry.cfg.frags = i & 8 ? 17 : 0;
			entry.cfg.nr_imix = i & 16 ? 20 : 0;
			entry.cfg.clone_skb = i & 32 ? 2147483647 : 0;
			pgx_text_init(&text, large, sizeof(large));
			pgx_config_check(&entry.cfg, &entry.facts, on, &text);
			CHECK(text.len + strlen(PROGRESS) < PGX_REPLY_SIZE);
		}
	}
}

/* The longest lists are confirmed whole. */
TEST(replies_of_lists_are_whole)
{
	char line[PGX_REPLY_SIZE] = "imix_weights", want[PGX_REPLY_SIZE], reply[PGX_REPLY_SIZE];
	struct entry entry;
	int i;

	entry_init(&entry);
	for (i = 0; i < 20; i++)
		strcat(line, " 65549,4294967295");
	snprintf(want, sizeof(want), "OK: imix_weights=%s", strchr(line, ' ') + 1);
	EQ(whole_reply(&entry, line, reply), 0);
	SAME(reply, want);
	strcpy(line, "mpls ffffffff");
	for (i = 1; i < 16; i++)
		strcat(line, ",ffffffff");
	snprintf(want, sizeof(want), "OK: mpls=%s", strchr(line, ' ') + 1);
	EQ(whole_reply(&entry, line, reply), 0);
	SAME(reply, want);
}

/* Of what is no fault the write still returns its count; how the replies begin, scripts know. */
TEST(replies_of_soft_refusals)
{
	static const struct {
		const char	*before, *line, *reply;
	} soft[] = {
		{ "count 1", "vlan_p 3",
		  "ERROR: vlan_p must be 0-7 and needs vlan_id first: \"3\"" },
		{ "vlan_id 77", "vlan_p 8", "ERROR: vlan_p must be 0-7: \"8\"" },
		{ "vlan_id 77", "vlan_cfi 2", "ERROR: vlan_cfi must be 0-1: \"2\"" },
		{ "count 1", "vlan_cfi 1",
		  "ERROR: vlan_cfi must be 0-1 and needs vlan_id first: \"1\"" },
		{ "vlan_id 77", "svlan_p 3",
		  "ERROR: svlan_p must be 0-7 and needs svlan_id first: \"3\"" },
		{ "vlan_id 77", "svlan_cfi 0",
		  "ERROR: svlan_cfi must be 0-1 and needs svlan_id first: \"0\"" },
		{ "count 1", "tos 0", "ERROR: tos must be 00-ff: \"0\" is not two hex digits" },
		{ "count 1", "traffic_class fff",
		  "ERROR: traffic_class must be 00-ff: \"fff\" is not two hex digits" },
		{ "count 1", "node 100",
		  "ERROR: node not possible: \"100\", "
		  "allowed is a memory node of this machine, or -1 for none" },
		{ "count 1", "svlan_id 5",
		  "ERROR: svlan_id: \"5\" needs vlan_id first, "
		  "allowed without is 4096 to 65535 for none" },
		{ "mpls 1", "svlan 5",
		  "ERROR: svlan: \"5\" needs vlan_id first, "
		  "allowed without is 4096 to 65535 for none" },
		{ "count 1", "xmit_mode nonsense",
		  "xmit_mode -:nonsense:- unknown\n"
		  "Available modes: start_xmit, netif_receive, queue_xmit\n" },
		{ "count 1", "flag nonsense",
		  "Flag -:nonsense:- unknown\n"
		  "Available flags, (prepend ! to un-set flag):\n"
		  "IPV6, IPSRC_RND, IPDST_RND, TXSIZE_RND, UDPSRC_RND, UDPDST_RND, UDPCSUM, "
		  "NO_TIMESTAMP, MPLS_RND, QUEUE_MAP_RND, QUEUE_MAP_CPU, FLOW_SEQ, IPSEC, "
		  "MACSRC_RND, MACDST_RND, VID_RND, SVID_RND, NODE, SHARED" },
	};
	struct entry entry;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(soft); i++) {
		entry_init(&entry);
		EQ(entry_put(&entry, soft[i].before), 0);
		entry_refuses(&entry, soft[i].line, PGX_SOFT);
		SAME(entry.reply, soft[i].reply);
	}
}

/* IPv6 is not switched on by its flag, but off; who tries is told how. */
TEST(replies_about_ipv6)
{
	struct entry entry;

	entry_init(&entry);
	entry_refuses(&entry, "flag IPV6", PGX_SOFT);
	CHECK(!strncmp(entry.reply, "Flag -:IPV6:- unknown\n", 22));
	CHECK(strstr(entry.reply, "\nIPV6 is set by dst6, src6 and their ranges"));
	entry_refuses(&entry, "flag UDPCSUM IPV6", PGX_SOFT);
	EQ(entry_put(&entry, "dst6 fec0::1"), 0);
	SAME(entry.reply, "OK: dst6=fec0::1");
	EQ(entry.cfg.flags, PGX_F_IPV6 | PGX_F_SHARED);
	entry_refuses(&entry, "flag IPV6", PGX_SOFT);
	EQ(entry_put(&entry, "flag !IPV6"), 0);
	SAME(entry.reply, "OK: flags=0x40000");
	/* An address that is refused switches nothing on. */
	entry_refuses(&entry, "dst6 fec0:::1", -EINVAL);
	EQ(entry.cfg.flags, PGX_F_SHARED);
}

/* Replies that cases of scripts depend on, after one another in the same entry */
TEST(replies_known_to_scripts)
{
	static const char *const lines[][2] = {
		{ "count=9", "OK: count=9" },
		{ "pkt_size 60", "OK: pkt_size=60" },
		{ "min_pkt_size 41", "OK: min_pkt_size=42" },
		{ "min_pkt_size 60", "OK: min_pkt_size=60" },
		{ "frags 18", "OK: frags=17" },
		{ "frags 0", "OK: frags=0" },
		{ "delay 2147483647", "OK: delay=18446744073709551615" },
		{ "rate 300M", "OK: rate=300" },
		{ "ratep 3", "OK: rate=3" },
		{ "imix_weights 40,7 576,4 1500,1", "OK: imix_weights=42,7 576,4 1500,1" },
		{ "imix_weights none", "OK: imix_weights=none" },
		{ "flows 65537", "OK: flows=65536" },
		{ "flowlen 4294967295", "OK: flowlen=4294967295" },
		{ "spi 256", "OK: spi=256" },
		{ "spi 0x100", "OK: spi=256" },
		{ "skb_priority 7", "OK: skb_priority=7" },
		{ "debug 1", "OK: debug=1" },
		{ "dst 10.0.0.1", "OK: dst_min=10.0.0.1" },
		{ "dst_mac 00:11:22:33:44:55", "OK: dstmac 00:11:22:33:44:55" },
		{ "dstmac 00:11:22:33:44:56", "OK: dstmac 00:11:22:33:44:56" },
		{ "srcmac 00:11:22:33:44:57", "OK: srcmac 00:11:22:33:44:57" },
		{ "src6_min 2001:DB8::1", "OK: src6_min=2001:db8::1" },
		{ "mpls 0001000a,0002000a,0000000a", "OK: mpls=0001000a,0002000a,0000000a" },
		{ "mpls 1", "OK: mpls=00000001" },
		{ "mpls 0", "OK: mpls=" },
		{ "vlan_id 77", "OK: vlan_id=77" },
		{ "vlan_p 3", "OK: vlan_p=3" },
		{ "svlan_id 0", "OK: svlan_id=0" },
		{ "svlan_cfi 1", "OK: svlan_cfi=1" },
		{ "svlan_tpid 88a8", "OK: svlan_tpid=0x88a8" },
		{ "svlan_tpid 0x8100", "OK: svlan_tpid=0x8100" },
		{ "svlan 9999", "OK: svlan_id=off" },
		{ "vlan_id 4096", "OK: vlan_id=off" },
		{ "tos 0f", "OK: tos=0x0f" },
		{ "traffic_class 0xB8", "OK: traffic_class=0xb8" },
		{ "burst 0", "OK: burst=1" },
		{ "node 2", "OK: node=2" },
		{ "node -1", "OK: node=-1" },
		{ "flag NODE_ALLOC", "OK: flags=0x60001" },
		{ "flag !NODE FLOW_SEQ", "OK: flags=0x40801" },
		{ "flag FLOW_RND", "OK: flags=0x40001" },
		{ "flag !FLOW_RND", "OK: flags=0x40801" },
		{ "xmit_mode queue_xmit", "OK: xmit_mode=queue_xmit" },
		{ "clear_counters", "OK: Clearing counters.\n" },
	};
	struct entry entry;
	size_t i;

	entry_init(&entry);
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		EQ(entry_put(&entry, lines[i][0]), 0);
		SAME(entry.reply, lines[i][1]);
	}
}

/* Whatever a tag is made of: no terminal that shows a reply acts on it. */
TEST(replies_show_a_name_plainly)
{
	struct entry entry;

	entry_init(&entry);
	entry.facts.name = "eth0@\x9b" "31m\xc3\xa4";
	entry.facts.sharing = false;
	EQ(entry_put(&entry, "burst 2"), -EOPNOTSUPP);
	CHECK(strstr(entry.reply, "the driver of eth0@?31m?? changes"));
	entry.facts.scatter = false;
	EQ(entry_put(&entry, "frags 2"), -EOPNOTSUPP);
	CHECK(strstr(entry.reply, "frags: 2, but eth0@?31m?? takes none"));
	entry.facts.cpu = false;
	EQ(entry_at_start(&entry), -ENODEV);
	SAME(entry.reply, "ERROR: start: the CPU of eth0@?31m?? is offline");
	entry.cfg.max_pkt_size = 1515;
	EQ(entry_at_start(&entry), -ERANGE);
	SAME(entry.reply,
	     "ERROR: max_pkt_size: 1515 is more than eth0@?31m?? sends, allowed is 42 to 1514");
}
