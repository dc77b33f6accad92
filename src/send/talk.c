#include "send/talk.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

void talk_begin(struct talk *t, struct send_mail *m)
{
	*t = (struct talk){ .mail = m, .stage = TALK_HELLO,
			    .recipient = m->n };
}

static bool begins(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && !strncasecmp(s, word, n);
}

/* The one that "RCPT TO:<ann@example.org> ..." names; m->n when none. */
static size_t recipient_in(const struct send_mail *m, const char *s, size_t len)
{
	const char *open = memchr(s, '<', len), *close = memchr(s, '>', len);

	if (!open || !close || close < open)
		return m->n;
	for (size_t i = 0; i < m->n; i++)
		if (strlen(m->to[i].address) == (size_t)(close - open) - 1 &&
		    !strncmp(m->to[i].address, open + 1,
			     (size_t)(close - open) - 1))
			return i;
	return m->n;
}

void talk_said(struct talk *t, const char *s, size_t len)
{
	if (begins(s, len, "QUIT"))
		t->over = true;
	if (t->over)
		return;
	t->code = 0;
	t->reply[0] = '\0';
	if (begins(s, len, "MAIL FROM")) {
		t->stage = TALK_MAIL;
	} else if (begins(s, len, "RCPT TO")) {
		t->stage = TALK_RCPT;
		t->recipient = recipient_in(t->mail, s, len);
	} else if (begins(s, len, "DATA")) {
		t->stage = TALK_DATA;
	}
}

/* Add the text of a line to the reply, what is not printable as "?". */
static void keep(struct talk *t, const char *s, size_t len)
{
	size_t n = strlen(t->reply);

	if (n && n + 1 < sizeof(t->reply))
		t->reply[n++] = ' ';
	for (size_t i = 0; i < len && n + 1 < sizeof(t->reply); i++)
		t->reply[n++] = s[i] >= ' ' && s[i] <= '~' ? s[i] : '?';
	t->reply[n] = '\0';
}

static void settle(struct talk *t, struct send_recipient *r,
		   enum send_outcome outcome, const char *reply)
{
	r->outcome = outcome;
	r->reply = arena_strdup(t->mail->arena, reply);
}

static void rcpt_reply(struct talk *t)
{
	struct send_recipient *r = t->mail->to + t->recipient;

	if (t->recipient == t->mail->n)
		return;
	if (t->code / 100 == 5)
		settle(t, r, SEND_REFUSED, t->reply);
	else if (t->code / 100 != 2)
		settle(t, r, SEND_LATER, t->reply);
	t->recipient = t->mail->n;
}

static bool is_code(const char *s, size_t len)
{
	return len >= 3 && isdigit((unsigned char)s[0]) &&
	       isdigit((unsigned char)s[1]) && isdigit((unsigned char)s[2]);
}

void talk_heard(struct talk *t, const char *s, size_t len)
{
	if (t->over)
		return;
	while (len && (s[len - 1] == '\n' || s[len - 1] == '\r'))
		len--;
	if (t->code) {		/* a reply that is whole: another begins */
		t->code = 0;
		t->reply[0] = '\0';
	}
	if (!is_code(s, len)) {
		keep(t, s, len);
		return;
	}
	/* "250-First" goes on, "250 Last" and "250" do not. */
	if (len > 3 && s[3] == '-') {
		keep(t, t->reply[0] ? s + 4 : s, len - (t->reply[0] ? 4 : 0));
		return;
	}
	keep(t, t->reply[0] && len > 4 ? s + 4 : s,
	     t->reply[0] && len > 4 ? len - 4 : len);
	t->code = (s[0] - '0') * 100 + (s[1] - '0') * 10 + s[2] - '0';
	if (t->stage == TALK_RCPT)
		rcpt_reply(t);
	else if (t->stage == TALK_DATA && t->code == 354)
		t->stage = TALK_END;
	else if (t->stage == TALK_END)
		t->stage = TALK_DONE;
}

/* Was it said in the mail's own part of the talk that it will never do? */
static bool refused_for_good(const struct talk *t)
{
	return t->stage != TALK_HELLO && t->stage != TALK_RCPT &&
	       t->code / 100 == 5;
}

static const char *why_later(const struct talk *t, const char *trouble)
{
	if (t->stage == TALK_END)
		return arena_printf(t->mail->arena, "no answer to the text, "
				    "which may have been taken: %s", trouble);
	return t->code >= 400 ? t->reply : trouble;
}

void talk_end(struct talk *t, bool went_well, const char *trouble)
{
	bool taken = went_well && t->stage == TALK_DONE && t->code / 100 == 2;
	bool refused = !taken && refused_for_good(t);

	for (size_t i = 0; i < t->mail->n; i++) {
		struct send_recipient *r = &t->mail->to[i];

		if (r->outcome != SEND_LATER || *r->reply)
			continue;
		if (taken)
			settle(t, r, SEND_TAKEN, t->reply);
		else if (refused)
			settle(t, r, SEND_REFUSED, t->reply);
		else
			settle(t, r, SEND_LATER, why_later(t, trouble));
	}
}
