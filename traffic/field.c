// SPDX-License-Identifier: GPL-2.0
/* Single values of a packet: how they are chosen and where they are written. A leaf. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "traffic/bytes.h"
#include "traffic/rand.h"
#include "traffic/traffic.h"

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
		range->cur = pgx_rand_within(rand, range->min, pgx_range_numbers(range));
		return range->cur;
	}
	range->cur = range->next;
	range->next = range->cur == range->max ? range->min : range->cur + 1;
	return range->cur;
}

/* Drawn ones. What the loop needs is in registers. */
static void pgx_range_draw(const struct pgx_range *range, struct pgx_rand *rand, u32 *value, u32 nr)
{
	u64 numbers = pgx_range_numbers(range);
	struct pgx_rand local = *rand;
	u32 min = range->min;

	while (nr--)
		*value++ = pgx_rand_within(&local, min, numbers);
	*rand = local;
}

/* Those in order. */
static void pgx_range_walk(struct pgx_range *range, u32 *value, u32 nr)
{
	u32 min = range->min, max = range->max, next = range->next;

	while (nr--) {
		*value++ = next;
		next = next == max ? min : next + 1;
	}
	range->next = next;
}

/**
 * pgx_range_fill() - choose the values of the next packets
 * @range: the range
 * @rand: where random values come from
 * @value: gets them, the same that pgx_range_next() would choose
 * @nr: how many, at least 1
 */
void pgx_range_fill(struct pgx_range *range, struct pgx_rand *rand, u32 *value, u32 nr)
{
	if (range->random)
		pgx_range_draw(range, rand, value, nr);
	else
		pgx_range_walk(range, value, nr);
	range->cur = value[nr - 1];
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

/**
 * pgx_field_size() - write the lengths that follow from a frame's size
 * @head: the frame
 * @at: where things stand in it
 * @size: frame bytes, from the headers' length to PGX_MAX_PKT_SIZE
 */
void pgx_field_size(u8 *head, const struct pgx_layout *at, u32 size)
{
	if (at->v6)
		put_be16(head + at->ip + 4, size - at->ip - PGX_IP6_LEN);
	else
		put_be16(head + at->ip + 2, size - at->ip);
	put_be16(head + at->udp + 4, size - at->udp);
}

/**
 * pgx_field_vid() - write the lower twelve bits of tag control information
 * @tci: where it stands
 * @vid: VLAN
 */
void pgx_field_vid(u8 *tci, u32 vid)
{
	tci[0] = (tci[0] & 0xf0) | (vid >> 8 & 0x0f);
	tci[1] = vid;
}

/* If there is such a tag. */
static void pgx_field_tag(struct pgx_packet *pkt, u8 at, u32 vid)
{
	if (at)
		pgx_field_vid(pkt->head + at, vid);
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
		pgx_field_tag(pkt, pkt->at.svlan, value);
		break;
	case PGX_VID:
		pgx_field_tag(pkt, pkt->at.vlan, value);
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
		pkt->size = value;
		pgx_field_size(pkt->head, &pkt->at, value);
		break;
	case PGX_QUEUE:
		pkt->queue = value;
		break;
	default:
		break;
	}
}
