// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/string.h>
#include <stdlib.h>
#include "device.h"

static void change(struct pgx_facts *facts, bool *running, const char *name, u64 value)
{
	const struct {
		const char	*name;
		u32		*number;
		u8		*bits;
		bool		*on;
	} known[] = {
		{ "max_frame", .number = &facts->max_frame },
		{ "tx_queues", .number = &facts->tx_queues },
		{ "src_ip", .number = &facts->src_ip },
		{ "csum4", .bits = &facts->csum4 },
		{ "csum6", .bits = &facts->csum6 },
		{ "sharing", .on = &facts->sharing },
		{ "scatter", .on = &facts->scatter },
		{ "ipsec", .on = &facts->ipsec },
		{ "cpu", .on = &facts->cpu },
		{ "running", .on = running },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(known[i].name, name))
			continue;
		if (known[i].number)
			*known[i].number = value;
		else if (known[i].bits)
			*known[i].bits = value & 7;
		else
			*known[i].on = value & 1;
	}
}

void device_change(struct pgx_facts *facts, bool *running, char *line)
{
	char *word, *value;

	while ((word = strsep(&line, " \t"))) {
		value = strchr(word, '=');
		if (!value)
			continue;
		*value = '\0';
		change(facts, running, word, strtoull(value + 1, NULL, 0));
	}
	/* there is no device without a queue, and a run ends with its CPU */
	facts->tx_queues = facts->tx_queues ?: 1;
	facts->cpu |= *running;
}
