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
	u64_stats_init(&stats->sync);
}

/**
 * pgx_stats_clear() - set every counter to zero
 * @stats: the counters
 *
 * Context: the run's thread.
 */
void pgx_stats_clear(struct pgx_stats *stats)
{
	u64_stats_update_begin(&stats->sync);
	u64_stats_set(&stats->pkts, 0);
	u64_stats_set(&stats->errors, 0);
	u64_stats_set(&stats->bytes, 0);
	u64_stats_set(&stats->idle, 0);
	u64_stats_update_end(&stats->sync);
}

/* Not u64_stats_add(): that takes a long, which is too short on a 32 bit machine. */
static void pgx_stats_count(u64_stats_t *counter, u64 more)
{
	u64_stats_set(counter, u64_stats_read(counter) + more);
}

/**
 * pgx_stats_add() - account for one burst
 * @stats: the counters
 * @tally: what the burst did
 *
 * Context: the run's thread, BH off.
 */
void pgx_stats_add(struct pgx_stats *stats, const struct pgx_tally *tally)
{
	u64_stats_update_begin(&stats->sync);
	pgx_stats_count(&stats->pkts, tally->pkts);
	pgx_stats_count(&stats->bytes, (u64)tally->pkts * tally->size);
	pgx_stats_count(&stats->errors, tally->errors);
	u64_stats_update_end(&stats->sync);
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
	u64_stats_update_begin(&stats->sync);
	pgx_stats_count(&stats->idle, ns);
	u64_stats_update_end(&stats->sync);
}

/**
 * pgx_stats_read() - copy the counters
 * @stats: the counters
 * @snap: gets pkts, errors, bytes and idle
 *
 * Context: any.
 */
void pgx_stats_read(const struct pgx_stats *stats, struct pgx_snapshot *snap)
{
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&stats->sync);
		snap->pkts = u64_stats_read(&stats->pkts);
		snap->errors = u64_stats_read(&stats->errors);
		snap->bytes = u64_stats_read(&stats->bytes);
		snap->idle = u64_stats_read(&stats->idle);
	} while (u64_stats_fetch_retry(&stats->sync, start));
}
