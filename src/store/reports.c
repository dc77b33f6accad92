#include "store/reports.h"

#include <assert.h>
#include <string.h>

#include "store/mails.h"
#include "store/sql-int.h"

static const char *const state_name[] = {
	[REPORT_OPEN] = "open", [REPORT_ACKNOWLEDGED] = "acknowledged",
	[REPORT_FIXED] = "fixed", [REPORT_INVALID] = "invalid",
	[REPORT_DUP] = "dup", [REPORT_EXPECTED] = "expected",
	[REPORT_DISPUTED] = "disputed", [REPORT_STOPPED] = "stopped",
};
#define NSTATE ((int)(sizeof(state_name) / sizeof(*state_name)))

const char *report_state_name(enum report_state state)
{
	return state_name[state];
}

int report_state_parse(const char *name)
{
	for (int i = 0; i < NSTATE; i++)
		if (!strcmp(name, state_name[i]))
			return i;
	return -1;
}

static int insert(struct store *s, const struct stored_report *r,
		  struct err *err)
{
	return sql_run(s, err, "INSERT INTO report(key, token, facts_hash, "
		       "message_id, subject, tested, title, base, stat, tree, "
		       "branch, machine, facts, results, public, parent, "
		       "created, changed) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, "
		       "?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?17) "
		       "ON CONFLICT(key) DO NOTHING",
		       T(r->key), T(r->token), T(r->facts_hash),
		       T(r->message_id), T(r->subject), T(r->tested),
		       T(r->title), T(r->base), T(r->stat), T(r->tree),
		       T(r->branch), T(r->machine), T(r->facts),
		       T(r->results), I(r->public), sql_ref(r->parent),
		       I(r->created));
}

static int revise(struct store *s, const struct stored_report *r,
		  struct err *err)
{
	return sql_run(s, err, "UPDATE report SET revision = revision + 1, "
		       "facts_hash = ?, facts = ?, results = ?, changed = ? "
		       "WHERE key = ? AND facts_hash <> ?", T(r->facts_hash),
		       T(r->facts), T(r->results), I(r->created), T(r->key),
		       T(r->facts_hash));
}

int report_put(struct store *s, struct stored_report *r, struct err *err)
{
	sqlite3_stmt *st;
	int added, revised = 0;

	assert(!sqlite3_get_autocommit(s->db));
	added = insert(s, r, err);
	if (added == 0)
		revised = revise(s, r, err);
	if (added == -1 || revised == -1 ||
	    sql_query(s, &st, err, "SELECT id, revision FROM report WHERE "
		      "key = ?", T(r->key)) == -1 ||
	    sql_step(s, st, err) == -1)
		return -1;
	r->id = sqlite3_column_int64(st, 0);
	r->revision = sqlite3_column_int(st, 1);
	sql_done(st);
	if (*r->message_id &&
	    thread_add(s, r->message_id, r->id, true, err) == -1)
		return -1;
	return added ? 1 : revised ? 2 : 0;
}

#define REPORT_COLUMNS "id, key, token, revision, facts_hash, state, " \
	"state_note, state_by, message_id, subject, tested, title, base, " \
	"stat, tree, branch, machine, facts, results, public, parent, " \
	"created, changed"

static void fill(sqlite3_stmt *st, struct arena *a, void *to)
{
	*(struct stored_report *)to = (struct stored_report){
		.id = sqlite3_column_int64(st, 0),
		.key = sql_word(st, 1, a),
		.token = sql_word(st, 2, a),
		.revision = sqlite3_column_int(st, 3),
		.facts_hash = sql_word(st, 4, a),
		.state = (enum report_state)sql_choice(st, 5, state_name,
						       NSTATE),
		.state_note = sql_word(st, 6, a),
		.state_by = sql_word(st, 7, a),
		.message_id = sql_word(st, 8, a),
		.subject = sql_word(st, 9, a),
		.tested = sql_word(st, 10, a),
		.title = sql_word(st, 11, a),
		.base = sql_word(st, 12, a),
		.stat = sql_word(st, 13, a),
		.tree = sql_word(st, 14, a),
		.branch = sql_word(st, 15, a),
		.machine = sql_word(st, 16, a),
		.facts = sql_word(st, 17, a),
		.results = sql_word(st, 18, a),
		.public = sqlite3_column_int(st, 19) != 0,
		.parent = sqlite3_column_int64(st, 20),
		.created = sqlite3_column_int64(st, 21),
		.changed = sqlite3_column_int64(st, 22),
	};
}

static const struct sql_row row = { sizeof(struct stored_report), fill };

int report_get(struct store *s, int64_t id, struct arena *a,
	       struct stored_report *r, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " REPORT_COLUMNS " FROM report "
		      "WHERE id = ?", I(id)) == -1)
		return -1;
	return sql_one(s, st, &row, a, r, err);
}

int report_by_token(struct store *s, const char *token, struct arena *a,
		    struct stored_report *r, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " REPORT_COLUMNS " FROM report "
		      "WHERE token = lower(?)", T(token)) == -1)
		return -1;
	return sql_one(s, st, &row, a, r, err);
}

int report_by_subject(struct store *s, const char *subject, struct arena *a,
		      struct stored_report **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " REPORT_COLUMNS " FROM report "
		      "WHERE subject = ? ORDER BY id", T(subject)) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
}

int report_by_commit(struct store *s, const char *commit, struct arena *a,
		     struct stored_report **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " REPORT_COLUMNS " FROM report "
		      "WHERE length(?1) >= 8 AND length(tested) >= 8 AND "
		      "(substr(tested, 1, length(?1)) = lower(?1) OR "
		      "substr(lower(?1), 1, length(tested)) = tested) "
		      "ORDER BY id", T(commit)) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
}

int report_list(struct store *s, int64_t max, struct arena *a,
		struct stored_report **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " REPORT_COLUMNS " FROM report "
		      "ORDER BY id DESC LIMIT ?", I(max)) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
}

int report_set_state(struct store *s, int64_t id, enum report_state state,
		     const char *note, const char *by, int64_t now,
		     struct err *err)
{
	int n = sql_run(s, err, "UPDATE report SET state = ?, state_note = ?, "
			"state_by = ?, changed = ? WHERE id = ?",
			T(state_name[state]), T(note), T(by), I(now), I(id));

	return n == -1 ? -1 : 0;
}
