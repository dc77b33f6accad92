#include "request/need.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"

#define LITERAL_MAX 8
#define TEXTS_MAX 3000		/* more in one pattern are no help */
#define DEPTH_MAX 40

/* The bits of struct grams: of threes, of "no ASCII", of twos. */
#define FOREIGN GRAMS
#define TWOS (GRAMS + 64)

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Letters in lower case; all that "\b" takes for the end of a word is one. */
static char folded(char c)
{
	return is_word(c) ? (char)tolower((unsigned char)c) : ' ';
}

/* A number below LETTERS for each character that folded() gives. */
static unsigned int letter(char c)
{
	c = folded(c);
	return islower((unsigned char)c) ? (unsigned int)(c - 'a') :
	       isdigit((unsigned char)c) ? 26 + (unsigned int)(c - '0') :
	       c == '_' ? 36 : 37;
}

static unsigned int three(unsigned int a, unsigned int b, unsigned int c)
{
	return (a * 961 + b * 31 + c) % GRAMS;
}

static unsigned int two(unsigned int a, unsigned int b)
{
	return TWOS + 64 * a + b;
}

static void add_gram(struct grams *g, unsigned int h)
{
	g->bit[h / 64] |= (uint64_t)1 << h % 64;
}

void grams_of(struct grams *g, const char *s, size_t len)
{
	static unsigned char letters[256];
	unsigned int a = letter(' '), b = a, c;
	unsigned char high = 0;

	if (!letters[' '])
		for (int i = 0; i < 256; i++)
			letters[i] = (unsigned char)letter((char)i);
	memset(g, 0, sizeof(*g));
	for (size_t i = 0; i < len; i++, a = b, b = c) {
		c = letters[(unsigned char)s[i]];
		high |= (unsigned char)s[i];
		add_gram(g, three(a, b, c));
		add_gram(g, two(b, c));
	}
	add_gram(g, three(a, b, letter(' ')));
	add_gram(g, two(b, letter(' ')));
	if (high < 0x80)
		return;
	add_gram(g, FOREIGN);
	/* What else PCRE2 takes for a "k" (U+212A) and an "s" (U+017F). */
	if (memmem(s, len, "\xe2\x84\xaa", 3) ||
	    memmem(s, len, "\xc5\xbf", 2))
		memset(g, 0xff, sizeof(*g));
}

/*
 * Written down without a gap, since it is read for every sentence.  A node is
 * its kind and count; then, of a TEXT, its grams; of the others the length of
 * all of the node, and its parts.
 */
struct need {
	size_t n;
	uint16_t code[];
};

enum kind { TEXT, ALL, ANY };
#define COUNT_BITS 13
#define COUNT_MAX ((1u << COUNT_BITS) - 1)
#define CODE_MAX 60000		/* of a length that 16 bits hold */

static bool has_gram(const struct grams *g, unsigned int h)
{
	return g->bit[h / 64] >> h % 64 & 1;
}

static bool has_text(const uint16_t *gram, unsigned int n,
		     const struct grams *g)
{
	for (unsigned int i = 0; i < n; i++)
		if (!has_gram(g, gram[i]))
			return false;
	return true;
}

/* No deeper than DEPTH_MAX for each call of a group. */
static bool is_met(const uint16_t *node, const struct grams *g)
{
	bool any = node[0] >> COUNT_BITS == ANY, met;
	const uint16_t *p = node + 2, *end = node + node[1];

	while (p < end) {
		unsigned int n = *p & COUNT_MAX;

		if (*p >> COUNT_BITS == TEXT) {
			met = has_text(p + 1, n, g);
			p += 1 + n;
		} else {
			met = is_met(p, g);
			p += p[1];
		}
		if (met == any)
			return any;
	}
	return !any;
}

bool need_met(const struct need *n, const struct grams *g)
{
	return !n || is_met(n->code, g);
}

/* ------------------------------------------------- reading the pattern */

/* While it is read, a tree. */
struct tree {
	enum kind kind;
	size_t n, cap;
	size_t size;		/* texts in it: what it costs to ask */
	const struct tree **v;	/* parts of ALL and ANY */
	uint16_t gram[LITERAL_MAX - 2];	/* of TEXT */
};

struct reader {
	struct arena *a;
	const char *all, *p;
	int depth;
};

