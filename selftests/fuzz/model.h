/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A namespace around control/entries.c and control/command.c: two CPUs, four devices, a folder of
 * files, and threads that do at once what they are asked for.
 */
#ifndef PGX_FUZZ_MODEL_H
#define PGX_FUZZ_MODEL_H

#include "control/control.h"

#define MODEL_CPUS	2
#define MODEL_DEVICES	4

struct model {
	struct pgx_net		pn;
	struct pgx_cpu		*cpus[MODEL_CPUS];
	struct net_device	device[MODEL_DEVICES];
	char			name[MODEL_DEVICES][32];
	bool			gone[MODEL_DEVICES];
	struct pgx_facts	facts;		/* what every device is like */
};

extern struct model model;

void model_begin(void);
/* Every entry goes; nothing may be left. */
void model_end(void);
/* The Nth entry, counted around, NULL if there is none */
struct pgx_dev *model_entry(unsigned int n);
unsigned int model_entries(void);
/* Files of this name in the folder */
unsigned int model_files_of(const char *name);
unsigned int model_files(void);

#endif
