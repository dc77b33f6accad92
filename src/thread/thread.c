#include "thread/thread.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/strmap.h"
#include "mail/subject.h"

const char *thread_ancestor(const struct thread_mail *m,
			    bool (*known)(void *arg, const char *id),
			    void *arg)
{
	const struct strings *list[] = { &m->references, &m->in_reply_to };

	for (size_t k = 0; k < 2; k++)
		for (size_t i = list[k]->n; i-- > 0;)
			if (strcmp(list[k]->v[i], m->id) &&
			    known(arg, list[k]->v[i]))
				return list[k]->v[i];
	return NULL;
}

/* What is needed only while a forest grows. */
struct growth {
	struct threads *t;
	size_t cap, nmail;	/* nodes behind the mails are ghosts */
	struct strmap by_id;	/* -> index + 1 */
	size_t *set;		/* union-find over nodes: who is in one tree */
	size_t set_cap;
	bool *is_copy;
};

static size_t add_node(struct growth *g, const char *id)
{
	struct threads *t = g->t;
	size_t i = t->n;

	t->node = arena_grow(&t->arena, t->node, &g->cap, i + 1,
			     sizeof(*t->node));
	g->set = arena_grow(&t->arena, g->set, &g->set_cap, i + 1,
			    sizeof(*g->set));
	t->node[i] = (struct thread_node){
		.id = id, .parent = THREAD_NONE, .child = THREAD_NONE,
		.next = THREAD_NONE,
	};
	g->set[i] = i;
	t->n++;
	return i;
}

/* The node of that id; a ghost is made when nobody has it. */
static size_t node_of(struct growth *g, const char *id)
{
	void **place = strmap_put(&g->by_id, id, strlen(id));

	if (!*place)
		*place = (void *)(uintptr_t)(add_node(g, id) + 1);
	return (size_t)(uintptr_t)*place - 1;
}

/* The tree that a node is in, paths shortened on the way. */
static size_t tree_of(struct growth *g, size_t i)
{
	while (g->set[i] != i) {
		g->set[i] = g->set[g->set[i]];
		i = g->set[i];
	}
	return i;
}

/*
 * Hang "child", which has no parent yet, under "parent".  False when they are
 * in one tree already: that would be a loop.
 */
static bool hang(struct growth *g, size_t child, size_t parent,
		 enum thread_link link)
{
	struct thread_node *c = &g->t->node[child];
	size_t a = tree_of(g, child), b = tree_of(g, parent);

	if (c->parent != THREAD_NONE || a == b)
		return false;
	g->set[a] = b;
	c->parent = parent;
	c->link = link;
	return true;
}

static void add_mails(struct growth *g, const struct thread_mail *mail,
		      size_t n)
{
	g->is_copy = arena_alloc(&g->t->arena, n + 1);
	for (size_t i = 0; i < n; i++) {
		add_node(g, mail[i].id);
		g->t->node[i].mail = &mail[i];
		g->t->node[i].copies = 1;
	}
	for (size_t i = 0; i < n; i++) {
		void **place;

		if (!*mail[i].id)
			continue;
		place = strmap_put(&g->by_id, mail[i].id, strlen(mail[i].id));
		if (*place) {
			g->t->node[(uintptr_t)*place - 1].copies++;
			g->is_copy[i] = true;
		} else {
			*place = (void *)(uintptr_t)(i + 1);
		}
	}
}

/* Under the newest reference that makes no loop. */
static void hang_mail(struct growth *g, size_t i)
{
	const struct thread_mail *m = g->t->node[i].mail;

	for (size_t k = m->references.n; k-- > 0;)
		if (hang(g, i, node_of(g, m->references.v[k]),
			 THREAD_LINK_REFERENCES))
			return;
	for (size_t k = 0; k < m->in_reply_to.n; k++)
		if (hang(g, i, node_of(g, m->in_reply_to.v[k]),
			 THREAD_LINK_IN_REPLY_TO))
			return;
}

#define REFERENCES_MAX 50	/* of one mail, the newest, joined so */

/*
 * What the References of a mail say of those among them that have no parent:
 * ghosts, and mails whose mailer dropped the header.
 */
static void hang_references(struct growth *g, size_t i)
{
	const struct strings *r = &g->t->node[i].mail->references;
	size_t older, newer;
	size_t from = r->n > REFERENCES_MAX ? r->n - REFERENCES_MAX : 0;

	for (size_t k = from + 1; k < r->n; k++) {
		older = node_of(g, r->v[k - 1]);
		newer = node_of(g, r->v[k]);
		hang(g, newer, older, THREAD_LINK_REFERENCES);
	}
}

/* The roots of each subject; more than one is no answer. */
struct subject {
	size_t root, count;
};

static struct subject *subject_of(struct growth *g, struct strmap *map,
				  const char *subject)
{
	const char *base = subject_base(subject);
	void **place;

	if (strlen(base) < 3)
		return NULL;
	place = strmap_put(map, base, strlen(base));
	if (!*place)
		*place = arena_alloc(&g->t->arena, sizeof(struct subject));
	return *place;
}

static bool is_reply(const char *subject)
{
	return subject_base(subject) != subject + strspn(subject, " \t");
}

