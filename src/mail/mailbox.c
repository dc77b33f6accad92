#include "mail/mailbox.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

#define CHUNK (64 * 1024)
#define FROM_MAX 512		/* a longer line is no "From " line */

struct mailbox {
	struct arena arena;
	const char *path;
	char place[4200];
	const char **file;	/* of a folder, in order */
	size_t nfile, next_file;
	bool folder;
	int fd;			/* of a file */
	bool borrowed;		/* the descriptor is not ours */
	int64_t read;		/* offset of the end of "chunk" in the file */
	size_t line;		/* number of the line at "pos" */
	char chunk[CHUNK];
	size_t pos, end;
	bool eof, mbox, started;
};

/* Have at least FROM_MAX bytes at "pos", unless the file ends before. */
static int fill(struct mailbox *m, struct err *err)
{
	ssize_t n;

	if (m->end - m->pos >= FROM_MAX || m->eof)
		return 0;
	memmove(m->chunk, m->chunk + m->pos, m->end - m->pos);
	m->end -= m->pos;
	m->pos = 0;
	while (m->end < FROM_MAX && !m->eof) {
		n = read(m->fd, m->chunk + m->end, CHUNK - m->end);
		if (n == -1 && errno == EINTR)
			continue;
		if (n == -1)
			return err_sys(err, "cannot read '%s'", m->path);
		m->eof = n == 0;
		m->end += (size_t)n;
		m->read += n;
	}
	return 0;
}

/*
 * "From ann@example.org Tue Mar  3 10:15:00 2026": a time and a year make it
 * one; prose that begins with "From " has none.
 */
static bool is_from_line(const char *s, size_t len)
{
	bool time = false;
	size_t digits = 0;

	if (len < 5 || memcmp(s, "From ", 5))
		return false;
	for (size_t i = 5; i < len && i < FROM_MAX && s[i] != '\n'; i++) {
		if (s[i] == ':' && digits == 2 && i + 2 < len &&
		    isdigit((unsigned char)s[i + 1]))
			time = true;
		digits = isdigit((unsigned char)s[i]) ? digits + 1 : 0;
		if (time && digits == 4)
			return true;
	}
	return false;
}

/* mboxrd: one ">" goes from every ">From ", ">>From ". */
static bool is_escaped(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && s[n] == '>')
		n++;
	return n && len - n >= 5 && !memcmp(s + n, "From ", 5);
}

/* Skip the rest of the line at "pos". */
static int skip_line(struct mailbox *m, struct err *err)
{
	const char *lf;

	for (;;) {
		if (fill(m, err) == -1)
			return -1;
		lf = memchr(m->chunk + m->pos, '\n', m->end - m->pos);
		m->pos = lf ? (size_t)(lf - m->chunk) + 1 : m->end;
		if (lf || (m->eof && m->pos == m->end)) {
			m->line++;
			return 0;
		}
	}
}

/* One whole line to "bytes", however long. */
static int take_line(struct mailbox *m, struct buf *bytes, struct err *err)
{
	const char *lf, *s;
	size_t n;

	for (;;) {
		s = m->chunk + m->pos;
		lf = memchr(s, '\n', m->end - m->pos);
		n = lf ? (size_t)(lf - s) + 1 : m->end - m->pos;
		buf_add(bytes, s, n);
		m->pos += n;
		if (lf || m->eof)
			break;
		if (fill(m, err) == -1)
			return -1;
	}
	m->line++;
	return 0;
}

/*
 * The empty line behind each mail belongs to the mbox (RFC 4155), behind the
 * last one, too: a mail has the same bytes before and after the next one comes.
 */
static void drop_last_blank(struct buf *bytes)
{
	if (bytes->len >= 2 && !memcmp(bytes->s + bytes->len - 2, "\n\n", 2))
		bytes->s[--bytes->len] = '\0';
	else if (bytes->len >= 4 &&
		 !memcmp(bytes->s + bytes->len - 4, "\r\n\r\n", 4))
		bytes->s[bytes->len -= 2] = '\0';
}

static int next_of_mbox(struct mailbox *m, struct buf *bytes,
			struct err *err)
{
	bool after_blank = false;
	const char *s;
	size_t left;

	snprintf(m->place, sizeof(m->place), "%s:%zu", m->path, m->line);
	if (skip_line(m, err) == -1)
		return -1;
	for (;;) {
		if (fill(m, err) == -1)
			return -1;
		s = m->chunk + m->pos;
		left = m->end - m->pos;
		if (!left || (after_blank && is_from_line(s, left)))
			break;
		after_blank = *s == '\n' ||
			      (left > 1 && s[0] == '\r' && s[1] == '\n');
		if (is_escaped(s, left))
			m->pos++;
		if ((bytes ? take_line(m, bytes, err) :
			     skip_line(m, err)) == -1)
			return -1;
	}
	if (bytes)
		drop_last_blank(bytes);
	return 1;
}

