#include "request/need.h"

#include <ctype.h>
#include <string.h>

#define LITERAL_MIN 3		/* shorter ones tell nothing */
#define LITERAL_MAX 8
#define SET_MAX 200		/* more texts than this are no help */
#define DEPTH_MAX 40

static unsigned int hash3(const char *s)
{
	unsigned int a = (unsigned int)tolower((unsigned char)s[0]);
	unsigned int b = (unsigned int)tolower((unsigned char)s[1]);
	unsigned int c = (unsigned int)tolower((unsigned char)s[2]);

	return (a * 961 + b * 31 + c) & 4095;
}

void grams_of(struct grams *g, const char *s, size_t len)
{
	memset(g, 0, sizeof(*g));
	/* What else PCRE2 takes for a "k" (U+212A) and an "s" (U+017F). */
	if (memmem(s, len, "\xe2\x84\xaa", 3) ||
	    memmem(s, len, "\xc5\xbf", 2))
		memset(g, 0xff, sizeof(*g));
	for (size_t i = 0; i + 3 <= len; i++) {
		unsigned int h = hash3(s + i);

		g->bit[h / 64] |= (uint64_t)1 << h % 64;
	}
}

/* A text, as the hashes of its runs of three. */
struct literal {
	uint16_t gram[LITERAL_MAX - 2];
	size_t n;
};

/* One of these texts is needed; n == 0: nothing is known. */
struct need {
	struct literal v[SET_MAX];
	size_t n;
};

bool need_met(const struct need *need, const struct grams *g)
{
	if (!need)
		return true;
	for (size_t i = 0; i < need->n; i++) {
		const struct literal *l = &need->v[i];
		size_t k = 0;

		while (k < l->n &&
		       g->bit[l->gram[k] / 64] >> l->gram[k] % 64 & 1)
			k++;
		if (k == l->n)
			return true;
	}
	return false;
}

/* ------------------------------------------------- reading the pattern */

struct reader {
	struct arena *a;
	const char *all, *p;
	int depth;
};

static struct need *alternatives(struct reader *r);

static struct need *of_literal(struct arena *a, const char *s,
				     size_t len)
{
	struct need *n;

	if (len < LITERAL_MIN)
		return NULL;
	n = arena_alloc(a, sizeof(*n));
	n->n = 1;
	for (size_t i = 0; i + 3 <= len; i++)
		n->v[0].gram[n->v[0].n++] = (uint16_t)hash3(s + i);
	return n;
}

static size_t shortest(const struct need *n)
{
	size_t min = LITERAL_MAX;

	for (size_t i = 0; i < n->n; i++)
		min = n->v[i].n < min ? n->v[i].n : min;
	return min;
}

/* Both are needed: keep the one that tells more. */
static struct need *better(struct need *a, struct need *b)
{
	if (!a || !b)
		return a ? a : b;
	if (shortest(a) != shortest(b))
		return shortest(a) > shortest(b) ? a : b;
	return a->n <= b->n ? a : b;
}

/* One of both is needed: "y" is added to "x". */
static struct need *either(struct need *x, const struct need *y)
{
	if (!x || !y || x->n + y->n > SET_MAX)
		return NULL;
	memcpy(x->v + x->n, y->v, y->n * sizeof(*y->v));
	x->n += y->n;
	return x;
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
static struct need *called(struct reader *r, const char *name,
				 size_t len)
{
	struct reader other = { r->a, r->all, r->all, r->depth + 1 };

	while ((other.p = strstr(other.p, "(?<"))) {
		other.p += 3;
		if (!strncmp(other.p, name, len) && other.p[len] == '>') {
			other.p += len + 1;
			return alternatives(&other);
		}
	}
	return NULL;
}

/* A "(...)"; nothing is known of those that look around or decide. */
static struct need *group(struct reader *r)
{
	const char *start = r->p, *end = past_group(start);
	struct need *n = NULL;

	if (r->depth > DEPTH_MAX) {
		r->p = end;
		return NULL;
	}
	r->p++;
	if (!strncmp(r->p, "?&", 2))
		n = called(r, r->p + 2, strcspn(r->p + 2, ")"));
	else if (!strncmp(r->p, "?:", 2) || !strncmp(r->p, "?>", 2))
		r->p += 2;
	else if (!strncmp(r->p, "?<", 2) && !strchr("=!", r->p[2]))
		r->p += strcspn(r->p, ">") + 1;
	else if (*r->p == '?' || *r->p == '*')
		r->p = end;
	if (r->p != end && strncmp(start, "(?&", 3)) {
		r->depth++;
		n = alternatives(r);
		r->depth--;
	}
	r->p = end;
	return n;
}

/* A run of plain characters, as far as it goes. */
struct run {
	char s[LITERAL_MAX];
	size_t n;
};

static struct need *end_run(struct reader *r, struct run *run,
				  struct need *best)
{
	best = better(best, of_literal(r->a, run->s, run->n));
	run->n = 0;
	return best;
}

/* Past an atom that is no plain character. */
static const char *past_other(const char *p)
{
	if (*p == '[')
		return past_class(p);
	if (*p != '\\')
		return p + 1;
	p += 1 + (p[1] != '\0');
	if (*p == '{' && strchr("xpPgkoN", p[-1]))
		p += strcspn(p, "}") + 1;
	return p;
}

/* The plain ASCII character at "p", 0 when there is none; "*n": its bytes. */
static char plain(const char *p, size_t *n)
{
	*n = 1;
	if (*p == '\\') {
		*n = 2;
		return ispunct((unsigned char)p[1]) ? p[1] : 0;
	}
	return strchr("^$.[(*+?", *p) || (unsigned char)*p >= 0x80 ? 0 : *p;
}

static struct need *sequence(struct reader *r)
{
	struct need *best = NULL, *inner;
	struct run run = { .n = 0 };
	bool optional, more;
	size_t n;
	char c;

	while (*r->p && *r->p != '|' && *r->p != ')') {
		inner = NULL;
		c = plain(r->p, &n);
		if (*r->p == '(')
			inner = group(r);
		else
			r->p = c ? r->p + n : past_other(r->p);
		r->p = past_quantifier(r->p, &optional, &more);
		if (!c || optional || run.n == LITERAL_MAX)
			best = end_run(r, &run, best);
		if (optional)
			continue;
		if (c)
			run.s[run.n++] = c;
		if (more)
			best = end_run(r, &run, best);
		best = better(best, inner);
	}
	return end_run(r, &run, best);
}

static struct need *alternatives(struct reader *r)
{
	struct need *n = sequence(r);

	while (*r->p == '|') {
		r->p++;
		n = either(n, sequence(r));
	}
	return n;
}

struct need *need_of(struct arena *a, const char *pattern)
{
	struct arena scratch = ARENA_INIT;
	struct reader r = { &scratch, pattern, pattern, 0 };
	struct need *n = alternatives(&r), *kept = NULL;

	if (n && !*r.p) {
		kept = arena_alloc(a, sizeof(*kept));
		*kept = *n;
	}
	arena_release(&scratch);
	return kept;
}
