#include "bot/tryout.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "people/git.h"

#define HUNK_LINES 24	/* shown */

static const char *line_end(const char *p)
{
	return p + strcspn(p, "\n");
}

static const char *next_line(const char *p)
{
	p = line_end(p);
	return *p ? p + 1 : p;
}

/* "+++ b/FILE" of the file that git complains of? */
static bool is_file(const char *line, const char *file, size_t len)
{
	const char *slash = strncmp(line, "+++ ", 4) ? NULL : line + 4;

	slash = slash ? strpbrk(slash, "/\n") : NULL;
	return slash && *slash == '/' && !strncmp(slash + 1, file, len) &&
	       strchr("\t\r\n", slash[1 + len]);
}

/* The hunk of "file" that begins at "line" of the old file. */
static const char *find_hunk(const char *diff, const char *file, size_t len,
			     long line, struct arena *a)
{
	bool here = false;

	for (const char *p = diff; *p; p = next_line(p)) {
		const char *end = p;

		if (!strncmp(p, "+++ ", 4))
			here = is_file(p, file, len);
		if (!here || strncmp(p, "@@ -", 4) ||
		    strtol(p + 4, NULL, 10) != line)
			continue;
		for (int n = 0; n < HUNK_LINES && *end; n++) {
			end = next_line(end);
			if (!strncmp(end, "@@ -", 4) ||
			    !strncmp(end, "diff --git ", 11) ||
			    !strncmp(end, "--- ", 4))
				break;
		}
		return arena_strndup(a, p, (size_t)(end - p));
	}
	return "";
}

/* "FILE: does not exist in index", in words for somebody without one. */
static const char *of_file(const char *said, struct arena *a)
{
	static const struct {
		const char *git, *words;
	} known[] = {
		{ ": does not exist in index", "does not exist there" },
		{ ": already exists in index", "exists there already" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const char *at = strstr(said, known[i].git);

		if (at)
			return arena_printf(a, "the file %.*s %s",
					    (int)(at - said), said,
					    known[i].words);
	}
	return arena_printf(a, "git apply says: %s", said);
}

/* git says "error: patch failed: mm/example.c:10". */
static void explain(struct tryout *t, const char *said, const char *diff,
		    struct arena *a)
{
	static const char mark[] = "patch failed: ";
	const char *at = strstr(said, mark), *colon;

	t->result = TRYOUT_FAILS;
	t->hunk = "";
	if (!at) {
		at = strstr(said, "error: ");
		t->reason = of_file(at ? at + 7 : said, a);
		return;
	}
	at += strlen(mark);
	colon = strrchr(at, ':');
	t->reason = arena_printf(a, "the patch does not fit at %s", at);
	if (colon)
		t->hunk = find_hunk(diff, at, (size_t)(colon - at),
				    strtol(colon + 1, NULL, 10), a);
}

static int apply(struct tryout *t, const struct git *g, const char *diff,
		 struct arena *a, struct err *err)
{
	const char *const read_tree[] = { "read-tree", t->commit, NULL };
	static const char *const check[] = {
		"apply", "--cached", "--check", "--whitespace=nowarn", "-",
		NULL
	};
	struct buf out = BUF_INIT(65536);
	int rc = git_run(g, read_tree, NULL, &out, err);

	if (rc == 0 && git_run(g, check, diff, &out, err) == -1) {
		if (err->code != ERR_INPUT)
			rc = -1;
		else
			explain(t, err->text, diff, a);
	}
	buf_release(&out);
	return rc;
}

int tryout_patch(struct tryout *t, const char *clone, const char *rev,
		 const char *diff, struct arena *a, struct err *err)
{
	char folder[] = "/tmp/perfpost-try-XXXXXX";
	struct git g = { .dir = clone };
	int rc;

	*t = (struct tryout){ .result = TRYOUT_APPLIES, .reason = "",
			      .hunk = "" };
	if (git_commit_hash(&g, rev, t->commit, err) == -1) {
		if (err->code != ERR_INPUT && err->code != ERR_USAGE)
			return -1;
		t->result = TRYOUT_NO_BASE;
		t->reason = arena_strdup(a, err->text);
		*t->commit = '\0';
		return 0;
	}
	if (!mkdtemp(folder))
		return err_sys(err, "cannot make a folder in /tmp");
	g.index = arena_printf(a, "%s/index", folder);
	rc = apply(t, &g, diff, a, err);
	unlink(g.index);
	rmdir(folder);
	return rc;
}
