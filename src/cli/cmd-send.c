#include "cli/commands.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/place.h"
#include "base/utf8.h"
#include "bot/again.h"
#include "bot/deliver.h"
#include "bot/lease.h"
#include "bot/post.h"
#include "cli/cli.h"
#include "cli/net.h"
#include "compose/lint.h"
#include "data/conf.h"
#include "data/json.h"
#include "mail/address.h"
#include "mail/message.h"
#include "mail/subject.h"
#include "store/reports.h"
#include "store/store.h"

static const char usage[] = "send [OPTION]... FILE...\n"
"       perfpost send [OPTION]... --queued";
static const char help_text[] =
"Send mails through the configured driver, recorded in the state.  FILE is a\n"
"mail or a report as \"perfpost report\" prints them, eml or json (\"-\": standard\n"
"input), or a results file, of which the report is sent.\n"
"\n"
"  --dry-run      say what would be sent to whom; send and record nothing\n"
"  --bcc ADDRESS  somebody who gets it unnamed (may be given more than once)\n"
"  --results PATH the results that a finished report was made of (may be given\n"
"                 more than once): for what people ask later\n"
"  --queued       send what waits in the outbox and is due\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state, instead of the configuration's\n";

enum { BCC_MAX = 50, RESULTS_MAX = 100, REPORT_TIMEOUT_MS = 10 * 60 * 1000 };

struct send_run {
	struct net_options net;
	bool dry_run, queued;
	const char *bcc[BCC_MAX + 1];
	size_t nbcc;
	const char *results[RESULTS_MAX + 1];	/* --results, or the file */
	size_t nresults;
	char path[PATH_MAX];	/* of a results file, absolute */
	struct conf conf;
	struct store *store;
	struct sender *sender;
	char owner[OWNER_MAX];	/* of leases */
	size_t done, all;	/* mails, for the progress */
	int64_t started;	/* monotonic ms */
	int rc;			/* the worst exit code so far */
};

static void worsen(struct send_run *r, int code)
{
	if (r->rc == EX_OK || code == EX_UNAVAILABLE)
		r->rc = code;
}

/* On a terminal, when it takes a while. */
static void progress(struct send_run *r)
{
	r->done++;
	if (r->all < 2 || !isatty(STDERR_FILENO) ||
	    clock_monotonic_ms() - r->started < 1000)
		return;
	fprintf(stderr, "\rperfpost: %zu of %zu mails%s", r->done, r->all,
		r->done == r->all ? "\n" : "");
}

enum { MORE_MAX = 60 };

/* The report of a results file, by our own other program; "more" are options
 * of it, NULL-terminated. */
static int make_report(const struct send_run *r, const char *path,
		       const struct buf *json, const char *const *more,
		       struct buf *mail, struct err *err)
{
	struct buf program = BUF_INIT(8192);
	bool input = !strcmp(path, "-");
	const char *argv[MORE_MAX + 6] = { NULL, "report" };
	size_t n = 2;
	int status;

	place_program(&program, "perfpost");
	argv[0] = program.s;
	if (r->net.config) {
		argv[n++] = "--config";
		argv[n++] = r->net.config;
	}
	while (more && *more && n < MORE_MAX + 4)
		argv[n++] = *more++;
	argv[n++] = path;
	buf_reset(mail);
	status = child_run(&(struct child_spec){
		.argv = argv, .input = input ? json->s : NULL,
		.input_len = json->len, .out = mail,
		.timeout_ms = REPORT_TIMEOUT_MS }, err);
	buf_release(&program);
	if (status > 0)
		return err_set(err, ERR_INPUT, "'%s' gives no report", path);
	return status;
}

static bool is_json(const struct buf *b)
{
	const char *s = b->s + strspn(b->s, " \t\r\n");

	return *s == '{' || *s == '[';
}

static size_t add_people(const char *more[MORE_MAX + 1], size_t n,
			 const char *option, struct addresses people)
{
	for (size_t i = 0; i < people.n && n + 2 <= MORE_MAX; i++) {
		more[n++] = option;
		more[n++] = people.v[i].address;
	}
	more[n] = NULL;
	return n;
}

/* The same as an answer to the mail that reported it first. */
static int report_again(const struct send_run *r, const char *path,
			const struct buf *json, const struct earlier *e,
			struct buf *mail, struct arena *a, struct err *err)
{
	const char *more[MORE_MAX + 1] = {
		"-t", "again", "--rows", "12", "--in-reply-to",
		e->report.message_id,
		"-O", arena_printf(a, "subject=%s",
				   subject_base(e->report.subject)),
		"-O", arena_printf(a, "where=%s", e->where), NULL
	};
	size_t n = 10;

	n = add_people(more, n, "--to", again_people(e, "author", a));
	add_people(more, n, "--cc", again_people(e, "participant", a));
	return make_report(r, path, json, more, mail, err);
}

