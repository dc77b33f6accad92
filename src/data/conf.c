#include "data/conf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "base/place.h"
#include "data/conf-check.h"
#include "data/yaml.h"

#define CONF_MAX ((size_t)1 << 20)
#define SECRET_MAX ((size_t)4096)
#define SECRET_COMMAND_MS 30000

/* The first of the places that there is, in "path"; false: none. */
static bool find_file(struct buf *path)
{
	static const char name[] = "perfpost/perfpost.conf";
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (xdg && *xdg)
		buf_addf(path, "%s/%s", xdg, name);
	else if (home && *home)
		buf_addf(path, "%s/.config/%s", home, name);
	if (path->len && file_exists(path->s))
		return true;
	buf_reset(path);
	buf_addf(path, "%s/%s", SYSCONFDIR, name);
	if (file_exists(path->s))
		return true;
	buf_reset(path);
	buf_addf(path, "/etc/%s", name);
	return file_exists(path->s);
}

/* The habitual name of "none at all". */
#define NO_FILE "/dev/null"

static void conf_init(struct conf *c)
{
	*c = (struct conf){ .prefix = "", .arena = malloc(sizeof(*c->arena)) };
	if (!c->arena)
		die_no_memory();
	*c->arena = (struct arena)ARENA_INIT;
}

void conf_release(struct conf *c)
{
	if (c->arena)
		arena_release(c->arena);
	free(c->arena);
	*c = (struct conf){ .prefix = "" };
}

static int parse(struct conf *c, const char *text, size_t len,
		 const char *name, struct err *err)
{
	const struct yaml *root;

	c->file = arena_strdup(c->arena, name);
	root = yaml_parse(c->arena, text, len, name, err);
	if (!root || conf_check(root, name, err) == -1) {
		if (err)
			err->code = ERR_CONFIG;
		return -1;
	}
	c->root = root;
	return 0;
}

int conf_load_text(struct conf *c, const char *text, size_t len,
		   const char *name, struct err *err)
{
	conf_init(c);
	return parse(c, text, len, name, err);
}

int conf_load(struct conf *c, const char *path, struct err *err)
{
	struct buf found = BUF_INIT(8192), text = BUF_INIT(CONF_MAX);
	int rc = 0;

	conf_init(c);
	if (!path)
		path = getenv("PERFPOST_CONFIG");
	if ((!path || !*path) && find_file(&found))
		path = found.s;
	if (path && *path && strcmp(path, NO_FILE)) {
		rc = file_read(path, &text, err);
		if (rc == -1 && err)
			err->code = ERR_CONFIG;
		if (rc == 0)
			rc = parse(c, text.s, text.len, path, err);
	}
	buf_release(&found);
	buf_release(&text);
	return rc;
}

/* The table's line for "path" of this section. */
static const struct conf_key *key_of(const struct conf *c, const char *path,
				     enum conf_type type)
{
	size_t len = strlen(c->prefix);

	for (const struct conf_key *k = conf_keys; k->path; k++)
		if (!strncmp(k->path, c->prefix, len) &&
		    !strcmp(k->path + len, path)) {
			assert(k->type == type);
			return k;
		}
	abort();	/* no such key: our own mistake */
}

/* What the file says, or NULL: not there, or left empty. */
static const struct yaml *find(const struct conf *c, const char *path)
{
	const struct yaml *y = c->root;
	char part[128];

	while (y && *path) {
		size_t len = strcspn(path, ".");

		if (len >= sizeof(part))
			return NULL;
		memcpy(part, path, len);
		part[len] = '\0';
		y = yaml_get(y, part);
		path += len + (path[len] == '.');
	}
	return y && !yaml_is_null(y) ? y : NULL;
}

bool conf_has(const struct conf *c, const char *path)
{
	return find(c, path);
}

static const char *text_of(const struct conf *c, const char *path,
			   enum conf_type type)
{
	const struct conf_key *k = key_of(c, path, type);
	const struct yaml *y = find(c, path);

