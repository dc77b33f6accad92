#include "bot/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "bot/letter.h"
#include "bot/link.h"
#include "bot/phrases.h"
#include "bot/remedy.h"
#include "bot/roles.h"
#include "mail/address.h"
#include "store/jobs.h"
#include "store/requests.h"

/* Requests that change what we do or think: cancel, stop, close; and patches
 * that say by themselves that they fix a report. */

/* 1: he may, 0: settled, -1. */
static int allowed(struct plan *p, struct item *i, struct err *err)
{
	struct decision d;

	if (roles_decide(&d, p, i, err) == -1)
		return -1;
	i->reason = d.reason;
	if (d.ruling == RULING_ALLOW)
		return 1;
	i->outcome = d.ruling == RULING_DENY ? OUTCOME_DENY :
		     d.ruling == RULING_CONFIRM ? OUTCOME_HOLD : OUTCOME_NONE;
	i->silent = d.silent;
	return 0;
}

static bool can_be_cancelled(const struct asked *q)
{
	return q->state == ASKED_QUEUED || q->state == ASKED_HELD;
}

/* The requests of this person, in this thread, that still wait or run. */
int item_cancel(struct plan *p, struct item *i, struct err *err)
{
	json_t *list = json_array();
	struct asked *v;
	size_t n;
	int rc;

	json_object_set_new(i->told, "cancelled", list);
	rc = allowed(p, i, err);
	if (rc != 1)
		return rc;
	if (asked_list(p->bot->store, 0, i->report->id, 0, &p->arena, &v, &n,
		       err) == -1)
		return -1;
	for (size_t k = 0; k < n; k++)
		if (can_be_cancelled(&v[k]) &&
		    (i->role == ROLE_OPERATOR ||
		     address_is_same(v[k].person, p->evidence.address)))
			json_array_append_new(list,
				json_integer((json_int_t)v[k].id));
	i->outcome = OUTCOME_CANCEL;
	i->reason = json_array_size(list) ? "their own requests"
					  : "nothing of theirs waits or runs";
	return 0;
}

/* What is not to be sent any more: "Reports on the tree demo". */
static const char *scope_words(struct plan *p, const struct item *i,
			       const char *scope)
{
	const struct request *q = i->request;
	const struct stored_report *r = i->report;
	const char *name = NULL;

	if (!strcmp(scope, "tree"))
		name = q->tree ? q->tree : r->tree;
	else if (!strcmp(scope, "branch"))
		name = q->branch ? q->branch : r->branch;
	else if (!strcmp(scope, "list"))
		return "Copies of the reports to the list";
	if (!name || !*name)
		return name ? arena_printf(&p->arena, "Reports on this %s",
					   scope) : "Reports";
	return arena_printf(&p->arena, "Reports on the %s %s", scope,
			    letter_safe(name, 100, &p->arena));
}

int item_stop(struct plan *p, struct item *i, struct err *err)
{
	const char *scope = i->request->scope ? i->request->scope : "thread";
	int rc = allowed(p, i, err);

	if (rc != 1)
		return rc;
	json_object_set_new(i->told, "scope", json_string(scope));
	json_object_set_new(i->told, "whole_thread",
			    json_boolean(!strcmp(scope, "thread")));
	json_object_set_new(i->told, "operators_told",
			    json_boolean(*letter_told(p->bot)));
	json_object_set_new(i->told, "scope_words", json_text(
		scope_words(p, i, scope)));
	i->outcome = OUTCOME_STOP;
	i->state = REPORT_STOPPED;
	i->note = i->request->evidence;
	i->reason = arena_printf(&p->arena, "stop: %s", scope);
	return 0;
}

/* "It is noise" is an opinion on numbers: they are shown, and the report is
 * not closed by one who does not look after the code. */
static bool is_doubt(const struct item *i)
{
	static const char *const word[] = {
		"noise", "noisy", "variance", "variation", "fluctuat",
		"jitter", "random", NULL
	};
	const char *said = i->request->evidence;

	for (const char *const *w = word; said && *w; w++)
		if (strcasestr(said, *w))
			return i->role < ROLE_MAINTAINER;
	return false;
}

static enum report_state state_for(const struct item *i)
{
	const struct request *r = i->request;

	switch (r->kind) {
	case REQUEST_INVALID:
		return is_doubt(i) ? REPORT_DISPUTED : REPORT_INVALID;
	case REQUEST_DUP:
		return REPORT_DUP;
	case REQUEST_EXPECTED:
		return REPORT_EXPECTED;
	case REQUEST_FIXED:
		/* "will fix" names nothing that could be looked for. */
		return r->commit || r->title || r->url || r->msgid
			? REPORT_FIXED : REPORT_ACKNOWLEDGED;
	default:
		return REPORT_OPEN;
	}
}

static const char *note_for(const struct request *r, struct arena *a)
{
	const char *what = r->commit ? r->commit : r->title ? r->title :
			   r->url ? r->url : r->msgid;

	return what ? arena_printf(a, "%s", what)
		    : r->evidence ? r->evidence : "";
}

/* A duplicate of which?  The first word of what was said that names one. */
static int note_duplicate(struct plan *p, struct item *i, struct err *err)
{
	const char *said = i->request->evidence ? i->request->evidence : "";
	struct stored_report r;
	int rc = 0;

	while (*said && rc == 0) {
		size_t len = strcspn(said, " \t\n");

		if (len)
			rc = which_named(p->bot, arena_strndup(&p->arena, said,
							       len), &r,
					 &p->arena, err);
		if (rc == 1 && r.id == i->report->id)
			rc = 0;
		said += len + strspn(said + len, " \t\n");
	}
	if (rc == 1)
		i->note = arena_printf(&p->arena, "of \"%s\", %s", r.subject,
				       r.token);
	return rc == -1 ? -1 : 0;
}

