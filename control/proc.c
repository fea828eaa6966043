// SPDX-License-Identifier: GPL-2.0
/* The files under /proc/net. The one place that knows procfs, seq_file and user memory. */
#include <linux/capability.h>
#include <linux/namei.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>
#include "control/control.h"

#define PGX_MAX_WRITE	65536U	/* bytes of one write */

/* Name of the folder, given at load. */
static const char *pgx_proc_name;

/**
 * pgx_proc_init() - choose the folder's name
 * @name: the name, which must stay where it is
 *
 * The name is looked up first, for procfs answers a second one with a warning and a stack trace.
 *
 * Context: sleeps.
 *
 * Return: 0; -EINVAL if it can be no name; -EEXIST if it is taken; -ENOMEM.
 */
int pgx_proc_init(const char *name)
{
	char full[64];
	struct path path;
	int rc;

	if (!*name || *name == '.' || strchr(name, '/') || strlen(name) > 32)
		return -EINVAL;
	pgx_proc_name = name;
	snprintf(full, sizeof(full), "/proc/net/%s", name);
	rc = kern_path(full, 0, &path);
	if (rc)
		return rc == -ENOMEM ? rc : 0;
	path_put(&path);
	return -EEXIST;
}

/*
 * A write needs the right to take a CPU away from others, and so does the opening of the file. The
 * one who writes may be a privileged program that was started with this file as its output.
 */
static bool pgx_proc_allowed(const struct file *file)
{
	return file_ns_capable(file, &init_user_ns, CAP_NET_ADMIN) && capable(CAP_NET_ADMIN);
}

static char *pgx_proc_copy(const struct file *file, const char __user *buf, size_t count)
{
	if (!pgx_proc_allowed(file))
		return ERR_PTR(-EPERM);
	if (!count)
		return ERR_PTR(-EINVAL);
	if (count > PGX_MAX_WRITE)
		return ERR_PTR(-E2BIG);
	return memdup_user_nul(buf, count);
}

/* Copy what was written and hand it on. */
#define PGX_WRITE(type, command)								\
static ssize_t command##_write(struct file *file, const char __user *buf, size_t count,	\
			       loff_t *pos)							\
{												\
	struct type *target = pde_data(file_inode(file));					\
	char *text;										\
	int rc;											\
												\
	text = pgx_proc_copy(file, buf, count);						\
	if (IS_ERR(text))									\
		return PTR_ERR(text);								\
	rc = command(target, text, count);							\
	kfree(text);										\
	return rc ?: count;									\
}

PGX_WRITE(pgx_net, pgx_command_pgctrl)
PGX_WRITE(pgx_cpu, pgx_command_cpu)
PGX_WRITE(pgx_dev, pgx_command_dev)

/*
 * The text goes straight into the file's buffer. One that fills it was cut, and seq_file comes
 * again with more room.
 */
static void pgx_proc_begin(struct seq_file *m, struct pgx_text *out)
{
	char *buf;
	size_t size = seq_get_buf(m, &buf);

	pgx_text_init(out, buf, size);
}

static void pgx_proc_end(struct seq_file *m, const struct pgx_text *out)
{
	seq_commit(m, out->len + 1 < out->size ? out->len : -1);
}

static int pgx_pgctrl_show(struct seq_file *m, void *v)
{
	seq_puts(m,
		 "Packet Generator for packet performance testing. Version: " PGX_INTERFACE_VERSION
		 "\n");
	return 0;
}

static int pgx_cpu_show(struct seq_file *m, void *v)
{
	struct pgx_text out;
	int rc;

	pgx_proc_begin(m, &out);
	rc = pgx_command_show_cpu(m->private, &out);
	pgx_proc_end(m, &out);
	return rc;
}

static int pgx_dev_show(struct seq_file *m, void *v)
{
	struct pgx_text out;
	int rc;

	pgx_proc_begin(m, &out);
	rc = pgx_command_show_dev(m->private, &out);
	pgx_proc_end(m, &out);
	return rc;
}

