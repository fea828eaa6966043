/* SPDX-License-Identifier: GPL-2.0 */
/* The text interface: what scripts write and read, and the objects behind the files. */
#ifndef PGX_CONTROL_H
#define PGX_CONTROL_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/refcount.h>
#include <net/net_namespace.h>
#include "control/param.h"
#include "engine/engine.h"

struct proc_dir_entry;
struct seq_file;

/**
 * struct pgx_reply - the answer to the last command
 * @text: what "Result:" shows
 * @at: CLOCK_MONOTONIC ns of the command, 0 if there was none
 */
struct pgx_reply {
	char	text[PGX_REPLY_SIZE];
	u64	at;
};

/**
 * struct pgx_cpu - a kpktgend_N file: a thread and the entries that were added to it
 * @pn: the namespace
 * @thread: the engine's part
 * @devs: its entries, newest first
 * @entry: the proc file
 * @offline: the CPU is not there, or on its way out: the thread has no task and nothing may start
 * @start: asks @thread for the start of all @devs
 * @reply: the answer to the last command
 *
 * Control writes it under the namespace's mutex; @thread is the engine's.
 */
struct pgx_cpu {
	struct pgx_net		*pn;
	struct pgx_thread	thread;
	struct list_head	devs;
	struct proc_dir_entry	*entry;
	bool			offline;
	struct pgx_req		start;
	struct pgx_reply	reply;
};

/**
 * struct pgx_net - the generator of one network namespace
 * @node: place in the list of all, which CPUs that come and go are told by
 * @net: the namespace
 * @lock: mutex over everything here, in @cpus and in their entries, but for what a thread owns;
 *	rtnl comes before it. Whoever holds it may wait for a thread's answer, which takes one burst
 *	at most, and for nothing else
 * @files: mutex over making and removing the files of entries, between rtnl and @lock; a name is
 *	free once its file is gone. Handlers of an entry's file never take it
 * @gate: tells when nothing runs
 * @dir: the proc folder
 * @pgctrl: the proc file
 * @cpus: one per CPU that has been online since the namespace began, NULL for the rest;
 *	nr_cpu_ids of them
 * @dead: the namespace ends, nothing may start
 */
struct pgx_net {
	struct list_head	node;
	struct net		*net;
	struct mutex		files;
	struct mutex		lock;
	struct pgx_gate		gate;
	struct proc_dir_entry	*dir;
	struct proc_dir_entry	*pgctrl;
	struct pgx_cpu		**cpus;
	bool			dead;
};

/**
 * struct pgx_dev - an entry: a device, or a device and a tag
 * @node: place in &pgx_cpu.devs, or in a list of entries to be freed
 * @refs: one for the list, one for whoever replaces the proc file
 * @cpu: the thread it was added to
 * @entry: the proc file
 * @name: the file's name
 * @netdev: the device; entries are matched by this pointer, names change
 * @tracker: of the reference to @netdev
 * @plan: the settings that were written last; its thread reads the same object
 * @reply: the answer to the last command
 * @dead: unlinked; who finds it so through a proc file leaves it alone
 * @run: the engine's part
 *
 * Control writes it under the namespace's mutex.
 */
struct pgx_dev {
	struct list_head	node;
	refcount_t		refs;
	struct pgx_cpu		*cpu;
	struct proc_dir_entry	*entry;
	char			name[PGX_NAME_SIZE];
	struct net_device	*netdev;
	netdevice_tracker	tracker;
	struct pgx_plan		*plan;
	struct pgx_reply	reply;
	bool			dead;
	struct pgx_run		run;
};

/* proc.c: the files */
int pgx_proc_init(const char *name);
int pgx_proc_net_add(struct pgx_net *pn);
void pgx_proc_net_remove(struct pgx_net *pn);
int pgx_proc_cpu_add(struct pgx_cpu *cpu);
struct proc_dir_entry *pgx_proc_dev_add(struct pgx_dev *dev);
void pgx_proc_remove(struct proc_dir_entry *entry);

/* command.c: the words that are written to them */
int pgx_command_pgctrl(struct pgx_net *pn, char *text, size_t len);
int pgx_command_cpu(struct pgx_cpu *cpu, char *text, size_t len);
int pgx_command_dev(struct pgx_dev *dev, char *text, size_t len);
int pgx_command_show_cpu(struct pgx_cpu *cpu, struct pgx_text *out);
int pgx_command_show_dev(struct pgx_dev *dev, struct pgx_text *out);

/* entries.c: the entries of a namespace */
void pgx_entries_allow(bool allow);
__printf(2, 3) void pgx_reply_set(struct pgx_reply *reply, const char *fmt, ...);
int pgx_cpu_add(struct pgx_cpu *cpu, const char *name);
int pgx_cpu_remove(struct pgx_cpu *cpu, const char *name);
void pgx_cpu_remove_all(struct pgx_cpu *cpu);
void pgx_dev_facts(const struct pgx_dev *dev, struct pgx_facts *facts);
void pgx_dev_clear(struct pgx_dev *dev);
void pgx_dev_stop(struct pgx_dev *dev, enum pgx_end end);
int pgx_dev_publish(struct pgx_dev *dev, const struct pgx_config *cfg);
void pgx_net_reset(struct pgx_net *pn);
void pgx_net_forget(struct pgx_net *pn, const struct net_device *netdev);
void pgx_net_rename(struct pgx_net *pn, struct net_device *netdev);

/* net.c: the generator of a namespace */
int pgx_net_module_init(void);
void pgx_net_module_exit(void);
int pgx_net_init(struct pgx_net *pn, struct net *net);
void pgx_net_exit(struct pgx_net *pn);
int pgx_net_start(struct pgx_net *pn);
void pgx_net_stop(struct pgx_net *pn);

#endif
