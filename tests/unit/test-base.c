#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/arena-int.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"
#include "base/file.h"
#include "base/notify.h"
#include "base/percent.h"
#include "base/strmap.h"
#include "base/strset.h"
#include "base/utf8.h"

#define COUNT(t) (sizeof(t) / sizeof((t)[0]))

static void buf_remembers_its_limit(void **state)
{
	struct buf b = BUF_INIT(5);

	(void)state;
	buf_addstr(&b, "hello");
	assert_false(buf_over(&b));
	buf_addch(&b, '!');
	assert_true(buf_over(&b));
	assert_string_equal(b.s, "hello");
	buf_release(&b);
}

static void arena_grows_and_keeps(void **state)
{
	struct arena a = ARENA_INIT;
	size_t cap = 0;
	int *v = NULL;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		v = arena_grow(&a, v, &cap, (size_t)i + 1, sizeof(*v));
		v[i] = i;
	}
	for (int i = 0; i < 10000; i++)
		assert_int_equal(v[i], i);
	assert_string_equal(arena_printf(&a, "%s-%d", "x", 7), "x-7");
	arena_release(&a);
}

/* The sanitizer says when a piece is freed twice, or used after. */
static void arena_takes_back_large_pieces(void **state)
{
	struct arena a = ARENA_INIT;
	char *small, *large, *last;

	(void)state;
	large = arena_alloc(&a, 100000);	/* alone in the arena */
	arena_give_back(&a, large, 100000);
	assert_null(a.last);
	small = arena_strdup(&a, "small");
	large = arena_alloc(&a, 100000);
	last = arena_alloc(&a, 200000);
	memset(last, 'x', 200000);
	arena_give_back(&a, small, 6);
	arena_give_back(&a, large, 100000);
	assert_string_equal(small, "small");
	assert_int_equal(last[199999], 'x');
	assert_ptr_equal(arena_strdup(&a, "next") + 5, small);
	arena_release(&a);
}

static void strset_numbers_texts(void **state)
{
	struct strset s = STRSET_INIT;
	char text[32];

	(void)state;
	assert_true(strset_find(&s, "none", 4) == STRSET_NONE);
	for (size_t again = 0; again < 2; again++)
		for (size_t i = 0; i < 5000; i++) {
			int len = snprintf(text, sizeof(text), "k%zu", i);

			assert_int_equal(strset_add(&s, text, (size_t)len), i);
		}
	assert_int_equal(s.n, 5000);
	assert_int_equal(strset_find(&s, "k4999 and more", 5), 4999);
	assert_true(strset_find(&s, "k5000", 5) == STRSET_NONE);
	assert_true(strset_find(&s, "k", 1) == STRSET_NONE);
	assert_int_equal(strset_add(&s, "", 0), 5000);
	assert_string_equal(strset_text(&s, 17), "k17");
	assert_string_equal(strset_text(&s, 5000), "");
	strset_release(&s);
}

/* Texts that share more and less than a byte can count, of any length. */
static void strset_keeps_long_texts(void **state)
{
	enum { LONG = 100000 };
	static const size_t len[] = { LONG, 1, LONG - 1, 0, 255, 256, 257, 254,
				      LONG - 2, 300, 2, 299 };
	char *text = malloc(LONG + 1);
	struct strset s = STRSET_INIT;

	(void)state;
	memset(text, 'a', LONG);
	for (size_t i = 0; i < 10 * COUNT(len); i++) {
		text[LONG / 2] = text[1] = (char)('a' + i / COUNT(len));
		strset_add(&s, text, len[i % COUNT(len)]);
	}
	for (size_t i = 10 * COUNT(len); i-- > 0;) {
		size_t n = len[i % COUNT(len)], number;

		text[LONG / 2] = text[1] = (char)('a' + i / COUNT(len));
		number = strset_find(&s, text, n);
		assert_true(number < s.n);
		assert_int_equal(strlen(strset_text(&s, number)), n);
		assert_memory_equal(strset_text(&s, number), text, n);
	}
	text[1] = 'z';
	assert_true(strset_find(&s, text, 255) == STRSET_NONE);
	free(text);
	strset_release(&s);
}

/* Against a list, with texts that mostly begin as others do. */
static void strset_in_any_order(void **state)
{
	enum { TEXTS = 1000 };
	char known[TEXTS][8], text[8];
	struct strset s = STRSET_INIT;
	unsigned int seed = 1;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < TEXTS; i++) {
		size_t len = i % 8, want = 0;

		for (size_t k = 0; k < len; k++) {
			seed = seed * 1103515245 + 12345;
			text[k] = "aab"[(seed >> 16) % 3];
		}
		text[len] = '\0';
		while (want < n && strcmp(known[want], text) != 0)
			want++;
		assert_int_equal(strset_find(&s, text, len),
				 want < n ? want : STRSET_NONE);
		assert_int_equal(strset_add(&s, text, len), want);
		if (want == n)
			strcpy(known[n++], text);
		want = (seed >> 8) % n;
		assert_string_equal(strset_text(&s, want), known[want]);
	}
	assert_int_equal(s.n, n);
	strset_release(&s);
}

