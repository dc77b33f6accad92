#include "report/report.h"

#include <string.h>

#include "base/err.h"
#include "base/log.h"
#include "report/body.h"
#include "report/facts.h"
#include "report/failure.h"
#include "report/findings.h"
#include "report/news.h"
#include "report/weight.h"

/* How many names are looked through for a KPI that no table shows. */
#define NAMES_MAX 1000
#define KPIS_MAX 100

struct candidate {
	struct group *group;
	const struct row *row;
	size_t side;
};

/* The side of "g" that is reported on; 0: it has none. */
static size_t side_of(const struct report *r, const struct group *g)
{
	const char *want = r->options.side;

	if (!want)
		return g->nside ? g->nside - 1 : 0;
	for (size_t i = 1; i < g->nside; i++)
		if ((g->side[i].label && !strcmp(g->side[i].label, want)) ||
		    !strncmp(g->side[i].name, want, strlen(want)))
			return i;
	return 0;
}

static bool is_judged(const struct candidate *c)
{
	enum verdict v = c->row->figure[c->side].change.verdict;

	return v == VERDICT_REGRESSION || v == VERDICT_IMPROVEMENT;
}

static bool has_data(const struct candidate *c)
{
	return c->row->kind == ROW_PERF && c->row->figure[0].n &&
	       c->row->figure[c->side].n;
}

/* Is "c" a better headline than "best"?  KPIs before others, judged before
 * not, then by weight; the first of equals stays. */
static bool is_better(const struct candidate *c, const struct candidate *best)
{
	if (!c->row || !has_data(c))
		return false;
	if (!best->row)
		return true;
	if (c->row->kpi != best->row->kpi)
		return c->row->kpi;
	if (is_judged(c) != is_judged(best))
		return is_judged(c);
	return row_weight(c->row, c->side) > row_weight(best->row, best->side);
}

static void consider(struct candidate *best, const struct candidate *c)
{
	if (is_better(c, best))
		*best = *c;
}

/* The rows of the table. */
static void consider_shown(struct candidate *best, struct candidate c)
{
	for (size_t i = 0; i < c.group->nrow; i++) {
		c.row = &c.group->row[i];
		consider(best, &c);
	}
}

/* All stats of "test", shown or not: a KPI that did not change is still what
 * the test is about.  NULL: of any. */
static void consider_all(struct report *r, struct candidate *best,
			 struct candidate c, const char *test)
{
	const struct result *base = c.group->side[0].result;
	size_t len = test ? strlen(test) : 0, looked = 0;

	for (size_t i = 0; i < base->nseries && looked < NAMES_MAX; i++) {
		const char *name = series_name(base, &base->series[i]);

		if (len && (strncmp(name, test, len) || name[len] != '.'))
			continue;
		looked++;
		c.row = group_row(r->comparison, c.group, name);
		consider(best, &c);
	}
}

static void consider_group(struct report *r, struct candidate *best,
			   struct group *g)
{
	struct candidate c = { g, NULL, side_of(r, g) };
	struct candidate own = { .row = NULL };

	if (!c.side)
		return;
	consider_shown(&own, c);
	if (!own.row || !own.row->kpi)
		consider_all(r, &own, c, result_axis(g->side[0].result,
						     "testcase"));
	if (!own.row)
		consider_all(r, &own, c, NULL);
	consider(best, &own);
}

/* A KPI that one side alone has is news. */
static bool is_missing(const struct candidate *c)
{
	return c->row->kpi &&
	       !c->row->figure[0].n != !c->row->figure[c->side].n;
}

/* The headline that somebody asked for, in the first group that has values of
 * it on both sides; where the reference's style fills them in, that has it. */
static void find_named(struct report *r, struct candidate *best,
		       const char *name)
{
	struct comparison *c = r->comparison;

	for (size_t i = 0; i < c->ngroup && !best->row; i++) {
		struct candidate own = { &c->group[i], NULL,
					 side_of(r, &c->group[i]) };

		if (!own.side)
			continue;
		own.row = group_row(c, own.group, name);
		if (own.row && own.row->kind == ROW_PERF &&
		    (own.row->lkp || has_data(&own) || is_missing(&own)))
			*best = own;
	}
}

