#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>

#include "base/buf.h"
#include "base/file.h"
#include "render/plot-classic.h"

/*
 * tests/plots/classic.txt holds what gnuplot 5.0 drew: per case its name, the
 * title, the values of both sides and 20 lines, their trailing blanks cut.
 */
enum { LINES = 20, COLUMNS = 80 };

static char *next_line(char **text)
{
	char *line = *text, *end = strchr(line, '\n');

	assert_non_null(end);
	*end = '\0';
	*text = end + 1;
	return line;
}

static const char *after(const char *line, const char *word)
{
	assert_memory_equal(line, word, strlen(word));
	return line + strlen(word);
}

/* An exact heap copy, so that reading past it is seen. */
static struct plot_values read_values(const char *s)
{
	struct plot_values v = { .n = 0 };
	double *value = NULL;
	char *end;

	for (double x = strtod(s, &end); end != s; x = strtod(s, &end)) {
		value = realloc(value, (v.n + 1) * sizeof(*value));
		assert_non_null(value);
		value[v.n++] = x;
		s = end;
	}
	v.value = value;
	return v;
}

static void assert_plot(char **want, const struct buf *got, const char *name)
{
	char padded[COLUMNS + 2];

	if (got->len != LINES * (COLUMNS + 1))
		fail_msg("%s: %zu bytes", name, got->len);
	for (int i = 0; i < LINES; i++) {
		const char *line = got->s + i * (COLUMNS + 1);

		snprintf(padded, sizeof(padded), "%-80s\n", next_line(want));
		if (memcmp(padded, line, COLUMNS + 1))
			fail_msg("%s, line %d:\nwant %sgot  %.81s", name,
				 i + 1, padded, line);
	}
}

static void draws_what_gnuplot_drew(void **state)
{
	struct buf file = BUF_INIT(1 << 20), out = BUF_INIT(1 << 16);
	int cases = 0;
	char *at;

	(void)state;
	assert_int_equal(file_read(TESTDATA "/plots/classic.txt", &file, NULL),
			 0);
	for (at = file.s; *at; cases++) {
		const char *name = after(next_line(&at), "case ");
		const char *title = after(next_line(&at), "title ");
		struct plot_values base =
			read_values(after(next_line(&at), "base"));
		struct plot_values head =
			read_values(after(next_line(&at), "head"));

		buf_reset(&out);
		plot_classic(&out, title, base, head);
		assert_plot(&at, &out, name);
		free((void *)(uintptr_t)base.value);
		free((void *)(uintptr_t)head.value);
	}
	assert_true(cases > 50);
	buf_release(&file);
	buf_release(&out);
}

static void without_data_draws_nothing(void **state)
{
	const double none[] = { NAN, INFINITY, -INFINITY };
	struct buf out = BUF_INIT(1 << 16);

	(void)state;
	plot_classic(&out, "a.b", (struct plot_values){ NULL, 0 },
		     (struct plot_values){ none, 3 });
	assert_int_equal(out.len, 0);
	buf_release(&out);
}

static const char *title_row(struct buf *out, size_t len, char c)
{
	const double one = 1;
	char *title = malloc(len + 1);

	assert_non_null(title);
	memset(title, c, len);
	title[len] = '\0';
	buf_reset(out);
	plot_classic(out, title, (struct plot_values){ &one, 1 },
		     (struct plot_values){ NULL, 0 });
	free(title);
	assert_int_equal(out->len, LINES * (COLUMNS + 1));
	return out->s + COLUMNS + 1;
}

static void title_fits_or_is_left_out(void **state)
{
	struct buf out = BUF_INIT(1 << 16);

	(void)state;
	assert_int_equal(strspn(title_row(&out, 80, 'x'), "x"), 80);
	assert_int_equal(strspn(title_row(&out, 82, 'x'), "x"), 80);
	assert_int_equal(strspn(title_row(&out, 90, 'x'), " "), 80);
	assert_int_equal(strspn(title_row(&out, 100000, 'x'), " "), 80);
	assert_null(memchr(title_row(&out, 70, '\33'), '\33', 80));
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws_what_gnuplot_drew),
		cmocka_unit_test(without_data_draws_nothing),
		cmocka_unit_test(title_fits_or_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
