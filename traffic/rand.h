/* SPDX-License-Identifier: GPL-2.0 */
/* Random numbers that loops draw. */
#ifndef PGX_RAND_H
#define PGX_RAND_H

#include <linux/math64.h>
#include "traffic/traffic.h"

/**
 * pgx_rand_next() - draw 64 bits, the upper ones random
 * @rand: the generator
 *
 * Linear congruential modulo 2^64, with Knuth's multiplier: two instructions, a period of 2^64, no
 * bad seed. Bit n has a period of 2^(n + 1), so the lower half is not for use.
 *
 * Return: 0 to U64_MAX.
 */
static inline u64 pgx_rand_next(struct pgx_rand *rand)
{
	rand->state = rand->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return rand->state;
}

/**
 * pgx_rand_mix() - make a state that is unlike those of near seeds
 * @rand: any state, which goes on
 *
 * SplitMix64 (Steele, Lea, Flood 2014).
 *
 * Return: 0 to U64_MAX.
 */
static inline u64 pgx_rand_mix(struct pgx_rand *rand)
{
	u64 z = (rand->state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/**
 * pgx_rand_within() - draw a number from a range
 * @rand: the generator
 * @min: smallest number
 * @numbers: how many there are, 1 to 2^32
 *
 * Multiplies instead of dividing, so that the upper bits decide; over 2^64 draws no number is off by
 * more than one draw.
 *
 * Return: @min to @min + @numbers - 1.
 */
static inline u32 pgx_rand_within(struct pgx_rand *rand, u32 min, u64 numbers)
{
	return min + (u32)mul_u64_u64_shr(pgx_rand_next(rand), numbers, 64);
}

/**
 * pgx_range_numbers() - count the numbers of a range
 * @range: the range
 *
 * Return: 1 to 2^32.
 */
static inline u64 pgx_range_numbers(const struct pgx_range *range)
{
	return (u64)range->max - range->min + 1;
}

#endif
