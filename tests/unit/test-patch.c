#include "mail-copy.h"

#include "base/buf.h"

/* The hunk that most cases damage. */
#define HEAD "diff --git a/mm/a.c b/mm/a.c\nindex 1111111..2222222 100644\n" \
	"--- a/mm/a.c\n+++ b/mm/a.c\n"
#define HUNK "@@ -10,5 +10,5 @@ static int walk(struct node *n)\n" \
	" \tint i;\n \n-\ttouch(n, i);\n+\ttouch_once(n, i);\n \n" \
	" \treturn 0;\n"
#define GOOD HEAD HUNK
#define CONTEXT "*** old/mm/a.c\told\n--- new/mm/a.c\tnew\n***************\n"

static void read_body(struct message *m, const char *body)
{
	struct buf text = BUF_INIT(1000000);

	buf_addf(&text, "From: ann@example.org\n\n%s", body);
	read_bytes(m, text.s, text.len);
	buf_release(&text);
}

struct patch_case {
	const char *name, *body;
	enum patch_verdict verdict;
	size_t line;
	const char *file;	/* the first */
	const char *text;	/* NULL: not looked at */
};

static void check(const struct patch_case *c)
{
	struct message m;

	read_body(&m, c->body);
	if (m.npatch != 1)
		fail_msg("%s: %zu patches", c->name, m.npatch);
	if (m.patch[0].verdict != c->verdict || m.patch[0].line != c->line)
		fail_msg("%s: %s, line %zu", c->name,
			 patch_verdict_name(m.patch[0].verdict),
			 m.patch[0].line);
	if (!m.patch[0].files.n || strcmp(m.patch[0].files.v[0], c->file))
		fail_msg("%s: file %s", c->name, m.patch[0].files.n ?
			 m.patch[0].files.v[0] : "none");
	if (c->text && strcmp(m.patch[0].text, c->text))
		fail_msg("%s: text\n%s", c->name, m.patch[0].text);
	message_release(&m);
}

#define CHECK_ALL(t) \
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) \
		check(&t[i])

