// SPDX-License-Identifier: GPL-2.0
/* Lines and words. */
#include <stdio.h>
#include <stdlib.h>
#include "entry.h"

/* Words are joined by '|', lines by '/'. */
static void cut(const char *text, const char *want)
{
	char got[512] = "", *copy = strdup(text), *line = copy;
	struct pgx_words words;
	unsigned int i;

	test_note("%s", text);
	while (line) {
		line = pgx_words_cut(line, &words);
		for (i = 0; i < words.nr; i++) {
			strcat(got, i ? "|" : "");
			strcat(got, words.word[i]);
		}
		strcat(got, line ? "/" : "");
	}
	SAME(got, want);
	free(copy);
}

TEST(words_blanks)
{
	cut("", "");
	cut(" ", "");
	cut(" \t  \t", "");
	cut("count 10", "count|10");
	cut("  count \t 10\t", "count|10");
	cut("a b c d", "a|b|c|d");
}

TEST(words_quotes_and_equals)
{
	cut("count=10", "count|10");
	cut("count = 10", "count|10");
	cut("\"count\" \"10\"", "count|10");
	cut("a==b\"\"c=\"", "a|b|c");
	cut("=\"=\"", "");
}

TEST(words_carriage_return)
{
	cut("count 10\r\n", "count|10/");
	cut("a\rb\r", "a|b");
	cut("\r\n\r\n", "//");
}

TEST(words_lines)
{
	cut("count 1\nburst 2", "count|1/burst|2");
	cut("count 1\nburst 2\n", "count|1/burst|2/");
	cut("\n\n a\n\n", "//a//");
	cut("a\n=\nb", "a//b");
}

TEST(words_other_bytes_belong_to_words)
{
	cut("a\vb\fc \x01\x7f \xff\x80", "a\vb\fc|\x01\x7f|\xff\x80");
	cut("a'b,c;d", "a'b,c;d");
}

TEST(words_end_at_nul)
{
	char text[] = "a b\0c d\ne";
	struct pgx_words words;

	CHECK(!pgx_words_cut(text, &words));
	EQ(words.nr, 2);
	SAME(words.word[1], "b");
}

/* As many words as asked for, then a second line */
static void cut_many(unsigned int nr)
{
	unsigned int i, kept = nr < PGX_MAX_WORDS ? nr : PGX_MAX_WORDS;
	char text[1024], want[16], *end = text, *next;
	struct pgx_words words;

	for (i = 0; i < nr; i++)
		end += sprintf(end, " w%u", i);
	sprintf(end, "\nnext");
	test_note("%u words", nr);
	memset(&words, 0xff, sizeof(words));
	next = pgx_words_cut(text, &words);
	CHECK(next && !strcmp(next, "next"));
	EQ(words.nr, kept);
	for (i = 0; i < kept; i++) {
		sprintf(want, "w%u", i);
		SAME(words.word[i], want);
	}
}

TEST(words_more_than_kept)
{
	cut_many(0);
	cut_many(PGX_MAX_WORDS - 1);
	cut_many(PGX_MAX_WORDS);
	cut_many(PGX_MAX_WORDS + 1);
	cut_many(3 * PGX_MAX_WORDS);
}

TEST(words_unknown_parameter)
{
	struct entry entry;

	entry_init(&entry);
	entry_refuses(&entry, "counter 1", -EINVAL);
	SAME(entry.reply, "No such parameter \"counter\"");
	CHECK(!entry.row);
	entry_refuses(&entry, "0123456789abcdefgh", -EINVAL);
	SAME(entry.reply, "No such parameter \"0123456789abcde\"");
	entry_refuses(&entry, "\x1b[2J\xc3\xa4", -EINVAL);
	SAME(entry.reply, "No such parameter \"?[2J??\"");
	entry_refuses(&entry, "COUNT 1", -EINVAL);
}

TEST(words_left_over_are_told)
{
	struct entry entry;

	entry_init(&entry);
	EQ(entry_put(&entry, "count 10 20 30"), 0);
	SAME(entry.reply, "OK: count=10 (ignored: \"20\")");
	EQ(entry_put(&entry, "count 1 k\x01"), 0);
	SAME(entry.reply, "OK: count=1 (ignored: \"k?\")");
	EQ(entry.cfg.count, 1);
}

/* A script with the line ends of another system. */
TEST(words_carriage_return_after_mix)
{
	struct entry entry;

	entry_init(&entry);
	EQ(entry_put(&entry, "imix_weights 60,1 70,2\r\n"), 0);
	EQ(entry.cfg.nr_imix, 2);
	EQ(entry_put(&entry, "count 5\r"), 0);
	EQ(entry.cfg.count, 5);
}

/* None of many flags is left out in silence. */
TEST(words_too_many_flags)
{
	char line[1024] = "flag";
	struct entry entry;
	int i;

	for (i = 0; i < PGX_MAX_WORDS - 1; i++)
		strcat(line, " SHARED");
	entry_init(&entry);
	EQ(entry_put(&entry, line), 0);
	strcat(line, " NOSUCH");
	EQ((u64)entry_put(&entry, line), (u64)-E2BIG);
	CHECK(strstr(entry.reply, "flag") && strstr(entry.reply, "47"));
}

/* Scripts write an address that they have none for; then the device's own is taken. */
TEST(words_empty_address)
{
	struct entry entry;

	entry_init(&entry);
	EQ(entry_put(&entry, "src_min 10.0.0.1"), 0);
	EQ(entry_put(&entry, "src_min "), 0);
	SAME(entry.reply, "OK: src_min=");
	EQ(entry.cfg.src_min, 0);
}
