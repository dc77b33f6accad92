#include "store/sql-int.h"

#include <assert.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"

static enum err_code code_of(int rc)
{
	switch (rc & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_FULL:
	case SQLITE_IOERR:
	case SQLITE_INTERRUPT:
		return ERR_TEMP;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return ERR_INPUT;
	default:
		return ERR_SYSTEM;
	}
}

static void name_user(char name[40], uid_t uid)
{
	const struct passwd *p = getpwuid(uid);

	if (p)
		snprintf(name, 40, "%s", p->pw_name);
	else
		snprintf(name, 40, "user %lu", (unsigned long)uid);
}

/* "attempt to write a readonly database", or no right to open it: mostly it is
 * root's, made by a command before the service started. */
static void tell_whose(struct store *s, int rc, char text[120])
{
	char owner[40], self[40];
	struct stat st;

	text[0] = '\0';
	if (((rc & 0xff) != SQLITE_READONLY &&
	     (rc & 0xff) != SQLITE_CANTOPEN) ||
	    stat(s->path, &st) == -1 || st.st_uid == geteuid())
		return;
	name_user(owner, st.st_uid);
	name_user(self, geteuid());
	snprintf(text, 120, " (it belongs to %s, and this is %s)", owner,
		 self);
}

int sql_fail(struct store *s, struct err *err, const char *what)
{
	int rc = s->db ? sqlite3_extended_errcode(s->db) : SQLITE_NOMEM;
	char whose[120];

	if ((rc & 0xff) == SQLITE_NOMEM)
		die_no_memory();
	tell_whose(s, rc, whose);
	return err_set(err, code_of(rc), "store '%s': %s: %s%s", s->path, what,
		       sqlite3_errmsg(s->db), whose);
}

struct sql_value sql_ref(int64_t id)
{
	return id ? I(id) : T(NULL);
}

/* Statements are told apart by the address of their text: a literal. */
static sqlite3_stmt *prepare(struct store *s, const char *sql, struct err *err)
{
	struct sql_cached *c = s->cached;

	for (size_t i = 0; i < s->ncached; i++)
		if (c[i].sql == sql)
			return c[i].stmt;
	assert(s->ncached < sizeof(s->cached) / sizeof(*s->cached));
	c += s->ncached;
	if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
			       &c->stmt, NULL) != SQLITE_OK) {
		sql_fail(s, err, "cannot prepare a statement");
		return NULL;
	}
	c->sql = sql;
	s->ncached++;
	return c->stmt;
}

static int bind(sqlite3_stmt *st, int at, const struct sql_value *v)
{
	switch (v->type) {
	case SQL_INT:
		return sqlite3_bind_int64(st, at, v->i);
	case SQL_REAL:
		return sqlite3_bind_double(st, at, v->f);
	case SQL_TEXT:
		return sqlite3_bind_text(st, at, v->p, -1, SQLITE_TRANSIENT);
	case SQL_BLOB:
		return sqlite3_bind_blob64(st, at, v->len ? v->p : "", v->len,
					   SQLITE_TRANSIENT);
	}
	return SQLITE_MISUSE;
}

int sql_query_values(struct store *s, sqlite3_stmt **st, struct err *err,
		     const char *sql, const struct sql_value *v, size_t n)
{
	*st = prepare(s, sql, err);
	if (!*st)
		return -1;
	sqlite3_reset(*st);
	sqlite3_clear_bindings(*st);
	for (size_t i = 0; i < n; i++)
		if (bind(*st, (int)i + 1, &v[i]) != SQLITE_OK)
			return sql_fail(s, err, "cannot bind a value");
	return 0;
}

int sql_step(struct store *s, sqlite3_stmt *st, struct err *err)
{
	int rc = sqlite3_step(st);

	if (rc == SQLITE_ROW)
		return 1;
	if (rc != SQLITE_DONE)
		sql_fail(s, err, "query failed");
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? 0 : -1;
}

void sql_done(sqlite3_stmt *st)
{
	sqlite3_reset(st);
}

int sql_end(struct store *s, sqlite3_stmt *st, struct err *err)
{
	int rc;

	while ((rc = sql_step(s, st, err)) == 1)
		continue;
	return rc == -1 ? -1 : 1;
}

int sql_one(struct store *s, sqlite3_stmt *st, const struct sql_row *row,
	    struct arena *a, void *to, struct err *err)
{
	int rc = sql_step(s, st, err);

	if (rc != 1)
		return rc;
	row->fill(st, a, to);
	return sql_end(s, st, err);
}

int sql_all(struct store *s, sqlite3_stmt *st, const struct sql_row *row,
	    struct arena *a, void *array, size_t *n, struct err *err)
{
	char *v = NULL;
	size_t cap = 0;
	int rc;

	*n = 0;
	while ((rc = sql_step(s, st, err)) == 1) {
		v = arena_grow(a, v, &cap, *n + 1, row->size);
		row->fill(st, a, v + (*n)++ * row->size);
	}
	memcpy(array, &v, sizeof(v));
	return rc;
}

int sql_run_values(struct store *s, struct err *err, const char *sql,
		   const struct sql_value *v, size_t n)
{
	sqlite3_stmt *st;

	if (sql_query_values(s, &st, err, sql, v, n) == -1 ||
	    sql_end(s, st, err) == -1)
		return -1;
	return sqlite3_changes(s->db);
}

int sql_number_values(struct store *s, int64_t *number, struct err *err,
		      const char *sql, const struct sql_value *v, size_t n)
{
	sqlite3_stmt *st;
	int rc;

	if (sql_query_values(s, &st, err, sql, v, n) == -1)
		return -1;
	rc = sql_step(s, st, err);
	if (rc == 1)
		*number = sqlite3_column_int64(st, 0);
	sql_done(st);
	return rc;
}

const char *sql_text(sqlite3_stmt *st, int column, struct arena *a)
{
	const void *text = sqlite3_column_text(st, column);

	return text ? arena_strdup(a, text) : NULL;
}

const char *sql_word(sqlite3_stmt *st, int column, struct arena *a)
{
	const char *text = sql_text(st, column, a);

	return text ? text : "";
}

const void *sql_blob(sqlite3_stmt *st, int column, struct arena *a,
		     size_t *len)
{
	const void *p = sqlite3_column_blob(st, column);

	*len = (size_t)sqlite3_column_bytes(st, column);
	return arena_strndup(a, p ? p : "", *len);
}

int sql_choice(sqlite3_stmt *st, int column, const char *const *name, int n)
{
	const char *text = (const char *)sqlite3_column_text(st, column);

	for (int i = 0; text && i < n; i++)
		if (!strcmp(name[i], text))
			return i;
	return 0;
}

int sql_script(struct store *s, const char *script, struct err *err)
{
	if (sqlite3_exec(s->db, script, NULL, NULL, NULL) != SQLITE_OK)
		return sql_fail(s, err, "cannot run a script");
	return 0;
}
