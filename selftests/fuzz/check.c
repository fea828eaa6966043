// SPDX-License-Identifier: GPL-2.0
/* The checks of ../unit/test.h, where a failure ends the process: a fuzzer keeps the input then. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "test.h"

static char note[512];

/* What is left allocated is counted by the shim; the leak checker does not work everywhere. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0:check_printf=0";
}

static void fail(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: %s\n  at \"%s\"\n", file, line, what, note);
	abort();
}

void test_check(bool ok, const char *file, int line, const char *what)
{
	if (!ok)
		fail(file, line, what);
}

void test_eq(u64 got, u64 want, const char *file, int line, const char *what)
{
	if (got == want)
		return;
	fprintf(stderr, "got %llu, want %llu\n", got, want);
	fail(file, line, what);
}

void test_same(const char *got, const char *want, const char *file, int line, const char *what)
{
	if (!strcmp(got, want))
		return;
	fprintf(stderr, "got  \"%s\"\nwant \"%s\"\n", got, want);
	fail(file, line, what);
}

void test_note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(note, sizeof(note), fmt, args);
	va_end(args);
}

/* xorshift64* (Vigna 2014); the state must not be 0. */
u64 test_rand(u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}
