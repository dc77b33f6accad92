#include "request/grammar.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/place.h"

#define RULES_MAX (1u << 20)
#define PATTERN_MAX (1u << 18)	/* with every {NAME} put in */
#define CONDITIONS_MAX 40
/* A macro that is longer is a subroutine.  PCRE2 learns nothing of what those
 * begin with, and tries them everywhere: they are for what is out of size. */
#define INLINE_MAX 20000

static const char *const fact_names[FACT_N] = {
	[FACT_QUESTION] = "question", [FACT_DIRECT] = "direct",
	[FACT_STRANGER] = "stranger", [FACT_ANSWERS] = "answers",
	[FACT_ROBOT] = "robot", [FACT_OTHER] = "other",
	[FACT_NAMED] = "named", [FACT_INLINE] = "inline",
	[FACT_ATTACHED] = "attached", [FACT_PATCH] = "patch",
	[FACT_DIFF_NEXT] = "diff-next", [FACT_MAIL_LINK] = "mail-link",
	[FACT_ITEM] = "item", [FACT_ONLY] = "only",
	[FACT_BRIEF] = "brief", [FACT_FIRST] = "first",
	[FACT_CHANGELOG] = "changelog", [FACT_AUTOMATIC] = "automatic",
	[FACT_GOT] = "got",
};

/* While the file is read: macros, and the texts of what is compiled last. */
struct reader {
	struct grammar *g;
	struct arena arena;
	struct strmap macros;		/* name -> struct macro */
	struct strmap marks, near;	/* name -> pattern text so far */
	struct strmap under;		/* name -> the mark it is under */
	struct buf lines, entities;	/* alternatives, each with its mark */
	size_t patterns;		/* made so far */
	bool check;			/* compile each at once */
};

/* The next word of "*s", which moves behind it; "" at the end. */
static const char *take_word(struct arena *a, const char **s)
{
	size_t len;

	*s += strspn(*s, " \t\n");
	len = strcspn(*s, " \t\n");
	*s += len;
	return arena_strndup(a, *s - len, len);
}

/* "{name}" of the file: letters, digits and "-", so that "{2,3}" stays. */
static size_t macro_length(const char *s)
{
	size_t n = 1;

	if (*s != '{' || !islower((unsigned char)s[1]))
		return 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '-')
		n++;
	return s[n] == '}' ? n + 1 : 0;
}

/* A macro, and whether the pattern that is being made calls it. */
struct macro {
	const char *name, *text;
	size_t pattern;		/* the number of the last that did */
};

static struct macro *find_macro(struct reader *r, const char *s, size_t n,
				struct err *err)
{
	const char *name = arena_strndup(&r->arena, s + 1, n - 2);
	struct macro *m = strmap_get(&r->macros, name);

	if (!m)
		err_set(err, ERR_INPUT, "no 'let %s'", name);
	return m;
}

/*
 * "s" with its line breaks gone and its macros put in; for a long one a call
 * "(?&name)", as PCRE2 has subroutines, so that it stands in a pattern once
 * however often it is named.
 */
static int call_macros(struct reader *r, struct buf *out, const char *s,
		       struct err *err)
{
	for (size_t n; *s; s += n) {
		struct macro *m;

		n = macro_length(s);
		if (!n) {
			n = 1;
			if (*s != '\n')
				buf_addch(out, *s);
			continue;
		}
		m = find_macro(r, s, n, err);
		if (!m)
			return -1;
		if (strlen(m->text) < INLINE_MAX)
			buf_addf(out, "(%s)", m->text);
		else
			buf_addf(out, "(?&%s)", m->name);
	}
	return 0;
}

/* Append the definitions of all macros that "text" calls, once each. */
static void define_macros(struct reader *r, struct buf *out, const char *text)
{
	for (const char *s = text; (s = strstr(s, "(?&")); s++) {
		size_t n = strcspn(s + 3, ")");
		void **found = strmap_find(&r->macros, s + 3, n);
		struct macro *m = found ? *found : NULL;

		if (!m || m->pattern == r->patterns)
			continue;
		m->pattern = r->patterns;
		buf_addf(out, "(?(DEFINE)(?<%s>%s))", m->name, m->text);
		define_macros(r, out, m->text);
	}
}

