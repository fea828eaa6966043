/* SPDX-License-Identifier: GPL-2.0 */
/* Page pools. Since Linux 6.6 their header is in a folder. */
#ifndef PGX_COMPAT_PAGE_POOL_H
#define PGX_COMPAT_PAGE_POOL_H

#if __has_include(<net/page_pool/helpers.h>)
#include <net/page_pool/helpers.h>
#else
#include <net/page_pool.h>
#endif

#include <linux/netdevice.h>

/* Since Linux 6.9 a pool can be one CPU's. Kbuild looks for it. */
#ifdef PGX_HAVE_POOL_CPU
static inline struct page_pool *pgx_page_pool_create(const struct page_pool_params *params,
						     unsigned int cpu)
{
	return page_pool_create_percpu(params, cpu);
}

/* Nobody frees into the CPU's part any more. */
static inline void pgx_page_pool_retire(struct page_pool *pool)
{
	page_pool_disable_direct_recycling(pool);
	synchronize_net();
}
#else
static inline struct page_pool *pgx_page_pool_create(const struct page_pool_params *params,
						     unsigned int cpu)
{
	return page_pool_create(params);
}

static inline void pgx_page_pool_retire(struct page_pool *pool)
{
}
#endif

#endif
