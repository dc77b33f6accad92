#include "mail/patch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <gmime/gmime.h>

#include "base/buf.h"
#include "mail/text.h"

#define PATCH_MAX (64 * 1024 * 1024)
#define PARENTS_MAX 16		/* of a merge */
#define NO_BREAK "\xc2\xa0"	/* U+00A0, which web mailers put for a blank */
#define NO_TEXT "\xef\xbf\xbd"	/* U+FFFD, where a byte was no text, or NUL */

/* A diff while it is walked. */
struct walk {
	const struct line *v;
	size_t n, at;
	struct slice indent;	/* blanks before every line of it */
	struct patch *p;
	struct arena *a;
	size_t files_cap;
	struct buf text;
	struct buf normal;	/* what makes it this patch */
	unsigned long tabs, spaces;	/* lines indented by either */
	size_t spaces_line;
};

/* The line without the indentation; one that lacks it is no part of it. */
static struct slice look(const struct walk *w, size_t i)
{
	struct slice s = { "", 0 };

	if (i >= w->n)
		return s;
	s = (struct slice){ w->v[i].text, w->v[i].len };
	if (!w->indent.len)
		return s;
	if (s.len < w->indent.len || memcmp(s.s, w->indent.s, w->indent.len))
		return (struct slice){ "", 0 };
	return (struct slice){ s.s + w->indent.len, s.len - w->indent.len };
}

/* Is line "i" out of the text, or not indented as the diff is? */
static bool is_out(const struct walk *w, size_t i)
{
	if (i >= w->n)
		return true;
	return w->indent.len && w->v[i].len &&
	       (w->v[i].len < w->indent.len ||
		memcmp(w->v[i].text, w->indent.s, w->indent.len));
}

static void verdict(struct walk *w, enum patch_verdict v, size_t line)
{
	if (w->p->verdict != PATCH_OK && w->p->verdict != PATCH_BINARY)
		return;	/* the first damage is what a person wants to see */
	if (v == PATCH_BINARY && w->p->verdict == PATCH_BINARY)
		return;
	w->p->verdict = v;
	w->p->line = line;
}

static void note(struct walk *w, struct slice s)
{
	while (s.len && (s.s[s.len - 1] == ' ' || s.s[s.len - 1] == '\t'))
		s.len--;
	buf_add(&w->normal, s.s, s.len);
	buf_addch(&w->normal, '\n');
}

static void take(struct walk *w)
{
	struct slice s = look(w, w->at);

	buf_add(&w->text, s.s, s.len);
	buf_addch(&w->text, '\n');
	w->at++;
}

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

static bool is_hunk(struct slice s)
{
	return slice_starts(s, "@@ -");
}

static bool is_pair(const struct walk *w, size_t i)
{
	return slice_starts(look(w, i), "--- ") &&
	       slice_starts(look(w, i + 1), "+++ ");
}

static bool is_binary_notice(struct slice s)
{
	return (slice_starts(s, "Binary files ") ||
		slice_starts(s, "Files ")) && slice_ends(s, " differ");
}

