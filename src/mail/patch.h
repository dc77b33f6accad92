#ifndef MAIL_PATCH_H
#define MAIL_PATCH_H

#include <stddef.h>

#include "mail/message.h"

/*
 * Diffs in text.  Walked by their @@ counts, so that what follows a hunk is
 * not swallowed and what stands in it is not taken for a quotation.
 */

#define PATCHES_MAX 200		/* in one message */

/*
 * If a diff begins at line "at": its lines' number, "p" filled (text, files,
 * verdict, line, id; in the arena).  Else 0.
 *
 * What can be proved is repaired in "text": an indentation that every line
 * shares is removed, an empty line within a hunk is an empty context line.
 * All else that is damaged stays as it came and gives the verdict.
 */
size_t patch_read(struct patch *p, struct arena *a, const struct line *v,
		  size_t n, size_t at);

/*
 * Where what belongs to the diff at line "at" begins, not before "from": its
 * scissors line, its mail-like header, its "---" and diffstat; "at" when
 * nothing does.  Fills the patch's subject and author if they stand there.
 */
size_t patch_preamble(struct patch *p, struct arena *a, const struct line *v,
		      size_t from, size_t at);

#endif
