// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include "holds.h"

void holds_reply(const struct entry *entry)
{
	CHECK(entry->reply[0] && strlen(entry->reply) < sizeof(entry->reply) - 1);
	CHECK(text_is_plain(entry->reply));
}

static void sizes(const struct pgx_config *cfg)
{
	int i;

	CHECK(!cfg->min_pkt_size || (cfg->min_pkt_size >= 42 && cfg->min_pkt_size <= 65549));
	CHECK(!cfg->max_pkt_size || (cfg->max_pkt_size >= 42 && cfg->max_pkt_size <= 65549));
	CHECK(cfg->nr_imix <= 20);
	for (i = 0; i < cfg->nr_imix; i++)
		CHECK(cfg->imix[i].size >= 42 && cfg->imix[i].size <= 65549 && cfg->imix[i].weight);
	CHECK(!cfg->nr_imix || !cfg->clone_skb);
	CHECK(!cfg->nr_imix || !cfg->min_pkt_size || cfg->max_pkt_size <= cfg->min_pkt_size);
}

static void headers(const struct pgx_config *cfg)
{
	CHECK(cfg->vlan_id < 4096 || cfg->vlan_id == 0xffff);
	CHECK(cfg->svlan_id < 4096 || cfg->svlan_id == 0xffff);
	CHECK(cfg->svlan_id == 0xffff || cfg->vlan_id != 0xffff);
	CHECK(cfg->nr_labels <= 16 && (!cfg->nr_labels || cfg->vlan_id == 0xffff));
	CHECK(cfg->vlan_p < 8 && cfg->svlan_p < 8 && cfg->vlan_cfi < 2 && cfg->svlan_cfi < 2);
	CHECK(cfg->svlan_tpid < 2);
}

void holds_config(const struct pgx_config *cfg)
{
	CHECK(cfg->xmit_mode < PGX_NR_DOORS && cfg->pacing <= PGX_PACE_RATE);
	CHECK(cfg->pacing != PGX_PACE_RATEP || (cfg->pace >= 1 && cfg->pace <= 1000000000));
	CHECK(cfg->pacing != PGX_PACE_RATE ||
	      (cfg->pace >= 1000 && cfg->pace <= 10000000000000ULL));
	CHECK(cfg->burst >= 1 && cfg->burst <= 65536 && cfg->clone_skb <= S32_MAX);
	CHECK(!cfg->clone_skb || cfg->xmit_mode == PGX_START_XMIT);
	CHECK(cfg->burst_mode < PGX_NR_BURST_MODES && cfg->skb_mode < PGX_NR_SKB_MODES);
	CHECK(cfg->flags & PGX_F_SHARED ||
	      (!cfg->clone_skb && (cfg->burst == 1 || cfg->burst_mode == PGX_DISTINCT)));
	CHECK(cfg->flags < 1 << 19 && cfg->unflags < 1 << 19);
	CHECK(cfg->flows <= 65536 && cfg->frags <= 17);
	CHECK(!cfg->frags || !(cfg->flags & PGX_F_IPSEC));
	CHECK(cfg->node == 0 || cfg->node == 2 || cfg->node == 0xffff);
	sizes(cfg);
	headers(cfg);
}

void holds_taken(const struct entry *entry)
{
	const struct pgx_param *row = entry->row;
	struct pgx_config again = entry->cfg;
	struct pgx_text reason;
	char buf[64];
	u32 on;

	CHECK(row && !strncmp(entry->reply, "OK: ", 4));
	holds_config(&entry->cfg);
	pgx_text_init(&reason, buf, sizeof(buf));
	on = row->on | (entry->running ? PGX_ON_START : 0);
	EQ(pgx_config_check(&entry->cfg, &entry->facts, on, &reason), 0);
	EQ(reason.len, 0);
	if (!entry->running)
		return;
	pgx_config_complete(&again, &entry->facts);
	CHECK(!memcmp(&again, &entry->cfg, sizeof(again)));
}

void holds_refused(const struct entry *entry, int rc)
{
	bool list = entry->row && row_is_list(entry->row);
	bool clash = entry->row && !strchr(entry->reply, '"') && rc != PGX_SOFT;

	CHECK(strncmp(entry->reply, "OK", 2));
	CHECK(rc == PGX_SOFT ? entry->row && (entry->row->soft || entry->row->type == PGX_VLAN) :
	      rc == -EINVAL || rc == -ERANGE || rc == -EOPNOTSUPP || rc == -E2BIG);
	CHECK(!clash || strstr(entry->reply, "allowed is"));
	if (!clash && !list)
		CHECK(!memcmp(&entry->tried, &entry->cfg, sizeof(entry->cfg)));
}

/* Words of the listing's flags that a script would not write: IPV6 follows from addresses. */
static bool is_extra(const char *word)
{
	return !strcmp(word, "IPV6") || !strncmp(word, "spi:", 4);
}

