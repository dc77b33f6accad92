#include "compare/compare-int.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "stats/stats.h"

/*
 * Runs whose test died without last_state's saying so: it reported 0 for all
 * that it measures, while its other runs measured about the same.
 */

struct votes {
	size_t runs;
	bool *zero;	/* some stat of the test is 0 here, and should not be */
	bool *alive;	/* another one is not */
	double *v;	/* of the stat in hand, those that are not 0 */
};

/* "TEST.stat", but not what time(1) says of it. */
static bool is_measured(const char *name, const char *test, size_t len)
{
	return *name == *test && !strncmp(name, test, len) &&
	       name[len] == '.' && strncmp(name + len, ".time.", 6);
}

static bool value_at(const struct series *s, size_t i, double *value)
{
	enum cell_type type = i < s->n ? series_type(s, i) : CELL_NONE;

	if (type != CELL_INT && type != CELL_FLOAT)
		return false;
	*value = series_value(s, i);
	return true;
}

static void vote(struct votes *all, const struct series *s)
{
	size_t zeros = 0, others = 0;
	double value;

	for (size_t i = 0; i < all->runs; i++) {
		if (!value_at(s, i, &value))
			continue;
		if (value == 0)
			zeros++;
		else
			all->v[others++] = value;
		all->alive[i] = all->alive[i] || value != 0;
	}
	if (!zeros || zeros >= others)
		return;
	stats_sort(all->v, others);
	for (size_t i = 0; stats_far_from_zero(all->v, others) && i < all->runs;
	     i++)
		if (value_at(s, i, &value) && value == 0)
			all->zero[i] = true;
}

static void count_votes(struct votes *all, const struct result *r,
			const char *test)
{
	size_t len = strlen(test);

	for (size_t i = 0; i < r->nseries; i++)
		if (is_measured(series_name(r, &r->series[i]), test, len) &&
		    !r->series[i].is_summary && !r->series[i].bad)
			vote(all, &r->series[i]);
}

const bool *failed_runs(struct arena *a, const struct result *r,
			const bool *incomplete, size_t *count)
{
	const char *test = result_axis(r, "testcase");
	struct votes all = { .runs = r->runs };
	bool *drop = NULL;

	if (!test || !*test || r->runs < 2)
		return incomplete;
	all.zero = arena_array(a, r->runs, sizeof(*all.zero));
	all.alive = arena_array(a, r->runs, sizeof(*all.alive));
	all.v = malloc(r->runs * sizeof(*all.v));
	if (!all.v)
		die_no_memory();
	count_votes(&all, r, test);
	free(all.v);
	for (size_t i = 0; i < r->runs; i++) {
		if (!all.zero[i] || all.alive[i] || (incomplete && incomplete[i]))
			continue;
		if (!drop)
			drop = arena_array(a, r->runs, sizeof(*drop));
		drop[i] = true;
		(*count)++;
	}
	for (size_t i = 0; drop && incomplete && i < r->runs; i++)
		drop[i] = drop[i] || incomplete[i];
	return drop ? drop : incomplete;
}