static void sound_ones(void **state)
{
	static const struct patch_case t[] = {
		{ "git", GOOD, PATCH_OK, 0, "mm/a.c", GOOD },
		{ "words around", "try\n\n" GOOD "\nthanks\n", PATCH_OK, 0,
		  "mm/a.c", GOOD },
		{ "text right below", GOOD "thanks\n", PATCH_OK, 0, "mm/a.c",
		  GOOD },
		{ "git's end", GOOD "-- \n2.44.0\n\n", PATCH_OK, 0, "mm/a.c",
		  GOOD },
		{ "plain diff", "--- mm/a.c\t2026-03-03 10:15:00\n+++ mm/a.c\t"
		  "2026-03-03\n@@ -1 +1 @@\n-a\n+b\n", PATCH_OK, 0, "mm/a.c",
		  NULL },
		{ "two trees", "diff -urN linux.orig/mm/a.c linux/mm/a.c\n--- "
		  "linux.orig/mm/a.c\n+++ linux/mm/a.c\n@@ -1 +1 @@\n-a\n+b\n",
		  PATCH_OK, 0, "mm/a.c", NULL },
		{ "svn", "Index: mm/a.c\n====================================="
		  "==============================\n--- mm/a.c\t(revision 1)\n"
		  "+++ mm/a.c\t(revision 2)\n@@ -1 +1 @@\n-a\n+b\n", PATCH_OK,
		  0, "mm/a.c", NULL },
		{ "new file", "diff --git a/x b/x\nnew file mode 100644\nindex "
		  "0000000..1\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n"
		  "+b\n", PATCH_OK, 0, "x", NULL },
		{ "deleted", "diff --git a/x b/x\ndeleted file mode 100644\n"
		  "index 1..0000000\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n"
		  "-a\n", PATCH_OK, 0, "x", NULL },
		{ "renamed", "diff --git a/x b/y\nsimilarity index 100%\nrename "
		  "from x\nrename to y\n", PATCH_OK, 0, "y", NULL },
		{ "mode", "diff --git a/x b/x\nold mode 100644\nnew mode "
		  "100755\n", PATCH_OK, 0, "x", NULL },
		{ "empty new file", "diff --git a/x b/x\nnew file mode 100644\n"
		  "index 0000000..e69de29\n", PATCH_OK, 0, "x", NULL },
		{ "no newline", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No "
		  "newline at end of file\n+b\n\\ No newline at end of file\n",
		  PATCH_OK, 0, "x", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No "
		  "newline at end of file\n+b\n\\ No newline at end of file\n" },
		{ "quoted name", "diff --git \"a/J\\303\\266rg.c\" \"b/J\\303"
		  "\\266rg.c\"\n--- \"a/J\\303\\266rg.c\"\n+++ \"b/J\\303\\266"
		  "rg.c\"\n@@ -1 +1 @@\n-a\n+b\n", PATCH_OK, 0, "J\xc3\xb6rg.c",
		  NULL },
		{ "blank context lines lost theirs", HEAD "@@ -1,3 +1,3 @@\n"
		  "\n-\ta\n+\tb\n\n", PATCH_OK, 0, "mm/a.c", HEAD "@@ -1,3 "
		  "+1,3 @@\n \n-\ta\n+\tb\n \n" },
		{ "indented", "  --- a/x\n  +++ b/x\n  @@ -1,2 +1,2 @@\n  -\ta\n"
		  "  +\tb\n\n  thanks\n", PATCH_OK, 0, "x", "--- a/x\n+++ b/x\n"
		  "@@ -1,2 +1,2 @@\n-\ta\n+\tb\n \n" },
		{ "svn, all of it", "Index: mm/a.c\n=====\n--- mm/a.c\t(revision 1)"
		  "\n+++ mm/a.c\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n\nProperty "
		  "changes on: mm/a.c\n_____\nAdded: svn:executable\n## -0,0 +1 "
		  "##\n+*\n\\ No newline at end of property\nIndex: b\n=====\n"
		  "--- b\t(nonexistent)\n+++ b\t(working copy)\n@@ -0,0 +1 @@\n"
		  "+x\n", PATCH_OK, 0, "mm/a.c", "Index: mm/a.c\n=====\n--- "
		  "a/mm/a.c\t(revision 1)\n+++ b/mm/a.c\t(working copy)\n@@ -1 "
		  "+1 @@\n-a\n+b\nIndex: b\n=====\n--- a/b\t(nonexistent)\n+++ "
		  "b/b\t(working copy)\n@@ -0,0 +1 @@\n+x\n" },
		{ "CVS", "Index: mm/a.c\n=====\nRCS file: /cvs/mm/a.c,v\n"
		  "retrieving revision 1.1\ndiff -u -p -r1.1 a.c\n--- mm/a.c\t1 "
		  "Mar 2026\t1.1\n+++ mm/a.c\t3 Mar 2026\n@@ -1 +1 @@\n-a\n+b\n",
		  PATCH_OK, 0, "mm/a.c", NULL },
		{ "git without prefixes", "diff --git mm/a.c mm/a.c\nindex "
		  "1..2\n--- mm/a.c\n+++ mm/a.c\n@@ -1 +1 @@\n-a\n+b\n",
		  PATCH_OK, 0, "mm/a.c", "diff --git a/mm/a.c b/mm/a.c\nindex "
		  "1..2\n--- a/mm/a.c\n+++ b/mm/a.c\n@@ -1 +1 @@\n-a\n+b\n" },
		{ "quilt", "Index: linux/mm/a.c\n=====\n--- linux.orig/mm/a.c\n"
		  "+++ linux/mm/a.c\n@@ -1 +1 @@\n-a\n+b\n", PATCH_OK, 0,
		  "mm/a.c", "Index: linux/mm/a.c\n=====\n--- linux.orig/mm/a.c\n"
		  "+++ linux/mm/a.c\n@@ -1 +1 @@\n-a\n+b\n" },
		{ "an absolute path is left", "--- /etc/x\n+++ /etc/x\n@@ -1 +1 "
		  "@@\n-a\n+b\n", PATCH_OK, 0, "/etc/x", "--- /etc/x\n+++ "
		  "/etc/x\n@@ -1 +1 @@\n-a\n+b\n" },
		{ "hg", "diff -r 12ab -r 34cd mm/a.c\n--- a/mm/a.c\tThu Jan 01 "
		  "00:00:00 1970 +0000\n+++ b/mm/a.c\tTue Mar 03 2026\n@@ -1 +1 "
		  "@@\n-a\n+b\n", PATCH_OK, 0, "mm/a.c", NULL },
		{ "context diff", "diff -cr old/mm/a.c new/mm/a.c\n" CONTEXT
		  "*** 2,8 ****\n  2\n  3\n  4\n- 5\n  6\n  7\n  8\n--- 2,7 "
		  "----\n*************** int f(void)\n*** 16,18 ****\n  17\n! 20\n"
		  "  21\n--- 15,17 ----\n  17\n! twenty\n  21\n***************\n"
		  "*** 28 ****\n--- 27,28 ----\n  28\n+ extra\nThanks\n",
		  PATCH_OK, 0, "mm/a.c", "diff -cr old/mm/a.c new/mm/a.c\n"
		  "--- old/mm/a.c\told\n+++ new/mm/a.c\tnew\n@@ -2,7 +2,6 @@\n 2\n"
		  " 3\n 4\n-5\n 6\n 7\n 8\n@@ -16,3 +15,3 @@ int f(void)\n 17\n"
		  "-20\n+twenty\n 21\n@@ -28,1 +27,2 @@\n 28\n+extra\n" },
		{ "context diff, only removed, then words", CONTEXT "*** 1,2 "
		  "****\n  a\n- b\n--- 1 ----\n  indented words\n", PATCH_OK,
		  0, "mm/a.c", "--- old/mm/a.c\told\n+++ new/mm/a.c\tnew\n@@ -1,2 "
		  "+1,1 @@\n a\n-b\n" },
		{ "context diff, blanks lost at line ends", CONTEXT "*** 1,3 "
		  "****\n  a\n\n! b\n--- 1,3 ----\n  a\n\n! c\n", PATCH_OK, 0,
		  "mm/a.c", "--- old/mm/a.c\told\n+++ new/mm/a.c\tnew\n@@ -1,3 +1,3 "
		  "@@\n a\n \n-b\n+c\n" },
		{ "context diff, new file without newline", "*** /dev/null\n--- "
		  "b/x\n***************\n*** 0 ****\n--- 1 ----\n+ a\n\\ No "
		  "newline at end of file\n", PATCH_OK, 0, "x", "--- /dev/null\n"
		  "+++ b/x\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n" },
		{ "signs as text", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/y\n"
		  "-@@ -1 +1 @@\n+++ b/y\n+diff --git a/x b/x\n", PATCH_OK, 0,
		  "x", NULL },
	};

	(void)state;
	CHECK_ALL(t);
}

