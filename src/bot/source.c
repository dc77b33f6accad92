#include "bot/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/percent.h"
#include "bot/mbox.h"
#include "bot/reader.h"
#include "bot/series.h"
#include "data/source.h"
#include "mail/subject.h"
#include "people/git.h"
#include "policy/patch.h"
#include "policy/url.h"
#include "store/mails.h"
#include "thread/series.h"

#define PATCHES_IN_SOURCE 200
#define SIBLINGS_MAX 400	/* mails of a sender that are looked through */

void opened_release(struct opened *o)
{
	for (size_t i = 0; i < o->n; i++) {
		message_release(o->v[i]);
		free(o->v[i]);
	}
	o->n = 0;
}

/* Read another mail; NULL when there are too many or it cannot be read. */
static const struct message *open_mail(struct opened *o, const struct bot *bot,
				       const void *bytes, size_t len)
{
	struct message *m;

	if (o->n == OPENED_MAX)
		return NULL;
	m = calloc(1, sizeof(*m));
	if (!m)
		die_no_memory();
	if (reader_message(m, bot, bytes, len, NULL) == -1) {
		message_release(m);
		free(m);
		return NULL;
	}
	o->v[o->n++] = m;
	return m;
}

static int fail(struct source *src, const char *error, const char *reason)
{
	src->error = error;
	src->reason = reason;
	return 0;
}

static const char *damage(enum patch_verdict v)
{
	switch (v) {
	case PATCH_WRAPPED:
		return "its long lines were broken by a mail program";
	case PATCH_WHITESPACE:
		return "its tabs or blanks were changed by a mail program";
	case PATCH_COUNTS:
		return "a hunk does not have the lines that its @@ line says";
	case PATCH_TRUNCATED:
		return "it is cut off";
	case PATCH_OK:
	case PATCH_BINARY:
		break;
	}
	return NULL;
}

/* Judge what was put together, and remember what it touches. */
static int judge(struct source *src, const struct bot *bot, struct arena *a)
{
	struct patch_finding f;

	patch_check(&f, src->diff, strlen(src->diff), &bot->settings->patch, a);
	src->file = f.file;
	src->nfile = f.nfile;
	src->host_files = f.nhost_file > 0;
	src->host_file = f.nhost_file ? f.host_file[0] : NULL;
	if (f.flaw == FLAW_NONE)
		return 0;
	return fail(src, patch_flaw_name(f.flaw), f.line ?
		    arena_printf(a, "line %zu of the patch: %s", f.line,
				 f.reason) :
		    f.reason);
}

static bool wanted(const struct patch *p, int attached)
{
	return attached == -1 || p->attached == (attached == 1);
}

/* By its own headers, else, where the mail is the patch, by the mail's. */
static void name(struct source *src, const struct patch *p,
		 const struct message *m, bool whole)
{
	src->subject = p->subject ? p->subject : whole && *m->subject
		? m->subject : NULL;
	src->author = p->author ? p->author : whole ? m->from.address : NULL;
}

/*
 * Put the patches of the mails together.  "attached": 1 those that were, 0
 * those that were not, -1 all.
 */
static int gather(struct source *src, const struct bot *bot,
		  const struct message *const *mail, size_t n, int attached,
		  struct arena *a)
{
	struct buf diff = BUF_INIT(bot->settings->patch.max_size + 1);
	struct buf mbox = BUF_INIT(bot->settings->patch.max_size * 2 + 65536);
	const char *id[PATCHES_IN_SOURCE], *flaw;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < mail[i]->npatch; k++) {
			const struct patch *p = &mail[i]->patch[k];

			if (!wanted(p, attached) ||
			    src->count == PATCHES_IN_SOURCE)
				continue;
			flaw = damage(p->verdict);
			if (flaw && !src->error)
				fail(src, "patch-damaged", p->line ?
				     arena_printf(a, "line %zu of the patch: "
						  "%s", p->line, flaw) : flaw);
			if (!src->count)
				name(src, p, mail[i], attached == -1);
			buf_addstr(&diff, p->text);
			mbox_add(&mbox, p, mail[i]);
			id[src->count++] = p->id;
		}
	digest(id, src->count, src->digest);
	src->diff = arena_strndup(a, diff.s, diff.len);
	src->mbox = arena_strndup(a, mbox.s, mbox.len);
	if (buf_over(&diff) || buf_over(&mbox))
		fail(src, patch_flaw_name(FLAW_SIZE), arena_printf(a,
		     "it has more than the %zu bytes that are accepted",
		     bot->settings->patch.max_size));
	buf_release(&diff);
	buf_release(&mbox);
	if (src->error || !src->count)
		return 0;
	return judge(src, bot, a);
}

