#include "bot/plan.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "bot/followup.h"
#include "bot/letter.h"
#include "bot/phrases.h"
#include "bot/roles.h"
#include "bot/screen.h"
#include "bot/told.h"
#include "bot/withdraw.h"
#include "store/mails.h"
#include "mail/id.h"

static const char *const outcome_names[] = {
	[OUTCOME_NONE] = "none", [OUTCOME_LINK] = "link-fix",
	[OUTCOME_STATE] = "state", [OUTCOME_STOP] = "stop",
	[OUTCOME_CANCEL] = "cancel", [OUTCOME_ANSWER] = "answer",
	[OUTCOME_DENY] = "deny", [OUTCOME_ERROR] = "reply-error",
	[OUTCOME_ASK] = "reply-ask-which",
	[OUTCOME_OPERATOR] = "hold-for-operator",
	[OUTCOME_HOLD] = "hold-for-confirmation", [OUTCOME_QUEUE] = "queue",
};

const char *outcome_name(enum outcome outcome)
{
	return outcome_names[outcome];
}

struct item *plan_add(struct plan *p, const struct request *r,
		      const struct stored_report *report)
{
	struct item *i;

	p->item = arena_grow(&p->arena, p->item, &p->item_cap, p->nitem + 1,
			     sizeof(*p->item));
	i = &p->item[p->nitem++];
	*i = (struct item){
		.request = r, .report = report, .reason = "",
		.nth = r ? (int)(r - p->requests->request) : 0,
		.told = json_object(), .note = "",
	};
	return i;
}

int item_fail(struct item *i, const char *error, const char *reason)
{
	i->outcome = OUTCOME_ERROR;
	i->error = error;
	i->reason = reason;
	return 0;
}

void plan_content(const struct message *m, char hex[DIGEST_HEX])
{
	const char *part[1 + 64];
	size_t n = 0;

	part[n++] = m->new_text;
	for (size_t i = 0; i < m->npatch && i < 64; i++)
		part[n++] = m->patch[i].id;
	digest(part, n, hex);
}

/* Does "list" hold a request that is one with "r" but for its words? */
static bool is_repeated(const struct requests *all, size_t at)
{
	const struct request *r = &all->request[at], *o;

	for (size_t i = 0; i < at; i++) {
		o = &all->request[i];
		if (o->kind == r->kind && o->patch == r->patch && !r->nparam &&
		    !o->nparam && o->count == r->count &&
		    !strcmp(o->msgid ? o->msgid : "", r->msgid ? r->msgid : "")
		    && !strcmp(o->url ? o->url : "", r->url ? r->url : "") &&
		    !strcmp(o->tree ? o->tree : "", r->tree ? r->tree : "") &&
		    !strcmp(o->branch ? o->branch : "",
			    r->branch ? r->branch : "") &&
		    !strcmp(o->commit ? o->commit : "",
			    r->commit ? r->commit : "") &&
		    !strcmp(o->base ? o->base : "", r->base ? r->base : "") &&
		    !strcmp(o->revert ? o->revert : "",
			    r->revert ? r->revert : ""))
			return true;
	}
	return false;
}

static int decide_item(struct plan *p, struct item *i, struct err *err)
{
	enum verb verb = verb_of(i->request->kind);

	if (verb_runs(verb))
		return item_run(p, i, err);
	switch (verb) {
	case VERB_CANCEL:
		return item_cancel(p, i, err);
	case VERB_STOP:
		return item_stop(p, i, err);
	case VERB_CLOSE:
		return item_close(p, i, err);
	default:
		return item_answer(p, i, err);
	}
}

/* Several reports have the subject, and nothing else says which. */
static void ask_which(struct plan *p, struct item *i)
{
	json_t *list = json_array(), *one;

	for (size_t k = 0; k < p->which.n; k++) {
		const struct stored_report *r = &p->which.report[k];

		one = json_pack("{s:s,s:s,s:s,s:o,s:o,s:s,s:s,s:s}",
				"subject", r->subject, "token", r->token,
				"commit", told_commit(r->tested, &p->arena),
				"machine",
				json_text(*r->machine ? r->machine : NULL),
				"tree", json_text(*r->tree ? r->tree : NULL),
				"message_id", r->message_id, "stat", r->stat,
				"date", letter_date(r->created, &p->arena));
		json_object_set_new(one, "address", json_sprintf("%s+%s@%s",
				    p->bot->settings->local, r->token,
				    p->bot->settings->domain));
		json_array_append_new(list, one);
	}
	json_object_set_new(i->told, "reports", list);
	json_object_set_new(i->told, "once_more",
			    json_boolean(p->options.choice != NULL));
	i->outcome = OUTCOME_ASK;
	i->error = "which-report";
	i->reason = p->options.choice ? "the answer does not tell which report"
				      : "several reports have this subject";
}

