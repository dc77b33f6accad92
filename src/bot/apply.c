#include "bot/apply.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "bot/letter.h"
#include "bot/told.h"
#include "mail/address.h"
#include "policy/token.h"
#include "request/request-json.h"
#include "store/audit.h"
#include "store/inquiries.h"
#include "store/jobs.h"
#include "store/outbox.h"
#include "store/requests.h"

#define DAY 86400
#define ROUNDS_MAX 1000	/* of the same rerun */

struct apply {
	struct plan *plan;
	struct stored_mail *mail;
	struct done *done;	/* one an item */
	int64_t now;
	const char *muted;	/* why nothing is answered, or NULL */
};

static enum asked_state state_of(const struct item *i)
{
	switch (i->outcome) {
	case OUTCOME_QUEUE:
		return ASKED_QUEUED;
	case OUTCOME_HOLD:
	case OUTCOME_OPERATOR:
		return ASKED_HELD;
	case OUTCOME_ASK:
		return ASKED_UNCLEAR;
	case OUTCOME_DENY:
		return ASKED_DENIED;
	case OUTCOME_NONE:
	case OUTCOME_LINK:
		return ASKED_NOTED;
	default:
		return ASKED_ANSWERED;
	}
}

/* Queue the item's job, or find the equal one. */
static int add_job(struct apply *ap, struct item *i, struct done *d,
		   struct err *err)
{
	struct store *s = ap->plan->bot->store;
	struct buf text = BUF_INIT((size_t)64 << 20);
	bool anew = i->anew || i->request->kind == REQUEST_RERUN;
	int rc;

	json_write(&text, i->spec.json, 0);
	d->job = (struct job){ .key = i->spec.key, .spec = text.s,
			       .report = i->report->id,
			       .minutes = i->spec.minutes,
			       .created = ap->now };
	rc = job_add(s, &d->job, err);
	for (int n = 2; rc == 0 && anew && d->job.state == JOB_DONE &&
	     n < ROUNDS_MAX; n++) {
		d->job.key = spec_again(&i->spec, n, &ap->plan->arena);
		rc = job_add(s, &d->job, err);
	}
	buf_release(&text);
	d->job.spec = NULL;
	if (rc == -1)
		return -1;
	d->known = rc == 0 && d->job.state == JOB_DONE;
	d->merged = rc == 0 && !d->known;
	return job_place(s, d->job.id, &d->ahead, &d->wait, err);
}

static int add_request(struct apply *ap, struct item *i, struct done *d,
		       struct err *err)
{
	struct store *s = ap->plan->bot->store;
	struct buf fields = BUF_INIT(1 << 20);
	json_t *v = request_json(i->request);
	struct asked q = {
		.mail = ap->mail->id, .report = i->report ? i->report->id : 0,
		.nth = i->nth, .kind = request_kind_name(i->request->kind),
		.person = ap->plan->author.address, .state = state_of(i),
		.job = d->job.id, .created = ap->now,
	};
	int rc;

	if (i->outcome == OUTCOME_HOLD)
		d->until = q.expires = ap->now +
			ap->plan->bot->settings->confirm_within;
	json_write(&fields, v, 0);
	json_decref(v);
	q.fields = fields.s;
	rc = asked_add(s, &q, err);
	if (rc == 0)
		rc = asked_save(s, &q, ap->now, err);
	buf_release(&fields);
	d->request = q.id;
	if (rc == -1 || !d->job.id || d->known)
		return rc == -1 ? -1 : 0;
	return spend(s, &q, d->merged ? 0 : i->spec.minutes, ap->now, err);
}

static int cancel_one(struct apply *ap, int64_t id, struct err *err)
{
	struct store *s = ap->plan->bot->store;
	struct arena *a = &ap->plan->arena;
	struct asked q, *v;
	size_t n, alive = 0;
	int rc = asked_get(s, id, a, &q, err);
	int64_t job = q.job;

	if (rc != 1)
		return rc;
	q.state = ASKED_CANCELLED;
	if (asked_save(s, &q, ap->now, err) == -1)
		return -1;
	if (!job)
		return 0;
	if (asked_list(s, 0, 0, job, a, &v, &n, err) == -1)
		return -1;
	for (size_t i = 0; i < n; i++)
		alive += v[i].state == ASKED_QUEUED;
	/* Somebody else waits for the same job. */
	if (alive)
		return 0;
	if (job_cancel(s, job, "taken back by mail", ap->now, err) == -1)
		return -1;
	return spend_correct(s, job, 0, err);
}

