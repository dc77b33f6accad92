#include "run/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/utf8.h"

#define RESULTS_MAX 1000

static int write_file(const char *folder, const char *name, const char *text,
		      struct err *err)
{
	struct buf path = BUF_INIT(8192);
	int rc;

	buf_addf(&path, "%s/%s", folder, name);
	rc = file_write(path.s, text, strlen(text), err);
	buf_release(&path);
	return rc;
}

/* A side's name becomes a file's: letters, digits and "-" alone. */
static int check_name(const char *name, struct err *err)
{
	static const char *const good = "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";

	if (!name || !*name || strspn(name, good) != strlen(name))
		return err_set(err, ERR_INPUT, "a job with a side '%s'",
			       name ? name : "");
	return 0;
}

/* Move the text of a side's patch into a file and leave its name. */
static int write_patch(const char *folder, json_t *side, struct err *err)
{
	json_t *patch = json_object_get(side, "patch");
	const char *name = json_member_text(side, "name");
	const char *mbox = json_member_text(patch, "mbox");
	struct buf path = BUF_INIT(512);
	int rc;

	if (check_name(name, err) == -1)
		return -1;
	if (!mbox)
		return 0;
	buf_addf(&path, "patches/%s.mbox", name);
	rc = write_file(folder, path.s, mbox, err);
	json_object_del(patch, "mbox");
	json_object_set_new(patch, "file", json_string(path.s));
	buf_release(&path);
	return rc;
}

static int write_all(const char *folder, json_t *spec, struct err *err)
{
	const char *job = json_member_text(spec, "job");
	struct buf text = BUF_INIT((size_t)64 << 20);
	json_t *side;
	size_t i;
	int rc = 0;

	json_array_foreach(json_object_get(spec, "sides"), i, side)
		if (rc == 0)
			rc = write_patch(folder, side, err);
	if (rc == 0 && job)
		rc = write_file(folder, "job.yaml", job, err);
	json_object_del(spec, "job");
	json_write(&text, spec, 2);
	buf_addch(&text, '\n');
	if (rc == 0)
		rc = write_file(folder, "job.json", text.s, err);
	buf_release(&text);
	return rc;
}

static int fill(const char *folder, const json_t *spec, struct err *err)
{
	static const char *const sub[] = { "patches", "results", NULL };
	struct buf path = BUF_INIT(8192);
	json_t *copy = json_deep_copy(spec);
	int rc = 0;

	for (const char *const *s = sub; *s && rc == 0; s++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", folder, *s);
		rc = file_make_folder(path.s, err);
	}
	if (rc == 0)
		rc = write_all(folder, copy, err);
	json_decref(copy);
	buf_release(&path);
	return rc;
}

int folder_make(const char *root, const char *name, const json_t *spec,
		struct err *err)
{
	struct buf path = BUF_INIT(8192), temp = BUF_INIT(8192);
	int rc;

	buf_addf(&path, "%s/%s", root, name);
	buf_addf(&temp, "%s/.%s.%ld", root, name, (long)getpid());
	if (file_is_folder(path.s)) {
		rc = 0;
		goto out;
	}
	rc = file_make_folder(temp.s, err);
	if (rc == 0)
		rc = fill(temp.s, spec, err);
	if (rc == 0 && rename(temp.s, path.s) == -1 &&
	    !file_is_folder(path.s))
		rc = err_sys(err, "cannot make '%s'", path.s);
	if (file_is_folder(temp.s))
		folder_remove(temp.s, NULL);
out:
	buf_release(&path);
	buf_release(&temp);
	return rc;
}

static int wanted(const struct dirent *e)
{
	return *e->d_name != '.' && strcmp(e->d_name, "error.txt") != 0;
}

static bool is_result(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 &&
	       (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

int folder_results(const char *folder, struct arena *a, const char ***path,
		   struct err *err)
{
	const char *results = arena_printf(a, "%s/results", folder), *one;
	struct dirent **name;
	int n = scandir(results, &name, wanted, alphasort), count = 0;

	*path = NULL;
	if (n == -1)
		return err_sys(err, "cannot read '%s'", results);
	*path = arena_array(a, (size_t)n + 1, sizeof(**path));
	for (int i = 0; i < n; i++) {
		one = arena_printf(a, "%s/%s", results, name[i]->d_name);
		if (count < RESULTS_MAX && is_result(one))
			(*path)[count++] = one;
		free(name[i]);
	}
	free(name);
	return count;
}

/* The last bytes of a file that may be large, a device, or not there. */
static void read_end(const char *path, size_t max, struct buf *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char chunk[4096];
	struct stat st;
	ssize_t n;

	if (fd == -1)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if ((size_t)st.st_size > max)
			lseek(fd, st.st_size - (off_t)max, SEEK_SET);
		while (out->len < max &&
		       (n = read(fd, chunk, sizeof(chunk))) > 0)
			buf_add(out, chunk, (size_t)n < max - out->len ?
				(size_t)n : max - out->len);
	}
	close(fd);
}

const char *folder_error(const char *folder, size_t max, struct arena *a)
{
	static const char *const file[] = { "results/error.txt", "log", NULL };
	struct buf raw = BUF_INIT(max), inert = BUF_INIT(max * 12 + 1);
	const char *text;

	for (const char *const *f = file; *f && !raw.len; f++)
		read_end(arena_printf(a, "%s/%s", folder, *f), max, &raw);
	utf8_inert(&inert, raw.s, raw.len, true);
	text = arena_strndup(a, inert.s, inert.len);
	buf_release(&raw);
	buf_release(&inert);
	return text;
}

static int remove_one(const char *path, const struct stat *st, int flag,
		      struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

int folder_remove(const char *folder, struct err *err)
{
	if (nftw(folder, remove_one, 16,
		 FTW_DEPTH | FTW_PHYS | FTW_MOUNT) == -1)
		return err_sys(err, "cannot remove '%s'", folder);
	return 0;
}
