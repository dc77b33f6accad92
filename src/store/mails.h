#ifndef STORE_MAILS_H
#define STORE_MAILS_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct arena;

/* Mails that came in, and which message belongs to which report. */

enum mail_state { MAIL_NEW, MAIL_DECIDED, MAIL_DUPLICATE, MAIL_QUARANTINED };

struct stored_mail {
	int64_t id;
	const char *hash;	/* SHA-256 of the bytes, hex: one row a delivery */
	const char *message_id;	/* "" until it was read */
	const char *content;	/* hash of what the author wrote: a list's copy
				 * has the same; "" until it was read */
	const char *source;	/* which driver brought it from where */
	const char *sender, *subject;
	int64_t received;	/* seconds since 1970 */
	enum mail_state state;
	int tries;		/* to decide it */
	int64_t report;		/* 0: none */
	const char *decision;	/* "queue", "none", "reply-error", ... */
	const char *reason;	/* for a person */
	const char *evidence;	/* JSON object */
	const char *archived_at;
	const void *bytes;
	size_t len;
};

/*
 * Take in a delivery: hash, source, received and the bytes are read.
 * Returns 1 (m->id is new), 0 (these bytes are here already: m->id of them),
 * or -1.
 */
int mail_add(struct store *s, struct stored_mail *m, struct err *err);

/* Each fills "m" from the arena and returns 1, or 0 (none) or -1. */
int mail_get(struct store *s, int64_t id, struct arena *a,
	     struct stored_mail *m, struct err *err);
/* The oldest that waits for its decision and is due. */
int mail_next(struct store *s, int64_t now, struct arena *a,
	      struct stored_mail *m, struct err *err);
/* One that was decided, by its Message-ID and content. */
int mail_find(struct store *s, const char *message_id, const char *content,
	      struct arena *a, struct stored_mail *m, struct err *err);

/* All with that Message-ID, as they came in. */
int mail_list(struct store *s, const char *message_id, struct arena *a,
	      struct stored_mail **v, size_t *n, struct err *err);

/* The first behind row "after" (0: of all) that nobody has read, so that its
 * Message-ID is not known here: it waits for its decision, or was given up. */
int mail_next_unread(struct store *s, int64_t after, struct arena *a,
		     struct stored_mail *m, struct err *err);

/* The newest of a sender, whatever came of them: "max" at most. */
int mail_list_sender(struct store *s, const char *sender, int64_t max,
		     struct arena *a, struct stored_mail **v, size_t *n,
		     struct err *err);

/* Write back what was decided: every member from message_id on but source,
 * received and the bytes. */
int mail_save(struct store *s, const struct stored_mail *m, struct err *err);

/* It could not be decided now: count the try, look again at "due". */
int mail_delay(struct store *s, int64_t id, int64_t due, const char *reason,
	       struct err *err);

const char *mail_state_name(enum mail_state state);

/* The message belongs to the report; "ours": we sent it. */
int thread_add(struct store *s, const char *message_id, int64_t report,
	       bool ours, struct err *err);

/* The reports that a message belongs to: at most "max" ids; how many, or -1. */
int thread_reports(struct store *s, const char *message_id, int64_t *report,
		   int max, struct err *err);

/* Did we send it?  1, 0 or -1. */
int thread_is_ours(struct store *s, const char *message_id, struct err *err);

/* Mail to this address fails for good. */
int address_fail(struct store *s, const char *address, const char *reason,
		 int64_t now, struct err *err);
int address_is_failing(struct store *s, const char *address, struct err *err);

/* Where a source was read to; "" when never.  1, 0 (none) or -1. */
int cursor_get(struct store *s, const char *source, struct arena *a,
	       const char **place, struct err *err);
/* Set it where there is none yet. */
int cursor_begin(struct store *s, const char *source, const char *place,
		 struct err *err);
int cursor_set(struct store *s, const char *source, const char *place,
	       struct err *err);

#endif
