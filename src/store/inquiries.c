#include "store/inquiries.h"

#include <assert.h>

#include "store/sql-int.h"

int inquiry_add(struct store *s, const struct inquiry *q, struct err *err)
{
	assert(!sqlite3_get_autocommit(s->db));
	return sql_run(s, err, "INSERT INTO inquiry(message_id, request) "
		       "VALUES(?, ?) ON CONFLICT DO NOTHING",
		       T(q->message_id), I(q->request)) == -1 ? -1 : 0;
}

#define INQUIRY_COLUMNS "i.message_id, i.request, i.chosen, i.answer"

static void fill(sqlite3_stmt *st, struct arena *a, void *to)
{
	*(struct inquiry *)to = (struct inquiry){
		.message_id = sql_word(st, 0, a),
		.request = sqlite3_column_int64(st, 1),
		.chosen = sql_word(st, 2, a),
		.answer = sqlite3_column_int64(st, 3),
	};
}

static const struct sql_row row = { sizeof(struct inquiry), fill };

int inquiry_find(struct store *s, const char *message_id, struct arena *a,
		 struct inquiry *q, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " INQUIRY_COLUMNS " FROM inquiry i "
		      "WHERE message_id = ?1 OR request IN (SELECT r.id FROM "
		      "request r JOIN mail m ON r.mail = m.id WHERE "
		      "m.message_id = ?1) ORDER BY request DESC, "
		      "answer IS NOT NULL LIMIT 1", T(message_id)) == -1)
		return -1;
	return sql_one(s, st, &row, a, q, err);
}

int inquiry_chosen(struct store *s, int64_t mail, struct arena *a,
		   struct inquiry **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " INQUIRY_COLUMNS " FROM inquiry i "
		      "JOIN request r ON i.request = r.id WHERE r.mail = ? "
		      "AND i.chosen <> '' ORDER BY i.request", I(mail)) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
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
