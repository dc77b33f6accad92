#include "bot/upshot.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "bot/letter.h"
#include "bot/told.h"
#include "compare/verdict.h"
#include "report/words.h"
#include "run/folder.h"

#define ERROR_LINES 40
#define KPI_ROWS 40

static json_t *side_json(const struct upshot *r, const char *name)
{
	json_t *one;
	size_t i;

	json_array_foreach(json_object_get(r->spec, "sides"), i, one) {
		const char *is = json_member_text(one, "name");

		if (is && !strcmp(is, name))
			return one;
	}
	return NULL;
}

/* The side's index in the comparison, by the name that its results carry. */
static int find_side(const struct upshot *r, const char *name,
		     const char *fallback)
{
	const char *as = json_member_text(side_json(r, name), "as");

	if (!as)
		as = fallback;
	return as && *as ? measured_side(&r->m, as) : -1;
}

static const char *asked_side_name(const struct upshot *r)
{
	if (side_json(r, "patched"))
		return "patched";
	return side_json(r, "tip") ? "tip" : NULL;
}

/* All paths: those of the report first, unless everything is new. */
static int open_results(struct upshot *r, struct err *err)
{
	const char **of_report, **of_job, **path;
	size_t n = 0, nr = 0;
	int nj = folder_results(r->job.folder, &r->arena, &of_job, err);

	if (nj == -1)
		return -1;
	if (!side_json(r, "reported"))
		nr = measured_paths(r->report.results, &r->arena, &of_report);
	path = arena_array(&r->arena, nr + (size_t)nj + 1, sizeof(*path));
	for (size_t i = 0; i < nr; i++)
		path[n++] = of_report[i];
	for (int i = 0; i < nj; i++)
		path[n++] = of_job[i];
	r->opened = true;
	r->measured = measured_open(&r->m, r->bot->settings, path, n,
				    r->report.stat, MEASURED_KPI, err) == 0;
	return r->measured ? 0 : -1;
}

static const char *value(const struct upshot *r, int side, struct arena *a)
{
	struct buf out = BUF_INIT(100);
	const char *text;

	words_mean(&out, r->m.row, (size_t)side);
	text = arena_printf(a, "%s%s%s", out.s, r->m.row->unit ? " " : "",
			    r->m.row->unit ? r->m.row->unit : "");
	buf_release(&out);
	return text;
}

static const char *capital(const char *text, struct arena *a)
{
	char *copy = arena_strdup(a, text);

	*copy = (char)toupper((unsigned char)*copy);
	return copy;
}

static void tell(struct upshot *r, const char *verdict, const char *sentence)
{
	struct arena *a = &r->arena;

	r->verdict = verdict;
	json_object_set_new(r->data, "judged", json_pack("{s:s,s:s,s:n,s:n}",
		"word", capital(verdict, a), "sentence",
		letter_fold(sentence, a), "but", "unsaid"));
}

/* "5.18 ns with the patch, 4.64 ns at the base, 20.17 ns without" */
struct compared {
	const char *asked, *base;	/* values with their unit */
	const char *without;		/* "20.17 ns without" */
	const char *with, *other;	/* "with the patch", "with it" */
	const char *change;		/* from "without" to "asked": "-0.5%" */
};

static const char *part_of_change(const struct judgement *j, const char *verb,
				  double sign, struct arena *a)
{
	double low = sign * (sign > 0 ? j->low : j->high);
	double high = sign * (sign > 0 ? j->high : j->low);

	return arena_printf(a, "That %s %.0f%% of the change%s", verb,
			    100 * sign * j->part,
			    measured_interval("that part", 100 * low,
					      100 * high, 0, a));
}

/* Is a difference within what the runs differ among themselves? */
static bool is_noise(const struct figure *from, const struct figure *to)
{
	struct change c;

	change_between(from, to, BETTER_UNKNOWN, true, &c);
	return isnan(c.low) || (c.low <= 0 && c.high >= 0);
}

