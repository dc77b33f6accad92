#include "render/plot-row.h"

#include <math.h>
#include <string.h>

enum {
	SHORT_HASH = 10,
	LONG_HASH = 12,	/* hex digits that are taken for a hash */
	LEAST_HASH = 7,	/* hex digits that are taken for the beginning of one */
	POINTS_MAX = 10000,
	VALUES_MAX = 100000,
};

static bool is_hash(const char *s, size_t least)
{
	size_t n = strspn(s, "0123456789abcdef");

	return n >= least && !s[n];
}

static const char *short_name(struct arena *a, const struct side *s)
{
	if (s->label)
		return s->label;
	if (is_hash(s->name, LONG_HASH))
		return arena_strndup(a, s->name, SHORT_HASH);
	return s->name;
}

/* A cell's value, NaN where there is none. */
static double value_at(const struct series *s, size_t i)
{
	enum cell_type type = i < s->n ? series_type(s, i) : CELL_NONE;

	if (type != CELL_INT && type != CELL_FLOAT)
		return NAN;
	return series_value(s, i);
}

static void take_summary(struct plot_block *b, const struct figure *f)
{
	b->only_mean = true;
	b->in_process = f->in_process;
	b->completed = series_summary(f->series)->runs;
	b->mean = b->median = f->mean;
	b->spread = f->mean != 0 ? 100 * f->stddev / fabs(f->mean) : NAN;
}

/* The runs of one side; those behind no mean did not complete. */
static void take_figure(struct plot_block *b, struct arena *a,
			const struct figure *f)
{
	const struct series *s = f->series;
	size_t n = f->runs, used = 0;

	if (!s)
		return;
	if (s->is_summary) {
		take_summary(b, f);
		return;
	}
	n = s->n > n ? s->n : n;
	b->run = arena_array(a, n, sizeof(*b->run));
	b->nrun = n;
	b->in_process = f->in_process;
	for (size_t i = 0; i < n; i++) {
		bool counts = used < f->n && figure_run(f, used) == i;

		b->run[i] = (struct plot_run){
			i + 1, value_at(s, i),
			counts ? RUN_COMPLETED : RUN_FAILED };
		used += counts;
	}
}

static void take_side(struct plot_block *b, struct arena *a,
		      const struct group *g, const struct row *row, size_t side,
		      size_t head)
{
	b->name = short_name(a, &g->side[side]);
	b->role = side == 0 ? "base" : side == head ? "tested" : NULL;
	take_figure(b, a, &row->figure[side]);
}

static void take_values(struct plot_block *b, struct arena *a,
			const json_t *values)
{
	size_t n = json_array_size(values);

	b->nrun = n < VALUES_MAX ? n : VALUES_MAX;
	b->run = arena_array(a, b->nrun, sizeof(*b->run));
	for (size_t i = 0; i < b->nrun; i++) {
		const json_t *v = json_array_get(values, i);

		b->run[i] = (struct plot_run){
			i + 1, json_is_number(v) ? json_number_value(v) : NAN,
			RUN_COMPLETED };
	}
}

static const json_t *points_of(const json_t *facts, const char *stat)
{
	const json_t *trends = json_object_get(facts, "trend"), *t;
	size_t i;

	json_array_foreach(trends, i, t) {
		const char *name = json_member_text(t, "stat");

		if (name && !strcmp(name, stat))
			return json_object_get(t, "points");
	}
	return NULL;
}

/* The side that a point's label names; g->nside: none. */
static size_t side_named(const struct group *g, const char *label)
{
	size_t i = 0;

	for (; i < g->nside; i++) {
		const struct side *s = &g->side[i];

		if ((s->label && !strcmp(s->label, label)) ||
		    !strcmp(s->name, label))
			break;
		if (is_hash(label, LEAST_HASH) &&
		    !strncmp(s->name, label, strlen(label)))
			break;
	}
	return i;
}

/* Sides that no point names come last, in their order. */
static void take_points(struct plot *p, struct arena *a, const struct group *g,
			const struct row *row, size_t head,
			const json_t *points)
{
	bool *named = arena_array(a, g->nside, sizeof(*named));
	size_t n = json_array_size(points);

	n = n < POINTS_MAX ? n : POINTS_MAX;
	p->history = true;
	p->block = arena_array(a, n + g->nside, sizeof(*p->block));
	p->base = n + g->nside;
	for (size_t i = 0; i < n + g->nside; i++) {
		const json_t *point = i < n ? json_array_get(points, i) : NULL;
		const char *label = json_member_text(point, "label");
		size_t side = i < n ? side_named(g, label ? label : "")
				    : i - n;
		struct plot_block *b = &p->block[p->nblock];

		if (side < g->nside && named[side])
			continue;
		p->nblock++;
		if (side < g->nside) {
			named[side] = true;
			p->base = side == 0 ? p->nblock - 1 : p->base;
			take_side(b, a, g, row, side, head);
		} else {
			b->name = label ? label : "?";
			take_values(b, a, json_object_get(point, "values"));
		}
	}
}

static const char *direction(enum better b)
{
	switch (b) {
	case BETTER_HIGHER:
		return "higher is better";
	case BETTER_LOWER:
		return "lower is better";
	case BETTER_UNKNOWN:
		break;
	}
	return NULL;
}

static const struct plot_block *block_of_role(const struct plot *p,
					      const char *role)
{
	for (size_t i = 0; i < p->nblock; i++)
		if (p->block[i].role && !strcmp(p->block[i].role, role))
			return &p->block[i];
	return NULL;
}

static bool in_range_of(const struct plot_block *base, double value)
{
	double low = base->mean, high = base->mean;

	for (size_t i = 0; i < base->nrun; i++)
		if (base->run[i].state == RUN_COMPLETED) {
			low = fmin(low, base->run[i].value);
			high = fmax(high, base->run[i].value);
		}
	return value >= low && value <= high;
}

/* Of two sides the head is bad; of more those that left the base's range; of
 * a history the commits that are nearer to the head than to the base. */
static void judge_blocks(struct plot *p)
{
	const struct plot_block *base = block_of_role(p, "base");
	const struct plot_block *head = block_of_role(p, "tested");

	for (size_t i = 0; i < p->nblock && base && head; i++) {
		struct plot_block *b = &p->block[i];

		if (b == base)
			b->bad = false;
		else if (p->nblock == 2 || (p->history && b == head))
			b->bad = true;
		else if (p->history)
			b->bad = fabs(b->mean - head->mean) <
				 fabs(b->mean - base->mean);
		else
			b->bad = !in_range_of(base, b->median);
	}
}

void plot_of_row(struct plot *p, struct arena *a, const struct group *g,
		 const struct row *row, size_t head, const json_t *facts)
{
	const json_t *points = points_of(facts, row->name);

	*p = (struct plot){ .title = row->name, .unit = row->unit,
			    .direction = direction(row->better),
			    .points = row->points };
	if (json_array_size(points)) {
		take_points(p, a, g, row, head, points);
	} else {
		p->nblock = g->nside;
		p->block = arena_array(a, p->nblock, sizeof(*p->block));
		for (size_t i = 0; i < p->nblock; i++)
			take_side(&p->block[i], a, g, row, i, head);
	}
	plot_measure(p);
	judge_blocks(p);
}
