#include "result/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "data/source.h"
#include "data/yaml.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/side.h"

#define FACTS_MAX ((size_t)16 << 20)

const char *result_axis(const struct result *r, const char *key)
{
	for (size_t i = 0; i < r->naxis; i++)
		if (!strcmp(r->axis[i].key, key))
			return r->axis[i].value;
	return NULL;
}

const struct series *result_series_id(const struct result *r, uint32_t id)
{
	size_t place = (size_t)id + 1;

	if (r->by_id)
		place = id < r->nby_id ? r->by_id[id] : 0;
	return place && place <= r->nseries ? &r->series[place - 1] : NULL;
}

const struct series *result_series(const struct result *r, const char *name)
{
	size_t id = strset_find(r->names, name, strlen(name));

	return id == STRSET_NONE ? NULL : result_series_id(r, (uint32_t)id);
}

void results_init(struct results *r)
{
	*r = (struct results){ .facts = json_object() };
}

void results_release(struct results *r)
{
	results_cut(r, 0);
	json_decref(r->facts);
	strset_release(&r->names);
	arena_release(&r->arena);
	*r = (struct results){ .n = 0 };
}

static int read_path(struct results *r, const char *path, struct err *err)
{
	if (file_is_folder(path))
		return is_lkp_folder(path) ? read_lkp_folder(r, path, err) :
			read_folder(r, path, err);
	if (strchr(path, ',') && !file_exists(path))
		return read_list(r, path, err);
	return read_file(r, path, err);
}

int results_read(struct results *r, const char *path, struct err *err)
{
	size_t before = r->n;

	if (read_path(r, path, err) == -1) {
		results_cut(r, before);
		return -1;
	}
	name_results(r, before, path);
	r->paths++;
	return 0;
}

/* JSON is nearly YAML, but not quite (a tab between tokens, \ud83d\ude00):
 * what begins as an object is tried as JSON first. */
static json_t *parse_facts(const char *text, size_t len, const char *path,
			   struct err *err)
{
	struct arena a = ARENA_INIT;
	const struct yaml *y;
	json_t *v = NULL;

	if (text[strspn(text, " \t\r\n")] == '{')
		v = json_read_text(text, len, path, err);
	if (!v) {
		struct err why = ERR_INIT;
		bool was_json = text[strspn(text, " \t\r\n")] == '{';

		y = yaml_parse(&a, text, len, path, was_json ? &why : err);
		v = y ? yaml_to_json(y, YAML_TYPED) : NULL;
	}
	arena_release(&a);
	return v;
}

int results_read_facts(struct results *r, const char *path, struct err *err)
{
	struct buf text = BUF_INIT(FACTS_MAX);
	json_t *facts = NULL;
	int rc = -1;

	if (source_read_all(path, &text, err) == 0)
		facts = parse_facts(text.s, text.len, path, err);
	if (json_is_object(facts)) {
		check_facts(facts, path);
		rc = json_object_update_recursive(r->facts, facts);
	} else if (facts) {
		err_set(err, ERR_INPUT, "%s:1: facts are a map", path);
	}
	json_decref(facts);
	buf_release(&text);
	return rc;
}
