#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "result/result.h"

/* Read "text" as a file; the results must be released. */
static int read_text(struct results *rs, const char *text, struct err *err)
{
	char path[] = "/tmp/test-result-XXXXXX";
	int fd = mkstemp(path), rc;

	assert_true(fd != -1);
	assert_int_equal(file_write_fd(fd, path, text, strlen(text), err), 0);
	close(fd);
	results_init(rs);
	rc = results_read(rs, path, err);
	unlink(path);
	return rc;
}

static void own_format_is_read(void **state)
{
	struct err err = ERR_INIT;
	const struct series *s;
	struct results rs;

	(void)state;
	assert_int_equal(read_text(&rs,
		"{\"format\": \"perfpost-results/1\", \"headline\": \"a.x\",\n"
		"\"results\": [{\"axes\": {\"testcase\": \"a\", \"n\": 1, "
		"\"commit\": \"c1\"},\n"
		"\"matrix\": {\"a.x\": [1, 2.5, null], \"a.none\": [], "
		"\"a.y\": [\"5\"], \"stats_source\": [\"0\", \"1\", \"2\"]},\n"
		"\"summary\": {\"b.z\": {\"mean\": 3, \"stddev\": 0.5, "
		"\"runs\": 4}}}]}", &err), 0);
	assert_int_equal(rs.n, 1);
	assert_int_equal(rs.result[0]->runs, 3);
	assert_string_equal(result_axis(rs.result[0], "n"), "1");
	assert_string_equal(json_member_text(rs.facts, "headline"), "a.x");
	s = result_series(rs.result[0], "a.x");
	assert_int_equal(s->n, 3);
	assert_int_equal(series_type(s, 0), CELL_INT);
	assert_int_equal(series_type(s, 1), CELL_FLOAT);
	assert_int_equal(series_type(s, 2), CELL_NONE);
	assert_true(series_value(s, 1) == 2.5);
	assert_false(s->bad);
	assert_int_equal(result_series(rs.result[0], "a.none")->n, 0);
	assert_true(result_series(rs.result[0], "a.y")->bad);
	s = result_series(rs.result[0], "b.z");
	assert_true(s->summary->mean == 3 && s->summary->runs == 4);
	results_release(&rs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_format_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
