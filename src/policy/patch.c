#include "policy/patch.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PATH_LENGTH_MAX 1024

const char *const patch_host_files[] = {
	"scripts/*", "*/scripts/*", "tools/*", "*/tools/*", "usr/*", "certs/*",
	"Makefile*", "*/Makefile*", "*.mk", "Kbuild*", "*/Kbuild*",
	"Kconfig*", "*/Kconfig*", "configure*", "*/configure*",
	"*.sh", "*.py", "*.pl", "*.awk", "*.sed", "*.l", "*.y",
	"*/gen*.c", "*/mk*.c", "*/genheaders/*", ".*", "*/.*", NULL
};

const char *patch_flaw_name(enum patch_flaw flaw)
{
	static const char *const name[NFLAWS] = {
		[FLAW_NONE] = "ok", [FLAW_EMPTY] = "no-patch-found",
		[FLAW_SIZE] = "patch-too-large",
		[FLAW_FILES] = "patch-has-too-many-files",
		[FLAW_NUL] = "nul-in-patch",
		[FLAW_CR] = "carriage-return-in-patch-header",
		[FLAW_BINARY] = "binary-patch-not-accepted",
		[FLAW_NO_DATA] = "binary-patch-without-data",
		[FLAW_PATH] = "patch-path-not-accepted",
		[FLAW_GIT] = "patch-touches-git-folder",
		[FLAW_SYMLINK] = "patch-makes-symlink",
		[FLAW_MODE] = "patch-mode-not-accepted",
		[FLAW_SYNTAX] = "patch-malformed",
	};

	return name[flaw];
}

struct walk {
	struct patch_finding *f;
	const struct patch_rules *rules;
	struct arena *arena;
	const char *p, *end;	/* what is left */
	const char *line;	/* the one at hand, without its newline */
	size_t len, number;
	size_t cap, host_cap;
	bool header;		/* in the lines behind "diff --git" */
	bool named;		/* this file's name is known */
	bool content;		/* something of a diff was seen */
	long old_left, new_left;	/* lines of the hunk */
};

static bool flaw(struct walk *w, enum patch_flaw flaw, const char *reason)
{
	w->f->flaw = flaw;
	w->f->line = w->number;
	w->f->reason = reason;
	return false;
}

static bool next_line(struct walk *w)
{
	const char *nl;

	if (w->p == w->end)
		return false;
	nl = memchr(w->p, '\n', (size_t)(w->end - w->p));
	w->line = w->p;
	w->len = (size_t)((nl ? nl : w->end) - w->p);
	w->p = nl ? nl + 1 : w->end;
	w->number++;
	return true;
}

/* Does the line begin so?  Then "rest" is what follows. */
static bool begins(const struct walk *w, const char *with, const char **rest)
{
	size_t len = strlen(with);

	if (w->len < len || memcmp(w->line, with, len))
		return false;
	if (rest)
		*rest = w->line + len;
	return true;
}

static size_t rest_length(const struct walk *w, const char *rest)
{
	return (size_t)(w->line + w->len - rest);
}

/* git's C-style quoting: "a/\303\244 \"x\".c".  NULL when it is broken. */
static const char *unquote(struct walk *w, const char *s, size_t len,
			   size_t *used)
{
	static const char from[] = "abtnvfr\"\\", to[] = "\a\b\t\n\v\f\r\"\\";
	char *out = arena_alloc(w->arena, len + 1);
	const char *known;
	size_t n = 0, i = 1;

	for (; i < len && s[i] != '"'; i++) {
		if (s[i] != '\\') {
			out[n++] = s[i];
		} else if (i + 1 < len && (known = strchr(from, s[i + 1]))) {
			out[n++] = to[known - from];
			i++;
		} else if (i + 3 < len && s[i + 1] >= '0' && s[i + 1] <= '3' &&
			   s[i + 2] >= '0' && s[i + 2] <= '7' &&
			   s[i + 3] >= '0' && s[i + 3] <= '7') {
			out[n++] = (char)((s[i + 1] - '0') * 64 +
					  (s[i + 2] - '0') * 8 + s[i + 3] - '0');
			i += 3;
		} else {
			return NULL;
		}
	}
	*used = i + 1;
	return i < len && strlen(out) == n ? out : NULL;
}

