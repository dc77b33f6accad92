#include "store/audit.h"

#include "base/arena.h"
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

int audit_list(struct store *s, const char *kind, int64_t id, struct arena *a,
	       struct audit **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;
	size_t cap = 0;
	int rc;

	*v = NULL;
	*n = 0;
	if (sql_query(s, &st, err, "SELECT at, who, what, object, detail FROM "
		      "audit WHERE object = ? || ' ' || ? ORDER BY id",
		      T(kind), I(id)) == -1)
		return -1;
	while ((rc = sql_step(s, st, err)) == 1) {
		*v = arena_grow(a, *v, &cap, *n + 1, sizeof(**v));
		(*v)[(*n)++] = (struct audit){
			.at = sqlite3_column_int64(st, 0),
			.who = sql_word(st, 1, a),
			.what = sql_word(st, 2, a),
			.object = sql_word(st, 3, a),
			.detail = sql_word(st, 4, a),
		};
	}
	return rc;
}