/* Whom we would not serve whatever the report is. */
static bool is_turned_away(struct plan *p, struct item *i)
{
	bool denied;

	role_of(p->evidence.address, NULL, 0, &p->bot->settings->lists,
		&denied);
	if (!denied && p->evidence.proof != PROOF_FAILED)
		return false;
	i->outcome = OUTCOME_DENY;
	i->reason = denied ? "the address is on the deny list"
			   : p->evidence.reason;
	i->silent = true;
	return true;
}

/* A request that nobody knows the report of. */
static int without_report(struct plan *p, struct item *i, struct err *err)
{
	if (is_turned_away(p, i))
		return 0;
	if (p->which.how == WHICH_AMBIGUOUS &&
	    i->request->kind != REQUEST_HELP) {
		ask_which(p, i);
		return 0;
	}
	if (!p->which.to_us) {
		i->reason = "about no report of ours, and not sent to us";
		return 0;
	}
	if (i->request->kind == REQUEST_HELP)
		return item_answer(p, i, err);
	return item_fail(i, "unknown-report", "I see the request but cannot "
			 "find the report it is about");
}

/* The patch is the one that the answer to our question names. */
static struct item *with_patch(struct plan *p, struct item *i)
{
	const struct choice *c = p->options.choice;
	struct request *r;

	if (!c || !c->patch || !spec_is_patched(i->request))
		return i;
	r = arena_alloc(&p->arena, sizeof(*r));
	*r = *i->request;
	r->patch = PATCH_FROM_MSGID;
	r->msgid = c->patch;
	r->url = NULL;
	i->request = r;
	return i;
}

/* "Please rerun https://.../REPORT/": a link to our own mail is no patch, and
 * nobody says that it is.  1, 0 or -1. */
static int is_own_link(const struct plan *p, const struct request *r,
		       struct err *err)
{
	if (!r->msgid ||
	    phrases_stand(r->evidence, "patch|patches|series|fix|diff"))
		return 0;
	return thread_is_ours(p->bot->store, r->msgid, err);
}

/* "Please rerun without my patch", but not "with and without". */
static bool is_without_patch(const struct request *r)
{
	return phrases_stand(r->evidence, "without the patch|without patch|"
			     "without my patch|without this patch|"
			     "without that patch|without any patch|unpatched|"
			     "without patches|without the patches") &&
	       !phrases_stand(r->evidence, "and without|or without|"
			      "and unpatched|or unpatched");
}

/* What was read as a run with a patch, and is one without. */
static int drop_patch(struct plan *p, struct item *i, struct err *err)
{
	const struct request *asked = i->request;
	struct request *r;
	int rc;

	if (asked->kind != REQUEST_RERUN_WITH_PATCH || p->m->npatch)
		return 0;
	rc = is_without_patch(asked) ? 1 : is_own_link(p, asked, err);
	if (rc != 1)
		return rc;
	r = arena_alloc(&p->arena, sizeof(*r));
	*r = *asked;
	r->kind = REQUEST_RERUN;
	r->confidence = 0.8;	/* any doubt was about the patch */
	r->patch = PATCH_FROM_NOWHERE;
	r->url = r->msgid = NULL;
	i->request = r;
	return 0;
}

/* One request for one report. */
static int decide_one(struct plan *p, struct item *i, struct err *err)
{
	i = with_patch(p, i);
	if (drop_patch(p, i, err) == -1 ||
	    followup_read(p, i, err) == -1)
		return -1;
	return decide_item(p, i, err);
}

static bool only_asks(const struct plan *p)
{
	return p->which.how == WHICH_AMBIGUOUS || !p->which.n;
}

