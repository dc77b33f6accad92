/* "perfpost send": from what stands on the command line to a mail. */
#include "cli/send.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "base/place.h"
#include "bot/again.h"
#include "data/json.h"
#include "mail/message.h"
#include "mail/subject.h"
#include "store/reports.h"

enum { MORE_MAX = 60, REPORT_TIMEOUT_MS = 10 * 60 * 1000 };

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
		"-O", arena_printf(a, "where=%s", e->where),
		"-O", arena_printf(a, "also=%s", e->also), NULL
	};
	size_t n = 12;

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

int send_load(struct send_run *r, const char *path, struct buf *mail,
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
