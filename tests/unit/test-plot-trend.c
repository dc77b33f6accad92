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
#include "render/plot-svg.h"
#include "render/plot-trend.h"
#include "render/plot.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* What a plot is made of: two blocks, their values exact heap copies. */
struct pair {
	struct plot_block block[2];
	struct plot plot;
};

static struct plot_run *runs_of(const double *value, size_t n)
{
	struct plot_run *run = malloc((n ? n : 1) * sizeof(*run));

	assert_non_null(run);
	for (size_t i = 0; i < n; i++)
		run[i] = (struct plot_run){ i + 1, value[i], RUN_COMPLETED };
	return run;
}

static void pair_init(struct pair *p, const double *base, size_t nbase,
		      const double *head, size_t nhead)
{
	p->block[0] = (struct plot_block){ .role = "base", .name = "c6ddfb6c58",
					   .run = runs_of(base, nbase),
					   .nrun = nbase };
	p->block[1] = (struct plot_block){ .role = "tested", .name = "c9f4cd7138",
					   .run = runs_of(head, nhead),
					   .nrun = nhead, .bad = true };
	p->plot = (struct plot){ .title = "vm-scalability.throughput",
				 .unit = "KB/s",
				 .direction = "higher is better",
				 .block = p->block, .nblock = 2 };
	plot_measure(&p->plot);
}

static void pair_release(struct pair *p)
{
	free(p->block[0].run);
	free(p->block[1].run);
}

struct page {
	struct buf text;
	char *line[32];
	size_t n;
};

/* Draw it and hold it to what every plot keeps: 80 columns of ASCII, at most
 * 20 lines, nothing at their ends. */
static void page_draw(struct page *page, const struct plot *p)
{
	page->text = (struct buf)BUF_INIT(1 << 16);
	page->n = 0;
	plot_trend(&page->text, p);
	for (char *s = page->text.s, *end; *s; s = end + 1) {
		end = strchr(s, '\n');
		assert_non_null(end);
		*end = '\0';
		assert_true(page->n < 20);
		assert_true(strlen(s) <= 80);
		assert_true(!*s || s[strlen(s) - 1] != ' ');
		for (const char *c = s; *c; c++)
			assert_true(*c >= ' ' && *c <= '~');
		page->line[page->n++] = s;
	}
}

static bool page_has(const struct page *page, const char *text)
{
	for (size_t i = 0; i < page->n; i++)
		if (strstr(page->line[i], text))
			return true;
	return false;
}

static const char *grid_of(const char *line)
{
	const char *bar = strchr(line, '|');

	return bar && line[strlen(line) - 1] == '|' && bar[1] ? bar + 1 : NULL;
}

/* How many runs the grid's marks stand for; none may be "many". */
static size_t marks_of(const struct page *page, char mark)
{
	size_t n = 0;

	for (size_t i = 0; i < page->n; i++) {
		const char *s = grid_of(page->line[i]);

		for (; s && *s; s++) {
			assert_true(mark == '#' || *s != '#');
			if (*s == mark)
				n++;
			else if (!mark && (*s == '*' || *s == 'O'))
				n++;
			else if (!mark && *s >= '2' && *s <= '9')
				n += (size_t)(*s - '0');
		}
	}
	return n;
}

/* The legend shows what the plot draws, all of it and nothing else. */
static void assert_legend(const struct page *page)
{
	static const char marks[] = "*O-.#^v";
	char entry[4];

	for (const char *m = marks; *m; m++) {
		bool drawn = marks_of(page, *m) > 0, listed;

		snprintf(entry, sizeof(entry), "[%c]", *m);
		listed = page_has(page, entry);
		/* Where all runs of a side share their cells. */
		if (!drawn && (*m == '*' || *m == 'O') && listed)
			continue;
		if (*m == '#' && !drawn)
			listed = page_has(page, "#");
		if (drawn != listed)
			fail_msg("mark %c: drawn %d, listed %d", *m, drawn,
				 listed);
	}
}

