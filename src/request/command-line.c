#include "request/command-line.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "request/reading.h"

#define WIDTH 72	/* of lines that mailers break */

static bool is_verb(const struct grammar *g, const char *s, size_t len)
{
	char word[32];
	size_t n = 0;

	while (n < len && n < sizeof(word) - 1 && isalpha((unsigned char)s[n])) {
		word[n] = (char)tolower((unsigned char)s[n]);
		n++;
	}
	return strmap_find(&g->verbs, word, n);
}

static bool starts_with_prefix(const struct line *l, const char *prefix)
{
	size_t n;

	if (!l->len || tolower((unsigned char)*l->text) !=
			       tolower((unsigned char)*prefix))
		return false;
	n = strlen(prefix);
	return n && l->len >= n && !strncasecmp(l->text, prefix, n) &&
	       (l->len == n || strchr(" \t:,", l->text[n]));
}

size_t command_prefix(const struct grammar *g, const struct robot *robot,
		      const struct line *l)
{
	size_t n;

	if (starts_with_prefix(l, robot->prefix)) {
		n = strlen(robot->prefix);
		return n + strspn(l->text + n, ":,");
	}
	n = robot_name_length(robot, l->text, l->len);
	if (!n || n == l->len || l->text[n++] != ':')
		return 0;
	n += strspn(l->text + n, " ");
	return n < l->len && is_verb(g, l->text + n, l->len - n) ? n : 0;
}

static bool starts_with_any(const struct line *l, const char *const *words)
{
	for (; *words; words++)
		if (l->len > strlen(*words) &&
		    !strncmp(l->text, *words, strlen(*words)))
			return true;
	return false;
}

static bool is_wrapped(const struct line *l, const struct line *next)
{
	static const char *const words[] = { " ", "\t", "on ", "against ",
					     "with ", "base=", "runs=", NULL };
	size_t word = 0;

	if (starts_with_any(next, words) ||
	    (l->len && strchr("\\=:,", l->text[l->len - 1])))
		return true;
	while (word < next->len && !isspace((unsigned char)next->text[word]))
		word++;
	return l->len + 1 + word > WIDTH;
}

static bool wants_more(const char *text)
{
	static const char *const words[] = { "test", "dup", "dup:", "with" };
	const char *blank = strrchr(text, ' ');
	const char *word = blank ? blank + 1 : text;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(word, words[i]))
			return true;
	return false;
}

bool command_goes_on(const struct line *l, const struct line *next,
		     const char *text)
{
	return next->kind == LINE_NEW && next->number == l->number + 1 &&
	       next->len && (is_wrapped(l, next) || wants_more(text));
}
