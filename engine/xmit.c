// SPDX-License-Identifier: GPL-2.0
/* One burst: build its skb if a new one is due, send it through the door, account for it. */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include "engine/engine.h"

/**
 * pgx_xmit_drop() - let go of the skb in hand
 * @run: the run
 *
 * Somebody else may still hold it; it is freed by whoever is last.
 *
 * Context: the run's thread.
 */
void pgx_xmit_drop(struct pgx_run *run)
{
	consume_skb(run->skb);
	run->skb = NULL;
	run->resend = false;
}

static void pgx_xmit_stamp(struct pgx_run *run)
{
	struct timespec64 now = { };

	if (!(run->cfg->flags & PGX_F_NO_TIMESTAMP))
		ktime_get_real_ts64(&now);
	pgx_head_stamp(&run->pkt, run->stats.seq, now.tv_sec, now.tv_nsec / NSEC_PER_USEC);
}

/* The number of queues can change at any time, so it is looked at for each skb. */
static void pgx_xmit_queue(struct pgx_run *run)
{
	struct pgx_packet *pkt = &run->pkt;
	u32 queues = READ_ONCE(run->dev->real_num_tx_queues);

	if (run->cfg->flags & PGX_F_QUEUE_MAP_CPU)
		pkt->queue = raw_smp_processor_id();
	if (unlikely(pkt->queue >= queues))
		pkt->queue %= queues;
}

/* A packet that no state can carry ends the run; nothing is sent in its place. */
static void pgx_xmit_encrypt(struct pgx_run *run)
{
	int rc = pgx_ipsec_apply(run->plan->ipsec, run->skb, &run->pkt);

	if (!rc)
		return;
	pgx_xmit_drop(run);
	if (rc != -ENOMEM)
		run->fault = PGX_END_IPSEC;
}

/*
 * An skb with the bytes of the packet as it stands. For the receive path data is after the Ethernet
 * header.
 */
static bool pgx_xmit_build(struct pgx_run *run)
{
	run->skb = pgx_packet_build(run->dev, &run->pkt, run->plan->page);
	if (run->skb && unlikely(run->plan->ipsec))
		pgx_xmit_encrypt(run);
	if (unlikely(!run->skb))
		return false;
	run->frame = run->skb->len;
	run->frags = skb_shinfo(run->skb)->nr_frags;
	if (run->cfg->xmit_mode == PGX_NETIF_RECEIVE)
		run->skb->protocol = eth_type_trans(run->skb, run->dev);
	return true;
}

/*
 * Once more the same bytes, for a burst that goes on. An algorithm may want to run with BH on, so
 * an IPsec packet is left to the next burst.
 */
static bool pgx_xmit_rebuild(struct pgx_run *run)
{
	return !run->plan->ipsec && pgx_xmit_build(run);
}

static void pgx_xmit_advance(struct pgx_run *run)
{
	pgx_xmit_drop(run);
	pgx_stats_begin(&run->stats);
	pgx_flow_next(&run->flow, &run->pkt);
	pgx_xmit_queue(run);
	pgx_stats_end(&run->stats);
	pgx_xmit_stamp(run);
	pgx_head_seal(&run->pkt, run->flow.ip_id++);
	run->bursts = 0;
}

/*
 * Have an skb in hand for the burst: the one before if it may be repeated, else that of the next
 * packet. A packet for which there was no memory is due again.
 */
static bool pgx_xmit_prepare(struct pgx_run *run)
{
	if (run->skb && (run->resend || run->bursts < run->cfg->clone_skb))
		return true;
	if (!run->resend)
		pgx_xmit_advance(run);
	run->resend = !pgx_xmit_build(run);
	return !run->resend;
}

/*
 * Give back references that were taken for packets which are not sent with this skb. Our own one
 * remains.
 */
static void pgx_xmit_unshare(struct sk_buff *skb, u32 refs)
{
	if (refs)
		WARN_ON_ONCE(refcount_sub_and_test(refs, &skb->users));
}

/*
 * References to an skb. A plain read: the call before it makes the compiler look anew, and unlike a
 * volatile one it can be part of the comparison.
 */
static __always_inline u32 pgx_xmit_users(const struct sk_buff *skb)
{
	return skb->users.refs.counter;
}

/*
 * Flags of an skb that are not set in a fresh one: that it was redirected, from where and how deep,
 * whether its hash is valid. They are four bytes behind the packet type, which stays; one store
 * clears what skb_reset_redirect() would, and the rest.
 */
static __always_inline void pgx_xmit_reset_flags(struct sk_buff *skb)
{
	memset((u8 *)skb + PKT_TYPE_OFFSET + 1, 0, 4);
}

/*
 * Copies of one skb into the receive path, as long as the stack hands it back as it was: with
 * our references alone, of its length, and with no clone that holds its data. Taps, RPS, a
 * bridge or a redirect keep it or move it. Returns how many copies were due when that one came
 * which did not come back so, 0 if all did.
 *
 * A function of its own, so that all that the loop looks at is in registers.
 */
