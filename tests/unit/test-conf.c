#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "data/conf.h"
#include "data/conf-check.h"

/* Load from an exact heap copy, so that a read past its end is seen. */
static int load(struct conf *c, const char *text, struct err *err)
{
	size_t len = strlen(text);
	char *copy = malloc(len + !len);
	int rc;

	memcpy(copy, text, len);
	rc = conf_load_text(c, copy, len, "f.conf", err);
	free(copy);
	return rc;
}

static void defaults_hold(void **state)
{
	struct err err = ERR_INIT;
	struct conf c;

	(void)state;
	assert_int_equal(load(&c, "", &err), 0);
	assert_string_equal(conf_text(&c, "robot.prefix"), "#robot");
	assert_null(conf_text(&c, "archive.url"));
	assert_null(conf_list(&c, "lists")[0]);
	assert_false(conf_has(&c, "robot.prefix"));
	conf_release(&c);
}

static void file_overrides(void **state)
{
	struct err err = ERR_INIT;
	struct conf c;

	(void)state;
	assert_int_equal(load(&c,
		"operator: {name: perf robot, address: bot@example.org}\n"
		"lists:\n  - a@example.org\n  - b@example.org\n"
		"robot:\n  names: single\n  prefix:\n"
		"sign_off: |\n  Thanks,\n  Ann\n", &err), 0);
	assert_string_equal(conf_text(&c, "operator.name"), "perf robot");
	assert_string_equal(conf_list(&c, "lists")[1], "b@example.org");
	assert_null(conf_list(&c, "lists")[2]);
	assert_string_equal(conf_list(&c, "robot.names")[0], "single");
	assert_null(conf_list(&c, "robot.names")[1]);
	/* Left empty is as left out. */
	assert_string_equal(conf_text(&c, "robot.prefix"), "#robot");
	assert_string_equal(conf_text(&c, "sign_off"), "Thanks,\nAnn\n");
	conf_release(&c);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *text, *error;
	} cases[] = {
		{ "operater:\n  name: x\n",
		  "f.conf:1: unknown key 'operater' (did you mean 'operator'?)" },
		{ "operator:\n  nam: x\n",
		  "f.conf:2: unknown key 'operator.nam' (did you mean 'name'?)" },
		{ "\nzzzzzz: 1\n", "f.conf:2: unknown key 'zzzzzz'" },
		{ "operator:\n  name: [x]\n",
		  "f.conf:2: 'operator.name' takes one value, not a list" },
		{ "trees:\n  x:\n    url: 'https://me:word@git.example.org/x'\n",
		  "f.conf:3: 'trees.x.url' must not hold a password: git has "
		  "credential helpers for that" },
		{ "operator:\n  name: {x: y}\n",
		  "f.conf:2: 'operator.name' takes one value, not a map" },
		{ "run: {memory: 4G}\n",
		  "f.conf:1: 'run.memory' takes a whole number of megabytes" },
		{ "operator: x\n", "f.conf:1: 'operator' takes keys of its own" },
		{ "lists:\n  - [a]\n",
		  "f.conf:2: 'lists' takes a list of texts" },
		{ "lists: {a: b}\n", "f.conf:1: 'lists' takes a list of texts" },
		{ "- a\n", "f.conf:1: no keys and values" },
		{ "footer: a\nfooter: b\n",
		  "f.conf:2: key 'footer' stands twice" },
		{ "operator.name: x\n",
		  "f.conf:1: 'operator.name' stands in one word: write its "
		  "parts on lines of their own, indented" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct err err = ERR_INIT;
		struct conf c;

		assert_int_equal(load(&c, cases[i].text, &err), -1);
		assert_string_equal(err.text, cases[i].error);
		assert_int_equal(err.code, ERR_CONFIG);
		conf_release(&c);
	}
}

static void times_have_units(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;	/* -1: no time */
	} cases[] = {
		{ "0", 0 }, { "90", 90 }, { "90s", 90 }, { "15m", 900 },
		{ "2h", 7200 }, { "7d", 604800 }, { "", -1 }, { "s", -1 },
		{ "5w", -1 }, { "5mm", -1 }, { "-5", -1 }, { "1.5h", -1 },
		{ "9999999999", -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t seconds = -1;

		conf_parse_time(cases[i].text, &seconds);
		assert_int_equal(seconds, cases[i].seconds);
	}
}

