/*
 * What a request is about: the patch and where it is, tree, branch, commits,
 * parameters.  Only what the mail states; the rest stays NULL.
 */
#include "request/find.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/percent.h"
#include "mail/check.h"

struct filler {
	struct finder *f;
	struct request *r;
	struct sentence *s;
	size_t index;		/* of the sentence */
};

static const char *field(const struct filler *c, const struct sentence *s,
			 const char *name)
{
	struct span v;

	if (!grammar_field(c->f->g, name, s->reading, s->len, &v))
		return NULL;
	return sentence_words(s, c->f->arena, v);
}

static const char *text_of(const struct entity *e)
{
	return e ? e->text : NULL;
}

/* ------------------------------------------------------------- archive links */

const char *link_msgid(struct arena *a, const char *url)
{
	const char *s = strstr(url, "://");

	s = s ? strchr(s + 3, '/') : NULL;
	while (s) {
		size_t len = strcspn(++s, "/?#");
		const char *id = percent_decoded(a, s, len);

		if (msgid_likely(id) && strpbrk(id, "0123456789"))
			return id;
		s = s[len] == '/' ? s + len : NULL;
	}
	return NULL;
}

/* ------------------------------------------------------------------- patches */

static void set_url(struct filler *c, const char *url)
{
	c->r->patch = PATCH_FROM_URL;
	c->r->url = url;
	c->r->msgid = link_msgid(c->f->arena, url);
}

/* The first link that the words before it do not set aside: "explained in ...,
 * what I propose is ..."; NULL: there is none. */
static const struct entity *link_meant(struct filler *c,
				       const struct sentence *s)
{
	size_t from = 0;

	for (const struct entity *e; (e = sentence_entity(s, "patchurl", from));
	     from = e->at.to)
		if (!grammar_mark(c->f->g, "aside", s->reading + from,
				  e->at.from - from))
			return e;
	return NULL;
}

static const struct entity *pick_link(struct filler *c,
				      const struct sentence *s)
{
	const struct entity *e = link_meant(c, s);

	if (!e)
		e = sentence_entity(s, "patchurl", 0);
	return e ? e : sentence_entity(s, "url", 0);
}

static bool patch_in(struct filler *c, const struct sentence *s)
{
	const struct entity *url = pick_link(c, s);
	const struct entity *id = sentence_entity(s, "msgid", 0);

	if (url)
		set_url(c, url->text);
	else if (id) {
		c->r->patch = PATCH_FROM_MSGID;
		c->r->msgid = id->text;
	}
	return url || id;
}

/* Does it hold a patch, and not only the background of one? */
static bool patch_meant_in(struct filler *c, struct sentence *s)
{
	bool aside = sentence_bears(s, c->f->g, "aside");

	return (!aside || link_meant(c, s)) && patch_in(c, s);
}

/* A link elsewhere: below first, then above; nearest first. */
static bool patch_nearby(struct filler *c)
{
	struct sentences *o = &c->f->sentences;

	for (size_t d = 1; d < o->n; d++) {
		struct sentence *below = c->index + d < o->n ?
			&o->v[c->index + d] : NULL;
		struct sentence *above = c->index >= d ?
			&o->v[c->index - d] : NULL;

		if (below && !below->item && patch_meant_in(c, below))
			return true;
		if (above && !above->item && patch_meant_in(c, above))
			return true;
	}
	return false;
}

/* "I hope that LINK fixes it.  Please confirm." */
static void patch_anywhere(struct filler *c)
{
	struct sentences *o = &c->f->sentences;

	for (size_t i = 0; i < o->n; i++)
		if (sentence_entity(&o->v[i], "patchurl", 0) &&
		    patch_in(c, &o->v[i]))
			return;
}

static bool holds(const struct filler *c, enum fact fact)
{
	return c->s->facts >> fact & 1;
}

void patch_by_presence(struct finder *f, struct request *r)
{
	for (size_t i = 0; i < f->m->npatch; i++)
		if (!f->m->patch[i].attached)
			r->patch = PATCH_FROM_INLINE;
	for (size_t i = 0; i < f->m->npatch; i++)
		if (f->m->patch[i].attached &&
		    r->patch == PATCH_FROM_NOWHERE)
			r->patch = PATCH_FROM_ATTACHMENT;
}

