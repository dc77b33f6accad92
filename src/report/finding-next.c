/* What to do next: from the verdict, and from what else was found. */
#include "report/finding.h"

#include <math.h>
#include <string.h>

/* The path whose share grew: where the time went. */
static const json_t *grown_path(const struct report *r)
{
	for (size_t i = 0; i < r->nfinding; i++) {
		const json_t *n = r->finding[i].numbers;

		if (r->finding[i].kind == FINDING_HOT_PATH &&
		    json_number_value(json_object_get(n, "points")) > 0)
			return n;
	}
	return NULL;
}

/* A counter that did not go with the work of a fixed-time test; NULL. */
static const char *own_way(const struct report *r)
{
	const struct finding *f = finding_of(r, FINDING_FIXED_TIME);

	return f ? json_member_text(f->numbers, "own_way") : NULL;
}

/* How much it is contended stands above. */
static void after_lock(struct note *n, const json_t *path)
{
	const char *taker = json_member_text(path, "taker");
	const char *under = json_member_text(path, "under");

	buf_addf(&n->text, "Next: see who takes the %s %s ",
		 json_member_text(path, "lock"), taker || !under ? "of"
								 : "under");
	note_name(n, taker ? taker : under ? under
			   : json_member_text(path, "symbol"));
	buf_addstr(&n->text, ", or holds it longer.");
}

static void after_path(struct note *n, const json_t *path)
{
	const char *under = json_member_text(path, "under");

	if (json_member_text(path, "lock")) {
		after_lock(n, path);
		return;
	}
	buf_addstr(&n->text, "Next: see what the commit does to ");
	note_name(n, json_member_text(path, "symbol"));
	if (under) {
		buf_addstr(&n->text, " under ");
		note_name(n, under);
	}
	buf_addch(&n->text, '.');
}

/* Nothing is said where nothing is known. */
static void after_regression(struct note *n, const struct report *r)
{
	const json_t *path = grown_path(r);

	if (path) {
		after_path(n, path);
	} else if (own_way(r)) {
		buf_addstr(&n->text, "Next: see why the commit changes ");
		note_name(n, own_way(r));
		buf_addch(&n->text, '.');
	} else if (finding_of(r, FINDING_CLUSTERS)) {
		buf_addstr(&n->text, "Next: pin tasks and memory, then measure "
				     "both commits again.");
	}
}

/* Does it make another test or box slower? */
static bool costs_elsewhere(const struct report *r)
{
	for (size_t i = 0; i < r->nimpact; i++) {
		const struct impact *m = &r->impact[i];

		if (m->row->figure[m->side].change.verdict ==
		    VERDICT_REGRESSION)
			return true;
	}
	return false;
}

static void after_improvement(struct note *n, const struct report *r)
{
	if (costs_elsewhere(r))
		buf_addstr(&n->text, "Next: see if it is worth the regressions "
				     "of other tests, named below.");
}

/* The run that lies far off; NULL. */
static const json_t *far_off(const struct report *r)
{
	for (size_t i = 0; i < r->nfinding; i++)
		if (json_object_get(r->finding[i].numbers, "value"))
			return r->finding[i].numbers;
	return NULL;
}

static void before_a_verdict(struct note *n, const struct report *r)
{
	const json_t *far = far_off(r);

	if (!isfinite(r->change->low))
		return;		/* said with the number of runs */
	if (far)
		buf_addf(&n->text, "Next: see what happened in run %.0f of %s, "
			 "then run both sides again.",
			 json_number_value(json_object_get(far, "run")),
			 json_member_text(far, "side"));
	else if (r->change->runs_needed)
		buf_addf(&n->text, "Next: %zu runs of each side, before "
			 "anybody looks further.", r->change->runs_needed);
	else
		buf_addstr(&n->text, "Next: more runs of each side, before "
				     "anybody looks further.");
}

void find_next(struct report *r)
{
	struct note n;

	note_start(&n, r);
	switch (r->verdict) {
	case VERDICT_REGRESSION:
		after_regression(&n, r);
		break;
	case VERDICT_IMPROVEMENT:
		after_improvement(&n, r);
		break;
	case VERDICT_INCONCLUSIVE:
		if (r->news.kind == NEWS_UNDECIDED)
			before_a_verdict(&n, r);
		break;
	case VERDICT_NO_CHANGE:
	case VERDICT_NONE:
		break;
	}
	if (!n.text.len) {
		note_drop(&n);
		return;
	}
	note_end(&n, FINDING_NEXT);
}
