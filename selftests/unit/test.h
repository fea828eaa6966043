/* SPDX-License-Identifier: GPL-2.0 */
/* Tests register themselves; a check that fails is told and the test goes on. */
#ifndef PGX_TEST_H
#define PGX_TEST_H

#include <linux/types.h>

struct test {
	const char	*name;
	void		(*run)(void);
	struct test	*next;
};

#define TEST(fn)								\
	static void fn(void);							\
	static struct test fn##_test = { .name = #fn, .run = fn };		\
	static void __attribute__((constructor)) fn##_add(void)			\
	{									\
		test_add(&fn##_test);						\
	}									\
	static void fn(void)

#define CHECK(cond)		test_check(!!(cond), __FILE__, __LINE__, #cond)
#define EQ(got, want)		test_eq((got), (want), __FILE__, __LINE__, #got)
#define SAME(got, want)		test_same((got), (want), __FILE__, __LINE__, #got)

void test_add(struct test *test);
void test_check(bool ok, const char *file, int line, const char *what);
void test_eq(u64 got, u64 want, const char *file, int line, const char *what);
void test_same(const char *got, const char *want, const char *file, int line, const char *what);

/* What a failure is about, shown with it, cut where it is too long; forgotten after the test. */
__printf(1, 2) void test_note(const char *fmt, ...);
/* A line for the reader, failed or not. */
__printf(1, 2) void test_say(const char *fmt, ...);
bool test_failed(void);

/* Random bits that do not come from the code under test. */
u64 test_rand(u64 *state);

#endif