static const char *keep(struct arena *a, struct buf *b, struct err *err)
{
	const char *text = buf_over(b) ? NULL : arena_strdup(a, b->s);

	if (!text)
		err_set(err, ERR_INPUT, "pattern too long");
	buf_release(b);
	return text;
}

/* A pattern as the file has it, its macros called. */
static const char *expand(struct reader *r, const char *s, struct err *err)
{
	struct buf out = BUF_INIT(PATTERN_MAX);

	if (call_macros(r, &out, s, err) == 0)
		return keep(&r->arena, &out, err);
	buf_release(&out);
	return NULL;
}

/* The whole text for PCRE2: the pattern and what it calls. */
static const char *complete(struct reader *r, const char *text,
			    struct err *err)
{
	struct buf out = BUF_INIT(PATTERN_MAX);

	r->patterns++;
	buf_addstr(&out, text);
	define_macros(r, &out, text);
	return keep(&r->g->arena, &out, err);
}

static int read_let(struct reader *r, const char *s, struct err *err)
{
	struct macro *m;
	const char *name = take_word(&r->arena, &s);
	const char *text = expand(r, s + strspn(s, " \t"), err);

	if (!text)
		return -1;
	m = arena_alloc(&r->arena, sizeof(*m));
	*m = (struct macro){ .name = name, .text = text };
	*strmap_put(&r->macros, name, strlen(name)) = m;
	return 0;
}

static int read_words(struct strmap *set, struct arena *a, const char *s)
{
	for (const char *w; *(w = take_word(a, &s));)
		*strmap_put(set, w, strlen(w)) = (void *)(uintptr_t)w;
	return 0;
}

static int read_alternative(struct reader *r, struct buf *to, const char *s,
			    struct err *err)
{
	const char *name = take_word(&r->arena, &s);
	const char *text = expand(r, s + strspn(s, " \t"), err);

	if (!text)
		return -1;
	buf_addf(to, "%s(%s)(*MARK:%s)", to->len ? "|" : "", text, name);
	return 0;
}

static int read_mark(struct reader *r, struct strmap *to, const char *s,
		     struct err *err)
{
	const char *name = take_word(&r->g->arena, &s);
	const char *text = expand(r, s + strspn(s, " \t"), err);
	void **old;

	if (!text)
		return -1;
	old = strmap_put(to, name, strlen(name));
	*old = *old ? arena_printf(&r->arena, "%s|(%s)", (char *)*old, text)
		    : arena_printf(&r->arena, "(%s)", text);
	return 0;
}

static struct regex *make_pattern(struct reader *r, const char *text,
				    struct err *err)
{
	const char *whole = complete(r, text, err);
	struct regex *p = whole ? regex_new(whole) : NULL;

	if (!p || !r->check || regex_compile(p, err) == 0)
		return p;
	regex_free(p);
	return NULL;
}

/* Any of the texts may be NULL. */
static int add_pattern(struct reader *r, struct patterns *to, const char *name,
		       const char *text, const char *near, struct err *err)
{
	struct named_pattern p = { .name = name };
	struct grammar *g = r->g;

	to->v = arena_grow(&g->arena, to->v, &to->cap, to->n + 1, sizeof(p));
	if (text)
		p.pattern = make_pattern(r, text, err);
	if (near)
		p.near = make_pattern(r, near, err);
	to->v[to->n++] = p;
	return (text && !p.pattern) || (near && !p.near) ? -1 : 0;
}

/* A field, or a parameter, whose name may be KEY=VALUE. */
static int read_place(struct reader *r, struct patterns *to, const char *s,
		      struct err *err)
{
	char *name = arena_strdup(&r->g->arena, take_word(&r->arena, &s));
	const char *text = expand(r, s + strspn(s, " \t"), err);
	char *value = strchr(name, '=');

	if (value)
		*value++ = '\0';
	if (!text || add_pattern(r, to, name, text, NULL, err) == -1)
		return -1;
	to->v[to->n - 1].value = value;
	return 0;
}

