// SPDX-License-Identifier: GPL-2.0
/* The table of parameters: what its rows say, and the listing. */
#include <stdio.h>
#include "entry.h"

/* What the table is to say about numbers, once more and by hand */
static const struct limits {
	const char	*name;
	size_t		offset;
	size_t		size;
	u64		floor;
	u64		min;
	u64		max;
	u64		ceiling;
} numbers[] = {
#define NUMBER(name, field, ...)	{ name, offsetof(struct pgx_config, field),	\
				  sizeof(((struct pgx_config *)NULL)->field), __VA_ARGS__ }
	NUMBER("count", count, 0, 0, U64_MAX),
	NUMBER("pkt_size", min_pkt_size, 42, 0, 65549),
	NUMBER("min_pkt_size", min_pkt_size, 42, 0, 65549),
	NUMBER("max_pkt_size", max_pkt_size, 42, 0, 65549),
	NUMBER("delay", pace, 0, 0, U64_MAX),
	NUMBER("ratep", pace, 0, 1, 1000000000),
	NUMBER("rate", pace, 0, 1000, 10000000000000ULL),
	NUMBER("clone_skb", clone_skb, 0, 0, 2147483647),
	NUMBER("queue_map_min", queue_map_min, 0, 0, 65535),
	NUMBER("queue_map_max", queue_map_max, 0, 0, 65535),
	NUMBER("udp_src_min", udp_src_min, 0, 0, 65535),
	NUMBER("udp_src_max", udp_src_max, 0, 0, 65535),
	NUMBER("udp_dst_min", udp_dst_min, 0, 0, 65535),
	NUMBER("udp_dst_max", udp_dst_max, 0, 0, 65535),
	NUMBER("src_mac_count", src_mac_count, 0, 0, 4294967295),
	NUMBER("dst_mac_count", dst_mac_count, 0, 0, 4294967295),
	NUMBER("burst", burst, 1, 0, 65536),
	NUMBER("duration", duration, 0, 0, U64_MAX),
	NUMBER("seed", seed, 0, 0, U64_MAX),
	NUMBER("frags", frags, 0, 0, 4294967295, 17),
	NUMBER("flows", flows, 0, 0, 4294967295, 65536),
	NUMBER("flowlen", flowlen, 0, 0, 4294967295),
	NUMBER("skb_priority", skb_priority, 0, 0, 4294967295),
	NUMBER("spi", spi, 0, 0, 4294967295),
	NUMBER("debug", debug, 0, 0, 4294967295),
};

TEST(table_names_are_unique)
{
	const struct pgx_param *row, *other;

	for_each_row(row) {
		if (!row->name) {
			EQ(row->type, PGX_NAME);
			continue;
		}
		test_note("%s", row->name);
		CHECK(pgx_param_find(row->name) == row);
		CHECK(!strpbrk(row->name, " \t\r\n\"=") && row->name[0]);
		for (other = row + 1; other < pgx_params + pgx_nr_params; other++)
			CHECK(!other->name || strcmp(row->name, other->name));
	}
	CHECK(!pgx_param_find(""));
	CHECK(!pgx_param_find("coun"));
}

/* Bytes of a field, 0 for a number of any size */
static const u8 sizes[PGX_NR_TYPES] = {
	[PGX_DELAY] = 8, [PGX_MBIT] = 8, [PGX_NODE] = 2, [PGX_DIGIT] = 1, [PGX_BYTE] = 1,
	[PGX_VLAN] = 2, [PGX_MPLS] = 16 * 4, [PGX_WEIGHTS] = 20 * 8, [PGX_IP4] = 4, [PGX_IP6] = 16,
	[PGX_MAC] = 6, [PGX_FLAGS] = 4, [PGX_CHOICE] = 1
};

TEST(table_fields_lie_inside)
{
	const struct pgx_param *row;

	for_each_row(row) {
		test_note("%s", row->name ?: "(none)");
		CHECK(row->type < PGX_NR_TYPES);
		CHECK(row->offset + row->size <= sizeof(struct pgx_config));
		if (row->type == PGX_ACTION || row->type == PGX_NAME) {
			EQ(row->size, 0);
			continue;
		}
		if (sizes[row->type])
			EQ(row->size, sizes[row->type]);
		else
			CHECK(row->size == 2 || row->size == 4 || row->size == 8);
		if (row->size < 8)
			CHECK(row->type == PGX_MAC || row->offset % row->size == 0);
		else
			EQ(row->offset % sizeof(u32), 0);
		CHECK(!row_is_number(row) || row->size == 8 || !(row->max >> 8 * row->size));
	}
}

