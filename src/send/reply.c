#include "send/reply.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void reply_begin(struct reply *r)
{
	r->code = 0;
	r->text[0] = '\0';
}

/* Add the text of a line, what is not printable as "?". */
static void keep(struct reply *r, const char *s, size_t len)
{
	size_t n = strlen(r->text);

	if (n && n + 1 < sizeof(r->text))
		r->text[n++] = ' ';
	for (size_t i = 0; i < len && n + 1 < sizeof(r->text); i++)
		r->text[n++] = s[i] >= ' ' && s[i] <= '~' ? s[i] : '?';
	r->text[n] = '\0';
}

/* The code at the start of a line, or 0. */
static int code_of(const char *s, size_t len)
{
	int code = 0;

	for (size_t i = 0; i < 3; i++) {
		if (i >= len || !isdigit((unsigned char)s[i]))
			return 0;
		code = code * 10 + s[i] - '0';
	}
	return code;
}

bool reply_line(struct reply *r, const char *s, size_t len)
{
	int code;
	size_t from;

	while (len && (s[len - 1] == '\n' || s[len - 1] == '\r'))
		len--;
	code = code_of(s, len);
	/* The code stands once, before the text of all lines. */
	from = code && *r->text && len > 4 ? 4 : 0;
	keep(r, s + from, len - from);
	/* "250-First" goes on, "250 Last" and "250" do not. */
	if (!code || (len > 3 && s[3] == '-'))
		return false;
	r->code = code;
	return true;
}

void reply_hide(struct reply *r, const char *word)
{
	if (word && *word && strstr(r->text, word))
		snprintf(r->text, sizeof(r->text), "%d (its words repeat the "
			 "password)", r->code);
}