/* Something is attached, though perhaps nothing that we know as a patch:
 * who says so is told what was seen. */
static bool has_file(const struct message *m)
{
	for (size_t i = 0; i < m->npart; i++)
		if (m->part[i].name && !m->part[i].text_body)
			return true;
	return false;
}

/* This sentence does; or, if it speaks of no patch, the one before it. */
static bool says(struct filler *c, const char *mark)
{
	const struct grammar *g = c->f->g;
	struct sentence *before = c->index ? c->s - 1 : NULL;

	if (sentence_bears(c->s, g, mark))
		return true;
	return before && !sentence_bears(c->s, g, "patch-word") &&
	       sentence_bears(before, g, "patch-word") &&
	       sentence_bears(before, g, mark);
}

static bool said_anywhere(struct filler *c, const char *mark)
{
	struct sentences *o = &c->f->sentences;

	for (size_t i = 0; i < o->n; i++)
		if (sentence_bears(&o->v[i], c->f->g, mark))
			return true;
	return false;
}

/* "This one replaces the above:" and the diff follows. */
static bool shows_diff(struct filler *c)
{
	size_t n = strlen(c->s->text);

	return holds(c, FACT_DIFF_NEXT) && holds(c, FACT_INLINE) &&
	       (c->s->text[n - 1] == ':' ||
		sentence_bears(c->s, c->f->g, "patch-here"));
}

/* "It went out this morning, LINK.  Could you run it?", or the link comes in
 * a line of its own. */
static bool patch_beside(struct filler *c)
{
	struct sentence *below = c->index + 1 < c->f->sentences.n ?
		c->s + 1 : NULL;

	if (!sentence_bears(c->s, c->f->g, "says-thread"))
		return patch_in(c, c->s - 1);
	return below && below->reference && patch_in(c, below);
}

static void find_patch(struct filler *c)
{
	const struct grammar *g = c->f->g;

	if (sentence_bears(c->s, g, "says-attached") &&
	    (holds(c, FACT_ATTACHED) || has_file(c->f->m))) {
		c->r->patch = PATCH_FROM_ATTACHMENT;
		return;
	}
	if (patch_in(c, c->s))
		return;
	if (!shows_diff(c) && says(c, "says-thread")) {
		if (!patch_beside(c))
			c->r->patch = PATCH_FROM_THREAD;
		return;
	}
	patch_by_presence(c->f, c->r);
	if (c->r->patch != PATCH_FROM_NOWHERE || patch_nearby(c))
		return;
	if (says(c, "says-posted") || said_anywhere(c, "says-thread"))
		c->r->patch = PATCH_FROM_THREAD;
	else
		patch_anywhere(c);
	/* Attached, it says, but nothing is: no thread is meant. */
}

/* --------------------------------------------------- trees, commits, the base */

static const char *without_quotes(struct arena *a, const char *s)
{
	size_t len = s ? strlen(s) : 0;
	bool open;

	if (len > 2 && *s == '(' && s[len - 1] == ')')
		s++, len -= 2;
	while (len && (strchr("\"'`", *s) || (*s == '(' && !strchr(s, ')'))))
		s++, len--;
	open = len && strchr(s, '(');
	while (len && (strchr("\"'`.,;:!?", s[len - 1]) ||
		       (s[len - 1] == ')' && !open)))
		len--;
	return len ? arena_strndup(a, s, len) : NULL;
}

/* "https://github.example/x/linux/tree/topic": repository and branch. */
static void split_tree_link(struct filler *c, const char *url)
{
	static const char *const between[] = {
		"/-/tree/", "/tree/?h=", "/log/?h=", "/?h=", "?h=", "/tree/",
	};

	c->r->tree = url;
	for (size_t i = 0; i < sizeof(between) / sizeof(*between); i++) {
		const char *at = strstr(url, between[i]);

		if (!at || !at[strlen(between[i])])
			continue;
		c->r->tree = arena_strndup(c->f->arena, url,
					   (size_t)(at - url));
		c->r->branch = without_quotes(c->f->arena,
					      at + strlen(between[i]));
		return;
	}
}

