// SPDX-License-Identifier: GPL-2.0
/* Whole frames: every combination of tags, labels and addresses, byte by byte, and checksums. */
#include "traffic.h"

/* How a frame's headers begin: 0 without a tag, then a tag, two tags of both kinds, labels */
#define PLAIN		0
#define VLAN		1
#define QINQ		2
#define QINQ_AD		3
#define MPLS(n)		(3 + (n))
#define NR_SHAPES	(MPLS(16) + 1)

struct bytes {
	u8	at[256];
	size_t	len;
};

static void put(struct bytes *bytes, u64 value, int len)
{
	while (len--)
		bytes->at[bytes->len++] = value >> (8 * len);
}

static void put_addr6(struct bytes *bytes, struct pgx_addr6 addr)
{
	put(bytes, addr.hi, 8);
	put(bytes, addr.lo, 8);
}

/* RFC 1071 by division: the words' sum modulo 65535, where 0 stands for 65535 too */
static u32 words_sum(const u8 *at, size_t len)
{
	u64 sum = 0;
	size_t i;

	for (i = 0; i < len; i++)
		sum += i % 2 ? at[i] : 256ULL * at[i];
	return sum % 65535;
}

static u32 checksum(u32 sum)
{
	return 65535 - sum % 65535;
}

/* What is put before the IP header; its type comes last. */
static void expect_tags(struct bytes *want, const struct pgx_config *cfg, int shape, u32 type)
{
	int i;

	if (shape == QINQ || shape == QINQ_AD) {
		put(want, shape == QINQ ? 0x8100 : 0x88a8, 2);
		put(want, cfg->svlan_p << 13 | cfg->svlan_cfi << 12 | cfg->svlan_id, 2);
	}
	if (shape >= VLAN && shape <= QINQ_AD) {
		put(want, 0x8100, 2);
		put(want, cfg->vlan_p << 13 | cfg->vlan_cfi << 12 | cfg->vlan_id, 2);
	}
	put(want, shape >= MPLS(1) ? 0x8847 : type, 2);
	for (i = 1; i <= shape - MPLS(0); i++)
		put(want, (cfg->labels[i - 1] & 0xfffffeff) | (i == shape - MPLS(0)) << 8, 4);
}

static void expect_ip4(struct bytes *want, const struct pgx_config *cfg, u32 left)
{
	size_t ip = want->len;

	put(want, 0x45, 1);
	put(want, cfg->tos, 1);
	put(want, left, 2);
	put(want, 7, 2);		/* identification */
	put(want, 0, 2);
	put(want, 32, 1);
	put(want, 17, 1);
	put(want, 0, 2);
	put(want, cfg->src_min, 4);
	put(want, cfg->dst_min, 4);
	/* Of the same remainder this one is 0, since the words are not all 0. */
	left = checksum(words_sum(want->at + ip, 20)) % 65535;
	want->at[ip + 10] = left >> 8;
	want->at[ip + 11] = left;
}

static void expect_ip6(struct bytes *want, const struct pgx_config *cfg, u32 left)
{
	put(want, 6 << 28 | cfg->traffic_class << 20, 4);
	put(want, left - 40, 2);
	put(want, 17, 1);
	put(want, 32, 1);
	put_addr6(want, cfg->src6);
	put_addr6(want, cfg->dst6);
}

static u32 pseudo_sum(const struct pgx_config *cfg, u32 udp_len)
{
	struct bytes pseudo = { .len = 0 };

	if (cfg->flags & PGX_F_IPV6) {
		put_addr6(&pseudo, cfg->src6);
		put_addr6(&pseudo, cfg->dst6);
	} else {
		put(&pseudo, cfg->src_min, 4);
		put(&pseudo, cfg->dst_min, 4);
	}
	put(&pseudo, 17, 4);
	put(&pseudo, udp_len, 4);
	return words_sum(pseudo.at, pseudo.len);
}

/* Packet 1 of second 2 and microsecond 3 */
static void expect_udp(struct bytes *want, const struct pgx_config *cfg, u32 len, u8 csum)
{
	size_t udp = want->len;
	u32 sum = pseudo_sum(cfg, len);

	put(want, cfg->udp_src_min, 2);
	put(want, cfg->udp_dst_min, 2);
	put(want, len, 2);
	put(want, 0, 2);
	put(want, 0xbe9be955, 4);
	put(want, 1, 4);
	put(want, 2, 4);
	put(want, 3, 4);
	if (csum == PGX_CSUM_NONE)
		return;
	/* Of the same remainder 65535 is sent, never 0. */
	if (csum == PGX_CSUM_PARTIAL)
		sum = sum ?: 65535;
	else
		sum = checksum(sum + words_sum(want->at + udp, 24));
	want->at[udp + 6] = sum >> 8;
	want->at[udp + 7] = sum;
}

