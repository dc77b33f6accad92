#include "store/requests.h"

#include <string.h>

#include "store/sql-int.h"

static const char *const state_name[] = {
	[ASKED_HELD] = "held", [ASKED_UNCLEAR] = "asked",
	[ASKED_QUEUED] = "queued", [ASKED_ANSWERED] = "answered",
	[ASKED_DENIED] = "denied", [ASKED_CANCELLED] = "cancelled",
	[ASKED_NOTED] = "noted",
};
#define NSTATE ((int)(sizeof(state_name) / sizeof(*state_name)))

const char *asked_state_name(enum asked_state state)
{
	return state_name[state];
}

int asked_add(struct store *s, struct asked *q, struct err *err)
{
	int n = sql_run(s, err, "INSERT INTO request(mail, report, nth, kind, "
			"fields, person, state, job, expires, created, "
			"changed) VALUES(?1, ?2, ?3, ?4, ?5, lower(?6), ?7, "
			"?8, ?9, ?10, ?10) ON CONFLICT DO NOTHING",
			I(q->mail), sql_ref(q->report), I(q->nth), T(q->kind),
			T(q->fields), T(q->person), T(state_name[q->state]),
			sql_ref(q->job), I(q->expires), I(q->created));

	if (n == -1 || sql_number(s, &q->id, err, "SELECT id FROM request "
				  "WHERE mail = ? AND nth = ? AND "
				  "coalesce(report, 0) = ?", I(q->mail),
				  I(q->nth), I(q->report)) == -1)
		return -1;
	return n;
}

#define REQUEST_COLUMNS "id, mail, report, nth, kind, fields, person, " \
	"state, job, expires, created, changed"

static void fill(sqlite3_stmt *st, struct arena *a, void *to)
{
	*(struct asked *)to = (struct asked){
		.id = sqlite3_column_int64(st, 0),
		.mail = sqlite3_column_int64(st, 1),
		.report = sqlite3_column_int64(st, 2),
		.nth = sqlite3_column_int(st, 3),
		.kind = sql_word(st, 4, a),
		.fields = sql_word(st, 5, a),
		.person = sql_word(st, 6, a),
		.state = (enum asked_state)sql_choice(st, 7, state_name,
						      NSTATE),
		.job = sqlite3_column_int64(st, 8),
		.expires = sqlite3_column_int64(st, 9),
		.created = sqlite3_column_int64(st, 10),
		.changed = sqlite3_column_int64(st, 11),
	};
}

static const struct sql_row row = { sizeof(struct asked), fill };

int asked_get(struct store *s, int64_t id, struct arena *a, struct asked *q,
	      struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " REQUEST_COLUMNS " FROM request "
		      "WHERE id = ?", I(id)) == -1)
		return -1;
	return sql_one(s, st, &row, a, q, err);
}

int asked_save(struct store *s, const struct asked *q, int64_t now,
	       struct err *err)
{
	int n = sql_run(s, err, "UPDATE request SET state = ?, job = ?, "
			"expires = ?, changed = ? WHERE id = ?",
			T(state_name[q->state]), sql_ref(q->job),
			I(q->expires), I(now), I(q->id));

	return n == -1 ? -1 : 0;
}

int asked_list(struct store *s, int64_t mail, int64_t report, int64_t job,
	       struct arena *a, struct asked **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " REQUEST_COLUMNS " FROM request "
		      "WHERE (?1 = 0 OR mail = ?1) AND (?2 = 0 OR report = ?2) "
		      "AND (?3 = 0 OR job = ?3) ORDER BY id", I(mail),
		      I(report), I(job)) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
}

int asked_list_state(struct store *s, enum asked_state state, struct arena *a,
		     struct asked **v, size_t *n, struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " REQUEST_COLUMNS " FROM request "
		      "WHERE state = ? ORDER BY id",
		      T(state_name[state])) == -1)
		return -1;
	return sql_all(s, st, &row, a, v, n, err);
}

int asked_next_ended(struct store *s, struct arena *a, struct asked *q,
		     struct err *err)
{
	sqlite3_stmt *st;

	if (sql_query(s, &st, err, "SELECT " REQUEST_COLUMNS " FROM request "
		      "WHERE state = ? AND job IN (SELECT id FROM job WHERE "
		      "state IN ('done', 'failed', 'cancelled')) "
		      "ORDER BY id LIMIT 1",
		      T(state_name[ASKED_QUEUED])) == -1)
		return -1;
	return sql_one(s, st, &row, a, q, err);
}

int asked_expire(struct store *s, int64_t now, struct err *err)
{
	return sql_run(s, err, "UPDATE request SET state = ?1, changed = ?2 "
		       "WHERE state = 'held' AND expires > 0 AND "
		       "expires <= ?2", T(state_name[ASKED_CANCELLED]),
		       I(now));
}

int asked_before(struct store *s, const char *person, struct err *err)
{
	int64_t one;

	return sql_number(s, &one, err, "SELECT 1 FROM request WHERE "
			  "person = lower(?) AND state IN ('queued', "
			  "'answered') LIMIT 1", T(person));
}

int spend(struct store *s, const struct asked *q, double minutes, int64_t now,
	  struct err *err)
{
	const char *at = strrchr(q->person, '@');
	int n = sql_run(s, err, "INSERT INTO spending(request, job, person, "
			"domain, report, at, minutes) VALUES(?, ?, lower(?), "
			"lower(?), ?, ?, ?) ON CONFLICT DO NOTHING", I(q->id),
			I(q->job), T(q->person), T(at ? at + 1 : ""),
			sql_ref(q->report), I(now), R(minutes));

	return n == -1 ? -1 : 0;
}

int spent(struct store *s, const char *person, const char *domain,
	  int64_t report, int64_t since, double *minutes, struct err *err)
{
	sqlite3_stmt *st;
	int rc;

	if (sql_query(s, &st, err, "SELECT total(minutes) FROM spending WHERE "
		      "at >= ?1 AND (?1 = 0 OR at <= ?1 + 2 * 86400) AND "
		      "(?2 IS NULL OR person = lower(?2)) AND "
		      "(?3 IS NULL OR domain = lower(?3)) AND "
		      "(?4 = 0 OR report = ?4)", I(since), T(person),
		      T(domain), I(report)) == -1)
		return -1;
	rc = sql_step(s, st, err);
	if (rc == 1)
		*minutes = sqlite3_column_double(st, 0);
	sql_done(st);
	return rc == -1 ? -1 : 0;
}

int spend_correct(struct store *s, int64_t job, double minutes,
		  struct err *err)
{
	int n = sql_run(s, err, "UPDATE spending SET minutes = ? / (SELECT "
			"count(*) FROM spending WHERE job = ?2) WHERE "
			"job = ?2", R(minutes), I(job));

	return n == -1 ? -1 : 0;
}
