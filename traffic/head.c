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
 * @mpls: where the first one stands
 * @i: which one, from 0
 * @nr: how many there are
 * @word: label, traffic class and TTL; the bottom of stack bit is set right whatever it is here
 */
void pgx_head_label(u8 *mpls, unsigned int i, unsigned int nr, u32 word)
{
	word &= ~PGX_LABEL_LAST;
	if (i == nr - 1)
		word |= PGX_LABEL_LAST;
	put_be32(mpls + PGX_LABEL_LEN * i, word);
}

static void pgx_head_labels(struct pgx_packet *pkt, const struct pgx_config *cfg)
{
	unsigned int i;

	for (i = 0; i < cfg->nr_labels; i++)
		pgx_head_label(pkt->head + pkt->at.mpls, i, cfg->nr_labels, cfg->labels[i]);
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
 * @to: where it stands
 * @addr: the address
 */
void pgx_head_addr6(u8 *to, struct pgx_addr6 addr)
{
	put_be64(to, addr.hi);
	put_be64(to + 8, addr.lo);
}

static u64 pgx_head_sum(const u8 *p, unsigned int words)
{
	u64 sum = 0;

	for (; words--; p += 4)
		sum += sum_word(p);
	return sum;
}

/**
 * pgx_head_sum_ip4() - add up the IPv4 header
 * @head: the frame
 * @at: where things stand in it
 *
 * Return: the sum, not folded.
 */
u64 pgx_head_sum_ip4(const u8 *head, const struct pgx_layout *at)
{
	return pgx_head_sum(head + at->ip, PGX_IP4_LEN / 4);
}

/* Addresses, protocol and UDP length, the latter from the UDP header. */
static u64 pgx_head_sum_pseudo(const u8 *head, const struct pgx_layout *at)
{
	const u8 *udp = head + at->udp;
	const u8 rest[4] = { 0, PGX_PROTO_UDP, udp[4], udp[5] };

	return sum_word(rest) + (at->v6 ? pgx_head_sum(head + at->ip + 8, 8) :
				 pgx_head_sum(head + at->ip + 12, 2));
}

/**
 * pgx_head_sum_udp() - add up what the UDP checksum stands for
 * @head: the frame
 * @at: where things stand in it
 * @csum: an &enum pgx_csum, not PGX_CSUM_NONE
 *
 * What follows the generator header is zeros, which no sum feels. Where the device computes the
 * checksum it is given that of the pseudo header.
 *
 * Return: the sum, not folded.
 */
u64 pgx_head_sum_udp(const u8 *head, const struct pgx_layout *at, u8 csum)
{
	u64 sum = pgx_head_sum_pseudo(head, at);

	if (csum == PGX_CSUM_FULL)
		sum += pgx_head_sum(head + at->udp, (PGX_UDP_LEN + PGX_STAMP_LEN) / 4);
	return sum;
}
