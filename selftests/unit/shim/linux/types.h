/* SPDX-License-Identifier: GPL-2.0 */
/* Kernel names of integer types, and the attributes that the kernel has everywhere. */
#ifndef PGX_SHIM_TYPES_H
#define PGX_SHIM_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

typedef unsigned char		u8;
typedef unsigned short		u16;
typedef unsigned int		u32;
typedef unsigned long long	u64;
typedef int			s32;

#define __aligned(x)		__attribute__((aligned(x)))
#define __printf(fmt, args)	__attribute__((format(printf, fmt, args)))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#undef __always_inline
#define __always_inline	inline __attribute__((always_inline))

#endif
