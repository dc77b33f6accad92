#include "mail-copy.h"

#include "base/buf.h"

/* The hunk that most cases damage. */
#define HEAD "diff --git a/mm/a.c b/mm/a.c\nindex 1111111..2222222 100644\n" \
	"--- a/mm/a.c\n+++ b/mm/a.c\n"
#define HUNK "@@ -10,5 +10,5 @@ static int walk(struct node *n)\n" \
	" \tint i;\n \n-\ttouch(n, i);\n+\ttouch_once(n, i);\n \n" \
	" \treturn 0;\n"
#define GOOD HEAD HUNK

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
		cmocka_unit_test(identity),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