static int whole_file(struct mailbox *m, struct buf *bytes, struct err *err)
{
	snprintf(m->place, sizeof(m->place), "%s", m->path);
	for (;;) {
		if (bytes)
			buf_add(bytes, m->chunk + m->pos, m->end - m->pos);
		m->pos = m->end;
		if (m->eof)
			return 1;
		if (fill(m, err) == -1)
			return -1;
	}
}

static int next_of_file(struct mailbox *m, struct buf *bytes,
			struct err *err)
{
	int rc;

	if (fill(m, err) == -1) {
		m->eof = true;
		m->pos = m->end = 0;
		return -1;
	}
	if (!m->started)
		m->mbox = is_from_line(m->chunk, m->end);
	if (m->pos == m->end && (m->started || !m->end))
		return 0;
	m->started = true;
	rc = m->mbox ? next_of_mbox(m, bytes, err) :
		       whole_file(m, bytes, err);
	if (rc == 1 && bytes && buf_over(bytes))
		return err_set(err, ERR_INPUT, "%s: message of more than %zu "
			       "bytes", m->place, bytes->max);
	return rc;
}

static int by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* The files of "dir" (below our path), hidden ones not. */
static int list_folder(struct mailbox *m, size_t *cap, const char *dir,
		       struct err *err)
{
	char *path = arena_printf(&m->arena, "%s/%s", m->path, dir);
	struct dirent *e;
	DIR *d = opendir(path);
	size_t from = m->nfile;

	if (!d)
		return err_sys(err, "cannot open '%s'", path);
	while ((e = readdir(d))) {
		if (*e->d_name == '.' || e->d_type == DT_DIR)
			continue;
		m->file = arena_grow(&m->arena, m->file, cap, m->nfile + 1,
				     sizeof(*m->file));
		m->file[m->nfile++] = *dir ?
			arena_printf(&m->arena, "%s/%s", dir, e->d_name) :
			arena_strdup(&m->arena, e->d_name);
	}
	closedir(d);
	if (m->nfile > from)
		qsort(m->file + from, m->nfile - from, sizeof(*m->file),
		      by_name);
	return 0;
}

static int open_folder(struct mailbox *m, struct err *err)
{
	char *cur = arena_printf(&m->arena, "%s/cur", m->path);
	size_t cap = 0;

	m->folder = true;
	if (!file_is_folder(cur))
		return list_folder(m, &cap, "", err);
	if (list_folder(m, &cap, "cur", err) == -1)
		return -1;
	return list_folder(m, &cap, "new", err);
}

static int next_of_folder(struct mailbox *m, struct buf *bytes,
			  struct err *err)
{
	if (m->next_file == m->nfile)
		return 0;
	snprintf(m->place, sizeof(m->place), "%s/%s", m->path,
		 m->file[m->next_file++]);
	return bytes && file_read(m->place, bytes, err) == -1 ? -1 : 1;
}

struct mailbox *mailbox_open(const char *path, struct err *err)
{
	struct mailbox *m = calloc(1, sizeof(*m));

	if (!m)
		die_no_memory();
	m->path = path;
	m->line = 1;
	m->fd = STDIN_FILENO;
	if (file_is_folder(path)) {
		m->fd = -1;
		if (open_folder(m, err) == 0)
			return m;
	} else if (!strcmp(path, "-") ||
		   (m->fd = open(path, O_RDONLY | O_CLOEXEC)) != -1) {
		return m;
	} else {
		err_sys(err, "cannot open '%s'", path);
	}
	mailbox_close(m);
	return NULL;
}

struct mailbox *mailbox_open_at(int fd, const char *name, int64_t offset,
				struct err *err)
{
	struct mailbox *m = calloc(1, sizeof(*m));

	if (!m)
		die_no_memory();
	m->path = name;
	m->line = 1;
	m->fd = fd;
	m->borrowed = true;
	m->read = offset;
	if (lseek(fd, offset, SEEK_SET) != -1)
		return m;
	err_sys(err, "cannot read '%s'", name);
	mailbox_close(m);
	return NULL;
}

int64_t mailbox_offset(const struct mailbox *m)
{
	return m->read - (int64_t)(m->end - m->pos);
}

int mailbox_next(struct mailbox *m, struct buf *bytes, struct err *err)
{
	if (bytes)
		buf_reset(bytes);
	return m->folder ? next_of_folder(m, bytes, err) :
			   next_of_file(m, bytes, err);
}

const char *mailbox_place(const struct mailbox *m)
{
	return m->place;
}

void mailbox_close(struct mailbox *m)
{
	if (m->fd > STDIN_FILENO && !m->borrowed)
		close(m->fd);
	arena_release(&m->arena);
	free(m);
}
