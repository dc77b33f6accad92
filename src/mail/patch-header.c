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

/* git's and diff's, hg's, svn's. */
bool diff_is_binary_notice(struct slice s)
{
	if (slice_starts(s, "Binary file ") && slice_ends(s, " has changed"))
		return true;
	if (slice_starts(s, "Cannot display: file marked as a binary type"))
		return true;
	return (slice_starts(s, "Binary files ") ||
		slice_starts(s, "Files ")) && slice_ends(s, " differ");
}

/* Does the header of one file's diff start at line "i"? */
bool diff_is_file(const struct walk *w, size_t i)
{
	struct slice s = walk_line(w, i);

	if (slice_starts(s, "diff -"))
		return is_extended(walk_line(w, i + 1)) ||
		       diff_is_pair(w, i + 1) || diff_is_context(w, i + 1) ||
		       diff_is_binary_notice(walk_line(w, i + 1));
	if (slice_starts(s, "Index: "))
		return slice_starts(walk_line(w, i + 1), "=====");
	return (diff_is_pair(w, i) && diff_is_hunk(walk_line(w, i + 2))) ||
	       diff_is_context(w, i);
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

/* The name as it stands, without what follows a tab. */
static struct slice raw_name(struct slice line)
{
	const char *tab = memchr(line.s, '\t', line.len);
	size_t end = tab ? (size_t)(tab - line.s) : line.len;

	while (end > 4 && line.s[end - 1] == ' ')
		end--;
	return (struct slice){ line.s + 4, end - 4 };
}

static bool is_equal(struct slice a, struct slice b)
{
	return a.len == b.len && !memcmp(a.s, b.s, a.len);
}

/* Two names of one file: do they lack the part that "-p1" takes away? */
static bool lacks_prefix(struct slice old, struct slice new)
{
	return is_equal(old, new) && old.len && !strchr("/\"", *old.s) &&
	       !(old.len > 1 && old.s[1] == '/');
}

/* A line of the pair, as git reads it. */
static void take_side(struct walk *w, const char *mark, const char *prefix)
{
	struct slice s = walk_line(w, w->at);

	buf_addstr(&w->text, mark);
	buf_addstr(&w->text, prefix);
	buf_add(&w->text, s.s + 4, s.len - 4);
	buf_addch(&w->text, '\n');
	w->at++;
}

void diff_take_pair(struct walk *w)
{
	struct slice l = walk_line(w, w->at), r = walk_line(w, w->at + 1);
	bool bare = lacks_prefix(raw_name(l), raw_name(r));
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
	take_side(w, "--- ", bare ? "a/" : "");
	take_side(w, "+++ ", bare ? "b/" : "");
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
	/* The text of the patch has no empty lines here. */
	for (int k = 0; k < 3 && !walk_is_out(w, i) && !walk_line(w, i).len; k++)
		i++;
	return diff_is_pair(w, i) || diff_is_context(w, i);
}

/* "diff --git X X", without prefixes: they are added. */
static void take_git_line(struct walk *w)
{
	struct slice s = walk_line(w, w->at), old, new;
	size_t half = (s.len - 11) / 2;

	old = (struct slice){ s.s + 11, half };
	new = (struct slice){ s.s + s.len - half, half };
	if (!git_path(w, s).len || !lacks_prefix(old, new)) {
		walk_take(w);
		return;
	}
	buf_addf(&w->text, "diff --git a/%.*s b/%.*s\n", (int)half, old.s,
		 (int)half, new.s);
	w->at++;
}

/* What CVS puts below "Index:", its "diff -u -r1.1 a.c" the last of it. */
static bool is_cvs(const struct walk *w, size_t i)
{
	struct slice s = walk_line(w, i);

	if (slice_starts(s, "diff -"))
		return diff_is_pair(w, i + 1) || diff_is_context(w, i + 1);
	return slice_starts(s, "RCS file: ") ||
	       slice_starts(s, "retrieving revision ");
}

/* The name in "Index: mm/a.c", "diff -r 12ab -r 34cd mm/a.c"; "": none. */
static struct slice name_above(struct slice s)
{
	size_t n = 7;		/* "Index: " */

	if (slice_starts(s, "diff -")) {
		n = 5;
		while (n + 3 < s.len && !memcmp(s.s + n, "-r ", 3)) {
			for (n += 3; n < s.len && s.s[n] != ' '; n++)
				;
			n += n < s.len;
		}
	}
	return (struct slice){ s.s + n, n > 5 ? s.len - n : 0 };
}

/* Where no pair will tell the name: a binary file. */
static void note_name(struct walk *w)
{
	struct slice t = name_above(walk_line(w, w->at));
	size_t i = w->at + 1;

	while (slice_starts(walk_line(w, i), "====="))
		i++;
	if (!t.len || !diff_is_binary_notice(walk_line(w, i)))
		return;
	t = path_of(w, t);
	add_file(w, t);
	walk_note(w, t);
}

/* "new file mode 100755", "=====" and the like. */
static void take_extended(struct walk *w, struct slice s)
{
	struct slice t = { s.s + 10, s.len > 10 ? s.len - 10 : 0 };

	if (slice_starts(s, "rename to "))
		add_file(w, unquote(w, t));
	if (is_extended(s) && !slice_starts(s, "index "))
		walk_note(w, s);
	walk_take(w);
}

void diff_take_header(struct walk *w)
{
	struct slice s = walk_line(w, w->at), t;
	bool index = slice_starts(s, "Index: ");

	if (slice_starts(s, "diff --git ")) {
		t = git_path(w, s);
		add_file(w, t);
		if (!header_has_pair(w))
			walk_note(w, t);
		take_git_line(w);
	} else if (index || slice_starts(s, "diff -")) {
		note_name(w);
		walk_take(w);
	}
	while (!walk_is_out(w, w->at)) {
		s = walk_line(w, w->at);
		if (!is_extended(s) && !slice_starts(s, "=====") &&
		    !(index && is_cvs(w, w->at)))
			return;
		take_extended(w, s);
	}
}

/* Is it part of "Added: svn:executable", "## -0,0 +1 ##", "+*"? */
static bool is_property(struct slice s)
{
	static const char *const starts[] = {
		"Added: ", "Modified: ", "Deleted: ", "Name: ", "## -", "+",
		"-", "   + ", "   - ", "\\ No newline at end of property",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (slice_starts(s, starts[i]))
			return true;
	return false;
}

void diff_take_properties(struct walk *w)
{
	size_t i = w->at;

	while (i < w->at + 2 && !walk_is_out(w, i) && !walk_line(w, i).len)
		i++;
	if (!slice_starts(walk_line(w, i), "Property changes on: ") ||
	    !slice_starts(walk_line(w, i + 1), "_____"))
		return;
	w->at = i + 2;
	while (!walk_is_out(w, w->at) && !slice_is(walk_line(w, w->at), "-- ") &&
	       is_property(walk_line(w, w->at)))
		w->at++;
}
