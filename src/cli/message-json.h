#ifndef CLI_MESSAGE_JSON_H
#define CLI_MESSAGE_JSON_H

#include <stdbool.h>

#include "mail/message.h"
#include "request/request.h"

struct buf;

/*
 * Append what "perfpost parse" prints of a message, as one line without its
 * end.  "own": one of our own addresses sent it; "explain" adds why which
 * rule fired.  Written straight to text: of 20,000 mails it is much.
 */
void message_write_json(struct buf *out, const struct message *m,
			const struct requests *r, bool own, bool explain);

#endif
