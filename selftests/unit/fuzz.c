// SPDX-License-Identifier: GPL-2.0
/* Lines that nobody would write, and what has to hold after each of them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "holds.h"
#include "lines.h"

#define LINES	1000000ULL

struct fuzz {
	struct lines	lines;
	struct traffic	traffic;
	u64		seen;
	u64		taken;
	u64		refused;
	u64		by_row[2][128];		/* refused and taken, of each row */
};

static void change_device(struct fuzz *fuzz)
{
	struct entry *entry = &fuzz->traffic.entry;
	struct pgx_facts *facts = &entry->facts;
	struct lines *lines = &fuzz->lines;

	if (lines_once_in(lines, 8))
		entry_init(entry);
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
	entry->running = lines_pick(lines, 2);
	/* A run ends with its CPU. */
	facts->cpu = entry->running || lines_pick(lines, 4);
}

static void fuzz_words(struct fuzz *fuzz, const struct pgx_words *words)
{
	struct entry *entry = &fuzz->traffic.entry;
	int rc = entry_words(entry, words);

	holds_reply(entry);
	if (entry->row)
		fuzz->by_row[!rc][entry->row - pgx_params]++;
	if (rc) {
		fuzz->refused++;
		holds_refused(entry, rc);
		return;
	}
	fuzz->taken++;
	holds_taken(entry);
	holds_listing(entry);
	if (lines_once_in(&fuzz->lines, 64))
		holds_read_back(entry);
	if (lines_once_in(&fuzz->lines, 4))
		holds_packets(&fuzz->traffic, 3);
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
	entry_init(&fuzz.traffic.entry);
	while (fuzz.seen < most && !test_failed())
		fuzz_round(&fuzz);
	test_say("%llu lines, %llu taken, %llu refused, %.1f s", fuzz.seen, fuzz.taken,
		 fuzz.refused, (double)(clock() - begun) / CLOCKS_PER_SEC);
	if (most >= 1000)
		CHECK(fuzz.taken > fuzz.seen / 10 && fuzz.refused > fuzz.seen / 10);
	if (most >= 500000 && !test_failed())
		check_rows(&fuzz);
}