static void tree_in(struct filler *c, const struct sentence *s)
{
	const struct entity *e = sentence_entity(s, "treeurl", 0);
	const char *v;

	if (e)
		split_tree_link(c, e->text);
	v = field(c, s, "tree-slash-branch");
	if (!c->r->tree && v && strchr(v, '/')) {
		size_t n = strcspn(v, "/");

		c->r->tree = arena_strndup(c->f->arena, v, n);
		c->r->branch = without_quotes(c->f->arena, v + n + 1);
	}
	if (!c->r->tree)
		c->r->tree = field(c, s, "tree-name");
	if (!c->r->branch)
		c->r->branch = without_quotes(c->f->arena,
					      field(c, s, "branch"));
}

/* "It should be in linux-next since Thursday." */
static void tree_beside(struct filler *c)
{
	struct sentences *o = &c->f->sentences;
	const struct grammar *g = c->f->g;

	if (c->index && sentence_bears(&o->v[c->index - 1], g, "tree-context"))
		tree_in(c, &o->v[c->index - 1]);
	if (!c->r->tree && c->index + 1 < o->n &&
	    sentence_bears(&o->v[c->index + 1], g, "tree-context"))
		tree_in(c, &o->v[c->index + 1]);
}

/* A request as the one at "found", but for another commit or patch. */
static struct request *another_point(struct finder *f, size_t found)
{
	const struct found *first = &f->found[found];
	struct request *r = finder_add(f, first->request.kind, 0,
				       first->sentence);

	if (r)
		*r = first->request;
	return r;
}

/* The repository may stand in the next or the last sentence. */
static void find_tree(struct filler *c)
{
	struct sentences *o = &c->f->sentences;
	const struct grammar *g = c->f->g;

	tree_in(c, c->s);
	for (size_t i = 0; i < o->n && !c->r->tree; i++) {
		struct sentence *s = &o->v[i];

		if (i != c->index && sentence_entity(s, "treeurl", 0) &&
		    !sentence_bears(s, g, "aside"))
			tree_in(c, s);
	}
	if (!c->r->tree && !c->r->branch)
		tree_beside(c);
	for (size_t i = 0; i < o->n && !c->r->branch && c->r->tree; i++)
		c->r->branch = without_quotes(c->f->arena,
					      field(c, &o->v[i], "branch"));
}

/* "Head is X": of the branch that is meant. */
static void find_head(struct filler *c)
{
	struct sentences *o = &c->f->sentences;

	for (size_t i = 0; i < o->n && !c->r->commit && c->r->tree; i++)
		c->r->commit = field(c, &o->v[i], "head");
}

/* "branches a, b and c": one request each. */
static void find_more_branches(struct filler *c, size_t found)
{
	const char *list = NULL;
	struct sentences *o = &c->f->sentences;

	for (size_t i = 0; i < o->n && !list; i++)
		list = field(c, &o->v[i], "branches");
	for (size_t n; list && *list; list += n) {
		struct request *r;
		const char *name;

		list += strspn(list, " ,");
		n = strcspn(list, " ,");
		name = without_quotes(c->f->arena,
				      arena_strndup(c->f->arena, list, n));
		if (!name || !strcmp(name, "and") || !strcmp(name, "or") ||
		    (c->r->branch && !strcmp(name, c->r->branch)))
			continue;
		r = c->r->branch ? another_point(c->f, found) : c->r;
		if (r)
			r->branch = name;
	}
}

static const char *find_base(struct filler *c)
{
	struct sentences *o = &c->f->sentences;
	const char *base = field(c, c->s, "base");

	for (size_t i = 0; !base && i < o->n; i++)
		if (sentence_bears(&o->v[i], c->f->g, "base-says"))
			base = field(c, &o->v[i], "base");
	return base;
}

static bool is_point(const struct entity *e)
{
	return !strcmp(e->type, "tag") || !strcmp(e->type, "hash");
}

