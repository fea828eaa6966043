// SPDX-License-Identifier: GPL-2.0
/* A run's life on its device: start, settings, end, figures. */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/inetdevice.h>
#include <linux/nodemask.h>
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

static bool pgx_facts_node(u32 node)
{
	return node < MAX_NUMNODES && node_possible(node);
}

/* Where tags or labels stand in the frame, a device offers what it can do with those alone. */
static u8 pgx_facts_csum(const struct net_device *dev, netdev_features_t one)
{
	netdev_features_t needed = NETIF_F_HW_CSUM | one;
	netdev_features_t has = dev->features & needed;
	u8 csum = 0;

	if (has)
		csum |= PGX_CSUM_PLAIN;
	if (has & dev->vlan_features)
		csum |= PGX_CSUM_VLAN;
	if (has & dev->mpls_features)
		csum |= PGX_CSUM_MPLS;
	return csum;
}

/**
 * pgx_facts_read() - see what a device is like now
 * @dev: the device
 * @name: the entry's name
 * @facts: gets all of it but for the CPU, which is there
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
	facts->src6 = pgx_facts_src6(dev);
	facts->max_frame = READ_ONCE(dev->mtu) + dev->hard_header_len + VLAN_HLEN;
	facts->tx_queues = READ_ONCE(dev->real_num_tx_queues);
	facts->csum4 = pgx_facts_csum(dev, NETIF_F_IP_CSUM);
	facts->csum6 = pgx_facts_csum(dev, NETIF_F_IPV6_CSUM);
	facts->sharing = dev->priv_flags & IFF_TX_SKB_SHARING;
	facts->scatter = dev->features & NETIF_F_SG;
	facts->ipsec = PGX_IPSEC;
	facts->cpu = true;
	facts->node_exists = pgx_facts_node;
}

/**
 * pgx_run_init() - make an idle run
 * @run: the run, zeroed memory
 * @thread: who will run it
 * @dev: the device
 * @plan: its first settings
 */
void pgx_run_init(struct pgx_run *run, struct pgx_thread *thread, struct net_device *dev,
		  struct pgx_plan *plan)
{
	INIT_LIST_HEAD(&run->node);
	run->thread = thread;
	run->dev = dev;
	run->plan = plan;
	run->cfg = &plan->cfg;
	run->frags = -1;
	pgx_flow_seed(&run->flow, get_random_u64());
	pgx_stats_init(&run->stats);
}

/*
 * The receive path drops its references before it returns or keeps them, so an skb may be lent to
 * it on any device.
 */
static bool pgx_run_shares(const struct pgx_run *run)
{
	if (!(run->cfg->flags & PGX_F_SHARED) || run->cfg->skb_mode == PGX_FRESH)
		return false;
	return run->cfg->xmit_mode == PGX_NETIF_RECEIVE ||
	       run->dev->priv_flags & IFF_TX_SKB_SHARING;
}

/* Bytes of the largest packet, 0 where all have the same size. */
static u32 pgx_run_largest(const struct pgx_flow *flow)
{
	const struct pgx_range *range = &flow->range[PGX_SIZE];
	u32 largest = 0;
	int i;

	if (!flow->mix.nr)
		return range->min == range->max ? 0 : range->max;
	for (i = 0; i < flow->mix.nr; i++)
		largest = max(largest, flow->mix.size[i]);
	return largest;
}

/* How its packets are made. */
static void pgx_run_choose(struct pgx_run *run)
{
	const struct pgx_config *cfg = run->cfg;
	const struct pgx_range *dmac = &run->flow.range[PGX_DMAC];

	run->shared = pgx_run_shares(run);
	run->largest = pgx_run_largest(&run->flow);
	run->distinct = !run->plan->ipsec && cfg->clone_skb <= 1 &&
			(cfg->burst_mode == PGX_DISTINCT || cfg->burst == 1);
	run->groups = run->distinct && !cfg->pace && cfg->flags & PGX_F_NO_TIMESTAMP;
	run->describes = run->largest || run->dev->num_tx_queues > 1 ||
			 (cfg->xmit_mode == PGX_NETIF_RECEIVE && dmac->min != dmac->max);
}

/* Counts of another mix say nothing about this one. */
static bool pgx_run_same_mix(const struct pgx_config *a, const struct pgx_config *b)
{
	return a->nr_imix == b->nr_imix && !memcmp(a->imix, b->imix, sizeof(a->imix));
}

