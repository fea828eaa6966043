/* SPDX-License-Identifier: GPL-2.0 */
#include_next <linux/stddef.h>
#include <stddef.h>
