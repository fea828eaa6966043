// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a page of the documentation and writes it as the table of parameters says it should be. What
 * a reader sees that comes from the table is written anew, everything else goes through:
 *
 *   .. parameter: NAME	begins a fresh entry; the fields (":Value:" and so on) that follow are those
 *				of this row of the table
 *   .. try: WORD...		begins a fresh entry, of a device or a run that is as the words say
 *   .. file: NAME		lines that are for another file: the case net/reference tries them
 *       $ LINE			a line for the entry; below it stands the answer. "start", "cat" and
 *				"grep -A1 Result:" stand for the start of a run and for reading the file
 *   * - ``FLAG``		a row of the table of flags; the next line has its bit
 *
 * With --whole, what the page leaves out is told at its end. docs.sh compares the outcome with the page.
 */
#include <stdlib.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "control/param.h"

#define MAX_LINE	4096
#define MAX_PAGE	(1 << 20)

/* What a dummy device is like. */
static const struct pgx_facts dummy = {
	.name = "dummy0@0", .mac = { 0x02, 0, 0, 0, 0, 0x01 }, .max_frame = 1518, .tx_queues = 1,
	.csum4 = PGX_CSUM_PLAIN, .csum6 = PGX_CSUM_PLAIN, .sharing = true, .scatter = true,
	.ipsec = true, .cpu = true
};

/**
 * struct trial - an entry that lines are tried on
 * @on: lines are tried, not passed through
 * @cfg: its settings
 * @facts: its device
 * @row: the parameter that is shown, NULL if none is
 * @confirmed: a line has set @row
 * @started: it has run; @snap is what came of it
 * @snap: figures of the run
 * @end: how runs end
 * @drops: the door drops every packet
 * @reply: the last answer
 */
static struct trial {
	bool			on;
	struct pgx_config	cfg;
	struct pgx_facts	facts;
	const struct pgx_param	*row;
	bool			confirmed;
	bool			started;
	struct pgx_snapshot	snap;
	enum pgx_end		end;
	bool			drops;
	char			reply[PGX_REPLY_SIZE];
} trial;

static bool seen_param[256];
static bool seen_flag[32];
static char page[MAX_PAGE];
static bool missing;

static bool has_node_0(u32 node)
{
	return !node;
}

/* The words that change what is tried. */
static void trial_word(const char *word)
{
	if (!strcmp(word, "no-sharing"))
		trial.facts.sharing = false;
	else if (!strcmp(word, "no-scatter"))
		trial.facts.scatter = false;
	else if (!strcmp(word, "no-ipsec"))
		trial.facts.ipsec = false;
	else if (!strcmp(word, "cpu-offline"))
		trial.facts.cpu = false;
	else if (!strcmp(word, "no-state"))
		trial.end = PGX_END_IPSEC;
	else if (!strcmp(word, "down"))
		trial.end = PGX_END_DOWN;
	else if (!strcmp(word, "drops"))
		trial.drops = true;
	else
		printf("unknown: %s\n", word);
}

static void trial_begin(const char *words)
{
	char copy[MAX_LINE], *word;

	memset(&trial, 0, sizeof(trial));
	trial.on = true;
	trial.facts = dummy;
	trial.facts.node_exists = has_node_0;
	trial.end = PGX_END_COUNT;
	pgx_config_init(&trial.cfg);
	snprintf(copy, sizeof(copy), "%s", words);
	for (word = strtok(copy, " "); word; word = strtok(NULL, " "))
		trial_word(word);
}

static const char *error_name(int rc)
{
	switch (-rc) {
	case EINVAL:		return "EINVAL";
	case ERANGE:		return "ERANGE";
	case E2BIG:		return "E2BIG";
	case EOPNOTSUPP:	return "EOPNOTSUPP";
	case ENODEV:		return "ENODEV";
	default:		return "an error that has no name here";
	}
}

/* Lines of an answer, each without the blanks at its end: a page has none. */
static void say(const char *text)
{
	const char *end, *cut;

	while (*text) {
		end = strchr(text, '\n') ?: strchr(text, 0);
		for (cut = end; cut > text && cut[-1] == ' '; cut--)
			;
		if (*end || cut > text)
			printf("    %.*s\n", (int)(cut - text), text);
		text = *end ? end + 1 : end;
	}
}

static void answer(int rc)
{
	size_t len = strlen(trial.reply);

	while (len && trial.reply[len - 1] == '\n')
		trial.reply[--len] = '\0';
	say(trial.reply);
	if (rc == PGX_SOFT)
		say("[the write succeeds]");
	else if (rc)
		printf("    [the write fails: %s]\n", error_name(rc));
}

