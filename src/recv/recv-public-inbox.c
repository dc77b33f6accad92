#include "recv/recv.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "data/conf.h"
#include "mail/id.h"

/*
 * A public-inbox v2 archive, followed as lore.kernel.org is: its mails are
 * commits of a row of git repositories ("epochs" 0, 1, 2 ...), each with the
 * mail as the file "m".  We mirror the epochs that are needed and read each
 * new commit.  The cursor is "EPOCH COMMIT".
 */
#define EPOCH_MAX 9999
#define LOOK_AHEAD 600		/* seconds between looks for a next epoch */
#define COMMITS_MAX ((size_t)256 << 20)	/* bytes of their list */
#define REF "refs/perfpost/head"

struct inbox {
	struct arena arena;
	const char *url, *mirror;	/* the archive, and our folder for it */
	int64_t timeout_ms;
	bool from_start;	/* read all of it when there is no cursor */
	unsigned int epoch;
	char commit[65];	/* read up to here; "" none of this epoch */
	char next_commit[65];	/* the one that next() gave last, or "" */
	struct buf list;	/* commits to read, a line each */
	size_t pos;		/* in "list" */
	int64_t looked;		/* clock_monotonic_ms() of the last look for a
				 * next epoch, 0: never */
	unsigned int times;	/* that next_commit could not be read */
	char cursor[80], place[4200];
};

/* A folder's name that shows the URL and is no other URL's. */
static const char *mirror_name(struct arena *a, const char *url)
{
	char hex[DIGEST_HEX], *name;

	digest(&url, 1, hex);
	name = arena_strdup(a, url);
	for (char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '.')
			*p = '-';
	return arena_printf(a, "%.80s-%.8s", name, hex);
}

/* "https://lore.kernel.org/lkml/", as a browser shows it. */
static const char *without_slash(struct arena *a, const char *url)
{
	size_t len = strlen(url);

	while (len > 1 && url[len - 1] == '/')
		len--;
	return arena_strndup(a, url, len);
}

static void *inbox_open(const struct conf *conf, const char *where,
			const char *cursor, struct err *err)
{
	struct inbox *b;

	if (!*where || *where == '-') {
		err_set(err, ERR_CONFIG, "receive.public_inbox.urls: bad "
			"address '%s'", where);
		return NULL;
	}
	b = calloc(1, sizeof(*b));
	if (!b)
		die_no_memory();
	b->list = (struct buf)BUF_INIT(COMMITS_MAX);
	b->url = without_slash(&b->arena, where);
	b->mirror = arena_printf(&b->arena, "%s/%s",
				 conf_text(conf, "receive.public_inbox.folder"),
				 mirror_name(&b->arena, b->url));
	b->timeout_ms = conf_time(conf, "receive.timeout") * 1000;
	b->from_start = !strcmp(conf_text(conf, "receive.public_inbox.from"),
				"start");
	if (!cursor || sscanf(cursor, "%u %64[0-9a-f]", &b->epoch,
			      b->commit) < 1 || b->epoch > EPOCH_MAX)
		b->epoch = EPOCH_MAX + 1;	/* not chosen yet */
	return b;
}

/* The first line of what git says, for an error. */
static const char *first_line(struct buf *text)
{
	size_t n = strcspn(text->s, "\n");

	if (text->cap)
		text->s[n < text->len ? n : text->len] = '\0';
	return *text->s ? text->s : "git failed";
}

/* Run git; its output to "out" (or NULL). Its exit status, or -1. */
static int git(const struct inbox *b, const char *const *argv,
	       struct buf *out, struct buf *said, struct err *err)
{
	static const char *const env[] = {
		"GIT_TERMINAL_PROMPT=0", "GIT_DIR", "GIT_WORK_TREE",
		"GIT_INDEX_FILE", NULL
	};
	struct child_spec spec = {
		.argv = argv, .env = env, .out = out, .errout = said,
		.timeout_ms = b->timeout_ms,
	};
	int rc = child_run(&spec, err);

	return rc == -1 && err ? err_in(err, "git") : rc;
}

static const char *epoch_path(struct inbox *b, unsigned int epoch,
			      char *path, size_t size)
{
	snprintf(path, size, "%s/%u.git", b->mirror, epoch);
	return path;
}

