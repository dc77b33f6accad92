#include "report/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "compare/comparison-json.h"
#include "report/facts.h"
#include "report/report.h"
#include "report/script.h"
#include "report/setup.h"
#include "report/words.h"

#define TEXT_MAX ((size_t)64 * 1024)
#define SCRIPT_MAX ((size_t)256 << 10)

enum { METRICS_MAX = 6 };

static void set(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, value);
}

static json_t *count(size_t n)
{
	return json_integer((json_int_t)n);
}

/* Text for a person's eyes; null when there is none. */
static json_t *inert(const char *text, bool lines)
{
	struct buf b = BUF_INIT(SIZE_MAX);
	json_t *v;

	if (!text)
		return json_null();
	utf8_inert(&b, text, strlen(text), lines);
	v = json_stringn(b.s, b.len);
	buf_release(&b);
	return v;
}

static json_t *word_of_change(const struct row *row, size_t side,
			      enum words_sign sign)
{
	struct buf b = BUF_INIT(100);
	json_t *v;

	words_change(&b, row, side, sign);
	v = json_stringn(b.s, b.len);
	buf_release(&b);
	return v;
}

/* The change as sentences say it, beside its numbers. */
static void add_words(json_t *change, const struct row *row, size_t side)
{
	double moved = row->figure[side].change.absolute;
	struct buf times = BUF_INIT(100);

	if (words_times(&times, row, side))
		buf_addch(&times, ',');
	set(change, "text", times.len ? json_text(times.s) :
		word_of_change(row, side, WORDS_SIGNED));
	set(change, "minus", times.len ? json_text(times.s) :
		word_of_change(row, side, WORDS_MINUS));
	set(change, "size", times.len ? json_text(times.s) :
		word_of_change(row, side, WORDS_SIZE));
	buf_release(&times);
	set(change, "rose", json_boolean(moved > 0));
	set(change, "fell", json_boolean(moved < 0));
}

json_t *row_json(const struct group *g, const struct row *row)
{
	json_t *v = row_to_json(g, row), *sides = json_object_get(v, "sides");
	json_t *one;
	size_t i;

	set(v, "stat", inert(row->name, false));
	set(v, "unit", inert(row->unit, false));
	set(v, "meaning", inert(row->meaning, false));
	json_array_foreach(sides, i, one) {
		struct buf mean = BUF_INIT(100), runs = BUF_INIT(2000);

		words_mean(&mean, row, i);
		words_runs(&runs, row, i);
		set(one, "text", json_stringn(mean.s, mean.len));
		set(one, "runs_text", runs.len && row->kind == ROW_PERF
				      ? json_stringn(runs.s, runs.len)
				      : json_null());
		buf_release(&mean);
		buf_release(&runs);
		if (i)
			add_words(json_object_get(one, "change"), row, i);
	}
	return v;
}

/* A change to speak of: judged, or beyond doubt where nobody knows which
 * direction is the better one. */
static bool is_told(const struct change *c, enum verdict verdict)
{
	if (verdict == VERDICT_NONE)
		return c->low > 0 || c->high < 0;
	return verdict == VERDICT_REGRESSION || verdict == VERDICT_IMPROVEMENT;
}

/* What changed in one row, as a sentence needs it. */
static json_t *statement(const struct group *g, const struct row *row,
			 size_t side, enum verdict verdict)
{
	json_t *v = row_json(g, row), *sides = json_object_get(v, "sides");
	json_t *head = json_array_get(sides, side);
	bool told = is_told(&row->figure[side].change, verdict);

	set(v, "base", json_incref(json_array_get(sides, 0)));
	set(v, "head", json_incref(head));
	set(v, "change", json_incref(json_object_get(head, "change")));
	json_object_del(v, "sides");
	set(v, "verdict", json_string(verdict_name(verdict)));
	set(v, "word", json_string(verdict_word(verdict)));
	set(v, "is_regression", json_boolean(verdict == VERDICT_REGRESSION));
	set(v, "is_improvement", json_boolean(verdict == VERDICT_IMPROVEMENT));
	set(v, "is_inconclusive",
	    json_boolean(verdict == VERDICT_INCONCLUSIVE));
	set(v, "is_no_change", json_boolean(verdict == VERDICT_NO_CHANGE));
	set(v, "is_told", json_boolean(told));
	set(v, "is_zero", json_boolean(!told && words_no_change(row, side)));
	set(v, "is_judged", json_boolean(verdict == VERDICT_REGRESSION ||
					 verdict == VERDICT_IMPROVEMENT));
	set(v, "higher_is_better",
	    json_boolean(row->better == BETTER_HIGHER));
	set(v, "lower_is_better", json_boolean(row->better == BETTER_LOWER));
	return v;
}

static json_t *metric_json(const struct row *row)
{
	json_t *v = json_object();

	set(v, "stat", inert(row->name, false));
	set(v, "meaning", inert(row->meaning, false));
	set(v, "unit", inert(row->unit, false));
	set(v, "higher_is_better",
	    json_boolean(row->better == BETTER_HIGHER));
	set(v, "lower_is_better", json_boolean(row->better == BETTER_LOWER));
	return v;
}

