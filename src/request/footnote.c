#include "request/footnote.h"

#include <string.h>

#include "base/buf.h"

#define LINK_MAX 400		/* bytes; a longer one is let be */

/* "[12]" at "s": its number, what it takes in "*len"; 0: it is no note's. */
static size_t note_number(const char *s, size_t n, size_t *len)
{
	size_t i = 1, number = 0;

	if (n < 3 || *s != '[')
		return 0;
	for (; i < n && i < 3 && s[i] >= '0' && s[i] <= '9'; i++)
		number = number * 10 + (size_t)(s[i] - '0');
	if (i == n || s[i] != ']' || number > FOOTNOTES_MAX)
		return 0;
	*len = i + 1;
	return number;
}

/* The first link or Message-ID of a note's text, NULL: there is none. */
static const char *find_link(struct arena *a, const char *s, size_t n)
{
	for (size_t at = 0, len; at < n; at += len + 1) {
		for (len = 0; at + len < n && s[at + len] != ' ';)
			len++;
		if (len < LINK_MAX && (memmem(s + at, len, "://", 3) ||
				       (len && s[at] == '<' &&
					memchr(s + at, '@', len))))
			return arena_strndup(a, s + at, len);
	}
	return NULL;
}

void footnotes_find(struct footnotes *f, struct arena *a,
		    const struct message *m)
{
	*f = (struct footnotes){ .link = { NULL } };
	for (size_t i = 0; i < m->nline; i++) {
		const struct line *l = &m->line[i];
		size_t skip = 0, len = 0, n;

		if (l->kind != LINE_NEW)
			continue;
		while (skip < l->len && l->text[skip] == ' ')
			skip++;
		n = note_number(l->text + skip, l->len - skip, &len);
		if (n && !f->link[n])
			f->link[n] = find_link(a, l->text + skip + len,
					       l->len - skip - len);
	}
}

const char *footnotes_put_in(const struct footnotes *f, struct arena *a,
			     const char *sentence)
{
	struct buf out = BUF_INIT(FOOTNOTES_MAX * LINK_MAX);
	size_t end = strlen(sentence), len = 0;
	const char *text = NULL;
	bool found = false;

	if (note_number(sentence, end, &len))
		return NULL;
	for (size_t i = 0; i < end;) {
		size_t n = note_number(sentence + i, end - i, &len);

		if (n && f->link[n]) {
			buf_addstr(&out, f->link[n]);
			i += len;
			found = true;
		} else {
			buf_addch(&out, sentence[i++]);
		}
	}
	if (found && !buf_over(&out))
		text = arena_strdup(a, out.s);
	buf_release(&out);
	return text;
}
