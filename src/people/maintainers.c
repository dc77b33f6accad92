#include "people/maintainers.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "people/glob.h"
#include "people/pattern.h"
#include "people/text.h"

enum {
	FILE_BYTES_MAX = 16 << 20,
	TEXT_COLUMNS = 200,
	SECTIONS_MAX = 100000,
};

/* Compiled when it is first needed: most mails touch few sections. */
struct section_pattern {
	const char *text;
	bool read;
	struct pattern *pattern;	/* NULL: malformed */
};

struct maintainers {
	struct arena arena;
	char *text;
	struct section *section;
	size_t n, cap;
	const struct section **match;
};

/* Arrays that grow while the file is read; their room, not their length. */
struct room {
	size_t people, reviewers, lists, closed, trees, files, excludes, name, content;
};

static void add_string(struct arena *a, struct strings *list, size_t *cap,
		       const char *s)
{
	list->v = arena_grow(a, list->v, cap, list->n + 1, sizeof(*list->v));
	list->v[list->n++] = s;
}

static void add_person(struct arena *a, struct addresses *list, size_t *cap,
		       const char *s)
{
	struct address who;

	if (!text_mailbox(a, s, strlen(s), &who))
		return;
	list->v = arena_grow(a, list->v, cap, list->n + 1, sizeof(*list->v));
	list->v[list->n++] = who;
}

/* "linux-mm@kvack.org (moderated for non-subscribers)", and rarely
 * "Name <list@example.org>". */
static void add_list(struct arena *a, struct addresses *list, size_t *cap,
		     const char *s)
{
	size_t len = strcspn(s, strchr(s, '<') ? "(" : " \t(");

	add_person(a, list, cap, arena_strndup(a, s, len));
}

static void add_pattern(struct arena *a, struct section_pattern **list,
			size_t *n, size_t *cap, const char *s)
{
	*list = arena_grow(a, *list, cap, *n + 1, sizeof(**list));
	(*list)[(*n)++] = (struct section_pattern){ .text = s };
}

static void add_entry(struct arena *a, struct section *s, struct room *r,
		      char key, const char *value)
{
	switch (key) {
	case 'M':
		add_person(a, &s->people, &r->people, value);
		break;
	case 'R':
		add_person(a, &s->reviewers, &r->reviewers, value);
		break;
	case 'L':
		if (strstr(value, "subscribers-only"))
			add_list(a, &s->closed, &r->closed, value);
		else
			add_list(a, &s->lists, &r->lists, value);
		break;
	case 'S':
		s->status = text_line(a, value, strlen(value), TEXT_COLUMNS);
		break;
	case 'T':
		add_string(a, &s->trees, &r->trees,
			   text_line(a, value, strlen(value), TEXT_COLUMNS));
		break;
	case 'F':
		add_string(a, &s->files, &r->files, value);
		break;
	case 'X':
		add_string(a, &s->excludes, &r->excludes, value);
		break;
	case 'N':
		add_pattern(a, &s->name, &s->nname, &r->name, value);
		break;
	case 'K':
		add_pattern(a, &s->content, &s->ncontent, &r->content, value);
		break;
	}
}

static struct section *new_section(struct maintainers *m, const char *title)
{
	if (m->n >= SECTIONS_MAX)
		return NULL;
	m->section = arena_grow(&m->arena, m->section, &m->cap, m->n + 1,
				sizeof(*m->section));
	m->section[m->n] = (struct section){
		.title = text_line(&m->arena, title, strlen(title),
				   TEXT_COLUMNS),
		.status = "",
	};
	return &m->section[m->n++];
}

static bool is_entry(const char *line)
{
	return *line >= 'A' && *line <= 'Z' && line[1] == ':';
}

static char *trimmed(char *s)
{
	size_t len;

	while (isblank((unsigned char)*s))
		s++;
	len = strlen(s);
	while (len && isspace((unsigned char)s[len - 1]))
		s[--len] = '\0';
	return s;
}

/* Cuts the text into lines in place; entries point into it. */
static void read_lines(struct maintainers *m, char *s, char *end)
{
	struct section *section = NULL;
	struct room room = { 0 };
	const char *title = "";

	for (char *nl; s < end; s = nl + 1) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (!nl)
			nl = end;
		*nl = '\0';
		if (!is_entry(s)) {
			if (*trimmed(s))
				title = trimmed(s);
			section = NULL;
			continue;
		}
		if (!section) {
			section = new_section(m, title);
			room = (struct room){ 0 };
		}
		if (section)
			add_entry(&m->arena, section, &room, *s,
				  trimmed(s + 2));
	}
}

struct maintainers *maintainers_parse(const char *text, size_t len)
{
	struct maintainers *m = calloc(1, sizeof(*m));