/* "v7.2 vs v7.3": two releases, of which the older is the base. */
static bool read_versus(struct filler *c)
{
	struct span v;
	const struct entity *a, *b;

	if (!grammar_field(c->f->g, "versus", c->s->reading, c->s->len, &v))
		return false;
	a = sentence_entity(c->s, "tag", v.from);
	b = a ? sentence_entity(c->s, "tag", a->at.to) : NULL;
	if (!b)
		return false;
	if (strverscmp(a->text, b->text) > 0) {
		const struct entity *older = b;

		b = a;
		a = older;
	}
	c->r->base = a->text;
	c->r->commit = b->text;
	return true;
}

/* Each commit or tag that is no base and not reverted is a point to run. */
static void find_points(struct filler *c, size_t found)
{
	size_t n = 0;

	for (size_t i = 0; i < c->s->nentity; i++) {
		const struct entity *e = &c->s->entity[i];
		struct request *r = c->r;

		if (!is_point(e) || grammar_mark(c->f->g, "denies",
						 c->s->reading, e->at.from) ||
		    (c->r->base && !strcmp(c->r->base, e->text)) ||
		    (c->r->revert && !strcmp(c->r->revert, e->text)))
			continue;
		if (n++)
			r = another_point(c->f, found);
		if (r)
			r->commit = e->text;
	}
}

/* "v7.2..tip": from a base to a head. */
static void read_range(struct filler *c)
{
	const char *range = text_of(sentence_entity(c->s, "range", 0));
	const char *dots = range ? strstr(range, "..") : NULL;
	const char *head;

	if (!dots)
		return;
	head = dots + strspn(dots, ".");
	c->r->base = arena_strndup(c->f->arena, range, (size_t)(dots - range));
	if (strcasecmp(head, "tip") && strcasecmp(head, "head"))
		c->r->commit = head;
}

/* "It should be gone with X.  Could you run that?"  X stands there. */
static void look_before(struct filler *c)
{
	struct sentence *before = c->s - 1;

	if (c->index && !sentence_bears(c->s, c->f->g, "point") &&
	    !sentence_bears(c->s, c->f->g, "tree-word") &&
	    (sentence_bears(before, c->f->g, "point") ||
	     sentence_bears(before, c->f->g, "title-word"))) {
		c->s = before;
		c->index--;
	}
}

/* "Before: X.  After: Y.  Please use these two." */
static void find_points_above(struct filler *c, size_t found)
{
	while (c->index && sentence_bears(c->s - 1, c->f->g, "point")) {
		struct filler above = { c->f, NULL, c->s - 1, c->index - 1 };

		above.r = another_point(c->f, found);
		if (!above.r)
			return;
		above.r->commit = NULL;
		find_points(&above, found);
		c->s--;
		c->index--;
	}
}

/* "the merge X: what do both of its parents give?" */
static void take_parents(struct filler *c, size_t found)
{
	const char *merge = text_of(sentence_entity(c->s, "hash", 0));

	if (!merge)
		return;
	c->r->commit = arena_printf(c->f->arena, "%s^1", merge);
	c->r = another_point(c->f, found);
	if (c->r)
		c->r->commit = arena_printf(c->f->arena, "%s^2", merge);
}

static void fill_tree(struct filler *c, size_t found)
{
	const char *before;
	bool these = sentence_bears(c->s, c->f->g, "these-points");

	look_before(c);
	if (sentence_bears(c->s, c->f->g, "parents")) {
		take_parents(c, found);
		return;
	}
	c->r->revert = field(c, c->s, "revert");
	read_range(c);
	if (!read_versus(c) && !c->r->base)
		c->r->base = field(c, c->s, "tree-base");
	if (c->r->base && c->r->revert && !strcmp(c->r->base, c->r->revert))
		c->r->base = NULL;
	before = field(c, c->s, "before-base");
	find_tree(c);
	c->r->title = field(c, c->s, "title");
	if (!c->r->commit)
		c->r->commit = without_quotes(c->f->arena,
					      field(c, c->s, "tree-tag"));
	if (!c->r->commit && !before) {
		find_points(c, found);
		if (these)
			find_points_above(c, found);
	}
	find_head(c);
	find_more_branches(c, found);
	if (before)
		c->r->base = arena_printf(c->f->arena, "%s^", before);
	/* "X reverted on top of Y": it is Y, less X, that runs. */
	if (c->r->revert && !c->r->commit)
		c->r->commit = c->r->base;
}

