#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"
#include "data/conf.h"
#include "people/people.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

static const char config[] =
	"operator: {name: robot, address: robot@example.org}\n"
	"lists: [perf@example.org]\n"
	"leave_out: ['*@deaf.example.net']\n"
	"trees:\n"
	"  mm:\n"
	"    url: [https://git.example.org/mm.git]\n"
	"    allow: ['mm-*', 'a/**']\n"
	"    deny: ['*-wip']\n"
	"    cc: [Tester <tester@example.org>]\n"
	"    leave_out: [all@lists.example.org]\n"
	"  small: {mail: people, to: [boss@example.org]}\n"
	"  quiet: {mail: nobody}\n"
	"  korg:\n"
	"    url: https://git.kernel.org/pub/scm/linux/kernel/git/x/y.git\n"
	"    mail: author\n";

static struct conf load(const char *text)
{
	struct conf c;
	struct err err = ERR_INIT;

	if (conf_load_text(&c, text, strlen(text), "conf", &err) == -1)
		fail_msg("%s", err.text);
	return c;
}

static void trees_are_found(void **state)
{
	static const struct { const char *url, *name; enum tree_mail mail; } c[] = {
		{ "https://git.example.org/mm.git", "mm", TREE_LISTS },
		{ "git://git.example.org/mm", "mm", TREE_LISTS },
		{ "ssh://git@git.EXAMPLE.org/mm.git/", "mm", TREE_LISTS },
		{ "mm", "mm", TREE_LISTS },
		{ "small", "small", TREE_PEOPLE },
		{ "https://git.kernel.org/cgit/linux/kernel/git/x/y.git",
		  "korg", TREE_AUTHOR },
		{ "https://git.example.org/mm.git.evil", NULL, TREE_AUTHOR },
		{ "https://evil.example.net/mm.git", NULL, TREE_AUTHOR },
		{ "https://git.kernel.org/cgit/linux/kernel/git/torvalds/"
		  "linux.git", NULL, TREE_LISTS },
		{ "https://evil.example.net/?git.kernel.org/linux/kernel/git/"
		  "torvalds/linux.git", NULL, TREE_AUTHOR },
		{ "", NULL, TREE_AUTHOR }, { NULL, NULL, TREE_AUTHOR },
		{ "://@", NULL, TREE_AUTHOR }, { "x@y", NULL, TREE_AUTHOR },
	};
	struct conf conf = load(config);

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct tree t = tree_find(&conf, c[i].url);

		if (t.mail != c[i].mail)
			fail_msg("%s: %s", c[i].url, tree_mail_name(t.mail));
		if (!c[i].name)
			assert_null(t.name);
		else
			assert_string_equal(t.name, c[i].name);
	}
	conf_release(&conf);
}

static void branches_are_checked(void **state)
{
	static const struct { const char *tree, *branch; int rc; } c[] = {
		{ "mm", "mm-unstable", 0 }, { "mm", "mm-wip", -1 },
		{ "mm", "master", -1 }, { "mm", "a/b/c", 0 },
		{ "mm", "mm-x/y", -1 }, { "mm", NULL, -1 },
		{ "mm", "refs/heads/mm-unstable", 0 },
		{ "mm", "refs/heads/mm-wip", -1 },
		{ "mm", "refs/remotes/origin/mm-wip", -1 },
		{ "mm", "refs/remotes/origin/mm-unstable", 0 },
		{ "mm", "refs/x", -1 }, { "mm", "refs/remotes/x", -1 },
		{ "small", "anything", 0 }, { "small", NULL, 0 },
		{ "quiet", "x", -1 }, { NULL, "x", 0 },
	};
	struct conf conf = load(config);

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct tree t = tree_find(&conf, c[i].tree);
		struct err err = ERR_INIT;

		assert_int_equal(tree_check(&t, c[i].branch, &err), c[i].rc);
		assert_int_equal(err.code, c[i].rc ? ERR_DENIED : ERR_NONE);
	}
	conf_release(&conf);
}

static void names_are_guessed(void **state)
{
	static const struct { const char *url, *name; } c[] = {
		{ "https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/"
		  "linux.git", "linus" },
		{ "https://example.org/torvalds/linux", "torvalds" },
		{ "https://git.kernel.org/pub/scm/linux/kernel/git/next/"
		  "linux-next.git", "linux-next" },
		{ "git://git.kernel.org/pub/scm/linux/kernel/git/tip/tip.git/",
		  "tip" },
		{ "https://example.org/linux.git", NULL },
		{ "mm", NULL }, { "", NULL }, { "https://x/", NULL },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		const char *got = tree_guess_name(&a, c[i].url);

		if (!c[i].name)
			assert_null(got);
		else
			assert_string_equal(got, c[i].name);
	}
	arena_release(&a);
}

