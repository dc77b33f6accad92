#include "mail/patch.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "mail/address.h"
#include "mail/header.h"
#include "mail/text.h"

static struct slice line_at(const struct line *v, size_t i)
{
	return (struct slice){ v[i].text, v[i].len };
}

static bool is_scissors(struct slice s)
{
	size_t dashes = 0, cuts = 0;

	for (size_t i = 0; i < s.len; i++) {
		if (s.s[i] == '-') {
			dashes++;
		} else if (i + 1 < s.len && (!memcmp(s.s + i, "8<", 2) ||
			   !memcmp(s.s + i, ">8", 2) ||
			   !memcmp(s.s + i, "%<", 2) ||
			   !memcmp(s.s + i, ">%", 2))) {
			cuts++;
			i++;
		}
	}
	return cuts && dashes >= 2 && dashes + 2 * cuts >= s.len / 3;
}

/* " mm/a.c | 2 +-", " 1 file changed, ...", " create mode 100644 x" */
static bool is_diffstat(struct slice s)
{
	struct slice t = slice_trim(s);
	const char *bar = memchr(s.s, '|', s.len);

	if (!s.len || *s.s != ' ')
		return false;
	if (slice_starts(t, "create mode ") || slice_starts(t, "delete mode ") ||
	    slice_starts(t, "rename ") || slice_starts(t, "mode change ") ||
	    slice_find_case(s, " changed, "))
		return true;
	if (!bar)
		return false;
	for (bar++; bar < s.s + s.len && *bar == ' '; bar++)
		;
	return bar < s.s + s.len &&
	       (isdigit((unsigned char)*bar) || *bar == 'B');
}

/* "From 9a8b... Mon Sep 17 00:00:00 2001": git's own separator. */
static bool is_git_from(struct slice s)
{
	if (s.len < 46 || !slice_starts(s, "From "))
		return false;
	for (size_t i = 5; i < 45; i++)
		if (!isxdigit((unsigned char)s.s[i]))
			return false;
	return s.s[45] == ' ';
}

/* "From: Ann <a@b>" with a Subject of a patch in the header it begins. */
static bool is_patch_header(const struct line *v, size_t i, size_t at)
{
	if (!slice_starts(line_at(v, i), "From: "))
		return false;
	for (size_t k = i + 1; k < at && k < i + 10; k++) {
		if (!v[k].len)
			return false;
		if (slice_starts(line_at(v, k), "Subject: "))
			return true;
	}
	return false;
}

/* Take subject and author from the mail-like header that starts at "i". */
static void read_patch_header(struct patch *p, struct arena *a,
			      const struct line *v, size_t i, size_t at)
{
	struct buf text = BUF_INIT(65536);
	struct header_block f;
	struct addresses from;
	const char *value;

	if (is_scissors(line_at(v, i)))
		i++;
	while (i < at && (!v[i].len || is_git_from(line_at(v, i))))
		i++;
	for (; i < at && v[i].len; i++) {
		buf_add(&text, v[i].text, v[i].len);
		buf_addch(&text, '\n');
	}
	header_block_read(&f, a, text.s, text.len);
	value = header_block_get(&f, "Subject");
	if (value)
		p->subject = words_decode(a, value, strlen(value));
	value = header_block_get(&f, "From");
	if (value) {
		addresses_read(&from, a, value);
		if (from.n)
			p->author = from.v[0].address;
	}
	buf_release(&text);
}

static bool is_hg_header(struct slice s)
{
	return slice_is(slice_trim(s), "# HG changeset patch");
}

/* "# User Ann <a@b>" among the "#" lines; the first line below them is the
 * subject. */
static void read_hg_header(struct patch *p, struct arena *a,
			   const struct line *v, size_t i, size_t at)
{
	static const char user[] = "# User ";
	struct addresses from;

	for (; i < at && slice_starts(line_at(v, i), "#"); i++) {
		if (!slice_starts(line_at(v, i), user))
			continue;
		addresses_read(&from, a, arena_strndup(a,
			v[i].text + strlen(user), v[i].len - strlen(user)));
		if (from.n)
			p->author = from.v[0].address;
	}
	while (i < at && !v[i].len)
		i++;
	if (i < at)
		p->subject = arena_strndup(a, v[i].text, v[i].len);
}

size_t patch_preamble(struct patch *p, struct arena *a, const struct line *v,
		      size_t from, size_t at)
{
	size_t start = at;

	for (size_t i = from; i < at; i++) {
		if (is_hg_header(line_at(v, i))) {
			read_hg_header(p, a, v, i, at);
			return i;
		}
		if (!is_scissors(line_at(v, i)) &&
		    !is_git_from(line_at(v, i)) && !is_patch_header(v, i, at))
			continue;
		read_patch_header(p, a, v, i, at);
		return i;
	}
	while (start > from && (!v[start - 1].len ||
				is_diffstat(line_at(v, start - 1)) ||
				slice_is(line_at(v, start - 1), "---")))
		start--;
	while (start < at && !v[start].len)
		start++;
	return start;
}
