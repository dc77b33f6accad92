/* 6. The hot path: where the profile's share moved most, in points. */
#include "report/finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "compare/verdict.h"
#include "report/chain.h"
#include "report/profile-noise.h"

enum { ROWS_MAX = 20000, PAIRS_MAX = 300, DEPTH_MAX = 30 };

/* A chain with less than that is not looked for under another name. */
static const double least_share = .5;

/* One profile row, or two that are the same chain under two names. */
struct move {
	struct chain chain;
	const struct row *before, *after;	/* the same row, unless renamed */
	struct rename by;	/* what the renamed one differs in */
	bool renamed, gone;	/* gone: now part of a renamed pair */
	double base, head;	/* shares in percent */
};

struct moves {
	struct move *move;
	size_t n;
	struct profile_noise noise;
};

static double points(const struct move *m)
{
	return m->head - m->base;
}

static double share(const struct figure *f)
{
	return f->n ? f->mean : 0;
}

static bool only_base(const struct move *m, size_t side)
{
	return m->before->figure[0].n && !m->before->figure[side].n;
}

static bool only_head(const struct move *m, size_t side)
{
	return !m->after->figure[0].n && m->after->figure[side].n;
}

static bool kind_is_on(const struct report *r, enum chain_kind kind,
		       size_t side)
{
	struct chain c;

	for (size_t i = 0; i < r->group->nrow && i < ROWS_MAX; i++) {
		chain_read(&c, r->group->row[i].name);
		if (c.kind == kind && r->group->row[i].figure[side].n)
			return true;
	}
	return false;
}

/* The rows of one kind of profile, if both sides have it. */
static void collect(struct report *r, enum chain_kind kind, struct moves *v)
{
	size_t n = r->group->nrow < ROWS_MAX ? r->group->nrow : ROWS_MAX;

	v->n = 0;
	if (!kind_is_on(r, kind, 0) || !kind_is_on(r, kind, r->side))
		return;
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &r->group->row[i];
		struct move m = { .before = row, .after = row };

		chain_read(&m.chain, row->name);
		if (m.chain.kind != kind)
			continue;
		m.base = share(&row->figure[0]);
		m.head = share(&row->figure[r->side]);
		v->move[v->n++] = m;
	}
}

/* A renamed chain keeps most of its share. */
static bool similar(double a, double b)
{
	return fmin(a, b) > .5 * fmax(a, b);
}

/* The same innermost function first, then the share that is closer. */
static bool is_closer(const struct move *lost, const struct move *a,
		      const struct move *b)
{
	bool same_a = symbol_same(&lost->chain.symbol[0], &a->chain.symbol[0]);
	bool same_b = symbol_same(&lost->chain.symbol[0], &b->chain.symbol[0]);

	if (same_a != same_b)
		return same_a;
	return fabs(a->head - lost->base) < fabs(b->head - lost->base);
}

static struct move *partner(struct moves *v, const struct move *lost,
			    size_t side, struct rename *by)
{
	struct move *best = NULL;
	struct rename found;

	for (size_t i = 0; i < v->n; i++) {
		struct move *m = &v->move[i];

		if (m->gone || m->renamed || !only_head(m, side) ||
		    !similar(lost->base, m->head) ||
		    !chain_renamed(&lost->chain, &m->chain, &found))
			continue;
		if (best && !is_closer(lost, m, best))
			continue;
		best = m;
		*by = found;
	}
	return best;
}

static bool begins_with(const struct move *m, const struct symbol *s)
{
	return s->len && symbol_same(&m->chain.symbol[0], s);
}

/* The chains of the symbol itself that left others, such as "poll", or that
 * is new in them. */
static void absorb(struct moves *v, const struct move *pair, size_t side)
{
	for (size_t i = 0; i < v->n; i++) {
		struct move *m = &v->move[i];

		if (!m->renamed &&
		    ((only_base(m, side) && begins_with(m, &pair->by.from)) ||
		     (only_head(m, side) && begins_with(m, &pair->by.to))))
			m->gone = true;
	}
}

static size_t match_renamed(struct moves *v, size_t side)
{
	size_t pairs = 0;

	for (size_t i = 0; i < v->n && pairs < PAIRS_MAX; i++) {
		struct move *lost = &v->move[i], *found;
		struct rename by;

		if (lost->gone || lost->renamed || lost->base < least_share ||
		    !only_base(lost, side))
			continue;
		found = partner(v, lost, side, &by);
		if (!found)
			continue;
		found->renamed = true;
		found->before = lost->before;
		found->base = lost->base;
		found->by = by;
		lost->gone = true;
		pairs++;
	}
	for (size_t i = 0; i < v->n; i++)
		if (v->move[i].renamed)
			absorb(v, &v->move[i], side);
	return pairs;
}

