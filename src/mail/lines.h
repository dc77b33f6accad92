#ifndef MAIL_LINES_H
#define MAIL_LINES_H

#include "mail/message.h"
#include "mail/text.h"

/*
 * Who wrote which line of a body: the author, somebody quoted, a signature,
 * a list, a lawyer, diff.
 */

#define LINES_MAX 1000000	/* the rest of a longer body is one line */

/*
 * Cut m->body into lines, say what each is, and collect the patches that
 * stand among them.  Fills line, nline, new_text and appends to patch.
 */
void lines_read(struct message *m);

/* Cut text into lines (all LINE_NEW) in the arena; returns how many. */
size_t lines_split(struct line **out, struct arena *a, const char *s,
		   size_t len);

/*
 * The steps, each a look at line "i" of "n".
 */

/* Depth of quotation that the line's own marks show: "> > ", "|>", "AB>". */
unsigned int quote_marks(struct slice s);

/* Lines of an attribution that starts at "i" ("On ... wrote:"), or 0.
 * "sure": it holds a date or an address, so that it is one even when no
 * quotation marks follow. */
size_t attribution_at(const struct line *v, size_t n, size_t i, bool *sure);

/* Lines of a divider (Outlook's header block, "Original Message") after
 * which all is quoted, or 0. "bare": a header block without a rule. */
size_t divider_at(const struct line *v, size_t n, size_t i, bool *bare);

/* Does a signature begin: "-- " or what mailers make of it? */
bool signature_at(const struct line *v, size_t n, size_t i);

/* Lines of a list footer or a legal disclaimer that starts here, or 0. */
struct trailers {
	const struct line *v;
	size_t n;
	unsigned char *seen;	/* n of them, zero at first */
};
size_t footer_at(struct trailers *t, size_t i);

#endif
