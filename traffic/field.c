// SPDX-License-Identifier: GPL-2.0
/* Single values of a packet: how they are chosen and where they are written. A leaf. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "traffic/bytes.h"
#include "traffic/traffic.h"

/**
 * pgx_rand_next() - draw 32 random bits
 * @rand: the generator
 *
 * SplitMix64 (Steele, Lea, Flood 2014), upper half: a few instructions, no bad seed.
 *
 * Return: 0 to U32_MAX.
 */
u32 pgx_rand_next(struct pgx_rand *rand)
{
	u64 z = (rand->state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return (z ^ z >> 31) >> 32;
}

/**
 * pgx_rand_within() - draw a number from a range
 * @rand: the generator
 * @min: smallest number
 * @max: largest number, not below @min
 *
 * Multiplies instead of dividing; over 2^32 draws no number is off by more than one draw.
 *
 * Return: @min to @max.
 */
u32 pgx_rand_within(struct pgx_rand *rand, u32 min, u32 max)
{
	u64 numbers = (u64)max - min + 1;

	return min + (u32)(numbers * pgx_rand_next(rand) >> 32);
}

/**
 * pgx_range_init() - set a range to its first value
 * @range: the range
 * @min: first value
 * @max: last value; one below @min leaves the constant @min
 * @random: draw the values
 */
void pgx_range_init(struct pgx_range *range, u32 min, u32 max, bool random)
{
	range->min = min;
	range->max = max(min, max);
	range->cur = min;
	range->next = min;
	range->random = random;
}

/**
 * pgx_range_next() - choose the value of the next packet
 * @range: the range
 * @rand: where random values come from
 *
 * Return: the value, which is also @range->cur from now on.
 */
u32 pgx_range_next(struct pgx_range *range, struct pgx_rand *rand)
{
	if (range->random) {
		range->cur = pgx_rand_within(rand, range->min, range->max);
		return range->cur;
	}
	range->cur = range->next;
	range->next = range->cur == range->max ? range->min : range->cur + 1;
	return range->cur;
}

/**
 * pgx_field_mac() - write a MAC address that lies some way after another
 * @to: where it goes
 * @base: address of offset 0
 * @offset: what is added to the lower five bytes, with carry; the first byte stays, so that a
 *	unicast address does
 */
void pgx_field_mac(u8 *to, const u8 *base, u32 offset)
{
	u64 sum = offset;
	int i;

	to[0] = base[0];
	for (i = ETH_ALEN - 1; i > 0; i--) {
		sum += base[i];
		to[i] = sum;
		sum >>= 8;
	}
}

static void pgx_field_size(struct pgx_packet *pkt, u32 size)
{
	pkt->size = size;
	if (pkt->at.v6)
		put_be16(pkt->head + pkt->at.ip + 4, size - pkt->at.ip - PGX_IP6_LEN);
	else
		put_be16(pkt->head + pkt->at.ip + 2, size - pkt->at.ip);
	put_be16(pkt->head + pkt->at.udp + 4, size - pkt->at.udp);
}

/* The lower twelve bits of tag control information, if there is such a tag. */
static void pgx_field_vid(struct pgx_packet *pkt, u8 at, u32 vid)
{
	u8 *tci = pkt->head + at;

	if (!at)
		return;
	tci[0] = (tci[0] & 0xf0) | (vid >> 8 & 0x0f);
	tci[1] = vid;
}

static void pgx_field_addr4(struct pgx_packet *pkt, u8 offset, u32 addr)
{
	if (!pkt->at.v6)
		put_be32(pkt->head + pkt->at.ip + offset, addr);
}

/**
 * pgx_field_write() - write one value into a packet
 * @pkt: the packet
 * @field: which value, neither MAC: those need their base address, see pgx_field_mac(). One that
 *	the packet has no place for is left out
 * @value: host order; PGX_SIZE from the headers' length to PGX_MAX_PKT_SIZE
 */
void pgx_field_write(struct pgx_packet *pkt, enum pgx_field field, u32 value)
{
	switch (field) {
	case PGX_SVID:
		pgx_field_vid(pkt, pkt->at.svlan, value);
		break;
	case PGX_VID:
		pgx_field_vid(pkt, pkt->at.vlan, value);
		break;
	case PGX_SPORT:
		put_be16(pkt->head + pkt->at.udp, value);
		break;
	case PGX_DPORT:
		put_be16(pkt->head + pkt->at.udp + 2, value);
		break;
	case PGX_SADDR:
		pgx_field_addr4(pkt, 12, value);
		break;
	case PGX_DADDR:
		pgx_field_addr4(pkt, 16, value);
		break;
	case PGX_SIZE:
		pgx_field_size(pkt, value);
		break;
	case PGX_QUEUE:
		pkt->queue = value;
		break;
	default:
		break;
	}
}
