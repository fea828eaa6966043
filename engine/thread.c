// SPDX-License-Identifier: GPL-2.0
/* A kernel thread per CPU: it takes requests and gives each of its runs a turn. */
#include <linux/freezer.h>
#include <linux/kthread.h>
#include <linux/rcupdate.h>
#include <linux/topology.h>
#include "engine/engine.h"

/**
 * pgx_gate_init() - make a gate that is open
 * @gate: the gate
 */
void pgx_gate_init(struct pgx_gate *gate)
{
	gate->round = 0;
	atomic_set(&gate->running, 0);
	init_waitqueue_head(&gate->wait);
}

static void pgx_thread_start(struct list_head *runs)
{
	struct pgx_run *run, *next;

	list_for_each_entry_safe(run, next, runs, node) {
		list_del(&run->node);
		pgx_run_start(run);
	}
}

static void pgx_thread_serve(struct pgx_req *req)
{
	switch (req->op) {
	case PGX_OP_START:
		pgx_thread_start(&req->runs);
		break;
	case PGX_OP_STOP:
		pgx_run_end(req->run, req->end);
		break;
	case PGX_OP_CONFIG:
		req->plan = pgx_run_configure(req->run, req->plan);
		break;
	case PGX_OP_CLEAR:
		pgx_run_clear(req->run);
		break;
	}
}

/*
 * The mailbox is emptied first: who waits may put in the next request as soon as this one is done.
 */
static void pgx_thread_take(struct pgx_thread *thread)
{
	struct pgx_req *req;

	/* pairs with the post: the request is complete */
	req = smp_load_acquire(&thread->req);
	if (likely(!req))
		return;
	WRITE_ONCE(thread->req, NULL);
	pgx_thread_serve(req);
	complete(&req->done);
}

/* Before a sleep: a run whose device is down does not wait for its time. */
static void pgx_thread_end_over(struct pgx_thread *thread)
{
	struct pgx_run *run, *next;
	enum pgx_end end;

	list_for_each_entry_safe(run, next, &thread->active, node) {
		end = pgx_xmit_over(run);
		if (end)
			pgx_run_end(run, end);
	}
}

/* The run whose time has come and whose turn is longest ago; NULL after a wait if none was due. */
static struct pgx_run *pgx_thread_pick(struct pgx_thread *thread)
{
	u64 now = 0, earliest = PGX_NEVER;
	struct pgx_run *run;

	list_for_each_entry(run, &thread->active, node) {
		if (!run->due)
			return run;
		if (!now)
			now = ktime_get_ns();
		if (min(run->due, run->deadline) <= now)
			return run;
		earliest = min3(earliest, run->due, run->deadline);
	}
	pgx_thread_end_over(thread);
	if (!list_empty(&thread->active))
		pgx_pace_sleep(thread, earliest);
	return NULL;
}

static void pgx_thread_turn(struct pgx_thread *thread)
{
	struct pgx_run *run = pgx_thread_pick(thread);

	if (run) {
		if (!list_is_singular(&thread->active))
			list_move_tail(&run->node, &thread->active);
		pgx_xmit_step(run);
	}
	if (need_resched())
		pgx_pace_resched(thread);
	/* a thread that is never idle must still let tracers and BPF free their trampolines */
	rcu_tasks_qs(current, false);
}

/* Control ends every run before it stops the thread, so only the idle wait looks for that. */
static int pgx_thread_main(void *arg)
{
	struct pgx_thread *thread = arg;

	set_freezable();
	while (!list_empty(&thread->active) || !kthread_should_stop()) {
		pgx_thread_take(thread);
		if (list_empty(&thread->active))
			wait_event_freezable(thread->wait,
					     READ_ONCE(thread->req) || kthread_should_stop());
		else
			pgx_thread_turn(thread);
		try_to_freeze();
	}
	return 0;
}

/**
 * pgx_thread_init() - make a thread that has no task yet
 * @thread: the thread
 * @cpu: where it will run
 * @gate: what to tell when a run ends
 */
void pgx_thread_init(struct pgx_thread *thread, unsigned int cpu, struct pgx_gate *gate)
{
	thread->task = NULL;
	thread->cpu = cpu;
	thread->gate = gate;
	thread->req = NULL;
	init_waitqueue_head(&thread->wait);
	INIT_LIST_HEAD(&thread->active);
}

/**
 * pgx_thread_create() - give a thread its task, unless it has one
 * @thread: the thread
 *
 * Context: sleeps; the mutex of the namespace is held.
 *
 * Return: 0, or the error of kthread_create_on_node().
 */
int pgx_thread_create(struct pgx_thread *thread)
{
	struct task_struct *task;

	if (thread->task)
		return 0;
	task = kthread_create_on_node(pgx_thread_main, thread, cpu_to_node(thread->cpu),
				      "kpktgend_%u", thread->cpu);
	if (IS_ERR(task))
		return PTR_ERR(task);
	kthread_bind(task, thread->cpu);
	thread->task = task;
	wake_up_process(task);
	return 0;
}

/**
 * pgx_thread_destroy() - end a thread's task
 * @thread: the thread; all its runs are idle
 *
 * Context: sleeps; no further request can come.
 */
void pgx_thread_destroy(struct pgx_thread *thread)
{
	if (thread->task)
		kthread_stop(thread->task);
	thread->task = NULL;
}

/**
 * pgx_thread_post() - ask a thread for something
 * @thread: the thread
 * @req: the request; its @done is completed once it is carried out
 *
 * That takes one burst at most. While the thread has no task, because its CPU is offline, nothing
 * runs and the caller does it.
 *
 * Context: thread; the mutex of the namespace is held until the request is done, rtnl may be.
 */
void pgx_thread_post(struct pgx_thread *thread, struct pgx_req *req)
{
	init_completion(&req->done);
	if (!thread->task) {
		pgx_thread_serve(req);
		complete(&req->done);
		return;
	}
	/* pairs with the thread that takes it */
	smp_store_release(&thread->req, req);
	wake_up(&thread->wait);
}

/**
 * pgx_thread_ask() - ask a thread for something and wait until it is done
 * @thread: the thread
 * @req: the request
 *
 * Context: sleeps for one burst at most; the mutex of the namespace is held, rtnl may be.
 */
void pgx_thread_ask(struct pgx_thread *thread, struct pgx_req *req)
{
	pgx_thread_post(thread, req);
	wait_for_completion(&req->done);
}