/* What stands around: no letter before, no letter behind. */
struct edges {
	bool before, behind;
};

static struct tree *alternatives(struct reader *r, struct edges e);

static struct tree *of_literal(struct arena *a, const char *s, size_t len)
{
	struct tree *n;

	if (len < 2)
		return NULL;
	n = arena_alloc(a, sizeof(*n));
	n->size = 1;
	if (len == 2)
		n->gram[n->n++] = (uint16_t)two(letter(s[0]), letter(s[1]));
	for (size_t i = 0; i + 3 <= len; i++)
		n->gram[n->n++] = (uint16_t)three(letter(s[i]),
						  letter(s[i + 1]),
						  letter(s[i + 2]));
	return n;
}

/* A character that is no ASCII. */
static struct tree *of_foreign(struct arena *a)
{
	struct tree *n = arena_alloc(a, sizeof(*n));

	n->size = 1;
	n->gram[n->n++] = FOREIGN;
	return n;
}

/* "one" is asked, too; the smaller ones first. */
static void add(struct arena *a, struct tree *to, const struct tree *one)
{
	size_t i = to->n;

	to->v = arena_grow(a, to->v, &to->cap, to->n + 1, sizeof(*to->v));
	for (; i && to->kind == ALL && to->v[i - 1]->size > one->size; i--)
		to->v[i] = to->v[i - 1];
	to->v[i] = one;
	to->n++;
	to->size += one->size;
}

/* Both are needed; of which nothing is known is NULL. */
static struct tree *both(struct arena *a, struct tree *x, struct tree *y)
{
	struct tree *n;

	if (!x || !y)
		return x ? x : y;
	if (x->size + y->size > TEXTS_MAX)
		return x->size < y->size ? x : y;
	if (x->kind == ALL) {
		add(a, x, y);
		return x;
	}
	n = arena_alloc(a, sizeof(*n));
	n->kind = ALL;
	add(a, n, x);
	add(a, n, y);
	return n;
}

/* Past a "[...]". */
static const char *past_class(const char *p)
{
	p++;
	p += *p == '^';
	p += *p == ']';
	while (*p && *p != ']') {
		if (p[0] == '\\' && p[1])
			p++;
		else if (p[0] == '[' && p[1] == ':' && strstr(p, ":]"))
			p = strstr(p, ":]") + 1;
		p++;
	}
	return *p ? p + 1 : p;
}

/* Past the "(...)" at "p", whatever stands in it. */
static const char *past_group(const char *p)
{
	int depth = 0;

	while (*p) {
		if (*p == '\\' && p[1]) {
			p += 2;
			continue;
		}
		if (*p == '[') {
			p = past_class(p);
			continue;
		}
		depth += (*p == '(') - (*p == ')');
		p++;
		if (!depth)
			break;
	}
	return p;
}

/* Past a quantifier: "*optional" when nothing need be there, "*more" when it
 * may be there more than once. */
static const char *past_quantifier(const char *p, bool *optional, bool *more)
{
	*optional = *p == '?' || *p == '*' ||
		    (*p == '{' && (p[1] == '0' || p[1] == ','));
	*more = *p == '+' || *p == '*' ||
		(*p == '{' && isdigit((unsigned char)p[1]));
	if (*p == '{' && !*optional && !*more)
		return p;	/* a brace that stands for itself */
	if (*p == '{')
		p += strcspn(p, "}") + 1;
	else if (*optional || *more)
		p++;
	else
		return p;
	return p + (*p == '?' || *p == '+');
}

/* The group that "(?&name)" calls. */
static struct tree *called(struct reader *r, const char *name, size_t len,
			   struct edges e)
{
	struct reader other = { r->a, r->all, r->all, r->depth + 1 };

	while ((other.p = strstr(other.p, "(?<"))) {
		other.p += 3;
		if (!strncmp(other.p, name, len) && other.p[len] == '>') {
			other.p += len + 1;
			return alternatives(&other, e);
		}
	}
	return NULL;
}

/* A "(...)" that looks at what is not part of the match. */
static bool looks_around(const char *p)
{
	return !strncmp(p, "(?=", 3) || !strncmp(p, "(?!", 3) ||
	       !strncmp(p, "(?<=", 4) || !strncmp(p, "(?<!", 4);
}

