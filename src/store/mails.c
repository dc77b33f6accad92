#include "store/mails.h"

#include <string.h>

#include "store/sql-int.h"

static const char *const state_name[] = {
	[MAIL_NEW] = "new", [MAIL_DECIDED] = "decided",
	[MAIL_DUPLICATE] = "duplicate", [MAIL_QUARANTINED] = "quarantined",
};

const char *mail_state_name(enum mail_state state)
{
	return state_name[state];
}

int mail_add(struct store *s, struct stored_mail *m, struct err *err)
{
	int n = sql_run(s, err, "INSERT INTO mail(hash, source, received, bytes)"
			" VALUES(?, ?, ?, ?) ON CONFLICT(hash) DO NOTHING",
			T(m->hash), T(m->source), I(m->received),
			B(m->bytes, m->len));

	if (n == -1 || sql_number(s, &m->id, err, "SELECT id FROM mail "
				  "WHERE hash = ?", T(m->hash)) == -1)
		return -1;
	return n;
}

#define MAIL_COLUMNS "id, hash, message_id, content, source, sender, " \
	"subject, received, state, tries, report, decision, reason, " \
	"evidence, archived_at, bytes"

static void fill(sqlite3_stmt *st, struct arena *a, void *to)
{
	struct stored_mail *m = to;

	m->id = sqlite3_column_int64(st, 0);
	m->hash = sql_word(st, 1, a);
	m->message_id = sql_word(st, 2, a);
	m->content = sql_word(st, 3, a);
	m->source = sql_word(st, 4, a);
	m->sender = sql_word(st, 5, a);
	m->subject = sql_word(st, 6, a);
	m->received = sqlite3_column_int64(st, 7);
	m->state = (enum mail_state)sql_choice(st, 8, state_name, 4);
	m->tries = sqlite3_column_int(st, 9);
	m->report = sqlite3_column_int64(st, 10);
	m->decision = sql_word(st, 11, a);
	m->reason = sql_word(st, 12, a);
	m->evidence = sql_word(st, 13, a);
	m->archived_at = sql_word(st, 14, a);
	m->bytes = sql_blob(st, 15, a, &m->len);
}

static const struct sql_row row = { sizeof(struct stored_mail), fill };

int mail_get(struct store *s, int64_t id, struct arena *a,
	     struct stored_mail *m, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " MAIL_COLUMNS " FROM mail "
		      "WHERE id = ?", I(id)) == -1)
		return -1;
	return sql_one(s, st, &row, a, m, err);
}

int mail_next(struct store *s, int64_t now, struct arena *a,
	      struct stored_mail *m, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " MAIL_COLUMNS " FROM mail "
		      "WHERE state = 'new' AND due <= ? ORDER BY id LIMIT 1",
		      I(now)) == -1)
		return -1;
	return sql_one(s, st, &row, a, m, err);
}

int mail_find(struct store *s, const char *message_id, const char *content,
	      struct arena *a, struct stored_mail *m, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " MAIL_COLUMNS " FROM mail "
		      "WHERE message_id = ? AND content = ? AND "
		      "state = 'decided'", T(message_id), T(content)) == -1)
		return -1;
	return sql_one(s, st, &row, a, m, err);
}

int mail_list(struct store *s, const char *message_id, struct arena *a,
	      struct stored_mail **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " MAIL_COLUMNS " FROM mail "
		      "WHERE message_id = ? ORDER BY id", T(message_id)) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
}

int mail_next_unread(struct store *s, int64_t after, struct arena *a,
		     struct stored_mail *m, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " MAIL_COLUMNS " FROM mail WHERE "
		      "message_id = '' AND id > ? ORDER BY id LIMIT 1",
		      I(after)) == -1)
		return -1;
	return sql_one(s, st, &row, a, m, err);
}

int mail_list_sender(struct store *s, const char *sender, int64_t max,
		     struct arena *a, struct stored_mail **v, size_t *n,
		     struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " MAIL_COLUMNS " FROM mail "
		      "WHERE sender = ? ORDER BY id DESC LIMIT ?", T(sender),
		      I(max)) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
}

