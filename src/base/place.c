#include "base/place.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

/* The folder of the running program, "" when /proc does not say. */
static void own_folder(char *dir, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", dir, size - 1);
	char *slash;

	dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
}

/* A build tree is told by the stamp that make leaves in its share/. */
static int in_build_tree(const char *dir)
{
	struct buf stamp = BUF_INIT(8192);
	int yes;

	buf_addf(&stamp, "%s/share/stamp", dir);
	yes = *dir && file_exists(stamp.s);
	buf_release(&stamp);
	return yes;
}

/*
 * What stands before the folders that configure was given: "" once installed,
 * DESTDIR while the tree is still staged.  "dir" is cut to it.
 */
static const char *staging_root(char *dir)
{
	static const char *const ours[] = { BINDIR, PKGLIBEXECDIR };
	size_t n = strlen(dir);

	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(ours[i]);

		if (n < len || strcmp(dir + n - len, ours[i]))
			continue;
		dir[n - len] = '\0';
		return dir;
	}
	return "";
}

void place_data(struct buf *path, const char *name)
{
	const char *env = getenv("PERFPOST_DATADIR");
	char dir[4096];

	buf_reset(path);
	own_folder(dir, sizeof(dir));
	if (env && *env)
		buf_addf(path, "%s/%s", env, name);
	else if (in_build_tree(dir))
		buf_addf(path, "%s/share/%s", dir, name);
	else
		buf_addf(path, "%s%s/%s", staging_root(dir), PKGDATADIR, name);
}

static void place(struct buf *path, const char *installed, const char *name)
{
	char dir[4096];

	buf_reset(path);
	own_folder(dir, sizeof(dir));
	if (in_build_tree(dir))
		buf_addf(path, "%s/%s", dir, name);
	else
		buf_addf(path, "%s%s/%s", staging_root(dir), installed, name);
}

void place_program(struct buf *path, const char *name)
{
	place(path, BINDIR, name);
}

void place_libexec(struct buf *path, const char *name)
{
	place(path, PKGLIBEXECDIR, name);
}
