#include "request/stranger.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define QUOTED_BYTES_MAX (64u << 10)	/* looked through for a name */

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* The name as a word of the text. */
static bool holds_name(const char *text, size_t len, const char *name,
		       size_t n)
{
	for (size_t i = 0; i + n <= len; i++)
		if (!strncasecmp(text + i, name, n) &&
		    (!i || !is_letter(text[i - 1])) &&
		    (i + n == len || !is_letter(text[i + n])))
			return true;
	return false;
}

static bool is_among(const struct addresses *list, const char *name, size_t n)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct address *a = &list->v[i];

		if (holds_name(a->name, strlen(a->name), name, n) ||
		    holds_name(a->address, strlen(a->address), name, n))
			return true;
	}
	return false;
}

bool is_introduced(const struct message *m, const char *name, size_t n)
{
	size_t budget = QUOTED_BYTES_MAX;

	if (is_among(&m->to, name, n) || is_among(&m->cc, name, n))
		return true;
	for (size_t i = 0; i < m->nline; i++) {
		const struct line *l = &m->line[i];

		if (l->kind != LINE_QUOTED && l->kind != LINE_ATTRIBUTION)
			continue;
		/* Too long to be sure that it does not stand there. */
		if (l->len > budget || holds_name(l->text, l->len, name, n))
			return true;
		budget -= l->len;
	}
	return false;
}
