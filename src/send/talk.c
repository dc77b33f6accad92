#include "send/talk.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void talk_begin(struct talk *t, struct send_mail *m, const char *secret)
{
	*t = (struct talk){ .mail = m, .stage = TALK_HELLO,
			    .recipient = m->n, .secret = secret };
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

/* "AUTH PLAIN AGJvd...", or what goes on after it. */
static void note_login(struct talk *t, const char *s, size_t len)
{
	size_t from;

	t->login = begins(s, len, "AUTH") ||
		   (t->login && !begins(s, len, "MAIL FROM") &&
		    !begins(s, len, "NOOP"));
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	for (from = len; from && s[from - 1] != ' '; from--)
		;
	len -= from;
	if (!t->login || len >= sizeof(t->word))
		len = 0;
	memcpy(t->word, s + from, len);
	t->word[len] = '\0';
}

void talk_said(struct talk *t, const char *s, size_t len)
{
	if (begins(s, len, "QUIT"))
		t->over = true;
	if (t->over)
		return;
	note_login(t, s, len);
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

/* There are servers that repeat what they did not like. */
static void hide_secrets(struct talk *t)
{
	if ((t->secret && *t->secret && strstr(t->reply, t->secret)) ||
	    (t->login && strlen(t->word) > 3 && strstr(t->reply, t->word)))
		snprintf(t->reply, sizeof(t->reply), "%d (its words repeat "
			 "the password)", t->code);
}

static bool is_code(const char *s, size_t len)
{
	return len >= 3 && isdigit((unsigned char)s[0]) &&
	       isdigit((unsigned char)s[1]) && isdigit((unsigned char)s[2]);
}

static int code_of(const char *s)
{
	return (s[0] - '0') * 100 + (s[1] - '0') * 10 + s[2] - '0';
}

/* The reply to QUIT, which is 221 or, where the server is in trouble, 421. Any
 * other refusal is the reply to the text: what came as that came too soon. */
static void heard_bye(struct talk *t, const char *s, size_t len)
{
	if (t->bye || !is_code(s, len) || (len > 3 && s[3] == '-'))
		return;
	t->bye = code_of(s);
	if (t->bye < 400 || t->bye == 421 || t->stage != TALK_DONE)
		return;
	t->code = t->bye;
	t->reply[0] = '\0';
	keep(t, s, len);
}

void talk_heard(struct talk *t, const char *s, size_t len)
{
	while (len && (s[len - 1] == '\n' || s[len - 1] == '\r'))
		len--;
	if (t->over) {
		heard_bye(t, s, len);
		return;
	}
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
	t->code = code_of(s);
	hide_secrets(t);
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