/* What somebody sent who thought it was a patch: for the answer. */
static const char *what_was_seen(const struct message *m, struct arena *a)
{
	struct buf seen = BUF_INIT(2000);
	const char *text;

	for (size_t i = 0; i < m->npart; i++) {
		const struct part *p = &m->part[i];

		buf_addf(&seen, "%s%s%s%s%s (%zu bytes)", i ? ", " : "",
			 p->type, p->name ? " \"" : "",
			 p->name ? p->name : "", p->name ? "\"" : "", p->size);
	}
	text = seen.len ? arena_printf(a, "I see no patch in your mail, which "
				       "has these parts: %s", seen.s)
			: "your mail has no text";
	buf_release(&seen);
	return text;
}

static int from_mail(struct source *src, const struct bot *bot,
		     const struct message *m, bool attached, struct arena *a)
{
	size_t inline_n = 0, attached_n = 0;

	for (size_t i = 0; i < m->npatch; i++)
		*(m->patch[i].attached ? &attached_n : &inline_n) += 1;
	if (!inline_n && !attached_n)
		return fail(src, "no-patch-found", what_was_seen(m, a));
	attached = attached ? attached_n > 0 : !inline_n;
	src->kind = attached ? "attachment" : "inline";
	src->id = m->message_id;
	return gather(src, bot, &m, 1, attached, a);
}

/* The mails of an mbox; a mail, or a bare diff, alone is one. */
static size_t read_all(const struct buf *text, const struct bot *bot,
		       struct opened *o, const struct message **mail,
		       struct arena *a)
{
	size_t n = 0, pos = 0, len;
	const char *msg;

	while (n < OPENED_MAX &&
	       mbox_next(text->s, text->len, &pos, &msg, &len)) {
		bool bare = !strncmp(msg, "diff ", 5) ||
			    !strncmp(msg, "--- ", 4);
		const char *bytes = bare ? arena_printf(a, "\n%.*s", (int)len,
							msg) : msg;

		mail[n] = open_mail(o, bot, bytes, len + bare);
		if (!mail[n])
			break;
		n++;
	}
	return n;
}

static int gather_series(struct source *src, const struct bot *bot,
			 const struct message *const *mail, size_t n,
			 struct arena *a)
{
	const struct message *picked[OPENED_MAX];
	size_t count = series_pick(src, mail, n, src->id ? src->id : "",
				   picked, a);

	if (src->error)
		return 0;
	gather(src, bot, picked, count, -1, a);
	if (!src->count && !src->error)
		fail(src, "no-patch-found", "there is no patch in it");
	return 0;
}

/* A page, into "text".  0, or -1: ERR_TEMP, or src->error says why. */
static int get_page(struct source *src, const struct bot *bot, const char *url,
		    bool last_try, struct buf *text, struct arena *a,
		    struct err *err)
{
	if (bot->outside->fetch(bot->settings, url, text, err) == -1) {
		if (err->code != ERR_TEMP || last_try)
			fail(src, "fetch-failed", arena_strdup(a, err->text));
		return -1;
	}
	if (!memchr(text->s, '\0', text->len))
		return 0;
	fail(src, patch_flaw_name(FLAW_NUL), "it holds a NUL byte");
	return err_set(err, ERR_INPUT, "a NUL byte");
}

/*
 * public-inbox keeps the thread of ".../ID/raw" as ".../ID/t.mbox.gz".  False:
 * that is no such archive, or it does not have it.
 */
