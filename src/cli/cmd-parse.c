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
#include "cli/message-json.h"
#include "cli/pool.h"
#include "mail/address.h"
#include "mail/mailbox.h"
#include "mail/message.h"
#include "request/request.h"

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
	struct buf out;		/* a message's line */
	int rc;			/* exit code so far */
};

/* One message to one line. */
static int parse_message(const struct parse *p, const struct buf *bytes,
			 struct buf *out, struct err *err)
{
	struct message m;
	struct requests r;

	if (message_read(&m, bytes->s, bytes->len, err) == -1)
		return -1;
	requests_find(&r, &m, p->grammar, &p->robot);
	message_write_json(out, &m, &r, robot_wrote(&p->robot, &m), p->explain);
	buf_addch(out, '\n');
	requests_release(&r);
	message_release(&m);
	return 0;
}

/* What cannot be read is said; the rest is. False: nobody reads on. */
static bool parse_next(struct parse *p, struct pool *pool, const char *place,
		       const struct buf *bytes)
{
	struct err err = ERR_INIT;

	buf_reset(&p->out);
	if (parse_message(p, bytes, &p->out, &err) == 0)
		return pool_put(pool, &p->out, NULL);
	err_in(&err, "%s", place);
	return pool_put(pool, NULL, &err);
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
	struct parse p = { .jobs = 1, .rc = EX_OK,
			   .out = BUF_INIT((size_t)1 << 31) };
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
	buf_release(&p.out);
	arena_release(&arena);
	return p.rc;
}
