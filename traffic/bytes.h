/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers in network order. */
#ifndef PGX_BYTES_H
#define PGX_BYTES_H

#include <linux/types.h>

/**
 * put_be16() - write 16 bits
 * @p: where to, of any alignment
 * @v: host order
 */
static inline void put_be16(u8 *p, u16 v)
{
	p[0] = v >> 8;
	p[1] = v & 0xff;
}

/**
 * put_be32() - write 32 bits
 * @p: where to, of any alignment
 * @v: host order
 */
static inline void put_be32(u8 *p, u32 v)
{
	put_be16(p, v >> 16);
	put_be16(p + 2, v & 0xffff);
}

/**
 * put_be64() - write 64 bits
 * @p: where to, of any alignment
 * @v: host order
 */
static inline void put_be64(u8 *p, u64 v)
{
	put_be32(p, v >> 32);
	put_be32(p + 4, v & 0xffffffff);
}

/**
 * get_be16() - read 16 bits
 * @p: where from, of any alignment
 *
 * Return: host order.
 */
static inline u16 get_be16(const u8 *p)
{
	return p[0] << 8 | p[1];
}

#endif