/* Does it ask for something that only a person can do? */
static bool is_forwarded(const struct item *i)
{
	return json_is_true(json_object_get(i->told, "forwarded")) ||
	       (i->outcome == OUTCOME_QUEUE &&
		json_object_get(i->told, "unmet"));
}

static int carry_out(struct apply *ap, struct item *i, struct done *d,
		     struct err *err)
{
	struct store *s = ap->plan->bot->store;
	const char *who = ap->plan->author.address;
	json_t *id;
	size_t k;

	if (i->outcome == OUTCOME_QUEUE && add_job(ap, i, d, err) == -1)
		return -1;
	if (i->request && add_request(ap, i, d, err) == -1)
		return -1;
	if ((i->outcome == OUTCOME_STATE || i->outcome == OUTCOME_STOP ||
	     i->acknowledges) &&
	    report_set_state(s, i->report->id, i->state, i->note, who, ap->now,
			     err) == -1)
		return -1;
	if (i->outcome == OUTCOME_LINK && i->report &&
	    audit_add(s, ap->now, who, "fix-candidate", "report",
		      i->report->id, i->note, err) == -1)
		return -1;
	if (is_forwarded(i) &&
	    audit_add(s, ap->now, who, "forwarded", "mail", ap->mail->id,
		      i->request->evidence ? i->request->evidence : "",
		      err) == -1)
		return -1;
	if (i->outcome == OUTCOME_CANCEL)
		json_array_foreach(json_object_get(i->told, "cancelled"), k, id)
			if (cancel_one(ap, json_integer_value(id), err) == -1)
				return -1;
	return 0;
}

static bool is_answered(const struct item *i)
{
	return !i->silent && i->outcome != OUTCOME_NONE &&
	       i->outcome != OUTCOME_LINK;
}

/* A cap that is reached silences us, and nothing else. */
static int check_caps(struct apply *ap, struct err *err)
{
	const struct bot *bot = ap->plan->bot;
	const struct caps *caps = &bot->settings->caps;
	const char *who = ap->plan->author.address;
	int64_t report = ap->plan->which.n ? ap->plan->which.report[0].id : 0;
	int64_t since = ap->now - DAY, n[3] = { 0, 0, 0 };

	if (outbox_count(bot->store, who, 0, since, &n[0], err) == -1 ||
	    (report && outbox_count(bot->store, NULL, report, since, &n[1],
				    err) == -1) ||
	    outbox_count(bot->store, NULL, 0, since, &n[2], err) == -1)
		return -1;
	if (caps->person && n[0] >= caps->person)
		ap->muted = "too many answers to this person today";
	else if (caps->thread && n[1] >= caps->thread)
		ap->muted = "too many answers in this thread today";
	else if (caps->day && n[2] >= caps->day)
		ap->muted = "too many answers today";
	return 0;
}

static const char *kind_of(const struct plan *p)
{
	switch (p->outcome) {
	case OUTCOME_QUEUE:
		return "ack";
	case OUTCOME_HOLD:
		return "confirm";
	case OUTCOME_OPERATOR:
		return "held";
	case OUTCOME_ASK:
		return "ask";
	case OUTCOME_ERROR:
		return "error";
	case OUTCOME_DENY:
		return "deny";
	default:
		return "answer";
	}
}

static const char *reply_token(struct apply *ap)
{
	const struct settings *s = ap->plan->bot->settings;
	struct buf token = BUF_INIT(100);
	const char *text = NULL;

	if (ap->plan->outcome == OUTCOME_HOLD)
		for (size_t k = 0; k < ap->plan->nitem && !text; k++) {
			if (ap->plan->item[k].outcome != OUTCOME_HOLD)
				continue;
			token_make(&token, s->secret, s->secret_len,
				   ap->done[k].request,
				   ap->plan->author.address,
				   ap->done[k].until);
			text = arena_strndup(&ap->plan->arena, token.s,
					     token.len);
		}
	buf_release(&token);
	if (text || !ap->plan->which.n ||
	    ap->plan->which.how == WHICH_AMBIGUOUS)
		return text;
	return ap->plan->which.report[0].token;
}

/* Above the answer to another question of the same mail: that question. */
static json_t *asked_words(const struct item *i, const char *before,
			   struct arena *a)
{
	const char *words = i->request ? i->request->evidence : NULL;

	if (!words || !before || !strcmp(words, before))
		return json_null();
	words = letter_fold(letter_safe(words, 200, a), a);
	return json_pack("{s:o}", "lines", letter_lines(words, 3, a));
}

