// SPDX-License-Identifier: GPL-2.0
/*
 * Headers as a whole: where each stands, what no packet changes, and the checksums. A leaf.
 *
 * Ethernet, outer and inner VLAN tag or MPLS labels, IPv4 or IPv6, UDP, generator header.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "traffic/bytes.h"
#include "traffic/traffic.h"

#define PGX_TYPE_IP4	0x0800
#define PGX_TYPE_IP6	0x86dd
#define PGX_TYPE_VLAN	0x8100
#define PGX_TYPE_SVLAN	0x88a8
#define PGX_TYPE_MPLS	0x8847
#define PGX_PROTO_UDP	17
#define PGX_HOPS	32	/* TTL and hop limit */

/**
 * pgx_head_layout() - find where each header of a config stands
 * @at: gets it
 * @cfg: the config
 */
void pgx_head_layout(struct pgx_layout *at, const struct pgx_config *cfg)
{
	u8 end = PGX_ETH_LEN;

	memset(at, 0, sizeof(*at));
	at->v6 = cfg->flags & PGX_F_IPV6;
	if (cfg->svlan_id != PGX_NO_VID) {
		at->svlan = end;
		end += PGX_TAG_LEN;
	}
	if (cfg->vlan_id != PGX_NO_VID) {
		at->vlan = end;
		end += PGX_TAG_LEN;
	}
	if (cfg->nr_labels) {
		at->mpls = end;
		end += cfg->nr_labels * PGX_LABEL_LEN;
	}
	at->ip = end;
	at->udp = at->ip + (at->v6 ? PGX_IP6_LEN : PGX_IP4_LEN);
	at->stamp = at->udp + PGX_UDP_LEN;
	at->len = at->stamp + PGX_STAMP_LEN;
}

/**
 * pgx_head_len() - count the bytes of all headers of a config
 * @cfg: the config
 *
 * Return: bytes, the shortest frame that it can make.
 */
u32 pgx_head_len(const struct pgx_config *cfg)
{
	struct pgx_layout at;

	pgx_head_layout(&at, cfg);
	return at.len;
}

static u16 pgx_head_tpid(const struct pgx_config *cfg)
{
	return cfg->svlan_tpid ? PGX_TYPE_SVLAN : PGX_TYPE_VLAN;
}

static u16 pgx_head_tci(u8 priority, u8 cfi, u16 vid)
{
	return priority << 13 | cfi << 12 | vid;
}

/* Each tag is written so that its type stands where an Ethernet type is looked for. */
static void pgx_head_tags(struct pgx_packet *pkt, const struct pgx_config *cfg)
{
	const struct pgx_layout *at = &pkt->at;

	if (at->svlan) {
		put_be16(pkt->head + at->svlan - 2, pgx_head_tpid(cfg));
		put_be16(pkt->head + at->svlan,
			 pgx_head_tci(cfg->svlan_p, cfg->svlan_cfi, cfg->svlan_id));
	}
	if (at->vlan) {
		put_be16(pkt->head + at->vlan - 2, PGX_TYPE_VLAN);
		put_be16(pkt->head + at->vlan,
			 pgx_head_tci(cfg->vlan_p, cfg->vlan_cfi, cfg->vlan_id));
	}
}

/**
 * pgx_head_label() - write an MPLS word
 * @pkt: the packet, which has labels
 * @i: which one, from 0
 * @nr: how many there are
 * @word: label, traffic class and TTL; the bottom of stack bit is set right whatever it is here
 */
void pgx_head_label(struct pgx_packet *pkt, unsigned int i, unsigned int nr, u32 word)
{
	word &= ~PGX_LABEL_LAST;
	if (i == nr - 1)
		word |= PGX_LABEL_LAST;
	put_be32(pkt->head + pkt->at.mpls + PGX_LABEL_LEN * i, word);
}

static void pgx_head_labels(struct pgx_packet *pkt, const struct pgx_config *cfg)
{
	unsigned int i;

	for (i = 0; i < cfg->nr_labels; i++)
		pgx_head_label(pkt, i, cfg->nr_labels, cfg->labels[i]);
}

static void pgx_head_ip4(u8 *ip, const struct pgx_config *cfg)
{
	ip[0] = 0x45;
	ip[1] = cfg->tos;
	ip[8] = PGX_HOPS;
	ip[9] = PGX_PROTO_UDP;
}

static void pgx_head_ip6(u8 *ip, const struct pgx_config *cfg)
{
	put_be32(ip, 6U << 28 | cfg->traffic_class << 20);
	ip[6] = PGX_PROTO_UDP;
	ip[7] = PGX_HOPS;
}

/**
 * pgx_head_write() - write what no packet changes
 * @pkt: gets layout, headers and outer type
 * @cfg: the config
 */