static const char *no_change(const struct judgement *j,
			     const struct compared *c, bool patched, bool noise,
			     struct arena *a)
{
	const char *why = noise ? "within noise" :
		arena_printf(a, "%.0f%% of the way back to the base",
			     100 * fabs(j->part));

	if (!noise && j->part < 0)
		why = "next to the change itself that is nothing";
	return arena_printf(a, "%s makes no difference: %s %s, %s "
			    "(%s, %s). The base has %s.",
			    patched ? "The patch" : "What you named",
			    c->asked, c->other, c->without, c->change, why,
			    c->base);
}

static const char *undecided(const struct judgement *j, bool moved,
			     struct arena *a)
{
	const char *rest;

	if (j->no_change && moved)
		return "The change is not there without the patch either, so "
		       "this says nothing of the patch";
	if (isnan(j->part))
		return arena_printf(a, "No telling: %s", j->why);
	rest = arena_printf(a, "Too much spread to say: %s; %.0f%% of the "
		"change is undone%s", j->why, 100 * j->part,
		measured_interval("that part", 100 * j->low, 100 * j->high, 0,
				  a));
	return j->runs_needed ? arena_printf(a, "%s; it would take about %zu "
		"runs a side to tell", rest, j->runs_needed) : rest;
}

/* What the judgement rests on, as sentences. */
static const char *told_judgement(const struct upshot *r,
				  const struct compared *c, bool moved,
				  bool patched, bool noise, struct arena *a)
{
	const struct judgement *j = &r->judged;
	const char *stat = r->report.stat;

	switch (j->verdict) {
	case JUDGED_RECOVERED:
		return arena_printf(a, "%s is %s the base: %s %s, %s at the "
			"base, %s. %s.", stat, j->low > 1 ? "beyond" :
			"back at", c->asked, c->with, c->base, c->without,
			part_of_change(j, "undoes", 1, a));
	case JUDGED_PARTLY:
		return arena_printf(a, "%s is part of the way back: %s %s, %s "
			"at the base, %s. %s.", stat, c->asked,
			c->with, c->base, c->without,
			part_of_change(j, "undoes", 1, a));
	case JUDGED_WORSE:
		return arena_printf(a, "%s is worse still: %s %s, %s, "
			"%s at the base. %s.", stat, c->asked, c->with,
			c->without, c->base,
			part_of_change(j, "adds", -1, a));
	case JUDGED_NO_CHANGE:
		return no_change(j, c, patched, noise, a);
	default:
		return arena_printf(a, "%s is %s %s, %s, %s at the "
			"base. %s.", stat, c->asked, c->with, c->without,
			c->base, undecided(j, moved, a));
	}
}

/* "-0.5%" from one side to another that need not be the first. */
static const char *change_words(const struct upshot *r, int from, int to,
				struct arena *a)
{
	const struct figure *f = r->m.row->figure;
	double base = fabs(f[from].mean), by = f[to].mean - f[from].mean;

	return base != 0 ? arena_printf(a, "%+.1f%%", 100 * by / base)
			 : arena_printf(a, "%+g", by);
}

/*
 * Base, reported, and what was asked for.  Where the patch went onto another
 * commit than the reported one ("onto", else -1), it is that one which it
 * makes better or not: others may have mended it meanwhile.
 */
static void judge_asked(struct upshot *r, const char *name, int base,
			int reported, int onto, int asked)
{
	const struct figure *f = r->m.row->figure;
	bool patched = !strcmp(name, "patched");
	struct arena *a = &r->arena;
	struct judgement *j = &r->judged;
	int without = onto < 0 ? reported : onto;
	struct compared c = { .with = patched ? "with the patch" : "there",
			      .other = patched ? "with it" : "there" };

	judge_recovery(j, &f[base], &f[without], &f[asked]);
	if (!f[asked].n) {
		tell(r, judged_name(j->verdict), arena_printf(a, "There are no "
		     "values of %s %s.", r->report.stat, c.with));
		return;
	}
	c.asked = value(r, asked, a);
	c.base = value(r, base, a);
	c.without = arena_printf(a, patched ? "%s without" : "%s tested",
				 value(r, without, a));
	if (onto >= 0)
		c.without = arena_printf(a, "%s it on the same commit (%s "
					 "tested)", c.without,
					 value(r, reported, a));
	c.change = change_words(r, without, asked, a);
	tell(r, judged_name(j->verdict),
	     told_judgement(r, &c, onto >= 0, patched,
			    is_noise(&f[without], &f[asked]), a));
	json_object_set_new(r->data, "tag",
			    json_boolean(patched &&
					 (j->verdict == JUDGED_RECOVERED ||
					  j->verdict == JUDGED_PARTLY)));
}

