#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bot/unmet.h"

static void wishes_that_no_run_brings_are_named(void **state)
{
	static const struct {
		const char *said, *param, *unmet;
	} t[] = {
		{ "could you get a perf profile for both commits, and try on a "
		  "box with more nodes with cpufreq governor schedutil?",
		  "cpufreq_governor", "a perf profile; the choice of a machine" },
		{ "please rerun with this patch and send me the flame graph",
		  NULL, "a perf profile" },
		{ "please rerun on a machine with more cores", "machine", NULL },
		{ "could you test this and\nbisect\nit?", NULL, "a bisection" },
		{ "Please capture lock_stat while you rerun it", NULL,
		  "lock statistics" },
		/* What somebody saw, or does himself. */
		{ "The profile shows the lock, so could you rerun with this?",
		  NULL, NULL },
		{ "I will get a profile, could you rerun it meanwhile?", NULL,
		  NULL },
		{ "could you rerun with this patch?", NULL, NULL },
		/* Parts of longer words. */
		{ "please rerun with profiled_lock and tracepoints", NULL,
		  NULL },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t k = 0; k < sizeof(t) / sizeof(*t); k++) {
		struct parameter param = { t[k].param, "x" };
		struct request r = {
			.kind = REQUEST_RERUN, .evidence = t[k].said,
			.param = &param, .nparam = t[k].param ? 1 : 0,
		};
		struct requests all = { .request = &r, .n = 1 };
		struct plan p = { .requests = &all };
		struct item i = { .request = &r };
		const char *got = unmet_wishes(&p, &i, &a);

		if (!got != !t[k].unmet)
			fail_msg("%s: %s", t[k].said, got ? got : "nothing");
		if (got)
			assert_string_equal(got, t[k].unmet);
	}
	arena_release(&a);
}

/* The profile is another request of the same sentence. */
static void what_is_answered_elsewhere_is_not_missed(void **state)
{
	static const char said[] = "please rerun and send the perf profile";
	struct request r[] = {
		{ .kind = REQUEST_RERUN, .evidence = said },
		{ .kind = REQUEST_MORE_DATA, .evidence = said },
	};
	struct requests all = { .request = r, .n = 2 };
	struct plan p = { .requests = &all };
	struct item i = { .request = r };
	struct arena a = ARENA_INIT;

	(void)state;
	assert_null(unmet_wishes(&p, &i, &a));
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wishes_that_no_run_brings_are_named),
		cmocka_unit_test(what_is_answered_elsewhere_is_not_missed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