/* No run of one side comes near the other's; a missing chain is at 0. */
static bool is_clear(const struct moves *v, const struct move *m, size_t side)
{
	const struct figure *a = &m->before->figure[0];
	const struct figure *b = &m->after->figure[side];
	double base_low = a->n ? a->min : 0, base_high = a->n ? a->max : 0;
	double head_low = b->n ? b->min : 0, head_high = b->n ? b->max : 0;

	return (base_high < head_low || head_high < base_low) &&
	       profile_noise_exceeded(&v->noise, a, b);
}

static const struct move *largest(const struct moves *v, size_t side, int sign)
{
	const struct move *best = NULL;

	for (size_t i = 0; i < v->n; i++) {
		const struct move *m = &v->move[i];

		if (m->gone || points(m) * sign < PROFILE_POINTS ||
		    !is_clear(v, m, side))
			continue;
		if (!best || fabs(points(m)) > fabs(points(best)))
			best = m;
	}
	return best;
}

static bool is_called_by(const struct move *callee, const struct move *caller)
{
	struct chain before;

	if (chain_called_by(&callee->chain, &caller->chain))
		return true;
	if (!callee->renamed)
		return false;
	chain_read(&before, callee->before->name);
	return chain_called_by(&before, &caller->chain);
}

/* Follow the calls inwards while they account for most of the change. */
static const struct move *innermost(const struct moves *v,
				    const struct move *m, size_t side)
{
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const struct move *next = NULL;

		for (size_t i = 0; i < v->n; i++) {
			const struct move *k = &v->move[i];

			if (k->gone || !is_clear(v, k, side) ||
			    !is_called_by(k, m) ||
			    points(k) * points(m) < .6 * points(m) * points(m))
				continue;
			if (!next || fabs(points(k)) > fabs(points(next)))
				next = k;
		}
		if (!next)
			break;
		m = next;
	}
	return m;
}

/* "key": what the numbers call it, or NULL. */
static void add_symbol(struct note *n, const struct symbol *s, const char *key)
{
	char *name = arena_strndup(&n->report->arena, s->s, s->len);

	note_name(n, name);
	if (key)
		note_text(n, key, name);
}

static void add_shares(struct note *n, const struct move *m)
{
	/* Of the figures as they are printed, lest they contradict each other. */
	double base = round(100 * m->base), head = round(100 * m->head);

	buf_addf(&n->text, "%s by %.2f percentage points (pp), from %.2f%% to "
		 "%.2f%%", head > base ? "grew" : "shrank",
		 fabs(head - base) / 100, base / 100, head / 100);
	note_number(n, "base", m->base);
	note_number(n, "head", m->head);
	note_number(n, "points", points(m));
}

/* Who takes the lock: the first in the chain that is no part of it. */
static const struct symbol *taker(const struct chain *c)
{
	size_t i = 0;

	while (i < c->n && symbol_is_lock(&c->symbol[i]))
		i++;
	return i && i < c->n ? &c->symbol[i] : NULL;
}

/* The chain with the largest share of those that end in the same symbol: of a
 * lone symbol its callers are not known otherwise. */
static void callers(const struct report *r, const struct move *m,
		    struct chain *found)
{
	double most = 0;
	struct chain c;

	*found = m->chain;
	for (size_t i = 0; m->chain.n == 1 && i < r->group->nrow &&
			   i < ROWS_MAX; i++) {
		const struct row *row = &r->group->row[i];

		chain_read(&c, row->name);
		if (c.kind == CHAIN_CALLTRACE && c.n > 1 && taker(&c) &&
		    symbol_same(&c.symbol[0], &m->chain.symbol[0]) &&
		    share(&row->figure[r->side]) > most) {
			most = share(&row->figure[r->side]);
			*found = c;
		}
	}
}

static const char *lock_word(const struct symbol *s)
{
	if (memmem(s->s, s->len, "spin", 4))
		return "spinlock";
	if (memmem(s->s, s->len, "mutex", 5))
		return "mutex";
	return memmem(s->s, s->len, "rwsem", 5) ? "semaphore" : "lock";
}

/* The lock's own function is never what a commit changes. */
static void add_taker(struct note *n, const struct move *m)
{
	const struct symbol *by;
	struct chain c;

	if (!symbol_is_lock(&m->chain.symbol[0]))
		return;
	note_text(n, "lock", lock_word(&m->chain.symbol[0]));
	callers(n->report, m, &c);
	by = taker(&c);
	if (!by)
		return;
	buf_addstr(&n->text, "; the lock is taken in ");
	add_symbol(n, by, "taker");
}

