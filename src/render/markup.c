#include "render/markup.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

/* Escaped text is at most this many times as long: "\u{202e}" for 3 bytes,
 * "&quot;" for one. */
enum { GROWS = 6 };

static void add_escaped(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		switch (s[i]) {
		case '&':
			buf_addstr(out, "&amp;");
			break;
		case '<':
			buf_addstr(out, "&lt;");
			break;
		case '>':
			buf_addstr(out, "&gt;");
			break;
		case '"':
			buf_addstr(out, "&quot;");
			break;
		case '\'':
			buf_addstr(out, "&#39;");
			break;
		default:
			buf_addch(out, s[i]);
		}
}

static void add(struct buf *out, const char *s, size_t len, bool lines)
{
	struct buf inert = BUF_INIT(GROWS * len);

	utf8_inert(&inert, s, len, lines);
	add_escaped(out, inert.s, inert.len);
	buf_release(&inert);
}

void markup_text(struct buf *out, const char *s, size_t len)
{
	add(out, s, len, false);
}

void markup_lines(struct buf *out, const char *s, size_t len)
{
	add(out, s, len, true);
}

void markup_str(struct buf *out, const char *s)
{
	if (s)
		markup_text(out, s, strlen(s));
}