static int make_mirror(struct inbox *b, const char *path, struct err *err)
{
	const char *argv[] = { "git", "init", "-q", "--bare", "--", path,
			       NULL };
	struct buf said = BUF_INIT(4096);
	char head[4300];
	int rc = 0;

	snprintf(head, sizeof(head), "%s/HEAD", path);
	if (file_exists(head))
		return 0;
	if (file_make_folder(b->mirror, err) == -1)
		return -1;
	rc = git(b, argv, NULL, &said, err);
	if (rc > 0)
		err_set(err, ERR_SYSTEM, "cannot make '%s': %s", path,
			first_line(&said));
	buf_release(&said);
	return rc ? -1 : 0;
}

/* One "git fetch" of an epoch; "shallow": its last commit is enough. */
static int fetch_from(struct inbox *b, const char *path, const char *remote,
		      bool shallow, struct err *err)
{
	const char *argv[] = {
		"git", "-C", path, "-c", "protocol.ext.allow=never", "-c",
		"gc.auto=0", "fetch", "-q", "--no-tags", "--no-write-fetch-head",
		shallow ? "--depth=1" : "--force", "--", remote,
		"+HEAD:" REF, NULL
	};
	struct buf said = BUF_INIT(4096);
	int rc = git(b, argv, NULL, &said, err);

	if (rc > 0)
		err_set(err, ERR_TEMP, "cannot fetch '%s': %s", remote,
			first_line(&said));
	buf_release(&said);
	return rc ? -1 : 0;
}

/* Where an epoch is published: URL/N over the web, URL/git/N.git on disk. */
static const char *remote_of(const struct inbox *b, unsigned int epoch,
			     bool disk, char *remote, size_t size)
{
	if (disk)
		snprintf(remote, size, "%s/git/%u.git", b->url, epoch);
	else
		snprintf(remote, size, "%s/%u", b->url, epoch);
	return remote;
}

static bool epoch_has_mail(struct inbox *b, unsigned int epoch)
{
	char path[4200];
	const char *argv[] = { "git", "-C",
			       epoch_path(b, epoch, path, sizeof(path)),
			       "rev-parse", "-q", "--verify", REF, NULL };
	struct buf said = BUF_INIT(4096);
	int rc = git(b, argv, NULL, &said, NULL);

	buf_release(&said);
	return rc == 0;
}

/* A mirror that a failed first fetch left is empty, and as good as none. */
static int fetch_epoch(struct inbox *b, unsigned int epoch, struct err *err)
{
	char path[4200], remote[4300];
	bool fresh, local = file_is_folder(b->url);

	epoch_path(b, epoch, path, sizeof(path));
	fresh = !b->from_start && b->epoch > EPOCH_MAX &&
		!epoch_has_mail(b, epoch);
	if (make_mirror(b, path, err) == -1)
		return -1;
	remote_of(b, epoch, local, remote, sizeof(remote));
	if (fetch_from(b, path, remote, fresh, err) == 0)
		return 0;
	if (local || err->code != ERR_TEMP)
		return -1;
	remote_of(b, epoch, true, remote, sizeof(remote));
	return fetch_from(b, path, remote, fresh, NULL);
}

/* The commit at the tip of an epoch's mirror, to "commit". */
static int tip_of(struct inbox *b, unsigned int epoch, char *commit,
		  struct err *err)
{
	char path[4200];
	const char *argv[] = { "git", "-C",
			       epoch_path(b, epoch, path, sizeof(path)),
			       "rev-parse", REF, NULL };
	struct buf out = BUF_INIT(200);
	int rc = git(b, argv, &out, NULL, err);

	if (rc == 0)
		snprintf(commit, 65, "%.*s", (int)strcspn(out.s, "\n"), out.s);
	else if (rc > 0)
		err_set(err, ERR_TEMP, "'%s' has no commit yet", path);
	buf_release(&out);
	return rc ? -1 : 0;
}

/*
 * Without a cursor: the first epoch when all is to be read, else the tip of
 * the last one.
 */
