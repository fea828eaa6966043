// SPDX-License-Identifier: GPL-2.0
/* The doors: how skbs in hand get into the driver, the qdisc or the receive path. */
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include "engine/engine.h"

/*
 * Give back references that were taken for packets which are not sent with this skb. Our own one
 * remains.
 */
static void pgx_door_unshare(struct sk_buff *skb, u32 refs)
{
	if (refs)
		WARN_ON_ONCE(refcount_sub_and_test(refs, &skb->users));
}

/* The next skbs are somebody else's now. */
static void pgx_door_gave(struct pgx_stock *stock, u32 nr)
{
	u32 place = stock->pos + stock->sent;

	memset(stock->skb + place, 0, nr * sizeof(*stock->skb));
	stock->built = min(stock->built, place);
	stock->sent += nr;
}

/*
 * Copies of one skb into the receive path, as long as the stack hands it back as it was: with
 * our references alone, of its length, and with no clone that holds its data. Taps, RPS, a
 * bridge or a redirect keep it or move it. Returns how many copies were due when that one came
 * which did not come back so, 0 if all did.
 *
 * A function of its own, so that all that the loop looks at is in registers.
 */
static noinline u32 pgx_door_receive_copies(struct sk_buff *skb, struct net_device *dev, u32 left,
					    u32 *drops)
{
	unsigned int len = skb->len;
	u32 dropped = 0;

	do {
		dropped += netif_receive_skb(skb) != NET_RX_SUCCESS;
		/* our own reference and those of the copies to come; this copy's must be gone */
		if (unlikely(pgx_skb_users(skb) != left))
			break;
		/* another CPU may have had it until then */
		smp_rmb();
		if (unlikely(skb->len != len || skb_cloned(skb)))
			break;
		pgx_skb_reset_flags(skb);
		skb->dev = dev;
	} while (--left);
	*drops += dropped;
	return left;
}

/* Where somebody may change the packet each copy begins as the first one did. */
static noinline u32 pgx_door_receive_restored(struct pgx_run *run, struct sk_buff *skb, u32 left,
					      u32 *drops)
{
	struct pgx_stock *stock = &run->stock;

	do {
		*drops += netif_receive_skb(skb) != NET_RX_SUCCESS;
		if (unlikely(pgx_skb_users(skb) != left))
			break;
		if (!pgx_packet_restore(skb, stock->frame[stock->pos], stock->like, &run->pkt,
					left))
			break;
	} while (--left);
	return left;
}

/*
 * Send up to @n copies; returns how many. An skb that did not come back is not in hand any more,
 * but it has time to.
 */
static u32 pgx_door_receive_some(struct pgx_run *run, u32 n, u32 *drops)
{
	struct pgx_stock *stock = &run->stock;
	struct sk_buff *skb = pgx_stock_skb(stock);
	u32 left;

	refcount_add(n, &skb->users);
	if (stock->thorough && run->recycles)
		left = pgx_door_receive_restored(run, skb, n, drops);
	else
		left = pgx_door_receive_copies(skb, run->dev, n, drops);
	if (unlikely(left)) {
		pgx_door_unshare(skb, --left);
		stock->sent = stock->nr;
	}
	return n - left;
}

/* Each copy in an skb of its own, of which the stack gets the only reference. */
static void pgx_door_receive_singly(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	do {
		tally->errors += netif_receive_skb(pgx_stock_skb(&run->stock)) != NET_RX_SUCCESS;
		pgx_door_gave(&run->stock, 1);
	} while (++tally->pkts < n && pgx_xmit_rebuild(run));
}

/*
 * Copies that the stack kept are followed by an skb with the same bytes. Where a tap listens it
 * would keep a clone of each, and who wants to write to the packet after that needs the only
 * reference.
 */
static void pgx_door_receive_one(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	if (!run->lends) {
		pgx_door_receive_singly(run, n, tally);
		return;
	}
	do {
		tally->pkts += pgx_door_receive_some(run, n - tally->pkts, &tally->errors);
	} while (unlikely(tally->pkts < n) && pgx_xmit_rebuild(run));
}

/* Returns how many were dropped. A function of its own for the same reason as above. */
static noinline u32 pgx_door_receive_each(struct sk_buff **skb, u32 n, int users)
{
	struct sk_buff *one;
	u32 drops = 0;

	do {
		one = *skb++;
		refcount_set(&one->users, users);
		drops += netif_receive_skb(one) != NET_RX_SUCCESS;
	} while (--n);
	return drops;
}

/* Packets in hand, from the next one on. */
static struct sk_buff **pgx_door_next(struct pgx_run *run)
{
	return run->stock.skb + run->stock.pos + run->stock.sent;
}

