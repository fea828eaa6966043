// SPDX-License-Identifier: GPL-2.0
/* The words that scripts write, and what they read back: one row per command. */
#include <linux/string.h>
#include "control/control.h"

static int pgx_pgctrl_stop(struct pgx_net *pn)
{
	pgx_net_stop(pn);
	return 0;
}

static int pgx_pgctrl_reset(struct pgx_net *pn)
{
	pgx_net_reset(pn);
	return 0;
}

static const struct {
	const char	*word;
	int		(*run)(struct pgx_net *pn);
} pgx_pgctrl_commands[] = {
	{ "start",	pgx_net_start },
	{ "stop",	pgx_pgctrl_stop },
	{ "reset",	pgx_pgctrl_reset },
};

/**
 * pgx_command_pgctrl() - carry out what was written to pgctrl
 * @pn: the file's namespace
 * @text: what was written, NUL terminated
 * @len: its bytes
 *
 * One word stands there, alone; a newline and NULs may follow it.
 *
 * Context: sleeps; "start" for as long as the runs take.
 *
 * Return: 0; -EINVAL for any other text; or what the command returns.
 */
int pgx_command_pgctrl(struct pgx_net *pn, char *text, size_t len)
{
	unsigned int i;

	while (len && !text[len - 1])
		len--;
	if (len && text[len - 1] == '\n')
		len--;
	for (i = 0; i < ARRAY_SIZE(pgx_pgctrl_commands); i++)
		if (len == strlen(pgx_pgctrl_commands[i].word) &&
		    !memcmp(text, pgx_pgctrl_commands[i].word, len))
			return pgx_pgctrl_commands[i].run(pn);
	return -EINVAL;
}

/* What one line does; PGX_SOFT ends the write without an error. */
typedef int (*pgx_line_fn)(void *target, const struct pgx_words *words);

/* How far a write got before a line was refused. */
struct pgx_progress {
	unsigned int	line;
	unsigned int	applied;
};

/* Carry out line after line until one is refused. Text without any word is refused too. */
static int pgx_lines(char *text, pgx_line_fn call, void *target, struct pgx_progress *progress)
{
	struct pgx_words words;
	int rc;

	for (; text; progress->line++) {
		text = pgx_words_cut(text, &words);
		if (!words.nr)
			continue;
		rc = call(target, &words);
		if (rc)
			return rc;
		progress->applied++;
	}
	return progress->applied ? 0 : -EINVAL;
}

/* In a write of several lines, say which one was refused and what has been done. */
static void pgx_reply_progress(struct pgx_reply *reply, const struct pgx_progress *progress)
{
	struct pgx_text text = {
		.buf = reply->text, .size = sizeof(reply->text), .len = strlen(reply->text)
	};

	if (progress->line > 1)
		pgx_text_add(&text, " (line %u; lines applied before it: %u)", progress->line,
			     progress->applied);
}

static int pgx_cpu_cmd_add(struct pgx_cpu *cpu, const struct pgx_words *words)
{
	return pgx_cpu_add(cpu, pgx_words_value(words));
}

static int pgx_cpu_cmd_rem(struct pgx_cpu *cpu, const struct pgx_words *words)
{
	return pgx_cpu_remove(cpu, pgx_words_value(words));
}

static int pgx_cpu_cmd_rem_all(struct pgx_cpu *cpu, const struct pgx_words *words)
{
	pgx_cpu_remove_all(cpu);
	return 0;
}

static int pgx_cpu_cmd_softirq(struct pgx_cpu *cpu, const struct pgx_words *words)
{
	mutex_lock(&cpu->pn->lock);
	pgx_reply_set(&cpu->reply, "OK: Note! max_before_softirq is obsoleted -- Do not use");
	mutex_unlock(&cpu->pn->lock);
	return 0;
}

static const struct {
	const char	*word;
	int		(*run)(struct pgx_cpu *cpu, const struct pgx_words *words);
} pgx_cpu_commands[] = {
	{ "add_device",		pgx_cpu_cmd_add },
	{ "rem_device",		pgx_cpu_cmd_rem },
	{ "rem_device_all",	pgx_cpu_cmd_rem_all },
	{ "max_before_softirq",	pgx_cpu_cmd_softirq },
};

static int pgx_cpu_cmd_unknown(struct pgx_cpu *cpu, const char *word)
{
	char reason[PGX_REPLY_SIZE];
	struct pgx_text text;
	unsigned int i;

	pgx_text_init(&text, reason, sizeof(reason));
	pgx_text_add(&text, "ERROR: no such command \"");
	pgx_text_add_word(&text, word, PGX_VALUE_SHOWN);
	pgx_text_add(&text, "\", allowed is");
	for (i = 0; i < ARRAY_SIZE(pgx_cpu_commands); i++)
		pgx_text_add(&text, "%s %s", i ? "," : "", pgx_cpu_commands[i].word);
	mutex_lock(&cpu->pn->lock);
	pgx_reply_set(&cpu->reply, "%s", reason);
	mutex_unlock(&cpu->pn->lock);
	return -EINVAL;
}

static int pgx_cpu_line(void *target, const struct pgx_words *words)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pgx_cpu_commands); i++)
		if (!strcmp(words->word[0], pgx_cpu_commands[i].word))
			return pgx_cpu_commands[i].run(target, words);
	return pgx_cpu_cmd_unknown(target, words->word[0]);
}

/**
 * pgx_command_cpu() - carry out what was written to a kpktgend_N file
 * @cpu: the thread
 * @text: what was written, NUL terminated; it is cut in place
 * @len: its bytes
 *
 * Context: sleeps.
 *
 * Return: 0, or the error of the first line that was refused.
 */