/* A "(...)"; nothing is known of those that look back, say no or decide. */
static struct tree *group(struct reader *r, struct edges e)
{
	const char *start = r->p, *end = past_group(start);
	struct tree *n = NULL;

	if (r->depth > DEPTH_MAX) {
		r->p = end;
		return NULL;
	}
	r->p++;
	if (!strncmp(r->p, "?&", 2))
		n = called(r, r->p + 2, strcspn(r->p + 2, ")"), e);
	else if (!strncmp(r->p, "?:", 2) || !strncmp(r->p, "?>", 2) ||
		 !strncmp(r->p, "?=", 2))
		r->p += 2;
	else if (!strncmp(r->p, "?<", 2) && !strchr("=!", r->p[2]))
		r->p += strcspn(r->p, ">") + 1;
	else if (*r->p == '?' || *r->p == '*')
		r->p = end;
	if (r->p != end && strncmp(start, "(?&", 3)) {
		/* What a look ahead sees goes on behind it. */
		e.behind &= strncmp(start, "(?=", 3) != 0;
		r->depth++;
		n = alternatives(r, e);
		r->depth--;
	}
	r->p = end;
	return n;
}

/* Past an atom that is no plain character. */
static const char *past_other(const char *p)
{
	if (*p == '[')
		return past_class(p);
	if ((unsigned char)*p >= 0xc0) {
		do
			p++;
		while (((unsigned char)*p & 0xc0) == 0x80);
		return p;
	}
	if (*p != '\\')
		return p + 1;
	p += 1 + (p[1] != '\0');
	if (*p == '{' && strchr("xpPgkoN", p[-1]))
		p += strcspn(p, "}") + 1;
	return p;
}

/* The length of a "[...]" in which stands no letter and nothing but ASCII. */
static size_t marks_only(const char *p)
{
	size_t n = 1;

	while (p[n] && p[n] != ']') {
		if ((unsigned char)p[n] >= 0x80 || is_word(p[n]) ||
		    strchr("^\\[", p[n]) ||
		    (p[n] == '-' && n > 1 && p[n + 1] != ']'))
			return 0;
		n++;
	}
	return p[n] && n > 1 ? n + 1 : 0;
}

/* The plain ASCII character at "p", 0 when there is none; "*n": its bytes.  A
 * blank stands for all that is no letter. */
static char plain(const char *p, size_t *n)
{
	*n = 1;
	if (*p == '\\') {
		*n = 2;
		return p[1] == 's' ? ' ' :
		       ispunct((unsigned char)p[1]) ? p[1] : 0;
	}
	if (*p == '[' && (*n = marks_only(p)))
		return ' ';
	return strchr("^$.[(*+?", *p) || (unsigned char)*p >= 0x80 ? 0 : *p;
}

/* Is there no letter behind what ends at "p"? */
static bool ends_word(const char *p, bool behind)
{
	bool optional, more;
	size_t n;
	char c;

	if (past_quantifier(p, &optional, &more) != p)
		return false;
	if (!strncmp(p, "\\b", 2) || *p == '$')
		return true;
	if (!*p || *p == '|' || *p == ')')
		return behind;
	c = plain(p, &n);
	if (!c || is_word(c))
		return false;
	past_quantifier(p + n, &optional, &more);
	return !optional;
}

/* A sequence while it is read: a run of plain characters, as far as it goes. */
struct run {
	struct tree *all;	/* what is needed so far */
	char s[LITERAL_MAX];
	size_t n;
	bool edge;		/* no letter stands before what comes */
};

static void end_run(struct reader *r, struct run *run)
{
	run->all = both(r->a, run->all, of_literal(r->a, run->s, run->n));
	run->n = 0;
}

static void add_plain(struct reader *r, struct run *run, char c)
{
	if (run->n == LITERAL_MAX)
		end_run(r, run);
	if (!run->n && run->edge && is_word(c))
		run->s[run->n++] = ' ';
	run->s[run->n++] = folded(c);
	run->edge = !is_word(c);
}

/* The word ends here, whatever follows. */
static void add_end(struct reader *r, struct run *run)
{
	if (run->n && run->n < LITERAL_MAX && run->s[run->n - 1] != ' ')
		run->s[run->n++] = ' ';
	end_run(r, run);
}