/* So many packets in hand went. Those that were not lent do not come back. */
static void pgx_door_sent(struct pgx_run *run, u32 n)
{
	if (run->lends)
		run->stock.sent += n;
	else
		pgx_door_gave(&run->stock, n);
}

/* The door took packet @i of the batch: its size counts, where that is not the same for all. */
static void pgx_door_count(struct pgx_run *run, u32 i, struct pgx_tally *tally)
{
	tally->bytes += run->batch.size[i];
	run->mixed[run->batch.mix[i]]++;
}

static void pgx_door_receive_batch(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	u32 i, first = run->stock.sent;

	tally->errors = pgx_door_receive_each(pgx_door_next(run), n, run->lends ? 2 : 1);
	tally->pkts = n;
	pgx_door_sent(run, n);
	for (i = first; run->largest && i < first + n; i++)
		pgx_door_count(run, i, tally);
}

static void pgx_door_receive(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	if (run->batches)
		pgx_door_receive_batch(run, n, tally);
	else
		pgx_door_receive_one(run, n, tally);
}

/* Door queue_xmit. A qdisc gets the only reference, as from any other sender. */
static void pgx_door_qdisc(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	struct pgx_stock *stock = &run->stock;
	u32 i = stock->sent;

	do {
		refcount_set(&stock->skb[stock->pos + i]->users, run->lends ? 2 : 1);
		if (dev_queue_xmit(stock->skb[stock->pos + i]) != NET_XMIT_SUCCESS) {
			tally->errors++;
			continue;
		}
		tally->pkts++;
		if (run->largest && run->batches)
			pgx_door_count(run, i, tally);
	} while (++i < stock->sent + n);
	pgx_door_sent(run, n);
}

/*
 * Copies of one skb to the driver until the queue stops or a copy is not taken. Returns how many it
 * consumed.
 */
static u32 pgx_door_driver_copies(struct pgx_run *run, struct netdev_queue *txq, u32 n,
				  struct pgx_tally *tally)
{
	struct sk_buff *skb = pgx_stock_skb(&run->stock);
	struct net_device *dev = run->dev;
	u32 left = n;
	int rc;

	do {
		rc = netdev_start_xmit(skb, dev, txq, left > 1);
		if (unlikely(rc != NETDEV_TX_OK))
			break;
		left--;
	} while (left && !netif_xmit_frozen_or_drv_stopped(txq));
	tally->pkts = n - left;
	if (unlikely(rc != NETDEV_TX_OK && dev_xmit_complete(rc))) {
		tally->errors = 1;
		left--;
	}
	run->resend = !dev_xmit_complete(rc);
	return n - left;
}

static void pgx_door_driver_one(struct pgx_run *run, struct netdev_queue *txq, u32 n,
				struct pgx_tally *tally)
{
	struct sk_buff *skb = pgx_stock_skb(&run->stock);
	u32 consumed;

	if (run->lends) {
		refcount_add(n, &skb->users);
		consumed = pgx_door_driver_copies(run, txq, n, tally);
		pgx_door_unshare(skb, n - consumed);
	} else if (pgx_door_driver_copies(run, txq, 1, tally)) {
		pgx_door_gave(&run->stock, 1);
	}
}

/**
 * struct pgx_driver_pass - packets that go to a driver one after the other
 * @skb: the next one
 * @end: behind the last one
 * @users: references that each has on its way
 * @more: the driver may wait for the next one before it tells the hardware
 */
struct pgx_driver_pass {
	struct sk_buff	**skb;
	struct sk_buff	**end;
	int		users;
	bool		more;
};

/*
 * Until the queue stops or the driver does not say that it took one. A function of its own for the
 * same reason as above. Returns what the driver said last.
 */
static noinline int pgx_door_driver_pass(struct pgx_driver_pass *pass, struct net_device *dev,
					 struct netdev_queue *txq)
{
	const struct net_device_ops *ops = dev->netdev_ops;
	struct sk_buff **skb = pass->skb, **end = pass->end;
	struct sk_buff **last = pass->more ? end - 1 : skb;
	int users = pass->users;
	struct sk_buff *one;
	int rc;

	do {
		one = *skb;
		refcount_set(&one->users, users);
		rc = __netdev_start_xmit(ops, one, dev, skb < last);
		if (unlikely(rc != NETDEV_TX_OK))
			break;
		skb++;
	} while (skb < end && !netif_xmit_frozen_or_drv_stopped(txq));
	/* as netdev_start_xmit() does after each packet; nobody looks before the lock is free */
	if (skb != pass->skb && READ_ONCE(txq->xmit_lock_owner) != -1)
		txq_trans_cond_update(txq);
	pass->skb = skb;
	return rc;
}

