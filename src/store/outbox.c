#include "store/outbox.h"

#include <assert.h>

#include "store/mails.h"
#include "store/sql-int.h"

static const char *const state_name[] = {
	[OUTBOX_REVIEW] = "review", [OUTBOX_READY] = "ready",
	[OUTBOX_SENT] = "sent", [OUTBOX_FAILED] = "failed",
	[OUTBOX_PARKED] = "parked", [OUTBOX_REJECTED] = "rejected",
};
#define NSTATE ((int)(sizeof(state_name) / sizeof(*state_name)))

static const char *const reply_name[] = {
	[DELIVERY_READY] = "ready", [DELIVERY_SENT] = "sent",
	[DELIVERY_REFUSED] = "refused",
};

const char *outbox_state_name(enum outbox_state state)
{
	return state_name[state];
}

const char *delivery_state_name(enum delivery_state state)
{
	return reply_name[state];
}

static int add_recipients(struct store *s, const struct outgoing *o,
			  struct err *err)
{
	for (size_t i = 0; i < o->ndelivery; i++)
		if (sql_run(s, err, "INSERT INTO recipient(outbox, address) "
			    "VALUES(?, ?) ON CONFLICT DO NOTHING", I(o->id),
			    T(o->delivery[i].address)) == -1)
			return -1;
	return 0;
}

int outbox_add(struct store *s, struct outgoing *o, struct err *err)
{
	int n;

	assert(!sqlite3_get_autocommit(s->db));
	n = sql_run(s, err, "INSERT INTO outbox(message_id, kind, report, "
		    "request, mail, person, state, sender, subject, error, "
		    "created, bytes) VALUES(?, ?, ?, ?, ?, lower(?), ?, ?, ?, "
		    "?, ?, ?) ON CONFLICT(message_id) DO NOTHING",
		    T(o->message_id), T(o->kind), sql_ref(o->report),
		    sql_ref(o->request), sql_ref(o->mail),
		    T(o->person ? o->person : ""), T(state_name[o->state]),
		    T(o->sender), T(o->subject ? o->subject : ""),
		    T(o->error ? o->error : ""), I(o->created),
		    B(o->bytes, o->len));
	if (n == -1 || sql_number(s, &o->id, err, "SELECT id FROM outbox "
				  "WHERE message_id = ?",
				  T(o->message_id)) == -1)
		return -1;
	if (n == 0)
		return 0;
	if (o->report &&
	    thread_add(s, o->message_id, o->report, true, err) == -1)
		return -1;
	return add_recipients(s, o, err) == -1 ? -1 : 1;
}

#define OUTBOX_COLUMNS "id, message_id, kind, report, request, mail, " \
	"person, state, sender, subject, lease, due, tries, error, created, " \
	"sent"

static void fill(sqlite3_stmt *st, struct arena *a, void *to)
{
	*(struct outgoing *)to = (struct outgoing){
		.id = sqlite3_column_int64(st, 0),
		.message_id = sql_word(st, 1, a),
		.kind = sql_word(st, 2, a),
		.report = sqlite3_column_int64(st, 3),
		.request = sqlite3_column_int64(st, 4),
		.mail = sqlite3_column_int64(st, 5),
		.person = sql_word(st, 6, a),
		.state = (enum outbox_state)sql_choice(st, 7, state_name,
						       NSTATE),
		.sender = sql_word(st, 8, a),
		.subject = sql_word(st, 9, a),
		.lease = sqlite3_column_int64(st, 10),
		.due = sqlite3_column_int64(st, 11),
		.tries = sqlite3_column_int(st, 12),
		.error = sql_word(st, 13, a),
		.created = sqlite3_column_int64(st, 14),
		.sent = sqlite3_column_int64(st, 15),
	};
}

static const struct sql_row row = { sizeof(struct outgoing), fill };

