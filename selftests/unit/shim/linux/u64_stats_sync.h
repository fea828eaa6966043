/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters as on a 32 bit machine, with the rules made assertions: a counter is written between
 * begin and end only, and what a reader got before a retry is not used.
 */
#ifndef PGX_SHIM_U64_STATS_SYNC_H
#define PGX_SHIM_U64_STATS_SYNC_H

#include <linux/types.h>

/* The kernel adds an unsigned long: make check EXTRA=-DPGX_SHIM_LONG=u32 shows a 32 bit machine. */
#ifndef PGX_SHIM_LONG
#define PGX_SHIM_LONG	unsigned long
#endif

struct u64_stats_sync {
	unsigned int	seq;
};

typedef struct {
	u64	v;
} u64_stats_t;

extern unsigned int shim_writers;	/* begun and not ended */
extern unsigned int shim_retries;	/* readers are told to retry this many times more */

static inline void shim_require(bool cond)
{
	if (!cond)
		__builtin_trap();
}

static inline void u64_stats_init(struct u64_stats_sync *sync)
{
	sync->seq = 0;
}

static inline void u64_stats_update_begin(struct u64_stats_sync *sync)
{
	shim_require(!shim_writers++);
	sync->seq++;
}

static inline void u64_stats_update_end(struct u64_stats_sync *sync)
{
	shim_require(!--shim_writers);
	sync->seq++;
}

static inline void u64_stats_set(u64_stats_t *p, u64 value)
{
	shim_require(shim_writers);
	p->v = value;
}

static inline void u64_stats_add(u64_stats_t *p, PGX_SHIM_LONG value)
{
	shim_require(shim_writers);
	p->v += value;
}

static inline u64 u64_stats_read(const u64_stats_t *p)
{
	return shim_retries ? ~p->v : p->v;
}

static inline unsigned int u64_stats_fetch_begin(const struct u64_stats_sync *sync)
{
	return sync->seq;
}

static inline bool u64_stats_fetch_retry(const struct u64_stats_sync *sync, unsigned int start)
{
	if (shim_retries) {
		shim_retries--;
		return true;
	}
	return sync->seq != start;
}

#endif
