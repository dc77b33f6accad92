#include "store/sql-int.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"

/* "perf" as SQLite's application_id: file(1) and we know our stores by it. */
#define APPLICATION_ID 0x70657266

static int get_pragma(struct store *s, const char *sql, int *value,
		      struct err *err)
{
	sqlite3_stmt *st;

	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK ||
	    sqlite3_step(st) != SQLITE_ROW) {
		sqlite3_finalize(st);
		return sql_fail(s, err, "cannot read the header");
	}
	*value = sqlite3_column_int(st, 0);
	sqlite3_finalize(st);
	return 0;
}

/*
 * Whose file is it, and which schema?  Asked inside the transaction that
 * migrates, so that of two who start at once one does it and the other waits.
 */
static int check_schema(struct store *s, bool create, struct err *err)
{
	int id, version;

	if (get_pragma(s, "PRAGMA application_id", &id, err) == -1 ||
	    get_pragma(s, "PRAGMA user_version", &version, err) == -1)
		return -1;
	if (id != APPLICATION_ID && (id || version))
		return err_set(err, ERR_INPUT, "'%s' is no store of perfpost",
			       s->path);
	if (version > schema_version)
		return err_set(err, ERR_INPUT, "store '%s' was written by a "
			       "newer perfpost (schema %d, ours is %d)",
			       s->path, version, schema_version);
	if (version == schema_version)
		return 0;
	if (!create)
		return err_set(err, ERR_TEMP, "store '%s' has schema %d, ours "
			       "is %d: start the bot once", s->path, version,
			       schema_version);
	if (store_begin(s, err) == -1)
		return -1;
	if (get_pragma(s, "PRAGMA user_version", &version, err) == -1 ||
	    schema_migrate(s, version, err) == -1) {
		store_rollback(s);
		return -1;
	}
	return store_commit(s, err);
}

static int set_up(struct store *s, bool create, struct err *err)
{
	static const char *const script =
		"PRAGMA foreign_keys = ON;"
		"PRAGMA trusted_schema = OFF;"
		"PRAGMA synchronous = FULL;";

	sqlite3_busy_timeout(s->db, STORE_BUSY_MS);
	sqlite3_extended_result_codes(s->db, 1);
	if (sql_script(s, script, err) == -1)
		return -1;
	if (create && sql_script(s, "PRAGMA journal_mode = WAL;", err) == -1)
		return -1;
	return check_schema(s, create, err);
}

/* Who makes a store as root makes it for the service, whose folder it is. */
static void give_to_folder(int fd, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct buf dir = BUF_INIT(4096);
	struct stat st;

	if (geteuid() != 0)
		return;
	if (slash)
		buf_add(&dir, path, (size_t)(slash - path) + (slash == path));
	if (stat(slash ? dir.s : ".", &st) == 0 && st.st_uid != 0 &&
	    fchown(fd, st.st_uid, st.st_gid) == -1)
		fchmod(fd, 0600);	/* it stays ours */
	buf_release(&dir);
}

/* A new empty file that only its owner reads: SQLite gives its -wal and -shm
 * the same mode and owner.  Returns false when there is none to be made. */
static bool make_private(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd == -1)
		return false;
	give_to_folder(fd, path);
	close(fd);
	return true;
}

/* Take away what others than the owner may with "path", if that is ours to
 * do.  Returns true when there was something. */
static bool take_from_others(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_mode & 077) &&
	       (st.st_uid == geteuid() || geteuid() == 0) &&
	       chmod(path, st.st_mode & 0700) == 0;
}

/* Earlier versions let the umask decide who reads a store. */
static void tighten(const char *path)
{
	static const char *const end[] = { "", "-wal", "-shm" };
	struct buf name = BUF_INIT(8192);
	bool was_open = false;

	for (size_t i = 0; i < sizeof(end) / sizeof(*end); i++) {
		buf_reset(&name);
		buf_addf(&name, "%s%s", path, end[i]);
		was_open |= take_from_others(name.s);
	}
	if (was_open)
		log_warn("store '%s' could be read by others than its owner; "
			 "no more", path);
	buf_release(&name);
}

