#include "compare/pattern.h"

#include <ctype.h>
#include <limits.h>
#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/grow.h"

enum { NEED_MAX = 8, LITERAL_MAX = 200 };

enum plain {
	PLAIN_NOT,	/* only the expression can tell */
	PLAIN_PREFIX,	/* the text at the start is all there is to it */
	PLAIN_EXACT,	/* ... and is the whole name */
	PLAIN_WITHIN,	/* need[0] anywhere in the name */
	PLAIN_WILD,	/* text in which each * stands for any text */
};

struct pattern {
	const char *text;		/* NULL where it is not needed */
	const char *prefix;		/* every match begins with the first
					 * prefix_len of it; NULL: not known */
	const char **need;		/* every match holds one of these */
	regex_t *re;			/* NULL: not compiled yet */
	uint32_t prefix_len;
	int outer;			/* the pattern with the next longest
					 * prefix of our prefix, or -1 */
	uint8_t nneed;
	uint8_t plain;			/* enum plain */
};

void pattern_list_init(struct pattern_list *l, enum anchor anchor,
		       struct arena *a)
{
	*l = (struct pattern_list){ .anchor = anchor, .arena = a };
}

void pattern_list_release(struct pattern_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->pattern[i].re) {
			regfree(l->pattern[i].re);
			free(l->pattern[i].re);
		}
	free(l->pattern);
	free(l->by_prefix);
	*l = (struct pattern_list){ .anchor = l->anchor, .arena = l->arena };
}

/* One piece of an expression, as far as we need to understand it. */
struct item {
	enum { ITEM_END, ITEM_CHAR, ITEM_ANY, ITEM_GROUP, ITEM_OTHER } kind;
	char c;
	const char *start, *end;	/* ITEM_GROUP: within its brackets */
	bool optional, repeated;
};

static const char *skip_class(const char *p)
{
	p++;			/* [ */
	if (*p == '^')
		p++;
	if (*p == ']')
		p++;
	while (*p && *p != ']')
		p++;
	return *p ? p + 1 : p;
}

/* From "(" to behind its ")"; the end of the text when there is none. */
static const char *skip_group(const char *p)
{
	int depth = 0;

	while (*p) {
		if (*p == '[') {
			p = skip_class(p);
			continue;
		}
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '(')
			depth++;
		else if (*p == ')' && --depth == 0)
			return p + 1;
		p++;
	}
	return p;
}

static const char *take_repetition(const char *p, struct item *it)
{
	for (; *p == '*' || *p == '+' || *p == '?' || *p == '{'; p++) {
		it->optional |= *p != '+';
		it->repeated |= *p != '?';
		if (*p == '{')
			while (p[1] && *p != '}')
				p++;
	}
	return p;
}

static const char *take_item(const char *p, struct item *it)
{
	const char *start = p;

	*it = (struct item){ .kind = ITEM_OTHER };
	if (!*p)
		it->kind = ITEM_END;
	else if (*p == '(') {
		p = skip_group(p);
		it->kind = ITEM_GROUP;
		it->start = start + 1;
		it->end = p > start + 1 ? p - 1 : p;
	} else if (*p == '[')
		p = skip_class(p);
	else if (*p == '.') {
		it->kind = ITEM_ANY;
		p++;
	} else if (*p == '\\' && p[1]) {
		if (!isalnum((unsigned char)p[1]))
			it->kind = ITEM_CHAR;
		it->c = p[1];
		p += 2;
	} else if (strchr("^$|", *p))
		p++;
	else {
		it->kind = ITEM_CHAR;
		it->c = *p++;
	}
	return take_repetition(p, it);
}

static bool has_choice_outside_groups(const char *p)
{
	while (*p) {
		if (*p == '(')
			p = skip_group(p);
		else if (*p == '[')
			p = skip_class(p);
		else if (*p == '\\' && p[1])
			p += 2;
		else if (*p++ == '|')
			return true;
	}
	return false;
}

/* The plain text that an anchored expression begins with; returns where the
 * rest of the expression starts. */
static const char *take_prefix(const char *p, char *prefix)
{
	size_t n = 0;

	for (;;) {
		struct item it;
		const char *next = take_item(p, &it);

		if (it.kind != ITEM_CHAR || it.optional || it.repeated ||
		    n + 1 >= LITERAL_MAX)
			break;
		prefix[n++] = it.c;
		p = next;
	}
	prefix[n] = '\0';
	return p;
}

