/* SPDX-License-Identifier: GPL-2.0 */
/* A target: gets bytes that nobody chose and ends the process when something does not hold. */
#ifndef PGX_FUZZ_H
#define PGX_FUZZ_H

#include <stddef.h>
#include <linux/types.h>

/* The name is libFuzzer's. Return: 0. */
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#endif