/*
 * A "start" stays in its write. Positions mean nothing here, so writes through one open file need
 * not wait for each other, and "stop" can come the same way.
 */
static int pgx_pgctrl_open(struct inode *inode, struct file *file)
{
	file->f_mode &= ~FMODE_ATOMIC_POS;
	return single_open(file, pgx_pgctrl_show, pde_data(inode));
}

static int pgx_cpu_open(struct inode *inode, struct file *file)
{
	return single_open(file, pgx_cpu_show, pde_data(inode));
}

static int pgx_dev_open(struct inode *inode, struct file *file)
{
	return single_open(file, pgx_dev_show, pde_data(inode));
}

static const struct proc_ops pgx_pgctrl_ops = {
	.proc_open	= pgx_pgctrl_open,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_write	= pgx_command_pgctrl_write,
	.proc_release	= single_release,
};

static const struct proc_ops pgx_cpu_ops = {
	.proc_open	= pgx_cpu_open,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_write	= pgx_command_cpu_write,
	.proc_release	= single_release,
};

static const struct proc_ops pgx_dev_ops = {
	.proc_open	= pgx_dev_open,
	.proc_read	= seq_read,
	.proc_lseek	= seq_lseek,
	.proc_write	= pgx_command_dev_write,
	.proc_release	= single_release,
};

/**
 * pgx_proc_dev_add() - make the file of an entry
 * @dev: the entry, its name set and unique in its namespace
 *
 * Context: sleeps; the mutex is held.
 *
 * Return: the file, NULL if there was no memory.
 */
struct proc_dir_entry *pgx_proc_dev_add(struct pgx_dev *dev)
{
	return proc_create_data(dev->name, 0600, dev->cpu->pn->dir, &pgx_dev_ops, dev);
}

/**
 * pgx_proc_remove() - remove a file
 * @entry: the file
 *
 * Context: sleeps until nobody is inside the file, so without the mutex, which those inside may
 * wait for.
 */
void pgx_proc_remove(struct proc_dir_entry *entry)
{
	proc_remove(entry);
}

/**
 * pgx_proc_cpu_add() - make the file of a CPU
 * @cpu: the CPU
 *
 * Context: sleeps.
 *
 * Return: 0 or -ENOMEM.
 */
int pgx_proc_cpu_add(struct pgx_cpu *cpu)
{
	char name[24];

	snprintf(name, sizeof(name), "kpktgend_%u", cpu->thread.cpu);
	cpu->entry = proc_create_data(name, 0600, cpu->pn->dir, &pgx_cpu_ops, cpu);
	return cpu->entry ? 0 : -ENOMEM;
}

/**
 * pgx_proc_net_add() - make a namespace's folder and the files that are always there
 * @pn: the generator
 *
 * Context: sleeps.
 *
 * Return: 0 or -ENOMEM, then nothing is left.
 */
int pgx_proc_net_add(struct pgx_net *pn)
{
	unsigned int i;

	pn->dir = proc_mkdir(pgx_proc_name, pn->net->proc_net);
	if (!pn->dir)
		return -ENOMEM;
	pn->pgctrl = proc_create_data("pgctrl", 0600, pn->dir, &pgx_pgctrl_ops, pn);
	if (!pn->pgctrl)
		goto remove;
	for (i = 0; i < nr_cpu_ids; i++)
		if (pn->cpus[i] && pgx_proc_cpu_add(pn->cpus[i]))
			goto remove;
	return 0;
remove:
	pgx_proc_net_remove(pn);
	return -ENOMEM;
}

/**
 * pgx_proc_net_remove() - remove a namespace's folder with all that is in it
 * @pn: the generator
 *
 * Context: sleeps until nobody is inside, without the mutex.
 */
void pgx_proc_net_remove(struct pgx_net *pn)
{
	proc_remove(pn->dir);
}
