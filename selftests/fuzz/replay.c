// SPDX-License-Identifier: GPL-2.0
/*
 * A target without libFuzzer: runs files, and then copies of them with bytes changed, cut out, doubled
 * or taken from another file, for a number of rounds that a seed makes the same again.
 *
 *   replay SEED ROUNDS FILE...
 *
 * The input at hand is written to "crash" in the current folder when something does not hold.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fuzz.h"
#include "test.h"

#define MOST	8192

struct input {
	size_t	size;
	u8	bytes[MOST];
};

static struct input *inputs, now;
static int nr_inputs;
static u64 seed;

static void keep(int sig)
{
	FILE *file = fopen("crash", "w");

	if (file) {
		fwrite(now.bytes, 1, now.size, file);
		fclose(file);
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

static size_t pick(size_t below)
{
	return below ? (test_rand(&seed) >> 33) % below : 0;
}

static void load(const char *name)
{
	FILE *file = fopen(name, "r");

	if (!file) {
		perror(name);
		exit(2);
	}
	inputs[nr_inputs].size = fread(inputs[nr_inputs].bytes, 1, MOST, file);
	fclose(file);
	nr_inputs++;
}

/* Put bytes into the middle, as far as there is room. */
static void insert(size_t at, const u8 *bytes, size_t len)
{
	if (now.size + len > MOST)
		len = MOST - now.size;
	memmove(now.bytes + at + len, now.bytes + at, now.size - at);
	memcpy(now.bytes + at, bytes, len);
	now.size += len;
}

static void from_another(void)
{
	const struct input *other = &inputs[pick(nr_inputs)];
	size_t from = pick(other->size), len = pick(other->size - from + 1);

	insert(pick(now.size + 1), other->bytes + from, len);
}

static void cut(void)
{
	size_t at = pick(now.size), len = pick(pick(now.size - at + 1) + 1);

	memmove(now.bytes + at, now.bytes + at + len, now.size - at - len);
	now.size -= len;
}

static void change(void)
{
	static const char alphabet[] = "0123456789abcdefx.:,=\n\t\"! >#kMG-/@";
	u8 byte = pick(4) ? (u8)alphabet[pick(sizeof(alphabet) - 1)] : test_rand(&seed) >> 40;

	if (now.size && pick(2))
		now.bytes[pick(now.size)] = byte;
	else
		insert(pick(now.size + 1), &byte, 1);
}

static void mutate(void)
{
	int times = 1 + pick(6);

	now = inputs[pick(nr_inputs)];
	while (times--) {
		switch (pick(6)) {
		case 0:
			from_another();
			break;
		case 1:
			cut();
			break;
		default:
			change();
		}
	}
}

int main(int argc, char **argv)
{
	long rounds;
	int i;

	if (argc < 4)
		return 2;
	seed = strtoull(argv[1], NULL, 0) ?: 1;
	rounds = strtol(argv[2], NULL, 0);
	inputs = calloc(argc, sizeof(*inputs));
	signal(SIGABRT, keep);
	signal(SIGILL, keep);
	for (i = 3; i < argc; i++) {
		load(argv[i]);
		now = inputs[nr_inputs - 1];
		LLVMFuzzerTestOneInput(now.bytes, now.size);
	}
	for (; rounds > 0; rounds--) {
		mutate();
		LLVMFuzzerTestOneInput(now.bytes, now.size);
	}
	return 0;
}
