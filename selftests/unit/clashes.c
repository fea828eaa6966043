// SPDX-License-Identifier: GPL-2.0
/* Rules about mixes, fragments, IPsec and CPUs; tags and labels that exclude each other. */
#include <stdio.h>
#include "entry.h"

static void put(struct entry *entry, const char *line)
{
	EQ(entry_put(entry, line), 0);
}

TEST(clashes_mix_and_clone)
{
	struct entry entry;

	entry_init(&entry);
	put(&entry, "clone_skb 2");
	entry_clashes(&entry, "imix_weights 60,1", -EINVAL);
	CHECK(strstr(entry.reply, "imix_weights") && strstr(entry.reply, "clone_skb 2"));
	put(&entry, "imix_weights none");
	put(&entry, "clone_skb 0");
	put(&entry, "imix_weights 60,1");
	entry_clashes(&entry, "clone_skb 1", -EINVAL);
	put(&entry, "burst 8");
	put(&entry, "clone_skb 0");
	EQ(entry_at_start(&entry), 0);
	put(&entry, "imix_weights none");
	put(&entry, "clone_skb 1");
}

TEST(clashes_mix_and_sizes)
{
	struct entry entry;

	entry_init(&entry);
	put(&entry, "min_pkt_size 60");
	put(&entry, "max_pkt_size 61");
	entry_clashes(&entry, "imix_weights 60,1 70,1", -EINVAL);
	CHECK(strstr(entry.reply, "min_pkt_size 60") && strstr(entry.reply, "max_pkt_size 61"));
	put(&entry, "max_pkt_size 60");
	put(&entry, "imix_weights 60,1 70,1");
	entry_clashes(&entry, "max_pkt_size 61", -EINVAL);
	entry_clashes(&entry, "min_pkt_size 59", -EINVAL);
	put(&entry, "pkt_size 100");
	/* One that is left below the other is raised at the start. */
	put(&entry, "min_pkt_size 200");
	put(&entry, "max_pkt_size 50");
	put(&entry, "imix_weights none");
	put(&entry, "max_pkt_size 1000");
}

/* The larger one can be written first; that the smaller one was never written shows at the start. */
TEST(clashes_mix_and_first_size)
{
	struct entry entry;

	entry_init(&entry);
	put(&entry, "imix_weights 60,1 70,1");
	put(&entry, "max_pkt_size 100");
	pgx_config_complete(&entry.cfg, &entry.facts);
	EQ(entry_at_start(&entry), (u64)-EINVAL);
	entry_init(&entry);
	put(&entry, "imix_weights 60,1 70,1");
	put(&entry, "max_pkt_size 100");
	put(&entry, "min_pkt_size 100");
	EQ(entry_at_start(&entry), 0);
}

/* With a mix the sizes of the mix count at the start, and no others. */
TEST(clashes_mix_and_device)
{
	struct entry entry;

	entry_init(&entry);
	put(&entry, "imix_weights 60,1 1514,9 70,1");
	EQ(entry_at_start(&entry), 0);
	put(&entry, "imix_weights 60,1 1515,1 70,1");
	EQ(entry_at_start(&entry), (u64)-ERANGE);
	CHECK(strstr(entry.reply, "imix_weights: 1515") && strstr(entry.reply, "42 to 1514"));
	put(&entry, "xmit_mode netif_receive");
	EQ(entry_at_start(&entry), 0);
	put(&entry, "xmit_mode start_xmit");
	put(&entry, "imix_weights 60,1");
	put(&entry, "pkt_size 9000");
	EQ(entry_at_start(&entry), 0);
	put(&entry, "imix_weights none");
	EQ(entry_at_start(&entry), (u64)-ERANGE);
	entry_init(&entry);
	entry.running = true;
	entry_clashes(&entry, "imix_weights 60,1 1515,1", -ERANGE);
}

/* Sizes of a mix below the headers are raised to them in a run, and confirmed so. */
TEST(clashes_mix_is_completed)
{
	struct entry entry;

	entry_init(&entry);
	put(&entry, "imix_weights 42,7 576,4");
	SAME(entry.reply, "OK: imix_weights=42,7 576,4");
	pgx_config_complete(&entry.cfg, &entry.facts);
	EQ(entry.cfg.imix[0].size, 58);
	EQ(entry.cfg.imix[0].weight, 7);
	EQ(entry.cfg.imix[1].size, 576);
	entry.running = true;
	put(&entry, "imix_weights 42,7 59,1");
	SAME(entry.reply, "OK: imix_weights=58,7 59,1");
	put(&entry, "dst6 ::1");
	EQ(entry.cfg.imix[0].size, 78);
	EQ(entry.cfg.imix[1].size, 78);
}

