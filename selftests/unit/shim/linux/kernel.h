/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PGX_SHIM_KERNEL_H
#define PGX_SHIM_KERNEL_H

#include <stdarg.h>
#include <stdio.h>
#include <linux/types.h>

#define U16_MAX		((u16)~0U)
#define U32_MAX		((u32)~0U)
#define S32_MAX		((s32)(U32_MAX >> 1))
#define U64_MAX		((u64)~0ULL)

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* The comparison of two pointers makes the compiler refuse two types, as the kernel does. */
#define max(a, b) ({				\
	__typeof__(a) _a = (a);			\
	__typeof__(b) _b = (b);			\
	(void)(&_a == &_b);			\
	_a > _b ? _a : _b; })
#define min(a, b) ({				\
	__typeof__(a) _a = (a);			\
	__typeof__(b) _b = (b);			\
	(void)(&_a == &_b);			\
	_a < _b ? _a : _b; })
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define min_t(type, a, b)	min((type)(a), (type)(b))

/* Like vsnprintf(), but the length of what was written. */
__printf(3, 0)
static inline int vscnprintf(char *buf, size_t size, const char *fmt, va_list args)
{
	int len = vsnprintf(buf, size, fmt, args);

	if (!size)
		return 0;
	return len < (int)size ? len : (int)size - 1;
}

#endif
