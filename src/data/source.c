#include "data/source.h"

#include <errno.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

#define IN_SIZE ((size_t)64 * 1024)
#define XZ_MEMORY_MAX ((uint64_t)256 << 20)

enum packing { PLAIN, GZIP, XZ };

struct source {
	int fd;
	char *name;
	size_t left;		/* bytes that may still come out */
	enum packing packing;
	bool file_ended, done;
	unsigned char *in;	/* read but not yet unpacked: in[pos .. end) */
	size_t pos, end;
	z_stream z;
	lzma_stream lzma;
};

static ssize_t read_raw(struct source *s, void *data, size_t size,
			struct err *err)
{
	ssize_t n;

	do
		n = read(s->fd, data, size);
	while (n == -1 && errno == EINTR);
	if (n == -1)
		return err_sys(err, "cannot read '%s'", s->name);
	return n;
}

/* Make sure that unread input stands in s->in, unless the file has ended. */
static int fill(struct source *s, struct err *err)
{
	ssize_t n;

	if (s->pos < s->end || s->file_ended)
		return 0;
	n = read_raw(s, s->in, IN_SIZE, err);
	if (n == -1)
		return -1;
	s->pos = 0;
	s->end = (size_t)n;
	s->file_ended = n == 0;
	return 0;
}

/* Look at the first bytes, which may come one by one. */
static int recognise(struct source *s, struct err *err)
{
	while (s->end < 6) {
		ssize_t n = read_raw(s, s->in + s->end, 512 - s->end, err);

		if (n == -1)
			return -1;
		if (n == 0) {
			s->file_ended = true;
			break;
		}
		s->end += (size_t)n;
	}
	if (s->end >= 2 && !memcmp(s->in, "\x1f\x8b", 2)) {
		s->packing = GZIP;
		if (inflateInit2(&s->z, 15 + 16) != Z_OK)
			die_no_memory();
	} else if (s->end >= 6 && !memcmp(s->in, "\xfd" "7zXZ", 6)) {
		s->packing = XZ;
		if (lzma_stream_decoder(&s->lzma, XZ_MEMORY_MAX,
					LZMA_CONCATENATED) != LZMA_OK)
			die_no_memory();
	}
	return 0;
}

struct source *source_open(const char *path, size_t max, struct err *err)
{
	int fd = file_open(path, err);
	struct source *s;

	if (fd == -1)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s || !(s->in = malloc(IN_SIZE)))
		die_no_memory();
	s->fd = fd;
	s->name = strdup(strcmp(path, "-") ? path : "standard input");
	if (!s->name)
		die_no_memory();
	s->left = max;
	s->lzma = (lzma_stream)LZMA_STREAM_INIT;
	if (recognise(s, err) == -1) {
		source_close(s);
		return NULL;
	}
	return s;
}

static ssize_t read_plain(struct source *s, void *data, size_t size,
			  struct err *err)
{
	size_t n = s->end - s->pos;

	if (!n)
		return s->file_ended ? 0 : read_raw(s, data, size, err);
	if (n > size)
		n = size;
	memcpy(data, s->in + s->pos, n);
	s->pos += n;
	return (ssize_t)n;
}

static int damaged(const struct source *s, struct err *err)
{
	return err_set(err, ERR_INPUT, "'%s' is %s: cannot unpack it", s->name,
		       s->file_ended ? "cut off" : "damaged");
}

static ssize_t read_gzip(struct source *s, void *data, size_t size,
			 struct err *err)
{
	s->z.next_out = data;
	s->z.avail_out = (unsigned int)(size < UINT32_MAX ? size : UINT32_MAX);
	while (!s->done && s->z.avail_out) {
		int rc;

		if (fill(s, err) == -1)
			return -1;
		s->z.next_in = s->in + s->pos;
		s->z.avail_in = (unsigned int)(s->end - s->pos);
		rc = inflate(&s->z, Z_NO_FLUSH);
		s->pos = s->end - s->z.avail_in;
		if (rc == Z_STREAM_END) {
			/* RFC 1952 2.2: members may follow each other. */
			if (fill(s, err) == -1)
				return -1;
			if (s->pos == s->end)
				s->done = true;
			else if (inflateReset(&s->z) != Z_OK)
				return damaged(s, err);
		} else if (rc != Z_OK || (s->file_ended && s->pos == s->end &&
					  s->z.avail_out)) {
			return damaged(s, err);
		}
	}
	return (ssize_t)(size - s->z.avail_out);
}

static ssize_t read_xz(struct source *s, void *data, size_t size,
		       struct err *err)
{
	s->lzma.next_out = data;
	s->lzma.avail_out = size;
	while (!s->done && s->lzma.avail_out) {
		lzma_ret rc;

		if (fill(s, err) == -1)
			return -1;
		s->lzma.next_in = s->in + s->pos;
		s->lzma.avail_in = s->end - s->pos;
		rc = lzma_code(&s->lzma, s->file_ended ? LZMA_FINISH : LZMA_RUN);
		s->pos = s->end - s->lzma.avail_in;
		if (rc == LZMA_STREAM_END)
			s->done = true;
		else if (rc != LZMA_OK)
			return damaged(s, err);
	}
	return (ssize_t)(size - s->lzma.avail_out);
}

ssize_t source_read(struct source *s, void *data, size_t size, struct err *err)
{
	ssize_t n;

	if (s->packing == GZIP)
		n = read_gzip(s, data, size, err);
	else if (s->packing == XZ)
		n = read_xz(s, data, size, err);
	else
		n = read_plain(s, data, size, err);
	if (n == -1)
		return -1;
	if ((size_t)n > s->left)
		return err_set(err, ERR_INPUT, "'%s' is too large%s", s->name,
			       s->packing == PLAIN ? "" : " when unpacked");
	s->left -= (size_t)n;
	return n;
}

const char *source_name(const struct source *s)
{
	return s->name;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	if (s->packing == GZIP)
		inflateEnd(&s->z);
	lzma_end(&s->lzma);
	close(s->fd);
	free(s->name);
	free(s->in);
	free(s);
}

int source_read_all(const char *path, struct buf *out, struct err *err)
{
	struct source *s = source_open(path, out->max - out->len, err);
	char chunk[65536];
	ssize_t n;

	if (!s)
		return -1;
	while ((n = source_read(s, chunk, sizeof(chunk), err)) > 0)
		buf_add(out, chunk, (size_t)n);
	source_close(s);
	return n == 0 ? 0 : -1;
}
