// SPDX-License-Identifier: GPL-2.0
/* The generator of a namespace: how it comes and goes, and how its runs start and stop. */
#include <linux/cpu.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "control/control.h"

/* Every generator, so that CPUs which come and go can be told to all. */
static LIST_HEAD(pgx_nets);
static DEFINE_MUTEX(pgx_nets_lock);	/* over pgx_nets; comes before files, after the CPU lock */

static enum cpuhp_state pgx_cpuhp_state;

typedef int (*pgx_dev_fn)(struct pgx_dev *dev);

/* Call something for each entry of a namespace until one fails. */
static int pgx_net_each(struct pgx_net *pn, pgx_dev_fn call)
{
	struct pgx_dev *dev;
	unsigned int i;
	int rc;

	lockdep_assert_held(&pn->lock);
	for (i = 0; i < nr_cpu_ids; i++) {
		if (!pn->cpus[i])
			continue;
		list_for_each_entry(dev, &pn->cpus[i]->devs, node) {
			rc = call(dev);
			if (rc)
				return rc;
		}
	}
	return 0;
}

/* The reply stays as it was unless there is something to say. */
static int pgx_dev_check_start(struct pgx_dev *dev, const struct pgx_config *cfg,
			       const struct pgx_facts *facts)
{
	char reason[PGX_REPLY_SIZE];
	struct pgx_text text;
	int rc;

	pgx_text_init(&text, reason, sizeof(reason));
	rc = pgx_config_check(cfg, facts, PGX_ON_START, &text);
	if (rc)
		pgx_reply_set(&dev->reply, "%s", reason);
	return rc;
}

/* Make an entry ready to start: settings completed, and still right for what its device is now. */
static int pgx_dev_ready(struct pgx_dev *dev)
{
	struct pgx_config cfg = dev->plan->cfg;
	struct pgx_facts facts;
	int rc;

	pgx_dev_facts(dev, &facts);
	if (pgx_config_complete(&cfg, &facts))
		netdev_warn(dev->netdev,
			    "pktgen_ext: %s: queue_map lowered to the %u queues in use\n",
			    dev->name, facts.tx_queues);
	rc = pgx_dev_check_start(dev, &cfg, &facts);
	return rc ?: pgx_dev_publish(dev, &cfg);
}

/* Ask for the start of all entries of a thread, and return before it has. */
static void pgx_cpu_start(struct pgx_cpu *cpu)
{
	struct pgx_dev *dev;

	cpu->start.op = PGX_OP_START;
	INIT_LIST_HEAD(&cpu->start.runs);
	list_for_each_entry(dev, &cpu->devs, node) {
		list_add_tail(&dev->run.node, &cpu->start.runs);
		atomic_inc(&cpu->pn->gate.running);
	}
	pgx_thread_post(&cpu->thread, &cpu->start);
}

/*
 * All threads begin at the same time as far as that can be. The one of this CPU is asked last: once
 * it runs, the caller may have to wait for its next turn.
 */
static void pgx_net_go(struct pgx_net *pn)
{
	unsigned int here = raw_smp_processor_id(), i;
	struct pgx_cpu *cpu;

	for (i = 1; i <= nr_cpu_ids; i++) {
		cpu = pn->cpus[(here + i) % nr_cpu_ids];
		if (cpu && !list_empty(&cpu->devs))
			pgx_cpu_start(cpu);
	}
	for (i = 0; i < nr_cpu_ids; i++)
		if (pn->cpus[i] && !list_empty(&pn->cpus[i]->devs))
			wait_for_completion(&pn->cpus[i]->start.done);
}

static int pgx_dev_halt(struct pgx_dev *dev)
{
	pgx_dev_stop(dev, PGX_END_STOP);
	return 0;
}

/* Start everything. @round tells these runs from later ones. */
static int pgx_net_launch(struct pgx_net *pn, unsigned int *round)
{
	int rc;

	mutex_lock(&pn->lock);
	if (pn->dead)
		rc = -ENODEV;
	else if (atomic_read(&pn->gate.running))
		rc = -EBUSY;
	else
		rc = pgx_net_each(pn, pgx_dev_ready);
	if (!rc) {
		*round = pn->gate.round + 1;
		WRITE_ONCE(pn->gate.round, *round);
		pgx_net_go(pn);
	}
	mutex_unlock(&pn->lock);
	return rc;
}

