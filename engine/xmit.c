// SPDX-License-Identifier: GPL-2.0
/*
 * One burst: have skbs for its packets, send them through the door, account for them.
 *
 * A burst of copies has one skb, whose bytes are those of @run->pkt. Else each packet has an skb of
 * its own, into whose bytes its values are written, a batch at a time.
 */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <net/sch_generic.h>
#include "engine/engine.h"

#define PGX_FRESH_BATCH	16U	/* NAPI_SKB_CACHE_BULK */

/**
 * pgx_xmit_drop() - let go of what is in hand
 * @run: the run
 *
 * Context: the run's thread.
 */
void pgx_xmit_drop(struct pgx_run *run)
{
	pgx_stock_flush(&run->stock);
	run->resend = false;
}

/* Who redirects, filters or changes packets before the protocols get them. */
static bool pgx_xmit_is_watched(const struct net_device *dev)
{
	return rcu_access_pointer(dev->rx_handler) || rcu_access_pointer(dev->xdp_prog) ||
	       pgx_dev_filters_in(dev) || pgx_dev_netfilter_in(dev);
}

/*
 * A device without a queue hands a packet straight to its driver. Where nothing on the way may want
 * to write to it, it can be lent to one that leaves it alone.
 */
static bool pgx_xmit_is_direct(const struct pgx_run *run)
{
	const struct net_device *dev = run->dev;
	const struct netdev_queue *txq = netdev_get_tx_queue(dev, 0);
	bool direct;

	if (dev->real_num_tx_queues != 1 || run->pkt.csum == PGX_CSUM_PARTIAL || run->pkt.frags ||
	    pgx_dev_filters_out(dev) || pgx_dev_netfilter_out(dev) || dev_nit_active(dev))
		return false;
	rcu_read_lock_bh();
	direct = !rcu_dereference_bh(txq->qdisc)->enqueue;
	rcu_read_unlock_bh();
	return direct;
}

static bool pgx_xmit_may_lend(const struct pgx_run *run)
{
	switch (run->cfg->xmit_mode) {
	case PGX_START_XMIT:
		return true;
	case PGX_NETIF_RECEIVE:
		return !dev_nit_active(run->dev);
	default:
		return pgx_xmit_is_direct(run);
	}
}

/*
 * See how the next skbs are made: what listens or filters may have changed. A packet whose size
 * varies has to be chosen before its skb is built, unless there is room for any.
 */
static void pgx_xmit_survey(struct pgx_run *run)
{
	struct pgx_stock *stock = &run->stock;
	bool paged = run->pkt.frags;
	bool thorough;

	run->lends = run->shared && pgx_xmit_may_lend(run);
	thorough = run->cfg->xmit_mode == PGX_QUEUE_XMIT ||
		   (run->cfg->xmit_mode == PGX_NETIF_RECEIVE && pgx_xmit_is_watched(run->dev));
	/* what was changed before is not looked for any more */
	if (unlikely(stock->thorough && !thorough))
		pgx_stock_flush(stock);
	stock->thorough = thorough;
	run->recycles = run->lends && !run->plan->ipsec &&
			!(paged && (stock->thorough || run->largest));
	run->models = run->plan->pool && !run->plan->ipsec && !paged && !run->largest;
	run->pkt.room = run->recycles ? run->largest : 0;
	run->batches = run->distinct && (run->recycles || !run->largest);
}

/* One reading of the clock is for all packets of the batch. */
static void pgx_xmit_stamp(struct pgx_run *run, struct pgx_stamp *stamp)
{
	struct timespec64 now = { };

	stamp->timed = !(run->cfg->flags & PGX_F_NO_TIMESTAMP);
	if (stamp->timed)
		ktime_get_real_ts64(&now);
	stamp->seq = run->stats.seq;
	stamp->sec = now.tv_sec;
	stamp->usec = now.tv_nsec / NSEC_PER_USEC;
}

/* The number of queues can change at any time, so it is looked at for each packet. */
static u16 pgx_xmit_queue(const struct pgx_run *run, u32 queue)
{
	u32 queues = READ_ONCE(run->dev->real_num_tx_queues);

	if (run->cfg->flags & PGX_F_QUEUE_MAP_CPU)
		queue = raw_smp_processor_id();
	return likely(queue < queues) ? queue : queue % queues;
}

/* Choose and write what the next packets hold, from @frame on. */
static void pgx_xmit_write(struct pgx_run *run, u8 **frame, u32 nr)
{
	struct pgx_stamp stamp;

	run->batch.frame = frame;
	pgx_xmit_stamp(run, &stamp);
	pgx_stats_begin(&run->stats);
	pgx_batch_write(&run->batch, nr, &run->flow, &run->pkt, &stamp);
	run->pkt.queue = pgx_xmit_queue(run, run->pkt.queue);
	run->frame = run->pkt.size;
	pgx_stats_end(&run->stats);
}