/* Those that were sent by a pass, by their sizes. */
static void pgx_door_driver_count(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	u32 i;

	for (i = run->stock.sent; run->largest && i < run->stock.sent + n; i++)
		pgx_door_count(run, i, tally);
	tally->pkts += n;
	pgx_door_sent(run, n);
}

/* The driver dropped one, or did not take it: then it is due again. */
static void pgx_door_driver_not(struct pgx_run *run, int rc, struct pgx_tally *tally)
{
	if (dev_xmit_complete(rc)) {
		tally->errors++;
		pgx_door_sent(run, 1);
		return;
	}
	refcount_set(&pgx_stock_skb(&run->stock)->users, 1);
	run->resend = true;
}

/*
 * A batch may hold several bursts; the hardware is told after each. Single packets are bursts of one,
 * which need no such end.
 */
static u32 pgx_door_burst(const struct pgx_run *run, u32 n)
{
	return run->cfg->burst > 1 ? min(n, run->cfg->burst) : n;
}

/* Each packet in an skb of its own to one queue, until that stops or one is not taken. */
static void pgx_door_driver_each(struct pgx_run *run, struct netdev_queue *txq, u32 n,
				 struct pgx_tally *tally)
{
	u32 end = run->stock.sent + n;
	int rc;

	do {
		struct sk_buff **first = pgx_door_next(run);
		struct pgx_driver_pass pass = {
			.skb = first, .end = first + pgx_door_burst(run, end - run->stock.sent),
			.users = run->lends ? 2 : 1,
			.more = run->cfg->burst > 1
		};

		rc = pgx_door_driver_pass(&pass, run->dev, txq);
		pgx_door_driver_count(run, pass.skb - first, tally);
		if (unlikely(rc != NETDEV_TX_OK))
			pgx_door_driver_not(run, rc, tally);
	} while (run->stock.sent < end && !run->resend &&
		 !netif_xmit_frozen_or_drv_stopped(txq));
	run->resend = run->stock.sent < end;
}

/* How many of the packets in hand, up to @n, go to the queue of the first one. */
static u32 pgx_door_same_queue(struct pgx_run *run, u32 n)
{
	struct sk_buff **skb = pgx_door_next(run);
	u32 i = 1;

	if (!run->describes)
		return n;
	while (i < n && skb_get_queue_mapping(skb[i]) == skb_get_queue_mapping(skb[0]))
		i++;
	return i;
}

static void pgx_door_driver_queue(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	struct netdev_queue *txq = skb_get_tx_queue(run->dev, pgx_stock_skb(&run->stock));

	HARD_TX_LOCK(run->dev, txq, smp_processor_id());
	/* with BH off, since closing a device waits for that before it stops the driver */
	if (unlikely(!netif_running(run->dev) || netif_xmit_frozen_or_drv_stopped(txq)))
		run->resend = true;
	else if (run->batches)
		pgx_door_driver_each(run, txq, n, tally);
	else
		pgx_door_driver_one(run, txq, n, tally);
	HARD_TX_UNLOCK(run->dev, txq);
}

/* Door start_xmit. A stopped queue is no error: what is in hand waits for it. */
static void pgx_door_driver(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	u32 end = run->stock.sent + n;

	run->resend = false;
	if (!run->batches) {
		pgx_door_driver_queue(run, n, tally);
		return;
	}
	do {
		pgx_door_driver_queue(run, pgx_door_same_queue(run, end - run->stock.sent), tally);
	} while (run->stock.sent < end && !run->resend);
}

/* What was sent, in bytes and by size. */
static void pgx_door_tally(struct pgx_run *run, struct pgx_tally *tally)
{
	if (run->largest && run->batches) {
		tally->mixed = run->mixed;
		return;
	}
	tally->bytes = (u64)tally->pkts * run->frame;
	tally->mix = run->flow.mix.cur;
}

/**
 * pgx_door_send() - send packets in hand through the run's door
 * @run: the run
 * @n: packets of a batch, or copies of the skb in hand
 * @tally: zeroed; gets what became of them
 *
 * What is not taken stays in hand and is due again.
 *
 * Context: the run's thread, BH off.
 */
void pgx_door_send(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	switch (run->cfg->xmit_mode) {
	case PGX_START_XMIT:
		pgx_door_driver(run, n, tally);
		break;
	case PGX_NETIF_RECEIVE:
		pgx_door_receive(run, n, tally);
		break;
	default:
		pgx_door_qdisc(run, n, tally);
	}
	/* each packet of a batch has its number, be it taken or not */
	tally->numbers = run->batches && n > 1 ? tally->pkts + tally->errors : tally->pkts;
	pgx_door_tally(run, tally);
}
