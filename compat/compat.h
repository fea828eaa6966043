/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between kernels, and nothing else. Ask the headers whether a kernel has something, not its version
 * number: stable trees and distributions backport.
 *
 * From 6.1 to 6.12 nothing that this module uses differs in its source form; the first difference goes here.
 */
#ifndef PGX_COMPAT_H
#define PGX_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "pktgen_ext needs Linux 6.1 or newer"
#endif

#endif
