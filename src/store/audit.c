#include "store/audit.h"

#include "store/sql-int.h"

int audit_add(struct store *s, int64_t at, const char *who, const char *what,
	      const char *kind, int64_t id, const char *detail,
	      struct err *err)
{
	int n = sql_run(s, err, "INSERT INTO audit(at, who, what, object, "
			"detail) VALUES(?, ?, ?, ? || ' ' || ?, ?)", I(at),
			T(who), T(what), T(kind), I(id), T(detail));

	return n == -1 ? -1 : 0;
}

static void fill(sqlite3_stmt *st, struct arena *a, void *to)
{
	*(struct audit *)to = (struct audit){
		.id = sqlite3_column_int64(st, 0),
		.at = sqlite3_column_int64(st, 1),
		.who = sql_word(st, 2, a),
		.what = sql_word(st, 3, a),
		.object = sql_word(st, 4, a),
		.detail = sql_word(st, 5, a),
	};
}

static const struct sql_row row = { sizeof(struct audit), fill };

int audit_list(struct store *s, const char *kind, int64_t id, struct arena *a,
	       struct audit **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT id, at, who, what, object, detail "
		      "FROM audit WHERE object = ? || ' ' || ? ORDER BY id",
		      T(kind), I(id)) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
}

int audit_since(struct store *s, int64_t id, int64_t max, struct arena *a,
		struct audit **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT id, at, who, what, object, detail "
		      "FROM audit WHERE id > ? ORDER BY id LIMIT ?", I(id),
		      I(max)) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
}
