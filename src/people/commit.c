#include "people/commit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/commit-name.h"
#include "base/err.h"
#include "base/log.h"
#include "people/message.h"
#include "people/text.h"

enum {
	MESSAGE_MAX = 1 << 20,
	FILES_MAX = 4 << 20,
	PATCH_MAX = 8 << 20,
	K_MESSAGE_MAX = 32 << 10,
	FIELDS = 9,
};

void commit_release(struct commit *c)
{
	arena_release(&c->arena);
	*c = (struct commit)COMMIT_INIT;
}

/* What git prints up to the limit of "out"; more than that is a warning. */
static int run_cut(const struct git *g, const char *const *args,
		   const char *what, struct buf *out, struct err *err)
{
	if (git_run(g, args, NULL, out, err) == 0)
		return 0;
	if (!buf_over(out))
		return -1;
	log_warn("%s: only the first %zu bytes are used", what, out->len);
	return 0;
}

/* Cut "s" into FIELDS texts that NULs separate; the last is the rest. */
static bool split_fields(const struct buf *out, const char **field,
			 size_t *last_len)
{
	const char *s = out->s, *end = out->s + out->len, *nul;

	for (int i = 0; i < FIELDS - 1; i++) {
		field[i] = s;
		nul = memchr(s, '\0', (size_t)(end - s));
		if (!nul)
			return false;
		s = nul + 1;
	}
	field[FIELDS - 1] = s;
	*last_len = (size_t)(end - s);
	return true;
}

static void set_parents(struct commit *c, const char *list)
{
	size_t cap = 0, len;

	for (; *list; list += len + strspn(list + len, " ")) {
		len = strcspn(list, " ");
		c->parents.v = arena_grow(&c->arena, c->parents.v, &cap,
					  c->parents.n + 1,
					  sizeof(*c->parents.v));
		c->parents.v[c->parents.n++] =
			arena_strndup(&c->arena, list, len);
	}
}

/* What was written, where .mailmap has made another address of it. */
static const char *mapped_from(struct arena *a, const struct address *now,
			       const char *written)
{
	struct address was = text_person(a, "", written);

	if (!*was.address || !strcasecmp(was.address, now->address))
		return NULL;
	return was.address;
}

static int read_message(struct commit *c, const struct git *g,
			const char *hash, struct err *err)
{
	const char *const args[] = {
		"log", "-1", "--no-patch", "--no-color", "--no-notes",
		"--no-decorate", "--no-show-signature", "--use-mailmap",
		"--encoding=UTF-8", "--format=%P%x00%aN%x00%aE%x00%ae%x00%cN"
		"%x00%cE%x00%ce%x00%at%x00%B", hash, "--", NULL,
	};
	struct buf out = BUF_INIT(MESSAGE_MAX);
	const char *f[FIELDS];
	size_t len = 0;
	int rc = run_cut(g, args, "a commit message", &out, err);

	if (rc == 0 && !split_fields(&out, f, &len))
		rc = err_set(err, ERR_INPUT, "commit %s is not readable", hash);
	if (rc == 0) {
		c->hash = arena_strdup(&c->arena, hash);
		set_parents(c, f[0]);
		c->author = text_person(&c->arena, f[1], f[2]);
		c->author_was = mapped_from(&c->arena, &c->author, f[3]);
		c->committer = text_person(&c->arena, f[4], f[5]);
		c->committer_was = mapped_from(&c->arena, &c->committer, f[6]);
		c->date = strtoll(f[7], NULL, 10);
		c->message = arena_strndup(&c->arena, f[8], len);
		commit_message(c, f[8], len);
	}
	buf_release(&out);
	return rc;
}

/* What a merge is compared with; any other commit has but one parent. */
static const char *compared_with(const struct commit *c)
{
	return c->parents.n > 1 ? c->parents.v[0] : "--root";
}

static void take_files(struct commit *c, const char *s, const char *end)
{
	size_t cap = 0;
	const char *nul;

	for (; s < end; s = nul + 1) {
		nul = memchr(s, '\0', (size_t)(end - s));
		if (!nul)
			break;
		c->files.v = arena_grow(&c->arena, c->files.v, &cap,
					c->files.n + 1, sizeof(*c->files.v));
		c->files.v[c->files.n++] = arena_strdup(&c->arena, s);
	}
}

static int read_files(struct commit *c, const struct git *g, struct err *err)
{
	const char *const args[] = {
		"diff-tree", "--no-commit-id", "-r", "-z", "--name-only",
		"--no-renames", compared_with(c), c->hash, "--", NULL,
	};
	struct buf out = BUF_INIT(FILES_MAX);
	int rc = run_cut(g, args, "a list of files", &out, err);

	if (rc == 0)
		take_files(c, out.s, out.s + out.len);
	buf_release(&out);
	if (rc == -1 && c->parents.n > 1) {
		/* Its parents need not be here: that costs the lists. */
		log_warn("what merge %.12s brought is not known", c->hash);
		rc = 0;
	}
	if (c->parents.n > 1 && c->files.n > MERGE_FILES_MAX) {
		c->merged = c->files.n;
		c->files.n = 0;
	}
	return rc;
}