static void try_line(const char *line)
{
	char copy[MAX_LINE];
	struct pgx_config cfg = trial.cfg;
	const struct pgx_param *row;
	struct pgx_words words;
	struct pgx_text reply;
	int rc;

	snprintf(copy, sizeof(copy), "%s", line);
	pgx_words_cut(copy, &words);
	pgx_text_init(&reply, trial.reply, sizeof(trial.reply));
	rc = pgx_param_write(&cfg, &trial.facts, false, &words, &reply, &row);
	if (!rc)
		trial.cfg = cfg;
	if (!rc && row == trial.row)
		trial.confirmed = true;
	answer(rc);
}

/* What comes of whole cycles of a mix. */
static void try_mix(struct pgx_snapshot *snap, const struct pgx_config *cfg)
{
	u64 total = 0;
	int i;

	snap->nr_mix = cfg->nr_imix;
	for (i = 0; i < cfg->nr_imix; i++)
		total += cfg->imix[i].weight;
	for (i = 0; i < cfg->nr_imix; i++) {
		snap->size = cfg->imix[i].size;
		snap->mix_size[i] = snap->size;
		snap->mix[i] = snap->pkts / total * cfg->imix[i].weight;
		snap->bytes += snap->mix[i] * snap->size;
	}
}

/* Figures as after a run of 0.4 s, or of one that could not begin. */
static void try_run(void)
{
	struct pgx_snapshot *snap = &trial.snap;
	const struct pgx_config *cfg = &trial.cfg;

	trial.started = true;
	memset(snap, 0, sizeof(*snap));
	snap->started = 100000000000ULL;
	snap->stopped = snap->started + 400000000;
	snap->end = trial.end;
	snap->frags = trial.end == PGX_END_COUNT ? (int)cfg->frags : -1;
	snap->size = cfg->min_pkt_size;
	snap->pkts = trial.end == PGX_END_COUNT ? cfg->count : 0;
	snap->errors = trial.drops ? snap->pkts : 0;
	snap->seq = snap->pkts + 1;
	snap->v6 = cfg->flags & PGX_F_IPV6;
	snap->saddr6 = cfg->src6;
	snap->daddr6 = cfg->dst6;
	snap->saddr = cfg->src_min;
	snap->daddr = cfg->dst_min;
	snap->sport = cfg->udp_src_min;
	snap->dport = cfg->udp_dst_min;
	snap->flows = cfg->flows;
	if (cfg->nr_imix)
		try_mix(snap, cfg);
	else
		snap->bytes = snap->pkts * snap->size;
}

static void try_start(void)
{
	struct pgx_config cfg = trial.cfg;
	struct pgx_text reply;
	int rc;

	pgx_config_complete(&cfg, &trial.facts);
	pgx_text_init(&reply, trial.reply, sizeof(trial.reply));
	rc = pgx_config_check(&cfg, &trial.facts, PGX_ON_START, &reply);
	if (!rc) {
		trial.cfg = cfg;
		try_run();
	}
	answer(rc);
}

/* Reading the file: all of it, or what "Result:" has. */
static void try_read(const char *from)
{
	char buf[8192];
	struct pgx_text out;

	pgx_text_init(&out, buf, sizeof(buf));
	if (!trial.started) {
		trial.snap.seq = 1;
		trial.snap.frags = -1;
	}
	pgx_param_list(&trial.cfg, &trial.facts, &out);
	pgx_result_current(&out, &trial.snap);
	pgx_text_add(&out, "Result: ");
	if (trial.started)
		pgx_result_run(&out, &trial.snap);
	else
		pgx_text_add(&out, "Idle");
	say(strstr(buf, from));
}

static void try(const char *line)
{
	if (!strcmp(line, "start"))
		try_start();
	else if (!strcmp(line, "cat"))
		try_read("");
	else if (!strcmp(line, "grep -A1 Result:"))
		try_read("Result:");
	else
		try_line(line);
}

static void say_names(const struct pgx_param *row)
{
	int i;

	for (i = 0; i < row->nr_names; i++)
		printf("%s``%s``", i ? ", " : "", row->names[i]);
}

static void say_suffixes(const struct pgx_param *row)
{
	const struct pgx_unit *unit;

	for (unit = row->units; unit && unit->suffix; unit++)
		if (*unit->suffix)
			printf("%s%s", unit == row->units + 1 ? ", or with suffix " : " ", unit->suffix);
	if (row->hex)
		printf(", or ``0x`` and hex digits");
}

