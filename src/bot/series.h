#ifndef BOT_SERIES_H
#define BOT_SERIES_H

#include <stddef.h>

#include "base/arena.h"
#include "bot/source.h"

/* A patch that is one of a series means the series. */

/* Does the subject say so ("[PATCH 2/3]", "[PATCH v2 0/3]")? */
bool series_is_part(const char *subject);

/* Do both subjects belong to a series of that length and version? */
bool series_is_same(const char *a, const char *b);

/*
 * Of "n" mails, those that make up the series that mail "id" belongs to, in
 * order, without its cover letter: into "picked", how many.  A mail that is
 * alone is a series of one.  Where some are missing src->error says so.
 */
size_t series_pick(struct source *src, const struct message *const *mail,
		   size_t n, const char *id, const struct message **picked,
		   struct arena *a);

#endif