TEST(table_name_lists)
{
	const struct pgx_param *row;
	int i, named;

	for_each_row(row) {
		test_note("%s", row->name ?: "(none)");
		if (row->type != PGX_CHOICE && row->type != PGX_FLAGS) {
			CHECK(!row->names && !row->nr_names);
			continue;
		}
		CHECK(row->names && row->nr_names && row->nr_names <= 32);
		for (i = 0, named = 0; i < row->nr_names; i++)
			named += row->names[i] && row->names[i][0] && row->names[i][0] != '!';
		CHECK(named);
		CHECK(row->type == PGX_FLAGS || named == row->nr_names);
	}
}

TEST(table_units)
{
	const struct pgx_param *row;
	const struct pgx_unit *unit;

	for_each_row(row) {
		test_note("%s", row->name ?: "(none)");
		CHECK(row->type == PGX_NUMBER || row_is_number(row) || !row->units);
		for (unit = row->units; unit && unit->suffix; unit++)
			CHECK(unit->factor && !strpbrk(unit->suffix, "0123456789"));
	}
}

TEST(table_limits)
{
	const struct pgx_param *row;
	size_t i, rows = 0;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		test_note("%s", numbers[i].name);
		row = pgx_param_find(numbers[i].name);
		CHECK(row);
		if (!row)
			continue;
		CHECK(row_is_number(row) && !row->soft);
		EQ(row->offset, numbers[i].offset);
		EQ(row->size, numbers[i].size);
		EQ(row->floor, numbers[i].floor);
		EQ(row->min, numbers[i].min);
		EQ(row->max, numbers[i].max);
		EQ(row->ceiling, numbers[i].ceiling);
	}
	for_each_row(row)
		rows += row_is_number(row);
	EQ(rows, ARRAY_SIZE(numbers));
}

/* The source MAC of zeros is listed as the device's, whose listing then sets it. */
TEST(table_source_mac_of_device)
{
	const struct pgx_param *row = pgx_param_find("src_mac");
	struct entry entry;
	char shown[64];

	entry_init(&entry);
	SAME(entry_shown(&entry, row, shown, sizeof(shown)), "02:00:00:ab:cd:ef");
	EQ(entry_put(&entry, "src_mac 02:00:00:00:00:09"), 0);
	SAME(entry.reply, "OK: srcmac 02:00:00:00:00:09");
	EQ(entry_put(&entry, "src_mac 00:00:00:00:00:00"), 0);
	SAME(entry_shown(&entry, row, shown, sizeof(shown)), "02:00:00:ab:cd:ef");
	EQ(entry_put(&entry, "dst_mac 00:00:00:00:00:00"), 0);
	row = pgx_param_find("dst_mac");
	SAME(entry_shown(&entry, row, shown, sizeof(shown)), "00:00:00:00:00:00");
}

TEST(table_action)
{
	struct pgx_config before;
	struct entry entry;

	entry_init(&entry);
	before = entry.cfg;
	EQ(entry_put(&entry, "clear_counters"), 0);
	SAME(entry.reply, "OK: Clearing counters.\n");
	CHECK(entry.row && entry.row->type == PGX_ACTION);
	CHECK(!memcmp(&entry.cfg, &before, sizeof(before)));
}

TEST(table_soft_rows)
{
	static const char *const soft[] = {
		"xmit_mode", "flag", "node", "vlan_p", "vlan_cfi", "svlan_p", "svlan_cfi", "tos",
		"traffic_class"
	};
	const struct pgx_param *row;
	size_t i, rows = 0;

	for (i = 0; i < ARRAY_SIZE(soft); i++) {
		row = pgx_param_find(soft[i]);
		test_note("%s", soft[i]);
		CHECK(row && row->soft);
	}
	for_each_row(row)
		rows += row->soft;
	EQ(rows, ARRAY_SIZE(soft));
}

