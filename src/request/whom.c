#include "request/whom.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "request/reading.h"
#include "request/stranger.h"

#define SEARCHES_MAX 4		/* for names in a mail */

static char *lower(struct arena *a, const char *s, size_t len)
{
	char *low = arena_strndup(a, s, len);

	for (char *p = low; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return low;
}

static size_t name_word(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || (unsigned char)s[n] >= 0x80 ||
	       s[n] == '\'' || s[n] == '-')
		n++;
	return n;
}

void company_add_operator(struct company *c, struct arena *a, const char *name)
{
	while (*name) {
		size_t n = name_word(name);

		if (n > 2) {
			char *low = lower(a, name, n);

			*strmap_put(&c->operators, low, n) = c;
		}
		name += n ? n : 1;
	}
}

static bool has_word(const char *text, const char *word, size_t len)
{
	for (size_t n; *text; text += n ? n : 1) {
		n = name_word(text);
		if (n == len && !strncasecmp(text, word, n))
			return true;
	}
	return false;
}

bool company_names_sender(const struct company *c, const char *text)
{
	size_t n = name_word(c->signature);

	if (*c->m->from.address && strcasestr(text, c->m->from.address))
		return true;
	return n > 2 && has_word(text, c->signature, n);
}

/* Where the text has "@domain", the domain whole; NULL: nowhere. */
static const char *find_domain(const char *text, const char *domain)
{
	size_t n = strlen(domain);

	while ((text = strcasestr(text, domain))) {
		char next = text[n];

		if (!isalnum((unsigned char)next) && next != '-' &&
		    (next != '.' || !isalnum((unsigned char)text[n + 1])))
			return text;
		text += n;
	}
	return NULL;
}

bool company_at_home(const struct company *c, const char *text)
{
	for (size_t i = 0; i < c->robot->addresses.n; i++) {
		const char *domain = strchr(c->robot->addresses.v[i], '@');

		if (domain && domain[1] && find_domain(text, domain) &&
		    !find_domain(c->m->from.address, domain))
			return true;
	}
	return false;
}

void company_add_colleagues(struct company *c, struct arena *a,
			    const struct addresses *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (!robot_owns(c->robot, list->v[i].address) &&
		    company_at_home(c, list->v[i].address))
			company_add_operator(c, a, list->v[i].name);
}

bool company_knows_operator(const struct company *c, struct arena *a,
			    const char *text)
{
	while (*text) {
		size_t n = name_word(text);

		if (n > 2 && strmap_get(&c->operators, lower(a, text, n)))
			return true;
		text += n ? n : 1;
	}
	return false;
}

static bool is_sender(const struct company *c, const char *word, size_t len)
{
	return has_word(c->m->from.name, word, len);
}

static bool is_title(const struct company *c, const char *word, size_t len)
{
	return grammar_mark(c->grammar, "title", word, len) ||
	       is_sender(c, word, len);
}

/* One word of those spoken to. */
static enum whom judge_word(const struct company *c, struct arena *a,
			    const char *word, size_t len, bool greeted)
{
	const char *low = lower(a, word, len);

	if (grammar_mark(c->grammar, "all-people", low, len))
		return WHOM_ALL;
	if (grammar_mark(c->grammar, "robot-people", low, len) ||
	    robot_name_length(c->robot, word, len) == len ||
	    strmap_get(&c->operators, low))
		return WHOM_ROBOT;
	if (is_sender(c, word, len) || strmap_get(&c->grammar->openers, low))
		return WHOM_NOBODY;
	if (greeted)
		return len > 1 ? WHOM_OTHER : WHOM_NOBODY;
	return len > 2 && grammar_mark(c->grammar, "no-name", low, len) ?
		       WHOM_NOBODY : WHOM_OTHER;
}

/* "Ann", "ann and others"; but not "the maintainer of": several words of which
 * one begins small are no name. */
