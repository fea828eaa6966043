/* SPDX-License-Identifier: GPL-2.0 */
/* IPsec, or its absence: Kbuild says whether the kernel has what it needs. */
#ifndef PGX_IPSEC_H
#define PGX_IPSEC_H

#include <linux/errno.h>
#include "traffic/traffic.h"

struct pgx_ipsec;

#ifdef PGX_HAVE_IPSEC

#define PGX_IPSEC	true

struct pgx_ipsec *pgx_ipsec_create(struct net_device *dev, u32 spi);
void pgx_ipsec_release(struct pgx_ipsec *sec);
void pgx_ipsec_free(struct pgx_ipsec *sec);
int pgx_ipsec_apply(struct pgx_ipsec *sec, struct sk_buff *skb, const struct pgx_packet *pkt);

#else

#define PGX_IPSEC	false

static inline struct pgx_ipsec *pgx_ipsec_create(struct net_device *dev, u32 spi)
{
	return NULL;
}

static inline void pgx_ipsec_release(struct pgx_ipsec *sec)
{
}

static inline void pgx_ipsec_free(struct pgx_ipsec *sec)
{
}

static inline int pgx_ipsec_apply(struct pgx_ipsec *sec, struct sk_buff *skb,
				  const struct pgx_packet *pkt)
{
	return -ENOENT;
}

#endif

#endif
