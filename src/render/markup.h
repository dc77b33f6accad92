#ifndef RENDER_MARKUP_H
#define RENDER_MARKUP_H

#include <stddef.h>

struct buf;

/*
 * Append "s" as text of HTML or SVG, or as the value of a quoted attribute:
 * markup escaped, and inert as utf8_inert() makes it.  In markup_lines()
 * newlines and tabs stay.
 */
void markup_text(struct buf *out, const char *s, size_t len);
void markup_lines(struct buf *out, const char *s, size_t len);

/* Of a C string; NULL is "". */
void markup_str(struct buf *out, const char *s);

#endif
