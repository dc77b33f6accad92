#include "people/pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum {
	PATTERN_MAX = 500,
	COUNT_MAX = 50,		/* in {n,m}; glibc copies the part so often */
	COUNTS_MAX = 2,
};

/* What a class means inside [...]; NULL: it cannot be said there. */
static const char *in_bracket(char c)
{
	switch (c) {
	case 'w': return "A-Za-z0-9_";
	case 'd': return "0-9";
	case 's': return " \t";
	case '.': return ".";
	case '/': return "/";
	case '_': return "_";
	}
	return NULL;
}

/* "[...]" from "s": its length, or 0 when we cannot take it over. */
static size_t add_bracket(struct buf *out, const char *s)
{
	size_t i = 1;

	buf_addch(out, '[');
	if (s[i] == '^')
		buf_addch(out, s[i++]);
	if (s[i] == ']')
		buf_addch(out, s[i++]);
	for (; s[i] && s[i] != ']'; i++) {
		const char *class = s[i] == '\\' ? in_bracket(s[i + 1]) : NULL;

		if (s[i] == '\\' && !class)
			return 0;
		if (class) {
			buf_addstr(out, class);
			i++;
		} else {
			buf_addch(out, s[i]);
		}
	}
	buf_addch(out, ']');
	return s[i] ? i + 1 : 0;
}

static bool add_escape(struct buf *out, char c)
{
	if (c == 'd')
		buf_addstr(out, "[0-9]");
	else if (c == 't')
		buf_addch(out, '\t');
	else if (strchr("bBwWsS", c) || ispunct((unsigned char)c))
		buf_addf(out, c == '/' || c == '-' || c == '_' || c == '@' ||
			      c == '"' || c == '#' ? "%c" : "\\%c", c);
	else
		return false;
	return c != '\0' && c != '<' && c != '>' && c != '`' && c != '\'';
}

/* "{n,m}" from "s": its length, 0 when it is none or too large. */
static size_t count_len(const char *s)
{
	size_t len = strcspn(s, "}");
	char *end;
	unsigned long n = strtoul(s + 1, &end, 10), m = n;

	if (*end == ',' && end[1] != '}')
		m = strtoul(end + 1, &end, 10);
	else if (*end == ',')
		end++;
	if (*end != '}' || !isdigit((unsigned char)s[1]))
		return 0;
	return n > COUNT_MAX || m > COUNT_MAX ? 0 : len + 1;
}

static bool translate(struct buf *out, const char *s)
{
	size_t n, counts = 0;

	for (; *s; s += n) {
		n = 1;
		if (*s == '\\') {
			if (!add_escape(out, s[1]))
				return false;
			n = 2;
		} else if (*s == '[') {
			n = add_bracket(out, s);
		} else if (!strncmp(s, "(?:", 3)) {
			buf_addch(out, '(');
			n = 3;
		} else if (!strncmp(s, "(?", 2) || !strncmp(s, "(*", 2)) {
			return false;
		} else if (*s == '{') {
			n = ++counts > COUNTS_MAX ? 0 : count_len(s);
			buf_add(out, s, n);
		} else {
			buf_addch(out, *s);
		}
		if (!n)
			return false;
	}
	return true;
}

bool pattern_compile(regex_t *re, const char *perl)
{
	struct buf out = BUF_INIT(16 * PATTERN_MAX);
	bool ok = *perl && strlen(perl) <= PATTERN_MAX &&
		  translate(&out, perl) && !buf_over(&out) &&
		  regcomp(re, out.s, REG_EXTENDED | REG_NOSUB |
				     REG_NEWLINE) == 0;

	buf_release(&out);
	return ok;
}
