#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "mail/subject.h"

static void answers_are_taken_off(void **state)
{
	static const char *const t[][2] = {
		{ "Re: [mm] 9a8b: x", "[mm] 9a8b: x" },
		{ "AW: Re: RE: x", "x" },
		{ "  Re :x", "x" },
		{ "Re[2]: Fwd: x", "x" },
		{ "Re(12): x", "x" },
		{ "回复：x", "x" },
		{ "SV: Ynt: x", "x" },
		{ "rv: fix the monitor", "rv: fix the monitor" },
		{ "Regression: x", "Regression: x" },
		{ "Re", "Re" },
		{ "Re:", "" },
		{ "Re[", "Re[" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		char *copy = strdup(t[i][0]);

		assert_string_equal(subject_base(copy), t[i][1]);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_are_taken_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