/* Later runs may have begun before a waiter for these got the CPU. */
static bool pgx_net_ended(struct pgx_net *pn, unsigned int round)
{
	return !atomic_read(&pn->gate.running) || READ_ONCE(pn->gate.round) != round;
}

/* A stop is carried out when it returns: who waited for these runs need not wait any more. */
static void pgx_net_stop_round(struct pgx_net *pn, unsigned int round)
{
	mutex_lock(&pn->lock);
	if (!pgx_net_ended(pn, round))
		pgx_net_each(pn, pgx_dev_halt);
	mutex_unlock(&pn->lock);
}

/**
 * pgx_net_start() - start every entry of a namespace and wait until all have ended
 * @pn: the namespace
 *
 * A signal ends the runs; the results can be read afterwards. The module can not be unloaded
 * meanwhile.
 *
 * Context: sleeps for as long as the runs take, without the mutex.
 *
 * Return: 0, also after a signal; -EBUSY while something runs; -ENODEV if the namespace or the
 * module goes away; or why an entry may not start, which its own reply says. Then none has
 * started.
 */
int pgx_net_start(struct pgx_net *pn)
{
	unsigned int round;
	int rc;

	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	rc = pgx_net_launch(pn, &round);
	if (!rc && wait_event_interruptible(pn->gate.wait, pgx_net_ended(pn, round)))
		pgx_net_stop_round(pn, round);
	module_put(THIS_MODULE);
	return rc;
}

/**
 * pgx_net_stop() - end every run of a namespace
 * @pn: the namespace
 *
 * Context: sleeps for one burst of each thread; takes the mutex.
 */
void pgx_net_stop(struct pgx_net *pn)
{
	mutex_lock(&pn->lock);
	pgx_net_each(pn, pgx_dev_halt);
	mutex_unlock(&pn->lock);
}

static void pgx_net_free(struct pgx_net *pn)
{
	unsigned int i;

	for (i = 0; pn->cpus && i < nr_cpu_ids; i++)
		kfree(pn->cpus[i]);
	kfree(pn->cpus);
	pn->cpus = NULL;
}

static struct pgx_cpu *pgx_cpu_alloc(struct pgx_net *pn, unsigned int i)
{
	struct pgx_cpu *cpu = kzalloc_node(sizeof(*cpu), GFP_KERNEL_ACCOUNT, cpu_to_node(i));

	if (!cpu)
		return NULL;
	cpu->pn = pn;
	INIT_LIST_HEAD(&cpu->devs);
	pgx_thread_init(&cpu->thread, i, &pn->gate);
	return cpu;
}

static int pgx_net_alloc(struct pgx_net *pn)
{
	unsigned int i;

	/* any user can make namespaces, where that is allowed, and is charged for what they cost */
	pn->cpus = kcalloc(nr_cpu_ids, sizeof(*pn->cpus), GFP_KERNEL_ACCOUNT);
	if (!pn->cpus)
		return -ENOMEM;
	for_each_online_cpu(i) {
		pn->cpus[i] = pgx_cpu_alloc(pn, i);
		if (!pn->cpus[i])
			return -ENOMEM;
	}
	return 0;
}

static int pgx_net_open(struct pgx_net *pn)
{
	int rc = pgx_net_alloc(pn);

	if (!rc)
		rc = pgx_proc_net_add(pn);
	if (rc) {
		pgx_net_free(pn);
		return rc;
	}
	mutex_lock(&pgx_nets_lock);
	list_add(&pn->node, &pgx_nets);
	mutex_unlock(&pgx_nets_lock);
	return 0;
}

/**
 * pgx_net_init() - give a namespace its generator
 * @pn: zeroed memory
 * @net: the namespace
 *
 * Threads get their task when they are first used.
 *
 * Context: sleeps.
 *
 * Return: 0 or -ENOMEM.
 */
int pgx_net_init(struct pgx_net *pn, struct net *net)
{
	int rc;

	pn->net = net;
	mutex_init(&pn->files);
	mutex_init(&pn->lock);
	pgx_gate_init(&pn->gate);
	/* a CPU that comes meanwhile is told to the list */
	cpus_read_lock();
	rc = pgx_net_open(pn);
	cpus_read_unlock();
	return rc;
}

