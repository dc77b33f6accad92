#include "people/tree.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "data/conf.h"
#include "people/glob.h"

/* In the order of enum tree_mail. */
static const char *const mail_names[] = {
	"nobody", "author", "people", "lists",
};

const char *tree_mail_name(enum tree_mail mail)
{
	return mail_names[mail];
}

static enum tree_mail mail_of(const char *name)
{
	for (size_t i = 0; i < sizeof(mail_names) / sizeof(*mail_names); i++)
		if (!strcmp(mail_names[i], name))
			return (enum tree_mail)i;
	return TREE_AUTHOR;	/* the configuration was checked */
}

/* A URL's parts that count, as it goes on: host, then path. */
static const char *past_scheme(const char *url)
{
	const char *s = strstr(url, "://"), *at;

	s = s ? s + 3 : url;
	at = strpbrk(s, "@/");
	return at && *at == '@' ? at + 1 : s;
}

/* Skip what kernel.org's servers put between host and tree. */
static const char *past_detour(const char *s)
{
	static const char *const detour[] = { "/cgit/", "/pub/scm/" };

	for (size_t i = 0; i < 2; i++)
		if (!strncmp(s, detour[i], strlen(detour[i])))
			return s + strlen(detour[i]) - 1;
	return s;
}

static size_t len_without_end(const char *s)
{
	size_t len = strlen(s);

	while (len && (s[len - 1] == '/' || isspace((unsigned char)s[len - 1])))
		len--;
	if (len > 4 && !strncasecmp(s + len - 4, ".git", 4))
		len -= 4;
	return len;
}

bool tree_is_same_url(const char *a, const char *b)
{
	size_t host;

	a = past_scheme(a);
	b = past_scheme(b);
	host = strcspn(a, "/:");
	if (host != strcspn(b, "/:") || strncasecmp(a, b, host))
		return false;
	a = past_detour(a + host);
	b = past_detour(b + host);
	return len_without_end(a) == len_without_end(b) &&
	       !strncmp(a, b, len_without_end(a));
}

static bool matches(const struct conf *section, const char *name,
		    const char *url)
{
	const char *const *known = conf_list(section, "url");

	if (!strcmp(name, url))
		return true;
	for (; *known; known++)
		if (tree_is_same_url(*known, url))
			return true;
	return false;
}

static const char *const none[] = { NULL };

static struct tree configured(const struct conf *section, const char *name)
{
	return (struct tree){
		.name = name,
		.url = conf_list(section, "url")[0],
		.mail = mail_of(conf_text(section, "mail")),
		.to = conf_list(section, "to"),
		.cc = conf_list(section, "cc"),
		.leave_out = conf_list(section, "leave_out"),
		.allow = conf_list(section, "allow"),
		.deny = conf_list(section, "deny"),
		.maintainers = conf_bool(section, "maintainers"),
	};
}

/* What stands there is on the lists already. */
static bool is_public(const char *url)
{
	static const char *const known[] = {
		"git.kernel.org/linux/kernel/git/torvalds/linux",
		"git.kernel.org/linux/kernel/git/next/linux-next",
		"git.kernel.org/linux/kernel/git/stable/linux",
		"github.com/torvalds/linux",
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (tree_is_same_url(known[i], url))
			return true;
	return false;
}

struct tree tree_find(const struct conf *conf, const char *url)
{
	const char *const *name = conf_names(conf, "trees");
	struct tree t = { .mail = TREE_AUTHOR, .to = none, .cc = none,
			  .leave_out = none, .allow = none, .deny = none };

	for (; url && *name; name++) {
		struct conf section = conf_section(conf, "trees", *name);

		if (matches(&section, *name, url))
			return configured(&section, *name);
	}
	if (url && is_public(url))
		t.mail = TREE_LISTS;
	else
		t.mail = mail_of(conf_text(conf, "unknown_trees.mail"));
	return t;
}

static const char *first_match(const char *const *glob, const char *branch)
{
	for (; *glob; glob++)
		if (glob_match(*glob, branch))
			return *glob;
	return NULL;
}

/* "refs/heads/next" and "refs/remotes/origin/next" are "next". */
static const char *short_branch(const char *branch)
{
	const char *slash;

	if (!branch || strncmp(branch, "refs/", 5))
		return branch;
	if (!strncmp(branch, "refs/heads/", 11))
		return branch + 11;
	slash = strncmp(branch, "refs/remotes/", 13) ? NULL :
			strchr(branch + 13, '/');
	return slash ? slash + 1 : branch;
}

int tree_check(const struct tree *t, const char *branch, struct err *err)
{
	const char *name = t->name ? t->name : "(unknown)";
	const char *deny;

	branch = short_branch(branch);
	deny = branch ? first_match(t->deny, branch) : NULL;
	if (t->mail == TREE_NOBODY)
		return err_set(err, ERR_DENIED, "tree '%s' gets no reports",
			       name);
	if (deny)
		return err_set(err, ERR_DENIED, "branch '%s' of tree '%s' gets "
			       "no reports: deny '%s'", branch, name, deny);
	if (!*t->allow)
		return 0;
	if (!branch)
		return err_set(err, ERR_DENIED, "tree '%s' gets reports on "
			       "some branches, and which one this is on is not "
			       "known", name);
	if (!first_match(t->allow, branch))
		return err_set(err, ERR_DENIED, "branch '%s' of tree '%s' gets "
			       "no reports: it is not allowed", branch, name);
	return 0;
}

const char *tree_guess_name(struct arena *a, const char *url)
{
	const char *s = past_scheme(url), *end, *last;

	end = s + len_without_end(s);
	last = memrchr(s, '/', (size_t)(end - s));
	if (!last)
		return NULL;
	if (!strncmp(last + 1, "linux", (size_t)(end - last - 1)) &&
	    end - last - 1 == 5) {
		end = last;
		last = memrchr(s, '/', (size_t)(end - s));
	}
	if (!last || last + 1 == end)
		return NULL;
	if (is_public(url) && !strncmp(last, "/torvalds", 9))
		return "linus";		/* as everybody calls it */
	return arena_strndup(a, last + 1, (size_t)(end - last - 1));
}
