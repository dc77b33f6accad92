#include "policy/authres.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum token { TOKEN_END, TOKEN_WORD, TOKEN_EQUALS, TOKEN_SEMICOLON, TOKEN_SLASH,
	     TOKEN_BAD };

struct scan {
	const char *p;
	struct arena *arena;
	char *word;	/* of the last TOKEN_WORD, lower case is up to the user */
};

/* Blanks and comments, which may nest (RFC 5322 3.2.2). */
static void skip_blanks(struct scan *s)
{
	size_t depth = 0;

	for (; *s->p; s->p++) {
		if (*s->p == '\\' && depth && s->p[1])
			s->p++;
		else if (*s->p == '(')
			depth++;
		else if (*s->p == ')' && depth)
			depth--;
		else if (!depth && !isspace((unsigned char)*s->p))
			return;
	}
}

static enum token quoted(struct scan *s)
{
	size_t n = 0;

	s->word = arena_strdup(s->arena, ++s->p);
	for (; *s->p && *s->p != '"'; s->p++) {
		if (*s->p == '\\' && s->p[1])
			s->p++;
		s->word[n++] = *s->p;
	}
	s->word[n] = '\0';
	if (!*s->p)
		return TOKEN_BAD;
	s->p++;
	return TOKEN_WORD;
}

static enum token next(struct scan *s)
{
	size_t len;

	skip_blanks(s);
	switch (*s->p) {
	case '\0':
		return TOKEN_END;
	case '=':
		s->p++;
		return TOKEN_EQUALS;
	case ';':
		s->p++;
		return TOKEN_SEMICOLON;
	case '/':
		s->p++;
		return TOKEN_SLASH;
	case '"':
		return quoted(s);
	}
	len = strcspn(s->p, " \t\r\n();=\"");
	if (!len)
		return TOKEN_BAD;
	s->word = arena_strndup(s->arena, s->p, len);
	s->p += len;
	return TOKEN_WORD;
}

static char *lower(char *word)
{
	for (char *p = word; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return word;
}

/* "method[/version]" without the version. */
static char *method_name(char *word)
{
	word[strcspn(word, "/")] = '\0';
	return lower(word);
}

static void add_property(struct authres_result *r, size_t *cap, struct scan *s,
			 const char *name)
{
	if (r->nproperty == AUTHRES_MAX)
		return;
	r->property = arena_grow(s->arena, r->property, cap, r->nproperty + 1,
				 sizeof(*r->property));
	r->property[r->nproperty++] =
		(struct authres_property){ name, s->word };
}

/* "method=result name=value ..." up to the semicolon, the first word read. */
static enum token resinfo(struct scan *s, struct authres_result *r)
{
	enum token t = TOKEN_WORD;
	const char *name;
	size_t cap = 0;

	for (bool first = true; t == TOKEN_WORD; first = false) {
		name = first ? method_name(s->word) : lower(s->word);
		t = next(s);
		if (first && t == TOKEN_SLASH && next(s) == TOKEN_WORD)
			t = next(s);
		if (t != TOKEN_EQUALS)
			return first && t == TOKEN_SEMICOLON ? t : TOKEN_BAD;
		if (next(s) != TOKEN_WORD)
			return TOKEN_BAD;
		if (first) {
			r->method = name;
			r->result = lower(s->word);
		} else {
			add_property(r, &cap, s, name);
		}
		t = next(s);
	}
	return t;
}

void authres_parse(struct authres *r, const char *body, struct arena *a)
{
	struct scan s = { .p = body, .arena = a };
	enum token t = next(&s);
	size_t cap = 0;

	*r = (struct authres){ .server = "" };
	if (t != TOKEN_WORD)
		return;
	r->server = lower(s.word);
	while (t != TOKEN_SEMICOLON && t != TOKEN_END && t != TOKEN_BAD)
		t = next(&s);		/* the version */
	while (t == TOKEN_SEMICOLON && r->nresult < AUTHRES_MAX) {
		struct authres_result one = { .method = NULL };

		t = next(&s);
		if (t != TOKEN_WORD)
			continue;
		t = resinfo(&s, &one);
		if (!one.method || t == TOKEN_BAD)
			continue;
		r->result = arena_grow(a, r->result, &cap, r->nresult + 1,
				       sizeof(*r->result));
		r->result[r->nresult++] = one;
	}
}

const char *authres_get(const struct authres_result *r, const char *name)
{
	for (size_t i = 0; i < r->nproperty; i++)
		if (!strcmp(r->property[i].name, name))
			return r->property[i].value;
	return NULL;
}
