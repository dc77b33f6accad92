#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "data/conf.h"
#include "mail/id.h"
#include "send/lines.h"
#include "send/send.h"

/*
 * Mails put into a Maildir, for those whose own tools take them from there, and
 * for tests.  A mail's file name is a digest of its envelope and bytes, so that
 * the same mail put twice is there once.
 */

enum { MAIL_BYTES_MAX = 64 << 20 };

struct maildir {
	const char *folder;
};

static int make_folders(const char *folder, struct err *err)
{
	static const char *const sub[] = { "tmp", "new", "cur" };
	struct buf path = BUF_INIT(8192);
	int rc = 0;

	for (size_t i = 0; i < 3 && rc == 0; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", folder, sub[i]);
		rc = file_make_folder(path.s, err);
	}
	buf_release(&path);
	return rc;
}

static void *maildir_open(const struct conf *conf, struct err *err)
{
	const char *folder = conf_text(conf, "send.maildir.folder");
	struct maildir *d;

	if (!folder) {
		err_set(err, ERR_CONFIG, "send.maildir.folder is not set");
		return NULL;
	}
	d = calloc(1, sizeof(*d));
	if (!d)
		die_no_memory();
	d->folder = folder;
	return d;
}

static void maildir_close(void *state)
{
	free(state);
}

/* Somebody may have read it already: "cur/NAME:2,S". */
static bool stands_in(const char *folder, const char *sub, const char *name)
{
	struct buf path = BUF_INIT(8192);
	const struct dirent *e;
	size_t len = strlen(name);
	bool found = false;
	DIR *dir;

	buf_addf(&path, "%s/%s", folder, sub);
	dir = opendir(path.s);
	while (dir && !found && (e = readdir(dir)))
		found = !strncmp(e->d_name, name, len) &&
			(!e->d_name[len] || e->d_name[len] == ':');
	if (dir)
		closedir(dir);
	buf_release(&path);
	return found;
}

/* What the name is made of: who gets it, and the bytes. */
static void make_name(const struct send_mail *m, const char *bytes,
		      struct buf *name)
{
	const char **part = arena_array(m->arena, m->n + 2, sizeof(*part));
	char hex[DIGEST_HEX];

	part[0] = m->sender;
	part[1] = bytes;
	for (size_t i = 0; i < m->n; i++)
		part[2 + i] = m->to[i].address;
	digest(part, m->n + 2, hex);
	buf_addf(name, "%.32s.perfpost", hex);
}

/* tmp/NAME.PID, fsync, rename to new/NAME: it is there wholly or not. */
static int put(const struct maildir *d, const char *name,
	       const struct buf *bytes, struct err *err)
{
	struct buf tmp = BUF_INIT(8192), new = BUF_INIT(8192);
	int fd, rc = -1;

	buf_addf(&tmp, "%s/tmp/%s.%ld", d->folder, name, (long)getpid());
	buf_addf(&new, "%s/new/%s", d->folder, name);
	fd = open(tmp.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		  0600);
	if (fd == -1)
		err_sys(err, "cannot make '%s'", tmp.s);
	else if (file_write_fd(fd, tmp.s, bytes->s, bytes->len, err) == 0 &&
		 fsync(fd) == -1)
		err_sys(err, "cannot write '%s'", tmp.s);
	else if (rename(tmp.s, new.s) == -1)
		err_sys(err, "cannot move '%s'", tmp.s);
	else
		rc = 0;
	if (fd != -1)
		close(fd);
	if (rc == -1)
		unlink(tmp.s);
	buf_release(&tmp);
	buf_release(&new);
	return rc;
}

static int maildir_send(void *state, struct send_mail *m, struct err *err)
{
	struct maildir *d = state;
	struct buf bytes = BUF_INIT(MAIL_BYTES_MAX), name = BUF_INIT(100);
	struct err why = ERR_INIT;
	int rc;

	(void)err;
	lines_lf(&bytes, m->bytes, m->len);
	make_name(m, bytes.s, &name);
	rc = make_folders(d->folder, &why);
	if (rc == 0 && !stands_in(d->folder, "new", name.s) &&
	    !stands_in(d->folder, "cur", name.s))
		rc = put(d, name.s, &bytes, &why);
	for (size_t i = 0; i < m->n; i++)
		if (m->to[i].outcome == SEND_LATER) {
			m->to[i].outcome = rc ? SEND_LATER : SEND_TAKEN;
			m->to[i].reply = arena_strdup(m->arena,
						      rc ? why.text : name.s);
		}
	buf_release(&bytes);
	buf_release(&name);
	return 0;
}

/* May we write there, or make it? */
static int maildir_probe(void *state, struct err *err)
{
	const struct maildir *d = state;
	struct buf path = BUF_INIT(8192);
	char *slash;
	int rc;

	buf_addf(&path, "%s/tmp", d->folder);
	while (!file_exists(path.s) && (slash = strrchr(path.s + 1, '/')))
		*slash = '\0';
	rc = !file_is_folder(path.s) ?
		err_set(err, ERR_CONFIG, "'%s' is no folder", path.s) :
		access(path.s, W_OK | X_OK) == -1 ?
		err_sys(err, "cannot write to '%s'", path.s) : 0;
	buf_release(&path);
	return rc;
}

const struct send_driver send_maildir = {
	.name = "maildir",
	.open = maildir_open,
	.send = maildir_send,
	.probe = maildir_probe,
	.close = maildir_close,
};
