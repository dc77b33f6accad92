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
#include "base/file.h"
#include "people/commit.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

static void subsystem_is_the_prefix(void **state)
{
	static const struct { const char *subject, *want; } c[] = {
		{ "mm: make faultaround produce old ptes", "mm" },
		{ "mm, thp: track fallbacks", "mm, thp" },
		{ "sched/fair: x", "sched/fair" },
		{ "net: dsa: bar: x", "net" },
		{ "[PATCH v15 1/3] mm: x", "mm" },
		{ "[PATCH] [RFC] mm/page_alloc: x", "mm/page_alloc" },
		{ "Revert \"mm: x\"", "mm" },
		{ "PM-runtime: Switch", "PM-runtime" },
		{ "Merge branch 'x' of git://example.org/y", NULL },
		{ "no prefix", NULL },
		{ "see https://example.org", NULL },
		{ "I think that we should do: this", NULL },
		{ "x\": y", NULL },
		{ ": x", NULL },
		{ "[PATCH", NULL },
		{ "", NULL },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		const char *got = subject_subsystem(&a, c[i].subject);

		if (!c[i].want)
			assert_null(got);
		else
			assert_string_equal(got, c[i].want);
	}
	arena_release(&a);
}

static void urls_name_mails(void **state)
{
	static const struct { const char *url, *id; } c[] = {
		{ "https://lore.kernel.org/r/a.b@example.org", "a.b@example.org" },
		{ "https://lore.kernel.org/all/a.b@example.org/", "a.b@example.org" },
		{ "https://lore.kernel.org/linux-mm/a%40example.org/T/#u",
		  "a@example.org" },
		{ "http://lkml.kernel.org/r/a@example.org", "a@example.org" },
		{ "https://www.lore.kernel.org/r/a@example.org", "a@example.org" },
		{ "https://patch.msgid.link/a@example.org", "a@example.org" },
		{ "https://marc.info/?i=a@example.org", "a@example.org" },
		{ "https://lore.kernel.org/all/a%2Fb+c@example.org/",
		  "a/b+c@example.org" },
		{ "https://lore.kernel.org/all/", NULL },
		{ "https://lore.kernel.org", NULL },
		{ "https://lore.kernel.org/r/a%0ABcc:x@example.org", NULL },
		{ "https://lore.kernel.org/r/a%00@example.org", NULL },
		{ "https://lore.kernel.org.evil.example.net/r/a@b", NULL },
		{ "https://bugzilla.kernel.org/show_bug.cgi?id=1", NULL },
		{ "https://lore.kernel.org/r/a@b%", "a@b%" },
		{ "https://lore.kernel.org/r/a@b%4", "a@b%4" },
		{ "lore.kernel.org/r/a@b", NULL },
		{ "", NULL },
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		const char *got = link_message_id(&a, c[i].url);

		if (!c[i].id && got)
			fail_msg("%s: %s", c[i].url, got);
		if (c[i].id)
			assert_string_equal(got, c[i].id);
	}
	arena_release(&a);
}

static struct commit parsed(const char *author, const char *message)
{
	struct commit c = COMMIT_INIT;
	size_t len = strlen(message);
	char *copy = malloc(len);

	c.author = (struct address){ "", author };
	memcpy(copy, message, len);
	commit_message(&c, copy, len);
	free(copy);
	return c;
}