/* ".git" as a file system that folds or ignores characters may see it. */
static bool is_git_folder(const char *name, size_t len)
{
	static const char *const ignored[] = {
		"\xe2\x80\x8c", "\xe2\x80\x8d", "\xe2\x80\x8e", "\xe2\x80\x8f",
		"\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad",
		"\xe2\x80\xae", "\xe2\x81\xaa", "\xe2\x81\xab", "\xe2\x81\xac",
		"\xe2\x81\xad", "\xe2\x81\xae", "\xe2\x81\xaf", "\xef\xbb\xbf",
	};
	char plain[8];
	size_t n = 0;

	while (len && strchr(" .", name[len - 1]))
		len--;
	for (size_t i = 0; i < len; i++) {
		size_t skip = 0;

		for (size_t k = 0; k < sizeof(ignored) / sizeof(*ignored); k++)
			if (len - i >= 3 && !memcmp(name + i, ignored[k], 3))
				skip = 3;
		if (skip) {
			i += skip - 1;
			continue;
		}
		if (n == sizeof(plain) - 1)
			return false;
		plain[n++] = name[i];
	}
	plain[n] = '\0';
	return !strcasecmp(plain, ".git") || !strcasecmp(plain, "git~1");
}

static bool check_components(struct walk *w, const char *path)
{
	for (const char *p = path; ; p++) {
		size_t len = strcspn(p, "/");

		if (!len || (len == 1 && *p == '.') ||
		    (len == 2 && !memcmp(p, "..", 2)))
			return flaw(w, FLAW_PATH, arena_printf(w->arena,
				    "the path '%s' leaves the tree", path));
		if (is_git_folder(p, len))
			return flaw(w, FLAW_GIT, arena_printf(w->arena,
				    "the path '%s' is git's own", path));
		p += len;
		if (!*p)
			return true;
	}
}

static bool check_path(struct walk *w, const char *path)
{
	if (*path == '/')
		return flaw(w, FLAW_PATH, arena_printf(w->arena,
			    "the path '%.200s' is absolute", path));
	if (strlen(path) > PATH_LENGTH_MAX)
		return flaw(w, FLAW_PATH, "a path is too long");
	for (const char *p = path; *p; p++)
		if (iscntrl((unsigned char)*p) || *p == '\\')
			return flaw(w, FLAW_PATH,
				    "a path holds control characters");
	return check_components(w, path);
}

static void add_host_file(struct walk *w, const char *path)
{
	struct patch_finding *f = w->f;

	for (size_t i = 0; i < f->nhost_file; i++)
		if (!strcmp(f->host_file[i], path))
			return;
	f->host_file = arena_grow(w->arena, f->host_file, &w->host_cap,
				  f->nhost_file + 1, sizeof(*f->host_file));
	f->host_file[f->nhost_file++] = path;
}

static bool add_file(struct walk *w, const char *path)
{
	struct patch_finding *f = w->f;

	if (!check_path(w, path))
		return false;
	w->named = true;
	for (const char *const *g = w->rules->host_files; g && *g; g++)
		if (!fnmatch(*g, path, 0))
			add_host_file(w, path);
	if (f->nfile && !strcmp(f->file[f->nfile - 1], path))
		return true;
	for (size_t i = 0; i < f->nfile; i++)
		if (!strcmp(f->file[i], path))
			return true;
	if (f->nfile == w->rules->max_files)
		return flaw(w, FLAW_FILES, arena_printf(w->arena, "it touches "
			    "more than %zu files", w->rules->max_files));
	f->file = arena_grow(w->arena, f->file, &w->cap, f->nfile + 1,
			     sizeof(*f->file));
	f->file[f->nfile++] = path;
	return true;
}

/* "a/mm/x.c" is mm/x.c: git takes the first component off (-p1). */
static bool add_prefixed(struct walk *w, const char *path)
{
	const char *slash;

	if (!strcmp(path, "/dev/null"))
		return true;
	if (*path == '/')
		return check_path(w, path);
	slash = strchr(path, '/');
	if (!slash)
		return flaw(w, FLAW_PATH, arena_printf(w->arena, "the path "
			    "'%.200s' has no a/ or b/ before it", path));
	if (slash - path == 2 && !memcmp(path, "..", 2))
		return check_path(w, path);
	return add_file(w, slash + 1);
}