static int choose_start(struct inbox *b, struct err *err)
{
	unsigned int epoch = 0;
	struct err last = ERR_INIT;

	if (fetch_epoch(b, 0, err) == -1)
		return -1;
	if (!b->from_start) {
		while (epoch < EPOCH_MAX &&
		       fetch_epoch(b, epoch + 1, &last) == 0 &&
		       epoch_has_mail(b, epoch + 1))
			epoch++;
		if (tip_of(b, epoch, b->commit, err) == -1)
			return -1;
	}
	b->epoch = epoch;
	return 0;
}

/* Is the commit that we read up to still in the history? */
static bool is_ancestor(struct inbox *b, const char *path, struct err *err)
{
	const char *argv[] = { "git", "-C", path, "merge-base",
			       "--is-ancestor", b->commit, REF, NULL };
	struct buf said = BUF_INIT(4096);
	int rc = git(b, argv, NULL, &said, err);

	buf_release(&said);
	return rc == 0;
}

/* "--since=@TIME" of the commit that we read up to, a day earlier. */
static const char *since(struct inbox *b, const char *path, char *text,
			 size_t size)
{
	const char *argv[] = { "git", "-C", path, "log", "-1", "--format=%ct",
			       b->commit, NULL };
	struct buf out = BUF_INIT(100), said = BUF_INIT(4096);
	long long t = 0;

	if (git(b, argv, &out, &said, NULL) == 0)
		t = atoll(out.s);
	snprintf(text, size, "--since=@%lld", t > 86400 ? t - 86400 : 0);
	buf_release(&out);
	buf_release(&said);
	return text;
}

/*
 * Fill the list with the commits after the one read last.  An archive may
 * rewrite its history to take a mail out; what came since then comes again,
 * and the caller knows it by its content.
 */
static int list_commits(struct inbox *b, struct err *err)
{
	char path[4200], range[100], time[40];
	const char *argv[] = { "git", "-C",
			       epoch_path(b, b->epoch, path, sizeof(path)),
			       "rev-list", "--reverse", range, "--", NULL,
			       NULL };
	struct buf said = BUF_INIT(4096);
	int rc;

	snprintf(range, sizeof(range), REF);
	if (*b->commit && is_ancestor(b, path, err)) {
		snprintf(range, sizeof(range), "%s.." REF, b->commit);
	} else if (*b->commit) {
		argv[5] = since(b, path, time, sizeof(time));
		argv[6] = REF;
		argv[7] = "--";
	}
	buf_reset(&b->list);
	b->pos = 0;
	rc = git(b, argv, &b->list, &said, err);
	if (rc > 0)
		err_set(err, ERR_TEMP, "cannot list '%s': %s", path,
			first_line(&said));
	buf_release(&said);
	return rc ? -1 : 0;
}

/* Has the archive begun its next epoch?  Then read on there. */
static bool go_to_next_epoch(struct inbox *b)
{
	int64_t now = clock_monotonic_ms();
	struct err ignored = ERR_INIT;

	if (b->epoch >= EPOCH_MAX ||
	    (b->looked && now - b->looked < LOOK_AHEAD * 1000))
		return false;
	b->looked = now;
	if (fetch_epoch(b, b->epoch + 1, &ignored) == -1 ||
	    !epoch_has_mail(b, b->epoch + 1))
		return false;
	b->epoch++;
	*b->commit = '\0';
	b->looked = 0;
	return true;
}

/* New commits to the list. 1, 0: there are none, -1. */
static int poll_archive(struct inbox *b, struct err *err)
{
	if (b->epoch > EPOCH_MAX && choose_start(b, err) == -1)
		return -1;
	do {
		if (fetch_epoch(b, b->epoch, err) == -1 ||
		    list_commits(b, err) == -1)
			return -1;
		if (b->list.len)
			return 1;
	} while (go_to_next_epoch(b));
	return 0;
}

/* Is there no "m" in the commit, because it takes a mail out? */
static bool has_no_mail(struct inbox *b, const char *path)
{
	const char *argv[] = { "git", "-C", path, "ls-tree", "--name-only",
			       b->next_commit, "m", NULL };
	struct buf out = BUF_INIT(4096), said = BUF_INIT(4096);
	bool none = git(b, argv, &out, &said, NULL) == 0 && !out.len;

	buf_release(&out);
	buf_release(&said);
	return none;
}