static json_t *reply_data(struct apply *ap)
{
	struct plan *p = ap->plan;
	json_t *items = json_array(), *one;
	const char *evidence = NULL, *said = NULL;
	bool first = true;

	for (size_t k = 0; k < p->nitem; k++) {
		const struct item *i = &p->item[k];

		if (!is_answered(i))
			continue;
		if (!evidence && i->request)
			evidence = i->request->evidence;
		one = told_item(p, i, &ap->done[k]);
		json_object_set_new(one, "first", json_boolean(first));
		json_object_set_new(one, "asked", asked_words(i, said,
							      &p->arena));
		said = i->request ? i->request->evidence : NULL;
		json_object_set_new(one, "named", json_boolean(i->report &&
				    p->which.n > 1));
		json_array_append_new(items, one);
		first = false;
	}
	return json_pack("{s:o,s:o}", "items", items, "quote",
			 letter_quote(p->m, evidence, &p->arena));
}

/* What the answer answers: the same mail gives the same answer's id. */
static const char *request_name(const struct apply *ap)
{
	return arena_printf(&ap->plan->arena, "%s %s",
			    ap->plan->m->message_id, ap->plan->content);
}

/* The message belongs to every report that the mail is about. */
static int join(struct apply *ap, const char *message_id, bool ours,
		struct err *err)
{
	const struct which *w = &ap->plan->which;

	if (w->how == WHICH_AMBIGUOUS || !*message_id)
		return 0;
	for (size_t i = 0; i < w->n; i++)
		if (thread_add(ap->plan->bot->store, message_id,
			       w->report[i].id, ours, err) == -1)
			return -1;
	return 0;
}

/* Our mail asks which report or patch is meant: its answer finds the request
 * by it. */
static int remember_question(struct apply *ap, const char *message_id,
			     struct err *err)
{
	const struct plan *p = ap->plan;
	struct inquiry q = { .message_id = message_id };

	for (size_t k = 0; k < p->nitem && !q.request; k++)
		if (p->item[k].outcome == OUTCOME_ASK)
			q.request = p->item[k].request ? ap->done[k].request
				: p->options.choice->asked.id;
	return q.request ? inquiry_add(p->bot->store, &q, err) : 0;
}

/* The name of what went wrong, for programs. */
static const char *error_name(const struct plan *p)
{
	for (size_t k = 0; k < p->nitem; k++)
		if (p->item[k].error && is_answered(&p->item[k]))
			return p->item[k].error;
	return NULL;
}

static int answer(struct apply *ap, struct err *err)
{
	struct plan *p = ap->plan;
	const struct stored_report *report = p->which.n ? &p->which.report[0]
							: NULL;
	struct outgoing o;
	struct reply r = {
		.kind = kind_of(p), .template = "reply", .to = p->m,
		.asker = p->evidence.munged ? &p->author : NULL,
		.token = reply_token(ap), .request = request_name(ap),
		.error = error_name(p),
		.mail = ap->mail->id, .quiet = p->outcome == OUTCOME_HOLD ||
			p->outcome == OUTCOME_DENY ||
			p->evidence.proof < PROOF_ASSUMED,
	};
	int rc;

	if (report && p->which.how != WHICH_AMBIGUOUS) {
		r.identity = report->key;
		r.report = report->id;
		r.revision = arena_printf(&p->arena, "%d", report->revision);
	}
	r.data = reply_data(ap);
	rc = letter_make(&o, p->bot, &r, &p->arena, err);
	json_decref(r.data);
	if (rc == -1 && err->code == ERR_INPUT)
		return audit_add(p->bot->store, ap->now, "bot", "unanswered",
				 "mail", ap->mail->id, err->text, err);
	if (rc == -1 || outbox_add(p->bot->store, &o, err) == -1)
		return -1;
	if (o.state == OUTBOX_PARKED &&
	    audit_add(p->bot->store, ap->now, "bot", "parked", "outbox", o.id,
		      o.error, err) == -1)
		return -1;
	if (remember_question(ap, o.message_id, err) == -1)
		return -1;
	return join(ap, o.message_id, true, err);
}

static bool wants_answer(const struct plan *p)
{
	for (size_t k = 0; k < p->nitem; k++)
		if (is_answered(&p->item[k]))
			return true;
	return false;
}