/* "\b", "^" and "$" take no room. */
static bool take_edge(struct reader *r, struct run *run)
{
	if (strncmp(r->p, "\\b", 2) && *r->p != '^' && *r->p != '$')
		return false;
	r->p += *r->p == '\\' ? 2 : 1;
	if (run->n && run->s[run->n - 1] == ' ')
		return true;
	run->edge = !run->n;
	add_end(r, run);
	return true;
}

static struct tree *take_atom(struct reader *r, struct run *run, bool behind)
{
	struct edges e = { run->edge, false };
	const char *start = r->p;
	struct tree *inner = NULL;

	if (*start == '(') {
		e.behind = ends_word(past_group(start), behind);
		inner = group(r, e);
		run->edge = run->edge && looks_around(start);
		return inner;
	}
	run->edge = false;
	r->p = past_other(start);
	if ((unsigned char)*start >= 0xc0 ||
	    !strncmp(start, "[^\\x00-\\x7f]", (size_t)(r->p - start)))
		inner = of_foreign(r->a);
	return inner;
}

static struct tree *sequence(struct reader *r, struct edges e)
{
	struct run run = { .edge = e.before };
	struct tree *inner;
	bool optional, more;
	size_t n;
	char c;

	while (*r->p && *r->p != '|' && *r->p != ')') {
		if (take_edge(r, &run))
			continue;
		inner = NULL;
		c = plain(r->p, &n);
		if (c) {
			r->p += n;
		} else {
			end_run(r, &run);
			inner = take_atom(r, &run, e.behind);
		}
		r->p = past_quantifier(r->p, &optional, &more);
		if (optional) {
			end_run(r, &run);
			run.edge = false;
			continue;
		}
		if (c)
			add_plain(r, &run, c);
		if (more) {
			end_run(r, &run);
			run.edge = false;
		}
		run.all = both(r->a, run.all, inner);
	}
	if (e.behind)
		add_end(r, &run);
	end_run(r, &run);
	return run.all;
}

/* One of them is needed; NULL when nothing is known of one. */
static struct tree *alternatives(struct reader *r, struct edges e)
{
	struct tree *any = NULL, *one = sequence(r, e);
	bool known = one;

	if (*r->p != '|')
		return one;
	any = arena_alloc(r->a, sizeof(*any));
	any->kind = ANY;
	if (one)
		add(r->a, any, one);
	while (*r->p == '|') {
		r->p++;
		one = sequence(r, e);
		known &= one && any->size + one->size <= TEXTS_MAX;
		if (known)
			add(r->a, any, one);
	}
	return known ? any : NULL;
}

/* Write the tree down. */
static void write_node(struct buf *out, const struct tree *t)
{
	size_t start = out->len;
	uint16_t head = (uint16_t)((unsigned int)t->kind << COUNT_BITS | t->n);
	uint16_t len = 0;

	buf_add(out, &head, sizeof(head));
	if (t->kind == TEXT) {
		buf_add(out, t->gram, t->n * sizeof(*t->gram));
		return;
	}
	buf_add(out, &len, sizeof(len));
	for (size_t i = 0; i < t->n; i++)
		write_node(out, t->v[i]);
	if (buf_over(out))
		return;
	len = (uint16_t)((out->len - start) / sizeof(len));
	memcpy(out->s + start + sizeof(head), &len, sizeof(len));
}

static struct need *written(struct arena *a, const struct tree *t)
{
	const struct tree *part[] = { t };
	struct tree top = { .kind = ALL, .n = 1, .v = part };
	struct buf code = BUF_INIT(CODE_MAX);
	struct need *n = NULL;

	write_node(&code, t->kind == TEXT ? &top : t);
	if (!buf_over(&code)) {
		n = arena_alloc(a, sizeof(*n) + code.len);
		n->n = code.len / sizeof(*n->code);
		memcpy(n->code, code.s, code.len);
	}
	buf_release(&code);
	return n;
}

struct need *need_of(struct arena *a, const char *pattern)
{
	struct arena scratch = ARENA_INIT;
	struct reader r = { &scratch, pattern, pattern, 0 };
	struct tree *t = alternatives(&r, (struct edges){ false, false });
	struct need *n = t && !*r.p ? written(a, t) : NULL;

	arena_release(&scratch);
	return n;
}