static void assert_labels_differ(const struct page *page)
{
	char last[80] = "";

	for (size_t i = 0; i < page->n; i++) {
		size_t len = strspn(page->line[i], " -.0123456789");
		const char *start = page->line[i] + strspn(page->line[i], " ");
		const char *bar = strchr(page->line[i], '|');

		if (!grid_of(page->line[i]) || !bar || start == bar ||
		    page->line[i] + len != bar)
			continue;
		if (strlen(last) == (size_t)(bar - start))
			assert_memory_not_equal(last, start, strlen(last));
		snprintf(last, sizeof(last), "%.*s", (int)(bar - start), start);
	}
	assert_true(*last);
}

static uint32_t seed;

static double noise(void)
{
	double sum = 0;

	for (int i = 0; i < 6; i++) {
		seed = seed * 1664525 + 1013904223;
		sum += (double)(seed >> 8) / (1 << 24);
	}
	return sum - 3;
}

static void draws_any_data(void **state)
{
	static const struct {
		double level, spread, step;
		size_t base, head;
	} cases[] = {
		{ 1000, 5, -50, 1, 1 },
		{ 1000, 5, -50, 4, 4 },
		{ 1000, 5, -50, 34, 40 },
		{ 240000, 700, -9000, 300, 300 },
		{ 5, 0, 0, 10, 10 },
		{ 0, 0, 0, 10, 10 },
		{ 0, 1, 2, 10, 10 },
		{ 12345678, 1, 2, 6, 6 },
		{ 1e-12, 1e-14, 1e-13, 5, 5 },
		{ 3e20, 1e19, 1e19, 20, 20 },
		{ 1e300, 1e295, 0, 3, 3 },
		{ -80, 4, 30, 20, 20 },
		{ 1, 1e-15, 0, 9, 9 },
		{ 1e9, .01, .1, 5, 5 },
		{ 7, .5, 1, 0, 4 },
	};
	double base[300], head[300];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct page page;
		struct pair p;

		for (size_t k = 0; k < 300; k++) {
			base[k] = cases[i].level + cases[i].spread * noise();
			head[k] = cases[i].level + cases[i].step +
				  cases[i].spread * noise();
		}
		pair_init(&p, base, cases[i].base, head, cases[i].head);
		page_draw(&page, &p.plot);
		assert_int_equal(marks_of(&page, '\0'),
				 cases[i].base + cases[i].head);
		assert_legend(&page);
		assert_labels_differ(&page);
		assert_true(page_has(&page, "KB/s, higher is better"));
		buf_release(&page.text);
		pair_release(&p);
	}
}

static void failed_runs_have_their_own_line(void **state)
{
	const double base[] = { 10632, 10640, 10600, 10650 };
	const double head[] = { 8904, 8890, 0, 8910, NAN, NAN, 8900 };
	struct page page;
	struct pair p;

	(void)state;
	pair_init(&p, base, COUNT(base), head, COUNT(head));
	page_draw(&page, &p.plot);
	assert_int_equal(p.plot.failed, 3);
	assert_int_equal(p.block[1].completed, 4);
	assert_true(p.plot.low == 8890 && p.plot.high == 10650);
	assert_true(page_has(&page, "failed"));
	assert_true(page_has(&page, "x3"));
	assert_true(page_has(&page, "tested run 3: 0, runs 5-6: no data"));
	assert_true(page_has(&page, "4 of 7 runs"));
	assert_true(page_has(&page, "median 8902"));
	assert_true(page_has(&page, "[x] failed run"));
	buf_release(&page.text);
	pair_release(&p);
}