/* Did the report speak of the other direction? */
static bool is_turned(const struct upshot *r, enum verdict v)
{
	return strstr(r->report.subject, v == VERDICT_REGRESSION ?
		      " improvement" : " regression") != NULL;
}

/* Base and reported once more. */
static void judge_rerun(struct upshot *r, int base, int reported)
{
	const struct change *c = &r->m.row->figure[reported].change;
	struct arena *a = &r->arena;
	const char *word = "inconclusive", *rest = "";
	struct buf change = BUF_INIT(100);

	words_judged(&change, r->m.row, (size_t)reported);
	if (c->verdict == VERDICT_REGRESSION ||
	    c->verdict == VERDICT_IMPROVEMENT) {
		word = is_turned(r, c->verdict) ? "not reproduced"
						: "confirmed";
	} else if (c->verdict == VERDICT_NO_CHANGE)
		word = "not reproduced";
	else if (c->runs_needed)
		rest = arena_printf(a, " It would take about %zu runs a side "
				    "to tell.", c->runs_needed);
	tell(r, word, arena_printf(a, "%s is %s tested and %s at the base "
	     "(%s%s).%s", r->report.stat, value(r, reported, a),
	     value(r, base, a), change.s, c->verdict == VERDICT_INCONCLUSIVE ?
	     ", within noise" : "", rest));
	buf_release(&change);
}

static void judge(struct upshot *r)
{
	const char *name = asked_side_name(r);
	int base = find_side(r, "base", r->report.base);
	int reported = find_side(r, "reported", r->report.tested);
	int asked = name ? find_side(r, name, NULL) : -1;

	if (name && base >= 0 && reported >= 0 && asked >= 0)
		judge_asked(r, name, base, reported,
			    find_side(r, "onto", NULL), asked);
	else if (!name && base >= 0 && reported >= 0)
		judge_rerun(r, base, reported);
	else
		tell(r, "inconclusive", "There are no values of all sides to "
		     "compare.");
}

/* A member of a job file, however deep; NULL: it is not there. */
static const json_t *job_member(const json_t *job, const char *key, int depth)
{
	const json_t *found = json_object_get(job, key);
	const char *name;
	json_t *one;

	if (found || !depth)
		return found;
	json_object_foreach((json_t *)(uintptr_t)job, name, one) {
		found = job_member(one, key, depth - 1);
		if (found)
			return found;
	}
	return NULL;
}

/* What a side's result says of a parameter; NULL: nothing. */
static const char *said_of(const struct result *result, const char *key,
			   struct arena *a)
{
	const char *axis = result_axis(result, key);
	const json_t *v = axis ? NULL : job_member(result->job, key, 4);

	if (json_is_integer(v))
		return arena_printf(a, "%lld", (long long)json_integer_value(v));
	if (json_is_number(v))
		return arena_printf(a, "%g", json_number_value(v));
	return axis ? axis : json_string_value(v);
}

/* Was it measured with the parameter?  "*said": what a side has instead, NULL
 * when one does not say. */
static bool has_parameter(struct upshot *r, const char *key, const char *value,
			  const char **said)
{
	const struct group *g = r->m.group;
	bool all = true;

	*said = NULL;
	for (size_t k = 0; k < g->nside; k++) {
		const char *is = said_of(g->side[k].result, key, &r->arena);

		if (is && !strcmp(is, value))
			continue;
		all = false;
		if (is)
			*said = is;
	}
	return all;
}