static void strmap_keeps_order(void **state)
{
	struct arena a = ARENA_INIT;
	struct strmap m;
	char key[32];

	(void)state;
	strmap_init(&m, &a);
	assert_null(strmap_get(&m, "none"));
	for (long i = 0; i < 5000; i++) {
		snprintf(key, sizeof(key), "k%ld", i);
		*strmap_put(&m, arena_strdup(&a, key), strlen(key)) =
			(void *)(intptr_t)(i + 1);
	}
	assert_int_equal(m.n, 5000);
	assert_int_equal((intptr_t)strmap_get(&m, "k0"), 1);
	assert_int_equal((intptr_t)strmap_get(&m, "k4999"), 5000);
	assert_null(strmap_get(&m, "k5000"));
	assert_string_equal(m.entry[17].key, "k17");
	arena_release(&a);
}

static void file_writes_all_or_nothing(void **state)
{
	struct buf b = BUF_INIT(100);
	struct err err = ERR_INIT;
	char dir[] = "/tmp/test-base-XXXXXX", path[64], deep[80];

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/f", dir);
	assert_int_equal(file_write(path, "one", 3, &err), 0);
	assert_int_equal(file_write(path, "two", 3, &err), 0);
	assert_int_equal(file_read(path, &b, &err), 0);
	assert_string_equal(b.s, "two");
	assert_int_equal(file_read(dir, &b, &err), -1);
	assert_int_equal(err.code, ERR_INPUT);
	snprintf(deep, sizeof(deep), "%s/a/b/c", dir);
	assert_int_equal(file_make_folder(deep, &err), 0);
	assert_true(file_is_folder(deep));
	snprintf(deep, sizeof(deep), "%s/none/f", dir);
	assert_int_equal(file_write(deep, "x", 1, &err), -1);
	assert_int_equal(err.code, ERR_SYSTEM);
	buf_release(&b);
	b = (struct buf)BUF_INIT(2);
	assert_int_equal(file_read(path, &b, &err), -1);
	assert_int_equal(err.code, ERR_INPUT);
	buf_release(&b);
}

static void child_speaks_and_ends(void **state)
{
	struct buf out = BUF_INIT(1000);
	struct err err = ERR_INIT;
	const char *cat[] = { "cat", NULL }, *no[] = { "/no/such", NULL };
	const char *slow[] = { "sh", "-c", "trap '' TERM; sleep 60", NULL };
	const char *seven[] = { "sh", "-c", "exit 7", NULL };
	const char *much[] = { "yes", NULL };
	struct child_spec s = { .argv = cat, .input = "hi", .input_len = 2,
				.out = &out };

	(void)state;
	assert_int_equal(child_run(&s, &err), 0);
	assert_string_equal(out.s, "hi");
	s = (struct child_spec){ .argv = no };
	assert_int_equal(child_run(&s, &err), -1);
	assert_int_equal(err.code, ERR_SYSTEM);
	s = (struct child_spec){ .argv = slow, .timeout_ms = 50 };
	assert_int_equal(child_run(&s, &err), -1);
	assert_int_equal(err.code, ERR_TEMP);
	s = (struct child_spec){ .argv = seven };
	assert_int_equal(child_run(&s, &err), 7);
	s = (struct child_spec){ .argv = much, .out = &out };
	assert_int_equal(child_run(&s, &err), -1);
	assert_int_equal(err.code, ERR_INPUT);
	buf_release(&out);
}

static void utf8_knows_widths_and_tricks(void **state)
{
	struct buf b = BUF_INIT(1000);

	(void)state;
	assert_true(utf8_valid("a\xc2\xb1", 3));
	assert_false(utf8_valid("a\xc2", 2));
	assert_false(utf8_valid("\xed\xa0\x80", 3));
	assert_int_equal(utf8_width("a\xc2\xb1\xe4\xb8\xad", 6), 4);
	assert_int_equal(utf8_fit("\xe4\xb8\xad\xe4\xb8\xad", 6, 3), 3);
	utf8_inert(&b, "a\x1b[31m\xe2\x80\xae\xff\n", 10, true);
	assert_string_equal(b.s, "a\\x1b[31m\\u{202e}\\xff");
	buf_reset(&b);
	utf8_clean(&b, "x\xffy", 3);
	assert_string_equal(b.s, "x\xef\xbf\xbdy");
	buf_release(&b);
}

