#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct err;

/*
 * Append the whole file to "out" (whose limit holds: a larger file is an
 * ERR_INPUT).  "-" is standard input.  Folders, sockets and devices other than
 * standard input are refused.  Returns 0, or -1 with "err" filled.
 */
int file_read(const char *path, struct buf *out, struct err *err);

/* Open it to be read by the same rules; a descriptor to close, or -1. */
int file_open(const char *path, struct err *err);

/* As file_read() from an open descriptor, to its end; "name" is for errors. */
int file_read_fd(int fd, const char *name, struct buf *out, struct err *err);

/*
 * Write the file so that at every moment either the old or the new content
 * stands under "path": a temporary file beside it, fsync, rename, fsync of the
 * folder.  Returns 0, or -1 with "err" filled and nothing left behind.
 */
int file_write(const char *path, const void *data, size_t len,
	       struct err *err);

/* All of "len" bytes to "fd", whatever write() returns in between; "name" is
 * for errors.  0, or -1 with "err" and a part written. */
int file_write_fd(int fd, const char *name, const void *data, size_t len,
		  struct err *err);

/* For a path that a person gave: as file_write(), but a symbolic link is
 * followed, and what is no regular file (a device, a pipe) is written to. */
int file_put(const char *path, const void *data, size_t len, struct err *err);

/* Does something stand at "path"; is it a folder?  Errors count as no. */
bool file_exists(const char *path);
bool file_is_folder(const char *path);

/* mkdir -p, mode 0777 less the umask.  0, or -1 with "err"; a folder that is
 * there is well. */
int file_make_folder(const char *path, struct err *err);

#endif