static bool get_thread(const struct bot *bot, const char *url,
		       struct buf *text, struct arena *a)
{
	char name[] = "/tmp/perfpost-mbox-XXXXXX";
	struct buf packed = BUF_INIT(bot->settings->fetch_max);
	size_t len = strlen(url);
	int fd, rc = -1;

	if (len < 4 || strcmp(url + len - 4, "/raw"))
		return false;
	url = arena_printf(a, "%.*s/t.mbox.gz", (int)len - 4, url);
	if (bot->outside->fetch(bot->settings, url, &packed, NULL) == 0 &&
	    (fd = mkstemp(name)) != -1) {
		rc = file_write_fd(fd, name, packed.s, packed.len, NULL);
		close(fd);
		buf_reset(text);
		if (rc == 0)
			rc = source_read_all(name, text, NULL);
		unlink(name);
	}
	buf_release(&packed);
	return rc == 0 && !memchr(text->s, '\0', text->len);
}

static int fetch(struct source *src, const struct bot *bot, const char *url,
		 struct opened *o, struct arena *a, struct err *err)
{
	struct buf text = BUF_INIT(bot->settings->fetch_max);
	const struct message *mail[OPENED_MAX];
	size_t n;
	int rc;

	if (!bot->outside->fetch) {
		src->pending = true;
		return 0;
	}
	rc = get_page(src, bot, url, o->last_try, &text, a, err);
	if (rc == 0) {
		n = read_all(&text, bot, o, mail, a);
		if (n == 1 && series_is_part(mail[0]->subject) &&
		    get_thread(bot, url, &text, a))
			n = read_all(&text, bot, o, mail, a);
		rc = gather_series(src, bot, mail, n, a);
	}
	buf_release(&text);
	return rc == -1 && src->error ? 0 : rc;
}

/* The other mails of the sender that may belong to the series of "m". */
static int add_siblings(const struct bot *bot, const struct message *m,
			const struct message **mail, size_t *n,
			struct opened *o, struct arena *a, struct err *err)
{
	struct stored_mail *v;
	size_t nv;

	if (mail_list_sender(bot->store, m->from.address, SIBLINGS_MAX, a, &v,
			     &nv, err) == -1)
		return -1;
	for (size_t i = 0; i < nv && *n < OPENED_MAX; i++) {
		if (!series_is_part(v[i].subject) ||
		    !strcmp(v[i].message_id, m->message_id))
			continue;
		mail[*n] = open_mail(o, bot, v[i].bytes, v[i].len);
		*n += mail[*n] != NULL;
	}
	return 0;
}

/* A mail that we have: its patches, or its series'.  1 found, 0 not here, -1
 * with "err". */
static int from_store(struct source *src, const struct bot *bot,
		      const char *id, struct opened *o, struct arena *a,
		      struct err *err)
{
	const struct message *mail[OPENED_MAX];
	struct stored_mail *v;
	size_t n = 0, count;

	if (mail_list(bot->store, id, a, &v, &count, err) == -1)
		return -1;
	if (count)
		mail[0] = open_mail(o, bot, v[0].bytes, v[0].len);
	if (!count || !mail[0])
		return 0;
	n = 1;
	if (series_is_part(mail[0]->subject)) {
		if (add_siblings(bot, mail[0], mail, &n, o, a, err) == -1)
			return -1;
	} else if (!mail[0]->npatch) {
		return 0;
	}
	src->id = id;
	return gather_series(src, bot, mail, n, a) == -1 ? -1 : 1;
}

/* A page; one of an archive names a mail, which we may have already. */
static int from_url(struct source *src, const struct bot *bot,
		    const struct request *r, struct opened *o, struct arena *a,
		    struct err *err)
{
	const char *page;
	struct url u;
	int rc;

	src->kind = r->msgid ? "message-id" : "url";
	src->id = r->msgid;
	src->url = r->url;
	if (url_check(&u, r->url, &bot->settings->url, a, err) == -1)
		return fail(src, "url-not-accepted",
			    arena_strdup(a, err->text));
	rc = r->msgid ? from_store(src, bot, r->msgid, o, a, err) : 0;
	if (rc)
		return rc == -1 ? -1 : 0;
	page = url_of_patch(&u, a);
	if (!page)
		return fail(src, "url-not-a-patch", arena_printf(a, "%s is no "
			    "page of a patch that we know how to read",
			    r->url));
	return fetch(src, bot, page, o, a, err);
}

