/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of a run, and the text that is made from them. */
#ifndef PGX_MEASURE_H
#define PGX_MEASURE_H

#include <linux/preempt.h>
#include <linux/seqlock.h>
#include "pktgen_ext.h"

/**
 * struct pgx_text - a bounded text that grows at its end
 * @buf: where it stands, always NUL terminated
 * @size: bytes at @buf
 * @len: bytes used, without the NUL; at most @size - 1
 */
struct pgx_text {
	char	*buf;
	size_t	size;
	size_t	len;
};

/**
 * enum pgx_end - why a run ended
 * @PGX_END_NONE: it did not, or there was none
 * @PGX_END_COUNT: all packets are sent
 * @PGX_END_DURATION: its time is over
 * @PGX_END_STOP: somebody asked for it
 * @PGX_END_DOWN: the device went down or lost its carrier
 * @PGX_END_CPU: the CPU went offline
 * @PGX_END_IPSEC: a packet has no IPsec state that it can be sent with
 * @PGX_NR_ENDS: how many there are
 */
enum pgx_end {
	PGX_END_NONE,
	PGX_END_COUNT,
	PGX_END_DURATION,
	PGX_END_STOP,
	PGX_END_DOWN,
	PGX_END_CPU,
	PGX_END_IPSEC,
	PGX_NR_ENDS
};

/**
 * struct pgx_tally - what one burst did
 * @pkts: packets that the door took
 * @errors: packets that the door refused or dropped
 * @numbers: how far the sequence number goes on
 * @mix: index of their size in the mix, where it is the same for all; 0 without a mix
 * @bytes: frame bytes of @pkts, without FCS
 * @mixed: packets by their size's index in the mix, PGX_MAX_IMIX of them, set to zero by who adds
 *	them up; NULL where @mix says it
 */
struct pgx_tally {
	u32	pkts;
	u32	errors;
	u32	numbers;
	u32	mix;
	u64	bytes;
	u32	*mixed;
};

/**
 * struct pgx_stats - counters of a run
 * @sync: lets a reader see the values of one moment
 * @pkts: packets that the door took since the start or clear_counters
 * @errors: packets that the door refused or dropped
 * @bytes: frame bytes of @pkts
 * @idle: ns in which the thread waited for a packet's time, a queue or another task
 * @seq: sequence number of the next packet
 * @mix: @pkts by their size's index in the mix; without a mix all are in the first
 *
 * Written by the run's thread alone; read by anybody.
 */
struct pgx_stats {
	seqcount_t	sync;
	u64		pkts;
	u64		errors;
	u64		bytes;
	u64		idle;
	u32		seq;
	u64		mix[PGX_MAX_IMIX];
};

/**
 * struct pgx_snapshot - a run's figures at one moment, the input of the texts
 * @pkts: packets sent
 * @errors: packets refused or dropped by the door
 * @bytes: frame bytes sent
 * @idle: ns of waiting
 * @started: CLOCK_MONOTONIC ns of the start, 0 if there was none
 * @stopped: CLOCK_MONOTONIC ns of the end, of now while running
 * @mix: packets of each size of the mix
 * @mix_size: the sizes
 * @nr_mix: how many, 0 for no mix
 * @end: why it ended, an &enum pgx_end
 * @v6: the addresses are @saddr6 and @daddr6
 * @saddr6: last IPv6 source address
 * @daddr6: last IPv6 destination address
 * @seq: sequence number that the next packet carries
 * @size: bytes of the last frame
 * @frags: fragments of the last skb, -1 if none was built
 * @flows: flows that began
 * @src_mac_offset: offset that the next source MAC has
 * @dst_mac_offset: offset that the next destination MAC has
 * @saddr: last source address, host order
 * @daddr: last destination address, host order
 * @sport: last UDP source port
 * @dport: last UDP destination port
 * @queue: last queue mapping
 */
struct pgx_snapshot {
	u64			pkts;
	u64			errors;
	u64			bytes;
	u64			idle;
	u64			started;
	u64			stopped;
	u64			mix[PGX_MAX_IMIX];
	u32			mix_size[PGX_MAX_IMIX];
	u8			nr_mix;
	u8			end;
	bool			v6;
	struct pgx_addr6	saddr6;
	struct pgx_addr6	daddr6;
	u32			seq;
	u32			size;
	int			frags;
	u32			flows;
	u32			src_mac_offset;
	u32			dst_mac_offset;
	u32			saddr;
	u32			daddr;
	u16			sport;
	u16			dport;
	u16			queue;
};

void pgx_text_init(struct pgx_text *text, char *buf, size_t size);
__printf(2, 3) void pgx_text_add(struct pgx_text *text, const char *fmt, ...);
void pgx_text_add_word(struct pgx_text *text, const char *word, size_t most);
void pgx_text_add_ip4(struct pgx_text *text, u32 addr);
void pgx_text_add_ip6(struct pgx_text *text, struct pgx_addr6 addr);
void pgx_text_add_mac(struct pgx_text *text, const u8 *mac);

/**
 * pgx_stats_begin() - begin to change what a reader should see at one moment
 * @stats: the counters
 *
 * A reader waits until the end, so the writer is not interrupted by one.
 *
 * Context: the run's thread.
 */
static inline void pgx_stats_begin(struct pgx_stats *stats)
{
	preempt_disable();
	raw_write_seqcount_begin(&stats->sync);
}

/**
 * pgx_stats_end() - end what pgx_stats_begin() began
 * @stats: the counters
 */
static inline void pgx_stats_end(struct pgx_stats *stats)
{
	raw_write_seqcount_end(&stats->sync);
	preempt_enable();
}

void pgx_stats_init(struct pgx_stats *stats);
void pgx_stats_clear(struct pgx_stats *stats);
void pgx_stats_add(struct pgx_stats *stats, const struct pgx_tally *tally);
void pgx_stats_idle(struct pgx_stats *stats, u64 ns);
void pgx_stats_copy(const struct pgx_stats *stats, struct pgx_snapshot *snap);

void pgx_result_current(struct pgx_text *text, const struct pgx_snapshot *snap);
void pgx_result_run(struct pgx_text *text, const struct pgx_snapshot *snap);

#endif
