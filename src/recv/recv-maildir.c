#include "recv/recv.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strmap.h"
#include "data/conf.h"

/*
 * A Maildir: what is new, and what is in cur without the flag S (seen).  A
 * mail that was stored goes to cur with that flag; one that can never be
 * stored, to the folder for those or, without one, to cur with F as well.
 */
struct maildir {
	const char *folder, *failed;
	char path[4096];	/* of the last mail, "" when there is none */
	struct arena arena;	/* of this listing */
	const char **name;	/* "new/...", "cur/...", in order */
	size_t n, cap, next;
	struct arena lost_arena;
	struct strmap lost;	/* names of those that cannot be read */
};

static void *maildir_open(const struct conf *conf, const char *where,
			  const char *cursor, struct err *err)
{
	const char *folder = conf_text(conf, "receive.maildir.folder");
	struct maildir *m;

	(void)where;
	(void)cursor;
	if (!folder) {
		err_set(err, ERR_CONFIG, "receive.maildir.folder is not set");
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		die_no_memory();
	m->folder = folder;
	m->failed = conf_text(conf, "receive.maildir.failed");
	strmap_init(&m->lost, &m->lost_arena);
	return m;
}

static bool is_seen(const char *name)
{
	const char *flags = strstr(name, ":2,");

	return flags && strchr(flags + 3, 'S');
}

static int list(struct maildir *m, const char *sub, struct err *err)
{
	char *path = arena_printf(&m->arena, "%s/%s", m->folder, sub);
	DIR *d = opendir(path);
	struct dirent *e;

	if (!d)
		return err_sys(err, "cannot open '%s'", path);
	while ((e = readdir(d))) {
		if (*e->d_name == '.' || strmap_get(&m->lost, e->d_name) ||
		    (!strcmp(sub, "cur") && is_seen(e->d_name)))
			continue;
		m->name = arena_grow(&m->arena, m->name, &m->cap, m->n + 1,
				     sizeof(*m->name));
		m->name[m->n++] = arena_printf(&m->arena, "%s/%s", sub,
					       e->d_name);
	}
	closedir(d);
	return 0;
}

/* By the name after the folder: it begins with the time of delivery. */
static int by_time(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x + 4, *y + 4);
}

static int list_again(struct maildir *m, struct err *err)
{
	arena_release(&m->arena);
	m->name = NULL;
	m->n = m->cap = m->next = 0;
	if (list(m, "cur", err) == -1 || list(m, "new", err) == -1)
		return -1;
	if (m->n)
		qsort(m->name, m->n, sizeof(*m->name), by_time);
	return 0;
}

static int move_to(const char *from, const char *to, struct err *err)
{
	if (rename(from, to) == 0)
		return 0;
	return err_sys(err, "cannot move '%s'", from);
}

static int maildir_settle(void *state, int well, struct err *err)
{
	struct maildir *m = state;
	const char *base = strrchr(m->path, '/');
	char to[8300];
	size_t len;

	if (!base)
		return 0;
	base++;
	if (!well && m->failed) {
		snprintf(to, sizeof(to), "%s/%s", m->failed, base);
		if (file_make_folder(m->failed, err) == -1)
			return -1;
		return move_to(m->path, to, err);
	}
	len = strcspn(base, ":");
	snprintf(to, sizeof(to), "%s/cur/%.*s:2,%s", m->folder, (int)len, base,
		 well ? "S" : "FS");
	return move_to(m->path, to, err);
}

/*
 * One that cannot be read does not stop the rest, nor is it looked at again
 * and again: one that can never be read is settled as such.
 */
static int pass_over(struct maildir *m, struct err *err)
{
	const char *name = strrchr(m->path, '/') + 1;

	*strmap_put_copy(&m->lost, name, strlen(name)) = m;
	if (err->code == ERR_INPUT)
		maildir_settle(m, 0, NULL);
	err->code = ERR_INPUT;
	return -1;
}

static int maildir_next(void *state, struct buf *bytes, struct err *err)
{
	struct maildir *m = state;

	if (m->next == m->n && list_again(m, err) == -1)
		return -1;
	while (m->next < m->n) {
		snprintf(m->path, sizeof(m->path), "%s/%s", m->folder,
			 m->name[m->next++]);
		if (file_read(m->path, bytes, err) == 0)
			return 1;
		if (file_exists(m->path))
			return pass_over(m, err);
		/* Somebody else took it. */
	}
	return 0;
}

static const char *maildir_place(void *state)
{
	struct maildir *m = state;

	return m->path;
}

static int maildir_probe(void *state, struct err *err)
{
	return list_again(state, err);
}

static void maildir_close(void *state)
{
	struct maildir *m = state;

	arena_release(&m->arena);
	arena_release(&m->lost_arena);
	free(m);
}

const struct recv_driver recv_maildir = {
	.name = "maildir",
	.open = maildir_open,
	.next = maildir_next,
	.settle = maildir_settle,
	.place = maildir_place,
	.probe = maildir_probe,
	.close = maildir_close,
};
