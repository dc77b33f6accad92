#include "request/reading.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "mail/address.h"

#define READING_MAX (4 * SENTENCE_MAX)
#define WORD_MIN 5	/* shorter ones have too many neighbours */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

static bool is_vowel(char c)
{
	return c && strchr("aeiouy", c);
}

/* One slip apart?  Both are lower case and begin with the same letter. */
static bool is_slip(const char *word, size_t n, const char *right, size_t m)
{
	size_t i = 0;

	while (i < n && i < m && word[i] == right[i])
		i++;
	/* A letter more or less at the end makes "compared" and "machines". */
	if (n + 1 == m)
		return !memcmp(word + i, right + i + 1, n - i) &&
		       (i < n || right[i] != 's');
	if (n == m + 1)
		return !memcmp(word + i + 1, right + i, m - i) && i < m;
	if (n != m || i == n)
		return false;
	if (i + 1 < n && word[i] == right[i + 1] && word[i + 1] == right[i])
		return !memcmp(word + i + 2, right + i + 2, n - i - 2);
	return n > WORD_MIN && is_vowel(word[i]) && is_vowel(right[i]) &&
	       !memcmp(word + i + 1, right + i + 1, n - i - 1);
}

const char *mend_word(const struct strmap *words, const char *word, size_t len)
{
	char low[32];

	if (len < WORD_MIN || len >= sizeof(low))
		return NULL;
	for (size_t i = 0; i < len; i++)
		low[i] = (char)tolower((unsigned char)word[i]);
	if (strmap_find(words, low, len))
		return NULL;
	for (size_t i = 0; i < words->n; i++) {
		const struct strmap_entry *e = &words->entry[i];

		if (*e->key == *low && e->len >= WORD_MIN &&
		    is_slip(low, len, e->key, e->len))
			return e->key;
	}
	return NULL;
}

size_t robot_name_length(const struct robot *robot, const char *s, size_t len)
{
	size_t best = 0;

	for (size_t i = 0; i < robot->names.n; i++) {
		const char *name = robot->names.v[i];
		size_t n;

		if (!len || ((*s ^ *name) & ~0x20))
			continue;
		n = strlen(name);
		if (n > best && n <= len && !strncasecmp(s, name, n) &&
		    (n == len || !is_word(s[n])))
			best = n;
	}
	return best;
}

bool robot_is_named(const struct robot *robot, const char *s, size_t len)
{
	bool first[256] = { false }, inside = false;

	for (size_t i = 0; i < robot->names.n; i++) {
		unsigned char c = (unsigned char)*robot->names.v[i];

		first[c] = first[c ^ 0x20] = true;
	}
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (!inside && first[c] &&
		    robot_name_length(robot, s + i, len - i))
			return true;
		inside = isalnum(c);
	}
	return false;
}

size_t line_bytes(const struct line *l, size_t max)
{
	size_t len = l->len < max ? l->len : max;

	while (len && len < l->len &&
	       ((unsigned char)l->text[len] & 0xc0) == 0x80)
		len--;
	return len;
}

bool robot_owns(const struct robot *robot, const char *address)
{
	for (size_t i = 0; i < robot->addresses.n; i++)
		if (address_is_same_untagged(address, robot->addresses.v[i]))
			return true;
	return false;
}

