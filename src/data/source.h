#ifndef DATA_SOURCE_H
#define DATA_SOURCE_H

#include <stddef.h>
#include <sys/types.h>

struct buf;
struct err;

/*
 * A file read piece by piece, unpacked on the way when it begins like a .gz or
 * an .xz file.  "max" caps the bytes that come out: a small file that unpacks
 * to a huge one ends in an error, not in memory.
 */
struct source;

/* Open "path" ("-": standard input).  Folders and devices are refused.
 * Returns NULL with "err". */
struct source *source_open(const char *path, size_t max, struct err *err);

/* Up to "size" bytes; 0 at the end, -1 with "err".  A packed file that is cut
 * off or damaged is an error, at the latest at its end. */
ssize_t source_read(struct source *s, void *data, size_t size,
		    struct err *err);

const char *source_name(const struct source *s);	/* for messages */
void source_close(struct source *s);		/* NULL: nothing */

/* All of a file at once, appended to "out", whose limit is the cap. */
int source_read_all(const char *path, struct buf *out, struct err *err);

#endif
