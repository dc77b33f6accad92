#include "cli/commands.h"

#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/pool.h"
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
"  --explain      say of each sentence which rule fired, or why none did\n"
"  -j, --jobs N   work in N processes; the output is the same\n";

struct parse {
	struct strings own;	/* --own */
	const char *prefix;	/* --prefix, or NULL */
	bool explain;
	struct grammar *grammar;
	struct robot robot;
	char **files;		/* ends with NULL */
	unsigned int jobs;
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

/* One message to one line. */
static int parse_message(const struct parse *p, const struct buf *bytes,
			 struct buf *out, struct err *err)
{
	struct message m;
	struct requests r;
	json_t *v;

	if (message_read(&m, bytes->s, bytes->len, err) == -1)
		return -1;
	requests_find(&r, &m, p->grammar, &p->robot);
	v = message_json(p, &m, &r);
	if (p->explain)
		json_object_set_new(v, "explanations", explanations_json(&r));
	json_write(out, v, 0);
	buf_addch(out, '\n');
	json_decref(v);
	requests_release(&r);
	message_release(&m);
	return 0;
}

/* What cannot be read is said; the rest is. False: nobody reads on. */
static bool parse_next(struct parse *p, struct pool *pool, const char *place,
		       const struct buf *bytes)
{
	struct buf out = BUF_INIT((size_t)1 << 31);
	struct err err = ERR_INIT;
	bool more;

	if (parse_message(p, bytes, &out, &err) == -1) {
		err_in(&err, "%s", place);
		more = pool_put(pool, NULL, &err);
	} else {
		more = pool_put(pool, &out, NULL);
	}
	buf_release(&out);
	return more;
}

static bool parse_mailbox(struct parse *p, struct pool *pool,
			  const char *path)
{
	struct buf bytes = BUF_INIT(MAIL_MAX);
	struct err err = ERR_INIT;
	struct mailbox *box = mailbox_open(path, &err);
	bool mine, more = true;
	int rc;

	if (!box)
		return !pool_mine(pool) || pool_put(pool, NULL, &err);
	do {
		mine = pool_mine(pool);
		rc = mailbox_next(box, mine ? &bytes : NULL, &err);
		if (!mine)
			continue;
		more = rc == 1 ? parse_next(p, pool, mailbox_place(box),
					    &bytes) :
		       pool_put(pool, NULL, rc == -1 ? &err : NULL);
	} while (rc && more);
	mailbox_close(box);
	buf_release(&bytes);
	return more;
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
	p->rc = cmd_fail(&err);
	return -1;
}

static void parse_all(struct pool *pool, void *arg)
{
	struct parse *p = arg;

	for (char **f = p->files; *f; f++)
		if (!parse_mailbox(p, pool, *f))
			return;
}

static int run(struct parse *p, struct arena *a)
{
	static char input[] = "-", *standard_input[] = { input, NULL };

	if (!*p->files)
		p->files = standard_input;
	for (char **f = p->files; *f; f++)
		if (!strcmp(*f, "-"))
			p->jobs = 1;	/* only one process can read it */
	if (prepare(p, a) == -1)
		return p->rc;
	p->rc = pool_run(p->jobs, parse_all, p);
	grammar_free(p->grammar);
	return p->rc;
}

static void add_own(struct parse *p, struct arena *a, size_t *cap,
		    const char *address)
{
	p->own.v = arena_grow(a, p->own.v, cap, p->own.n + 1,
			      sizeof(*p->own.v));
	p->own.v[p->own.n++] = address;
}

static int read_jobs(struct parse *p, const char *text)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*end || !isdigit((unsigned char)*text) || !n || n > POOL_MAX) {
		log_error("bad number of jobs '%s'", text);
		return -1;
	}
	p->jobs = (unsigned int)n;
	return 0;
}

int cmd_parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "own", required_argument, NULL, 'o' },
		{ "prefix", required_argument, NULL, 'p' },
		{ "explain", no_argument, NULL, 'e' },
		{ "jobs", required_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct parse p = { .jobs = 1, .rc = EX_OK };
	struct arena arena = ARENA_INIT;
	size_t cap = 0;
	int c;

	while ((c = getopt_long(argc, argv, "hj:", options, NULL)) != -1) {
		if (c == 'o') {
			add_own(&p, &arena, &cap, optarg);
		} else if (c == 'p') {
			p.prefix = optarg;
		} else if (c == 'e') {
			p.explain = true;
		} else if (c == 'j' && read_jobs(&p, optarg) == 0) {
			continue;
		} else {
			arena_release(&arena);
			return c == 'h' ? cmd_help(usage, help_text)
					: cmd_bad_usage("parse");
		}
	}
	p.files = argv + optind;
	p.rc = run(&p, &arena);
	arena_release(&arena);
	return p.rc;
}
