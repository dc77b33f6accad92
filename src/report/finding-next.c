/* What to do next: from the verdict, and from what else was found. */
#include "report/finding.h"

#include <string.h>

static const struct finding *found(const struct report *r,
				   enum finding_kind kind)
{
	for (size_t i = 0; i < r->nfinding; i++)
		if (r->finding[i].kind == kind)
			return &r->finding[i];
	return NULL;
}

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

static bool has_profile(const struct report *r)
{
	for (size_t i = 0; i < r->group->nrow; i++) {
		const struct row *row = &r->group->row[i];

		if (!strncmp(row->name, "perf-profile.", 13) &&
		    row->figure[0].n && row->figure[r->side].n)
			return true;
	}
	return false;
}

/* A counter that did not go with the work of a fixed-time test; NULL. */
static const char *own_way(const struct report *r)
{
	const struct finding *f = found(r, FINDING_FIXED_TIME);

	return f ? json_member_text(f->numbers, "own_way") : NULL;
}

static void after_regression(struct note *n, const struct report *r)
{
	const json_t *path = grown_path(r);
	const char *under = json_member_text(path, "under");

	if (path) {
		buf_addstr(&n->text, "Next: see what the commit does to ");
		note_name(n, json_member_text(path, "symbol"));
		if (under) {
			buf_addstr(&n->text, " under ");
			note_name(n, under);
		}
		buf_addch(&n->text, '.');
	} else if (own_way(r)) {
		buf_addstr(&n->text, "Next: see why the commit changes ");
		note_name(n, own_way(r));
		buf_addch(&n->text, '.');
	} else if (found(r, FINDING_CLUSTERS)) {
		buf_addstr(&n->text, "Next: pin tasks and memory, then measure "
				     "both commits again.");
	} else if (has_profile(r)) {
		buf_addstr(&n->text, "Next: compare whole profiles; no call "
				     "chain here moved by a point or more.");
	} else {
		buf_addstr(&n->text, "Next: profile both commits; nothing here "
				     "says where the time went.");
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
	else
		buf_addstr(&n->text, "Next: nothing, if this is what the commit "
				     "is meant to do.");
}

static void before_a_verdict(struct note *n, const struct report *r)
{
	if (r->change->runs_needed)
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
		before_a_verdict(&n, r);
		break;
	case VERDICT_NO_CHANGE:
	case VERDICT_NONE:
		note_drop(&n);
		return;
	}
	note_end(&n, FINDING_NEXT);
}
