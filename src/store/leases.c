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

#define FAR_AHEAD 86400

int leases_mend(struct store *s, int64_t now, struct err *err)
{
	static const char *const mend[] = {
		"UPDATE mail SET due = 0 WHERE state = 'new' AND due > ?",
		"UPDATE outbox SET due = 0 WHERE state = 'ready' AND due > ?",
		"UPDATE outbox SET lease = 0 WHERE state = 'ready' AND "
		"lease > ?",
		"UPDATE job SET due = 0 WHERE state IN ('queued', "
		"'submitted') AND due > ?",
		"UPDATE job SET lease = 0 WHERE state IN ('queued', "
		"'submitted') AND lease > ?",
	};
	int64_t one;
	int total = 0, n;

	/* Nearly always there is nothing, and then nobody is to be locked
	 * out. */
	n = sql_number(s, &one, err, "SELECT 1 WHERE EXISTS (SELECT 1 FROM "
		       "mail WHERE state = 'new' AND due > ?1) OR EXISTS "
		       "(SELECT 1 FROM outbox WHERE state = 'ready' AND "
		       "(due > ?1 OR lease > ?1)) OR EXISTS (SELECT 1 FROM job "
		       "WHERE state IN ('queued', 'submitted') AND (due > ?1 OR "
		       "lease > ?1))", I(now + FAR_AHEAD));
	if (n != 1)
		return n;
	for (size_t i = 0; i < sizeof(mend) / sizeof(*mend); i++) {
		n = sql_run(s, err, mend[i], I(now + FAR_AHEAD));
		if (n == -1)
			return -1;
		total += n;
	}
	return total;
}