/* The mail of the commit in "next_commit". 1, 0: it holds none, -1. */
static int read_commit(struct inbox *b, struct buf *bytes, struct err *err)
{
	char path[4200], object[80];
	const char *argv[] = { "git", "-C",
			       epoch_path(b, b->epoch, path, sizeof(path)),
			       "cat-file", "blob", object, NULL };
	struct buf said = BUF_INIT(4096);
	int rc;

	snprintf(object, sizeof(object), "%s:m", b->next_commit);
	rc = git(b, argv, bytes, &said, err);
	if (rc > 0 && has_no_mail(b, path))
		rc = 1;
	else if (rc > 0)
		rc = err_set(err, ERR_TEMP, "it cannot be read: %s",
			     first_line(&said));
	buf_release(&said);
	if (rc == -1)
		return err_in(err, "%s", b->place);
	return rc == 0;
}

/* One that cannot be read must not stop the rest: the third time it is passed
 * over. */
static bool comes_again(struct inbox *b, struct err *err)
{
	if (err->code == ERR_INPUT || ++b->times < 3)
		return err->code != ERR_INPUT;
	err->code = ERR_INPUT;
	return false;
}

static int inbox_next(void *state, struct buf *bytes, struct err *err)
{
	struct inbox *b = state;
	size_t n;
	int rc;

	for (;;) {
		if (b->pos >= b->list.len) {
			rc = poll_archive(b, err);
			if (rc != 1)
				return rc;
		}
		n = strcspn(b->list.s + b->pos, "\n");
		snprintf(b->next_commit, sizeof(b->next_commit), "%.*s",
			 (int)(n < 64 ? n : 64), b->list.s + b->pos);
		snprintf(b->place, sizeof(b->place), "%s epoch %u commit %s",
			 b->url, b->epoch, b->next_commit);
		buf_reset(bytes);
		rc = read_commit(b, bytes, err);
		if (rc == -1 && comes_again(b, err))
			return -1;
		b->times = 0;
		b->pos += n + 1;
		memcpy(b->commit, b->next_commit, sizeof(b->commit));
		if (rc)
			return rc;
	}
}

static int inbox_settle(void *state, int well, struct err *err)
{
	(void)state;
	(void)well;
	(void)err;
	return 0;
}

static const char *inbox_place(void *state)
{
	struct inbox *b = state;

	return b->place;
}

static const char *inbox_cursor(void *state)
{
	struct inbox *b = state;

	if (b->epoch > EPOCH_MAX)
		return "";
	snprintf(b->cursor, sizeof(b->cursor), "%u %s", b->epoch, b->commit);
	return b->cursor;
}

/* Ask for the archive's first epoch, and fetch nothing. */
static int ask_remote(struct inbox *b, bool disk, struct err *err)
{
	char remote[4300];
	const char *argv[] = { "git", "ls-remote", "-q", "--exit-code", "--",
			       remote, "HEAD", NULL };
	struct buf said = BUF_INIT(4096), out = BUF_INIT(65536);
	int rc;

	remote_of(b, 0, disk, remote, sizeof(remote));
	rc = git(b, argv, &out, &said, err);
	if (rc > 0)
		err_set(err, ERR_TEMP, "no archive at '%s': %s", remote,
			first_line(&said));
	buf_release(&said);
	buf_release(&out);
	return rc ? -1 : 0;
}

static int inbox_probe(void *state, struct err *err)
{
	struct inbox *b = state;

	if (file_is_folder(b->url))
		return ask_remote(b, true, err);
	if (ask_remote(b, false, err) == 0)
		return 0;
	return ask_remote(b, true, NULL);
}

static void inbox_close(void *state)
{
	struct inbox *b = state;

	buf_release(&b->list);
	arena_release(&b->arena);
	free(b);
}

const struct recv_driver recv_public_inbox = {
	.name = "public-inbox",
	.is_remote = 1,
	.open = inbox_open,
	.next = inbox_next,
	.settle = inbox_settle,
	.place = inbox_place,
	.cursor = inbox_cursor,
	.probe = inbox_probe,
	.close = inbox_close,
};
