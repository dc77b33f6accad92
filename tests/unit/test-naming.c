#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "bot/naming.h"

static const struct stored_report report[] = {
	{ .tested = "9a8b7c6d5e4f9a8b7c6d5e4f9a8b7c6d5e4f9a8b",
	  .stat = "will-it-scale.per_process_ops", .machine = "lkp-skl-fpga01",
	  .tree = "linus/master", .branch = "master", .title = "mm: batch it" },
	{ .tested = "5d6e7f8091a25d6e7f8091a25d6e7f8091a25d6e",
	  .stat = "vm-scalability.throughput",
	  .machine = "128 threads Icelake with 256G memory",
	  .tree = "next/master", .branch = "master", .title = "mm: lock less" },
	{ .tested = "5d6e7f8091a25d6e7f8091a25d6e7f8091a25d6e",
	  .stat = "vm-scalability.median", .machine = "64 threads Icelake",
	  .tree = "next/master", .branch = "akpm", .title = "mm: lock less" },
};

#define UNCLEAR 0x80	/* 0: nothing is named; else the set */

static void names_are_told(void **state)
{
	static const struct {
		const char *text;
		unsigned int set;
	} t[] = {
		{ "9a8b7c6d5e4f", 1 }, { "9A8B7C6D5E4F9", 1 },
		{ "The one of 9a8b7c6, please.", 1 },
		{ "commit 9a8b7c6d5e4f9a8b7c6d5e4f9a8b7c6d5e4f9a8b", 1 },
		{ "9a8b7c", 0 },			/* too short */
		{ "5d6e7f8091a2", UNCLEAR },		/* two have it */
		{ "5d6e7f8091a2, the median", 4 },
		{ "9a8b7c6d5e4f, the median", UNCLEAR },
		{ "deadbeef1234", UNCLEAR },
		{ "deadbee", 0 },			/* no digit: a word */
		{ "vm-scalability.throughput", 2 },
		{ "will-it-scale", 1 }, { "per_process_ops", 1 },
		{ "per_process", 0 }, { "the Throughput one", 2 },
		{ "vm-scalability", UNCLEAR },
		{ "lkp-skl-fpga01", 1 }, { "lkp-skl-fpga011", 0 },
		{ "Icelake", UNCLEAR }, { "the icelake with 256G", 2 },
		{ "64 threads  Icelake", 4 },
		{ "linus/master", 1 }, { "akpm", 4 }, { "mm: batch it", 1 },
		{ "mm:\n batch\tit", 1 },
		{ "the second one", 2 }, { "Second.", 2 }, { "3rd one", 4 },
		{ "the fourth", UNCLEAR }, { "a second look", 0 },
		{ "all of them", 7 }, { "All three please", 7 },
		{ "both", 0 },				/* of three */
		{ "not the second", UNCLEAR },
		{ "I didn't mean the first one", UNCLEAR },
		{ "the other one", 0 }, { "all of them but the first one",
					  UNCLEAR },
		{ "", 0 }, { "Thanks, I will look.", 0 },
		{ "with memory", 0 }, { "\xff\xfe", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		char *text = strdup(t[i].text);	/* an exact copy */
		uint32_t set = 0;
		enum naming found = naming_find(text, report, 3, &set);
		unsigned int got = found == NAMING_CLEAR ? set :
			found == NAMING_UNCLEAR ? UNCLEAR : 0;

		if (got != t[i].set)
			fail_msg("\"%s\": %x, not %x", text, got, t[i].set);
		free(text);
	}
}

static void two_are_both(void **state)
{
	uint32_t set;

	(void)state;
	assert_int_equal(naming_find("Both.", report, 2, &set), NAMING_CLEAR);
	assert_int_equal(set, 3);
}

static void long_texts_take_no_time(void **state)
{
	size_t len = (size_t)8 << 20;
	char *text = malloc(len + 1);
	uint32_t set;

	(void)state;
	memset(text, 'a', len);
	text[len] = '\0';
	assert_int_equal(naming_find(text, report, 3, &set), NAMING_NOTHING);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_told),
		cmocka_unit_test(two_are_both),
		cmocka_unit_test(long_texts_take_no_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