struct store *store_open(const char *path, bool create, struct err *err)
{
	struct store *s = calloc(1, sizeof(*s));
	int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);

	if (!s || !(s->path = strdup(path)))
		die_no_memory();
	if (create && strcmp(path, ":memory:"))
		make_private(path);
	tighten(path);
	if (!create && access(path, F_OK) == -1 && errno == ENOENT) {
		err_set(err, ERR_SYSTEM, "no store yet at '%s': the bot and "
			"'perfpost send' make it", path);
		store_close(s);
		return NULL;
	}
	if (sqlite3_open_v2(path, &s->db, flags, NULL) != SQLITE_OK) {
		sql_fail(s, err, "cannot open it");
		store_close(s);
		return NULL;
	}
	if (set_up(s, create, err) == -1) {
		store_close(s);
		return NULL;
	}
	return s;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->ncached; i++)
		sqlite3_finalize(s->cached[i].stmt);
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}

int store_begin(struct store *s, struct err *err)
{
	assert(sqlite3_get_autocommit(s->db));
	return sql_script(s, "BEGIN IMMEDIATE", err);
}

int store_commit(struct store *s, struct err *err)
{
	if (sql_script(s, "COMMIT", err) == 0)
		return 0;
	store_rollback(s);
	return -1;
}

void store_rollback(struct store *s)
{
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

/* To a file that the disk has, and that nobody took for whole before. */
static int copy_to(struct store *s, const char *path, struct err *err)
{
	int fd, rc = sql_run(s, err, "VACUUM INTO ?", T(path));

	if (rc == -1)
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	rc = fd != -1 && fsync(fd) == 0 ? 0 : err_sys(err, "cannot sync it");
	if (fd != -1)
		close(fd);
	return rc;
}

int store_backup(struct store *s, const char *path, struct err *err)
{
	struct buf tmp = BUF_INIT(4096);
	int rc;

	buf_addf(&tmp, "%s.new-%ld", path, (long)getpid());
	if (buf_over(&tmp) || !make_private(tmp.s)) {
		buf_release(&tmp);
		return err_sys(err, "cannot create '%s'", path);
	}
	rc = copy_to(s, tmp.s, err);
	if (rc == 0 && rename(tmp.s, path) == -1)
		rc = err_sys(err, "cannot rename it");
	if (rc == -1) {
		unlink(tmp.s);
		err_in(err, "cannot write '%s'", path);
	}
	buf_release(&tmp);
	return rc;
}

/* One row that says "ok", or a flaw a row. */
static int check_integrity(struct store *s, struct err *err)
{
	sqlite3_stmt *st;
	const char *said;
	int rc;

	if (sql_query(s, &st, err, "SELECT * FROM pragma_integrity_check(?)",
		      I(1)) == -1)
		return -1;
	rc = sql_step(s, st, err);
	if (rc == 1) {
		said = (const char *)sqlite3_column_text(st, 0);
		if (strcmp(said, "ok"))
			rc = err_set(err, ERR_INPUT, "store '%s': %s", s->path,
				     said);
	}
	sql_done(st);
	return rc == -1 ? -1 : 0;
}

int store_check(struct store *s, struct err *err)
{
	int64_t orphans = 0;

	if (check_integrity(s, err) == -1)
		return -1;
	if (sql_number(s, &orphans, err, "SELECT count(*) FROM "
		       "pragma_foreign_key_check WHERE rowid > ?",
		       I(-1)) == -1)
		return -1;
	if (orphans)
		return err_set(err, ERR_INPUT, "store '%s': %lld rows point to "
			       "none", s->path, (long long)orphans);
	return 0;
}

void store_set_patience(struct store *s, int ms)
{
	sqlite3_busy_timeout(s->db, ms);
}

void store_limit(struct store *s, int64_t bytes)
{
	struct buf sql = BUF_INIT(80);
	int pages = 0, size = 4096;

	if (bytes && (get_pragma(s, "PRAGMA page_count", &pages, NULL) == -1 ||
		      get_pragma(s, "PRAGMA page_size", &size, NULL) == -1))
		return;
	buf_addf(&sql, "PRAGMA max_page_count = %lld",
		 bytes ? pages + (long long)bytes / size : 4294967294LL);
	sqlite3_exec(s->db, sql.s, NULL, NULL, NULL);
	buf_release(&sql);
}
