#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "people/commit.h"
#include "people/glob.h"
#include "people/maintainers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The same bytes as a commit's message, a MAINTAINERS file, and its first two
 * lines as a pattern and a path. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *paths[] = { "mm/a.c", "drivers/net/tegra/b_1.h" };
	const char *bytes = (const char *)data;
	struct strings files = { paths, 2 };
	struct commit c = COMMIT_INIT;
	struct maintainers *m = maintainers_parse(bytes, size);
	char *glob = arena_strndup(&c.arena, bytes, size), *path;
	size_t n;

	maintainers_match(m, &files, "int x;\nfoo(bar)\n", &n);
	maintainers_free(m);
	path = strchr(glob, '\n');
	if (path) {
		*path++ = '\0';
		path[strcspn(path, "\n")] = '\0';
		glob_match(glob, path);
		glob_covers(glob, path);
	}
	commit_message(&c, bytes, size);
	commit_release(&c);
	return 0;
}
