/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As much of the kernel as control/entries.c, control/command.c, engine/plan.c and traffic/packet.c
 * need, with its rules made assertions: who calls without the lock, or gives back what it does not
 * hold, ends the process. Memory comes from malloc(), so that the sanitizer sees a step beyond it.
 */
#ifndef PGX_FUZZ_KERNEL_H
#define PGX_FUZZ_KERNEL_H

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/types.h>

#define ____cacheline_aligned
#define noinline		__attribute__((noinline))
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value)	(*(volatile __typeof__(x) *)&(x) = (value))
#define ASSERT_RTNL()		shim_require(shim_rtnl)
#define lockdep_assert_held(m)	shim_require((m)->held)
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

extern bool shim_rtnl;
extern bool shim_no_memory;	/* the next allocation fails */
extern long shim_blocks;	/* allocated and not freed */
extern u64 shim_now;		/* ns */

typedef unsigned int gfp_t;
#define GFP_KERNEL	1U
#define GFP_NOWAIT	2U
#define __GFP_ZERO	4U
#define __GFP_NOWARN	8U
#define NUMA_NO_NODE	(-1)
#define PAGE_SIZE	4096UL

void *shim_alloc(size_t size, int fill);
void shim_free(const void *block);

static inline void *kzalloc(size_t size, gfp_t gfp)
{
	return shim_alloc(size, 0);
}

static inline void *kzalloc_node(size_t size, gfp_t gfp, int node)
{
	return shim_alloc(size, 0);
}

static inline void *__vmalloc(size_t size, gfp_t gfp)
{
	shim_require(gfp & __GFP_ZERO);
	return shim_alloc(size, 0);
}

static inline void kfree(const void *block)
{
	shim_free(block);
}

static inline void vfree(const void *block)
{
	shim_free(block);
}

static inline size_t array_size(size_t a, size_t b)
{
	shim_require(!b || a <= SIZE_MAX / b);
	return a * b;
}

struct page {
	int	users;
	u8	bytes[4096];
};

static inline struct page *alloc_pages_node(int node, gfp_t gfp, unsigned int order)
{
	struct page *page;

	shim_require(gfp & __GFP_ZERO && !order);
	page = shim_alloc(sizeof(*page), 0);
	if (page)
		page->users = 1;
	return page;
}

static inline void get_page(struct page *page)
{
	shim_require(page->users++ > 0);
}

static inline void put_page(struct page *page)
{
	shim_require(page->users > 0);
	if (!--page->users)
		shim_free(page);
}

struct list_head {
	struct list_head	*next;
	struct list_head	*prev;
};

#define LIST_HEAD(name)	struct list_head name = { &(name), &(name) }

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline bool list_empty(const struct list_head *list)
{
	return list->next == list;
}

static inline void list_del(struct list_head *entry)
{
	shim_require(entry->next->prev == entry && entry->prev->next == entry);
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
}

static inline void list_add(struct list_head *entry, struct list_head *head)
{
	entry->next = head->next;
	entry->prev = head;
	head->next->prev = entry;
	head->next = entry;
}

static inline void list_move_tail(struct list_head *entry, struct list_head *head)
{
	list_del(entry);
	list_add(entry, head->prev);
}

#define list_entry_of(at, pos, member)	container_of(at, __typeof__(*(pos)), member)
#define list_for_each_entry(pos, head, member)				\
	for ((pos) = list_entry_of((head)->next, pos, member);		\
	     &(pos)->member != (head);					\
	     (pos) = list_entry_of((pos)->member.next, pos, member))
#define list_for_each_entry_safe(pos, n, head, member)			\
	for ((pos) = list_entry_of((head)->next, pos, member),		\
	     (n) = list_entry_of((pos)->member.next, pos, member);	\
	     &(pos)->member != (head);					\
	     (pos) = (n), (n) = list_entry_of((n)->member.next, n, member))

struct mutex {
	bool	held;
};

static inline void mutex_lock(struct mutex *lock)
{
	shim_require(!lock->held);
	lock->held = true;
}

static inline void mutex_unlock(struct mutex *lock)
{
	shim_require(lock->held);
	lock->held = false;
}

static inline void rtnl_lock(void)
{
	shim_require(!shim_rtnl);
	shim_rtnl = true;
}

static inline void rtnl_unlock(void)
{
	shim_require(shim_rtnl);
	shim_rtnl = false;
}

typedef struct {
	int	refs;
} refcount_t;

static inline void refcount_set(refcount_t *ref, int n)
{
	ref->refs = n;
}

static inline void refcount_inc(refcount_t *ref)
{
	shim_require(ref->refs++ > 0);
}

static inline bool refcount_dec_and_test(refcount_t *ref)
{
	shim_require(ref->refs > 0);
	return !--ref->refs;
}

typedef struct {
	int	counter;
} atomic_t;

