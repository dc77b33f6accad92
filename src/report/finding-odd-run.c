/* 5. Runs that failed, and single runs that decide a mean. */
#include "report/finding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/words.h"

enum { NAMED = 3, LISTED_RUNS = 8, LEAST_RUNS = 3, LEAST_FOR_FAR = 4 };

static const char incomplete_key[] = "last_state.is_incomplete_run";

static bool is_set(const struct series *s, size_t run)
{
	enum cell_type type = s && run < s->n ? series_type(s, run) : CELL_NONE;

	return (type == CELL_INT || type == CELL_FLOAT) &&
	       series_value(s, run) != 0;
}

/* Why run "run" failed, as far as its last state says; NULL. */
static const char *reason(const struct result *result, size_t run)
{
	static const char prefix[] = "last_state.";

	for (size_t i = 0; i < result->nseries; i++) {
		const struct series *s = &result->series[i];
		const char *name = series_name(result, s);

		if (strncmp(name, prefix, sizeof(prefix) - 1) ||
		    !strcmp(name, incomplete_key) || !is_set(s, run))
			continue;
		return name + sizeof(prefix) - 1;
	}
	return NULL;
}

/* "5; exit_code.137", "2, 5 and 3 more": the runs, and why the first failed. */
static void add_incomplete(struct note *n, const struct side *s)
{
	json_t *list = json_array();
	const char *why = NULL;
	size_t count = 0;

	for (size_t i = 0; s->is_incomplete && i < s->result->runs; i++) {
		if (!s->is_incomplete[i])
			continue;
		json_array_append_new(list, json_integer((json_int_t)i + 1));
		if (count++ < LISTED_RUNS)
			buf_addf(&n->text, "%s%zu", count > 1 ? ", " : "",
				 i + 1);
		if (!why && !is_set(result_series(s->result, incomplete_key), i))
			why = "it reported 0";
		why = why ? why : reason(s->result, i);
	}
	if (count > LISTED_RUNS)
		buf_addf(&n->text, " and %zu more", count - LISTED_RUNS);
	if (why) {
		buf_addstr(&n->text, "; ");
		note_name(n, why);
	}
	json_object_set_new(n->numbers, "runs", list);
}

/* Does a finding on what they died of speak of all of them? */
static bool is_told(const struct report *r, size_t side)
{
	const struct finding *f = finding_of(r, FINDING_FAILURE);
	const struct side *s = &r->group->side[side];

	return f && side == r->side &&
	       json_number_value(json_object_get(f->numbers, "died")) ==
		       (double)s->incomplete;
}

static void add_failed(struct report *r, size_t side)
{
	const struct side *s = &r->group->side[side];
	struct note n;

	if (!s->incomplete || is_told(r, side))
		return;
	note_start(&n, r);
	buf_addf(&n.text, "%zu of %zu runs of %s did not complete and %s left "
		 "out (run ", s->incomplete, s->runs, side_title(r, side),
		 s->incomplete == 1 ? "is" : "are");
	add_incomplete(&n, s);
	buf_addstr(&n.text, ").");
	note_number(&n, "failed", (double)s->incomplete);
	note_number(&n, "of", (double)s->runs);
	note_stat(&n, incomplete_key);
	note_end(&n, FINDING_ODD_RUN);
}

/* The mean of all runs but "at". */
static double mean_without(const struct figure *f, size_t at)
{
	double sum = 0;

	for (size_t i = 0; i < f->n; i++)
		sum += i == at ? 0 : f->value[i];
	return sum / (double)(f->n - 1);
}

/* The values of all runs but "at". */
static void others(const struct figure *f, size_t at, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < f->n; i++)
		if (i != at) {
			*low = fmin(*low, f->value[i]);
			*high = fmax(*high, f->value[i]);
		}
}

/* Does run "at" lie far from all others of its side? */
static bool is_far(const struct figure *f, size_t at, double *low, double *high)
{
	double away;

	others(f, at, low, high);
	away = fmax(*low - f->value[at], f->value[at] - *high);
	return away > 10 * (*high - *low) &&
	       away > .05 * fmax(fabs(*low), fabs(*high));
}

