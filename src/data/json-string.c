#include "data/json-string.h"

#include <string.h>

#include "base/hex.h"
#include "base/utf8.h"

static int four_hex(const char *p)
{
	int high = hex_byte(p), low = high == -1 ? -1 : hex_byte(p + 2);

	return low == -1 ? -1 : high << 8 | low;
}

static char *put_utf8(char *out, unsigned int c)
{
	if (c < 0x80) {
		*out++ = (char)c;
	} else if (c < 0x800) {
		*out++ = (char)(0xc0 | c >> 6);
		*out++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*out++ = (char)(0xe0 | c >> 12);
		*out++ = (char)(0x80 | (c >> 6 & 0x3f));
		*out++ = (char)(0x80 | (c & 0x3f));
	} else {
		*out++ = (char)(0xf0 | c >> 18);
		*out++ = (char)(0x80 | (c >> 12 & 0x3f));
		*out++ = (char)(0x80 | (c >> 6 & 0x3f));
		*out++ = (char)(0x80 | (c & 0x3f));
	}
	return out;
}

/* \uXXXX at "*in" (behind the 'u'), with its second half if it has one.
 * A half alone, as Python writes bytes that are no UTF-8, becomes U+FFFD. */
static char *decode_u(const char **in, char *out, const char **wrong)
{
	int c = four_hex(*in), low;

	if (c <= 0) {
		*wrong = c ? "a bad \\u in a string" : "\\u0000 in a string";
		return out;
	}
	*in += 4;
	if (c >= 0xd800 && c <= 0xdfff) {
		low = c < 0xdc00 && (*in)[0] == '\\' && (*in)[1] == 'u' ?
			four_hex(*in + 2) : -1;
		if (low >= 0xdc00 && low <= 0xdfff) {
			*in += 6;
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		} else {
			c = 0xfffd;
		}
	}
	return put_utf8(out, (unsigned int)c);
}

char *json_decode(char *from, const char *end, const char **wrong)
{
	static const char plain[] = "\"\\/bfnrt";
	static const char meant[] = "\"\\/\b\f\n\r\t";
	const char *in = from, *which;
	char *out = from;

	while (in < end && !*wrong) {
		if (*in != '\\') {
			*out++ = *in++;
			continue;
		}
		in++;
		which = *in ? strchr(plain, *in) : NULL;
		if (which) {
			*out++ = meant[which - plain];
			in++;
		} else if (*in == 'u') {
			in++;
			out = decode_u(&in, out, wrong);
		} else {
			*wrong = "a bad \\ in a string";
		}
	}
	return out;
}

/* How many bytes the character at "s" has, 0: it is none. */
static size_t character(const char *s, size_t len)
{
	for (size_t n = 1; n <= 4 && n <= len; n++)
		if (utf8_valid(s, n))
			return n;
	return 0;
}

bool json_mend(char *s, size_t len)
{
	if (utf8_valid(s, len))
		return false;
	for (size_t i = 0; i < len;) {
		size_t n = character(s + i, len - i);

		if (!n)
			s[i] = '?';
		i += n ? n : 1;
	}
	return true;
}
