// SPDX-License-Identifier: GPL-2.0
/* Lines that nobody would write, and what has to hold after each of them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "lines.h"
#include "traffic.h"

#define LINES	1000000ULL

struct fuzz {
	struct lines	lines;
	struct entry	entry;
	struct pgx_flow	flow;
	struct pgx_slot	*slots;
	u32		nr_slots;
	u64		seen;
	u64		taken;
	u64		refused;
	u64		by_row[2][128];		/* refused and taken, of each row */
};

static void change_device(struct fuzz *fuzz)
{
	struct pgx_facts *facts = &fuzz->entry.facts;
	struct lines *lines = &fuzz->lines;

	if (lines_once_in(lines, 8))
		entry_init(&fuzz->entry);
	facts->sharing = lines_pick(lines, 2);
	facts->scatter = lines_pick(lines, 2);
	facts->ipsec = lines_pick(lines, 4);
	facts->csum4 = lines_pick(lines, 8);
	facts->csum6 = lines_pick(lines, 8);
	facts->tx_queues = lines_pick(lines, 3) ? 1 + lines_pick(lines, 16) :
			   lines_pick(lines, 70000);
	facts->max_frame = lines_pick(lines, 2) ? 1514 : lines_pick(lines, 70000);
	facts->src_ip = test_rand(&lines->seed);
	facts->src6.lo = lines_pick(lines, 2);
	fuzz->entry.running = lines_pick(lines, 2);
	/* A run ends with its CPU. */
	facts->cpu = fuzz->entry.running || lines_pick(lines, 4);
}

static void check_sizes(const struct pgx_config *cfg)
{
	int i;

	CHECK(!cfg->min_pkt_size || (cfg->min_pkt_size >= 42 && cfg->min_pkt_size <= 65549));
	CHECK(!cfg->max_pkt_size || (cfg->max_pkt_size >= 42 && cfg->max_pkt_size <= 65549));
	CHECK(cfg->nr_imix <= 20);
	for (i = 0; i < cfg->nr_imix; i++)
		CHECK(cfg->imix[i].size >= 42 && cfg->imix[i].size <= 65549 && cfg->imix[i].weight);
	CHECK(!cfg->nr_imix || !cfg->clone_skb);
	CHECK(!cfg->nr_imix || !cfg->min_pkt_size || cfg->max_pkt_size <= cfg->min_pkt_size);
}

static void check_headers(const struct pgx_config *cfg)
{
	CHECK(cfg->vlan_id < 4096 || cfg->vlan_id == 0xffff);
	CHECK(cfg->svlan_id < 4096 || cfg->svlan_id == 0xffff);
	CHECK(cfg->svlan_id == 0xffff || cfg->vlan_id != 0xffff);
	CHECK(cfg->nr_labels <= 16 && (!cfg->nr_labels || cfg->vlan_id == 0xffff));
	CHECK(cfg->vlan_p < 8 && cfg->svlan_p < 8 && cfg->vlan_cfi < 2 && cfg->svlan_cfi < 2);
	CHECK(cfg->svlan_tpid < 2);
}

/* True in every config that lines have led to, whatever the device is like by now */
static void check_config(const struct pgx_config *cfg)
{
	CHECK(cfg->xmit_mode < PGX_NR_DOORS && cfg->pacing <= PGX_PACE_RATE);
	CHECK(cfg->pacing != PGX_PACE_RATEP || (cfg->pace >= 1 && cfg->pace <= 1000000000));
	CHECK(cfg->pacing != PGX_PACE_RATE ||
	      (cfg->pace >= 1000 && cfg->pace <= 10000000000000ULL));
	CHECK(cfg->burst >= 1 && cfg->burst <= 65536 && cfg->clone_skb <= S32_MAX);
	CHECK(!cfg->clone_skb || cfg->xmit_mode == PGX_START_XMIT);
	CHECK(cfg->flags & PGX_F_SHARED || (!cfg->clone_skb && cfg->burst == 1));
	CHECK(cfg->flags < 1 << 19 && cfg->unflags < 1 << 19);
	CHECK(cfg->flows <= 65536 && cfg->frags <= 17);
	CHECK(!cfg->frags || !(cfg->flags & PGX_F_IPSEC));
	CHECK(cfg->node == 0 || cfg->node == 2 || cfg->node == 0xffff);
	check_sizes(cfg);
	check_headers(cfg);
}

