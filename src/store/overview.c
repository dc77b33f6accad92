#include "store/overview.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "store/sql-int.h"

#define TEXT_MAX ((size_t)4000)

int overview_note(struct store *s, const char *name, const char *owner,
		  int64_t now, const char *error, struct err *err)
{
	int n = sql_run(s, err, "INSERT INTO stage(name, owner, seen) "
			"VALUES(?, ?, ?) ON CONFLICT(name) DO UPDATE SET "
			"owner = excluded.owner, seen = excluded.seen",
			T(name), T(owner), I(now));

	if (n != -1 && error)
		n = sql_run(s, err, "UPDATE stage SET error = ?, error_at = ? "
			    "WHERE name = ?", T(error), I(now), T(name));
	return n == -1 ? -1 : 0;
}

static json_t *text_value(sqlite3_stmt *st, int column)
{
	const char *text = (const char *)sqlite3_column_text(st, column);
	struct buf inert = BUF_INIT(TEXT_MAX * 8);
	size_t len = (size_t)sqlite3_column_bytes(st, column);
	json_t *v;

	utf8_inert(&inert, text ? text : "", len < TEXT_MAX ? len : TEXT_MAX,
		   false);
	v = json_text(inert.s);
	buf_release(&inert);
	return v;
}

static json_t *value(sqlite3_stmt *st, int column)
{
	switch (sqlite3_column_type(st, column)) {
	case SQLITE_INTEGER:
		return json_integer(sqlite3_column_int64(st, column));
	case SQLITE_FLOAT:
		return json_number(sqlite3_column_double(st, column));
	case SQLITE_TEXT:
		return text_value(st, column);
	default:
		return json_null();
	}
}

/* Every row an object, with the columns' names; NULL with "err". */
static json_t *rows(struct store *s, struct err *err, const char *sql,
		    int64_t number)
{
	json_t *v = json_array(), *row;
	sqlite3_stmt *st;
	int rc = sql_query(s, &st, err, sql, I(number));

	while (rc != -1 && (rc = sql_step(s, st, err)) == 1) {
		row = json_object();
		for (int i = 0; i < sqlite3_column_count(st); i++)
			json_object_set_new(row, sqlite3_column_name(st, i),
					    value(st, i));
		json_array_append_new(v, row);
	}
	if (rc == 0)
		return v;
	json_decref(v);
	return NULL;
}

/* {STATE: COUNT} of rows that have "state" and "n". */
static json_t *counts(struct store *s, struct err *err, const char *sql)
{
	json_t *list = rows(s, err, sql, 0), *v = json_object(), *one;
	size_t i;

	json_array_foreach(list, i, one)
		json_object_set(v, json_member_text(one, "state"),
				json_object_get(one, "n"));
	if (!list) {
		json_decref(v);
		return NULL;
	}
	json_decref(list);
	return v;
}

/* Its first row alone. */
static json_t *row(struct store *s, struct err *err, const char *sql,
		   int64_t number)
{
	json_t *list = rows(s, err, sql, number);
	json_t *v = json_incref(json_array_get(list, 0));

	json_decref(list);
	return v;
}

static const char stages[] =
	"SELECT name, owner, seen, max(?1 - seen, 0) AS ago, error, error_at "
	"FROM stage ORDER BY CASE name WHEN 'receive' THEN 1 WHEN 'decide' "
	"THEN 2 WHEN 'run' THEN 3 ELSE 4 END";
static const char lag[] =
	"SELECT coalesce((SELECT max(?1 - min(received), 0) FROM mail "
	"  WHERE state = 'new'), 0) AS mail,"
	" coalesce((SELECT max(?1 - min(created), 0) FROM job "
	"  WHERE state = 'queued'), 0) AS job,"
	" coalesce((SELECT max(?1 - min(created), 0) FROM outbox "
	"  WHERE state = 'ready'), 0) AS outbox";
static const char queue[] =
	"SELECT id, state, minutes, report, created, tries, error FROM job "
	"WHERE state IN ('queued', 'submitted') AND id > ?1 "
	"ORDER BY state DESC, priority, id LIMIT 1000";
static const char errors[] =
	"SELECT * FROM ("
	"SELECT error_at AS at, 'stage ' || name AS object, error AS text "
	"  FROM stage WHERE error <> '' "
	"UNION ALL SELECT max(ended, created), 'job ' || id, error FROM job "
	"  WHERE error <> '' "
	"UNION ALL SELECT max(sent, created), 'outbox ' || id, error "
	"  FROM outbox WHERE error <> '' "
	"UNION ALL SELECT received, 'mail ' || id, reason FROM mail "
	"  WHERE state = 'quarantined' OR (state = 'new' AND tries > 0)) "
	"WHERE at >= ?1 ORDER BY at DESC LIMIT 20";

json_t *overview_read(struct store *s, int64_t now, struct err *err)
{
	const struct {
		const char *name;
		json_t *v;
	} part[] = {
		{ "stages", rows(s, err, stages, now) },
		{ "lag", row(s, err, lag, now) },
		{ "mails", counts(s, err, "SELECT state, count(*) AS n FROM "
				  "mail WHERE id > ? GROUP BY state") },
		{ "requests", counts(s, err, "SELECT state, count(*) AS n "
				     "FROM request WHERE id > ? GROUP BY "
				     "state") },
		{ "jobs", counts(s, err, "SELECT state, count(*) AS n FROM "
				 "job WHERE id > ? GROUP BY state") },
		{ "outbox", counts(s, err, "SELECT state, count(*) AS n FROM "
				   "outbox WHERE id > ? GROUP BY state") },
		{ "reports", counts(s, err, "SELECT state, count(*) AS n FROM "
				    "report WHERE id > ? GROUP BY state") },
		{ "queue", rows(s, err, queue, 0) },
		{ "spending", row(s, err, "SELECT coalesce(sum(minutes), 0.0) "
				  "AS day FROM spending WHERE at > ?",
				  now - 86400) },
		{ "errors", rows(s, err, errors, 0) },
	};
	json_t *all = json_pack("{s:I}", "time", (json_int_t)now);
	bool well = true;

	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++) {
		well = well && part[i].v;
		if (part[i].v)
			json_object_set_new(all, part[i].name, part[i].v);
	}
	if (well)
		return all;
	json_decref(all);
	return NULL;
}

json_t *overview_reports(struct store *s, int64_t max, struct err *err)
{
	return rows(s, err, "SELECT id, token, state, subject, message_id, "
		    "created FROM report ORDER BY id DESC LIMIT ?", max);
}

json_t *overview_thread(struct store *s, int64_t report, struct err *err)
{
	return rows(s, err, "SELECT * FROM ("
		    "SELECT received AS at, 'in' AS way, sender AS who, "
		    "  subject, state, decision || ' ' || reason AS detail "
		    "  FROM mail WHERE report = ?1 "
		    "UNION ALL SELECT created, 'out', kind, subject, state, "
		    "  error FROM outbox WHERE report = ?1) "
		    "ORDER BY at, way LIMIT 2000", report);
}
