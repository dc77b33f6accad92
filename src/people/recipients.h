#ifndef PEOPLE_RECIPIENTS_H
#define PEOPLE_RECIPIENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "mail/message.h"

struct buf;
struct err;

/*
 * Who gets a mail, and why: each address once, whatever ways led to it.
 */

struct addressee {
	struct address who;
	bool to;		/* else Cc */
	const char *why;	/* "author; Reported-by" */
	const char *why_not;	/* of those left out; else NULL */
};

struct recipients {
	struct arena arena;
	struct addressee *v;	/* in the order they came */
	size_t n, cap;
};
#define RECIPIENTS_INIT { .arena = ARENA_INIT }

void recipients_release(struct recipients *r);

/*
 * Add one.  Whoever is there already (case does not matter) gets the further
 * reason, a To where it was a Cc, and a name where it had none.  Nobody is
 * added twice; strings are copied.
 */
void recipients_add(struct recipients *r, const struct address *who, bool to,
		    const char *why);

/*
 * As above from text, "Ann <ann@example.org>" or an address, for options and
 * configuration.  Returns 0, or -1 with "err" as address_parse() says.
 */
int recipients_add_text(struct recipients *r, const char *text, bool to,
			const char *why, struct err *err);

/* Take an address off the list; false when it is not on it. */
bool recipients_drop(struct recipients *r, const char *address);

/* Who has this address (case does not matter), good until the next is added;
 * NULL: nobody. */
struct addressee *recipients_find(const struct recipients *r,
				  const char *address);

/* The To or the Cc ones as a list, valid until the next change. */
struct addresses recipients_list(struct recipients *r, bool to);

/*
 * A line each, To before Cc, for --why-recipients:
 * "To: Ann <ann@example.org>  (author)", "--: Bob <bob@example.org>  (committer,
 * but ...)".
 */
void recipients_explain(const struct recipients *r, struct buf *out);

#endif