/* What an skb says of its packet where that is not the same for all. */
static void pgx_xmit_describe(struct pgx_run *run, u32 i, u32 size, u32 queue)
{
	u32 place = run->stock.pos + i;
	struct sk_buff *skb = run->stock.skb[place];

	if (run->pkt.room)
		pgx_packet_resize(skb, run->stock.frame[place], size);
	skb_set_queue_mapping(skb, pgx_xmit_queue(run, queue));
	if (run->cfg->xmit_mode == PGX_NETIF_RECEIVE)
		pgx_packet_sort(skb, run->dev);
}

static void pgx_xmit_describe_batch(struct pgx_run *run, u32 nr)
{
	const struct pgx_batch *batch = &run->batch;
	bool queues = run->flow.range[PGX_QUEUE].min != run->flow.range[PGX_QUEUE].max;
	u32 i;

	for (i = 0; i < nr; i++)
		pgx_xmit_describe(run, i, run->largest ? batch->size[i] : run->pkt.size,
				  queues ? batch->queue[i] : run->pkt.queue);
}

/* A batch of packets, each in an skb of its own; how many there was memory for. */
static u32 pgx_xmit_prepare_batch(struct pgx_run *run, u32 n)
{
	struct pgx_stock *stock = &run->stock;

	n = pgx_stock_fetch(run, n);
	if (unlikely(!n))
		return 0;
	pgx_xmit_write(run, stock->frame + stock->pos, n);
	if (run->describes)
		pgx_xmit_describe_batch(run, n);
	run->frags = skb_shinfo(stock->skb[stock->pos])->nr_frags;
	return n;
}

/* A packet that no state can carry ends the run; nothing is sent in its place. */
static bool pgx_xmit_encrypt(struct pgx_run *run, struct sk_buff *skb)
{
	int rc = pgx_ipsec_apply(run->plan->ipsec, skb, &run->pkt);

	if (rc) {
		pgx_xmit_drop(run);
		if (rc != -ENOMEM)
			run->fault = PGX_END_IPSEC;
		return false;
	}
	run->frame = skb->len;
	if (run->cfg->xmit_mode == PGX_NETIF_RECEIVE)
		skb->protocol = eth_type_trans(skb, run->dev);
	return true;
}

/* An skb in hand with the bytes of the packet as it stands. */
static bool pgx_xmit_build(struct pgx_run *run)
{
	struct pgx_stock *stock = &run->stock;
	struct sk_buff *skb;
	u8 *frame;

	if (unlikely(!pgx_stock_fetch(run, 1)))
		return false;
	skb = stock->skb[stock->pos];
	frame = stock->frame[stock->pos];
	if (unlikely(run->plan->ipsec) && !pgx_xmit_encrypt(run, skb))
		return false;
	if (run->recycles || run->models) {
		pgx_xmit_describe(run, 0, run->pkt.size, run->pkt.queue);
		pgx_packet_fill(frame, &run->pkt, skb->data - frame + skb_headlen(skb));
	}
	run->frags = skb_shinfo(skb)->nr_frags;
	return true;
}

/**
 * pgx_xmit_rebuild() - have one more skb with the same bytes, for a burst that goes on
 * @run: the run
 *
 * An algorithm may want to run with BH on, so an IPsec packet is left to the next burst.
 *
 * Context: the run's thread, BH off.
 *
 * Return: false if there is none.
 */
bool pgx_xmit_rebuild(struct pgx_run *run)
{
	return !run->plan->ipsec && pgx_xmit_build(run);
}

/* A packet for which there was no memory is due again. */
static bool pgx_xmit_prepare_one(struct pgx_run *run)
{
	u8 *head = run->pkt.head;

	if (!run->resend) {
		pgx_xmit_write(run, &head, 1);
		run->bursts = 0;
	}
	run->resend = !pgx_xmit_build(run);
	return !run->resend;
}

/* Something is in hand that is to be sent, for the first time or once more. */
static bool pgx_xmit_is_ready(const struct pgx_run *run)
{
	if (!pgx_stock_skb(&run->stock))
		return false;
	return run->batches || run->resend || run->bursts < run->cfg->clone_skb;
}

/* Fresh skbs are as many as the kernel makes at a time: what is freed is then used next. */
static u32 pgx_xmit_batch(const struct pgx_run *run)
{
	return run->recycles ? PGX_BATCH : PGX_FRESH_BATCH;
}

/* How many packets of a burst of @n are ready to go. */
static u32 pgx_xmit_prepare(struct pgx_run *run, u32 n)
{
	struct pgx_stock *stock = &run->stock;

	if (!pgx_xmit_is_ready(run)) {
		stock->sent = stock->nr;
		pgx_xmit_survey(run);
		if (run->batches)
			return pgx_xmit_prepare_batch(run, min(n, pgx_xmit_batch(run)));
		return pgx_xmit_prepare_one(run) ? n : 0;
	}
	return run->batches ? min(n, stock->nr - stock->sent) : n;
}

