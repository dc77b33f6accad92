#include "data/conf-check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "data/conf.h"
#include "data/yaml.h"

struct check {
	struct arena *arena;	/* for paths */
	const char *name;
	struct err *err;
};

static int wrong(const struct check *ck, const struct yaml *y,
		 const char *path, const char *what)
{
	return err_set(ck->err, ERR_CONFIG, "%s:%d: '%s' %s", ck->name,
		       y->line, path, what);
}

bool conf_parse_time(const char *text, int64_t *seconds)
{
	static const char units[] = "smhd";
	static const int64_t factors[] = { 1, 60, 3600, 86400 };
	size_t digits = strspn(text, "0123456789");
	const char *unit = text[digits] ? strchr(units, text[digits]) : units;

	if (!digits || digits > 9 || !unit)
		return false;
	if (text[digits] && text[digits + 1])
		return false;
	*seconds = strtoll(text, NULL, 10) * factors[unit - units];
	return true;
}

static bool is_number(const char *text)
{
	char *end;
	double d = strtod(text, &end);

	return *text && strspn(text, "0123456789+-.eE") == strlen(text) &&
	       !*end && isfinite(d);
}

/* Is "text" one of "a|b|c"? */
static bool is_choice(const char *choices, const char *text)
{
	size_t len = strlen(text);

	while (*choices) {
		size_t n = strcspn(choices, "|");

		if (n == len && !memcmp(choices, text, n))
			return true;
		choices += n + (choices[n] == '|');
	}
	return false;
}

/* "https://user:password@host/": a file that many may read. */
static bool holds_password(const char *text)
{
	const char *user = strstr(text, "://");
	size_t len;

	if (!user)
		return false;
	user += 3;
	len = strcspn(user, "/?# ");
	return memchr(user, ':', len) && memchr(user, '@', len) &&
	       (const char *)memchr(user, ':', len) <
	       (const char *)memrchr(user, '@', len);
}

/* Numbers with which nothing would ever be done. */
static bool is_least(const char *path, const char *text)
{
	static const char *const ones[] = { "run.parallel", "run.runs", NULL };

	for (const char *const *p = ones; *p; p++)
		if (!strcmp(*p, path))
			return strtod(text, NULL) >= 1;
	return strncmp(path, "budget.", 7) || strtod(text, NULL) >= 0;
}

static bool needs_place(const char *path)
{
	return !strcmp(path, "archive.mail") || !strcmp(path, "archive.url");
}

static int check_scalar(const struct check *ck, const struct conf_key *k,
			const char *path, const struct yaml *y)
{
	char what[300];
	int64_t seconds;
	bool good = true;

	if (holds_password(y->text))
		return wrong(ck, y, path, "must not hold a password: git has "
			     "credential helpers for that");
	snprintf(what, sizeof(what), "takes text");
	if (k->type == CONF_INT) {
		snprintf(what, sizeof(what), "takes a whole number%s",
			 strncmp(k->meaning, "megabytes ", 10) ? "" :
			 " of megabytes");
		good = *y->text && strlen(y->text) <= 15 &&
		       strspn(y->text, "0123456789") == strlen(y->text);
	} else if (k->type == CONF_NUMBER) {
		snprintf(what, sizeof(what), "takes a number");
		good = is_number(y->text);
	} else if (k->type == CONF_BOOL) {
		snprintf(what, sizeof(what), "takes true or false, yes or no");
		good = is_choice("true|false|yes|no", y->text);
	} else if (k->type == CONF_TIME) {
		snprintf(what, sizeof(what), "takes a time: 90s, 15m, 2h, 7d");
		good = conf_parse_time(y->text, &seconds);
	} else if (k->choices) {
		snprintf(what, sizeof(what), "takes one of %s", k->choices);
		good = is_choice(k->choices, y->text);
	}
	if (good && !is_least(path, y->text)) {
		snprintf(what, sizeof(what), "takes %s", strncmp(path,
			 "budget.", 7) ? "a whole number, at least 1" :
			 "a number that is not negative");
		good = false;
	} else if (good && needs_place(path) && !strstr(y->text, "%s")) {
		snprintf(what, sizeof(what), "needs %%s, for the Message-ID");
		good = false;
	}
	return good ? 0 : wrong(ck, y, path, what);
}

static int check_list(const struct check *ck, const struct conf_key *k,
		      const char *path, const struct yaml *y)
{
	for (size_t i = 0; i < y->n; i++) {
		if (y->value[i]->kind != YAML_SCALAR ||
		    yaml_is_null(y->value[i]))
			return wrong(ck, y->value[i], path,
				     "takes a list of texts");
		if (check_scalar(ck, k, path, y->value[i]) == -1)
			return -1;
	}
	return 0;
}

static int check_value(const struct check *ck, const struct conf_key *k,
		       const char *path, const struct yaml *y)
{
	if (y->kind == YAML_LIST && k->type == CONF_LIST)
		return check_list(ck, k, path, y);
	if (y->kind != YAML_SCALAR)
		return wrong(ck, y, path, k->type == CONF_LIST ?
			     "takes a list of texts" :
			     y->kind == YAML_LIST ?
			     "takes one value, not a list" :
			     "takes one value, not a map");
	if (yaml_is_null(y))
		return 0;
	return check_scalar(ck, k, path, y);
}

