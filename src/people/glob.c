#include "people/glob.h"

#include <stddef.h>
#include <string.h>

/* "[...]" at "p" against "c": its length when it matches, 0 when it does not,
 * -1 when it is no class (then "[" is itself). */
static int match_class(const char *p, char c)
{
	const char *s = p + 1;
	bool not = *s == '!' || *s == '^', in = false;

	if (not)
		s++;
	for (const char *first = s; *s && (*s != ']' || s == first); s++) {
		if (s[1] == '-' && s[2] && s[2] != ']') {
			in |= (unsigned char)*s <= (unsigned char)c &&
			      (unsigned char)c <= (unsigned char)s[2];
			s += 2;
		} else {
			in |= *s == c;
		}
	}
	if (!*s)
		return -1;
	return in != not && c != '/' ? (int)(s + 1 - p) : 0;
}

/* How much of the pattern one character takes; 0: it does not match. */
static size_t match_one(const char *p, char c)
{
	int n = *p == '[' ? match_class(p, c) : -1;

	if (n >= 0)
		return (size_t)n;
	if (*p == '?')
		return c != '/';
	return *p == c;
}

/*
 * On a mismatch the last star takes one character more; when that would be a
 * "/", the last double star does.  Earlier stars need never be tried again:
 * what the later one can take includes whatever they could.
 */
struct retry {
	const char *pattern, *path;	/* go on there; NULL: no star yet */
	bool folders;			/* takes whole "folder/"s only */
};

static bool take_more(struct retry *r)
{
	if (!r->pattern || !*r->path)
		return false;
	if (r->folders)
		r->path = strchrnul(r->path, '/');
	if (!*r->path)
		return false;
	r->path++;
	return true;
}

struct walk {
	const char *start, *p, *s;
	struct retry star, all;
};

static bool go_back(struct walk *w)
{
	struct retry *r = &w->star;

	if (!r->pattern || *r->path == '/' || !take_more(r)) {
		r->pattern = NULL;
		r = &w->all;
		if (!take_more(r))
			return false;
	}
	w->p = r->pattern;
	w->s = r->path;
	return true;
}

/* Remember the star at w->p and step over it. */
static void pass_star(struct walk *w)
{
	const char *at = w->p;
	size_t n = strspn(at, "*");
	bool folders = n > 1 && at[n] == '/' &&
		       (at == w->start || at[-1] == '/');
	struct retry r = { at + n + folders, w->s, folders };

	w->star = n > 1 ? (struct retry){ NULL, NULL, false } : r;
	if (n > 1)
		w->all = r;
	w->p = r.pattern;
}

static bool match(const char *pattern, const char *path, bool covers)
{
	struct walk w = { .start = pattern, .p = pattern, .s = path };

	for (;;) {
		size_t n;

		if (*w.p == '*') {
			pass_star(&w);
			continue;
		}
		if (!*w.p && (!*w.s || (covers && w.p > pattern &&
					w.p[-1] == '/')))
			return true;
		n = *w.s && *w.p ? match_one(w.p, *w.s) : 0;
		if (n) {
			w.p += n;
			w.s++;
		} else if (!go_back(&w)) {
			return false;
		}
	}
}

bool glob_match(const char *pattern, const char *path)
{
	return match(pattern, path, false);
}

size_t glob_prefix(const char *pattern)
{
	return strcspn(pattern, "*?[");
}

bool glob_covers(const char *pattern, const char *path)
{
	size_t len = glob_prefix(pattern);

	if (!pattern[len]) {
		if (strncmp(pattern, path, len))
			return false;
		return !path[len] || path[len] == '/' ||
		       (len && pattern[len - 1] == '/');
	}
	return !strncmp(pattern, path, len) && match(pattern, path, true);
}
