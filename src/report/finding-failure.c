/* What runs of one side only died of, or warn of. */
#include "report/finding.h"

#include "report/failure.h"

enum { NAMED = 3 };

/* The first side that has it, too, beside the base and the one reported on;
 * 0: none. */
static size_t other_side(const struct report *r, const struct row *row)
{
	for (size_t i = 1; i < r->group->nside; i++)
		if (i != r->side && row->figure[i].fails > 0)
			return i;
	return 0;
}

/* ", and in 1 of 6 of 2b3c4d5e6f" */
static void add_other_side(struct note *n, const struct row *row)
{
	size_t other = other_side(n->report, row);

	if (other)
		buf_addf(&n->text, ", and in %.0f of %zu of %s",
			 row->figure[other].fails, row->figure[other].runs,
			 side_title(n->report, other));
}

/* Another side may have brought it. */
static bool is_of_others(const struct report *r, const struct failure *f,
			 size_t count)
{
	for (size_t i = 0; i < count && i < NAMED; i++)
		if (other_side(r, f[i].row))
			return true;
	return false;
}

static void add_list(struct note *n, const struct failure *f, size_t count,
		     bool gone)
{
	struct report *r = n->report;
	size_t of = r->group->side[gone ? 0 : r->side].runs;

	for (size_t i = 0; i < count && i < NAMED; i++) {
		size_t runs = gone ? f[i].base : f[i].head;

		buf_addstr(&n->text, i ? ", " : "");
		failure_name(&n->text, f[i].row->name);
		buf_addf(&n->text, " in %zu of %zu run%s", runs, of,
			 of == 1 ? "" : "s");
		if (!gone)
			add_other_side(n, f[i].row);
		note_stat(n, f[i].row->name);
	}
	if (count > NAMED)
		buf_addf(&n->text, " and %zu more", count - NAMED);
}

/* "; that run did not complete", "; 2 of those runs did not complete" */
static void add_died(struct note *n, const struct failure *f)
{
	if (!f->died)
		return;
	if (f->died < f->head)
		buf_addf(&n->text, "; %zu of those runs did not complete and "
			 "are left out", f->died);
	else
		buf_addf(&n->text, "; %s did not complete and %s left out",
			 f->head == 1 ? "that run" : "those runs",
			 f->head == 1 ? "is" : "are");
}

static void add_numbers(struct note *n, const struct failure *f)
{
	note_number(n, "base", (double)f->base);
	note_number(n, "base_runs", (double)n->report->group->side[0].runs);
	note_number(n, "head", (double)f->head);
	note_number(n, "head_runs",
		    (double)n->report->group->side[n->report->side].runs);
	note_number(n, "died", (double)f->died);
}

/* What the runs say that did not die. */
static void add_survivors(struct note *n, const struct report *r)
{
	const struct row *row = r->headline;
	size_t alive;

	if (row->kind == ROW_FAILURE)
		return;
	alive = row->figure[r->side].n;
	if (!alive)
		buf_addstr(&n->text, " No run with the commit survived.");
	else if (r->change->verdict == VERDICT_NO_CHANGE)
		buf_addf(&n->text, " The run%s that survived show%s no change.",
			 alive == 1 ? "" : "s", alive == 1 ? "s" : "");
}

/* "3 of 6 runs with the commit died of Kernel panic; none of 6 without it." */
static void add_deaths(struct note *n, const struct failure *f, size_t count)
{
	struct report *r = n->report;
	size_t of = r->group->side[r->side].runs;

	buf_addf(&n->text, "%zu of %zu run%s with the commit died of ", f->died,
		 of, of == 1 ? "" : "s");
	failure_name(&n->text, f->row->name);
	buf_addf(&n->text, "; none of %zu without it.", r->group->side[0].runs);
	note_stat(n, f->row->name);
	add_survivors(n, r);
	if (count < 2)
		return;
	buf_addstr(&n->text, " Also new: ");
	add_list(n, f + 1, count - 1, false);
	buf_addch(&n->text, '.');
}

static void add_new(struct note *n, const struct failure *f, size_t count)
{
	buf_addstr(&n->text, is_of_others(n->report, f, count)
			     ? "New since the base: " : "New with this commit: ");
	add_list(n, f, count, false);
	buf_addf(&n->text, " (0 of %zu before)",
		 n->report->group->side[0].runs);
	if (count == 1)
		add_died(n, f);
	buf_addch(&n->text, '.');
}

void find_new_failures(struct report *r)
{
	struct failure f[NAMED + 1];
	size_t count = failures_of(r->group, r->side, FAILURE_NEW, f,
				   NAMED + 1);
	struct note n;

	if (!count)
		return;
	note_start(&n, r);
	add_numbers(&n, f);
	if (f->died > 1 && f->died == f->head && !is_of_others(r, f, count))
		add_deaths(&n, f, count);
	else
		add_new(&n, f, count);
	note_end(&n, FINDING_FAILURE);
}

/* "More often with this commit: BUG: x in 8 of 10 runs (1 of 10 before)." */
void find_rates(struct report *r, enum failure_change change)
{
	struct failure f[NAMED];
	size_t count = failures_of(r->group, r->side, change, f, NAMED);
	struct note n;

	if (!count)
		return;
	note_start(&n, r);
	add_numbers(&n, f);
	buf_addf(&n.text, "%s often with this commit: ",
		 change == FAILURE_MORE ? "More" : "Less");
	for (size_t i = 0; i < count && i < NAMED; i++) {
		const struct row *row = f[i].row;

		buf_addstr(&n.text, i ? ", " : "");
		failure_name(&n.text, row->name);
		buf_addf(&n.text, " in %zu of %zu runs (%zu of %zu before)",
			 f[i].head, row->figure[r->side].runs, f[i].base,
			 row->figure[0].runs);
		note_stat(&n, row->name);
	}
	if (count > NAMED)
		buf_addf(&n.text, " and %zu more", count - NAMED);
	buf_addstr(&n.text, "; chance alone would not do that.");
	note_end(&n, FINDING_FAILURE);
}

void find_gone_failures(struct report *r)
{
	struct failure f[NAMED + 1];
	size_t count = failures_of(r->group, r->side, FAILURE_GONE, f,
				   NAMED + 1);
	struct note n;

	if (!count)
		return;
	note_start(&n, r);
	add_numbers(&n, f);
	buf_addstr(&n.text, "Gone with this commit: ");
	add_list(&n, f, count, true);
	buf_addf(&n.text, " before, none of %zu now.",
		 r->group->side[r->side].runs);
	note_end(&n, FINDING_FAILURE);
}
