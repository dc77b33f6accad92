#ifndef REQUEST_FOOTNOTE_H
#define REQUEST_FOOTNOTE_H

#include "base/arena.h"
#include "mail/message.h"

/*
 * "Please try [1]" and, further down, "[1] https://...": the link that is
 * meant stands in a note of the author's own text.
 */
#define FOOTNOTES_MAX 16	/* of one mail */

struct footnotes {
	const char *link[FOOTNOTES_MAX + 1];	/* by number, NULL: none */
};

void footnotes_find(struct footnotes *f, struct arena *a,
		    const struct message *m);

/* The sentence with the links in place of "[1]"; NULL when it names no note
 * that is known, or is one itself. */
const char *footnotes_put_in(const struct footnotes *f, struct arena *a,
			     const char *sentence);

#endif