static int read_kind(const char *name, struct err *err)
{
	int kind = !strcmp(name, "nothing") ? RULE_NOTHING
		 : !strcmp(name, "no-job") ? RULE_NO_JOB
					   : request_kind_by_name(name);

	return kind == -1 ? err_set(err, ERR_INPUT, "no kind '%s'", name)
			  : kind;
}

static int read_command(struct reader *r, const char *s, struct err *err)
{
	struct grammar *g = r->g;
	int kind = read_kind(take_word(&r->arena, &s), err);

	if (kind == -1)
		return -1;
	for (const char *w; *(w = take_word(&g->arena, &s));) {
		struct verb *v = arena_alloc(&g->arena, sizeof(*v));

		v->kind = kind;
		*strmap_put(&g->verbs, w, strlen(w)) = v;
	}
	return 0;
}

/* The number of the fact or mark; a mark may be defined further down. */
static size_t fact_number(struct grammar *g, const char *name)
{
	void **n = strmap_put(&g->fact_names, name, strlen(name));

	if (!*n)
		*n = (void *)(uintptr_t)g->fact_names.n;
	return (uintptr_t)*n - 1;
}

/* The length of the group "a|b" that begins at "c", and whether the code knows
 * it all without a pattern. */
static size_t group_length(const struct condition *c, bool *known)
{
	size_t n = 0;

	*known = true;
	do
		*known &= c[n].fact < FACT_N;
	while (c[n++].or_next);
	return n;
}

/* Conditions that cost nothing come first. */
static void copy_groups(struct rule *rule, const struct condition *c, size_t n,
			bool cheap)
{
	for (size_t i = 0, len; i < n; i += len) {
		bool known;

		len = group_length(c + i, &known);
		if (known != cheap)
			continue;
		memcpy(rule->condition + rule->n, c + i, len * sizeof(*c));
		rule->n += len;
	}
}

static int read_conditions(struct grammar *g, struct rule *rule, const char *s,
			   struct err *err)
{
	struct condition c[CONDITIONS_MAX];
	size_t n = 0;

	for (const char *w; *(w = take_word(&g->arena, &s));) {
		const char *bar;

		do {
			bar = strchr(w, '|');
			if (n == CONDITIONS_MAX)
				return err_set(err, ERR_INPUT,
					       "too many conditions");
			c[n].negate = *w == '!';
			w += c[n].negate;
			c[n].anywhere = *w == '~';
			c[n].where = *w == '<' ? -1 : *w == '>';
			w += c[n].anywhere || c[n].where;
			if (bar)
				w = arena_strndup(&g->arena, w,
						  (size_t)(bar - w));
			c[n].fact = fact_number(g, w);
			c[n++].or_next = bar;
			w = bar ? bar + 1 : w;
		} while (bar);
	}
	rule->condition = arena_array(&g->arena, n, sizeof(*c));
	rule->n = 0;
	copy_groups(rule, c, n, true);
	copy_groups(rule, c, n, false);
	return 0;
}

/* "{plain} patch": the conditions of "let plain ..." put in. */
static const char *put_in_macros(struct reader *r, const char *s,
				 struct err *err)
{
	struct buf out = BUF_INIT(RULES_MAX);

	for (size_t n; *s; s += n) {
		struct macro *m;

		n = macro_length(s);
		if (!n) {
			buf_addch(&out, *s);
			n = 1;
			continue;
		}
		m = find_macro(r, s, n, err);
		if (!m) {
			buf_release(&out);
			return NULL;
		}
		buf_addstr(&out, m->text);
	}
	return keep(&r->g->arena, &out, err);
}

static int read_rule(struct reader *r, const char *s, bool late,
		     struct err *err)
{
	struct grammar *g = r->g;
	struct rule rule = { .name = take_word(&g->arena, &s), .late = late };

	rule.kind = read_kind(take_word(&r->arena, &s), err);
	if (rule.kind == -1)
		return -1;
	rule.sure = strtod(take_word(&r->arena, &s), NULL);
	if (rule.sure < 0 || rule.sure > 1)
		return err_set(err, ERR_INPUT, "not between 0 and 1");
	s = put_in_macros(r, s, err);
	if (!s || read_conditions(g, &rule, s, err) == -1)
		return -1;
	g->rule = arena_grow(&g->arena, g->rule, &g->rule_cap, g->nrule + 1,
			     sizeof(rule));
	g->rule[g->nrule++] = rule;
	return 0;
}

