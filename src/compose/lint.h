#ifndef COMPOSE_LINT_H
#define COMPOSE_LINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "people/recipients.h"
#include "report/report.h"

struct buf;

/*
 * Would we send this mail?  What was written is read back, as a stranger's
 * mail would be, and every reason against it is told.  Nothing is mended here.
 */

struct lint {
	struct arena arena;
	const char **reason;	/* one line each, without control characters */
	size_t n, cap;
	const char *warning;	/* no reason against it, but somebody should
				 * know; NULL */
	bool goes_elsewhere;	/* set before: whom it names does not matter,
				 * and may be the sender alone */
};
#define LINT_INIT { .arena = ARENA_INIT }

/* What the mail was made of; members may be NULL: not compared. */
struct lint_plan {
	const struct recipients *who;
	const struct report *report;
};

/*
 * Find the reasons against "bytes"; l->n is 0 when there are none.  "plan" may
 * be NULL.  Checked are:
 *
 *  - the bytes: 7-bit, lines of at most 998, one kind of line end, no NUL;
 *  - one header block with From, To or Cc, Subject, Date, Message-ID and
 *    Auto-Submitted, none twice, no Bcc, addresses and ids well-formed, nobody
 *    twice, an answer that says what it answers; recipients as planned;
 *  - text/plain in UTF-8 first, not flowed, no HTML;
 *  - the text: no header-like lines at its start, no empty section, no
 *    placeholder left, no control characters, suggested tags in an answer
 *    indented or behind "|";
 *  - the numbers: the change in the subject, the sentence and the table are the
 *    same, and the report's.
 */
void lint_mail(struct lint *l, const char *bytes, size_t len,
	       const struct lint_plan *plan);
void lint_release(struct lint *l);

/* Append "NAME: reason" a line. */
void lint_print(const struct lint *l, const char *name, struct buf *out);

#endif