static void hang_by_subject(struct growth *g)
{
	struct thread_node *v = g->t->node;
	struct strmap map;
	struct subject *s;

	strmap_init(&map, &g->t->arena);
	for (size_t i = 0; i < g->nmail; i++) {
		if (g->is_copy[i] || v[i].parent != THREAD_NONE ||
		    is_reply(v[i].mail->subject))
			continue;
		s = subject_of(g, &map, v[i].mail->subject);
		if (s) {
			s->root = i;
			s->count++;
		}
	}
	for (size_t i = 0; i < g->nmail; i++) {
		const struct thread_mail *m = v[i].mail;

		if (g->is_copy[i] || v[i].parent != THREAD_NONE ||
		    !is_reply(m->subject) || m->references.n ||
		    m->in_reply_to.n)
			continue;
		s = subject_of(g, &map, m->subject);
		if (s && s->count == 1 && v[s->root].mail->date <= m->date)
			hang(g, i, s->root, THREAD_LINK_SUBJECT);
	}
}

static size_t *count_children(struct growth *g)
{
	size_t *count = arena_array(&g->t->arena, g->t->n + 1,
				    sizeof(*count));

	for (size_t i = 0; i < g->t->n; i++)
		if (g->t->node[i].parent != THREAD_NONE)
			count[g->t->node[i].parent]++;
	return count;
}

/* The nearest ancestor that stays in the forest. */
static size_t kept_parent(const struct threads *t, const size_t *count,
			  size_t i)
{
	size_t p = t->node[i].parent;

	while (p != THREAD_NONE && !t->node[p].mail && count[p] < 2)
		p = t->node[p].parent;
	return p;
}

/* A ghost that holds less than two leaves its place to its only child. */
static void drop_ghosts(struct growth *g)
{
	struct threads *t = g->t;
	size_t *count = count_children(g), p, step;
	struct thread_node *v = t->node;

	for (size_t i = 0; i < t->n; i++) {
		p = kept_parent(t, count, i);
		/* What was passed over points up directly from now on, so
		 * that a long chain of ghosts is walked once. */
		for (size_t k = v[i].parent; k != p; k = step) {
			step = v[k].parent;
			v[k].parent = p;
		}
		v[i].parent = p;
		if (p == THREAD_NONE)
			v[i].link = THREAD_LINK_NONE;
	}
	for (size_t i = g->nmail; i < t->n; i++)
		v[i].copies = count[i] >= 2;
}

/* Earliest date of a tree's mails, for the order of ghosts. */
static int64_t *earliest(struct threads *t)
{
	int64_t *date = arena_array(&t->arena, t->n + 1, sizeof(*date));
	size_t p;

	for (size_t i = 0; i < t->n; i++)
		date[i] = t->node[i].mail ? t->node[i].mail->date : INT64_MAX;
	for (size_t i = 0; i < t->n; i++) {
		p = t->node[i].parent;
		if (p != THREAD_NONE && !t->node[p].mail && date[i] < date[p])
			date[p] = date[i];
	}
	return date;
}

struct place {
	int64_t date;
	size_t index;
};

static int by_date(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->date != y->date)
		return x->date < y->date ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Link children and roots in the order of their dates. */
static void set_order(struct growth *g)
{
	struct threads *t = g->t;
	struct place *v = arena_array(&t->arena, t->n + 1, sizeof(*v));
	int64_t *date = earliest(t);
	size_t n = 0, p;

	for (size_t i = 0; i < t->n; i++)
		if (t->node[i].copies && !(i < g->nmail && g->is_copy[i]))
			v[n++] = (struct place){ date[i], i };
	qsort(v, n, sizeof(*v), by_date);
	t->root = arena_array(&t->arena, n + 1, sizeof(*t->root));
	for (size_t k = 0; k < n; k++)
		if (t->node[v[k].index].parent == THREAD_NONE)
			t->root[t->nroot++] = v[k].index;
	for (size_t k = n; k-- > 0;) {
		p = t->node[v[k].index].parent;
		if (p == THREAD_NONE)
			continue;
		t->node[v[k].index].next = t->node[p].child;
		t->node[p].child = v[k].index;
	}
}

void threads_build(struct threads *t, const struct thread_mail *mail,
		   size_t nmail)
{
	struct growth g = { .t = t, .nmail = nmail };

	*t = (struct threads){ .arena = ARENA_INIT };
	strmap_init(&g.by_id, &t->arena);
	add_mails(&g, mail, nmail);
	for (size_t i = 0; i < nmail; i++)
		if (!g.is_copy[i])
			hang_mail(&g, i);
	for (size_t i = 0; i < nmail; i++)
		if (!g.is_copy[i])
			hang_references(&g, i);
	hang_by_subject(&g);
	drop_ghosts(&g);
	set_order(&g);
}

void threads_release(struct threads *t)
{
	arena_release(&t->arena);
	*t = (struct threads){ .arena = ARENA_INIT };
}

size_t threads_next(const struct threads *t, size_t i, int *depth)
{
	if (t->node[i].child != THREAD_NONE) {
		++*depth;
		return t->node[i].child;
	}
	while (*depth > 0) {
		if (t->node[i].next != THREAD_NONE)
			return t->node[i].next;
		i = t->node[i].parent;
		--*depth;
	}
	return THREAD_NONE;
}

size_t threads_root(const struct threads *t, size_t i)
{
	while (t->node[i].parent != THREAD_NONE)
		i = t->node[i].parent;
	return i;
}

const char *thread_link_name(enum thread_link l)
{
	static const char *const name[] = {
		[THREAD_LINK_NONE] = "none",
		[THREAD_LINK_REFERENCES] = "references",
		[THREAD_LINK_IN_REPLY_TO] = "in-reply-to",
		[THREAD_LINK_SUBJECT] = "subject",
	};

	return name[l];
}
