// SPDX-License-Identifier: GPL-2.0
/* Values that are lists, and tags: how they are read from a line and shown. A leaf. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "control/param.h"
#include "traffic/traffic.h"

#define PGX_MAX_VID	4095U

/* Decimal digits; false if there are none or they do not fit. */
static bool pgx_take_u32(const char **c, u32 *number)
{
	const char *begin = *c;
	u64 sum = 0;

	for (; **c >= '0' && **c <= '9'; ++*c) {
		sum = sum * 10 + **c - '0';
		if (sum > U32_MAX)
			return false;
	}
	*number = sum;
	return *c > begin;
}

/**
 * pgx_parse_vid() - read a VLAN
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @words: the line
 * @reply: gets the reason of a refusal
 *
 * A number that no VLAN has takes the tag away.
 *
 * Return: 0; PGX_SOFT if another tag has to be there first; or -EINVAL.
 */
int pgx_parse_vid(const struct pgx_param *row, struct pgx_config *cfg,
		  const struct pgx_facts *facts, const struct pgx_words *words,
		  struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	const char *c = value;
	u32 vid = 0;

	if (*c && (!pgx_take_u32(&c, &vid) || *c || vid > U16_MAX)) {
		pgx_refuse(row, value, reply);
		pgx_text_add(reply, "is not a VLAN, allowed is 0 to %u, or up to %u for none",
			     PGX_MAX_VID, U16_MAX);
		return -EINVAL;
	}
	if (vid <= PGX_MAX_VID && row->needs && !row->needs(cfg)) {
		pgx_refuse(row, value, reply);
		pgx_text_add(reply, "needs %s first, allowed without is %u to %u for none",
			     row->lacks, PGX_MAX_VID + 1, U16_MAX);
		return PGX_SOFT;
	}
	pgx_store(row, cfg, vid <= PGX_MAX_VID ? vid : PGX_NO_VID);
	return 0;
}

/**
 * pgx_confirm_vid() - show a VLAN in a reply
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @out: where it goes
 */
void pgx_confirm_vid(const struct pgx_param *row, const struct pgx_config *cfg,
		     const struct pgx_facts *facts, struct pgx_text *out)
{
	u32 vid = pgx_load(row, cfg);

	if (vid == PGX_NO_VID)
		pgx_text_add(out, "off");
	else
		pgx_text_add(out, "%u", vid);
}

/* One to eight hex digits. */
static bool pgx_label(const char **c, u32 *word)
{
	int digit, digits;

	*word = 0;
	for (digits = 0; (digit = pgx_hex_digit(**c)) >= 0; digits++, ++*c)
		*word = *word << 4 | digit;
	return digits >= 1 && digits <= 8;
}

static int pgx_labels(const char *c, u32 *label, u8 *nr)
{
	u32 word;

	for (*nr = 0;; c++) {
		if (!pgx_label(&c, &word))
			return -EINVAL;
		if (*nr == PGX_MAX_LABELS)
			return -E2BIG;
		label[(*nr)++] = word;
		if (*c != ',')
			return *c ? -EINVAL : 0;
	}
}

static void pgx_labels_mark(struct pgx_config *cfg)
{
	int i;

	for (i = 0; i < cfg->nr_labels; i++)
		if (cfg->labels[i] & PGX_LABEL_LAST)
			cfg->flags |= PGX_F_MPLS_RND;
	if (!cfg->nr_labels)
		return;
	cfg->vlan_id = PGX_NO_VID;
	cfg->svlan_id = PGX_NO_VID;
}

/**
 * pgx_parse_labels() - read MPLS words
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @words: the line
 * @reply: gets the reason of a refusal
 *
 * A single zero is no label. A word with the bottom of stack bit asks for random labels, as scripts
 * know it. Labels and VLAN tags exclude each other.
 *
 * Return: 0, -EINVAL or -E2BIG.
 */
int pgx_parse_labels(const struct pgx_param *row, struct pgx_config *cfg,
		     const struct pgx_facts *facts, const struct pgx_words *words,
		     struct pgx_text *reply)
{
	const char *value = pgx_words_value(words);
	int rc = pgx_labels(value, cfg->labels, &cfg->nr_labels);

	if (rc) {
		pgx_refuse(row, value, reply);
		pgx_text_add(reply, "%s, allowed is 0, or up to %u words of 1 to 8 hex digits ",
			     rc == -E2BIG ? "has too many labels" : "is not a list of labels",
			     PGX_MAX_LABELS);
		pgx_text_add(reply, "with commas between");
		return rc;
	}
	if (cfg->nr_labels == 1 && !cfg->labels[0])
		cfg->nr_labels = 0;
	pgx_labels_mark(cfg);
	return 0;
}