static int read_under(struct reader *r, const char *s)
{
	const char *mark = take_word(&r->g->arena, &s);

	for (const char *w; *(w = take_word(&r->g->arena, &s));)
		*strmap_put(&r->under, w, strlen(w)) = (void *)(uintptr_t)mark;
	return 0;
}

static int read_statement(struct reader *r, const char *s, struct err *err)
{
	struct grammar *g = r->g;
	const char *what = take_word(&r->arena, &s);

	if (!strcmp(what, "let"))
		return read_let(r, s, err);
	if (!strcmp(what, "word"))
		return read_words(&g->words, &g->arena, s);
	if (!strcmp(what, "opener"))
		return read_words(&g->openers, &g->arena, s);
	if (!strcmp(what, "entity"))
		return read_alternative(r, &r->entities, s, err);
	if (!strcmp(what, "line"))
		return read_alternative(r, &r->lines, s, err);
	if (!strcmp(what, "mark"))
		return read_mark(r, &r->marks, s, err);
	if (!strcmp(what, "near"))
		return read_mark(r, &r->near, s, err);
	if (!strcmp(what, "under"))
		return read_under(r, s);
	if (!strcmp(what, "field"))
		return read_place(r, &g->fields, s, err);
	if (!strcmp(what, "param"))
		return read_place(r, &g->params, s, err);
	if (!strcmp(what, "command"))
		return read_command(r, s, err);
	if (!strcmp(what, "rule") || !strcmp(what, "late"))
		return read_rule(r, s, *what == 'l', err);
	return err_set(err, ERR_INPUT, "no statement '%s'", what);
}

/*
 * One statement from "*s": its line and those that begin with a blank, joined
 * by '\n' with their indentation gone.  NULL at the end.
 */
static const char *take_statement(struct arena *a, const char **s,
				  size_t *line, size_t *next)
{
	struct buf out = BUF_INIT(RULES_MAX);
	const char *text = NULL;

	*line = *next;
	while (**s && (!out.len || **s == ' ' || **s == '\t')) {
		size_t len = strcspn(*s, "\n"), skip = strspn(*s, " \t");

		if (out.len)
			buf_addch(&out, '\n');
		else
			*line = *next;
		if (**s != '#' && skip < len)
			buf_add(&out, *s + skip, len - skip);
		*s += len + ((*s)[len] == '\n');
		++*next;
	}
	if (out.len)
		text = arena_strdup(a, out.s);
	buf_release(&out);
	return text;
}

static void place_under(struct reader *r)
{
	struct grammar *g = r->g;

	for (size_t i = 0; i < r->under.n; i++)
		fact_number(g, r->under.entry[i].value);
	g->under = arena_array(&g->arena, g->fact_names.n, sizeof(*g->under));
	for (size_t i = FACT_N; i < g->fact_names.n; i++) {
		const char *mark = strmap_get(&r->under,
					      g->fact_names.entry[i].key);

		if (mark)
			g->under[i - FACT_N] = fact_number(g, mark) + 1;
	}
}

/* Marks are compiled in the order of their numbers, given by the rules or
 * first asked for by the code. */
static int compile_marks(struct reader *r, struct err *err)
{
	struct grammar *g = r->g;

	for (size_t i = 0; i < r->marks.n; i++)
		fact_number(g, r->marks.entry[i].key);
	for (size_t i = 0; i < r->near.n; i++)
		fact_number(g, r->near.entry[i].key);
	place_under(r);
	for (size_t i = FACT_N; i < g->fact_names.n; i++) {
		const char *name = g->fact_names.entry[i].key;
		const char *text = strmap_get(&r->marks, name);
		const char *near = strmap_get(&r->near, name);

		if (!text && !near)
			return err_set(err, ERR_INPUT, "no mark '%s'", name);
		if (add_pattern(r, &g->marks, name, text, near, err) == -1)
			return err_in(err, "mark %s", name);
	}
	return 0;
}

static int read_rules(struct reader *r, const char *path, const char *s,
		      struct err *err)
{
	size_t line = 1, next = 1;
	const char *text;

