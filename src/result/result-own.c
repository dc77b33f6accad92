#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "data/scan.h"
#include "result/build.h"
#include "result/readers.h"

/* perfpost-results/1, see perfpost-results(5).  Members may come in any
 * order; matrices are read as they pass, all else is built as a value. */

#define FORMAT "perfpost-results/1"

struct own {
	struct results *rs;
	struct scan *s;
	struct err *err;
	json_t *facts;		/* of this file */
	bool format, results;	/* there was one */
};

static int wrong(struct own *o, int line, const char *what)
{
	return err_set(o->err, ERR_INPUT, "%s:%d: %s", scan_name(o->s), line,
		       what);
}

/* One entry of "summary"; false when it says nothing. */
static bool make_summary(const json_t *v, struct summary *sum)
{
	const json_t *fails = json_object_get(v, "fails");
	double runs = json_number_or_nan(json_object_get(v, "runs"));

	*sum = (struct summary){
		.mean = json_number_or_nan(json_object_get(v, "mean")),
		.stddev = json_number_or_nan(json_object_get(v, "stddev")),
		.sample = json_is_true(json_object_get(v, "sample")),
		.is_failure = json_is_number(fails),
	};
	if (sum->is_failure)
		sum->fails = json_number_value(fails);
	if (runs >= 1 && runs <= 1e9)
		sum->runs = (size_t)runs;
	if (sum->stddev < 0 || sum->fails < 0)
		return false;
	return sum->is_failure ? sum->fails <= (double)sum->runs && sum->runs > 0
			       : !isnan(sum->mean);
}

static int add_summary(struct own *o, struct result *r, int line,
		       const json_t *summary)
{
	struct summary sum;
	struct series *s;
	const char *name;
	json_t *v;

	if (!json_is_object(summary))
		return wrong(o, line, "a result's summary is an object");
	json_object_foreach((json_t *)(uintptr_t)summary, name, v) {
		const char *why = NULL;

		if (!make_summary(v, &sum))
			why = "it lacks a good mean, or fails of runs";
		else if (!(s = result_add(o->rs, r, name, strlen(name))))
			why = "it stands in the matrix too";
		else
			series_set_summary(&o->rs->arena, s, &sum);
		if (why)
			log_warn("%s:%d: summary '%.200s' left out: %s",
				 scan_name(o->s), line, name, why);
		else if (sum.runs > r->runs && !r->has_source)
			r->runs = sum.runs;
	}
	return 0;
}

static int add_axes(struct own *o, struct result *r, int line,
		    const json_t *axes)
{
	struct buf text = BUF_INIT(65536);
	const char *key;
	json_t *v;

	if (!json_is_object(axes))
		return wrong(o, line, "a result's axes are an object");
	json_object_foreach((json_t *)(uintptr_t)axes, key, v) {
		if (json_is_object(v) || json_is_array(v)) {
			buf_release(&text);
			return wrong(o, line, "an axis has one value");
		}
		buf_reset(&text);
		json_scalar(&text, v);
		result_set_axis(o->rs, r, key, text.s);
	}
	buf_release(&text);
	if (!result_axis(r, "commit") || !*result_axis(r, "commit"))
		return wrong(o, line, "axes without a commit");
	return 0;
}

/* A result that is being read. */
struct reading {
	struct result *r;
	json_t *summary;	/* is added behind the matrix */
	int summary_line;
	bool axes, matrix, in_process;
};

static int read_matrix_member(struct own *o, struct reading *g,
			      enum scan_token token)
{
	if (g->matrix)
		return wrong(o, scan_line(o->s), "'matrix' stands twice");
	if (token == SCAN_NULL)
		return 0;
	if (token == SCAN_ERROR)
		return scan_fail(o->s, o->err);
	if (token != SCAN_OBJECT)
		return wrong(o, scan_line(o->s), "a matrix is an object");
	g->matrix = true;
	return read_matrix(o->rs, g->r, o->s, o->err);
}

/* Take over "v". */
static int take_member(struct own *o, struct reading *g, const char *name,
		       int line, json_t *v)
{
	int rc = 0;

	if (!strcmp(name, "axes")) {
		rc = g->axes ? wrong(o, line, "'axes' stands twice") :
			add_axes(o, g->r, line, v);
		g->axes = true;
	} else if (!strcmp(name, "summary")) {
		if (g->summary)
			rc = wrong(o, line, "'summary' stands twice");
		else if (!json_is_null(v))
			g->summary = json_incref(v);
		g->summary_line = line;
	} else if (!strcmp(name, "job")) {
		if (!json_is_object(v) || g->r->job)
			rc = wrong(o, line, "a result's job is one object");
		else
			g->r->job = json_incref(v);
	} else if (!strcmp(name, "in_process")) {
		if (!json_is_boolean(v))
			rc = wrong(o, line, "'in_process' is true or false");
		g->in_process = json_is_true(v);
	} else {
		log_warn("%s:%d: '%.80s' of a result is unknown and left "
			 "aside", scan_name(o->s), line, name);
	}
	json_decref(v);
	return rc;
}