static void expect(struct bytes *want, const struct pgx_config *cfg, int shape, u8 csum)
{
	bool v6 = cfg->flags & PGX_F_IPV6;
	u32 left;

	memset(want, 0, sizeof(*want));
	put(want, be(cfg->dst_mac, 6), 6);
	put(want, be(cfg->src_mac, 6), 6);
	expect_tags(want, cfg, shape, v6 ? 0x86dd : 0x0800);
	left = cfg->min_pkt_size - want->len;
	if (v6)
		expect_ip6(want, cfg, left);
	else
		expect_ip4(want, cfg, left);
	expect_udp(want, cfg, left - (v6 ? 40 : 20), csum);
}

/* Settings of a shape, everything else at random */
static void choose(struct pgx_config *cfg, int shape, bool v6, u64 *seed)
{
	u32 *words[] = { &cfg->dst_min, &cfg->src_min };
	int i;

	pgx_config_init(cfg);
	cfg->flags |= v6 ? PGX_F_IPV6 : 0;
	for (i = 0; i < 2; i++)
		*words[i] = test_rand(seed) | 1;
	cfg->src6 = (struct pgx_addr6){ test_rand(seed), test_rand(seed) };
	cfg->dst6 = (struct pgx_addr6){ test_rand(seed), test_rand(seed) };
	for (i = 0; i < 6; i++) {
		cfg->dst_mac[i] = test_rand(seed) >> 30;
		cfg->src_mac[i] = test_rand(seed) >> 30 | 1;
	}
	cfg->udp_src_min = test_rand(seed);
	cfg->udp_dst_min = test_rand(seed);
	cfg->tos = test_rand(seed) >> 9;
	cfg->traffic_class = test_rand(seed) >> 9;
	cfg->vlan_p = test_rand(seed) >> 61;
	cfg->vlan_cfi = test_rand(seed) >> 63;
	cfg->svlan_p = test_rand(seed) >> 61;
	cfg->svlan_cfi = test_rand(seed) >> 63;
	if (shape >= VLAN && shape <= QINQ_AD)
		cfg->vlan_id = test_rand(seed) >> 52;
	if (shape == QINQ || shape == QINQ_AD)
		cfg->svlan_id = test_rand(seed) >> 52;
	cfg->svlan_tpid = shape == QINQ_AD;
	cfg->nr_labels = shape > MPLS(0) ? shape - MPLS(0) : 0;
	for (i = 0; i < 16; i++)
		cfg->labels[i] = test_rand(seed) >> 32;
	cfg->min_pkt_size = 142 + test_rand(seed) % 1373;
	cfg->max_pkt_size = cfg->min_pkt_size;
}

static size_t head_len(int shape, bool v6)
{
	static const u8 tags[] = { [PLAIN] = 0, [VLAN] = 4, [QINQ] = 8, [QINQ_AD] = 8 };

	return 14 + (shape > QINQ_AD ? 4 * (shape - MPLS(0)) : tags[shape]) + (v6 ? 40 : 20) + 24;
}

static void frame(int shape, bool v6, u8 csum, u64 *seed)
{
	struct traffic traffic;
	struct bytes want;

	BEGIN(&traffic, "count 0");
	choose(&traffic.entry.cfg, shape, v6, seed);
	test_note("shape %d, IPv6 %d, checksum %d", shape, v6, csum);
	memset(&traffic.pkt, 0xff, sizeof(traffic.pkt));
	traffic_setup(&traffic);
	traffic.pkt.csum = csum;
	pgx_batch_setup(&traffic.flow, &traffic.pkt);
	traffic.flow.ip_id = 7;
	traffic_next(&traffic);
	expect(&want, &traffic.entry.cfg, shape, csum);
	EQ(want.len, head_len(shape, v6));
	CHECK(!memcmp(traffic.pkt.head, want.at, sizeof(traffic.pkt.head)));
	EQ(traffic.pkt.at.len, want.len);
	EQ(pgx_head_len(&traffic.entry.cfg), want.len);
	EQ(traffic.pkt.protocol, be(want.at + 12, 2));
	EQ(traffic.pkt.size, traffic.entry.cfg.min_pkt_size);
}

TEST(layout_every_combination)
{
	u64 seed = 17;
	int shape, round;
	u8 csum;

	EQ(PGX_HEAD_MAX, 142);
	for (shape = 0; shape < NR_SHAPES; shape++)
		for (csum = PGX_CSUM_NONE; csum <= PGX_CSUM_PARTIAL; csum++)
			for (round = 0; round < 200; round++)
				frame(shape, round % 2, csum, &seed);
}

