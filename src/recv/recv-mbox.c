#include "recv/recv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "data/conf.h"
#include "mail/mailbox.h"
#include "recv/dotlock.h"

/*
 * An mbox that others write to (/var/mail/robot).  It is read under the locks
 * that they use, fcntl and FILE.lock, and left as it is; the cursor is the
 * file's inode and the offset read to.  A file that was replaced or became
 * shorter is read from its start.
 */
struct mbox {
	const char *path;
	int64_t timeout;	/* seconds to wait for the locks */
	uint64_t inode;
	int64_t offset;		/* of the next mail */
	char place[4200], cursor[64];
};

static void *mbox_open(const struct conf *conf, const char *where,
		       const char *cursor, struct err *err)
{
	const char *path = conf_text(conf, "receive.mbox.file");
	struct mbox *m;

	(void)where;
	if (!path) {
		err_set(err, ERR_CONFIG, "receive.mbox.file is not set");
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		die_no_memory();
	m->path = path;
	m->timeout = conf_time(conf, "receive.timeout");
	if (!cursor || sscanf(cursor, "%" SCNu64 ":%" SCNd64, &m->inode,
			      &m->offset) != 2 || m->offset < 0)
		m->inode = 0;
	return m;
}

static void pause_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static int try_fcntl(int fd)
{
	struct flock l = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	if (fcntl(fd, F_SETLK, &l) == 0)
		return 1;
	return errno == EACCES || errno == EAGAIN ? 0 : -1;
}

/*
 * Take both locks. "*dotlock": FILE.lock is ours; in a folder that we may not
 * write to there can be none.
 */
static int lock(const struct mbox *m, int fd, const char *name, bool *dotlock,
		struct err *err)
{
	int64_t end = clock_monotonic_ms() + m->timeout * 1000;
	int rc;

	*dotlock = false;
	for (;;) {
		rc = *dotlock ? 1 : dotlock_try(name);
		*dotlock = rc == 1;
		if (rc == 1 || (rc == -1 && (errno == EACCES ||
					     errno == EROFS ||
					     errno == EPERM)))
			rc = try_fcntl(fd);
		if (rc == 1)
			return 0;
		if (rc == -1)
			return err_sys(err, "cannot lock '%s'", m->path);
		if (clock_monotonic_ms() >= end)
			return err_set(err, ERR_TEMP, "'%s' is locked by "
				       "somebody else", m->path);
		pause_ms(100);
	}
}

/*
 * Start over when this is not the file that the cursor speaks of, or no mail
 * starts there any more.
 */
static int check_file(struct mbox *m, int fd, struct err *err)
{
	struct stat st;
	char head[5];

	if (fstat(fd, &st) == -1)
		return err_sys(err, "cannot look at '%s'", m->path);
	if (m->inode != (uint64_t)st.st_ino || m->offset > st.st_size)
		m->offset = 0;
	m->inode = (uint64_t)st.st_ino;
	if (m->offset < st.st_size &&
	    (pread(fd, head, sizeof(head), m->offset) != sizeof(head) ||
	     memcmp(head, "From ", sizeof(head))))
		m->offset = 0;
	return 0;
}

static int read_one(struct mbox *m, int fd, struct buf *bytes,
		    struct err *err)
{
	struct mailbox *box = mailbox_open_at(fd, m->path, m->offset, err);
	int rc;

	if (!box)
		return -1;
	rc = mailbox_next(box, bytes, err);
	snprintf(m->place, sizeof(m->place), "%s at byte %" PRId64, m->path,
		 m->offset);
	m->offset = mailbox_offset(box);
	mailbox_close(box);
	return rc;
}

static int mbox_next(void *state, struct buf *bytes, struct err *err)
{
	struct mbox *m = state;
	int fd = open(m->path, O_RDONLY | O_CLOEXEC), rc = -1;
	bool dotlock = false;
	char name[4200];

	if (fd == -1 && errno == ENOENT)
		return 0;	/* no mail yet */
	if (fd == -1)
		return err_sys(err, "cannot open '%s'", m->path);
	snprintf(name, sizeof(name), "%s.lock", m->path);
	if (lock(m, fd, name, &dotlock, err) == 0 &&
	    check_file(m, fd, err) == 0)
		rc = read_one(m, fd, bytes, err);
	if (dotlock)
		dotlock_drop(name);
	close(fd);		/* takes the fcntl lock with it */
	return rc;
}

static int mbox_settle(void *state, int well, struct err *err)
{
	(void)state;
	(void)well;
	(void)err;
	return 0;
}

static const char *mbox_place(void *state)
{
	struct mbox *m = state;

	return m->place;
}

static const char *mbox_cursor(void *state)
{
	struct mbox *m = state;

	snprintf(m->cursor, sizeof(m->cursor), "%" PRIu64 ":%" PRId64,
		 m->inode, m->offset);
	return m->cursor;
}

static int mbox_probe(void *state, struct err *err)
{
	struct mbox *m = state;
	int fd;

	if (access(m->path, F_OK) == -1 && errno == ENOENT)
		return 0;	/* no mail yet */
	fd = file_open(m->path, err);
	if (fd != -1)
		close(fd);
	return fd == -1 ? -1 : 0;
}

static void mbox_close(void *state)
{
	free(state);
}

const struct recv_driver recv_mbox = {
	.name = "mbox",
	.open = mbox_open,
	.next = mbox_next,
	.settle = mbox_settle,
	.place = mbox_place,
	.cursor = mbox_cursor,
	.probe = mbox_probe,
	.close = mbox_close,
};
