/* SPDX-License-Identifier: GPL-2.0 */
/* Counters of a run, and the text that is made from them. */
#ifndef PGX_MEASURE_H
#define PGX_MEASURE_H

#include <linux/u64_stats_sync.h>
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
 * struct pgx_tally - what one burst did
 * @pkts: packets that the door took
 * @errors: packets that the door refused or dropped
 * @size: bytes of each frame, without FCS
 */
struct pgx_tally {
	u32	pkts;
	u32	errors;
	u32	size;
};

/**
 * struct pgx_stats - counters of a run
 * @sync: lets a reader on a 32 bit machine see whole values
 * @pkts: packets that the door took since the start or clear_counters
 * @errors: packets that the door refused or dropped
 * @bytes: frame bytes of @pkts
 * @idle: ns in which the thread waited for a packet's time, a queue or another task
 *
 * Written by the run's thread alone, with BH off or from a request; read by anybody.
 */
struct pgx_stats {
	struct u64_stats_sync	sync;
	u64_stats_t		pkts;
	u64_stats_t		errors;
	u64_stats_t		bytes;
	u64_stats_t		idle;
};

/**
 * struct pgx_snapshot - a run's figures at one moment, the input of the texts
 * @pkts: packets sent
 * @errors: packets refused or dropped by the door
 * @bytes: frame bytes sent
 * @idle: ns of waiting
 * @started: CLOCK_MONOTONIC ns of the start, 0 if there was none
 * @stopped: CLOCK_MONOTONIC ns of the end, of now while running
 * @seq: sequence number that the next packet carries
 * @size: bytes of the last frame
 * @frags: fragments of the last skb, -1 if none was built
 * @src_mac_offset: offset that the next source MAC has
 * @dst_mac_offset: offset that the next destination MAC has
 * @saddr: last source address, host order
 * @daddr: last destination address, host order
 * @sport: last UDP source port
 * @dport: last UDP destination port
 * @queue: last queue mapping
 */
struct pgx_snapshot {
	u64	pkts;
	u64	errors;
	u64	bytes;
	u64	idle;
	u64	started;
	u64	stopped;
	u32	seq;
	u32	size;
	int	frags;
	u32	src_mac_offset;
	u32	dst_mac_offset;
	u32	saddr;
	u32	daddr;
	u16	sport;
	u16	dport;
	u16	queue;
};

void pgx_text_init(struct pgx_text *text, char *buf, size_t size);
__printf(2, 3) void pgx_text_add(struct pgx_text *text, const char *fmt, ...);
void pgx_text_add_word(struct pgx_text *text, const char *word, size_t most);
void pgx_text_add_ip4(struct pgx_text *text, u32 addr);
void pgx_text_add_mac(struct pgx_text *text, const u8 *mac);

void pgx_stats_init(struct pgx_stats *stats);
void pgx_stats_clear(struct pgx_stats *stats);
void pgx_stats_add(struct pgx_stats *stats, const struct pgx_tally *tally);
void pgx_stats_idle(struct pgx_stats *stats, u64 ns);
void pgx_stats_read(const struct pgx_stats *stats, struct pgx_snapshot *snap);

void pgx_result_current(struct pgx_text *text, const struct pgx_snapshot *snap);
void pgx_result_run(struct pgx_text *text, const struct pgx_snapshot *snap);

#endif
