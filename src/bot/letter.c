#include "bot/letter.h"

#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/utf8.h"
#include "bot/screen.h"
#include "compose/lint.h"
#include "mail/address.h"
#include "mail/check.h"
#include "mail/id.h"
#include "mail/subject.h"
#include "people/recipients.h"
#include "render/template-set.h"
#include "store/mails.h"

#define REFERENCES_MAX 20	/* the first and the newest of a long thread */
#define CC_MAX 100
#define QUOTE_LINES 4
#define LINE_WIDTH 500		/* of what is shown as it is */
#define BODY_MAX ((size_t)4 << 20)

const char *letter_safe(const char *text, size_t max, struct arena *a)
{
	size_t len = strlen(text), n = 0;
	struct buf out = BUF_INIT(max * 12 + 16);
	char *safe;

	if (len > max)
		for (len = max; len && (text[len] & 0xc0) == 0x80; len--)
			continue;	/* not inside of a character */
	utf8_inert(&out, text, len, true);
	safe = arena_alloc(a, out.len + 1);
	for (size_t i = 0; i < out.len; i++) {
		if (strncmp(out.s + i, "\xef\xbf\xbd", 3)) {
			safe[n++] = out.s[i];
			continue;
		}
		safe[n++] = '?';	/* what could not be decoded */
		i += 2;
	}
	buf_release(&out);
	return safe;
}

json_t *letter_lines(const char *text, size_t max, struct arena *a)
{
	json_t *list = json_array();

	for (size_t n = 0; *text && n < max; n++) {
		size_t len = strcspn(text, "\n");

		json_array_append_new(list, json_pack("{s:o}", "line",
			json_text(letter_safe(arena_strndup(a, text, len),
					      LINE_WIDTH, a))));
		text += len + (text[len] == '\n');
	}
	return list;
}

const char *letter_date(int64_t date, struct arena *a)
{
	time_t t = (time_t)date;
	char text[40] = "";
	struct tm tm;

	if (date != INT64_MIN && gmtime_r(&t, &tm))
		strftime(text, sizeof(text), "%d %b %Y", &tm);
	return arena_strdup(a, *text ? text : "an unknown date");
}

const char *letter_fold(const char *text, struct arena *a)
{
	struct buf out = BUF_INIT(2000);
	size_t column = 0;
	const char *folded;

	for (const char *p = text; *p && out.len < 1500; ) {
		size_t blank = strspn(p, " \t\n"), len;

		p += blank;
		len = strcspn(p, " \t\n");
		if (!len)
			break;
		if (column && column + 1 + len > 72) {
			buf_addch(&out, '\n');
			column = 0;
		} else if (column) {
			buf_addch(&out, ' ');
			column++;
		}
		buf_add(&out, p, len);
		column += len;
		p += len;
	}
	folded = arena_strndup(a, out.s, out.len);
	buf_release(&out);
	return folded;
}

json_t *letter_quote(const struct message *m, const char *evidence,
		     struct arena *a)
{
	const struct address author =
		message_author((struct message *)(uintptr_t)m);
	const char *who = *author.name ? author.name : author.address;
	const char *text = evidence && *evidence ? evidence : m->new_text;
	json_t *lines;

	text = letter_fold(letter_safe(text, 600, a), a);
	if (!*text)
		return json_null();
	lines = letter_lines(text, QUOTE_LINES, a);
	return json_pack("{s:o,s:s,s:o}", "who",
			 json_text(letter_safe(who, 100, a)), "date",
			 letter_date(m->date, a), "lines", lines);
}

/* May an answer go there at all? */
static bool sendable(const struct bot *bot, const char *address)
{
	return address_check(address, NULL) == 0 &&
	       !settings_own(bot->settings, address, NULL) &&
	       address_is_failing(bot->store, address, NULL) != 1;
}

/*
 * The From of whoever asked.  Reply-To can be set by anybody: it counts only
 * when it is an address that takes part in the thread anyway, and none of ours.
 */