/* What a typographer's character is on a keyboard, its length in "*n". */
static const char *plain(const char *s, size_t len, size_t *n)
{
	static const struct {
		const char *fancy, *plain;
	} table[] = {
		{ "\xe2\x80\x99", "'" }, { "\xe2\x80\x98", "'" },
		{ "\xe2\x80\x9c", "\"" }, { "\xe2\x80\x9d", "\"" },
		{ "\xe2\x80\x9e", "\"" }, { "\xe2\x80\x93", "-" },
		{ "\xe2\x80\x94", "-" }, { "\xc2\xa0", " " },
		{ "\xe2\x80\xa6", "..." }, { "\xc2\xad", "" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		*n = strlen(table[i].fancy);
		if (*n <= len && !memcmp(s, table[i].fancy, *n))
			return table[i].plain;
	}
	return NULL;
}

/* "*so*" is a stressed word; and no word of theirs may look like "_url". */
static bool is_emphasis(const char *s, size_t i, size_t len)
{
	bool before = i && is_word(s[i - 1]);
	bool after = i + 1 < len && is_word(s[i + 1]);

	if (s[i] == '_')
		return !before;
	return s[i] == '*' && ((before && !after) ||
	       (after && (!i || isspace((unsigned char)s[i - 1]))));
}

static void add_word(struct buf *out, const char *s, size_t n,
		     const struct grammar *g)
{
	const char *right = mend_word(&g->words, s, n);

	if (right)
		buf_addstr(out, right);
	else
		buf_add(out, s, n);
}

/* Text between two entities. */
static void add_plain(struct buf *out, const char *s, size_t len,
		      const struct grammar *g, const struct robot *robot)
{
	for (size_t i = 0, n; i < len; i += n) {
		const char *as;

		/* In "for-lkp" it is part of a branch's name. */
		n = !i || (!is_word(s[i - 1]) && !strchr("-/", s[i - 1])) ?
			robot_name_length(robot, s + i, len - i) : 0;
		if (n) {
			buf_addstr(out, "_robot");
			continue;
		}
		for (n = 0; i + n < len && isalpha((unsigned char)s[i + n]);)
			n++;
		if (n) {
			add_word(out, s + i, n, g);
			continue;
		}
		as = plain(s + i, len - i, &n);
		if (as) {
			buf_addstr(out, as);
			continue;
		}
		n = 1;
		if (!is_emphasis(s, i, len))
			buf_addch(out, s[i]);
	}
}

/* "@lkp" is the robot, "@somebody" is not. */
static const char *entity_type(const struct match *m, const char *text,
			       const struct robot *robot)
{
	size_t len = m->all.to - m->all.from;
	const char *name = text + m->all.from + 1;

	return len > 1 && !strcmp(m->mark, "who") &&
	       robot_name_length(robot, name, len - 1) ? "robot" : m->mark;
}

static void add_entity(struct sentence *s, struct arena *a, struct buf *out,
		       size_t *cap, const char *text, const struct match *m,
		       const char *type)
{
	struct span as = m->v.from < m->v.to ? m->v : m->all;
	struct entity *e;
	size_t from = out->len;

	buf_addf(out, "_%s", type);
	s->entity = arena_grow(a, s->entity, cap, s->nentity + 1, sizeof(*e));
	e = &s->entity[s->nentity++];
	e->type = arena_strdup(a, type);
	e->text = arena_strndup(a, text + as.from, as.to - as.from);
	e->at = (struct span){ from, out->len };
}

/* Is there anything in it that an entity could begin with? */
static bool may_have_entities(const char *text)
{
	static const char *const hints[] = { "bot", "lkp", "day", "lab",
					     "team", "crew", "machine" };

	if (strpbrk(text, ":/@<\"'=_()[0123456789\xc2\xe2"))
		return true;
	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++)
		if (strcasestr(text, hints[i]))
			return true;
	return false;
}

void reading_make(struct sentence *s, struct arena *a, const struct grammar *g,
		  const struct robot *robot)
{
	struct buf out = BUF_INIT(READING_MAX);
	const char *text = s->noted ? s->noted : s->text;
	size_t len = strlen(text), at = 0, cap = 0;
	size_t end = may_have_entities(text) ? len : 0;
	struct match m;

	if (s->asked)
		buf_addstr(&out, "please ");
	while (at < end && regex_find(g->entities, text, len, at, &m) &&
	       m.all.to > m.all.from && m.mark) {
		add_plain(&out, text + at, m.all.from - at, g, robot);
		add_entity(s, a, &out, &cap, text, &m,
			   entity_type(&m, text, robot));
		at = m.all.to;
	}
	add_plain(&out, text + at, len - at, g, robot);
	s->reading = arena_strndup(a, out.s, out.len);
	s->len = out.len;
	grams_of(&s->grams, s->reading, s->len);
	buf_release(&out);
}