static int from_id(struct source *src, const struct bot *bot, const char *id,
		   struct opened *o, struct arena *a, struct err *err)
{
	const char *archive = bot->settings->archive;
	const char *percent = strchr(archive, '%'), *url;
	int rc;

	src->kind = "message-id";
	src->id = id;
	rc = from_store(src, bot, id, o, a, err);
	if (rc)
		return rc == -1 ? -1 : 0;
	url = arena_printf(a, "%.*s%s%s", (int)(percent - archive), archive,
			   percent_encoded(a, id), percent + 2);
	return fetch(src, bot, url, o, a, err);
}

static bool has_version(const struct message *m, const char *version)
{
	return !version || strcasestr(m->subject, version);
}

/* A cover letter brings those of its series. */
static bool brings_patch(const struct message *m)
{
	return m->npatch || series_is_part(m->subject);
}

/* Is it a candidate already, by itself or by another mail of its series? */
static bool is_named(const struct source *src, const struct message *one)
{
	for (size_t i = 0; i < src->ncandidate; i++) {
		const struct message *c = src->candidate[i];

		if (!strcmp(c->message_id, one->message_id) ||
		    (!strcmp(c->from.address, one->from.address) &&
		     series_is_same(c->subject, one->subject)))
			return true;
	}
	return false;
}

/* The mails with patches above this one: what it answers, what that answers,
 * the newest first. */
static int above(struct source *src, const struct bot *bot,
		 const struct message *m, const char *version,
		 struct opened *o, struct arena *a, struct err *err)
{
	for (size_t i = m->references.n + m->in_reply_to.n; i > 0; i--) {
		const char *id = i > m->references.n ?
			m->in_reply_to.v[i - 1 - m->references.n] :
			m->references.v[i - 1];
		const struct message *one = NULL;
		struct stored_mail *v;
		size_t n;

		if (mail_list(bot->store, id, a, &v, &n, err) == -1)
			return -1;
		if (n)
			one = open_mail(o, bot, v[0].bytes, v[0].len);
		if (one && brings_patch(one) && has_version(one, version) &&
		    src->ncandidate < 8 && !is_named(src, one))
			src->candidate[src->ncandidate++] = one;
	}
	return 0;
}

static int from_thread(struct source *src, const struct bot *bot,
		       const struct message *m, const struct request *r,
		       struct opened *o, struct arena *a, struct err *err)
{
	src->kind = "thread";
	if (above(src, bot, m, r->version, o, a, err) == -1)
		return -1;
	if (!src->ncandidate)
		return fail(src, "no-patch-found", "no earlier mail of this "
			    "thread that we have seen holds a patch");
	if (src->ncandidate > 1 && !r->version)
		return fail(src, "which-patch", "several mails of this thread "
			    "hold a patch");
	src->id = src->candidate[0]->message_id;
	if (series_is_part(src->candidate[0]->subject))
		return from_store(src, bot, src->id, o, a, err) == -1 ? -1 : 0;
	return gather(src, bot, src->candidate, 1, -1, a);
}

/* The series whose cover letter, or part, the mail is.  The other mails of it
 * may still be on their way. */
static int from_own_series(struct source *src, const struct bot *bot,
			   const struct message *m, struct opened *o,
			   struct arena *a, struct err *err)
{
	const struct message *mail[OPENED_MAX] = { m };
	size_t n = 1;

	if (add_siblings(bot, m, mail, &n, o, a, err) == -1)
		return -1;
	src->kind = "thread";
	src->id = m->message_id;
	gather_series(src, bot, mail, n, a);
	if (!src->error || strcmp(src->error, "series-incomplete"))
		return 0;
	if (!bot->outside->fetch) {
		src->pending = true;
		src->error = NULL;
		return 0;
	}
	return o->last_try ? 0 : err_set(err, ERR_TEMP, "%s", src->reason);
}