/* Who hears of it, as --why-recipients says, from these facts. */
static char *chosen(const char *git, const char *facts_text,
		    const char *const *to, int want)
{
	struct conf conf = load(config);
	struct people p = PEOPLE_INIT;
	struct people_options o = { git, git ? "HEAD" : "5c0a85fad949", to,
				    NULL, &conf };
	json_t *facts = json_loads(facts_text, 0, NULL);
	struct buf out = BUF_INIT(10000);
	struct err err = ERR_INIT;
	int rc;

	assert_non_null(facts);
	if (people_read(&p, &o, facts, &err) == -1)
		fail_msg("%s", err.text);
	rc = people_choose(&p, &o, facts, &err);
	if (rc != want)
		fail_msg("%d %s", rc, err.text);
	people_explain(&p, &out);
	people_release(&p);
	json_decref(facts);
	conf_release(&conf);
	return buf_detach(&out);
}

#define COMMIT "'commits': {'5c0a85fad949': {'author': 'Ann <ann@example.org>'," \
	"'message': 'mm: x\\n\\nReviewed-by: Rob <rob@example.org>\\n" \
	"Acked-by: ann@example.org\\nTested-by: Tim <tim@example.org>\\n" \
	"Reported-by: r <robot+x@example.org>\\n" \
	"Signed-off-by: D <d@deaf.example.net>\\n'}}"

static char *quotes(const char *s)
{
	char *copy = strdup(s);

	for (char *p = copy; *p; p++)
		if (*p == '\'')
			*p = '"';
	return copy;
}

#define UNKNOWN(who) "--: " who ", but of an unknown tree only the author " \
	"hears)\n"
#define TESTED "--: Tim <tim@example.org>  (Tested-by, but only Signed-off-by, " \
	"Reviewed-by, Acked-by and Reported-by are told)\n"
#define DENIED(who) "--: " who ", but branch 'master' of tree 'mm' gets no " \
	"reports: it is not allowed)\n"

static void facts_name_people(void **state)
{
	static const char *const to[] = { "Zo\xc3\xab <zoe@example.org>", NULL };
	static const struct {
		const char *facts;
		const char *const *to;
		int rc;
		const char *want;
	} c[] = {
		{ "{}", NULL, 0, "To: robot <robot@example.org>  "
		  "(operator, since nobody else is known)\n"
		  UNKNOWN("perf@example.org  (lists of the configuration") },
		{ "{}", to, 0, "To: Zo\xc3\xab <zoe@example.org>  (--to)\n"
		  UNKNOWN("perf@example.org  (lists of the configuration") },
		{ "{" COMMIT "}", NULL, 0,
		  "To: Ann <ann@example.org>  (author; Acked-by)\n"
		  UNKNOWN("Rob <rob@example.org>  (Reviewed-by")
		  TESTED
		  UNKNOWN("r <robot+x@example.org>  (Reported-by")
		  UNKNOWN("D <d@deaf.example.net>  (Signed-off-by")
		  UNKNOWN("perf@example.org  (lists of the configuration") },
		{ "{'tree': 'small', " COMMIT "}", NULL, 0,
		  "To: Ann <ann@example.org>  (author; Acked-by)\n"
		  "To: boss@example.org  (the tree's to)\n"
		  "Cc: Rob <rob@example.org>  (Reviewed-by)\n"
		  TESTED
		  "--: perf@example.org  (lists of the configuration, but of "
		  "small no list hears)\n"
		  "--: r <robot+x@example.org>  (Reported-by, but it is the "
		  "operator's)\n"
		  "--: D <d@deaf.example.net>  (Signed-off-by, but leave_out "
		  "says '*@deaf.example.net')\n" },
		{ "{'tree': 'mm', 'branch': 'master'}", NULL, -1,
		  DENIED("perf@example.org  (lists of the configuration")
		  DENIED("Tester <tester@example.org>  (the tree's cc") },
		{ "{'tree': 'mm', 'branch': 'master', 'patch': {'author': "
		  "'pat@example.org'}}", NULL, -1,
		  DENIED("pat@example.org  (author")
		  DENIED("perf@example.org  (lists of the configuration")
		  DENIED("Tester <tester@example.org>  (the tree's cc") },
		{ "{'tree': 'mm', 'branch': 'mm-x', 'patch': {'author': "
		  "{'name': 'Pat', 'address': 'pat@example.org'}}}", NULL, 0,
		  "To: Pat <pat@example.org>  (author)\n"
		  "Cc: perf@example.org  (lists of the configuration)\n"
		  "Cc: Tester <tester@example.org>  (the tree's cc)\n" },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		char *facts = quotes(c[i].facts);
		char *got = chosen(NULL, facts, c[i].to, c[i].rc);

		if (strcmp(got, c[i].want))
			fail_msg("case %zu:\n%s", i, got);
		free(got);
		free(facts);
	}
}

