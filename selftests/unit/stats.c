// SPDX-License-Identifier: GPL-2.0
/* Counters of a run, in memory that can be written between begin and end only. */
#include <sys/mman.h>
#include <unistd.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "measure/measure.h"
#include "test.h"

unsigned int shim_preempt;
void (*shim_writing)(bool on);

static struct pgx_stats *guarded;

static void guard(bool on)
{
	CHECK(!mprotect(guarded, sysconf(_SC_PAGESIZE), PROT_READ | (on ? PROT_WRITE : 0)));
}

/* Who writes them otherwise ends the tests by a fault. */
static struct pgx_stats *fresh(void)
{
	if (!guarded)
		guarded = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(guarded != MAP_FAILED && sizeof(*guarded) <= (size_t)sysconf(_SC_PAGESIZE));
	guard(true);
	memset(guarded, 0, sizeof(*guarded));
	pgx_stats_init(guarded);
	guard(false);
	shim_writing = guard;
	return guarded;
}

/* Every writer ends what it began. */
static void at_rest(const struct pgx_stats *stats)
{
	EQ(shim_preempt, 0);
	EQ(stats->sync.sequence % 2, 0);
	shim_writing = NULL;
}

static void add(struct pgx_stats *stats, u32 pkts, u32 errors, u32 size, u32 mix)
{
	unsigned int before = stats->sync.sequence;

	pgx_stats_add(stats, &(struct pgx_tally){
		.pkts = pkts, .errors = errors, .numbers = pkts, .mix = mix, .bytes = (u64)pkts * size
	});
	EQ(stats->sync.sequence, before + 2);
}

TEST(stats_add_up)
{
	struct pgx_snapshot snap = { .size = 7, .started = 8, .flows = 9 };
	struct pgx_stats *stats = fresh();

	add(stats, 10, 1, 60, 0);
	add(stats, 5, 2, 1514, 0);
	add(stats, 0, 3, 65549, 0);
	pgx_stats_idle(stats, 123);
	pgx_stats_idle(stats, 1000);
	pgx_stats_copy(stats, &snap);
	EQ(snap.pkts, 15);
	EQ(snap.errors, 6);
	EQ(snap.bytes, 10 * 60 + 5 * 1514);
	EQ(snap.idle, 1123);
	EQ(snap.seq, 16);
	EQ(snap.mix[0], 15);
	EQ(snap.size, 7);
	EQ(snap.started, 8);
	EQ(snap.flows, 9);
	at_rest(stats);
}

/* One burst may have more bytes, one wait more ns, than 32 bits hold. */
TEST(stats_large)
{
	struct pgx_stats *stats = fresh();
	struct pgx_snapshot snap;
	int i;

	for (i = 0; i < 3; i++)
		add(stats, 65536, 65536, 65549, 19);
	pgx_stats_idle(stats, 5000000000ULL);
	pgx_stats_copy(stats, &snap);
	EQ(snap.pkts, 3 * 65536);
	EQ(snap.errors, 3 * 65536);
	EQ(snap.bytes, 3ULL * 65536 * 65549);
	EQ(snap.idle, 5000000000ULL);
	EQ(snap.mix[19], 3 * 65536);
	/* The number of the next packet is that of 32 bits on the wire. */
	add(stats, 4294967295U, 0, 60, 0);
	add(stats, 4294967295U, 0, 60, 0);
	pgx_stats_copy(stats, &snap);
	EQ(snap.pkts, 3 * 65536 + 2 * 4294967295ULL);
	EQ(snap.seq, 3 * 65536 + 1 - 2);
	EQ(snap.mix[0], 2 * 4294967295ULL);
	at_rest(stats);
}

/* A fresh one and one that was cleared begin alike: the first packet has number 1. */
TEST(stats_clear)
{
	struct pgx_snapshot snap, zero = { .seq = 1 };
	struct pgx_stats *stats = fresh();
	u32 i;

	memset(&snap, 0xff, sizeof(snap));
	pgx_stats_copy(stats, &snap);
	EQ(snap.pkts | snap.errors | snap.bytes | snap.idle, 0);
	EQ(snap.seq, 1);
	for (i = 0; i < 20; i++)
		add(stats, i + 1, 4, 60, i);
	pgx_stats_idle(stats, 9);
	pgx_stats_clear(stats);
	pgx_stats_copy(stats, &snap);
	EQ(snap.pkts | snap.errors | snap.bytes | snap.idle, 0);
	EQ(snap.seq, 1);
	CHECK(!memcmp(snap.mix, zero.mix, sizeof(snap.mix)));
	add(stats, 1, 0, 60, 3);
	pgx_stats_copy(stats, &snap);
	EQ(snap.pkts, 1);
	EQ(snap.bytes, 60);
	EQ(snap.seq, 2);
	EQ(snap.mix[3], 1);
	at_rest(stats);
}

/* Packets by their size's place in the mix; all of them together are the packets. */
TEST(stats_of_a_mix)
{
	u64 seed = 12, want[20] = { 0 }, pkts = 0, bytes = 0;
	struct pgx_stats *stats = fresh();
	struct pgx_snapshot snap;
	u32 mix, nr, size;
	int i;

	for (i = 0; i < 10000; i++) {
		mix = test_rand(&seed) % 20;
		nr = test_rand(&seed) % 65537;
		size = 58 + test_rand(&seed) % 65492;
		add(stats, nr, 0, size, mix);
		want[mix] += nr;
		pkts += nr;
		bytes += (u64)nr * size;
	}
	pgx_stats_copy(stats, &snap);
	EQ(snap.pkts, pkts);
	EQ(snap.bytes, bytes);
	for (i = 0; i < 20; i++)
		EQ(snap.mix[i], want[i]);
	at_rest(stats);
}

/* Begin and end may hold more than one change, as a burst's. */
TEST(stats_begin_and_end)
{
	struct pgx_stats *stats = fresh();

	pgx_stats_begin(stats);
	EQ(shim_preempt, 1);
	EQ(stats->sync.sequence, 1);
	pgx_stats_end(stats);
	EQ(stats->sync.sequence, 2);
	at_rest(stats);
}
