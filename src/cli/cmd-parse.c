#include "cli/commands.h"

#include <getopt.h>
#include <string.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/err.h"
#include "cli/cli.h"
#include "data/json.h"
#include "mail/address.h"
#include "mail/mailbox.h"
#include "mail/message.h"
#include "request/request-json.h"

static const char usage[] = "parse [OPTION]... [FILE]...";
static const char help_text[] =
"Say what perfpost reads in messages: one JSON object a line.\n"
"FILE is a message, an mbox, a Maildir or a folder; none: standard input.\n"
"\n"
"  --own ADDRESS  an address of ours (may be given more than once)\n"
"  --prefix TEXT  begins a command (default: #robot)\n"
"  --explain      say of each sentence which rule fired, or why none did\n";

struct parse {
	struct strings own;	/* --own */
	const char *prefix;	/* --prefix, or NULL */
	bool explain;
	struct grammar *grammar;
	struct robot robot;
	int rc;			/* exit code so far */
};

static json_t *texts(const struct strings *s)
{
	json_t *v = json_array();

	for (size_t i = 0; i < s->n; i++)
		json_array_append_new(v, json_text(s->v[i]));
	return v;
}

static json_t *mailbox_json(const struct address *a)
{
	return json_pack("{s:o,s:o}", "name", json_text(a->name),
			 "address", json_text(a->address));
}

static json_t *mailboxes_json(const struct addresses *a)
{
	json_t *v = json_array();

	for (size_t i = 0; i < a->n; i++)
		json_array_append_new(v, mailbox_json(&a->v[i]));
	return v;
}

static json_t *patches_json(const struct message *m)
{
	json_t *v = json_array();

	for (size_t i = 0; i < m->npatch; i++) {
		const struct patch *p = &m->patch[i];

		json_array_append_new(v, json_pack(
			"{s:s,s:o,s:o,s:s,s:I,s:o}",
			"source", p->attached ? "attachment" : "inline",
			"name", json_text(p->name), "files", texts(&p->files),
			"verdict", patch_verdict_name(p->verdict),
			"line", (json_int_t)p->line,
			"text", json_text(p->text)));
	}
	return v;
}

static bool is_own(const struct parse *p, const struct message *m)
{
	for (size_t i = 0; i < p->own.n; i++)
		if (address_is_same_untagged(m->from.address, p->own.v[i]))
			return true;
	return false;
}

static json_t *message_json(const struct parse *p, const struct message *m,
			    const struct requests *r)
{
	json_t *date = m->date == INT64_MIN ? json_null() :
		json_integer((json_int_t)m->date);

	return json_pack(
		"{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,"
		"s:b,s:b,s:o,s:o,s:o,s:o,s:o}",
		"message_id", json_text(*m->message_id ? m->message_id : NULL),
		"in_reply_to", texts(&m->in_reply_to),
		"references", texts(&m->references),
		"from", mailbox_json(&m->from),
		"to", mailboxes_json(&m->to), "cc", mailboxes_json(&m->cc),
		"reply_to", mailboxes_json(&m->reply_to),
		"subject", json_text(m->subject), "date", date,
		"list_id", json_text(m->list_id),
		"automatic", m->automatic, "own", is_own(p, m),
		"body", json_text(m->body), "new_text", json_text(m->new_text),
		"patches", patches_json(m), "commands", commands_json(r),
		"requests", requests_json(r));
}

static void fail(struct parse *p, const struct err *err)
{
	int rc = cmd_fail(err);

	if (p->rc == EX_OK)
		p->rc = rc;
}

/* One message: one line. False when nobody reads on. */
static bool print_message(struct parse *p, const struct buf *bytes,
			  const char *place)
{
	struct buf out = BUF_INIT((size_t)1 << 31);
	struct err err = ERR_INIT;
	struct message m;
	struct requests r;
	json_t *v;
	int rc;

	if (message_read(&m, bytes->s, bytes->len, &err) == -1) {
		err_in(&err, "%s", place);
		fail(p, &err);
		return true;
	}
	requests_find(&r, &m, p->grammar, &p->robot);
	v = message_json(p, &m, &r);
	if (p->explain)
		json_object_set_new(v, "explanations", explanations_json(&r));
	json_write(&out, v, 0);
	buf_addch(&out, '\n');
	rc = cmd_print(out.s, out.len);
	json_decref(v);
	buf_release(&out);
	requests_release(&r);
	message_release(&m);
	if (rc != EX_OK)
		p->rc = rc;
	return rc == EX_OK;
}

static void parse_mailbox(struct parse *p, const char *path)
{
	struct buf bytes = BUF_INIT(MAIL_MAX);
	struct err err = ERR_INIT;
	struct mailbox *box = mailbox_open(path, &err);
	int rc;

	if (!box) {
		fail(p, &err);
		return;
	}
	while ((rc = mailbox_next(box, &bytes, &err))) {
		if (rc == -1)
			fail(p, &err);
		else if (!print_message(p, &bytes, mailbox_place(box)))
			break;
	}
	mailbox_close(box);
	buf_release(&bytes);
}

/* Everything that does not depend on the message. */
static int prepare(struct parse *p, struct arena *a)
{
	struct err err = ERR_INIT;

	robot_init(&p->robot, a, &p->own);
	if (p->prefix)
		p->robot.prefix = p->prefix;
	p->grammar = grammar_load(NULL, &err);
	if (p->grammar)
		return 0;
	fail(p, &err);
	return -1;
}

static void parse_all(struct parse *p, struct arena *a, int n, char **files)
{
	if (prepare(p, a) == -1)
		return;
	if (!n)
		parse_mailbox(p, "-");
	for (int i = 0; i < n; i++)
		parse_mailbox(p, files[i]);
	grammar_free(p->grammar);
}

static void add_own(struct parse *p, struct arena *a, size_t *cap,
		    const char *address)
{
	p->own.v = arena_grow(a, p->own.v, cap, p->own.n + 1,
			      sizeof(*p->own.v));
	p->own.v[p->own.n++] = address;
}

int cmd_parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "own", required_argument, NULL, 'o' },
		{ "prefix", required_argument, NULL, 'p' },
		{ "explain", no_argument, NULL, 'e' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct parse p = { .rc = EX_OK };
	struct arena arena = ARENA_INIT;
	size_t cap = 0;
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'o') {
			add_own(&p, &arena, &cap, optarg);
		} else if (c == 'p') {
			p.prefix = optarg;
		} else if (c == 'e') {
			p.explain = true;
		} else {
			arena_release(&arena);
			return c == 'h' ? cmd_help(usage, help_text)
					: cmd_bad_usage("parse");
		}
	}
	parse_all(&p, &arena, argc - optind, argv + optind);
	arena_release(&arena);
	return p.rc;
}
