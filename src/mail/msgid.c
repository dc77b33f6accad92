#include "mail/msgid.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"

/*
 * Past the comment (RFC 5322 3.2.2, nested) or quoted string that starts at
 * "p"; when it does not end soon, just past its first character.
 */
static const char *skip_aside(const char *p)
{
	const char *start = p;
	int depth = 0;
	char close = *p == '"' ? '"' : ')';

	for (; *p && p - start < MSGID_MAX; p++) {
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '(' && close == ')')
			depth++;
		else if (*p == close && p > start && --depth <= 0)
			return p + 1;
	}
	return start + 1;
}

/* Copy what stands between the brackets, blanks and comments left out. */
static void copy_id(struct buf *id, const char *p, const char *end)
{
	buf_reset(id);
	while (p < end) {
		if (*p == '(') {
			const char *past = skip_aside(p);

			if (past <= end && past > p + 1) {
				p = past;
				continue;
			}
		}
		if (!strchr(" \t\r\n", *p))
			buf_addch(id, *p);
		p++;
	}
}

int msgid_next(const char **pos, struct buf *id)
{
	const char *p = *pos, *close;

	while (*p) {
		if (*p == '(' || *p == '"') {
			p = skip_aside(p);
			continue;
		}
		if (*p++ != '<')
			continue;
		close = p + strcspn(p, "<>");
		if (*close != '>' || close - p > MSGID_MAX) {
			p = close;	/* unterminated, or hostile */
			continue;
		}
		copy_id(id, p, close);
		p = close + 1;
		*pos = p;
		if (id->len && strchr(id->s, '@'))
			return 1;
	}
	*pos = p;
	return 0;
}

static int is_id_word(const char *s, size_t len)
{
	const char *at = memchr(s, '@', len);

	return at && at > s && at < s + len - 1 && len <= MSGID_MAX;
}

int msgid_next_bare(const char **pos, struct buf *id)
{
	const char *p = *pos;
	size_t n;

	while (*p) {
		if (*p == '(' || *p == '"') {
			p = skip_aside(p);
			continue;
		}
		n = strcspn(p, " \t\r\n,;()\"<>");
		if (is_id_word(p, n)) {
			buf_reset(id);
			buf_add(id, p, n);
			*pos = p + n;
			return 1;
		}
		p += n ? n : 1;
	}
	*pos = p;
	return 0;
}
