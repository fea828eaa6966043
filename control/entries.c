// SPDX-License-Identifier: GPL-2.0
/*
 * The entries of a namespace: how they are added, configured, renamed and removed.
 *
 * An entry goes in phases. Under the mutex it is unlinked and marked dead, its proc file taken from
 * it, and its run ended: from then on no list, thread or command leads to it. Then, without the
 * mutex, the proc file is removed, which waits for whoever is inside it. After that nobody can
 * reach the entry and it is freed.
 */
#include <linux/cpumask.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include "control/control.h"

/* Entries may be added; rtnl. */
static bool pgx_entries_open;

/**
 * pgx_entries_allow() - let entries be added, or not any more
 * @allow: whether
 *
 * They may be added as long as the end of a device is told. An entry that is not told would keep
 * its device, and the end of a namespace would wait for it, while the module waits for that end.
 *
 * Context: sleeps; takes rtnl.
 */
void pgx_entries_allow(bool allow)
{
	rtnl_lock();
	pgx_entries_open = allow;
	rtnl_unlock();
}

/**
 * pgx_reply_set() - answer a command
 * @reply: gets the answer
 * @fmt: printf format
 *
 * Context: the mutex is held.
 */
void pgx_reply_set(struct pgx_reply *reply, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vscnprintf(reply->text, sizeof(reply->text), fmt, args);
	va_end(args);
	reply->at = ktime_get_ns();
}

/**
 * pgx_dev_facts() - see what an entry's device and CPU are like now
 * @dev: the entry
 * @facts: gets it
 *
 * Context: the mutex is held.
 */
void pgx_dev_facts(const struct pgx_dev *dev, struct pgx_facts *facts)
{
	pgx_facts_read(dev->netdev, dev->name, facts);
	facts->cpu = !dev->cpu->offline;
}

/**
 * pgx_dev_clear() - set an entry's counters back and wait until it is done
 * @dev: the entry
 *
 * Context: sleeps for one burst at most; the mutex is held.
 */
void pgx_dev_clear(struct pgx_dev *dev)
{
	struct pgx_req req = { .op = PGX_OP_CLEAR, .run = &dev->run };

	lockdep_assert_held(&dev->cpu->pn->lock);
	pgx_thread_ask(&dev->cpu->thread, &req);
}

/**
 * pgx_dev_stop() - end an entry's run and wait until it is done
 * @dev: the entry
 * @end: why
 *
 * A run that is idle stays so, and its thread may be frozen by a suspend: it is not asked.
 *
 * Context: sleeps for one burst at most; the mutex is held.
 */
void pgx_dev_stop(struct pgx_dev *dev, enum pgx_end end)
{
	struct pgx_req req = { .op = PGX_OP_STOP, .run = &dev->run, .end = end };

	lockdep_assert_held(&dev->cpu->pn->lock);
	if (READ_ONCE(dev->run.state) != PGX_IDLE)
		pgx_thread_ask(&dev->cpu->thread, &req);
}

/* First phase of an entry's end. */
static void pgx_dev_unlink(struct pgx_dev *dev, struct list_head *gone)
{
	lockdep_assert_held(&dev->cpu->pn->lock);
	list_move_tail(&dev->node, gone);
	dev->dead = true;
	pgx_dev_stop(dev, PGX_END_STOP);
}

static void pgx_dev_put(struct pgx_dev *dev)
{
	if (!refcount_dec_and_test(&dev->refs))
		return;
	pgx_plan_free(dev->plan, NULL);
	kfree(dev);
}

/*
 * The other phases. The file is nobody else's: who replaces it holds the mutex and finds the entry
 * alive. The device is let go last of all that a handler inside the file may have seen.
 */
static void pgx_devs_free(struct list_head *gone)
{
	struct pgx_dev *dev, *next;

	list_for_each_entry_safe(dev, next, gone, node) {
		pgx_proc_remove(dev->entry);
		netdev_put(dev->netdev, &dev->tracker);
		pgx_dev_put(dev);
	}
}

static bool pgx_match_any(const struct pgx_dev *dev, const void *what)
{
	return true;
}

static bool pgx_match_name(const struct pgx_dev *dev, const void *what)
{
	return !strcmp(dev->name, what);
}

static bool pgx_match_netdev(const struct pgx_dev *dev, const void *what)
{
	return dev->netdev == what;
}

typedef bool (*pgx_match_fn)(const struct pgx_dev *dev, const void *what);

static void pgx_cpu_unlink(struct pgx_cpu *cpu, pgx_match_fn match, const void *what,
			   struct list_head *gone)
{
	struct pgx_dev *dev, *next;

