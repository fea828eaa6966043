/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PGX_SHIM_MATH64_H
#define PGX_SHIM_MATH64_H

#include <linux/types.h>

static inline u64 div_u64_rem(u64 a, u32 b, u32 *rest)
{
	*rest = a % b;
	return a / b;
}

static inline u64 div_u64(u64 a, u32 b)
{
	return a / b;
}

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

/* A quotient that does not fit traps on x86; so it does here. */
static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	unsigned __int128 quotient = (unsigned __int128)a * b / c;

	if (quotient >> 64)
		__builtin_trap();
	return quotient;
}

static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	return (u64)((unsigned __int128)a * b >> shift);
}

#endif
