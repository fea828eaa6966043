// SPDX-License-Identifier: GPL-2.0
#include <linux/skbuff.h>

void pgx_offsets(void);

/* Symbols whose values are where members of an skb are; nm shows them. */
void pgx_offsets(void)
{
	asm volatile(".globl skb_users, skb_len, skb_data_len, skb_truesize, skb_data\n"
		     ".set skb_users, %c0\n"
		     ".set skb_len, %c1\n"
		     ".set skb_data_len, %c2\n"
		     ".set skb_truesize, %c3\n"
		     ".set skb_data, %c4"
		     : : "i" (offsetof(struct sk_buff, users)),
			 "i" (offsetof(struct sk_buff, len)),
			 "i" (offsetof(struct sk_buff, data_len)),
			 "i" (offsetof(struct sk_buff, truesize)),
			 "i" (offsetof(struct sk_buff, data)));
}