static void trailers_are_found(void **state)
{
	static const struct { const char *message, *keys; } c[] = {
		{ "s\n\nSigned-off-by: A <a@example.org>\n", "Signed-off-by " },
		{ "s\n\nbody\n\nsigned-off-by: A <a@example.org>",
		  "Signed-off-by " },
		{ "s\n\nFixes: 123\n\n[ann: more]\nLink: x\n\n"
		  "Signed-off-by: A <a@example.org>\n",
		  "Fixes Link Signed-off-by " },
		{ "s\r\n\r\nSigned-off-by: A <a@example.org>\r\n",
		  "Signed-off-by " },
		{ "s\n\nReported-by:A<a@example.org>\nLink:https://x\n",
		  "Reported-by Link " },
		{ "s\n\nhttp://example.org/\nnote:this\n", "" },
		{ "s\n\nReported-by: A\n <a@example.org>\nAcked-by: B\n",
		  "Reported-by Acked-by " },
		{ "s\n\nHe wrote:\nReported-by: A <a@example.org>\nin it.\n\n"
		  "the end\n", "" },
		{ "Signed-off-by: A <a@example.org>\n", "" },
		{ "s\n\none\ntwo\nthree\nNote: this\nfour\nfive\n", "" },
		{ "s\n\nNote: this\n", "" },
		{ "s\n\nSigned-off-by : A\n", "" },
		{ "s\n\nSigned-off-by:A\n", "Signed-off-by " },
		{ "", "" }, { "\n\n\n", "" }, { "s", "" },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct commit got = parsed("", c[i].message);
		struct buf keys = BUF_INIT(1000);

		for (size_t k = 0; k < got.ntrailer; k++)
			buf_addf(&keys, "%s ", got.trailer[k].key);
		if (strcmp(keys.s, c[i].keys))
			fail_msg("%zu: '%s'", i, keys.s);
		buf_release(&keys);
		commit_release(&got);
	}
}

static void persons_are_read(void **state)
{
	struct commit c = parsed("", "s\n\n"
		"Reviewed-by: M\xc3\xbcller, Zo\xc3\xab <zoe@example.org> # mm\n"
		"Acked-by: \"Huang, Ying\" <y@EXAMPLE.org>\n"
		"Tested-by: bare@example.org # on x86\n"
		"Reported-by: not an address\n"
		"Suggested-by: Eve\x1b[31m <eve@example.net>\n"
		"Cc: a@example.org, b@example.org\n"
		"Reported-by: J\xfcrgen <j@example.org>\n");
	static const struct address want[] = {
		{ "M\xc3\xbcller, Zo\xc3\xab", "zoe@example.org" },
		{ "Huang, Ying", "y@example.org" },
		{ "", "bare@example.org" },
		{ "", "" },
		{ "", "" },
		{ "", "" },
		{ "J\xc3\xbcrgen", "j@example.org" },
	};

	(void)state;
	assert_int_equal(c.ntrailer, N(want));
	for (size_t i = 0; i < N(want); i++) {
		if (i == 4)	/* its escape is spelled out, or it is none */
			continue;
		assert_string_equal(c.trailer[i].who.address, want[i].address);
		if (*want[i].address)
			assert_string_equal(c.trailer[i].who.name,
					    want[i].name);
	}
	assert_null(strchr(c.trailer[4].who.name, 0x1b));
	assert_null(strchr(c.trailer[4].value, 0x1b));
	commit_release(&c);
}

static void the_patch_mail_is_chosen(void **state)
{
	static const struct { const char *message, *id; } c[] = {
		{ "s\n\nSigned-off-by: A <a@example.org>\n"
		  "Link: https://lore.kernel.org/r/p@example.org\n"
		  "Signed-off-by: B <b@example.org>\n", "p@example.org" },
		/* the report it fixes stands before the sign-off */
		{ "s\n\nLink: https://lore.kernel.org/all/bug@example.org/\n"
		  "Signed-off-by: A <a@example.org>\n"
		  "Link: https://lore.kernel.org/r/p@example.org\n",
		  "p@example.org" },
		{ "s\n\nLink: https://lkml.kernel.org/r/1-a@example.org\n"
		  "Link: https://lore.kernel.org/all/bug@example.net [1]\n"
		  "Signed-off-by: A <a@example.org>\n", "1-a@example.org" },
		{ "s\n\nLink: https://lore.kernel.org/all/x@example.net # [1]\n"
		  "Signed-off-by: A <a@example.org>\n", NULL },
		{ "s\n\nSigned-off-by: A <a@example.org>\n"
		  "Link: https://patch.msgid.link/p@example.org\n"
		  "Link: https://lore.kernel.org/r/x@example.net\n",
		  "p@example.org" },
		/* ... or right behind who reported it */
		{ "s\n\nReported-by: R <r@example.org>\n"
		  "Link: https://lore.kernel.org/all/bug@example.net\n"
		  "Signed-off-by: A <a@example.org>\n", NULL },
		{ "s\n\nReported-by: R <r@example.org>\n"
		  "Link: https://lore.kernel.org/all/1-a@example.org\n"
		  "Signed-off-by: A <a@example.org>\n", "1-a@example.org" },
		{ "s\n\nCloses: https://lore.kernel.org/r/x@example.net\n", NULL },
		{ "s\n\nLink: https://bugs.example.org/1\n", NULL },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct commit got = parsed("a@example.org", c[i].message);

		if (!c[i].id)
			assert_null(got.link_id);
		else
			assert_string_equal(got.link_id, c[i].id);
		commit_release(&got);
	}
}

