// SPDX-License-Identifier: GPL-2.0
/* The table of parameters, row by row: what is taken is shown, and what is shown is taken. */
#include <stdio.h>
#include "entry.h"

#define P19	"60,1 60,2 60,3 60,4 60,5 60,6 60,7 60,8 60,9 60,10 60,11 60,12 60,13 60,14 " \
		"60,15 60,16 60,17 60,18 60,19 "
#define L15	"1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,"

/* Words that a row takes and refuses, after settings that it needs; none of rows of numbers */
static const struct sample {
	const char	*name;
	const char	*before;
	const char	*good[8];
	const char	*bad[16];
	const char	*many[2];		/* too many of something */
} samples[] = {
	{ "imix_weights", NULL,
	  { "none", "42,1", "65549,4294967295 60,1", P19 "1514,20" },
	  { "", "60", "60,", ",5", "40:7", "40,0", "65550,1", "60,4294967296", "60,5x", "60,1 x",
	    "60,-1", "60,1,2", "none none", "0x60,1", "60,1 none" },
	  { P19 "60,20 60,21", P19 P19 P19 "x" } },
	{ "mpls", NULL,
	  { "00000000", "1", "0001000a,0002000a,0000000a", "ffffffff", "0,0", L15 "10",
	    "00000100" },
	  { "", ",", "1,", ",1", "1,,2", "g", "0x1", "123456789", "1;2", "1,000000002", "-1", "1.2",
	    "00000000g" },
	  { L15 "10,11", L15 L15 "1" } },
	{ "vlan_id", NULL, { "0", "1", "77", "4095", "4096", "65535", "0000077" },
	  { "-1", "x", "7x", "0x7", "7.5", "off" }, {} },
	{ "svlan_id", "vlan_id 5", { "0", "1", "4095", "4096", "65535" },
	  { "-1", "x", "7x" }, {} },
	{ "svlan", "vlan_id 5", { "0", "1", "4095", "4096", "9999" }, { "-1", "x" }, {} },
	{ "vlan_p", "vlan_id 5", { "0", "1", "7" }, { "8", "-1", "x", "12", "7x", "4294967296" },
	  {} },
	{ "vlan_cfi", "vlan_id 5", { "0", "1" }, { "2", "-1", "x", "10" }, {} },
	{ "svlan_p", "vlan_id 5\nsvlan_id 6", { "0", "1", "7" },
	  { "8", "x", "18446744073709551616" }, {} },
	{ "svlan_cfi", "vlan_id 5\nsvlan_id 6", { "0", "1" }, { "2", "x" }, {} },
	{ "svlan_tpid", "vlan_id 5\nsvlan_id 6", { "0x8100", "0x88a8" },
	  { "", "x", "0x", "0x88A8", "88a9", "34984", "88a80", "0x0x8100" }, {} },
	{ "tos", NULL, { "00", "0f", "ff", "Fe", "0x10" },
	  { "", "0", "f", "0ff", "fg", "g0", "0x", "0x1", "0x123", "-1", "256" }, {} },
	{ "traffic_class", NULL, { "00", "0f", "ff", "aB", "0xb8" },
	  { "", "0", "000", "xx", "0x1", "0xfff" }, {} },
	{ "node", NULL, { "0", "2", "-1" },
	  { "1", "3", "65534", "65535", "65536", "4294967296", "4294967298", "-2", "-0", "x", "0x0",
	    "18446744073709551615", "18446744073709551616" }, {} },
	{ "xmit_mode", NULL, { "start_xmit", "netif_receive", "queue_xmit" },
	  { "", "x", "xmit_queue", "start_xmi", "start_xmit2", "0" }, {} },
	{ "burst_mode", "burst 2", { "copies", "distinct" },
	  { "", "x", "copy", "distinct2", "0" }, {} },
	{ "skb_mode", NULL, { "recycle", "fresh" }, { "", "x", "fres", "fresh2", "1" }, {} },
	{ "flag", "flows 1",
	  { "UDPCSUM", "!SHARED", "NODE", "FLOW_SEQ IPSEC VID_RND", "MPLS_RND SVID_RND",
	    "FLOW_RND" },
	  { "", "x", "!", "IPV6", "!!SHARED", "ipsec", "UDPCSUM,NODE", "0x40", "! SHARED",
	    "NODE_" }, {} },
	{ "clear_counters", NULL, {}, {}, {} },
};

#define IP6_GOOD "::", "::1", "fec0::1", "2001:db8::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", \
		 "::ffff:10.1.2.3", "1:2:3:4:5:6:7:8"
