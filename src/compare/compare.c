#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/commit-name.h"
#include "base/err.h"
#include "compare/compare-int.h"
#include "compare/pattern.h"
#include "compare/rules.h"

enum { FAILURE_KNOWN = 1, FAILURE = 2, NOISE_KNOWN = 4, NOISE = 8 };

void compare_options_init(struct compare_options *o)
{
	*o = (struct compare_options){ .gap = NAN, .profile_threshold = NAN,
					.smallest = CHANGE_SMALLEST };
}

/* --- What the files of this room share. ---------------------------------- */

enum row_kind row_kind(struct work *w, const char *name)
{
	int era = w->options->era;
	bool failure = era && era <= 2021 ? rules_failure_2021(w->rules, name) :
					    rules_failure(w->rules, name);

	return failure ? ROW_FAILURE : ROW_PERF;
}

double summary_spread(const struct summary *s)
{
	if (s->runs == 1)
		return 0;
	return isnan(summary_deviation(s)) ? s->stddev : summary_deviation(s);
}

bool is_failure(struct work *w, uint32_t id)
{
	uint8_t *j = &w->judged[id];

	if (!(*j & FAILURE_KNOWN))
		*j |= FAILURE_KNOWN |
		      (row_kind(w, stat_name(w, id)) == ROW_FAILURE ? FAILURE : 0);
	return *j & FAILURE;
}

bool is_noise(struct work *w, uint32_t id)
{
	uint8_t *j = &w->judged[id];

	if (!(*j & NOISE_KNOWN))
		*j |= NOISE_KNOWN |
		      (rules_noise(w->rules, stat_name(w, id)) ? NOISE : 0);
	return *j & NOISE;
}

double *scratch(struct work *w, int side, size_t n)
{
	if (n > w->scratch_cap[side]) {
		w->scratch[side] = reallocarray(w->scratch[side], n,
						sizeof(double));
		w->scratch_cap[side] = n;
		if (!w->scratch[side])
			die_no_memory();
	}
	return w->scratch[side];
}

static void add_name(struct selection *sel, const char *name)
{
	sel->name = arena_grow(sel->arena, sel->name, &sel->cap, sel->n + 1,
			       sizeof(*sel->name));
	sel->name[sel->n++] = name;
}

void selection_add(struct selection *sel, uint32_t id)
{
	if (sel->have[id])
		return;
	sel->have[id] = 1;
	add_name(sel, arena_strdup(sel->arena, strset_text(sel->names, id)));
}

/* --- Which names. ----------------------------------------------------------- */

static void each_name(struct work *w, const struct group *g,
		      struct selection *sel,
		      bool (*wanted)(struct work *w, uint32_t id,
				     const struct pattern_list *l),
		      const struct pattern_list *l)
{
	for (size_t i = 0; i < g->nside; i++) {
		const struct result *r = g->side[i].result;

		for (size_t j = 0; j < r->nseries; j++) {
			uint32_t id = series_id(r, j);

			if (!r->series[j].bad && wanted(w, id, l))
				selection_add(sel, id);
		}
	}
}

static bool any(struct work *w, uint32_t id, const struct pattern_list *l)
{
	(void)w;
	(void)id;
	(void)l;
	return true;
}

static bool fits_pattern(struct work *w, uint32_t id,
			 const struct pattern_list *l)
{
	return pattern_first(l, stat_name(w, id)) == 0;
}

static bool fails(struct work *w, uint32_t id, const struct pattern_list *l)
{
	(void)l;
	return is_failure(w, id);
}

/* --stat: also names that nobody has, once each. */
static void add_asked_for(struct work *w, struct selection *sel)
{
	for (const char *const *name = w->options->stat; *name; name++) {
		bool known = false;

		for (size_t i = 0; i < sel->n; i++)
			known |= !strcmp(sel->name[i], *name);
		if (!known)
			add_name(sel, *name);
	}
}

