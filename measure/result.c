// SPDX-License-Identifier: GPL-2.0
/* The text of a run: the "Current:" block and the two lines after "Result:". A leaf. */
#include <linux/kernel.h>
#include <linux/math64.h>
#include "measure/measure.h"

#define NS_PER_US	1000U
#define NS_PER_S	1000000000ULL

static const char *const pgx_result_ends[PGX_NR_ENDS] = {
	[PGX_END_COUNT]		= "count",
	[PGX_END_DURATION]	= "duration",
	[PGX_END_STOP]		= "stop",
	[PGX_END_DOWN]		= "device down",
	[PGX_END_CPU]		= "CPU offline",
	[PGX_END_IPSEC]		= "no IPsec state",
};

static void pgx_result_mix(struct pgx_text *text, const struct pgx_snapshot *snap)
{
	int i;

	if (!snap->nr_mix)
		return;
	pgx_text_add(text, "     imix_size_counts: ");
	for (i = 0; i < snap->nr_mix; i++)
		pgx_text_add(text, "%u,%llu ", snap->mix_size[i],
			     (unsigned long long)snap->mix[i]);
	pgx_text_add(text, "\n");
}

static void pgx_result_addresses(struct pgx_text *text, const struct pgx_snapshot *snap)
{
	pgx_text_add(text, "     cur_saddr: ");
	if (snap->v6)
		pgx_text_add_ip6(text, snap->saddr6);
	else
		pgx_text_add_ip4(text, snap->saddr);
	pgx_text_add(text, "  cur_daddr: ");
	if (snap->v6)
		pgx_text_add_ip6(text, snap->daddr6);
	else
		pgx_text_add_ip4(text, snap->daddr);
}

/**
 * pgx_result_current() - write the block that scripts know as "Current:"
 * @text: where it goes
 * @snap: the run's figures
 *
 * Times are whole us of CLOCK_MONOTONIC. The sequence number is printed signed, as scripts have
 * always seen it.
 */
void pgx_result_current(struct pgx_text *text, const struct pgx_snapshot *snap)
{
	pgx_text_add(text, "Current:\n     pkts-sofar: %llu  errors: %llu\n",
		     (unsigned long long)snap->pkts, (unsigned long long)snap->errors);
	pgx_result_mix(text, snap);
	pgx_text_add(text, "     started: %lluus  stopped: %lluus idle: %lluus\n",
		     (unsigned long long)div_u64(snap->started, NS_PER_US),
		     (unsigned long long)div_u64(snap->stopped, NS_PER_US),
		     (unsigned long long)div_u64(snap->idle, NS_PER_US));
	pgx_text_add(text, "     seq_num: %d  cur_dst_mac_offset: %d  cur_src_mac_offset: %d\n",
		     (int)snap->seq, (int)snap->dst_mac_offset, (int)snap->src_mac_offset);
	pgx_result_addresses(text, snap);
	pgx_text_add(text, "\n     cur_udp_dst: %u  cur_udp_src: %u\n", snap->dport, snap->sport);
	pgx_text_add(text, "     cur_queue_map: %u\n     flows: %u\n", snap->queue, snap->flows);
	if (snap->end != PGX_END_NONE)
		pgx_text_add(text, "     ended-by: %s\n", pgx_result_ends[snap->end]);
}

/* a * b / c, or the largest number where that does not fit: some machines trap on it. */
static u64 pgx_result_scale(u64 a, u64 b, u64 c)
{
	if (b && div64_u64(a, c) >= div64_u64(U64_MAX, b))
		return U64_MAX;
	return mul_u64_u64_div_u64(a, b, c);
}

/*
 * Bits per second: from whole packets per second while all frames are alike, as scripts compute it;
 * else exact.
 */
static u64 pgx_result_bps(const struct pgx_snapshot *snap, u64 pps, u64 ns)
{
	if (snap->bytes == snap->pkts * snap->size)
		return pgx_result_scale(pps, 8ULL * snap->size, 1);
	return pgx_result_scale(snap->bytes, 8 * NS_PER_S, ns);
}

static void pgx_result_no_state(struct pgx_text *text, const struct pgx_snapshot *snap)
{
	pgx_text_add(text,
		     "ERROR: flag IPSEC: after %llu packets one has no usable IPsec state, ",
		     (unsigned long long)snap->pkts);
	pgx_text_add(text, "needed is ESP or AH that is valid, in transport mode from its source ");
	pgx_text_add(text, "to its destination or with the SPI of spi");
}

/**
 * pgx_result_run() - write what a finished run achieved, two lines without the last newline
 * @text: where it goes
 * @snap: the run's figures
 *
 * The first line has the run's length in us, split into work and idle time, the packets, and
 * the last frame's bytes and fragments; the second packets and bits per second. Every division
 * rounds down. A run that could not send its packets has a line that says so instead.
 */
void pgx_result_run(struct pgx_text *text, const struct pgx_snapshot *snap)
{
	u64 ns = max_t(u64, snap->stopped - snap->started, 1);
	u64 idle = min_t(u64, snap->idle, ns);
	u64 pps = pgx_result_scale(snap->pkts, NS_PER_S, ns);
	u64 bps = pgx_result_bps(snap, pps, ns);

	if (snap->end == PGX_END_IPSEC) {
		pgx_result_no_state(text, snap);
		return;
	}
	pgx_text_add(text, "OK: %llu(c%llu+d%llu) usec, %llu (%ubyte,%dfrags)\n",
		     (unsigned long long)div_u64(ns, NS_PER_US),
		     (unsigned long long)div_u64(ns - idle, NS_PER_US),
		     (unsigned long long)div_u64(idle, NS_PER_US),
		     (unsigned long long)snap->pkts, snap->size, snap->frags);
	pgx_text_add(text, "  %llupps %lluMb/sec (%llubps) errors: %llu",
		     (unsigned long long)pps, (unsigned long long)div_u64(bps, 1000000),
		     (unsigned long long)bps, (unsigned long long)snap->errors);
}
