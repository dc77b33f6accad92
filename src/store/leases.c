#include "store/leases.h"

#include "store/sql-int.h"

static void fill(sqlite3_stmt *st, struct arena *a, void *to)
{
	*(const char **)to = sql_word(st, 0, a);
}

static const struct sql_row row = { sizeof(const char *), fill };

int lease_owners(struct store *s, int64_t now, struct arena *a,
		 const char ***owner, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT owner FROM job WHERE lease > ?1 "
		      "UNION SELECT owner FROM outbox WHERE lease > ?1",
		      I(now)) == -1)
		return -1;
	return sql_all(s, st, &row, a, owner, n, err);
}

int lease_end(struct store *s, const char *owner, struct err *err)
{
	if (sql_run(s, err, "UPDATE job SET lease = 0 WHERE owner = ?",
		    T(owner)) == -1 ||
	    sql_run(s, err, "UPDATE outbox SET lease = 0 WHERE owner = ?",
		    T(owner)) == -1)
		return -1;
	return 0;
}
