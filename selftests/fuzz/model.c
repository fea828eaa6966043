// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include "model.h"
#include "test.h"

struct proc_dir_entry {
	struct proc_dir_entry	*next;
	char			name[PGX_NAME_SIZE];
};

struct model model;
unsigned int nr_cpu_ids = MODEL_CPUS;
static struct proc_dir_entry *folder;

static bool node_exists(u32 node)
{
	return node == 0 || node == 2;
}

void model_begin(void)
{
	static const struct pgx_facts facts = {
		.mac = { 2, 0, 0, 0, 0, 1 }, .src_ip = 0x0a000001, .max_frame = 1518, .tx_queues = 4,
		.sharing = true, .scatter = true, .ipsec = true, .cpu = true,
		.node_exists = node_exists
	};
	int i;

	memset(&model, 0, sizeof(model));
	shim_no_memory = false;
	model.facts = facts;
	model.pn.cpus = model.cpus;
	pgx_entries_allow(true);
	for (i = 0; i < MODEL_CPUS; i++) {
		model.cpus[i] = shim_alloc(sizeof(*model.cpus[i]), 0);
		model.cpus[i]->pn = &model.pn;
		model.cpus[i]->thread.cpu = i;
		INIT_LIST_HEAD(&model.cpus[i]->devs);
	}
	for (i = 0; i < MODEL_DEVICES; i++) {
		snprintf(model.name[i], sizeof(model.name[i]), "eth%d", i);
		model.device[i].name = model.name[i];
		model.device[i].type = i == 3 ? 65534 : ARPHRD_ETHER;
		model.device[i].flags = i == 2 ? 0 : IFF_UP;
		model.device[i].priv_flags = i == 1 ? 0 : IFF_TX_SKB_SHARING;
	}
}

void model_end(void)
{
	int i;

	shim_no_memory = false;
	pgx_net_reset(&model.pn);
	EQ(model_files(), 0);
	for (i = 0; i < MODEL_DEVICES; i++)
		EQ(model.device[i].refs, 0);
	for (i = 0; i < MODEL_CPUS; i++)
		shim_free(model.cpus[i]);
	EQ(shim_blocks, 0);
}

unsigned int model_entries(void)
{
	unsigned int nr = 0;
	struct pgx_dev *dev;
	int i;

	for (i = 0; i < MODEL_CPUS; i++)
		list_for_each_entry(dev, &model.cpus[i]->devs, node)
			nr++;
	return nr;
}

struct pgx_dev *model_entry(unsigned int n)
{
	unsigned int nr = model_entries();
	struct pgx_dev *dev;
	int i;

	n = nr ? n % nr : 0;
	for (i = 0; i < MODEL_CPUS; i++)
		list_for_each_entry(dev, &model.cpus[i]->devs, node)
			if (!n--)
				return dev;
	return NULL;
}

unsigned int model_files_of(const char *name)
{
	struct proc_dir_entry *file;
	unsigned int nr = 0;

	for (file = folder; file; file = file->next)
		nr += !strcmp(file->name, name);
	return nr;
}

unsigned int model_files(void)
{
	struct proc_dir_entry *file;
	unsigned int nr = 0;

	for (file = folder; file; file = file->next)
		nr++;
	return nr;
}

/* procfs warns of a second file of a name, so nobody may ask for one. */
struct proc_dir_entry *pgx_proc_dev_add(struct pgx_dev *dev)
{
	struct proc_dir_entry *file;

	EQ(model_files_of(dev->name), 0);
	file = shim_alloc(sizeof(*file), 0);
	if (!file)
		return NULL;
	strscpy(file->name, dev->name, sizeof(file->name));
	file->next = folder;
	folder = file;
	return file;
}

/* Waits for who is inside, who may wait for the mutex. */
void pgx_proc_remove(struct proc_dir_entry *entry)
{
	struct proc_dir_entry **at;

	CHECK(!model.pn.lock.held && model.pn.files.held);
	for (at = &folder; *at && *at != entry; at = &(*at)->next)
		;
	CHECK(*at);
	*at = entry->next;
	shim_free(entry);
}

