// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include "entry.h"

/* Two memory nodes, with a gap between */
static bool node_exists(u32 node)
{
	return node == 0 || node == 2;
}

void entry_init(struct entry *entry)
{
	static const struct pgx_facts facts = {
		.name = "eth0@1", .mac = { 0x02, 0, 0, 0xab, 0xcd, 0xef }, .src_ip = 0x0a000001,
		.src6 = { 0xfe80000000000000ULL, 1 }, .max_frame = 1514, .tx_queues = 8,
		.sharing = true, .scatter = true, .ipsec = true, .cpu = true,
		.node_exists = node_exists
	};

	memset(entry, 0, sizeof(*entry));
	entry->facts = facts;
	pgx_config_init(&entry->cfg);
}

int entry_words(struct entry *entry, const struct pgx_words *words)
{
	struct pgx_text reply;
	int rc;

	entry->tried = entry->cfg;
	pgx_text_init(&reply, entry->reply, sizeof(entry->reply));
	rc = pgx_param_write(&entry->tried, &entry->facts, entry->running, words, &reply,
			     &entry->row);
	if (!rc)
		entry->cfg = entry->tried;
	return rc;
}

/* The line stands in memory of its own size, so that the sanitizer sees a step beyond it. */
int entry_put(struct entry *entry, const char *line)
{
	struct pgx_words words;
	char *copy = strdup(line);
	int rc;

	test_note("%s", line);
	pgx_words_cut(copy, &words);
	rc = entry_words(entry, &words);
	free(copy);
	return rc;
}

const char *entry_list(struct entry *entry)
{
	struct pgx_text out;

	pgx_text_init(&out, entry->listing, sizeof(entry->listing));
	pgx_param_list(&entry->cfg, &entry->facts, &out);
	return entry->listing;
}

u64 entry_value(const struct entry *entry, const struct pgx_param *row)
{
	u64 value = 0;

	/* Fields of a little endian machine */
	memcpy(&value, (const char *)&entry->cfg + row->offset, row->size);
	return value;
}

void entry_refuses(struct entry *entry, const char *line, int rc)
{
	struct pgx_config before = entry->cfg;

	EQ(entry_put(entry, line), rc);
	CHECK(!memcmp(&entry->cfg, &before, sizeof(before)));
	if (!entry->row || !row_is_list(entry->row))
		CHECK(!memcmp(&entry->tried, &before, sizeof(before)));
	CHECK(entry->reply[0] && strncmp(entry->reply, "OK", 2));
	CHECK(strlen(entry->reply) < sizeof(entry->reply) - 1);
	CHECK(text_is_plain(entry->reply));
}

void entry_clashes(struct entry *entry, const char *line, int rc)
{
	struct pgx_config before = entry->cfg;

	EQ(entry_put(entry, line), rc);
	CHECK(!memcmp(&entry->cfg, &before, sizeof(before)));
	CHECK(!strncmp(entry->reply, "ERROR: ", 7));
	CHECK(strstr(entry->reply, "allowed is "));
	CHECK(text_is_plain(entry->reply));
}

int entry_at_start(struct entry *entry)
{
	struct pgx_text reply;

	pgx_text_init(&reply, entry->reply, sizeof(entry->reply));
	return pgx_config_check(&entry->cfg, &entry->facts, PGX_ON_START, &reply);
}

const char *entry_confirmed(const struct entry *entry, const struct pgx_param *row)
{
	char head[64];
	bool good;

	if (row->reply)
		snprintf(head, sizeof(head), "OK: %s", row->reply);
	else
		snprintf(head, sizeof(head), "OK: %s=", row->name);
	good = !strncmp(entry->reply, head, strlen(head));
	CHECK(good);
	return good ? entry->reply + strlen(head) : "";
}

static bool is_listed(const struct entry *entry, const struct pgx_param *row)
{
	return row->label && (!row->shown || row->shown(&entry->cfg));
}

/* Some labels come twice, so each is looked for behind those before it. */
static const char *value_at(struct entry *entry, const struct pgx_param *wanted)
{
	const char *at = entry_list(entry);
	const struct pgx_param *row;

	for (row = pgx_params; at && row <= wanted; row++) {
		if (!is_listed(entry, row))
			continue;
		at = strstr(at, row->label);
		at = at ? at + strlen(row->label) : NULL;
	}
	return is_listed(entry, wanted) ? at : NULL;
}

static size_t value_length(const struct entry *entry, const char *value,
			   const struct pgx_param *row)
{
	const struct pgx_param *next = row + 1;
	const char *end;

	while (next < pgx_params + pgx_nr_params && !is_listed(entry, next))
		next++;
	end = next < pgx_params + pgx_nr_params ? strstr(value, next->label) : NULL;
	if (!end)
		end = strchr(value, 0);
	while (end > value && (end[-1] == ' ' || end[-1] == '\n'))
		end--;
	return end - value;
}

const char *entry_shown(struct entry *entry, const struct pgx_param *row, char *buf, size_t size)
{
	const char *at = value_at(entry, row);
	size_t len;

	buf[0] = '\0';
	if (!at)
		return buf;
	len = value_length(entry, at, row);
	CHECK(len < size);
	memcpy(buf, at, len);
	buf[len] = '\0';
	return buf;
}

bool text_is_plain(const char *text)
{
	for (; *text; text++)
		if ((*text < ' ' || *text > '~') && *text != '\n')
			return false;
	return true;
}
