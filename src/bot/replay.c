#include "bot/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "bot/decide.h"
#include "bot/given.h"
#include "mail/id.h"
#include "request/request.h"
#include "run/folder.h"
#include "store/jobs.h"
#include "store/mails.h"
#include "store/outbox.h"

static const struct outside nothing_outside = { .fetch = NULL };

int replay_open(struct replay *r, struct settings *s, struct err *err)
{
	*r = (struct replay){ .bot = { .settings = s, .owner = "replay",
				       .outside = &nothing_outside } };
	r->bot.store = store_open(":memory:", true, err);
	if (!r->bot.store || settings_secret(s, r->bot.store, err) == -1)
		return -1;
	r->bot.grammar = grammar_load(NULL, err);
	return r->bot.grammar ? 0 : -1;
}

void replay_close(struct replay *r)
{
	grammar_free(r->bot.grammar);
	store_close(r->bot.store);
	if (*r->folder)
		folder_remove(r->folder, NULL);
}

static struct store *open_copy(struct replay *r, const char *path,
			       struct err *err)
{
	struct store *s = store_open(path, false, err), *copy = NULL;
	struct buf file = BUF_INIT(200);

	strcpy(r->folder, "/tmp/perfpost-dry-XXXXXX");
	if (!s || !mkdtemp(r->folder)) {
		if (s)
			err_sys(err, "cannot make a folder in /tmp");
		*r->folder = '\0';
	} else {
		buf_addf(&file, "%s/db", r->folder);
		if (store_backup(s, file.s, err) == 0)
			copy = store_open(file.s, true, err);
	}
	store_close(s);
	buf_release(&file);
	return copy;
}

/* What stands there already is not told. */
static int begin_here(struct replay *r, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct outgoing *o;
	struct job *j;
	size_t no, nj;
	int rc = job_list(r->bot.store, NULL, &a, &j, &nj, err);

	if (rc == 0)
		rc = outbox_list(r->bot.store, NULL, &a, &o, &no, err);
	for (size_t i = 0; rc == 0 && i < nj; i++)
		if (j[i].id > r->last_job)
			r->last_job = j[i].id;
	if (rc == 0 && no)
		r->last_mail = o[no - 1].id;
	arena_release(&a);
	return rc;
}

int replay_open_copy(struct replay *r, struct settings *s, const char *path,
		     struct err *err)
{
	*r = (struct replay){ .bot = { .settings = s, .owner = "dry run",
				       .outside = &nothing_outside } };
	r->bot.store = open_copy(r, path, err);
	if (!r->bot.store || settings_secret(s, r->bot.store, err) == -1)
		return -1;
	r->bot.grammar = grammar_load(NULL, err);
	return r->bot.grammar ? begin_here(r, err) : -1;
}

static json_t *addresses_json(const struct addresses *list)
{
	json_t *v = json_array();

	for (size_t i = 0; i < list->n; i++)
		json_array_append_new(v, json_pack("{s:o,s:o}", "name",
			json_text(list->v[i].name), "address",
			json_text(list->v[i].address)));
	return v;
}

static json_t *strings_json(const struct strings *list)
{
	json_t *v = json_array();

	for (size_t i = 0; i < list->n; i++)
		json_array_append_new(v, json_text(list->v[i]));
	return v;
}

/* A mail of ours, read back. */
static json_t *send_json(const struct outgoing *o)
{
	struct message m;
	json_t *v = NULL;

	if (message_read(&m, o->bytes, o->len, NULL) == 0)
		v = json_pack("{s:s,s:s,s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,"
			      "s:o}", "type", "send", "kind", o->kind,
			      "message_id", o->message_id, "state",
			      outbox_state_name(o->state), "error",
			      json_text(*o->error ? o->error : NULL), "to",
			      addresses_json(&m.to), "cc",
			      addresses_json(&m.cc), "reply_to",
			      addresses_json(&m.reply_to), "subject",
			      json_text(m.subject), "in_reply_to",
			      strings_json(&m.in_reply_to), "references",
			      strings_json(&m.references), "text",
			      json_text(m.body));
	message_release(&m);
	return v;
}

static int collect_sends(struct replay *r, json_t *sends, json_t *ids,
			 struct arena *a, struct err *err)
{
	struct outgoing *v, o;
	size_t n;

	if (outbox_list(r->bot.store, NULL, a, &v, &n, err) == -1)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (v[i].id <= r->last_mail)
			continue;
		if (outbox_get(r->bot.store, v[i].id, a, &o, err) == -1)
			return -1;
		json_array_append_new(sends, send_json(&o));
		json_array_append_new(ids, json_string(o.message_id));
		r->last_mail = v[i].id;
	}
	return 0;
}

static int collect_jobs(struct replay *r, json_t *jobs, struct arena *a,
			struct err *err)
{
	struct job *v;
	size_t n;

	if (job_list(r->bot.store, NULL, a, &v, &n, err) == -1)
		return -1;
	for (size_t i = 0; i < n; i++) {
		json_t *spec;

		if (v[i].id <= r->last_job)
			continue;
		spec = json_read_text(v[i].spec, strlen(v[i].spec), "spec",
				      NULL);
		json_array_append_new(jobs, json_pack("{s:I,s:s,s:f,s:o}",
			"id", (json_int_t)v[i].id, "key", v[i].key, "minutes",
			v[i].minutes, "spec", spec ? spec : json_null()));
	}
	for (size_t i = 0; i < n; i++)
		if (v[i].id > r->last_job)
			r->last_job = v[i].id;
	return 0;
}

