/*
 * The command language: "#robot VERB ARGUMENT...", in any order, as
 * perfpost-requests(7) tells it.  A verb that is nearly one of ours is a
 * question back, never an order.
 */
#include "request/find.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "request/reading.h"

#define SURE 1.0
#define UNSURE 0.3

struct command {
	struct finder *f;
	struct request *r;
	struct sentence s;	/* the arguments, read like a sentence */
};

static const char *take_verb(struct arena *a, const char **s)
{
	size_t n = 0;
	char *verb;

	*s += strspn(*s, " ");
	while (isalnum((unsigned char)(*s)[n]) || (*s)[n] == '-' ||
	       (*s)[n] == '_')
		n++;
	verb = arena_strndup(a, *s, n);
	for (char *p = verb; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	*s += n;
	*s += strspn(*s, " :,");
	return verb;
}

/* The verb, mended when it is nearly one; "*sure" says which. */
static const struct verb *find_verb(struct finder *f, const char *word,
				    double *sure)
{
	const struct verb *v = strmap_get(&f->g->verbs, word);
	const char *right;

	*sure = SURE;
	if (v)
		return v;
	*sure = UNSURE;
	right = mend_word(&f->g->verbs, word, strlen(word));
	return right ? strmap_get(&f->g->verbs, right) : NULL;
}

static const struct entity *argument(struct command *c, const char *type)
{
	return sentence_entity(&c->s, type, 0);
}

static const char *argument_text(struct command *c, const char *type)
{
	const struct entity *e = argument(c, type);

	return e ? e->text : NULL;
}

static bool starts(const char *text, const char *key)
{
	size_t n = strlen(key);

	return !strncasecmp(text, key, n) && text[n] == '=';
}

static void add_params(struct command *c)
{
	for (size_t i = 0; i < c->s.nentity; i++) {
		const struct entity *e = &c->s.entity[i];
		const char *eq = strchr(e->text, '=');

		if (!strcmp(e->type, "config"))
			request_add_param(c->f->arena, c->r, "kconfig", e->text);
		if (strcmp(e->type, "kv") || !eq)
			continue;
		if (starts(e->text, "runs") || starts(e->text, "count"))
			c->r->count = atoi(eq + 1);
		else if (starts(e->text, "base"))
			c->r->base = eq + 1;
		else if (starts(e->text, "branch"))
			c->r->branch = eq + 1;
		else
			request_add_param(c->f->arena, c->r,
				arena_strndup(c->f->arena, e->text,
					      (size_t)(eq - e->text)), eq + 1);
	}
}

static int count_argument(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n && n < 5 && (!s[n] || s[n] == ' ') ? atoi(s) : 0;
}

static void read_rerun(struct command *c, const char *args)
{
	add_params(c);
	if (!c->r->count)
		c->r->count = count_argument(args);
	if (c->r->nparam)
		c->r->kind = REQUEST_CHANGE_PARAMS;
}

static const char *word_after(struct command *c, const struct entity *e)
{
	const char *s = c->s.reading + e->at.to;
	size_t n;

	s += strspn(s, " ");
	n = strcspn(s, " ");
	return n && *s != '@' && *s != '_' ?
		       arena_strndup(c->f->arena, s, n) : NULL;
}

/* "test v7.4 v7.5": a request each. */
static void add_points(struct command *c, const char *type)
{
	const struct entity *e = argument(c, type);

	while (e && (e = sentence_entity(&c->s, type, e->at.to))) {
		struct request *r = finder_add(c->f, c->r->kind, 0,
					       NO_SENTENCE);

		if (!r)
			return;
		*r = *c->r;
		r->commit = e->text;
	}
}

static bool read_test_tree(struct command *c)
{
	const struct entity *tree = argument(c, "treeurl");
	const char *point = argument_text(c, "hash");

	if (!point)
		point = argument_text(c, "tag");
	if (!tree && (!point || c->f->m->npatch))
		return false;
	c->r->kind = REQUEST_RERUN_WITH_TREE;
	c->r->commit = point;
	if (tree) {
		c->r->tree = tree->text;
		if (!c->r->branch)
			c->r->branch = word_after(c, tree);
	} else {
		add_points(c, argument(c, "hash") ? "hash" : "tag");
	}
	return true;
}

static void read_test(struct command *c)
{
	const struct entity *url = argument(c, "patchurl");
	const struct entity *id = argument(c, "msgid");

	add_params(c);
	if (!url)
		url = argument(c, "url");
	if (url) {
		c->r->patch = PATCH_FROM_URL;
		c->r->url = url->text;
		c->r->msgid = link_msgid(c->f->arena, url->text);
	} else if (id) {
		c->r->patch = PATCH_FROM_MSGID;
		c->r->msgid = id->text;
	} else if (!read_test_tree(c)) {
		patch_by_presence(c->f, c->r);
	}
	if (c->r->kind != REQUEST_RERUN_WITH_PATCH)
		return;
	c->r->commit = argument_text(c, "tag");
	if (!c->r->commit)
		c->r->commit = argument_text(c, "hash");
	if (!c->r->base)
		c->r->base = c->r->commit;
}

static void read_report(struct command *c)
{
	c->r->url = argument_text(c, "patchurl");
	if (!c->r->url)
		c->r->url = argument_text(c, "url");
	c->r->msgid = c->r->url ? link_msgid(c->f->arena, c->r->url)
				: argument_text(c, "msgid");
}

static void read_fixed(struct command *c, const char *args)
{
	const char *s = args;
	size_t len;

	read_report(c);
	c->r->commit = argument_text(c, "hash");
	if (c->r->url || c->r->msgid)
		return;
	if (c->r->commit && !strncmp(s, c->r->commit, strlen(c->r->commit)))
		s += strlen(c->r->commit);
	s += strspn(s, " (\"");
	len = strlen(s);
	while (len && strchr("\") ", s[len - 1]))
		len--;
	if (len)
		c->r->title = arena_strndup(c->f->arena, s, len);
}

static void read_stop(struct command *c, const char *args)
{
	static const char *const scopes[] = { "thread", "tree", "branch",
					      "list", "all" };
	const char *s = args;
	const char *scope = take_verb(c->f->arena, &s);

	if (!*scope)
		c->r->scope = "thread";
	for (size_t i = 0; i < sizeof(scopes) / sizeof(*scopes); i++)
		if (!strcmp(scope, scopes[i]))
			c->r->scope = scopes[i];
	if (c->r->scope && !strcmp(c->r->scope, "branch") && *s)
		c->r->branch = arena_strndup(c->f->arena, s, strcspn(s, " "));
}

static void read_arguments(struct command *c, const char *args)
{
	switch (c->r->kind) {
	case REQUEST_RERUN:
	case REQUEST_CHANGE_PARAMS:
		read_rerun(c, args);
		break;
	case REQUEST_RERUN_WITH_PATCH:
	case REQUEST_RERUN_WITH_TREE:
		read_test(c);
		break;
	case REQUEST_DUP:
	case REQUEST_STATUS:
	case REQUEST_CANCEL:
		read_report(c);
		break;
	case REQUEST_FIXED:
		read_fixed(c, args);
		break;
	case REQUEST_STOP:
		read_stop(c, args);
		break;
	default:
		break;
	}
}

void command_read(struct finder *f, const struct request_command *line)
{
	struct command c = { .f = f };
	const char *s = line->words, *word = take_verb(f->arena, &s);
	double sure;
	const struct verb *v = find_verb(f, word, &sure);

	c.r = finder_add(f, v ? (enum request_kind)v->kind : REQUEST_HELP,
			 sure, NO_SENTENCE);
	if (!c.r)
		return;
	c.r->rule = !v ? "command-unknown"
		  : sure < SURE ? "command-nearly" : "command";
	c.r->evidence = line->text;
	c.r->line = line->line;
	c.s.text = s;
	sentence_read_again(&c.s, f->arena, f->g, f->robot);
	read_arguments(&c, s);
	finder_explain(f, line->line, line->text, c.r->rule,
		       request_kind_name(c.r->kind));
}
