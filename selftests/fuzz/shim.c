// SPDX-License-Identifier: GPL-2.0
#include "kernel-parts.h"

#define FRESH	0x5a	/* memory that nobody has written to */

bool shim_rtnl;
bool shim_no_memory;
long shim_blocks;
u64 shim_now;
unsigned int shim_preempt;
void (*shim_writing)(bool on);

void *shim_alloc(size_t size, int fill)
{
	void *block;

	if (shim_no_memory) {
		shim_no_memory = false;
		return NULL;
	}
	block = malloc(size);
	shim_require(block);
	memset(block, fill, size);
	shim_blocks++;
	return block;
}

void shim_free(const void *block)
{
	if (!block)
		return;
	shim_require(shim_blocks-- > 0);
	free((void *)block);
}

/* An skb whose data lie in memory of just their size, filled with what was there before */
struct sk_buff *shim_skb_alloc(unsigned int bytes)
{
	struct sk_buff *skb = shim_alloc(sizeof(*skb), 0);
	u8 *data = skb ? shim_alloc(bytes, FRESH) : NULL;

	if (!data) {
		shim_free(skb);
		return NULL;
	}
	skb->head = data;
	skb->data = data;
	skb->end = data + bytes;
	return skb;
}

void shim_skb_free(struct sk_buff *skb)
{
	int i;

	for (i = 0; i < skb->info.nr_frags; i++)
		put_page(skb->info.page[i]);
	shim_free(skb->head);
	shim_free(skb);
}