	while ((text = take_statement(&r->arena, &s, &line, &next)))
		if (read_statement(r, text, err) == -1)
			return err_in(err, "%s:%zu", path, line);
	if (compile_marks(r, err) == -1)
		return err_in(err, "%s", path);
	for (size_t i = 0; i < r->g->fields.n; i++)
		if (!strcmp(r->g->fields.v[i].name, "reach"))
			r->g->reach = r->g->fields.v[i].pattern;
	/* No entity begins within a word. */
	r->g->entities = make_pattern(r, arena_printf(&r->arena,
		"(?<![A-Za-z0-9])(%s)", r->entities.s), err);
	if (!r->g->entities)
		return err_in(err, "%s: entities", path);
	r->g->lines = make_pattern(r, r->lines.s, err);
	return r->g->lines ? 0 : err_in(err, "%s: lines", path);
}

static struct grammar *grammar_new(void)
{
	struct grammar *g = calloc(1, sizeof(*g));

	if (!g)
		die_no_memory();
	strmap_init(&g->words, &g->arena);
	strmap_init(&g->openers, &g->arena);
	strmap_init(&g->verbs, &g->arena);
	strmap_init(&g->fact_names, &g->arena);
	for (size_t i = 0; i < FACT_N; i++)
		fact_number(g, fact_names[i]);
	return g;
}

static struct grammar *grammar_read(const char *path, bool check_all,
				    struct err *err)
{
	struct reader r = { .g = grammar_new(), .check = check_all,
			    .lines = BUF_INIT(PATTERN_MAX),
			    .entities = BUF_INIT(PATTERN_MAX) };
	struct buf text = BUF_INIT(RULES_MAX);

	strmap_init(&r.macros, &r.arena);
	strmap_init(&r.marks, &r.arena);
	strmap_init(&r.near, &r.arena);
	strmap_init(&r.under, &r.arena);
	if (file_read(path, &text, err) == -1 ||
	    read_rules(&r, path, text.s, err) == -1) {
		grammar_free(r.g);
		r.g = NULL;
	}
	buf_release(&text);
	buf_release(&r.lines);
	buf_release(&r.entities);
	arena_release(&r.arena);
	return r.g;
}

struct grammar *grammar_load(const char *path, struct err *err)
{
	struct buf own = BUF_INIT(4096);
	struct grammar *g;

	if (!path)
		place_data(&own, "requests.rules");
	g = grammar_read(path ? path : own.s, path, err);
	buf_release(&own);
	return g;
}

static void patterns_release(struct patterns *p)
{
	for (size_t i = 0; i < p->n; i++) {
		regex_free(p->v[i].pattern);
		regex_free(p->v[i].near);
	}
}

void grammar_free(struct grammar *g)
{
	if (!g)
		return;
	patterns_release(&g->marks);
	patterns_release(&g->fields);
	patterns_release(&g->params);
	regex_free(g->lines);
	regex_free(g->entities);
	arena_release(&g->arena);
	free(g);
}

bool grammar_field(const struct grammar *g, const char *name, const char *s,
		   size_t len, struct span *v)
{
	for (size_t i = 0; i < g->fields.n; i++) {
		struct match m;

		if (strcmp(g->fields.v[i].name, name))
			continue;
		if (!regex_find(g->fields.v[i].pattern, s, len, 0, &m))
			continue;
		*v = m.v.from < m.v.to ? m.v : m.all;
		return true;
	}
	return false;
}

static struct regex *mark_pattern(const struct grammar *g, const char *name)
{
	size_t i = (uintptr_t)strmap_get(&g->fact_names, name);

	return i > FACT_N ? g->marks.v[i - 1 - FACT_N].pattern : NULL;
}

bool grammar_mark(const struct grammar *g, const char *name, const char *s,
		  size_t len)
{
	struct regex *p = mark_pattern(g, name);

	return p && regex_is_in(p, s, len);
}

bool grammar_may_mark(const struct grammar *g, const char *name,
		      const char *s, size_t len)
{
	struct regex *p = mark_pattern(g, name);

	return p && regex_may_be_in(p, s, len);
}