/* In place of a finished report, whatever form it came in. */
static int write_again(struct buf *mail, const struct earlier *e,
		       const struct message *m, struct arena *a,
		       struct err *err)
{
	struct buf out = BUF_INIT(MAIL_MAX);
	int rc = again_write(&out, e, m, a, err);

	if (rc == 0) {
		buf_reset(mail);
		buf_add(mail, out.s, out.len);
	}
	buf_release(&out);
	return rc;
}

/*
 * What was reported before is said in the thread of the first report, and only
 * what is new.  Where nothing is, "mail" is empty afterwards.
 */
static int thread_again(const struct send_run *r, const char *path,
			const struct buf *json, struct buf *mail,
			struct err *err)
{
	struct arena a = ARENA_INIT;
	enum again again = AGAIN_FIRST;
	struct earlier e;
	struct message m;
	int rc = message_read(&m, mail->s, mail->len, err);

	if (rc == 0 && r->store && !m.in_reply_to.n)
		again = again_find(&e, r->store, &m, &a, err);
	if (again == AGAIN_FAILED)
		rc = -1;
	if (again == AGAIN_SAME) {
		printf("%s: nothing new, and not sent: <%s> reported it\n",
		       path, e.report.message_id);
		buf_reset(mail);
	} else if (again == AGAIN_NEW && json->len) {
		rc = report_again(r, path, json, &e, mail, &a, err);
	} else if (again == AGAIN_NEW) {
		rc = write_again(mail, &e, &m, &a, err);
	}
	message_release(&m);
	arena_release(&a);
	return rc == -1 ? -1 : 0;
}

/* What "perfpost report -f json" prints begins with its format. */
static bool is_report(const struct buf *b)
{
	return memmem(b->s, b->len < 200 ? b->len : 200,
		      "\"perfpost-report/1\"", 19);
}

/* The mail inside of it. */
static int take_mail(const char *path, struct buf *mail, struct err *err)
{
	json_t *report = json_read_text(mail->s, mail->len, path, err);
	const char *text = json_member_text(report, "mail");
	const char *why = json_member_text(report, "mail_refused");
	int rc = report ? 0 : -1;

	buf_reset(mail);
	if (text)
		buf_addstr(mail, text);
	else if (report)
		rc = err_set(err, ERR_INPUT, "'%s' holds no mail%s%s", path,
			     why ? ": " : "", why ? why : "");
	json_decref(report);
	return rc;
}

/* From JSON in "mail": the report itself, or results to be reported, which
 * then stand in "json". */
static int load_json(struct send_run *r, const char *path, struct buf *json,
		     struct buf *mail, struct err *err)
{
	if (is_report(mail))
		return take_mail(path, mail, err);
	buf_add(json, mail->s, mail->len);
	r->nresults = realpath(path, r->path) != NULL;
	r->results[0] = r->path;
	return make_report(r, path, json, NULL, mail, err);
}

/* The mail that "path" holds or stands for. */
static int load(struct send_run *r, const char *path, struct buf *mail,
		struct err *err)
{
	struct buf json = BUF_INIT(MAIL_MAX);
	int rc = 0;

	if (file_read(path, mail, err) == -1)
		return -1;
	if (is_json(mail))
		rc = load_json(r, path, &json, mail, err);
	if (rc == 0)
		rc = thread_again(r, path, &json, mail, err);
	buf_release(&json);
	return rc;
}

/* All reasons against it on standard error; false when there are some. */
static bool is_fit(const char *path, const struct buf *mail)
{
	struct lint l = LINT_INIT;
	bool fit;

	lint_mail(&l, mail->s, mail->len, NULL);
	for (size_t i = 0; i < l.n; i++)
		log_error("%s: %s", path, l.reason[i]);
	if (l.warning)
		log_warn("%s: %s", path, l.warning);
	fit = l.n == 0;
	lint_release(&l);
	return fit;
}

static void list_people(struct buf *out, const char *label,
			const struct addresses *list)
{
	for (size_t i = 0; i < list->n; i++)
		buf_addf(out, "  %-8s %s\n", i ? "" : label,
			 list->v[i].address);
}

static void print_plan(const struct send_run *r, const char *path,
		       const struct message *m, size_t len)
{
	struct buf out = BUF_INIT(1 << 20), inert = BUF_INIT(1 << 20);

	buf_addf(&out, "%s: would be sent by %s\n", path,
		 conf_text(&r->conf, "send.driver"));
	buf_addf(&out, "  sender   %s\n", post_sender(&r->conf, m));
	list_people(&out, "to", &m->to);
	list_people(&out, "cc", &m->cc);
	for (size_t i = 0; i < r->nbcc; i++)
		buf_addf(&out, "  %-8s %s\n", i ? "" : "unnamed", r->bcc[i]);
	utf8_inert(&inert, m->subject, strlen(m->subject), false);
	buf_addf(&out, "  subject  %s\n  id       <%s>\n  size     %zu bytes\n",
		 inert.s, m->message_id, len);
	cmd_print(out.s, out.len);
	buf_release(&inert);
	buf_release(&out);
}

