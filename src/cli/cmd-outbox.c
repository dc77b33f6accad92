#include "cli/commands.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/net.h"
#include "store/audit.h"
#include "store/outbox.h"

static const char usage[] =
"outbox [OPTION]... [list|show|approve|reject|cancel|retry] [MAIL]...";
static const char help_text[] =
"Look into and steer the mails on their way out.\n"
"\n"
"  list             those that were not sent yet (default)\n"
"  show MAIL...     the mail itself; with --json what is known of it\n"
"  approve MAIL...  one that waits for review, or was parked, may go\n"
"  reject MAIL...   it may not\n"
"  cancel MAIL...   one that is ready is not sent\n"
"  retry MAIL...    one that failed, was parked or waits for its next try is\n"
"                   tried again now\n"
"\n"
"  --all          list: those that were sent, too; retry: all that wait for\n"
"                 their next try\n"
"  --json         print JSON\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state to look into, instead of the configuration's\n";

struct box {
	struct net_options net;
	struct store *store;
	struct arena arena;
};

/* Which states an action goes from and to. */
static const struct action {
	const char *name;
	enum outbox_state from[2], to;
} actions[] = {
	{ "approve", { OUTBOX_REVIEW, OUTBOX_PARKED }, OUTBOX_READY },
	{ "reject", { OUTBOX_REVIEW, OUTBOX_PARKED }, OUTBOX_REJECTED },
	{ "cancel", { OUTBOX_READY, OUTBOX_READY }, OUTBOX_REJECTED },
	{ "retry", { OUTBOX_FAILED, OUTBOX_PARKED }, OUTBOX_READY },
};

static const struct action *find_action(const char *name)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (!strcmp(actions[i].name, name))
			return &actions[i];
	return NULL;
}

static json_t *mail_json(const struct outgoing *o)
{
	json_t *to = json_array();

	for (size_t i = 0; i < o->ndelivery; i++)
		json_array_append_new(to, json_pack("{s:s,s:s,s:o}",
			"address", o->delivery[i].address, "state",
			delivery_state_name(o->delivery[i].state), "reply",
			json_text(o->delivery[i].reply)));
	return json_pack("{s:I,s:s,s:s,s:s,s:I,s:I,s:I,s:s,s:s,s:o,s:o,s:i,"
			 "s:o,s:I,s:I,s:I}", "id", (json_int_t)o->id,
			 "message_id", o->message_id, "kind", o->kind,
			 "state", outbox_state_name(o->state), "report",
			 (json_int_t)o->report, "request",
			 (json_int_t)o->request, "mail", (json_int_t)o->mail,
			 "person", o->person, "sender", o->sender, "subject",
			 json_text(o->subject), "recipients", to, "tries",
			 o->tries, "error", json_text(o->error), "due",
			 (json_int_t)o->due, "created",
			 (json_int_t)o->created, "sent",
			 (json_int_t)o->sent);
}

static bool is_over(const struct outgoing *o)
{
	return o->state == OUTBOX_SENT || o->state == OUTBOX_REJECTED;
}

static int print_list(const struct outgoing *v, size_t n, bool all)
{
	struct buf out = BUF_INIT((size_t)64 << 20);
	char when[20];
	int rc;

	buf_addf(&out, "%6s  %-8s  %-8s  %-16s  %5s  %s\n", "MAIL", "STATE",
		 "KIND", "WRITTEN", "TRIES", "SUBJECT");
	for (size_t i = 0; i < n; i++) {
		if (!all && is_over(&v[i]))
			continue;
		buf_addf(&out, "%6lld  %-8s  %-8s  %-16s  %5d  ",
			 (long long)v[i].id, outbox_state_name(v[i].state),
			 v[i].kind, net_time(when, v[i].created), v[i].tries);
		utf8_inert(&out, v[i].subject, strlen(v[i].subject), false);
		if (*v[i].error) {
			buf_addstr(&out, "\n        ");
			utf8_inert(&out, v[i].error, strlen(v[i].error),
				   false);
		}
		buf_addch(&out, '\n');
	}
	rc = cmd_print(out.s, out.len);
	buf_release(&out);
	return rc;
}

