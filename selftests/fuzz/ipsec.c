// SPDX-License-Identifier: GPL-2.0
/* A kernel with IPsec, as far as a plan has to do with it. */
#include "kernel-parts.h"
#include "traffic/ipsec.h"

struct pgx_ipsec *pgx_ipsec_create(struct net_device *dev, u32 spi)
{
	return shim_alloc(1, 0);
}

void pgx_ipsec_free(struct pgx_ipsec *sec)
{
	shim_free(sec);
}
