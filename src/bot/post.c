#include "bot/post.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "data/conf.h"
#include "data/json.h"
#include "mail/address.h"
#include "mail/check.h"
#include "mail/message.h"
#include "mail/subject.h"
#include "store/audit.h"
#include "store/outbox.h"
#include "store/reports.h"

const char *post_sender(const struct conf *conf, const struct message *m)
{
	const char *sender = conf_text(conf, "send.sender");

	if (!sender)
		sender = conf_text(conf, "operator.address");
	return sender ? sender : m->from.address;
}

/* Envelope addresses, each once. */
struct envelope {
	struct arena *arena;
	struct delivery *v;
	size_t n, cap;
};

static void add(struct envelope *e, const char *address)
{
	for (size_t i = 0; i < e->n; i++)
		if (address_is_same(e->v[i].address, address))
			return;
	e->v = arena_grow(e->arena, e->v, &e->cap, e->n + 1, sizeof(*e->v));
	e->v[e->n++] = (struct delivery){ .address = address, .reply = "" };
}

static int add_bcc(struct envelope *e, const char *const *bcc,
		   struct err *err)
{
	struct address who;

	for (; bcc && *bcc; bcc++) {
		if (address_parse(*bcc, e->arena, &who, err) == -1)
			return err_in(err, "--bcc '%s'", *bcc);
		add(e, who.address);
	}
	return 0;
}

static const char *header(const struct message *m, const char *name)
{
	const char *value = message_header(m, name);

	return value ? value : "";
}

/* "HASH (\"title\")" */
static void split_commit(struct arena *a, const char *text,
			 struct stored_report *r)
{
	size_t len = strcspn(text, " "), n = strlen(text);

	r->tested = arena_strndup(a, text, len);
	r->title = "";
	if (n > len + 5 && !strncmp(text + len, " (\"", 3) &&
	    !strcmp(text + n - 2, "\")"))
		r->title = arena_strndup(a, text + len + 3, n - len - 5);
}

/* "URL BRANCH" */
static void split_tree(struct arena *a, const char *text,
		       struct stored_report *r)
{
	size_t len = strcspn(text, " ");

	r->tree = arena_strndup(a, text, len);
	r->branch = text[len] ? arena_strdup(a, text + len + 1) : "";
}

/* "testcase=unixbench; nr_task=1" */
json_t *post_axes(const char *text)
{
	json_t *axes = json_object();

	while (*text) {
		const char *end = strstr(text, "; "), *eq;
		size_t len = end ? (size_t)(end - text) : strlen(text);

		eq = memchr(text, '=', len);
		if (eq)
			json_object_setn_new(axes, text, (size_t)(eq - text),
				json_stringn(eq + 1, len - 1 -
					     (size_t)(eq - text)));
		text += len + (end ? 2 : 0);
	}
	return axes;
}

/* The machines that a test runs on go by one name: "lkp-skl-fpga01". */
static const char *machine_of(struct arena *a, const char *test)
{
	json_t *axes = post_axes(test);
	const char *name = json_member_text(axes, "tbox_group");

	name = name ? arena_strdup(a, name) : "";
	json_decref(axes);
	return name;
}

static void add_people(json_t *people, const struct addresses *list,
		       const char *role)
{
	for (size_t i = 0; i < list->n; i++)
		json_array_append_new(people, json_pack("{s:s,s:s}", "address",
			list->v[i].address, "role", role));
}

static const char *facts_of(struct arena *a, const struct message *m)
{
	json_t *people = json_array(), *facts;
	struct buf text = BUF_INIT(1 << 20);
	const char *s;

	add_people(people, &m->to, "author");
	add_people(people, &m->cc, "participant");
	facts = json_pack("{s:o,s:o}", "people", people, "axes",
			  post_axes(header(m, "X-Perfpost-Test")));
	json_write(&text, facts, 0);
	json_decref(facts);
	s = arena_strdup(a, text.s);
	buf_release(&text);
	return s;
}

int post_earlier(struct store *s, const struct message *m, struct arena *a,
		 struct stored_report *first, struct err *err)
{
	const char *commit = header(m, "X-Perfpost-Commit");
	const char *stat = header(m, "X-Perfpost-Stat");
	struct stored_report *v;
	size_t n;

