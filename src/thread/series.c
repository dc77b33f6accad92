#include "thread/series.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/strmap.h"
#include "mail/subject.h"
#include "thread/sender.h"

#define APART_MAX 3600		/* seconds between patches sent unthreaded */
#define ANCESTORS_MAX 1000	/* looked at for one patch */
#define RECENT_MAX 200		/* series looked at for one patch */
#define GUESTS_MAX 50		/* other senders' series below one patch */

static const char *skip_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* "3/7" at "s": true with both numbers. */
static bool read_place(struct patch_tag *tag, const char *s, size_t n)
{
	unsigned int v[2] = { 0, 0 };
	size_t i = 0;

	for (int side = 0; side < 2; side++) {
		size_t from = i;

		for (; i < n && isdigit((unsigned char)s[i]) && i < from + 4;
		     i++)
			v[side] = v[side] * 10 + (unsigned int)(s[i] - '0');
		if (i == from || (side == 0 && (i == n || s[i++] != '/')))
			return false;
	}
	if (i != n || v[0] > v[1] || !v[1] || v[1] > SERIES_MAX)
		return false;
	tag->number = v[0];
	tag->total = v[1];
	return true;
}

/* "v2", "V10": its number, 0 when it is none. */
static unsigned int read_version(const char *s, size_t n)
{
	unsigned int v = 0;

	if (n < 2 || n > 4 || (*s != 'v' && *s != 'V'))
		return 0;
	for (size_t i = 1; i < n; i++) {
		if (!isdigit((unsigned char)s[i]))
			return 0;
		v = v * 10 + (unsigned int)(s[i] - '0');
	}
	return v;
}

static bool word_is(const char *s, size_t n, const char *word)
{
	return n == strlen(word) && !strncasecmp(s, word, n);
}

/* The words of one "[...]". */
static void read_bracket(struct patch_tag *tag, const char *s,
			 const char *end)
{
	unsigned int version;
	size_t n;

	while (s < end) {
		n = strcspn(s, " \t,]-");
		if (s + n > end)
			n = (size_t)(end - s);
		version = read_version(s, n);
		if (version)
			tag->version = version;
		else if (!read_place(tag, s, n))
			tag->is_patch |= word_is(s, n, "PATCH") ||
					 word_is(s, n, "RFC") ||
					 word_is(s, n, "RFT") ||
					 word_is(s, n, "RESEND") ||
					 !strncasecmp(s, "PATCHv", 6);
		if (n > 6 && !strncasecmp(s, "PATCHv", 6) &&
		    (version = read_version(s + 5, n - 5)))
			tag->version = version;
		s += n + 1;
	}
}

void patch_tag_read(struct patch_tag *tag, const char *subject)
{
	const char *s = skip_blanks(subject), *end;

	*tag = (struct patch_tag){ .version = 1, .number = 1, .total = 1 };
	if (subject_base(subject) != s) {
		tag->title = subject;
		return;
	}
	while (*s == '[' && (end = strchr(s, ']'))) {
		read_bracket(tag, s + 1, end);
		s = skip_blanks(end + 1);
	}
	tag->title = s;
}

/* Of a series, while it grows. */
struct span {
	bool threaded;		/* one of its mails answers another */
	int64_t first, last;	/* dates */
	unsigned int number;	/* of the mail that began it */
	size_t guest;		/* the next one of its node's, see below */
};

/* What is needed only while the series are found. */
struct search {
	const struct threads *t;
	struct series_list *list;
	size_t cap, span_cap;
	struct span *span;	/* of each series */
	size_t *series;		/* of each node, THREAD_NONE: none; what is no
				 * patch has that which last began below it */
	size_t *guest;		/* of each node: the series of other senders
				 * that began below that patch, the last one */
};

static struct series *start_series(struct search *s, size_t node,
				   const struct patch_tag *tag)
{
	struct series_list *l = s->list;
	struct series *one;

	l->v = arena_grow(&l->arena, l->v, &s->cap, l->n + 1, sizeof(*l->v));
	one = &l->v[l->n++];
	*one = (struct series){
		.version = tag->version, .total = tag->total,
		.author = s->t->node[node].mail->author,
		.older = THREAD_NONE, .start = node,
	};
	s->span = arena_grow(&l->arena, s->span, &s->span_cap, l->n,
			     sizeof(*s->span));
	s->span[l->n - 1] = (struct span){
		.first = INT64_MAX, .last = INT64_MIN, .number = tag->number,
		.guest = THREAD_NONE,
	};
	one->slot = arena_array(&l->arena, tag->total + 1,
				sizeof(*one->slot));
	for (size_t i = 0; i <= tag->total; i++)
		one->slot[i] = THREAD_NONE;
	return one;
}