/* Does the header of one file's diff start at line "i"? */
static bool is_file(const struct walk *w, size_t i)
{
	struct slice s = look(w, i);

	if (slice_starts(s, "diff -"))
		return is_extended(look(w, i + 1)) || is_pair(w, i + 1) ||
		       is_binary_notice(look(w, i + 1));
	if (slice_starts(s, "Index: "))
		return slice_starts(look(w, i + 1), "=====");
	return is_pair(w, i) && is_hunk(look(w, i + 2));
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
static void take_pair(struct walk *w)
{
	struct slice l = look(w, w->at), r = look(w, w->at + 1), old, new, t;

	old = path_of(w, (struct slice){ l.s + 4, l.len - 4 });
	new = path_of(w, (struct slice){ r.s + 4, r.len - 4 });
	t = without_tree(old, new);
	new = without_tree(new, old);
	old = t;
	if (new.len)
		add_file(w, new);
	else
		add_file(w, old);
	note(w, (struct slice){ "---", 3 });
	note(w, old);
	note(w, new);
	take(w);
	take(w);
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

/* Numbers of "@@ -10,7 +10,7 @@"; false when it is no sound hunk header. */
static bool hunk_counts(struct slice s, unsigned long *old,
			unsigned long *new)
{
	const char *p = s.s + 4, *end = s.s + s.len;
	unsigned long *to[2] = { old, new };

	for (int side = 0; side < 2; side++) {
		if (p == end || !isdigit((unsigned char)*p))
			return false;
		while (p < end && isdigit((unsigned char)*p))
			p++;
		*to[side] = 1;
		if (p < end && *p == ',') {
			*to[side] = 0;
			for (p++; p < end && isdigit((unsigned char)*p); p++)
				if (*to[side] < 100000000)
					*to[side] = *to[side] * 10 +
						    (unsigned long)(*p - '0');
		}
		if (p < end && *p == ' ')
			p++;
		if (side == 0 && (p == end || *p++ != '+'))
			return false;
	}
	return end - p >= 2 && p[0] == '@' && p[1] == '@';
}

/* Count what tells tabs that became blanks. */
static void note_indent(struct walk *w, struct slice s)
{
	if (memchr(s.s, '\t', s.len))
		w->tabs++;
	else if (s.len > 9 && slice_starts((struct slice){ s.s + 1, s.len - 1 },
					   "        ") && !w->spaces++)
		w->spaces_line = w->v[w->at].number;
}

/* A line of a hunk: ' ', '-', '+', '\\', or 0 when it cannot be one. */
static char hunk_line(struct slice s)
{
	if (!s.len)
		return ' ';
	return *s.s == ' ' || *s.s == '-' || *s.s == '+' || *s.s == '\\' ?
		*s.s : 0;
}

/*
 * Line "i" is no hunk text.  Is it the rest of the line before, cut off by a
 * mailer?  Then that one is long or ends in a blank, and hunk text goes on.
 */
static bool is_wrapped(const struct walk *w, size_t i)
{
	struct slice before = look(w, i - 1), after = look(w, i + 1);

	if (is_out(w, i) || is_out(w, i + 1) || !look(w, i).len)
		return false;
	if (before.len < 50 && !slice_ends(before, " "))
		return false;
	return after.len && hunk_line(after) && !slice_is(after, "-- ");
}

/* "-- " and a version number: git's end of a patch mail. */
static bool is_git_end(const struct walk *w, size_t i)
{
	struct slice s = look(w, i), v = look(w, i + 1);

	if (!slice_is(s, "-- ") && !slice_is(s, "--"))
		return false;
	return v.len >= 3 && v.len < 40 && isdigit((unsigned char)v.s[0]) &&
	       memchr(v.s, '.', v.len);
}

/* Is line "i" the start of something else, whatever a hunk still wants? */
static bool hunk_breaks(const struct walk *w, size_t i)
{
	return is_out(w, i) || is_hunk(look(w, i)) || is_file(w, i) ||
	       is_git_end(w, i);
}

static void take_hunk_line(struct walk *w, struct slice s)
{
	note_indent(w, s);
	if (!s.len) {
		buf_addstr(&w->text, " \n");
		w->at++;
		note(w, s);
		return;
	}
	note(w, s);
	take(w);
}

/* After its last line a hunk must not go on. */
static void check_excess(struct walk *w)
{
	size_t i = w->at;
	struct slice s = look(w, i);

	if (is_out(w, i) || hunk_breaks(w, i) || !s.len)
		return;
	/* Prose may begin with a blank, not with a blank and a tab. */
	if (*s.s == '\\' || (*s.s == ' ' && !slice_starts(s, " \t")) || slice_is(s, "--") ||
	    slice_starts(s, "-- ") || slice_starts(s, "---") ||
	    !hunk_line(s))
		return;
	verdict(w, PATCH_COUNTS, w->v[i].number);
	while (!is_out(w, w->at) && !hunk_breaks(w, w->at) &&
	       look(w, w->at).len && hunk_line(look(w, w->at)))
		take_hunk_line(w, look(w, w->at));
}

/* One hunk. False when the diff ends in the middle of it. */
static bool take_hunk(struct walk *w)
{
	unsigned long old = 0, new = 0;
	size_t number = w->v[w->at].number;
	struct slice s;
	char c;

	if (!hunk_counts(look(w, w->at), &old, &new)) {
		verdict(w, PATCH_WRAPPED, number);
		take(w);
		return false;
	}
	note(w, (struct slice){ "@@", 2 });
	take(w);
	while (old || new) {
		if (hunk_breaks(w, w->at)) {
			verdict(w, w->at >= w->n ? PATCH_TRUNCATED :
				PATCH_COUNTS, number);
			return w->at < w->n;
		}
		s = look(w, w->at);
		c = hunk_line(s);
		if (!c && (*s.s == '\t' || slice_starts(s, NO_BREAK))) {
			/* Its blank was stripped, or made another one. */
			verdict(w, PATCH_WHITESPACE, w->v[w->at].number);
			c = ' ';
		} else if (!c && is_wrapped(w, w->at)) {
			verdict(w, PATCH_WRAPPED, w->v[w->at].number);
			take(w);
			continue;
		} else if (!c) {
			verdict(w, PATCH_TRUNCATED, w->v[w->at].number);
			return false;
		}
		if ((c == ' ' && !(old && new)) || (c == '-' && !old) ||
		    (c == '+' && !new)) {
			verdict(w, PATCH_COUNTS, w->v[w->at].number);
			return s.len > 0;
		}
		old -= c == ' ' || c == '-';
		new -= c == ' ' || c == '+';
		take_hunk_line(w, s);
	}
	if (slice_starts(look(w, w->at), "\\ "))
		take_hunk_line(w, look(w, w->at));
	check_excess(w);
	return true;
}

static void take_noted(struct walk *w)
{
	note(w, look(w, w->at));
	take(w);
}

/* The hunks of a merge, "@@@ -1,2 -1,2 +1,3 @@@": a column for each parent. */
static size_t parents_of(struct slice s)
{
	size_t n = 0;

	while (n < s.len && s.s[n] == '@')
		n++;
	return n > 2 && n <= PARENTS_MAX + 1 &&
	       slice_starts((struct slice){ s.s + n, s.len - n }, " -") ?
		n - 1 : 0;
}

static bool is_merge_line(struct slice s, size_t parents)
{
	for (size_t i = 0; i < parents && i < s.len; i++)
		if (!strchr("+- ", s.s[i]))
			return s.s[0] == '\\';
	return s.len > 0;
}

/* Lines of the result that such a hunk has. */
static unsigned long merge_count(struct slice s)
{
	const char *plus = memchr(s.s, '+', s.len), *comma;
	struct slice rest;

	if (!plus)
		return 0;
	rest = (struct slice){ plus, s.len - (size_t)(plus - s.s) };
	comma = memchr(rest.s, ',', rest.len);
	return comma ? strtoul(comma + 1, NULL, 10) : 1;
}

/*
 * One of them, up to the last line of the result and what is removed behind
 * it.  It shows how a merge was done and cannot be applied.
 */
static void take_merge_hunk(struct walk *w)
{
	size_t parents = parents_of(look(w, w->at));
	unsigned long left = merge_count(look(w, w->at));
	struct slice s;

	verdict(w, PATCH_COUNTS, w->v[w->at].number);
	take_noted(w);
	while (!is_out(w, w->at) && !is_file(w, w->at)) {
		s = look(w, w->at);
		if (!is_merge_line(s, parents) && !(left && !s.len))
			return;
		if (!memchr(s.s, '-', s.len < parents ? s.len : parents)) {
			if (!left)
				return;
			left--;
		} else if (!left && slice_is(s, "-- ")) {
			return;		/* a signature */
		}
		take_noted(w);
	}
}

/* A line of base85: its length as a letter, then no blank. */
static bool is_base85(struct slice s)
{
	return s.len > 1 && isalpha((unsigned char)*s.s) &&
	       !memchr(s.s, ' ', s.len) && !memchr(s.s, '\t', s.len);
}

/* "GIT binary patch", then blocks of base85 lines, each ended by a blank. */
static void take_binary(struct walk *w)
{
	struct slice s;

	verdict(w, PATCH_BINARY, w->v[w->at].number);
	take(w);
	while (!is_out(w, w->at)) {
		s = look(w, w->at);
		if (!slice_starts(s, "literal ") && !slice_starts(s, "delta "))
			return;
		take_noted(w);
		while (!is_out(w, w->at) && is_base85(look(w, w->at)))
			take_noted(w);
		if (!is_out(w, w->at) && !look(w, w->at).len)
			take(w);
	}
}

/* Do "---" and "+++" lines follow in the header of this file? */
static bool header_has_pair(const struct walk *w)
{
	size_t i = w->at + 1;

	while (!is_out(w, i) && is_extended(look(w, i)))
		i++;
	return is_pair(w, i);
}

/* What stands before the hunks of one file. */
static void take_file_header(struct walk *w)
{
	struct slice s = look(w, w->at), t;

	if (slice_starts(s, "diff --git ")) {
		t = git_path(w, s);
		add_file(w, t);
		if (!header_has_pair(w))
			note(w, t);
	}
	if (slice_starts(s, "diff -") || slice_starts(s, "Index: "))
		take(w);
	while (!is_out(w, w->at)) {
		s = look(w, w->at);
		if (!is_extended(s) && !slice_starts(s, "====="))
			return;
		t = (struct slice){ s.s + 10, s.len > 10 ? s.len - 10 : 0 };
		if (slice_starts(s, "rename to "))
			add_file(w, unquote(w, t));
		if (!slice_starts(s, "index ") && !slice_starts(s, "====="))
			note(w, s);
		take(w);
	}
}

/* One file's diff; false: the patch ends here. */
static bool take_file(struct walk *w)
{
	struct slice s;

	take_file_header(w);
	s = look(w, w->at);
	if (is_binary_notice(s)) {
		verdict(w, PATCH_BINARY, w->v[w->at].number);
		take(w);
		return true;
	}
	if (slice_is(s, "GIT binary patch")) {
		take_binary(w);
		return true;
	}
	if (!is_pair(w, w->at))
		return true;
	take_pair(w);
	while (parents_of(look(w, w->at)))
		take_merge_hunk(w);
	if (slice_starts(look(w, w->at - 1), "+++ ") &&
	    !is_hunk(look(w, w->at))) {
		verdict(w, PATCH_TRUNCATED, w->v[w->at - 1].number);
		return false;
	}
	while (!is_out(w, w->at) && is_hunk(look(w, w->at)))
		if (!take_hunk(w))
			return false;
	return true;
}

/* The next file may stand a few empty lines below. */
static bool next_file(struct walk *w)
{
	size_t i = w->at;

	while (i < w->n && i < w->at + 3 && !look(w, i).len)
		i++;
	if (i >= w->n || !is_file(w, i))
		return false;
	w->at = i;
	return true;
}

/* Files whose lines are indented by tabs in every tree that we test. */
static bool wants_tabs(const char *name)
{
	const char *base = strrchr(name, '/');
	struct slice s;

	base = base ? base + 1 : name;
	s = (struct slice){ base, strlen(base) };
	return slice_ends(s, ".c") || slice_ends(s, ".h") ||
	       slice_ends(s, ".S") || slice_starts(s, "Makefile") ||
	       slice_starts(s, "Kconfig");
}

static void check_tabs(struct walk *w)
{
	const struct strings *f = &w->p->files;

	if (w->tabs || !w->spaces)
		return;
	for (size_t i = 0; i < f->n; i++)
		if (!wants_tabs(f->v[i]))
			return;
	if (f->n)
		verdict(w, PATCH_WHITESPACE, w->spaces_line);
}

/* A diff of bytes that this mail could not carry is not the one meant. */
static void check_text(struct walk *w, size_t first_line)
{
	const char *bad = strstr(w->text.s, NO_TEXT);
	size_t line = first_line;

	if (!bad)
		return;
	for (const char *s = w->text.s; s < bad; s++)
		line += *s == '\n';
	verdict(w, PATCH_BINARY, line);
}

static struct slice indent_of(const struct line *l)
{
	size_t n = 0;

	while (n < l->len && (l->text[n] == ' ' || l->text[n] == '\t'))
		n++;
	return (struct slice){ l->text, n };
}

static void take_id(struct walk *w)
{
	char *hex = g_compute_checksum_for_string(G_CHECKSUM_SHA256,
						  w->normal.s,
						  (gssize)w->normal.len);

	memcpy(w->p->id, hex, sizeof(w->p->id));
	g_free(hex);
	buf_release(&w->normal);
}

size_t patch_read(struct patch *p, struct arena *a, const struct line *v,
		  size_t n, size_t at)
{
	struct walk w = { .v = v, .n = n, .at = at, .p = p, .a = a,
			  .text = BUF_INIT(PATCH_MAX),
			  .normal = BUF_INIT(PATCH_MAX) };

	w.indent = indent_of(&v[at]);
	if (w.indent.len == v[at].len ||
	    !strchr("dI-", v[at].text[w.indent.len]) || !is_file(&w, at))
		return 0;
	*p = (struct patch){ .verdict = PATCH_OK };
	do {
		if (!take_file(&w))
			break;
	} while (next_file(&w));
	check_tabs(&w);
	check_text(&w, v[at].number);
	p->text = arena_strndup(a, w.text.s, w.text.len);
	take_id(&w);
	buf_release(&w.text);
	if (is_git_end(&w, w.at))
		w.at += 2;
	return w.at - at;
}

const char *patch_verdict_name(enum patch_verdict v)
{
	static const char *const name[] = {
		[PATCH_OK] = "ok", [PATCH_WRAPPED] = "wrapped",
		[PATCH_WHITESPACE] = "whitespace", [PATCH_COUNTS] = "counts",
		[PATCH_TRUNCATED] = "truncated", [PATCH_BINARY] = "binary",
	};

	return name[v];
}
