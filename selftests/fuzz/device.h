/* SPDX-License-Identifier: GPL-2.0 */
/* What a device is like, as a line of an input has it: "# sharing=0 tx_queues=3 max_frame=9018" */
#ifndef PGX_FUZZ_DEVICE_H
#define PGX_FUZZ_DEVICE_H

#include "pktgen_ext.h"

/* Words that are unknown are left alone. @running: "running=1" */
void device_change(struct pgx_facts *facts, bool *running, char *line);

#endif