/* --- Where no stat of the test has data on both sides. ----------------------- */

/* A KPI that only "there" has, of both sides. */
static void consider_missing(struct report *r, struct candidate *best,
			     struct candidate c, size_t there)
{
	const struct result *has = c.group->side[there].result;

	for (size_t i = 0; i < has->nseries && i < NAMES_MAX && !best->row;
	     i++) {
		c.row = group_row(r->comparison, c.group,
				  series_name(has, &has->series[i]));
		if (c.row && c.row->kind == ROW_PERF && is_missing(&c) &&
		    c.row->figure[there].n)
			*best = c;
	}
}

static void consider_failures(struct candidate *best, struct candidate c)
{
	struct failure f;

	for (int k = FAILURE_NEW; k <= FAILURE_GONE && !best->row; k++)
		if (failures_of(c.group, c.side, (enum failure_change)k, &f,
				1)) {
			c.row = f.row;
			*best = c;
		}
}

/* The KPI that is gone, or has come; else what fails. */
static void fall_back(struct report *r, struct candidate *best)
{
	struct comparison *all = r->comparison;
	struct candidate found = { .row = NULL };

	for (size_t i = 0; i < all->ngroup && !found.row; i++) {
		struct candidate c = { &all->group[i], NULL,
				       side_of(r, &all->group[i]) };

		if (!c.side)
			continue;
		consider_missing(r, &found, c, 0);
		consider_missing(r, &found, c, c.side);
	}
	for (size_t i = 0; i < all->ngroup && !best->row; i++) {
		struct candidate c = { &all->group[i], NULL,
				       side_of(r, &all->group[i]) };

		if (c.side)
			consider_failures(&found, c);
	}
	if (found.row)
		*best = found;
}

/* --- Rows that stand in the table even if they did not change. --------------- */

static bool has_row(const struct group *g, const char *name)
{
	for (size_t i = 0; i < g->nrow; i++)
		if (!strcmp(g->row[i].name, name))
			return true;
	return false;
}

/* Behind the failures and the KPIs that stand there. */
static void show_row(struct report *r, struct group *g, const struct row *add)
{
	struct row *row;
	size_t at = 0;

	if (has_row(g, add->name))
		return;
	while (at < g->nrow && add->kind != ROW_FAILURE &&
	       (g->row[at].kind == ROW_FAILURE || g->row[at].kpi))
		at++;
	row = arena_array(&r->comparison->arena, g->nrow + 1, sizeof(*row));
	for (size_t i = 0; i < g->nrow; i++)
		row[i + (i >= at)] = g->row[i];
	row[at] = *add;
	g->row = row;
	g->nrow++;
}

static void show_kpis_of(struct report *r, struct group *g, size_t side,
			 size_t *shown)
{
	const struct result *has = g->side[side].result;
	const char *test = result_axis(has, "testcase");
	size_t len = test ? strlen(test) : 0, looked = 0;

	for (size_t i = 0; i < has->nseries && looked < NAMES_MAX &&
			   *shown < KPIS_MAX; i++) {
		const char *name = series_name(has, &has->series[i]);
		const struct row *row;

		if (len && (strncmp(name, test, len) || name[len] != '.'))
			continue;
		looked++;
		row = group_row(r->comparison, g, name);
		if (!row || !row->kpi || row->kind != ROW_PERF)
			continue;
		++*shown;
		show_row(r, g, row);
	}
}

/* What a test is run for is never left out, changed or not; but for who has
 * said which rows to show, and in the table of LKP. */
static void show_kpis(struct report *r, struct group *g)
{
	const struct compare_options *o = &r->comparison->options;
	size_t side = side_of(r, g), shown = 0;

	if (!side || o->style == COMPARE_LKP || o->stat || o->include)
		return;
	show_kpis_of(r, g, 0, &shown);
	show_kpis_of(r, g, side, &shown);
}

static void show_headline(struct report *r, struct group *g)
{
	const char *name = r->headline->name;

	show_row(r, g, r->headline);
	for (size_t i = 0; i < g->nrow; i++)
		if (!strcmp(g->row[i].name, name))
			r->headline = &g->row[i];
	r->change = &r->headline->figure[r->side].change;
}

