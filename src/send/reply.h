#ifndef SEND_REPLY_H
#define SEND_REPLY_H

#include <stdbool.h>
#include <stddef.h>

/* What an SMTP server replies, read line by line (RFC 5321 4.2). */
struct reply {
	int code;		/* 0: it is not whole yet */
	char text[300];		/* its lines joined, printable */
};

/* Nothing was heard yet. */
void reply_begin(struct reply *r);

/* The next line, with or without its CRLF; true when the reply is whole now.
 * What has no code is kept as text of the line that has one. */
bool reply_line(struct reply *r, const char *line, size_t len);

/* There are servers that repeat what they did not like: a reply that holds the
 * word (NULL: none) loses its text. */
void reply_hide(struct reply *r, const char *word);

#endif