static void say(struct send_run *r, const char *name, const struct outgoing *o)
{
	size_t sent = 0;

	for (size_t i = 0; i < o->ndelivery; i++)
		sent += o->delivery[i].state == DELIVERY_SENT;
	switch (o->state) {
	case OUTBOX_SENT:
		printf("%s: sent to %zu of %zu\n", name, sent, o->ndelivery);
		if (*o->error)
			log_warn("%s: %s", name, o->error);
		break;
	case OUTBOX_READY:
		log_error("%s: kept for another try: %s", name, o->error);
		worsen(r, EX_TEMPFAIL);
		break;
	default:
		log_error("%s: %s: %s", name, outbox_state_name(o->state),
			  o->error);
		worsen(r, EX_UNAVAILABLE);
	}
	fflush(stdout);
}

/* The lease is ours: one attempt. */
static int attempt(struct send_run *r, const char *name, struct outgoing *o,
		   struct arena *a, struct err *err)
{
	if (deliver(r->store, r->sender, o, conf_int(&r->conf, "send.tries"),
		    a, err) == -1)
		return -1;
	say(r, name, o);
	return 0;
}

/* It stood in the outbox before, or another has it: nothing to do here. */
static void say_standing(struct send_run *r, const char *name,
			 const struct outgoing *o)
{
	if (o->state == OUTBOX_SENT) {
		printf("%s: was sent before\n", name);
		return;
	}
	log_error("%s: stands in the outbox as %s%s%s", name,
		  o->state == OUTBOX_READY ? "being sent" :
		  outbox_state_name(o->state), *o->error ? ": " : "",
		  o->error);
	worsen(r, EX_TEMPFAIL);
}

/* The emergency stop: what is queued stays queued. */
static bool is_held_back(struct send_run *r, const char *name)
{
	const char *stop = conf_text(&r->conf, "bot.stop_file");

	if (!stop || !file_exists(stop))
		return false;
	log_error("%s: kept: '%s' holds all mail back", name, stop);
	worsen(r, EX_TEMPFAIL);
	return true;
}

static int send_one(struct send_run *r, const char *name, int64_t id,
		    struct err *err)
{
	struct arena a = ARENA_INIT;
	struct outgoing o = { .id = 0 };
	int rc = outbox_take_one(r->store, id, r->owner, clock_now(),
				 deliver_lease(&r->conf), &a, &o, err);

	if (rc == 1) {
		rc = attempt(r, name, &o, &a, err);
	} else if (rc == 0) {
		rc = outbox_get(r->store, id, &a, &o, err);
		if (rc == 1)
			say_standing(r, name, &o);
	}
	arena_release(&a);
	return rc == -1 ? -1 : 0;
}

static int send_mail(struct send_run *r, const char *path,
		     const struct buf *mail, struct err *err)
{
	struct message m;
	int64_t id = 0;
	int rc = 0;

	if (message_read(&m, mail->s, mail->len, err) == -1)
		return -1;
	if (r->dry_run)
		print_plan(r, path, &m, mail->len);
	else
		rc = post_mail(r->store, &r->conf, &m, mail->s, mail->len,
			       r->bcc, r->nresults ? r->results : NULL,
			       &id, err);
	message_release(&m);
	if (rc == -1 || r->dry_run)
		return rc;
	if (is_held_back(r, path))
		return 0;
	return send_one(r, path, id, err);
}

static void send_file(struct send_run *r, const char *path)
{
	struct buf mail = BUF_INIT(MAIL_MAX);
	struct err err = ERR_INIT;

	if (load(r, path, &mail, &err) == -1)
		worsen(r, cmd_fail(&err));
	else if (mail.len && !is_fit(path, &mail))
		worsen(r, EX_DATAERR);
	else if (mail.len && send_mail(r, path, &mail, &err) == -1)
		worsen(r, cmd_fail(&err));
	buf_release(&mail);
	progress(r);
}

/* What would be sent of it to whom: those who were served are not asked again. */
static void plan_queued(const struct send_run *r, const struct outgoing *o,
			struct buf *out)
{
	const char *label = "to";

