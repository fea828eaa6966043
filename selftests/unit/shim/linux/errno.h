/* SPDX-License-Identifier: GPL-2.0 */
/* glibc's errno.h includes this name too, so the real one must stay in reach. */
#include_next <linux/errno.h>
