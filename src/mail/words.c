#include "mail/header.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/hex.h"
#include "base/utf8.h"
#include "mail/text.h"

/* One encoded-word, "=?charset?Q?text?=" (RFC 2047 2). */
struct word {
	struct slice charset, text;
	char encoding;		/* 'q' or 'b' */
	size_t len;		/* of the whole word */
};

static bool word_here(struct word *w, const char *s, size_t len)
{
	const char *end = s + len, *p, *q;

	if (len < 8 || s[0] != '=' || s[1] != '?')
		return false;
	p = memchr(s + 2, '?', len - 2);
	if (!p || p == s + 2 || end - p < 5 || p[2] != '?' ||
	    memchr(s, ' ', (size_t)(p - s)))
		return false;
	w->charset = (struct slice){ s + 2, (size_t)(p - s) - 2 };
	w->encoding = (char)(p[1] | 0x20);
	if (w->encoding != 'q' && w->encoding != 'b')
		return false;
	/* The text may hold blanks and "?" against RFC 2047: seek "?=". */
	for (q = p + 3; q + 1 < end && !(q[0] == '?' && q[1] == '='); q++)
		;
	if (q + 1 >= end)
		return false;
	w->text = (struct slice){ p + 3, (size_t)(q - p) - 3 };
	w->len = (size_t)(q - s) + 2;
	return true;
}

static void q_decode(struct buf *out, struct slice t)
{
	for (size_t i = 0; i < t.len; i++) {
		int c = t.s[i] == '=' && i + 2 < t.len ? hex_byte(t.s + i + 1)
						       : -1;

		if (t.s[i] == '_')
			buf_addch(out, ' ');
		else
			buf_addch(out, c == -1 ? t.s[i] : (char)c);
		i += c == -1 ? 0 : 2;
	}
}

/* RFC 2231 5: "charset*language". */
static void charset_name(char *to, size_t size, struct slice c)
{
	const char *star = memchr(c.s, '*', c.len);
	size_t n = star ? (size_t)(star - c.s) : c.len;

	if (n >= size)
		n = size - 1;
	memcpy(to, c.s, n);
	to[n] = '\0';
}

/* Mailers cut base64 anywhere: a word is decoded once it is whole. */
static void flush_base64(struct buf *bytes, struct buf *base64)
{
	if (base64->len)
		transfer_decode(bytes, "base64", base64->s, base64->len);
	buf_reset(base64);
}

/* The run of words of one charset at "s"; returns its length. */
static size_t words_run(struct buf *out, const char *s, size_t len)
{
	struct buf bytes = BUF_INIT(len + 1), base64 = BUF_INIT(len + 1);
	char charset[48], next[48];
	struct word w;
	size_t n = 0, gap = 0;

	while (word_here(&w, s + n + gap, len - n - gap)) {
		charset_name(n ? next : charset, sizeof(next), w.charset);
		if (n && strcasecmp(charset, next))
			break;
		if (w.encoding == 'b')
			buf_add(&base64, w.text.s, w.text.len);
		if (w.encoding == 'q' || base64.len % 4 == 0 ||
		    base64.s[base64.len - 1] == '=')
			flush_base64(&bytes, &base64);
		if (w.encoding == 'q')
			q_decode(&bytes, w.text);
		n += gap + w.len;
		/* RFC 2047 6.2: blanks between two words do not count. */
		for (gap = 0; n + gap < len; gap++)
			if (s[n + gap] != ' ' && s[n + gap] != '\t')
				break;
	}
	flush_base64(&bytes, &base64);
	charset_decode(out, charset, bytes.s, bytes.len);
	buf_release(&bytes);
	buf_release(&base64);
	return n;
}

/* Blanks between two words of different charsets do not count either. */
static size_t gap_before_word(const char *s, size_t len)
{
	struct word w;
	size_t gap = 0;

	while (gap < len && (s[gap] == ' ' || s[gap] == '\t'))
		gap++;
	return gap && word_here(&w, s + gap, len - gap) ? gap : 0;
}

static void plain(struct buf *out, const char *s, size_t len)
{
	charset_decode(out, NULL, s, len);
}

/* One line without NUL and without the tabs that folding left. */
static char *one_line(struct arena *a, const char *s, size_t len)
{
	char *text = arena_strndup(a, s, len);

	for (size_t k = 0; k < len; k++)
		if ((unsigned char)text[k] < ' ')
			text[k] = text[k] == '\0' ? '?' :
				  strchr("\r\n\t", text[k]) ? ' ' : text[k];
	return text;
}

/* All of it ASCII that shows. */
static bool is_printable(const char *s, size_t len)
{
	bool all = true;

	for (size_t i = 0; i < len; i++)
		all &= (unsigned char)(s[i] - ' ') < 95;
	return all;
}

char *words_decode(struct arena *a, const char *s, size_t len)
{
	struct buf out = BUF_INIT(4 * len + 16);
	struct word w;
	size_t from = 0, i = 0;
	char *text;

	if (!memmem(s, len, "=?", 2)) {	/* as most are */
		if (is_printable(s, len))
			return arena_strndup(a, s, len);
		if (utf8_valid(s, len))
			return one_line(a, s, len);
	}
	while (i < len) {
		if (s[i] != '=' || !word_here(&w, s + i, len - i)) {
			i++;
			continue;
		}
		plain(&out, s + from, i - from);
		i += words_run(&out, s + i, len - i);
		i += gap_before_word(s + i, len - i);
		from = i;
	}
	plain(&out, s + from, len - from);
	text = one_line(a, out.s, out.len);
	buf_release(&out);
	return text;
}
