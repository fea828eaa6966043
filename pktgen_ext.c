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

static int __init pgx_init(void)
{
	int rc = pgx_proc_init(proc_name);

	if (rc) {
		pr_err("proc_name=%s: %s\n", proc_name, rc == -EEXIST ?
		       "/proc/net has this name already" : "not a file name of 1 to 32 bytes");
		return rc;
	}
	rc = register_pernet_subsys(&pgx_pernet_ops);
	if (rc)
		return rc;
	rc = register_netdevice_notifier(&pgx_netdev_notifier);
	if (rc)
		unregister_pernet_subsys(&pgx_pernet_ops);
	return rc;
}

static void __exit pgx_exit(void)
{
	unregister_netdevice_notifier(&pgx_netdev_notifier);
	unregister_pernet_subsys(&pgx_pernet_ops);
}

module_init(pgx_init);
module_exit(pgx_exit);

MODULE_DESCRIPTION("Packet generator, steered through /proc/net");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1");
