#include "mail/text.h"

#include <ctype.h>
#include <iconv.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <gmime/gmime.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hex.h"
#include "base/utf8.h"

static bool is_base64(char c)
{
	return isalnum((unsigned char)c) || c == '+' || c == '/' ||
	       c == '=' || c == '\r' || c == '\n' || c == ' ' || c == '\t';
}

/*
 * Lists append a plain footer to a base64 body: the length of what is
 * base64, up to the padding that ends it or the first line that holds none.
 */
static size_t base64_extent(const char *s, size_t len)
{
	struct slice rest = { s, len }, line;

	while (slice_line(&rest, &line))
		for (size_t i = 0; i < line.len; i++)
			if (!is_base64(line.s[i]))
				return (size_t)(line.s - s);
	return len;
}

/*
 * Characters that are no base64 are skipped (RFC 2045 6.8), missing padding is
 * no loss, and what follows a padding is a new start: GMime's decoder drops
 * the bytes in both cases.
 */
static void base64_decode(struct buf *out, const char *s, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"abcdefghijklmnopqrstuvwxyz0123456789+/";
	static signed char value[256];
	unsigned long bits = 0;
	int n = 0;

	if (!value['B'])
		for (int i = 0; i < 64; i++)
			value[(unsigned char)digits[i]] = (signed char)(i + 1);
	for (size_t i = 0; i < len; i++) {
		int v = value[(unsigned char)s[i]] - 1;

		if (s[i] == '=')
			n = 0;
		if (v < 0)
			continue;
		bits = (bits << 6 | (unsigned long)v) & 0xffff;
		n += 6;
		if (n < 8)
			continue;
		n -= 8;
		buf_addch(out, (char)(bits >> n & 0xff));
	}
}

/* Length of a soft line break at "s", or 0.  Blanks before the line's end came
 * on the way (RFC 2045 6.7, rule 3); GMime's decoder does not know them. */
static size_t soft_break(const char *s, size_t len)
{
	size_t n = 1;

	while (n < len && (s[n] == ' ' || s[n] == '\t' || s[n] == '\r'))
		n++;
	if (n == len)
		return n;
	return s[n] == '\n' ? n + 1 : 0;
}

/* What is no code stays as it is (RFC 2045 6.7, note 1). */
static void quoted_decode(struct buf *out, const char *s, size_t len)
{
	const char *end = s + len, *code;
	size_t skip;
	int c;

	while ((code = memchr(s, '=', (size_t)(end - s)))) {
		buf_add(out, s, (size_t)(code - s));
		skip = soft_break(code, (size_t)(end - code));
		c = end - code > 2 ? hex_byte(code + 1) : -1;
		if (!skip)
			buf_addch(out, c == -1 ? '=' : (char)c);
		s = code + (skip ? skip : c == -1 ? 1 : 3);
	}
	buf_add(out, s, (size_t)(end - s));
}

static void uu_decode(struct buf *out, const char *s, size_t len)
{
	GMimeEncoding state;
	char *to;
	size_t n;

	g_mime_encoding_init_decode(&state, GMIME_CONTENT_ENCODING_UUENCODE);
	to = malloc(g_mime_encoding_outlen(&state, len) + 1);
	if (!to)
		die_no_memory();
	n = g_mime_encoding_flush(&state, s, len, to);
	buf_add(out, to, n);
	free(to);
}

void transfer_decode(struct buf *out, const char *encoding, const char *s,
		     size_t len)
{
	GMimeContentEncoding how = GMIME_CONTENT_ENCODING_DEFAULT;
	size_t n;

	if (encoding)
		how = g_mime_content_encoding_from_string(encoding);
	switch (how) {
	case GMIME_CONTENT_ENCODING_BASE64:
		n = base64_extent(s, len);
		base64_decode(out, s, n);
		buf_add(out, s + n, len - n);
		return;
	case GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE:
		quoted_decode(out, s, len);
		return;
	case GMIME_CONTENT_ENCODING_UUENCODE:
		uu_decode(out, s, len);
		return;
	default:
		buf_add(out, s, len);
	}
}

/* Labels that are wrong in practice, and what is meant by them. */
static const char *charset_meant(const char *name)
{
	static const struct {
		const char *label, *meant;
	} t[] = {
		{ "us-ascii", "windows-1252" },
		{ "ascii", "windows-1252" },
		{ "iso-8859-1", "windows-1252" },
		{ "latin1", "windows-1252" },
		{ "iso-8859-9", "windows-1254" },
		/* Korean Outlook says ks_c_5601-1987 and means CP949. */
		{ "ks_c_5601-1987", "cp949" },
		{ "euc-kr", "cp949" },
		{ "gb2312", "gb18030" },
		{ "gbk", "gb18030" },
		{ "x-gbk", "gb18030" },
		{ "big5", "big5-hkscs" },
		{ "shift_jis", "cp932" },
		{ "x-sjis", "cp932" },
		{ "utf8", "utf-8" },
	};

	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (!strcasecmp(name, t[i].label))
			return t[i].meant;
	return name;
}