	if (!*commit || !*stat)
		return 0;
	if (report_by_commit(s, arena_strndup(a, commit, strcspn(commit, " ")),
			     a, &v, &n, err) == -1)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].stat, stat) && *v[i].message_id &&
		    strcmp(v[i].message_id, m->message_id)) {
			*first = v[i];
			return 1;
		}
	return 0;
}

static const char *list_text(const char *const *paths, struct arena *a)
{
	struct buf text = BUF_INIT(1 << 20);
	json_t *list = json_array();
	const char *s;

	for (; paths && *paths; paths++)
		json_array_append_new(list, json_text(*paths));
	json_write(&text, list, 0);
	json_decref(list);
	s = arena_strdup(a, text.s);
	buf_release(&text);
	return s;
}

/* Somebody who may asked us to send nothing more on this. */
static int park_if_stopped(struct store *s, struct arena *a,
			   const struct stored_report *r, struct outgoing *o,
			   struct err *err)
{
	struct stored_report now;
	int rc = report_get(s, r->parent ? r->parent : r->id, a, &now, err);

	if (rc != 1 || now.state != REPORT_STOPPED)
		return rc == -1 ? -1 : 0;
	o->state = OUTBOX_PARKED;
	o->error = arena_printf(a, "%s asked to stop it", now.state_by);
	return 0;
}

/* The report that a mail of ours brings; *id stays 0 when it brings none. */
static int put_report(struct store *s, struct arena *a,
		      const struct message *m, const char *const *results,
		      struct outgoing *o, struct err *err)
{
	const char *key = header(m, "X-Perfpost-Report");
	struct stored_report r = {
		.key = key, .message_id = m->message_id,
		.token = arena_printf(a, "r%.12s", key),
		.subject = subject_base(m->subject), .created = clock_now(),
		.facts_hash = header(m, "X-Perfpost-Revision"),
		.base = header(m, "X-Perfpost-Base"),
		.stat = header(m, "X-Perfpost-Stat"),
		.machine = machine_of(a, header(m, "X-Perfpost-Test")),
		.results = list_text(results, a),
		.state_note = "",
		.state_by = "", .public = m->cc.n > 0,
	}, first = { .key = NULL };

	if (strspn(key, "0123456789abcdef") < 12)
		return 0;
	if (post_earlier(s, m, a, &first, err) == -1)
		return -1;
	if (strcmp(first.key ? first.key : key, key))
		r.parent = first.parent ? first.parent : first.id;
	split_commit(a, header(m, "X-Perfpost-Commit"), &r);
	split_tree(a, header(m, "X-Perfpost-Tree"), &r);
	r.facts = facts_of(a, m);
	if (report_put(s, &r, err) == -1)
		return -1;
	o->report = r.id;
	return park_if_stopped(s, a, &r, o, err);
}

static int put_all(struct store *s, struct arena *a, const struct message *m,
		   const char *const *results, struct outgoing *o,
		   struct err *err)
{
	int rc;

	if (put_report(s, a, m, results, o, err) == -1)
		return -1;
	o->kind = o->report ? "report" : "mail";
	rc = outbox_add(s, o, err);
	if (rc == 1 && audit_add(s, clock_now(), "send", "queued", "outbox",
				 o->id, "from a file", err) == -1)
		return -1;
	return rc;
}

int post_mail(struct store *s, const struct conf *conf,
	      const struct message *m, const void *bytes, size_t len,
	      const char *const *bcc, const char *const *results, int64_t *id,
	      struct err *err)
{
	struct arena a = ARENA_INIT;
	struct envelope e = { .arena = &a };
	struct outgoing o = {
		.message_id = m->message_id, .state = OUTBOX_READY,
		.sender = post_sender(conf, m), .subject = m->subject,
		.created = clock_now(), .bytes = bytes, .len = len,
		.error = "", .person = "",
	};
	int rc;

	for (size_t i = 0; i < m->to.n; i++)
		add(&e, m->to.v[i].address);
	for (size_t i = 0; i < m->cc.n; i++)
		add(&e, m->cc.v[i].address);
	rc = add_bcc(&e, bcc, err);
	o.delivery = e.v;
	o.ndelivery = e.n;
	if (rc == 0)
		rc = store_begin(s, err);
	if (rc == 0) {
		rc = put_all(s, &a, m, results, &o, err);
		if (rc == -1 || store_commit(s, err) == -1) {
			store_rollback(s);
			rc = -1;
		}
	}
	*id = o.id;
	arena_release(&a);
	return rc;
}
