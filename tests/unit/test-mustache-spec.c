/*
 * The official cases of the Mustache specification, in lax HTML mode.  They
 * stand beside the source (../shared/mustache-spec); where they do not, this
 * is skipped.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "data/json.h"
#include "render/mustache.h"

static int find_partial(void *arg, struct arena *a, const char *name,
			struct mustache_source *source, struct err *err)
{
	const json_t *text = json_object_get(arg, name);

	(void)err;
	if (!text)
		return 0;
	source->file = arena_strdup(a, name);
	source->text = json_string_value(text);
	source->len = json_string_length(text);
	return 1;
}

static int passes(const char *file, const json_t *test)
{
	const json_t *text = json_object_get(test, "template");
	const char *want = json_string_value(json_object_get(test, "expected"));
	struct mustache_options o = {
		.html = true,
		.partial = find_partial,
		.arg = json_object_get(test, "partials"),
	};
	struct mustache_source source = { file, json_string_value(text),
					  json_string_length(text) };
	struct buf out = BUF_INIT(100000);
	struct err err = ERR_INIT;
	int ok;

	ok = !mustache_render(&out, &source, json_object_get(test, "data"), &o,
			      &err) && !strcmp(out.s, want);
	if (!ok)
		printf("%s: %s: wanted \"%s\", got \"%s\" %s\n", file,
		       json_string_value(json_object_get(test, "name")), want,
		       out.s, err.text);
	buf_release(&out);
	return ok;
}

int main(void)
{
	const char *top = getenv("top_srcdir");
	struct buf pattern = BUF_INIT(4096);
	size_t good = 0, total = 0, i;
	json_t *test;
	glob_t g;

	buf_addf(&pattern, "%s/../shared/mustache-spec/*.json",
		 top ? top : ".");
	if (glob(pattern.s, 0, NULL, &g)) {
		printf("SKIP: no %s\n", pattern.s);
		buf_release(&pattern);
		return 77;
	}
	for (size_t f = 0; f < g.gl_pathc; f++) {
		json_t *spec = json_load_file(g.gl_pathv[f], 0, NULL);

		json_array_foreach(json_object_get(spec, "tests"), i, test) {
			total++;
			good += (size_t)passes(g.gl_pathv[f], test);
		}
		json_decref(spec);
	}
	printf("mustache-spec: %zu of %zu right\n", good, total);
	globfree(&g);
	buf_release(&pattern);
	return good == total && total > 0 ? 0 : 1;
}