static void a_checkout_names_people_and_lists(void **state)
{
	char dir[] = "/tmp/test-people-XXXXXX";
	const char *argv[] = { "sh", "-ec",
		"git init -q; mkdir mm; echo 1 >mm/a.c\n"
		"printf 'MM\\nL:\\tmm@lists.example.org\\nF:\\tmm/\\n\\n"
		"THE REST\\nL:\\tall@lists.example.org\\nF:\\t*/\\n' "
		">MAINTAINERS; git add .\n"
		"git commit -qm 'mm: x\n\nSigned-off-by: Ann <ann@example.org>\n"
		"Link: https://lore.kernel.org/r/p@example.org\n'", NULL };
	const char *rm[] = { "rm", "-rf", dir, NULL };
	char *got;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(child_run(&(struct child_spec){
		.argv = argv, .dir = dir,
		.env = (const char *const[]){
			"GIT_AUTHOR_NAME=Ann", "GIT_COMMITTER_NAME=Carl",
			"GIT_AUTHOR_EMAIL=ann@example.org",
			"GIT_COMMITTER_EMAIL=carl@example.org", NULL } },
		NULL), 0);
	got = chosen(dir, "{\"tree\": \"mm\", \"branch\": \"mm-x\"}", NULL, 0);
	assert_string_equal(got,
		"To: Ann <ann@example.org>  (author; Signed-off-by)\n"
		"Cc: Carl <carl@example.org>  (committer)\n"
		"Cc: mm@lists.example.org  (list of MM)\n"
		"Cc: perf@example.org  (lists of the configuration)\n"
		"Cc: Tester <tester@example.org>  (the tree's cc)\n"
		"--: all@lists.example.org  (list of THE REST, but leave_out "
		"says 'all@lists.example.org')\n");
	free(got);
	child_run(&(struct child_spec){ .argv = rm }, NULL);
}

static void a_patch_has_its_numbers(void **state)
{
	static const struct { const char *subject, *want; } c[] = {
		{ "[PATCH v15 1/3] mm: x",
		  "{\"version\": \"v15\", \"number\": 1, \"total\": 3, "
		  "\"id\": \"p@example.org\"}" },
		{ "[PATCH net-next RFC 02/10] net: x",
		  "{\"number\": 2, \"total\": 10, \"id\": \"p@example.org\"}" },
		{ "[PATCH] mm: x 1/2", "{\"id\": \"p@example.org\"}" },
		{ "[1/", "{\"id\": \"p@example.org\"}" },
		{ "[PATCH v", "{\"id\": \"p@example.org\"}" },
	};
	struct conf conf = load("");

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct people p = PEOPLE_INIT;
		struct people_options o = { .conf = &conf };
		json_t *facts = json_pack("{s:{s:s,s:s}}", "patch",
			"subject", c[i].subject, "link",
			"https://lore.kernel.org/all/p@example.org/");
		json_t *patch = json_object_get(facts, "patch"), *want;

		assert_int_equal(people_read(&p, &o, facts, NULL), 0);
		json_object_del(patch, "subject");
		json_object_del(patch, "link");
		json_object_set_new(patch, "id", json_string(p.in_reply_to));
		want = json_loads(c[i].want, 0, NULL);
		if (!json_equal(patch, want))
			fail_msg("%s: %s", c[i].subject, json_dumps(patch, 0));
		json_decref(want);
		json_decref(facts);
		people_release(&p);
	}
	conf_release(&conf);
}

static void odd_facts_name_nobody(void **state)
{
	static const char *const facts[] = {
		"{'commits': []}", "{'commits': {'5c0a85fad949': 7}}",
		"{'commits': {'': {'author': 'a@example.org'}}}",
		"{'commits': {'5c0a85fad949': {'author': 'nobody'}}}",
		"{'commits': {'5c0a85fad949': {'author': 'a@x\\nBcc: b'}}}",
		"{'commits': {'5c0a85fad949': {'author': {'name': []}}}}",
		"{'commits': {'5c0a85fad949': {'message_id': '<<'}}}",
		"{'patch': 'x'}", "{'tree': 7, 'branch': []}",
	};

	(void)state;
	for (size_t i = 0; i < N(facts); i++) {
		char *text = quotes(facts[i]);
		char *got = chosen(NULL, text, NULL, 0);

		assert_string_equal(got, "To: robot <robot@example.org>  "
			"(operator, since nobody else is known)\n"
			UNKNOWN("perf@example.org  (lists of the "
				"configuration"));
		free(got);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_are_found),
		cmocka_unit_test(branches_are_checked),
		cmocka_unit_test(names_are_guessed),
		cmocka_unit_test(facts_name_people),
		cmocka_unit_test(a_checkout_names_people_and_lists),
		cmocka_unit_test(a_patch_has_its_numbers),
		cmocka_unit_test(odd_facts_name_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
