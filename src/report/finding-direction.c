/* 2. What changed and is it good: word, sign and both values agree. */
#include "report/finding.h"

#include <math.h>

#include "report/words.h"

static const char *moved(double by)
{
	return by > 0 ? "rose" : "fell";
}

static const char *judgement(const struct report *r)
{
	switch (r->verdict) {
	case VERDICT_REGRESSION:
		return ": a regression";
	case VERDICT_IMPROVEMENT:
		return ": an improvement";
	case VERDICT_NO_CHANGE:
		return ": no change to speak of";
	case VERDICT_INCONCLUSIVE:
		return ": not decided";
	case VERDICT_NONE:
		break;
	}
	return "";
}

static void add_direction(struct note *n, const struct report *r)
{
	const char *better = better_name(r->headline->better);

	if (better)
		buf_addf(&n->text, " (%s is better)%s.", better, judgement(r));
	else
		buf_addstr(&n->text, "; whether that is better or worse is "
				     "not known.");
	note_text(n, "better", better);
	note_text(n, "verdict", verdict_name(r->verdict));
}

static void add_values(struct note *n, const struct report *r)
{
	double base = base_figure(r)->mean, head = head_figure(r)->mean;

	buf_addstr(&n->text, ", from ");
	words_mean(&n->text, r->headline, 0);
	buf_addstr(&n->text, " to ");
	words_mean(&n->text, r->headline, r->side);
	if (r->headline->unit) {
		buf_addch(&n->text, ' ');
		note_name(n, r->headline->unit);
	}
	note_number(n, "base", base);
	note_number(n, "head", head);
	note_number(n, "absolute", r->change->absolute);
	note_number(n, "percent", r->change->percent);
}

/* Of three and more sides: what those did that the report is not about. */
void find_others(struct report *r)
{
	const char *separator = "Against the same base: ";
	struct note n;

	if (r->group->nside < 3)
		return;
	note_start(&n, r);
	for (size_t i = 1; i < r->group->nside; i++) {
		if (i == r->side)
			continue;
		buf_addf(&n.text, "%s%s ", separator, side_title(r, i));
		if (r->headline->figure[i].n)
			words_judged(&n.text, r->headline, i);
		else
			buf_addstr(&n.text, "no data");
		separator = "; ";
	}
	buf_addch(&n.text, '.');
	note_stat(&n, r->headline->name);
	note_end(&n, FINDING_DIRECTION);
}

void find_direction(struct report *r)
{
	double by = r->change->absolute;
	struct buf change = BUF_INIT(100);
	struct note n;

	if (!isfinite(base_figure(r)->mean) || !isfinite(head_figure(r)->mean))
		return;
	note_start(&n, r);
	note_name(&n, r->headline->name);
	words_change(&change, r->headline, r->side, WORDS_SIZE);
	if (by == 0)
		buf_addstr(&n.text, " did not change");
	else if (words_no_change(r->headline, r->side))
		buf_addstr(&n.text, " hardly changed");
	else
		buf_addf(&n.text, " %s by %s", moved(by), change.s);
	buf_release(&change);
	add_values(&n, r);
	add_direction(&n, r);
	note_stat(&n, r->headline->name);
	note_end(&n, FINDING_DIRECTION);
}