static struct address answer_to(const struct bot *bot,
				const struct message *m)
{
	for (size_t i = 0; i < m->reply_to.n; i++)
		for (size_t k = 0; k < m->to.n + m->cc.n; k++) {
			const struct address *a = k < m->to.n ? &m->to.v[k]
						  : &m->cc.v[k - m->to.n];

			if (address_is_same(a->address,
					    m->reply_to.v[i].address) &&
			    !settings_own(bot->settings, a->address, NULL) &&
			    !m->list_id)
				return m->reply_to.v[i];
		}
	return m->from;
}

static void add(struct recipients *who, const struct bot *bot,
		const struct address *address, bool to, const char *why)
{
	struct address clean = *address;

	if (who->n >= CC_MAX || !sendable(bot, address->address))
		return;
	if (header_value(clean.name, NULL) == -1)
		clean.name = "";
	recipients_add(who, &clean, to, why);
}

static void add_all(struct recipients *who, const struct bot *bot,
		    const struct addresses *list, bool to, const char *why)
{
	for (size_t i = 0; i < list->n; i++)
		add(who, bot, &list->v[i], to, why);
}

static void choose_recipients(struct recipients *who, const struct bot *bot,
			      const struct reply *r)
{
	const struct message *m = r->to;
	struct address first;

	if (!m) {
		const char *const *n = conf_list(bot->settings->conf,
						 "bot.notify");

		for (; *n; n++)
			recipients_add_text(who, *n, true, "operator", NULL);
		return;
	}
	first = r->asker ? *r->asker : answer_to(bot, m);
	add(who, bot, &first, true, "asked");
	if (settings_own(bot->settings, first.address, NULL))
		add_all(who, bot, &m->to, true, "got what is followed up");
	if (r->quiet)
		return;
	if (!address_is_same(first.address, m->from.address))
		add(who, bot, &m->from, false, "asked");
	add_all(who, bot, &m->to, false, "in the thread");
	add_all(who, bot, &m->cc, false, "in the thread");
	for (size_t i = 0; r->copy && i < r->copy->n; i++)
		add(who, bot, &(struct address){ "", r->copy->v[i] }, false,
		    "asked for the same");
}

/* RFC 5322 3.6.4, the middle of a long thread left out. */
static struct strings references(const struct message *m, struct arena *a)
{
	struct strings s = { .v = arena_array(a, REFERENCES_MAX + 1,
					      sizeof(*s.v)) };
	const struct strings *from = m->references.n ? &m->references
						     : &m->in_reply_to;

	for (size_t i = 0; i < from->n; i++)
		if ((!i || from->n - i < REFERENCES_MAX - 1) &&
		    strcmp(from->v[i], m->message_id) &&
		    msgid_check(from->v[i], NULL) == 0)
			s.v[s.n++] = from->v[i];
	if (msgid_check(m->message_id, NULL) == 0)
		s.v[s.n++] = m->message_id;
	return s;
}

static const char *subject(const struct message *m, struct arena *a)
{
	const char *base = subject_base(m->subject);

	base = letter_safe(base, 900, a);
	for (char *p = (char *)(uintptr_t)base; *p; p++)
		if (*p == '\n' || *p == '\t')
			*p = ' ';
	return arena_printf(a, "Re: %s", *base ? base : "your mail");
}

const char *letter_told(const struct bot *bot)
{
	if (*conf_list(bot->settings->conf, "bot.notify"))
		return " I have told the people who operate me.";
	log_info("a person should look at what \"perfpost status\" and "
		 "\"perfpost why\" show, but bot.notify is not set");
	return "";
}

static int render(struct buf *body, const struct bot *bot,
		  const struct reply *r, struct err *err)
{
	const struct settings *s = bot->settings;
	struct template_set set;
	int rc = template_set_open(&set, "answers",
				   conf_text(s->conf, "templates"), 0, err);

	json_object_set_new(r->data, "robot", json_pack("{s:s,s:s,s:s}",
			    "name", s->self.name, "address", s->self.address,
			    "prefix", s->robot.prefix));
	if (rc == 0)
		rc = template_set_render(&set, r->template, r->data, false,
					 body, err);
	template_set_release(&set);
	return rc;
}