static bool fits(const struct search *s, size_t series, size_t node,
		 const struct patch_tag *tag)
{
	const struct thread_node *v = s->t->node;
	const struct series *one = &s->list->v[series];

	return one->version == tag->version && one->total == tag->total &&
	       one->slot[tag->number] == THREAD_NONE &&
	       sender_is_same(v[one->start].mail, s->span[series].number,
			      v[node].mail, tag->number);
}

/* That of a node in which the patch has its place, or THREAD_NONE. */
static size_t of_node(struct search *s, size_t at, size_t node,
		      const struct patch_tag *tag)
{
	size_t one = s->series[at];

	if (one != THREAD_NONE && fits(s, one, node, tag))
		return one;
	one = s->guest[at];
	for (int i = 0; i < GUESTS_MAX && one != THREAD_NONE; i++) {
		if (fits(s, one, node, tag))
			return one;
		one = s->span[one].guest;
	}
	return THREAD_NONE;
}

/* The series of the nearest ancestor in which the patch has its place. */
static struct series *of_ancestors(struct search *s, size_t node,
				   const struct patch_tag *tag)
{
	const struct thread_node *v = s->t->node;
	size_t p = v[node].parent, one;

	for (int i = 0; i < ANCESTORS_MAX && p != THREAD_NONE;
	     i++, p = v[p].parent) {
		one = of_node(s, p, node, tag);
		if (one != THREAD_NONE)
			return &s->list->v[one];
	}
	return NULL;
}

/* Seconds between a date and a series, APART_MAX + 1 when out of reach. */
static int64_t distance(const struct span *span, int64_t date)
{
	if (span->threaded || date == INT64_MIN ||
	    date < span->first - APART_MAX || date > span->last + APART_MAX)
		return APART_MAX + 1;
	if (date < span->first)
		return span->first - date;
	return date > span->last ? date - span->last : 0;
}

/* The nearest in time of the last few series that were sent unthreaded. */
static struct series *of_same_hour(struct search *s, size_t node,
				   const struct patch_tag *tag)
{
	const struct thread_mail *m = s->t->node[node].mail;
	struct series *best = NULL;
	int64_t nearest = APART_MAX + 1, d;
	size_t looked = 0;

	if (s->t->node[node].parent != THREAD_NONE || tag->total < 2)
		return NULL;
	for (size_t i = s->list->n; i-- > 0 && looked < RECENT_MAX; looked++) {
		if (!fits(s, i, node, tag))
			continue;
		d = distance(&s->span[i], m->date);
		if (d < nearest) {
			nearest = d;
			best = &s->list->v[i];
		}
	}
	return best;
}

static void extend(struct search *s, size_t series, size_t node)
{
	int64_t date = s->t->node[node].mail->date;
	struct span *span = &s->span[series];

	s->series[node] = series;
	span->threaded |= s->t->node[node].parent != THREAD_NONE;
	if (date == INT64_MIN)
		return;
	span->first = date < span->first ? date : span->first;
	span->last = date > span->last ? date : span->last;
}

/*
 * Patches below a mail that is none (a cover letter never seen, a discussion)
 * are siblings: the next of them finds the series by their parent.  So are
 * those of another sender below a patch.
 */
static void mark_parent(struct search *s, size_t node, size_t series)
{
	size_t p = s->t->node[node].parent;
	struct patch_tag tag;

	if (p == THREAD_NONE)
		return;
	if (s->t->node[p].mail) {
		patch_tag_read(&tag, s->t->node[p].mail->subject);
		if (tag.is_patch) {
			s->span[series].guest = s->guest[p];
			s->guest[p] = series;
			return;
		}
	}
	s->series[p] = series;
}

static void place_patch(struct search *s, size_t node)
{
	const struct thread_mail *m = s->t->node[node].mail;
	struct patch_tag tag;
	struct series *one;

	patch_tag_read(&tag, m->subject);
	if (!tag.is_patch)
		return;
	one = of_ancestors(s, node, &tag);
	if (!one)
		one = of_same_hour(s, node, &tag);
	if (!one) {
		one = start_series(s, node, &tag);
		mark_parent(s, node, s->list->n - 1);
	}
	one->slot[tag.number] = node;
	extend(s, (size_t)(one - s->list->v), node);
}

static size_t count_patches(const struct series *one)
{
	size_t n = 0;

	for (size_t i = 1; i <= one->total; i++)
		n += one->slot[i] != THREAD_NONE;
	return n;
}

