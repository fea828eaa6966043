/* SPDX-License-Identifier: GPL-2.0 */
/* An entry as the command layer keeps one, without a device behind it. */
#ifndef PGX_TEST_ENTRY_H
#define PGX_TEST_ENTRY_H

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "control/param.h"
#include "test.h"

#define for_each_row(row) \
	for ((row) = pgx_params; (row) < pgx_params + pgx_nr_params; (row)++)

static inline bool row_is_number(const struct pgx_param *row)
{
	return row->type == PGX_NUMBER || row->type == PGX_DELAY || row->type == PGX_MBIT;
}

static inline bool row_is_list(const struct pgx_param *row)
{
	return row->type == PGX_MPLS || row->type == PGX_WEIGHTS;
}

struct entry {
	struct pgx_config	cfg;
	struct pgx_facts	facts;
	bool			running;
	const struct pgx_param	*row;		/* of the last line, NULL if it had none */
	struct pgx_config	tried;		/* what the last line made of the settings */
	char			reply[PGX_REPLY_SIZE];
	char			listing[4096];
};

/* Default settings; a device that can do all, with 8 queues and frames up to 1514; nodes 0 and 2 */
void entry_init(struct entry *entry);
/* Lines are tried on a copy, as the command layer does. Return: what pgx_param_write() returned. */
int entry_words(struct entry *entry, const struct pgx_words *words);
int entry_put(struct entry *entry, const char *line);
/* The line does not go with what is set, which is no matter of its syntax; the settings stay. */
void entry_clashes(struct entry *entry, const char *line, int rc);
/* What the check before a start answers */
int entry_at_start(struct entry *entry);
/* What the last reply says behind "OK: " and the name */
const char *entry_confirmed(const struct entry *entry, const struct pgx_param *row);
const char *entry_list(struct entry *entry);
u64 entry_value(const struct entry *entry, const struct pgx_param *row);
/* A refusal leaves no trace in the settings, nor in the copy unless a list was read into it. */
void entry_refuses(struct entry *entry, const char *line, int rc);
/* One listed value, without the blanks after it. Return: @buf. */
const char *entry_shown(struct entry *entry, const struct pgx_param *row, char *buf, size_t size);
bool text_is_plain(const char *text);

#endif
