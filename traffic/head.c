// SPDX-License-Identifier: GPL-2.0
/*
 * Headers as a whole: where each stands, what no packet changes, and the checksums. A leaf.
 *
 * Ethernet, outer and inner VLAN tag or MPLS labels, IPv4 or IPv6, UDP, generator header.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "traffic/traffic.h"

#define PGX_TYPE_IP4	0x0800
#define PGX_TYPE_IP6	0x86dd
#define PGX_TYPE_VLAN	0x8100
#define PGX_TYPE_SVLAN	0x88a8
#define PGX_TYPE_MPLS	0x8847
#define PGX_PROTO_UDP	17
#define PGX_HOPS	32	/* TTL and hop limit */

static void put_be16(u8 *p, u16 v)
{
	p[0] = v >> 8;
	p[1] = v;
}

static void put_be32(u8 *p, u32 v)
{
	put_be16(p, v >> 16);
	put_be16(p + 2, v);
}

static void put_be64(u8 *p, u64 v)
{
	put_be32(p, v >> 32);
	put_be32(p + 4, v);
}

static u32 get_be16(const u8 *p)
{
	return p[0] << 8 | p[1];
}

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

/* The sum of 16 bit words (RFC 1071); at most 2^16 of them fit. */
static u32 pgx_head_sum(const u8 *p, unsigned int bytes)
{
	u32 sum = 0;
	unsigned int i;

	for (i = 0; i < bytes; i += 2)
		sum += get_be16(p + i);
	return sum;
}

static u16 pgx_head_fold(u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	return sum + (sum >> 16);
}

static void pgx_head_seal_ip4(u8 *ip, u16 ip_id)
{
	put_be16(ip + 4, ip_id);
	put_be16(ip + 10, 0);
	put_be16(ip + 10, ~pgx_head_fold(pgx_head_sum(ip, PGX_IP4_LEN)));
}

/* Addresses, protocol and UDP length. */
static u32 pgx_head_pseudo(const struct pgx_packet *pkt)
{
	const u8 *ip = pkt->head + pkt->at.ip;
	u32 sum = pkt->at.v6 ? pgx_head_sum(ip + 8, 32) : pgx_head_sum(ip + 12, 8);

	return sum + PGX_PROTO_UDP + get_be16(pkt->head + pkt->at.udp + 4);
}

/*
 * What follows the generator header is zeros, which no sum feels. A sum of zero is sent as ones,
 * for zero means that there is none (RFC 768).
 */
static void pgx_head_seal_udp(struct pgx_packet *pkt)
{
	u8 *udp = pkt->head + pkt->at.udp;
	u32 sum = pgx_head_pseudo(pkt);

	put_be16(udp + 6, 0);
	if (pkt->csum == PGX_CSUM_PARTIAL) {
		put_be16(udp + 6, pgx_head_fold(sum));
		return;
	}
	sum = (u16)~pgx_head_fold(sum + pgx_head_sum(udp, PGX_UDP_LEN + PGX_STAMP_LEN));
	put_be16(udp + 6, sum ?: 0xffff);
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
