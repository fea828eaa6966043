/* SPDX-License-Identifier: GPL-2.0 */
/* Packets of an entry, one after another, as its thread makes them. */
#ifndef PGX_TEST_TRAFFIC_H
#define PGX_TEST_TRAFFIC_H

#include "entry.h"
#include "traffic/traffic.h"

struct traffic {
	struct entry		entry;
	struct pgx_flow		flow;
	struct pgx_packet	pkt;
	struct pgx_slot		*slots;		/* of their own size, for the sanitizer */
	u32			nr_slots;
};

/* Settings by lines, the last one NULL, then the first setup */
void traffic_begin(struct traffic *traffic, const char *const *lines);
/* The settings are taken over, as after a write while running. */
void traffic_setup(struct traffic *traffic);
/* Other memory when the number of flows is another, the same otherwise */
struct pgx_slot *traffic_slots(struct pgx_slot *slots, u32 *nr, u32 flows);
/* The next values, number, time and checksums, into the headers of @pkt */
void traffic_write(struct pgx_flow *flow, struct pgx_packet *pkt, u32 seq, u32 sec, u32 usec);
/* Sealed, and stamped with the number 1, second 2 and microsecond 3 */
const struct pgx_packet *traffic_next(struct traffic *traffic);
/* What stands in the packet, found without its layout; a MAC's lower four bytes */
u32 traffic_value(const struct traffic *traffic, enum pgx_field field);
/* Likewise, of the next packet */
u32 traffic_draw(struct traffic *traffic, enum pgx_field field);
void traffic_sees(struct traffic *traffic, enum pgx_field field, const u32 *want, int nr);
/* Where the IP header begins, counted from what is set */
size_t traffic_ip(const struct pgx_config *cfg);
u64 be(const u8 *p, int len);

#define BEGIN(traffic, ...)						\
	traffic_begin((traffic), (const char *const[]){ __VA_ARGS__, NULL })
#define SEES(traffic, field, ...)					\
	traffic_sees((traffic), (field), (const u32[]){ __VA_ARGS__ },	\
		     sizeof((u32[]){ __VA_ARGS__ }) / sizeof(u32))

#endif
