#ifndef BOT_SCREEN_H
#define BOT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "bot/settings.h"
#include "mail/message.h"

/*
 * Mails that no human wrote to us: kept for threading, never acted upon and
 * never answered, or two machines would talk for ever.
 */

/* Every mail of ours carries this field. */
#define OWN_FIELD "X-Perfpost"

/* Why the mail is to be ignored, or NULL: a person's mail. */
const char *screen_mail(const struct settings *s, const struct message *m,
			struct arena *a);

/* A delivery report (RFC 3464): for whom a mail failed for good. */
#define BOUNCES_MAX 50
struct bounces {
	struct bounce {
		const char *address;	/* as we wrote it, where that is told */
		const char *status;	/* why (RFC 3463), "5.1.1", or NULL */
	} v[BOUNCES_MAX];
	size_t n;		/* 0: it is no such report */
	const char *message_id;	/* of the mail, when it came back, or NULL */
};

/* Fill "b" from "a". */
void screen_bounces(struct bounces *b, const struct message *m,
		    const void *bytes, size_t len, struct arena *a);

#endif
