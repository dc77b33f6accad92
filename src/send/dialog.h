#ifndef SEND_DIALOG_H
#define SEND_DIALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "send/reply.h"
#include "send/send.h"

/*
 * How a mail is given to a server that was greeted (RFC 5321 3.3): MAIL, RCPT,
 * DATA, the text, and which reply belongs to what.
 *
 * A reply counts only when it cannot have been meant for something else.  What
 * a server says to the text counts when it comes after the text's end; and on
 * a connection that had a mail before, a refusal counts only when the server
 * asked for this mail's text (354) in the right place: else it may be a late
 * reply to the mail before, and a new connection will tell.
 */

enum wire_wait {
	WIRE_LOOK,	/* not at all */
	WIRE_BREATH,	/* as long as a packet needs to the other side and back */
	WIRE_WAIT,	/* until there is something, or time is up */
};

/* A connection. */
struct wire {
	void *arg;
	/* All of it; 0, or -1: it is lost or time is up. */
	int (*put)(void *arg, const char *s, size_t len);
	/* The number of bytes that there were; 0: none; -1: the other side
	 * closed, it is lost, or time was up while waiting. */
	ssize_t (*get)(void *arg, char *to, size_t size, enum wire_wait wait);
	/* From now on there is little time, for what is of no importance. */
	void (*hurry)(void *arg);
	/* Why it failed, for a person. */
	const char *(*trouble)(void *arg);
};

struct dialog {
	const struct wire *wire;
	const char *secret;	/* that no reply may show; NULL */
	bool size;		/* the server takes SIZE */
	bool kept;		/* it had a mail before */
	struct reply reply;	/* the last one */
	char in[1000];		/* read, and not yet looked at */
	size_t len;
};

enum dialog_end {
	DIALOG_GOOD,	/* the connection is in step: it can have another mail */
	DIALOG_OVER,	/* it is to be left */
	DIALOG_STALE,	/* it is to be left, and the mail given to a new one:
			 * nobody has an outcome */
};

/* A mail as it is given: with CRLF and doubled dots. */
struct dialog_text {
	const char *bytes;
	size_t len;
	size_t size;		/* without the doubled ones: RFC 1870 3 */
};

/*
 * Give one mail.  Everyone who was SEND_LATER gets an outcome.  "last": say
 * good-bye after it.
 */
enum dialog_end dialog_mail(struct dialog *d, struct send_mail *m,
			    const struct dialog_text *text, bool last);

/* NOOP.  0, or -1 with "d->reply" telling (code 0: the wire knows). */
int dialog_probe(struct dialog *d);

/* QUIT, without waiting for long. */
void dialog_leave(struct dialog *d);

#endif