/**
 * pgx_net_exit() - take a namespace's generator away
 * @pn: the generator
 *
 * First nothing new may start and every entry goes, which lets a writer that waits in "start"
 * return. Then the files can be removed, for nobody stays inside them. Last the threads end: no
 * request can come any more.
 *
 * Context: sleeps, without rtnl.
 */
void pgx_net_exit(struct pgx_net *pn)
{
	unsigned int i;

	mutex_lock(&pgx_nets_lock);
	list_del(&pn->node);
	mutex_unlock(&pgx_nets_lock);
	mutex_lock(&pn->lock);
	pn->dead = true;
	mutex_unlock(&pn->lock);
	pgx_net_reset(pn);
	pgx_proc_net_remove(pn);
	for (i = 0; i < nr_cpu_ids; i++)
		if (pn->cpus[i])
			pgx_thread_destroy(&pn->cpus[i]->thread);
	pgx_net_free(pn);
}

/* A CPU that was not there when the namespace began gets its file. */
static int pgx_cpu_appear(struct pgx_net *pn, unsigned int i)
{
	struct pgx_cpu *cpu = pgx_cpu_alloc(pn, i);

	if (!cpu)
		return -ENOMEM;
	if (pgx_proc_cpu_add(cpu)) {
		kfree(cpu);
		return -ENOMEM;
	}
	pn->cpus[i] = cpu;
	return 0;
}

/* A CPU that is back gets its thread back, if there is something for it to do. */
static int pgx_cpu_return(struct pgx_cpu *cpu)
{
	int rc = list_empty(&cpu->devs) ? 0 : pgx_thread_create(&cpu->thread);

	cpu->offline = rc;
	return rc;
}

static void pgx_net_cpu_online(struct pgx_net *pn, unsigned int i)
{
	int rc;

	mutex_lock(&pn->files);
	mutex_lock(&pn->lock);
	rc = pn->cpus[i] ? pgx_cpu_return(pn->cpus[i]) : pgx_cpu_appear(pn, i);
	mutex_unlock(&pn->lock);
	mutex_unlock(&pn->files);
	if (rc)
		pr_warn("pktgen_ext: no thread for CPU %u: error %d\n", i, rc);
}

static void pgx_net_cpu_offline(struct pgx_net *pn, unsigned int i)
{
	struct pgx_cpu *cpu = pn->cpus[i];
	struct pgx_dev *dev;

	if (!cpu)
		return;
	mutex_lock(&pn->lock);
	cpu->offline = true;
	list_for_each_entry(dev, &cpu->devs, node)
		pgx_dev_stop(dev, PGX_END_CPU);
	pgx_thread_destroy(&cpu->thread);
	mutex_unlock(&pn->lock);
}

/* In a suspend the tasks are frozen and CPUs are back before they go on: nothing is to be done. */
static int pgx_cpu_online(unsigned int cpu)
{
	struct pgx_net *pn;

	if (cpuhp_tasks_frozen)
		return 0;
	mutex_lock(&pgx_nets_lock);
	list_for_each_entry(pn, &pgx_nets, node)
		pgx_net_cpu_online(pn, cpu);
	mutex_unlock(&pgx_nets_lock);
	return 0;
}

static int pgx_cpu_offline(unsigned int cpu)
{
	struct pgx_net *pn;

	if (cpuhp_tasks_frozen)
		return 0;
	mutex_lock(&pgx_nets_lock);
	list_for_each_entry(pn, &pgx_nets, node)
		pgx_net_cpu_offline(pn, cpu);
	mutex_unlock(&pgx_nets_lock);
	return 0;
}

/**
 * pgx_net_module_init() - listen for CPUs that come and go
 *
 * Context: sleeps; there is no generator yet.
 *
 * Return: 0, or the error of cpuhp_setup_state().
 */
int pgx_net_module_init(void)
{
	int rc = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "net/pktgen_ext:online", pgx_cpu_online,
				   pgx_cpu_offline);

	if (rc < 0)
		return rc;
	pgx_cpuhp_state = rc;
	return 0;
}

/**
 * pgx_net_module_exit() - listen no more
 *
 * Context: sleeps; there is no generator any more.
 */
void pgx_net_module_exit(void)
{
	cpuhp_remove_state(pgx_cpuhp_state);
}
