// SPDX-License-Identifier: GPL-2.0
/* Counters of a run: one writer, any number of readers. A leaf. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "measure/measure.h"

/**
 * pgx_stats_init() - make fresh counters
 * @stats: the counters, zeroed memory
 */
void pgx_stats_init(struct pgx_stats *stats)
{
	seqcount_init(&stats->sync);
	stats->seq = 1;
}

/**
 * pgx_stats_clear() - set every counter to zero, and the sequence number to its first
 * @stats: the counters
 *
 * Context: the run's thread.
 */
void pgx_stats_clear(struct pgx_stats *stats)
{
	pgx_stats_begin(stats);
	stats->pkts = 0;
	stats->errors = 0;
	stats->bytes = 0;
	stats->idle = 0;
	stats->seq = 1;
	memset(stats->mix, 0, sizeof(stats->mix));
	pgx_stats_end(stats);
}

static void pgx_stats_add_mixed(struct pgx_stats *stats, u32 *mixed)
{
	u32 i;

	for (i = 0; i < PGX_MAX_IMIX; i++)
		stats->mix[i] += mixed[i];
	memset(mixed, 0, PGX_MAX_IMIX * sizeof(*mixed));
}

/**
 * pgx_stats_add() - account for one burst
 * @stats: the counters
 * @tally: what the burst did
 *
 * Context: the run's thread.
 */
void pgx_stats_add(struct pgx_stats *stats, const struct pgx_tally *tally)
{
	pgx_stats_begin(stats);
	stats->pkts += tally->pkts;
	stats->seq += tally->numbers;
	stats->bytes += tally->bytes;
	stats->errors += tally->errors;
	if (tally->mixed)
		pgx_stats_add_mixed(stats, tally->mixed);
	else
		stats->mix[tally->mix] += tally->pkts;
	pgx_stats_end(stats);
}

/**
 * pgx_stats_idle() - account for time in which nothing was sent
 * @stats: the counters
 * @ns: how long
 *
 * Context: the run's thread.
 */
void pgx_stats_idle(struct pgx_stats *stats, u64 ns)
{
	pgx_stats_begin(stats);
	stats->idle += ns;
	pgx_stats_end(stats);
}

/**
 * pgx_stats_copy() - copy the counters
 * @stats: the counters
 * @snap: gets pkts, errors, bytes, idle, seq and mix
 *
 * Context: any; the caller goes by @stats->sync.
 */
void pgx_stats_copy(const struct pgx_stats *stats, struct pgx_snapshot *snap)
{
	snap->pkts = stats->pkts;
	snap->errors = stats->errors;
	snap->bytes = stats->bytes;
	snap->idle = stats->idle;
	snap->seq = stats->seq;
	memcpy(snap->mix, stats->mix, sizeof(snap->mix));
}