int mail_save(struct store *s, const struct stored_mail *m, struct err *err)
{
	int n = sql_run(s, err, "UPDATE mail SET message_id = ?, content = ?, "
			"sender = ?, subject = ?, state = ?, tries = ?, "
			"report = ?, decision = ?, reason = ?, evidence = ?, "
			"archived_at = ? WHERE id = ?",
			T(m->message_id), T(m->content), T(m->sender),
			T(m->subject), T(state_name[m->state]), I(m->tries),
			sql_ref(m->report), T(m->decision), T(m->reason),
			T(m->evidence), T(m->archived_at), I(m->id));

	return n == -1 ? -1 : 0;
}

int mail_delay(struct store *s, int64_t id, int64_t due, const char *reason,
	       struct err *err)
{
	int n = sql_run(s, err, "UPDATE mail SET tries = tries + 1, due = ?, "
			"reason = ? WHERE id = ? AND state = 'new'",
			I(due), T(reason), I(id));

	return n == -1 ? -1 : 0;
}

int thread_add(struct store *s, const char *message_id, int64_t report,
	       bool ours, struct err *err)
{
	int n = sql_run(s, err, "INSERT INTO thread(message_id, report, ours) "
			"VALUES(?, ?, ?) ON CONFLICT DO UPDATE SET "
			"ours = max(ours, excluded.ours)",
			T(message_id), I(report), I(ours));

	return n == -1 ? -1 : 0;
}

int thread_reports(struct store *s, const char *message_id, int64_t *report,
		   int max, struct err *err)
{
	sqlite3_stmt *st;
	int n = 0, rc;

	if (sql_query(s, &st, err, "SELECT report FROM thread WHERE "
		      "message_id = ? ORDER BY report LIMIT ?", T(message_id),
		      I(max)) == -1)
		return -1;
	while ((rc = sql_step(s, st, err)) == 1)
		report[n++] = sqlite3_column_int64(st, 0);
	return rc == -1 ? -1 : n;
}

int thread_is_ours(struct store *s, const char *message_id, struct err *err)
{
	int64_t one;

	return sql_number(s, &one, err, "SELECT 1 FROM thread WHERE "
			  "message_id = ? AND ours", T(message_id));
}

int address_fail(struct store *s, const char *address, const char *reason,
		 int64_t now, struct err *err)
{
	int n = sql_run(s, err, "INSERT INTO address(address, failing, reason, "
			"changed) VALUES(lower(?), 1, ?, ?) ON CONFLICT DO "
			"UPDATE SET failing = 1, reason = excluded.reason, "
			"changed = excluded.changed", T(address), T(reason),
			I(now));

	return n == -1 ? -1 : 0;
}

int address_is_failing(struct store *s, const char *address, struct err *err)
{
	int64_t one;

	return sql_number(s, &one, err, "SELECT 1 FROM address WHERE "
			  "address = lower(?) AND failing", T(address));
}

int cursor_get(struct store *s, const char *source, struct arena *a,
	       const char **place, struct err *err)
{
	sqlite3_stmt *st;
	int rc;

	*place = "";
	if (sql_query(s, &st, err, "SELECT place FROM cursor WHERE source = ?",
		      T(source)) == -1)
		return -1;
	rc = sql_step(s, st, err);
	if (rc == 1)
		*place = sql_word(st, 0, a);
	sql_done(st);
	return rc;
}

int cursor_begin(struct store *s, const char *source, const char *place,
		 struct err *err)
{
	int n = sql_run(s, err, "INSERT INTO cursor(source, place) VALUES(?, ?)"
			" ON CONFLICT DO NOTHING", T(source), T(place));

	return n == -1 ? -1 : 0;
}

int cursor_set(struct store *s, const char *source, const char *place,
	       struct err *err)
{
	int n = sql_run(s, err, "INSERT INTO cursor(source, place) VALUES(?, ?)"
			" ON CONFLICT DO UPDATE SET place = excluded.place",
			T(source), T(place));

	return n == -1 ? -1 : 0;
}
