#ifndef REQUEST_COMMAND_LINE_H
#define REQUEST_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "request/grammar.h"

/* Which lines of a mail are commands, and how far one goes on. */

/*
 * Where the command begins behind "#robot " at the start of the line, or
 * behind "lkp: " before one of the command language's verbs (by its name, the
 * robot is spoken to in prose too); 0: it is none.
 */
size_t command_prefix(const struct grammar *g, const struct robot *robot,
		      const struct line *l);

/*
 * Does the command whose text so far is "text", and whose last line is "l", go
 * on in "next"?  A mailer breaks a line whose next word does not fit; writers
 * do behind "\", "=", ":" and ",", before "on", "with" and a blank, and where
 * an argument must follow.
 */
bool command_goes_on(const struct line *l, const struct line *next,
		     const char *text);

#endif
