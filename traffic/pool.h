/* SPDX-License-Identifier: GPL-2.0 */
/* Fresh skbs around pages of a pool, or their absence: Kbuild says whether the kernel has one. */
#ifndef PGX_POOL_H
#define PGX_POOL_H

#include <linux/types.h>

struct pgx_pool;
struct sk_buff;

#ifdef PGX_HAVE_POOL

#define PGX_POOL	true

struct pgx_pool *pgx_pool_create(unsigned int bytes, int node, unsigned int cpu);
void pgx_pool_destroy(struct pgx_pool *pool);
bool pgx_pool_serves(const struct pgx_pool *pool, unsigned int bytes);
struct sk_buff *pgx_pool_skb(struct pgx_pool *pool);

#else

#define PGX_POOL	false

static inline struct pgx_pool *pgx_pool_create(unsigned int bytes, int node,
					       unsigned int cpu)
{
	return NULL;
}

static inline void pgx_pool_destroy(struct pgx_pool *pool)
{
}

static inline bool pgx_pool_serves(const struct pgx_pool *pool, unsigned int bytes)
{
	return false;
}

static inline struct sk_buff *pgx_pool_skb(struct pgx_pool *pool)
{
	return NULL;
}

#endif

#endif