/* What the first item's patch is, where a reader of the output looks first. */
static void tell_patch(json_t *told, const json_t *evidence)
{
	const json_t *item = json_array_get(json_object_get(evidence, "items"),
					    0);
	const json_t *patch = json_object_get(item, "patch");

	json_object_set_new(told, "error",
			    json_text(json_member_text(item, "error")));
	if (!json_is_object(patch))
		return;
	json_object_set_new(told, "patch_source", json_pack("{s:O,s:O,s:O}",
			    "kind", json_object_get(patch, "kind"), "id",
			    json_object_get(patch, "id"), "url",
			    json_object_get(patch, "url")));
	json_object_set(told, "patch_files", json_object_get(patch, "files"));
	json_object_set(told, "patch_subject",
			json_object_get(patch, "subject"));
	json_object_set(told, "patch_author",
			json_object_get(patch, "author"));
}

static void tell_headers(json_t *told, const struct stored_mail *m)
{
	struct message read;

	if (message_read(&read, m->bytes, m->len, NULL) == 0) {
		json_object_set_new(told, "in_reply_to",
				    strings_json(&read.in_reply_to));
		json_object_set_new(told, "subject", json_text(read.subject));
	}
	message_release(&read);
}

static json_t *tokens_json(const json_t *evidence)
{
	json_t *v = json_array(), *one;
	size_t i;

	json_array_foreach(json_object_get(evidence, "reports"), i, one)
		json_array_append(v, json_object_get(one, "token"));
	return v;
}

/* Whoever would get the answer: the To of what would be sent. */
static json_t *answered_json(const json_t *sends)
{
	json_t *v = json_array(), *one, *to;
	size_t i, k;

	json_array_foreach(sends, i, one)
		json_array_foreach(json_object_get(one, "to"), k, to)
			json_array_append(v, json_object_get(to, "address"));
	return v;
}

static json_t *mail_json(const struct stored_mail *m, const char *place,
			 json_t *jobs, json_t *ids, const json_t *sends)
{
	json_t *evidence = json_read_text(m->evidence, strlen(m->evidence),
					  "evidence", NULL), *told, *report;
	const char *proof = json_member_text(evidence, "proof");
	bool good = proof && (!strcmp(proof, "passed") ||
			      !strcmp(proof, "assumed"));

	report = json_object_get(json_array_get(json_object_get(evidence,
						"reports"), 0), "key");
	told = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:I,s:I,s:b,s:b,s:O*,s:o,"
			 "s:o,s:o,s:o,s:O*}",
			 "type", "mail", "message_id", m->message_id, "place",
			 place, "decision", m->decision, "action", m->decision,
			 "reason", m->reason,
			 "jobs", (json_int_t)json_array_size(jobs),
			 "replies", (json_int_t)json_array_size(sends),
			 "authenticated", good, "authorised",
			 json_array_size(jobs) > 0,
			 "report", report, "tokens", tokens_json(evidence),
			 "answered", answered_json(sends),
			 "sends", ids, "job_list", jobs,
			 "bounce_for", json_object_get(evidence,
						       "bounce_for"));
	json_object_set_new(told, "author", json_text(m->sender));
	tell_patch(told, evidence);
	tell_headers(told, m);
	json_object_set_new(told, "evidence", evidence ? evidence
						       : json_null());
	return told;
}

static int tell(struct replay *r, const struct stored_mail *m,
		const char *place, json_t **told, json_t **sends,
		struct arena *a, struct err *err)
{
	json_t *jobs = json_array(), *ids = json_array();

	*sends = json_array();
	if (collect_jobs(r, jobs, a, err) == -1 ||
	    collect_sends(r, *sends, ids, a, err) == -1) {
		json_decref(jobs);
		json_decref(ids);
		return -1;
	}
	*told = mail_json(m, place, jobs, ids, *sends);
	return 0;
}

static int learn(struct replay *r, const void *bytes, size_t len,
		 struct err *err)
{
	struct message m;
	int rc = message_read(&m, bytes, len, err);

	if (rc == 0) {
		if (m.date != INT64_MIN)
			clock_set(m.date);
		rc = given_learn(&r->bot, &m, err);
	}
	message_release(&m);
	return rc;
}

int replay_mail(struct replay *r, const void *bytes, size_t len,
		const char *place, json_t **told, json_t **sends,
		struct err *err)
{
	struct stored_mail m = { .source = place, .bytes = bytes,
				 .len = len };
	struct arena a = ARENA_INIT;
	char hash[DIGEST_HEX];
	int rc;

	*told = *sends = NULL;
	digest_bytes(bytes, len, hash);
	m.hash = hash;
	rc = learn(r, bytes, len, err);
	m.received = clock_now();
	if (rc != -1)
		rc = mail_add(r->bot.store, &m, err);
	if (rc != -1)
		rc = mail_get(r->bot.store, m.id, &a, &m, err);
	if (rc == 1 && m.state == MAIL_NEW) {
		rc = decide_mail(&r->bot, &m, err);
		if (rc == 0)	/* its strings went with the plan */
			rc = mail_get(r->bot.store, m.id, &a, &m, err);
	} else if (rc == 1) {
		m.decision = "duplicate";
		m.reason = "the same bytes came before";
	}
	if (rc != -1)
		rc = tell(r, &m, place, told, sends, &a, err);
	arena_release(&a);
	return rc == -1 ? -1 : 0;
}

int replay_next(struct replay *r, json_t **told, json_t **sends,
		struct err *err)
{
	struct arena a = ARENA_INIT;
	struct stored_mail m;
	int rc = mail_next(r->bot.store, clock_now(), &a, &m, err);

	*told = *sends = NULL;
	if (rc == 1)
		rc = decide_mail(&r->bot, &m, err) == -1 ? -1 :
		     mail_get(r->bot.store, m.id, &a, &m, err);
	if (rc == 1)
		rc = tell(r, &m, m.source, told, sends, &a, err) == -1 ? -1
			: 1;
	arena_release(&a);
	return rc;
}