static int list(struct box *b, struct err *err)
{
	struct outgoing *v;
	json_t *array;
	size_t n;

	if (outbox_list(b->store, NULL, &b->arena, &v, &n, err) == -1)
		return cmd_fail(err);
	if (!b->net.json)
		return print_list(v, n, b->net.all);
	array = json_array();
	for (size_t i = 0; i < n; i++)
		if (b->net.all || !is_over(&v[i]))
			json_array_append_new(array, mail_json(&v[i]));
	return net_print_json(array);
}

static int show(struct box *b, int64_t id, struct err *err)
{
	struct outgoing o;
	int rc = outbox_get(b->store, id, &b->arena, &o, err);

	if (rc == 0)
		return err_set(err, ERR_INPUT, "no mail %lld", (long long)id);
	if (rc == -1)
		return -1;
	if (b->net.json)
		net_print_json(mail_json(&o));
	else
		cmd_print(o.bytes, o.len);
	return 0;
}

static bool is_retry(const struct action *what)
{
	return what && !strcmp(what->name, "retry");
}

static int steer(struct box *b, const struct action *what, int64_t id,
		 struct err *err)
{
	int64_t now = clock_now();
	int rc = 0;

	if (store_begin(b->store, err) == -1)
		return -1;
	for (int i = 0; i < 2 && rc == 0; i++)
		rc = outbox_move(b->store, id, what->from[i], what->to, "",
				 err);
	if (rc == 0 && is_retry(what))
		rc = outbox_hurry(b->store, id, now, err);
	if (rc == 1 && audit_add(b->store, now, "operator",
				 what->name, "outbox", id, "", err) == -1)
		rc = -1;
	if (rc == 1)
		return store_commit(b->store, err);
	store_rollback(b->store);
	if (rc == 0)
		err_set(err, ERR_INPUT, "mail %lld is not in a state to %s it",
			(long long)id, what->name);
	return -1;
}

static int each(struct box *b, const struct action *what, char **ids,
		struct err *err)
{
	int worst = EX_OK, rc;
	int64_t id;

	for (; *ids; ids++) {
		id = net_id(*ids);
		if (!id)
			rc = err_set(err, ERR_USAGE, "'%s' is no mail", *ids);
		else
			rc = what ? steer(b, what, id, err) : show(b, id, err);
		if (rc == -1)
			worst = cmd_fail(err);
	}
	return worst;
}

/* After a server was away.  What failed or was parked is not among them: it may
 * be old, and is for somebody to look at first. */
static int retry_all(struct box *b, const struct action *retry,
		     struct err *err)
{
	int64_t now = clock_now();
	size_t n, done = 0;
	struct outgoing *v;

	if (outbox_list(b->store, NULL, &b->arena, &v, &n, err) == -1)
		return cmd_fail(err);
	for (size_t i = 0; i < n; i++) {
		if (v[i].state != OUTBOX_READY || v[i].due <= now ||
		    v[i].lease > now)
			continue;
		if (steer(b, retry, v[i].id, err) == -1)
			return cmd_fail(err);
		done++;
	}
	printf("%zu mail%s tried again\n", done, done == 1 ? " is" : "s are");
	return EX_OK;
}

static int dispatch(struct box *b, int argc, char **argv)
{
	const char *verb = argc ? argv[0] : "list";
	const struct action *what = find_action(verb);
	bool listed = !strcmp(verb, "list");
	struct err err = ERR_INIT;
	int rc;

	if (!what && !listed && strcmp(verb, "show")) {
		log_error("outbox: no action '%s'", verb);
		return cmd_bad_usage("outbox");
	}
	if (!listed && (argc < 2) != (is_retry(what) && b->net.all)) {
		log_error(argc < 2 ? "outbox %s: which mail?" :
			  "outbox %s --all takes no mail", verb);
		return cmd_bad_usage("outbox");
	}
	b->store = net_store(&b->net, false, &err);
	if (!b->store)
		return cmd_fail(&err);
	rc = listed ? list(b, &err) : argc < 2 ? retry_all(b, what, &err)
		    : each(b, what, argv + 1, &err);
	store_close(b->store);
	return rc;
}

int cmd_outbox(int argc, char **argv)
{
	struct box b = { .arena = ARENA_INIT };
	int rc, todo = net_take_options(&b.net, usage, help_text, argc, argv);

	if (todo != NET_GO_ON)
		return todo;
	rc = dispatch(&b, argc - optind, argv + optind);
	arena_release(&b.arena);
	return rc;
}
