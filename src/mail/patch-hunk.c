#include "mail/patch-int.h"

#include <ctype.h>
#include <string.h>

#include "mail/text.h"

#define NO_BREAK "\xc2\xa0"	/* U+00A0, which web mailers put for a blank */

bool diff_is_hunk(struct slice s)
{
	return slice_starts(s, "@@ -");
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
	struct slice before = walk_line(w, i - 1), after = walk_line(w, i + 1);

	if (walk_is_out(w, i) || walk_is_out(w, i + 1) || !walk_line(w, i).len)
		return false;
	if (before.len < 50 && !slice_ends(before, " "))
		return false;
	return after.len && hunk_line(after) && !slice_is(after, "-- ");
}

/* "-- " and a version number: git's end of a patch mail. */
bool diff_is_git_end(const struct walk *w, size_t i)
{
	struct slice s = walk_line(w, i), v = walk_line(w, i + 1);

	if (!slice_is(s, "-- ") && !slice_is(s, "--"))
		return false;
	return v.len >= 3 && v.len < 40 && isdigit((unsigned char)v.s[0]) &&
	       memchr(v.s, '.', v.len);
}

/* Is line "i" the start of something else, whatever a hunk still wants? */
static bool hunk_breaks(const struct walk *w, size_t i)
{
	return walk_is_out(w, i) || diff_is_hunk(walk_line(w, i)) ||
	       diff_is_file(w, i) || diff_is_git_end(w, i);
}

static void take_hunk_line(struct walk *w, struct slice s)
{
	note_indent(w, s);
	if (!s.len) {
		buf_addstr(&w->text, " \n");
		w->at++;
		walk_note(w, s);
		return;
	}
	walk_note(w, s);
	walk_take(w);
}

/* After its last line a hunk must not go on. */
static void check_excess(struct walk *w)
{
	size_t i = w->at;
	struct slice s = walk_line(w, i);

	if (walk_is_out(w, i) || hunk_breaks(w, i) || !s.len)
		return;
	/* Prose may begin with a blank, not with a blank and a tab. */
	if (*s.s == '\\' || (*s.s == ' ' && !slice_starts(s, " \t")) ||
	    slice_is(s, "--") || slice_starts(s, "-- ") ||
	    slice_starts(s, "---") ||
	    !hunk_line(s))
		return;
	walk_verdict(w, PATCH_COUNTS, w->v[i].number);
	while (!walk_is_out(w, w->at) && !hunk_breaks(w, w->at) &&
	       walk_line(w, w->at).len && hunk_line(walk_line(w, w->at)))
		take_hunk_line(w, walk_line(w, w->at));
}

/* One hunk. False when the diff ends in the middle of it. */
bool diff_take_hunk(struct walk *w)
{
	unsigned long old = 0, new = 0;
	size_t number = w->v[w->at].number;
	struct slice s;
	char c;

	if (!hunk_counts(walk_line(w, w->at), &old, &new)) {
		walk_verdict(w, PATCH_WRAPPED, number);
		walk_take(w);
		return false;
	}
	walk_note(w, (struct slice){ "@@", 2 });
	walk_take(w);
	while (old || new) {
		if (hunk_breaks(w, w->at)) {
			walk_verdict(w, w->at >= w->n ? PATCH_TRUNCATED :
				PATCH_COUNTS, number);
			return w->at < w->n;
		}
		s = walk_line(w, w->at);
		c = hunk_line(s);
		if (!c && (*s.s == '\t' || slice_starts(s, NO_BREAK))) {
			/* Its blank was stripped, or made another one. */
			walk_verdict(w, PATCH_WHITESPACE, w->v[w->at].number);
			c = ' ';
		} else if (!c && is_wrapped(w, w->at)) {
			walk_verdict(w, PATCH_WRAPPED, w->v[w->at].number);
			walk_take(w);
			continue;
		} else if (!c) {
			walk_verdict(w, PATCH_TRUNCATED, w->v[w->at].number);
			return false;
		}
		if ((c == ' ' && !(old && new)) || (c == '-' && !old) ||
		    (c == '+' && !new)) {
			walk_verdict(w, PATCH_COUNTS, w->v[w->at].number);
			return s.len > 0;
		}
		old -= c == ' ' || c == '-';
		new -= c == ' ' || c == '+';
		take_hunk_line(w, s);
	}
	if (slice_starts(walk_line(w, w->at), "\\ "))
		take_hunk_line(w, walk_line(w, w->at));
	check_excess(w);
	return true;
}
