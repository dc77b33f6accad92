#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"

#define PATH_LIMIT 4096

int file_read_fd(int fd, const char *name, struct buf *out, struct err *err)
{
	char chunk[65536];
	ssize_t n;

	for (;;) {
		n = read(fd, chunk, sizeof(chunk));
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return err_sys(err, "cannot read '%s'", name);
		if (n == 0)
			return 0;
		buf_add(out, chunk, (size_t)n);
		if (buf_over(out))
			return err_set(err, ERR_INPUT,
				       "'%s' is larger than %zu bytes", name,
				       out->max);
	}
}

int file_open(const char *path, struct err *err)
{
	struct stat st;
	int fd;

	if (!strcmp(path, "-"))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	/* O_NONBLOCK: a FIFO without a writer must not hang us. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd == -1)
		return err_sys(err, "cannot open '%s'", path);
	if (fstat(fd, &st) == -1)
		err_sys(err, "cannot read '%s'", path);
	else if (S_ISDIR(st.st_mode))
		err_set(err, ERR_INPUT, "'%s' is a folder", path);
	else if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		err_set(err, ERR_INPUT, "'%s' is no file", path);
	else if (!S_ISFIFO(st.st_mode))
		return fd;
	else if (fcntl(fd, F_SETFL, 0) == 0)	/* <(a process's output) */
		return fd;
	else
		err_sys(err, "cannot read '%s'", path);
	close(fd);
	return -1;
}

int file_read(const char *path, struct buf *out, struct err *err)
{
	int fd = file_open(path, err), rc;

	if (fd == -1)
		return -1;
	rc = file_read_fd(fd, strcmp(path, "-") ? path : "standard input", out,
			  err);
	close(fd);
	return rc;
}

int file_write_fd(int fd, const char *name, const void *data, size_t len,
		  struct err *err)
{
	const char *p = data;
	ssize_t n;

	while (len) {
		n = write(fd, p, len);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return err_sys(err, "cannot write '%s'", name);
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static int sync_folder_of(const char *path, struct err *err)
{
	char dir[PATH_LIMIT];
	const char *slash = strrchr(path, '/');
	int fd, rc = 0;

	if (!slash)
		snprintf(dir, sizeof(dir), ".");
	else
		snprintf(dir, sizeof(dir), "%.*s",
			 slash == path ? 1 : (int)(slash - path), path);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd == -1)
		return err_sys(err, "cannot open '%s'", dir);
	if (fsync(fd) == -1 && errno != EINVAL)
		rc = err_sys(err, "cannot sync '%s'", dir);
	close(fd);
	return rc;
}

int file_write(const char *path, const void *data, size_t len,
	       struct err *err)
{
	char tmp[PATH_LIMIT];
	int fd, rc;

	if ((size_t)snprintf(tmp, sizeof(tmp), "%s.new-%ld", path,
			     (long)getpid()) >= sizeof(tmp))
		return err_set(err, ERR_USAGE, "path too long: '%.80s...'",
			       path);
	fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd == -1)
		return err_sys(err, "cannot create '%s'", tmp);
	rc = file_write_fd(fd, tmp, data, len, err);
	if (rc == 0 && fsync(fd) == -1)
		rc = err_sys(err, "cannot sync '%s'", tmp);
	if (close(fd) == -1 && rc == 0)
		rc = err_sys(err, "cannot write '%s'", tmp);
	if (rc == 0 && rename(tmp, path) == -1)
		rc = err_sys(err, "cannot rename to '%s'", path);
	if (rc == -1) {
		unlink(tmp);
		return -1;
	}
	return sync_folder_of(path, err);
}

int file_put(const char *path, const void *data, size_t len, struct err *err)
{
	char *target = realpath(path, NULL);
	struct stat st;
	int fd, rc;

	if (lstat(path, &st) == -1 || (target && stat(target, &st) == 0 &&
				       S_ISREG(st.st_mode))) {
		rc = file_write(target ? target : path, data, len, err);
		free(target);
		return rc;
	}
	free(target);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY,
		  0666);
	if (fd == -1)
		return err_sys(err, "cannot open '%s'", path);
	rc = file_write_fd(fd, path, data, len, err);
	if (close(fd) == -1 && rc == 0)
		rc = err_sys(err, "cannot write '%s'", path);
	return rc;
}

bool file_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

bool file_is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int file_make_folder(const char *path, struct err *err)
{
	char part[PATH_LIMIT];
	size_t len = strlen(path);

	if (len >= sizeof(part))
		return err_set(err, ERR_USAGE, "path too long: '%.80s...'",
			       path);
	memcpy(part, path, len + 1);
	for (char *p = part + 1;; p++) {
		char was = *p;

		if (was && was != '/')
			continue;
		*p = '\0';
		if (mkdir(part, 0777) == -1 && errno != EEXIST)
			return err_sys(err, "cannot create folder '%s'", part);
		if (!was)
			break;
		*p = was;
	}
	if (!file_is_folder(path))
		return err_set(err, ERR_SYSTEM, "'%s' is no folder", path);
	return 0;
}
