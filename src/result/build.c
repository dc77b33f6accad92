#include "result/build.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/grow.h"

struct result *result_new(struct results *rs, const char *source)
{
	struct result *r = arena_alloc(&rs->arena, sizeof(*r));

	r->source = arena_strdup(&rs->arena, source);
	r->names = &rs->names;
	rs->result = arena_grow(&rs->arena, rs->result, &rs->cap, rs->n + 1,
				sizeof(struct result *));
	rs->result[rs->n++] = r;
	return r;
}

static void result_release(struct result *r)
{
	json_decref(r->job);
	for (size_t i = 0; r->run_job && i < r->runs; i++)
		json_decref(r->run_job[i]);
	free(r->series);
	free(r->id);
	free(r->by_id);
}

void results_cut(struct results *rs, size_t n)
{
	while (rs->n > n)
		result_release(rs->result[--rs->n]);
}

static const char **axis_value(const struct result *r, const char *key)
{
	for (size_t i = 0; i < r->naxis; i++)
		if (!strcmp(r->axis[i].key, key))
			return &r->axis[i].value;
	return NULL;
}

void result_set_axis(struct results *rs, struct result *r, const char *key,
		     const char *value)
{
	const char **place = axis_value(r, key);
	struct axis *grown;

	if (!place) {
		grown = arena_array(&rs->arena, r->naxis + 1, sizeof(*grown));
		if (r->naxis)
			memcpy(grown, r->axis, r->naxis * sizeof(*grown));
		grown[r->naxis].key = arena_strdup(&rs->arena, key);
		place = &grown[r->naxis++].value;
		r->axis = grown;
	}
	*place = arena_strdup(&rs->arena, value);
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct axis *)a)->key,
		      ((const struct axis *)b)->key);
}

void result_sort_axes(struct result *r)
{
	if (r->naxis)
		qsort(r->axis, r->naxis, sizeof(*r->axis), by_key);
}

/* Every axis of "a" stands in "b" too, with the same value. */
static bool axes_within(const struct result *a, const struct result *b,
			const char *except)
{
	for (size_t i = 0; i < a->naxis; i++) {
		const char *key = a->axis[i].key, **value;

		if (except && !strcmp(key, except))
			continue;
		value = axis_value(b, key);
		if (!value || strcmp(*value, a->axis[i].value))
			return false;
	}
	return true;
}

bool result_same_axes(const struct result *a, const struct result *b,
		      const char *except)
{
	return axes_within(a, b, except) && axes_within(b, a, except);
}

/* The name's place in rs->names.  Results of one test have the same names in
 * mostly the same order, so the one behind the last is tried first. */
static uint32_t name_id(struct results *rs, const struct result *r,
			const char *name, size_t len)
{
	size_t next = r->nseries ? series_id(r, r->nseries - 1) + 1 : 0;

	const char *text = next < rs->names.n ? strset_text(&rs->names, next) :
						NULL;

	if (text && !strncmp(text, name, len) && !text[len])
		return (uint32_t)next;
	return (uint32_t)strset_add(&rs->names, name, len);
}

/* Make by_id hold "id": as long as the names there are, or twice as long. */
static void grow_by_id(struct results *rs, struct result *r)
{
	size_t old = r->nby_id, n = rs->names.n;

	if (n < 2 * old)
		n = 2 * old;
	r->by_id = reallocarray(r->by_id, n, sizeof(*r->by_id));
	if (!r->by_id)
		die_no_memory();
	memset(r->by_id + old, 0, (n - old) * sizeof(*r->by_id));
	r->nby_id = n;
}

static void add_id(struct results *rs, struct result *r, size_t i, uint32_t id)
{
	r->id = grow_array(r->id, i, sizeof(*r->id));
	r->id[i] = id;
	if (id >= r->nby_id)
		grow_by_id(rs, r);
	r->by_id[id] = (uint32_t)i + 1;
}

/* The next series is that of "id". */
static void note_id(struct results *rs, struct result *r, uint32_t id)
{
	if (!r->id && id == r->nseries)
		return;
	if (!r->id)
		for (uint32_t i = 0; i < r->nseries; i++)
			add_id(rs, r, i, i);
	add_id(rs, r, r->nseries, id);
}

struct series *result_add(struct results *rs, struct result *r,
			  const char *name, size_t len)
{
	uint32_t id = name_id(rs, r, name, len);
	size_t n = r->nseries;

	if (result_series_id(r, id))
		return NULL;
	r->series = grow_array(r->series, n, sizeof(*r->series));
	note_id(rs, r, id);
	r->series[n] = (struct series){ .n = 0 };
	r->nseries++;
	return &r->series[n];
}

struct series *result_at(struct results *rs, struct result *r,
			 const char *name)
{
	struct series *s = result_add(rs, r, name, strlen(name));

	return s ? s : &r->series[result_series(r, name) - r->series];
}

void result_set_box(struct results *rs, struct result *r, const json_t *info,
		    const char *key)
{
	const char *box = json_member_text(info, key);

	if (box && *box)
		r->box = arena_strdup(&rs->arena, box);
}

bool name_ends(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n > m && !strcmp(name + n - m, end);
}

void result_count_runs(struct result *r)
{
	for (size_t i = 0; i < r->nseries; i++)
		if (r->series[i].n > r->runs)
			r->runs = r->series[i].n;
}

void suggest_metric(struct results *rs, const char *name, const char *unit,
		    enum direction better, const char *meaning, bool kpi)
{
	json_t *metrics = json_object_get(rs->facts, "metrics"), *metric;
	json_t *more;

	if (!unit && better == NO_DIRECTION && !meaning && !kpi)
		return;
	if (!json_is_object(metrics)) {
		metrics = json_object();
		json_object_set_new(rs->facts, "metrics", metrics);
	}
	metric = json_object_get(metrics, name);
	if (!json_is_object(metric)) {
		metric = json_object();
		json_object_set_new(metrics, name, metric);
	}
	more = json_object();
	if (unit)
		json_object_set_new(more, "unit", json_text(unit));
	if (better != NO_DIRECTION)
		json_object_set_new(more, "better", json_string(
			better == HIGHER_BETTER ? "higher" : "lower"));
	if (meaning)
		json_object_set_new(more, "meaning", json_text(meaning));
	if (kpi)
		json_object_set_new(more, "kpi", json_true());
	json_object_update_missing(metric, more);
	json_decref(more);
}
