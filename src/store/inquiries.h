#ifndef STORE_INQUIRIES_H
#define STORE_INQUIRIES_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct arena;

/*
 * The questions that we asked back ("which report is meant?", "which patch?"), each with the
 * request that waits for its answer.  One is open as long as its request is
 * ASKED_UNCLEAR.
 */

struct inquiry {
	const char *message_id;	/* of our mail that asks */
	int64_t request;
	const char *chosen;	/* tokens of reports, a blank between; or the
				 * Message-ID of a patch; "": nothing yet, or
				 * it was closed otherwise */
	int64_t answer;		/* the mail that closed it, 0: none yet */
};

/* We asked: message_id and request are read.  A request may be asked about
 * by several mails.  Inside a transaction only. */
int inquiry_add(struct store *s, const struct inquiry *q, struct err *err);

/* The question that a mail with this id asks, or that was asked about a
 * request in it: 1 and "q" filled from the arena, 0 (none) or -1. */
int inquiry_find(struct store *s, const char *message_id, struct arena *a,
		 struct inquiry *q, struct err *err);

/* Those of this mail's requests for which something was chosen. */
int inquiry_chosen(struct store *s, int64_t mail, struct arena *a,
		   struct inquiry **v, size_t *n, struct err *err);

/* How many mails asked about the request. */
int inquiry_count(struct store *s, int64_t request, int64_t *n,
		  struct err *err);

/*
 * Close those of q->request that are open with q->chosen and q->answer.  The request, which
 * was about no report, is about "report" from now on (0: still about none).
 * Inside a transaction only.
 */
int inquiry_close(struct store *s, const struct inquiry *q, int64_t report,
		  struct err *err);

#endif
