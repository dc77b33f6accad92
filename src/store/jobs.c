#include "store/jobs.h"

#include "store/sql-int.h"

static const char *const state_name[] = {
	[JOB_QUEUED] = "queued", [JOB_SUBMITTED] = "submitted",
	[JOB_DONE] = "done", [JOB_FAILED] = "failed",
	[JOB_CANCELLED] = "cancelled",
};
#define NSTATE ((int)(sizeof(state_name) / sizeof(*state_name)))

const char *job_state_name(enum job_state state)
{
	return state_name[state];
}

static int find_equal(struct store *s, struct job *j, struct err *err)
{
	sqlite3_stmt *st;
	int rc;

	if (sql_query(s, &st, err, "SELECT id, state FROM job WHERE key = ? "
		      "AND state IN ('queued', 'submitted', 'done')",
		      T(j->key)) == -1)
		return -1;
	rc = sql_step(s, st, err);
	if (rc == 1) {
		j->id = sqlite3_column_int64(st, 0);
		j->state = (enum job_state)sql_choice(st, 1, state_name,
						      NSTATE);
	}
	sql_done(st);
	return rc == -1 ? -1 : 0;
}

int job_add(struct store *s, struct job *j, struct err *err)
{
	int n = sql_run(s, err, "INSERT INTO job(key, spec, report, priority, "
			"minutes, created) VALUES(?, ?, ?, ?, ?, ?) "
			"ON CONFLICT DO NOTHING", T(j->key), T(j->spec),
			sql_ref(j->report), I(j->priority), R(j->minutes),
			I(j->created));

	if (n == -1 || find_equal(s, j, err) == -1)
		return -1;
	return n;
}

#define JOB_COLUMNS "id, key, state, spec, report, priority, minutes, used, " \
	"folder, remote, owner, lease, due, tries, error, outcome, created, " \
	"started, ended"

static void fill(sqlite3_stmt *st, struct arena *a, void *to)
{
	*(struct job *)to = (struct job){
		.id = sqlite3_column_int64(st, 0),
		.key = sql_word(st, 1, a),
		.state = (enum job_state)sql_choice(st, 2, state_name, NSTATE),
		.spec = sql_word(st, 3, a),
		.report = sqlite3_column_int64(st, 4),
		.priority = sqlite3_column_int(st, 5),
		.minutes = sqlite3_column_double(st, 6),
		.used = sqlite3_column_double(st, 7),
		.folder = sql_word(st, 8, a),
		.remote = sql_word(st, 9, a),
		.owner = sql_word(st, 10, a),
		.lease = sqlite3_column_int64(st, 11),
		.due = sqlite3_column_int64(st, 12),
		.tries = sqlite3_column_int(st, 13),
		.error = sql_word(st, 14, a),
		.outcome = sql_word(st, 15, a),
		.created = sqlite3_column_int64(st, 16),
		.started = sqlite3_column_int64(st, 17),
		.ended = sqlite3_column_int64(st, 18),
	};
}

static const struct sql_row row = { sizeof(struct job), fill };

int job_get(struct store *s, int64_t id, struct arena *a, struct job *j,
	    struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " JOB_COLUMNS " FROM job "
		      "WHERE id = ?", I(id)) == -1)
		return -1;
	return sql_one(s, st, &row, a, j, err);
}

int job_find(struct store *s, const char *key, struct arena *a, struct job *j,
	     struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " JOB_COLUMNS " FROM job WHERE "
		      "key = ? AND state IN ('queued', 'submitted', 'done')",
		      T(key)) == -1)
		return -1;
	return sql_one(s, st, &row, a, j, err);
}

int job_take(struct store *s, enum job_state state, const char *owner,
	     int64_t now, int64_t seconds, struct arena *a, struct job *j,
	     struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "UPDATE job SET owner = ?1, lease = ?2 "
		      "WHERE id = (SELECT id FROM job WHERE state = ?3 AND "
		      "due <= ?4 AND (lease <= ?4 OR owner = ?1) "
		      "ORDER BY priority, id LIMIT 1) RETURNING " JOB_COLUMNS,
		      T(owner), I(now + seconds), T(state_name[state]),
		      I(now)) == -1)
		return -1;
	return sql_one(s, st, &row, a, j, err);
}

