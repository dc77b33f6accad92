#include "request/sentence.h"

#include <string.h>

#include "base/buf.h"
#include "request/reading.h"

void sentence_read_again(struct sentence *s, struct arena *a,
			 const struct grammar *g, const struct robot *robot)
{
	s->entity = NULL;
	s->nentity = 0;
	s->reach_known = false;
	s->mark = arena_alloc(a, g->marks.n + 1);
	reading_make(s, a, g, robot);
}

static void find_reach(struct sentence *s, const struct grammar *g)
{
	struct match m;
	size_t at = 0;

	s->nreach = 0;
	s->reach_known = true;
	if (!g->reach || !regex_may_find(g->reach, &s->grams))
		return;
	while (s->nreach < REACH_MAX &&
	       regex_find(g->reach, s->reading, s->len, at, &m) &&
	       m.all.to > at) {
		struct span v = m.v;

		if (v.from == v.to)
			v.from = v.to = m.all.to;
		s->reach[s->nreach++] = v;
		at = v.from;
	}
}

/* The pattern begins where a request reaches. */
static bool is_near(struct sentence *s, const struct grammar *g,
		    struct regex *near)
{
	struct match m;

	if (!s->reach_known)
		find_reach(s, g);
	for (size_t i = 0; i < s->nreach; i++)
		if (regex_find(near, s->reading, s->len, s->reach[i].from, &m) &&
		    m.all.from <= s->reach[i].to)
			return true;
	return false;
}

static bool mark_matches(struct sentence *s, const struct grammar *g, size_t i)
{
	const struct named_pattern *p = &g->marks.v[i];

	if (p->near && regex_may_find(p->near, &s->grams) &&
	    is_near(s, g, p->near))
		return true;
	return p->pattern && regex_may_find(p->pattern, &s->grams) &&
	       regex_find(p->pattern, s->reading, s->len, 0, NULL);
}

static bool mark_alone(struct sentence *s, const struct grammar *g, size_t i)
{
	if (!s->mark[i])
		s->mark[i] = mark_matches(s, g, i) ? 1 : -1;
	return s->mark[i] > 0;
}

/* Nearness is cheap: most sentences ask nothing. */
static size_t mark_cost(const struct grammar *g, size_t i)
{
	const struct named_pattern *p = &g->marks.v[i];

	return p->pattern ? regex_length(p->pattern) : 0;
}

/* A mark under another (which is under none) holds only where both match; the
 * cheaper one is asked first. */
static bool mark_holds(struct sentence *s, const struct grammar *g, size_t i)
{
	size_t over = g->under[i] - 1 - FACT_N;
	bool first;

	if (!g->under[i])
		return mark_alone(s, g, i);
	first = s->mark[over] || mark_cost(g, over) < mark_cost(g, i);
	if ((first && !mark_alone(s, g, over)) || !mark_alone(s, g, i))
		return false;
	if (!mark_alone(s, g, over))
		s->mark[i] = -1;
	return s->mark[i] > 0;
}

bool sentence_has(struct sentence *s, const struct grammar *g, size_t fact)
{
	if (fact < FACT_N)
		return s->facts >> fact & 1;
	return mark_holds(s, g, fact - FACT_N);
}

bool sentence_bears(struct sentence *s, const struct grammar *g,
		    const char *mark)
{
	size_t fact = (uintptr_t)strmap_get(&g->fact_names, mark);

	return fact && sentence_has(s, g, fact - 1);
}

const char *sentence_words(const struct sentence *s, struct arena *a,
			   struct span v)
{
	struct buf out = BUF_INIT(8 * SENTENCE_MAX);
	const char *text;
	size_t at = v.from;

	for (size_t i = 0; i < s->nentity; i++) {
		const struct entity *e = &s->entity[i];

		if (e->at.from < at || e->at.to > v.to)
			continue;
		buf_add(&out, s->reading + at, e->at.from - at);
		buf_addstr(&out, e->text);
		at = e->at.to;
	}
	buf_add(&out, s->reading + at, v.to - at);
	text = arena_strndup(a, out.s, out.len);
	buf_release(&out);
	return text;
}

const struct entity *sentence_entity(const struct sentence *s,
				     const char *type, size_t from)
{
	for (size_t i = 0; i < s->nentity; i++)
		if (s->entity[i].at.from >= from &&
		    !strcmp(s->entity[i].type, type))
			return &s->entity[i];
	return NULL;
}
