#ifndef RECV_PENDING_H
#define RECV_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

/*
 * Mails of an IMAP folder at which a connection broke.
 *
 * A network that breaks now and then must not cost a mail; a mail that breaks
 * each connection must not stop the others.  So a mail is asked for once more
 * at once, then set aside: the others come first, and it is tried again after
 * a time that doubles with each break.  It is given up only when it broke so
 * many times with other mails coming through in between.
 */

enum { PENDING_MAX = 64, PENDING_LONGEST = 4 * 3600 /* seconds */ };

struct pending_mail {
	uint32_t uid;
	unsigned int breaks;	/* all of them: they say how long to wait */
	unsigned int alone;	/* those with others' coming before it */
	bool others;		/* came through since the last break */
	int64_t due;		/* clock_now() of the next try */
};

struct pending {
	struct pending_mail v[PENDING_MAX];
	size_t n;
};

struct pending_rules {
	int64_t delay;		/* seconds after the second break */
	int64_t tries;		/* breaks "alone" until it is given up */
};

/* The text of pending_write(); what is no such text ends it. */
void pending_read(struct pending *p, const char *text);
/* " UID/BREAKS/ALONE/OTHERS/DUE" for each: goes into the cursor. */
void pending_write(const struct pending *p, struct buf *out);

/*
 * A connection broke at this mail.  True when it is to be given up: then it
 * still stands here, to be tried later, until pending_drop().  Where there is
 * no room it is not noted: it will break again.
 */
bool pending_broke(struct pending *p, const struct pending_rules *rules,
		   uint32_t uid, int64_t now);

/* This mail was read well: no longer pending, and a good sign for the rest. */
void pending_came(struct pending *p, uint32_t uid);

/* It is not there any more, or will not be asked for again. */
void pending_drop(struct pending *p, uint32_t uid);

/* NULL when it is not pending. */
const struct pending_mail *pending_find(const struct pending *p, uint32_t uid);

/* Set aside, not to be read with the new ones: it broke more than once. */
bool pending_is_aside(const struct pending_mail *m);

/* The one to be tried now that waits longest, or NULL. */
const struct pending_mail *pending_due(const struct pending *p, int64_t now);

#endif
