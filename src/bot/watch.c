#include "bot/watch.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "bot/link.h"
#include "people/git.h"
#include "store/audit.h"
#include "store/mails.h"
#include "store/reports.h"

#define EVERY 600		/* seconds */
#define LOG_MAX ((size_t)64 << 20)
#define REPORTS_MAX 2000	/* the newest are looked for by title */

struct watch {
	const struct bot *bot;
	const char *tree;
	struct git git;
	struct arena arena;
	struct stored_report *awaited;	/* those that a title should fix */
	size_t nawaited;
	char head[65];
	int fixed;
};

static bool is_open(const struct stored_report *r)
{
	return r->state == REPORT_OPEN || r->state == REPORT_ACKNOWLEDGED ||
	       r->state == REPORT_DISPUTED;
}

/* Somebody said that a commit of this title fixes it. */
static int find_awaited(struct watch *w, struct err *err)
{
	struct stored_report *v;
	size_t n;

	if (report_list(w->bot->store, REPORTS_MAX, &w->arena, &v, &n,
			err) == -1)
		return -1;
	w->awaited = v;
	for (size_t i = 0; i < n; i++)
		if (v[i].state == REPORT_FIXED && *v[i].state_note &&
		    strncmp(v[i].state_note, "commit ", 7))
			v[w->nawaited++] = v[i];
	return 0;
}

static int set_fixed(struct watch *w, const struct stored_report *r,
		     const char *hash, const char *title, struct err *err)
{
	const char *note = arena_printf(&w->arena, "commit %.12s (\"%s\")",
					hash, title);
	int64_t now = clock_now();

	log_info("report %lld is fixed by %s", (long long)r->id, note);
	w->fixed++;
	if (report_set_state(w->bot->store, r->id, REPORT_FIXED, note,
			     arena_printf(&w->arena, "tree %s", w->tree), now,
			     err) == -1)
		return -1;
	return audit_add(w->bot->store, now, "bot", "fixed", "report", r->id,
			 note, err);
}

static int by_title(struct watch *w, const char *hash, const char *title,
		    struct err *err)
{
	for (size_t i = 0; i < w->nawaited; i++)
		if (!strcmp(w->awaited[i].state_note, title) &&
		    set_fixed(w, &w->awaited[i], hash, title, err) == -1)
			return -1;
	return 0;
}

/* The report, and what else was reported of the same commit and stat: the
 * mails of other trees and machines. */
static int fix_all(struct watch *w, const struct stored_report *r,
		   const char *hash, const char *title, struct err *err)
{
	struct stored_report *v;
	size_t n;

	if (is_open(r) && set_fixed(w, r, hash, title, err) == -1)
		return -1;
	if (!*r->tested)
		return 0;
	if (report_by_commit(w->bot->store, r->tested, &w->arena, &v, &n,
			     err) == -1)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (v[i].id != r->id && is_open(&v[i]) &&
		    !strcmp(v[i].stat, r->stat) &&
		    set_fixed(w, &v[i], hash, title, err) == -1)
			return -1;
	return 0;
}

/* A commit: its hash, its title, its message. */
static int look_at(struct watch *w, const char *hash, const char *message,
		   struct err *err)
{
	size_t len = strcspn(message, "\n");
	const char *title = arena_strndup(&w->arena, message, len);
	struct stored_report r;
	int rc;

	if (by_title(w, hash, title, err) == -1)
		return -1;
	for (const char *p = message; *p; p += len + (p[len] == '\n')) {
		len = strcspn(p, "\n");
		rc = link_line(w->bot, p, len, &r, &w->arena, err);
		if (rc == -1)
			return -1;
		if (rc == 1 && fix_all(w, &r, hash, title, err) == -1)
			return -1;
	}
	return 0;
}

/* "HASH\nMESSAGE" and a NUL, again and again. */
static int look_at_all(struct watch *w, const struct buf *log,
		       struct err *err)
{
	const char *p = log->s, *end = log->s + log->len;

	while (p < end) {
		const char *nul = memchr(p, '\0', (size_t)(end - p));
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		if (!nul || !nl || nl > nul)
			return 0;
		if (look_at(w, arena_strndup(&w->arena, p, (size_t)(nl - p)),
			    nl + 1, err) == -1)
			return -1;
		p = nul + 1;
	}
	return 0;
}

/* All of it and the place up to which it was seen, in one stroke. */
static int write_down(struct watch *w, const char *cursor,
		      const struct buf *log, struct err *err)
{
	struct store *s = w->bot->store;
	const char *place = arena_printf(&w->arena, "%s %lld", w->head,
					 (long long)clock_now());

	if (store_begin(s, err) == -1)
		return -1;
	if (look_at_all(w, log, err) == -1 ||
	    cursor_set(s, cursor, place, err) == -1) {
		store_rollback(s);
		return -1;
	}
	return store_commit(s, err);
}

static int look_through(struct watch *w, const char *cursor, const char *seen,
			struct err *err)
{
	const char *const args[] = { "log", "-z", "--no-color",
		"--format=%H%n%B", "--max-count=100000",
		arena_printf(&w->arena, "%s..%s", seen, w->head), NULL };
	struct buf log = BUF_INIT(LOG_MAX);
	struct err why = ERR_INIT;
	int rc = 0;

	if (strcmp(seen, w->head) && git_run(&w->git, args, NULL, &log,
					     &why) == -1)
		log_warn("tree %s: %s", w->tree, why.text);
	rc = write_down(w, cursor, &log, err);
	buf_release(&log);
	return rc;
}

/* A tree that is not there: said once, and looked for again later. */
static int put_off(struct watch *w, const char *cursor, const char *seen,
		   bool told, const struct err *why, struct err *err)
{
	const char *place = arena_printf(&w->arena, "%s %lld told",
					 *seen ? seen : "-",
					 (long long)clock_now());

	if (!told)
		log_warn("tree %s: %s", w->tree, why->text);
	return cursor_set(w->bot->store, cursor, place, err);
}

static int watch_one(struct watch *w, const char *branch, struct err *err)
{
	const char *cursor = arena_printf(&w->arena, "watch %s", w->tree);
	const char *place;
	char seen[65] = "", told[5] = "";
	long long at = 0;
	struct err why = ERR_INIT;

	if (cursor_get(w->bot->store, cursor, &w->arena, &place, err) == -1)
		return -1;
	sscanf(place, "%64s %lld %4s", seen, &at, told);
	if (!strcmp(seen, "-"))
		*seen = '\0';
	if (clock_now() < at + EVERY)
		return 0;
	if (git_commit_hash(&w->git, branch, w->head, &why) == -1)
		return put_off(w, cursor, seen, *told, &why, err);
	if (find_awaited(w, err) == -1)
		return -1;
	/* The first time only what comes from now on counts. */
	return look_through(w, cursor, *seen ? seen : w->head, err);
}

int watch_trees(const struct bot *bot, struct err *err)
{
	const struct conf *c = bot->settings->conf;
	int fixed = 0, rc = 0;

	for (const char *const *t = conf_names(c, "trees"); *t && rc == 0;
	     t++) {
		struct conf tree = conf_section(c, "trees", *t);
		const char *branch = conf_text(&tree, "branch");
		struct watch w = { .bot = bot, .tree = *t,
				   .arena = ARENA_INIT };

		w.git.dir = conf_text(&tree, "git");
		if (w.git.dir && conf_bool(&tree, "watch"))
			rc = watch_one(&w, branch ? branch : "HEAD", err);
		fixed += w.fixed;
		arena_release(&w.arena);
	}
	return rc == -1 ? -1 : fixed;
}