static noinline u32 pgx_xmit_receive_copies(struct sk_buff *skb, struct net_device *dev, u32 left,
					    u32 *drops)
{
	unsigned int len = skb->len;
	u32 dropped = 0;

	do {
		dropped += netif_receive_skb(skb) != NET_RX_SUCCESS;
		/* our own reference and those of the copies to come; this copy's must be gone */
		if (unlikely(pgx_xmit_users(skb) != left))
			break;
		/* another CPU may have had it until then */
		smp_rmb();
		if (unlikely(skb->len != len || skb_cloned(skb)))
			break;
		pgx_xmit_reset_flags(skb);
		skb->dev = dev;
	} while (--left);
	*drops += dropped;
	return left;
}

/* Send up to @n copies; returns how many. An skb that did not come back is not in hand any more. */
static u32 pgx_xmit_receive_some(struct pgx_run *run, u32 n, u32 *drops)
{
	struct sk_buff *skb = run->skb;
	u32 left;

	refcount_add(n, &skb->users);
	left = pgx_xmit_receive_copies(skb, run->dev, n, drops);
	if (unlikely(left)) {
		pgx_xmit_unshare(skb, --left);
		pgx_xmit_drop(run);
	}
	return n - left;
}

/* Each copy in an skb of its own, of which the stack gets the only reference. */
static void pgx_xmit_receive_singly(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	do {
		tally->errors += netif_receive_skb(run->skb) != NET_RX_SUCCESS;
		run->skb = NULL;
	} while (++tally->pkts < n && pgx_xmit_rebuild(run));
}

/*
 * Door netif_receive. Copies that the stack kept are followed by an skb with the same bytes.
 * Where a tap listens it would keep a clone of each, and who wants to write to the packet after
 * that needs the only reference.
 */
static void pgx_xmit_receive(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	if (!run->shared || dev_nit_active(run->dev)) {
		pgx_xmit_receive_singly(run, n, tally);
		return;
	}
	do {
		tally->pkts += pgx_xmit_receive_some(run, n - tally->pkts, &tally->errors);
	} while (unlikely(tally->pkts < n) && pgx_xmit_rebuild(run));
}

/* Door queue_xmit. The qdisc gets the only reference, as from any other sender. */
static void pgx_xmit_qdisc(struct pgx_run *run, struct pgx_tally *tally)
{
	if (dev_queue_xmit(run->skb) == NET_XMIT_SUCCESS)
		tally->pkts = 1;
	else
		tally->errors = 1;
	run->skb = NULL;
}

/*
 * Copies of one skb to the driver until the queue stops or a copy is not taken. Returns how many it
 * consumed.
 */
static u32 pgx_xmit_driver_copies(struct pgx_run *run, struct netdev_queue *txq, u32 n,
				  struct pgx_tally *tally)
{
	struct net_device *dev = run->dev;
	struct sk_buff *skb = run->skb;
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

/* Door start_xmit. A stopped queue is no error: the same skb waits for it. */
static void pgx_xmit_driver(struct pgx_run *run, u32 n, struct pgx_tally *tally)
{
	struct sk_buff *skb = run->skb;
	struct netdev_queue *txq = skb_get_tx_queue(run->dev, skb);
	u32 consumed;

	HARD_TX_LOCK(run->dev, txq, smp_processor_id());
	/* with BH off, since closing a device waits for that before it stops the driver */
	if (unlikely(!netif_running(run->dev) || netif_xmit_frozen_or_drv_stopped(txq))) {
		run->resend = true;
	} else if (run->shared) {
		refcount_add(n, &skb->users);
		consumed = pgx_xmit_driver_copies(run, txq, n, tally);
		pgx_xmit_unshare(skb, n - consumed);
	} else if (pgx_xmit_driver_copies(run, txq, 1, tally)) {
		run->skb = NULL;
	}
	HARD_TX_UNLOCK(run->dev, txq);
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
	u32 burst = run->shared ? cfg->burst : 1;
	u64 sent;

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
	if (!run->skb || refcount_read(&run->skb->users) == 1) {
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

static void pgx_xmit_burst(struct pgx_run *run, u32 n)
{
	struct pgx_tally tally = { .size = run->frame, .mix = run->flow.mix.cur };

	local_bh_disable();
	switch (run->cfg->xmit_mode) {
	case PGX_START_XMIT:
		pgx_xmit_driver(run, n, &tally);
		break;
	case PGX_NETIF_RECEIVE:
		pgx_xmit_receive(run, n, &tally);
		break;
	default:
		pgx_xmit_qdisc(run, &tally);
	}
	pgx_stats_add(&run->stats, &tally);
	local_bh_enable();
	run->bursts++;
	run->quota = pgx_xmit_quota(run);
	if (unlikely(!run->quota))
		pgx_xmit_drain(run);
	else if (unlikely(run->resend))
		pgx_pace_defer(run);
	else
		pgx_pace_next(run, pgx_xmit_attempts(run, &tally));
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

static void pgx_xmit_unable(struct pgx_run *run)
{
	if (run->fault)
		pgx_run_end(run, run->fault);
	else
		pgx_pace_defer(run);
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
	else if (likely(pgx_xmit_prepare(run)))
		pgx_xmit_burst(run, run->quota);
	else
		pgx_xmit_unable(run);
}
