#include "bot/inquiry.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/err.h"
#include "bot/naming.h"
#include "bot/reader.h"
#include "mail/address.h"
#include "store/inquiries.h"

#define NAMES_MAX 50	/* words of an answer that are looked up */
#define ENTRY_LINES 8	/* of a report, where our question is quoted */

/* Names in an answer, among what the question offered. */
struct search {
	const struct bot *bot;
	const struct which *offered;
	struct which *named;
	struct arena *a;
	size_t looked_up;
};

static void add(struct which *w, const struct stored_report *r)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->report[i].id == r->id)
			return;
	if (w->n < WHICH_MAX)
		w->report[w->n++] = *r;
}

/* Words that name a report by themselves: tokens, addresses, ids, links. */
static int by_name(struct search *r, const char *text, struct err *err)
{
	struct stored_report found;
	int rc = 0;

	while (*text && rc != -1) {
		size_t len = strcspn(text, " \t\r\n");
		const char *word = arena_strndup(r->a, text, len);

		if ((strchr(word, '@') || (*word == 'r' && len > 12)) &&
		    r->looked_up++ < NAMES_MAX) {
			rc = which_named(r->bot, word, &found, r->a, err);
			if (rc == 1)
				add(r->named, &found);
		}
		text += len + strspn(text + len, " \t\r\n");
	}
	return rc == -1 ? -1 : 0;
}

static int name(struct search *r, const char *text, enum choice_how *how,
		struct err *err)
{
	uint32_t set;

	if (by_name(r, text, err) == -1)
		return -1;
	*how = CHOICE_CLEAR;
	if (r->named->n)
		return 0;
	switch (naming_find(text, r->offered->report, r->offered->n, &set)) {
	case NAMING_CLEAR:
		for (size_t i = 0; i < r->offered->n; i++)
			if (set & UINT32_C(1) << i)
				add(r->named, &r->offered->report[i]);
		return 0;
	case NAMING_UNCLEAR:
		*how = CHOICE_UNCLEAR;
		return 0;
	case NAMING_NOTHING:
		break;
	}
	*how = CHOICE_SILENT;
	return 0;
}

/* Our address with a report's token in To or Cc. */
static int by_address(struct search *r, const struct addresses *list,
		      struct err *err)
{
	for (size_t i = 0; i < list->n; i++)
		if (settings_own(r->bot->settings, list->v[i].address, NULL) &&
		    by_name(r, list->v[i].address, err) == -1)
			return -1;
	return 0;
}

static bool is_blank(const struct line *l)
{
	return l->kind == LINE_NEW && strspn(l->text, " \t") >= l->len;
}

/* "This one": what is quoted right above line "at" of the answer, up to the
 * line that begins the entry. */
static const char *entry_above(const struct message *m, size_t at,
			       const char *subject, struct arena *a)
{
	const char *entry = "";
	size_t lines = 0;

	while (at && is_blank(&m->line[at - 1]))
		at--;
	for (; at && m->line[at - 1].kind == LINE_QUOTED &&
	       lines < ENTRY_LINES; lines++) {
		const struct line *l = &m->line[--at];
		const char *text = arena_strndup(a, l->text, l->len);

		entry = arena_printf(a, "%s\n%s", text, entry);
		if (!text[strspn(text, "> \t")] || strstr(text, subject))
			break;
	}
	return entry;
}

static bool points(const struct line *l)
{
	static const char *const words[] = {
		"this", "yes, this", "yes this", "^", "that one", NULL
	};
	size_t blank = strspn(l->text, " \t");

	for (const char *const *w = words; l->kind == LINE_NEW && *w; w++)
		if (l->len >= blank + strlen(*w) &&
		    !strncasecmp(l->text + blank, *w, strlen(*w)))
			return true;
	return false;
}

static int by_quotation(struct search *r, const struct message *m,
			enum choice_how *how, struct err *err)
{
	const char *subject = r->offered->report[0].subject;

	for (size_t i = 0; i < m->nline; i++)
		if (points(&m->line[i]) &&
		    name(r, entry_above(m, i, subject, r->a), how, err) == -1)
			return -1;
	return 0;
}

static int find_names(struct choice *c, const struct bot *bot,
		      const struct message *m, const struct which *offered,
		      struct arena *a, struct err *err)
{
	struct search r = { bot, offered, &c->which, a, 0 };

	c->which = (struct which){ .how = WHICH_ANSWER, .to_us = true };
	if (by_address(&r, &m->to, err) == -1 ||
	    by_address(&r, &m->cc, err) == -1 ||
	    name(&r, m->new_text, &c->how, err) == -1)
		return -1;
	if (c->how == CHOICE_SILENT && by_quotation(&r, m, &c->how, err) == -1)
		return -1;
	if (c->how == CHOICE_UNCLEAR)
		c->which = *offered;
	return 0;
}

/* What the question offered: it is found again, as reports keep their order. */
static int offered(struct which *w, const struct bot *bot, int64_t mail,
		   struct arena *a, struct err *err)
{
	struct stored_mail asker;
	struct message m;
	int rc = mail_get(bot->store, mail, a, &asker, err);

	*w = (struct which){ .n = 0 };
	if (rc != 1)
		return rc;
	rc = reader_message(&m, bot, asker.bytes, asker.len, err);
	if (rc == 0)
		rc = which_report(w, bot, &m, a, err);
	message_release(&m);
	return rc;
}

