#include "people/text.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "mail/check.h"
#include "mail/header.h"

enum { NAME_COLUMNS = 100 };

static void from_latin1(struct buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c < 0x80) {
			buf_addch(out, s[i]);
			continue;
		}
		buf_addch(out, (char)(0xc0 | c >> 6));
		buf_addch(out, (char)(0x80 | (c & 0x3f)));
	}
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Nothing to mend: printable ASCII that fits. */
static bool is_fit(const char *s, size_t len, size_t columns)
{
	for (size_t i = 0; i < len; i++)
		if (s[i] < ' ' || s[i] > '~')
			return false;
	return len <= columns;
}

const char *text_line(struct arena *a, const char *s, size_t len,
		      size_t columns)
{
	const size_t bytes = 8 * columns;	/* no need to look further */
	struct buf utf8 = BUF_INIT(3 * bytes), out = BUF_INIT(64 * bytes);
	const char *line;

	while (len && is_blank(*s)) {
		s++;
		len--;
	}
	if (is_fit(s, len, columns) && (!len || s[len - 1] != ' '))
		return arena_strndup(a, s, len);
	if (len > bytes)
		for (len = bytes; len && ((unsigned char)s[len] & 0xc0) == 0x80;)
			len--;		/* no character cut in two */
	while (len && is_blank(s[len - 1]))
		len--;
	if (utf8_valid(s, len))
		buf_add(&utf8, s, len);
	else
		from_latin1(&utf8, s, len);
	for (size_t i = 0; i < utf8.len; i++)
		if (is_blank(utf8.s[i]))
			utf8.s[i] = ' ';
	utf8_inert(&out, utf8.s, utf8.len, false);
	line = arena_strndup(a, out.s, utf8_fit(out.s, out.len, columns));
	buf_release(&utf8);
	buf_release(&out);
	return line;
}

struct address text_person(struct arena *a, const char *name,
			   const char *address)
{
	struct address who = {
		.name = text_line(a, name, strlen(name), NAME_COLUMNS),
		.address = arena_strdup(a, address),
	};

	if (address_check(who.address, NULL) == -1)
		who.address = "";
	return who;
}

bool text_mailbox(struct arena *a, const char *s, size_t len,
		  struct address *who)
{
	const char *close = memrchr(s, '>', len), *hash = memchr(s, '#', len);
	const char *text;

	*who = (struct address){ "", "" };
	if (close)
		len = (size_t)(close + 1 - s);
	else if (hash)
		len = (size_t)(hash - s);
	text = text_line(a, s, len, 4 * NAME_COLUMNS);
	if (address_parse(text, a, who, NULL) == -1) {
		who->address = "";
		return false;
	}
	if (strstr(who->name, "=?"))	/* copied from a mail's header */
		who->name = words_decode(a, who->name, strlen(who->name));
	who->name = text_line(a, who->name, strlen(who->name), NAME_COLUMNS);
	return true;
}
