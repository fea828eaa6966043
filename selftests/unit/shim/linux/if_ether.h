/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PGX_SHIM_IF_ETHER_H
#define PGX_SHIM_IF_ETHER_H

#define ETH_ALEN	6

#endif
