// SPDX-License-Identifier: GPL-2.0
/*
 * IPsec: encrypts or authenticates a packet by a state (SA) that was set up beforehand. Left out of
 * a kernel that lacks what it needs.
 *
 * The stack does this for a packet that has a route with a bundle of states; here the parts of it
 * that need no route are called one by one. The ESP or AH transform must not go on after it
 * returned, for then it would resume the packet by its route. So a state is looked at once, and one
 * whose algorithm works in the background is not used.
 */
#include <crypto/aead.h>
#include <crypto/hash.h>
#include <linux/crypto.h>
#include <linux/if_ether.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/ah.h>
#include <net/dst.h>
#include <net/ip.h>
#include <net/xfrm.h>
#include "traffic/ipsec.h"

/**
 * struct pgx_ipsec - how the packets of a run become IPsec packets
 * @dev: the device; the entry holds the reference
 * @spi: which state, 0 to find one by address
 * @x: the state in use, with a reference; NULL if there is none
 * @dst4: stands in for the route of an IPv4 packet, from which an outer header is filled in
 * @dst6: the same for IPv6
 *
 * Control makes and frees it; in between it is the thread's that owns the run.
 */
struct pgx_ipsec {
	struct net_device	*dev;
	u32			spi;
	struct xfrm_state	*x;
	struct xfrm_dst		dst4;
	struct xfrm_dst		dst6;
};

static struct dst_ops pgx_ipsec_ops4 = { .family = AF_INET };
static struct dst_ops pgx_ipsec_ops6 = { .family = AF_INET6 };

static void pgx_ipsec_dst_init(struct xfrm_dst *xdst, struct net_device *dev, struct dst_ops *ops)
{
	struct dst_entry *dst = &xdst->u.dst;

	dst->dev = dev;
	dst->ops = ops;
	dst_init_metrics(dst, dst_default_metrics.metrics, true);
	xdst->child = dst;
}

/**
 * pgx_ipsec_create() - prepare for IPsec
 * @dev: the device that the packets are for
 * @spi: security parameter index, host order, 0 to find states by address
 *
 * Context: sleeps.
 *
 * Return: the object, NULL if there was no memory.
 */
struct pgx_ipsec *pgx_ipsec_create(struct net_device *dev, u32 spi)
{
	struct pgx_ipsec *sec = kzalloc(sizeof(*sec), GFP_KERNEL);

	if (!sec)
		return NULL;
	sec->dev = dev;
	sec->spi = spi;
	pgx_ipsec_dst_init(&sec->dst4, dev, &pgx_ipsec_ops4);
	pgx_ipsec_dst_init(&sec->dst6, dev, &pgx_ipsec_ops6);
	return sec;
}

/**
 * pgx_ipsec_release() - let go of the state in use
 * @sec: the object, may be NULL
 *
 * Context: whoever owns the object.
 */
void pgx_ipsec_release(struct pgx_ipsec *sec)
{
	if (sec && sec->x)
		xfrm_state_put(sec->x);
	if (sec)
		sec->x = NULL;
}

/**
 * pgx_ipsec_free() - end IPsec
 * @sec: the object, may be NULL
 *
 * Context: sleeps; no run uses it any more.
 */
void pgx_ipsec_free(struct pgx_ipsec *sec)
{
	pgx_ipsec_release(sec);
	kfree(sec);
}

static xfrm_address_t pgx_ipsec_addr(const struct pgx_packet *pkt, bool dst)
{
	const u8 *ip = pkt->head + pkt->at.ip;
	xfrm_address_t addr = { };

	if (pkt->at.v6)
		memcpy(&addr, ip + (dst ? 24 : 8), sizeof(addr.a6));
	else
		memcpy(&addr, ip + (dst ? 16 : 12), sizeof(addr.a4));
	return addr;
}

static u16 pgx_ipsec_family(const struct pgx_packet *pkt)
{
	return pkt->at.v6 ? AF_INET6 : AF_INET;
}

static struct xfrm_state *pgx_ipsec_find_spi(const struct pgx_ipsec *sec,
					     const struct pgx_packet *pkt)
{
	struct net *net = dev_net(sec->dev);
	u16 family = pgx_ipsec_family(pkt);
	struct xfrm_state *x = xfrm_state_lookup_byspi(net, htonl(sec->spi), family);

	if (x)
		return x;
	/* a tunnel may be of the other family */
	return xfrm_state_lookup_byspi(net, htonl(sec->spi),
				       family == AF_INET ? AF_INET6 : AF_INET);
}