static const struct sample typed[PGX_NR_TYPES] = {
	[PGX_IP4] = { NULL, NULL, { "0.0.0.0", "255.255.255.255", "10.1.2.3" },
		      { "x", "10.1.2.256", "10.1.2", "::1", "10.0.0.0/8" }, {} },
	[PGX_IP6] = { NULL, NULL, { IP6_GOOD },
		      { "", "x", ":", ":::", "1", "10.1.2.3", "1::2::3", "fe80::1%eth0",
			"2001:db8::/32", "12345::" }, {} },
	[PGX_MAC] = { NULL, NULL,
		      { "00:00:00:00:00:01", "ff:FF:ff:ff:ff:ff", "00:00:00:00:00:00" },
		      { "", "x", "00:00:00:00:00", "00-11-22-33-44-55", "0:1:2:3:4:5" }, {} },
};

static const struct sample *sample_of(const struct pgx_param *row)
{
	size_t i;

	if (row->type == PGX_IP4 || row->type == PGX_IP6 || row->type == PGX_MAC)
		return &typed[row->type];
	for (i = 0; i < ARRAY_SIZE(samples); i++)
		if (!strcmp(samples[i].name, row->name))
			return &samples[i];
	return NULL;
}

static void prepare(struct entry *entry, const char *before)
{
	char lines[64], *line, *rest = lines;

	entry_init(entry);
	snprintf(lines, sizeof(lines), "%s", before ?: "");
	while ((line = strsep(&rest, "\n")))
		if (*line)
			EQ(entry_put(entry, line), 0);
}

/* Listed labels have blanks between that a script does not write. */
static void as_written(const struct pgx_param *row, char *text)
{
	char *to = text;

	for (; *text; text++)
		if (row->type != PGX_MPLS || *text != ' ')
			*to++ = *text;
	*to = '\0';
}

/*
 * What is confirmed leads to the same settings, from those at the start and from those it was taken
 * from; so does what is listed. What '!' took away is not listed.
 */
static void same_again(struct entry *entry, const struct pgx_param *row,
		       const struct pgx_config *start, const char *shown)
{
	struct pgx_config want = entry->cfg;
	char line[PGX_REPLY_SIZE + 32];

	snprintf(line, sizeof(line), "%s %s", row->name, shown);
	EQ(entry_put(entry, line), 0);
	want.unflags = entry->cfg.unflags;
	CHECK(!memcmp(&entry->cfg, &want, sizeof(want)));
	entry->cfg = *start;
	EQ(entry_put(entry, line), 0);
	want.unflags = entry->cfg.unflags;
	CHECK(!memcmp(&entry->cfg, &want, sizeof(want)));
}

/* A rate is listed as a delay, flags are confirmed as bits, and no tag as "off". */
static void read_back(struct entry *entry, const struct pgx_param *row,
		      const struct pgx_config *start)
{
	char shown[PGX_REPLY_SIZE], confirmed[PGX_REPLY_SIZE];
	struct pgx_config clean = *start;

	snprintf(confirmed, sizeof(confirmed), "%s", entry_confirmed(entry, row));
	/* A MAC of zeros is shown as the device's, IPv4 zeros as nothing. */
	if (row->type == PGX_MAC && !entry_value(entry, row))
		return;
	if (row->type != PGX_FLAGS && confirmed[0] && strcmp(confirmed, "off"))
		same_again(entry, row, start, confirmed);
	if (!row->label || (row->shown && !row->shown(&entry->cfg)))
		return;
	entry_shown(entry, row, shown, sizeof(shown));
	as_written(row, shown);
	if (row->type != PGX_FLAGS)
		SAME(shown, confirmed);
	clean.flags = row->type == PGX_FLAGS ? 0 : clean.flags;
	if (shown[0])
		same_again(entry, row, &clean, shown);
}

static void number_taken(const struct pgx_param *row, const char *line, u64 want)
{
	struct pgx_config start;
	struct entry entry;
	char shown[32];
	u64 value;

	entry_init(&entry);
	start = entry.cfg;
	EQ(entry_put(&entry, line), 0);
	value = entry_value(&entry, row);
	if (row->type == PGX_DELAY && want == 2147483647)
		want = PGX_NEVER;
	EQ(value, want);
	if (row->type != PGX_MBIT)
		snprintf(shown, sizeof(shown), "%llu", want);
	else if (want % 1000000)
		snprintf(shown, sizeof(shown), "%llu.%06llu", want / 1000000, want % 1000000);
	else
		snprintf(shown, sizeof(shown), "%llu", want / 1000000);
	SAME(entry_confirmed(&entry, row), shown);
	/* The part below one Mbit/s is for readers, not for a script to write. */
	if (!strchr(shown, '.'))
		read_back(&entry, row, &start);
}

static void number_refused(const struct pgx_param *row, const char *word, int rc)
{
	char line[128], allowed[64];
	struct entry entry;

	entry_init(&entry);
	snprintf(line, sizeof(line), "%s %s", row->name, word);
	entry_refuses(&entry, line, rc);
	snprintf(allowed, sizeof(allowed), "allowed is %llu to %llu", row->min, row->max);
	CHECK(strstr(entry.reply, row->name));
	CHECK(strstr(entry.reply, word));
	CHECK(strstr(entry.reply, allowed));
}

