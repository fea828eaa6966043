// SPDX-License-Identifier: GPL-2.0
/*
 * Lines of an entry's file, against the parser, the rules, the listing and the packets that they
 * lead to. A line that begins with '#' is none: it changes the device, see device.h.
 */
#include <stdlib.h>
#include "device.h"
#include "fuzz.h"
#include "holds.h"
#include "skb.h"

#define PACKETS	8

static void one_line(struct entry *entry, const struct pgx_words *words)
{
	unsigned int i;
	int rc;

	CHECK(words->nr <= PGX_MAX_WORDS);
	for (i = 0; i < words->nr; i++)
		CHECK(words->word[i][0] && !strpbrk(words->word[i], " \t\r\n\"="));
	if (!words->nr)
		return;
	rc = entry_words(entry, words);
	holds_reply(entry);
	if (rc) {
		holds_refused(entry, rc);
		return;
	}
	holds_taken(entry);
	holds_listing(entry);
}

static char *device_line(struct entry *entry, char *line)
{
	char *end = strchr(line, '\n');

	if (end)
		*end++ = '\0';
	device_change(&entry->facts, &entry->running, line + 1);
	return end;
}

/* The text stands in memory of its own size, so that the sanitizer sees a step beyond it. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct traffic traffic;
	char *text = malloc(size + 1), *line = text;
	struct pgx_words words;

	memcpy(text, data, size);
	text[size] = '\0';
	memset(&traffic, 0, sizeof(traffic));
	pgx_flow_seed(&traffic.flow, 2024);
	entry_init(&traffic.entry);
	while (line) {
		test_note("%.400s", line);
		if (*line == '#') {
			line = device_line(&traffic.entry, line);
			continue;
		}
		line = pgx_words_cut(line, &words);
		one_line(&traffic.entry, &words);
	}
	holds_read_back(&traffic.entry);
	skb_start(&traffic, PACKETS);
	free(text);
	return 0;
}
