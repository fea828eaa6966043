// SPDX-License-Identifier: GPL-2.0
/* A config and the memory that a run with it needs. */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "engine/engine.h"

static int pgx_plan_node(const struct pgx_config *cfg)
{
	return cfg->flags & PGX_F_NODE && cfg->node != PGX_NO_NODE ? cfg->node : NUMA_NO_NODE;
}

static bool pgx_plan_slots(struct pgx_plan *plan, const struct pgx_plan *prev)
{
	if (!plan->cfg.flows)
		return true;
	if (prev && prev->cfg.flows == plan->cfg.flows)
		plan->slots = prev->slots;
	else
		plan->slots = __vmalloc(array_size(plan->cfg.flows, sizeof(*plan->slots)),
					GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	return plan->slots;
}

static bool pgx_plan_page(struct pgx_plan *plan, const struct pgx_plan *prev)
{
	int node = pgx_plan_node(&plan->cfg);

	if (!plan->cfg.frags)
		return true;
	if (prev && prev->page && pgx_plan_node(&prev->cfg) == node)
		plan->page = prev->page;
	else
		plan->page = alloc_pages_node(node, GFP_KERNEL | __GFP_ZERO, 0);
	return plan->page;
}

static bool pgx_plan_ipsec(struct pgx_plan *plan, struct net_device *dev)
{
	if (!(plan->cfg.flags & PGX_F_IPSEC))
		return true;
	plan->ipsec = pgx_ipsec_create(dev, plan->cfg.spi);
	return plan->ipsec;
}

/* Bytes of the largest frame. */
static u32 pgx_plan_frame(const struct pgx_config *cfg)
{
	u32 size = max(cfg->max_pkt_size, pgx_head_len(cfg));
	int i;

	for (i = 0; i < cfg->nr_imix; i++)
		size = max(size, cfg->imix[i].size);
	return size;
}

static bool pgx_plan_pool(struct pgx_plan *plan, const struct pgx_plan *prev,
			  const struct net_device *dev, unsigned int cpu)
{
	int node = pgx_plan_node(&plan->cfg);

	if (plan->cfg.skb_mode != PGX_FRESH || !PGX_POOL)
		return true;
	plan->space = pgx_packet_space(dev, pgx_plan_frame(&plan->cfg));
	if (prev && prev->pool && prev->space == plan->space && pgx_plan_node(&prev->cfg) == node)
		plan->pool = prev->pool;
	else
		plan->pool = pgx_pool_create(plan->space, node, cpu);
	return plan->pool;
}

/**
 * pgx_plan_create() - make a config ready to be handed over
 * @cfg: the config, copied
 * @prev: the plan that is in force; what stays as it was is taken over from it. NULL if there is
 *	none
 * @dev: the device
 * @cpu: where the run will be
 *
 * Context: sleeps.
 *
 * Return: the plan, NULL if there was no memory.
 */
struct pgx_plan *pgx_plan_create(const struct pgx_config *cfg, const struct pgx_plan *prev,
				 struct net_device *dev, unsigned int cpu)
{
	struct pgx_plan *plan = kzalloc(sizeof(*plan), GFP_KERNEL);

	if (!plan)
		return NULL;
	plan->cfg = *cfg;
	if (pgx_plan_slots(plan, prev) && pgx_plan_page(plan, prev) &&
	    pgx_plan_pool(plan, prev, dev, cpu) && pgx_plan_ipsec(plan, dev))
		return plan;
	pgx_plan_free(plan, prev);
	return NULL;
}

/**
 * pgx_plan_free() - free a plan that is not in force any more
 * @plan: the plan, may be NULL
 * @heir: the plan that shares memory with it and goes on, NULL if there is none
 *
 * An skb that is under way has a reference of its own to the page.
 *
 * Context: sleeps.
 */
void pgx_plan_free(struct pgx_plan *plan, const struct pgx_plan *heir)
{
	if (!plan)
		return;
	if (!heir || heir->slots != plan->slots)
		vfree(plan->slots);
	if (plan->page && (!heir || heir->page != plan->page))
		put_page(plan->page);
	if (!heir || heir->pool != plan->pool)
		pgx_pool_destroy(plan->pool);
	pgx_ipsec_free(plan->ipsec);
	kfree(plan);
}