	buf_addf(out, "mail %lld: would be sent by %s\n", (long long)o->id,
		 conf_text(&r->conf, "send.driver"));
	buf_addf(out, "  sender   %s\n", o->sender);
	for (size_t i = 0; i < o->ndelivery; i++) {
		if (o->delivery[i].state != DELIVERY_READY)
			continue;
		buf_addf(out, "  %-8s %s\n", label, o->delivery[i].address);
		label = "";
	}
	buf_addstr(out, "  subject  ");
	utf8_inert(out, o->subject, strlen(o->subject), false);
	buf_addf(out, "\n  id       <%s>\n", o->message_id);
}

/* How many mails of the outbox are due; a dry run says which. */
static int count_queued(struct send_run *r, int64_t now, struct err *err)
{
	const enum outbox_state ready = OUTBOX_READY;
	struct buf out = BUF_INIT((size_t)64 << 20);
	struct arena a = ARENA_INIT;
	struct outgoing *v;
	size_t n;
	int rc = outbox_list(r->store, &ready, &a, &v, &n, err);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (v[i].due > now || v[i].lease > now)
			continue;
		r->all++;
		if (r->dry_run)
			plan_queued(r, &v[i], &out);
	}
	if (rc == 0 && r->dry_run)
		cmd_print(out.s, out.len);
	arena_release(&a);
	buf_release(&out);
	return rc;
}

/* The next of the outbox that is due. 1, 0: there is none, -1. */
static int send_next(struct send_run *r, int64_t now, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct outgoing o = { .id = 0 };
	int rc = outbox_take(r->store, r->owner, now, deliver_lease(&r->conf),
			     &a, &o, err);

	if (rc == 1 && attempt(r, o.message_id, &o, &a, err) == -1)
		rc = -1;
	if (rc == 1)
		progress(r);
	arena_release(&a);
	return rc;
}

/* Everything in the outbox that is due, each once. */
static void send_queued(struct send_run *r)
{
	int64_t now = clock_now();
	struct err err = ERR_INIT;
	int rc = count_queued(r, now, &err);

	if (rc == 0 && !r->dry_run)
		do
			rc = send_next(r, now, &err);
		while (rc == 1);
	if (rc == -1)
		worsen(r, cmd_fail(&err));
}

static int set_up(struct send_run *r, struct err *err)
{
	if (conf_load(&r->conf, r->net.config, err) == -1)
		return -1;
	/* Where nobody said who sends, nobody meant mail to leave. */
	if (!conf_text(&r->conf, "operator.address"))
		return err_set(err, ERR_CONFIG, "operator.address: who sends "
			       "mail needs an address of its own");
	if (r->dry_run && !r->queued)
		return 0;
	lease_owner(r->owner);
	r->store = net_store(&r->net, !r->dry_run, err);
	if (!r->store)
		return -1;
	if (r->dry_run)
		return 0;
	/* One of us may have died over the mail that is to be sent now. */
	if (lease_take_back(r->store, err) == -1)
		return -1;
	r->sender = sender_open(&r->conf, err);
	return r->sender ? 0 : -1;
}

static void tear_down(struct send_run *r)
{
	sender_close(r->sender);
	if (r->store)
		store_close(r->store);
	conf_release(&r->conf);
}

static int take_options(struct send_run *r, int argc, char **argv)
{
	static const struct option options[] = {
		{ "bcc", required_argument, NULL, 'b' },
		{ "config", required_argument, NULL, 'c' },
		{ "dry-run", no_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ "queued", no_argument, NULL, 'q' },
		{ "results", required_argument, NULL, 'r' },
		{ "store", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "nh", options, NULL)) != -1) {
		if (c == 'b' && r->nbcc < BCC_MAX)
			r->bcc[r->nbcc++] = optarg;
		else if (c == 'c')
			r->net.config = optarg;
		else if (c == 'n')
			r->dry_run = true;
		else if (c == 'r' && r->nresults < RESULTS_MAX)
			r->results[r->nresults++] = optarg;
		else if (c == 'q')
			r->queued = true;
		else if (c == 's')
			r->net.store = optarg;
		else
			return c == 'h' ? 1 : -1;
	}
	if ((optind == argc) == r->queued)
		return 0;
	log_error(r->queued ? "send --queued takes no mails" :
			      "send needs a mail, or --queued");
	return -1;
}

int cmd_send(int argc, char **argv)
{
	struct send_run r = { .rc = EX_OK, .started = clock_monotonic_ms() };
	struct err err = ERR_INIT;
	int todo = take_options(&r, argc, argv);

	if (todo == 1)
		return cmd_help(usage, help_text);
	if (todo == -1)
		return cmd_bad_usage("send");
	r.all = (size_t)(argc - optind);
	if (set_up(&r, &err) == -1)
		r.rc = cmd_fail(&err);
	else if (r.queued && (r.dry_run || !is_held_back(&r, "the outbox")))
		send_queued(&r);
	else
		for (int i = optind; i < argc; i++)
			send_file(&r, argv[i]);
	tear_down(&r);
	return r.rc;
}
