#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* Is all of it valid UTF-8 (RFC 3629)?  NUL bytes count as valid. */
bool utf8_valid(const char *s, size_t len);

/* Append "s" with every byte that is no UTF-8 replaced by U+FFFD. */
void utf8_clean(struct buf *out, const char *s, size_t len);

/*
 * Columns that a terminal needs for the text: wide characters count 2,
 * combining and control ones 0, bytes that are no UTF-8 count 1.
 */
size_t utf8_width(const char *s, size_t len);

/* The number of leading bytes of "s" that fit in "columns", no character
 * cut in two. */
size_t utf8_fit(const char *s, size_t len, size_t columns);

/* Append "s", shortened by "..." in its middle when it needs more than
 * "columns"; no character is cut in two. */
void utf8_middle(struct buf *out, const char *s, size_t len, size_t columns);

/* Append "s" as printable ASCII: every other character becomes one '?'. */
void utf8_ascii(struct buf *out, const char *s, size_t len);

/*
 * Append "s" made inert for a person's eyes: control characters, bidi
 * overrides (U+202A-E, U+2066-9, U+200E-F, U+061C) and invalid bytes become
 * \xNN or \u{NNNN}; a newline and a tab stay when "lines" is true.
 */
void utf8_inert(struct buf *out, const char *s, size_t len, bool lines);

/*
 * Append the text "s" spelled in ASCII, for readers who see everything else garbled.  Quotes,
 * dashes, signs and letters with marks become what is nearest, the rest "?".
 * A plus-minus takes the blank behind it along, so that tables keep columns.
 */
void utf8_spell_ascii(struct buf *out, const char *s, size_t len);

#endif
