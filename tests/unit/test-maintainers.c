#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "people/glob.h"
#include "people/maintainers.h"
#include "people/pattern.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

static void globs_match(void **state)
{
	static const struct { const char *glob, *path; bool match; } c[] = {
		{ "mm/a.c", "mm/a.c", true },
		{ "mm/a.c", "mm/a.cc", false },
		{ "*", "a", true }, { "*", "a/b", false }, { "*", "", true },
		{ "mm/*", "mm/a.c", true }, { "mm/*", "mm/x/a.c", false },
		{ "*/net/*", "drivers/net/a.c", true },
		{ "*/net/*", "drivers/x/net/a.c", false },
		{ "a?c", "abc", true }, { "a?c", "a/c", false },
		{ "a[bc]d", "abd", true }, { "a[!bc]d", "abd", false },
		{ "a[0-9]", "a7", true }, { "a[", "a[", true },
		{ "a[]]", "a]", true }, { "a[b-]", "a-", true },
		{ "**", "a/b/c", true },
		{ "**/c", "c", true }, { "**/c", "a/b/c", true },
		{ "**/c", "a/bc", false },
		{ "fs/**/*foo*.c", "fs/foo.c", true },
		{ "fs/**/*foo*.c", "fs/a/b/xfoox.c", true },
		{ "fs/**/*foo*.c", "fs/a/b/xfo.c", false },
		{ "a/**/b", "a/xb", false }, { "a/**/b", "a/x/b", true },
		{ "wip/**", "wip/a/b", true }, { "x**y", "xa/by", true },
		{ "*a*b*c", "xaybzc", true }, { "*a*b*c", "xaybz", false },
		{ "for-*", "for-next", true },
		{ "", "", true }, { "", "a", false }, { "a", "", false },
	}, covers[] = {
		{ "mm/", "mm/a/b.c", true }, { "mm", "mm/a.c", true },
		{ "mm/", "mmx/a.c", false }, { "mm", "mmx", false },
		{ "*/", "a/b/c", true }, { "*/", "a", false },
		{ "*", "MAINTAINERS", true },
		{ "drivers/*/usb/", "drivers/a/usb/b/c", true },
		{ "drivers/*/usb/", "drivers/a/usb", false },
		{ "lib/*.c", "lib/a.c", true }, { "lib/*.c", "lib/a.ch", false },
		{ "arch/x86/kernel/", "arch/x86", false },
		{ "", "a", false },
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++)
		if (glob_match(c[i].glob, c[i].path) != c[i].match)
			fail_msg("'%s' '%s'", c[i].glob, c[i].path);
	for (size_t i = 0; i < N(covers); i++)
		if (glob_covers(covers[i].glob, covers[i].path) !=
		    covers[i].match)
			fail_msg("'%s' '%s'", covers[i].glob, covers[i].path);
}

/* With a matcher that tries all ways this would not end. */
static void many_stars_end(void **state)
{
	struct buf glob = BUF_INIT(10000), path = BUF_INIT(10000);

	(void)state;
	for (int i = 0; i < 1000; i++) {
		buf_addstr(&glob, i % 3 ? "*a" : "**/a");
		buf_addstr(&path, i % 5 ? "a" : "/");
	}
	buf_addstr(&glob, "b");
	assert_false(glob_match(glob.s, path.s));
	buf_release(&glob);
	buf_release(&path);
}

static const char file[] =
	"List of maintainers\n"
	"===================\n\n"
	"\tM: *Mail* patches to: FullName <address@domain>\n\n"
	"Maintainers List\n"
	"----------------\n\n"
	"MEMORY MANAGEMENT\n"
	"M:\tAnn Example <ann@example.org>\n"
	"M:\t\"Huang, Ying\" <y@example.org> (boss)\n"
	"R:\tRob <rob@example.org>\n"
	"L:\tmm@lists.example.org (moderated for non-subscribers)\n"
	"L:\tsecret@lists.example.org (subscribers-only)\n"
	"L:\tBig List <big@lists.example.org> (open list)\n"
	"S:\tMaintained\n"
	"W:\thttp://example.org\n"
	"T:\tgit git://git.example.org/mm.git\n"
	"F:\tmm/\n"
	"F:\tinclude/linux/mm*.h\n"
	"X:\tmm/slub.c\n\n"
	"TEGRA\n"
	"L:\ttegra@lists.example.org\n"
	"S:\tSupported\n"
	"N:\t[^a-z]tegra\n\n"
	"HARDENING\n"
	"L:\thardening@lists.example.org\n"
	"K:\t\\b__counted_by\\b\n\n"
	"THE REST\n"
	"M:\tLinus <linus@example.org>\n"
	"L:\tall@lists.example.org\n"
	"F:\t*\n"
	"F:\t*/\n";

