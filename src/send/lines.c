#include "send/lines.h"

#include <string.h>

#include "base/buf.h"

static void lines(struct buf *out, const char *s, size_t len, const char *end)
{
	while (len) {
		const char *nl = memchr(s, '\n', len);
		size_t n = nl ? (size_t)(nl - s) : len;
		size_t whole = n + (nl != NULL);

		while (n && s[n - 1] == '\r')
			n--;
		buf_add(out, s, n);
		buf_addstr(out, end);
		s += whole;
		len -= whole;
	}
}

void lines_crlf(struct buf *out, const char *s, size_t len)
{
	lines(out, s, len, "\r\n");
}

void lines_lf(struct buf *out, const char *s, size_t len)
{
	lines(out, s, len, "\n");
}