static int decide_requests(struct plan *p, struct err *err)
{
	for (size_t k = 0; k < p->requests->n; k++) {
		const struct request *r = &p->requests->request[k];

		if (is_repeated(p->requests, k))
			continue;
		if (only_asks(p)) {
			if (without_report(p, plan_add(p, r, NULL), err) == -1)
				return -1;
			if (p->which.how == WHICH_AMBIGUOUS)
				return 0;	/* one question */
			continue;
		}
		for (size_t w = 0; w < p->which.n; w++)
			if (decide_one(p, plan_add(p, r, &p->which.report[w]),
				       err) == -1)
				return -1;
	}
	return 0;
}

/*
 * What we cannot read whole we do not act upon: with a NUL in it, one program
 * would see another mail than the next.
 */
static bool refuse_body(struct plan *p)
{
	struct item *i;

	if ((!p->m->body_nul && !p->m->body_cut) || !p->which.to_us ||
	    only_asks(p))
		return false;
	i = plan_add(p, NULL, &p->which.report[0]);
	if (p->m->body_nul)
		item_fail(i, "nul-in-body", "the text holds a NUL byte");
	else
		item_fail(i, "mail-too-large", "the text is longer than I read");
	return true;
}

static void conclude(struct plan *p)
{
	const struct item *best = NULL;

	for (size_t k = 0; k < p->nitem; k++)
		if (!best || p->item[k].outcome > best->outcome)
			best = &p->item[k];
	if (best) {
		p->outcome = best->outcome;
		p->reason = best->reason;
	}
	p->decision = outcome_names[p->outcome];
}

/* The reports are those that the answer to our question names.  It is no
 * better a proof than the mail that asked, nor that than it. */
static void choose(struct plan *p, const struct choice *c)
{
	if (!c->patch || p->which.how == WHICH_AMBIGUOUS)
		p->which = c->which;
	if (c->evidence.proof < p->evidence.proof)
		p->evidence = c->evidence;
}

static int decide(struct plan *p, struct err *err)
{
	const struct bot *bot = p->bot;

	evidence_find(&p->evidence, p->m, &bot->settings->evidence, &p->arena);
	if (which_report(&p->which, bot, p->m, &p->arena, err) == -1)
		return -1;
	if (p->options.choice)
		choose(p, p->options.choice);
	if (p->options.choice && p->which.how == WHICH_AMBIGUOUS) {
		ask_which(p, plan_add(p, NULL, NULL));
		return 0;
	}
	if (p->options.stale)
		return item_fail(plan_add(p, NULL, p->which.n ?
					  &p->which.report[0] : NULL),
				 "confirmation-expired", "the time to confirm "
				 "is over; please ask again");
	if (refuse_body(p))
		return 0;
	if (withdraw_read(p, err) == -1 || decide_requests(p, err) == -1)
		return -1;
	plan_settle_states(p);
	if (!p->nitem && plan_link(p, err) == -1)
		return -1;
	if (!p->nitem)
		plan_acknowledge(p);
	return 0;
}

int plan_make(struct plan *p, const struct bot *bot, const struct reading *r,
	      const struct plan_options *options, struct err *err)
{
	const struct message *m = &r->message;
	const char *ignored;
	int rc = 0;

	*p = (struct plan){ .arena = ARENA_INIT, .bot = bot, .m = m,
			    .requests = &r->requests,
			    .reason = "nothing is asked of us" };
	if (options)
		p->options = *options;
	p->opened.last_try = p->options.last_try;
	p->author = message_author((struct message *)(uintptr_t)m);
	plan_content(m, p->content);
	ignored = screen_mail(bot->settings, m, &p->arena);
	if (ignored) {
		p->bounced = r->bounced;
		evidence_find(&p->evidence, m, &bot->settings->evidence,
			      &p->arena);
		p->reason = ignored;
		p->decision = "ignore";
		return which_report(&p->which, bot, m, &p->arena, err);
	}
	rc = decide(p, err);
	conclude(p);
	return rc;
}

void plan_release(struct plan *p)
{
	for (size_t i = 0; i < p->nitem; i++) {
		json_decref(p->item[i].told);
		json_decref(p->item[i].spec.json);
	}
	opened_release(&p->opened);
	arena_release(&p->arena);
}
