// SPDX-License-Identifier: GPL-2.0
/*
 * Figures of a run, against the texts that are made of them. An input is words: NAME=NUMBER for
 * the members of a snapshot, "size=N" for the room that the text gets, "word=BYTES" for what a user
 * wrote.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "fuzz.h"
#include "measure/measure.h"
#include "test.h"

#define WHOLE	8192
#define GUARD	0x5a

struct input {
	struct pgx_snapshot	snap;
	u64			mix;	/* sizes and packets are told one after the other */
	u64			room;
	const char		*word;
};

#define MEMBER(name)	{ #name, offsetof(struct input, snap.name), sizeof(((struct input *)0)->snap.name) }
static const struct {
	const char	*name;
	size_t		offset;
	size_t		bytes;
} members[] = {
	MEMBER(pkts), MEMBER(errors), MEMBER(bytes), MEMBER(idle), MEMBER(started), MEMBER(stopped),
	MEMBER(nr_mix), MEMBER(end), MEMBER(v6), MEMBER(saddr6.hi), MEMBER(saddr6.lo),
	MEMBER(daddr6.hi), MEMBER(daddr6.lo), MEMBER(seq), MEMBER(size), MEMBER(frags),
	MEMBER(flows), MEMBER(src_mac_offset), MEMBER(dst_mac_offset), MEMBER(saddr), MEMBER(daddr),
	MEMBER(sport), MEMBER(dport), MEMBER(queue),
	{ "room", offsetof(struct input, room), sizeof(u64) },
};

/* Fields of a little endian machine */
static void set(struct input *in, const char *name, const char *text)
{
	u64 value = strtoull(text, NULL, 0);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(members); i++)
		if (!strcmp(members[i].name, name))
			memcpy((char *)in + members[i].offset, &value, members[i].bytes);
	if (!strcmp(name, "word"))
		in->word = text;
	if (strcmp(name, "mix"))
		return;
	i = in->mix++ % PGX_MAX_IMIX;
	in->snap.mix[i] = value;
	in->snap.mix_size[i] = value >> 7;
}

/* What no thread would leave behind is made what it would. */
static void settle(struct pgx_snapshot *snap)
{
	bool v6 = *(u8 *)&snap->v6 & 1;

	memcpy(&snap->v6, &v6, 1);
	snap->nr_mix %= PGX_MAX_IMIX + 1;
	snap->end %= PGX_NR_ENDS;
	if (snap->stopped < snap->started)
		snap->stopped = snap->started;
}

static bool plain(const char *text)
{
	for (; *text; text++)
		if ((*text < ' ' || *text > '~') && *text != '\n')
			return false;
	return true;
}

typedef void (*write_fn)(struct pgx_text *text, const struct input *in);

/* The whole text, and the same in less room: its beginning, ended by a NUL, nothing beyond. */
static void bounded(write_fn write, const struct input *in, char *whole)
{
	size_t room = 1 + in->room % WHOLE, len;
	char *some = malloc(room);
	struct pgx_text text;

	pgx_text_init(&text, whole, WHOLE);
	write(&text, in);
	len = strlen(whole);
	EQ(text.len, len);
	CHECK(len < 2000 && plain(whole));
	memset(some, GUARD, room);
	pgx_text_init(&text, some, room);
	write(&text, in);
	EQ(text.len, strlen(some));
	EQ(text.len, len < room ? len : room - 1);
	CHECK(!memcmp(some, whole, text.len));
	free(some);
}

static void write_current(struct pgx_text *text, const struct input *in)
{
	pgx_result_current(text, &in->snap);
}

static void write_run(struct pgx_text *text, const struct input *in)
{
	pgx_result_run(text, &in->snap);
}

static void write_word(struct pgx_text *text, const struct input *in)
{
	pgx_text_add_word(text, in->word, 60);
}

/* The number behind a label */
static u64 number(const char *text, const char *label)
{
	const char *at = strstr(text, label);

	CHECK(at);
	return strtoull(at + strlen(label), NULL, 10);
}

static void same_address(const char *text, const char *label, const struct pgx_snapshot *snap,
			 struct pgx_addr6 addr6, u32 addr)
{
	const char *at = strstr(text, label);
	unsigned char bytes[16];
	char word[64] = "";
	u64 got[2] = { };
	int i;

	CHECK(at);
	EQ(sscanf(at + strlen(label), "%63s", word), 1);
	EQ(inet_pton(snap->v6 ? AF_INET6 : AF_INET, word, bytes), 1);
	for (i = 0; i < (snap->v6 ? 16 : 4); i++)
		got[i / 8] = got[i / 8] << 8 | bytes[i];
	EQ(got[0], snap->v6 ? addr6.hi : addr);
	EQ(got[1], snap->v6 ? addr6.lo : 0);
}

