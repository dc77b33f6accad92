#include "render/plot-choose.h"

#include <math.h>
#include <string.h>

#include "render/plot-classic.h"

enum {
	NAMES_MAX = 1000,	/* looked at for KPIs */
	KPIS_MAX = 8,		/* plotted unasked */
};

static bool has(const struct plot_rows *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->row[i]->name, name))
			return true;
	return false;
}

static void add(struct plot_rows *p, struct arena *a, const struct row *row)
{
	if (has(p, row->name))
		return;
	p->row = arena_grow(a, p->row, &p->cap, p->n + 1, sizeof(*p->row));
	p->row[p->n++] = row;
}

static void add_first(struct plot_rows *p, struct arena *a,
		      const struct row *row)
{
	add(p, a, row);
	memmove(p->row + 1, p->row, (p->n - 1) * sizeof(*p->row));
	p->row[0] = row;
}

static bool has_series(const struct group *g, const struct row *row)
{
	for (size_t i = 0; i < g->nside; i++)
		if (row->figure[i].series)
			return true;
	return false;
}

static void add_named(struct plot_rows *p, struct arena *a,
		      struct comparison *c, struct group *g, const char *name)
{
	const struct row *row = group_row(c, g, name);

	if (row && has_series(g, row))
		add(p, a, row);
}

static void add_listed(struct plot_rows *p, struct arena *a,
		       struct comparison *c, struct group *g,
		       const json_t *names)
{
	const json_t *name;
	size_t i;

	json_array_foreach(names, i, name)
		if (json_is_string(name))
			add_named(p, a, c, g, json_string_value(name));
}

static void add_kpis_of(struct plot_rows *p, struct arena *a,
			struct comparison *c, struct group *g,
			const struct result *result)
{
	const char *test = result_axis(result, "testcase");
	size_t len = test ? strlen(test) : 0, looked = 0;

	for (size_t i = 0; i < result->nseries && looked < NAMES_MAX; i++) {
		const char *name = series_name(result, &result->series[i]);
		const struct row *row;

		if (len && (strncmp(name, test, len) || name[len] != '.'))
			continue;
		looked++;
		row = group_row(c, g, name);
		if (row && row->kpi && p->n < KPIS_MAX)
			add(p, a, row);
	}
}

static void add_kpis(struct plot_rows *p, struct arena *a, struct comparison *c,
		     struct group *g)
{
	for (size_t i = 0; i < g->nrow && p->n < KPIS_MAX; i++)
		if (g->row[i].kpi)
			add(p, a, &g->row[i]);
	for (size_t i = 0; i < g->nside; i++)
		add_kpis_of(p, a, c, g, g->side[i].result);
}

void plot_rows_asked(struct plot_rows *p, struct arena *a, struct comparison *c,
		     struct group *g, const json_t *facts,
		     const char *const *stat)
{
	*p = (struct plot_rows){ .n = 0 };
	if (stat) {
		for (; *stat; stat++)
			add_named(p, a, c, g, *stat);
		return;
	}
	add_listed(p, a, c, g, json_object_get(facts, "plots"));
	if (!p->n)
		add_kpis(p, a, c, g);
}

static const char *axis_of(const struct group *g, const char *key)
{
	for (size_t i = 0; i < g->naxis; i++)
		if (!strcmp(g->axis[i].key, key))
			return g->axis[i].value;
	return "";
}

static bool differs(const struct comparison *c, const struct axis *axis)
{
	for (size_t i = 0; i < c->ngroup; i++)
		if (strcmp(axis_of(&c->group[i], axis->key), axis->value))
			return true;
	return false;
}

const char *plot_where(struct arena *a, const struct comparison *c,
		       const struct group *g)
{
	const char *where = NULL;

	for (size_t i = 0; i < g->naxis; i++)
		if (differs(c, &g->axis[i]))
			where = arena_printf(a, "%s%s%s", where ? where : "",
					     where ? ", " : "",
					     g->axis[i].value);
	return where;
}

void plot_rows_report(struct plot_rows *p, struct arena *a,
		      const struct report *r, size_t max)
{
	const char *const *stat = r->options.plots;
	const json_t *listed = json_object_get(r->results->facts, "plots");
	struct comparison *c = r->comparison;

	*p = (struct plot_rows){ .n = 0 };
	if (!stat)
		stat = c->options.stat;
	/* In the order asked for, if the headline is among them; of a failure
	 * the table says all. */
	if (!stat && json_array_size(listed))
		add_listed(p, a, c, r->group, listed);
	if (!has(p, r->headline->name) && r->headline->kind == ROW_PERF)
		add_first(p, a, r->headline);
	for (; stat && *stat; stat++)
		add_named(p, a, c, r->group, *stat);
	if (p->n > max)
		p->n = max;
}

/* All of a side's values, of failed runs, too: as the mails showed them. */
static struct plot_values values_of(struct arena *a, const struct series *s)
{
	double *value;

	if (!s || s->is_summary)
		return (struct plot_values){ NULL, 0 };
	value = arena_array(a, s->n, sizeof(*value));
	for (size_t i = 0; i < s->n; i++) {
		enum cell_type type = series_type(s, i);

		value[i] = type == CELL_INT || type == CELL_FLOAT
			? series_value(s, i) : NAN;
	}
	return (struct plot_values){ value, s->n };
}

void plot_row_classic(struct buf *out, struct arena *a, const struct row *row,
		      size_t head)
{
	plot_classic(out, row->name, values_of(a, row->figure[0].series),
		     values_of(a, row->figure[head].series));
}
