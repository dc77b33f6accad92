#include "send/lines.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

static size_t lines(struct buf *out, const char *s, size_t len,
		    const char *end, bool dots)
{
	size_t doubled = 0;

	while (len) {
		const char *nl = memchr(s, '\n', len);
		size_t n = nl ? (size_t)(nl - s) : len;
		size_t whole = n + (nl != NULL);

		while (n && s[n - 1] == '\r')
			n--;
		if (dots && n && *s == '.') {
			buf_addch(out, '.');
			doubled++;
		}
		buf_add(out, s, n);
		buf_addstr(out, end);
		s += whole;
		len -= whole;
	}
	return doubled;
}

void lines_crlf(struct buf *out, const char *s, size_t len)
{
	lines(out, s, len, "\r\n", false);
}

void lines_lf(struct buf *out, const char *s, size_t len)
{
	lines(out, s, len, "\n", false);
}

size_t lines_smtp(struct buf *out, const char *s, size_t len)
{
	return lines(out, s, len, "\r\n", true);
}