/* What is added later must not come twice. */
static void mark_asked_for(struct selection *sel)
{
	for (size_t i = 0; i < sel->n; i++) {
		size_t id = strset_find(sel->names, sel->name[i],
					strlen(sel->name[i]));

		if (id != STRSET_NONE)
			sel->have[id] = 1;
	}
}

static void add_included(struct work *w, const struct group *g,
			 struct selection *sel)
{
	for (const char *const *re = w->options->include; re && *re; re++) {
		struct pattern_list l;

		pattern_list_init(&l, ANCHOR_NONE, &w->c->arena);
		pattern_add(&l, *re);
		each_name(w, g, sel, fits_pattern, &l);
		pattern_list_release(&l);
	}
}

static void select_names(struct work *w, struct group *g,
			 struct selection *sel)
{
	const struct compare_options *o = w->options;

	if (o->select == SELECT_ALL)
		each_name(w, g, sel, any, NULL);
	else if (o->stat) {
		add_asked_for(w, sel);
		mark_asked_for(sel);
	} else if (o->style == COMPARE_LKP)
		select_lkp(w, g, sel);
	else
		select_changed(w, g, sel);
	add_included(w, g, sel);
	if (o->all_failures)
		each_name(w, g, sel, fails, NULL);
}

/* --- Rows. --------------------------------------------------------------------- */

static bool is_of_testcase(const char *testcase, const char *name)
{
	size_t len = testcase ? strlen(testcase) : 0;

	return len && !strncmp(name, testcase, len) && name[len] == '.' &&
	       strncmp(name + len + 1, "time.", 5) != 0;
}

/* A test of which no KPI is known: all that it reports about itself is. */
static bool knows_no_kpi(struct work *w, const struct group *g,
			 const char *testcase)
{
	const struct result *r = g->side[0].result;

	for (size_t i = 0; i < r->nseries; i++) {
		const char *name = series_name(r, &r->series[i]);

		if (is_of_testcase(testcase, name) &&
		    rules_metric(w->rules, name).kpi)
			return false;
	}
	return testcase != NULL;
}

/* Is a value of it on any side no number? */
static bool is_bad(const struct group *g, const char *name)
{
	for (size_t i = 0; i < g->nside; i++) {
		const struct series *s = result_series(g->side[i].result, name);

		if (s && s->bad)
			return true;
	}
	return false;
}

static bool is_filtered(const struct work *w, const struct group *g,
			const char *name, const char *testcase)
{
	const struct compare_options *o = w->options;
	bool own = o->style == COMPARE_DEFAULT &&
		   is_of_testcase(testcase, name);

	if (is_bad(g, name))
		return true;
	if (o->kpi && !own && !rules_kpi(w->rules, name))
		return true;
	return o->kpi_strict && !rules_kpi_strict(w->rules, name);
}

/* The reference knew no points until 15 Aug 2017 (lkp-style.md 1.9). */
static bool is_before_points(const struct work *w)
{
	return w->options->era && w->options->era <= 2017;
}

/* Also of names that no side has, such as those of --stat. */
static enum row_kind kind_of(struct work *w, const char *name)
{
	size_t id = strset_find(&w->results->names, name, strlen(name));

	if (id == STRSET_NONE)
		return row_kind(w, name);
	return is_failure(w, (uint32_t)id) ? ROW_FAILURE : ROW_PERF;
}

static void describe_row(struct work *w, const struct group *g,
			 struct row *row, const char *name, bool all_kpi)
{
	struct metric m = rules_metric(w->rules, name);
	const char *testcase = result_axis(g->side[0].result, "testcase");

	*row = (struct row){
		.name = name,
		.kind = kind_of(w, name),
		.points = rules_points(name) && !is_before_points(w),
		.kpi = m.kpi || (all_kpi && is_of_testcase(testcase, name)),
		.better = m.better,
		.unit = m.unit,
		.meaning = m.meaning,
	};
	if (row->kind == ROW_FAILURE)
		row->kpi = false;
}

