/* SPDX-License-Identifier: GPL-2.0 */
/* Who runs, when, and through which door. */
#ifndef PGX_ENGINE_H
#define PGX_ENGINE_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "compat/compat.h"
#include "measure/measure.h"
#include "pktgen_ext.h"
#include "traffic/ipsec.h"
#include "traffic/pool.h"
#include "traffic/traffic.h"

/**
 * struct pgx_plan - a config and the memory that a run with it needs
 * @cfg: the config
 * @slots: room for its flows, NULL without any
 * @page: a page of zeros for fragments, NULL without any
 * @ipsec: what makes IPsec packets, NULL without
 * @pool: where the buffers of fresh skbs come from, NULL without
 * @space: bytes that such a buffer has to have
 *
 * Control makes it, hands it over whole and frees what it replaced. What @slots, @ipsec and @pool
 * point to is the thread's meanwhile; two plans that follow each other may share @slots, @page and
 * @pool.
 */
struct pgx_plan {
	struct pgx_config	cfg;
	struct pgx_slot		*slots;
	struct page		*page;
	struct pgx_ipsec	*ipsec;
	struct pgx_pool		*pool;
	unsigned int		space;
};

/**
 * enum pgx_state - what a run is doing
 * @PGX_IDLE: nothing; only then may control free it
 * @PGX_RUNNING: sending
 * @PGX_DRAINING: everything is sent, somebody still holds the last skb
 */
enum pgx_state {
	PGX_IDLE,
	PGX_RUNNING,
	PGX_DRAINING
};

/**
 * struct pgx_gate - tells a waiter when nothing runs any more
 * @round: how often runs were started; written by control
 * @running: runs that are not idle; counted up by control before it asks for a start, down by
 *	the run's thread
 * @wait: woken when @running gets to zero
 */
struct pgx_gate {
	unsigned int		round;
	atomic_t		running;
	wait_queue_head_t	wait;
};

struct pgx_thread;

/**
 * struct pgx_run - an entry as its thread sees it
 * @node: place in &pgx_thread.active while not idle, in &pgx_req.runs while asked to start
 * @thread: the thread that owns it
 * @dev: the device; control holds the reference
 * @plan: what is in force, swapped between bursts
 * @cfg: the settings in it
 * @stock: skbs, those in hand among them
 * @batch: room to make packets in
 * @due: CLOCK_MONOTONIC ns before which nothing is to be done, 0 for at once, PGX_NEVER for not
 *	until told
 * @next_tx: CLOCK_MONOTONIC ns of the next burst by its pace; @due is later while the run has
 *	to wait for something else
 * @deadline: CLOCK_MONOTONIC ns at which the run ends, PGX_NEVER for none
 * @pace_frac: what @next_tx lacks, in 2^-32 ns, so that rates are exact over time
 * @pace_cost: ns of one packet or bit, times 2^32
 * @bursts: bursts that the skb in hand was sent in
 * @largest: frame bytes of the largest packet, 0 where all have the same size
 * @mixed: packets of a burst by their size's index in the mix, zero between bursts
 * @quota: packets of the next burst, 0 when all are sent
 * @backoff: ns to wait before the next look at a stopped queue, a held skb or missing memory
 * @frags: fragments of the last skb, -1 before the first
 * @timed: the clock is looked at before each burst
 * @frame: bytes of the last frame, without FCS
 * @fault: why it can not go on, an &enum pgx_end
 * @groups: bursts may come together: they do not wait for their times, nor say them
 * @shared: the settings and the driver let us keep a reference while a packet is under way
 * @lends: and so does all else at the moment
 * @recycles: skbs that come back are used again
 * @models: fresh ones are copies of one that was made before
 * @distinct: each packet has values of its own, and an skb
 * @batches: such packets are made together
 * @describes: what an skb says of its packet is not the same for all
 * @resend: what is in hand was refused and is due again
 * @flow: values of the packets
 * @pkt: bytes of the next packet
 * @state: an &enum pgx_state; control reads it
 * @started: CLOCK_MONOTONIC ns of the last start, 0 for never
 * @stopped: CLOCK_MONOTONIC ns of the last end
 * @end: why it ended, an &enum pgx_end
 * @stats: counters
 *
 * Written by its thread alone, except that control sets @thread and @dev before the thread
 * knows of it.
 */
struct pgx_run {
	struct list_head	node;
	struct pgx_thread	*thread;
	struct net_device	*dev;
	const struct pgx_config	*cfg;
	struct pgx_plan		*plan;
	u64			due;
	u64			next_tx;
	u64			deadline;
	u64			pace_cost;
	u32			pace_frac;
	u32			bursts;
	u32			quota;
	u32			backoff;
	u32			frame;
	int			frags;
	u32			largest;
	u8			fault;
	bool			timed;
	bool			groups;
	bool			shared;
	bool			lends;
	bool			recycles;
	bool			models;
	bool			distinct;
	bool			batches;
	bool			describes;
	bool			resend;
	u32			mixed[PGX_MAX_IMIX];
	struct pgx_flow		flow;
	struct pgx_packet	pkt;
	struct pgx_batch	batch;
	struct pgx_stock	stock;