/* Some texts, each as one way to go on from those before. */
struct texts {
	char text[NEED_MAX][LITERAL_MAX];
	size_t n, shortest;
};

static void texts_clear(struct texts *t)
{
	t->n = 1;
	t->shortest = 0;
	t->text[0][0] = '\0';
}

static bool texts_add_char(struct texts *t, char c)
{
	if (t->shortest + 1 >= LITERAL_MAX)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		size_t n = strlen(t->text[i]);

		if (n + 1 >= LITERAL_MAX)
			return false;
		t->text[i][n] = c;
		t->text[i][n + 1] = '\0';
	}
	t->shortest++;
	return true;
}

/* (error|warn|fail): plain words only, as many as there is room for. */
static size_t split_words(const struct item *it, const char *word[NEED_MAX],
			  size_t len[NEED_MAX])
{
	size_t n = 0;

	for (const char *p = it->start, *q; p <= it->end; p = q + 1) {
		for (q = p; q < it->end && *q != '|'; q++)
			if (!isalnum((unsigned char)*q) && *q != '_' &&
			    *q != '-')
				return 0;
		if (n == NEED_MAX || q == p)
			return 0;
		word[n] = p;
		len[n++] = (size_t)(q - p);
	}
	return n;
}

static bool texts_add_words(struct texts *t, const struct item *it)
{
	const char *word[NEED_MAX];
	size_t len[NEED_MAX], n = split_words(it, word, len), least = SIZE_MAX;
	struct texts all = { .n = 0 };

	if (!n || t->n * n > NEED_MAX)
		return false;
	for (size_t i = 0; i < t->n; i++)
		for (size_t j = 0; j < n; j++) {
			char *to = all.text[all.n++];
			size_t have = strlen(t->text[i]);

			if (have + len[j] + 1 > LITERAL_MAX)
				return false;
			memcpy(to, t->text[i], have);
			memcpy(to + have, word[j], len[j]);
			to[have + len[j]] = '\0';
			if (have + len[j] < least)
				least = have + len[j];
		}
	all.shortest = least;
	*t = all;
	return true;
}

/* The longest text, or choice of texts, that every match must hold.  Returns
 * whether the whole expression is nothing but that. */
static bool find_need(const char *p, struct texts *best)
{
	struct texts now;
	bool all = *p;

	texts_clear(best);
	texts_clear(&now);
	for (;;) {
		struct item it;
		bool taken = false;

		p = take_item(p, &it);
		if (it.kind == ITEM_CHAR && !it.optional && !it.repeated)
			taken = texts_add_char(&now, it.c);
		else if (it.kind == ITEM_GROUP && !it.optional && !it.repeated)
			taken = texts_add_words(&now, &it);
		if (taken)
			continue;
		if (now.shortest > best->shortest)
			*best = now;
		if (it.kind == ITEM_END)
			return all;
		all = false;
		texts_clear(&now);
	}
}

static void keep_need(struct pattern_list *l, struct pattern *p,
		      const struct texts *t)
{
	if (!t->shortest)
		return;
	for (size_t i = 1; i < t->n; i++)
		if (*t->text[i] != *t->text[0])
			return;		/* holds_need() wants one beginning */
	p->need = arena_array(l->arena, t->n, sizeof(*p->need));
	for (size_t i = 0; i < t->n; i++)
		p->need[p->nneed++] = arena_strdup(l->arena, t->text[i]);
}

static void analyse_anchored(struct pattern_list *l, struct pattern *p,
			     const char *text)
{
	char prefix[LITERAL_MAX];
	const char *rest = take_prefix(text, prefix);
	struct texts need;

	p->prefix_len = (uint32_t)strlen(prefix);
	p->prefix = arena_strndup(l->arena, prefix, p->prefix_len);
	if (!*rest)
		p->plain = l->anchor == ANCHOR_FULL ? PLAIN_EXACT :
						      PLAIN_PREFIX;
	else if (!strcmp(rest, ".*"))
		p->plain = PLAIN_PREFIX;
	if (p->plain != PLAIN_NOT)
		return;
	find_need(rest, &need);
	keep_need(l, p, &need);
}

static void analyse_loose(struct pattern_list *l, struct pattern *p)
{
	struct texts need;
	bool all = find_need(p->text, &need);

	keep_need(l, p, &need);
	if (all && p->nneed == 1)
		p->plain = PLAIN_WITHIN;
}