static int write_mail(struct apply *ap, bool keep, struct err *err)
{
	struct plan *p = ap->plan;
	struct buf evidence = BUF_INIT((size_t)16 << 20);
	json_t *told = told_plan(p);
	struct stored_mail *m = ap->mail;
	int rc;

	json_write(&evidence, told, 0);
	json_decref(told);
	if (!keep) {
		m->message_id = p->m->message_id;
		m->content = p->content;
		m->sender = p->author.address;
		m->subject = p->m->subject;
		m->state = MAIL_DECIDED;
	}
	if (!keep || p->which.how == WHICH_ANSWER)
		m->report = p->which.n && p->which.how != WHICH_AMBIGUOUS
			? p->which.report[0].id : 0;
	m->decision = p->decision;
	m->reason = ap->muted ? arena_printf(&p->arena, "%s; no answer: %s",
					     p->reason, ap->muted) : p->reason;
	m->evidence = arena_strndup(&p->arena, evidence.s, evidence.len);
	rc = mail_save(p->bot->store, m, err);
	buf_release(&evidence);
	return rc;
}

/* Only an address that is not there fails; a full mailbox has room again. */
static int mark_bounce(struct apply *ap, const struct bounce *b,
		       struct err *err)
{
	struct store *s = ap->plan->bot->store;

	if (b->status && strncmp(b->status, "5.1.", 4))
		return audit_add(s, ap->now, "bot", "bounced", "mail",
				 ap->mail->id, b->address, err);
	if (address_fail(s, b->address, "a delivery report", ap->now,
			 err) == -1)
		return -1;
	return audit_add(s, ap->now, "bot", "address-fails", "mail",
			 ap->mail->id, b->address, err);
}

static bool was_sent(const struct outgoing *o, const char *address)
{
	for (size_t i = 0; i < o->ndelivery; i++)
		if (address_is_same(o->delivery[i].address, address))
			return true;
	return false;
}

/* Anybody can write a delivery report: it is heeded for addresses to which the
 * mail that it names went.  Of a mail that went out without our outbox it is
 * enough that it belongs to a report of ours. */
static int mark_bounces(struct apply *ap, struct err *err)
{
	struct plan *p = ap->plan;
	const struct bounces *b = &p->bounced;
	struct outgoing o;
	int found = 0;

	if (b->n && b->message_id)
		found = outbox_find(p->bot->store, b->message_id, &p->arena, &o,
				    err);
	if (found == -1)
		return -1;
	for (size_t i = 0; i < b->n; i++) {
		bool heed = found ? was_sent(&o, b->v[i].address) :
				    p->which.n > 0;

		if (heed && mark_bounce(ap, &b->v[i], err) == -1)
			return -1;
	}
	return 0;
}

static int apply_all(struct apply *ap, bool keep, struct err *err)
{
	struct plan *p = ap->plan;

	for (size_t k = 0; k < p->nitem; k++)
		if (carry_out(ap, &p->item[k], &ap->done[k], err) == -1)
			return -1;
	if (wants_answer(p) && check_caps(ap, err) == -1)
		return -1;
	if (wants_answer(p) && !ap->muted && answer(ap, err) == -1)
		return -1;
	if (ap->muted && audit_add(p->bot->store, ap->now, "bot", "muted",
				   "mail", ap->mail->id, ap->muted,
				   err) == -1)
		return -1;
	if (write_mail(ap, keep, err) == -1 ||
	    join(ap, p->m->message_id, false, err) == -1 ||
	    mark_bounces(ap, err) == -1)
		return -1;
	return audit_add(p->bot->store, ap->now, "bot", p->decision, "mail",
			 ap->mail->id, ap->mail->reason, err);
}

/* What waited for an answer of ours waits no longer.  0: it did not wait, and
 * was all that there is to do. */
static int take_answer(struct apply *ap, bool keep, struct err *err)
{
	const struct choice *c = ap->plan->options.choice;
	int rc;

	if (!c || !c->asked.id || c->how != CHOICE_CLEAR)
		return 1;
	rc = inquiry_settle(c, ap->plan->bot, keep, &ap->plan->arena, err);
	return rc == -1 ? -1 : rc || !keep;
}

int plan_apply(struct plan *p, struct stored_mail *mail, bool keep,
	       struct err *err)
{
	struct apply ap = { .plan = p, .mail = mail, .now = clock_now() };
	struct store *s = p->bot->store;
	int rc;

	ap.done = arena_array(&p->arena, p->nitem + 1, sizeof(*ap.done));
	if (store_begin(s, err) == -1)
		return -1;
	rc = take_answer(&ap, keep, err);
	if (rc != 1 || apply_all(&ap, keep, err) == -1) {
		store_rollback(s);
		return rc == 0 ? 0 : -1;
	}
	return store_commit(s, err);
}