static void zero_may_be_a_value(void **state)
{
	static const struct {
		double value[5];
		size_t n, failed;
	} cases[] = {
		{ { 0, 100, 101, 99 }, 4, 1 },
		{ { 0, 0, 100, 101, 99 }, 5, 2 },
		{ { 0, -100, -101, -99 }, 4, 1 },
		{ { 0, 0, 100, 101 }, 4, 0 },	/* as many as not */
		{ { 0, 100 }, 2, 0 },
		{ { 0, 1, 1, 1 }, 4, 0 },	/* a small count */
		{ { 0, 3, 4, 5 }, 4, 0 },
		{ { 0, .5, .5, .5 }, 4, 1 },
		{ { 0, 100, 200, 300 }, 4, 0 },	/* not far from the rest */
		{ { 0, 0, 0, 0 }, 4, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pair p;

		pair_init(&p, NULL, 0, cases[i].value, cases[i].n);
		if (p.plot.failed != cases[i].failed)
			fail_msg("case %zu: %zu", i, p.plot.failed);
		pair_release(&p);
	}
}

static void spikes_leave_the_scale(void **state)
{
	double base[20], head[20];
	struct page page;
	struct pair p;

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		base[i] = 1000 + noise();
		head[i] = 990 + noise();
	}
	base[3] = 50000;
	head[12] = -7;
	pair_init(&p, base, 20, head, 20);
	page_draw(&page, &p.plot);
	assert_int_equal(p.plot.off_scale, 2);
	assert_true(p.plot.high < 1010 && p.plot.low > 980);
	assert_true(page_has(&page, "above the scale: base run 4: 50000"));
	assert_true(page_has(&page, "below the scale: tested run 13: -7"));
	assert_legend(&page);
	buf_release(&page.text);
	pair_release(&p);
}

/* Of four runs one moves the quartiles as well. */
static void a_spike_of_few_runs_leaves_the_scale(void **state)
{
	static const struct {
		double base[4];
		size_t off_scale;
	} cases[] = {
		{ { 10, 10.1, 10000, 10.2 }, 1 },
		{ { 10, 10.1, -10000, 10.2 }, 1 },
		{ { 10, 10.1, 12, 10.2 }, 0 },	/* nothing is squashed */
		{ { 10, 10.1, 10000, 10001 }, 0 },
		{ { 10, 10, 10, 10.5 }, 0 },
	};
	const double head[] = { 9, 9.1, 9.2, 9.05 };

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pair p;

		pair_init(&p, cases[i].base, 4, head, 4);
		if (p.plot.off_scale != cases[i].off_scale)
			fail_msg("case %zu: %zu", i, p.plot.off_scale);
		pair_release(&p);
	}
}

/* Two clusters are no spikes: both stay, the gap between them too. */
static void clusters_stay(void **state)
{
	double base[40], head[40];
	struct page page;
	struct pair p;

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		base[i] = i % 3 ? 100 : 122;
		head[i] = i % 2 ? 100 : 122;
	}
	pair_init(&p, base, 40, head, 40);
	page_draw(&page, &p.plot);
	assert_int_equal(p.plot.off_scale, 0);
	assert_true(p.plot.low == 100 && p.plot.high == 122);
	buf_release(&page.text);
	pair_release(&p);
}

static void names_are_shortened_in_the_middle(void **state)
{
	const double one = 1;
	size_t len = 10000;
	char *name = malloc(len + 1);
	struct page page;
	struct pair p;

	(void)state;
	assert_non_null(name);
	memset(name, 'x', len);
	memcpy(name, "first.\x1b[31m<b>\xe2\x80\xae", 17);
	memcpy(name + len - 4, "last", 5);
	pair_init(&p, &one, 1, &one, 1);
	p.plot.title = p.block[0].name = name;
	page_draw(&page, &p.plot);
	assert_true(page_has(&page, "first.?[31m<b>?"));
	assert_true(page_has(&page, "..."));
	assert_true(page_has(&page, "last"));
	buf_release(&page.text);
	pair_release(&p);
	free(name);
}