void pgx_head_write(struct pgx_packet *pkt, const struct pgx_config *cfg)
{
	const struct pgx_layout *at = &pkt->at;

	pgx_head_layout(&pkt->at, cfg);
	memset(pkt->head, 0, sizeof(pkt->head));
	if (at->mpls)
		put_be16(pkt->head + at->mpls - 2, PGX_TYPE_MPLS);
	else
		put_be16(pkt->head + at->ip - 2, at->v6 ? PGX_TYPE_IP6 : PGX_TYPE_IP4);
	pgx_head_tags(pkt, cfg);
	/* what follows a tag is the type of what the tag was put before */
	pgx_head_labels(pkt, cfg);
	if (at->v6)
		pgx_head_ip6(pkt->head + at->ip, cfg);
	else
		pgx_head_ip4(pkt->head + at->ip, cfg);
	put_be32(pkt->head + at->stamp, PGX_MAGIC);
	pkt->protocol = get_be16(pkt->head + PGX_ETH_LEN - 2);
}

/**
 * pgx_head_addr6() - write an IPv6 address
 * @pkt: the packet; nothing is written if it is IPv4
 * @field: PGX_SADDR6 or PGX_DADDR6
 * @addr: the address
 */
void pgx_head_addr6(struct pgx_packet *pkt, enum pgx_field field, struct pgx_addr6 addr)
{
	u8 *to = pkt->head + pkt->at.ip + (field == PGX_SADDR6 ? 8 : 24);

	if (!pkt->at.v6)
		return;
	put_be64(to, addr.hi);
	put_be64(to + 8, addr.lo);
}

/**
 * pgx_head_stamp() - write sequence number and time into the generator header
 * @pkt: the packet
 * @seq: sequence number
 * @sec: seconds of CLOCK_REALTIME, modulo 2^32
 * @usec: microseconds
 */
void pgx_head_stamp(struct pgx_packet *pkt, u32 seq, u32 sec, u32 usec)
{
	u8 *stamp = pkt->head + pkt->at.stamp;

	put_be32(stamp + 4, seq);
	put_be32(stamp + 8, sec);
	put_be32(stamp + 12, usec);
}

/*
 * Sums of 16 bit words (RFC 1071). The order of bytes does not matter to them as long as the result
 * is stored as its words were read, so they are read four bytes at a time, as they stand.
 */
static __always_inline u64 pgx_head_word(const u8 *p)
{
	u32 word;

	memcpy(&word, p, sizeof(word));
	return word;
}

static __always_inline u64 pgx_head_sum8(const u8 *p)
{
	return pgx_head_word(p) + pgx_head_word(p + 4);
}

static __always_inline u64 pgx_head_sum16(const u8 *p)
{
	return pgx_head_sum8(p) + pgx_head_sum8(p + 8);
}

static __always_inline u16 pgx_head_fold(u64 sum)
{
	sum = (sum & U32_MAX) + (sum >> 32);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return sum + (sum >> 16);
}

static void pgx_head_seal_ip4(u8 *ip, u16 ip_id)
{
	u16 sum;

	put_be16(ip + 4, ip_id);
	memset(ip + 10, 0, 2);
	sum = ~pgx_head_fold(pgx_head_sum16(ip) + pgx_head_word(ip + 16));
	memcpy(ip + 10, &sum, sizeof(sum));
}

/* Addresses, protocol and UDP length, the latter from the UDP header. */
static u64 pgx_head_pseudo(const struct pgx_packet *pkt)
{
	const u8 *ip = pkt->head + pkt->at.ip;
	const u8 *udp = pkt->head + pkt->at.udp;
	const u8 rest[4] = { 0, PGX_PROTO_UDP, udp[4], udp[5] };
	u64 sum = pgx_head_word(rest);

	if (pkt->at.v6)
		return sum + pgx_head_sum16(ip + 8) + pgx_head_sum16(ip + 24);
	return sum + pgx_head_sum8(ip + 12);
}

/*
 * What follows the generator header is zeros, which no sum feels. A sum of zero is sent as ones,
 * for zero means that there is none (RFC 768).
 */
static void pgx_head_seal_udp(struct pgx_packet *pkt)
{
	u8 *udp = pkt->head + pkt->at.udp;
	u64 sum = pgx_head_pseudo(pkt);
	u16 csum;

	memset(udp + 6, 0, 2);
	csum = pgx_head_fold(sum);
	if (pkt->csum == PGX_CSUM_FULL) {
		csum = ~pgx_head_fold(sum + pgx_head_sum16(udp) + pgx_head_sum8(udp + 16));
		csum = csum ?: U16_MAX;
	}
	memcpy(udp + 6, &csum, sizeof(csum));
}

/**
 * pgx_head_seal() - write what depends on all the rest: identification and checksums
 * @pkt: the packet
 * @ip_id: IPv4 identification
 */
void pgx_head_seal(struct pgx_packet *pkt, u16 ip_id)
{
	if (!pkt->at.v6)
		pgx_head_seal_ip4(pkt->head + pkt->at.ip, ip_id);
	if (pkt->csum != PGX_CSUM_NONE)
		pgx_head_seal_udp(pkt);
}
