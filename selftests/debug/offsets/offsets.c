// SPDX-License-Identifier: GPL-2.0
#include <linux/skbuff.h>

#define TELL(member) \
	asm volatile(".globl skb_" #member "\n.set skb_" #member ", %c0" : : "i" (offsetof(struct sk_buff, member)))

void pgx_offsets(void);

void pgx_offsets(void)
{
	TELL(users);
	TELL(len);
	TELL(data_len);
	TELL(truesize);
	TELL(data);
}