/* The name that follows "--- " and the like: quoted, or up to a tab. */
static const char *name_in(struct walk *w, const char *rest, bool tab)
{
	size_t len = rest_length(w, rest), used;
	const char *name, *end;

	if (len && *rest == '"') {
		name = unquote(w, rest, len, &used);
		if (!name)
			flaw(w, FLAW_PATH, "a quoted path is broken");
		return name;
	}
	end = tab ? memchr(rest, '\t', len) : NULL;
	if (end)
		len = (size_t)(end - rest);
	return arena_strndup(w->arena, rest, len);
}

static bool on_name(struct walk *w, const char *rest, bool prefixed)
{
	const char *name = name_in(w, rest, prefixed);

	w->content = true;
	if (!name)
		return false;
	return prefixed ? add_prefixed(w, name) : add_file(w, name);
}

/* "diff --git a/P b/P": the name counts where both are the same. */
static bool on_diff(struct walk *w, const char *rest)
{
	size_t len = rest_length(w, rest), used, half = len / 2;
	const char *name;

	if (w->header && !w->named)
		return flaw(w, FLAW_SYNTAX, "a file without a name");
	w->header = w->content = true;
	w->named = false;
	if (len && *rest == '"') {
		name = unquote(w, rest, len, &used);
		if (!name)
			return flaw(w, FLAW_PATH, "a quoted path is broken");
		return add_prefixed(w, name);
	}
	if (len < 5 || len % 2 == 0 || rest[half] != ' ' ||
	    memchr(rest, '/', half) == NULL)
		return true;
	name = arena_strndup(w->arena, rest, half);
	if (strcmp(strchr(name, '/'), strchr(arena_strndup(w->arena,
		   rest + half + 1, half), '/') ? : ""))
		return true;
	return add_prefixed(w, name);
}

static bool on_mode(struct walk *w, const char *rest)
{
	char *end;
	long mode = strtol(arena_strndup(w->arena, rest, rest_length(w, rest)),
			   &end, 8);

	if ((mode & 0170000) == 0120000)
		return flaw(w, FLAW_SYMLINK, "it makes or changes a symbolic "
			    "link");
	if (*end || (mode != 0100644 && mode != 0100755))
		return flaw(w, FLAW_MODE, "a file mode other than 100644 and "
			    "100755");
	if (mode == 0100755 && w->f->nfile)
		add_host_file(w, w->f->file[w->f->nfile - 1]);
	return true;
}

/* "index 1111111..2222222 100644": the mode is there when it stays. */
static bool on_index(struct walk *w, const char *rest)
{
	const char *blank = memchr(rest, ' ', rest_length(w, rest));

	return !blank || on_mode(w, blank + 1);
}

static bool on_binary(struct walk *w, bool data)
{
	w->content = true;
	if (!data)
		return flaw(w, FLAW_NO_DATA, "it says that binary files differ, "
			    "without their content");
	if (!w->rules->binary)
		return flaw(w, FLAW_BINARY, "it is a binary hunk");
	w->header = false;
	return true;
}

static long number(const char **p)
{
	long n = 0;

	if (!isdigit((unsigned char)**p))
		return -1;
	for (; isdigit((unsigned char)**p); (*p)++)
		if (n < 100000000)
			n = n * 10 + (**p - '0');
	return n;
}

static bool ends(const struct walk *w, const char *with)
{
	size_t n = strlen(with);

	return w->len >= n && !memcmp(w->line + w->len - n, with, n);
}

/* What diff, git, hg and svn say instead of what is in a file. */
static bool is_binary_notice(struct walk *w)
{
	if (begins(w, "Binary files ", NULL) || begins(w, "Files ", NULL))
		return ends(w, " differ");
	if (begins(w, "Binary file ", NULL))
		return ends(w, " has changed");
	return begins(w, "Cannot display: file marked as a binary type", NULL);
}

/* "-a[,b]" or "+c[,d]": how many lines, -1 when it is none. */
static long range(const char **p, char sign)
{
	long n = 1;

	if (**p != sign)
		return -1;
	(*p)++;
	if (number(p) == -1)
		return -1;
	if (**p == ',') {
		(*p)++;
		n = number(p);
	}
	return n;
}

