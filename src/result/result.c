#include "result/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "data/yaml.h"
#include "result/build.h"
#include "result/readers.h"

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
	if (id >= r->nby_id || !r->by_id[id])
		return NULL;
	return &r->series[r->by_id[id] - 1];
}

const struct series *result_series(const struct result *r, const char *name)
{
	uintptr_t place = (uintptr_t)strmap_get(r->names, name);

	return place ? result_series_id(r, (uint32_t)(place - 1)) : NULL;
}

void results_init(struct results *r)
{
	*r = (struct results){ .facts = json_object() };
	strmap_init(&r->names, &r->arena);
}

static void result_release(struct result *r)
{
	json_decref(r->job);
	for (size_t i = 0; r->run_job && i < r->runs; i++)
		json_decref(r->run_job[i]);
	free(r->series);
	free(r->by_id);
}

void results_release(struct results *r)
{
	for (size_t i = 0; i < r->n; i++)
		result_release(r->result[i]);
	json_decref(r->facts);
	arena_release(&r->arena);
	*r = (struct results){ .n = 0 };
}

int results_read(struct results *r, const char *path, struct err *err)
{
	if (file_is_folder(path))
		return read_lkp_folder(r, path, err);
	return read_file(r, path, err);
}

int results_read_facts(struct results *r, const char *path, struct err *err)
{
	/* JSON is YAML, so one reader does. */
	json_t *facts = yaml_read_file(path, FACTS_MAX, YAML_TYPED, err);

	if (!facts)
		return -1;
	if (!json_is_object(facts)) {
		json_decref(facts);
		return err_set(err, ERR_INPUT, "%s:1: facts are a map", path);
	}
	json_object_update_recursive(r->facts, facts);
	json_decref(facts);
	return 0;
}