/* "Please try these two, one at a time: LINK LINK" */
static void find_more_patches(struct filler *c, size_t found)
{
	const struct entity *e = sentence_entity(c->s, "patchurl", 0);

	if (!e || !sentence_bears(c->s, c->f->g, "one-by-one"))
		return;
	while ((e = sentence_entity(c->s, "patchurl", e->at.to))) {
		struct filler next = *c;

		next.r = another_point(c->f, found);
		if (!next.r)
			return;
		set_url(&next, e->text);
	}
}

static void fill_patch(struct filler *c, size_t found)
{
	const char *base = find_base(c);

	find_patch(c);
	c->r->version = field(c, c->s, "version");
	c->r->series = sentence_bears(c->s, c->f->g, "series");
	if (base)
		c->r->base = c->r->commit = base;
	find_more_patches(c, found);
}

/* ---------------------------------------------------------------- parameters */

void request_add_param(struct arena *a, struct request *r, const char *key,
		       const char *value)
{
	struct parameter *v;

	for (size_t i = 0; i < r->nparam; i++)
		if (!strcmp(r->param[i].key, key) &&
		    !strcmp(r->param[i].value, value))
			return;
	v = arena_array(a, r->nparam + 1, sizeof(*v));
	if (r->nparam)
		memcpy(v, r->param, r->nparam * sizeof(*v));
	v[r->nparam++] = (struct parameter){ key, value };
	r->param = v;
}

static int number(const char *s)
{
	static const char *const words[] = {
		"one", "two", "three", "four", "five", "six", "seven", "eight",
		"nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
		"fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
		"twenty",
	};

	for (size_t i = 0; s && i < sizeof(words) / sizeof(*words); i++)
		if (!strcasecmp(s, words[i]))
			return (int)i + 1;
	return s && strlen(s) < 6 ? atoi(s) : 0;
}

static void add_key_value(struct filler *c, const char *text)
{
	const char *eq = strpbrk(text, "=:");
	const char *key = arena_strndup(c->f->arena, text,
					(size_t)(eq ? eq - text : 0));

	if (eq && *key)
		request_add_param(c->f->arena, c->r, key,
				  eq + 1 + strspn(eq + 1, " "));
}

/* Parameters that the text names; "s" is what they are copied from. */
static void match_params(struct filler *c, const char *text, size_t len,
			 bool reading)
{
	const struct patterns *p = &c->f->g->params;

	for (size_t i = 0; i < p->n; i++) {
		struct match m;

		if (reading && !regex_may_find(p->v[i].pattern, &c->s->grams))
			continue;
		for (size_t at = 0; regex_find(p->v[i].pattern, text, len,
						 at, &m) &&
				    m.all.to > at; at = m.all.to) {
			struct span v = m.v.to > m.v.from ? m.v : m.all;
			const char *value = p->v[i].value;

			if (!value)
				value = reading ?
					sentence_words(c->s, c->f->arena, v) :
					arena_strndup(c->f->arena,
						      text + v.from,
						      v.to - v.from);
			request_add_param(c->f->arena, c->r, p->v[i].name,
					  value);
		}
	}
}

static void fill_params(struct filler *c)
{
	for (size_t i = 0; i < c->s->nentity; i++) {
		const struct entity *e = &c->s->entity[i];

		if (!strcmp(e->type, "kv"))
			add_key_value(c, e->text);
		else if (!strcmp(e->type, "config"))
			request_add_param(c->f->arena, c->r, "kconfig", e->text);
		else if (!strcmp(e->type, "quote"))
			match_params(c, e->text, strlen(e->text), false);
	}
	match_params(c, c->s->reading, c->s->len, true);
	c->r->count = number(field(c, c->s, "count"));
}

/* --------------------------------------------------------- the other requests */

