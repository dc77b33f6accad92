#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/chain.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void names_are_read(void **state)
{
	static const struct {
		const char *name;
		enum chain_kind kind;
		size_t n;
		const char *inner, *outer;
	} cases[] = {
		{ "perf-profile.calltrace.cycles-pp.a.b.c", CHAIN_CALLTRACE, 3,
		  "a", "c" },
		{ "perf-profile.cycles-pp.a.b", CHAIN_CALLTRACE, 2, "a", "b" },
		{ "perf-profile.children.cycles-pp.a", CHAIN_CHILDREN, 1, "a",
		  "a" },
		{ "perf-profile.self.cycles-pp.a.isra.0", CHAIN_SELF, 1,
		  "a.isra.0", "a.isra.0" },
		{ "perf-profile.calltrace.cycles.a.constprop.0.b.part.12.cold",
		  CHAIN_CALLTRACE, 2, "a.constprop.0", "b.part.12.cold" },
		{ "perf-profile", CHAIN_NONE, 0, NULL, NULL },
		{ "perf-profile.self.cycles-pp", CHAIN_NONE, 0, NULL, NULL },
		{ "perf-stat.cpu-cycles", CHAIN_NONE, 0, NULL, NULL },
		{ "", CHAIN_NONE, 0, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct chain c;
		const struct symbol *last;

		chain_read(&c, cases[i].name);
		assert_int_equal(c.kind, cases[i].kind);
		assert_int_equal(c.n, cases[i].n);
		if (!c.n)
			continue;
		last = &c.symbol[c.n - 1];
		assert_int_equal(c.symbol[0].len, strlen(cases[i].inner));
		assert_memory_equal(c.symbol[0].s, cases[i].inner,
				    c.symbol[0].len);
		assert_int_equal(last->len, strlen(cases[i].outer));
		assert_memory_equal(last->s, cases[i].outer, last->len);
	}
}

static void long_chains_are_cut(void **state)
{
	char *name = malloc(100000);
	struct chain c;

	(void)state;
	assert_non_null(name);
	strcpy(name, "perf-profile.calltrace.x");
	for (size_t i = strlen(name); i < 99998; i += 2)
		memcpy(name + i, ".f", 3);
	chain_read(&c, name);
	assert_int_equal(c.n, CHAIN_MAX);
	free(name);
}

static void read_pair(struct chain *a, struct chain *b, const char *x,
		      const char *y, char *text)
{
	size_t n = strlen(x) + 1;

	strcpy(text, "perf-profile.calltrace.e.");
	strcat(text, x);
	chain_read(a, text);
	text += 32 + n;
	strcpy(text, "perf-profile.calltrace.e.");
	strcat(text, y);
	chain_read(b, text);
}

static void assert_symbol(const struct symbol *s, const char *want)
{
	assert_int_equal(s->len, strlen(want));
	assert_memory_equal(s->s, want, s->len);
}

static void renamed_chains_are_known(void **state)
{
	static const struct {
		const char *a, *b;
		bool renamed;
		const char *from, *to;
	} cases[] = {
		{ "do.sys.entry.poll", "do.sys.entry", true, "poll", "" },
		{ "do.sys.entry", "do.sys.entry.poll", true, "", "poll" },
		{ "do.sys_x.entry", "do.sys_y.entry", true, "sys_x", "sys_y" },
		{ "a.b.c", "x.b.c", true, "a", "x" },
		{ "a.c", "a.b.c", true, "", "b" },
		{ "a.b.c.d.e", "a.x.b.c.d", true, "", "x" },
		{ "a.x.b.c.d", "a.b.c.d.e", true, "x", "" },
		{ "a.isra.0.b", "a.constprop.1.b", true, "", "" },
		{ "a.b.c", "b.c", false, "", "" },
		{ "a.b.c", "x.y.c", false, "", "" },
		{ "a", "b", false, "", "" },
		{ "a.b", "b.a", false, "", "" },
		{ "a.b.c.d", "a.b", false, "", "" },
	};
	char text[300];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct chain a, b;
		struct rename by;
		bool renamed;

		read_pair(&a, &b, cases[i].a, cases[i].b, text);
		renamed = chain_renamed(&a, &b, &by);
		if (renamed != cases[i].renamed)
			fail_msg("%s and %s", cases[i].a, cases[i].b);
		assert_symbol(&by.from, cases[i].from);
		assert_symbol(&by.to, cases[i].to);
	}
}

static void calls_are_followed(void **state)
{
	static const struct {
		const char *callee, *caller;
		bool called;
	} cases[] = {
		{ "lock.add.fault", "add.fault", true },
		{ "lock.add.fault", "add.fault.entry", true },	/* cut */
		{ "lock.add.fault", "lock.add.fault", false },
		{ "lock.add.fault", "add.other", false },
		{ "lock", "add", false },
	};
	char text[300];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct chain a, b;

		read_pair(&a, &b, cases[i].callee, cases[i].caller, text);
		if (chain_called_by(&a, &b) != cases[i].called)
			fail_msg("%s by %s", cases[i].callee, cases[i].caller);
	}
}

static void locks_are_known(void **state)
{
	static const struct {
		const char *name;
		bool lock;
	} cases[] = {
		{ "perf-profile.self.e._raw_spin_lock_irqsave", true },
		{ "perf-profile.self.e.rwsem_down_write_slowpath", true },
		{ "perf-profile.self.e.osq_lock", true },
		{ "perf-profile.self.e.clear_page_erms", false },
		{ "perf-profile.self.e.block_read_full_page", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct chain c;

		chain_read(&c, cases[i].name);
		assert_int_equal(symbol_is_lock(&c.symbol[0]), cases[i].lock);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_read),
		cmocka_unit_test(long_chains_are_cut),
		cmocka_unit_test(renamed_chains_are_known),
		cmocka_unit_test(calls_are_followed),
		cmocka_unit_test(locks_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