/* What the headline and the other KPIs of its table are; a failure explains
 * itself. */
static json_t *metrics_json(const struct report *r)
{
	json_t *list = json_array();

	if (r->headline->kind == ROW_PERF)
		json_array_append_new(list, metric_json(r->headline));
	for (size_t i = 0; r->nbody && i < r->body[0].n; i++) {
		const struct row *row = r->body[0].row[i];

		if (row->kpi && strcmp(row->name, r->headline->name) &&
		    (row->meaning || row->better != BETTER_UNKNOWN) &&
		    json_array_size(list) < METRICS_MAX)
			json_array_append_new(list, metric_json(row));
	}
	return list;
}

static json_t *impacts_json(const struct report *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nimpact; i++) {
		const struct impact *m = &r->impact[i];
		json_t *v = statement(m->group, m->row, m->side,
			m->row->figure[m->side].change.verdict);

		set(v, "test", facts_test(r, m->group));
		json_array_append_new(list, v);
	}
	return list;
}

static const char *finding_name(enum finding_kind kind)
{
	static const char *const names[] = {
		[FINDING_REAL] = "real",
		[FINDING_DIRECTION] = "direction",
		[FINDING_FIXED_TIME] = "fixed-time",
		[FINDING_ONE_SIDED] = "one-sided",
		[FINDING_ODD_RUN] = "odd-run",
		[FINDING_HOT_PATH] = "hot-path",
		[FINDING_CLUSTERS] = "clusters",
		[FINDING_SAME_ROWS] = "same-rows",
		[FINDING_FAILURE] = "failure",
		[FINDING_CAVEAT] = "caveat",
		[FINDING_TRADE] = "trade",
		[FINDING_ALSO] = "also",
		[FINDING_NEXT] = "next",
	};

	return names[kind];
}

static json_t *finding_json(const struct finding *f, size_t number)
{
	json_t *v = json_object(), *stats = json_array();
	json_t *lines = json_array(), *first;

	list_add_lines(lines, f->text ? f->text : "");
	first = json_object_get(json_array_get(lines, 0), "line");

	for (size_t i = 0; f->stat && f->stat[i]; i++)
		json_array_append_new(stats, inert(f->stat[i], false));
	set(v, "number", count(number));
	set(v, "kind", json_string(finding_name(f->kind)));
	set(v, "aside", json_boolean(f->aside));
	set(v, "text", inert(f->text, true));
	set(v, "first_line", first ? json_incref(first) : json_null());
	json_array_remove(lines, 0);
	list_mark_ends(lines);
	set(v, "more_lines", lines);
	set(v, "stats", stats);
	set(v, "numbers", f->numbers ? json_incref(f->numbers)
				     : json_object());
	return v;
}

static json_t *findings_json(const struct report *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nfinding; i++)
		json_array_append_new(list, finding_json(&r->finding[i], i + 1));
	return list;
}

/* Those that stand in "In short", or, "aside", those below the table. */
static json_t *some_findings(const struct report *r, bool aside)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nfinding; i++)
		if (r->finding[i].aside == aside)
			json_array_append_new(list, finding_json(
				&r->finding[i], i + 1));
	return list;
}

static json_t *sides_json(const struct report *r, const struct group *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->nside; i++)
		json_array_append_new(list, facts_commit(r, g, i));
	return list;
}

static json_t *axes_json(const struct group *g)
{
	json_t *v = json_object();

	for (size_t i = 0; i < g->naxis; i++)
		set(v, g->axis[i].key, inert(g->axis[i].value, false));
	return v;
}

static json_t *one_sided_json(const struct group *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->none_sided; i++) {
		const struct one_sided *o = &g->one_sided[i];
		json_t *ran = json_array();

		for (size_t k = 0; k < g->nside; k++)
			json_array_append_new(ran, json_boolean(o->ran[k]));
		json_array_append_new(list, json_pack("{sososo}",
			"monitor", inert(o->monitor, false),
			"rows", count(o->rows), "ran", ran));
	}
	return list;
}

static json_t *group_json(const struct report *r, const struct body *b)
{
	json_t *v = json_object(), *rows = json_array();
	const struct group *g = b->group;
	size_t shown = 0;

	for (size_t i = 0; i < g->nrow; i++) {
		json_t *row = row_json(g, &g->row[i]);
		/* By name: the body may have a row made of two. */
		bool in_body = shown < b->n &&
			       !strcmp(b->row[shown]->name, g->row[i].name);

		shown += in_body;
		set(row, "in_body", json_boolean(in_body));
		json_array_append_new(rows, row);
	}
	set(v, "axes", axes_json(g));
	set(v, "test", facts_test(r, g));
	set(v, "sides", sides_json(r, g));
	set(v, "one_sided", one_sided_json(g));
	set(v, "rows", rows);
	set(v, "rows_left_out", count(g->nrow - b->n));
	return v;
}

