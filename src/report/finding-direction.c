/* 2. What changed and is it good: word, sign and both values agree. */
#include "report/finding.h"

#include <math.h>
#include <string.h>

#include "report/words.h"

static const char *moved(double by)
{
	return by > 0 ? "rose" : "fell";
}

static const char *judgement(const struct report *r)
{
	if (r->news.kind == NEWS_NOT_COMPARABLE)
		return ": not comparable";
	if (r->change->absolute == 0)
		return "";
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

/* How much it moved, unless "from 0 to 5.67" says that. */
static void add_move(struct note *n, const struct report *r)
{
	double by = r->change->absolute;
	struct buf change = BUF_INIT(100), times = BUF_INIT(100);

	words_change(&change, r->headline, r->side, WORDS_SIZE);
	if (words_times(&times, r->headline, r->side))
		buf_addf(&n->text, " is %s,", times.s);
	else if (words_no_change(r->headline, r->side))
		buf_addstr(&n->text, " hardly changed,");
	else if (r->headline->points || isfinite(r->change->percent))
		buf_addf(&n->text, " %s by %s,", moved(by), change.s);
	else
		buf_addf(&n->text, " %s", moved(by));
	buf_release(&times);
	buf_release(&change);
}

static void add_values(struct note *n, const struct report *r)
{
	double base = base_figure(r)->mean, head = head_figure(r)->mean;

	bool share = r->headline->unit && !strcmp(r->headline->unit, "%");

	if (r->change->absolute == 0) {
		buf_addstr(&n->text, " did not change: ");
	} else {
		add_move(n, r);
		buf_addstr(&n->text, " from ");
		words_mean(&n->text, r->headline, 0);
		buf_addstr(&n->text, share ? "% to " : " to ");
	}
	words_mean(&n->text, r->headline, r->side);
	if (r->headline->unit) {
		buf_addstr(&n->text, share ? "" : " ");
		note_name(n, r->headline->unit);
	}
	if (r->change->absolute == 0)
		buf_addstr(&n->text, " on both sides");
	note_number(n, "base", base);
	note_number(n, "head", head);
	note_number(n, "absolute", r->change->absolute);
	note_number(n, "percent", r->change->percent);
}

/* The side's own judgement of the headline, as the reported one has it. */
static bool is_like_the_headline(const struct report *r, size_t side)
{
	enum verdict v = r->headline->figure[side].change.verdict;

	return v == r->change->verdict &&
	       (v == VERDICT_REGRESSION || v == VERDICT_IMPROVEMENT);
}

/* "back": a side before it is not at the base. */
static void add_side(struct note *n, size_t side, bool back)
{
	const struct report *r = n->report;
	const struct row *row = r->headline;

	buf_addf(&n->text, "%s ", side_title(n->report, side));
	if (!row->figure[side].n) {
		buf_addstr(&n->text, "has no data");
	} else if (row->figure[side].change.verdict == VERDICT_NO_CHANGE) {
		buf_addf(&n->text, "is %s%s the base (", back ? "back " : "",
			 fabs(row->figure[side].change.percent) < 0.5 ? "at"
								      : "near");
		words_change(&n->text, row, side, WORDS_SIGNED);
		buf_addch(&n->text, ')');
	} else {
		words_judged(&n->text, row, side);
	}
}

/* Of more than two sides the first that changed is the one to look at; returns
 * which it is, 0 for none. */
static size_t add_first(struct note *n)
{
	const struct report *r = n->report;
	const char *word = r->change->verdict == VERDICT_REGRESSION ? "worse"
								    : "better";

	for (size_t i = 1; i < r->group->nside; i++) {
		if (!is_like_the_headline(r, i))
			continue;
		buf_addf(&n->text, "The first that is %s: %s (", word,
			 side_title(n->report, i));
		words_change(&n->text, r->headline, i, WORDS_SIGNED);
		buf_addstr(&n->text, ")");
		note_text(n, "first", r->group->side[i].name);
		return i;
	}
	buf_addstr(&n->text, "Against the same base");
	return 0;
}

/* Of three and more sides: which changed first, and the others. */
void find_others(struct report *r)
{
	const char *separator;
	size_t first;
	struct note n;

	if (r->group->nside < 3)
		return;
	note_start(&n, r);
	first = add_first(&n);
	separator = first ? "; " : ": ";
	for (size_t i = 1; i < r->group->nside; i++) {
		if (i == r->side || i == first)
			continue;
		buf_addstr(&n.text, separator);
		add_side(&n, i, first && i > first);
		separator = "; ";
	}
	buf_addch(&n.text, '.');
	note_stat(&n, r->headline->name);
	note_end(&n, FINDING_DIRECTION);
}

void find_direction(struct report *r)
{
	struct note n;

	if (!isfinite(base_figure(r)->mean) || !isfinite(head_figure(r)->mean))
		return;
	note_start(&n, r);
	note_name(&n, r->headline->name);
	add_values(&n, r);
	add_direction(&n, r);
	note_stat(&n, r->headline->name);
	note_end(&n, FINDING_DIRECTION);
}