int pgx_command_cpu(struct pgx_cpu *cpu, char *text, size_t len)
{
	struct pgx_progress progress = { .line = 1 };
	int rc = pgx_lines(text, pgx_cpu_line, cpu, &progress);

	if (rc && progress.applied) {
		mutex_lock(&cpu->pn->lock);
		pgx_reply_progress(&cpu->reply, &progress);
		mutex_unlock(&cpu->pn->lock);
	}
	return rc;
}

static bool pgx_dev_running(const struct pgx_dev *dev)
{
	return READ_ONCE(dev->run.state) != PGX_IDLE;
}

/* Parse into a copy; put it in force whole, or answer why not and leave all as it was. */
static int pgx_dev_set(struct pgx_dev *dev, const struct pgx_words *words)
{
	struct pgx_config cfg = dev->plan->cfg;
	const struct pgx_param *row;
	struct pgx_facts facts;
	struct pgx_text text;
	int rc;

	lockdep_assert_held(&dev->cpu->pn->lock);
	pgx_dev_facts(dev, &facts);
	pgx_text_init(&text, dev->reply.text, sizeof(dev->reply.text));
	rc = pgx_param_write(&cfg, &facts, pgx_dev_running(dev), words, &text, &row);
	if (!rc && row->type == PGX_ACTION)
		pgx_dev_clear(dev);
	else if (!rc)
		rc = pgx_dev_publish(dev, &cfg);
	if (rc == -ENOMEM)
		pgx_reply_set(&dev->reply, "ERROR: %s: out of memory", row->name);
	dev->reply.at = ktime_get_ns();
	return rc;
}

static int pgx_dev_line(void *target, const struct pgx_words *words)
{
	struct pgx_dev *dev = target;
	struct pgx_net *pn = dev->cpu->pn;
	int rc;

	mutex_lock(&pn->lock);
	rc = dev->dead ? -ENODEV : pgx_dev_set(dev, words);
	mutex_unlock(&pn->lock);
	return rc;
}

/**
 * pgx_command_dev() - carry out what was written to an entry's file
 * @dev: the entry
 * @text: what was written, NUL terminated; it is cut in place
 * @len: its bytes
 *
 * Context: sleeps.
 *
 * Return: 0, or the error of the first line that was refused.
 */
int pgx_command_dev(struct pgx_dev *dev, char *text, size_t len)
{
	struct pgx_progress progress = { .line = 1 };
	int rc = pgx_lines(text, pgx_dev_line, dev, &progress);

	if (rc && progress.applied) {
		mutex_lock(&dev->cpu->pn->lock);
		pgx_reply_progress(&dev->reply, &progress);
		mutex_unlock(&dev->cpu->pn->lock);
	}
	return rc > 0 ? 0 : rc;
}

static void pgx_show_entries(struct pgx_cpu *cpu, const char *head, bool running,
			     struct pgx_text *out)
{
	struct pgx_dev *dev;

	pgx_text_add(out, "%s", head);
	list_for_each_entry(dev, &cpu->devs, node)
		if (pgx_dev_running(dev) == running)
			pgx_text_add(out, "%s ", dev->name);
	pgx_text_add(out, "\n");
}

/**
 * pgx_command_show_cpu() - write what reading a kpktgend_N file gives
 * @cpu: the thread
 * @out: where it goes
 *
 * Context: sleeps; takes the mutex.
 *
 * Return: 0.
 */
int pgx_command_show_cpu(struct pgx_cpu *cpu, struct pgx_text *out)
{
	mutex_lock(&cpu->pn->lock);
	pgx_show_entries(cpu, "Running: ", true, out);
	pgx_show_entries(cpu, "Stopped: ", false, out);
	pgx_text_add(out, "Result: %s\n", cpu->reply.at ? cpu->reply.text : "NA");
	mutex_unlock(&cpu->pn->lock);
	return 0;
}

/* The result belongs to the last command or run, whichever is later. */
static void pgx_show_result(const struct pgx_dev *dev, const struct pgx_snapshot *snap,
			    bool running, struct pgx_text *out)
{
	bool replied = dev->reply.at >= (running ? snap->started : snap->stopped);

	pgx_text_add(out, "Result: ");
	if (replied && dev->reply.at)
		pgx_text_add(out, "%s", dev->reply.text);
	else if (running)
		pgx_text_add(out, "Starting");
	else if (snap->started)
		pgx_result_run(out, snap);
	else
		pgx_text_add(out, "Idle");
	pgx_text_add(out, "\n");
}

/**
 * pgx_command_show_dev() - write what reading an entry's file gives
 * @dev: the entry
 * @out: where it goes
 *
 * Context: sleeps; takes the mutex.
 *
 * Return: 0, or -ENODEV once the entry is gone.
 */
int pgx_command_show_dev(struct pgx_dev *dev, struct pgx_text *out)
{
	struct pgx_net *pn = dev->cpu->pn;
	struct pgx_snapshot snap;
	struct pgx_facts facts;
	bool running;

	mutex_lock(&pn->lock);
	if (dev->dead) {
		mutex_unlock(&pn->lock);
		return -ENODEV;
	}
	running = pgx_dev_running(dev);
	pgx_run_snapshot(&dev->run, &snap);
	pgx_dev_facts(dev, &facts);
	pgx_param_list(&dev->plan->cfg, &facts, out);
	pgx_result_current(out, &snap);
	pgx_show_result(dev, &snap, running, out);
	mutex_unlock(&pn->lock);
	return 0;
}