static json_t *groups_json(const struct report *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->nbody; i++)
		json_array_append_new(list, group_json(r, &r->body[i]));
	return list;
}

/* null, or how many rows of all groups the mail leaves to the attachment. */
static json_t *left_out_json(const struct report *r)
{
	size_t n = 0, of = 0;

	for (size_t i = 0; i < r->nbody; i++) {
		n += r->body[i].group->nrow - r->body[i].n;
		of += r->body[i].group->nrow;
	}
	return n ? json_pack("{soso}", "n", count(n), "of", count(of))
		 : json_null();
}

static bool has_script(const struct report *r)
{
	struct buf b = BUF_INIT(SCRIPT_MAX);
	bool has;

	script_whole(r, &b);
	has = b.len && !buf_over(&b);
	buf_release(&b);
	return has;
}

unsigned report_attached(const struct report *r)
{
	const struct result *result = r->group->side[r->side].result;
	json_t *cut = left_out_json(r);
	unsigned what = (result && result->job ? ATTACHED_JOB : 0) |
			(has_script(r) ? ATTACHED_SCRIPT : 0) |
			(json_is_null(cut) ? 0 : ATTACHED_TABLE);

	json_decref(cut);
	return what;
}

/* null, or {files [{name, what, first, last}]} */
static json_t *attached_json(const struct report *r)
{
	static const struct {
		unsigned bit;
		const char *name, *what;
	} file[] = {
		{ ATTACHED_JOB, "job.yaml", "the job" },
		{ ATTACHED_SCRIPT, "reproduce", "the commands" },
		{ ATTACHED_TABLE, "comparison.txt", "the whole table" },
	};
	unsigned attached = report_attached(r);
	json_t *list = json_array();

	for (size_t i = 0; i < sizeof(file) / sizeof(*file); i++)
		if (attached & file[i].bit)
			json_array_append_new(list, json_pack("{ssss}", "name",
				file[i].name, "what", file[i].what));
	list_mark_ends(list);
	if (json_array_size(list))
		return json_pack("{so}", "files", list);
	json_decref(list);
	return json_null();
}

static void set_list(json_t *object, const char *key, json_t *list)
{
	list_mark_ends(list);
	set(object, key, list);
}

/* null where the headline's change is all that there is to say. */
static json_t *news_json(const struct report *r)
{
	static const char *const names[] = {
		[NEWS_CHANGE] = "change", [NEWS_FAILURE] = "failure",
		[NEWS_MISSING] = "missing", [NEWS_ZERO] = "zero",
		[NEWS_NOT_COMPARABLE] = "not-comparable",
		[NEWS_TIMES] = "times", [NEWS_FROM_ZERO] = "from-zero",
		[NEWS_UNDECIDED] = "undecided", [NEWS_NO_CHANGE] = "no-change",
	};
	const struct news *n = &r->news;

	if (!n->subject)
		return json_null();
	return json_pack("{ssssssss}", "kind", names[n->kind], "subject",
			 n->subject, "sentence", n->sentence, "badge",
			 n->badge);
}

json_t *report_json(const struct report *r)
{
	json_t *v = json_object();
	const json_t *facts = r->results->facts;

	bool lkp = r->comparison->options.style == COMPARE_LKP;

	set(v, "format", json_string("perfpost-report/1"));
	set(v, "style", json_string(lkp ? "lkp" : "default"));
	set(v, "is_default_style", json_boolean(!lkp));
	set(v, "headline", statement(r->group, r->headline, r->side,
				 r->verdict));
	set(v, "news", news_json(r));
	set(v, "blames", json_boolean(r->news.blames));
	set(v, "subsystem", facts_subsystem(r));
	set(v, "tree", facts_tree(r));
	set(v, "patch", facts_patch(r));
	set_list(v, "heads", facts_heads(r));
	set(v, "base", facts_commit(r, r->group, 0));
	set(v, "head", facts_commit(r, r->group, r->side));
	set(v, "test", facts_test(r, r->group));
	set(v, "is_lkp",
	    json_boolean(r->group->side[0].result->job != NULL));
	set_list(v, "setup", setup_list(r));
	set(v, "same", setup_same(r));
	set_list(v, "warnings", setup_warnings(r));
	set_list(v, "metrics", metrics_json(r));
	set_list(v, "impacts", impacts_json(r));
	set_list(v, "findings", findings_json(r));
	set_list(v, "in_short", some_findings(r, false));
	set_list(v, "asides", some_findings(r, true));
	set(v, "note", inert(r->options.note, true));
	set(v, "archive", inert(json_member_text(facts, "archive"), false));
	set(v, "closes", inert(json_member_text(facts, "closes"), false));
	set(v, "regzbot", json_boolean(r->options.regzbot));
	set_list(v, "groups", groups_json(r));
	set(v, "rows_left_out", left_out_json(r));
	set(v, "attached", attached_json(r));
	return v;
}
