#include "people/message.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "people/text.h"

enum {
	KEY_MAX = 40,
	VALUE_COLUMNS = 500,
	TRAILERS_MAX = 1000,
};

/* In the spelling that people expect; others keep theirs. */
static const char *const known[] = {
	"Signed-off-by", "Reviewed-by", "Acked-by", "Reported-by",
	"Tested-by", "Suggested-by", "Co-developed-by", "Cc", "Fixes",
	"Link", "Closes",
};

static const char *known_key(const char *s, size_t len)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i]) == len && !strncasecmp(known[i], s, len))
			return known[i];
	return NULL;
}

/* Length of "Key" in "Key: value", 0 when the line is no trailer. */
static size_t key_len(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && n <= KEY_MAX &&
	       (isalnum((unsigned char)s[n]) || s[n] == '-'))
		n++;
	if (!n || n > KEY_MAX || n >= len || s[n] != ':')
		return 0;
	if (n + 1 == len || s[n + 1] == ' ' || s[n + 1] == '\t')
		return n;
	return known_key(s, n) ? n : 0;	/* "Reported-by:Ann" */
}

static bool names_person(const char *key)
{
	size_t len = strlen(key);

	return (len > 3 && !strcasecmp(key + len - 3, "-by")) ||
	       !strcmp(key, "Cc");
}

struct span {
	const char *s;
	size_t len;
};

/* The next line of "rest", without its end; false when there is none. */
static bool next_line(struct span *rest, struct span *line)
{
	const char *nl = memchr(rest->s, '\n', rest->len);

	if (!rest->len)
		return false;
	line->s = rest->s;
	line->len = nl ? (size_t)(nl - rest->s) : rest->len;
	rest->s += line->len + (nl != NULL);
	rest->len -= line->len + (nl != NULL);
	if (line->len && line->s[line->len - 1] == '\r')
		line->len--;
	return true;
}

static bool is_folded(struct span line)
{
	return line.len && (*line.s == ' ' || *line.s == '\t');
}

/* How many of a paragraph's lines are what. */
struct census {
	size_t lines, trailers, known, others;
};

static struct census count(struct span para)
{
	struct census c = { 0 };
	struct span line;

	while (next_line(&para, &line)) {
		size_t key = key_len(line.s, line.len);

		c.lines++;
		if (key && known_key(line.s, key))
			c.known++;
		if (key)
			c.trailers++;
		else if (line.s[0] != '[' && !(c.trailers && is_folded(line)))
			c.others++;	/* "[ann: fixed a typo]" may stand */
	}
	return c;
}

/* The last paragraph as git judges it, another only when it is nothing else. */
static bool holds_trailers(struct span para, bool last)
{
	struct census c = count(para);

	if (!c.known)
		return false;
	return !c.others || (last && c.trailers * 4 >= c.lines);
}

/* A folded line in one: each fold is a blank. */
static struct span unfold(struct arena *a, struct span value)
{
	char *out = arena_strndup(a, value.s, value.len), *to = out;
	const char *end = value.s + value.len;

	if (!memchr(value.s, '\n', value.len))
		return value;
	for (const char *s = value.s; s < end; s++) {
		if (*s != '\n' && *s != '\r') {
			*to++ = *s;
			continue;
		}
		while (s + 1 < end && isspace((unsigned char)s[1]))
			s++;
		*to++ = ' ';
	}
	return (struct span){ out, (size_t)(to - out) };
}

static void add(struct commit *c, size_t *cap, struct span key,
		struct span value)
{
	const char *name = known_key(key.s, key.len);
	struct trailer t = { .who = { "", "" } };

	if (c->ntrailer >= TRAILERS_MAX)
		return;
	t.key = name ? name : arena_strndup(&c->arena, key.s, key.len);
	value = unfold(&c->arena, value);
	t.value = text_line(&c->arena, value.s, value.len, VALUE_COLUMNS);
	if (names_person(t.key))
		text_mailbox(&c->arena, value.s, value.len, &t.who);
	c->trailer = arena_grow(&c->arena, c->trailer, cap, c->ntrailer + 1,
				sizeof(t));
	c->trailer[c->ntrailer++] = t;
}

static void take(struct commit *c, size_t *cap, struct span para)
{
	struct span line, more, rest;

	while (next_line(&para, &line)) {
		size_t key = key_len(line.s, line.len);

		if (!key)
			continue;
		for (rest = para; next_line(&rest, &more) && is_folded(more);
		     para = rest)
			line.len = (size_t)(more.s + more.len - line.s);
		add(c, cap, (struct span){ line.s, key },
		    (struct span){ line.s + key + 1, line.len - key - 1 });
	}
}

/* Up to the next blank line, which is skipped with all that follow it. */
static struct span next_paragraph(struct span *rest)
{
	struct span para = { rest->s, 0 }, line, before = *rest;

	while (next_line(rest, &line) && line.len) {
		para.len = (size_t)(line.s + line.len - para.s);
		before = *rest;
	}
	for (before = *rest; next_line(rest, &line) && !line.len;)
		before = *rest;
	*rest = before;
	return para;
}

void trailers_find(struct commit *c, const char *text, size_t len)
{
	struct span rest = { text, len }, para;
	size_t cap = 0;

	next_paragraph(&rest);		/* the subject is none */
	while (rest.len) {
		para = next_paragraph(&rest);
		if (holds_trailers(para, !rest.len))
			take(c, &cap, para);
	}
}
