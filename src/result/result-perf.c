#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/unite.h"

/*
 * perf stat -j: an object a line, the counter's value as text.  The file is
 * one run; with -I each interval is one, all inside one process.  With -r
 * there is but the mean, and the spread of that mean in percent of it, which
 * is no deviation of the runs.  The derived metrics are left aside: their
 * scale changes from file to file (K/sec, M/sec).
 */

#define WARNINGS_MAX 10

struct perf {
	struct results *rs;
	struct result *r;
	struct unite u;
	const char *path;
	double interval;	/* of the lines at hand; NaN: none yet */
	bool intervals, events;	/* there were some */
	size_t bad;
};

static void warn_line(struct perf *p, int line, const char *why)
{
	if (p->bad++ < WARNINGS_MAX)
		log_warn("%s:%d: left out: %s", p->path, line, why);
}

/* "<not counted>" and "<not supported>" are no values.  Some versions write
 * the locale's decimal comma.  Returns 1, 0 for none, -1 for nonsense. */
static int read_value(const char *text, double *value)
{
	char copy[64], *end, *comma;

	if (*text == '<')
		return 0;
	if (strlen(text) >= sizeof(copy))
		return -1;
	strcpy(copy, text);
	comma = strchr(copy, ',');
	if (comma && !strchr(copy, '.'))
		*comma = '.';
	if (!*copy || strspn(copy, "0123456789.eE+-") != strlen(copy))
		return -1;
	*value = strtod(copy, &end);
	return *end || !isfinite(*value) ? -1 : 1;
}

/* Where it was counted, when the counters are not summed up: "cpu0", "S0". */
static void add_place(struct buf *name, const json_t *v)
{
	static const char *const keys[] = { "cpu", "core", "die", "socket",
					    "node", "thread", "cgroup" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *place = json_member_text(v, keys[i]);

		if (!place)
			continue;
		buf_addf(name, ".%s%s", place[strspn(place, "0123456789")] ?
			 "" : keys[i], place);
	}
}

/* Events whose growth is bad news for a fixed amount of work. */
static enum direction direction_of(const char *event)
{
	static const char *const costs[] = {
		"duration_time", "user_time", "system_time", "task-clock",
		"cpu-clock", "cycles", "context-switches", "cpu-migrations",
		"page-faults", "minor-faults", "major-faults",
		"cache-misses", "branch-misses", NULL };

	for (const char *const *c = costs; *c; c++)
		if (!strncmp(event, *c, strlen(*c)) &&
		    (!event[strlen(*c)] || event[strlen(*c)] == ':'))
			return LOWER_BETTER;
	return NO_DIRECTION;
}

static void suggest(struct perf *p, const char *name, const char *event,
		    const char *unit)
{
	suggest_metric(p->rs, name, unit && *unit ? unit : NULL,
		       direction_of(event), NULL, !strcmp(event,
							  "duration_time"));
}

static void add_mean(struct perf *p, const char *name, double mean)
{
	const struct summary sum = { .mean = mean, .stddev = NAN };
	struct series *s = result_add(p->rs, p->r, name, strlen(name));

	if (s)
		series_set_summary(&p->rs->arena, s, &sum);
}

static void begin_interval(struct perf *p, const json_t *v)
{
	const json_t *interval = json_object_get(v, "interval");

	if (!json_is_number(interval))
		return;
	if (p->intervals && p->interval != json_number_value(interval))
		unite_end_run(&p->u);
	p->intervals = true;
	p->interval = json_number_value(interval);
}

static void add_counter(struct perf *p, int line, const json_t *v,
			const char *event, const char *text)
{
	struct buf name = BUF_INIT(4096);
	double value = 0;
	int found = read_value(text, &value);

	if (found == -1) {
		warn_line(p, line, "a counter's value that is no number");
		return;
	}
	buf_addf(&name, "perf-stat.%s", event);
	add_place(&name, v);
	for (int i = 2; unite_has(&p->u, name.s) && i < 100; i++) {
		buf_reset(&name);
		buf_addf(&name, "perf-stat.%s", event);
		add_place(&name, v);
		buf_addf(&name, "#%d", i);
	}
	if (found)
		suggest(p, name.s, event, json_member_text(v, "unit"));
	if (json_object_get(v, "variance")) {
		if (found)
			add_mean(p, name.s, value);
	} else {
		unite_add(&p->u, name.s, name.len, found ? CELL_FLOAT :
			  CELL_NONE, (union cell){ .f = value });
	}
	buf_release(&name);
}

static void add_line(struct perf *p, int line, const char *text, size_t len)
{
	json_t *v = read_loosely(text, len, p->path, NULL);
	const char *event = json_member_text(v, "event");
	const char *value = json_member_text(v, "counter-value");

	if (!v) {
		warn_line(p, line, "no JSON");
	} else if (event && value) {
		p->events = true;
		begin_interval(p, v);
		add_counter(p, line, v, event, value);
	}
	json_decref(v);
}

int read_perf(struct results *rs, const char *path, const struct buf *text,
	      struct err *err)
{
	struct perf p = { .rs = rs, .r = result_new(rs, path), .path = path,
			  .interval = NAN };
	int line = 1;

	unite_init(&p.u);
	for (const char *s = text->s; *s; line++) {
		size_t len = strcspn(s, "\n");

		if (*s == '{')
			add_line(&p, line, s, len);
		s += len + (s[len] == '\n');
	}
	unite_end_run(&p.u);
	unite_finish(&p.u, rs, p.r);
	unite_release(&p.u);
	for (size_t i = 0; p.intervals && i < p.r->nseries; i++)
		p.r->series[i].in_process = true;
	result_set_axis(rs, p.r, "testcase", "perf-stat");
	if (p.bad > WARNINGS_MAX)
		log_warn("%s: %zu more lines left out", path,
			 p.bad - WARNINGS_MAX);
	if (!p.events)
		return err_set(err, ERR_INPUT, "%s:1: no counter in it", path);
	return 0;
}
