// SPDX-License-Identifier: GPL-2.0
/*
 * Skbs as a driver makes them: around pages that come back to it when the stack is done. Where the
 * kernel can, those that are freed on the CPU of the pool come back without a lock, as to a driver's
 * NAPI.
 */
#include <linux/skbuff.h>
#include <linux/slab.h>
#include "compat/page_pool.h"
#include "traffic/pool.h"

#define PGX_POOL_PAGES	1024	/* that wait to be used again */

/**
 * struct pgx_pool - where the buffers of fresh skbs come from
 * @pages: the pages, each of which is one buffer
 * @bytes: length of a buffer
 * @cpu: where skbs are made
 */
struct pgx_pool {
	struct page_pool	*pages;
	unsigned int		bytes;
	unsigned int		cpu;
};

/**
 * pgx_pool_create() - make a pool
 * @bytes: room that an skb has to have, in front of and behind its data too
 * @node: memory node, or NUMA_NO_NODE
 * @cpu: where skbs are made
 *
 * Context: sleeps.
 *
 * Return: the pool, NULL if there is no memory.
 */
struct pgx_pool *pgx_pool_create(unsigned int bytes, int node, unsigned int cpu)
{
	unsigned int total = bytes + SKB_DATA_ALIGN(sizeof(struct skb_shared_info));
	struct page_pool_params params = {
		.order = get_order(total), .pool_size = PGX_POOL_PAGES, .nid = node
	};
	struct pgx_pool *pool = kzalloc(sizeof(*pool), GFP_KERNEL);

	if (!pool)
		return NULL;
	pool->bytes = PAGE_SIZE << params.order;
	pool->cpu = cpu;
	pool->pages = pgx_page_pool_create(&params, cpu);
	if (!IS_ERR(pool->pages))
		return pool;
	kfree(pool);
	return NULL;
}

/**
 * pgx_pool_destroy() - let go of a pool
 * @pool: the pool, may be NULL; nothing is made of it any more
 *
 * Pages that are under way come back to the kernel one by one.
 *
 * Context: sleeps.
 */
void pgx_pool_destroy(struct pgx_pool *pool)
{
	if (!pool)
		return;
	pgx_page_pool_retire(pool->pages);
	page_pool_destroy(pool->pages);
	kfree(pool);
}

/**
 * pgx_pool_serves() - see whether an skb can be made of a pool
 * @pool: the pool
 * @bytes: room that it has to have
 *
 * Context: preemption off.
 *
 * Return: true if this is the pool's CPU and a buffer is long enough.
 */
bool pgx_pool_serves(const struct pgx_pool *pool, unsigned int bytes)
{
	return pool->cpu == smp_processor_id() && bytes <= SKB_WITH_OVERHEAD(pool->bytes);
}

/**
 * pgx_pool_skb() - make an skb without data
 * @pool: the pool, which serves this CPU
 *
 * Context: BH off, one thread at a time.
 *
 * Return: the skb, NULL if there is no memory.
 */
struct sk_buff *pgx_pool_skb(struct pgx_pool *pool)
{
	struct page *page = page_pool_alloc_pages(pool->pages, GFP_ATOMIC | __GFP_NOWARN);
	struct sk_buff *skb;

	if (unlikely(!page))
		return NULL;
	skb = napi_build_skb(page_address(page), pool->bytes);
	if (likely(skb))
		skb_mark_for_recycle(skb);
	else
		page_pool_put_full_page(pool->pages, page, false);
	return skb;
}