static void check_taken(struct fuzz *fuzz)
{
	struct entry *entry = &fuzz->entry;
	const struct pgx_param *row = entry->row;
	struct pgx_config again = entry->cfg;
	struct pgx_text reason;
	char buf[64];
	u32 on;

	CHECK(row && !strncmp(entry->reply, "OK: ", 4));
	check_config(&entry->cfg);
	pgx_text_init(&reason, buf, sizeof(buf));
	on = row->on | (entry->running ? PGX_ON_START : 0);
	EQ(pgx_config_check(&entry->cfg, &entry->facts, on, &reason), 0);
	EQ(reason.len, 0);
	if (!entry->running)
		return;
	pgx_config_complete(&again, &entry->facts);
	CHECK(!memcmp(&again, &entry->cfg, sizeof(again)));
}

/*
 * A refused word changes not even the copy. A clash of settings and a list do; the copy is thrown
 * away.
 */
static void check_refused(struct fuzz *fuzz, int rc)
{
	struct entry *entry = &fuzz->entry;
	bool list = entry->row && row_is_list(entry->row);
	bool clash = entry->row && !strchr(entry->reply, '"') && rc != PGX_SOFT;

	CHECK(strncmp(entry->reply, "OK", 2));
	CHECK(rc == PGX_SOFT ? entry->row && (entry->row->soft || entry->row->type == PGX_VLAN) :
	      rc == -EINVAL || rc == -ERANGE || rc == -EOPNOTSUPP || rc == -E2BIG);
	CHECK(!clash || strstr(entry->reply, "allowed is"));
	if (!clash && !list)
		CHECK(!memcmp(&entry->tried, &entry->cfg, sizeof(entry->cfg)));
}

static void check_listing(struct fuzz *fuzz)
{
	struct entry *entry = &fuzz->entry;
	size_t len;

	entry_list(entry);
	len = strlen(entry->listing);
	CHECK(len > 300 && len < sizeof(entry->listing) - 1 && entry->listing[len - 1] == '\n');
	CHECK(text_is_plain(entry->listing));
}

static bool is_size(const struct pgx_config *cfg, u32 size)
{
	int i;

	for (i = 0; i < cfg->nr_imix; i++)
		if (cfg->imix[i].size == size)
			return true;
	return !cfg->nr_imix && size >= cfg->min_pkt_size && size <= cfg->max_pkt_size;
}

static void check_packet(const struct pgx_config *cfg, const struct pgx_packet *pkt)
{
	const u8 *ip = pkt->head + traffic_ip(cfg);
	bool v6 = cfg->flags & PGX_F_IPV6;
	u32 left = pkt->size - traffic_ip(cfg);

	CHECK(is_size(cfg, pkt->size) && pkt->size <= 65549);
	CHECK(left >= (v6 ? 40 : 20) + 8 + 16);
	CHECK(pkt->queue >= cfg->queue_map_min || pkt->queue <= cfg->queue_map_max);
	CHECK(v6 ? be(ip + 4, 2) == left - 40 : be(ip + 2, 2) == left);
	CHECK(be(ip + (v6 ? 40 : 20) + 4, 2) == left - (v6 ? 40 : 20));
	CHECK(!(pkt->head[6] & 1) || cfg->src_mac[0] & 1);
}

