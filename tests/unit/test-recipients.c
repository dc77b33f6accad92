#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "people/recipients.h"

static void an_address_stands_once(void **state)
{
	struct recipients r = RECIPIENTS_INIT;
	struct buf out = BUF_INIT(1000);

	(void)state;
	recipients_add(&r, &(struct address){ "", "ann@example.org" }, false,
		       "Reviewed-by");
	recipients_add(&r, &(struct address){ "Bob", "bob@example.org" }, true,
		       "author");
	recipients_add(&r, &(struct address){ "Ann", "Ann@example.org" }, true,
		       "option");
	recipients_add(&r, &(struct address){ "B", "bob@example.org" }, false,
		       "author");
	recipients_add(&r, &(struct address){ "B", "bob@example.org" }, false,
		       "auth");
	assert_int_equal(r.n, 2);
	recipients_explain(&r, &out);
	assert_string_equal(out.s,
		"To: Ann <ann@example.org>  (Reviewed-by; option)\n"
		"To: Bob <bob@example.org>  (author; auth)\n");
	buf_release(&out);
	recipients_release(&r);
}

static void lists_keep_the_order(void **state)
{
	static const char *const text[] = {
		"a@example.org", "B <b@example.org>", "c@example.org",
		"d@example.org",
	};
	struct recipients r = RECIPIENTS_INIT;
	struct addresses cc;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(recipients_add_text(&r, text[i], i == 0,
						     "option", NULL), 0);
	assert_true(recipients_drop(&r, "C@Example.org"));
	assert_false(recipients_drop(&r, "c@example.org"));
	assert_int_equal(recipients_list(&r, true).n, 1);
	cc = recipients_list(&r, false);
	assert_int_equal(cc.n, 2);
	assert_string_equal(cc.v[0].name, "B");
	assert_string_equal(cc.v[1].address, "d@example.org");
	recipients_release(&r);
}

static void bad_text_adds_nobody(void **state)
{
	struct recipients r = RECIPIENTS_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(recipients_add_text(&r, "nobody", true, "option",
					     &err), -1);
	assert_non_null(strstr(err.text, "'nobody'"));
	assert_int_equal(r.n, 0);
	recipients_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_stands_once),
		cmocka_unit_test(lists_keep_the_order),
		cmocka_unit_test(bad_text_adds_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
