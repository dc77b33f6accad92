#include "compare/compare-int.h"

#include <string.h>

#include "base/commit-name.h"
#include "base/err.h"
#include "base/log.h"

static const char *const commit_axis[] = { "commit", NULL };

static const char *const *compared_axes(const struct work *w)
{
	return w->options->axis ? w->options->axis : commit_axis;
}

static bool is_compared(const struct work *w, const char *key)
{
	for (const char *const *a = compared_axes(w); *a; a++)
		if (!strcmp(*a, key))
			return true;
	return false;
}

/* Is every axis of "a" that "keep" allows (NULL: all) one of "b" too, with
 * the same value, and the other way round? */
static bool same_axes(const struct work *w, const struct result *a,
		      const struct result *b, bool common_only)
{
	size_t left = 0;

	for (size_t i = 0; i < a->naxis; i++) {
		const char *key = a->axis[i].key, *value;

		if (common_only && is_compared(w, key))
			continue;
		value = result_axis(b, key);
		if (!value || strcmp(value, a->axis[i].value))
			return false;
		left++;
	}
	for (size_t i = 0; i < b->naxis; i++)
		left -= !common_only || !is_compared(w, b->axis[i].key);
	return left == 0;
}

static bool has_compared_axis(const struct work *w, const struct result *r)
{
	for (size_t i = 0; i < r->naxis; i++)
		if (is_compared(w, r->axis[i].key))
			return true;
	return false;
}

/* "value/value" of the compared axes, in the order the result has them. */
static const char *side_name(struct work *w, const struct result *r)
{
	const char *name = NULL;

	for (size_t i = 0; i < r->naxis; i++)
		if (is_compared(w, r->axis[i].key))
			name = name ? arena_printf(&w->c->arena, "%s/%s", name,
						   r->axis[i].value) :
				      r->axis[i].value;
	if (name)
		return name;
	return w->options->style == COMPARE_LKP ? "" : r->source;
}

/* --label COMMIT=NAME: the commit may be shortened. */
static const char *label_option(const struct work *w, const char *name)
{
	if (!w->options->label)
		return NULL;
	for (const char *const *l = w->options->label; *l; l++) {
		const char *equals = strchr(*l, '=');
		size_t len = equals ? (size_t)(equals - *l) : 0;

		if (len && !strncmp(*l, name, len) &&
		    (!name[len] || len >= 7))
			return equals + 1;
	}
	return NULL;
}

static void name_side(struct work *w, struct side *s)
{
	const json_t *commits = json_object_get(w->results->facts, "commits");
	const json_t *fact = NULL;
	const char *key;
	json_t *value;

	s->name = side_name(w, s->result);
	s->label = label_option(w, s->name);
	json_object_foreach((json_t *)commits, key, value)
		if (!strcmp(key, s->name) ||
		    (strlen(key) >= 7 && key_means_commit(key, s->name)))
			fact = value;
	if (!s->label)
		s->label = json_member_text(fact, "label");
	s->subject = json_member_text(fact, "subject");
}

/* Summaries know their number of runs where no values tell it. */
static size_t runs_of(const struct result *r)
{
	size_t runs = r->runs;

	for (size_t i = 0; i < r->nseries; i++) {
		const struct summary *sum = series_summary(&r->series[i]);

		if (sum && sum->runs > runs)
			runs = sum->runs;
	}
	return runs;
}

static void add_side(struct work *w, struct group *g, const struct result *r)
{
	struct side *s = &g->side[g->nside++];

	*s = (struct side){ .result = r, .runs = runs_of(r) };
	s->is_incomplete = incomplete_runs(&w->c->arena, r, &s->incomplete);
	if (w->options->style == COMPARE_DEFAULT)
		s->is_incomplete = failed_runs(&w->c->arena, r,
					       s->is_incomplete,
					       &s->incomplete);
	name_side(w, s);
}

/* The axes of the first result without the compared ones. */
static void set_common_axes(struct work *w, struct group *g,
			    const struct result *r)
{
	g->axis = arena_array(&w->c->arena, r->naxis, sizeof(*g->axis));
	for (size_t i = 0; i < r->naxis; i++)
		if (!is_compared(w, r->axis[i].key))
			g->axis[g->naxis++] = r->axis[i];
}

static struct group *group_for(struct work *w, const struct result *r)
{
	struct comparison *c = w->c;

	for (size_t i = 0; i < c->ngroup; i++)
		if (w->options->different_roots ||
		    same_axes(w, c->group[i].side[0].result, r, true))
			return &c->group[i];
	return NULL;
}

static struct group *new_group(struct work *w, const struct result *r)
{
	struct group *g = &w->c->group[w->c->ngroup++];

	g->side = arena_array(&w->c->arena, w->results->n, sizeof(*g->side));
	if (!w->options->different_roots)
		set_common_axes(w, g, r);
	return g;
}

/* Is the same result in the group already?  Without the compared axis nobody
 * can tell (the reference can), and files named twice are the caller's wish. */
static bool is_known(const struct work *w, const struct group *g,
		     const struct result *r)
{
	for (size_t i = 0; i < g->nside; i++)
		if ((has_compared_axis(w, r) ||
		     w->options->style == COMPARE_LKP) &&
		    same_axes(w, g->side[i].result, r, false))
			return true;
	return false;
}

static void warn_of_second(const struct result *r)
{
	const char *commit = result_axis(r, "commit");

	log_warn("%s: a second result of '%.200s' with the same axes is left "
		 "out", r->source, commit ? commit : "");
}

static void drop_groups_of_one(struct comparison *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->ngroup; i++)
		if (c->group[i].nside > 1)
			c->group[n++] = c->group[i];
	c->ngroup = n;
}

int make_groups(struct work *w, struct err *err)
{
	struct comparison *c = w->c;
	bool lkp = w->options->style == COMPARE_LKP;

	/* To the reference one result is a group of one, and not shown. */
	if (w->results->n < (lkp ? 1 : 2))
		return err_set(err, ERR_INPUT, "nothing to compare: %s",
			       w->results->n ? "only one result" : "no result");
	c->group = arena_array(&c->arena, w->results->n, sizeof(*c->group));
	for (size_t i = 0; i < w->results->n; i++) {
		const struct result *r = w->results->result[i];
		struct group *g = group_for(w, r);

		if (!g)
			g = new_group(w, r);
		if (!is_known(w, g, r))
			add_side(w, g, r);
		else if (!lkp && w->results->n > 2)
			warn_of_second(r);
	}
	drop_groups_of_one(c);
	return 0;
}
