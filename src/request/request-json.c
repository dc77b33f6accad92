#include "request/request-json.h"

#include <math.h>
#include <string.h>

#include "data/json.h"

json_t *commands_json(const struct requests *r)
{
	json_t *v = json_array();

	for (size_t i = 0; i < r->ncommand; i++)
		json_array_append_new(v, json_pack("{s:I,s:o}",
			"line", (json_int_t)r->command[i].line,
			"text", json_text(r->command[i].text)));
	return v;
}

/* A key that stands several times has a list of values. */
static json_t *params_json(const struct request *r)
{
	json_t *v = json_object();

	for (size_t i = 0; i < r->nparam; i++) {
		const struct parameter *p = &r->param[i];
		json_t *old = json_object_get(v, p->key), *list;

		if (!old) {
			json_object_set_new(v, p->key, json_text(p->value));
		} else if (json_is_array(old)) {
			json_array_append_new(old, json_text(p->value));
		} else {
			list = json_array();
			json_array_append(list, old);
			json_array_append_new(list, json_text(p->value));
			json_object_set_new(v, p->key, list);
		}
	}
	return v;
}

json_t *request_json(const struct request *r)
{
	json_t *v = json_pack("{s:s,s:f,s:o,s:o,s:I,s:s}",
		"kind", request_kind_name(r->kind),
		"confidence", round(r->confidence * 100) / 100,
		"evidence", json_text(r->evidence),
		"rule", json_text(r->rule), "line", (json_int_t)r->line,
		"patch", patch_source_name(r->patch));

	json_object_set_new(v, "url", json_text(r->url));
	json_object_set_new(v, "msgid", json_text(r->msgid));
	json_object_set_new(v, "tree", json_text(r->tree));
	json_object_set_new(v, "branch", json_text(r->branch));
	json_object_set_new(v, "commit", json_text(r->commit));
	json_object_set_new(v, "base", json_text(r->base));
	json_object_set_new(v, "params", params_json(r));
	json_object_set_new(v, "count", r->count ? json_integer(r->count)
						 : json_null());
	json_object_set_new(v, "scope", json_text(r->scope));
	json_object_set_new(v, "title", json_text(r->title));
	json_object_set_new(v, "version", json_text(r->version));
	json_object_set_new(v, "revert", json_text(r->revert));
	json_object_set_new(v, "series", json_boolean(r->series));
	return v;
}

json_t *requests_json(const struct requests *r)
{
	json_t *v = json_array();

	for (size_t i = 0; i < r->n; i++)
		json_array_append_new(v, request_json(&r->request[i]));
	return v;
}

json_t *explanations_json(const struct requests *r)
{
	json_t *v = json_array();

	for (size_t i = 0; i < r->nexplanation; i++) {
		const struct explanation *e = &r->explanation[i];

		json_array_append_new(v, json_pack("{s:I,s:o,s:o,s:o}",
			"line", (json_int_t)e->line,
			"sentence", json_text(e->sentence),
			"rule", json_text(e->rule), "why", json_text(e->why)));
	}
	return v;
}