static void the_file_is_read(void **state)
{
	struct maintainers *m = maintainers_parse(file, sizeof(file) - 1);
	size_t n;
	const struct section *s = maintainers_sections(m, &n);

	(void)state;
	assert_int_equal(n, 4);
	assert_string_equal(s[0].title, "MEMORY MANAGEMENT");
	assert_string_equal(s[0].status, "Maintained");
	assert_int_equal(s[0].people.n, 2);
	assert_string_equal(s[0].people.v[1].name, "Huang, Ying");
	assert_int_equal(s[0].reviewers.n, 1);
	assert_int_equal(s[0].lists.n, 2);
	assert_string_equal(s[0].lists.v[0].address, "mm@lists.example.org");
	assert_string_equal(s[0].lists.v[1].address, "big@lists.example.org");
	assert_int_equal(s[0].closed.n, 1);
	assert_string_equal(s[0].closed.v[0].address,
			    "secret@lists.example.org");
	assert_int_equal(s[0].trees.n, 1);
	assert_int_equal(s[0].files.n, 2);
	assert_int_equal(s[0].excludes.n, 1);
	maintainers_free(m);
}

static void paths_find_their_lists(void **state)
{
	static const struct {
		const char *path, *changes, *titles;
	} c[] = {
		{ "mm/a.c", NULL, "MEMORY MANAGEMENT THE REST " },
		{ "mm/slub.c", NULL, "THE REST " },
		{ "include/linux/mm_types.h", "int a;\n",
		  "MEMORY MANAGEMENT THE REST " },
		{ "drivers/tegra/x.c", NULL, "TEGRA THE REST " },
		{ "README", NULL, "THE REST " },
		{ "x.c", "int a;\nint b[] __counted_by(n);\n",
		  "HARDENING THE REST " },
	};
	struct maintainers *m = maintainers_parse(file, sizeof(file) - 1);

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		const char *path = c[i].path;
		struct strings files = { &path, 1 };
		struct buf titles = BUF_INIT(1000);
		const struct section *const *found;
		size_t n;

		found = maintainers_match(m, &files, c[i].changes, &n);
		for (size_t k = 0; k < n; k++)
			buf_addf(&titles, "%s ", found[k]->title);
		assert_string_equal(titles.s, c[i].titles);
		buf_release(&titles);
	}
	maintainers_free(m);
}

static void patterns_are_perls(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool finds;
	} c[] = {
		{ "[^a-z]tegra", "drivers/tegra/x.c\n", true },
		{ "[^a-z]tegra", "integra", false },
		{ "(?:\\b|_)kvm(?:\\b|_)", "x_kvm_y", true },
		{ "of_(get|match)_\\w+", "of_match_node(", true },
		{ "imx\\d{2}", "imx5", false },
		{ "[\\w.]+\\.dts", "a_b.dts", true },
		{ "drivers\\/net", "drivers/net", true },
		{ "\\b(?i:clang|llvm)\\b", "int a;\nfor CLANG only\n", true },
		{ "\\b(?i:clang|llvm)\\b", "clangd\n", false },
		{ "(?<!no_)kcov", "no_kcov\n", false },
		{ "(?<!no_)kcov", "no_kcov\nkcov\n", true },
		{ "^ze+d \\d{2}$", "a\nzeed42\n", true },
		{ "a[^b]c", "a\nc\n", false },
		{ "^$", "a\n\nc", true },
		{ "(a)\\1\\x41", "aaA", true },
		{ "x", "", false },
		{ "(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
		  false },
		{ "(((.*)*)*)*=", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\na=",
		  true },
	};
	static const char *const malformed[] = {
		"", "(", "[", "\\", "a+++++++", "o{2,1}", "(?<n", "*",
		"((((a{1000}){1000}){1000}){1000})",
	};

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		struct pattern *p = pattern_new(c[i].pattern);

		assert_non_null(p);
		assert_int_equal(pattern_finds(p, c[i].text), c[i].finds);
		pattern_free(p);
	}
	for (size_t i = 0; i < N(malformed); i++)
		assert_null(pattern_new(malformed[i]));
}

static void any_bytes_are_a_file(void **state)
{
#define TEXT(s) { s, sizeof(s) - 1 }
	static const struct { const char *text; size_t len; } c[] = {
		TEXT(""), TEXT("\0\0\0"), TEXT("M:"), TEXT("F:\t"),
		TEXT("M:\n\n\nL:\t\x1b\nF:\t[\nN:\t(\nK:\t\\"),
		TEXT("\xff\xfe\nM:\t\xff <a@b>\nX:\nF:**"),
	};
	const char *path = "a/b";
	struct strings files = { &path, 1 };

	(void)state;
	for (size_t i = 0; i < N(c); i++) {
		char *copy = malloc(c[i].len + !c[i].len);
		struct maintainers *m;
		size_t n;

		memcpy(copy, c[i].text, c[i].len);
		m = maintainers_parse(copy, c[i].len);
		free(copy);
		maintainers_match(m, &files, "x", &n);
		assert_true(n <= 1);
		maintainers_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(globs_match),
		cmocka_unit_test(many_stars_end),
		cmocka_unit_test(the_file_is_read),
		cmocka_unit_test(paths_find_their_lists),
		cmocka_unit_test(patterns_are_perls),
		cmocka_unit_test(any_bytes_are_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
