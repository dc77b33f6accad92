#include "cli/commands.h"

#include <getopt.h>
#include <string.h>
#include <sysexits.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/net.h"
#include "mail/address.h"
#include "mail/header.h"
#include "mail/msgid.h"
#include "store/audit.h"
#include "store/jobs.h"
#include "store/mails.h"
#include "store/outbox.h"
#include "store/requests.h"

static const char usage[] = "why [OPTION]... MESSAGE-ID...";
static const char help_text[] =
"Say what was decided about a mail, on what evidence, and what came of it.\n"
"\n"
"  --json         print JSON\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state to look into, instead of the configuration's\n";

struct why {
	struct net_options net;
	struct store *store;
	struct arena arena;
	json_t *told;		/* with --json: all of them */
	struct buf out;
};

static json_t *requests_of(struct why *w, int64_t mail, struct err *err)
{
	json_t *list = json_array();
	struct asked *v;
	size_t n;

	if (asked_list(w->store, mail, 0, 0, &w->arena, &v, &n, err) == -1)
		n = 0;
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_pack("{s:I,s:s,s:s,s:I,s:I}",
			"id", (json_int_t)v[i].id, "kind", v[i].kind,
			"state", asked_state_name(v[i].state), "report",
			(json_int_t)v[i].report, "job",
			(json_int_t)v[i].job));
	return list;
}

static json_t *mails_of(struct why *w, int64_t mail, struct err *err)
{
	json_t *list = json_array();
	struct outgoing *v;
	size_t n;

	if (outbox_of_mail(w->store, mail, &w->arena, &v, &n, err) == -1)
		n = 0;
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_pack("{s:I,s:s,s:s,s:s,s:s}",
			"id", (json_int_t)v[i].id, "kind", v[i].kind,
			"state", outbox_state_name(v[i].state), "message_id",
			v[i].message_id, "error", v[i].error));
	return list;
}

static json_t *audit_of(struct why *w, int64_t mail, struct err *err)
{
	json_t *list = json_array();
	struct audit *v;
	size_t n;

	if (audit_list(w->store, "mail", mail, &w->arena, &v, &n, err) == -1)
		n = 0;
	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_pack("{s:I,s:s,s:s,s:o}",
			"at", (json_int_t)v[i].at, "who", v[i].who, "what",
			v[i].what, "detail", json_text(v[i].detail)));
	return list;
}

static json_t *mail_json(struct why *w, const struct stored_mail *m,
			 struct err *err)
{
	json_t *evidence = json_read_text(m->evidence, strlen(m->evidence),
					  "evidence", NULL);

	return json_pack("{s:I,s:o,s:o,s:o,s:I,s:o,s:s,s:i,s:s,s:o,s:o,s:o,"
			 "s:o,s:o,s:o}", "id", (json_int_t)m->id, "message_id",
			 json_text(m->message_id), "from",
			 json_text(m->sender), "subject",
			 json_text(m->subject), "received",
			 (json_int_t)m->received, "source",
			 json_text(m->source), "state",
			 mail_state_name(m->state), "tries", m->tries,
			 "decision", m->decision,
			 "reason", json_text(m->reason), "archived_at",
			 json_text(*m->archived_at ? m->archived_at : NULL),
			 "evidence", evidence ? evidence : json_null(),
			 "requests", requests_of(w, m->id, err),
			 "mails", mails_of(w, m->id, err),
			 "audit", audit_of(w, m->id, err));
}

static void line(struct why *w, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	buf_addf(&w->out, "%-10s ", key);
	utf8_inert(&w->out, value, strlen(value), false);
	buf_addch(&w->out, '\n');
}

static void print_item(struct why *w, const json_t *item)
{
	const json_t *request = json_object_get(item, "request");
	const json_t *patch = json_object_get(item, "patch");
	const char *kind = json_member_text(request, "kind");

	line(w, "request", kind ? kind : "(none)");
	line(w, "  from", json_member_text(request, "evidence"));
	line(w, "  outcome", json_member_text(item, "outcome"));
	line(w, "  error", json_member_text(item, "error"));
	line(w, "  reason", json_member_text(item, "reason"));
	line(w, "  role", json_member_text(item, "role"));
	line(w, "  patch", json_member_text(patch, "kind"));
	line(w, "  patch id", json_member_text(patch, "hash"));
	line(w, "  base", json_member_text(item, "base"));
}

/* One that waits has no decision, but may have been tried. */
static void print_decision(struct why *w, const json_t *m)
{
	long long tries = json_integer_value(json_object_get(m, "tries"));

	if (strcmp(json_member_text(m, "state"), mail_state_name(MAIL_NEW)))
		line(w, "decision", json_member_text(m, "decision"));
	else if (tries)
		buf_addf(&w->out, "decision   none yet, after %lld tr%s\n",
			 tries, tries == 1 ? "y" : "ies");
	else
		line(w, "decision", "none yet: it waits for the bot");
	line(w, "reason", json_member_text(m, "reason"));
}