struct net_device *__dev_get_by_name(struct net *net, const char *name)
{
	int i;

	CHECK(shim_rtnl);
	for (i = 0; i < MODEL_DEVICES; i++)
		if (!model.gone[i] && !strcmp(model.name[i], name))
			return &model.device[i];
	return NULL;
}

void netdev_warn(const struct net_device *dev, const char *fmt, ...)
{
}

int pgx_thread_create(struct pgx_thread *thread)
{
	CHECK(model.pn.lock.held);
	return 0;
}

void pgx_thread_ask(struct pgx_thread *thread, struct pgx_req *req)
{
	struct pgx_run *run = req->run;
	struct pgx_plan *old = run->plan;

	CHECK(model.pn.lock.held && run->thread == thread);
	if (req->op == PGX_OP_STOP) {
		run->state = PGX_IDLE;
		run->end = req->end;
		run->stopped = ktime_get_ns();
	} else if (req->op == PGX_OP_CLEAR) {
		pgx_stats_clear(&run->stats);
	} else {
		EQ(req->op, PGX_OP_CONFIG);
		run->plan = req->plan;
		run->cfg = &req->plan->cfg;
		req->plan = old;
	}
}

void pgx_run_init(struct pgx_run *run, struct pgx_thread *thread, struct net_device *dev,
		  struct pgx_plan *plan)
{
	run->thread = thread;
	run->dev = dev;
	run->plan = plan;
	run->cfg = &plan->cfg;
	run->frags = -1;
	pgx_stats_init(&run->stats);
}

void pgx_run_snapshot(struct pgx_run *run, struct pgx_snapshot *snap)
{
	memset(snap, 0, sizeof(*snap));
	pgx_stats_copy(&run->stats, snap);
	snap->started = run->started;
	snap->stopped = run->state == PGX_IDLE ? run->stopped : ktime_get_ns();
	snap->end = run->state == PGX_IDLE ? run->end : PGX_END_NONE;
	snap->frags = run->frags;
}

void pgx_facts_read(struct net_device *dev, const char *name, struct pgx_facts *facts)
{
	*facts = model.facts;
	facts->name = name;
	facts->sharing = facts->sharing && dev->priv_flags & IFF_TX_SKB_SHARING;
}

/* A start as far as an entry's settings have to do with it */
static int start(struct pgx_dev *dev)
{
	struct pgx_config cfg = dev->plan->cfg;
	struct pgx_facts facts;
	struct pgx_text text;
	char buf[PGX_REPLY_SIZE];
	int rc;

	pgx_dev_facts(dev, &facts);
	pgx_config_complete(&cfg, &facts);
	pgx_text_init(&text, buf, sizeof(buf));
	rc = pgx_config_check(&cfg, &facts, PGX_ON_START, &text);
	if (rc)
		pgx_reply_set(&dev->reply, "%s", buf);
	rc = rc ?: pgx_dev_publish(dev, &cfg);
	if (rc)
		return rc;
	dev->run.state = PGX_RUNNING;
	dev->run.started = ktime_get_ns();
	return 0;
}

int pgx_net_start(struct pgx_net *pn)
{
	struct pgx_dev *dev;
	int i, rc = 0;

	mutex_lock(&pn->lock);
	for (i = 0; i < MODEL_CPUS && !rc; i++)
		list_for_each_entry(dev, &pn->cpus[i]->devs, node)
			rc = rc ?: dev->run.state == PGX_IDLE ? start(dev) : 0;
	mutex_unlock(&pn->lock);
	return rc;
}

void pgx_net_stop(struct pgx_net *pn)
{
	struct pgx_dev *dev;
	int i;

	mutex_lock(&pn->lock);
	for (i = 0; i < MODEL_CPUS; i++)
		list_for_each_entry(dev, &pn->cpus[i]->devs, node)
			pgx_dev_stop(dev, PGX_END_STOP);
	mutex_unlock(&pn->lock);
}