	int			state ____cacheline_aligned;
	int			end;
	u64			started;
	u64			stopped;
	struct pgx_stats	stats;
};

/**
 * enum pgx_op - what a thread can be asked for
 * @PGX_OP_START: begin runs
 * @PGX_OP_STOP: end the run, if there is one
 * @PGX_OP_CONFIG: swap the plan
 * @PGX_OP_CLEAR: set the counters to zero
 */
enum pgx_op {
	PGX_OP_START,
	PGX_OP_STOP,
	PGX_OP_CONFIG,
	PGX_OP_CLEAR
};

/**
 * struct pgx_req - a request to a thread, owned by who asks
 * @op: what is wanted
 * @run: for which run, unless it is PGX_OP_START
 * @runs: with PGX_OP_START: idle runs in the order of their first turns; empty after it
 * @plan: with PGX_OP_CONFIG: the new plan; after it the one that was replaced
 * @end: with PGX_OP_STOP: why
 * @done: completed once it is carried out
 */
struct pgx_req {
	enum pgx_op		op;
	struct pgx_run		*run;
	struct list_head	runs;
	struct pgx_plan		*plan;
	enum pgx_end		end;
	struct completion	done;
};

/**
 * struct pgx_thread - a kernel thread bound to a CPU, and its runs
 * @task: the task, NULL until a first entry needs it; written by control
 * @cpu: where it runs
 * @gate: told when a run ends
 * @req: the request in the mailbox; control puts it there under the mutex of the namespace, so
 *	there is one at most, and the thread takes it
 * @wait: the thread sleeps here, be it idle or paced, so that a request wakes it
 * @active: runs that are not idle, written by the thread
 */
struct pgx_thread {
	struct task_struct	*task;
	unsigned int		cpu;
	struct pgx_gate		*gate;
	struct pgx_req		*req ____cacheline_aligned;
	wait_queue_head_t	wait;
	struct list_head	active;
};

void pgx_gate_init(struct pgx_gate *gate);

void pgx_thread_init(struct pgx_thread *thread, unsigned int cpu, struct pgx_gate *gate);
int pgx_thread_create(struct pgx_thread *thread);
void pgx_thread_destroy(struct pgx_thread *thread);
void pgx_thread_post(struct pgx_thread *thread, struct pgx_req *req);
void pgx_thread_ask(struct pgx_thread *thread, struct pgx_req *req);

struct pgx_plan *pgx_plan_create(const struct pgx_config *cfg, const struct pgx_plan *prev,
				 struct net_device *dev, unsigned int cpu);
void pgx_plan_free(struct pgx_plan *plan, const struct pgx_plan *heir);

#ifdef PGX_HAVE_IPV6
struct pgx_addr6 pgx_facts_src6(const struct net_device *dev);
#else
static inline struct pgx_addr6 pgx_facts_src6(const struct net_device *dev)
{
	return (struct pgx_addr6){ };
}
#endif

void pgx_facts_read(struct net_device *dev, const char *name, struct pgx_facts *facts);
void pgx_run_init(struct pgx_run *run, struct pgx_thread *thread, struct net_device *dev,
		  struct pgx_plan *plan);
void pgx_run_start(struct pgx_run *run);
void pgx_run_end(struct pgx_run *run, enum pgx_end end);
struct pgx_plan *pgx_run_configure(struct pgx_run *run, struct pgx_plan *plan);
void pgx_run_clear(struct pgx_run *run);
void pgx_run_snapshot(struct pgx_run *run, struct pgx_snapshot *snap);

void pgx_pace_setup(struct pgx_run *run);
void pgx_pace_next(struct pgx_run *run, u32 pkts, u64 bytes);
void pgx_pace_defer(struct pgx_run *run);
void pgx_pace_sleep(struct pgx_thread *thread, u64 until);
void pgx_pace_resched(struct pgx_thread *thread);

enum pgx_end pgx_xmit_over(const struct pgx_run *run);
void pgx_xmit_step(struct pgx_run *run);
u32 pgx_xmit_quota(const struct pgx_run *run);
void pgx_xmit_drop(struct pgx_run *run);
bool pgx_xmit_rebuild(struct pgx_run *run);

void pgx_door_send(struct pgx_run *run, u32 n, struct pgx_tally *tally);

u32 pgx_stock_fetch(struct pgx_run *run, u32 nr);
bool pgx_stock_is_home(const struct pgx_stock *stock);
void pgx_stock_flush(struct pgx_stock *stock);

/**
 * pgx_stock_skb() - see what goes next
 * @stock: the stock
 *
 * Return: the skb, NULL if nothing is in hand.
 */
static inline struct sk_buff *pgx_stock_skb(const struct pgx_stock *stock)
{
	return stock->sent < stock->nr ? stock->skb[stock->pos + stock->sent] : NULL;
}

#endif
