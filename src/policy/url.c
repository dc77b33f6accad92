#include "policy/url.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <fnmatch.h>
#include <netinet/in.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/percent.h"
#include "mail/check.h"

#define URL_LENGTH_MAX 2048

static bool is_literal(const char *host)
{
	struct in6_addr six;
	struct in_addr four;

	/* inet_aton() also reads 127.1 and 0x7f000001, as resolvers do. */
	return *host == '[' || inet_aton(host, &four) ||
	       inet_pton(AF_INET6, host, &six) == 1;
}

static bool host_well(const char *host)
{
	size_t len = strlen(host);

	if (!len || len > 253 || *host == '-' || *host == '.')
		return false;
	for (const char *p = host; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr(".-", *p))
			return false;
	return !strstr(host, "..");
}

static bool host_listed(const char *host, const struct url_rules *rules)
{
	for (const char *const *h = rules->hosts; h && *h; h++)
		if (!fnmatch(*h, host, FNM_CASEFOLD))
			return true;
	return false;
}

static bool scheme_known(const struct url *u, const struct url_rules *rules)
{
	return !strcmp(u->scheme, "https") || !strcmp(u->scheme, "git") ||
	       (rules->insecure && !strcmp(u->scheme, "http"));
}

static char *lower(char *s)
{
	for (char *p = s; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return s;
}

static int split(struct url *u, const char *text, struct arena *a,
		 struct err *err)
{
	const char *colon = strstr(text, "://"), *host, *path, *port;
	size_t len;

	for (const char *p = text; *p; p++)
		if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 0x7f ||
		    strchr("\\\"<>^`{|}", *p))
			return err_set(err, ERR_INPUT, "a URL holds characters "
				       "that it must not");
	if (!colon || colon == text || strlen(text) > URL_LENGTH_MAX)
		return err_set(err, ERR_INPUT, "'%.80s' is no URL", text);
	u->scheme = lower(arena_strndup(a, text, (size_t)(colon - text)));
	host = colon + 3;
	len = strcspn(host, "/?#");
	if (memchr(host, '@', len))
		return err_set(err, ERR_DENIED, "a URL with a user or password");
	path = host + len;
	port = memchr(host, ':', len);
	u->port = port ? arena_strndup(a, port + 1, (size_t)(path - port - 1))
		       : "";
	u->host = lower(arena_strndup(a, host, (size_t)((port ? port : path) -
							host)));
	u->path = *path == '/' ? arena_strndup(a, path, strcspn(path, "#"))
			       : "/";
	return 0;
}

int url_check(struct url *u, const char *text, const struct url_rules *rules,
	      struct arena *a, struct err *err)
{
	if (split(u, text, a, err) == -1)
		return -1;
	if (!scheme_known(u, rules))
		return err_set(err, ERR_DENIED, "'%.30s' URLs are not fetched, "
			       "only https and git", u->scheme);
	if (!host_well(u->host))
		return err_set(err, ERR_INPUT, "'%.80s' is no host name",
			       u->host);
	if (!rules->insecure && is_literal(u->host))
		return err_set(err, ERR_DENIED, "'%.80s' is an address, not a "
			       "host name", u->host);
	if (!rules->insecure && *u->port)
		return err_set(err, ERR_DENIED, "a URL with a port");
	if (strspn(u->port, "0123456789") != strlen(u->port) ||
	    strlen(u->port) > 5)
		return err_set(err, ERR_INPUT, "'%.20s' is no port", u->port);
	if (!host_listed(u->host, rules))
		return err_set(err, ERR_DENIED, "the host %.80s is not on our "
			       "list", u->host);
	return 0;
}

/* Segment "n" (from 0) of the path, "" behind the last. */
static const char *segment(const struct url *u, size_t n, struct arena *a)
{
	const char *p = u->path;

	while (*p == '/') {
		size_t len = strcspn(++p, "/?");

		if (!n--)
			return arena_strndup(a, p, len);
		p += len;
	}
	return "";
}