static void fill_report(struct filler *c)
{
	static const char *const types[] = { "reporturl", "patchurl", "url" };
	struct sentences *o = &c->f->sentences;
	const struct sentence *below = c->index + 1 < o->n ? c->s + 1 : NULL;
	const struct entity *url = NULL;

	for (size_t i = 0; i < 3 && !url; i++)
		url = sentence_entity(c->s, types[i], 0);
	for (size_t i = 0; i < 3 && !url && below && below->reference; i++)
		url = sentence_entity(below, types[i], 0);
	c->r->url = text_of(url);
	c->r->msgid = url ? link_msgid(c->f->arena, url->text)
			  : text_of(sentence_entity(c->s, "msgid", 0));
	if (!url && !c->r->msgid && c->index + 1 < o->n)
		c->r->msgid = text_of(sentence_entity(&o->v[c->index + 1],
						      "msgid", 0));
}

static void fill_fixed(struct filler *c)
{
	fill_report(c);
	c->r->commit = text_of(sentence_entity(c->s, "hash", 0));
	c->r->title = field(c, c->s, "title");
	c->r->tree = field(c, c->s, "fixed-tree");
}

/* "not X but Y is to blame" */
static void fill_invalid(struct filler *c)
{
	c->r->commit = field(c, c->s, "culprit");
}

static const char *stop_scope(struct filler *c)
{
	static const char *const scopes[] = { "branch", "list", "tree",
					      "thread" };

	for (size_t i = 0; i < sizeof(scopes) / sizeof(*scopes); i++) {
		const char *mark = arena_printf(c->f->arena, "scope-%s",
						scopes[i]);

		if (sentence_bears(c->s, c->f->g, mark))
			return scopes[i];
	}
	return NULL;
}

/* "I run LINK.  Would you take it off your list?" */
static void stop_tree_above(struct filler *c)
{
	const struct entity *tree = NULL;

	if (!sentence_bears(c->s, c->f->g, "pronoun"))
		return;
	for (size_t i = c->index; i > 0 && !tree; i--)
		tree = sentence_entity(&c->f->sentences.v[i - 1], "treeurl", 0);
	if (tree)
		split_tree_link(c, tree->text);
	if (c->index && !c->r->branch)
		c->r->branch = without_quotes(c->f->arena,
				field(c, c->s - 1, "branch-pattern"));
}

static void fill_stop(struct filler *c)
{
	const struct entity *tree = sentence_entity(c->s, "treeurl", 0);
	const char *below;

	c->r->scope = stop_scope(c);
	if (tree)
		split_tree_link(c, tree->text);
	if (!c->r->tree)
		c->r->tree = field(c, c->s, "stop-tree");
	if (!c->r->tree && !c->r->branch)
		stop_tree_above(c);
	if (!c->r->branch)
		c->r->branch = without_quotes(c->f->arena,
				field(c, c->s, "branch-pattern"));
	below = field(c, c->s, "stop-below");
	if (!c->r->branch && below)
		c->r->branch = arena_printf(c->f->arena, "%s*", below);
	if (!c->r->branch && !sentence_bears(c->s, c->f->g, "only-those"))
		c->r->branch = without_quotes(c->f->arena,
					      field(c, c->s, "branch"));
}

void fields_fill(struct finder *f, size_t found)
{
	struct filler c = { .f = f, .r = &f->found[found].request,
			    .index = f->found[found].sentence };

	if (c.index == NO_SENTENCE)
		return;
	c.s = &f->sentences.v[c.index];
	switch (c.r->kind) {
	case REQUEST_RERUN_WITH_PATCH:
		fill_patch(&c, found);
		fill_params(&c);
		break;
	case REQUEST_RERUN_WITH_TREE:
		fill_params(&c);
		fill_tree(&c, found);
		break;
	case REQUEST_RERUN:
	case REQUEST_CHANGE_PARAMS:
		fill_params(&c);
		break;
	case REQUEST_STOP:
		fill_stop(&c);
		break;
	case REQUEST_FIXED:
		fill_fixed(&c);
		break;
	case REQUEST_INVALID:
		fill_invalid(&c);
		break;
	case REQUEST_DUP:
	case REQUEST_STATUS:
	case REQUEST_CANCEL:
		fill_report(&c);
		break;
	default:
		break;
	}
}