static bool reads_as_names(const struct company *c, const char *s, size_t len)
{
	size_t words = 0, n;
	bool small = false;

	for (size_t i = 0; i < len && s[i] != ','; i += n ? n : 1) {
		n = name_word(s + i);
		if (!n)
			continue;
		if (n > 1 && s[i + 1] == '\'' && (s[i] | 0x20) == 'i')
			return false;	/* "I'm" */
		/* "Hi ann could you ..." */
		if (words == 1 && grammar_mark(c->grammar, "asks-at-once",
					       s + i, len - i))
			return true;
		words++;
		small |= islower((unsigned char)s[i]) &&
			 !grammar_mark(c->grammar, "all-people", s + i, n) &&
			 !grammar_mark(c->grammar, "robot-people", s + i, n) &&
			 !grammar_mark(c->grammar, "name-part", s + i, n);
	}
	return words < 2 || !small;
}

/* All of them: the robot among others is the robot. */
static enum whom judge(const struct company *c, struct arena *a,
		       const char *names, size_t len, bool greeted)
{
	enum whom best = WHOM_NOBODY;
	size_t n;

	n = robot_name_length(c->robot, names, len);
	if (n || grammar_mark(c->grammar, "robot-people", names, len))
		return WHOM_ROBOT;
	if (greeted && !reads_as_names(c, names, len))
		return WHOM_NOBODY;
	for (const char *s = names, *end = names + len; s < end; s += n ? n : 1) {
		enum whom w;

		n = name_word(s);
		if (!n)
			continue;
		w = judge_word(c, a, s, n, greeted);
		if (w == WHOM_ROBOT)
			return w;
		/* A word that is no name spoils it all; behind "Hi" only the
		 * first does: "Hi Ann and others", but "Hi, thanks for ...". */
		if (w == WHOM_NOBODY && !is_title(c, s, n) &&
		    (!greeted || best == WHOM_NOBODY))
			return w;
		if (w > best)
			best = w;
	}
	return best;
}

/* Is it a single person's name, of one word or two, that stands nowhere else?
 * Not for all of a long mail's greetings: it costs a search. */
static bool is_stranger(struct company *c, const char *names, size_t len)
{
	size_t n = name_word(names), rest = n;

	while (rest < len && names[rest] == ' ')
		rest++;
	rest += name_word(names + rest);
	if (!n || rest < len || c->nsearch == SEARCHES_MAX)
		return false;
	c->nsearch++;
	return !is_introduced(c->m, names, n);
}

/* What follows a name is said to it: a question, an order, "you". */
static bool tells_somebody(const struct company *c, const char *text)
{
	struct line rest = { .text = text, .len = strlen(text) };

	return grammar_mark(c->grammar, "tells-somebody", text,
			    line_bytes(&rest, 200));
}

static enum whom find(struct company *c, struct arena *a,
		      const char *field, const char *text, bool greeted,
		      size_t *len)
{
	enum whom whom;
	struct span v;
	size_t n = strlen(text);

	if (n > 200)
		n = 200;
	while (n && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	if (!grammar_field(c->grammar, field, text, n, &v))
		return WHOM_NOBODY;
	*len = v.to;
	whom = judge(c, a, text + v.from, v.to - v.from, greeted);
	if (whom != WHOM_OTHER || (!greeted && tells_somebody(c, text + v.to)) ||
	    !is_stranger(c, text + v.from, v.to - v.from))
		return whom;
	/* "Changes: ..." and "Astonishing, ..." speak to nobody. */
	return greeted ? WHOM_STRANGER : WHOM_NOBODY;
}

enum whom whom_first(struct company *c, struct arena *a,
		     const char *text, size_t *len)
{
	enum whom w = find(c, a, "greeting", text, true, len);

	return w != WHOM_NOBODY ? w : find(c, a, "calling", text, false, len);
}

enum whom whom_last(struct company *c, struct arena *a, const char *text)
{
	size_t n = strlen(text), len;
	const char *tail = n > 60 ? text + n - 60 : text;

	while (((unsigned char)*tail & 0xc0) == 0x80)
		tail++;
	return find(c, a, "called-last", tail, false, &len);
}
