/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernels, and nothing else. Ask the headers whether a kernel has something,
 * not its version number: stable trees and distributions backport.
 *
 * From 6.1 to 7.3, PREEMPT_RT or not, nothing that this module uses differs in its source form; the
 * first difference goes here.
 */
#ifndef PGX_COMPAT_H
#define PGX_COMPAT_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>

#ifndef PKT_TYPE_OFFSET
#error "struct sk_buff is not laid out as in Linux 6.1 and later"
#endif

/**
 * pgx_skb_users() - count the references to an skb
 * @skb: the skb
 *
 * A plain read: the call before it makes the compiler look anew, and unlike a volatile one it can
 * be part of the comparison.
 *
 * Return: references, at least 1.
 */
static __always_inline u32 pgx_skb_users(const struct sk_buff *skb)
{
	return skb->users.refs.counter;
}

/**
 * pgx_skb_reset_flags() - clear what is not set in a fresh skb
 * @skb: the skb
 *
 * That it was redirected, from where and how deep, whether its hash is valid. These flags are four
 * bytes behind the packet type, which stays; one store clears what skb_reset_redirect() would, and
 * the rest.
 */
static __always_inline void pgx_skb_reset_flags(struct sk_buff *skb)
{
	memset((u8 *)skb + PKT_TYPE_OFFSET + 1, 0, 4);
}

/* Programs and filters of a device. Since Linux 6.6 there is one place for both. */
#if IS_ENABLED(CONFIG_NET_XGRESS)
static inline bool pgx_dev_filters_in(const struct net_device *dev)
{
	return rcu_access_pointer(dev->tcx_ingress);
}

static inline bool pgx_dev_filters_out(const struct net_device *dev)
{
	return rcu_access_pointer(dev->tcx_egress);
}
#elif IS_ENABLED(CONFIG_NET_CLS_ACT)
static inline bool pgx_dev_filters_in(const struct net_device *dev)
{
	return rcu_access_pointer(dev->miniq_ingress);
}

static inline bool pgx_dev_filters_out(const struct net_device *dev)
{
	return rcu_access_pointer(dev->miniq_egress);
}
#else
static inline bool pgx_dev_filters_in(const struct net_device *dev)
{
	return false;
}

static inline bool pgx_dev_filters_out(const struct net_device *dev)
{
	return false;
}
#endif

#if IS_ENABLED(CONFIG_NETFILTER_INGRESS)
static inline bool pgx_dev_netfilter_in(const struct net_device *dev)
{
	return rcu_access_pointer(dev->nf_hooks_ingress);
}
#else
static inline bool pgx_dev_netfilter_in(const struct net_device *dev)
{
	return false;
}
#endif

#if IS_ENABLED(CONFIG_NETFILTER_EGRESS)
static inline bool pgx_dev_netfilter_out(const struct net_device *dev)
{
	return rcu_access_pointer(dev->nf_hooks_egress);
}
#else
static inline bool pgx_dev_netfilter_out(const struct net_device *dev)
{
	return false;
}
#endif

#endif