	return y ? y->text : k->fallback;
}

const char *conf_text(const struct conf *c, const char *path)
{
	return text_of(c, path, CONF_TEXT);
}

int64_t conf_int(const struct conf *c, const char *path)
{
	const char *text = text_of(c, path, CONF_INT);

	return text ? strtoll(text, NULL, 10) : 0;
}

double conf_number(const struct conf *c, const char *path)
{
	const char *text = text_of(c, path, CONF_NUMBER);

	return text ? strtod(text, NULL) : 0;
}

bool conf_bool(const struct conf *c, const char *path)
{
	const char *text = text_of(c, path, CONF_BOOL);

	return text && (!strcmp(text, "true") || !strcmp(text, "yes"));
}

int64_t conf_time(const struct conf *c, const char *path)
{
	const char *text = text_of(c, path, CONF_TIME);
	int64_t seconds = 0;

	if (text && !conf_parse_time(text, &seconds))
		abort();	/* a bad default: our own mistake */
	return seconds;
}

static const char *const *texts(const struct conf *c, const struct yaml *y)
{
	size_t n = !y ? 0 : y->kind == YAML_LIST ? y->n : 1;
	const char **list = arena_array(c->arena, n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = y->kind == YAML_LIST ? y->value[i]->text : y->text;
	return list;
}

const char *const *conf_list(const struct conf *c, const char *path)
{
	const struct conf_key *k = key_of(c, path, CONF_LIST);
	const struct yaml *y = find(c, path);

	if (!y && k->fallback)
		y = yaml_parse(c->arena, k->fallback, strlen(k->fallback),
			       k->path, NULL);
	return texts(c, y);
}

int conf_line(const struct conf *c, const char *path)
{
	const struct yaml *y = find(c, path);

	return y ? y->line : 0;
}

const char *const *conf_names(const struct conf *c, const char *path)
{
	const struct yaml *y = find(c, path);
	size_t n = y && y->kind == YAML_MAP ? y->n : 0;
	const char **list = arena_array(c->arena, n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = y->key[i]->text;
	return list;
}

struct conf conf_section(const struct conf *c, const char *path,
			 const char *name)
{
	const struct yaml *y = find(c, path);
	struct conf section = *c;

	section.root = y ? yaml_get(y, name) : NULL;
	section.prefix = arena_printf(c->arena, "%s%s.*.", c->prefix, path);
	return section;
}

/* Only the first line: a password ends where the line does. */
static void cut_line(struct buf *out)
{
	out->len = strcspn(out->s, "\r\n");
	if (out->cap)
		out->s[out->len] = '\0';
}

static int run_command(const struct conf *c, const struct yaml *y,
		       struct buf *out, struct err *err)
{
	const char *const *argv = texts(c, y);
	struct child_spec spec = { .argv = argv, .out = out,
				   .timeout_ms = SECRET_COMMAND_MS };
	int status = child_run(&spec, err);

	if (status > 0)
		return err_set(err, ERR_CONFIG, "'%s' ended with status %d",
			       argv[0], status);
	return status;
}

int conf_secret(const struct conf *c, const char *path, struct buf *out,
		struct err *err)
{
	const struct conf_key *k = key_of(c, path, CONF_SECRET);
	struct buf secret = BUF_INIT(SECRET_MAX);
	const struct yaml *y;
	char key[160];
	int rc = 0;

	snprintf(key, sizeof(key), "%s_command", path);
	y = find(c, key);
	if (y) {
		rc = run_command(c, y, &secret, err);
	} else {
		snprintf(key, sizeof(key), "%s_file", path);
		y = find(c, key);
		rc = y ? file_read(y->text, &secret, err) : 0;
	}
	if (rc == 0 && y) {
		cut_line(&secret);
		buf_add(out, secret.s, secret.len);
		rc = 1;
	}
	if (rc == -1)
		err_in(err, "%s: %s%s", c->file, c->prefix, k->path);
	buf_release(&secret);
	return rc;
}
