/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PGX_SHIM_PREEMPT_H
#define PGX_SHIM_PREEMPT_H

#include <linux/types.h>

extern unsigned int shim_preempt;	/* disabled and not enabled again */

static inline void shim_require(bool cond)
{
	if (!cond)
		__builtin_trap();
}

static inline void preempt_disable(void)
{
	shim_preempt++;
}

static inline void preempt_enable(void)
{
	shim_require(shim_preempt--);
}

#endif