static void fill_row(struct work *w, const struct group *g, struct row *row)
{
	fill_figures(w, g, row);
	if (w->options->style == COMPARE_LKP)
		fill_lkp_figures(w, g, row);
}

static void note_changes(struct work *w, const struct group *g,
			 struct row *row)
{
	double *change = arena_array(&w->c->arena, g->nside, sizeof(*change));

	for (size_t i = 1; i < g->nside; i++)
		change[i] = row->lkp    ? row->lkp[i].change :
			    row->points ? row->figure[i].change.absolute :
					  row->figure[i].change.percent;
	row->change = change;
}

static void add_row(struct work *w, struct group *g, const char *name,
		    bool all_kpi)
{
	struct row *row = &g->row[g->nrow++];

	describe_row(w, g, row, name, all_kpi);
	fill_row(w, g, row);
	note_changes(w, g, row);
	if (!w->options->by_row)
		return;
	row->figure = NULL;
	row->lkp = NULL;
	arena_release(w->arena);
}

static void make_rows(struct work *w, struct group *g, struct selection *sel)
{
	const char *testcase = result_axis(g->side[0].result, "testcase");
	bool all_kpi = knows_no_kpi(w, g, testcase);

	g->row = arena_array(&w->c->arena, sel->n, sizeof(*g->row));
	for (size_t i = 0; i < sel->n; i++)
		if (!is_filtered(w, g, sel->name[i], testcase))
			add_row(w, g, sel->name[i], all_kpi);
	order_rows(w, g);
}

static void compare_group(struct work *w, struct group *g)
{
	struct selection sel = { .arena = &w->c->arena,
				 .names = &w->results->names };

	sel.have = arena_alloc(&w->c->arena, w->results->names.n + 1);
	select_names(w, g, &sel);
	make_rows(w, g, &sel);
}

/* --- Groups. ---------------------------------------------------------------- */

static double group_score(const struct group *g)
{
	double score = 0;

	for (size_t i = 0; i < g->nrow; i++)
		for (size_t j = 1; j < g->nside; j++) {
			double change = g->row[i].change[j];

			if (fabs(change) > score)
				score = fabs(change);
		}
	return score;
}

/* Few groups; those of equal score keep their order. */
static void sort_groups(struct comparison *c)
{
	for (size_t i = 1; i < c->ngroup; i++) {
		struct group g = c->group[i];
		size_t j = i;

		for (; j > 0 && group_score(&c->group[j - 1]) < group_score(&g);
		     j--)
			c->group[j] = c->group[j - 1];
		c->group[j] = g;
	}
}

static int say_why_nothing(const struct results *r, struct err *err)
{
	const struct result *a = r->result[0], *b = r->result[1];

	for (size_t i = 0; i < a->naxis; i++) {
		const char *value = result_axis(b, a->axis[i].key);

		if (strcmp(a->axis[i].key, "commit") &&
		    (!value || strcmp(value, a->axis[i].value)))
			return err_set(err, ERR_INPUT,
				"nothing to compare: %s is '%s' in %s, "
				"'%s' in %s (see --axis, --different-roots)",
				a->axis[i].key, a->axis[i].value, a->source,
				value ? value : "", b->source);
	}
	if (r->n == 2 && result_axis(a, "commit") && result_axis(b, "commit") &&
	    !strcmp(result_axis(a, "commit"), result_axis(b, "commit")))
		return err_set(err, ERR_INPUT, "nothing to compare: %s and %s "
			       "are both results of '%s'", a->source, b->source,
			       result_axis(a, "commit"));
	return err_set(err, ERR_INPUT, "nothing to compare: no two results "
		       "differ in the compared axis alone");
}