static void utf8_is_cut_in_the_middle(void **state)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *want;
	} cases[] = {
		{ "abcdefgh", 8, "abcdefgh" },
		{ "abcdefghi", 8, "abc...hi" },
		{ "abcdefghi", 4, "a..." },
		{ "abcdefghi", 3, "abc" },
		{ "abc", 0, "" },
		{ "", 5, "" },
		{ "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 7,
		  "\xe4\xb8\xad...\xe4\xb8\xad" },
		{ "\xff\xff\xff\xff\xff", 4, "\xff..." },
	};
	struct buf b = BUF_INIT(100);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		buf_reset(&b);
		utf8_middle(&b, cases[i].text, strlen(cases[i].text),
			    cases[i].columns);
		assert_string_equal(b.s, cases[i].want);
	}
	buf_reset(&b);
	utf8_ascii(&b, "a\xc2\xb1\x1b[\xff", 6);
	assert_string_equal(b.s, "a??[?");
	buf_release(&b);
}

static void notify_reaches_the_manager(void **state)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	char dir[] = "/tmp/test-base-XXXXXX", got[64] = "";
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(at.sun_path, sizeof(at.sun_path), "%s/s", dir);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	unsetenv("NOTIFY_SOCKET");
	notify("READY=1");
	setenv("NOTIFY_SOCKET", at.sun_path, 1);
	notify("STATUS=x");
	assert_int_equal(recv(fd, got, sizeof(got) - 1, MSG_DONTWAIT), 8);
	assert_string_equal(got, "STATUS=x");
	unsetenv("NOTIFY_SOCKET");
	close(fd);
	unlink(at.sun_path);
	rmdir(dir);
	unsetenv("WATCHDOG_PID");
	setenv("WATCHDOG_USEC", "3000000", 1);
	assert_int_equal(notify_watchdog_ms(), 1500);
	setenv("WATCHDOG_PID", "1", 1);
	assert_int_equal(notify_watchdog_ms(), 0);
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

static void percent_escapes_come_and_go(void **state)
{
	static const struct {
		const char *text, *decoded;
		char escape;
	} t[] = {
		{ "", "", '%' },
		{ "a%40b", "a@b", '%' },
		{ "%c3%A4%20%2f", "\xc3\xa4 /", '%' },
		{ "%2540", "%40", '%' },		/* resolved once */
		{ "%", "%", '%' }, { "%4", "%4", '%' }, { "%g0%4g", "%g0%4g", '%' },
		{ "%%40", "%@", '%' },
		{ "a%00%0a%1F", "a\xef\xbf\xbd\n\x1f", '%' },
		{ "a-40b%40", "a@b%40", '-' },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(t); i++) {
		size_t len = strlen(t[i].text);
		char *exact = malloc(len ? len : 1);
		struct buf out = BUF_INIT(100);
		struct arena a = ARENA_INIT;

		memcpy(exact, t[i].text, len);
		percent_decode(&out, exact, len, t[i].escape);
		assert_string_equal(out.s, t[i].decoded);
		if (t[i].escape == '%')
			assert_string_equal(percent_decoded(&a, exact, len),
					    t[i].decoded);
		free(exact);
		buf_release(&out);
		arena_release(&a);
	}
}

static void percent_makes_one_element_of_a_path(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	assert_string_equal(percent_encoded(&a, "1.a_b-c~d+e=f$g@example.org"),
			    "1.a_b-c~d+e=f$g@example.org");
	assert_string_equal(percent_encoded(&a, "a/../b?c#d%e f\xc3\n"),
			    "a%2F..%2Fb%3Fc%23d%25e%20f%C3%0A");
	assert_string_equal(percent_encoded(&a, ""), "");
	arena_release(&a);
}

static void err_stacks_what_was_done(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	err_set(&err, ERR_INPUT, "bad %s", "row");
	err_in(&err, "file '%s'", "x");
	assert_string_equal(err.text, "file 'x': bad row");
	assert_int_equal(err_exit(&err), 65);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buf_remembers_its_limit),
		cmocka_unit_test(arena_grows_and_keeps),
		cmocka_unit_test(arena_takes_back_large_pieces),
		cmocka_unit_test(strmap_keeps_order),
		cmocka_unit_test(strset_numbers_texts),
		cmocka_unit_test(strset_keeps_long_texts),
		cmocka_unit_test(strset_in_any_order),
		cmocka_unit_test(file_writes_all_or_nothing),
		cmocka_unit_test(child_speaks_and_ends),
		cmocka_unit_test(utf8_knows_widths_and_tricks),
		cmocka_unit_test(utf8_is_cut_in_the_middle),
		cmocka_unit_test(notify_reaches_the_manager),
		cmocka_unit_test(percent_escapes_come_and_go),
		cmocka_unit_test(percent_makes_one_element_of_a_path),
		cmocka_unit_test(err_stacks_what_was_done),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