static void damaged_ones(void **state)
{
	static const struct patch_case t[] = {
		{ "wrapped context", HEAD "@@ -1,3 +1,3 @@\n \tif (something_"
		  "rather_long(with, many, arguments) && it_goes_\non(and_on))"
		  "\n-\ta\n+\tb\n \tc\n", PATCH_WRAPPED, 7, "mm/a.c", NULL },
		{ "wrapped hunk header", HEAD "@@ -1,2 +1,2 @@ static int "
		  "foo_xmit(struct sk_buff *skb, struct \nnet_device *dev)\n"
		  "-\ta\n+\tb\n \tc\n", PATCH_WRAPPED, 6, "mm/a.c", NULL },
		{ "blanks for tabs", HEAD "@@ -1,2 +1,2 @@\n         int i;\n"
		  "-        a;\n+        b;\n", PATCH_WHITESPACE, 6, "mm/a.c",
		  NULL },
		{ "first blank lost", HEAD "@@ -1,3 +1,3 @@\n\tint i;\n-\ta;\n"
		  "+\tb;\n\tc;\n", PATCH_WHITESPACE, 6, "mm/a.c", NULL },
		{ "no-break blanks", HEAD "@@ -1,3 +1,3 @@\n\xc2\xa0\tint i;\n"
		  "-\ta;\n+\tb;\n\xc2\xa0\tc;\n", PATCH_WHITESPACE, 6,
		  "mm/a.c", NULL },
		{ "bytes that are no text", HEAD "@@ -1 +1 @@\n-\ta;\n"
		  "+\tb\xc3\xb6\xff;\n", PATCH_BINARY, 7, "mm/a.c", NULL },
		{ "more context than counted", HEAD "@@ -1,2 +1,2 @@\n \tint i;\n"
		  "-\ta;\n+\tb;\n \tc;\n", PATCH_COUNTS, 9, "mm/a.c", HEAD
		  "@@ -1,2 +1,2 @@\n \tint i;\n-\ta;\n+\tb;\n \tc;\n" },
		{ "a merge", "diff --cc mm/a.c\nindex 1,2..3\n--- a/mm/a.c\n"
		  "+++ b/mm/a.c\n@@@ -1,2 -1,2 +1,3 @@@ int f(void)\n  a\n- b\n"
		  " -c\n++d\n  e\n-- \nAnn\n", PATCH_COUNTS, 5, "mm/a.c",
		  "diff --cc mm/a.c\nindex 1,2..3\n--- a/mm/a.c\n+++ b/mm/a.c\n"
		  "@@@ -1,2 -1,2 +1,3 @@@ int f(void)\n  a\n- b\n -c\n++d\n"
		  "  e\n" },
		{ "cut off", HEAD "@@ -1,9 +1,9 @@\n \tint i;\n-\ta;\n",
		  PATCH_TRUNCATED, 5, "mm/a.c", NULL },
		{ "text in the middle", HEAD "@@ -1,9 +1,9 @@\n \tint i;\n-\ta;\n"
		  "[...]\nand so on\n", PATCH_TRUNCATED, 8, "mm/a.c", NULL },
		{ "only the head", "try\n\n" HEAD, PATCH_TRUNCATED, 6, "mm/a.c",
		  NULL },
		{ "counts too small", HEAD "@@ -1,1 +1,1 @@\n-\ta;\n+\tb;\n"
		  "+\tc;\n \td;\n", PATCH_COUNTS, 8, "mm/a.c", NULL },
		{ "counts too big, hunk follows", HEAD "@@ -1,5 +1,5 @@\n-\ta;\n"
		  "+\tb;\n@@ -9 +9 @@\n-\tc;\n+\td;\n", PATCH_COUNTS, 5,
		  "mm/a.c", NULL },
		{ "more new lines than told", HEAD "@@ -1,3 +1,2 @@\n-\ta;\n"
		  "+\tb;\n+\tc;\n+\td;\n \te;\n", PATCH_COUNTS, 9, "mm/a.c",
		  NULL },
		{ "context diff, its sides differ", CONTEXT "*** 1,2 ****\n  a\n"
		  "! b\n--- 1,2 ----\n  x\n! c\n", PATCH_COUNTS, 8, "mm/a.c",
		  NULL },
		{ "context diff, counts", CONTEXT "*** 1,3 ****\n  a\n! b\n--- "
		  "1,2 ----\n  a\n! c\nThanks\n", PATCH_TRUNCATED, 3, "mm/a.c",
		  NULL },
		{ "context diff, one side too long", CONTEXT "*** 1,2 ****\n"
		  "--- 1,2 ----\n  a\n+ c\n", PATCH_TRUNCATED, 3, "mm/a.c",
		  NULL },
		{ "context diff, cut", CONTEXT "*** 1,2 ****\n  a\n! b\n",
		  PATCH_TRUNCATED, 3, "mm/a.c", NULL },
		{ "hg binary", "diff -r 12ab x.bin\nBinary file x.bin has "
		  "changed\n", PATCH_BINARY, 2, "x.bin", NULL },
		{ "svn binary", "Index: x.bin\n=====\nCannot display: file marked "
		  "as a binary type.\nsvn:mime-type = application/octet-stream\n",
		  PATCH_BINARY, 3, "x.bin", NULL },
		{ "git binary", "diff --git a/x.bin b/x.bin\nnew file mode "
		  "100644\nindex 000..e69\nGIT binary patch\nliteral 4\n"
		  "LcmZQzWMT#Y01f~L\n\nliteral 0\nHcmV?d00001\n\n",
		  PATCH_BINARY, 4, "x.bin", NULL },
		{ "git binary, spoilt", "diff --git a/x b/x\nindex 1..2\n"
		  "GIT binary patch\ndelta 4\tx\n\nwords\n", PATCH_BINARY, 3,
		  "x", NULL },
		{ "binary files differ", "diff --git a/x b/x\nindex 1..2 100644"
		  "\nBinary files a/x and b/x differ\n", PATCH_BINARY, 3, "x",
		  NULL },
	};

	(void)state;
	CHECK_ALL(t);
}