	list_for_each_entry_safe(dev, next, &cpu->devs, node)
		if (match(dev, what))
			pgx_dev_unlink(dev, gone);
}

static void pgx_net_remove(struct pgx_net *pn, pgx_match_fn match, const void *what)
{
	unsigned int i;
	LIST_HEAD(gone);

	mutex_lock(&pn->files);
	mutex_lock(&pn->lock);
	for (i = 0; i < nr_cpu_ids; i++)
		if (pn->cpus[i])
			pgx_cpu_unlink(pn->cpus[i], match, what, &gone);
	mutex_unlock(&pn->lock);
	pgx_devs_free(&gone);
	mutex_unlock(&pn->files);
}

static struct pgx_dev *pgx_net_find(struct pgx_net *pn, const char *name)
{
	struct pgx_dev *dev;
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++) {
		if (!pn->cpus[i])
			continue;
		list_for_each_entry(dev, &pn->cpus[i]->devs, node)
			if (!strcmp(dev->name, name))
				return dev;
	}
	return NULL;
}

/* The folder has files of its own, whatever a device may be called. */
static bool pgx_name_reserved(const char *name)
{
	return !strcmp(name, "pgctrl") || !strncmp(name, "kpktgend_", 9);
}

static const char *pgx_name_fault(const char *name)
{
	const char *c;

	if (!*name)
		return "a name is missing";
	if (strlen(name) >= PGX_NAME_SIZE)
		return "the name is too long";
	for (c = name; *c; c++)
		if (*c == '/' || (u8)*c <= ' ' || *c == 0x7f)
			return "a name has no '/', blanks or control characters";
	if (!strcmp(name, ".") || !strcmp(name, "..") || pgx_name_reserved(name))
		return "this name is reserved";
	return NULL;
}

/* The device is what stands before the first '@'; it may be an alternative name. */
static struct net_device *pgx_netdev_find(struct net *net, const char *name)
{
	char base[PGX_NAME_SIZE];
	size_t len = strcspn(name, "@");

	memcpy(base, name, len);
	base[len] = '\0';
	return __dev_get_by_name(net, base);
}

/**
 * struct pgx_refusal - why an entry can not be added
 * @rc: errno
 * @reason: the reason in words
 */
struct pgx_refusal {
	int		rc;
	const char	*reason;
};

static struct pgx_refusal pgx_netdev_refusal(const struct net_device *netdev)
{
	if (!netdev)
		return (struct pgx_refusal){ -ENODEV, "there is no such device in this namespace" };
	if (netdev->type != ARPHRD_ETHER && netdev->type != ARPHRD_LOOPBACK)
		return (struct pgx_refusal){ -EINVAL, "the device is not Ethernet" };
	if (!(netdev->flags & IFF_UP))
		return (struct pgx_refusal){ -ENETDOWN, "the device is down" };
	return (struct pgx_refusal){ };
}

static struct pgx_plan *pgx_plan_first(struct net_device *netdev, unsigned int cpu)
{
	struct pgx_config cfg;

	pgx_config_init(&cfg);
	if (!(netdev->priv_flags & IFF_TX_SKB_SHARING))
		cfg.clone_skb = 0;
	return pgx_plan_create(&cfg, NULL, netdev, cpu);
}

static struct pgx_dev *pgx_dev_alloc(struct pgx_cpu *cpu, struct net_device *netdev,
				     const char *name)
{
	struct pgx_dev *dev = kzalloc_node(sizeof(*dev), GFP_KERNEL, cpu_to_node(cpu->thread.cpu));
	struct pgx_plan *plan = pgx_plan_first(netdev, cpu->thread.cpu);

	if (!dev || !plan) {
		kfree(dev);
		pgx_plan_free(plan, NULL);
		return NULL;
	}
	refcount_set(&dev->refs, 1);
	dev->cpu = cpu;
	dev->netdev = netdev;
	dev->plan = plan;
	strscpy(dev->name, name, sizeof(dev->name));
	pgx_run_init(&dev->run, &cpu->thread, netdev, plan);
	return dev;
}

