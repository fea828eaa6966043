// SPDX-License-Identifier: GPL-2.0
/* Runs every test and tells what came out of it as KTAP version 1. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "test.h"

#define MOST_TOLD	10	/* failures of one test that are shown */

static struct test *tests, **tail = &tests;
static unsigned int failures;
static char note[512];

/*
 * Nothing here allocates for long, and the leak checker does not work under every tracer. The
 * compiler checks the arguments of formats; to do so at each call would take half of the time.
 */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0:check_printf=0";
}

void test_add(struct test *test)
{
	*tail = test;
	tail = &test->next;
}

static void print_plain(const char *text)
{
	for (; *text; text++)
		if (*text >= ' ' && *text <= '~')
			putchar(*text);
		else
			printf("\\x%02x", (unsigned char)*text);
}

static void print_named(const char *name, const char *text)
{
	printf("#   %s: \"", name);
	print_plain(text);
	printf("\"\n");
}

/* Return: whether more is to be told about this failure. */
static bool fail(const char *file, int line, const char *what)
{
	if (++failures > MOST_TOLD)
		return false;
	printf("# %s:%d: %s\n", file, line, what);
	if (note[0])
		print_named("at", note);
	return true;
}

void test_check(bool ok, const char *file, int line, const char *what)
{
	if (!ok)
		fail(file, line, what);
}

void test_eq(u64 got, u64 want, const char *file, int line, const char *what)
{
	if (got != want && fail(file, line, what))
		printf("#   got %llu, want %llu\n", got, want);
}

void test_same(const char *got, const char *want, const char *file, int line, const char *what)
{
	if (!strcmp(got, want) || !fail(file, line, what))
		return;
	print_named("got ", got);
	print_named("want", want);
}

void test_note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(note, sizeof(note), fmt, args);
	va_end(args);
}

void test_say(const char *fmt, ...)
{
	va_list args;

	printf("# ");
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

bool test_failed(void)
{
	return failures;
}

/* xorshift64* (Vigna 2014); the state must not be 0. */
u64 test_rand(u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

static bool run(struct test *test, unsigned int number)
{
	failures = 0;
	note[0] = '\0';
	test->run();
	if (failures > MOST_TOLD)
		printf("# %u more failures\n", failures - MOST_TOLD);
	printf("%sok %u %s\n", failures ? "not " : "", number, test->name);
	fflush(stdout);
	return !failures;
}

int main(void)
{
	unsigned int number = 0;
	struct test *test;
	bool good = true;

	for (test = tests; test; test = test->next)
		number++;
	printf("KTAP version 1\n1..%u\n", number);
	fflush(stdout);
	for (test = tests, number = 1; test; test = test->next, number++)
		good &= run(test, number);
	return !good;
}
