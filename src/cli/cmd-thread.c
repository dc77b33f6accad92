#include "cli/commands.h"

#include <getopt.h>
#include <stdint.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "data/json.h"
#include "mail/mailbox.h"
#include "mail/message.h"
#include "thread/series.h"
#include "thread/thread.h"

static const char usage[] = "thread [OPTION]... FILE...";
static const char help_text[] =
"Show the threads of a mailbox: who answers whom, and which patches are one\n"
"series.  FILE is an mbox, a Maildir, a folder of messages or a message.\n"
"\n"
"  -f, --format text|json  a tree to read (default) or an object a thread\n";

#define OUTPUT_MAX ((size_t)1 << 31)

/* All mails, by their headers. */
struct mails {
	struct arena arena;
	struct thread_mail *v;
	size_t n, cap;
	int rc;
};

static struct strings copy_strings(struct arena *a, const struct strings *s)
{
	struct strings to = { arena_array(a, s->n + 1, sizeof(*to.v)), s->n };

	for (size_t i = 0; i < s->n; i++)
		to.v[i] = arena_strdup(a, s->v[i]);
	return to;
}

static void add_mail(struct mails *l, struct message *m)
{
	struct address author = message_author(m);
	struct arena *a = &l->arena;

	l->v = arena_grow(a, l->v, &l->cap, l->n + 1, sizeof(*l->v));
	l->v[l->n++] = (struct thread_mail){
		.id = arena_strdup(a, m->message_id),
		.in_reply_to = copy_strings(a, &m->in_reply_to),
		.references = copy_strings(a, &m->references),
		.subject = arena_strdup(a, m->subject),
		.author = { arena_strdup(a, author.name),
			    arena_strdup(a, author.address) },
		.date = m->date,
	};
}

static void fail(struct mails *l, const struct err *err)
{
	int rc = cmd_fail(err);

	if (l->rc == EX_OK)
		l->rc = rc;
}

static void read_mailbox(struct mails *l, const char *path)
{
	struct buf bytes = BUF_INIT(MAIL_MAX);
	struct err err = ERR_INIT;
	struct mailbox *box = mailbox_open(path, &err);
	struct message m;
	int rc;

	if (!box) {
		fail(l, &err);
		return;
	}
	while ((rc = mailbox_next(box, &bytes, &err))) {
		if (rc == -1 || message_read_header(&m, bytes.s, bytes.len,
						    &err) == -1) {
			fail(l, &err);
			continue;
		}
		add_mail(l, &m);
		message_release(&m);
	}
	mailbox_close(box);
	buf_release(&bytes);
}

static json_t *id_json(const struct threads *t, size_t i)
{
	return i == THREAD_NONE || !*t->node[i].id ? json_null() :
						     json_text(t->node[i].id);
}

static json_t *node_json(const struct threads *t, size_t i, int depth)
{
	const struct thread_node *n = &t->node[i];
	const struct thread_mail *m = n->mail;

	return json_pack(
		"{s:o,s:o,s:i,s:s,s:b,s:o,s:o,s:o,s:i}",
		"message_id", id_json(t, i), "parent", id_json(t, n->parent),
		"depth", depth, "link", thread_link_name(n->link),
		"ghost", !m,
		"from", m ? json_pack("{s:o,s:o}",
				      "name", json_text(m->author.name),
				      "address",
				      json_text(m->author.address)) :
			    json_null(),
		"subject", json_text(m ? m->subject : NULL),
		"date", m && m->date != INT64_MIN ?
			json_integer((json_int_t)m->date) : json_null(),
		"copies", (int)n->copies);
}

static json_t *series_json(const struct threads *t,
			   const struct series_list *list,
			   const struct series *s)
{
	json_t *ids = json_array(), *missing = json_array();
	const struct series *older = s->older == THREAD_NONE ? NULL :
							       &list->v[s->older];
	size_t first = THREAD_NONE;

	for (size_t i = 0; i <= s->total; i++) {
		if (s->slot[i] != THREAD_NONE)
			json_array_append_new(ids, id_json(t, s->slot[i]));
		else if (i)
			json_array_append_new(missing,
					      json_integer((json_int_t)i));
		if (older && i <= older->total && first == THREAD_NONE)
			first = older->slot[i];
	}
	return json_pack("{s:o,s:i,s:i,s:b,s:o,s:o,s:o,s:o}",
			 "title", json_text(s->title),
			 "version", (int)s->version, "total", (int)s->total,
			 "complete", s->complete,
			 "author", json_text(s->author.address),
			 "messages", ids, "missing", missing,
			 "supersedes", id_json(t, first));
}

/* The series that begin in the thread of "root"; "*next" walks the list. */
static json_t *thread_series(const struct threads *t,
			     const struct series_list *list, size_t root,
			     size_t *next)
{
	json_t *v = json_array();

	for (; *next < list->n; ++*next) {
		const struct series *s = &list->v[*next];

		if (threads_root(t, s->start) != root)
			break;
		json_array_append_new(v, series_json(t, list, s));
	}
	return v;
}