/* The runner may not know a parameter that was asked for: its results tell. */
static void check_parameters(struct upshot *r)
{
	struct arena *a = &r->arena;
	json_t *judged = json_object_get(r->data, "judged"), *value;
	const char *key, *said, *text = "", *but = "perhaps not", *first = NULL;

	json_object_foreach(json_object_get(r->spec, "parameters"), key, value) {
		const char *asked = json_string_value(value);

		if (!asked || has_parameter(r, key, asked, &said))
			continue;
		first = first ? first : arena_printf(a, "%s=%s", key, asked);
		if (said)
			but = "not";
		text = said ? arena_printf(a, "%s Its results say %s=%s: it "
			"was not measured with %s.", text, key, said, asked)
			: arena_printf(a, "%s The runner does not say that it "
			"used %s=%s.", text, key, asked);
	}
	if (!first)
		return;
	json_object_set_new(judged, "but", json_text(letter_safe(
		arena_printf(a, "%s with %s", but, first), 200, a)));
	json_object_set_new(judged, "unsaid", json_text(
		letter_fold(letter_safe(text, 600, a), a)));
}

/* "  9a8b7c6d5e+3f0e11" in the table's list of commits: what is it? */
static const char *mark(const char *table, const char *name, const char *what,
			struct arena *a)
{
	const char *at = strstr(table, ": \n"), *end;	/* "commit: " */
	const char *needle = arena_printf(a, "\n  %s", name);

	at = at && *name ? strstr(at, needle) : NULL;
	if (!at)
		return table;
	end = at + 1 + strcspn(at + 1, "\n");
	return arena_printf(a, "%.*s  <- %s%s", (int)(end - table), table,
			    what, end);
}

/* Each side of the group: its name in the spec, or NULL. */
static const char **name_sides(const struct upshot *r)
{
	static const char *const known[] = { "base", "reported", "onto",
					     "patched", "tip", NULL };
	const char **name = arena_array((struct arena *)&r->arena,
					r->m.group->nside + 1, sizeof(*name));

	for (const char *const *k = known; *k; k++) {
		const char *fallback = !strcmp(*k, "base") ? r->report.base :
			!strcmp(*k, "reported") ? r->report.tested : NULL;
		int side = find_side(r, *k, fallback);

		if (side >= 0)
			name[side] = *k;
	}
	return name;
}

static const char *mark_of(const char *name)
{
	return !strcmp(name, "onto") ? "what the patch was applied to" :
	       !strcmp(name, "tip") ? "what you named" : told_side(name);
}

/* "10 runs of each", or of which side how many. */
static const char *runs_that_ran(const struct upshot *r,
				 const char *const *name, struct arena *a)
{
	json_int_t asked = json_integer_value(json_object_get(r->spec,
							      "runs"));
	const struct figure *f = r->m.row->figure;
	struct buf list = BUF_INIT(1000);
	const char *text;
	bool all = true;

	for (size_t i = 0; i < r->m.group->nside; i++) {
		all = all && f[i].n == (size_t)asked;
		buf_addf(&list, "%s%s %zu", i ? ", " : "",
			 name[i] ? told_side(name[i]) : "another", f[i].n);
	}
	text = all ? arena_printf(a, "%lld runs of each", (long long)asked)
		   : arena_printf(a, "runs: %s (%lld of each were asked for)",
				  list.s, (long long)asked);
	buf_release(&list);
	return text;
}

static void add_table(struct upshot *r)
{
	struct arena *a = &r->arena;
	const char *table = measured_table(&r->m, "", KPI_ROWS, a);
	const char **name = name_sides(r);

	for (size_t i = 0; i < r->m.group->nside; i++)
		if (name[i])
			table = mark(table, r->m.group->side[i].name,
				     mark_of(name[i]), a);
	json_object_set_new(r->data, "table", json_text(table));
	json_object_set_new(r->data, "first_column", json_text(
		told_side(name[0] ? name[0] : r->m.group->side[0].name)));
	json_object_set_new(r->data, "ran",
			    json_text(runs_that_ran(r, name, a)));
	for (size_t i = 0; i < r->m.group->nside; i++)
		name[i] = told_side(name[i]);
	json_object_set_new(r->data, "values", measured_values(&r->m, name));
	json_object_set_new(r->data, "measured", json_true());
}