static void nothing_to_draw_is_said(void **state)
{
	const double none[] = { NAN, INFINITY };
	struct page page;
	struct pair p;

	(void)state;
	pair_init(&p, NULL, 0, none, 2);
	page_draw(&page, &p.plot);
	assert_true(page_has(&page, "no run has a value"));
	assert_true(page_has(&page, "tested run 1: no data"));
	buf_release(&page.text);
	pair_release(&p);
}

/* A history of "n" commits of two runs each; the last ones are worse. */
static void history_init(struct plot *p, size_t n)
{
	struct plot_block *b = calloc(n, sizeof(*b));
	double value[2];

	assert_non_null(b);
	for (size_t i = 0; i < n; i++) {
		char *name = malloc(32);

		assert_non_null(name);
		snprintf(name, 32, "v5.%zu-rc1", i);
		value[0] = i > n / 2 ? 900 : 1000;
		value[1] = value[0] + 1 + noise() / 10;
		b[i] = (struct plot_block){ .name = name, .bad = i > n / 2,
					    .run = runs_of(value, 2),
					    .nrun = 2 };
	}
	*p = (struct plot){ .title = "a.b", .history = true, .block = b,
			    .nblock = n, .base = n / 2 };
	plot_measure(p);
}

static void history_release(struct plot *p)
{
	for (size_t i = 0; i < p->nblock; i++) {
		free((void *)(uintptr_t)p->block[i].name);
		free(p->block[i].run);
	}
	free(p->block);
}

/* Labels come in the order of history, the first and the last always. */
static void history_has_its_labels(void **state)
{
	static const size_t lengths[] = { 1, 2, 5, 7, 12, 30, 100, 500 };

	(void)state;
	for (size_t i = 0; i < COUNT(lengths); i++) {
		struct page page;
		struct plot p;
		char last[32];

		history_init(&p, lengths[i]);
		page_draw(&page, &p);
		snprintf(last, sizeof(last), "v5.%zu-rc1", lengths[i] - 1);
		assert_true(page_has(&page, "v5.0-rc1"));
		assert_true(page_has(&page, last));
		assert_true(page_has(&page, "[*]") || lengths[i] > 400);
		assert_labels_differ(&page);
		buf_release(&page.text);
		history_release(&p);
	}
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void svg_draws_the_same(void **state)
{
	const double base[] = { 1, 2, 3, NAN }, head[] = { 2, 3, 4 };
	struct buf out = BUF_INIT(1 << 20);
	struct pair p;

	(void)state;
	pair_init(&p, base, COUNT(base), head, COUNT(head));
	p.plot.title = "a<script>\"&\xe2\x80\xae";
	plot_svg(&out, &p.plot, 3);
	assert_int_equal(count(out.s, "<circle"), 3);
	assert_int_equal(count(out.s, "<rect"), 3);
	assert_int_equal(count(out.s, "<path"), 1);
	assert_int_equal(count(out.s, "<script"), 0);
	assert_int_equal(count(out.s, "a&lt;script&gt;&quot;&amp;\\u{202e}"), 2);
	assert_non_null(strstr(out.s, "base c6ddfb6c58, run 2: 2 KB/s"));
	assert_non_null(strstr(out.s, "run 4: no data (failed)"));
	assert_non_null(strstr(out.s, "aria-labelledby=\"plot-3-title "
				      "plot-3-desc\""));
	buf_release(&out);
	pair_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws_any_data),
		cmocka_unit_test(failed_runs_have_their_own_line),
		cmocka_unit_test(zero_may_be_a_value),
		cmocka_unit_test(spikes_leave_the_scale),
		cmocka_unit_test(a_spike_of_few_runs_leaves_the_scale),
		cmocka_unit_test(clusters_stay),
		cmocka_unit_test(names_are_shortened_in_the_middle),
		cmocka_unit_test(nothing_to_draw_is_said),
		cmocka_unit_test(history_has_its_labels),
		cmocka_unit_test(svg_draws_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
