#ifndef SEND_LINES_H
#define SEND_LINES_H

#include <stddef.h>

struct buf;

/* Append a message with all its lines ended by "\r\n" or by "\n", whatever
 * they ended in; the last one too. */
void lines_crlf(struct buf *out, const char *s, size_t len);
void lines_lf(struct buf *out, const char *s, size_t len);

/* As lines_crlf(), with leading dots doubled (RFC 5321 4.5.2): how many. */
size_t lines_smtp(struct buf *out, const char *s, size_t len);

#endif