static const char *make_id(const struct bot *bot, const struct reply *r,
			   struct arena *a)
{
	struct buf id = BUF_INIT(1000);
	const struct id_parts parts = {
		.kind = r->kind,
		.identity = r->identity ? r->identity : "000000000000",
		.revision = r->revision ? r->revision : "0",
		.request = r->request, .domain = bot->settings->domain,
	};
	const char *text;

	msgid_make(&id, &parts);
	text = arena_strndup(a, id.s, id.len);
	buf_release(&id);
	return text;
}

static void take_recipients(struct outgoing *o, struct recipients *who,
			    struct arena *a)
{
	o->delivery = arena_array(a, who->n + 1, sizeof(*o->delivery));
	for (size_t i = 0; i < who->n; i++)
		o->delivery[o->ndelivery++].address =
			arena_strdup(a, who->v[i].who.address);
}

/* Read it back as a stranger would; what is wrong parks it. */
static void check(struct outgoing *o, struct recipients *who, struct arena *a)
{
	struct lint_plan plan = { .who = who };
	struct lint lint = LINT_INIT;

	lint_mail(&lint, o->bytes, o->len, &plan);
	if (lint.n) {
		o->state = OUTBOX_PARKED;
		o->error = arena_strdup(a, lint.reason[0]);
	}
	lint_release(&lint);
}

static int write_letter(struct outgoing *o, const struct bot *bot,
			const struct reply *r, struct recipients *who,
			const char *body, struct arena *a, struct err *err)
{
	const struct settings *s = bot->settings;
	struct address back = { s->self.name, s->self.address };
	const struct field field[] = {
		{ "Auto-Submitted", r->by_hand ? "no" :
				    r->to ? "auto-replied" : "auto-generated" },
		{ OWN_FIELD, r->kind },
		{ r->verdict ? OWN_FIELD "-Verdict" : OWN_FIELD "-Error",
		  r->verdict ? r->verdict : r->error },
	};
	struct buf out = BUF_INIT(BODY_MAX * 4);
	struct letter l = {
		.from = s->self, .to = recipients_list(who, true),
		.subject = o->subject, .message_id = o->message_id,
		.date = o->created, .field = field,
		.nfield = r->verdict || r->error ? 3 : 2, .body = body,
		.attachment = r->attachment, .nattachment = r->nattachment,
	};
	int rc;

	l.to.v = memcpy(arena_array(a, l.to.n + 1, sizeof(*l.to.v)), l.to.v,
			l.to.n * sizeof(*l.to.v));
	l.cc = recipients_list(who, false);
	if (r->token) {
		back.address = arena_printf(a, "%s+%s@%s", s->local, r->token,
					    s->domain);
		l.reply_to = (struct addresses){ &back, 1 };
	}
	if (r->to) {
		l.references = references(r->to, a);
		if (l.references.n)
			l.in_reply_to = l.references.v[l.references.n - 1];
	}
	rc = letter_write(&l, LINE_END_CRLF, &out, err);
	o->bytes = arena_strndup(a, out.s, out.len);
	o->len = out.len;
	buf_release(&out);
	return rc;
}

int letter_make(struct outgoing *o, const struct bot *bot,
		const struct reply *r, struct arena *a, struct err *err)
{
	struct recipients who = RECIPIENTS_INIT;
	struct buf body = BUF_INIT(BODY_MAX);
	int rc = -1;

	*o = (struct outgoing){
		.message_id = make_id(bot, r, a), .kind = r->kind,
		.report = r->report, .request = r->row, .mail = r->mail,
		.person = r->asker ? r->asker->address :
			  r->to ? r->to->from.address : "",
		.state = bot->settings->review ? OUTBOX_REVIEW : OUTBOX_READY,
		.sender = bot->settings->self.address,
		.subject = r->to ? subject(r->to, a)
				 : arena_printf(a, "perfpost: %s", r->kind),
		.error = "", .created = clock_now(),
	};
	choose_recipients(&who, bot, r);
	if (!who.n)
		err_set(err, ERR_INPUT, "nobody is left to answer");
	else if (render(&body, bot, r, err) == 0)
		rc = write_letter(o, bot, r, &who, body.s, a, err);
	if (rc == 0) {
		take_recipients(o, &who, a);
		check(o, &who, a);
	}
	recipients_release(&who);
	buf_release(&body);
	return rc;
}
