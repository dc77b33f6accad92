#ifndef MAIL_UNWRAP_H
#define MAIL_UNWRAP_H

#include <stdbool.h>

#include "mail/text.h"

struct buf;

/*
 * Mail gateways of companies replace the links in a mail by ones of their own,
 * in what they deliver and so in what is quoted and answered: Outlook's Safe
 * Links, Proofpoint's URL Defense (versions 1 to 3), Barracuda, Cisco,
 * FireEye, and Google's redirections.  Where such a link holds the one that
 * was written, that one is meant.
 *
 * Appends "line" with every such link replaced.  Returns false, and appends
 * nothing, when it holds none.  What does not come out as http, https or git
 * without blanks and control characters stays as it is.
 */
bool links_unwrap(struct buf *out, struct slice line);

#endif
