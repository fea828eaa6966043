/* SPDX-License-Identifier: GPL-2.0 */
/* What holds after a line, whatever it was: for tests whose lines nobody chose. */
#ifndef PGX_TEST_HOLDS_H
#define PGX_TEST_HOLDS_H

#include "traffic.h"

/* Some text, of printable characters, shorter than there is room for */
void holds_reply(const struct entry *entry);
/* True in every config that lines have led to, whatever the device is like by now */
void holds_config(const struct pgx_config *cfg);
/* The line was taken: the rules that it touched are kept, and so is the range of every setting. */
void holds_taken(const struct entry *entry);
/*
 * The line was refused with @rc. A refused word changes not even the copy. A clash of settings and
 * a list do; the copy is thrown away.
 */
void holds_refused(const struct entry *entry, int rc);
/* The listing has room and is plain. */
void holds_listing(struct entry *entry);
/* What is listed, written again, is taken for the same value; slow. */
void holds_read_back(struct entry *entry);
/* The settings make packets that a door can be given. The entry's own settings stay. */
void holds_packets(struct traffic *traffic, int nr);
void holds_packet(const struct pgx_config *cfg, const struct pgx_packet *pkt);

#endif
