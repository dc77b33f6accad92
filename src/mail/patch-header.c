#include "mail/patch-int.h"

#include <string.h>

#include "mail/text.h"

static const char *const extended[] = {
	"index ", "old mode ", "new mode ", "new file mode ",
	"deleted file mode ", "similarity index ", "dissimilarity index ",
	"rename from ", "rename to ", "copy from ", "copy to ", "rename old ",
	"rename new ", "mode change ", "mode ",
};

static bool is_extended(struct slice s)
{
	for (size_t i = 0; i < sizeof(extended) / sizeof(extended[0]); i++)
		if (slice_starts(s, extended[i]))
			return true;
	return false;
}

bool diff_is_pair(const struct walk *w, size_t i)
{
	return slice_starts(walk_line(w, i), "--- ") &&
	       slice_starts(walk_line(w, i + 1), "+++ ");
}

bool diff_is_binary_notice(struct slice s)
{
	return (slice_starts(s, "Binary files ") ||
		slice_starts(s, "Files ")) && slice_ends(s, " differ");
}

/* Does the header of one file's diff start at line "i"? */
bool diff_is_file(const struct walk *w, size_t i)
{
	struct slice s = walk_line(w, i);

	if (slice_starts(s, "diff -"))
		return is_extended(walk_line(w, i + 1)) || diff_is_pair(w, i + 1) ||
		       diff_is_binary_notice(walk_line(w, i + 1));
	if (slice_starts(s, "Index: "))
		return slice_starts(walk_line(w, i + 1), "=====");
	return diff_is_pair(w, i) && diff_is_hunk(walk_line(w, i + 2));
}

static void add_file(struct walk *w, struct slice name)
{
	struct strings *f = &w->p->files;

	if (!name.len)
		return;
	for (size_t i = 0; i < f->n; i++)
		if (slice_is(name, f->v[i]))
			return;
	if (f->n == 1000)
		return;
	f->v = arena_grow(w->a, f->v, &w->files_cap, f->n + 1,
			  sizeof(*f->v));
	f->v[f->n++] = arena_strndup(w->a, name.s, name.len);
}

/* Undo git's quoting of a path: "a/J\303\266rg.c". */
static struct slice unquote(struct walk *w, struct slice s)
{
	static const char from[] = "abfnrtv\\\"", to[] = "\a\b\f\n\r\t\v\\\"";
	char *out, *p;
	const char *k;

	if (s.len < 2 || s.s[0] != '"' || s.s[s.len - 1] != '"')
		return s;
	p = out = arena_alloc(w->a, s.len);
	for (size_t i = 1; i + 1 < s.len; i++) {
		if (s.s[i] != '\\' || i + 2 >= s.len) {
			*p++ = s.s[i];
		} else if (i + 4 < s.len && s.s[i + 1] >= '0' &&
			   s.s[i + 1] <= '3') {
			*p++ = (char)((s.s[i + 1] - '0') << 6 |
				      (s.s[i + 2] & 7) << 3 |
				      (s.s[i + 3] & 7));
			i += 3;
		} else {
			i++;
			k = strchr(from, s.s[i]);
			*p++ = k && *k ? to[k - from] : s.s[i];
		}
	}
	return (struct slice){ out, (size_t)(p - out) };
}

/* A path of a ---/+++ line: no time stamp, no quotes, no "a/". */
static struct slice path_of(struct walk *w, struct slice s)
{
	const char *tab = memchr(s.s, '\t', s.len);

	if (tab)
		s.len = (size_t)(tab - s.s);
	while (s.len && s.s[s.len - 1] == ' ')
		s.len--;
	s = unquote(w, s);
	if (slice_is(s, "/dev/null"))
		return (struct slice){ "", 0 };
	if (s.len > 2 && s.s[1] == '/' && strchr("abciow", s.s[0]))
		return (struct slice){ s.s + 2, s.len - 2 };
	return s;
}

/* "linux-5.9.orig/mm/a.c" and "linux-5.9/mm/a.c": the tree's name goes. */
static struct slice without_tree(struct slice s, struct slice other)
{
	const char *a = memchr(s.s, '/', s.len);
	const char *b = memchr(other.s, '/', other.len);
	size_t rest;

	if (!a || !b)
		return s;
	rest = s.len - (size_t)(a - s.s);
	if (rest != other.len - (size_t)(b - other.s) || memcmp(a, b, rest) ||
	    (s.len == other.len && !memcmp(s.s, other.s, s.len)))
		return s;
	return (struct slice){ a + 1, rest - 1 };
}

/* The "--- old", "+++ new" pair at the current line. */
void diff_take_pair(struct walk *w)
{
	struct slice l = walk_line(w, w->at), r = walk_line(w, w->at + 1);
	struct slice old, new, t;

	old = path_of(w, (struct slice){ l.s + 4, l.len - 4 });
	new = path_of(w, (struct slice){ r.s + 4, r.len - 4 });
	t = without_tree(old, new);
	new = without_tree(new, old);
	old = t;
	if (new.len)
		add_file(w, new);
	else
		add_file(w, old);
	walk_note(w, (struct slice){ "---", 3 });
	walk_note(w, old);
	walk_note(w, new);
	walk_take(w);
	walk_take(w);
}

/* The path of "diff --git a/X b/X", where both names are the same. */
static struct slice git_path(struct walk *w, struct slice s)
{
	struct slice rest = { s.s + 11, s.len - 11 };
	size_t half = rest.len / 2;

	if (rest.len < 5 || !(rest.len & 1) || rest.s[half] != ' ')
		return (struct slice){ "", 0 };
	return path_of(w, (struct slice){ rest.s + half + 1,
					  rest.len - half - 1 });
}

/* Do "---" and "+++" lines follow in the header of this file? */
static bool header_has_pair(const struct walk *w)
{
	size_t i = w->at + 1;

	while (!walk_is_out(w, i) && is_extended(walk_line(w, i)))
		i++;
	return diff_is_pair(w, i);
}

/* What stands before the hunks of one file. */
void diff_take_header(struct walk *w)
{
	struct slice s = walk_line(w, w->at), t;

	if (slice_starts(s, "diff --git ")) {
		t = git_path(w, s);
		add_file(w, t);
		if (!header_has_pair(w))
			walk_note(w, t);
	}
	if (slice_starts(s, "diff -") || slice_starts(s, "Index: "))
		walk_take(w);
	while (!walk_is_out(w, w->at)) {
		s = walk_line(w, w->at);
		if (!is_extended(s) && !slice_starts(s, "====="))
			return;
		t = (struct slice){ s.s + 10, s.len > 10 ? s.len - 10 : 0 };
		if (slice_starts(s, "rename to "))
			add_file(w, unquote(w, t));
		if (!slice_starts(s, "index ") && !slice_starts(s, "====="))
			walk_note(w, s);
		walk_take(w);
	}
}