static struct xfrm_state *pgx_ipsec_find(const struct pgx_ipsec *sec, const struct pgx_packet *pkt)
{
	xfrm_address_t src, dst;

	if (sec->spi)
		return pgx_ipsec_find_spi(sec, pkt);
	src = pgx_ipsec_addr(pkt, false);
	dst = pgx_ipsec_addr(pkt, true);
	return xfrm_stateonly_find(dev_net(sec->dev), 0, 0, &dst, &src, pgx_ipsec_family(pkt),
				   XFRM_MODE_TRANSPORT, IPPROTO_ESP, 0);
}

/*
 * One that works in hardware or hands its work to another thread. Looks at what is there; loads and
 * makes nothing, which could take seconds.
 */
static bool pgx_ipsec_background(const char *driver)
{
	const u32 type = CRYPTO_ALG_ASYNC | CRYPTO_ALG_KERN_DRIVER_ONLY | CRYPTO_ALG_TESTED;
	char name[CRYPTO_MAX_ALG_NAME];
	char *rest = name, *part;

	if (strstr(driver, "cryptd(") || strstr(driver, "pcrypt("))
		return true;
	strscpy(name, driver, sizeof(name));
	while ((part = strsep(&rest, "(),")))
		if (*part && crypto_has_alg(part, type, type | CRYPTO_NOLOAD))
			return true;
	return false;
}

/*
 * Many algorithms are marked asynchronous because they can be used where vector registers can not;
 * in a thread they finish at once.
 */
static bool pgx_ipsec_finishes(struct xfrm_state *x)
{
	struct crypto_tfm *tfm;
	struct ah_data *ahp;

	if (x->id.proto == IPPROTO_ESP) {
		tfm = crypto_aead_tfm(x->data);
	} else {
		ahp = x->data;
		tfm = crypto_ahash_tfm(ahp->ahash);
	}
	return !(tfm->__crt_alg->cra_flags & CRYPTO_ALG_ASYNC) ||
	       !pgx_ipsec_background(crypto_tfm_alg_driver_name(tfm));
}

/* Whether a state is one that is understood here. */
static bool pgx_ipsec_usable(struct xfrm_state *x, const struct pgx_packet *pkt)
{
	if (x->km.state != XFRM_STATE_VALID || x->encap || x->tfcpad || x->xso.dev)
		return false;
	if (x->id.proto != IPPROTO_ESP && x->id.proto != IPPROTO_AH)
		return false;
	if (x->props.mode == XFRM_MODE_TRANSPORT && x->props.family != pgx_ipsec_family(pkt))
		return false;
	if (x->props.mode != XFRM_MODE_TRANSPORT && x->props.mode != XFRM_MODE_TUNNEL)
		return false;
	return pgx_ipsec_finishes(x);
}

/* Whether the state in use is the one for this packet too. */
static bool pgx_ipsec_fits(const struct pgx_ipsec *sec, const struct pgx_packet *pkt)
{
	const struct xfrm_state *x = sec->x;
	u16 family = pgx_ipsec_family(pkt);
	xfrm_address_t addr;

	if (!x || x->km.state != XFRM_STATE_VALID)
		return false;
	if (sec->spi)
		return true;
	addr = pgx_ipsec_addr(pkt, true);
	if (!xfrm_addr_equal(&x->id.daddr, &addr, family))
		return false;
	addr = pgx_ipsec_addr(pkt, false);
	return xfrm_addr_equal(&x->props.saddr, &addr, family);
}

static struct xfrm_state *pgx_ipsec_state(struct pgx_ipsec *sec, const struct pgx_packet *pkt)
{
	struct xfrm_state *x;

	if (likely(pgx_ipsec_fits(sec, pkt)))
		return sec->x;
	pgx_ipsec_release(sec);
	x = pgx_ipsec_find(sec, pkt);
	if (x && !pgx_ipsec_usable(x, pkt)) {
		xfrm_state_put(x);
		x = NULL;
	}
	sec->x = x;
	return x;
}

