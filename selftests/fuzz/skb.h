/* SPDX-License-Identifier: GPL-2.0 */
/* From a config to skbs, by the module's own plan and packet code, and what holds for each skb. */
#ifndef PGX_FUZZ_SKB_H
#define PGX_FUZZ_SKB_H

#include "traffic.h"

/* Complete and check the settings as a start does; if they pass, make @nr skbs of them. */
void skb_start(struct traffic *traffic, int nr);

#endif
