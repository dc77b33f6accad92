#ifndef RECV_RECV_H
#define RECV_RECV_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct buf;
struct conf;
struct err;

/*
 * Mails on their way in, from one of several kinds of source.
 *
 *	receiver_open	with the cursor that was stored last, or NULL
 *	receiver_next	1: a mail.  The caller stores it and, in the same
 *			stroke, receiver_cursor().
 *	receiver_settle	Then it is taken from where it came from.
 *
 * Dying anywhere in between brings a mail once more, never loses it.
 */

/* A source as the configuration names it. */
struct recv_source {
	const struct recv_driver *driver;
	const char *where;	/* an archive's URL; "" when there can be one */
	const char *name;	/* "imap", "public-inbox https://...": the key
				 * under which its cursor is kept */
};

/* A driver: one file, one struct. */
struct recv_driver {
	const char *name;
	int is_remote;		/* asking costs others something */
	/* Returns its state, or NULL with "err". "cursor" may be NULL. */
	void *(*open)(const struct conf *conf, const char *where,
		      const char *cursor, struct err *err);
	int (*next)(void *state, struct buf *bytes, struct err *err);
	int (*settle)(void *state, int well, struct err *err);
	const char *(*place)(void *state);
	const char *(*cursor)(void *state);	/* NULL: it needs none */
	int (*probe)(void *state, struct err *err);	/* may be NULL */
	void (*close)(void *state);
};

extern const struct recv_driver recv_imap, recv_maildir, recv_mbox,
	recv_public_inbox, recv_stdin;

/* The sources that "receive.drivers" asks for, or all that are configured.
 * 0, or -1 with "err". */
int recv_sources(const struct conf *conf, struct arena *a,
		 struct recv_source **v, size_t *n, struct err *err);

struct receiver;

/* Opens nothing yet that could take time: next and probe do. */
struct receiver *receiver_open(const struct conf *conf,
			       const struct recv_source *source,
			       const char *cursor, struct err *err);
void receiver_close(struct receiver *r);	/* NULL: nothing */

/*
 * The next mail into "bytes" (emptied first).  Returns 1; 0 when there is none
 * now; -1 with "err": ERR_INPUT when one mail cannot be had (it has been
 * passed over, ask for the next one), else the source is not there (ERR_TEMP:
 * later; it connects anew by itself, but not before a delay that grows with
 * each failure, and until then says so at once).
 */
int receiver_next(struct receiver *r, struct buf *bytes, struct err *err);

/*
 * The mail that came last is stored ("well" 1), or can never be (0): it is
 * marked as read or moved, where the source has such a thing.  0, or -1 with
 * "err"; then it may come once more.
 */
int receiver_settle(struct receiver *r, int well, struct err *err);

/* Where the last mail was found, for a person: "imap INBOX 4711". */
const char *receiver_place(const struct receiver *r);

/*
 * Where to go on after the last mail, or NULL when the source knows.  To be
 * stored with the mail, and when there was none, too: it may have been found
 * out where an archive ends now, or at which mail the connection broke.
 */
const char *receiver_cursor(const struct receiver *r);

/* Can it be reached and does it let us in?  0, or -1 with "err". */
int receiver_probe(struct receiver *r, struct err *err);

/* Seconds to wait after so many failures in a row: 1, 2, 4 ... 900. */
int64_t recv_delay(unsigned int failures);

#endif