static void places_in_order(void **state)
{
	char dir[] = "/tmp/test-conf-XXXXXX", path[80];
	struct err err = ERR_INIT;
	struct conf c;

	(void)state;
	assert_non_null(mkdtemp(dir));
	setenv("XDG_CONFIG_HOME", dir, 1);
	unsetenv("PERFPOST_CONFIG");
	snprintf(path, sizeof(path), "%s/perfpost", dir);
	assert_int_equal(file_make_folder(path, &err), 0);
	snprintf(path, sizeof(path), "%s/perfpost/perfpost.conf", dir);
	assert_int_equal(file_write(path, "footer: xdg", 11, &err), 0);
	assert_int_equal(conf_load(&c, NULL, &err), 0);
	assert_string_equal(conf_text(&c, "footer"), "xdg");
	conf_release(&c);

	snprintf(path, sizeof(path), "%s/env.conf", dir);
	assert_int_equal(file_write(path, "footer: env", 11, &err), 0);
	setenv("PERFPOST_CONFIG", path, 1);
	assert_int_equal(conf_load(&c, NULL, &err), 0);
	assert_string_equal(conf_text(&c, "footer"), "env");
	assert_string_equal(c.file, path);
	conf_release(&c);

	snprintf(path, sizeof(path), "%s/none.conf", dir);
	assert_int_equal(conf_load(&c, path, &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	conf_release(&c);

	setenv("PERFPOST_CONFIG", "/dev/null", 1);
	assert_int_equal(conf_load(&c, NULL, &err), 0);
	assert_null(conf_text(&c, "footer"));
	assert_null(c.file);
	conf_release(&c);
	unsetenv("PERFPOST_CONFIG");

	snprintf(path, sizeof(path), "%s/env.conf", dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/perfpost/perfpost.conf", dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/perfpost", dir);
	rmdir(path);
	rmdir(dir);
}

/* Every key of the table stands in the man page, as ".It Ic KEY". */
static void man_page_has_every_key(void **state)
{
	struct buf page = BUF_INIT((size_t)1 << 20);
	struct err err = ERR_INIT;
	char item[200];
	int missing = 0;

	(void)state;
	assert_int_equal(file_read(TESTDATA "/../doc/perfpost.conf.5", &page,
				   &err), 0);
	for (const struct conf_key *k = conf_keys; k->path; k++) {
		snprintf(item, sizeof(item), "\n.It Ic %s\n", k->path);
		if (strstr(page.s, item))
			continue;
		print_error("doc/perfpost.conf.5 lacks '.It Ic %s'\n", k->path);
		missing++;
	}
	assert_int_equal(missing, 0);
	buf_release(&page);
}

static void table_is_sound(void **state)
{
	(void)state;
	for (const struct conf_key *k = conf_keys; k->path; k++) {
		struct err err = ERR_INIT;
		struct buf text = BUF_INIT(4096);
		const char *p = k->path;
		int depth = 0;
		struct conf c;

		assert_non_null(k->meaning);
		if (k == conf_keys || strcmp(k[-1].path, k->path) < 0)
			;
		else
			fail_msg("'%s' is not in order", k->path);
		if (!k->fallback || k->type == CONF_TEXT) {
			if (!k->choices || !k->fallback)
				continue;
		}
		/* The default must pass the check of a file. */
		while (*p) {
			size_t len = strcspn(p, ".");

			buf_addf(&text, "%*s%.*s:%s", depth++, "",
				 *p == '*' ? 4 : (int)len,
				 *p == '*' ? "name" : p, p[len] ? "\n" : " ");
			p += len + (p[len] == '.');
		}
		buf_addf(&text, "%s\n", k->fallback);
		if (load(&c, text.s, &err) == -1)
			fail_msg("default of '%s': %s", k->path, err.text);
		conf_release(&c);
		buf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_hold),
		cmocka_unit_test(file_overrides),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(times_have_units),
		cmocka_unit_test(places_in_order),
		cmocka_unit_test(man_page_has_every_key),
		cmocka_unit_test(table_is_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
