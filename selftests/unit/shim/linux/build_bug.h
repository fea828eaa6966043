/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PGX_SHIM_BUILD_BUG_H
#define PGX_SHIM_BUILD_BUG_H

#undef static_assert
#define static_assert(expr, ...)	_Static_assert(expr, "" __VA_ARGS__)

#endif
