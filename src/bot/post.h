#ifndef BOT_POST_H
#define BOT_POST_H

#include <stddef.h>
#include <stdint.h>

struct conf;
struct err;
struct message;
struct store;

/*
 * Put a finished mail that came from a file into the outbox: the envelope from
 * its To and Cc (and "bcc", addresses that stand in no header; NULL-terminated
 * or NULL), the report that its X-Perfpost- headers describe into the reports,
 * so that answers to it are known, all in one stroke.
 *
 * Returns 1 (*id is new), 0 (that Message-ID is there already), or -1.
 */
int post_mail(struct store *s, const struct conf *conf,
	      const struct message *m, const void *bytes, size_t len,
	      const char *const *bcc, int64_t *id, struct err *err);

/* The envelope's sender: "send.sender", "operator.address", or the From. */
const char *post_sender(const struct conf *conf, const struct message *m);

#endif