static void none_at_all(void **state)
{
	static const char *const t[] = {
		"- a list\n- of things\n+ and more\n",
		"--- \n+++ \n",
		"--- a heading\n+++ another\nwords\n",
		"diff --git a/x b/x\nis what I ran\n",
		"@@ -1 +1 @@\n-a\n+b\n",
		"--\n2.44.0\n",
		"> " "--- a/x\n> +++ b/x\n> @@ -1 +1 @@\n> -a\n> +b\n",
		"Index: 5\nwords\n",
		"*** a heading\n--- another\n***************\nwords\n",
		"***************\n*** 1,2 ****\n  a\n",
	};
	struct message m;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		read_body(&m, t[i]);
		if (m.npatch)
			fail_msg("a patch in: %s", t[i]);
		message_release(&m);
	}
}

static void several_in_one_mail(void **state)
{
	struct message m;

	(void)state;
	read_body(&m, "Either\n\n" GOOD "\nor rather\n\n--- a/y\n+++ b/y\n"
		  "@@ -1 +1 @@\n-a\n+b\n--- a/z\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n");
	assert_int_equal(m.npatch, 2);
	assert_int_equal(m.patch[1].files.n, 2);
	assert_string_equal(m.patch[1].files.v[1], "z");
	assert_string_equal(m.new_text, "Either\n\nor rather\n");
	message_release(&m);
}