static void fragments_refused(const char *door, bool scatter, int rc)
{
	struct entry entry;
	char line[64];

	snprintf(line, sizeof(line), "xmit_mode %s", door);
	entry_init(&entry);
	entry.facts.scatter = scatter;
	put(&entry, line);
	if (rc)
		entry_clashes(&entry, "frags 1", rc);
	else
		put(&entry, "frags 1");
	EQ(entry_at_start(&entry), 0);
	put(&entry, "frags 0");
}

TEST(clashes_fragments_and_device)
{
	struct entry entry;

	fragments_refused("start_xmit", false, -EOPNOTSUPP);
	fragments_refused("start_xmit", true, 0);
	fragments_refused("netif_receive", false, 0);
	fragments_refused("queue_xmit", false, 0);
	entry_init(&entry);
	put(&entry, "frags 17");
	EQ(entry_at_start(&entry), 0);
	entry.facts.scatter = false;
	EQ(entry_at_start(&entry), (u64)-EOPNOTSUPP);
	CHECK(strstr(entry.reply, "frags: 17") && strstr(entry.reply, "eth0@1"));
	put(&entry, "xmit_mode queue_xmit");
	EQ(entry_at_start(&entry), 0);
	entry_clashes(&entry, "xmit_mode start_xmit", -EOPNOTSUPP);
}

TEST(clashes_fragments_and_ipsec)
{
	struct entry entry;

	entry_init(&entry);
	put(&entry, "frags 3");
	entry_clashes(&entry, "flag IPSEC", -EINVAL);
	CHECK(strstr(entry.reply, "frags: 3") && strstr(entry.reply, "IPSEC"));
	put(&entry, "frags 0");
	put(&entry, "flag IPSEC");
	entry_clashes(&entry, "frags 1", -EINVAL);
	put(&entry, "flag !IPSEC");
	put(&entry, "frags 1");
}

TEST(clashes_ipsec_and_kernel)
{
	struct entry entry;

	entry_init(&entry);
	entry.facts.ipsec = false;
	entry_clashes(&entry, "flag IPSEC", -EOPNOTSUPP);
	CHECK(strstr(entry.reply, "flag IPSEC: "));
	entry_clashes(&entry, "flag UDPCSUM IPSEC", -EOPNOTSUPP);
	entry_clashes(&entry, "spi 1", -EOPNOTSUPP);
	CHECK(strstr(entry.reply, " spi: "));
	put(&entry, "spi 0");
	put(&entry, "flag !IPSEC");
	put(&entry, "flag UDPCSUM");
	entry.facts.ipsec = true;
	put(&entry, "spi 4294967295");
	put(&entry, "flag IPSEC");
	EQ(entry_at_start(&entry), 0);
}

TEST(clashes_cpu_offline)
{
	struct entry entry;

	entry_init(&entry);
	entry.facts.cpu = false;
	EQ(entry_at_start(&entry), (u64)-ENODEV);
	CHECK(strstr(entry.reply, "CPU") && strstr(entry.reply, "offline"));
	/* Settings can be written all the same. */
	put(&entry, "burst 8");
	put(&entry, "clone_skb 8");
	entry.facts.cpu = true;
	EQ(entry_at_start(&entry), 0);
}

/* Module parameters: what a new entry begins with, all of them or none */
TEST(clashes_of_module_parameters)
{
	struct pgx_config cfg;

	EQ(pgx_config_defaults(2147483647, 3, 4, 5), 0);
	pgx_config_init(&cfg);
	EQ(cfg.count, 2147483647);
	EQ(cfg.pace, 3);
	EQ(cfg.pacing, PGX_PACE_DELAY);
	EQ(cfg.clone_skb, 4);
	EQ(cfg.debug, 5);
	EQ(pgx_config_defaults(-1, 0, 0, 0), (u64)-EINVAL);
	EQ(pgx_config_defaults(7, -1, 0, 0), (u64)-EINVAL);
	EQ(pgx_config_defaults(7, 0, -1, 0), (u64)-EINVAL);
	EQ(pgx_config_defaults(7, 0, 0, -2147483647), (u64)-EINVAL);
	pgx_config_init(&cfg);
	EQ(cfg.count, 2147483647);
	EQ(cfg.clone_skb, 4);
	EQ(pgx_config_defaults(0, 0, 0, 0), 0);
	pgx_config_init(&cfg);
	EQ(cfg.count, 0);
	EQ(pgx_config_defaults(1000, 0, 0, 0), 0);
}

/* Tags: 0xffff where there is none */
static void tags(const struct entry *entry, u16 svlan, u16 vlan, u8 labels)
{
	EQ(entry->cfg.svlan_id, svlan);
	EQ(entry->cfg.vlan_id, vlan);
	EQ(entry->cfg.nr_labels, labels);
}