static void fill_recipient(sqlite3_stmt *st, struct arena *a, void *to)
{
	*(struct delivery *)to = (struct delivery){
		.address = sql_word(st, 0, a),
		.state = (enum delivery_state)sql_choice(st, 1, reply_name, 3),
		.reply = sql_word(st, 2, a),
	};
}

static const struct sql_row recipient = {
	sizeof(struct delivery), fill_recipient
};

static int get_recipients(struct store *s, struct arena *a,
			  struct outgoing *o, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT address, state, reply FROM "
		      "recipient WHERE outbox = ? ORDER BY address",
		      I(o->id)) == -1)
		return -1;
	return sql_all(s, st, &recipient, a, &o->delivery, &o->ndelivery, err);
}

static int get_bytes(struct store *s, struct arena *a, struct outgoing *o,
		     struct err *err)
{
	sqlite3_stmt *st;
	int rc;

	if (sql_query(s, &st, err, "SELECT bytes FROM outbox WHERE id = ?",
		      I(o->id)) == -1)
		return -1;
	rc = sql_step(s, st, err);
	if (rc == 1)
		o->bytes = sql_blob(st, 0, a, &o->len);
	sql_done(st);
	return rc == -1 ? -1 : 0;
}

/* The row of a statement that gives one at most, whole. */
static int only(struct store *s, sqlite3_stmt *st, struct arena *a,
		struct outgoing *o, struct err *err)
{
	int rc = sql_one(s, st, &row, a, o, err);

	if (rc != 1)
		return rc;
	if (get_recipients(s, a, o, err) == -1 ||
	    get_bytes(s, a, o, err) == -1)
		return -1;
	return 1;
}

int outbox_get(struct store *s, int64_t id, struct arena *a,
	       struct outgoing *o, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " OUTBOX_COLUMNS " FROM outbox "
		      "WHERE id = ?", I(id)) == -1)
		return -1;
	return only(s, st, a, o, err);
}

int outbox_find(struct store *s, const char *message_id, struct arena *a,
		struct outgoing *o, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " OUTBOX_COLUMNS " FROM outbox "
		      "WHERE message_id = ?", T(message_id)) == -1)
		return -1;
	return only(s, st, a, o, err);
}

/* Of a mail o, does its recipient r wait for an earlier one, e? */
#define WAITS "EXISTS (SELECT 1 FROM outbox e JOIN recipient p ON " \
	"p.outbox = e.id AND p.address = r.address AND p.state = 'ready' " \
	"WHERE e.state = 'ready' AND e.id < o.id AND " \
	"(e.report = o.report OR e.mail = o.mail))"

static int mark_waiting(struct store *s, struct outgoing *o, struct err *err)
{
	sqlite3_stmt *st;
	int rc;

	if (sql_query(s, &st, err, "SELECT r.state = 'ready' AND " WAITS
		      " FROM outbox o JOIN recipient r ON r.outbox = o.id "
		      "WHERE o.id = ? ORDER BY r.address", I(o->id)) == -1)
		return -1;
	for (size_t i = 0; (rc = sql_step(s, st, err)) == 1; i++)
		o->delivery[i].waits = sqlite3_column_int(st, 0);
	return rc == -1 ? -1 : 1;
}

int outbox_take(struct store *s, const char *owner, int64_t now,
		int64_t seconds, struct arena *a, struct outgoing *o,
		struct err *err)
{
	sqlite3_stmt *st;
	int rc;

	/* One without any recipient is taken, too: it is to be judged. */
	if (sql_query(s, &st, err, "UPDATE outbox SET owner = ?1, lease = ?2 "
		      "WHERE id = (SELECT id FROM outbox o WHERE "
		      "state = 'ready' AND due <= ?3 AND "
		      "(lease <= ?3 OR owner = ?1) AND (EXISTS (SELECT 1 FROM "
		      "recipient r WHERE r.outbox = o.id AND r.state = 'ready' "
		      "AND NOT " WAITS ") OR NOT EXISTS (SELECT 1 FROM "
		      "recipient r WHERE r.outbox = o.id AND "
		      "r.state = 'ready')) ORDER BY id LIMIT 1) "
		      "RETURNING " OUTBOX_COLUMNS, T(owner), I(now + seconds),
		      I(now)) == -1)
		return -1;
	rc = only(s, st, a, o, err);
	return rc == 1 ? mark_waiting(s, o, err) : rc;
}