static void say_number(const struct pgx_param *row)
{
	unsigned long long min = row->min, max = row->ceiling ? U32_MAX : row->max;

	if (row->type == PGX_MBIT) {
		printf("a whole number of Mbit/s");
		say_suffixes(row);
		printf("; %llu to %llu bit/s", min, max);
		return;
	}
	printf("a whole number, %llu to %llu", min, max);
	say_suffixes(row);
	if (row->floor)
		printf("; less than %u counts as %u", row->floor, row->floor);
	if (row->ceiling)
		printf("; more than %u counts as %u", row->ceiling, row->ceiling);
}

static_assert(PGX_MAX_LABELS == 16 && PGX_MAX_IMIX == 20, "told below");

/* What types that have no range in the table take. */
static const char *const value_texts[PGX_NR_TYPES] = {
	[PGX_NODE]	= "a memory node of the machine, or -1 for none",
	[PGX_BYTE]	= "two hex digits, 00 to ff; ``0x`` may stand before them",
	[PGX_VLAN]	= "a whole number, 0 to 4095; 4096 to 65535 for none",
	[PGX_MPLS]	= "1 to 16 words of 1 to 8 hex digits with commas between; "
			  "``0`` for none",
	[PGX_WEIGHTS]	= "1 to 20 pairs SIZE,WEIGHT with one blank between; "
			  "``none`` for none",
	[PGX_IP4]	= "an IPv4 address; 0.0.0.0 for none",
	[PGX_IP6]	= "an IPv6 address; ``::`` for none",
	[PGX_MAC]	= "a MAC address, xx:xx:xx:xx:xx:xx in hex digits",
	[PGX_FLAGS]	= "names of flags, each with ``!`` before it to clear it",
	[PGX_ACTION]	= "none",
};

static void say_value(const struct pgx_param *row)
{
	printf(":Value: ");
	if (value_texts[row->type])
		printf("%s", value_texts[row->type]);
	else if (row->type == PGX_CHOICE)
		say_names(row);
	else
		say_number(row);
	if (row->needs)
		printf("; needs ``%s``", row->lacks);
	printf("\n");
}

/* Another row that sets the same, and is listed. */
static const struct pgx_param *listed_instead(const struct pgx_param *row)
{
	const struct pgx_param *other;

	for (other = pgx_params; !row->label && other < pgx_params + pgx_nr_params; other++)
		if (other->label && row->size && other->size && other->offset == row->offset)
			return other;
	return NULL;
}

static void say_default(const struct pgx_param *row)
{
	char buf[1024];
	struct pgx_text out;

	pgx_text_init(&out, buf, sizeof(buf));
	if (row->type == PGX_FLAGS)
		pgx_values[row->type].list(row, &trial.cfg, &trial.facts, &out);
	else
		pgx_values[row->type].confirm(row, &trial.cfg, &trial.facts, &out);
	while (out.len && buf[out.len - 1] == ' ')
		buf[--out.len] = '\0';
	/* the address of the device that is tried is nobody else's */
	if (row->type == PGX_MAC && !memcmp((char *)&trial.cfg + row->offset, "\0\0\0\0\0", 6) &&
	    strcmp(buf, "00:00:00:00:00:00"))
		snprintf(buf, sizeof(buf), "that of the device");
	/* a colon or more at the end means something in a page */
	if (strchr(buf, ':'))
		printf(":Default: ``%s``\n", buf);
	else
		printf(":Default: %s\n", *buf ? buf : "not set");
}

static void say_listed(const struct pgx_param *row)
{
	const char *label = row->label;
	size_t len;

	if (!label) {
		printf(":Listed: no\n");
		return;
	}
	label += strspn(label, "\n ");
	len = strlen(label);
	while (label[len - 1] == ' ')
		len--;
	printf(":Listed: ``%.*s``%s\n", (int)len, label,
	       row->shown && !row->shown(&trial.cfg) ? ", not in a fresh entry" : "");
}

static void say_fields(const struct pgx_param *row)
{
	const struct pgx_param *other = listed_instead(row);

	printf("\n");
	say_value(row);
	if (other) {
		printf(":Default: see ``%s``\n", other->name);
		printf(":Listed: as ``%s``\n", other->name);
	} else if (row->type != PGX_ACTION) {
		say_default(row);
		say_listed(row);
	}
	if (row->soft)
		printf(":Refused: the write succeeds, ``Result:`` alone tells\n");
	printf("\n");
}