static int read_member(struct own *o, struct reading *g)
{
	enum scan_token token;
	char name[32] = "";
	json_t *v;
	int line;

	strncat(name, scan_text(o->s, NULL), sizeof(name) - 1);
	token = scan_next(o->s);
	line = scan_line(o->s);
	if (!strcmp(name, "matrix"))
		return read_matrix_member(o, g, token);
	v = strcmp(name, "summary") ? scan_value(o->s, token, o->err) :
		scan_value_odd(o->s, token, o->err);
	return v ? take_member(o, g, name, line, v) : -1;
}

static int finish_result(struct own *o, struct reading *g, int line)
{
	if (!g->axes)
		return wrong(o, line, "a result without axes");
	if (!g->matrix && !g->summary)
		return wrong(o, line, "a result without matrix and summary");
	for (size_t i = 0; g->in_process && i < g->r->nseries; i++)
		g->r->series[i].in_process = true;
	if (g->summary)
		return add_summary(o, g->r, g->summary_line, g->summary);
	return 0;
}

static int read_result(struct own *o, enum scan_token token)
{
	struct reading g = { .r = NULL };
	int line = scan_line(o->s), rc = 0;

	if (token == SCAN_ERROR)
		return scan_fail(o->s, o->err);
	if (token != SCAN_OBJECT)
		return wrong(o, line, "a result is an object");
	g.r = result_new(o->rs, scan_name(o->s));
	g.r->is_sure = true;
	while (rc == 0 && (token = scan_next(o->s)) == SCAN_NAME)
		rc = read_member(o, &g);
	if (rc == 0 && token == SCAN_ERROR)
		rc = scan_fail(o->s, o->err);
	if (rc == 0)
		rc = finish_result(o, &g, line);
	json_decref(g.summary);
	return rc;
}

static int read_results(struct own *o, enum scan_token token)
{
	if (o->results)
		return wrong(o, scan_line(o->s), "'results' stands twice");
	if (token == SCAN_ERROR)
		return scan_fail(o->s, o->err);
	if (token != SCAN_ARRAY)
		return wrong(o, scan_line(o->s), "'results' is a list");
	o->results = true;
	while ((token = scan_next(o->s)) != SCAN_ARRAY_END)
		if (read_result(o, token) == -1)
			return -1;
	return 0;
}

static int check_format(struct own *o, int line, const json_t *v)
{
	const char *format = json_string_value(v);

	if (o->format)
		return wrong(o, line, "'format' stands twice");
	o->format = true;
	if (format && !strcmp(format, FORMAT))
		return 0;
	return err_set(o->err, ERR_INPUT, "%s:%d: format '%.40s' is not known "
		       "here, only " FORMAT, scan_name(o->s), line,
		       format ? format : "");
}

static int read_top_member(struct own *o)
{
	enum scan_token token;
	char name[64] = "";
	int line, rc = 0;
	json_t *v;

	strncat(name, scan_text(o->s, NULL), sizeof(name) - 1);
	token = scan_next(o->s);
	line = scan_line(o->s);
	if (!strcmp(name, "results"))
		return read_results(o, token);
	v = scan_value(o->s, token, o->err);
	if (!v)
		return -1;
	if (!strcmp(name, "format"))
		rc = check_format(o, line, v);
	else if (json_object_get(o->facts, name))
		rc = err_set(o->err, ERR_INPUT, "%s:%d: '%s' stands twice",
			     scan_name(o->s), line, name);
	else
		json_object_set_nocheck(o->facts, name, v);
	json_decref(v);
	return rc;
}

static int read_all(struct own *o)
{
	enum scan_token token;

	while ((token = scan_next(o->s)) == SCAN_NAME)
		if (read_top_member(o) == -1)
			return -1;
	if (token == SCAN_ERROR || scan_next(o->s) != SCAN_END)
		return scan_fail(o->s, o->err);
	if (!o->format)
		return wrong(o, 1, "no member 'format': \"" FORMAT "\"");
	if (!o->results)
		return wrong(o, scan_line(o->s), "no member 'results'");
	return 0;
}

int read_own(struct results *rs, struct scan *s, struct err *err)
{
	struct own o = { .rs = rs, .s = s, .err = err,
			 .facts = json_object() };
	int rc = read_all(&o);

	if (rc == 0) {
		check_facts(o.facts, scan_name(s));
		json_object_update_recursive(rs->facts, o.facts);
	}
	json_decref(o.facts);
	return rc;
}
