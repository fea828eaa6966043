// SPDX-License-Identifier: GPL-2.0
/*
 * Sizes in exact shares. A leaf.
 *
 * A cycle has one place per packet, as many as the sum of all weights, and each size owns as many
 * of them as it weighs. A packet goes a fixed step on, around the cycle. The step and the cycle's
 * length have no divisor in common, so a cycle meets every place once: the shares are exact after
 * each cycle. The step is near the golden section, so within a cycle each size comes evenly spread.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include "traffic/traffic.h"

#define PGX_MIX_NEAR	32	/* steps that are looked at on either side */

/*
 * How unevenly a step walks a cycle: the sum of the quotients of Euclid's algorithm, which is small
 * near the golden section. All bits set if the two have a divisor in common.
 */
static u64 pgx_mix_unevenness(u64 total, u64 step)
{
	u64 quotient, rest, sum = 0;

	while (step) {
		quotient = div64_u64(total, step);
		rest = total - quotient * step;
		sum += quotient;
		total = step;
		step = rest;
	}
	return total == 1 ? sum : U64_MAX;
}

/* Of the numbers around 0.618 of the cycle the one that walks it most evenly. */
static u64 pgx_mix_step(u64 total)
{
	u64 middle = mul_u64_u64_div_u64(total, 618034, 1000000);
	u64 last = min_t(u64, middle + PGX_MIX_NEAR, total);
	u64 best = 1, least = U64_MAX, step, sum;

	for (step = middle > PGX_MIX_NEAR ? middle - PGX_MIX_NEAR : 1; step <= last; step++) {
		sum = pgx_mix_unevenness(total, step);
		if (sum < least) {
			least = sum;
			best = step;
		}
	}
	return best;
}

/**
 * pgx_mix_setup() - take over the mix of a config
 * @mix: gets it, at the begin of a cycle
 * @cfg: the config
 */
void pgx_mix_setup(struct pgx_mix *mix, const struct pgx_config *cfg)
{
	int i;

	memset(mix, 0, sizeof(*mix));
	mix->nr = cfg->nr_imix;
	for (i = 0; i < mix->nr; i++) {
		mix->total += cfg->imix[i].weight;
		mix->ends[i] = mix->total;
		mix->size[i] = cfg->imix[i].size;
	}
	mix->step = mix->nr ? pgx_mix_step(mix->total) : 0;
}

/**
 * pgx_mix_next() - choose the size of the next packet
 * @mix: the mix, not empty
 *
 * Return: frame bytes; @mix->cur is their index.
 */
u32 pgx_mix_next(struct pgx_mix *mix)
{
	u8 i = 0;

	while (mix->pos >= mix->ends[i])
		i++;
	mix->cur = i;
	mix->pos += mix->step;
	if (mix->pos >= mix->total)
		mix->pos -= mix->total;
	return mix->size[i];
}