static struct pgx_refusal pgx_dev_create(struct pgx_cpu *cpu, struct net_device *netdev,
					 const char *name)
{
	struct pgx_dev *dev;
	int rc;

	rc = pgx_thread_create(&cpu->thread);
	if (rc)
		return (struct pgx_refusal){ rc, "its thread can not be made" };
	dev = pgx_dev_alloc(cpu, netdev, name);
	if (!dev)
		return (struct pgx_refusal){ -ENOMEM, "out of memory" };
	dev->entry = pgx_proc_dev_add(dev);
	if (!dev->entry) {
		pgx_dev_put(dev);
		return (struct pgx_refusal){ -ENOMEM, "its file can not be made" };
	}
	netdev_hold(netdev, &dev->tracker, GFP_KERNEL);
	list_add(&dev->node, &cpu->devs);
	return (struct pgx_refusal){ };
}

static struct pgx_refusal pgx_cpu_try_add(struct pgx_cpu *cpu, const char *name)
{
	struct pgx_net *pn = cpu->pn;
	const char *fault = pgx_name_fault(name);
	struct pgx_refusal refusal;
	struct net_device *netdev;

	ASSERT_RTNL();
	lockdep_assert_held(&pn->lock);
	if (fault)
		return (struct pgx_refusal){ -EINVAL, fault };
	if (!pgx_entries_open)
		return (struct pgx_refusal){ -ENODEV, "the module comes or goes" };
	if (pn->dead)
		return (struct pgx_refusal){ -ENODEV, "the namespace is going away" };
	if (cpu->offline)
		return (struct pgx_refusal){ -ENODEV, "its CPU is offline" };
	if (pgx_net_find(pn, name))
		return (struct pgx_refusal){ -EBUSY, "a thread has it already" };
	netdev = pgx_netdev_find(pn->net, name);
	refusal = pgx_netdev_refusal(netdev);
	return refusal.rc ? refusal : pgx_dev_create(cpu, netdev, name);
}

/**
 * pgx_cpu_add() - add an entry to a thread
 * @cpu: the thread
 * @name: DEV or DEV@TAG
 *
 * Under rtnl, so that a device which is on its way out is either not found or its end is still
 * to be told.
 *
 * Context: sleeps; takes rtnl, files and the mutex.
 *
 * Return: 0, -EINVAL, -EBUSY, -ENODEV, -ENETDOWN or -ENOMEM; the thread's reply has the reason.
 */
int pgx_cpu_add(struct pgx_cpu *cpu, const char *name)
{
	char shown[PGX_NAME_SIZE];
	struct pgx_refusal refusal;
	struct pgx_text text;

	pgx_text_init(&text, shown, sizeof(shown));
	pgx_text_add_word(&text, name, sizeof(shown));
	rtnl_lock();
	mutex_lock(&cpu->pn->files);
	mutex_lock(&cpu->pn->lock);
	refusal = pgx_cpu_try_add(cpu, name);
	if (refusal.rc)
		pgx_reply_set(&cpu->reply, "ERROR: can not add device %s: %s", shown,
			      refusal.reason);
	else
		pgx_reply_set(&cpu->reply, "OK: add_device=%s", shown);
	mutex_unlock(&cpu->pn->lock);
	mutex_unlock(&cpu->pn->files);
	rtnl_unlock();
	return refusal.rc;
}

/**
 * pgx_cpu_remove() - remove one entry of a thread
 * @cpu: the thread
 * @name: the entry
 *
 * Context: sleeps; takes files and the mutex.
 *
 * Return: 0, or -ENODEV if the thread has no such entry.
 */
int pgx_cpu_remove(struct pgx_cpu *cpu, const char *name)
{
	char shown[PGX_NAME_SIZE];
	struct pgx_text text;
	bool found;
	LIST_HEAD(gone);

	pgx_text_init(&text, shown, sizeof(shown));
	pgx_text_add_word(&text, name, sizeof(shown));
	mutex_lock(&cpu->pn->files);
	mutex_lock(&cpu->pn->lock);
	pgx_cpu_unlink(cpu, pgx_match_name, name, &gone);
	found = !list_empty(&gone);
	if (found)
		pgx_reply_set(&cpu->reply, "OK: rem_device=%s", shown);
	else
		pgx_reply_set(&cpu->reply,
			      "ERROR: can not remove device %s: this thread has no such entry",
			      shown);
	mutex_unlock(&cpu->pn->lock);
	pgx_devs_free(&gone);
	mutex_unlock(&cpu->pn->files);
	return found ? 0 : -ENODEV;
}

/**
 * pgx_cpu_remove_all() - remove every entry of a thread
 * @cpu: the thread
 *
 * Context: sleeps; takes files and the mutex.
 */
