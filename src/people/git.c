#include "people/git.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"

/*
 * A repository's own config may name programs to run.  These are the keys that
 * the commands we use would follow; --no-ext-diff and --no-textconv stand
 * with the commands that know them.
 */
static const char *const guard[] = {
	"git", "--no-pager", "--no-optional-locks", "--no-replace-objects",
	"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false",
	"-c", "core.sshCommand=false", "-c", "core.askPass=",
	"-c", "log.showSignature=false", "-c", "gpg.program=false",
	"-c", "credential.helper=", "-c", "mailmap.file=/dev/null",
};

enum { NGUARD = sizeof(guard) / sizeof(*guard), REV_MAX = 250 };

/* Every GIT_* of ours is taken out; a partial clone must not fetch. */
static const char *const *make_env(struct arena *a, const struct git *g)
{
	static const char *const own[] = {
		"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",
		"GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
	};
	const size_t nown = sizeof(own) / sizeof(*own);
	const char **env;
	size_t n = 0;

	for (char **e = environ; *e; e++)
		n++;
	env = arena_array(a, n + nown + 2, sizeof(*env));
	n = 0;
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "GIT_", 4))
			env[n++] = arena_strndup(a, *e, strcspn(*e, "="));
	for (size_t i = 0; i < nown; i++)
		env[n++] = own[i];
	if (g->index)
		env[n++] = arena_printf(a, "GIT_INDEX_FILE=%s", g->index);
	return env;
}

static const char **make_argv(struct arena *a, const char *const *args)
{
	const char **argv = arena_array(a, NGUARD + GIT_ARGS_MAX + 1,
					sizeof(*argv));
	size_t n = 0;

	for (; n < NGUARD; n++)
		argv[n] = guard[n];
	for (; *args; args++) {
		assert(n < NGUARD + GIT_ARGS_MAX);
		argv[n++] = *args;
	}
	return argv;
}

/* git's "fatal: ..." without the word, its first line alone. */
static int complain(const struct git *g, const char *text, int status,
		    struct err *err)
{
	if (!strncmp(text, "fatal: ", 7))
		text += 7;
	if (!*text)
		return err_set(err, ERR_INPUT, "'%s': git ended with %d",
			       g->dir, status);
	return err_set(err, ERR_INPUT, "'%s': %.*s", g->dir,
		       (int)strcspn(text, "\n"), text);
}

int git_run(const struct git *g, const char *const *args, const char *input,
	    struct buf *out, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct buf complaint = BUF_INIT(4096);
	int status;

	if (!file_is_folder(g->dir))
		return err_set(err, ERR_INPUT, "'%s' is no folder", g->dir);
	status = child_run(&(struct child_spec){
		.argv = make_argv(&a, args),
		.env = make_env(&a, g),
		.dir = g->dir,
		.input = input,
		.input_len = input ? strlen(input) : 0,
		.out = out,
		.errout = &complaint,
		.timeout_ms = GIT_TIMEOUT_MS,
	}, err);
	arena_release(&a);
	if (status > 0)
		status = complain(g, complaint.s, status, err);
	buf_release(&complaint);
	return status;
}

static bool is_rev(const char *rev)
{
	size_t len = strlen(rev);

	if (!len || len > REV_MAX || *rev == '-' || *rev == '^')
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)rev[i]) &&
		    !strchr("._/+~^@-", rev[i]))
			return false;
	return !strstr(rev, "..");
}

int git_commit_hash(const struct git *g, const char *rev, char hash[65],
		    struct err *err)
{
	struct buf out = BUF_INIT(200), spec = BUF_INIT(300);
	const char *args[] = { "rev-parse", "--verify", NULL, NULL };
	size_t len;
	int rc;

	if (!is_rev(rev))
		return err_set(err, ERR_USAGE, "'%.60s' is no name of a commit",
			       rev);
	buf_addf(&spec, "%s^{commit}", rev);
	args[2] = spec.s;
	rc = git_run(g, args, NULL, &out, err);
	if (rc == -1 && err && strstr(err->text, "Needed a single revision"))
		err_set(err, ERR_INPUT, "'%s' does not have it", g->dir);
	len = strspn(out.s, "0123456789abcdef");
	if (rc == 0 && len != 40 && len != 64)
		rc = err_set(err, ERR_INPUT, "'%s': git answers no hash",
			     g->dir);
	snprintf(hash, 65, "%.*s", (int)len, out.s);
	buf_release(&spec);
	buf_release(&out);
	return rc == -1 ? err_in(err, "commit '%s'", rev) : 0;
}

/* Are there branches of that name, with "filter" (or NULL) among them? */
static int has_refs(const struct git *g, const char *branch,
		    const char *filter)
{
	struct buf out = BUF_INIT(1 << 16), own = BUF_INIT(300);
	struct buf remote = BUF_INIT(300);
	const char *args[7] = { "for-each-ref", "--format=%(objectname)" };
	size_t n = 2;
	int rc;

	if (filter)
		args[n++] = filter;
	buf_addf(&own, "refs/heads/%s", branch);
	buf_addf(&remote, "refs/remotes/*/%s", branch);
	args[n++] = own.s;
	args[n++] = remote.s;
	rc = git_run(g, args, NULL, &out, NULL);
	if (rc == 0)
		rc = out.len > 0;
	buf_release(&out);
	buf_release(&own);
	buf_release(&remote);
	return rc;
}

int git_branch_holds(const struct git *g, const char *branch,
		     const char *hash)
{
	struct buf contains = BUF_INIT(100);
	int rc;

	if (!is_rev(branch) || has_refs(g, branch, NULL) != 1)
		return -1;
	buf_addf(&contains, "--contains=%.64s", hash);
	rc = has_refs(g, branch, contains.s);
	buf_release(&contains);
	return rc;
}