/* It can only be the lowest or the highest one. */
bool far_run(const struct figure *f, size_t *at, double *low, double *high)
{
	size_t least = 0, most = 0;

	if (!f->value || f->n < LEAST_FOR_FAR)
		return false;
	for (size_t i = 1; i < f->n; i++) {
		least = f->value[i] < f->value[least] ? i : least;
		most = f->value[i] > f->value[most] ? i : most;
	}
	*at = least;
	if (is_far(f, least, low, high))
		return true;
	*at = most;
	return is_far(f, most, low, high);
}

/* What is left of the change. */
static void add_change_without(struct note *n, size_t side, size_t at)
{
	const struct report *r = n->report;
	double base = base_figure(r)->mean, head = head_figure(r)->mean;

	if (side)
		head = mean_without(head_figure(r), at);
	else
		base = mean_without(base_figure(r), at);
	if (base == 0 || r->headline->points)
		return;
	buf_addstr(&n->text, " Without it the change is ");
	words_percent(&n->text, 100 * (head - base) / fabs(base),
		      WORDS_SIGNED);
	buf_addch(&n->text, '.');
	note_number(n, "percent_without", 100 * (head - base) / fabs(base));
}

bool has_far_run(const struct report *r)
{
	double low, high;
	size_t at;

	return far_run(base_figure(r), &at, &low, &high) ||
	       far_run(head_figure(r), &at, &low, &high);
}

static void add_far(struct report *r, size_t side)
{
	const struct figure *f = &r->headline->figure[side];
	double low, high;
	struct note n;
	size_t at;

	if (!far_run(f, &at, &low, &high))
		return;
	note_start(&n, r);
	note_stat(&n, r->headline->name);
	buf_addf(&n.text, "Run %zu of %s is far from the other %zu: ",
		 figure_run(f, at) + 1, side_title(r, side), f->n - 1);
	words_value(&n.text, f->value[at]);
	buf_addstr(&n.text, " against ");
	words_value(&n.text, low);
	buf_addstr(&n.text, " to ");
	words_value(&n.text, high);
	buf_addf(&n.text, " of ");
	note_name(&n, r->headline->name);
	buf_addch(&n.text, '.');
	add_change_without(&n, side, at);
	note_text(&n, "side", side_title(r, side));
	note_number(&n, "run", (double)figure_run(f, at) + 1);
	note_number(&n, "value", f->value[at]);
	note_end(&n, FINDING_ODD_RUN);
}

/* One run of three or more holds nine tenths of the sum: what the table shows
 * as a deviation of 141, 173, 200 percent. */
static bool rests_on_one_run(const struct figure *f)
{
	double sum = 0;

	if (!f->value || f->n < LEAST_RUNS || f->min < 0 || !(f->max > 0))
		return false;
	for (size_t i = 0; i < f->n; i++)
		sum += f->value[i];
	return f->max > .9 * sum;
}

static bool is_odd_row(const struct report *r, const struct row *row)
{
	return row->kind == ROW_PERF &&
	       (rests_on_one_run(&row->figure[0]) ||
		rests_on_one_run(&row->figure[r->side]));
}

static void add_odd_rows(struct report *r)
{
	size_t count = 0;
	struct note n;

	note_start(&n, r);
	for (size_t i = 0; i < r->group->nrow; i++)
		if (is_odd_row(r, &r->group->row[i])) {
			note_stat(&n, r->group->row[i].name);
			count++;
		}
	if (!count) {
		note_drop(&n);
		return;
	}
	buf_addf(&n.text, "In %zu row%s a single run makes all the difference: ",
		 count, count == 1 ? "" : "s");
	for (size_t i = 0; i < count && i < NAMED; i++) {
		buf_addstr(&n.text, i ? ", " : "");
		note_name(&n, n.stat[i]);
	}
	if (count > NAMED)
		buf_addf(&n.text, " and %zu more", count - NAMED);
	buf_addch(&n.text, '.');
	note_number(&n, "rows", (double)count);
	note_aside(&n, FINDING_ODD_RUN);
}

void find_odd_run(struct report *r)
{
	for (size_t i = 0; i < r->group->nside; i++)
		add_failed(r, i);
	if (r->headline->kind == ROW_PERF) {
		add_far(r, 0);
		add_far(r, r->side);
	}
	add_odd_rows(r);
}