/* What becomes of so many units of some size */
static void number_sample(const struct pgx_param *row, u64 units, const struct pgx_unit *unit)
{
	unsigned __int128 value = (unsigned __int128)units * unit->factor;
	char word[64], line[128];

	snprintf(word, sizeof(word), "%llu%s", units, unit->suffix);
	snprintf(line, sizeof(line), "%s %s", row->name, word);
	if (value < row->floor)
		value = row->floor;
	if (row->ceiling && value > row->ceiling && value <= U64_MAX)
		value = row->ceiling;
	if (value < row->min)
		number_refused(row, word, -EINVAL);
	else if (value > row->max)
		number_refused(row, word, -ERANGE);
	else
		number_taken(row, line, value);
}

static void number_samples(const struct pgx_param *row, const struct pgx_unit *unit)
{
	const u64 edges[] = {
		0, row->floor / unit->factor, row->min / unit->factor, row->max / unit->factor / 2,
		row->max / unit->factor, U64_MAX / unit->factor, 2147483647
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(edges); i++) {
		number_sample(row, edges[i], unit);
		if (edges[i])
			number_sample(row, edges[i] - 1, unit);
		if (edges[i] < U64_MAX)
			number_sample(row, edges[i] + 1, unit);
	}
}

TEST(rows_numbers)
{
	static const char *const garbage[] = { "x", "-1", "0x", "1.5", "99999999999999999999z" };
	static const struct pgx_unit plain[] = { { "", 1 }, { NULL, 0 } };
	const struct pgx_param *row;
	const struct pgx_unit *unit;
	size_t i;

	for_each_row(row) {
		if (!row_is_number(row))
			continue;
		for (unit = row->units ?: plain; unit->suffix; unit++)
			number_samples(row, unit);
		for (i = 0; i < ARRAY_SIZE(garbage); i++)
			number_refused(row, garbage[i], -EINVAL);
		number_refused(row, "99999999999999999999", -ERANGE);
	}
}

/* A refusal has the parameter, the value as far as it is shown, and what is allowed. */
static void refuses(const struct pgx_param *row, const char *before, const char *word, int rc)
{
	char line[PGX_REPLY_SIZE], value[64];
	struct entry entry;

	prepare(&entry, before);
	snprintf(line, sizeof(line), "%s %s", row->name, word);
	entry_refuses(&entry, line, rc);
	CHECK(entry.row == row);
	CHECK(strstr(entry.reply, row->type == PGX_FLAGS ? "Flag" : row->name));
	CHECK(strstr(entry.reply, "allowed is") || strstr(entry.reply, " must be ") ||
	      strstr(entry.reply, "\nAvailable ") || strstr(entry.reply, " instead"));
	/* Of several words the wrong one is shown. */
	snprintf(value, sizeof(value), "%.60s", word);
	if (!strchr(word, ' '))
		CHECK(strstr(entry.reply, value));
}

static void takes(const struct pgx_param *row, const char *before, const char *word)
{
	char line[PGX_REPLY_SIZE];
	struct pgx_config start;
	struct entry entry;

	prepare(&entry, before);
	start = entry.cfg;
	snprintf(line, sizeof(line), "%s %s", row->name, word);
	EQ(entry_put(&entry, line), 0);
	CHECK(text_is_plain(entry.reply));
	read_back(&entry, row, &start);
}

static void walk(const struct pgx_param *row, const struct sample *sample)
{
	const char *const *word;

	for (word = sample->good; *word; word++)
		takes(row, sample->before, *word);
	for (word = sample->bad; *word; word++)
		refuses(row, sample->before, *word, row->soft ? PGX_SOFT : -EINVAL);
	for (word = sample->many; word < sample->many + 2 && *word; word++)
		refuses(row, sample->before, *word, -E2BIG);
}

/* A row that nobody thought of here fails. */
TEST(rows_all_others)
{
	const struct pgx_param *row;
	const struct sample *sample;

	for_each_row(row) {
		if (!row->name || row_is_number(row))
			continue;
		sample = sample_of(row);
		test_note("%s", row->name);
		CHECK(sample);
		if (sample)
			walk(row, sample);
	}
}

/* Each name of a list, and each in the refusal of another one */
TEST(rows_names)
{
	const struct pgx_param *row;
	struct entry entry;
	char line[64];
	int i, j;

	for_each_row(row) {
		for (i = 0; i < row->nr_names; i++) {
			snprintf(line, sizeof(line), "%s %s", row->name, row->names[i]);
			entry_init(&entry);
			EQ(entry_put(&entry, line), strcmp(row->names[i], "IPV6") ? 0 : PGX_SOFT);
		}
		if (!row->nr_names)
			continue;
		snprintf(line, sizeof(line), "%s y", row->name);
		entry_refuses(&entry, line, row->soft ? PGX_SOFT : -EINVAL);
		for (j = 0; j < row->nr_names; j++)
			CHECK(strstr(entry.reply, row->names[j]));
	}
}
