#include "render/template-set.h"

#include <limits.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/place.h"
#include "data/yaml.h"
#include "render/mustache.h"

enum {
	PATH_LIMIT = 4096,
	TEMPLATE_MAX = 1 << 20,
	SET_MAX = 1 << 20,
};

static const char *find_folder(struct arena *a, const char *name,
			       const char *own)
{
	struct buf path = BUF_INIT(PATH_LIMIT);
	const char *folder = NULL;

	if (strchr(name, '/'))
		return arena_strdup(a, name);
	if (own) {
		folder = arena_printf(a, "%s/%s", own, name);
		if (file_is_folder(folder))
			return folder;
	}
	place_data(&path, "templates");
	folder = arena_printf(a, "%s/%s", path.s, name);
	buf_release(&path);
	return folder;
}

/*
 * "eras" goes from the newest to the oldest: each says what was otherwise
 * "until" a year, and counts for that year and all before it.
 */
static int apply_eras(json_t *option, const json_t *eras, int era,
		      const char *file, struct err *err)
{
	json_t *one, *value;
	const char *key;
	size_t i;

	json_array_foreach(eras, i, one) {
		json_t *until = json_object_get(one, "until");

		if (!json_is_integer(until))
			return err_set(err, ERR_INPUT,
				       "%s: an era without 'until: YEAR'",
				       file);
		json_object_foreach(one, key, value)
			if (value != until && !json_object_get(option, key))
				return err_set(err, ERR_INPUT, "%s: era %d: "
					       "no option '%s'", file,
					       (int)json_integer_value(until),
					       key);
		if (!era || era > json_integer_value(until))
			continue;
		json_object_update_existing(option, one);
	}
	return 0;
}

static int read_options(struct template_set *s, int era, struct err *err)
{
	const char *file = arena_printf(&s->arena, "%s/set.yaml", s->folder);
	json_t *set, *given;
	int rc;

	if (!file_exists(file))
		return 0;
	set = yaml_read_file(file, SET_MAX, YAML_TYPED, err);
	if (!set)
		return -1;
	given = json_object_get(set, "options");
	if (json_is_object(given))
		json_object_update(s->option, given);
	rc = apply_eras(s->option, json_object_get(set, "eras"), era, file,
			err);
	json_decref(set);
	return rc;
}

int template_set_open(struct template_set *s, const char *name,
		      const char *own, int era, struct err *err)
{
	*s = (struct template_set){ .option = json_object() };
	s->folder = find_folder(&s->arena, name, own);
	if (!file_is_folder(s->folder))
		return err_set(err, ERR_USAGE, "no template set '%s'", name);
	return read_options(s, era, err);
}

void template_set_release(struct template_set *s)
{
	json_decref(s->option);
	arena_release(&s->arena);
	*s = (struct template_set){ .folder = NULL };
}

static json_t *option_value(const char *text)
{
	struct arena a = ARENA_INIT;
	struct yaml *y = yaml_parse(&a, text, strlen(text), "option", NULL);
	json_t *v = NULL;

	if (y && y->kind == YAML_SCALAR)
		v = yaml_to_json(y, YAML_TYPED);
	arena_release(&a);
	return v ? v : json_text(text);
}

int template_set_option(struct template_set *s, const char *text,
			struct err *err)
{
	const char *equals = strchr(text, '=');
	const char *key;

	if (!equals)
		return err_set(err, ERR_USAGE, "'%s' is no KEY=VALUE", text);
	key = arena_strndup(&s->arena, text, (size_t)(equals - text));
	if (!json_object_get(s->option, key))
		return err_set(err, ERR_USAGE, "the template set has no option "
			       "'%s'", key);
	json_object_set_new(s->option, key, option_value(equals + 1));
	return 0;
}

/* A template's name is a word: it leads nowhere but into the set's folder. */
static bool is_word(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz"
				"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return n > 0 && n < 64 && !name[n];
}

static const char *file_of(const struct template_set *s, struct arena *a,
			   const char *name)
{
	return arena_printf(a, "%s/%s.mustache", s->folder, name);
}

bool template_set_has(const struct template_set *s, const char *name)
{
	struct arena a = ARENA_INIT;
	bool has = is_word(name) && file_exists(file_of(s, &a, name));

	arena_release(&a);
	return has;
}

/* As struct mustache_options wants it. */
static int find_template(void *arg, struct arena *a, const char *name,
			 struct mustache_source *source, struct err *err)
{
	const struct template_set *s = arg;
	struct buf text = BUF_INIT(TEMPLATE_MAX);
	int rc;

	if (!is_word(name))
		return 0;
	source->file = file_of(s, a, name);
	if (!file_exists(source->file))
		return 0;
	rc = file_read(source->file, &text, err);
	source->text = arena_strndup(a, text.s, text.len);
	source->len = text.len;
	buf_release(&text);
	return rc == -1 ? -1 : 1;
}

int template_set_render(const struct template_set *s, const char *name,
			const json_t *data, bool html, struct buf *out,
			struct err *err)
{
	struct mustache_options options = {
		.strict = true, .html = html,
		.partial = find_template, .arg = (void *)s,
	};
	struct mustache_source source = { .text = "" };
	struct arena a = ARENA_INIT;
	int rc = find_template((void *)s, &a, name, &source, err);

	if (rc == 0)
		rc = err_set(err, ERR_INPUT, "%s: no template '%s'", s->folder,
			     name);
	else if (rc == 1)
		rc = mustache_render(out, &source, data, &options, err);
	arena_release(&a);
	return rc;
}
