// SPDX-License-Identifier: GPL-2.0
/* The skbs of a run: built, taken back when they come back, replaced when not, let go of. */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include "engine/engine.h"

/*
 * An skb as the door wants it: for the receive path data is after the Ethernet header, but what is
 * to be encrypted has it in front.
 */
static struct sk_buff *pgx_stock_make(struct pgx_run *run)
{
	const struct pgx_plan *plan = run->plan;
	struct sk_buff *skb = pgx_packet_build(run->dev, &run->pkt, plan->page, plan->pool);

	if (likely(skb) && run->cfg->xmit_mode == PGX_NETIF_RECEIVE && !plan->ipsec)
		skb->protocol = eth_type_trans(skb, run->dev);
	return skb;
}

/* A fresh one is kept to compare with; without memory for it nothing is used again. */
static bool pgx_stock_has_like(struct pgx_run *run)
{
	struct pgx_stock *stock = &run->stock;

	if (unlikely(!stock->like))
		stock->like = pgx_stock_make(run);
	return stock->like;
}

/* What is in a place is used again if it can be made as it was, else another one is built. */
static bool pgx_stock_mend(struct pgx_run *run, u32 place)
{
	struct pgx_stock *stock = &run->stock;
	struct sk_buff *skb = stock->skb[place];

	if (skb && run->recycles && stock->like &&
	    pgx_packet_restore(skb, stock->frame[place], stock->like, &run->pkt, 1))
		return true;
	consume_skb(skb);
	skb = pgx_stock_make(run);
	stock->skb[place] = skb;
	if (unlikely(!skb)) {
		stock->built = min(stock->built, place);
		return false;
	}
	stock->frame[place] = skb_mac_header(skb);
	if (run->recycles && stock->built == place)
		stock->built++;
	return true;
}

/* Places whose skbs are all at home are used again at once: what they hold is in the cache. */
static void pgx_stock_move(struct pgx_stock *stock, u32 nr)
{
	struct sk_buff *first = stock->skb[stock->pos];

	if (first && pgx_skb_users(first) != 1)
		stock->pos += stock->nr;
	if (stock->pos + nr > PGX_STOCK)
		stock->pos = 0;
}

/* How many from a place on are as fresh ones, which is quickly seen. */
static u32 pgx_stock_renew(struct pgx_run *run, u32 place, u32 nr)
{
	struct pgx_stock *stock = &run->stock;
	struct sk_buff **skb = stock->skb + place;

	if (place >= stock->built)
		return 0;
	nr = min(nr, stock->built - place);
	if (run->pkt.room)
		return pgx_packet_renew_any(skb, stock->frame + place, nr, stock->like);
	if (run->cfg->xmit_mode == PGX_START_XMIT)
		return pgx_packet_renew_sent(skb, nr, stock->like);
	return pgx_packet_renew(skb, nr, stock->like);
}

/* New ones, quickly since each is like the last one. Places are empty, for nothing came back. */
static u32 pgx_stock_model(struct pgx_run *run, u32 nr)
{
	struct pgx_stock *stock = &run->stock;
	struct pgx_pool *pool = run->plan->pool;
	struct sk_buff *skb;
	u32 have;

	for (have = 0; have < nr; have++) {
		skb = pgx_packet_copy(stock->like, &run->pkt, pool);
		if (unlikely(!skb))
			break;
		stock->skb[stock->pos + have] = skb;
		stock->frame[stock->pos + have] = skb_mac_header(skb);
	}
	return have;
}

static u32 pgx_stock_gather(struct pgx_run *run, u32 nr)
{
	struct pgx_stock *stock = &run->stock;
	bool renew = run->recycles && pgx_stock_has_like(run) && !stock->thorough;
	u32 have = 0;

	if (run->models && pgx_pool_serves(run->plan->pool, run->plan->space) &&
	    pgx_stock_has_like(run))
		return pgx_stock_model(run, nr);
	for (;;) {
		if (renew)
			have += pgx_stock_renew(run, stock->pos + have, nr - have);
		if (have == nr || !pgx_stock_mend(run, stock->pos + have))
			break;
		have++;
	}
	return have;
}

/**
 * pgx_stock_fetch() - have skbs for the next packets
 * @run: the run
 * @nr: how many, 1 to PGX_BATCH
 *
 * They hold the headers of an earlier packet or those of @run->pkt.
 *
 * Context: the run's thread.
 *
 * Return: how many there are, fewer when memory is short.
 */
u32 pgx_stock_fetch(struct pgx_run *run, u32 nr)
{
	struct pgx_stock *stock = &run->stock;
	bool pooled = run->plan->pool;

	pgx_stock_move(stock, nr);
	/* pages of a pool are for one CPU's softirqs */
	if (pooled)
		local_bh_disable();
	stock->nr = pgx_stock_gather(run, nr);
	if (pooled)
		local_bh_enable();
	stock->sent = 0;
	return stock->nr;
}

/**
 * pgx_stock_is_home() - see whether all skbs of the last batch came back
 * @stock: the stock
 *
 * Return: false while somebody else holds one of them.
 */
bool pgx_stock_is_home(const struct pgx_stock *stock)
{
	u32 i;

	for (i = stock->pos; i < stock->pos + stock->nr; i++)
		if (stock->skb[i] && refcount_read(&stock->skb[i]->users) != 1)
			return false;
	return true;
}

/**
 * pgx_stock_flush() - let go of all skbs
 * @stock: the stock
 *
 * Somebody else may still hold one; it is freed by whoever is last.
 *
 * Context: the run's thread.
 */
void pgx_stock_flush(struct pgx_stock *stock)
{
	u32 i;

	for (i = 0; i < PGX_STOCK; i++) {
		consume_skb(stock->skb[i]);
		stock->skb[i] = NULL;
	}
	consume_skb(stock->like);
	stock->like = NULL;
	stock->built = 0;
	stock->pos = 0;
	stock->nr = 0;
	stock->sent = 0;
}
