// SPDX-License-Identifier: GPL-2.0
/* IPv6 addresses as numbers of 128 bits, and ranges of them. A leaf. */
#include <linux/kernel.h>
#include "traffic/rand.h"
#include "traffic/traffic.h"

#define PGX_DRAWS6	16	/* a draw is within its range with a chance of one half or more */

/**
 * pgx_addr6_less() - compare two addresses
 * @a: one
 * @b: the other
 *
 * Return: true if @a is below @b.
 */
bool pgx_addr6_less(struct pgx_addr6 a, struct pgx_addr6 b)
{
	return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

/**
 * pgx_addr6_set() - see whether an address was given
 * @addr: the address
 *
 * Return: false for the unspecified address.
 */
bool pgx_addr6_set(struct pgx_addr6 addr)
{
	return addr.hi || addr.lo;
}

static struct pgx_addr6 pgx_addr6_add(struct pgx_addr6 a, struct pgx_addr6 b)
{
	a.lo += b.lo;
	a.hi += b.hi + (a.lo < b.lo);
	return a;
}

static struct pgx_addr6 pgx_addr6_sub(struct pgx_addr6 a, struct pgx_addr6 b)
{
	a.hi -= b.hi + (a.lo < b.lo);
	a.lo -= b.lo;
	return a;
}

/* The highest bit set, and all below it. */
static u64 pgx_addr6_fill(u64 bits)
{
	int shift;

	for (shift = 1; shift < 64; shift *= 2)
		bits |= bits >> shift;
	return bits;
}

/**
 * pgx_range6_init() - set a range to its first address
 * @range: the range
 * @min: first address
 * @max: last address; one below @min leaves the constant @min
 * @random: draw the addresses
 */
void pgx_range6_init(struct pgx_range6 *range, struct pgx_addr6 min, struct pgx_addr6 max,
		     bool random)
{
	struct pgx_addr6 span;

	range->min = min;
	range->max = pgx_addr6_less(min, max) ? max : min;
	span = pgx_addr6_sub(range->max, range->min);
	range->mask.hi = pgx_addr6_fill(span.hi);
	range->mask.lo = span.hi ? U64_MAX : pgx_addr6_fill(span.lo);
	range->cur = min;
	range->next = min;
	range->random = random;
}

static u64 pgx_addr6_bits(struct pgx_rand *rand)
{
	u64 high = pgx_rand_next(rand) & ~(u64)U32_MAX;

	return high | pgx_rand_next(rand) >> 32;
}

/*
 * Draw as many bits as the range needs until the number lies in it. After the last draw, which is
 * hardly ever needed, one above is brought down: it lies less than the range above its end.
 */
static struct pgx_addr6 pgx_range6_draw(const struct pgx_range6 *range, struct pgx_rand *rand)
{
	struct pgx_addr6 span = pgx_addr6_sub(range->max, range->min);
	struct pgx_addr6 offset;
	int draw = 0;

	do {
		offset.hi = pgx_addr6_bits(rand) & range->mask.hi;
		offset.lo = pgx_addr6_bits(rand) & range->mask.lo;
	} while (pgx_addr6_less(span, offset) && ++draw < PGX_DRAWS6);
	if (pgx_addr6_less(span, offset))
		offset = pgx_addr6_sub(offset, span);
	return pgx_addr6_add(range->min, offset);
}

static bool pgx_addr6_equal(struct pgx_addr6 a, struct pgx_addr6 b)
{
	return a.hi == b.hi && a.lo == b.lo;
}

/**
 * pgx_range6_next() - choose the address of the next packet
 * @range: the range
 * @rand: where random addresses come from
 *
 * Return: the address, which is also @range->cur from now on.
 */
struct pgx_addr6 pgx_range6_next(struct pgx_range6 *range, struct pgx_rand *rand)
{
	static const struct pgx_addr6 one = { .lo = 1 };

	if (range->random) {
		range->cur = pgx_range6_draw(range, rand);
		return range->cur;
	}
	range->cur = range->next;
	range->next = pgx_addr6_equal(range->cur, range->max) ? range->min :
		      pgx_addr6_add(range->cur, one);
	return range->cur;
}
