#ifndef SEND_SEND_H
#define SEND_SEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct conf;
struct err;

/*
 * Mails on their way out, by one of several drivers.  A driver makes one
 * attempt, within a deadline, and says of each recipient what came of it;
 * whether and when to try again is the caller's matter (the outbox).
 */

enum send_outcome {
	SEND_LATER,	/* not taken, or we do not know: try again */
	SEND_TAKEN,	/* the other side is responsible now */
	SEND_REFUSED,	/* for good */
};

struct send_recipient {
	const char *address;
	enum send_outcome outcome;
	const char *reply;	/* what the other side said; "" */
};

/*
 * One mail.  Recipients that are SEND_TAKEN or SEND_REFUSED already are left
 * alone; the others get their outcome.  "bytes" is a message of 7 bits, lines
 * ended by LF or CRLF.
 */
struct send_mail {
	const char *sender;	/* of the envelope; "" is the null return path */
	struct send_recipient *to;
	size_t n;
	const void *bytes;
	size_t len;
	struct arena *arena;	/* replies live there */
};

struct sender;

/* A driver: one file, one struct. */
struct send_driver {
	const char *name;
	/* Returns its state, or NULL with "err". */
	void *(*open)(const struct conf *conf, struct err *err);
	/* "m" has passed send_check(). See sender_send() for the rest. */
	int (*send)(void *state, struct send_mail *m, struct err *err);
	/* Can the other side be reached and does it take us?  May be NULL. */
	int (*probe)(void *state, struct err *err);
	void (*close)(void *state);
};

extern const struct send_driver send_smtp, send_sendmail, send_maildir;

/* The driver that the configuration names ("send.driver"), or NULL and "err". */
struct sender *sender_open(const struct conf *conf, struct err *err);
void sender_close(struct sender *s);	/* NULL: nothing */
const char *sender_name(const struct sender *s);

/*
 * Make one attempt.  Returns 0 when every recipient was taken, else -1: "err"
 * is ERR_TEMP when trying again may help for one of them, ERR_PERM when all
 * that were not taken were refused for good, ERR_INPUT when the mail or its
 * envelope is unfit (then nothing was attempted).
 */
int sender_send(struct sender *s, struct send_mail *m, struct err *err);

/* Connect, say hello, log in, go.  0, or -1 with "err". */
int sender_probe(struct sender *s, struct err *err);

/* How long one attempt may take, in seconds; as long again may pass until a
 * server that hangs has been left. */
int64_t sender_deadline(const struct conf *conf);

/*
 * Is the envelope fit: addresses as address_check() has them (nothing of them
 * can end a command), at least one recipient, none twice; are the bytes a
 * message of 7 bits, its lines not too long, without Bcc?  Returns 0, or -1 with "err" (ERR_INPUT).
 */
int send_check(const struct send_mail *m, struct err *err);

#endif