/* Does "m" answer the mail "one", or speak below its subject? */
static bool is_about(const struct message *m, const struct message *one)
{
	struct patch_tag tag;

	patch_tag_read(&tag, one->subject);
	return !strcmp(message_parent(m), one->message_id) ||
	       (tag.is_patch && !strcmp(subject_base(m->subject), one->subject));
}

/* "Please test this series", in answer to it.  1 found, 0 not there, -1. */
static int from_parent(struct source *src, const struct bot *bot,
		       const struct message *m, struct opened *o,
		       struct arena *a, struct err *err)
{
	const struct message *one = NULL;

	if (above(src, bot, m, NULL, o, a, err) == -1)
		return -1;
	for (size_t i = 0; i < src->ncandidate && !one; i++)
		if (is_about(m, src->candidate[i]))
			one = src->candidate[i];
	src->ncandidate = 0;
	if (!one)
		return 0;
	src->kind = "thread";
	src->id = one->message_id;
	if (series_is_part(one->subject))
		return from_store(src, bot, src->id, o, a, err) == -1 ? -1 : 1;
	return gather(src, bot, &one, 1, -1, a) == -1 ? -1 : 1;
}

static int from_revert(struct source *src, const struct bot *bot,
		       const char *clone, const struct request *r,
		       struct arena *a, struct err *err)
{
	struct git g = { .dir = clone };
	struct buf diff = BUF_INIT(bot->settings->patch.max_size);
	char hash[65];
	const char *const show[] = { "diff-tree", "-p", "-R", "--no-ext-diff",
		"--no-textconv", "--no-commit-id", hash, NULL };
	struct patch p = { .text = "" };
	struct message m = { .message_id = "", .subject = "" };

	src->kind = "revert";
	if (!g.dir) {
		src->pending = true;
		return 0;
	}
	if (git_commit_hash(&g, r->revert, hash, err) == -1 ||
	    git_run(&g, show, NULL, &diff, err) == -1) {
		buf_release(&diff);
		return fail(src, "unknown-commit", arena_strdup(a, err->text));
	}
	src->diff = arena_strndup(a, diff.s, diff.len);
	src->count = 1;
	src->subject = arena_printf(a, "Revert %.12s", hash);
	digest(&src->diff, 1, src->digest);
	p.text = src->diff;
	m.subject = src->subject;
	m.from = bot->settings->self;
	buf_reset(&diff);
	diff.max = bot->settings->patch.max_size * 2;
	mbox_add(&diff, &p, &m);
	src->mbox = arena_strndup(a, diff.s, diff.len);
	buf_release(&diff);
	return judge(src, bot, a);
}

int source_find(struct source *src, const struct bot *bot,
		const char *clone, const struct message *m,
		const struct request *r, struct opened *o, struct arena *a,
		struct err *err)
{
	int ours, found;

	*src = (struct source){ .kind = "none" };
	if (r->revert)
		return from_revert(src, bot, clone, r, a, err);
	/* A link to our own report says which one is meant, not which patch. */
	ours = r->msgid ? thread_is_ours(bot->store, r->msgid, err) : 0;
	if (ours)
		return ours == -1 ? -1 : from_mail(src, bot, m, false, a);
	if (r->patch == PATCH_FROM_URL && r->url)
		return from_url(src, bot, r, o, a, err);
	if (r->patch == PATCH_FROM_MSGID && r->msgid)
		return from_id(src, bot, r->msgid, o, a, err);
	if (r->patch == PATCH_FROM_THREAD)
		return from_thread(src, bot, m, r, o, a, err);
	if (series_is_part(m->subject) && (r->series || !m->npatch))
		return from_own_series(src, bot, m, o, a, err);
	if (!m->npatch && r->patch == PATCH_FROM_NOWHERE) {
		found = from_parent(src, bot, m, o, a, err);
		if (found)
			return found == -1 ? -1 : 0;
	}
	return from_mail(src, bot, m, r->patch == PATCH_FROM_ATTACHMENT, a);
}