/* The question that the mail answers, or whose cause it answers. */
static int find_question(struct inquiry *q, const struct bot *bot,
			 const struct message *m, struct arena *a,
			 struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < m->in_reply_to.n && !rc; i++)
		rc = inquiry_find(bot->store, m->in_reply_to.v[i], a, q, err);
	for (size_t i = m->references.n; i > 0 && !rc; i--)
		rc = inquiry_find(bot->store, m->references.v[i - 1], a, q,
				  err);
	return rc;
}

/* From whoever asked, as far as anybody can tell? */
static bool is_theirs(struct choice *c, const struct bot *bot,
		      const struct message *m, struct arena *a)
{
	struct address author =
		message_author((struct message *)(uintptr_t)m);

	evidence_find(&c->evidence, m, &bot->settings->evidence, a);
	return c->evidence.proof != PROOF_FAILED &&
	       address_is_same(author.address, c->asked.person);
}

/* "Please name one by its Message-ID."  Only mails that we know count: an
 * address looks the same. */
static int find_patch(struct choice *c, const struct bot *bot,
		      const struct message *m, struct arena *a,
		      struct err *err)
{
	const char *text = m->new_text, *id;
	size_t looked_up = 0, n = 0;
	struct stored_mail *v;

	c->how = CHOICE_SILENT;
	while (*text && looked_up < NAMES_MAX) {
		size_t len = strcspn(text, " \t\r\n");

		id = which_msgid(arena_strndup(a, text, len), a);
		text += len + strspn(text + len, " \t\r\n");
		if (!id)
			continue;
		looked_up++;
		if (mail_list(bot->store, id, a, &v, &n, err) == -1)
			return -1;
		if (!n)
			continue;
		if (c->patch && strcmp(c->patch, id)) {
			c->how = CHOICE_SILENT;	/* several: not an answer */
			return 0;
		}
		c->patch = id;
		c->how = CHOICE_CLEAR;
	}
	return 0;
}

static int read_patch(struct choice *c, const struct bot *bot,
		      const struct message *m, struct arena *a,
		      struct err *err)
{
	if (find_patch(c, bot, m, a, err) == -1)
		return -1;
	c->which = (struct which){ .how = WHICH_ANSWER, .to_us = true };
	if (c->how != CHOICE_CLEAR)
		return 1;
	c->which.n = 1;
	return report_get(bot->store, c->asked.report, a, &c->which.report[0],
			  err);
}

int inquiry_read(struct choice *c, const struct bot *bot,
		 const struct stored_mail *mail, const struct message *m,
		 struct arena *a, struct err *err)
{
	struct inquiry q;
	struct which w;
	int rc = find_question(&q, bot, m, a, err);

	*c = (struct choice){ .answer = mail->id,
			      .answer_id = m->message_id };
	if (rc == 1)
		rc = asked_get(bot->store, q.request, a, &c->asked, err);
	if (rc != 1 || !is_theirs(c, bot, m, a))
		return rc == -1 ? -1 : 0;
	c->question = q.message_id;
	if (c->asked.state != ASKED_UNCLEAR) {
		c->how = CHOICE_TAKEN;
		return q.answer == mail->id;
	}
	if (c->asked.report)
		return read_patch(c, bot, m, a, err);
	if (offered(&w, bot, c->asked.mail, a, err) == -1)
		return -1;
	if (!w.n)
		return 0;
	return find_names(c, bot, m, &w, a, err) == -1 ? -1 : 1;
}

int inquiry_recall(struct choice *c, const struct bot *bot, int64_t mail,
		   struct arena *a, struct err *err)
{
	struct search r = { .bot = bot, .named = &c->which, .a = a };
	struct inquiry *v;
	size_t n;

	*c = (struct choice){ .how = CHOICE_CLEAR,
			      .which = { .how = WHICH_ANSWER, .to_us = true },
			      .evidence.proof = PROOF_PASSED };
	if (inquiry_chosen(bot->store, mail, a, &v, &n, err) == -1)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (strchr(v[i].chosen, '@'))
			c->patch = v[i].chosen;
		else if (by_name(&r, v[i].chosen, err) == -1)
			return -1;
	return n > 0;
}

static const char *tokens(const struct which *w, struct arena *a)
{
	const char *list = "";

	for (size_t i = 0; i < w->n; i++)
		list = arena_printf(a, "%s%s%s", list, i ? " " : "",
				    w->report[i].token);
	return list;
}

int inquiry_settle(const struct choice *c, const struct bot *bot, bool taken_up,
		   struct arena *a, struct err *err)
{
	const struct inquiry q = {
		.request = c->asked.id, .answer = c->answer,
		.chosen = !taken_up ? "" : c->patch ? c->patch :
			  tokens(&c->which, a),
	};
	struct asked asked;
	int rc = asked_get(bot->store, c->asked.id, a, &asked, err);

	if (rc != 1 || asked.state != ASKED_UNCLEAR)
		return rc == -1 ? -1 : 0;
	asked.state = taken_up ? ASKED_NOTED : ASKED_CANCELLED;
	if (asked_save(bot->store, &asked, clock_now(), err) == -1 ||
	    inquiry_close(bot->store, &q, taken_up ? c->which.report[0].id : 0,
			  err) == -1)
		return -1;
	for (size_t i = 0; i < c->which.n; i++) {
		int64_t id = c->which.report[i].id;

		if (thread_add(bot->store, c->question, id, true, err) == -1 ||
		    thread_add(bot->store, c->answer_id, id, false,
			       err) == -1)
			return -1;
	}
	return 1;
}
