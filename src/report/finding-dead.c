/* The KPI is 0, or not there, in all runs of a side: the test itself failed. */
#include "report/finding.h"

#include "report/news.h"
#include "report/words.h"

static void add_zero(struct note *n, const struct report *r)
{
	const struct figure *head = head_figure(r);

	note_name(n, r->headline->name);
	buf_addf(&n->text, " is 0 in all %zu run%s with the commit (base ",
		 head->n, head->n == 1 ? "" : "s");
	words_mean(&n->text, r->headline, 0);
	if (r->headline->unit) {
		buf_addch(&n->text, ' ');
		note_name(n, r->headline->unit);
	}
	buf_addstr(&n->text, "): the benchmark most likely failed. Next: its "
			     "log.");
}

static void add_missing(struct note *n, const struct report *r)
{
	bool here = head_figure(r)->n;
	const struct figure *has = here ? head_figure(r) : base_figure(r);
	const struct figure *lacks = here ? base_figure(r) : head_figure(r);

	buf_addstr(&n->text, "No ");
	note_name(n, r->headline->name);
	buf_addf(&n->text, " in any of %zu run%s %s, but in %zu of %zu %s: the "
		 "benchmark failed there, or was not run. Next: its log.",
		 lacks->runs, lacks->runs == 1 ? "" : "s",
		 here ? "of the base" : "with the commit", has->n, has->runs,
		 here ? "with the commit" : "of the base");
}

bool find_dead(struct report *r)
{
	bool missing = !r->headline->lkp &&
		       (!base_figure(r)->n || !head_figure(r)->n);
	struct note n;

	if (!missing && !report_is_dead(r))
		return false;
	note_start(&n, r);
	note_stat(&n, r->headline->name);
	note_number(&n, "base_runs", (double)base_figure(r)->n);
	note_number(&n, "head_runs", (double)head_figure(r)->n);
	if (missing)
		add_missing(&n, r);
	else
		add_zero(&n, r);
	note_end(&n, FINDING_REAL);
	return true;
}