TEST(clashes_tags_and_labels)
{
	struct entry entry;

	entry_init(&entry);
	tags(&entry, 0xffff, 0xffff, 0);
	put(&entry, "mpls 1,2");
	tags(&entry, 0xffff, 0xffff, 2);
	put(&entry, "vlan_id 0");
	tags(&entry, 0xffff, 0, 0);
	put(&entry, "svlan_id 4095");
	tags(&entry, 4095, 0, 0);
	/* No label leaves the tags, a refused one too. */
	put(&entry, "mpls 0");
	tags(&entry, 4095, 0, 0);
	entry_refuses(&entry, "mpls 1,x", -EINVAL);
	tags(&entry, 4095, 0, 0);
	put(&entry, "mpls 0,0");
	tags(&entry, 0xffff, 0xffff, 2);
	entry_refuses(&entry, "svlan_id 1", PGX_SOFT);
	tags(&entry, 0xffff, 0xffff, 2);
	put(&entry, "svlan_id 4096");
	tags(&entry, 0xffff, 0xffff, 2);
	put(&entry, "vlan_id 5000");
	tags(&entry, 0xffff, 0xffff, 2);
	put(&entry, "mpls 0");
	tags(&entry, 0xffff, 0xffff, 0);
}

/* The outer tag goes with the inner one, and the other way round; the rest of a tag is kept. */
TEST(clashes_tags_go_together)
{
	struct entry entry;

	entry_init(&entry);
	put(&entry, "vlan_id 5");
	put(&entry, "vlan_p 6");
	put(&entry, "svlan_id 7");
	put(&entry, "svlan_p 3");
	put(&entry, "svlan_cfi 1");
	put(&entry, "vlan_id 4096");
	tags(&entry, 0xffff, 0xffff, 0);
	entry_refuses(&entry, "vlan_p 1", PGX_SOFT);
	put(&entry, "vlan_id 9");
	tags(&entry, 0xffff, 9, 0);
	entry_refuses(&entry, "svlan_p 1", PGX_SOFT);
	put(&entry, "svlan_id 10");
	EQ(entry.cfg.vlan_p, 6);
	EQ(entry.cfg.svlan_p, 3);
	EQ(entry.cfg.svlan_cfi, 1);
	put(&entry, "svlan_id 65535");
	tags(&entry, 0xffff, 0xffff, 0);
}

/* A mark asks for random labels; to be without them again is said by the flag alone. */
TEST(clashes_marked_labels)
{
	struct entry entry;

	entry_init(&entry);
	put(&entry, "mpls 00000200,fffffeff");
	EQ(entry.cfg.flags, PGX_F_SHARED);
	put(&entry, "mpls 00000200,00000100");
	EQ(entry.cfg.flags, PGX_F_SHARED | PGX_F_MPLS_RND);
	put(&entry, "mpls 1");
	EQ(entry.cfg.flags, PGX_F_SHARED | PGX_F_MPLS_RND);
	put(&entry, "flag !MPLS_RND");
	put(&entry, "mpls 1");
	EQ(entry.cfg.flags, PGX_F_SHARED);
}

static bool addr6_is(struct pgx_addr6 addr, u64 hi, u64 lo)
{
	return addr.hi == hi && addr.lo == lo;
}

/* Whoever sets a single address means it, and no range from before. */
TEST(clashes_address_and_range)
{
	struct entry entry;
	char line[64];
	int i;

	for (i = 0; i < 2; i++) {
		struct pgx_addr6 *one = i ? &entry.cfg.src6 : &entry.cfg.dst6;
		struct pgx_addr6 *min = i ? &entry.cfg.src6_min : &entry.cfg.dst6_min;
		struct pgx_addr6 *max = i ? &entry.cfg.src6_max : &entry.cfg.dst6_max;
		const char *name = i ? "src6" : "dst6";

		entry_init(&entry);
		snprintf(line, sizeof(line), "%s_max 1::9", name);
		put(&entry, line);
		EQ(entry.cfg.flags, PGX_F_SHARED | PGX_F_IPV6);
		snprintf(line, sizeof(line), "%s_min 1::8", name);
		put(&entry, line);
		CHECK(addr6_is(*min, 1ULL << 48, 8) && addr6_is(*max, 1ULL << 48, 9));
		snprintf(line, sizeof(line), "%s x", name);
		entry_refuses(&entry, line, -EINVAL);
		CHECK(addr6_is(*min, 1ULL << 48, 8) && addr6_is(*max, 1ULL << 48, 9));
		snprintf(line, sizeof(line), "%s 1::7", name);
		put(&entry, line);
		CHECK(addr6_is(*one, 1ULL << 48, 7));
		CHECK(addr6_is(*min, 0, 0) && addr6_is(*max, 0, 0));
	}
}