/* Why there is nothing to report. */
static int say_why_nothing(const struct comparison *c, struct err *err)
{
	for (size_t i = 0; i < c->ngroup; i++)
		for (size_t k = 0; k < c->group[i].nside; k++) {
			const struct side *s = &c->group[i].side[k];

			if (s->runs && s->incomplete == s->runs)
				return err_set(err, ERR_INPUT, "%s: none of "
					"%zu runs of '%s' did complete",
					s->result->source, s->runs, s->name);
		}
	return err_set(err, ERR_INPUT, "no stat has data on both sides");
}

static int find_headline(struct report *r, struct err *err)
{
	const char *name = r->options.headline;
	struct candidate best = { .row = NULL };
	struct comparison *c = r->comparison;

	if (!name)
		name = json_member_text(r->results->facts, "headline");
	if (name)
		find_named(r, &best, name);
	for (size_t i = 0; i < c->ngroup && !name; i++)
		consider_group(r, &best, &c->group[i]);
	if (!name && (!best.row || !best.row->kpi))
		fall_back(r, &best);
	if (!best.row && r->options.side)
		return err_set(err, ERR_USAGE, "no results of '%s' to report",
			       r->options.side);
	if (!best.row && name)
		return err_set(err, ERR_USAGE, "headline '%s': no result has "
			       "it on both sides", name);
	if (!best.row)
		return say_why_nothing(c, err);
	r->group = best.group;
	r->headline = best.row;
	r->side = best.side;
	r->change = &best.row->figure[best.side].change;
	r->verdict = r->change->verdict;
	return 0;
}

/* What a group of another test, box or configuration adds: the headline's
 * own stat where that changed, else its best KPI; only what is judged. */
static void find_impact(struct report *r, struct group *g)
{
	struct candidate best = { .row = NULL };
	struct candidate same = { g, NULL, side_of(r, g) };

	if (!same.side)
		return;
	same.row = group_row(r->comparison, g, r->headline->name);
	if (!same.row || !has_data(&same) || !is_judged(&same))
		consider_group(r, &best, g);
	else
		best = same;
	if (best.row && is_judged(&best) && best.row->kpi)
		r->impact[r->nimpact++] = (struct impact){
			g, best.row, best.side };
}

/* Why regzbot has nothing to track here, or NULL. */
static const char *why_no_regzbot(const struct report *r)
{
	json_t *commit = facts_commit(r, r->group, r->side);
	bool known = json_is_string(json_object_get(commit, "hash"));

	json_decref(commit);
	if (json_is_object(json_object_get(r->results->facts, "patch")))
		return "a mailed patch is in no tree that it follows";
	if (!r->news.blames && r->verdict != VERDICT_NONE)
		return "this is no regression beyond doubt";
	if (!known)
		return "what was tested is no commit by its hash";
	return NULL;
}

static void settle_regzbot(struct report *r)
{
	const char *why = r->options.regzbot ? why_no_regzbot(r) : NULL;

	if (!why)
		return;
	log_warn("no line for regzbot: %s", why);
	r->options.regzbot = false;
}

int report_build(struct report *r, struct comparison *c,
		 const struct results *results,
		 const struct report_options *options, struct err *err)
{
	*r = (struct report){ .comparison = c, .results = results,
			      .options = *options };
	if (find_headline(r, err) == -1)
		return -1;
	for (size_t i = 0; i < c->ngroup; i++)
		show_kpis(r, &c->group[i]);
	show_headline(r, r->group);
	news_find(r);
	settle_regzbot(r);
	r->impact = arena_array(&r->arena, c->ngroup, sizeof(*r->impact));
	for (size_t i = 0; i < c->ngroup; i++)
		if (&c->group[i] != r->group)
			find_impact(r, &c->group[i]);
	findings_find(r);
	body_choose(r);
	return 0;
}

void report_release(struct report *r)
{
	for (size_t i = 0; i < r->nfinding; i++)
		json_decref(r->finding[i].numbers);
	arena_release(&r->arena);
	*r = (struct report){ .headline = NULL };
}
