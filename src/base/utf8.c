#include "base/utf8.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "base/buf.h"

/* Decode one character; invalid bytes give cp -1 and a length of 1. */
static size_t next(const char *s, size_t len, utf8proc_int32_t *cp)
{
	utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s,
					      (utf8proc_ssize_t)len, cp);

	if (n > 0 && *cp != -1)
		return (size_t)n;
	*cp = -1;
	return 1;
}

/* The number of ASCII bytes that "s" begins with: most text is nothing else. */
static size_t ascii_run(const char *s, size_t len)
{
	uint64_t eight;
	size_t i = 0;

	for (; i + 8 <= len; i += 8) {
		memcpy(&eight, s + i, 8);
		if (eight & 0x8080808080808080)
			break;
	}
	while (i < len && (unsigned char)s[i] < 0x80)
		i++;
	return i;
}

bool utf8_valid(const char *s, size_t len)
{
	utf8proc_int32_t cp;

	for (size_t i = 0; i < len;) {
		i += ascii_run(s + i, len - i);
		if (i == len)
			break;
		i += next(s + i, len - i, &cp);
		if (cp == -1)
			return false;
	}
	return true;
}

void utf8_clean(struct buf *out, const char *s, size_t len)
{
	utf8proc_int32_t cp;
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		n = ascii_run(s + i, len - i);
		buf_add(out, s + i, n);
		i += n;
		if (i == len)
			break;
		n = next(s + i, len - i, &cp);
		if (cp == -1)
			buf_addstr(out, "\xef\xbf\xbd");
		else
			buf_add(out, s + i, n);
	}
}

static bool is_plain(char c)
{
	return c >= 0x20 && c < 0x7f;
}

/* The columns of the first character, "n" bytes.  The tables of utf8proc are
 * large, and most text never needs them. */
static size_t next_width(const char *s, size_t len, size_t *n)
{
	utf8proc_int32_t cp;

	*n = 1;
	if (is_plain(*s))
		return 1;
	*n = next(s, len, &cp);
	return cp == -1 ? 1 : (size_t)utf8proc_charwidth(cp);
}

size_t utf8_fit(const char *s, size_t len, size_t columns)
{
	size_t i, n, width = 0;

	for (i = 0; i < len; i += n) {
		width += next_width(s + i, len - i, &n);
		if (width > columns)
			break;
	}
	return i;
}

size_t utf8_width(const char *s, size_t len)
{
	size_t width = 0;

	for (size_t i = 0, n; i < len; i += n)
		width += next_width(s + i, len - i, &n);
	return width;
}

/* The first byte of the longest end of "s" that fits in "columns". */
static size_t fit_end(const char *s, size_t len, size_t columns)
{
	size_t width = utf8_width(s, len), i = 0, n;

	for (; i < len && width > columns; i += n)
		width -= next_width(s + i, len - i, &n);
	return i;
}

void utf8_middle(struct buf *out, const char *s, size_t len, size_t columns)
{
	static const char dots[] = "...";
	size_t end;

	if (utf8_width(s, len) <= columns) {
		buf_add(out, s, len);
		return;
	}
	if (columns < sizeof(dots)) {
		buf_add(out, s, utf8_fit(s, len, columns));
		return;
	}
	columns -= sizeof(dots) - 1;
	end = fit_end(s, len, columns / 2);
	buf_add(out, s, utf8_fit(s, len, columns - columns / 2));
	buf_addstr(out, dots);
	buf_add(out, s + end, len - end);
}

void utf8_ascii(struct buf *out, const char *s, size_t len)
{
	utf8proc_int32_t cp;

	for (size_t i = 0; i < len;) {
		i += next(s + i, len - i, &cp);
		buf_addch(out, cp >= 0x20 && cp < 0x7f ? (char)cp : '?');
	}
}

static bool turns_text_around(utf8proc_int32_t cp)
{
	return (cp >= 0x202a && cp <= 0x202e) ||
	       (cp >= 0x2066 && cp <= 0x2069) ||
	       cp == 0x200e || cp == 0x200f || cp == 0x061c;
}