static void fixes_are_hashes(void **state)
{
	struct commit c = parsed("", "s\n\n"
		"Fixes: 9fffc0ffee12 (\"mm: x\")\n"
		"Fixes: 9FFFC0FFEE12\n"
		"Fixes: #1234\n"
		"fixes: commit 1234567 (\"mm:\n   folded\")\n"
		"Fixes: abc\n");

	(void)state;
	assert_int_equal(c.fixes.n, 3);
	assert_string_equal(c.fixes.v[0], "9fffc0ffee12 (\"mm: x\")");
	assert_string_equal(c.fixes.v[2], "1234567 (\"mm: folded\")");
	commit_release(&c);
}

static void long_messages_end(void **state)
{
	struct buf text = BUF_INIT(1 << 24);
	struct commit c;

	(void)state;
	buf_addstr(&text, "s\n\n");
	for (int i = 0; i < 20000; i++)
		buf_addstr(&text, "Acked-by: A <a@example.org>\n \n");
	c = parsed("", text.s);
	assert_int_equal(c.ntrailer, 1000);
	commit_release(&c);
	buf_reset(&text);
	for (int i = 0; i < 100000; i++)
		buf_addstr(&text, "\xc3\xbc\x1b");
	c = parsed("", text.s);
	assert_true(strlen(c.subject) < 1000);
	commit_release(&c);
	buf_release(&text);
}

/* A repository made by the script "sh", in a folder of its own. */
static char *repository(const char *sh)
{
	static char dir[] = "/tmp/test-commit-XXXXXX";
	const char *argv[] = { "sh", "-ec", sh, NULL };
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT(100000);

	strcpy(dir, "/tmp/test-commit-XXXXXX");
	assert_non_null(mkdtemp(dir));
	if (child_run(&(struct child_spec){
		.argv = argv, .dir = dir, .timeout_ms = 60000, .out = &out,
		.env = (const char *const[]){
			"GIT_AUTHOR_NAME=Ann Old", "GIT_COMMITTER_NAME=Carl",
			"GIT_AUTHOR_EMAIL=old@example.org",
			"GIT_COMMITTER_EMAIL=carl@example.org",
			"GIT_CONFIG_GLOBAL=/dev/null", NULL } }, &err))
		fail_msg("%s %s", err.text, out.s);
	buf_release(&out);
	return dir;
}

static void remove_folder(const char *dir)
{
	const char *argv[] = { "rm", "-rf", dir, NULL };

	child_run(&(struct child_spec){ .argv = argv }, NULL);
}