static const char *thread_subject(const struct threads *t, size_t root)
{
	const struct thread_node *n = &t->node[root];

	if (!n->mail && n->child != THREAD_NONE)
		n = &t->node[n->child];
	return n->mail ? n->mail->subject : "";
}

static void thread_json(struct buf *out, const struct threads *t,
			const struct series_list *list, size_t root,
			size_t *next)
{
	json_t *messages = json_array(), *v;
	int depth = 0;

	for (size_t i = root; i != THREAD_NONE;) {
		json_array_append_new(messages, node_json(t, i, depth));
		i = threads_next(t, i, &depth);
	}
	v = json_pack("{s:o,s:o,s:o}",
		      "subject", json_text(thread_subject(t, root)),
		      "messages", messages,
		      "series", thread_series(t, list, root, next));
	json_write(out, v, 0);
	buf_addch(out, '\n');
	json_decref(v);
}

static void add_date(struct buf *out, int64_t date)
{
	time_t t = (time_t)date;
	struct tm tm;
	char text[32];

	if (date == INT64_MIN || !gmtime_r(&t, &tm))
		buf_addstr(out, "no date         ");
	else if (strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm))
		buf_addstr(out, text);
}

/* "text" in exactly "width" columns, made inert. */
static void add_column(struct buf *out, const char *text, size_t width)
{
	struct buf inert = BUF_INIT(65536);
	size_t n;

	utf8_inert(&inert, text, strnlen(text, 8000), false);
	n = utf8_fit(inert.s, inert.len, width);
	buf_add(out, inert.s, n);
	for (size_t w = utf8_width(inert.s, n); w < width; w++)
		buf_addch(out, ' ');
	buf_release(&inert);
}

static void node_text(struct buf *out, const struct threads *t, size_t i,
		      int depth)
{
	const struct thread_node *n = &t->node[i];
	const struct thread_mail *m = n->mail;

	add_date(out, m ? m->date : INT64_MIN);
	buf_addstr(out, "  ");
	add_column(out, !m ? "" : *m->author.name ? m->author.name :
						    m->author.address, 20);
	buf_addstr(out, "  ");
	for (int k = 1; k < depth && k < 20; k++)
		buf_addstr(out, "  ");
	buf_addstr(out, depth ? "`-" : "");
	if (m)
		utf8_inert(out, m->subject, strlen(m->subject), false);
	else
		buf_addstr(out, "(not seen)");
	if (n->copies > 1)
		buf_addf(out, " (%u copies)", n->copies);
	buf_addch(out, '\n');
}

static void series_text(struct buf *out, const struct series_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct series *s = &list->v[i];
		unsigned int seen = 0;

		if (s->total < 2 && s->version < 2)
			continue;
		for (size_t k = 1; k <= s->total; k++)
			seen += s->slot[k] != THREAD_NONE;
		buf_addf(out, "series v%u, %u of %u patches%s: ", s->version,
			 seen, s->total,
			 s->slot[0] == THREAD_NONE ? "" : " and cover letter");
		utf8_inert(out, s->title, strlen(s->title), false);
		buf_addch(out, '\n');
	}
}

static void thread_text(struct buf *out, const struct threads *t, size_t root)
{
	int depth = 0;

	for (size_t i = root; i != THREAD_NONE;) {
		node_text(out, t, i, depth);
		i = threads_next(t, i, &depth);
	}
	buf_addch(out, '\n');
}

static int show(const struct mails *l, bool json)
{
	struct buf out = BUF_INIT(OUTPUT_MAX);
	struct series_list list;
	struct threads t;
	size_t next = 0;
	int rc = EX_OK;

	threads_build(&t, l->v, l->n);
	series_find(&list, &t);
	for (size_t i = 0; i < t.nroot && rc == EX_OK; i++) {
		if (json)
			thread_json(&out, &t, &list, t.root[i], &next);
		else
			thread_text(&out, &t, t.root[i]);
		rc = cmd_print(out.s, out.len);
		buf_reset(&out);
	}
	if (!json && rc == EX_OK) {
		series_text(&out, &list);
		rc = cmd_print(out.s, out.len);
	}
	buf_release(&out);
	series_release(&list);
	threads_release(&t);
	return rc;
}

int cmd_thread(int argc, char **argv)
{
	static const struct option options[] = {
		{ "format", required_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct mails l = { .arena = ARENA_INIT, .rc = EX_OK };
	bool json = false;
	int c, rc;

	while ((c = getopt_long(argc, argv, "f:h", options, NULL)) != -1) {
		if (c == 'h')
			return cmd_help(usage, help_text);
		if (c == 'f' && strcmp(optarg, "text") &&
		    strcmp(optarg, "json")) {
			log_error("--format: '%s' is neither text nor json",
				  optarg);
			return cmd_bad_usage("thread");
		}
		if (c != 'f')
			return cmd_bad_usage("thread");
		json = !strcmp(optarg, "json");
	}
	if (optind == argc) {
		log_error("thread needs a mailbox");
		return cmd_bad_usage("thread");
	}
	for (int i = optind; i < argc; i++)
		read_mailbox(&l, argv[i]);
	rc = show(&l, json);
	arena_release(&l.arena);
	return l.rc == EX_OK ? rc : l.rc;
}
