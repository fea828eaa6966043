// SPDX-License-Identifier: GPL-2.0
/* A run's life on its device: start, settings, end, figures. */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/inetdevice.h>
#include <linux/rtnetlink.h>
#include "engine/engine.h"

static u32 pgx_facts_src_ip(struct net_device *dev)
{
	const struct in_device *in_dev;
	const struct in_ifaddr *ifa = NULL;
	u32 addr;

	rcu_read_lock();
	in_dev = __in_dev_get_rcu(dev);
	if (in_dev)
		ifa = rcu_dereference(in_dev->ifa_list);
	addr = ifa ? ntohl(ifa->ifa_local) : 0;
	rcu_read_unlock();
	return addr;
}

/**
 * pgx_facts_read() - see what a device is like now
 * @dev: the device
 * @name: the entry's name
 * @facts: gets all of it
 *
 * A device takes a frame of its MTU, its own header and one VLAN tag; receivers check for that
 * length.
 *
 * Context: any but hard interrupt; the caller keeps @dev alive.
 */
void pgx_facts_read(struct net_device *dev, const char *name, struct pgx_facts *facts)
{
	facts->name = name;
	ether_addr_copy(facts->mac, dev->dev_addr);
	facts->src_ip = pgx_facts_src_ip(dev);
	facts->max_frame = READ_ONCE(dev->mtu) + dev->hard_header_len + VLAN_HLEN;
	facts->tx_queues = READ_ONCE(dev->real_num_tx_queues);
	facts->sharing = dev->priv_flags & IFF_TX_SKB_SHARING;
}

/**
 * pgx_run_init() - make an idle run
 * @run: the run, zeroed memory
 * @thread: who will run it
 * @dev: the device
 */
void pgx_run_init(struct pgx_run *run, struct pgx_thread *thread, struct net_device *dev)
{
	INIT_LIST_HEAD(&run->node);
	run->thread = thread;
	run->dev = dev;
	run->frags = -1;
	run->flow.rand.state = get_random_u64();
	pgx_stats_init(&run->stats);
}

/*
 * The receive path drops its references before it returns or keeps them, so an skb may be lent to
 * it on any device.
 */
static bool pgx_run_shares(const struct pgx_run *run)
{
	if (!(run->cfg->flags & PGX_F_SHARED) || run->cfg->xmit_mode == PGX_QUEUE_XMIT)
		return false;
	return run->cfg->xmit_mode == PGX_NETIF_RECEIVE ||
	       run->dev->priv_flags & IFF_TX_SKB_SHARING;
}

/**
 * pgx_run_configure() - swap a run's settings
 * @run: the run
 * @cfg: the new settings, checked by control, complete if the run is not idle
 *
 * Context: the run's thread, between two bursts.
 *
 * Return: the settings that were in force, for control to free.
 */
const struct pgx_config *pgx_run_configure(struct pgx_run *run, const struct pgx_config *cfg)
{
	const struct pgx_config *old = run->cfg;
	struct pgx_facts facts;

	run->cfg = cfg;
	if (run->state == PGX_IDLE)
		return old;
	pgx_facts_read(run->dev, NULL, &facts);
	pgx_xmit_drop(run);
	pgx_flow_setup(&run->flow, &run->pkt, cfg, &facts);
	pgx_pace_setup(run);
	/* its skb is gone, so there is nothing to wait for */
	if (run->state == PGX_DRAINING)
		run->due = 0;
	run->shared = pgx_run_shares(run);
	run->quota = pgx_xmit_quota(run);
	return old;
}

/**
 * pgx_run_start() - begin to send
 * @run: the run, idle, counted in its gate by who asks
 *
 * Context: the run's thread.
 */
void pgx_run_start(struct pgx_run *run)
{
	pgx_stats_clear(&run->stats);
	run->seq = 1;
	run->frags = -1;
	run->backoff = 0;
	WRITE_ONCE(run->started, ktime_get_ns());
	WRITE_ONCE(run->state, PGX_RUNNING);
	pgx_flow_rewind(&run->flow);
	pgx_run_configure(run, run->cfg);
	list_add_tail(&run->node, &run->thread->active);
}

/**
 * pgx_run_end() - stop sending and let go of what is in hand
 * @run: the run; nothing happens if it is idle
 *
 * Context: the run's thread.
 */
void pgx_run_end(struct pgx_run *run)
{
	struct pgx_gate *gate = run->thread->gate;

	if (run->state == PGX_IDLE)
		return;
	pgx_xmit_drop(run);
	list_del_init(&run->node);
	WRITE_ONCE(run->stopped, ktime_get_ns());
	/* pairs with the snapshot: who sees the run idle sees when it stopped */
	smp_store_release(&run->state, PGX_IDLE);
	if (atomic_dec_and_test(&gate->running))
		wake_up_all(&gate->wait);
}

/**
 * pgx_run_clear() - set counters and sequence number back
 * @run: the run
 *
 * Context: the run's thread.
 */
void pgx_run_clear(struct pgx_run *run)
{
	pgx_stats_clear(&run->stats);
	run->seq = 1;
	if (run->state != PGX_IDLE)
		run->quota = pgx_xmit_quota(run);
}

/**
 * pgx_run_snapshot() - copy a run's figures
 * @run: the run
 * @snap: gets them; single values are whole, but a burst may end between two of them
 *
 * Context: thread; the caller keeps @run alive.
 */
void pgx_run_snapshot(const struct pgx_run *run, struct pgx_snapshot *snap)
{
	const struct pgx_range *range = run->flow.range;
	bool idle;

	/* pairs with the end of the run */
	idle = smp_load_acquire(&run->state) == PGX_IDLE;
	pgx_stats_read(&run->stats, snap);
	snap->started = READ_ONCE(run->started);
	snap->stopped = idle ? READ_ONCE(run->stopped) : ktime_get_ns();
	snap->seq = READ_ONCE(run->seq);
	snap->size = READ_ONCE(run->pkt.size);
	snap->frags = READ_ONCE(run->frags);
	snap->src_mac_offset = READ_ONCE(range[PGX_SMAC].next);
	snap->dst_mac_offset = READ_ONCE(range[PGX_DMAC].next);
	snap->saddr = READ_ONCE(range[PGX_SADDR].cur);
	snap->daddr = READ_ONCE(range[PGX_DADDR].cur);
	snap->sport = READ_ONCE(range[PGX_SPORT].cur);
	snap->dport = READ_ONCE(range[PGX_DPORT].cur);
	snap->queue = READ_ONCE(run->pkt.queue);
}
