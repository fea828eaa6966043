// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include "traffic.h"

struct pgx_slot *traffic_slots(struct pgx_slot *slots, u32 *nr, u32 flows)
{
	if (flows == *nr)
		return slots;
	free(slots);
	*nr = flows;
	return flows ? calloc(flows, sizeof(*slots)) : NULL;
}

void traffic_setup(struct traffic *traffic)
{
	pgx_config_complete(&traffic->entry.cfg, &traffic->entry.facts);
	traffic->slots = traffic_slots(traffic->slots, &traffic->nr_slots,
				       traffic->entry.cfg.flows);
	pgx_flow_setup(&traffic->flow, &traffic->pkt, &traffic->entry.cfg, &traffic->entry.facts,
		       traffic->slots);
}

void traffic_begin(struct traffic *traffic, const char *const *lines)
{
	memset(traffic, 0, sizeof(*traffic));
	pgx_flow_seed(&traffic->flow, 2024);
	entry_init(&traffic->entry);
	for (; *lines; lines++)
		EQ(entry_put(&traffic->entry, *lines), 0);
	traffic_setup(traffic);
}

void traffic_write(struct pgx_flow *flow, struct pgx_packet *pkt, u32 seq, u32 sec, u32 usec)
{
	struct pgx_stamp stamp = { .seq = seq, .sec = sec, .usec = usec, .timed = true };
	u8 *head = pkt->head;
	struct pgx_batch batch = { .frame = &head };

	pgx_batch_write(&batch, 1, flow, pkt, &stamp);
}

const struct pgx_packet *traffic_next(struct traffic *traffic)
{
	traffic_write(&traffic->flow, &traffic->pkt, 1, 2, 3);
	return &traffic->pkt;
}

u64 be(const u8 *p, int len)
{
	u64 value = 0;

	while (len--)
		value = value << 8 | *p++;
	return value;
}

size_t traffic_ip(const struct pgx_config *cfg)
{
	return 14 + 4 * (cfg->svlan_id != 0xffff) + 4 * (cfg->vlan_id != 0xffff) +
	       4 * cfg->nr_labels;
}

u32 traffic_value(const struct traffic *traffic, enum pgx_field field)
{
	const struct pgx_config *cfg = &traffic->entry.cfg;
	const u8 *ip = traffic->pkt.head + traffic_ip(cfg);
	const u8 *udp = ip + (cfg->flags & PGX_F_IPV6 ? 40 : 20);

	switch (field) {
	case PGX_SMAC:
		return be(traffic->pkt.head + 8, 4);
	case PGX_DMAC:
		return be(traffic->pkt.head + 2, 4);
	case PGX_SVID:
		return be(traffic->pkt.head + 14, 2) & 0xfff;
	case PGX_VID:
		return be(ip - 4, 2) & 0xfff;
	case PGX_SPORT:
		return be(udp, 2);
	case PGX_DPORT:
		return be(udp + 2, 2);
	case PGX_SADDR:
		return be(ip + 12, 4);
	case PGX_DADDR:
		return be(ip + 16, 4);
	case PGX_SIZE:
		return traffic->pkt.size;
	default:
		return traffic->pkt.queue;
	}
}

u32 traffic_draw(struct traffic *traffic, enum pgx_field field)
{
	traffic_next(traffic);
	return traffic_value(traffic, field);
}

void traffic_sees(struct traffic *traffic, enum pgx_field field, const u32 *want, int nr)
{
	for (; nr--; want++)
		EQ(traffic_draw(traffic, field), *want);
}
