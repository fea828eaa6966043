// SPDX-License-Identifier: GPL-2.0
/*
 * pktgen_ext: a packet generator in the kernel. The entry composes the parts; it has no logic of
 * its own.
 */
#define pr_fmt(fmt) "pktgen_ext: " fmt

#include <linux/module.h>
#include <net/netns/generic.h>
#include "control/control.h"

static char *proc_name = "pktgen_ext";
module_param(proc_name, charp, 0444);
MODULE_PARM_DESC(proc_name,
		 "folder under /proc/net; 'pktgen' takes the place of the in-tree module");

/* As the in-tree module has them: given at load, shown nowhere. */
static int pg_count_d = 1000;
module_param(pg_count_d, int, 0);
MODULE_PARM_DESC(pg_count_d, "count of a new entry");

static int pg_delay_d;
module_param(pg_delay_d, int, 0);
MODULE_PARM_DESC(pg_delay_d, "delay of a new entry, ns");

static int pg_clone_skb_d;
module_param(pg_clone_skb_d, int, 0);
MODULE_PARM_DESC(pg_clone_skb_d, "clone_skb of a new entry whose driver allows it");

static int debug;
module_param(debug, int, 0);
MODULE_PARM_DESC(debug, "accepted for scripts, without effect");

static unsigned int pgx_net_id;

static struct pgx_net *pgx_net_of(const struct net *net)
{
	return net_generic(net, pgx_net_id);
}

static int __net_init pgx_pernet_init(struct net *net)
{
	return pgx_net_init(pgx_net_of(net), net);
}

static void __net_exit pgx_pernet_exit(struct net *net)
{
	pgx_net_exit(pgx_net_of(net));
}

static struct pernet_operations pgx_pernet_ops = {
	.init	= pgx_pernet_init,
	.exit	= pgx_pernet_exit,
	.id	= &pgx_net_id,
	.size	= sizeof(struct pgx_net),
};

static int pgx_netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *netdev = netdev_notifier_info_to_dev(ptr);
	struct pgx_net *pn = pgx_net_of(dev_net(netdev));

	if (event == NETDEV_UNREGISTER)
		pgx_net_forget(pn, netdev);
	else if (event == NETDEV_CHANGENAME)
		pgx_net_rename(pn, netdev);
	return NOTIFY_DONE;
}

static struct notifier_block pgx_netdev_notifier = {
	.notifier_call = pgx_netdev_event,
};

static const char * __init pgx_proc_name_fault(int rc)
{
	switch (rc) {
	case -EEXIST:
		return "/proc/net has this name already";
	case -ENOMEM:
		return "out of memory";
	default:
		return "not a file name of 1 to 32 bytes";
	}
}

static int __init pgx_init(void)
{
	int rc = pgx_config_defaults(pg_count_d, pg_delay_d, pg_clone_skb_d, debug);

	if (rc) {
		pr_err("pg_count_d, pg_delay_d, pg_clone_skb_d, debug: allowed is 0 or more\n");
		return rc;
	}
	rc = pgx_proc_init(proc_name);
	if (rc) {
		pr_err("proc_name=%s: %s\n", proc_name, pgx_proc_name_fault(rc));
		return rc;
	}
	rc = pgx_net_module_init();
	if (rc)
		return rc;
	rc = register_pernet_subsys(&pgx_pernet_ops);
	if (rc)
		goto cpus;
	rc = register_netdevice_notifier(&pgx_netdev_notifier);
	if (rc)
		goto pernet;
	pgx_entries_allow(true);
	return 0;
pernet:
	unregister_pernet_subsys(&pgx_pernet_ops);
cpus:
	pgx_net_module_exit();
	return rc;
}

static void __exit pgx_exit(void)
{
	pgx_entries_allow(false);
	unregister_netdevice_notifier(&pgx_netdev_notifier);
	unregister_pernet_subsys(&pgx_pernet_ops);
	pgx_net_module_exit();
}

module_init(pgx_init);
module_exit(pgx_exit);

MODULE_DESCRIPTION("Packet generator, steered through /proc/net");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1");