static bool charset_is_clean(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz"
				"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:+");

	return n && !name[n] && n < 40;
}

/* Is every byte with the high bit part of no UTF-8 sequence at all? */
static bool never_utf8(const char *s, size_t len)
{
	for (size_t i = 0; i + 1 < len; i++)
		if ((unsigned char)s[i] >= 0xc2 &&
		    ((unsigned char)s[i + 1] & 0xc0) == 0x80)
			return false;
	return true;
}

/* Convert with iconv, U+FFFD for each byte that it does not take. */
static int convert(struct buf *out, const char *charset, const char *s,
		   size_t len)
{
	iconv_t cd;
	char *in = (char *)(uintptr_t)s, to[4096], *p;
	size_t left = len, room;

	/* Not GMime's: it takes a name that nobody knows for the locale's. */
	cd = iconv_open("UTF-8", charset);
	if (cd == (iconv_t)-1)
		return -1;
	while (left) {
		p = to;
		room = sizeof(to);
		if (iconv(cd, &in, &left, &p, &room) == (size_t)-1 &&
		    p == to && left) {
			buf_addstr(out, "\xef\xbf\xbd");
			iconv(cd, NULL, NULL, NULL, NULL);
			in++;
			left--;
		}
		buf_add(out, to, (size_t)(p - to));
		if (buf_over(out))
			break;
	}
	p = to;
	room = sizeof(to);
	iconv(cd, NULL, NULL, &p, &room);
	buf_add(out, to, (size_t)(p - to));
	iconv_close(cd);
	return 0;
}

static bool is_one_byte(const char *charset)
{
	return !strncasecmp(charset, "windows-125", 11) ||
	       !strncasecmp(charset, "iso-8859-", 9) ||
	       !strncasecmp(charset, "koi8", 4);
}

/*
 * No label, or a wrong one: UTF-8 with holes, or what is no UTF-8 at all.  The
 * letters of prose are guessed; those of a diff must not be, for it would be
 * another diff.
 */
static void decode_unknown(struct buf *out, const char *s, size_t len)
{
	if (utf8_valid(s, len))
		buf_add(out, s, len);
	else if (never_utf8(s, len) && !memmem(s, len, "\n+++ ", 5))
		convert(out, "windows-1252", s, len);
	else
		utf8_clean(out, s, len);
}

static bool has_wide_mark(const char *s, size_t len)
{
	return len >= 2 && (!memcmp(s, "\xff\xfe", 2) ||
			    !memcmp(s, "\xfe\xff", 2));
}

bool charset_is_wide(const char *charset, const char *s, size_t len)
{
	return has_wide_mark(s, len) ||
	       (charset && !strncasecmp(charset, "utf-16", 6));
}

void charset_decode(struct buf *out, const char *charset, const char *s,
		    size_t len)
{
	const char *meant = "utf-8";

	if (has_wide_mark(s, len))
		meant = "utf-16";
	else if (charset && charset_is_clean(charset))
		meant = charset_meant(charset);
	if (is_one_byte(meant) && utf8_valid(s, len))
		buf_add(out, s, len);
	else if (!strcasecmp(meant, "utf-8") ||
		 convert(out, meant, s, len) == -1)
		decode_unknown(out, s, len);
}

/* The members of a gzip file, one after the other, until "out" is full.  One
 * that was cut off yields what there is of it. */
static void inflate_all(z_stream *z, struct buf *out)
{
	char chunk[16384];
	int rc = Z_OK;

	while (rc == Z_OK && !buf_over(out)) {
		z->next_out = (unsigned char *)chunk;
		z->avail_out = sizeof(chunk);
		rc = inflate(z, Z_NO_FLUSH);
		buf_add(out, chunk, sizeof(chunk) - z->avail_out);
		if (rc == Z_STREAM_END && z->avail_in)
			rc = inflateReset(z);
	}
}

int gzip_decode(struct buf *out, const char *s, size_t len)
{
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)s,
		       .avail_in = (unsigned int)len };

	if (len < 18 || len > UINT_MAX || memcmp(s, "\x1f\x8b\x08", 3))
		return -1;
	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)	/* 16: gzip's header */
		die_no_memory();
	inflate_all(&z, out);
	inflateEnd(&z);
	return buf_over(out) || !out->len ? -1 : 0;
}
