#ifndef SEND_TALK_H
#define SEND_TALK_H

#include <stdbool.h>
#include <stddef.h>

#include "send/send.h"

/*
 * An SMTP conversation, listened to: which reply belongs to which command.
 * libcurl tells only the last code; who was refused, and why, stands in
 * between (RFC 5321 4.2).
 */

enum talk_stage {
	TALK_HELLO,	/* up to and with EHLO, STARTTLS, AUTH */
	TALK_MAIL,
	TALK_RCPT,
	TALK_DATA,
	TALK_END,	/* the text was given, its reply is awaited */
	TALK_DONE,
};

struct talk {
	struct send_mail *mail;
	enum talk_stage stage;
	size_t recipient;	/* of the RCPT whose reply is awaited; n: none */
	bool over;		/* QUIT was said */
	int code;		/* of the last whole reply; 0: none */
	char reply[300];	/* its text, lines joined, printable */
	int bye;		/* code of the reply to QUIT; 0: none yet */
	const char *secret;	/* a password that no reply may show; NULL */
	bool login;		/* AUTH was said, and nothing else since */
	char word[600];		/* the last that was said of a login */
};

/* "secret" (or NULL) stays the caller's. */
void talk_begin(struct talk *t, struct send_mail *m, const char *secret);

/* A command went out; a line came in (with or without its CRLF). */
void talk_said(struct talk *t, const char *s, size_t len);
void talk_heard(struct talk *t, const char *s, size_t len);

/*
 * The conversation is over; "went_well": libcurl says so.  Fills in the outcome
 * of everyone who has none yet: taken, refused or later, by where it ended.
 * "trouble" is what libcurl says of it otherwise.  A server that took the text
 * before its end and then answers QUIT with the true reply to it is believed
 * in that.
 */
void talk_end(struct talk *t, bool went_well, const char *trouble);

#endif
