#include "people/message.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/percent.h"
#include "mail/check.h"

/* Archives that name a mail by its Message-ID, and what stands before it. */
static const struct archive {
	const char *host;
	bool list;	/* "host/LIST/ID" */
	int weight;	/* how surely it is the patch itself */
} archive[] = {
	{ "patch.msgid.link", false, 4 },
	{ "msgid.link", false, 0 },
	{ "lore.kernel.org", true, 0 },
	{ "lkml.kernel.org", true, 0 },
	{ "marc.info", false, 0 },
};

static bool skip(const char **s, const char *prefix)
{
	size_t len = strlen(prefix);

	if (strncasecmp(*s, prefix, len))
		return false;
	*s += len;
	return true;
}

static const struct archive *find_archive(const char **url)
{
	const char *s = *url;

	if (!skip(&s, "https://") && !skip(&s, "http://"))
		return NULL;
	skip(&s, "www.");
	for (size_t i = 0; i < sizeof(archive) / sizeof(*archive); i++) {
		const char *at = s;

		if (skip(&at, archive[i].host) && *at == '/') {
			*url = at + 1;
			return &archive[i];
		}
	}
	return NULL;
}

/*
 * The element after the list's name, else the first.  marc.info has
 * "?i=ID".
 */
static const char *id_in(const struct archive *where, const char *path)
{
	const char *query = strstr(path, "?i=");

	if (!strcmp(where->host, "marc.info"))
		return query ? query + 3 : NULL;
	if (!where->list)
		return path;
	path += strcspn(path, "/");
	return *path ? path + 1 : NULL;
}

static const char *message_id(struct arena *a, const char *url, int *weight)
{
	const struct archive *where = find_archive(&url);
	const char *id = where ? id_in(where, url) : NULL;

	if (!id)
		return NULL;
	*weight = where->weight;
	id = percent_decoded(a, id, strcspn(id, "/?# \t>"));
	return msgid_check(id, NULL) == 0 ? id : NULL;
}

const char *link_message_id(struct arena *a, const char *url)
{
	int weight;

	return message_id(a, url, &weight);
}

static bool is_by(const char *id, const char *author)
{
	size_t id_len = strlen(id), len = strlen(author);

	return len && id_len > len && !strcasecmp(id + id_len - len, author);
}

static bool is_report(const struct trailer *t)
{
	return !strncasecmp(t->key, "Reported-", 9);
}

/*
 * Of several Link: lines, which is the patch's own mail?  Those that tools add
 * stand behind the author's sign-off and bare; "[1]" behind one, or a place
 * among the words, marks a reference.  One right behind Reported-by: is where
 * it was reported.  git send-email's ids end in the author's address.
 */
static int link_weight(const struct commit *c, size_t at, const char *id,
		       int weight)
{
	const char *remark = strpbrk(c->trailer[at].value, " \t#");
	bool own = is_by(id, c->author.address);

	if (remark && strpbrk(remark, "[#"))
		return -1;
	if (at && is_report(&c->trailer[at - 1]) && !weight && !own)
		return -1;
	for (size_t i = 0; i < at; i++)
		if (!strcmp(c->trailer[i].key, "Signed-off-by")) {
			weight += 2;
			break;
		}
	return weight + 2 * own;
}

static void find_patch_mail(struct commit *c)
{
	int best = -1;

	for (size_t i = 0; i < c->ntrailer; i++) {
		const char *id;
		int weight = 0;

		if (strcmp(c->trailer[i].key, "Link"))
			continue;
		id = message_id(&c->arena, c->trailer[i].value, &weight);
		if (!id)
			continue;
		weight = link_weight(c, i, id, weight);
		if (weight > best || (weight == best && weight >= 2)) {
			best = weight;
			c->link_id = id;
		}
	}
}

/* git's own abbreviations have seven digits at least. */
static bool names_commit(const char *value)
{
	return strspn(value, "0123456789abcdefABCDEF") >= 7;
}

static void find_fixes(struct commit *c)
{
	size_t cap = 0;

	for (size_t i = 0; i < c->ntrailer; i++) {
		const char *value = c->trailer[i].value;

		if (strcmp(c->trailer[i].key, "Fixes"))
			continue;
		skip(&value, "commit ");
		if (!names_commit(value))
			continue;
		c->fixes.v = arena_grow(&c->arena, c->fixes.v, &cap,
					c->fixes.n + 1, sizeof(*c->fixes.v));
		c->fixes.v[c->fixes.n++] = value;
	}
}

void links_find(struct commit *c)
{
	find_fixes(c);
	find_patch_mail(c);
}
