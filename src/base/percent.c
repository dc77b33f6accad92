#include "base/percent.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/hex.h"

void percent_decode(struct buf *out, const char *s, size_t len, char escape)
{
	for (size_t i = 0; i < len; i++) {
		int c = s[i] == escape && i + 2 < len ? hex_byte(s + i + 1)
						      : -1;

		if (c == 0)
			buf_addstr(out, "\xef\xbf\xbd");
		else
			buf_addch(out, c == -1 ? s[i] : (char)c);
		i += c == -1 ? 0 : 2;
	}
}

char *percent_decoded(struct arena *a, const char *s, size_t len)
{
	struct buf out = BUF_INIT(len);
	char *text;

	percent_decode(&out, s, len, '%');
	text = arena_strndup(a, out.s, out.len);
	buf_release(&out);
	return text;
}

char *percent_encoded(struct arena *a, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~@+=$";
	static const char digit[] = "0123456789ABCDEF";
	char *out = arena_bytes(a, strlen(s) * 3 + 1), *p = out;

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (strchr(plain, c)) {
			*p++ = *s;
			continue;
		}
		*p++ = '%';
		*p++ = digit[c >> 4];
		*p++ = digit[c & 15];
	}
	*p = '\0';
	return out;
}
