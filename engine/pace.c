// SPDX-License-Identifier: GPL-2.0
/* When the next burst is due, and waiting for it. */
#include <linux/freezer.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include "engine/engine.h"

#define PGX_SPIN_NS	100000U		/* a timer is not exact enough for less */
#define PGX_LOOK_NS	100000000U	/* a sleeper looks this often whether its device is up */
#define PGX_BACKOFF_MIN	2000U
#define PGX_BACKOFF_MAX	1000000U

/**
 * pgx_pace_setup() - take over the pace of a config
 * @run: the run, its config in place
 *
 * Context: the run's thread.
 */
void pgx_pace_setup(struct pgx_run *run)
{
	const struct pgx_config *cfg = run->cfg;
	bool never = cfg->pacing == PGX_PACE_DELAY && cfg->pace == PGX_NEVER;

	run->pace_frac = 0;
	run->pace_cost =
		cfg->pacing == PGX_PACE_DELAY ? 0 : div64_u64((u64)NSEC_PER_SEC << 32, cfg->pace);
	run->deadline = cfg->duration ? run->started + cfg->duration : PGX_NEVER;
	if (run->deadline < run->started)
		run->deadline = PGX_NEVER;
	run->timed = cfg->pace || cfg->duration;
	run->next_tx = never ? PGX_NEVER : ktime_get_ns();
	run->due = run->timed ? run->next_tx : 0;
}

/*
 * What some packets or bits cost in time, exact to 2^-32 ns; what is left over is kept for the next
 * burst.
 */
static u64 pgx_pace_gap(struct pgx_run *run, u64 units)
{
	u64 cost = run->pace_cost & U32_MAX;
	u64 ns = (run->pace_cost >> 32) * units + cost * (units >> 32);
	u64 low = cost * (units & U32_MAX);

	ns += low >> 32;
	low = (low & U32_MAX) + run->pace_frac;
	run->pace_frac = low;
	return ns + (low >> 32);
}

/**
 * pgx_pace_next() - set the time of the next burst
 * @run: the run
 * @pkts: packets that were sent just now
 * @bytes: their frame bytes
 *
 * Times follow from the time before, not from the clock, so that a late burst is caught up with.
 *
 * Context: the run's thread.
 */
void pgx_pace_next(struct pgx_run *run, u32 pkts, u64 bytes)
{
	const struct pgx_config *cfg = run->cfg;
	u64 gap;

	run->backoff = 0;
	run->due = 0;
	if (likely(!run->timed))
		return;
	if (!cfg->pace) {
		run->due = ktime_get_ns();
		return;
	}
	gap = cfg->pacing == PGX_PACE_DELAY ? cfg->pace :
	      pgx_pace_gap(run, cfg->pacing == PGX_PACE_RATE ? 8 * bytes : pkts);
	run->next_tx = run->next_tx + gap < gap ? PGX_NEVER : run->next_tx + gap;
	run->due = run->next_tx;
}

/**
 * pgx_pace_defer() - look again a little later
 * @run: the run, which can not go on: its queue is stopped, its skb held, memory short
 *
 * The waits get longer, up to a millisecond.
 *
 * Context: the run's thread.
 */
void pgx_pace_defer(struct pgx_run *run)
{
	run->backoff = clamp(2 * run->backoff, PGX_BACKOFF_MIN, PGX_BACKOFF_MAX);
	run->due = ktime_get_ns() + run->backoff;
}

static void pgx_pace_spin(struct pgx_thread *thread, u64 until)
{
	while (ktime_get_ns() < until && !READ_ONCE(thread->req) && !need_resched())
		cpu_relax();
}

static void pgx_pace_block(struct pgx_thread *thread, u64 until)
{
	ktime_t expires = ns_to_ktime(until);
	DEFINE_WAIT(wait);

	prepare_to_wait(&thread->wait, &wait, TASK_INTERRUPTIBLE);
	if (!READ_ONCE(thread->req) && !freezing(current))
		schedule_hrtimeout_range(&expires, 0, HRTIMER_MODE_ABS);
	finish_wait(&thread->wait, &wait);
}

static void pgx_pace_idle(struct pgx_thread *thread, u64 since)
{
	u64 ns = ktime_get_ns() - since;
	struct pgx_run *run;

	list_for_each_entry(run, &thread->active, node)
		pgx_stats_idle(&run->stats, ns);
}

/**
 * pgx_pace_sleep() - wait for a time or a request, a tenth of a second at most
 * @thread: the thread, the caller's own
 * @until: CLOCK_MONOTONIC ns, PGX_NEVER to wait for a request alone
 *
 * The wait counts as idle time of each of the thread's runs.
 *
 * Context: the thread; sleeps.
 */
void pgx_pace_sleep(struct pgx_thread *thread, u64 until)
{
	u64 now = ktime_get_ns();

	if (until <= now)
		return;
	if (until - now < PGX_SPIN_NS)
		pgx_pace_spin(thread, until);
	else
		pgx_pace_block(thread, min(until, now + PGX_LOOK_NS));
	pgx_pace_idle(thread, now);
}

/**
 * pgx_pace_resched() - let others have the CPU
 * @thread: the thread, the caller's own
 *
 * The time until it comes back counts as idle time of each of the thread's runs.
 *
 * Context: the thread; sleeps.
 */
void pgx_pace_resched(struct pgx_thread *thread)
{
	u64 since = ktime_get_ns();

	schedule();
	pgx_pace_idle(thread, since);
}