/* Does the series, of another sender, look like that of the cover letter? */
static bool is_for_cover(const struct search *s, const struct series *cover,
			 size_t guest)
{
	const struct series *one = &s->list->v[guest];
	const struct span *span = &s->span[guest];
	size_t at = cover->slot[0], p;
	int64_t date = s->t->node[at].mail->date;

	if (one->version != cover->version || one->total != cover->total ||
	    one->slot[0] != THREAD_NONE || count_patches(one) < one->total ||
	    date == INT64_MIN || span->first < date - APART_MAX ||
	    span->last > date + APART_MAX)
		return false;
	for (size_t i = 1; i <= one->total; i++) {
		p = s->t->node[one->slot[i]].parent;
		if (p != at && s->series[p] != guest)
			return false;
	}
	return true;
}

/* The patches that a cover letter without any gets, or THREAD_NONE. */
static size_t find_for_cover(const struct search *s, const struct series *one)
{
	size_t found = THREAD_NONE, g;

	/* "[PATCH] x" in answer to "[PATCH 0/1] y" is anybody's. */
	if (one->slot[0] == THREAD_NONE || count_patches(one) ||
	    one->total < 2)
		return THREAD_NONE;
	g = s->guest[one->slot[0]];
	for (int i = 0; i < GUESTS_MAX && g != THREAD_NONE;
	     i++, g = s->span[g].guest) {
		if (!is_for_cover(s, one, g))
			continue;
		if (found != THREAD_NONE)
			return THREAD_NONE;	/* whose is it? */
		found = g;
	}
	return found;
}

/* Give the lone cover letters their patches; what gave them is no more. */
static void join_covers(struct search *s)
{
	struct series_list *l = s->list;
	size_t n = 0, g;

	for (size_t i = 0; i < l->n; i++) {
		g = find_for_cover(s, &l->v[i]);
		if (g == THREAD_NONE)
			continue;
		for (size_t k = 1; k <= l->v[i].total; k++)
			l->v[i].slot[k] = l->v[g].slot[k];
		l->v[i].author = l->v[g].author;
		l->v[g].total = 0;
	}
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].total)
			l->v[n++] = l->v[i];
	l->n = n;
}

static void finish(struct search *s, struct series *one)
{
	struct patch_tag tag;

	one->complete = true;
	for (size_t i = one->total + 1; i-- > 0;) {
		if (one->slot[i] == THREAD_NONE) {
			one->complete &= i == 0;
			continue;
		}
		patch_tag_read(&tag, s->t->node[one->slot[i]].mail->subject);
		one->title = tag.title;
	}
}

/* Each series by author and title: the newest version so far. */
static void link_versions(struct search *s)
{
	struct series_list *l = s->list;
	struct strmap map;
	void **place;
	char *key;

	strmap_init(&map, &l->arena);
	for (size_t i = 0; i < l->n; i++) {
		struct series *one = &l->v[i];

		key = arena_printf(&l->arena, "%s %s", one->author.address,
				   one->title);
		place = strmap_put(&map, key, strlen(key));
		if (*place) {
			size_t k = (uintptr_t)*place - 1;

			if (l->v[k].version < one->version)
				one->older = k;
			else
				continue;
		}
		*place = (void *)(uintptr_t)(i + 1);
	}
}

void series_find(struct series_list *list, const struct threads *t)
{
	struct search s = { .t = t, .list = list };
	int depth;

	*list = (struct series_list){ .arena = ARENA_INIT };
	s.series = arena_array(&list->arena, t->n + 1, sizeof(*s.series));
	s.guest = arena_array(&list->arena, t->n + 1, sizeof(*s.guest));
	for (size_t i = 0; i < t->n; i++)
		s.series[i] = s.guest[i] = THREAD_NONE;
	for (size_t r = 0; r < t->nroot; r++) {
		depth = 0;
		for (size_t i = t->root[r]; i != THREAD_NONE;
		     i = threads_next(t, i, &depth))
			if (t->node[i].mail)
				place_patch(&s, i);
	}
	join_covers(&s);
	for (size_t i = 0; i < list->n; i++)
		finish(&s, &list->v[i]);
	link_versions(&s);
}

void series_release(struct series_list *list)
{
	arena_release(&list->arena);
	*list = (struct series_list){ .arena = ARENA_INIT };
}

const struct series *series_of(const struct series_list *list, size_t node)
{
	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k <= list->v[i].total; k++)
			if (list->v[i].slot[k] == node)
				return &list->v[i];
	return NULL;
}
