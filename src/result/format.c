#include <string.h>

#include "data/scan.h"
#include "result/readers.h"

/*
 * A format is known by names: of members of the whole ("" as list), or of
 * members of the objects in a list of that name ("[]": the whole is a list).
 */
static const struct mark {
	const char *list, *name;
	enum format format;
} marks[] = {
	{ "results", "axes", FORMAT_OWN },
	{ "results", "matrix", FORMAT_OWN },
	{ "results", "summary", FORMAT_OWN },
	{ "results", "command", FORMAT_HYPERFINE },
	{ "results", "times", FORMAT_HYPERFINE },
	{ "benchmarks", "run_name", FORMAT_GOOGLE },
	{ "benchmarks", "run_type", FORMAT_GOOGLE },
	{ "benchmarks", "real_time", FORMAT_GOOGLE },
	{ "benchmarks", "time_unit", FORMAT_GOOGLE },
	{ "benchmarks", "fullname", FORMAT_PYTEST },
	{ "benchmarks", "stats", FORMAT_PYTEST },
	{ "jobs", "jobname", FORMAT_FIO },
	{ "client_stats", "jobname", FORMAT_FIO },
	{ "checkouts", "git_commit_hash", FORMAT_KCIDB },
	{ "builds", "checkout_id", FORMAT_KCIDB },
	{ "tests", "build_id", FORMAT_KCIDB },
	{ "[]", "_ModuleName", FORMAT_MMTESTS },
	{ "[]", "_ResultData", FORMAT_MMTESTS },
	{ "", "fio version", FORMAT_FIO },
	{ "", "machine_info", FORMAT_PYTEST },
	{ "", "commit_info", FORMAT_PYTEST },
	{ "", "counter-value", FORMAT_PERF },
	{ "", "metric-value", FORMAT_PERF },
};

/* What perf stat -o begins with, whatever follows. */
#define PERF_START "# started on "

static enum format find_mark(const char *list, const char *name)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (!strcmp(marks[i].list, list) &&
		    !strcmp(marks[i].name, name))
			return marks[i].format;
	return FORMAT_UNKNOWN;
}

/* The members of the first object in the list "list". */
static enum format look_into_object(struct scan *s, const char *list)
{
	while (scan_next(s) == SCAN_NAME) {
		enum format f = find_mark(list, scan_text(s, NULL));

		if (f != FORMAT_UNKNOWN)
			return f;
		if (scan_skip(s, scan_next(s)) == -1)
			break;
	}
	return FORMAT_UNKNOWN;
}

/* A list with a name: of objects that tell, or a row of a matrix. */
static enum format look_into_list(struct scan *s, const char *list,
				  bool *row)
{
	enum scan_token token = scan_next(s);
	enum format f;

	if (token == SCAN_OBJECT) {
		f = look_into_object(s, list);
		if (f != FORMAT_UNKNOWN)
			return f;
	} else {
		*row = true;
		if (token == SCAN_ARRAY_END)
			return FORMAT_UNKNOWN;
		if (scan_skip(s, token) == -1)
			return FORMAT_UNKNOWN;
	}
	while ((token = scan_next(s)) != SCAN_ARRAY_END)
		if (scan_skip(s, token) == -1)
			break;
	return FORMAT_UNKNOWN;
}

/* What was seen of the members of the whole. */
struct look {
	bool row;		/* a number, or a list of no objects */
	bool metric;		/* a number as text, as perf has them */
	bool other;		/* neither that nor what perf puts before it */
};

static void look_for_metrics(struct look *look, enum scan_token token,
			     const char *name, const char *text)
{
	static const char *const before[] = {
		"interval", "cpu", "core", "cluster", "cache", "die", "socket",
		"node", "thread", "cgroup", "cpu-count", "aggregate-number",
		"counters", NULL };

	for (const char *const *b = before; *b; b++)
		if (!strcmp(*b, name))
			return;
	if (token == SCAN_TEXT && *text && (!strcmp(text, "none") ||
			!text[strspn(text, "0123456789.,")]))
		look->metric = true;
	else
		look->other = true;
}

static enum format look_at_member(struct scan *s, const char *name,
				  struct look *look)
{
	enum format f = find_mark("", name);
	enum scan_token token;

	if (f != FORMAT_UNKNOWN)
		return f;
	token = scan_next(s);
	if (token == SCAN_TEXT && !strcmp(name, "unit"))
		return FORMAT_PERF;	/* names of metrics to come */
	if (token == SCAN_OBJECT && !strcmp(name, "context"))
		return FORMAT_GOOGLE;	/* also when no benchmark was chosen */
	look_for_metrics(look, token, name, token == SCAN_TEXT ?
			 scan_text(s, NULL) : "");
	if (token == SCAN_TEXT && !strcmp(name, "format") &&
	    !strncmp(scan_text(s, NULL), "perfpost-", 9))
		return FORMAT_OWN;
	if (token == SCAN_ARRAY)
		return look_into_list(s, name, &look->row);
	if (token == SCAN_INT || token == SCAN_FLOAT || token == SCAN_ODD)
		look->row = true;
	scan_skip(s, token);
	return FORMAT_UNKNOWN;
}

static enum format look_at_all(struct scan *s)
{
	enum format f = FORMAT_UNKNOWN;
	enum scan_token token = SCAN_ERROR;
	struct look look = { .row = false };
	bool empty = true;
	char name[64];

	token = scan_next(s);
	if (token == SCAN_ARRAY)
		return scan_next(s) == SCAN_OBJECT ?
			look_into_object(s, "[]") : FORMAT_UNKNOWN;
	if (token != SCAN_OBJECT)
		return FORMAT_UNKNOWN;
	for (; f == FORMAT_UNKNOWN && (token = scan_next(s)) == SCAN_NAME;
	     empty = false) {
		size_t len;
		const char *text = scan_text(s, &len);

		if (len >= sizeof(name))
			len = sizeof(name) - 1;
		memcpy(name, text, len);
		name[len] = '\0';
		f = look_at_member(s, name, &look);
	}
	if (f == FORMAT_UNKNOWN && look.metric && !look.other)
		return FORMAT_PERF;
	/* "{}" is a matrix of no rows. */
	if (f == FORMAT_UNKNOWN &&
	    (look.row || (empty && token == SCAN_OBJECT_END)))
		return FORMAT_MATRIX;
	return f;
}

/* Lines of a log may stand before the object (fio, perf). */
static const char *find_object(const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	if (len && *p == '[')
		return p;
	while (p && p < end && *p != '{') {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	return p && p < end ? p : NULL;
}

enum format format_recognise(const char *text, size_t len)
{
	size_t blank = strspn(text, " \t\r\n");
	const char *p;
	struct scan *s;
	enum format f;

	text += blank < len ? blank : len;
	len -= blank < len ? blank : len;
	if (len > strlen(PERF_START) &&
	    !strncmp(text, PERF_START, strlen(PERF_START)))
		return FORMAT_PERF;
	p = find_object(text, len);
	if (!p)
		return FORMAT_UNKNOWN;
	s = scan_open_text(p, len - (size_t)(p - text), "");
	f = look_at_all(s);
	scan_close(s);
	if (p != text && f != FORMAT_FIO && f != FORMAT_PERF)
		return FORMAT_UNKNOWN;
	return f;
}