static bool on_hunk(struct walk *w)
{
	const char *p = arena_strndup(w->arena, w->line, w->len) + 3;

	w->old_left = range(&p, '-');
	p += *p == ' ';
	w->new_left = range(&p, '+');
	if (w->old_left < 0 || w->new_left < 0 || strncmp(p, " @@", 3))
		return flaw(w, FLAW_SYNTAX, "a broken @@ line");
	if (!w->named)
		return flaw(w, FLAW_SYNTAX, "a hunk without a file");
	w->header = false;
	return true;
}

static bool in_hunk(struct walk *w)
{
	char c = w->len ? *w->line : ' ';

	if (c == '\\')
		return true;
	if (c == ' ' || c == '\t' || c == '-')
		w->old_left--;
	if (c == ' ' || c == '\t' || c == '+')
		w->new_left--;
	if (!strchr(" \t+-", c) || w->old_left < 0 || w->new_left < 0)
		return flaw(w, FLAW_SYNTAX, "a hunk is not what its @@ line "
			    "says");
	return true;
}

/* "--- x" is a name only when "+++ y" is on the next line. */
static bool name_pair(const struct walk *w)
{
	return w->end - w->p >= 4 && !memcmp(w->p, "+++ ", 4);
}

static bool in_header(struct walk *w)
{
	const char *rest;

	if (begins(w, "rename from ", &rest) || begins(w, "rename to ", &rest) ||
	    begins(w, "copy from ", &rest) || begins(w, "copy to ", &rest))
		return on_name(w, rest, false);
	if (begins(w, "new file mode ", &rest) ||
	    begins(w, "deleted file mode ", &rest) ||
	    begins(w, "new mode ", &rest) || begins(w, "old mode ", &rest))
		return on_mode(w, rest);
	if (begins(w, "index ", &rest))
		return on_index(w, rest);
	if (!begins(w, "similarity index ", NULL) &&
	    !begins(w, "dissimilarity index ", NULL) && w->len)
		w->header = false;
	return true;
}

static bool on_line(struct walk *w)
{
	bool was_header = w->header;
	const char *rest;

	if (w->old_left > 0 || w->new_left > 0)
		return in_hunk(w);
	if (begins(w, "diff --git ", &rest))
		return on_diff(w, rest);
	if (begins(w, "@@ -", NULL) && w->content)
		return on_hunk(w);
	if (begins(w, "--- ", &rest) && name_pair(w)) {
		w->named = false;
		return on_name(w, rest, true);
	}
	if (begins(w, "+++ ", &rest) && w->content)
		return on_name(w, rest, true);
	if (begins(w, "GIT binary patch", NULL))
		return on_binary(w, true);
	if (is_binary_notice(w))
		return on_binary(w, false);
	return !was_header || in_header(w);
}

/* A CR inside a header line shows one name to us and another to git. */
static bool check_bytes(struct walk *w)
{
	bool hunk = w->old_left > 0 || w->new_left > 0;

	if (memchr(w->line, '\0', w->len))
		return flaw(w, FLAW_NUL, "it holds a NUL byte");
	if (!hunk && memchr(w->line, '\r', w->len) &&
	    (w->header || begins(w, "diff --git ", NULL) ||
	     begins(w, "--- ", NULL) || begins(w, "+++ ", NULL) ||
	     begins(w, "@@ -", NULL)))
		return flaw(w, FLAW_CR, "a header line holds a carriage return");
	return true;
}

static void check_end(struct walk *w)
{
	if (w->old_left > 0 || w->new_left > 0)
		flaw(w, FLAW_SYNTAX, "the last hunk is cut off");
	else if (!w->content)
		flaw(w, FLAW_EMPTY, "there is no diff in it");
	else if (!w->f->nfile)
		flaw(w, FLAW_SYNTAX, "it names no file");
}

void patch_check(struct patch_finding *f, const char *text, size_t len,
		 const struct patch_rules *rules, struct arena *a)
{
	struct walk w = { .f = f, .rules = rules, .arena = a, .p = text,
			  .end = text + len };

	*f = (struct patch_finding){ .flaw = FLAW_NONE, .reason = "" };
	if (len > rules->max_size) {
		flaw(&w, FLAW_SIZE, arena_printf(a, "it has %zu bytes, %zu are "
						 "accepted", len,
						 rules->max_size));
		return;
	}
	while (next_line(&w))
		if (!check_bytes(&w) || !on_line(&w))
			return;
	check_end(&w);
}