/* Settings that lines have led to make packets that a door can be given. */
static void check_packets(struct fuzz *fuzz)
{
	struct pgx_config cfg = fuzz->entry.cfg;
	struct pgx_packet pkt = { .size = 0 };
	int i;

	pgx_config_complete(&cfg, &fuzz->entry.facts);
	fuzz->slots = traffic_slots(fuzz->slots, &fuzz->nr_slots, cfg.flows);
	pgx_flow_setup(&fuzz->flow, &pkt, &cfg, &fuzz->entry.facts, fuzz->slots);
	for (i = 0; i < 3; i++) {
		pgx_flow_next(&fuzz->flow, &pkt);
		pgx_head_seal(&pkt, i);
		check_packet(&cfg, &pkt);
	}
}

static void fuzz_words(struct fuzz *fuzz, const struct pgx_words *words)
{
	struct entry *entry = &fuzz->entry;
	int rc = entry_words(entry, words);

	CHECK(entry->reply[0] && strlen(entry->reply) < sizeof(entry->reply) - 1);
	CHECK(text_is_plain(entry->reply));
	if (entry->row)
		fuzz->by_row[!rc][entry->row - pgx_params]++;
	if (rc) {
		fuzz->refused++;
		check_refused(fuzz, rc);
		return;
	}
	fuzz->taken++;
	check_taken(fuzz);
	check_listing(fuzz);
	if (lines_once_in(&fuzz->lines, 4))
		check_packets(fuzz);
}

/* The text stands in memory of its own size, so that the sanitizer sees a step beyond it. */
static void fuzz_text(struct fuzz *fuzz)
{
	char *text = malloc(fuzz->lines.len + 1), *line = text;
	struct pgx_words words;
	unsigned int i;

	memcpy(text, fuzz->lines.text, fuzz->lines.len + 1);
	while (line) {
		line = pgx_words_cut(line, &words);
		fuzz->seen++;
		CHECK(words.nr <= PGX_MAX_WORDS);
		for (i = 0; i < words.nr; i++)
			CHECK(words.word[i][0] && !strpbrk(words.word[i], " \t\r\n\"="));
		if (words.nr)
			fuzz_words(fuzz, &words);
	}
	free(text);
}

static void fuzz_round(struct fuzz *fuzz)
{
	if (lines_once_in(&fuzz->lines, 16))
		change_device(fuzz);
	lines_make(&fuzz->lines);
	test_note("%.400s", fuzz->lines.text);
	fuzz_text(fuzz);
}

static u64 number_of(const char *name, u64 otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

/* A row that is hardly ever taken is not tried by this. */
static void check_rows(const struct fuzz *fuzz)
{
	const struct pgx_param *row;

	CHECK(pgx_nr_params <= ARRAY_SIZE(fuzz->by_row[0]));
	for_each_row(row) {
		test_note("%s", row->name ?: "(none)");
		if (!row->name)
			continue;
		CHECK(fuzz->by_row[1][row - pgx_params] > 100);
		CHECK(fuzz->by_row[0][row - pgx_params] > 500 || row->type == PGX_ACTION);
	}
}

TEST(fuzz_lines)
{
	static struct fuzz fuzz;
	u64 seed = number_of("PGX_SEED", 20260101), most = number_of("PGX_FUZZ_LINES", LINES);
	clock_t begun = clock();

	test_say("PGX_SEED=%llu PGX_FUZZ_LINES=%llu", seed, most);
	fuzz.lines.seed = seed ?: 1;
	entry_init(&fuzz.entry);
	while (fuzz.seen < most && !test_failed())
		fuzz_round(&fuzz);
	test_say("%llu lines, %llu taken, %llu refused, %.1f s", fuzz.seen, fuzz.taken,
		 fuzz.refused, (double)(clock() - begun) / CLOCKS_PER_SEC);
	if (most >= 1000)
		CHECK(fuzz.taken > fuzz.seen / 10 && fuzz.refused > fuzz.seen / 10);
	if (most >= 500000 && !test_failed())
		check_rows(&fuzz);
}