/* A line that sets what is shown, cut into words; blanks between labels are the listing's own. */
static void words_of(const struct pgx_param *row, char *shown, struct pgx_words *words)
{
	struct pgx_words all;
	unsigned int i;
	char *from, *to;

	for (from = to = shown; row->type == PGX_MPLS && *from; from++)
		if (*from != ' ')
			*to++ = *from;
	if (row->type == PGX_MPLS)
		*to = '\0';
	pgx_words_cut(shown, &all);
	words->nr = 1;
	words->more = all.more;
	words->end = all.end;
	/* a mix is read with its place in the line */
	words->word[0] = shown - 1;
	for (i = 0; i < all.nr && words->nr < PGX_MAX_WORDS; i++)
		if (row->type != PGX_FLAGS || !is_extra(all.word[i]))
			words->word[words->nr++] = all.word[i];
}

/* What can not be written back: a rate shown as its gap, what is left to the device, sizes unset */
static bool is_for_readers(const struct entry *entry, const struct pgx_param *row)
{
	const struct pgx_config *cfg = &entry->cfg;

	switch (row->type) {
	case PGX_NAME:
		return true;
	case PGX_DELAY:
		return cfg->pacing != PGX_PACE_DELAY;
	case PGX_MAC:
		return row->size == 6 && !memcmp((const char *)cfg + row->offset, "\0\0\0\0\0", 6);
	case PGX_FLAGS:
		return false;
	default:
		return row_is_number(row) && entry_value(entry, row) < row->floor;
	}
}

static void same_value(const struct entry *entry, const struct pgx_param *row,
		       const struct pgx_config *again)
{
	const struct pgx_config *cfg = &entry->cfg;
	u32 unshown = PGX_F_IPV6 | (cfg->flows ? 0 : PGX_F_FLOW_SEQ);

	switch (row->type) {
	case PGX_FLAGS:
		EQ(again->flags, cfg->flags & ~unshown);
		break;
	case PGX_MPLS:
		EQ(again->nr_labels, cfg->nr_labels);
		CHECK(!memcmp(again->labels, cfg->labels, 4 * cfg->nr_labels));
		break;
	case PGX_WEIGHTS:
		EQ(again->nr_imix, cfg->nr_imix);
		CHECK(!memcmp(again->imix, cfg->imix, sizeof(cfg->imix[0]) * cfg->nr_imix));
		break;
	default:
		CHECK(!memcmp((const char *)again + row->offset, (const char *)cfg + row->offset,
			      row->size));
	}
}

/* Rules aside, which may have come after the value: what is shown is read as what it was. */
static void read_back(struct entry *entry, const struct pgx_param *row)
{
	struct pgx_config again = entry->cfg;
	char shown[1 + PGX_REPLY_SIZE] = "";
	struct pgx_words words;
	struct pgx_text reply;
	char buf[PGX_REPLY_SIZE];

	entry_shown(entry, row, shown + 1, sizeof(shown) - 1);
	if (!shown[1] || is_for_readers(entry, row))
		return;
	words_of(row, shown + 1, &words);
	if (row->type == PGX_FLAGS)
		again.flags = 0;
	if (row->type == PGX_FLAGS && words.nr < 2)
		return;
	pgx_text_init(&reply, buf, sizeof(buf));
	EQ(pgx_values[row->type].parse(row, &again, &entry->facts, &words, &reply), 0);
	same_value(entry, row, &again);
}

void holds_listing(struct entry *entry)
{
	size_t len;

	entry_list(entry);
	len = strlen(entry->listing);
	CHECK(len > 300 && len < sizeof(entry->listing) - 1 && entry->listing[len - 1] == '\n');
	CHECK(text_is_plain(entry->listing));
}

void holds_read_back(struct entry *entry)
{
	const struct pgx_param *row;

	for_each_row(row)
		if (row->label)
			read_back(entry, row);
}

static bool is_size(const struct pgx_config *cfg, u32 size)
{
	int i;

	for (i = 0; i < cfg->nr_imix; i++)
		if (cfg->imix[i].size == size)
			return true;
	return !cfg->nr_imix && size >= cfg->min_pkt_size && size <= cfg->max_pkt_size;
}

void holds_packet(const struct pgx_config *cfg, const struct pgx_packet *pkt)
{
	u32 last = max(cfg->queue_map_max, cfg->queue_map_min);
	const u8 *ip = pkt->head + traffic_ip(cfg);
	bool v6 = cfg->flags & PGX_F_IPV6;
	u32 left = pkt->size - traffic_ip(cfg);

	CHECK(is_size(cfg, pkt->size) && pkt->size <= 65549);
	CHECK(left >= (v6 ? 40 : 20) + 8 + 16);
	CHECK(pkt->queue >= cfg->queue_map_min && pkt->queue <= last);
	CHECK(v6 ? be(ip + 4, 2) == left - 40 : be(ip + 2, 2) == left);
	CHECK(be(ip + (v6 ? 40 : 20) + 4, 2) == left - (v6 ? 40 : 20));
	CHECK(!(pkt->head[6] & 1) || cfg->src_mac[0] & 1);
}

void holds_packets(struct traffic *traffic, int nr)
{
	struct pgx_config cfg = traffic->entry.cfg;

	pgx_config_complete(&cfg, &traffic->entry.facts);
	traffic->slots = traffic_slots(traffic->slots, &traffic->nr_slots, cfg.flows);
	pgx_flow_setup(&traffic->flow, &traffic->pkt, &cfg, &traffic->entry.facts,
		       traffic->slots);
	while (nr--) {
		traffic_next(traffic);
		holds_packet(&cfg, &traffic->pkt);
	}
}
