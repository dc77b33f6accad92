#include "send/dialog.h"

#include <string.h>

#include "base/buf.h"

enum { SAID_MAX = 400 };

/* -------------------------------------------------------------- replies */

/* Look at the lines that were read: 1 when a reply is whole. */
static int look_at_lines(struct dialog *d)
{
	for (;;) {
		char *nl = memchr(d->in, '\n', d->len);
		size_t n = nl ? (size_t)(nl - d->in) + 1 : 0;
		bool whole;

		/* A line that does not fit is cut. */
		if (!n && d->len == sizeof(d->in))
			n = d->len;
		if (!n)
			return 0;
		whole = reply_line(&d->reply, d->in, n);
		memmove(d->in, d->in + n, d->len - n);
		d->len -= n;
		if (whole)
			return 1;
	}
}

/* The next reply, into d->reply: its code, or 0 when none came. */
static int hear(struct dialog *d)
{
	ssize_t n;

	reply_begin(&d->reply);
	while (!look_at_lines(d)) {
		n = d->wire->get(d->wire->arg, d->in + d->len,
				 sizeof(d->in) - d->len, WIRE_WAIT);
		if (n <= 0) {
			reply_begin(&d->reply);
			return 0;
		}
		d->len += (size_t)n;
	}
	reply_hide(&d->reply, d->secret);
	return d->reply.code;
}

/* Is there something to hear that we did not ask for, or is it closed? */
static bool is_talking(struct dialog *d, enum wire_wait wait)
{
	ssize_t n;

	if (d->len)
		return true;
	n = d->wire->get(d->wire->arg, d->in, sizeof(d->in), wait);
	if (n > 0)
		d->len = (size_t)n;
	return n != 0;
}

static int put(struct dialog *d, const char *s, size_t len)
{
	return d->wire->put(d->wire->arg, s, len);
}

/* Say a line and hear the reply: its code, or 0. */
static int say(struct dialog *d, const char *line)
{
	reply_begin(&d->reply);
	return put(d, line, strlen(line)) == -1 ? 0 : hear(d);
}

static bool is_good(int code)
{
	return code / 100 == 2;
}

/* -------------------------------------------------------------- outcomes */

static const char *why(struct dialog *d)
{
	return d->reply.code ? d->reply.text : d->wire->trouble(d->wire->arg);
}

static void settle(struct send_mail *m, struct send_recipient *r,
		   enum send_outcome outcome, const char *text)
{
	r->outcome = outcome;
	r->reply = arena_strdup(m->arena, text);
}

static enum send_outcome outcome_of(int code)
{
	if (is_good(code))
		return SEND_TAKEN;
	return code / 100 == 5 ? SEND_REFUSED : SEND_LATER;
}

/* Everyone who has none yet. */
static void settle_rest(struct send_mail *m, enum send_outcome outcome,
			const char *text)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->to[i].outcome == SEND_LATER && !*m->to[i].reply)
			settle(m, &m->to[i], outcome, text);
}

/* The last reply decides for all of them. */
static void settle_by_reply(struct dialog *d, struct send_mail *m)
{
	settle_rest(m, outcome_of(d->reply.code), why(d));
}

/* A mail that was not begun, on a connection that had one before. */
static enum dialog_end refused_early(struct dialog *d, struct send_mail *m)
{
	enum send_outcome o = outcome_of(d->reply.code);

	if (d->kept)
		return DIALOG_STALE;
	/* What is no refusal is none of our replies either. */
	settle_rest(m, o == SEND_TAKEN ? SEND_LATER : o, why(d));
	return d->reply.code ? DIALOG_GOOD : DIALOG_OVER;
}

/* -------------------------------------------------------------- a mail */

static int say_mail(struct dialog *d, const struct send_mail *m, size_t size)
{
	struct buf line = BUF_INIT(SAID_MAX);
	int code;

	buf_addf(&line, "MAIL FROM:<%s>", m->sender);
	if (d->size)
		buf_addf(&line, " SIZE=%zu", size);
	buf_addstr(&line, "\r\n");
	code = say(d, line.s);
	buf_release(&line);
	return code;
}

static int say_rcpt(struct dialog *d, const char *address)
{
	struct buf line = BUF_INIT(SAID_MAX);
	int code;

	buf_addf(&line, "RCPT TO:<%s>\r\n", address);
	code = say(d, line.s);
	buf_release(&line);
	return code;
}

/* What the server said to each RCPT; "" is everyone who was not asked. */
struct answer {
	int code;
	const char *text;
};

/* How many it takes, or -1 when it is lost. */
static int name_recipients(struct dialog *d, const struct send_mail *m,
			   struct answer *answer)
{
	int taken = 0;