/* A commit that cannot have fixed it closes nothing. */
static bool ask_commit(struct plan *p, struct item *i)
{
	const char *why = i->request->kind != REQUEST_FIXED ? NULL :
		remedy_refuted(p->bot, i->report, i->request, &p->arena);

	if (!why)
		return false;
	i->outcome = OUTCOME_ASK;
	i->error = "which-commit";
	i->reason = why;
	return true;
}

int item_close(struct plan *p, struct item *i, struct err *err)
{
	int rc = allowed(p, i, err);

	if (rc != 1)
		return rc;
	if (ask_commit(p, i))
		return 0;
	i->outcome = OUTCOME_STATE;
	i->state = state_for(i);
	if (i->state == REPORT_DISPUTED)
		item_tell_values(p, i);
	else
		item_tell_record(p, i);
	i->note = note_for(i->request, &p->arena);
	if (i->state == REPORT_DUP && note_duplicate(p, i, err) == -1)
		return -1;
	i->reason = arena_printf(&p->arena, "%s: %s",
				 report_state_name(i->state), i->note);
	return 0;
}

/* What says most of a report: "expected, please mark as invalid". */
static int weight(enum report_state state)
{
	static const enum report_state order[] = {
		REPORT_ACKNOWLEDGED, REPORT_DISPUTED, REPORT_EXPECTED,
		REPORT_FIXED, REPORT_DUP, REPORT_INVALID,
	};
	int n = 0;

	while (n < (int)(sizeof(order) / sizeof(*order)) && order[n] != state)
		n++;
	return n;
}

void plan_settle_states(struct plan *p)
{
	for (size_t k = 0; k < p->nitem; k++)
		for (size_t e = 0; e < p->nitem; e++) {
			struct item *i = &p->item[k];
			const struct item *o = &p->item[e];

			if (e == k || i->report != o->report ||
			    i->outcome != OUTCOME_STATE ||
			    o->outcome != OUTCOME_STATE)
				continue;
			if (weight(i->state) > weight(o->state) ||
			    (i->state == o->state && k < e))
				continue;
			i->outcome = OUTCOME_NONE;
			i->silent = true;
			i->reason = "another state of the same mail counts";
		}
}

/* "Will fix", "I'll look into it": nothing is asked, and there is nothing to
 * answer, but whoever looks at the list of reports wants to know. */
static bool takes_it_on(const char *text)
{
	static const char *const words[] = {
		"will fix", "'ll fix", "will send a fix", "'ll send a fix",
		"will look into", "'ll look into", "looking into",
		"will take a look", "'ll take a look", "working on a fix",
		"working on it", "have a fix", NULL
	};

	for (const char *const *w = words; *w; w++)
		if (strcasestr(text, *w))
			return true;
	return false;
}

static bool is_closed(enum report_state state)
{
	return state == REPORT_FIXED || state == REPORT_INVALID ||
	       state == REPORT_DUP || state == REPORT_EXPECTED;
}

/* "Please reopen it." */
static void reopen(struct plan *p, struct item *i)
{
	i->outcome = OUTCOME_STATE;
	i->state = REPORT_OPEN;
	i->note = arena_printf(&p->arena, "<%s>", p->m->message_id);
	i->reason = "opened again";
}

void plan_acknowledge(struct plan *p)
{
	bool opens = phrases_stand(p->m->new_text, "reopen|re-open|"
				   "open it again|open this again");
	struct item *i;
	bool denied;

	if (p->evidence.proof < PROOF_ASSUMED ||
	    p->which.how == WHICH_AMBIGUOUS ||
	    (!opens && !takes_it_on(p->m->new_text)))
		return;
	for (size_t k = 0; k < p->which.n; k++) {
		const struct stored_report *r = &p->which.report[k];
		enum role role = roles_find(p, r, &denied);

		if (denied || role < ROLE_AUTHOR || (opens ?
		    !is_closed(r->state) : r->state != REPORT_OPEN))
			continue;
		i = plan_add(p, NULL, r);
		i->role = role;
		if (opens) {
			reopen(p, i);
			continue;
		}
		i->silent = i->acknowledges = true;
		i->state = REPORT_ACKNOWLEDGED;
		i->note = arena_printf(&p->arena, "<%s>", p->m->message_id);
		i->reason = "somebody takes the report on; nothing is asked";
	}
}

/* A patch was posted that says it fixes a report of ours: remember it. */
int plan_link(struct plan *p, struct err *err)
{
	struct stored_report *found = arena_alloc(&p->arena, sizeof(*found));
	const struct message *m = p->m;
	struct item *i;
	int rc = 0;

	if (!m->npatch)
		return 0;
	for (size_t k = 0; k < m->nline && rc != 1; k++) {
		const struct line *l = &m->line[k];
		int one;

		if (l->kind == LINE_QUOTED || l->kind == LINE_ATTRIBUTION)
			continue;
		one = link_line(p->bot, l->text, l->len, found, &p->arena,
				err);
		if (one == -1)
			return -1;
		rc = one ? one : rc;
	}
	if (!rc)
		return 0;
	i = plan_add(p, NULL, rc == 1 ? found : NULL);
	i->outcome = OUTCOME_LINK;
	i->silent = true;
	i->note = m->message_id;
	i->reason = "a patch that says it fixes the report";
	return 0;
}