static void print_mail(struct why *w, const json_t *m)
{
	const json_t *evidence = json_object_get(m, "evidence");
	char when[20];
	json_t *one;
	size_t i;

	line(w, "mail", json_member_text(m, "message_id"));
	line(w, "from", json_member_text(m, "from"));
	line(w, "subject", json_member_text(m, "subject"));
	line(w, "received", net_time(when, json_integer_value(
				     json_object_get(m, "received"))));
	line(w, "state", json_member_text(m, "state"));
	print_decision(w, m);
	line(w, "identity", json_member_text(evidence, "proof_reason"));
	line(w, "found by", json_member_text(evidence, "found_by"));
	json_array_foreach(json_object_get(evidence, "items"), i, one)
		print_item(w, one);
	json_array_foreach(json_object_get(m, "requests"), i, one) {
		long long job = json_integer_value(json_object_get(one, "job"));

		buf_addf(&w->out, "became     request %lld: %s",
			 (long long)json_integer_value(
				 json_object_get(one, "id")),
			 json_member_text(one, "state"));
		if (job)
			buf_addf(&w->out, ", job %lld", job);
		buf_addch(&w->out, '\n');
	}
	json_array_foreach(json_object_get(m, "mails"), i, one)
		buf_addf(&w->out, "answered   outbox %lld: %s, %s\n",
			 (long long)json_integer_value(
				 json_object_get(one, "id")),
			 json_member_text(one, "kind"),
			 json_member_text(one, "state"));
	buf_addch(&w->out, '\n');
}

static const char *without_brackets(const char *id, struct arena *a)
{
	size_t len = strlen(id);

	if (*id == '<' && len > 2 && id[len - 1] == '>')
		return arena_strndup(a, id + 1, len - 2);
	return id;
}

static void tell(struct why *w, const struct stored_mail *mail, struct err *err)
{
	json_t *m = mail_json(w, mail, err);

	if (!w->net.json)
		print_mail(w, m);
	json_array_append_new(w->told, m);
}

/* What the header of a mail says that nobody has read.  Only that is looked
 * at: the rest of it is for the bot's reader. */
static void read_header(struct stored_mail *m, struct arena *a)
{
	struct buf id = BUF_INIT(1000);
	const char *text, *from, *subject;
	struct header_block h;
	struct addresses people;

	header_block_read(&h, a, m->bytes, m->len);
	text = header_block_get(&h, "Message-ID");
	from = header_block_get(&h, "From");
	subject = header_block_get(&h, "Subject");
	if (text && msgid_next(&text, &id))
		m->message_id = arena_strdup(a, id.s);
	addresses_read(&people, a, from ? from : "");
	if (people.n)
		m->sender = people.v[0].address;
	if (subject)
		m->subject = words_decode(a, subject, strlen(subject));
	buf_release(&id);
}

/* Those that wait or were given up.  How many, or -1. */
static int explain_unread(struct why *w, const char *id, struct err *err)
{
	struct stored_mail m = { .id = 0 };
	struct arena a = ARENA_INIT;
	int n = 0, rc;

	while ((rc = mail_next_unread(w->store, m.id, &a, &m, err)) == 1) {
		read_header(&m, &a);
		if (!strcmp(m.message_id, id)) {
			tell(w, &m, err);
			n++;
		}
		arena_release(&a);
	}
	arena_release(&a);
	return rc == -1 ? -1 : n;
}

static int explain(struct why *w, const char *id, struct err *err)
{
	struct stored_mail *v;
	int unread;
	size_t n;

	id = without_brackets(id, &w->arena);
	if (mail_list(w->store, id, &w->arena, &v, &n, err) == -1)
		return -1;
	for (size_t i = 0; i < n; i++)
		tell(w, &v[i], err);
	unread = explain_unread(w, id, err);
	if (unread == 0 && !n)
		return err_set(err, ERR_INPUT, "no mail <%s>", id);
	return unread == -1 ? -1 : 0;
}

static int explain_all(struct why *w, char **ids)
{
	struct err err = ERR_INIT;
	int rc = EX_OK;

	w->store = net_store(&w->net, false, &err);
	if (!w->store)
		return cmd_fail(&err);
	w->told = json_array();
	for (; *ids; ids++)
		if (explain(w, *ids, &err) == -1)
			rc = cmd_fail(&err);
	store_close(w->store);
	if (w->net.json)
		net_print_json(w->told);
	else
		json_decref(w->told);
	if (w->out.len && cmd_print(w->out.s, w->out.len) != EX_OK)
		rc = EX_IOERR;
	return rc;
}

int cmd_why(int argc, char **argv)
{
	struct why w = { .arena = ARENA_INIT,
			 .out = BUF_INIT((size_t)64 << 20) };
	int rc, todo = net_take_options(&w.net, usage, help_text, argc, argv);

	if (todo != NET_GO_ON)
		return todo;
	if (optind == argc) {
		log_error("why: which mail?");
		return cmd_bad_usage("why");
	}
	rc = explain_all(&w, argv + optind);
	buf_release(&w.out);
	arena_release(&w.arena);
	return rc;
}
