/* 3. A test of fixed time did less work: counters fell with it. */
#include "report/finding.h"

#include <math.h>
#include <string.h>

#include "report/words.h"

enum { NAMED = 2, LISTED = 40 };

/* A change of the work below this, in percent, explains nothing. */
static const double least_change = 1;

/* ... and one of a counter for each unit of work below this. */
static const double least_per_unit = 20;

/* Parts of names that count events, as far as the field's monitors go. */
static const char *const counters[] = {
	"page_faults", "page-faults", "minor-faults", "context_switches",
	"context-switches", "cpu-migrations", "proc-vmstat.pg",
	"proc-vmstat.numa_", "proc-vmstat.thp_", "vmstat.system.",
	"softirqs.", "interrupts.", "instructions", "-loads", "-stores",
	"-misses", "cache-references",
};

static bool is_counter(const struct row *row)
{
	size_t n = sizeof(counters) / sizeof(*counters);

	if (row->kind != ROW_PERF || row->points || strchr(row->name, '%') ||
	    strstr(row->name, "-per-") || strstr(row->name, "rate"))
		return false;
	for (size_t i = 0; i < n; i++)
		if (strstr(row->name, counters[i]))
			return true;
	return false;
}

static bool is_fixed_time(const struct report *r)
{
	const json_t *test = json_object_get(r->results->facts, "test");

	return json_is_true(json_object_get(test, "fixed_time"));
}

static bool has_changed(const struct report *r, const struct row *row)
{
	const struct change *c = &row->figure[r->side].change;

	return (c->low > 0 || c->high < 0) && isfinite(c->percent) &&
	       fabs(c->percent) >= least_change;
}

/* What counts the work: the test's own "workload", else the headline where
 * more of it is more work. */
static const struct row *work_row(struct report *r)
{
	size_t len = strcspn(r->headline->name, ".");
	const char *name = arena_printf(&r->arena, "%.*s.workload", (int)len,
					r->headline->name);
	const struct row *row = group_row(r->comparison, r->group, name);

	if (row && has_changed(r, row))
		return row;
	row = r->headline;
	if (row->better != BETTER_HIGHER || row->points || !has_changed(r, row))
		return NULL;
	return row;
}

static double mean(const struct row *row, size_t side)
{
	return row->figure[side].mean;
}

/* The change of "row" for each unit of work, in percent. */
static double per_unit(const struct report *r, const struct row *row,
		       const struct row *work)
{
	double base = mean(row, 0) / mean(work, 0);
	double head = mean(row, r->side) / mean(work, r->side);

	return 100 * (head - base) / fabs(base);
}

/* Most of what happened to "row" is what happened to the work. */
static bool went_with(const struct report *r, const struct row *row,
		      const struct row *work)
{
	double change = row->figure[r->side].change.percent;
	double by_work = work->figure[r->side].change.percent;

	if (row == work || !is_counter(row) || !row->figure[0].n ||
	    !row->figure[r->side].n || !(change * by_work > 0))
		return false;
	return fabs(per_unit(r, row, work)) < .2 * fabs(by_work);
}

/* A counter that changed for each unit of work, beyond doubt. */
static bool went_its_way(const struct report *r, const struct row *row,
			 const struct row *work)
{
	const struct change *c = &row->figure[r->side].change;

	return row != work && is_counter(row) && row->figure[0].n &&
	       row->figure[r->side].n && (c->low > 0 || c->high < 0) &&
	       fabs(per_unit(r, row, work)) >= least_per_unit;
}

/* The one that changed most; NULL. */
static const struct row *own_way(const struct report *r,
				 const struct row *work)
{
	const struct row *most = NULL;

	for (size_t i = 0; i < r->group->nrow; i++) {
		const struct row *row = &r->group->row[i];

		if (!went_its_way(r, row, work))
			continue;
		if (!most || fabs(per_unit(r, row, work)) >
			     fabs(per_unit(r, most, work)))
			most = row;
	}
	return most;
}

static void add_own_way(struct note *n, const struct row *work)
{
	const struct row *row = own_way(n->report, work);
	double unit;

	if (!row)
		return;
	unit = per_unit(n->report, row, work);
	buf_addstr(&n->text, " But ");
	note_name(n, row->name);
	buf_addf(&n->text, " %s by %.0f%% per unit of work.",
		 unit > 0 ? "rose" : "fell", fabs(unit));
	note_text(n, "own_way", row->name);
	note_number(n, "own_way_percent_per_unit", unit);
	note_stat(n, row->name);
}

static void add_counter(struct note *n, const struct row *row,
			const struct row *work)
{
	double unit = per_unit(n->report, row, work);
	json_t *list = json_object_get(n->numbers, "counters");

	if (!list) {
		list = json_array();
		json_object_set_new(n->numbers, "counters", list);
	}
	json_array_append_new(list, json_pack(
		"{s:s, s:o, s:o}", "stat", row->name, "percent",
		json_number(row->figure[n->report->side].change.percent),
		"percent_per_unit", json_number(unit)));
	note_stat(n, row->name);
}

static void add_sentence(struct note *n, const struct row *row,
			 const struct row *work)
{
	struct report *r = n->report;
	bool fell = row->figure[r->side].change.percent < 0;
	double unit = per_unit(r, row, work);

	buf_addf(&n->text, "The test runs for a fixed time, so counters %s "
		 "with the work done (", fell ? "fell" : "rose");
	words_change(&n->text, work, r->side, WORDS_SIGNED);
	buf_addstr(&n->text, "): ");
	note_name(n, row->name);
	buf_addch(&n->text, ' ');
	words_change(&n->text, row, r->side, WORDS_SIGNED);
	buf_addf(&n->text, ", per unit of work it did not (%+.1f%%)",
		 fabs(unit) < .05 ? 0. : unit);
}

/* Page faults first, if there are any: they are what people ask about. */
static const struct row *first_row(const struct report *r,
				   const struct row *work)
{
	const struct row *first = NULL;

	for (size_t i = 0; i < r->group->nrow; i++) {
		const struct row *row = &r->group->row[i];

		if (!went_with(r, row, work))
			continue;
		if (strstr(row->name, "faults"))
			return row;
		first = first ? first : row;
	}
	return first;
}

void find_fixed_time(struct report *r)
{
	const struct row *work = is_fixed_time(r) ? work_row(r) : NULL;
	const struct row *first = work ? first_row(r, work) : NULL;
	size_t others = 0;
	struct note n;

	if (!first)
		return;
	note_start(&n, r);
	note_text(&n, "work", work->name);
	note_number(&n, "work_percent", work->figure[r->side].change.percent);
	add_sentence(&n, first, work);
	add_counter(&n, first, work);
	for (size_t i = 0; i < r->group->nrow; i++) {
		const struct row *row = &r->group->row[i];

		if (row == first || !went_with(r, row, work))
			continue;
		if (others < NAMED) {
			buf_addstr(&n.text, others ? ", " : "; likewise ");
			note_name(&n, row->name);
		}
		if (others++ < LISTED)
			add_counter(&n, row, work);
	}
	if (others > NAMED)
		buf_addf(&n.text, " and %zu more", others - NAMED);
	buf_addch(&n.text, '.');
	add_own_way(&n, work);
	note_end(&n, FINDING_FIXED_TIME);
}
