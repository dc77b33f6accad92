#ifndef SEND_HELLO_H
#define SEND_HELLO_H

#include <stdbool.h>
#include <stddef.h>

#include "send/reply.h"

/*
 * The beginning of an SMTP connection, up to the login: libcurl leads it, and
 * we listen, as it does not tell in whose words it failed.
 */
struct hello {
	struct reply reply;	/* the last one */
	bool size;		/* SIZE is offered (RFC 1870) */
	const char *secret;	/* a password that no reply may show; NULL */
	bool login;		/* AUTH was said */
	char word[600];		/* the last that was said of a login */
};

/* "secret" stays the caller's. */
void hello_begin(struct hello *h, const char *secret);

/* A command went out; a line came in. */
void hello_said(struct hello *h, const char *s, size_t len);
void hello_heard(struct hello *h, const char *s, size_t len);

#endif
