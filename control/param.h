/* SPDX-License-Identifier: GPL-2.0 */
/* The table of parameters, and the rules between settings. Leaves: plain data in, text out. */
#ifndef PGX_PARAM_H
#define PGX_PARAM_H

#include "measure/measure.h"
#include "pktgen_ext.h"

#define PGX_VALUE_SHOWN	60	/* bytes of a user's value in a reply */
#define PGX_MAX_WORDS	48	/* words of one line; a flag line has the most */

/* What a rule depends on, so that a line is checked against the rules that it touches */
#define PGX_ON_CLONE	(1U << 0)	/* clone_skb was written */
#define PGX_ON_BURST	(1U << 1)	/* burst was written */
#define PGX_ON_DOOR	(1U << 2)	/* xmit_mode was written */
#define PGX_ON_FLAG	(1U << 3)	/* flag was written */
#define PGX_ON_START	(1U << 4)	/* a run begins or goes on with these settings */
#define PGX_ON_IMIX	(1U << 5)	/* imix_weights was written */
#define PGX_ON_SIZE	(1U << 6)	/* a size was written */
#define PGX_ON_FRAGS	(1U << 7)	/* frags was written */
#define PGX_ON_SPI	(1U << 8)	/* spi was written */

/*
 * A line is refused, and yet its write returns its count: scripts rely on that for a few commands.
 */
#define PGX_SOFT	1

/**
 * struct pgx_words - a line cut into words, in place
 * @word: the words; word[0] is the command
 * @nr: how many
 * @more: there were more
 * @end: where the line ended, without a carriage return
 */
struct pgx_words {
	char		*word[PGX_MAX_WORDS];
	unsigned int	nr;
	bool		more;
	const char	*end;
};

/**
 * enum pgx_type - how a parameter is written and shown
 * @PGX_NUMBER: a whole number; with a suffix where its row has them
 * @PGX_DELAY: ns, and the listing's equivalent of a rate
 * @PGX_MBIT: a rate, Mbit/s unless a suffix says otherwise
 * @PGX_NODE: a memory node, or -1 for none
 * @PGX_DIGIT: a small number that is written without anything else
 * @PGX_BYTE: two hex digits
 * @PGX_VLAN: a VLAN; above 4095 for none
 * @PGX_MPLS: MPLS words in hex digits, with commas between
 * @PGX_WEIGHTS: a mix, SIZE,WEIGHT for each word
 * @PGX_IP4: an IPv4 address
 * @PGX_IP6: an IPv6 address
 * @PGX_MAC: a MAC address
 * @PGX_FLAGS: names of flags, each negated by '!'
 * @PGX_CHOICE: one of the row's names
 * @PGX_ACTION: no setting; the caller does it
 * @PGX_NAME: the entry's name; listed, not written
 */
enum pgx_type {
	PGX_NUMBER,
	PGX_DELAY,
	PGX_MBIT,
	PGX_NODE,
	PGX_DIGIT,
	PGX_BYTE,
	PGX_VLAN,
	PGX_MPLS,
	PGX_WEIGHTS,
	PGX_IP4,
	PGX_IP6,
	PGX_MAC,
	PGX_FLAGS,
	PGX_CHOICE,
	PGX_ACTION,
	PGX_NAME,
	PGX_NR_TYPES
};

/**
 * struct pgx_unit - a suffix of a number
 * @suffix: what follows the digits
 * @factor: what they are multiplied by
 */
struct pgx_unit {
	const char	*suffix;
	u64		factor;
};

/**
 * struct pgx_param - one row: all that is known of a parameter
 * @name: the word that sets it
 * @reply: what stands between "OK: " and the value, NULL for the name and '='
 * @label: what stands before the value in the listing, NULL if it is not listed
 * @type: an &enum pgx_type
 * @size: bytes of the field
 * @offset: of the field in &struct pgx_config
 * @floor: a smaller number is taken as this one
 * @ceiling: a larger number is taken as this one, 0 for none
 * @min: smallest number
 * @max: largest number
 * @units: suffixes, ended by a NULL suffix, or NULL
 * @names: of a choice or of flag bits; NULL where a bit has none
 * @nr_names: how many
 * @soft: a refusal still returns the count
 * @hex: bits are meant, so 0x and hex digits are understood too
 * @on: PGX_ON_* that writing it sets off
 * @shown: whether it is listed, NULL for always
 * @needs: whether it can be set, NULL for always; @lacks says what is missing
 * @lacks: what has to be set first
 * @fixup: settles what depends on it, or NULL
 */
struct pgx_param {
	const char		*name;
	const char		*reply;
	const char		*label;
	u8			type;
	u8			size;
	u16			offset;
	u32			floor;
	u32			ceiling;
	u64			min;
	u64			max;
	const struct pgx_unit	*units;
	const char *const	*names;
	u8			nr_names;
	bool			soft;
	bool			hex;
	u32			on;
	bool			(*shown)(const struct pgx_config *cfg);
	bool			(*needs)(const struct pgx_config *cfg);
	const char		*lacks;
	void			(*fixup)(struct pgx_config *cfg);
};

