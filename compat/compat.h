/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernels, and nothing else. Ask the headers whether a kernel has something,
 * not its version number: stable trees and distributions backport.
 *
 * From 6.1 to 7.3, PREEMPT_RT or not, nothing that this module uses differs in its source form; the
 * first difference goes here.
 */
#ifndef PGX_COMPAT_H
#define PGX_COMPAT_H

#include <linux/skbuff.h>

#ifndef PKT_TYPE_OFFSET
#error "struct sk_buff is not laid out as in Linux 6.1 and later"
#endif

#endif
