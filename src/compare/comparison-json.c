#include "compare/comparison-json.h"

#include <math.h>

#include "base/buf.h"
#include "compare/verdict.h"

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static void set_number(json_t *object, const char *key, double x)
{
	set(object, key, json_number(x));
}

static void set_count(json_t *object, const char *key, size_t n)
{
	set(object, key, json_integer((json_int_t)n));
}

static void set_text(json_t *object, const char *key, const char *text)
{
	set(object, key, json_text(text));
}

static bool is_integer(const struct figure *f, double x)
{
	return f->series->type == CELL_INT && fabs(x) < 0x1p53;
}

/* The smallest, largest ...: of integers, an integer. */
static void set_value(json_t *object, const char *key, const struct figure *f,
		      double x)
{
	if (f->n && f->value && is_integer(f, x))
		set(object, key, json_integer((json_int_t)x));
	else
		set_number(object, key, x);
}

static json_t *values_to_json(const struct figure *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->n; i++)
		json_array_append_new(list,
			series_type(f->series, figure_run(f, i)) == CELL_INT ?
				json_integer(series_cell(f->series,
							 figure_run(f, i)).i) :
				json_number(f->value[i]));
	return list;
}

static json_t *runs_to_json(const struct figure *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->n; i++)
		json_array_append_new(list,
				      json_integer((json_int_t)figure_run(f, i)));
	return list;
}

static json_t *change_to_json(const struct change *c)
{
	json_t *o = json_object(), *interval = NULL;

	set_number(o, "absolute", c->absolute);
	set_number(o, "percent", c->percent);
	if (!isnan(c->low) && !isnan(c->high)) {
		interval = json_array();
		json_array_append_new(interval, json_number(c->low));
		json_array_append_new(interval, json_number(c->high));
	}
	set(o, "interval", interval ? interval : json_null());
	set_number(o, "p_welch", c->p_welch);
	set_number(o, "p_rank", c->p_rank);
	set(o, "runs_needed", c->runs_needed ?
		json_integer((json_int_t)c->runs_needed) : json_null());
	set_text(o, "verdict", verdict_name(c->verdict));
	return o;
}

static json_t *figure_to_json(const struct row *row, const struct figure *f,
			      bool is_base)
{
	json_t *o = json_object();

	set(o, "present", json_boolean(f->series));
	set_count(o, "runs", f->runs);
	set_count(o, "left_out", f->left_out);
	set_count(o, "n", f->n);
	set(o, "values", f->value ? values_to_json(f) : json_null());
	set(o, "value_runs", f->value ? runs_to_json(f) : json_null());
	set(o, "in_process", json_boolean(f->in_process));
	set_number(o, "mean", f->mean);
	set_value(o, "median", f, f->median == floor(f->median) ?
					  f->median : NAN);
	if (f->median != floor(f->median))
		set_number(o, "median", f->median);
	set_value(o, "min", f, f->min);
	set_value(o, "max", f, f->max);
	set_number(o, "stddev", f->stddev);
	if (row->kind == ROW_FAILURE)
		set_number(o, "fails", f->fails);
	if (!is_base)
		set(o, "change", change_to_json(&f->change));
	return o;
}

json_t *row_to_json(const struct group *g, const struct row *row)
{
	json_t *o = json_object(), *sides = json_array();

	set_text(o, "stat", row->name);
	set_text(o, "kind", row->kind == ROW_FAILURE ? "failure" : "perf");
	set(o, "kpi", json_boolean(row->kpi));
	set_text(o, "better", better_name(row->better));
	set_text(o, "unit", row->unit);
	set_text(o, "meaning", row->meaning);
	set(o, "points", json_boolean(row->points));
	for (size_t i = 0; i < g->nside; i++)
		json_array_append_new(sides,
			figure_to_json(row, &row->figure[i], i == 0));
	set(o, "sides", sides);
	return o;
}

static json_t *axes_to_json(const struct axis *axis, size_t n)
{
	json_t *o = json_object();

	for (size_t i = 0; i < n; i++)
		set_text(o, axis[i].key, axis[i].value);
	return o;
}

static json_t *side_to_json(const struct side *s)
{
	json_t *o = json_object();

	set_text(o, "name", s->name);
	set_text(o, "label", s->label);
	set_text(o, "subject", s->subject);
	set_text(o, "source", s->result->source);
	set(o, "axes", axes_to_json(s->result->axis, s->result->naxis));
	set_count(o, "runs", s->runs);
	set_count(o, "incomplete", s->incomplete);
	return o;
}

static json_t *one_sided_to_json(const struct group *g,
				 const struct one_sided *m)
{
	json_t *o = json_object(), *ran = json_array();

	set_text(o, "monitor", m->monitor);
	set_count(o, "rows", m->rows);
	for (size_t i = 0; i < g->nside; i++)
		json_array_append_new(ran, json_boolean(m->ran[i]));
	set(o, "ran", ran);
	return o;
}

static json_t *sides_to_json(const struct group *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->nside; i++)
		json_array_append_new(list, side_to_json(&g->side[i]));
	return list;
}

static json_t *all_one_sided_to_json(const struct group *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->none_sided; i++)
		json_array_append_new(list,
				      one_sided_to_json(g, &g->one_sided[i]));
	return list;
}

json_t *group_to_json(const struct group *g)
{
	json_t *o = json_object(), *rows = json_array();

	for (size_t i = 0; i < g->nrow; i++)
		json_array_append_new(rows, row_to_json(g, &g->row[i]));
	set(o, "axes", axes_to_json(g->axis, g->naxis));
	set(o, "sides", sides_to_json(g));
	set(o, "one_sided", all_one_sided_to_json(g));
	set(o, "rows", rows);
	return o;
}

static void add_value(struct buf *out, const char *before, json_t *value)
{
	buf_addstr(out, before);
	json_write(out, value, 0);
	json_decref(value);
}

static void add_group(struct buf *out, const struct group *g)
{
	add_value(out, "{\"axes\": ", axes_to_json(g->axis, g->naxis));
	add_value(out, ",\n \"sides\": ", sides_to_json(g));
	add_value(out, ",\n \"one_sided\": ", all_one_sided_to_json(g));
	buf_addstr(out, ",\n \"rows\": [");
	for (size_t i = 0; i < g->nrow; i++)
		add_value(out, i ? ",\n  " : "\n  ",
			  row_to_json(g, &g->row[i]));
	buf_addstr(out, "]}");
}

void comparison_json(struct buf *out, const struct comparison *c)
{
	add_value(out, "{\"format\": ", json_text("perfpost-comparison/1"));
	add_value(out, ",\n\"style\": ",
		  json_text(c->options.style == COMPARE_LKP ? "lkp" :
							      "default"));
	add_value(out, ",\n\"level\": ", json_number(CHANGE_LEVEL));
	buf_addstr(out, ",\n\"groups\": [");
	for (size_t i = 0; i < c->ngroup; i++) {
		buf_addstr(out, i ? ",\n" : "\n");
		add_group(out, &c->group[i]);
	}
	buf_addstr(out, "]}\n");
}
