// SPDX-License-Identifier: GPL-2.0
/* Faults on purpose, one for each load: the debug kernel finds them, and the runner fails a case. */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/timer.h>

static char *kind = "";
module_param(kind, charp, 0);

static unsigned int zero;
module_param(zero, uint, 0);

static DEFINE_MUTEX(provoke_a);
static DEFINE_MUTEX(provoke_b);

static void provoke_none(void)
{
}

static void provoke_leak(void)
{
	char *lost = kmalloc(100, GFP_KERNEL);

	if (lost)
		memset(lost, 0x5a, 100);
}

static void provoke_kasan(void)
{
	char *p = kmalloc(64, GFP_KERNEL);

	if (!p)
		return;
	OPTIMIZER_HIDE_VAR(p);
	WRITE_ONCE(p[64 + zero], 1);
	kfree(p);
}

static void provoke_ubsan(void)
{
	int shift = 70 + zero;

	OPTIMIZER_HIDE_VAR(shift);
	pr_debug("%d\n", 1 << shift);
	zero = 1U << shift;
}

static void provoke_sleep(void)
{
	preempt_disable();
	might_sleep();
	preempt_enable();
}

static void provoke_rcu(void)
{
	static int __rcu *none;

	rcu_dereference(none);
}

static void provoke_refcount(void)
{
	refcount_t count = REFCOUNT_INIT(1);

	refcount_dec(&count);
	refcount_inc(&count);
}

static void provoke_nothing(struct timer_list *timer)
{
}

static void provoke_object(void)
{
	struct timer_list *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return;
	timer_setup(timer, provoke_nothing, 0);
	mod_timer(timer, jiffies + 3600 * HZ);
	/* what is freed while it is armed is found, and disarmed by the finder */
	kfree(timer);
}

static void provoke_lockdep(void)
{
	mutex_lock(&provoke_a);
	mutex_lock(&provoke_b);
	mutex_unlock(&provoke_b);
	mutex_unlock(&provoke_a);
	mutex_lock(&provoke_b);
	mutex_lock(&provoke_a);
	mutex_unlock(&provoke_a);
	mutex_unlock(&provoke_b);
}

static const struct {
	const char *name;
	void (*call)(void);
} provocations[] = {
	{ "none", provoke_none },
	{ "leak", provoke_leak },
	{ "kasan", provoke_kasan },
	{ "ubsan", provoke_ubsan },
	{ "sleep", provoke_sleep },
	{ "refcount", provoke_refcount },
	{ "object", provoke_object },
	{ "rcu", provoke_rcu },
	{ "lockdep", provoke_lockdep },
};

static int __init provoke_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(provocations); i++) {
		if (strcmp(kind, provocations[i].name))
			continue;
		provocations[i].call();
		return 0;
	}
	return -EINVAL;
}

static void __exit provoke_exit(void)
{
}

module_init(provoke_init);
module_exit(provoke_exit);
MODULE_DESCRIPTION("Faults on purpose");
MODULE_LICENSE("GPL");