/* What a summary counts as failing is a failure, whatever its name. */
static void note_counted_failures(struct work *w)
{
	for (size_t i = 0; i < w->results->n; i++) {
		const struct result *r = w->results->result[i];

		for (size_t k = 0; k < r->nseries; k++) {
			const struct summary *s = series_summary(&r->series[k]);

			if (s && s->is_failure)
				w->judged[series_id(r, k)] |= FAILURE_KNOWN |
							      FAILURE;
		}
	}
}

static struct work *work_new(struct comparison *c, const struct results *r)
{
	struct work *w = arena_alloc(&c->arena, sizeof(*w));

	w->c = c;
	w->results = r;
	w->options = &c->options;
	w->rules = c->options.rules;
	w->arena = w->options->by_row ? &w->row_arena : &c->arena;
	w->judged = arena_alloc(&c->arena, r->names.n + 1);
	if (c->options.style == COMPARE_DEFAULT)
		note_counted_failures(w);
	return w;
}

static void work_release(struct work *w)
{
	for (int i = 0; w && i < 2; i++) {
		free(w->scratch[i]);
		free(w->numbers[i].v);
	}
	if (w)
		arena_release(&w->row_arena);
}

int compare(struct comparison *c, const struct results *r,
	    const struct compare_options *options, struct err *err)
{
	*c = (struct comparison){ .options = *options, .results = r };
	if (!c->options.rules) {
		c->options.rules = c->own_rules = rules_new(NULL, err);
		if (!c->own_rules)
			return -1;
	}
	c->work = work_new(c, r);
	if (rules_learn(c->options.rules, json_object_get(r->facts, "metrics"),
			err) == -1 || make_groups(c->work, err) == -1) {
		comparison_release(c);
		return -1;
	}
	if (!c->ngroup && options->style == COMPARE_DEFAULT) {
		comparison_release(c);
		return say_why_nothing(r, err);
	}
	for (size_t i = 0; i < c->ngroup; i++)
		compare_group(c->work, &c->group[i]);
	if (options->sort_groups)
		sort_groups(c);
	return 0;
}

const char *side_kind(const struct side *s)
{
	const struct result *r = s->result;

	if (s->subject || is_part_of_hash(s->name))
		return "commit";
	if (r->command && !strcmp(s->name, r->command))
		return "command";
	return r->by_path ? "version" : "commit";
}

void comparison_release(struct comparison *c)
{
	work_release(c->work);
	arena_release(&c->arena);
	rules_free(c->own_rules);
	*c = (struct comparison){ .ngroup = 0 };
}

const struct row *comparison_row(const struct comparison *c,
				 const struct group *g, const struct row *row)
{
	struct work *w = c->work;

	if (!c->options.by_row)
		return row;
	arena_release(w->arena);
	w->row = *row;
	fill_row(w, g, &w->row);
	return &w->row;
}

static const struct row *selected_row(const struct group *g, const char *name)
{
	for (size_t i = 0; i < g->nrow; i++)
		if (!strcmp(g->row[i].name, name))
			return &g->row[i];
	return NULL;
}

static bool has_name(const struct group *g, const char *name)
{
	for (size_t i = 0; i < g->nside; i++)
		if (result_series(g->side[i].result, name))
			return true;
	return false;
}

const struct row *group_row(struct comparison *c, struct group *g,
			    const char *name)
{
	const char *testcase = result_axis(g->side[0].result, "testcase");
	const struct row *known = selected_row(g, name);
	struct work *w = c->work;
	struct arena *usual = w->arena;
	struct row *row;

	if (known && !c->options.by_row)
		return known;
	if (!has_name(g, name))
		return NULL;
	name = arena_strdup(&c->arena, name);
	w->arena = &c->arena;
	row = arena_alloc(&c->arena, sizeof(*row));
	describe_row(w, g, row, name, knows_no_kpi(w, g, testcase));
	fill_row(w, g, row);
	note_changes(w, g, row);
	w->arena = usual;
	return row;
}
