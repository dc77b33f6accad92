#include "store/leases.h"

#include "base/arena.h"
#include "store/sql-int.h"

int lease_owners(struct store *s, int64_t now, struct arena *a,
		 const char ***owner, size_t *n, struct err *err)
{
	sqlite3_stmt *st;
	size_t cap = 0;
	int rc;

	*owner = NULL;
	*n = 0;
	if (sql_query(s, &st, err, "SELECT owner FROM job WHERE lease > ?1 "
		      "UNION SELECT owner FROM outbox WHERE lease > ?1",
		      I(now)) == -1)
		return -1;
	while ((rc = sql_step(s, st, err)) == 1) {
		*owner = arena_grow(a, *owner, &cap, *n + 1, sizeof(**owner));
		(*owner)[(*n)++] = sql_word(st, 0, a);
	}
	return rc;
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