typedef struct {
	int	unused;
} wait_queue_head_t;

struct completion {
	bool	done;
};

struct task_struct;
struct net;
struct seq_file;
struct proc_dir_entry;

typedef struct {
	bool	held;
} netdevice_tracker;

struct net_device {
	const char	*name;
	unsigned short	type;
	unsigned int	flags;
	unsigned int	priv_flags;
	unsigned short	needed_tailroom;
	int		refs;
};

#define ARPHRD_ETHER		1
#define ARPHRD_LOOPBACK		772
#define IFF_UP			1U
#define IFF_TX_SKB_SHARING	2U

static inline void netdev_hold(struct net_device *dev, netdevice_tracker *tracker, gfp_t gfp)
{
	shim_require(!tracker->held);
	tracker->held = true;
	dev->refs++;
}

static inline void netdev_put(struct net_device *dev, netdevice_tracker *tracker)
{
	shim_require(tracker->held && dev->refs > 0);
	tracker->held = false;
	dev->refs--;
}

struct net_device *__dev_get_by_name(struct net *net, const char *name);
__printf(2, 3) void netdev_warn(const struct net_device *dev, const char *fmt, ...);

extern unsigned int nr_cpu_ids;

static inline int cpu_to_node(unsigned int cpu)
{
	return 0;
}

static inline u64 ktime_get_ns(void)
{
	return ++shim_now;
}

static inline void strscpy(char *to, const char *from, size_t size)
{
	size_t len = strlen(from);

	shim_require(size && len < size);
	memcpy(to, from, len + 1);
}

/* What traffic/packet.c asks of an skb */
#define MAX_SKB_FRAGS		17
#define XDP_PACKET_HEADROOM	256
#define SKBFL_SHARED_FRAG	2
#define CHECKSUM_PARTIAL	3
#define PKT_TYPE_OFFSET		0
#define LL_RESERVED_SPACE(dev)	16U
#undef static_assert
#define static_assert(expr, ...)	_Static_assert(expr, "" __VA_ARGS__)

static inline u16 shim_htons(u16 v)
{
	return v << 8 | v >> 8;
}

#undef htons
#define htons	shim_htons

struct udphdr {
	u16	source;
	u16	dest;
	u16	len;
	u16	check;
};

struct skb_shared_info {
	u8		nr_frags;
	u8		flags;
	struct page	*page[MAX_SKB_FRAGS];
	u32		bytes[MAX_SKB_FRAGS];
};

struct sk_buff {
	u8			*head;
	u8			*data;
	u8			*end;
	u32			len;
	u32			data_len;
	u32			truesize;
	u32			priority;
	u16			protocol;
	u16			queue_mapping;
	u16			mac;
	u16			network;
	u16			transport;
	u16			csum_start;
	u16			csum_offset;
	u8			ip_summed;
	struct net_device	*dev;
	struct skb_shared_info	info;
};

static inline struct skb_shared_info *skb_shinfo(struct sk_buff *skb)
{
	return &skb->info;
}

struct sk_buff *shim_skb_alloc(unsigned int bytes);
void shim_skb_free(struct sk_buff *skb);

static inline struct sk_buff *__netdev_alloc_skb(struct net_device *dev, unsigned int bytes,
						 gfp_t gfp)
{
	return shim_skb_alloc(bytes);
}

static inline struct sk_buff *__alloc_skb(unsigned int bytes, gfp_t gfp, int flags, int node)
{
	return shim_skb_alloc(bytes);
}

static inline void skb_reserve(struct sk_buff *skb, unsigned int room)
{
	shim_require(!skb->len && room <= skb->end - skb->data);
	skb->data += room;
}

static inline void *__skb_put(struct sk_buff *skb, unsigned int bytes)
{
	shim_require(!skb->data_len && bytes <= skb->end - skb->data);
	skb->len += bytes;
	return skb->data;
}

static inline void skb_fill_page_desc(struct sk_buff *skb, int i, struct page *page,
				      unsigned int at, unsigned int bytes)
{
	shim_require(i < MAX_SKB_FRAGS && i == skb->info.nr_frags && page && !at);
	skb->info.page[i] = page;
	skb->info.bytes[i] = bytes;
	skb->info.nr_frags++;
}

static inline void skb_reset_mac_header(struct sk_buff *skb)
{
	skb->mac = skb->data - skb->head;
}

static inline void skb_set_network_header(struct sk_buff *skb, int at)
{
	skb->network = skb->data - skb->head + at;
}

static inline void skb_set_transport_header(struct sk_buff *skb, int at)
{
	skb->transport = skb->data - skb->head + at;
}

static inline u8 *skb_transport_header(const struct sk_buff *skb)
{
	return skb->head + skb->transport;
}

static inline void skb_set_queue_mapping(struct sk_buff *skb, u16 queue)
{
	skb->queue_mapping = queue;
}

#endif