/* One "Name <address>" a line, as git check-mailmap takes and gives them. */
static void list_people(const struct commit *c, struct buf *list)
{
	for (size_t i = 0; i < c->ntrailer; i++) {
		const struct address *who = &c->trailer[i].who;

		if (*who->address)
			buf_addf(list, "%s <%s>\n", who->name, who->address);
	}
}

static void take_people(struct commit *c, const char *list)
{
	for (size_t i = 0; i < c->ntrailer && *list; i++) {
		size_t len = strcspn(list, "\n");

		struct trailer *t = &c->trailer[i];
		const char *written = t->who.address;

		if (!*written)
			continue;
		text_mailbox(&c->arena, list, len, &t->who);
		t->was = mapped_from(&c->arena, &t->who, written);
		list += len + (list[len] == '\n');
	}
}

static size_t lines(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

/* A .mailmap that git cannot read costs the mapping, not the commit. */
static void apply_mailmap(struct commit *c, const struct git *g)
{
	static const char *const args[] = { "check-mailmap", "--stdin", NULL };
	struct buf list = BUF_INIT(MESSAGE_MAX), out = BUF_INIT(MESSAGE_MAX);
	struct err err = ERR_INIT;

	list_people(c, &list);
	if (list.len && git_run(g, args, list.s, &out, &err) == -1)
		log_warn("%s", err.text);
	else if (lines(out.s) == lines(list.s))
		take_people(c, out.s);
	buf_release(&list);
	buf_release(&out);
}

int commit_read(struct commit *c, const struct git *g, const char *rev,
		struct err *err)
{
	char hash[65];

	if (git_commit_hash(g, rev, hash, err) == -1 ||
	    read_message(c, g, hash, err) == -1 ||
	    read_files(c, g, err) == -1)
		return -1;
	apply_mailmap(c, g);
	return 0;
}

int commit_changes(const struct commit *c, const struct git *g,
		   struct buf *out, struct err *err)
{
	const char *const args[] = {
		"diff-tree", "--no-commit-id", "-p", "-U0", "--no-renames",
		"--no-ext-diff", "--no-textconv", "--no-color",
		compared_with(c), c->hash, "--", NULL,
	};
	struct buf diff = BUF_INIT(PATCH_MAX);
	int rc = c->merged ? 0 : run_cut(g, args, "a patch", &diff, err);

	if (c->message)
		buf_addf(out, "%.*s\n", K_MESSAGE_MAX, c->message);
	for (const char *s = diff.s, *nl; rc == 0 && *s; s = nl + 1) {
		nl = strchrnul(s, '\n');
		if ((*s == '+' && strncmp(s, "+++ ", 4)) ||
		    (*s == '-' && strncmp(s, "--- ", 4))) {
			buf_add(out, s + 1, (size_t)(nl - s - 1));
			buf_addch(out, '\n');
		}
		if (!*nl)
			break;
	}
	buf_release(&diff);
	return rc;
}

/* "key" of the object, made when it is not there. */
static json_t *object_in(json_t *in, const char *key)
{
	json_t *v = json_object_get(in, key);

	if (v)
		return v;
	v = json_object();
	json_object_set_new(in, key, v);
	return v;
}

static void fill_text(json_t *in, const char *key, const char *text)
{
	if (text && *text && !json_object_get(in, key))
		json_object_set_new(in, key, json_string(text));
}

static void fill_list(json_t *in, const char *key, const struct strings *list)
{
	json_t *v;

	if (!list->n || json_object_get(in, key))
		return;
	v = json_array();
	for (size_t i = 0; i < list->n; i++)
		json_array_append_new(v, json_string(list->v[i]));
	json_object_set_new(in, key, v);
}

static void fill_person(json_t *in, const char *key, const struct address *who)
{
	struct buf text = BUF_INIT(1000);

	if (*who->address && *who->name)
		buf_addf(&text, "%s <%s>", who->name, who->address);
	else
		buf_addstr(&text, who->address);
	fill_text(in, key, text.s);
	buf_release(&text);
}

void commit_describe(const struct commit *c, json_t *given)
{
	fill_text(given, "subject", c->subject);
	fill_person(given, "author", &c->author);
	fill_list(given, "parents", &c->parents);
	fill_list(given, "fixes", &c->fixes);
	fill_text(given, "message_id", c->link_id);
}

/* What the facts have of the commit already, or a new entry: under its hash,
 * or under a name that is none of its beginning, a tag. */
static json_t *entry_in(json_t *commits, const char *hash, const char *name)
{
	const char *key;
	json_t *value;

	json_object_foreach(commits, key, value)
		if (key_means_commit(key, name))
			return value;
	return object_in(commits, key_means_commit(name, hash) ? hash : name);
}

void commit_facts(const struct commit *c, json_t *facts, const char *name)
{
	json_t *commits, *this = NULL;

	if (!*c->hash)
		return;
	commits = object_in(facts, "commits");
	if (json_is_object(commits))
		this = entry_in(commits, c->hash, name ? name : c->hash);
	if (json_is_object(this)) {
		fill_text(this, "hash", c->hash);
		commit_describe(c, this);
	}
}