/**
 * pgx_xmit_quota() - count the packets of the next burst
 * @run: the run, its config in place
 *
 * Context: the run's thread.
 *
 * Return: 1 to the config's burst, 0 when all packets are sent.
 */
u32 pgx_xmit_quota(const struct pgx_run *run)
{
	const struct pgx_config *cfg = run->cfg;
	bool copies = cfg->burst_mode == PGX_COPIES;
	u32 burst = cfg->burst;
	u64 sent;

	if (copies && (!run->shared || cfg->xmit_mode == PGX_QUEUE_XMIT))
		burst = 1;
	if (!cfg->count)
		return burst;
	sent = run->stats.pkts;
	return sent < cfg->count ? min_t(u64, burst, cfg->count - sent) : 0;
}

/*
 * The run's time includes that of the last packet, so it ends when nobody else holds its skb, or by
 * request.
 */
static void pgx_xmit_drain(struct pgx_run *run)
{
	if (pgx_stock_is_home(&run->stock)) {
		pgx_run_end(run, PGX_END_COUNT);
		return;
	}
	WRITE_ONCE(run->state, PGX_DRAINING);
	run->deadline = PGX_NEVER;
	pgx_pace_defer(run);
}

/* Packets that the pace counts, taken or not. Drops of the receive path are among those taken. */
static u32 pgx_xmit_attempts(const struct pgx_run *run, const struct pgx_tally *tally)
{
	if (run->cfg->xmit_mode == PGX_NETIF_RECEIVE)
		return tally->pkts;
	return tally->pkts + tally->errors;
}

/* Frame bytes of those. */
static u64 pgx_xmit_volume(const struct pgx_run *run, const struct pgx_tally *tally)
{
	u32 refused = pgx_xmit_attempts(run, tally) - tally->pkts;

	return tally->bytes + (u64)refused * run->frame;
}

static void pgx_xmit_unable(struct pgx_run *run)
{
	if (run->fault)
		pgx_run_end(run, run->fault);
	else
		pgx_pace_defer(run);
}

/*
 * One burst, in parts where its packets differ. It ends early where a queue stops, memory is short
 * or somebody asks for something; the next one begins with what is left in hand then.
 */
static void pgx_xmit_burst(struct pgx_run *run, u32 n)
{
	u32 attempts, sent = 0;
	u64 volume = 0;

	do {
		struct pgx_tally tally = { };
		u32 ready = pgx_xmit_prepare(run, n - sent);

		if (unlikely(!ready)) {
			pgx_xmit_unable(run);
			return;
		}
		local_bh_disable();
		pgx_door_send(run, ready, &tally);
		pgx_stats_add(&run->stats, &tally);
		local_bh_enable();
		attempts = pgx_xmit_attempts(run, &tally);
		volume += pgx_xmit_volume(run, &tally);
		sent += attempts;
	} while (run->batches && sent < n && !run->resend && !READ_ONCE(run->thread->req));
	run->bursts++;
	run->quota = pgx_xmit_quota(run);
	if (unlikely(!run->quota))
		pgx_xmit_drain(run);
	else if (unlikely(run->resend))
		pgx_pace_defer(run);
	else
		pgx_pace_next(run, sent, volume);
}

/*
 * Packets of one turn of the thread. Where nothing else wants a turn and nothing waits for a time,
 * as many bursts come together as a batch holds: what a turn costs is then shared by all.
 */
static u32 pgx_xmit_turn(const struct pgx_run *run)
{
	const struct pgx_config *cfg = run->cfg;
	u32 n = run->quota;

	if (n >= PGX_BATCH || !run->groups || !list_is_singular(&run->thread->active))
		return n;
	/* a packet that a queue drops has no number */
	if (cfg->xmit_mode == PGX_QUEUE_XMIT && !run->lends)
		return n;
	n = PGX_BATCH - PGX_BATCH % cfg->burst;
	return cfg->count ? min_t(u64, n, cfg->count - run->stats.pkts) : n;
}

/**
 * pgx_xmit_over() - see whether a run has to end
 * @run: the run, not idle
 *
 * Context: the run's thread.
 *
 * Return: why it has to, PGX_END_NONE if not.
 */
enum pgx_end pgx_xmit_over(const struct pgx_run *run)
{
	if (!netif_running(run->dev) || !netif_carrier_ok(run->dev))
		return PGX_END_DOWN;
	if (run->deadline != PGX_NEVER && ktime_get_ns() >= run->deadline)
		return PGX_END_DURATION;
	return PGX_END_NONE;
}

/**
 * pgx_xmit_step() - send one burst, or find that the run is over
 * @run: the run, not idle, and due
 *
 * Context: the run's thread; takes one burst's time.
 */
void pgx_xmit_step(struct pgx_run *run)
{
	enum pgx_end end = pgx_xmit_over(run);

	if (unlikely(end))
		pgx_run_end(run, end);
	else if (unlikely(!run->quota || run->state == PGX_DRAINING))
		pgx_xmit_drain(run);
	else
		pgx_xmit_burst(run, pgx_xmit_turn(run));
}