void pgx_cpu_remove_all(struct pgx_cpu *cpu)
{
	LIST_HEAD(gone);

	mutex_lock(&cpu->pn->files);
	mutex_lock(&cpu->pn->lock);
	pgx_cpu_unlink(cpu, pgx_match_any, NULL, &gone);
	pgx_reply_set(&cpu->reply, "OK: rem_device_all");
	mutex_unlock(&cpu->pn->lock);
	pgx_devs_free(&gone);
	mutex_unlock(&cpu->pn->files);
}

/**
 * pgx_dev_publish() - put new settings in force
 * @dev: the entry
 * @cfg: the settings, checked
 *
 * Context: sleeps; the mutex is held.
 *
 * Return: 0, or -ENOMEM, then the old ones stay.
 */
int pgx_dev_publish(struct pgx_dev *dev, const struct pgx_config *cfg)
{
	struct pgx_plan *fresh = pgx_plan_create(cfg, dev->plan, dev->netdev,
						 dev->cpu->thread.cpu);
	struct pgx_req req = { .op = PGX_OP_CONFIG, .run = &dev->run, .plan = fresh };

	lockdep_assert_held(&dev->cpu->pn->lock);
	if (!fresh)
		return -ENOMEM;
	dev->plan = fresh;
	pgx_thread_ask(&dev->cpu->thread, &req);
	pgx_plan_free(req.plan, fresh);
	return 0;
}

/**
 * pgx_net_reset() - remove every entry of a namespace
 * @pn: the namespace
 *
 * Context: sleeps; takes files and the mutex.
 */
void pgx_net_reset(struct pgx_net *pn)
{
	pgx_net_remove(pn, pgx_match_any, NULL);
}

/**
 * pgx_net_forget() - remove the entries of a device that goes away
 * @pn: the namespace
 * @netdev: the device
 *
 * Context: rtnl held; sleeps; takes files and the mutex.
 */
void pgx_net_forget(struct pgx_net *pn, const struct net_device *netdev)
{
	pgx_net_remove(pn, pgx_match_netdev, netdev);
}

/*
 * Give one entry the file that its device's new name asks for; its tag stays. Returns the old file,
 * for removal without the mutex, and takes a reference for whoever is still inside that file.
 */
static struct proc_dir_entry *pgx_dev_rename(struct pgx_dev *dev, const char *name)
{
	struct proc_dir_entry *old = dev->entry;
	struct proc_dir_entry *entry;
	char before[PGX_NAME_SIZE];

	if (pgx_net_find(dev->cpu->pn, name) || pgx_name_fault(name))
		return NULL;
	strscpy(before, dev->name, sizeof(before));
	strscpy(dev->name, name, sizeof(dev->name));
	entry = pgx_proc_dev_add(dev);
	if (!entry) {
		strscpy(dev->name, before, sizeof(dev->name));
		return NULL;
	}
	dev->entry = entry;
	refcount_inc(&dev->refs);
	return old;
}

/* Find one entry that does not carry its device's name any more, and rename it. */
static struct pgx_dev *pgx_net_rename_one(struct pgx_net *pn, struct net_device *netdev,
					  struct proc_dir_entry **old)
{
	char name[PGX_NAME_SIZE];
	struct pgx_dev *dev;
	unsigned int i;

	lockdep_assert_held(&pn->lock);
	for (i = 0; i < nr_cpu_ids; i++) {
		if (!pn->cpus[i])
			continue;
		list_for_each_entry(dev, &pn->cpus[i]->devs, node) {
			if (dev->netdev != netdev || pgx_netdev_find(pn->net, dev->name) == netdev)
				continue;
			snprintf(name, sizeof(name), "%s%s", netdev->name,
				 strchrnul(dev->name, '@'));
			*old = pgx_dev_rename(dev, name);
			if (*old)
				return dev;
			netdev_warn(netdev, "pktgen_ext: %s keeps its file, %s can not be made\n",
				    dev->name, name);
		}
	}
	return NULL;
}

/**
 * pgx_net_rename() - let files follow the new name of a device
 * @pn: the namespace
 * @netdev: the device
 *
 * An entry that was added by an alternative name keeps it. One whose new name is taken keeps
 * its old one.
 *
 * Context: rtnl held; sleeps; takes files and the mutex.
 */
void pgx_net_rename(struct pgx_net *pn, struct net_device *netdev)
{
	struct proc_dir_entry *old;
	struct pgx_dev *dev;

	mutex_lock(&pn->files);
	do {
		mutex_lock(&pn->lock);
		dev = pgx_net_rename_one(pn, netdev, &old);
		mutex_unlock(&pn->lock);
		if (dev) {
			pgx_proc_remove(old);
			pgx_dev_put(dev);
		}
	} while (dev);
	mutex_unlock(&pn->files);
}
