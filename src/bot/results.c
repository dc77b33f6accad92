#include "bot/results.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "bot/letter.h"
#include "bot/reader.h"
#include "bot/upshot.h"
#include "compare/comparison-json.h"
#include "store/audit.h"
#include "store/mails.h"
#include "store/outbox.h"

/* The comparison without the names of our files. */
static json_t *public_comparison(const struct group *g)
{
	json_t *v = group_to_json(g), *one;
	size_t i;

	json_array_foreach(json_object_get(v, "sides"), i, one)
		json_object_del(one, "source");
	return v;
}

/* For programs: the same again. */
static const char *machine_json(struct upshot *r, size_t *len)
{
	struct buf out = BUF_INIT((size_t)16 << 20);
	const struct judgement *j = &r->judged;
	json_t *v = json_pack("{s:s,s:s,s:s,s:s,s:I,s:O}",
			      "format", "perfpost-answer/1",
			      "report", r->report.key, "stat", r->report.stat,
			      "verdict", r->verdict, "job",
			      (json_int_t)r->job.id, "sides",
			      json_object_get(r->spec, "sides"));
	const char *text;
	json_t *one;
	size_t i;

	json_array_foreach(json_object_get(v, "sides"), i, one)
		json_object_del(json_object_get(one, "patch"), "mbox");
	if (r->measured) {
		json_object_set_new(v, "undone", json_pack("{s:o,s:o,s:o}",
			"part", json_number(j->part), "low",
			json_number(j->low), "high", json_number(j->high)));
		json_object_set_new(v, "comparison",
				    public_comparison(r->m.group));
	}
	json_write(&out, v, 1);
	buf_addch(&out, '\n');
	json_decref(v);
	text = arena_strndup(&r->arena, out.s, out.len);
	*len = out.len;
	buf_release(&out);
	return text;
}

/* Everybody else who waits for it gets a copy. */
static struct strings others(struct upshot *r)
{
	struct strings s = { .v = arena_array(&r->arena, r->nasked + 1,
					      sizeof(*s.v)) };

	for (size_t i = 1; i < r->nasked; i++)
		s.v[s.n++] = r->asked[i].person;
	return s;
}

static int compose(struct upshot *r, struct outgoing *o,
		   const struct message *m, struct err *err)
{
	struct arena *a = &r->arena;
	size_t len;
	const char *json = machine_json(r, &len);
	const struct attachment attachment = { "perfpost-answer.json",
					       "application/json", json, len };
	struct strings copy = others(r);
	const struct address author =
		message_author((struct message *)(uintptr_t)m);
	struct reply reply = {
		.kind = "result", .template = "result", .data = r->data,
		.to = m, .token = r->report.token,
		.asker = author.address == m->from.address ? NULL : &author,
		.identity = r->report.key,
		.revision = arena_printf(a, "%d", r->report.revision),
		.request = arena_printf(a, "%s %s", r->job.key,
					m->message_id),
		.verdict = r->verdict, .copy = &copy,
		.attachment = &attachment, .nattachment = 1,
		.report = r->report.id, .mail = r->asked[0].mail,
		.row = r->asked[0].id,
	};
	json_t *fields = json_read_text(r->asked[0].fields,
					strlen(r->asked[0].fields), "fields",
					NULL);

	json_object_set_new(r->data, "quote",
			    letter_quote(m, json_member_text(fields,
							     "evidence"), a));
	json_decref(fields);
	return letter_make(o, r->bot, &reply, a, err);
}

static int settle(struct upshot *r, struct outgoing *o,
		  enum asked_state state, struct err *err)
{
	struct store *s = r->bot->store;
	int64_t now = clock_now();

	for (size_t i = 0; i < r->nasked; i++) {
		r->asked[i].state = state;
		if (asked_save(s, &r->asked[i], now, err) == -1)
			return -1;
	}
	if (o && (outbox_add(s, o, err) == -1 ||
		  (o->state == OUTBOX_PARKED &&
		   audit_add(s, now, "bot", "parked", "outbox", o->id,
			     o->error, err) == -1)))
		return -1;
	return audit_add(s, now, "bot", o ? "answered" : "dropped", "job",
			 r->job.id, r->verdict ? r->verdict : "", err);
}

static int write_down(struct upshot *r, struct outgoing *o,
		      enum asked_state state, struct err *err)
{
	struct store *s = r->bot->store;

	if (store_begin(s, err) == -1)
		return -1;
	if (settle(r, o, state, err) == -1) {
		store_rollback(s);
		return -1;
	}
	return store_commit(s, err);
}

/* The requests that wait for the job, its rows. */
static int load(struct upshot *r, const struct asked *first, struct err *err)
{
	struct store *s = r->bot->store;
	struct asked *v;
	size_t n;

	if (job_get(s, first->job, &r->arena, &r->job, err) == -1 ||
	    report_get(s, first->report, &r->arena, &r->report, err) == -1 ||
	    asked_list(s, 0, 0, first->job, &r->arena, &v, &n, err) == -1)
		return -1;
	r->asked = v;
	for (size_t i = 0; i < n; i++)
		if (v[i].state == ASKED_QUEUED)
			v[r->nasked++] = v[i];
	r->spec = json_read_text(r->job.spec, strlen(r->job.spec), "spec",
				 err);
	return r->spec ? 0 : -1;
}

static int answer(struct upshot *r, struct err *err)
{
	struct stored_mail mail;
	struct outgoing o;
	struct message m;
	int rc = mail_get(r->bot->store, r->asked[0].mail, &r->arena, &mail,
			  err);

	if (rc != 1)
		return rc;
	upshot_describe(r);
	rc = reader_message(&m, r->bot, mail.bytes, mail.len, err);
	if (rc == 0) {
		if (!*m.message_id)
			m.message_id = mail.message_id;
		rc = compose(r, &o, &m, err);
	}
	if (rc == 0)
		rc = write_down(r, &o, ASKED_ANSWERED, err);
	else if (err->code == ERR_INPUT)	/* nobody is left to answer */
		rc = write_down(r, NULL, ASKED_ANSWERED, err);
	message_release(&m);
	return rc;
}

int results_next(const struct bot *bot, struct err *err)
{
	struct upshot r = { .bot = bot, .arena = ARENA_INIT };
	struct asked first;
	int rc = asked_next_ended(bot->store, &r.arena, &first, err);

	if (rc == 1)
		rc = load(&r, &first, err) == -1 ? -1 : 1;
	if (rc == 1 && r.job.state == JOB_CANCELLED)
		rc = write_down(&r, NULL, ASKED_CANCELLED, err) == -1 ? -1 : 1;
	else if (rc == 1)
		rc = answer(&r, err) == -1 ? -1 : 1;
	if (r.opened)
		measured_release(&r.m);
	json_decref(r.spec);
	json_decref(r.data);
	arena_release(&r.arena);
	return rc;
}
