#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compare/pattern.h"

#define COUNT(t) (sizeof(t) / sizeof((t)[0]))

/* The name goes in as an exact heap copy. */
static int first(const struct pattern_list *l, const char *name)
{
	char *copy = strdup(name);
	int i = pattern_first(l, copy);

	free(copy);
	return i;
}

static void single_patterns(void **state)
{
	static const struct {
		enum anchor anchor;
		const char *pattern, *name;
		int want;
	} t[] = {
		{ ANCHOR_NONE, "^vmstat\\.", "vmstat.cpu", 0 },
		{ ANCHOR_NONE, "^vmstat\\.", "xvmstat.cpu", -1 },
		{ ANCHOR_NONE, "^vmstat\\.", "vmstat", -1 },
		{ ANCHOR_NONE, "locks", "a.locks.b", 0 },
		{ ANCHOR_NONE, "locks", "a.lock.b", -1 },
		{ ANCHOR_NONE, "^a.*z$", "abcz", 0 },
		{ ANCHOR_NONE, "^a.*z$", "abcy", -1 },
		{ ANCHOR_NONE, "^a\\.b+", "a.bbb", 0 },
		{ ANCHOR_NONE, "^ab?c", "ac", 0 },
		{ ANCHOR_NONE, "^ab*c", "abbc", 0 },
		{ ANCHOR_NONE, "^ab{2}c", "abbc", 0 },
		{ ANCHOR_NONE, "^ab{2}c", "abc", -1 },
		{ ANCHOR_NONE, "a|b", "xbx", 0 },
		{ ANCHOR_NONE, "^(a|b)c", "bc", 0 },
		{ ANCHOR_NONE, "x(one|two)y", "xtwoy", 0 },
		{ ANCHOR_NONE, "x(one|two)y", "xthreey", -1 },
		{ ANCHOR_NONE, "x(one|two)?y", "xy", 0 },
		{ ANCHOR_NONE, "x(o.e|two)y", "xoney", 0 },
		{ ANCHOR_NONE, "[a]b", "ab", 0 },
		{ ANCHOR_NONE, "[]a]b", "]b", 0 },
		{ ANCHOR_NONE, "\\d+x", "a12x", 0 },
		{ ANCHOR_NONE, "(?:ab)+c", "ababc", 0 },
		{ ANCHOR_NONE, "{#:#}", "x{#:#}y", 0 },
		{ ANCHOR_NONE, "},at", "a},at", 0 },
		{ ANCHOR_NONE, "a(b", "xa(by", 0 },	/* as text */
		{ ANCHOR_NONE, "a(b", "xaby", -1 },
		{ ANCHOR_NONE, "[", "a[", 0 },
		{ ANCHOR_NONE, "", "x", 0 },
		{ ANCHOR_NONE, "\\", "a\\b", 0 },
		{ ANCHOR_START, "dmesg.*", "dmesg", 0 },
		{ ANCHOR_START, "dmesg.*", "xdmesg", -1 },
		{ ANCHOR_START, ".+\\.(error|warn|fail)[^_]*$", "a.fail", 0 },
		{ ANCHOR_START, ".+\\.(error|warn|fail)[^_]*$", "a.failed", 0 },
		{ ANCHOR_START, ".+\\.(error|warn|fail)[^_]*$", "a.fail_x", -1 },
		{ ANCHOR_START, ".+\\.(error|warn|fail)[^_]*$", ".fail", -1 },
		{ ANCHOR_START, "a", "ab", 0 },
		{ ANCHOR_FULL, "a", "ab", -1 },
		{ ANCHOR_FULL, "a", "a", 0 },
		{ ANCHOR_FULL, "a\\.b.*", "a.bcd", 0 },
		{ ANCHOR_FULL, "a\\..+_ops", "a.x_ops", 0 },
		{ ANCHOR_FULL, "a\\..+_ops", "a._ops", -1 },
		{ ANCHOR_FULL, "oltp\\..+\\/s", "oltp.x/s", 0 },
		{ ANCHOR_FULL, "x\\-y", "x-y", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct arena a = ARENA_INIT;
		struct pattern_list l;

		pattern_list_init(&l, t[i].anchor, &a);
		pattern_add(&l, t[i].pattern);
		if (first(&l, t[i].name) != t[i].want)
			fail_msg("'%s' and '%s'", t[i].pattern, t[i].name);
		pattern_list_release(&l);
		arena_release(&a);
	}
}

static void the_first_of_many_counts(void **state)
{
	static const char *const pattern[] = {
		"a\\.b\\.c", "a\\..*", ".*z", "a\\.b.*", "b.*", "ab", "abc",
	};
	static const struct { const char *name; int want; } t[] = {
		{ "a.b.c", 0 }, { "a.b.d", 1 }, { "a.z", 1 }, { "bz", 2 },
		{ "b", 4 }, { "ab", 5 }, { "abc", 6 }, { "abcd", -1 },
		{ "", -1 },
	};
	struct arena a = ARENA_INIT;
	struct pattern_list l;

	(void)state;
	pattern_list_init(&l, ANCHOR_FULL, &a);
	assert_int_equal(first(&l, "a"), -1);
	for (size_t i = 0; i < COUNT(pattern); i++)
		pattern_add(&l, pattern[i]);
	for (size_t i = 0; i < COUNT(t); i++)
		assert_int_equal(first(&l, t[i].name), t[i].want);
	pattern_list_release(&l);
	arena_release(&a);
}

static void stars_of_our_own(void **state)
{
	static const struct { const char *wild, *name; int want; } t[] = {
		{ "a.*.b", "a.x.b", 0 }, { "a.*.b", "a..b", 0 },
		{ "a.*.b", "axxb", -1 }, { "*.fail", "x.fail", 0 },
		{ "*.fail", "x.failed", -1 }, { "a+b", "a+b", 0 },
		{ "a+b", "aab", -1 }, { "f(x)[0]", "f(x)[0]", 0 },
		{ "a*a", "a", -1 }, { "a*a", "aa", 0 }, { "a*a", "aba", 0 },
		{ "a*bc*bd", "abcbcbd", 0 }, { "a*bc*bd", "abcbc", -1 },
		{ "a*bc*bd", "abcxbdbd", 0 }, { "a*bc*bd", "abd", -1 },
		{ "*b*", "abc", 0 }, { "*b*", "ac", -1 }, { "*ab*b", "aab", -1 },
		{ "a**b", "ab", 0 }, { "a", "ab", -1 }, { "", "a", -1 },
		{ "", "", 0 }, { "*", "", 0 }, { "*", "any", 0 }, { "x*", "x", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		struct arena a = ARENA_INIT;
		struct pattern_list l;

		pattern_list_init(&l, i % 2 ? ANCHOR_FULL : ANCHOR_NONE, &a);
		pattern_add_wild(&l, t[i].wild);
		if (first(&l, t[i].name) != t[i].want)
			fail_msg("'%s' and '%s'", t[i].wild, t[i].name);
		pattern_list_release(&l);
		arena_release(&a);
	}
}

/* A text of up to five of "a", "b" and, where "stars" says so, "*". */
static void random_text(unsigned int *seed, bool stars, char to[6])
{
	size_t len = (*seed = *seed * 1103515245 + 12345) >> 16 & 7;

	len = len > 5 ? 5 : len;
	for (size_t i = 0; i < len; i++) {
		*seed = *seed * 1103515245 + 12345;
		to[i] = "abba*"[(*seed >> 16) % (stars ? 5 : 4)];
	}
	to[len] = '\0';
}

/* Prefixes of prefixes, and the same one twice, in any order. */
static void many_say_what_each_says_alone(void **state)
{
	enum { LISTS = 300, PATTERNS = 24, NAMES = 40 };
	unsigned int seed = 1;

	(void)state;
	for (int round = 0; round < LISTS; round++) {
		struct arena a = ARENA_INIT;
		struct pattern_list all, one[PATTERNS];
		char wild[PATTERNS][6], name[6];

		pattern_list_init(&all, ANCHOR_NONE, &a);
		for (int i = 0; i < PATTERNS; i++) {
			random_text(&seed, true, wild[i]);
			pattern_add_wild(&all, wild[i]);
			pattern_list_init(&one[i], ANCHOR_NONE, &a);
			pattern_add_wild(&one[i], wild[i]);
		}
		for (int k = 0; k < NAMES; k++) {
			int want = 0;

			random_text(&seed, false, name);
			while (want < PATTERNS && first(&one[want], name) == -1)
				want++;
			assert_int_equal(first(&all, name),
					 want < PATTERNS ? want : -1);
		}
		for (int i = 0; i < PATTERNS; i++)
			pattern_list_release(&one[i]);
		pattern_list_release(&all);
		arena_release(&a);
	}
}

static void long_texts_do_no_harm(void **state)
{
	struct arena a = ARENA_INIT;
	struct pattern_list l;
	char *text = malloc(5001);

	(void)state;
	memset(text, 'x', 5000);
	text[5000] = '\0';
	pattern_list_init(&l, ANCHOR_START, &a);
	pattern_add(&l, text);
	text[4000] = '\0';
	assert_int_equal(first(&l, text), -1);
	text[4000] = 'x';
	assert_int_equal(first(&l, text), 0);
	free(text);
	pattern_list_release(&l);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_patterns),
		cmocka_unit_test(the_first_of_many_counts),
		cmocka_unit_test(stars_of_our_own),
		cmocka_unit_test(many_say_what_each_says_alone),
		cmocka_unit_test(long_texts_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