static void own_header(void **state)
{
	struct message m;

	(void)state;
	read_body(&m, "try this\n\n--->8---\nFrom: =?utf-8?q?J=C3=B6rg?= "
		  "<joerg@Example.org>\nSubject: [PATCH] mm: touch\n once\n\n"
		  "Words.\n---\n mm/a.c | 2 +-\n\n" GOOD);
	assert_int_equal(m.npatch, 1);
	assert_string_equal(m.patch[0].subject, "[PATCH] mm: touch once");
	assert_string_equal(m.patch[0].author, "joerg@example.org");
	assert_string_equal(m.new_text, "try this\n");
	message_release(&m);
}

/* hg export: who and what stands above, the rest is its own as well. */
static void hg_header(void **state)
{
	struct message m;

	(void)state;
	read_body(&m, "try this\n\n# HG changeset patch\n# User Ann Lee "
		  "<ann@work.example.org>\n# Date 1772532900 0\n# Node ID 12ab\n"
		  "# Parent  34cd\nmm: touch once\n\nWords.\n\n" GOOD "\nthanks\n");
	assert_int_equal(m.npatch, 1);
	assert_string_equal(m.patch[0].subject, "mm: touch once");
	assert_string_equal(m.patch[0].author, "ann@work.example.org");
	assert_string_equal(m.patch[0].text, GOOD);
	assert_string_equal(m.new_text, "try this\n\nthanks\n");
	message_release(&m);
}

/* What carries no meaning does not change the identity; what does, does. */
static void identity(void **state)
{
	static const struct {
		const char *body;
		bool same;
	} t[] = {
		{ "words\n\n" GOOD "-- \n2.44.0\n", true },
		{ "diff --git a/mm/a.c b/mm/a.c\nindex 3333333..4444444 100644\n"
		  "--- a/mm/a.c\n+++ b/mm/a.c\n@@ -99,5 +99,5 @@ other\n"
		  " \tint i;\n\n-\ttouch(n, i);\n+\ttouch_once(n, i);\n\n"
		  " \treturn 0;\n", true },
		{ "--- a/mm/a.c\n+++ b/mm/a.c\n" HUNK, true },
		{ "Index: mm/a.c\n=====\n--- mm/a.c\n+++ mm/a.c\n" HUNK, true },
		{ CONTEXT "*** 10,14 ****\n  \tint i;\n  \n! \ttouch(n, i);\n  \n"
		  "  \treturn 0;\n--- 10,14 ----\n  \tint i;\n  \n! \ttouch_once"
		  "(n, i);\n  \n  \treturn 0;\n", true },
		{ HEAD "@@ -10,5 +10,5 @@\n \tint i;\n \n-\ttouch(n, i);\n"
		  "+\ttouch_twice(n, i);\n \n \treturn 0;\n", false },
		{ "--- a/mm/b.c\n+++ b/mm/b.c\n" HUNK, false },
	};
	struct message m, other;

	(void)state;
	read_body(&m, GOOD);
	assert_int_equal(strlen(m.patch[0].id), 64);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		read_body(&other, t[i].body);
		assert_int_equal(other.npatch, 1);
		if (!strcmp(m.patch[0].id, other.patch[0].id) != t[i].same)
			fail_msg("identity of case %zu", i);
		message_release(&other);
	}
	message_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_ones),
		cmocka_unit_test(damaged_ones),
		cmocka_unit_test(none_at_all),
		cmocka_unit_test(several_in_one_mail),
		cmocka_unit_test(own_header),
		cmocka_unit_test(hg_header),
		cmocka_unit_test(identity),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
