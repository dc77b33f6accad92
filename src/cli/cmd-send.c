#include "cli/commands.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/utf8.h"
#include "bot/post.h"
#include "cli/cli.h"
#include "cli/send.h"
#include "compose/lint.h"
#include "mail/message.h"

static const char usage[] = "send [OPTION]... FILE...\n"
"       perfpost send [OPTION]... --queued";
static const char help_text[] =
"Send mails through the configured driver, recorded in the state.  FILE is a\n"
"mail or a report as \"perfpost report\" prints them, eml or json (\"-\": standard\n"
"input), or a results file, of which the report is sent.\n"
"\n"
"  --dry-run      say what would be sent to whom; send and record nothing\n"
"  --bcc ADDRESS  somebody who gets it unnamed (may be given more than once)\n"
"  --only-to ADDRESS  send it to ADDRESS and to nobody that it names, and\n"
"                 record nothing: to see it arrive before it goes out\n"
"  --results PATH the results that a finished report was made of (may be given\n"
"                 more than once): for what people ask later\n"
"  --queued       send what waits in the outbox and is due\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state, instead of the configuration's\n";

void send_worsen(struct send_run *r, int code)
{
	if (r->rc == EX_OK || code == EX_UNAVAILABLE)
		r->rc = code;
}

void send_progress(struct send_run *r)
{
	r->done++;
	if (r->all < 2 || !isatty(STDERR_FILENO) ||
	    clock_monotonic_ms() - r->started < 1000)
		return;
	fprintf(stderr, "\rperfpost: %zu of %zu mails%s", r->done, r->all,
		r->done == r->all ? "\n" : "");
}

/* All reasons against it on standard error; false when there are some. */
static bool is_fit(const struct send_run *r, const char *path,
		   const struct buf *mail)
{
	struct lint l = LINT_INIT;
	bool fit;

	l.goes_elsewhere = r->only_to;
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
	if (r->only_to) {
		buf_addf(&out, "  to       %s, and nobody else\n", r->only_to);
	} else {
		list_people(&out, "to", &m->to);
		list_people(&out, "cc", &m->cc);
	}
	for (size_t i = 0; i < r->nbcc; i++)
		buf_addf(&out, "  %-8s %s\n", i ? "" : "unnamed", r->bcc[i]);
	utf8_inert(&inert, m->subject, strlen(m->subject), false);
	buf_addf(&out, "  subject  %s\n  id       <%s>\n  size     %zu bytes\n",
		 inert.s, m->message_id, len);
	cmd_print(out.s, out.len);
	buf_release(&inert);
	buf_release(&out);
}

/* One attempt, past the outbox. */
static int send_only(struct send_run *r, const char *path,
		     const struct message *m, const struct buf *mail,
		     struct err *err)
{
	struct arena a = ARENA_INIT;
	struct send_recipient to = { .address = r->only_to, .reply = "" };
	struct send_mail out = {
		.sender = post_sender(&r->conf, m), .to = &to, .n = 1,
		.bytes = mail->s, .len = mail->len, .arena = &a,
	};
	int rc;

	if (send_is_held_back(r, path))
		return 0;
	rc = sender_send(r->sender, &out, err);
	if (rc == 0)
		printf("%s: sent to %s alone, and not recorded\n", path,
		       r->only_to);
	arena_release(&a);
	return rc;
}

/* By way of the outbox. */
static int post_and_send(struct send_run *r, const char *path,
			 const struct message *m, const struct buf *mail,
			 struct err *err)
{
	int64_t id = 0;

	if (post_mail(r->store, &r->conf, m, mail->s, mail->len, r->bcc,
		      r->nresults ? r->results : NULL, &id, err) == -1)
		return -1;
	return send_is_held_back(r, path) ? 0 : send_one(r, path, id, err);
}

static int send_mail(struct send_run *r, const char *path,
		     const struct buf *mail, struct err *err)
{
	struct message m;
	int rc = 0;

	if (message_read(&m, mail->s, mail->len, err) == -1)
		return -1;
	if (r->dry_run)
		print_plan(r, path, &m, mail->len);
	else if (r->only_to)
		rc = send_only(r, path, &m, mail, err);
	else
		rc = post_and_send(r, path, &m, mail, err);
	message_release(&m);
	return rc;
}

static void send_file(struct send_run *r, const char *path)
{
	struct buf mail = BUF_INIT(MAIL_MAX);
	struct err err = ERR_INIT;

	if (send_load(r, path, &mail, &err) == -1)
		send_worsen(r, cmd_fail(&err));
	else if (mail.len && !is_fit(r, path, &mail))
		send_worsen(r, EX_DATAERR);
	else if (mail.len && send_mail(r, path, &mail, &err) == -1)
		send_worsen(r, cmd_fail(&err));
	buf_release(&mail);
	send_progress(r);
}

static bool needs_store(const struct send_run *r)
{
	return r->queued || !(r->dry_run || r->only_to);
}

static int open_store(struct send_run *r, struct err *err)
{
	lease_owner(r->owner);
	r->store = net_store(&r->net, !r->dry_run, err);
	if (!r->store)
		return -1;
	/* One of us may have died over the mail that is to be sent now. */
	return r->dry_run ? 0 : lease_take_back(r->store, err);
}

static int set_up(struct send_run *r, struct err *err)
{
	if (conf_load(&r->conf, r->net.config, err) == -1)
		return -1;
	/* Where nobody said who sends, nobody meant mail to leave. */
	if (!conf_text(&r->conf, "operator.address"))
		return err_set(err, ERR_CONFIG, "operator.address: who sends "
			       "mail needs an address of its own");
	if (needs_store(r) && open_store(r, err) == -1)
		return -1;
	if (r->dry_run)
		return 0;
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
		{ "only-to", required_argument, NULL, 'o' },
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
		else if (c == 'o')
			r->only_to = optarg;
		else if (c == 'r' && r->nresults < RESULTS_MAX)
			r->results[r->nresults++] = optarg;
		else if (c == 'q')
			r->queued = true;
		else if (c == 's')
			r->net.store = optarg;
		else
			return c == 'h' ? 1 : -1;
	}
	if (r->only_to && (r->queued || r->nbcc || r->nresults)) {
		log_error("send --only-to goes with none of --queued, --bcc "
			  "and --results");
		return -1;
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
	else if (r.queued && (r.dry_run || !send_is_held_back(&r, "the outbox")))
		send_queued(&r);
	else
		for (int i = optind; i < argc; i++)
			send_file(&r, argv[i]);
	tear_down(&r);
	return r.rc;
}