/**
 * typedef pgx_parse_fn - read a line into settings
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @words: the line
 * @reply: gets the reason of a refusal
 *
 * Return: 0, PGX_SOFT, -EINVAL, -ERANGE or -E2BIG.
 */
typedef int (*pgx_parse_fn)(const struct pgx_param *row, struct pgx_config *cfg,
			    const struct pgx_facts *facts, const struct pgx_words *words,
			    struct pgx_text *reply);

/**
 * typedef pgx_show_fn - show a value
 * @row: the parameter
 * @cfg: the settings
 * @facts: the device
 * @out: where it goes
 */
typedef void (*pgx_show_fn)(const struct pgx_param *row, const struct pgx_config *cfg,
			    const struct pgx_facts *facts, struct pgx_text *out);

/**
 * struct pgx_value - what a type of parameter is
 * @parse: reads a line into settings
 * @list: shows the value in the listing
 * @confirm: shows the value in a reply
 * @many: takes every word of the line
 */
struct pgx_value {
	pgx_parse_fn	parse;
	pgx_show_fn	list;
	pgx_show_fn	confirm;
	bool		many;
};

extern const struct pgx_value pgx_values[PGX_NR_TYPES];
extern const struct pgx_param pgx_params[];
extern const unsigned int pgx_nr_params;

/* value.c: types, and what all of them use */
u64 pgx_load(const struct pgx_param *row, const struct pgx_config *cfg);
void pgx_store(const struct pgx_param *row, struct pgx_config *cfg, u64 value);
void *pgx_field_of(const struct pgx_param *row, const struct pgx_config *cfg);
void pgx_refuse(const struct pgx_param *row, const char *value, struct pgx_text *reply);
const char *pgx_words_value(const struct pgx_words *words);
int pgx_hex_digit(char c);

/* address.c */
int pgx_parse_ip4(const struct pgx_param *row, struct pgx_config *cfg,
		  const struct pgx_facts *facts, const struct pgx_words *words,
		  struct pgx_text *reply);
int pgx_parse_ip6(const struct pgx_param *row, struct pgx_config *cfg,
		  const struct pgx_facts *facts, const struct pgx_words *words,
		  struct pgx_text *reply);
int pgx_parse_mac(const struct pgx_param *row, struct pgx_config *cfg,
		  const struct pgx_facts *facts, const struct pgx_words *words,
		  struct pgx_text *reply);
void pgx_show_ip4(const struct pgx_param *row, const struct pgx_config *cfg,
		  const struct pgx_facts *facts, struct pgx_text *out);
void pgx_show_ip6(const struct pgx_param *row, const struct pgx_config *cfg,
		  const struct pgx_facts *facts, struct pgx_text *out);
void pgx_show_mac(const struct pgx_param *row, const struct pgx_config *cfg,
		  const struct pgx_facts *facts, struct pgx_text *out);

/* series.c: values that are lists, and tags */
int pgx_parse_vid(const struct pgx_param *row, struct pgx_config *cfg,
		  const struct pgx_facts *facts, const struct pgx_words *words,
		  struct pgx_text *reply);
int pgx_parse_labels(const struct pgx_param *row, struct pgx_config *cfg,
		     const struct pgx_facts *facts, const struct pgx_words *words,
		     struct pgx_text *reply);
int pgx_parse_weights(const struct pgx_param *row, struct pgx_config *cfg,
		      const struct pgx_facts *facts, const struct pgx_words *words,
		      struct pgx_text *reply);
void pgx_confirm_vid(const struct pgx_param *row, const struct pgx_config *cfg,
		     const struct pgx_facts *facts, struct pgx_text *out);
void pgx_list_labels(const struct pgx_param *row, const struct pgx_config *cfg,
		     const struct pgx_facts *facts, struct pgx_text *out);
void pgx_confirm_labels(const struct pgx_param *row, const struct pgx_config *cfg,
			const struct pgx_facts *facts, struct pgx_text *out);
void pgx_list_weights(const struct pgx_param *row, const struct pgx_config *cfg,
		      const struct pgx_facts *facts, struct pgx_text *out);
void pgx_confirm_weights(const struct pgx_param *row, const struct pgx_config *cfg,
			 const struct pgx_facts *facts, struct pgx_text *out);

/* param.c: rows */
char *pgx_words_cut(char *line, struct pgx_words *words);
const struct pgx_param *pgx_param_find(const char *name);
int pgx_param_write(struct pgx_config *cfg, const struct pgx_facts *facts, bool running,
		    const struct pgx_words *words, struct pgx_text *reply,
		    const struct pgx_param **row);
void pgx_param_list(const struct pgx_config *cfg, const struct pgx_facts *facts,
		    struct pgx_text *out);

/* config.c: settings as a whole */
int pgx_config_defaults(int count, int delay, int clone_skb, int debug);
void pgx_config_init(struct pgx_config *cfg);
int pgx_config_check(const struct pgx_config *cfg, const struct pgx_facts *facts, u32 on,
		     struct pgx_text *reply);
bool pgx_config_complete(struct pgx_config *cfg, const struct pgx_facts *facts);
u64 pgx_config_gap(const struct pgx_config *cfg);

#endif
