/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers in network order, and sums of them. */
#ifndef PGX_BYTES_H
#define PGX_BYTES_H

#include <asm/byteorder.h>
#include <linux/string.h>
#include <linux/types.h>

/**
 * put_be16() - write 16 bits
 * @p: where to, of any alignment
 * @v: host order
 */
static inline void put_be16(u8 *p, u16 v)
{
	__be16 word = __cpu_to_be16(v);

	memcpy(p, &word, sizeof(word));
}

/**
 * put_be32() - write 32 bits
 * @p: where to, of any alignment
 * @v: host order
 */
static inline void put_be32(u8 *p, u32 v)
{
	__be32 word = __cpu_to_be32(v);

	memcpy(p, &word, sizeof(word));
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

/*
 * Sums of 16 bit words (RFC 1071). The order of bytes does not matter to them as long as the result
 * is stored as its words were read, so words are added as they stand in memory, two at a time.
 */

/**
 * sum_word() - the part of a sum that four bytes are
 * @p: where they stand, of any alignment
 *
 * Return: what to add.
 */
static inline u64 sum_word(const u8 *p)
{
	u32 word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/**
 * sum_be16() - the part of a sum that a number of 16 bits is
 * @v: host order
 *
 * Return: what to add.
 */
static inline u64 sum_be16(u16 v)
{
	u8 p[4] = { };

	put_be16(p, v);
	return sum_word(p);
}

/**
 * sum_be32() - the part of a sum that a number of 32 bits is
 * @v: host order
 *
 * Return: what to add.
 */
static inline u64 sum_be32(u32 v)
{
	u8 p[4];

	put_be32(p, v);
	return sum_word(p);
}

/**
 * sum_fold() - bring a sum down to 16 bits, with the carries
 * @sum: the sum
 *
 * Return: the sum in ones' complement arithmetic, in the order that its words were read in.
 */
static inline u16 sum_fold(u64 sum)
{
	sum = (sum & 0xffffffff) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return sum + (sum >> 16);
}

/**
 * sum_host() - bring a sum down to a number
 * @sum: the sum
 *
 * Return: the sum in ones' complement arithmetic, host order.
 */
static inline u16 sum_host(u64 sum)
{
	u16 folded = sum_fold(sum);

	return get_be16((const u8 *)&folded);
}

#endif