int job_take_queued(struct store *s, int64_t most, const char *owner,
		    int64_t now, int64_t seconds, struct arena *a,
		    struct job *j, struct err *err)
{
	sqlite3_stmt *st;

	/* One statement, so that nobody counts while another takes. */
	if (sql_query(s, &st, err, "UPDATE job SET owner = ?1, lease = ?2 "
		      "WHERE id = (SELECT id FROM job WHERE state = 'queued' "
		      "AND due <= ?3 AND (lease <= ?3 OR owner = ?1) "
		      "ORDER BY priority, id LIMIT 1) AND (SELECT count(*) "
		      "FROM job WHERE state = 'submitted' OR "
		      "(state = 'queued' AND lease > ?3 AND owner != ?1)) < ?4 "
		      "RETURNING " JOB_COLUMNS,
		      T(owner), I(now + seconds), I(now), I(most)) == -1)
		return -1;
	return sql_one(s, st, &row, a, j, err);
}

int job_save(struct store *s, const struct job *j, const char *owner,
	     struct err *err)
{
	return sql_run(s, err, "UPDATE job SET state = ?, used = ?, "
		       "folder = ?, remote = ?, lease = ?, due = ?, tries = ?, "
		       "error = ?, outcome = ?, started = ?, ended = ? "
		       "WHERE id = ? AND owner = ? AND "
		       "state IN ('queued', 'submitted')",
		       T(state_name[j->state]), R(j->used), T(j->folder),
		       T(j->remote), I(j->lease), I(j->due), I(j->tries),
		       T(j->error), T(j->outcome), I(j->started), I(j->ended),
		       I(j->id), T(owner));
}

int job_cancel(struct store *s, int64_t id, const char *why, int64_t now,
	       struct err *err)
{
	return sql_run(s, err, "UPDATE job SET state = 'cancelled', error = ?, "
		       "ended = ? WHERE id = ? AND "
		       "state IN ('queued', 'submitted')", T(why), I(now),
		       I(id));
}

int job_next_cancelled(struct store *s, struct arena *a, struct job *j,
		       struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " JOB_COLUMNS " FROM job WHERE "
		      "state = ? AND remote <> '' ORDER BY id LIMIT 1",
		      T(state_name[JOB_CANCELLED])) == -1)
		return -1;
	return sql_one(s, st, &row, a, j, err);
}

int job_forget(struct store *s, int64_t id, struct err *err)
{
	int n = sql_run(s, err, "UPDATE job SET remote = '' WHERE id = ?",
			I(id));

	return n == -1 ? -1 : 0;
}

int job_retry(struct store *s, int64_t id, struct err *err)
{
	return sql_run(s, err, "UPDATE OR IGNORE job SET state = 'queued', "
		       "error = '', tries = 0, due = 0, lease = 0, ended = 0, "
		       "folder = '', remote = '' WHERE id = ? AND "
		       "state IN ('failed', 'cancelled')", I(id));
}

int job_hurry(struct store *s, int64_t id, int64_t now, struct err *err)
{
	return sql_run(s, err, "UPDATE job SET due = 0 WHERE id = ?1 AND "
		       "state = 'queued' AND due > ?2 AND lease <= ?2", I(id),
		       I(now));
}

int job_place(struct store *s, int64_t id, int64_t *ahead, double *minutes,
	      struct err *err)
{
	sqlite3_stmt *st;
	int rc;

	if (sql_query(s, &st, err, "SELECT count(*), total(a.minutes) "
		      "FROM job a, job b WHERE b.id = ?1 AND a.id <> ?1 AND "
		      "(a.state = 'submitted' OR a.state = 'queued' AND "
		      "(a.priority, a.id) < (b.priority, b.id))", I(id)) == -1)
		return -1;
	rc = sql_step(s, st, err);
	if (rc == 1) {
		*ahead = sqlite3_column_int64(st, 0);
		*minutes = sqlite3_column_double(st, 1);
	}
	sql_done(st);
	return rc == -1 ? -1 : 0;
}

int job_list(struct store *s, const enum job_state *state, struct arena *a,
	     struct job **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " JOB_COLUMNS " FROM job WHERE "
		      "?1 IS NULL OR state = ?1 ORDER BY priority, id",
		      T(state ? state_name[*state] : NULL)) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
}