/* The fixed fields of a shape, where each of them stands */
TEST(layout_of_places)
{
	struct pgx_config cfg;
	struct pgx_layout at;
	u64 seed = 1;
	int shape, v6;

	for (shape = 0; shape < NR_SHAPES; shape++) {
		for (v6 = 0; v6 < 2; v6++) {
			choose(&cfg, shape, v6, &seed);
			memset(&at, 0xff, sizeof(at));
			pgx_head_layout(&at, &cfg);
			test_note("shape %d, IPv6 %d", shape, v6);
			EQ(at.svlan, shape == QINQ || shape == QINQ_AD ? 14 : 0);
			EQ(at.vlan, shape == VLAN ? 14 : at.svlan ? 18 : 0);
			EQ(at.mpls, shape > QINQ_AD ? 14 : 0);
			EQ(at.ip, head_len(shape, v6) - (v6 ? 64 : 44));
			EQ(at.udp, head_len(shape, v6) - 24);
			EQ(at.stamp, head_len(shape, v6) - 16);
			EQ(at.len, head_len(shape, v6));
			EQ(at.v6, v6);
		}
	}
}

/* The seconds are chosen so that the checksum comes to 0, which is sent as ffff. */
TEST(layout_checksum_is_never_zero)
{
	struct traffic traffic;
	u64 seed = 99;
	u8 *udp;
	int i;

	for (i = 0; i < 2000; i++) {
		BEGIN(&traffic, "count 0");
		choose(&traffic.entry.cfg, i % NR_SHAPES, i / NR_SHAPES % 2, &seed);
		traffic_setup(&traffic);
		traffic.pkt.csum = PGX_CSUM_FULL;
		udp = traffic.pkt.head + traffic.pkt.at.udp;
		/* whose values do not vary */
		traffic.flow.nr_varying = 0;
		pgx_batch_setup(&traffic.flow, &traffic.pkt);
		traffic_write(&traffic.flow, &traffic.pkt, i, 0, 0);
		CHECK(be(udp + 6, 2) != 0);
		traffic_write(&traffic.flow, &traffic.pkt, i, be(udp + 6, 2), 0);
		EQ(be(udp + 6, 2), 0xffff);
	}
}

/*
 * Added by hand, for 10.0.0.1 to 10.0.0.2 and 58 bytes of frame: the pseudo header is 0a00 + 0001 +
 * 0a00 + 0002 + 0011 + 0018 = 142c; ports and length are 0009 + 0009 + 0018, the generator header
 * is be9b + e955 + 1 + 2 + 3: together 1bc4c, folded bc4d.
 */
TEST(layout_checksum_by_hand)
{
	struct traffic traffic;

	BEGIN(&traffic, "src_min 10.0.0.1", "dst 10.0.0.2", "flag UDPCSUM");
	EQ(traffic.pkt.csum, PGX_CSUM_FULL);
	traffic_next(&traffic);
	EQ(be(traffic.pkt.head + 40, 2), 0xffff - 0xbc4d);
	traffic.pkt.csum = PGX_CSUM_PARTIAL;
	pgx_batch_setup(&traffic.flow, &traffic.pkt);
	traffic_next(&traffic);
	EQ(be(traffic.pkt.head + 40, 2), 0x142c);
}

/* Who is to compute it, told from what was decided about it and not from the code */
static u8 wants(const struct entry *entry, int shape, bool v6, bool on, bool off)
{
	u8 device = v6 ? entry->facts.csum6 : entry->facts.csum4;
	bool can = device & (shape > QINQ_AD ? 4 : shape > PLAIN ? 2 : 1);

	if (v6 ? off : !on)
		return PGX_CSUM_NONE;
	if (entry->cfg.xmit_mode == PGX_NETIF_RECEIVE || entry->cfg.flags & PGX_F_IPSEC)
		return PGX_CSUM_FULL;
	return can ? PGX_CSUM_PARTIAL : PGX_CSUM_FULL;
}

TEST(layout_who_computes_the_checksum)
{
	struct traffic traffic;
	struct entry *entry = &traffic.entry;
	u64 seed = 3, draw;
	int i, shape;
	bool v6;

	for (i = 0; i < 20000; i++) {
		BEGIN(&traffic, "count 0");
		draw = test_rand(&seed) >> 8;
		shape = draw % NR_SHAPES;
		v6 = draw >> 8 & 1;
		choose(&entry->cfg, shape, v6, &seed);
		entry->facts.csum4 = draw >> 16 & 7;
		entry->facts.csum6 = draw >> 20 & 7;
		entry->cfg.xmit_mode = (draw >> 24) % PGX_NR_DOORS;
		if (draw >> 32 & 1)
			EQ(entry_put(entry, "flag IPSEC"), 0);
		if (draw >> 33 & 1)
			EQ(entry_put(entry, draw >> 34 & 1 ? "flag UDPCSUM" : "flag !UDPCSUM"), 0);
		traffic_setup(&traffic);
		EQ(traffic.pkt.csum, wants(entry, shape, v6, (draw >> 33 & 3) == 3,
					   (draw >> 33 & 3) == 1));
	}
}
