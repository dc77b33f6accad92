#ifndef REQUEST_STRANGER_H
#define REQUEST_STRANGER_H

#include <stdbool.h>
#include <stddef.h>

#include "mail/message.h"

/*
 * Does the mail itself show who "name" is: in From, To or Cc, or in what it
 * quotes?  Who is greeted by a name that stands nowhere else, in an answer to
 * the robot, is likely one of those who run it.
 */
bool is_introduced(const struct message *m, const char *name, size_t len);

#endif