/* What the expressions of other dialects mean in ours. */
static void in_our_dialect(struct buf *out, const char *s)
{
	while (*s) {
		if (!strncmp(s, "(?:", 3)) {
			buf_addch(out, '(');
			s += 3;
		} else if (!strncmp(s, "\\d", 2)) {
			buf_addstr(out, "[0-9]");
			s += 2;
		} else {
			if (*s == '\\' && s[1])
				buf_addch(out, *s++);
			buf_addch(out, *s++);
		}
	}
}

int pattern_check(const char *expression, struct err *err)
{
	struct buf text = BUF_INIT(SIZE_MAX);
	char why[200];
	regex_t re;
	int rc;

	in_our_dialect(&text, expression);
	rc = regcomp(&re, text.s, REG_EXTENDED | REG_NOSUB | REG_NEWLINE);
	buf_release(&text);
	if (!rc) {
		regfree(&re);
		return 0;
	}
	regerror(rc, &re, why, sizeof(why));
	return err_set(err, ERR_USAGE, "'%s' is no regular expression: %s",
		       expression, why);
}

/* --- By their prefixes. --------------------------------------------------- */

static bool begins_so(const char *s, size_t len, const struct pattern *p)
{
	return len >= p->prefix_len && !memcmp(s, p->prefix, p->prefix_len);
}

