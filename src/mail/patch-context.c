#include "mail/patch-int.h"

#include <ctype.h>
#include <string.h>

#include "mail/text.h"

#define SEPARATOR "***************"

/*
 * Context diffs ("diff -c"): each hunk shows the old lines, then the new ones.
 * git applies none; nothing is lost when both are brought together, so the
 * text of the patch is the same diff as "diff -u" prints it.
 */

/* One side of a hunk. */
struct side {
	unsigned long first, count;	/* what its header says */
	size_t at, end;		/* its lines; none when it has no change */
	bool cut;		/* the file ends without a newline */
};

/* "*** 17,23 ****", "--- 1 ----": what stands between is put into "s". */
static bool read_range(struct side *s, struct slice l, const char *mark,
		       const char *tail)
{
	unsigned long v[2] = { 0, 0 };
	const char *p, *end;
	int n = 0;

	if (!slice_starts(l, mark) || !slice_ends(l, tail) ||
	    l.len <= strlen(mark) + strlen(tail))
		return false;
	p = l.s + strlen(mark);
	end = l.s + l.len - strlen(tail);
	for (; p < end; p++) {
		if (isdigit((unsigned char)*p) && v[n] < 100000000)
			v[n] = v[n] * 10 + (unsigned long)(*p - '0');
		else if (*p != ',' || n++)
			return false;
	}
	s->first = v[0];
	s->count = n ? (v[1] >= v[0] ? v[1] - v[0] + 1 : 0) : v[0] != 0;
	return true;
}

static bool is_old_range(struct slice l)
{
	struct side s;

	return read_range(&s, l, "*** ", " ****");
}

bool diff_is_context(const struct walk *w, size_t i)
{
	struct slice l = walk_line(w, i);

	return slice_starts(l, "*** ") && !is_old_range(l) &&
	       slice_starts(walk_line(w, i + 1), "--- ") &&
	       slice_starts(walk_line(w, i + 2), SEPARATOR) &&
	       is_old_range(walk_line(w, i + 3));
}

/* ' ', '!' and '-' or '+' (which is "own"), then a blank; 0: none of these.
 * What was empty may have lost its blanks. */
static char kind_of(struct slice l, char own)
{
	if (!l.len)
		return ' ';
	if (*l.s != ' ' && *l.s != '!' && *l.s != own)
		return 0;
	return l.len == 1 || l.s[1] == ' ' ? *l.s : 0;
}

static struct slice content(struct slice l)
{
	return l.len < 2 ? (struct slice){ "", 0 } :
			   (struct slice){ l.s + 2, l.len - 2 };
}

static size_t count_kind(const struct walk *w, const struct side *s, char own,
			 bool changes)
{
	size_t n = 0;

	for (size_t i = s->at; i < s->end; i++)
		n += (kind_of(walk_line(w, i), own) != ' ') == changes;
	return n;
}

/* The lines of a side, from "i" on: those that its header counts, or none.
 * Returns where it ends. */
static size_t read_side(const struct walk *w, struct side *s, char own,
			size_t i)
{
	size_t from = i;

	s->at = s->end = i;
	s->cut = false;
	while (i - from < s->count && !walk_is_out(w, i) &&
	       kind_of(walk_line(w, i), own))
		i++;
	if (i - from < s->count)
		return from;
	s->end = i;
	if (i > from && slice_starts(walk_line(w, i), "\\ ")) {
		s->cut = true;
		i++;
	}
	return i;
}

static void emit(struct walk *w, char c, struct slice text)
{
	size_t from = w->text.len;

	buf_addch(&w->text, c);
	buf_add(&w->text, text.s, text.len);
	walk_note(w, (struct slice){ w->text.s + from, w->text.len - from });
	buf_addch(&w->text, '\n');
}

static void emit_end(struct walk *w, const struct side *s, size_t i)
{
	static const char end[] = "\\ No newline at end of file";

	if (!s->cut || i + 1 != s->end)
		return;
	walk_note(w, (struct slice){ end, strlen(end) });
	buf_addstr(&w->text, end);
	buf_addch(&w->text, '\n');
}

/* A line that did not change: of both sides, or of the one that is shown. */
static void emit_context(struct walk *w, const struct side *old, size_t *o,
			 const struct side *new, size_t *n)
{
	struct slice l = walk_line(w, *o), r = walk_line(w, *n);
	bool left = *o < old->end, right = *n < new->end;

	emit(w, ' ', content(left ? l : r));
	emit_end(w, left ? old : new, left ? *o : *n);
	if (old->end > old->at && new->end > new->at &&
	    (!left || !right || l.len != r.len || memcmp(l.s, r.s, l.len)))
		walk_verdict(w, PATCH_COUNTS, w->v[right ? *n : *o].number);
	*o += left;
	*n += right;
}

/* Both sides, or the one that is there, as "diff -u" shows them. */
static void merge(struct walk *w, const struct side *old,
		  const struct side *new)
{
	size_t o = old->at, n = new->at;

	while (o < old->end || n < new->end) {
		struct slice l = walk_line(w, o), r = walk_line(w, n);

		if (o < old->end && kind_of(l, '-') != ' ') {
			emit(w, '-', content(l));
			emit_end(w, old, o++);
		} else if (n < new->end && kind_of(r, '+') != ' ') {
			emit(w, '+', content(r));
			emit_end(w, new, n++);
		} else {
			emit_context(w, old, &o, new, &n);
		}
	}
}

/* Has the side the lines that its header counts, or where they are not shown,
 * has the other one so many that did not change? */
static bool is_sound(const struct walk *w, const struct side *s,
		     const struct side *other, char others)
{
	return s->count == (s->end > s->at ? s->end - s->at :
			    count_kind(w, other, others, false));
}

/* One hunk, at its row of stars.  False: the diff ends here. */
static bool take_hunk(struct walk *w)
{
	struct slice row = walk_line(w, w->at);
	struct side old = { .first = 0 }, new = { .first = 0 };
	size_t number = w->v[w->at].number, i;

	if (!read_range(&old, walk_line(w, w->at + 1), "*** ", " ****"))
		return false;
	i = read_side(w, &old, '-', w->at + 2);
	if (!read_range(&new, walk_line(w, i), "--- ", " ----")) {
		walk_verdict(w, PATCH_TRUNCATED, number);
		w->at = i;
		return false;
	}
	w->at = read_side(w, &new, '+', i + 1);
	if (!count_kind(w, &new, '+', true)) {	/* it is what follows */
		new.end = new.at;
		w->at = i + 1;
	}
	if (!is_sound(w, &old, &new, '+') || !is_sound(w, &new, &old, '-'))
		walk_verdict(w, walk_is_out(w, w->at) ? PATCH_TRUNCATED :
			     PATCH_COUNTS, number);
	walk_note(w, (struct slice){ "@@", 2 });
	buf_addf(&w->text, "@@ -%lu,%lu +%lu,%lu @@%.*s\n", old.first,
		 old.count, new.first, new.count,
		 (int)(row.len - strlen(SEPARATOR)),
		 row.s + strlen(SEPARATOR));
	merge(w, &old, &new);
	return true;
}

bool diff_take_context(struct walk *w)
{
	diff_take_pair(w);
	while (slice_starts(walk_line(w, w->at), SEPARATOR))
		if (!take_hunk(w))
			return false;
	return true;
}