	if (!m)
		die_no_memory();
	m->text = arena_strndup(&m->arena, text, len);
	read_lines(m, m->text, m->text + len);
	m->match = arena_array(&m->arena, m->n + 1, sizeof(*m->match));
	return m;
}

static void free_patterns(struct section_pattern *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pattern_free(p[i].pattern);
}

void maintainers_free(struct maintainers *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++) {
		free_patterns(m->section[i].name, m->section[i].nname);
		free_patterns(m->section[i].content, m->section[i].ncontent);
	}
	arena_release(&m->arena);
	free(m);
}

int maintainers_read(struct maintainers **m, const struct git *g,
		     const char *hash, struct err *err)
{
	char blob[100];
	const char *const exists[] = { "ls-tree", "-z", hash, "--",
				       "MAINTAINERS", NULL };
	const char *const print[] = { "cat-file", "blob", blob, NULL };
	struct buf out = BUF_INIT(FILE_BYTES_MAX);
	int rc;

	*m = NULL;
	snprintf(blob, sizeof(blob), "%.64s:MAINTAINERS", hash);
	rc = git_run(g, exists, NULL, &out, err);
	/* a link, or a folder, is none */
	if (rc == -1 || strncmp(out.s, "100", 3)) {
		buf_release(&out);
		return rc;
	}
	buf_reset(&out);
	rc = git_run(g, print, NULL, &out, err);
	if (rc == 0)
		*m = maintainers_parse(out.s, out.len);
	buf_release(&out);
	return rc;
}

const struct section *maintainers_sections(const struct maintainers *m,
					   size_t *n)
{
	*n = m->n;
	return m->section;
}

static bool any_pattern(struct section_pattern *p, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++) {
		if (!p[i].read)
			p[i].pattern = pattern_new(p[i].text);
		p[i].read = true;
		if (p[i].pattern && pattern_finds(p[i].pattern, text))
			return true;
	}
	return false;
}

static bool any_glob(const struct strings *globs, const char *path)
{
	for (size_t i = 0; i < globs->n; i++)
		if (glob_covers(globs->v[i], path))
			return true;
	return false;
}

/* Paths in the order of strcmp(), so that those with one beginning are
 * together; and as one text, so that a pattern is first searched in all. */
struct paths {
	const char **v;
	size_t n;
	const char *text;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct paths sorted(const struct strings *files, struct arena *a)
{
	struct paths p = { arena_array(a, files->n + 1, sizeof(*p.v)),
			   files->n, "" };
	struct buf text = BUF_INIT(SIZE_MAX);

	for (size_t i = 0; i < p.n; i++) {
		p.v[i] = files->v[i];
		buf_addf(&text, "%s\n", files->v[i]);
	}
	qsort(p.v, p.n, sizeof(*p.v), by_name);
	p.text = arena_strdup(a, text.s);
	buf_release(&text);
	return p;
}

/* The first path that does not stand before "prefix". */
static size_t lower_bound(const struct paths *p, const char *prefix, size_t len)
{
	size_t low = 0, high = p->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strncmp(p->v[middle], prefix, len) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool glob_finds(const struct section *s, const char *glob,
		       const struct paths *p)
{
	size_t len = glob_prefix(glob);

	for (size_t i = lower_bound(p, glob, len);
	     i < p->n && !strncmp(p->v[i], glob, len); i++)
		if (glob_covers(glob, p->v[i]) &&
		    !any_glob(&s->excludes, p->v[i]))
			return true;
	return false;
}

static bool name_finds(const struct section *s, const struct paths *p)
{
	if (!s->nname || !any_pattern(s->name, s->nname, p->text))
		return false;
	for (size_t i = 0; i < p->n; i++)
		if (any_pattern(s->name, s->nname, p->v[i]) &&
		    !any_glob(&s->excludes, p->v[i]))
			return true;
	return false;
}

static bool looks_after(const struct section *s, const struct paths *p)
{
	for (size_t i = 0; i < s->files.n; i++)
		if (glob_finds(s, s->files.v[i], p))
			return true;
	return name_finds(s, p);
}

const struct section *const *maintainers_match(struct maintainers *m,
					       const struct strings *files,
					       const char *changes, size_t *n)
{
	struct arena a = ARENA_INIT;
	struct paths p = sorted(files, &a);

	*n = 0;
	for (size_t i = 0; i < m->n; i++) {
		const struct section *s = &m->section[i];

		if (looks_after(s, &p) ||
		    (changes && any_pattern(s->content, s->ncontent, changes)))
			m->match[(*n)++] = s;
	}
	arena_release(&a);
	return m->match;
}
