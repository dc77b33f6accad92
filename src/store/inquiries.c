#include "store/inquiries.h"

#include <assert.h>

#include "base/arena.h"
#include "store/sql-int.h"

int inquiry_add(struct store *s, const struct inquiry *q, struct err *err)
{
	assert(!sqlite3_get_autocommit(s->db));
	return sql_run(s, err, "INSERT INTO inquiry(message_id, request) "
		       "VALUES(?, ?) ON CONFLICT DO NOTHING",
		       T(q->message_id), I(q->request)) == -1 ? -1 : 0;
}

#define INQUIRY_COLUMNS "i.message_id, i.request, i.chosen, i.answer"

static void fill(sqlite3_stmt *st, struct arena *a, struct inquiry *q)
{
	*q = (struct inquiry){
		.message_id = sql_word(st, 0, a),
		.request = sqlite3_column_int64(st, 1),
		.chosen = sql_word(st, 2, a),
		.answer = sqlite3_column_int64(st, 3),
	};
}

int inquiry_find(struct store *s, const char *message_id, struct arena *a,
		 struct inquiry *q, struct err *err)
{
	sqlite3_stmt *st;
	int rc;

	if (sql_query(s, &st, err, "SELECT " INQUIRY_COLUMNS " FROM inquiry i "
		      "WHERE message_id = ?1 OR request IN (SELECT r.id FROM "
		      "request r JOIN mail m ON r.mail = m.id WHERE "
		      "m.message_id = ?1) ORDER BY request DESC, "
		      "answer IS NOT NULL LIMIT 1", T(message_id)) == -1)
		return -1;
	rc = sql_step(s, st, err);
	if (rc != 1)
		return rc;
	fill(st, a, q);
	return sql_end(s, st, err);
}

int inquiry_chosen(struct store *s, int64_t mail, struct arena *a,
		   struct inquiry **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;
	size_t cap = 0;
	int rc;

	*v = NULL;
	*n = 0;
	if (sql_query(s, &st, err, "SELECT " INQUIRY_COLUMNS " FROM inquiry i "
		      "JOIN request r ON i.request = r.id WHERE r.mail = ? "
		      "AND i.chosen <> '' ORDER BY i.request", I(mail)) == -1)
		return -1;
	while ((rc = sql_step(s, st, err)) == 1) {
		*v = arena_grow(a, *v, &cap, *n + 1, sizeof(**v));
		fill(st, a, &(*v)[(*n)++]);
	}
	return rc;
}

int inquiry_count(struct store *s, int64_t request, int64_t *n,
		  struct err *err)
{
	return sql_number(s, n, err, "SELECT count(*) FROM inquiry WHERE "
			  "request = ?", I(request)) == -1 ? -1 : 0;
}

int inquiry_close(struct store *s, const struct inquiry *q, int64_t report,
		  struct err *err)
{
	assert(!sqlite3_get_autocommit(s->db));
	if (sql_run(s, err, "UPDATE inquiry SET chosen = ?, answer = ? WHERE "
		    "request = ? AND answer IS NULL", T(q->chosen), sql_ref(q->answer),
		    I(q->request)) == -1)
		return -1;
	if (!report)
		return 0;
	return sql_run(s, err, "UPDATE OR IGNORE request SET report = ? WHERE "
		       "id = ? AND report IS NULL", I(report),
		       I(q->request)) == -1 ? -1 : 0;
}
