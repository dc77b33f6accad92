#include "bot/spec.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "mail/id.h"

#define RUNS_TIMES_MAX 4	/* a mail may ask for so many times our runs */

static json_t *side(const char *name, const char *commit, const char *as)
{
	return json_pack("{s:s,s:s,s:s}", "name", name, "commit", commit,
			 "as", as);
}

/* The commits that the report compared. */
static void add_reported(json_t *sides, const struct stored_report *r)
{
	if (*r->base)
		json_array_append_new(sides, side("base", r->base, r->base));
	json_array_append_new(sides, side("reported", r->tested, r->tested));
}

static json_t *patch_json(const struct source *src)
{
	json_t *p = json_pack("{s:s,s:s}", "source", src->kind, "id",
			      src->digest);

	if (src->id)
		json_object_set_new(p, "message_id", json_string(src->id));
	if (src->url)
		json_object_set_new(p, "url", json_string(src->url));
	if (src->subject)
		json_object_set_new(p, "subject", json_string(src->subject));
	if (src->pending)
		json_object_set_new(p, "pending", json_true());
	else
		json_object_set_new(p, "mbox", json_string(src->mbox));
	return p;
}

static void add_patched(struct spec *s, json_t *sides,
			const struct stored_report *r, const struct source *src,
			struct arena *a)
{
	json_t *patched;

	/* On another commit the patch's share shows only beside that one. */
	if (strcmp(s->base, r->tested))
		json_array_append_new(sides, side("onto", s->base, s->base));
	patched = side("patched", s->base,
		       arena_printf(a, "%.12s+%.8s", s->base, src->digest));
	json_object_set_new(patched, "patch", patch_json(src));
	json_array_append_new(sides, patched);
}

bool spec_is_ref(const char *name)
{
	size_t len = strlen(name);

	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._/+~^@-", *c))
			return false;
	return len && len <= 200 && *name != '-' && *name != '.' &&
	       *name != '/' && !strstr(name, "..") && !strstr(name, "@{");
}

static void add_tree(json_t *sides, const struct stored_report *r,
		     const struct request *q, struct arena *a)
{
	const char *branch = q->branch && spec_is_ref(q->branch) ? q->branch
			     : NULL;
	const char *point = q->commit ? q->commit : branch ? branch : "HEAD";
	const char *tree = q->tree ? q->tree : r->tree;
	json_t *tip = side("tip", point, arena_printf(a, "%s", point));

	if (*tree)
		json_object_set_new(tip, "tree", json_string(tree));
	if (branch)
		json_object_set_new(tip, "branch", json_string(branch));
	json_array_append_new(sides, tip);
}

static json_t *parameters(const struct request *q)
{
	json_t *v = json_object();

	for (size_t i = 0; i < q->nparam; i++)
		json_object_set_new(v, q->param[i].key,
				    json_string(q->param[i].value));
	return v;
}

bool spec_is_patched(const struct request *r)
{
	return r->kind == REQUEST_RERUN_WITH_PATCH || r->revert;
}

static int runs_of(const struct bot *bot, const struct request *q)
{
	int runs = bot->settings->runs;

	if (q->count <= 0)
		return runs;
	return q->count < runs * RUNS_TIMES_MAX ? q->count
						: runs * RUNS_TIMES_MAX;
}

static bool has_results(const struct stored_report *r)
{
	return strcmp(r->results, "[]") != 0 && *r->results;
}

static json_t *sides_of(struct spec *s, const struct bot *bot,
			const struct stored_report *r, const struct request *q,
			const struct source *src, struct arena *a)
{
	json_t *sides = json_array();
	bool anew = q->kind == REQUEST_RERUN ||
		    q->kind == REQUEST_CHANGE_PARAMS ||
		    bot->settings->remeasure || !has_results(r);

	s->reused = !anew;
	if (anew)
		add_reported(sides, r);
	if (spec_is_patched(q))
		add_patched(s, sides, r, src, a);
	else if (q->kind == REQUEST_RERUN_WITH_TREE)
		add_tree(sides, r, q, a);
	return sides;
}

/* What is measured, without the text of the patch and what is only told. */
static const char *key_of(const json_t *spec, const struct stored_report *r,
			  struct arena *a)
{
	static const char *const told[] = { "mbox", "source", "message_id",
					    "url", "subject", NULL };
	json_t *copy = json_deep_copy(spec), *one;
	struct buf text = BUF_INIT((size_t)1 << 20);
	const char *part[2];
	char hex[DIGEST_HEX];
	size_t i;

	json_array_foreach(json_object_get(copy, "sides"), i, one) {
		json_t *patch = json_object_get(one, "patch");

		for (const char *const *t = told; patch && *t; t++)
			json_object_del(patch, *t);
	}
	json_write(&text, copy, 0);
	part[0] = r->key;
	part[1] = text.s;
	digest(part, 2, hex);
	json_decref(copy);
	buf_release(&text);
	return arena_strdup(a, hex);
}

static const char *why(const struct stored_report *r, const struct request *q,
		       const char *onto, const char *base)
{
	if (q->base || (q->commit && spec_is_patched(q)))
		return "as you asked";
	if (onto && strcmp(base, r->tested))
		return "the patch does not apply to the commit reported";
	return "the commit reported; no other was named";
}

static void copy_facts(json_t *spec, const struct stored_report *r)
{
	static const char *const member[] = { "axes", "test", "job", NULL };
	json_t *facts = json_read_text(r->facts, strlen(r->facts),
				       "facts", NULL), *v;

	for (const char *const *m = member; *m; m++) {
		v = json_object_get(facts, *m);
		if (v)
			json_object_set(spec, *m, v);
	}
	json_decref(facts);
}

void spec_make(struct spec *s, const struct bot *bot,
	       const struct stored_report *report, const struct request *r,
	       const struct source *src, const char *onto, struct arena *a)
{
	json_t *sides, *spec;

	*s = (struct spec){ .runs = runs_of(bot, r) };
	s->base = onto ? onto : report->tested;
	s->base_why = why(report, r, onto, s->base);
	sides = sides_of(s, bot, report, r, src, a);
	s->sides = (int)json_array_size(sides);
	spec = json_pack("{s:s,s:s,s:s,s:i,s:o}", "format", "perfpost-job/1",
			 "report", report->key, "headline", report->stat,
			 "runs", s->runs, "sides", sides);
	if (r->nparam)
		json_object_set_new(spec, "parameters", parameters(r));
	if (*report->tree)
		json_object_set_new(spec, "tree", json_string(report->tree));
	if (*report->branch)
		json_object_set_new(spec, "branch",
				    json_string(report->branch));
	s->key = key_of(spec, report, a);
	copy_facts(spec, report);
	s->json = spec;
	s->minutes = bot->settings->minutes * s->runs * s->sides;
}

const char *spec_again(const struct spec *s, int round, struct arena *a)
{
	return arena_printf(a, "%s/%d", s->key, round);
}