/* Sequence numbers as RFC 4303 has them: the first packet carries 1, and none comes again. */
static int pgx_ipsec_number(struct xfrm_state *x, struct sk_buff *skb)
{
	struct xfrm_replay_state_esn *esn = x->replay_esn;
	u32 *low = esn ? &esn->oseq : &x->replay.oseq;
	u32 *high = esn && x->props.flags & XFRM_STATE_ESN ? &esn->oseq_hi : NULL;

	if (*low == U32_MAX && (!high || *high == U32_MAX))
		return -EOVERFLOW;
	if (!++*low && high)
		++*high;
	XFRM_SKB_CB(skb)->seq.output.low = *low;
	XFRM_SKB_CB(skb)->seq.output.hi = high ? *high : 0;
	return 0;
}

/* Account for the packet in its state, if that has not run out. */
static int pgx_ipsec_charge(struct xfrm_state *x, struct sk_buff *skb)
{
	int rc = -EINVAL;

	spin_lock_bh(&x->lock);
	if (x->km.state == XFRM_STATE_VALID)
		rc = xfrm_state_check_expire(x);
	if (!rc)
		rc = pgx_ipsec_number(x, skb);
	if (!rc) {
		x->curlft.bytes += skb->len;
		x->curlft.packets++;
	}
	spin_unlock_bh(&x->lock);
	return rc;
}

/* Data is at the IP header; afterwards at the outer one. */
static int pgx_ipsec_transform(struct pgx_ipsec *sec, struct xfrm_state *x, struct sk_buff *skb,
			       bool v6)
{
	struct dst_entry *dst = v6 ? &sec->dst6.u.dst : &sec->dst4.u.dst;
	int rc;

	rcu_read_lock();
	dst->xfrm = x;
	skb_dst_set_noref(skb, dst);
	memset(skb->cb, 0, sizeof(skb->cb));
	skb->protocol = htons(v6 ? ETH_P_IPV6 : ETH_P_IP);
	skb->ignore_df = 1;
	rc = pktgen_xfrm_outer_mode_output(x, skb);
	if (!rc)
		rc = pgx_ipsec_charge(x, skb);
	if (!rc)
		rc = x->type->output(x, skb);
	skb_dst_drop(skb);
	dst->xfrm = NULL;
	rcu_read_unlock();
	if (rc)
		return rc;
	skb->ignore_df = 0;
	memset(skb->cb, 0, sizeof(skb->cb));
	return 0;
}

/* The length has changed, and with it the checksum. */
static void pgx_ipsec_seal(struct sk_buff *skb)
{
	skb_reset_network_header(skb);
	if (skb->protocol == htons(ETH_P_IPV6)) {
		ipv6_hdr(skb)->payload_len = htons(skb->len - sizeof(struct ipv6hdr));
		return;
	}
	ip_hdr(skb)->tot_len = htons(skb->len);
	ip_send_check(ip_hdr(skb));
}

/* What stands before the IP header comes back; its last two bytes are the outer family's type. */
static void pgx_ipsec_link_header(struct sk_buff *skb, const struct pgx_packet *pkt)
{
	u8 *head = skb_push(skb, pkt->at.ip);

	memcpy(head, pkt->head, pkt->at.ip);
	skb_reset_mac_header(skb);
	if (!pkt->at.mpls)
		memcpy(head + pkt->at.ip - 2, &skb->protocol, 2);
	if (pkt->at.vlan || pkt->at.mpls)
		skb->protocol = htons(pkt->protocol);
}

/**
 * pgx_ipsec_apply() - make a packet an IPsec packet
 * @sec: the object
 * @skb: the packet, linear, held by nobody else; data is at the Ethernet header
 * @pkt: what it was made from
 *
 * Context: thread, BH on: an algorithm may need vector registers. Does not sleep.
 *
 * Return: 0; -ENOENT if there is no state for it, or none that can be used; or why the state did
 * not take it. After an error the skb can only be freed.
 */
int pgx_ipsec_apply(struct pgx_ipsec *sec, struct sk_buff *skb, const struct pgx_packet *pkt)
{
	struct xfrm_state *x = pgx_ipsec_state(sec, pkt);
	int rc;

	if (!x)
		return -ENOENT;
	rc = skb_cow_head(skb, x->props.header_len + pkt->at.ip);
	if (rc)
		return rc;
	skb_pull(skb, pkt->at.ip);
	rc = pgx_ipsec_transform(sec, x, skb, pkt->at.v6);
	if (rc)
		return rc;
	pgx_ipsec_seal(skb);
	pgx_ipsec_link_header(skb, pkt);
	return 0;
}