/* How many prefixes are not behind the first "len" bytes of "s" in order? */
static size_t places_before(const struct pattern_list *l, const char *s,
			    size_t len)
{
	size_t low = 0, high = l->nprefix;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct pattern *p = &l->pattern[l->by_prefix[mid]];
		size_t least = len < p->prefix_len ? len : p->prefix_len;
		int c = memcmp(p->prefix, s, least);

		if (c > 0 || (!c && p->prefix_len > len))
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/* The longest prefix of "s" among the first "n" prefixes, or -1: the last of
 * them, or one that this one begins with. */
static int longest_prefix(const struct pattern_list *l, size_t n, const char *s,
			  size_t len)
{
	int i = n ? l->by_prefix[n - 1] : -1;

	while (i != -1 && !begins_so(s, len, &l->pattern[i]))
		i = l->pattern[i].outer;
	return i;
}

static void put_in_order(struct pattern_list *l, int number)
{
	struct pattern *p = &l->pattern[number];
	size_t at = places_before(l, p->prefix, p->prefix_len);
	size_t n = l->nprefix;

	p->outer = longest_prefix(l, at, p->prefix, p->prefix_len);
	l->by_prefix = grow_array(l->by_prefix, n, sizeof(*l->by_prefix));
	memmove(l->by_prefix + at + 1, l->by_prefix + at,
		(n - at) * sizeof(*l->by_prefix));
	l->by_prefix[at] = number;
	l->nprefix++;
	for (size_t i = at + 1; i < l->nprefix; i++) {
		struct pattern *q = &l->pattern[l->by_prefix[i]];

		if (!begins_so(q->prefix, q->prefix_len, p))
			break;
		if (q->outer == p->outer)
			q->outer = number;
	}
}

/* What the expression says that can be had without regexec(). */
static void analyse(struct pattern_list *l, struct pattern *p)
{
	if (has_choice_outside_groups(p->text))
		;	/* no text is common to all its matches */
	else if (l->anchor != ANCHOR_NONE || *p->text == '^')
		analyse_anchored(l, p, p->text + (*p->text == '^'));
	else
		analyse_loose(l, p);
}

static struct pattern *new_pattern(struct pattern_list *l)
{
	struct pattern *p;

	if (l->n > INT_MAX / 2)
		die_no_memory();
	l->pattern = grow_array(l->pattern, l->n, sizeof(*l->pattern));
	p = &l->pattern[l->n++];
	*p = (struct pattern){ .outer = -1 };
	return p;
}

/* Where pattern_first() finds the last pattern. */
static void put_in_place(struct pattern_list *l)
{
	if (l->pattern[l->n - 1].prefix_len) {
		put_in_order(l, (int)l->n - 1);
		return;
	}
	l->loose = arena_grow(l->arena, l->loose, &l->loose_cap, l->nloose + 1,
			      sizeof(*l->loose));
	l->loose[l->nloose++] = l->n - 1;
}

void pattern_add(struct pattern_list *l, const char *expression)
{
	struct buf text = BUF_INIT(SIZE_MAX);
	struct pattern *p = new_pattern(l);

	in_our_dialect(&text, expression);
	p->text = text.s;
	analyse(l, p);
	p->text = p->plain == PLAIN_NOT ? arena_strdup(l->arena, text.s) : NULL;
	put_in_place(l);
	buf_release(&text);
}

void pattern_add_wild(struct pattern_list *l, const char *wild)
{
	struct pattern *p = new_pattern(l);

	p->text = p->prefix = wild;
	p->prefix_len = (uint32_t)strcspn(wild, "*");
	if (!wild[p->prefix_len])
		p->plain = PLAIN_EXACT;
	else if (!wild[p->prefix_len + 1])
		p->plain = PLAIN_PREFIX;
	else
		p->plain = PLAIN_WILD;
	put_in_place(l);
}

static bool begins_with(const char *s, const char *prefix)
{
	while (*prefix)
		if (*s++ != *prefix++)
			return false;
	return true;
}

static const char *anchored(const struct pattern_list *l, const char *text)
{
	return l->anchor == ANCHOR_NONE  ? arena_strdup(l->arena, text) :
	       l->anchor == ANCHOR_START ? arena_printf(l->arena, "^%s", text) :
					   arena_printf(l->arena, "^%s$", text);
}

/* As plain text: what stands there, brackets and all. */
static void compile_as_text(const struct pattern_list *l, struct pattern *p)
{
	char *quoted = arena_alloc(l->arena, 2 * strlen(p->text) + 1);
	char *o = quoted;

	for (const char *s = p->text; *s; s++) {
		if (strchr(".[](){}*+?^$|\\", *s))
			*o++ = '\\';
		*o++ = *s;
	}
	if (regcomp(p->re, anchored(l, quoted), REG_EXTENDED | REG_NOSUB))
		die_no_memory();
}

static void compile(const struct pattern_list *l, struct pattern *p)
{
	p->re = malloc(sizeof(*p->re));
	if (!p->re)
		die_no_memory();
	if (regcomp(p->re, anchored(l, p->text),
		    REG_EXTENDED | REG_NOSUB | REG_NEWLINE))
		compile_as_text(l, p);
}

/* Most names hold none, so what counts is to see that fast: all needs are
 * looked for at each place where one could begin. */
static bool holds_need(const struct pattern *p, const char *name)
{
	char first = p->nneed ? *p->need[0] : '\0';

	if (!p->nneed)
		return true;
	for (const char *at = name; (at = strchr(at, first)); at++)
		for (size_t i = 0; i < p->nneed; i++)
			if (begins_with(at + 1, p->need[i] + 1))
				return true;
	return false;
}

static bool ends_with(const char *name, size_t len, const char *text)
{
	size_t n = strlen(text);

	return len >= n && !memcmp(name + len - n, text, n);
}

/* Of several ways to match, only the last * can need another one. */
static bool fits_wild(const char *wild, const char *name)
{
	const char *behind = NULL, *from = NULL;

	while (*name) {
		if (*wild == '*') {
			behind = ++wild;
			from = name;
		} else if (*wild == *name) {
			wild++;
			name++;
		} else if (behind) {
			wild = behind;
			name = ++from;
		} else {
			return false;
		}
	}
	return !wild[strspn(wild, "*")];
}

/* "name" is known to begin with the pattern's prefix. */
static bool matches(const struct pattern_list *l, struct pattern *p,
		    const char *name, size_t len)
{
	if (p->plain == PLAIN_PREFIX)
		return true;
	if (p->plain == PLAIN_EXACT)
		return len == p->prefix_len;
	if (p->plain == PLAIN_WILD)
		return ends_with(name, len, strrchr(p->text, '*') + 1) &&
		       fits_wild(p->text, name);
	if (!holds_need(p, name))
		return false;
	if (p->plain == PLAIN_WITHIN)
		return true;
	if (!p->re)
		compile(l, p);
	return regexec(p->re, name, 0, NULL, 0) == 0;
}

static int first_by_prefix(const struct pattern_list *l, const char *name,
			   size_t len)
{
	size_t n = places_before(l, name, len);
	int first = -1;

	for (int i = longest_prefix(l, n, name, len); i != -1;
	     i = l->pattern[i].outer)
		if ((first == -1 || i < first) &&
		    matches(l, &l->pattern[i], name, len))
			first = i;
	return first;
}

int pattern_first(const struct pattern_list *l, const char *name)
{
	size_t len = strlen(name);
	int first = first_by_prefix(l, name, len);

	for (size_t i = 0; i < l->nloose; i++) {
		size_t number = l->loose[i];

		if (first != -1 && number > (size_t)first)
			break;
		if (matches(l, &l->pattern[number], name, len))
			return (int)number;
	}
	return first;
}