/* Settings with which every row is listed, but for those of the other kind of addresses */
static void list_all(struct entry *entry, u32 flags)
{
	entry_init(entry);
	entry->cfg.flags = flags;
	entry->cfg.nr_imix = 1;
	entry->cfg.skb_priority = 1;
	entry->cfg.nr_labels = 1;
	entry->cfg.vlan_id = 2;
	entry->cfg.svlan_id = 3;
	entry->cfg.svlan_tpid = 1;
	entry->cfg.tos = 4;
	entry->cfg.traffic_class = 5;
	entry->cfg.burst = 2;
	entry->cfg.node = 0;
	entry->cfg.xmit_mode = PGX_NETIF_RECEIVE;
	entry->cfg.duration = 1;
	entry->cfg.burst_mode = PGX_DISTINCT;
	entry->cfg.skb_mode = PGX_FRESH;
	entry->cfg.seed = 1;
}

static void labels_in_order(u32 flags, enum pgx_type others)
{
	const struct pgx_param *row;
	struct entry entry;
	const char *at;

	list_all(&entry, flags);
	at = entry_list(&entry);
	CHECK(text_is_plain(at));
	CHECK(at[strlen(at) - 1] == '\n');
	for_each_row(row) {
		const char *found = row->label ? strstr(at, row->label) : at;

		test_note("%s", row->name ?: "(none)");
		EQ(!found, row->type == others && row->label);
		if (found && row->label)
			at = found + strlen(row->label);
	}
}

TEST(table_labels_in_order)
{
	labels_in_order(0, PGX_IP6);
	labels_in_order(PGX_F_IPV6, PGX_IP4);
}

TEST(table_listing_of_defaults)
{
	struct entry entry;

	entry_init(&entry);
	SAME(entry_list(&entry),
	     "Params: count 1000  min_pkt_size: 0  max_pkt_size: 0\n"
	     "     frags: 0  delay: 0  clone_skb: 0  ifname: eth0@1\n"
	     "     flows: 0 flowlen: 0\n"
	     "     queue_map_min: 0  queue_map_max: 0\n"
	     "     dst_min:   dst_max:\x20\n"
	     "     src_min:   src_max:\x20\n"
	     "     src_mac: 02:00:00:ab:cd:ef dst_mac: 00:00:00:00:00:00\n"
	     "     udp_src_min: 9  udp_src_max: 9  udp_dst_min: 9  udp_dst_max: 9\n"
	     "     src_mac_count: 0  dst_mac_count: 0\n"
	     "     Flags: SHARED\x20\x20\n");
}

TEST(table_listing_of_much)
{
	static const char *const lines[] = {
		"count 0", "min_pkt_size 60", "max_pkt_size 1514", "rate 100", "dst_min 10.0.0.1",
		"dst_max 10.0.0.9", "src_min 192.168.0.1", "src_max 192.168.255.254",
		"queue_map_min 1", "queue_map_max 3", "src_mac 02:00:00:00:00:01",
		"dst_mac 02:00:00:00:00:FF",
		"udp_src_min 1", "udp_src_max 2", "udp_dst_min 3", "udp_dst_max 65535",
		"src_mac_count 5", "dst_mac_count 4294967295", "burst 32",
		"xmit_mode netif_receive", "duration 3s", "flag IPDST_RND QUEUE_MAP_CPU"
	};
	struct entry entry;
	size_t i;

	entry_init(&entry);
	for (i = 0; i < ARRAY_SIZE(lines); i++)
		EQ(entry_put(&entry, lines[i]), 0);
	SAME(entry_list(&entry),
	     "Params: count 0  min_pkt_size: 60  max_pkt_size: 1514\n"
	     "     frags: 0  delay: 4800  clone_skb: 0  ifname: eth0@1\n"
	     "     flows: 0 flowlen: 0\n"
	     "     queue_map_min: 1  queue_map_max: 3\n"
	     "     dst_min: 10.0.0.1  dst_max: 10.0.0.9\n"
	     "     src_min: 192.168.0.1  src_max: 192.168.255.254\n"
	     "     src_mac: 02:00:00:00:00:01 dst_mac: 02:00:00:00:00:ff\n"
	     "     udp_src_min: 1  udp_src_max: 2  udp_dst_min: 3  udp_dst_max: 65535\n"
	     "     src_mac_count: 5  dst_mac_count: 4294967295\n"
	     "     burst: 32\n"
	     "     xmit_mode: netif_receive\n"
	     "     Flags: IPDST_RND  QUEUE_MAP_CPU  SHARED\x20\x20\n"
	     "     duration: 3000000000\n");
}
