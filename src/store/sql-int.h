#ifndef STORE_SQL_INT_H
#define STORE_SQL_INT_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct arena;

/*
 * The only way from this room to SQLite.  "sql" is always a literal of ours:
 * it is prepared once a connection, and values only ever are bound.
 */

struct store {
	sqlite3 *db;
	char *path;
	struct sql_cached {
		const char *sql;
		sqlite3_stmt *stmt;
	} cached[160];
	size_t ncached;
};

struct sql_value {
	enum { SQL_INT, SQL_REAL, SQL_TEXT, SQL_BLOB } type;
	int64_t i;
	double f;
	const void *p;
	size_t len;
};

static inline struct sql_value I(int64_t i)
{
	return (struct sql_value){ .type = SQL_INT, .i = i };
}

static inline struct sql_value R(double f)
{
	return (struct sql_value){ .type = SQL_REAL, .f = f };
}

/* NULL is SQL's NULL. */
static inline struct sql_value T(const char *s)
{
	return (struct sql_value){ .type = SQL_TEXT, .p = s };
}

static inline struct sql_value B(const void *p, size_t len)
{
	return (struct sql_value){ .type = SQL_BLOB, .p = p, .len = len };
}

/* A row's number where 0 stands for none. */
struct sql_value sql_ref(int64_t id);

#define SQL_VALUES(...) \
	(const struct sql_value[]){ __VA_ARGS__ }, \
	sizeof((const struct sql_value[]){ __VA_ARGS__ }) / \
		sizeof(struct sql_value)

/*
 * Run a statement to its end.  Returns how many rows it changed, -1 on error.
 * sql_run(s, err, "UPDATE job SET state = ? WHERE id = ?", T(state), I(id))
 */
#define sql_run(s, err, sql, ...) \
	sql_run_values(s, err, sql, SQL_VALUES(__VA_ARGS__))
int sql_run_values(struct store *s, struct err *err, const char *sql,
		   const struct sql_value *v, size_t n);

/*
 * Start a query; then sql_step() until it returns 0 (no more rows) or -1.
 * Who stops earlier calls sql_done().
 */
#define sql_query(s, st, err, sql, ...) \
	sql_query_values(s, st, err, sql, SQL_VALUES(__VA_ARGS__))
int sql_query_values(struct store *s, sqlite3_stmt **st, struct err *err,
		     const char *sql, const struct sql_value *v, size_t n);
int sql_step(struct store *s, sqlite3_stmt *st, struct err *err);
void sql_done(sqlite3_stmt *st);

/* The row at hand is the only one that matters: run to the end. 1 or -1. */
int sql_end(struct store *s, sqlite3_stmt *st, struct err *err);

/* How the rows of a table become structs. */
struct sql_row {
	size_t size;		/* of one struct */
	/* Fill all of "to", strings in the arena, from the row at hand. */
	void (*fill)(sqlite3_stmt *st, struct arena *a, void *to);
};

/* The only row, or the first, of a query: 1, 0 (there is none) or -1. */
int sql_one(struct store *s, sqlite3_stmt *st, const struct sql_row *row,
	    struct arena *a, void *to, struct err *err);

/* All rows of a query.  "array" is the address of the pointer to an array in
 * the arena, NULL when there are none.  Returns 0 or -1. */
int sql_all(struct store *s, sqlite3_stmt *st, const struct sql_row *row,
	    struct arena *a, void *array, size_t *n, struct err *err);

/* The first column of the first row as a number: 1, 0 (no row) or -1. */
#define sql_number(s, number, err, sql, ...) \
	sql_number_values(s, number, err, sql, SQL_VALUES(__VA_ARGS__))
int sql_number_values(struct store *s, int64_t *number, struct err *err,
		      const char *sql, const struct sql_value *v, size_t n);

/* A column of the row at hand, copied to the arena; SQL's NULL is NULL. */
const char *sql_text(sqlite3_stmt *st, int column, struct arena *a);
/* As sql_text(), but NULL is "". */
const char *sql_word(sqlite3_stmt *st, int column, struct arena *a);
const void *sql_blob(sqlite3_stmt *st, int column, struct arena *a,
		     size_t *len);

/* Which of the "n" names a column holds; the first when it holds none. */
int sql_choice(sqlite3_stmt *st, int column, const char *const *name, int n);

/* Statements without values, one after the other; 0 or -1. */
int sql_script(struct store *s, const char *script, struct err *err);
/* Fill "err" from SQLite's own words, "what" before them; returns -1. */
int sql_fail(struct store *s, struct err *err, const char *what);

/* The schema's number that this program writes (PRAGMA user_version). */
extern const int schema_version;
int schema_migrate(struct store *s, int from, struct err *err);

#endif
