/* SPDX-License-Identifier: GPL-2.0 */
/* Lines that nobody would write, though often nearly so. */
#ifndef PGX_TEST_LINES_H
#define PGX_TEST_LINES_H

#include <linux/types.h>

struct lines {
	u64	seed;
	size_t	len;
	char	text[2600];
};

/* One line or some, with a NUL behind them; there may be others between */
void lines_make(struct lines *lines);
u64 lines_pick(struct lines *lines, u64 below);
bool lines_once_in(struct lines *lines, u64 times);

#endif
