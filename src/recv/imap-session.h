#ifndef RECV_IMAP_SESSION_H
#define RECV_IMAP_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "recv/pending.h"

struct buf;
struct err;

/*
 * One IMAP connection, over libetpan.  It runs in a process of its own
 * (recv-imap.c), so that a library that hangs, leaks or crashes on what a
 * server says takes nothing with it.
 */

enum imap_tls { IMAP_TLS, IMAP_STARTTLS, IMAP_PLAIN };

struct imap_options {
	const char *host;
	uint16_t port;
	enum imap_tls tls;
	const char *ca_file;	/* instead of the system's; NULL: none */
	const char *user, *password;
	const char *folder;	/* "INBOX" */
	const char *done, *failed;	/* where mails go to; NULL: stay */
	int64_t timeout;	/* seconds, of each wait for the server */
	size_t max;		/* bytes of a mail */
};

/* What has been read; UIDs are never used again while "validity" stays. */
struct imap_place {
	uint32_t validity;	/* UIDVALIDITY, 0: unknown */
	uint32_t uid;		/* the last one taken, 0: none */
};

/* Mails that are not to be read with the others. */
struct imap_skip {
	uint32_t uid[PENDING_MAX];
	uint32_t n;
};

struct imap_session;

/*
 * Connect, verify the server's certificate and name, log in, select.  Nothing
 * secret is sent before the certificate is found good.  NULL with "err":
 * ERR_TEMP the server is not there, ERR_DENIED it is not the one meant or does
 * not let us in, ERR_INPUT never.
 */
struct imap_session *imap_session_open(const struct imap_options *o,
				       struct err *err);
void imap_session_close(struct imap_session *s);	/* says good-bye */

/*
 * The next mail after "place" that is not to be skipped; "place" is set to it
 * before it is asked for, or to the last one skipped when there is none (and
 * starts over when the folder's UIDVALIDITY is another one).  Returns 1; 0 when there is none; -1 with "err": ERR_INPUT when
 * this one cannot be had (it is settled as such, the session goes on), else the
 * session is over.
 */
int imap_session_next(struct imap_session *s, struct imap_place *place,
		      const struct imap_skip *skip, struct buf *bytes,
		      struct err *err);

/* The mail "uid" of the folder whose UIDVALIDITY "place" has; the rest as with
 * imap_session_next().  0: there is no such mail. */
int imap_session_one(struct imap_session *s, uint32_t uid,
		     struct imap_place *place, struct buf *bytes,
		     struct err *err);

/* Mark the mail "place", or move it to its folder, which is made when missing. */
int imap_session_settle(struct imap_session *s,
			const struct imap_place *place, int well,
			struct err *err);

#endif