static void lack(const char *what, const char *name)
{
	printf("missing: %s %s\n", what, name);
	missing = true;
}

/* The fields came, now an example has to. */
static void parameter_end(void)
{
	if (trial.row && !trial.confirmed)
		lack("an example that sets", trial.row->name);
	trial.row = NULL;
}

static void parameter_begin(const char *name)
{
	const struct pgx_param *row = pgx_param_find(name);

	trial_begin("");
	if (!row) {
		printf("unknown: %s\n", name);
		return;
	}
	seen_param[row - pgx_params] = true;
	trial.row = row;
	say_fields(row);
}

/* The bit of a flag that a line begins a row for, 0 if it does not. */
static u32 flag_row(const char *line)
{
	const struct pgx_param *row = pgx_param_find("flag");
	char start[64];
	int i;

	for (i = 0; i < row->nr_names; i++) {
		snprintf(start, sizeof(start), "   * - ``%s``", row->names[i]);
		if (strcmp(line, start))
			continue;
		seen_flag[i] = true;
		return 1U << i;
	}
	return 0;
}

/* What a page that is to be whole does not have. */
static void lack_rows(void)
{
	const struct pgx_param *row = pgx_param_find("flag");
	unsigned int i;

	for (i = 0; i < pgx_nr_params; i++)
		if (pgx_params[i].name && !seen_param[i])
			lack("parameter", pgx_params[i].name);
	for (i = 0; i < row->nr_names; i++)
		if (!seen_flag[i])
			lack("flag", row->names[i]);
}

/* Each way to end a run has to be named. */
static void lack_ends(void)
{
	static const char label[] = "ended-by: ";
	struct pgx_snapshot snap = { .frags = -1 };
	char buf[1024], word[64];
	struct pgx_text out;

	for (snap.end = PGX_END_NONE + 1; snap.end < PGX_NR_ENDS; snap.end++) {
		pgx_text_init(&out, buf, sizeof(buf));
		pgx_result_current(&out, &snap);
		buf[out.len - 1] = '\0';
		snprintf(word, sizeof(word), "``%s``", strstr(buf, label) + strlen(label));
		if (!strstr(page, word))
			lack(label, word);
	}
}

static char *next_line(char **at)
{
	char *line = *at, *end = strchr(line, '\n');

	if (!*line)
		return NULL;
	if (end)
		*end = '\0';
	*at = end ? end + 1 : strchr(line, 0);
	return line;
}

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* What a line of the page is followed by comes from here, and what stood there goes. */
enum skip { SKIP_NOTHING, SKIP_FIELDS, SKIP_ANSWER, SKIP_BIT };

static bool skipped(const char *line, enum skip skip)
{
	switch (skip) {
	case SKIP_FIELDS:
		return !*line || (line[0] == ':' && line[1] >= 'A' && line[1] <= 'Z');
	case SKIP_ANSWER:
		return begins(line, "    ") && !begins(line, "    $ ");
	case SKIP_BIT:
		return begins(line, "     - 0x");
	default:
		return false;
	}
}

static enum skip take(const char *line)
{
	u32 bit;

	if (begins(line, ".. parameter: ") || begins(line, ".. try:") || begins(line, ".. file: "))
		parameter_end();
	puts(line);
	if (begins(line, ".. parameter: ")) {
		parameter_begin(line + strlen(".. parameter: "));
		return SKIP_FIELDS;
	}
	if (begins(line, ".. try:"))
		trial_begin(line + strlen(".. try:"));
	if (begins(line, ".. file: "))
		trial.on = false;
	if (begins(line, "    $ ") && trial.on) {
		try(line + strlen("    $ "));
		return SKIP_ANSWER;
	}
	bit = flag_row(line);
	if (!bit)
		return SKIP_NOTHING;
	printf("     - 0x%x\n", bit);
	return SKIP_BIT;
}

int main(int argc, char **argv)
{
	bool whole = argc > 1 && !strcmp(argv[1], "--whole");
	char *copy, *at, *line;
	enum skip skip = SKIP_NOTHING;

	page[fread(page, 1, sizeof(page) - 1, stdin)] = '\0';
	copy = strdup(page);
	at = copy;
	while ((line = next_line(&at))) {
		if (!skipped(line, skip))
			skip = take(line);
	}
	parameter_end();
	if (whole) {
		lack_rows();
		lack_ends();
	}
	free(copy);
	return missing;
}