int outbox_take_one(struct store *s, int64_t id, const char *owner,
		    int64_t now, int64_t seconds, struct arena *a,
		    struct outgoing *o, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "UPDATE outbox SET owner = ?1, lease = ?2 "
		      "WHERE id = ?4 AND state = 'ready' AND "
		      "(lease <= ?3 OR owner = ?1) RETURNING " OUTBOX_COLUMNS,
		      T(owner), I(now + seconds), I(now), I(id)) == -1)
		return -1;
	return only(s, st, a, o, err);
}

int outbox_save(struct store *s, const struct outgoing *o, struct err *err)
{
	const struct delivery *r = o->delivery;

	if (sql_run(s, err, "UPDATE outbox SET state = ?, due = ?, tries = ?, "
		    "error = ?, sent = ?, lease = 0 WHERE id = ?",
		    T(state_name[o->state]), I(o->due), I(o->tries),
		    T(o->error), I(o->sent), I(o->id)) == -1)
		return -1;
	for (size_t i = 0; i < o->ndelivery; i++)
		if (sql_run(s, err, "UPDATE recipient SET state = ?, "
			    "reply = ? WHERE outbox = ? AND address = ?",
			    T(reply_name[r[i].state]), T(r[i].reply),
			    I(o->id), T(r[i].address)) == -1)
			return -1;
	return 0;
}

int outbox_move(struct store *s, int64_t id, enum outbox_state from,
		enum outbox_state to, const char *why, struct err *err)
{
	return sql_run(s, err, "UPDATE outbox SET state = ?, error = ?, "
		       "tries = 0, due = 0, lease = 0 WHERE id = ? AND "
		       "state = ?", T(state_name[to]), T(why), I(id),
		       T(state_name[from]));
}

int outbox_hurry(struct store *s, int64_t id, int64_t now, struct err *err)
{
	return sql_run(s, err, "UPDATE outbox SET due = 0 WHERE id = ?1 AND "
		       "state = 'ready' AND due > ?2 AND lease <= ?2", I(id),
		       I(now));
}

int outbox_count(struct store *s, const char *person, int64_t report,
		 int64_t since, int64_t *n, struct err *err)
{
	/* Not what was made while the clock ran ahead by days. */
	return sql_number(s, n, err, "SELECT count(*) FROM outbox WHERE "
			  "created BETWEEN ?1 AND ?1 + 2 * 86400 AND "
			  "person <> '' AND "
			  "(?2 IS NULL OR person = lower(?2)) AND (?3 = 0 OR "
			  "report = ?3)", I(since), T(person),
			  I(report)) == -1 ? -1 : 0;
}

static int all(struct store *s, sqlite3_stmt *st, struct arena *a,
	       struct outgoing **v, size_t *n, struct err *err)
{
	int rc = sql_all(s, st, &row, a, v, n, err);

	for (size_t i = 0; rc == 0 && i < *n; i++)
		rc = get_recipients(s, a, &(*v)[i], err);
	return rc;
}

int outbox_list(struct store *s, const enum outbox_state *state,
		struct arena *a, struct outgoing **v, size_t *n,
		struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " OUTBOX_COLUMNS " FROM outbox "
		      "WHERE ?1 IS NULL OR state = ?1 ORDER BY id",
		      T(state ? state_name[*state] : NULL)) == -1)
		return -1;
	return all(s, st, a, v, n, err);
}

int outbox_of_mail(struct store *s, int64_t mail, struct arena *a,
		   struct outgoing **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " OUTBOX_COLUMNS " FROM outbox "
		      "WHERE mail = ? ORDER BY id", I(mail)) == -1)
		return -1;
	return all(s, st, a, v, n, err);
}
