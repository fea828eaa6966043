// SPDX-License-Identifier: GPL-2.0
/*
 * Writes to all files of a namespace, and what happens around them. An input is steps; each begins
 * with a line '>', a letter and an argument, and what follows up to the next is written whole:
 *
 *   >p          to pgctrl
 *   >0 >1       to kpktgend_0 or kpktgend_1
 *   >dN         to the file of the Nth entry
 *   >nN NAME    device N gets a name, which its entries' files follow
 *   >xN         device N goes away, or is there again
 *   >uN         device N goes up or down
 *   >cN         CPU N goes offline or comes back
 *   >m          the next allocation of the step after this one fails
 *   >f WORDS    every device becomes another, see device.h
 */
#include <stdlib.h>
#include "device.h"
#include "fuzz.h"
#include "holds.h"
#include "model.h"

#define WHOLE	16384

struct step {
	char	what;
	char	*argument;
	char	*text;
	size_t	len;
};

static bool is_documented(int rc)
{
	return !rc || rc == -EINVAL || rc == -ERANGE || rc == -EOPNOTSUPP || rc == -E2BIG ||
	       rc == -EBUSY || rc == -ENODEV || rc == -ENETDOWN || rc == -ENOMEM;
}

static void check_name(const char *name)
{
	const char *c;

	CHECK(*name && strlen(name) < PGX_NAME_SIZE);
	for (c = name; *c; c++)
		CHECK((u8)*c > ' ' && *c != '/' && *c != 0x7f);
	CHECK(strcmp(name, ".") && strcmp(name, "..") && strcmp(name, "pgctrl"));
	CHECK(strncmp(name, "kpktgend_", 9));
}

static void check_reply(const struct pgx_reply *reply)
{
	CHECK(memchr(reply->text, 0, sizeof(reply->text)));
	CHECK(text_is_plain(reply->text));
}

/* The whole text, and less room for it: its beginning, ended by a NUL, nothing beyond */
static void check_show(struct pgx_cpu *cpu, struct pgx_dev *dev, size_t room)
{
	static char whole[WHOLE];
	char *some = malloc(room);
	struct pgx_text text;
	u64 now = shim_now;
	size_t len;

	pgx_text_init(&text, whole, WHOLE);
	EQ(dev ? pgx_command_show_dev(dev, &text) : pgx_command_show_cpu(cpu, &text), 0);
	len = strlen(whole);
	EQ(text.len, len);
	CHECK(strstr(whole, "Result: ") && whole[len - 1] == '\n');
	shim_now = now;
	pgx_text_init(&text, some, room);
	EQ(dev ? pgx_command_show_dev(dev, &text) : pgx_command_show_cpu(cpu, &text), 0);
	EQ(text.len, len < room ? len : room - 1);
	CHECK(!memcmp(some, whole, text.len) && !some[text.len]);
	free(some);
}

static void check_entry(struct pgx_dev *dev, unsigned int *refs)
{
	check_name(dev->name);
	EQ(model_files_of(dev->name), 1);
	check_reply(&dev->reply);
	CHECK(!dev->dead && dev->plan == dev->run.plan && dev->run.cfg == &dev->plan->cfg);
	EQ(dev->refs.refs, 1);
	EQ(!dev->plan->cfg.flows, !dev->plan->slots);
	EQ(!dev->plan->cfg.frags, !dev->plan->page);
	holds_config(&dev->plan->cfg);
	refs[dev->netdev - model.device]++;
}

static void check_all(size_t room)
{
	unsigned int refs[MODEL_DEVICES] = { }, i;
	struct pgx_dev *dev;

	CHECK(!shim_rtnl && !model.pn.lock.held && !model.pn.files.held);
	EQ(model_files(), model_entries());
	for (i = 0; i < MODEL_CPUS; i++) {
		check_reply(&model.cpus[i]->reply);
		check_show(model.cpus[i], NULL, room);
		list_for_each_entry(dev, &model.cpus[i]->devs, node) {
			check_entry(dev, refs);
			check_show(NULL, dev, room);
		}
	}
	for (i = 0; i < MODEL_DEVICES; i++)
		EQ(model.device[i].refs, refs[i]);
}