static void a_commit_is_read(void **state)
{
	char *dir = repository(
		"git init -q; mkdir -p mm; echo 1 >mm/a.c; echo 1 >top\n"
		"echo 'Ann New <ann@example.org> <old@example.org>' >.mailmap\n"
		"echo 'Rita <rita@example.org> <r@example.org>' >>.mailmap\n"
		"git add .; git commit -qm one\n"
		"echo 2 >mm/a.c; git rm -q top\n"
		"git commit -qam 'mm: two\n\nReviewed-by: R <r@example.org>\n"
		"Acked-by: bad\nAcked-by: Z <z@example.org>\n'");
	struct git g = { .dir = dir };
	struct commit c = COMMIT_INIT;
	struct err err = ERR_INIT;
	struct buf changes = BUF_INIT(1000);
	json_t *facts = json_pack("{s:s}", "subsystem", "given");

	(void)state;
	if (commit_read(&c, &g, "HEAD", &err) == -1)
		fail_msg("%s", err.text);
	assert_string_equal(c.subject, "mm: two");
	assert_string_equal(c.author.name, "Ann New");
	assert_string_equal(c.author.address, "ann@example.org");
	assert_string_equal(c.committer.address, "carl@example.org");
	assert_int_equal(c.parents.n, 1);
	assert_int_equal(c.ntrailer, 3);
	assert_string_equal(c.trailer[0].who.name, "Rita");
	assert_string_equal(c.trailer[0].who.address, "rita@example.org");
	assert_string_equal(c.trailer[1].who.address, "");
	assert_string_equal(c.trailer[2].who.address, "z@example.org");
	assert_int_equal(c.files.n, 2);
	assert_string_equal(c.files.v[0], "mm/a.c");
	assert_int_equal(commit_changes(&c, &g, &changes, &err), 0);
	assert_non_null(strstr(changes.s, "mm: two\n"));	/* the message */
	assert_string_equal(changes.s + changes.len - 6, "1\n2\n1\n");
	commit_facts(&c, facts, NULL);
	assert_string_equal(json_member_text(facts, "subsystem"), "given");
	assert_string_equal(json_member_text(json_object_get(
		json_object_get(facts, "commits"), c.hash), "author"),
		"Ann New <ann@example.org>");
	json_decref(facts);
	buf_release(&changes);
	commit_release(&c);
	remove_folder(dir);
}

static void a_hostile_repository_runs_nothing(void **state)
{
	/* Each of these would leave a file "ran" behind. */
	char *dir = repository(
		"git init -q; p=$PWD/prog; printf '#!/bin/sh\\ntouch %s/ran\\n'"
		" \"$PWD\" >$p; chmod +x $p\n"
		"echo '*.c diff=evil' >.gitattributes; echo 1 >a.c\n"
		"git add .; git commit -qm x\n"
		"git config diff.external $p; git config diff.evil.command $p\n"
		"git config diff.evil.textconv $p; git config core.pager $p\n"
		"git config core.fsmonitor $p; git config gpg.program $p\n"
		"git config log.showSignature true\n"
		"git config core.sshCommand $p; git config core.hooksPath $PWD\n"
		"git config protocol.allow always\n"
		"git config remote.o.url ssh://h/x\n"
		"git config extensions.partialClone o\n"
		"git config remote.o.promisor true\n"
		"cp $p post-index-change; cp $p reference-transaction\n"
		"rm -f ran");
	struct git g = { .dir = dir };
	struct commit c = COMMIT_INIT;
	struct err err = ERR_INIT;
	struct buf b = BUF_INIT(1000), ran = BUF_INIT(100);

	(void)state;
	assert_int_equal(commit_read(&c, &g, "HEAD", &err), 0);
	assert_int_equal(commit_changes(&c, &g, &b, &err), 0);
	commit_release(&c);
	assert_int_equal(commit_read(&c, &g,	/* not there: no fetching */
		"1234567890123456789012345678901234567890", &err), -1);
	buf_addf(&ran, "%s/ran", dir);
	assert_false(file_exists(ran.s));
	commit_release(&c);
	buf_release(&ran);
	buf_release(&b);
	remove_folder(dir);
}

