// SPDX-License-Identifier: GPL-2.0
/* Lines that nobody would write, and what has to hold after each of them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "traffic.h"

#define LINES	1000000ULL
#define ROOM	2600

struct fuzz {
	u64		seed;
	struct entry	entry;
	struct pgx_flow	flow;
	struct pgx_slot	slots[PGX_MAX_FLOWS];
	u64		lines;
	u64		taken;
	u64		refused;
	size_t		len;
	char		text[ROOM];
};

static u64 pick(struct fuzz *fuzz, u64 below)
{
	return (test_rand(&fuzz->seed) >> 33) % below;
}

static bool once_in(struct fuzz *fuzz, u64 times)
{
	return !pick(fuzz, times);
}

static void put_bytes(struct fuzz *fuzz, const char *bytes, size_t len)
{
	if (fuzz->len + len >= ROOM)
		return;
	memcpy(fuzz->text + fuzz->len, bytes, len);
	fuzz->len += len;
}

static void put_string(struct fuzz *fuzz, const char *string)
{
	put_bytes(fuzz, string, strlen(string));
}

/* Small, near a power of two, or anything */
static u64 some_number(struct fuzz *fuzz)
{
	switch (pick(fuzz, 4)) {
	case 0:
		return pick(fuzz, 10);
	case 1:
		return pick(fuzz, 70000);
	case 2:
		return (1ULL << pick(fuzz, 64)) + pick(fuzz, 3) - 1;
	default:
		return test_rand(&fuzz->seed) >> pick(fuzz, 64);
	}
}

static void put_number(struct fuzz *fuzz)
{
	static const char *const suffixes[] = { "k", "M", "G", "s", "ms", "us", "ns", "K", "x" };
	char word[64];

	snprintf(word, sizeof(word), once_in(fuzz, 20) ? "%030llu" : "%llu", some_number(fuzz));
	put_string(fuzz, word);
	if (once_in(fuzz, 3))
		put_string(fuzz, suffixes[pick(fuzz, ARRAY_SIZE(suffixes))]);
}

static void put_ip4(struct fuzz *fuzz)
{
	int i, parts = once_in(fuzz, 10) ? pick(fuzz, 7) : 4;
	char word[16];

	for (i = 0; i < parts; i++) {
		snprintf(word, sizeof(word), "%s%llu", i ? "." : "",
			 pick(fuzz, once_in(fuzz, 10) ? 2000 : 256));
		put_string(fuzz, word);
	}
	if (once_in(fuzz, 20))
		put_string(fuzz, "/8");
}

static void put_mac(struct fuzz *fuzz)
{
	int i, parts = once_in(fuzz, 10) ? pick(fuzz, 9) : 6;
	char word[16];

	for (i = 0; i < parts; i++) {
		snprintf(word, sizeof(word), "%s%02llx", i ? ":" : "",
			 pick(fuzz, once_in(fuzz, 20) ? 512 : 256));
		put_string(fuzz, word);
	}
}

static void put_name(struct fuzz *fuzz, const struct pgx_param *row)
{
	const char *name = row->names[pick(fuzz, row->nr_names)];

	if (once_in(fuzz, 3))
		put_string(fuzz, "!");
	put_string(fuzz, name ?: "NONE");
}

static void put_garbage(struct fuzz *fuzz, size_t len)
{
	char byte;

	while (len--) {
		byte = test_rand(&fuzz->seed) >> 40;
		put_bytes(fuzz, &byte, 1);
	}
}

static void put_value(struct fuzz *fuzz, const struct pgx_param *row)
{
	if (row->names && !once_in(fuzz, 10))
		put_name(fuzz, row);
	else if (row->type == PGX_IP4 && !once_in(fuzz, 10))
		put_ip4(fuzz);
	else if (row->type == PGX_MAC && !once_in(fuzz, 10))
		put_mac(fuzz);
	else if (once_in(fuzz, 20))
		put_garbage(fuzz, pick(fuzz, once_in(fuzz, 20) ? 2000 : 12));
	else
		put_number(fuzz);
}

static void put_blank(struct fuzz *fuzz)
{
	static const char *const blanks[] = { " ", " ", " ", "=", "\t", "\"", " = ", "\r", "" };

	put_string(fuzz, blanks[pick(fuzz, ARRAY_SIZE(blanks))]);
}

/* A row and values for it; now and then for another, or too many, or of no row at all */
static void put_line(struct fuzz *fuzz)
{
	const struct pgx_param *row = &pgx_params[pick(fuzz, pgx_nr_params)];
	u64 values = once_in(fuzz, 16) ? pick(fuzz, 70) : 1;

	if (once_in(fuzz, 12))
		put_garbage(fuzz, pick(fuzz, 40));
	else if (row->name)
		put_string(fuzz, row->name);
	if (once_in(fuzz, 30))
		row = &pgx_params[pick(fuzz, pgx_nr_params)];
	while (values--) {
		put_blank(fuzz);
		put_value(fuzz, row);
	}
	if (once_in(fuzz, 10))
		put_blank(fuzz);
}

