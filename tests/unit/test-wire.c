#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "bot/wire.h"

#define OUT_MAX ((size_t)1 << 20)

static const char mail[] =
	"From: Ann =?utf-8?q?B=C3=A4r?= <ann@dev.example.org>\n"
	"To: robot <lkp@example.com>, Bob <bob@example.net>\n"
	"Subject: Re: [mm] 1234: bench -5%\n"
	"Message-ID: <a@dev.example.org>\n"
	"In-Reply-To: <r@example.com>\n"
	"References: <q@example.com> <r@example.com>\n"
	"Content-Type: text/plain; charset=utf-8\n"
	"\n"
	"> old words\n"
	"Could you rerun with this patch and nr_task=8?\n"
	"\n"
	"diff --git a/mm/a.c b/mm/a.c\n"
	"--- a/mm/a.c\n"
	"+++ b/mm/a.c\n"
	"@@ -1,2 +1,2 @@\n"
	" int i;\n"
	"-touch(n, i);\n"
	"+touch_once(n, i);\n"
	"-- \n"
	"Ann\n";

/* The mail as it was read, as bytes. */
static void write_mail(struct buf *out)
{
	struct wire w = { .out = out };
	struct arena a = ARENA_INIT;
	struct robot robot;
	struct requests r;
	struct message m;
	struct grammar *g = grammar_load(NULL, NULL);
	const char *own = "lkp@example.com";

	assert_non_null(g);
	robot_init(&robot, &a, &(struct strings){ &own, 1 });
	assert_int_equal(message_read(&m, mail, strlen(mail), NULL), 0);
	requests_find(&r, &m, g, &robot);
	assert_int_equal(r.n, 1);
	assert_int_equal(m.npatch, 1);
	wire_message(&w, &m);
	wire_requests(&w, &r);
	requests_release(&r);
	message_release(&m);
	grammar_free(g);
	arena_release(&a);
	assert_false(buf_over(out));
}

/* Read "len" bytes, an exact copy of them; true when they are all well. */
static bool read_back(const char *bytes, size_t len, struct buf *again)
{
	struct message m = { .arena = ARENA_INIT };
	struct requests r = { .arena = ARENA_INIT };
	char *copy = malloc(len ? len : 1);
	struct wire w = { .in = copy, .left = len, .a = &m.arena };
	bool well;

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	wire_message(&w, &m);
	wire_requests(&w, &r);
	well = !w.bad && !w.left;
	if (well && again) {
		struct wire back = { .out = again };

		wire_message(&back, &m);
		wire_requests(&back, &r);
		assert_string_equal(m.from.name, "Ann B\303\244r");
		assert_string_equal(m.patch[0].files.v[0], "mm/a.c");
		assert_int_equal(r.request[0].kind, REQUEST_RERUN_WITH_PATCH);
	}
	message_release(&m);
	free(copy);
	return well;
}

static void what_is_read_is_what_was_written(void **state)
{
	struct buf out = BUF_INIT(OUT_MAX), again = BUF_INIT(OUT_MAX);

	(void)state;
	write_mail(&out);
	assert_true(read_back(out.s, out.len, &again));
	assert_int_equal(again.len, out.len);
	assert_memory_equal(again.s, out.s, out.len);
	buf_release(&out);
	buf_release(&again);
}

static void a_part_of_it_is_refused(void **state)
{
	struct buf out = BUF_INIT(OUT_MAX);

	(void)state;
	write_mail(&out);
	for (size_t len = 0; len < out.len; len++)
		assert_false(read_back(out.s, len, NULL));
	buf_addch(&out, '\0');
	assert_false(read_back(out.s, out.len, NULL));
	buf_release(&out);
}

/* Whatever the bytes are, reading ends, within them. */
static void any_byte_may_be_another(void **state)
{
	static const unsigned char value[] = { 0, 1, 2, 0x7f, 0x80, 0xff };
	struct buf out = BUF_INIT(OUT_MAX);
	size_t refused = 0;

	(void)state;
	write_mail(&out);
	for (size_t at = 0; at < out.len; at++)
		for (size_t i = 0; i < sizeof(value); i++) {
			char was = out.s[at];

			out.s[at] = (char)value[i];
			refused += !read_back(out.s, out.len, NULL);
			out.s[at] = was;
		}
	assert_true(refused > out.len);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_read_is_what_was_written),
		cmocka_unit_test(a_part_of_it_is_refused),
		cmocka_unit_test(any_byte_may_be_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
