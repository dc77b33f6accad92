#ifndef MAIL_TEXT_H
#define MAIL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct buf;

/*
 * Bytes to text: slices and lines, transfer encodings, charsets,
 * format=flowed, HTML.  Nothing here knows headers.
 */

/* A piece of somebody else's bytes; not NUL-terminated. */
struct slice {
	const char *s;
	size_t len;
};

/*
 * Cut the next line off "rest": "line" is without its end (LF, or CRs and
 * LF).  False when nothing is left.
 */
bool slice_line(struct slice *rest, struct slice *line);

/* Nothing but blanks, those of Unicode too? */
bool slice_is_blank(struct slice s);
bool slice_ends(struct slice s, const char *suffix);

/* Here, since most ask for a text whose length the compiler knows. */
static inline bool slice_starts(struct slice s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.len >= n && !memcmp(s.s, prefix, n);
}

static inline bool slice_is(struct slice s, const char *text)
{
	return s.len == strlen(text) && !memcmp(s.s, text, s.len);
}

/* As slice_starts(), ASCII case does not matter. */
bool slice_starts_case(struct slice s, const char *prefix);

/* Where "word" stands in it, ASCII case does not matter, or NULL. */
const char *slice_find_case(struct slice s, const char *word);

/*
 * The first of the words (or phrases) that begins in it where a word does,
 * ASCII case not mattering: its index + 1, or 0.  All but "v" is filled by the
 * first call.
 */
#define WORD_STARTS 4096
struct words {
	const char *const *v;	/* of three bytes or more; ends with NULL */
	size_t n;
	unsigned char start[WORD_STARTS / 8];	/* a bit for each hash of
						 * their first three bytes */
	bool letter[256];	/* bytes that words are made of */
};
size_t slice_find_words(struct slice s, struct words *w);

/* Without blanks (also no-break ones) at both ends. */
struct slice slice_trim(struct slice s);

/*
 * Undo a Content-Transfer-Encoding (RFC 2045 6): base64, quoted-printable,
 * x-uuencode; others are copied.  A plain list footer that a list appended
 * to base64 is appended decoded as what it is.
 */
void transfer_decode(struct buf *out, const char *encoding, const char *s,
		     size_t len);

/*
 * Append as UTF-8 what was written in "charset" (NULL or unknown: found out).
 * Valid UTF-8 under a label that says a one-byte charset is taken as UTF-8;
 * what cannot be decoded becomes U+FFFD.  A byte order mark of UTF-16 counts
 * more than any label.
 */
void charset_decode(struct buf *out, const char *charset, const char *s,
		    size_t len);

/* Is it UTF-16, by its label (may be NULL) or its byte order mark? */
bool charset_is_wide(const char *charset, const char *s, size_t len);

/* Gunzip; returns -1 when it is none, nothing comes of it, or more than "out"
 * holds: no more than that is unpacked.  A file that was cut off yields what
 * there is of it. */
int gzip_decode(struct buf *out, const char *s, size_t len);

/* Line ends to LF; NUL to U+FFFD: returns whether there was one; no byte order
 * mark at the start. */
bool text_normalise(struct buf *out, const char *s, size_t len);

/* Undo format=flowed (RFC 3676): stuffing removed, soft line ends joined. */
void flowed_decode(struct buf *out, const char *s, size_t len, bool delsp);

/*
 * The text of an HTML part, for reading only: blocks become lines, <pre>
 * keeps its own, <blockquote> becomes "> ", links show their target when it
 * differs from their text; scripts and styles are left out.
 */
void html_text(struct buf *out, const char *s, size_t len);

#endif