/* A few bytes of what was written become others. */
static void spoil(struct fuzz *fuzz)
{
	u64 times = once_in(fuzz, 6) ? 1 + pick(fuzz, 4) : 0;

	while (times-- && fuzz->len)
		fuzz->text[pick(fuzz, fuzz->len)] = test_rand(&fuzz->seed) >> 40;
}

static void change_device(struct fuzz *fuzz)
{
	struct entry *entry = &fuzz->entry;

	if (once_in(fuzz, 8))
		entry_init(entry);
	entry->facts.sharing = pick(fuzz, 2);
	entry->facts.tx_queues = pick(fuzz, 3) ? 1 + pick(fuzz, 16) : pick(fuzz, 70000);
	entry->facts.max_frame = pick(fuzz, 2) ? 1514 : pick(fuzz, 70000);
	entry->facts.src_ip = test_rand(&fuzz->seed);
	entry->running = pick(fuzz, 2);
}

/* True in every config that lines have led to, whatever the device is like by now */
static void check_config(const struct pgx_config *cfg)
{
	const struct pgx_param *flags = pgx_param_find("flag");
	int bit;

	CHECK(cfg->xmit_mode < PGX_NR_DOORS && cfg->pacing <= PGX_PACE_RATE);
	CHECK(cfg->pacing != PGX_PACE_RATEP || (cfg->pace >= 1 && cfg->pace <= 1000000000));
	CHECK(cfg->pacing != PGX_PACE_RATE ||
	      (cfg->pace >= 1000 && cfg->pace <= 10000000000000ULL));
	CHECK(cfg->burst >= 1 && cfg->burst <= 65536 && cfg->clone_skb <= S32_MAX);
	CHECK(!cfg->min_pkt_size || (cfg->min_pkt_size >= 42 && cfg->min_pkt_size <= 65549));
	CHECK(!cfg->max_pkt_size || (cfg->max_pkt_size >= 42 && cfg->max_pkt_size <= 65549));
	CHECK(!cfg->clone_skb || cfg->xmit_mode == PGX_START_XMIT);
	CHECK(cfg->flags & PGX_F_SHARED || (!cfg->clone_skb && cfg->burst == 1));
	for (bit = 0; bit < 32; bit++)
		CHECK(!(cfg->flags >> bit & 1) || (bit < flags->nr_names && flags->names[bit]));
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
	if (rc) {
		fuzz->refused++;
		check_refused(fuzz, rc);
		return;
	}
	fuzz->taken++;
	check_taken(fuzz);
	check_listing(fuzz);
	if (once_in(fuzz, 4))
		check_packets(fuzz);
}

/* The text stands in memory of its own size, so that the sanitizer sees a step beyond it. */
static void fuzz_text(struct fuzz *fuzz)
{
	char *text = malloc(fuzz->len + 1), *line = text;
	struct pgx_words words;
	unsigned int i;

	memcpy(text, fuzz->text, fuzz->len);
	text[fuzz->len] = '\0';
	while (line) {
		line = pgx_words_cut(line, &words);
		fuzz->lines++;
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
	if (once_in(fuzz, 16))
		change_device(fuzz);
	fuzz->len = 0;
	put_line(fuzz);
	while (once_in(fuzz, 4)) {
		put_string(fuzz, "\n");
		put_line(fuzz);
	}
	spoil(fuzz);
	fuzz->text[fuzz->len] = '\0';
	test_note("%.400s", fuzz->text);
	fuzz_text(fuzz);
}

static u64 number_of(const char *name, u64 otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 0) : otherwise;
}

TEST(fuzz_lines)
{
	static struct fuzz fuzz;
	u64 seed = number_of("PGX_SEED", 20260101), most = number_of("PGX_FUZZ_LINES", LINES);
	clock_t begun = clock();

	test_say("PGX_SEED=%llu PGX_FUZZ_LINES=%llu", seed, most);
	fuzz.seed = seed ?: 1;
	entry_init(&fuzz.entry);
	while (fuzz.lines < most && !test_failed())
		fuzz_round(&fuzz);
	test_say("%llu lines, %llu taken, %llu refused, %.1f s", fuzz.lines, fuzz.taken,
		 fuzz.refused, (double)(clock() - begun) / CLOCKS_PER_SEC);
	if (most >= 1000)
		CHECK(fuzz.taken > fuzz.lines / 10 && fuzz.refused > fuzz.lines / 10);
}
