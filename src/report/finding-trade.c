/* The other KPIs of the test: what the change costs or gains besides. */
#include "report/finding.h"

#include <math.h>
#include <string.h>

#include "report/words.h"

enum { FEW = 4 };	/* so many others are named each */

struct tally {
	size_t all, worse, better;
	const struct row *worst, *best;	/* by the size of the change */
};

static double size_of(const struct report *r, const struct row *row)
{
	const struct change *c = &row->figure[r->side].change;

	return isfinite(c->percent) ? fabs(c->percent) : INFINITY;
}

static void keep_larger(const struct report *r, const struct row **kept,
			const struct row *row)
{
	if (!*kept || size_of(r, row) > size_of(r, *kept))
		*kept = row;
}

static enum verdict verdict_of(const struct report *r, const struct row *row)
{
	return row->figure[r->side].change.verdict;
}

static void count(const struct report *r, struct tally *t)
{
	for (size_t i = 0; i < r->group->nrow; i++) {
		const struct row *row = &r->group->row[i];

		if (!row->kpi || row->kind != ROW_PERF)
			continue;
		t->all++;
		if (verdict_of(r, row) == VERDICT_REGRESSION) {
			t->worse++;
			keep_larger(r, &t->worst, row);
		} else if (verdict_of(r, row) == VERDICT_IMPROVEMENT) {
			t->better++;
			keep_larger(r, &t->best, row);
		}
	}
}

static void add_row(struct note *n, const struct row *row)
{
	note_name(n, row->name);
	buf_addch(&n->text, ' ');
	words_change(&n->text, row, n->report->side, WORDS_SIGNED);
	note_stat(n, row->name);
}

/* "sort.throughput +12.9% (better)" */
static void add_each(struct note *n)
{
	const struct report *r = n->report;
	const char *separator = "";

	for (size_t i = 0; i < r->group->nrow; i++) {
		const struct row *row = &r->group->row[i];
		enum verdict v = verdict_of(r, row);

		if (!row->kpi || !strcmp(row->name, r->headline->name) ||
		    (v != VERDICT_REGRESSION && v != VERDICT_IMPROVEMENT))
			continue;
		buf_addstr(&n->text, separator);
		add_row(n, row);
		buf_addf(&n->text, " (%s)",
			 v == VERDICT_REGRESSION ? "worse" : "better");
		separator = ", ";
	}
	buf_addch(&n->text, '.');
}

/* "Of 30 sort metrics 15 got worse (most: t00 -14.5%), 14 better (...)." */
static void add_tally(struct note *n, const struct tally *t)
{
	const char *name = n->report->headline->name;

	buf_addf(&n->text, "Of %zu %.*s metrics %zu got worse", t->all,
		 (int)strnlen(name, strcspn(name, ".")), name, t->worse);
	if (t->worst) {
		buf_addstr(&n->text, " (worst ");
		add_row(n, t->worst);
		buf_addch(&n->text, ')');
	}
	buf_addf(&n->text, ", %zu better", t->better);
	if (t->best) {
		buf_addstr(&n->text, " (best ");
		add_row(n, t->best);
		buf_addch(&n->text, ')');
	}
	buf_addch(&n->text, '.');
}

static bool is_counted(const struct report *r)
{
	enum verdict v = verdict_of(r, r->headline);

	return r->headline->kpi &&
	       (v == VERDICT_REGRESSION || v == VERDICT_IMPROVEMENT);
}

void find_trade(struct report *r)
{
	struct tally t = { .all = 0 };
	size_t others;
	struct note n;

	count(r, &t);
	others = t.worse + t.better - is_counted(r);
	if (!others)
		return;
	note_start(&n, r);
	note_number(&n, "metrics", (double)t.all);
	note_number(&n, "worse", (double)t.worse);
	note_number(&n, "better", (double)t.better);
	if (others > FEW) {
		add_tally(&n, &t);
	} else {
		buf_addstr(&n.text, t.worse && t.better ? "The trade: "
							: "Also: ");
		add_each(&n);
	}
	note_end(&n, FINDING_TRADE);
}
