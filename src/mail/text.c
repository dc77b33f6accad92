#include "mail/text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

bool slice_line(struct slice *rest, struct slice *line)
{
	const char *lf;

	if (!rest->len)
		return false;
	lf = memchr(rest->s, '\n', rest->len);
	line->s = rest->s;
	line->len = lf ? (size_t)(lf - rest->s) : rest->len;
	rest->len -= line->len + (lf ? 1 : 0);
	rest->s += line->len + (lf ? 1 : 0);
	while (line->len && line->s[line->len - 1] == '\r')
		line->len--;
	return true;
}

/* Length of the blank at the start: ASCII, or U+00A0, or U+3000. */
static size_t blank_here(struct slice s)
{
	if (!s.len)
		return 0;
	if (*s.s == ' ' || *s.s == '\t' || *s.s == '\r')
		return 1;
	if (s.len >= 2 && !memcmp(s.s, "\xc2\xa0", 2))
		return 2;
	return s.len >= 3 && !memcmp(s.s, "\xe3\x80\x80", 3) ? 3 : 0;
}

static size_t blank_at_end(struct slice s)
{
	for (size_t n = 1; n <= 3 && n <= s.len; n++)
		if (blank_here((struct slice){ s.s + s.len - n, n }) == n)
			return n;
	return 0;
}

struct slice slice_trim(struct slice s)
{
	size_t n;

	/* Most lines neither begin nor end with anything but ASCII. */
	if (s.len && *s.s > ' ' && s.s[s.len - 1] > ' ')
		return s;
	while ((n = blank_here(s))) {
		s.s += n;
		s.len -= n;
	}
	while ((n = blank_at_end(s)))
		s.len -= n;
	return s;
}

bool slice_is_blank(struct slice s)
{
	return !slice_trim(s).len;
}

bool slice_ends(struct slice s, const char *suffix)
{
	size_t n = strlen(suffix);

	return s.len >= n && !memcmp(s.s + s.len - n, suffix, n);
}

bool slice_starts_case(struct slice s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.len >= n && !strncasecmp(s.s, prefix, n);
}

const char *slice_find_case(struct slice s, const char *word)
{
	size_t n = strlen(word);
	int low = tolower((unsigned char)*word);
	int up = toupper((unsigned char)*word);

	for (size_t i = 0; i + n <= s.len; i++)
		if ((s.s[i] == (char)low || s.s[i] == (char)up) &&
		    !strncasecmp(s.s + i, word, n))
			return s.s + i;
	return NULL;
}

/* The bit of the first three bytes at "s", in any case of ASCII. */
static unsigned int start_bit(const char *s)
{
	const unsigned char *c = (const unsigned char *)s;

	/* 0x20 makes small letters of great ones, and others of others. */
	return ((c[0] | 0x20u) * 961 + (c[1] | 0x20u) * 31 + (c[2] | 0x20u)) %
		WORD_STARTS;
}

static void words_prepare(struct words *w)
{
	for (int c = 0; c < 256; c++)
		w->letter[c] = isalnum(c) != 0;
	for (; w->v[w->n]; w->n++) {
		unsigned int bit = start_bit(w->v[w->n]);

		w->start[bit / 8] |= (unsigned char)(1 << bit % 8);
	}
}

/* The index + 1 of the word that begins right here, or 0. */
static size_t word_begins(struct slice s, const struct words *w)
{
	unsigned int bit = start_bit(s.s);

	if (!(w->start[bit / 8] & 1 << bit % 8))
		return 0;
	for (size_t k = 0; k < w->n; k++)
		if (slice_starts_case(s, w->v[k]))
			return k + 1;
	return 0;
}

size_t slice_find_words(struct slice s, struct words *w)
{
	bool inside = false;	/* of a word: none begins here */
	size_t hit;

	if (!w->n)
		words_prepare(w);
	for (size_t i = 0; i + 2 < s.len; i++) {
		if (!inside && (hit = word_begins((struct slice){
					s.s + i, s.len - i }, w)))
			return hit;
		inside = w->letter[(unsigned char)s.s[i]];
	}
	return 0;
}

/* A line to "out", whatever stands in it. */
static bool add_line(struct buf *out, struct slice line, bool lone_cr_ends)
{
	bool nul = memchr(line.s, '\0', line.len) != NULL;

	if (!nul && (!lone_cr_ends || !memchr(line.s, '\r', line.len))) {
		buf_add(out, line.s, line.len);
		return false;
	}
	for (size_t i = 0; i < line.len; i++) {
		if (line.s[i] == '\0')
			buf_addstr(out, "\xef\xbf\xbd");
		else
			buf_addch(out, line.s[i] == '\r' && lone_cr_ends ?
				  '\n' : line.s[i]);
	}
	return nul;
}

bool text_normalise(struct buf *out, const char *s, size_t len)
{
	bool lf = memchr(s, '\n', len) != NULL, nul = false;
	struct slice rest = { s, len }, line;

	if (slice_starts(rest, BYTE_ORDER_MARK))
		rest = (struct slice){ s + 3, len - 3 };
	while (slice_line(&rest, &line)) {
		nul |= add_line(out, line, !lf);
		if (rest.s > line.s + line.len)
			buf_addch(out, '\n');
	}
	return nul;
}