/* A secret's "KEY_file" or "KEY_command". */
static const struct conf_key *find_secret(const char *table_path, bool *command)
{
	static const char *const endings[] = { "_file", "_command" };
	size_t len = strlen(table_path);

	for (const struct conf_key *k = conf_keys; k->path; k++) {
		size_t n = strlen(k->path);

		if (k->type != CONF_SECRET || n >= len ||
		    memcmp(k->path, table_path, n))
			continue;
		for (int i = 0; i < 2; i++)
			if (!strcmp(table_path + n, endings[i])) {
				*command = i == 1;
				return k;
			}
	}
	return NULL;
}

static int check_secret(const struct check *ck, bool command, const char *path,
			const struct yaml *y)
{
	static const struct conf_key text = { .type = CONF_TEXT },
				     list = { .type = CONF_LIST };

	if (!command)
		return check_value(ck, &text, path, y);
	if (y->kind == YAML_LIST && !y->n)
		return wrong(ck, y, path, "takes a program and its arguments");
	return check_value(ck, &list, path, y);
}

/* What the table has for "table_path": 2 exactly this key, 1 keys below it,
 * 0 nothing. */
static int known(const char *table_path, const struct conf_key **key)
{
	size_t len = strlen(table_path);
	int found = 0;

	for (const struct conf_key *k = conf_keys; k->path; k++) {
		if (strncmp(k->path, table_path, len))
			continue;
		if (!k->path[len]) {
			*key = k;
			return 2;
		}
		if (k->path[len] == '.')
			found = 1;
	}
	return found;
}

/* How many letters to add, drop or change; at most 3 is told. */
static size_t distance(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b), row[64];

	if (nb >= 64 || na > nb + 3 || nb > na + 3)
		return 3;
	for (size_t j = 0; j <= nb; j++)
		row[j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[nb] < 3 ? row[nb] : 3;
}

/* The key of the table that was probably meant: a part of its path. */
static size_t guess(const char *table_prefix, const char *name,
		    const char **meant)
{
	size_t len = strlen(table_prefix), best = 3, best_len = 0;
	char part[64];

	for (const struct conf_key *k = conf_keys; k->path; k++) {
		size_t n, d;

		if (strncmp(k->path, table_prefix, len))
			continue;
		n = strcspn(k->path + len, ".");
		snprintf(part, sizeof(part), "%.*s", (int)n, k->path + len);
		d = distance(name, part);
		if (d < best) {
			best = d;
			best_len = n;
			*meant = k->path + len;
		}
	}
	return best_len;
}

static int unknown(const struct check *ck, const struct yaml *key,
		   const char *path, const char *table_prefix)
{
	const char *meant = NULL;
	size_t len;

	if (strchr(key->text, '.'))
		return wrong(ck, key, path, "stands in one word: write its "
			     "parts on lines of their own, indented");
	len = guess(table_prefix, key->text, &meant);

	if (!meant)
		return err_set(ck->err, ERR_CONFIG, "%s:%d: unknown key '%s'",
			       ck->name, key->line, path);
	return err_set(ck->err, ERR_CONFIG, "%s:%d: unknown key '%s' (did you "
		       "mean '%.*s'?)", ck->name, key->line, path, (int)len,
		       meant);
}

static int check_map(const struct check *ck, const struct yaml *map,
		     const char *path, const char *table_path);

static int check_pair(const struct check *ck, const struct yaml *key,
		      const struct yaml *value, const char *prefix,
		      const char *table_prefix)
{
	const char *path, *table_path;
	const struct conf_key *k = NULL;
	bool command;
	int found;

	path = arena_printf(ck->arena, "%s%s", prefix, key->text);
	table_path = arena_printf(ck->arena, "%s%s", table_prefix, key->text);
	found = strchr(key->text, '.') ? 0 : known(table_path, &k);
	if (!found && find_secret(table_path, &command))
		return check_secret(ck, command, path, value);
	if (!found) {
		table_path = arena_printf(ck->arena, "%s*", table_prefix);
		found = known(table_path, &k);
	}
	if (!found)
		return unknown(ck, key, path, table_prefix);
	if (found == 2 && k->type == CONF_SECRET)
		return wrong(ck, key, path, "must not stand here itself: take "
			     "the same key with _file or _command");
	if (found == 2)
		return check_value(ck, k, path, value);
	return check_map(ck, value, path, table_path);
}

/* Recursion ends with the table: its paths have few parts. */
static int check_map(const struct check *ck, const struct yaml *map,
		     const char *path, const char *table_path)
{
	const char *dot = *path ? "." : "", *prefix, *table_prefix;

	if (yaml_is_null(map))
		return 0;
	if (map->kind != YAML_MAP)
		return *path ? wrong(ck, map, path, "takes keys of its own") :
		       err_set(ck->err, ERR_CONFIG, "%s:%d: no keys and "
			       "values", ck->name, map->line);
	prefix = arena_printf(ck->arena, "%s%s", path, dot);
	table_prefix = arena_printf(ck->arena, "%s%s", table_path, dot);
	for (size_t i = 0; i < map->n; i++)
		if (check_pair(ck, map->key[i], map->value[i], prefix,
			       table_prefix) == -1)
			return -1;
	return 0;
}

int conf_check(const struct yaml *root, const char *name, struct err *err)
{
	struct arena arena = ARENA_INIT;
	const struct check ck = { .arena = &arena, .name = name, .err = err };
	int rc = check_map(&ck, root, "", "");

	arena_release(&arena);
	return rc;
}
