#ifndef REQUEST_QUOTATION_H
#define REQUEST_QUOTATION_H

#include "request/whom.h"

/*
 * Whose words a mail quotes, passage by passage: who is quoted is who is
 * answered.  The robot's words are known by their attribution or by what only
 * it says; then the names in the attribution are those of its people.
 */
struct quotation {
	size_t from, to;	/* lines of the message, [from, to) */
	enum whom whom;		/* WHOM_ROBOT, WHOM_OTHER, or NOBODY knows */
};

struct quotations {
	struct quotation *v;
	size_t n, cap;
	size_t next;		/* for quotations_at() */
};

void quotations_find(struct quotations *q, struct company *c, struct arena *a,
		     const struct message *m);

/* Whose words end before line "i", asked in rising order. */
enum whom quotations_at(struct quotations *q, size_t i);

/* Does it quote the robot, or somebody else, anywhere? */
bool quotations_of(const struct quotations *q, enum whom whom);

/* Who is answered by what stands above every quotation. */
enum whom quotations_first(const struct quotations *q,
			   const struct message *m);

#endif