	for (size_t i = 0; i < m->n; i++) {
		if (m->to[i].outcome != SEND_LATER)
			continue;
		answer[i].code = say_rcpt(d, m->to[i].address);
		if (!answer[i].code)
			return -1;
		answer[i].text = arena_strdup(m->arena, d->reply.text);
		taken += is_good(answer[i].code);
	}
	return taken;
}

/* Those whom it does not take have their outcome. */
static void note_refused(struct send_mail *m, const struct answer *answer)
{
	for (size_t i = 0; i < m->n; i++)
		if (answer[i].code && !is_good(answer[i].code))
			settle(m, &m->to[i], outcome_of(answer[i].code),
			       answer[i].text);
}

/*
 * MAIL, RCPT and DATA.  True when the text is asked for; else "*end" is what
 * becomes of the connection.
 */
static bool open_mail(struct dialog *d, struct send_mail *m, size_t size,
		      enum dialog_end *end)
{
	struct answer *answer = arena_array(m->arena, m->n, sizeof(*answer));
	int taken;

	if (!is_good(say_mail(d, m, size))) {
		*end = refused_early(d, m);
		return false;
	}
	taken = name_recipients(d, m, answer);
	if (taken > 0 && say(d, "DATA\r\n") == 354) {
		note_refused(m, answer);
		return true;
	}
	if (!d->kept)
		note_refused(m, answer);
	*end = !d->kept && !taken ? DIALOG_GOOD : refused_early(d, m);
	return false;
}

static enum dialog_end not_taken(struct dialog *d, struct send_mail *m,
				 const char *what)
{
	settle_rest(m, SEND_LATER, arena_printf(m->arena, "%s: %s", what,
						why(d)));
	return DIALOG_OVER;
}

/*
 * The server spoke before the end of the text.  A refusal is one: it has no
 * mail.  Anything else says nothing of the text: its end is given, and QUIT,
 * whose reply can be told from that to the text.
 */
static enum dialog_end answered_early(struct dialog *d, struct send_mail *m)
{
	static const char end[] = ".\r\nQUIT\r\n";
	int code = hear(d);

	if (!code || code >= 400) {
		settle_by_reply(d, m);
		return DIALOG_OVER;
	}
	if (put(d, end, strlen(end)) == -1 || !hear(d) ||
	    d->reply.code == 221)
		return not_taken(d, m, "a reply before the end of the text, "
				 "and none after it");
	settle_by_reply(d, m);
	return DIALOG_OVER;
}

/* A refusal that can only be meant for the text: 500 to 504 are about commands
 * (RFC 5321 4.2.2), 421 says that the server leaves. */
static bool is_about_text(int code)
{
	return code >= 400 && code != 421 && (code < 500 || code > 504);
}

/* Good-bye, or a clean beginning for the next mail; the reply is there. */
static enum dialog_end go_on(struct dialog *d, bool last)
{
	d->wire->hurry(d->wire->arg);
	say(d, last ? "QUIT\r\n" : "RSET\r\n");
	return !last && is_good(d->reply.code) ? DIALOG_GOOD : DIALOG_OVER;
}

/*
 * The text was answered.  Another command shows that this was the reply to it:
 * a server that spoke too soon brings the true one now.
 */
static enum dialog_end close_mail(struct dialog *d, struct send_mail *m,
				  bool last)
{
	enum send_outcome outcome = outcome_of(d->reply.code);
	const char *text = arena_strdup(m->arena, d->reply.text);
	enum dialog_end end = go_on(d, last);

	if (outcome == SEND_TAKEN && is_about_text(d->reply.code))
		settle_by_reply(d, m);
	else
		settle_rest(m, outcome, text);
	return end;
}

enum dialog_end dialog_mail(struct dialog *d, struct send_mail *m,
			    const struct dialog_text *text, bool last)
{
	enum dialog_end end;

	if (d->kept && is_talking(d, WIRE_LOOK))
		return DIALOG_STALE;
	if (!open_mail(d, m, text->size, &end))
		return end == DIALOG_GOOD ? go_on(d, last) : end;
	if (put(d, text->bytes, text->len) == -1 || is_talking(d, WIRE_BREATH))
		return answered_early(d, m);
	if (say(d, ".\r\n"))
		return close_mail(d, m, last);
	return not_taken(d, m, "no answer to the text, which may have been "
			 "taken");
}

int dialog_probe(struct dialog *d)
{
	return is_good(say(d, "NOOP\r\n")) ? 0 : -1;
}

void dialog_leave(struct dialog *d)
{
	d->wire->hurry(d->wire->arg);
	say(d, "QUIT\r\n");
}
