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

/*
 * The address for which a delivery report (RFC 3464) says that mail to it
 * failed for good, or NULL.
 */
const char *screen_bounce(const struct message *m, const void *bytes,
			  size_t len, struct arena *a);

#endif