/* One line or none: then a refusal leaves the settings as they were. */
static void write_entry(struct pgx_dev *dev, struct step *step)
{
	bool one = !memchr(step->text, '\n', step->len);
	struct pgx_config before = dev->plan->cfg;
	int rc = pgx_command_dev(dev, step->text, step->len);

	CHECK(is_documented(rc));
	if (one && (rc || strncmp(dev->reply.text, "OK: ", 4)))
		CHECK(!memcmp(&before, &dev->plan->cfg, sizeof(before)));
}

/* The text stands in memory of its own size, as the kernel copies it. */
static void write_to(struct step *step)
{
	char *copy = malloc(step->len + 1);
	struct pgx_dev *dev;

	memcpy(copy, step->text, step->len);
	copy[step->len] = '\0';
	step->text = copy;
	if (step->what == 'p') {
		CHECK(is_documented(pgx_command_pgctrl(&model.pn, copy, step->len)));
	} else if (step->what == 'd') {
		dev = model_entry(strtoul(step->argument, NULL, 10));
		if (dev)
			write_entry(dev, step);
	} else {
		CHECK(is_documented(pgx_command_cpu(model.cpus[step->what - '0'], copy, step->len)));
	}
	free(copy);
}

static void rename_device(unsigned int i, const char *name)
{
	unsigned int j;

	name = name && *name == ' ' ? name + 1 : "";
	if (!*name || strlen(name) >= 16 || strpbrk(name, "/: \t") || model.gone[i])
		return;
	for (j = 0; j < MODEL_DEVICES; j++)
		if (!strcmp(model.name[j], name))
			return;
	strscpy(model.name[i], name, sizeof(model.name[i]));
	rtnl_lock();
	pgx_net_rename(&model.pn, &model.device[i]);
	rtnl_unlock();
}

static void go_away(unsigned int i)
{
	model.gone[i] = !model.gone[i];
	if (!model.gone[i])
		return;
	rtnl_lock();
	pgx_net_forget(&model.pn, &model.device[i]);
	rtnl_unlock();
	EQ(model.device[i].refs, 0);
}

static void change_cpu(unsigned int i)
{
	struct pgx_cpu *cpu = model.cpus[i];
	struct pgx_dev *dev;

	mutex_lock(&model.pn.lock);
	cpu->offline = !cpu->offline;
	list_for_each_entry(dev, &cpu->devs, node)
		if (cpu->offline)
			pgx_dev_stop(dev, PGX_END_CPU);
	mutex_unlock(&model.pn.lock);
}

static void change_devices(char *words)
{
	bool running = false;

	device_change(&model.facts, &running, words);
}

static void take(struct step *step)
{
	char *argument = step->argument;
	unsigned int n = strtoul(argument, &argument, 10);

	switch (step->what) {
	case 'p':
	case 'd':
	case '0':
	case '1':
		write_to(step);
		break;
	case 'n':
		rename_device(n % MODEL_DEVICES, argument);
		break;
	case 'x':
		go_away(n % MODEL_DEVICES);
		break;
	case 'u':
		model.device[n % MODEL_DEVICES].flags ^= IFF_UP;
		break;
	case 'c':
		change_cpu(n % MODEL_CPUS);
		break;
	case 'f':
		change_devices(step->argument);
	}
}

/* Cut off the next step; NUL bytes may be anywhere. Return: where the one after it begins. */
static char *next_step(char *at, char *end, struct step *step)
{
	char *eol = memchr(at, '\n', end - at), *next;

	eol = eol ?: end;
	*eol = '\0';
	step->what = at[0] == '>' ? at[1] : 0;
	step->argument = step->what ? at + 2 : at;
	step->text = eol < end ? eol + 1 : end;
	for (next = step->text; next < end; next++)
		if (*next == '>' && next[-1] == '\n')
			break;
	/* the newline before the next '>' is the text's end, an empty line one of the text */
	step->len = next - step->text;
	if (next < end && step->len)
		step->len--;
	return next;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *copy = malloc(size + 1), *at = copy;
	struct step step;

	memcpy(copy, data, size);
	copy[size] = '\0';
	model_begin();
	while (at < copy + size) {
		at = next_step(at, copy + size, &step);
		test_note("%c%.100s: %.300s", step.what, step.argument, step.text);
		if (step.what == 'm') {
			shim_no_memory = true;
			continue;
		}
		take(&step);
		shim_no_memory = false;
		check_all(1 + step.len % 700);
	}
	model_end();
	free(copy);
	return 0;
}