static void add_path(struct report *r, const struct moves *v, int sign)
{
	const struct move *m = largest(v, r->side, sign);
	struct note n;

	if (!m)
		return;
	m = innermost(v, m, r->side);
	note_start(&n, r);
	buf_addstr(&n.text, symbol_is_lock(&m->chain.symbol[0])
			    ? "Lock contention in " : "The profile's share of ");
	add_symbol(&n, &m->chain.symbol[0], "symbol");
	if (m->chain.n > 1) {
		buf_addstr(&n.text, " under ");
		add_symbol(&n, &m->chain.symbol[m->chain.n - 1], "under");
	}
	buf_addch(&n.text, ' ');
	add_shares(&n, m);
	add_taker(&n, m);
	buf_addch(&n.text, '.');
	note_stat(&n, m->after->name);
	if (m->before != m->after)
		note_stat(&n, m->before->name);
	note_end(&n, FINDING_HOT_PATH);
}

static const struct move *largest_pair(const struct moves *v)
{
	const struct move *best = NULL;

	for (size_t i = 0; i < v->n; i++)
		if (v->move[i].renamed &&
		    (!best || v->move[i].chain.n > best->chain.n))
			best = &v->move[i];
	return best;
}

/* Both rows of a pair as one, which has what each side has. */
static const struct row *merged(struct report *r, const struct move *m)
{
	struct row *row = arena_alloc(&r->arena, sizeof(*row));
	size_t nside = r->group->nside;

	*row = *m->after;
	row->figure = arena_array(&r->arena, nside, sizeof(*row->figure));
	for (size_t i = 0; i < nside; i++)
		row->figure[i] = m->after->figure[i].n ? m->after->figure[i]
						       : m->before->figure[i];
	for (size_t i = 1; i < nside; i++)
		change_between(&row->figure[0], &row->figure[i], row->better,
			       true, &row->figure[i].change);
	return row;
}

/* Pairs become one row, and what is only a part of them none. */
static void replace_rows(struct note *n, const struct moves *v)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct move *m = &v->move[i];

		if (m->gone)
			note_hide(n, m->before);
		if (m->renamed)
			note_replace(n, m->after, merged(n->report, m));
	}
}

static void add_pairs(struct note *n, const struct moves *v)
{
	json_t *list = json_array();

	for (size_t i = 0; i < v->n; i++) {
		const struct move *m = &v->move[i];

		if (!m->renamed)
			continue;
		note_stat(n, m->before->name);
		note_stat(n, m->after->name);
		json_array_append_new(list, json_pack(
			"{s:o, s:o, s:o, s:o}", "from",
			json_text(m->before->name), "to",
			json_text(m->after->name), "base",
			json_number(m->base), "head", json_number(m->head)));
	}
	json_object_set_new(n->numbers, "renamed", list);
}

static void add_rename(struct note *n, const struct rename *by,
		       const char *them)
{
	if (!by->from.len && !by->to.len)
		return;
	buf_addstr(&n->text, " (");
	add_symbol(n, by->from.len ? &by->from : &by->to, NULL);
	if (by->from.len && by->to.len) {
		buf_addstr(&n->text, " is now ");
		add_symbol(n, &by->to, NULL);
	} else {
		buf_addf(&n->text, by->to.len ? " is new in %s"
					      : " is no longer in %s", them);
	}
	buf_addch(&n->text, ')');
}

/* One change each, not a loss and a gain. */
static void add_renamed(struct report *r, const struct moves *v, size_t pairs)
{
	const struct move *m = largest_pair(v);
	struct note n;

	note_start(&n, r);
	buf_addf(&n.text, "%zu call chain%s renamed, not lost and gained", pairs,
		 pairs == 1 ? " is" : "s are");
	add_rename(&n, &m->by, pairs == 1 ? "it" : "them");
	buf_addstr(&n.text, ": ");
	add_symbol(&n, &m->chain.symbol[0], NULL);
	buf_addf(&n.text, " has %.2f%% before and %.2f%% after.", m->base,
		 m->head);
	add_pairs(&n, v);
	replace_rows(&n, v);
	note_end(&n, FINDING_HOT_PATH);
}

void find_hot_path(struct report *r)
{
	static const enum chain_kind kinds[] = {
		CHAIN_CALLTRACE, CHAIN_SELF, CHAIN_CHILDREN,
	};
	size_t rows = r->group->nrow < ROWS_MAX ? r->group->nrow : ROWS_MAX;
	size_t found = r->nfinding, pairs;
	struct moves v = { .n = 0 };

	v.move = malloc((rows + 1) * sizeof(*v.move));
	if (!v.move)
		die_no_memory();
	for (size_t i = 0; i < 3 && r->nfinding == found; i++) {
		collect(r, kinds[i], &v);
		pairs = match_renamed(&v, r->side);
		profile_noise_learn(r, kinds[i], &v.noise);
		add_path(r, &v, 1);
		add_path(r, &v, -1);
		if (pairs)
			add_renamed(r, &v, pairs);
	}
	free(v.move);
}
