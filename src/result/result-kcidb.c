#include <string.h>

#include "base/err.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/unite.h"

/*
 * KernelCI's kcidb I/O: each test object is a run of one path, on a build of a
 * checkout.  Paths have their own numbers of runs, so failures are counted for
 * each, not by column.
 */

struct kcidb {
	struct results *rs;
	const char *path;
	struct arena arena;
	struct strmap checkouts, builds;	/* id -> json_t * */
	struct part *first, *last;
};

/* The runs of one commit on one kind of build. */
struct part {
	struct result *r;
	struct unite u;
	struct strmap counts;		/* path -> struct count * */
	struct part *next;
};

struct count {
	size_t runs, fails;
};

static void index_by_id(struct strmap *m, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *v = json_array_get(list, i);
		const char *id = json_member_text(v, "id");

		if (id)
			*strmap_put(m, id, strlen(id)) = v;
	}
}

static const json_t *find(const struct strmap *m, const json_t *v,
			  const char *key)
{
	const char *id = json_member_text(v, key);

	return id ? strmap_get(m, id) : NULL;
}

static void set_axis(struct kcidb *k, struct result *r, const char *key,
		     const json_t *v, const char *member)
{
	const char *text = json_member_text(v, member);

	if (text)
		result_set_axis(k->rs, r, key, text);
}

/* The part of a build; NULL when nobody knows its commit. */
static struct part *find_part(struct kcidb *k, const json_t *build)
{
	const json_t *checkout = find(&k->checkouts, build, "checkout_id");
	struct result *r;
	struct part *p;

	if (!json_member_text(checkout, "git_commit_hash"))
		return NULL;
	r = result_new(k->rs, k->path);
	r->is_sure = true;
	set_axis(k, r, "arch", build, "architecture");
	set_axis(k, r, "compiler", build, "compiler");
	set_axis(k, r, "kconfig", build, "config_name");
	set_axis(k, r, "commit", checkout, "git_commit_hash");
	result_set_axis(k->rs, r, "testcase", "kcidb");
	for (p = k->first; p; p = p->next)
		if (result_same_axes(p->r, r, NULL)) {
			results_cut(k->rs, k->rs->n - 1);
			return p;
		}
	p = arena_alloc(&k->arena, sizeof(*p));
	p->r = r;
	unite_init(&p->u);
	strmap_init(&p->counts, &k->arena);
	if (k->last)
		k->last->next = p;
	else
		k->first = p;
	return k->last = p;
}

static void add_number(struct kcidb *k, struct part *p, const char *path,
		       const json_t *number)
{
	const json_t *value = json_object_get(number, "value");

	if (!json_is_number(value))
		return;
	unite_addf(&p->u, value, "%s", path);
	suggest_metric(k->rs, path, json_member_text(number, "unit"),
		       NO_DIRECTION, NULL, true);
}

static void add_test(struct kcidb *k, const json_t *v)
{
	const json_t *build = find(&k->builds, v, "build_id");
	const char *path = json_member_text(v, "path");
	const char *status = json_member_text(v, "status");
	struct part *p = build && path && status ? find_part(k, build) : NULL;
	bool failed;
	void **count;

	if (!p || !strcmp(status, "MISS") || !strcmp(status, "SKIP"))
		return;
	failed = !strcmp(status, "FAIL") || !strcmp(status, "ERROR");
	count = strmap_put(&p->counts, path, strlen(path));
	if (!*count)
		*count = arena_alloc(&k->arena, sizeof(struct count));
	((struct count *)*count)->runs++;
	((struct count *)*count)->fails += failed;
	add_number(k, p, path, json_object_get(v, "number"));
}

static void finish_part(struct kcidb *k, struct part *p)
{
	unite_finish(&p->u, k->rs, p->r);
	unite_release(&p->u);
	for (size_t i = 0; i < p->counts.n; i++) {
		const struct count *c = p->counts.entry[i].value;
		const struct summary sum = {
			.is_failure = true, .fails = (double)c->fails,
			.runs = c->runs };
		struct series *s = result_at(k->rs, p->r, arena_printf(
			&k->arena, "%s.fail", p->counts.entry[i].key));

		if (!s->n)
			series_set_summary(&k->rs->arena, s, &sum);
		if (c->runs > p->r->runs)
			p->r->runs = c->runs;
	}
}

int read_kcidb(struct results *rs, const char *path, const json_t *root,
	       struct err *err)
{
	const json_t *tests = json_object_get(root, "tests");
	struct kcidb k = { .rs = rs, .path = path };
	bool any;

	strmap_init(&k.checkouts, &k.arena);
	strmap_init(&k.builds, &k.arena);
	index_by_id(&k.checkouts, json_object_get(root, "checkouts"));
	index_by_id(&k.builds, json_object_get(root, "builds"));
	for (size_t i = 0; i < json_array_size(tests); i++)
		add_test(&k, json_array_get(tests, i));
	for (struct part *p = k.first; p; p = p->next)
		finish_part(&k, p);
	any = k.first != NULL;
	arena_release(&k.arena);
	if (!any)
		return err_set(err, ERR_INPUT, "%s:1: no test in it that was run "
			       "on a known commit", path);
	return 0;
}