static void pgx_show_labels(const struct pgx_config *cfg, const char *between,
			    struct pgx_text *out)
{
	int i;

	for (i = 0; i < cfg->nr_labels; i++)
		pgx_text_add(out, "%s%08x", i ? between : "", cfg->labels[i]);
}

/**
 * pgx_list_labels() - show MPLS words in the listing
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @out: where it goes
 */
void pgx_list_labels(const struct pgx_param *row, const struct pgx_config *cfg,
		     const struct pgx_facts *facts, struct pgx_text *out)
{
	pgx_show_labels(cfg, ", ", out);
}

/**
 * pgx_confirm_labels() - show MPLS words in a reply
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @out: where it goes
 */
void pgx_confirm_labels(const struct pgx_param *row, const struct pgx_config *cfg,
			const struct pgx_facts *facts, struct pgx_text *out)
{
	pgx_show_labels(cfg, ",", out);
}

static bool pgx_weight(const char *c, struct pgx_weight *pair)
{
	if (!pgx_take_u32(&c, &pair->size) || *c++ != ',' || !pgx_take_u32(&c, &pair->weight))
		return false;
	pair->size = max(pair->size, PGX_MIN_PKT_SIZE);
	return !*c && pair->weight && pair->size <= PGX_MAX_PKT_SIZE;
}

/* Why the word that @value gets makes a line no mix, NULL if it is one. */
static const char *pgx_weights(struct pgx_config *cfg, const struct pgx_words *words,
			       const char **value, int *rc)
{
	const char *end = words->word[0] + strlen(words->word[0]);
	unsigned int i;

	*rc = -EINVAL;
	*value = pgx_words_value(words);
	if (words->nr < 2)
		return "is no pair";
	for (i = 1; i < words->nr; i++) {
		*value = words->word[i];
		if (i > 1 && words->word[i] != end + 1)
			return "is not one blank behind the pair before it";
		end = words->word[i] + strlen(words->word[i]);
		if (i > PGX_MAX_IMIX) {
			*rc = -E2BIG;
			return "is one pair too many";
		}
		if (!pgx_weight(words->word[i], &cfg->imix[i - 1]))
			return "is not a pair";
	}
	if (words->end != end)
		return "has something behind it";
	cfg->nr_imix = words->nr - 1;
	return NULL;
}

/**
 * pgx_parse_weights() - read a mix of sizes
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @words: the line
 * @reply: gets the reason of a refusal
 *
 * The word "none" takes the mix away.
 *
 * Return: 0, -EINVAL or -E2BIG.
 */
int pgx_parse_weights(const struct pgx_param *row, struct pgx_config *cfg,
		      const struct pgx_facts *facts, const struct pgx_words *words,
		      struct pgx_text *reply)
{
	const char *value, *fault;
	int rc;

	if (words->nr == 2 && !strcmp(pgx_words_value(words), "none")) {
		cfg->nr_imix = 0;
		return 0;
	}
	fault = pgx_weights(cfg, words, &value, &rc);
	if (!fault)
		return 0;
	pgx_refuse(row, value, reply);
	pgx_text_add(reply, "%s, allowed is none, or 1 to %u of SIZE,WEIGHT with one blank ",
		     fault, PGX_MAX_IMIX);
	pgx_text_add(reply, "between, sizes up to %u, weights from 1", PGX_MAX_PKT_SIZE);
	return rc;
}

/**
 * pgx_list_weights() - show a mix in the listing
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @out: where it goes
 */
void pgx_list_weights(const struct pgx_param *row, const struct pgx_config *cfg,
		      const struct pgx_facts *facts, struct pgx_text *out)
{
	int i;

	for (i = 0; i < cfg->nr_imix; i++)
		pgx_text_add(out, "%u,%u ", cfg->imix[i].size, cfg->imix[i].weight);
}

/**
 * pgx_confirm_weights() - show a mix in a reply
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @out: where it goes
 */
void pgx_confirm_weights(const struct pgx_param *row, const struct pgx_config *cfg,
			 const struct pgx_facts *facts, struct pgx_text *out)
{
	int i;

	if (!cfg->nr_imix)
		pgx_text_add(out, "none");
	for (i = 0; i < cfg->nr_imix; i++)
		pgx_text_add(out, "%s%u,%u", i ? " " : "", cfg->imix[i].size, cfg->imix[i].weight);
}
