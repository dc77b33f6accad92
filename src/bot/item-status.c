#include "bot/item-answer.h"

#include <string.h>

#include "base/err.h"
#include "bot/letter.h"
#include "bot/phrases.h"
#include "mail/address.h"
#include "store/audit.h"
#include "store/jobs.h"
#include "store/requests.h"

/* "Was this ever fixed?": the report's state, what was tried, what waits. */

/* "rerun_with_patch" for people. */
static const char *words_of(const char *kind, struct arena *a)
{
	char *words = arena_strdup(a, kind);

	for (char *c = words; (c = strchr(c, '_')); c++)
		*c = ' ';
	return words;
}

static json_t *request_told(struct plan *p, const struct asked *q,
			    struct err *err)
{
	json_t *one = json_pack("{s:I,s:o,s:s,s:n}", "id", (json_int_t)q->id,
				"kind", json_text(words_of(q->kind, &p->arena)),
				"state", asked_state_name(q->state), "job");
	struct job j;
	int64_t ahead;
	double minutes;

	if (q->job && job_get(p->bot->store, q->job, &p->arena, &j, err) == 1 &&
	    job_place(p->bot->store, q->job, &ahead, &minutes, err) == 0)
		json_object_set_new(one, "job", json_pack("{s:I,s:s,s:I,s:b}",
			"id", (json_int_t)j.id, "state",
			job_state_name(j.state), "ahead", (json_int_t)ahead,
			"waits", j.state == JOB_QUEUED));
	return one;
}

/* What the result of a job said: "recovered"; "" when there was none. */
static const char *verdict_of(struct plan *p, int64_t job)
{
	const char *verdict = "";
	struct audit *v;
	size_t n;

	if (audit_list(p->bot->store, "job", job, &p->arena, &v, &n,
		       NULL) == -1)
		return verdict;
	for (size_t k = 0; k < n; k++)
		if (!strcmp(v[k].what, "answered"))
			verdict = v[k].detail;
	return verdict;
}

/* "The patch in your mail of 30 Nov 2026 brought it back ..." */
static const char *patch_told(struct plan *p, const struct asked *q,
			      struct arena *a)
{
	const char *verdict = verdict_of(p, q->job), *whose;
	bool all = !strcmp(verdict, "recovered");

	if (!all && strcmp(verdict, "partly recovered"))
		return "";
	whose = address_is_same(q->person, p->evidence.address) ? "your mail" :
		arena_printf(a, "the mail of %s",
			     letter_safe(q->person, 100, a));
	return arena_printf(a, " The patch in %s of %s brought it %s to the "
			    "base (job %lld: %s).", whose,
			    letter_date(q->created, a),
			    all ? "back" : "part of the way back",
			    (long long)q->job, verdict);
}

/* "demo (master)", of trees in which fixes are looked for; "". */
static const char *watched(const struct bot *bot, struct arena *a)
{
	const struct conf *c = bot->settings->conf;
	const char *list = "";

	for (const char *const *t = conf_names(c, "trees"); *t; t++) {
		struct conf tree = conf_section(c, "trees", *t);
		const char *branch = conf_text(&tree, "branch");

		if (conf_text(&tree, "git") && conf_bool(&tree, "watch"))
			list = arena_printf(a, "%s%s%s%s%s%s", list,
				*list ? ", " : "", *t, branch ? " (" : "",
				branch ? branch : "", branch ? ")" : "");
	}
	return list;
}

static const char *who(const char *by, struct arena *a)
{
	return *by ? arena_printf(a, " by %s", letter_safe(by, 100, a)) : "";
}

/* Does the state stand for an end? */
static bool is_closed(enum report_state state)
{
	return state == REPORT_FIXED || state == REPORT_INVALID ||
	       state == REPORT_DUP || state == REPORT_EXPECTED;
}

/* The state, and on whose word. */
static const char *state_told(const struct stored_report *r, struct arena *a)
{
	const char *note = *r->state_note ? arena_printf(a, " (%s)",
				letter_safe(r->state_note, 200, a)) : "";

	if (r->state == REPORT_OPEN)
		return "The report is open.";
	return arena_printf(a, "The report is %s%s%s.",
			    report_state_name(r->state), who(r->state_by, a),
			    note);
}

static const char *whole(struct plan *p, const struct item *i,
			 const struct asked *v, size_t n)
{
	static const char resolved[] = "resolved|fixed|solved|mended|fix|"
		"addressed|sorted out|resolution";
	const char *asks = i->request->evidence ? i->request->evidence : "";
	const struct stored_report *r = i->report;
	struct arena *a = &p->arena;
	const char *trees = watched(p->bot, a), *text = "", *patch;

	if (phrases_stand(asks, resolved))
		text = r->state == REPORT_FIXED ? "Yes. " :
		       is_closed(r->state) ? "It was closed. " :
		       "Not that I know. ";
	text = arena_printf(a, "%s%s", text, state_told(r, a));
	for (size_t k = 0; k < n; k++) {
		patch = strcmp(v[k].kind, "rerun_with_patch") || !v[k].job
			? "" : patch_told(p, &v[k], a);
		text = arena_printf(a, "%s%s", text, patch);
	}
	if (!is_closed(r->state) && *trees)
		text = arena_printf(a, "%s No commit that says it fixes it was "
				    "seen in %s.", text, trees);
	else if (!is_closed(r->state))
		text = arena_printf(a, "%s I watch no tree for a commit that "
				    "fixes it.", text);
	return letter_fold(text, a);
}

int answer_status(struct plan *p, struct item *i, struct err *err)
{
	json_t *list = json_array();
	struct asked *v;
	size_t n;

	if (asked_list(p->bot->store, 0, i->report->id, 0, &p->arena, &v, &n,
		       err) == -1)
		return -1;
	for (size_t k = 0; k < n; k++)
		if (v[k].job || v[k].state == ASKED_HELD)
			json_array_append_new(list, request_told(p, &v[k],
								 err));
	json_object_set_new(i->told, "status", json_pack("{s:s,s:o}",
			    "text", whole(p, i, v, n), "requests", list));
	i->reason = "the state of the report and its requests";
	return 0;
}
