#include "mail/patch.h"

#include <ctype.h>
#include <string.h>

#include <gmime/gmime.h>

#include "mail/patch-int.h"
#include "mail/text.h"

#define PATCH_MAX (64 * 1024 * 1024)
#define NO_TEXT "\xef\xbf\xbd"	/* U+FFFD, where a byte was no text, or NUL */

/* The line without the indentation; one that lacks it is no part of it. */
struct slice walk_line(const struct walk *w, size_t i)
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
bool walk_is_out(const struct walk *w, size_t i)
{
	if (i >= w->n)
		return true;
	return w->indent.len && w->v[i].len &&
	       (w->v[i].len < w->indent.len ||
		memcmp(w->v[i].text, w->indent.s, w->indent.len));
}

void walk_verdict(struct walk *w, enum patch_verdict v, size_t line)
{
	if (w->p->verdict != PATCH_OK && w->p->verdict != PATCH_BINARY)
		return;	/* the first damage is what a person wants to see */
	if (v == PATCH_BINARY && w->p->verdict == PATCH_BINARY)
		return;
	w->p->verdict = v;
	w->p->line = line;
}

void walk_note(struct walk *w, struct slice s)
{
	while (s.len && (s.s[s.len - 1] == ' ' || s.s[s.len - 1] == '\t'))
		s.len--;
	buf_add(&w->normal, s.s, s.len);
	buf_addch(&w->normal, '\n');
}

void walk_take(struct walk *w)
{
	struct slice s = walk_line(w, w->at);

	buf_add(&w->text, s.s, s.len);
	buf_addch(&w->text, '\n');
	w->at++;
}

void walk_take_noted(struct walk *w)
{
	walk_note(w, walk_line(w, w->at));
	walk_take(w);
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

	walk_verdict(w, PATCH_BINARY, w->v[w->at].number);
	walk_take(w);
	while (!walk_is_out(w, w->at)) {
		s = walk_line(w, w->at);
		if (!slice_starts(s, "literal ") && !slice_starts(s, "delta "))
			return;
		walk_take_noted(w);
		while (!walk_is_out(w, w->at) && is_base85(walk_line(w, w->at)))
			walk_take_noted(w);
		if (!walk_is_out(w, w->at) && !walk_line(w, w->at).len)
			walk_take(w);
	}
}

/* One file's diff; false: the patch ends here. */
static bool take_file(struct walk *w)
{
	struct slice s;

	diff_take_header(w);
	s = walk_line(w, w->at);
	if (diff_is_binary_notice(s)) {
		walk_verdict(w, PATCH_BINARY, w->v[w->at].number);
		walk_take(w);
		if (slice_starts(walk_line(w, w->at), "svn:mime-type = "))
			walk_take(w);
		return true;
	}
	if (slice_is(s, "GIT binary patch")) {
		take_binary(w);
		return true;
	}
	if (diff_is_context(w, w->at))
		return diff_take_context(w);
	if (!diff_is_pair(w, w->at))
		return true;
	diff_take_pair(w);
	while (diff_parents(walk_line(w, w->at)))
		diff_take_merge(w);
	if (slice_starts(walk_line(w, w->at - 1), "+++ ") &&
	    !diff_is_hunk(walk_line(w, w->at))) {
		walk_verdict(w, PATCH_TRUNCATED, w->v[w->at - 1].number);
		return false;
	}
	while (!walk_is_out(w, w->at) && diff_is_hunk(walk_line(w, w->at)))
		if (!diff_take_hunk(w))
			return false;
	return true;
}

/* The next file may stand a few empty lines below. */
static bool next_file(struct walk *w)
{
	size_t i = w->at;

	while (i < w->n && i < w->at + 3 && !walk_line(w, i).len)
		i++;
	if (i >= w->n || !diff_is_file(w, i))
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
		walk_verdict(w, PATCH_WHITESPACE, w->spaces_line);
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
	walk_verdict(w, PATCH_BINARY, line);
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
	    !strchr("dI-*", v[at].text[w.indent.len]) || !diff_is_file(&w, at))
		return 0;
	*p = (struct patch){ .verdict = PATCH_OK };
	do {
		if (!take_file(&w))
			break;
		diff_take_properties(&w);
	} while (next_file(&w));
	check_tabs(&w);
	check_text(&w, v[at].number);
	p->text = arena_strndup(a, w.text.s, w.text.len);
	take_id(&w);
	buf_release(&w.text);
	if (diff_is_git_end(&w, w.at))
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
