// SPDX-License-Identifier: GPL-2.0
/* The generator of a namespace: how it comes and goes, and how its runs start and stop. */
#include <linux/cpu.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "control/control.h"

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
	struct pgx_config cfg = *dev->cfg;
	struct pgx_facts facts;
	int rc;

	pgx_facts_read(dev->netdev, dev->name, &facts);
	if (pgx_config_complete(&cfg, &facts))
		netdev_warn(dev->netdev,
			    "pktgen_ext: %s: queue_map lowered to the %u queues in use\n",
			    dev->name, facts.tx_queues);
	rc = pgx_dev_check_start(dev, &cfg, &facts);
	return rc ?: pgx_dev_publish(dev, &cfg);
}

static int pgx_dev_start(struct pgx_dev *dev)
{
	atomic_inc(&dev->cpu->pn->gate.running);
	pgx_dev_ask(dev, PGX_OP_START, NULL);
	return 0;
}

static int pgx_dev_stop(struct pgx_dev *dev)
{
	pgx_dev_ask(dev, PGX_OP_STOP, NULL);
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
		pgx_net_each(pn, pgx_dev_start);
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
		pgx_net_each(pn, pgx_dev_stop);
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
	pgx_net_each(pn, pgx_dev_stop);
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
	struct pgx_cpu *cpu = kzalloc_node(sizeof(*cpu), GFP_KERNEL, cpu_to_node(i));

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

	pn->cpus = kcalloc(nr_cpu_ids, sizeof(*pn->cpus), GFP_KERNEL);
	if (!pn->cpus)
		return -ENOMEM;
	for_each_online_cpu(i) {
		pn->cpus[i] = pgx_cpu_alloc(pn, i);
		if (!pn->cpus[i])
			return -ENOMEM;
	}
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
	cpus_read_lock();
	rc = pgx_net_alloc(pn);
	cpus_read_unlock();
	if (!rc)
		rc = pgx_proc_net_add(pn);
	if (rc)
		pgx_net_free(pn);
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