/* The number of printable ASCII characters that "s" begins with. */
static size_t plain_run(const char *s, size_t len)
{
	size_t i = 0;

	while (i < len && is_plain(s[i]))
		i++;
	return i;
}

void utf8_inert(struct buf *out, const char *s, size_t len, bool lines)
{
	utf8proc_int32_t cp;
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		n = plain_run(s + i, len - i);
		if (n) {
			buf_add(out, s + i, n);
			continue;
		}
		n = next(s + i, len - i, &cp);
		if (lines && (cp == '\n' || cp == '\t'))
			buf_addch(out, (char)cp);
		else if (cp == -1 || cp < 0x20 || cp == 0x7f)
			buf_addf(out, "\\x%02x", (unsigned char)s[i]);
		else if ((cp >= 0x80 && cp < 0xa0) || turns_text_around(cp))
			buf_addf(out, "\\u{%04x}", (unsigned int)cp);
		else
			buf_add(out, s + i, n);
	}
}

/* What people type in reports and has no decomposition of its own. */
static const char *ascii_for(utf8proc_int32_t cp)
{
	static const struct { utf8proc_int32_t cp; const char *ascii; } t[] = {
		{ 0x00a0, " " }, { 0x00a9, "(c)" }, { 0x00ab, "<<" },
		{ 0x00ad, "" }, { 0x00b0, " deg " }, { 0x00b1, "+-" },
		{ 0x00b5, "u" }, { 0x00b7, "*" }, { 0x00bb, ">>" },
		{ 0x00c6, "AE" }, { 0x00d7, "x" }, { 0x00d8, "O" },
		{ 0x00df, "ss" }, { 0x00e6, "ae" }, { 0x00f8, "o" },
		{ 0x0110, "D" }, { 0x0111, "d" }, { 0x0131, "i" },
		{ 0x0141, "L" }, { 0x0142, "l" }, { 0x0152, "OE" },
		{ 0x0153, "oe" }, { 0x03bc, "u" }, { 0x2010, "-" },
		{ 0x2011, "-" }, { 0x2012, "-" }, { 0x2013, "-" },
		{ 0x2014, "--" }, { 0x2018, "'" }, { 0x2019, "'" },
		{ 0x201c, "\"" }, { 0x201d, "\"" }, { 0x2022, "*" },
		{ 0x2026, "..." }, { 0x2190, "<-" }, { 0x2192, "->" },
		{ 0x2212, "-" }, { 0x2248, "~" }, { 0x2264, "<=" },
		{ 0x2265, ">=" }, { 0xfeff, "" },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++)
		if (t[i].cp == cp)
			return t[i].ascii;
	return NULL;
}

static void add_ascii(struct buf *out, utf8proc_int32_t cp)
{
	utf8proc_int32_t base[8];
	int boundary = 0;
	const char *text = ascii_for(cp);
	utf8proc_ssize_t n;

	if (text) {
		buf_addstr(out, text);
		return;
	}
	n = utf8proc_decompose_char(cp, base, 8,
				    UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE |
				    UTF8PROC_STRIPMARK, &boundary);
	if (n < 1 || n > 8) {
		if (n != 0)	/* 0: a mark alone, which goes */
			buf_addch(out, '?');
		return;
	}
	for (utf8proc_ssize_t i = 0; i < n; i++)
		buf_addch(out, base[i] < 0x80 ? (char)base[i] : '?');
}

void utf8_spell_ascii(struct buf *out, const char *s, size_t len)
{
	utf8proc_int32_t cp;
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		n = next(s + i, len - i, &cp);
		if (cp == -1)
			buf_addch(out, '?');
		else if (cp < 0x80)
			buf_addch(out, s[i]);
		else
			add_ascii(out, cp);
		if (cp == 0xb1 && i + n < len && s[i + n] == ' ')
			n++;
	}
}
