#include "compose/tags.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"

enum { KEY_MAX = 40 };

static bool is_key(const char *s, size_t len)
{
	static const char *const whole[] = { "Fixes", "Closes" };

	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (strlen(whole[i]) == len && !strncasecmp(whole[i], s, len))
			return true;
	return len > 3 && !strncasecmp(s + len - 3, "-by", 3);
}

bool tag_at(const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);
	size_t n = colon ? (size_t)(colon - line) : 0;

	if (!n || n > KEY_MAX || n + 1 >= len ||
	    !isblank((unsigned char)colon[1]))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalpha((unsigned char)line[i]) && line[i] != '-')
			return false;
	return is_key(line, n);
}

void tags_guard(struct buf *out, const char *text)
{
	for (size_t len; *text; text += len) {
		len = strcspn(text, "\n");
		if (tag_at(text, len))
			buf_addstr(out, "| ");
		len += text[len] == '\n';
		buf_add(out, text, len);
	}
}