/* The last "max" lines. */
static const char *last_lines(const char *text, size_t max)
{
	const char *p = text + strlen(text);

	for (size_t n = 0; p > text; p--)
		if (p[-1] == '\n' && p[0] && ++n == max)
			return p;
	return text;
}

/* What an error of the runner says first: "the build of patched failed", else
 * the line that a compiler calls an error, else the first. */
static const char *cause_line(const char *error, struct arena *a)
{
	static const char *const sign[] = { "failed", "error", "", NULL };
	const char *line = "";

	for (const char *const *k = sign; *k && !*line; k++)
		for (const char *p = error; *p && !*line; ) {
			size_t len = strcspn(p, "\n");
			const char *one = arena_strndup(a, p, len);

			if (one[strspn(one, " \t\r")] && strcasestr(one, *k))
				line = one + strspn(one, " \t");
			p += len + (p[len] == '\n');
		}
	return arena_strndup(a, line, strlen(line) -
			     (*line && line[strlen(line) - 1] == ':'));
}

static void add_failure(struct upshot *r, const char *why)
{
	struct arena *a = &r->arena;
	json_t *outcome = json_read_text(r->job.outcome,
					 strlen(r->job.outcome), "outcome",
					 NULL);
	const char *cause = json_member_text(outcome, "cause");
	const char *error = json_member_text(outcome, "error");
	bool theirs = cause && !strcmp(cause, "input");
	json_t *lines = theirs && error ?
		letter_lines(last_lines(error, ERROR_LINES), ERROR_LINES, a) :
		json_array();

	if (!why && error && *error)
		why = theirs ? cause_line(error, a) : error;
	if (!why || !*why)
		why = theirs ? "the runner does not say why"
			     : "the runner failed";
	why = letter_fold(arena_printf(a, "It could not be measured: %s.",
				       letter_safe(why, 300, a)), a);
	json_object_set_new(r->data, "failed", json_pack("{s:s,s:b,s:b,s:o}",
		"why", why, "ours", !theirs && *letter_told(r->bot), "has_lines",
		json_array_size(lines) > 0, "lines", lines));
	r->verdict = "failed";
	json_decref(outcome);
}

static void set_defaults(struct upshot *r)
{
	static const char *const name[] = {
		"failed", "judged", "measured", "table", "values", "tag",
		"ran", "first_column", NULL
	};
	json_t *told = told_spec(r->bot, r->spec, &r->report, &r->arena);

	for (const char *const *n = name; *n; n++)
		json_object_set_new(r->data, *n, json_null());
	json_object_update(r->data, told);
	json_object_set_new(r->data, "patch", told_patch(r->spec, &r->arena));
	json_object_set_new(r->data, "job", json_integer((json_int_t)
							 r->job.id));
	json_object_set_new(r->data, "stat", json_text(r->report.stat));
	json_object_set_new(r->data, "reused",
			    json_boolean(!side_json(r, "reported")));
	json_decref(told);
}

void upshot_describe(struct upshot *r)
{
	struct err err = ERR_INIT;

	r->data = json_object();
	r->judged.part = r->judged.low = r->judged.high = NAN;
	set_defaults(r);
	if (r->job.state != JOB_DONE) {
		add_failure(r, NULL);
	} else if (open_results(r, &err) == -1) {
		log_error("job %lld: %s", (long long)r->job.id, err.text);
		add_failure(r, "its results cannot be read");
	} else {
		judge(r);
		check_parameters(r);
		add_table(r);
	}
	json_object_set_new(r->data, "verdict", json_text(r->verdict));
}
