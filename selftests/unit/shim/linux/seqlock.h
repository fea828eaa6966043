/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sequence counter with its rules made assertions: writing begins and ends by turns, and without
 * preemption. Who wants to see that nothing is written otherwise hears of both.
 */
#ifndef PGX_SHIM_SEQLOCK_H
#define PGX_SHIM_SEQLOCK_H

#include <linux/preempt.h>
#include <linux/types.h>

typedef struct {
	unsigned int	sequence;	/* odd while somebody writes */
} seqcount_t;

/* Told before the first write and after the last one, NULL for nobody */
extern void (*shim_writing)(bool on);

static inline void seqcount_init(seqcount_t *s)
{
	s->sequence = 0;
}

static inline void raw_write_seqcount_begin(seqcount_t *s)
{
	shim_require(shim_preempt && !(s->sequence & 1));
	if (shim_writing)
		shim_writing(true);
	s->sequence++;
}

static inline void raw_write_seqcount_end(seqcount_t *s)
{
	shim_require(shim_preempt && s->sequence & 1);
	s->sequence++;
	if (shim_writing)
		shim_writing(false);
}

#endif