static void pgx_run_setup(struct pgx_run *run, const struct pgx_config *old)
{
	struct pgx_facts facts;

	pgx_facts_read(run->dev, NULL, &facts);
	pgx_stats_begin(&run->stats);
	pgx_flow_setup(&run->flow, &run->pkt, run->cfg, &facts, run->plan->slots);
	run->frame = run->pkt.size;
	if (!pgx_run_same_mix(run->cfg, old))
		memset(run->stats.mix, 0, sizeof(run->stats.mix));
	pgx_stats_end(&run->stats);
}

/**
 * pgx_run_configure() - swap a run's settings
 * @run: the run
 * @plan: the new settings, checked by control, complete if the run is not idle
 *
 * Context: the run's thread, between two bursts.
 *
 * Return: the settings that were in force, for control to free.
 */
struct pgx_plan *pgx_run_configure(struct pgx_run *run, struct pgx_plan *plan)
{
	struct pgx_plan *old = run->plan;

	run->plan = plan;
	run->cfg = &plan->cfg;
	if (run->state == PGX_IDLE)
		return old;
	pgx_xmit_drop(run);
	pgx_run_setup(run, &old->cfg);
	pgx_pace_setup(run);
	/* its skb is gone, so there is nothing to wait for */
	if (run->state == PGX_DRAINING)
		run->due = 0;
	pgx_run_choose(run);
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
	run->frags = -1;
	run->backoff = 0;
	run->fault = PGX_END_NONE;
	WRITE_ONCE(run->end, PGX_END_NONE);
	WRITE_ONCE(run->started, ktime_get_ns());
	WRITE_ONCE(run->state, PGX_RUNNING);
	pgx_run_configure(run, run->plan);
	pgx_flow_rewind(&run->flow);
	list_add_tail(&run->node, &run->thread->active);
}

/**
 * pgx_run_end() - stop sending and let go of what is in hand
 * @run: the run; nothing happens if it is idle
 * @end: why
 *
 * Context: the run's thread.
 */
void pgx_run_end(struct pgx_run *run, enum pgx_end end)
{
	struct pgx_gate *gate = run->thread->gate;

	if (run->state == PGX_IDLE)
		return;
	pgx_xmit_drop(run);
	pgx_ipsec_release(run->plan->ipsec);
	list_del_init(&run->node);
	WRITE_ONCE(run->end, end);
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
	if (run->state != PGX_IDLE)
		run->quota = pgx_xmit_quota(run);
}

static void pgx_run_copy(const struct pgx_run *run, struct pgx_snapshot *snap)
{
	const struct pgx_flow *flow = &run->flow;

	pgx_stats_copy(&run->stats, snap);
	snap->size = run->frame;
	snap->frags = run->frags;
	snap->flows = flow->slots.made;
	snap->src_mac_offset = flow->range[PGX_SMAC].next;
	snap->dst_mac_offset = flow->range[PGX_DMAC].next;
	snap->v6 = run->pkt.at.v6;
	snap->saddr6 = flow->saddr6.cur;
	snap->daddr6 = flow->daddr6.cur;
	snap->saddr = flow->range[PGX_SADDR].cur;
	snap->daddr = flow->range[PGX_DADDR].cur;
	snap->sport = flow->range[PGX_SPORT].cur;
	snap->dport = flow->range[PGX_DPORT].cur;
	snap->queue = run->pkt.queue;
	snap->nr_mix = flow->mix.nr;
	memcpy(snap->mix_size, flow->mix.size, sizeof(snap->mix_size));
}

/**
 * pgx_run_snapshot() - copy a run's figures
 * @run: the run
 * @snap: gets them, those of one moment between two bursts
 *
 * Context: thread; the caller keeps @run alive and its settings as they are.
 */
void pgx_run_snapshot(struct pgx_run *run, struct pgx_snapshot *snap)
{
	unsigned int start;
	bool idle;

	/* pairs with the end of the run */
	idle = smp_load_acquire(&run->state) == PGX_IDLE;
	do {
		start = read_seqcount_begin(&run->stats.sync);
		pgx_run_copy(run, snap);
	} while (read_seqcount_retry(&run->stats.sync, start));
	snap->started = READ_ONCE(run->started);
	snap->stopped = idle ? READ_ONCE(run->stopped) : ktime_get_ns();
	snap->end = idle ? READ_ONCE(run->end) : PGX_END_NONE;
}