static void check_mix(const char *text, const struct pgx_snapshot *snap)
{
	const char *at = strstr(text, "imix_size_counts: ");
	unsigned long long packets;
	unsigned int bytes;
	int i, used;

	CHECK(!at == !snap->nr_mix);
	at = at ? at + 18 : NULL;
	for (i = 0; i < snap->nr_mix; i++, at += used) {
		EQ(sscanf(at, "%u,%llu %n", &bytes, &packets, &used), 2);
		EQ(bytes, snap->mix_size[i]);
		EQ(packets, snap->mix[i]);
	}
}

static void check_current(const char *text, const struct pgx_snapshot *snap)
{
	EQ(number(text, "pkts-sofar: "), snap->pkts);
	EQ(number(text, "errors: "), snap->errors);
	EQ(number(text, "started: "), snap->started / 1000);
	EQ(number(text, "stopped: "), snap->stopped / 1000);
	EQ(number(text, "idle: "), snap->idle / 1000);
	EQ((u32)number(text, "seq_num: "), snap->seq);
	EQ((u32)number(text, "cur_dst_mac_offset: "), snap->dst_mac_offset);
	EQ((u32)number(text, "cur_src_mac_offset: "), snap->src_mac_offset);
	EQ(number(text, "cur_udp_dst: "), snap->dport);
	EQ(number(text, "cur_udp_src: "), snap->sport);
	EQ(number(text, "cur_queue_map: "), snap->queue);
	EQ(number(text, "flows: "), snap->flows);
	same_address(text, "cur_saddr: ", snap, snap->saddr6, snap->saddr);
	same_address(text, "cur_daddr: ", snap, snap->daddr6, snap->daddr);
	check_mix(text, snap);
	CHECK(!strstr(text, "ended-by: ") == !snap->end);
}

/* a * b / c with all its digits, the largest u64 where that does not fit */
static u64 scale(u64 a, unsigned __int128 b, u64 c)
{
	unsigned __int128 limit = (unsigned __int128)U64_MAX * c + c;

	if (a && b > limit / a)
		return U64_MAX;
	return (unsigned __int128)a * b / c;
}

/* Rates near the largest number may be told as the largest, so only those below half are exact. */
static void same_rate(u64 got, u64 want)
{
	if (want < U64_MAX / 2)
		EQ(got, want);
	else
		CHECK(got >= U64_MAX / 2);
}

static void check_run(const char *text, const struct pgx_snapshot *snap)
{
	u64 ns = snap->stopped - snap->started ?: 1;
	u64 idle = snap->idle < ns ? snap->idle : ns;
	u64 pps = scale(snap->pkts, 1000000000, ns);
	u64 bps;

	if (snap->end == PGX_END_IPSEC) {
		CHECK(!strncmp(text, "ERROR: flag IPSEC: ", 19));
		return;
	}
	EQ(number(text, "OK: "), ns / 1000);
	EQ(number(text, "(c"), (ns - idle) / 1000);
	EQ(number(text, "+d"), idle / 1000);
	EQ(number(text, " usec, "), snap->pkts);
	EQ(number(text, "errors: "), snap->errors);
	same_rate(number(text, "\n  "), pps);
	if (snap->bytes == snap->pkts * snap->size)
		bps = scale(pps, 8ULL * snap->size, 1);
	else
		bps = scale(snap->bytes, 8000000000ULL, ns);
	same_rate(number(text, "Mb/sec ("), bps);
}

static void check_word(const char *shown, const char *word)
{
	size_t i, len = strlen(word);

	EQ(strlen(shown), len < 60 ? len : 60);
	for (i = 0; shown[i]; i++)
		CHECK(shown[i] == (word[i] >= ' ' && word[i] <= '~' ? word[i] : '?'));
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static char text[WHOLE];
	struct input in = { .word = "" };
	char *copy = malloc(size + 1), *rest = copy, *word, *value;

	memcpy(copy, data, size);
	copy[size] = '\0';
	while ((word = strsep(&rest, " \n"))) {
		value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		if (value)
			set(&in, word, value);
	}
	settle(&in.snap);
	bounded(write_current, &in, text);
	check_current(text, &in.snap);
	bounded(write_run, &in, text);
	check_run(text, &in.snap);
	bounded(write_word, &in, text);
	check_word(text, in.word);
	free(copy);
	return 0;
}
