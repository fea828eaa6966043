// SPDX-License-Identifier: GPL-2.0
/* A device's own IPv6 address. Left out of a kernel without IPv6. */
#include <linux/rcupdate.h>
#include <net/addrconf.h>
#include <net/if_inet6.h>
#include "engine/engine.h"

static bool pgx_addr6_usable(const struct inet6_ifaddr *ifa)
{
	return ifa->scope == IFA_LINK && !(ifa->flags & IFA_F_TENTATIVE);
}

/**
 * pgx_facts_src6() - find a device's link-local address
 * @dev: the device
 *
 * Context: any but hard interrupt.
 *
 * Return: the address; zero if there is none that is known to be unique.
 */
struct pgx_addr6 pgx_facts_src6(const struct net_device *dev)
{
	const struct inet6_ifaddr *ifa;
	struct pgx_addr6 addr = { };
	struct inet6_dev *idev;

	rcu_read_lock();
	idev = __in6_dev_get(dev);
	if (idev) {
		read_lock_bh(&idev->lock);
		list_for_each_entry(ifa, &idev->addr_list, if_list) {
			if (!pgx_addr6_usable(ifa))
				continue;
			addr.hi = be64_to_cpup((const __be64 *)&ifa->addr.s6_addr[0]);
			addr.lo = be64_to_cpup((const __be64 *)&ifa->addr.s6_addr[8]);
			break;
		}
		read_unlock_bh(&idev->lock);
	}
	rcu_read_unlock();
	return addr;
}