static void odd_objects_are_survived(void **state)
{
	char *dir = repository(
		"git init -q; t=$(git write-tree)\n"
		"c() { git hash-object -t commit -w --stdin --literally; }\n"
		"printf 'tree %s\\nauthor E\\033[31mve\\001 <e@x> 1 +0000\\n"
		"committer Z\\303\\274 <z@example.org> 99999999999 +9999\\n\\n"
		"s\\033]0;t\\007\\n\\nReported-by: \\342\\200\\256x "
		"<r@example.org>\\n' $t | c >odd\n"
		"{ printf 'tree %s\\nauthor A <a@example.org> 1 +0000\\n"
		"committer A <a@example.org> 1 +0000\\n\\nbig\\n\\n' $t\n"
		"head -c 3000000 /dev/zero | tr '\\0' x; } | c >big\n"
		"{ printf 'tree %s\\nauthor ' $t\n"
		"head -c 3000000 /dev/zero | tr '\\0' n\n"
		"printf ' <a@example.org> 1 +0000\\n"
		"committer A <a@example.org> 1 +0000\\n\\nx\\n'; } | c >name\n"
		"git tag -- odd $(cat odd); git tag big $(cat big)\n"
		"git tag name $(cat name)");
	struct git g = { .dir = dir };
	struct commit c = COMMIT_INIT;
	struct err err = ERR_INIT;

	(void)state;
	if (commit_read(&c, &g, "odd", &err) == -1)
		fail_msg("%s", err.text);
	for (const char *s = c.author.name; *s; s++)
		assert_true((unsigned char)*s >= 0x20);
	for (const char *s = c.subject; *s; s++)
		assert_true((unsigned char)*s >= 0x20);
	assert_int_equal(c.ntrailer, 1);
	assert_null(strstr(c.trailer[0].who.name, "\xe2\x80\xae"));
	commit_release(&c);
	if (commit_read(&c, &g, "big", &err) == -1)
		fail_msg("%s", err.text);
	assert_string_equal(c.subject, "big");
	commit_release(&c);
	if (commit_read(&c, &g, "name", &err) == 0)
		assert_true(strlen(c.author.name) < 1000);
	commit_release(&c);
	remove_folder(dir);
}

static void odd_revisions_are_refused(void **state)
{
	static const char *const rev[] = {
		"--output=/tmp/x", "-1", "", "HEAD..HEAD", "^HEAD", ":/x",
		"HEAD:a", "HEAD HEAD", "HEAD\n", "none", "$(touch ran)",
		"HEAD^{tree}", "refs/heads/*",
	};
	char *dir = repository("git init -q; git commit -qm x --allow-empty");
	struct git g = { .dir = dir }, none = { .dir = "/no/such" }, here = { .dir = "/dev" };
	struct err err = ERR_INIT;
	char hash[65];

	(void)state;
	for (size_t i = 0; i < N(rev); i++)
		if (git_commit_hash(&g, rev[i], hash, &err) != -1)
			fail_msg("'%s' gave %s", rev[i], hash);
	assert_int_equal(git_commit_hash(&g, "HEAD", hash, &err), 0);
	assert_int_equal(git_commit_hash(&none, "HEAD", hash, &err), -1);
	assert_int_equal(git_commit_hash(&here, "HEAD", hash, &err), -1);
	assert_int_equal(err.code, ERR_INPUT);
	remove_folder(dir);
}

/* What the caller's environment says of other repositories does not count. */
static void the_environment_does_not_lead_elsewhere(void **state)
{
	char *dir = repository("git init -q; git commit -qm x --allow-empty");
	struct git g = { .dir = dir };
	struct err err = ERR_INIT;
	char hash[65];

	(void)state;
	setenv("GIT_DIR", "/no/such", 1);
	setenv("GIT_CONFIG_COUNT", "x", 1);
	assert_int_equal(git_commit_hash(&g, "HEAD", hash, &err), 0);
	unsetenv("GIT_DIR");
	unsetenv("GIT_CONFIG_COUNT");
	remove_folder(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(subsystem_is_the_prefix),
		cmocka_unit_test(urls_name_mails),
		cmocka_unit_test(trailers_are_found),
		cmocka_unit_test(persons_are_read),
		cmocka_unit_test(the_patch_mail_is_chosen),
		cmocka_unit_test(fixes_are_hashes),
		cmocka_unit_test(long_messages_end),
		cmocka_unit_test(a_commit_is_read),
		cmocka_unit_test(a_hostile_repository_runs_nothing),
		cmocka_unit_test(odd_objects_are_survived),
		cmocka_unit_test(odd_revisions_are_refused),
		cmocka_unit_test(the_environment_does_not_lead_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
