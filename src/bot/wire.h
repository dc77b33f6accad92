#ifndef BOT_WIRE_H
#define BOT_WIRE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "mail/message.h"
#include "request/request.h"

/*
 * A mail that was read, and what it asks for, as bytes: how the process that
 * reads mails (reader.h) hands them over.  Whoever takes them checks every
 * length, number and text, as if a stranger had written them.
 *
 * One function does both ways, so that they cannot differ.
 */
struct wire {
	struct buf *out;	/* writing: there; NULL: reading from */
	const char *in;		/* here */
	size_t left;
	struct arena *a;	/* what is read lives there */
	bool bad;		/* what was read makes no sense */
};

/* The requests alone; not how they were explained. */
void wire_message(struct wire *w, struct message *m);
void wire_requests(struct wire *w, struct requests *r);
void wire_text(struct wire *w, const char **s);	/* NULL stays NULL */

#endif