/* Which segment is "name"?  -1: none. */
static int find_segment(const struct url *u, const char *name, struct arena *a)
{
	for (size_t i = 0; i < 12; i++)
		if (!strcmp(segment(u, i, a), name))
			return (int)i;
	return -1;
}

/* Which segment is a Message-ID, and what is it?  -1: none. */
static int find_msgid(const struct url *u, struct arena *a, const char **id)
{
	for (size_t i = 0; i < 4; i++) {
		const char *part = segment(u, i, a);

		*id = percent_decoded(a, part, strlen(part));
		if (msgid_likely(*id))
			return (int)i;
	}
	return -1;
}

const char *url_msgid(const struct url *u, struct arena *a)
{
	const char *id;

	return find_msgid(u, a, &id) == -1 ? NULL : id;
}

/* The URL with the first "segments" of its path and "end". */
static const char *with_path(const struct url *u, size_t segments,
			     const char *end, struct arena *a)
{
	const char *path = "";

	for (size_t i = 0; i < segments; i++)
		path = arena_printf(a, "%s/%s", path, segment(u, i, a));
	return arena_printf(a, "%s://%s%s%s%s%s", u->scheme, u->host,
			    *u->port ? ":" : "", u->port, path, end);
}

static bool ends(const char *s, const char *with)
{
	size_t ls = strlen(s), lw = strlen(with);

	return ls >= lw && !strcmp(s + ls - lw, with);
}

static bool is_raw(const struct url *u)
{
	char path[URL_LENGTH_MAX + 1];
	size_t len = strcspn(u->path, "?");

	memcpy(path, u->path, len);
	path[len] = '\0';
	while (len && path[len - 1] == '/')
		path[--len] = '\0';
	return ends(path, ".patch") || ends(path, ".diff") ||
	       ends(path, ".mbox") || ends(path, "/raw") ||
	       ends(path, "/mbox");
}

/* What stands in the place of a page of a forge: "commit/SHA" and the like. */
static const char *of_forge(const struct url *u, struct arena *a)
{
	static const char *const page[] = {
		"commit", "commits", "compare", "pull", "merge_requests", NULL
	};
	int at;

	for (const char *const *p = page; *p; p++) {
		at = find_segment(u, *p, a);
		if (at >= 2 && *segment(u, (size_t)at + 1, a))
			return with_path(u, (size_t)at + 2, ".patch", a);
	}
	return NULL;
}

static const char *of_patchwork(const struct url *u, struct arena *a)
{
	static const char *const page[] = { "patch", "series", NULL };
	int at;

	if (!strstr(u->host, "patchwork") && !strstr(u->path, "/patchwork/"))
		return NULL;
	for (const char *const *p = page; *p; p++) {
		at = find_segment(u, *p, a);
		if (at >= 0 && *segment(u, (size_t)at + 1, a))
			return with_path(u, (size_t)at + 2, "/mbox/", a);
	}
	return NULL;
}

/* cgit: ".../commit/?id=SHA" shows what ".../patch/?id=SHA" is. */
static const char *of_cgit(const struct url *u, struct arena *a)
{
	const char *query = strchr(u->path, '?');
	int at = find_segment(u, "commit", a);

	if (!query || !strstr(query, "id=") || at < 1)
		return NULL;
	return with_path(u, (size_t)at, arena_printf(a, "/patch/%s", query),
			 a);
}

const char *url_of_patch(const struct url *u, struct arena *a)
{
	const char *found, *id;
	int at;

	if (is_raw(u))
		return with_path(u, 0, u->path, a);
	found = of_patchwork(u, a);
	if (found)
		return found;
	at = find_msgid(u, a, &id);
	if (at != -1)
		return with_path(u, (size_t)at + 1, "/raw", a);
	found = of_cgit(u, a);
	return found ? found : of_forge(u, a);
}
