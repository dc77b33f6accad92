#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "store/audit.h"
#include "store/jobs.h"
#include "store/mails.h"
#include "store/outbox.h"
#include "store/reports.h"
#include "store/requests.h"
#include "store/store.h"

struct place {
	char dir[64], file[80];
	struct arena arena;
	struct store *store;
};

static int set_up(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	struct err err;

	strcpy(p->dir, "/tmp/test-store-XXXXXX");
	if (!mkdtemp(p->dir))
		return -1;
	snprintf(p->file, sizeof(p->file), "%s/db", p->dir);
	p->store = store_open(p->file, true, &err);
	*state = p;
	return p->store ? 0 : -1;
}

static int tear_down(void **state)
{
	static const char *const end[] = { "", "-wal", "-shm" };
	struct place *p = *state;
	char path[100];

	store_close(p->store);
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s%s", p->file, end[i]);
		unlink(path);
	}
	rmdir(p->dir);
	arena_release(&p->arena);
	free(p);
	return 0;
}

static void run_sql(const char *file, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void assert_private(const char *file, const char *end, uid_t owner)
{
	char path[120];
	struct stat st;

	snprintf(path, sizeof(path), "%s%s", file, end);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(st.st_uid, owner);
}

static void only_its_owner_reads_it(void **state)
{
	struct place *p = *state;
	struct err err;
	char copy[100];
	uid_t owner = geteuid() ? geteuid() : 12345;

	snprintf(copy, sizeof(copy), "%s/copy", p->dir);
	assert_private(p->file, "", geteuid());
	assert_private(p->file, "-wal", geteuid());
	assert_private(p->file, "-shm", geteuid());
	if (geteuid() == 0)
		assert_int_equal(chown(p->dir, owner, owner), 0);
	assert_int_equal(store_backup(p->store, copy, &err), 0);
	assert_private(copy, "", owner);
	unlink(copy);
}

/* Nothing that looks like a backup is left, and the target is named. */
static void a_backup_is_whole_or_not_there(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	struct rlimit was, full;
	char copy[100], tmp[140];

	snprintf(copy, sizeof(copy), "%s/copy", p->dir);
	snprintf(tmp, sizeof(tmp), "%s.new-%ld", copy, (long)getpid());
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	full = was;
	full.rlim_cur = 8192;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
	assert_int_equal(store_backup(p->store, copy, &err), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_non_null(strstr(err.text, copy));
	assert_int_equal(access(copy, F_OK), -1);
	assert_int_equal(access(tmp, F_OK), -1);
	assert_int_equal(store_backup(p->store, copy, &err), 0);
	unlink(copy);
}

static void opens_only_its_own(void **state)
{
	struct place *p = *state;
	struct err err;
	char other[100];

	assert_null(store_open("/nonexistent/db", true, &err));
	snprintf(other, sizeof(other), "%s/other", p->dir);
	assert_null(store_open(other, false, &err));
	run_sql(other, "CREATE TABLE t(x); PRAGMA user_version = 7");
	assert_null(store_open(other, true, &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_non_null(strstr(err.text, "no store of perfpost"));
	unlink(other);

	store_close(p->store);
	run_sql(p->file, "PRAGMA user_version = 9999");
	p->store = store_open(p->file, true, &err);
	assert_null(p->store);
	assert_non_null(strstr(err.text, "newer perfpost"));
	run_sql(p->file, "PRAGMA user_version = 3");
	p->store = store_open(p->file, false, &err);
	assert_non_null(p->store);
	assert_int_equal(store_check(p->store, &err), 0);
}

static void a_damaged_file_is_an_error(void **state)
{
	struct place *p = *state;
	struct err err;
	char bad[100];
	FILE *f;

	snprintf(bad, sizeof(bad), "%s/bad", p->dir);
	f = fopen(bad, "w");
	assert_non_null(f);
	for (int i = 0; i < 4096; i++)
		fputc('x', f);
	fclose(f);
	assert_null(store_open(bad, true, &err));
	assert_int_equal(err.code, ERR_INPUT);
	unlink(bad);
}

static int64_t add_mail(struct store *s, const char *hash, int expect)
{
	struct stored_mail m = {
		.hash = hash, .source = "test", .received = 100,
		.bytes = "a\0b", .len = 3,
	};
	struct err err;

	assert_int_equal(mail_add(s, &m, &err), expect);
	return m.id;
}

static void a_delivery_is_one_row(void **state)
{
	struct place *p = *state;
	struct stored_mail m;
	struct err err;
	int64_t one = add_mail(p->store, "h1", 1), two;

	assert_int_equal(add_mail(p->store, "h1", 0), one);
	two = add_mail(p->store, "h2", 1);
	assert_int_equal(mail_next(p->store, 50, &p->arena, &m, &err), 1);
	assert_int_equal(m.id, one);
	assert_int_equal(m.len, 3);
	assert_memory_equal(m.bytes, "a\0b", 3);

	assert_int_equal(mail_delay(p->store, one, 200, "no net", &err), 0);
	assert_int_equal(mail_next(p->store, 50, &p->arena, &m, &err), 1);
	assert_int_equal(m.id, two);
	assert_int_equal(mail_next(p->store, 200, &p->arena, &m, &err), 1);
	assert_int_equal(m.id, one);
	assert_int_equal(m.tries, 1);
}

static void one_mail_is_acted_upon_once(void **state)
{
	struct place *p = *state;
	struct stored_mail m, found;
	struct err err;
	int64_t one = add_mail(p->store, "h1", 1);
	int64_t two = add_mail(p->store, "h2", 1);

	assert_int_equal(mail_get(p->store, one, &p->arena, &m, &err), 1);
	m.state = MAIL_DECIDED;
	m.message_id = "a@b";
	m.content = "c";
	assert_int_equal(mail_save(p->store, &m, &err), 0);
	assert_int_equal(mail_find(p->store, "a@b", "c", &p->arena, &found,
				   &err), 1);
	assert_int_equal(found.id, one);
	assert_int_equal(mail_get(p->store, two, &p->arena, &m, &err), 1);
	m.state = MAIL_DECIDED;
	m.message_id = "a@b";
	m.content = "c";
	assert_int_equal(mail_save(p->store, &m, &err), -1);
	m.state = MAIL_DUPLICATE;
	assert_int_equal(mail_save(p->store, &m, &err), 0);
	assert_int_equal(mail_next(p->store, 1000, &p->arena, &m, &err), 0);
}

static int64_t add_job(struct store *s, const char *key, int expect)
{
	struct job j = { .key = key, .spec = "{}", .minutes = 5,
			 .created = 100 };
	struct err err;

	assert_int_equal(job_add(s, &j, &err), expect);
	return j.id;
}

static void equal_jobs_are_one(void **state)
{
	struct place *p = *state;
	struct store *s = p->store;
	struct err err;
	int64_t one = add_job(s, "k", 1), ahead;
	double minutes;

	assert_int_equal(add_job(s, "k", 0), one);
	add_job(s, "l", 1);
	assert_int_equal(job_place(s, one + 1, &ahead, &minutes, &err), 0);
	assert_int_equal(ahead, 1);
	assert_true(minutes == 5);
	assert_int_equal(job_cancel(s, one, "no", 1, &err), 1);
	assert_int_equal(job_cancel(s, one, "no", 1, &err), 0);
	assert_int_equal(add_job(s, "k", 1), one + 2);
	/* The older one would be a second of the same. */
	assert_int_equal(job_retry(s, one, &err), 0);
}

static void a_lease_is_held_by_one(void **state)
{
	struct place *p = *state;
	struct store *s = p->store;
	struct job j;
	struct err err;

	add_job(s, "k", 1);
	assert_int_equal(job_take(s, JOB_QUEUED, "a", 10, 60, &p->arena, &j,
				  &err), 1);
	assert_int_equal(j.lease, 70);
	assert_string_equal(j.owner, "a");
	assert_int_equal(job_take(s, JOB_QUEUED, "b", 20, 60, &p->arena, &j,
				  &err), 0);
	assert_int_equal(job_take(s, JOB_QUEUED, "a", 20, 60, &p->arena, &j,
				  &err), 1);
	j.state = JOB_SUBMITTED;
	j.folder = "/jobs/1";
	j.lease = 80;
	assert_int_equal(job_save(s, &j, "b", &err), 0);
	assert_int_equal(job_save(s, &j, "a", &err), 1);
	/* "a" died: its lease runs out, "b" goes on. */
	assert_int_equal(job_take(s, JOB_SUBMITTED, "b", 80, 60, &p->arena, &j,
				  &err), 1);
	assert_string_equal(j.folder, "/jobs/1");
	assert_int_equal(job_save(s, &j, "a", &err), 0);
	assert_int_equal(job_cancel(s, j.id, "asked", 90, &err), 1);
	j.state = JOB_DONE;
	assert_int_equal(job_save(s, &j, "b", &err), 0);
}

static int add_out(struct store *s, const char *id, int64_t report,
		   int64_t *row)
{
	struct delivery to[] = { { .address = "x@example.org" },
				  { .address = "y@example.org" } };
	struct outgoing o = {
		.message_id = id, .kind = "result", .report = report,
		.person = "X@example.org", .state = OUTBOX_READY,
		.sender = "bot@example.org", .delivery = to, .ndelivery = 2,
		.created = 100, .bytes = "mail", .len = 4,
	};
	struct err err;
	int rc;

	assert_int_equal(store_begin(s, &err), 0);
	rc = outbox_add(s, &o, &err);
	assert_int_equal(store_commit(s, &err), 0);
	*row = o.id;
	return rc;
}

static void no_more_jobs_run_than_may(void **state)
{
	struct place *p = *state;
	struct store *s = p->store;
	struct job j;
	struct err err;

	for (const char *key = "abc"; *key; key++)
		add_job(s, (char[]){ *key, '\0' }, 1);
	assert_int_equal(job_take_queued(s, 2, "x", 10, 60, &p->arena, &j,
					 &err), 1);
	/* Not submitted yet, but it will be. */
	assert_int_equal(job_take_queued(s, 1, "y", 10, 60, &p->arena, &j,
					 &err), 0);
	assert_int_equal(job_take_queued(s, 2, "y", 10, 60, &p->arena, &j,
					 &err), 1);
	j.state = JOB_SUBMITTED;
	j.lease = 0;
	assert_int_equal(job_save(s, &j, "y", &err), 1);
	assert_int_equal(job_take_queued(s, 2, "y", 10, 60, &p->arena, &j,
					 &err), 0);
	/* "x" died. */
	assert_int_equal(job_take_queued(s, 2, "y", 71, 60, &p->arena, &j,
					 &err), 1);
	assert_string_equal(j.key, "a");
}

static int64_t add_report(struct store *s, const char *key, const char *facts,
			  int expect, int revision)
{
	struct stored_report r = {
		.key = key, .token = key, .facts_hash = facts,
		.message_id = "r@ours", .subject = "a -1% regression",
		.tested = "9fffc0ffee12", .title = "", .base = "",
		.stat = "s", .tree = "", .branch = "", .machine = "",
		.facts = "{}", .results = "[]", .created = 5,
	};
	struct err err;

	assert_int_equal(store_begin(s, &err), 0);
	assert_int_equal(report_put(s, &r, &err), expect);
	assert_int_equal(r.revision, revision);
	assert_int_equal(store_commit(s, &err), 0);
	return r.id;
}

static void a_mail_of_ours_is_added_once(void **state)
{
	struct place *p = *state;
	struct store *s = p->store;
	struct outgoing o;
	struct err err;
	int64_t report = add_report(s, "k1", "f", 1, 1), id, again, found, n;

	assert_int_equal(add_out(s, "m@ours", report, &id), 1);
	assert_int_equal(add_out(s, "m@ours", report, &again), 0);
	assert_int_equal(id, again);
	assert_int_equal(thread_reports(s, "m@ours", &found, 1, &err), 1);
	assert_int_equal(found, report);
	assert_int_equal(thread_is_ours(s, "m@ours", &err), 1);

	assert_int_equal(outbox_take(s, "a", 1, 60, &p->arena, &o, &err), 1);
	assert_int_equal(o.ndelivery, 2);
	assert_memory_equal(o.bytes, "mail", 4);
	assert_int_equal(outbox_take(s, "b", 1, 60, &p->arena, &o, &err), 0);
	assert_int_equal(outbox_take(s, "b", 61, 60, &p->arena, &o, &err), 1);
	o.state = OUTBOX_SENT;
	o.delivery[0].state = DELIVERY_SENT;
	o.delivery[0].reply = "250 ok";
	assert_int_equal(outbox_save(s, &o, &err), 0);
	assert_int_equal(outbox_get(s, id, &p->arena, &o, &err), 1);
	assert_int_equal(o.state, OUTBOX_SENT);
	assert_string_equal(o.delivery[0].reply, "250 ok");
	assert_int_equal(outbox_count(s, "x@EXAMPLE.org", 0, 0, &n, &err), 0);
	assert_int_equal(n, 1);
	assert_int_equal(outbox_count(s, NULL, report, 101, &n, &err), 0);
	assert_int_equal(n, 0);
}

/* Take the next; its id, 0: none, and who has to wait as bits. */
static int64_t take(struct place *p, int64_t now, unsigned int *waits,
		    struct outgoing *o)
{
	struct err err;

	*waits = 0;
	if (outbox_take(p->store, "a", now, 60, &p->arena, o, &err) != 1)
		return 0;
	for (size_t i = 0; i < o->ndelivery; i++)
		*waits |= (unsigned int)o->delivery[i].waits << i;
	return o->id;
}

static void a_thread_keeps_its_order(void **state)
{
	struct place *p = *state;
	struct store *s = p->store;
	int64_t report = add_report(s, "k1", "f", 1, 1), other, id[3];
	struct outgoing o, first;
	unsigned int waits;
	struct err err;

	other = add_report(s, "k2", "f", 1, 1);
	add_out(s, "1@ours", report, &id[0]);
	add_out(s, "2@ours", report, &id[1]);
	add_out(s, "3@ours", other, &id[2]);
	assert_int_equal(take(p, 1, &waits, &first), id[0]);
	assert_int_equal(waits, 0);
	/* One of the two is served, the other is to be tried at 100. */
	first.delivery[0].state = DELIVERY_SENT;
	first.delivery[0].reply = "250";
	first.due = 100;
	assert_int_equal(outbox_save(s, &first, &err), 0);
	assert_int_equal(take(p, 2, &waits, &o), id[1]);
	assert_int_equal(waits, 2);
	o.delivery[0].state = DELIVERY_SENT;
	o.delivery[0].reply = "250";
	assert_int_equal(outbox_save(s, &o, &err), 0);
	/* Another thread goes on; this one has nobody left to go to. */
	assert_int_equal(take(p, 2, &waits, &o), id[2]);
	assert_int_equal(waits, 0);
	o.state = OUTBOX_SENT;
	assert_int_equal(outbox_save(s, &o, &err), 0);
	assert_int_equal(take(p, 3, &waits, &o), 0);
	assert_int_equal(take(p, 100, &waits, &first), id[0]);
	first.state = OUTBOX_FAILED;	/* for good */
	assert_int_equal(outbox_save(s, &first, &err), 0);
	assert_int_equal(take(p, 101, &waits, &o), id[1]);
	assert_int_equal(waits, 0);
}

static void a_report_knows_its_revision(void **state)
{
	struct place *p = *state;
	struct stored_report *v;
	struct err err;
	size_t n;
	int64_t id = add_report(p->store, "k1", "f", 1, 1);

	assert_int_equal(add_report(p->store, "k1", "f", 0, 1), id);
	assert_int_equal(add_report(p->store, "k1", "g", 2, 2), id);
	add_report(p->store, "k2", "f", 1, 1);
	assert_int_equal(report_by_subject(p->store, "a -1% regression",
					   &p->arena, &v, &n, &err), 0);
	assert_int_equal(n, 2);
	assert_int_equal(report_by_commit(p->store, "9FFFC0FF", &p->arena, &v,
					  &n, &err), 0);
	assert_int_equal(n, 2);
	assert_int_equal(report_by_commit(p->store, "9fffc0ffee12345", &p->arena,
					  &v, &n, &err), 0);
	assert_int_equal(n, 2);
	assert_int_equal(report_by_commit(p->store, "9fffc0f", &p->arena, &v,
					  &n, &err), 0);
	assert_int_equal(n, 0);
	assert_int_equal(report_set_state(p->store, id, REPORT_FIXED, "by x",
					  "ada@example.org", 9, &err), 0);
	assert_int_equal(report_list(p->store, 10, &p->arena, &v, &n, &err),
			 0);
	assert_int_equal(n, 2);
	assert_int_equal(v[1].state, REPORT_FIXED);
}

static void minutes_are_charged_once(void **state)
{
	struct place *p = *state;
	struct store *s = p->store;
	struct err err;
	double minutes;
	struct asked q = {
		.mail = add_mail(s, "h", 1), .kind = "rerun", .fields = "{}",
		.person = "Ada@dev.example.org", .state = ASKED_QUEUED,
		.job = add_job(s, "k", 1), .created = 100,
	};

	assert_int_equal(asked_before(s, "ada@dev.example.org", &err), 0);
	assert_int_equal(asked_add(s, &q, &err), 1);
	assert_int_equal(asked_add(s, &q, &err), 0);
	assert_int_equal(asked_before(s, "ada@DEV.example.org", &err), 1);
	assert_int_equal(spend(s, &q, 7, 100, &err), 0);
	assert_int_equal(spend(s, &q, 7, 100, &err), 0);
	assert_int_equal(spent(s, "ada@dev.example.org", NULL, 0, 0, &minutes,
			       &err), 0);
	assert_true(minutes == 7);
	assert_int_equal(spent(s, NULL, "dev.example.org", 0, 101, &minutes,
			       &err), 0);
	assert_true(minutes == 0);
	assert_int_equal(spend_correct(s, q.job, 3, &err), 0);
	assert_int_equal(spent(s, NULL, NULL, 0, 0, &minutes, &err), 0);
	assert_true(minutes == 3);
}

static void what_is_rolled_back_was_never_there(void **state)
{
	struct place *p = *state;
	struct stored_mail m;
	struct audit *v;
	struct err err;
	size_t n;

	assert_int_equal(store_begin(p->store, &err), 0);
	add_mail(p->store, "h", 1);
	assert_int_equal(audit_add(p->store, 1, "bot", "took", "mail", 1, "",
				   &err), 0);
	store_rollback(p->store);
	assert_int_equal(mail_get(p->store, 1, &p->arena, &m, &err), 0);
	assert_int_equal(audit_list(p->store, "mail", 1, &p->arena, &v, &n,
				    &err), 0);
	assert_int_equal(n, 0);
}

static void locked_and_full_are_for_later(void **state)
{
	struct place *p = *state;
	struct stored_mail m = { .hash = "h", .source = "test", .bytes = "" };
	struct store *other;
	struct err err;
	char *big;

	other = store_open(p->file, false, &err);
	assert_non_null(other);
	store_set_patience(p->store, 1);
	assert_int_equal(store_begin(other, &err), 0);
	assert_int_equal(mail_add(p->store, &m, &err), -1);
	assert_int_equal(err.code, ERR_TEMP);
	store_rollback(other);
	store_close(other);
	assert_int_equal(mail_add(p->store, &m, &err), 1);

	store_limit(p->store, 1);
	big = calloc(1, 1 << 20);
	m = (struct stored_mail){ .hash = "i", .source = "test", .bytes = big,
				  .len = 1 << 20 };
	assert_int_equal(mail_add(p->store, &m, &err), -1);
	assert_int_equal(err.code, ERR_TEMP);
	free(big);
}

static void a_backup_is_a_store(void **state)
{
	struct place *p = *state;
	struct stored_mail m;
	struct store *copy;
	struct err err;
	char path[100];

	add_mail(p->store, "h", 1);
	snprintf(path, sizeof(path), "%s/copy", p->dir);
	assert_int_equal(store_backup(p->store, path, &err), 0);
	copy = store_open(path, false, &err);
	assert_non_null(copy);
	assert_int_equal(mail_get(copy, 1, &p->arena, &m, &err), 1);
	assert_int_equal(store_check(copy, &err), 0);
	store_close(copy);
	unlink(path);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_its_owner_reads_it),
		TEST(a_backup_is_whole_or_not_there),
		TEST(opens_only_its_own),
		TEST(a_damaged_file_is_an_error),
		TEST(a_delivery_is_one_row),
		TEST(one_mail_is_acted_upon_once),
		TEST(equal_jobs_are_one),
		TEST(no_more_jobs_run_than_may),
		TEST(a_lease_is_held_by_one),
		TEST(a_mail_of_ours_is_added_once),
		TEST(a_thread_keeps_its_order),
		TEST(a_report_knows_its_revision),
		TEST(minutes_are_charged_once),
		TEST(what_is_rolled_back_was_never_there),
		TEST(locked_and_full_are_for_later),
		TEST(a_backup_is_a_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
