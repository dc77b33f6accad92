#include "bot/which.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "mail/subject.h"
#include "policy/url.h"
#include "store/mails.h"

#define LINKS_MAX 20	/* looked at in one mail */

const char *which_name(enum which_how how)
{
	static const char *const name[] = {
		[WHICH_NONE] = "none", [WHICH_TOKEN] = "token",
		[WHICH_THREAD] = "thread", [WHICH_LINK] = "link",
		[WHICH_SUBJECT] = "subject", [WHICH_ANSWER] = "answer",
		[WHICH_AMBIGUOUS] = "ambiguous",
	};

	return name[how];
}

static bool has(const struct which *w, int64_t id)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->report[i].id == id)
			return true;
	return false;
}

static void add(struct which *w, const struct stored_report *r,
		enum which_how how)
{
	if (w->n < WHICH_MAX && !has(w, r->id))
		w->report[w->n++] = *r;
	w->how = how;
}

static int by_addresses(struct which *w, const struct bot *bot,
			const struct addresses *list, struct arena *a,
			struct err *err)
{
	char token[TOKEN_MAX];
	struct stored_report r;
	int rc;

	for (size_t i = 0; i < list->n; i++) {
		if (!settings_own(bot->settings, list->v[i].address, token))
			continue;
		w->to_us = true;
		if (!*token)
			continue;
		rc = report_by_token(bot->store, token, a, &r, err);
		if (rc == -1)
			return -1;
		if (rc == 1)
			add(w, &r, WHICH_TOKEN);
	}
	return 0;
}

/* The reports that a message we know belongs to. */
static int by_id(struct which *w, const struct bot *bot, const char *id,
		 enum which_how how, struct arena *a, struct err *err)
{
	int64_t found[WHICH_MAX];
	struct stored_report r;
	int n = thread_reports(bot->store, id, found, WHICH_MAX, err);

	for (int i = 0; i < n; i++) {
		if (report_get(bot->store, found[i], a, &r, err) == -1)
			return -1;
		add(w, &r, how);
	}
	return n == -1 ? -1 : 0;
}

/* The nearest ancestor that we know: what is answered, then the references
 * from the newest to the oldest. */
static int by_thread(struct which *w, const struct bot *bot,
		     const struct message *m, struct arena *a, struct err *err)
{
	for (size_t i = 0; i < m->in_reply_to.n && !w->n; i++)
		if (by_id(w, bot, m->in_reply_to.v[i], WHICH_THREAD, a,
			  err) == -1)
			return -1;
	for (size_t i = m->references.n; i > 0 && !w->n; i--)
		if (by_id(w, bot, m->references.v[i - 1], WHICH_THREAD, a,
			  err) == -1)
			return -1;
	return 0;
}

/* A word of a text without what stands around and behind it. */
static const char *bare(const char *word, struct arena *a)
{
	size_t len;

	word += strspn(word, "<(\"");
	len = strcspn(word, ">)\",;");
	while (len && strchr(".:!?", word[len - 1]))
		len--;
	return arena_strndup(a, word, len);
}

const char *which_msgid(const char *word, struct arena *a)
{
	const struct url_rules any = { (const char *const[]){ "*", NULL },
				       false };
	struct url u;

	word = bare(word, a);
	if (!strchr(word, '@'))
		return NULL;
	if (!strstr(word, "://"))
		return word;
	return url_check(&u, word, &any, a, NULL) == -1 ? NULL
		: url_msgid(&u, a);
}

int which_named(const struct bot *bot, const char *word,
		struct stored_report *r, struct arena *a, struct err *err)
{
	const char *msgid = which_msgid(word, a);
	char token[TOKEN_MAX];
	int64_t id;
	int n;

	word = bare(word, a);
	if (settings_own(bot->settings, word, token) && *token)
		word = arena_strdup(a, token);
	n = report_by_token(bot->store, word, a, r, err);
	if (n || !msgid)
		return n;
	n = thread_reports(bot->store, msgid, &id, 1, err);
	return n == 1 ? report_get(bot->store, id, a, r, err) : n;
}

/* Links in what the author wrote, to whatever archive. */
static int by_links(struct which *w, const struct bot *bot,
		    const struct message *m, struct arena *a, struct err *err)
{
	const struct url_rules any = { (const char *const[]){ "*", NULL },
				       false };
	const char *p = m->new_text, *id;
	struct url u;

	for (int i = 0; i < LINKS_MAX && (p = strstr(p, "https://")); i++) {
		size_t len = strcspn(p, " \t\r\n<>\"");

		if (url_check(&u, arena_strndup(a, p, len), &any, a,
			      NULL) == 0 && (id = url_msgid(&u, a)) &&
		    by_id(w, bot, id, WHICH_LINK, a, err) == -1)
			return -1;
		p += len;
	}
	return 0;
}

/* "[LKP] [mm] ..." is "[mm] ..." that a list has been through. */
static const char *without_tag(const char *subject)
{
	const char *close = *subject == '[' ? strchr(subject, ']') : NULL;

	return close ? close + 1 + strspn(close + 1, " \t") : NULL;
}

static int by_subject(struct which *w, const struct bot *bot,
		      const struct message *m, struct arena *a,
		      struct err *err)
{
	const char *subject = subject_base(m->subject);
	struct stored_report *v;
	size_t n = 0;

	for (; subject && *subject && !n; subject = without_tag(subject))
		if (report_by_subject(bot->store, subject, a, &v, &n,
				      err) == -1)
			return -1;
	for (size_t i = 0; i < n; i++)
		add(w, &v[i], n > 1 ? WHICH_AMBIGUOUS : WHICH_SUBJECT);
	return 0;
}

int which_report(struct which *w, const struct bot *bot,
		 const struct message *m, struct arena *a, struct err *err)
{
	*w = (struct which){ .how = WHICH_NONE };
	if (by_addresses(w, bot, &m->to, a, err) == -1 ||
	    by_addresses(w, bot, &m->cc, a, err) == -1)
		return -1;
	if (!w->n && by_thread(w, bot, m, a, err) == -1)
		return -1;
	if (!w->n && by_links(w, bot, m, a, err) == -1)
		return -1;
	/* A subject alone says nothing to us of mails between others. */
	if (!w->n && w->to_us)
		return by_subject(w, bot, m, a, err);
	return 0;
}
