#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "result/build.h"
#include "result/readers.h"
#include "result/unite.h"

/*
 * perf stat -j: an object a line, the counter's value as text.  The file is
 * one run, or a run for each time that perf was started with --append; with -I
 * each interval is one, all inside one process.  With -r
 * there is but the mean, and the spread of that mean in percent of it, which
 * is no deviation of the runs.  The derived metrics beside counters are left
 * aside: their scale changes from file to file (K/sec, M/sec).
 *
 * With --metric-only there are but metrics, of a scale of their own, by name:
 * {"GHz" : "3.1"}.  Before Linux 6.3 their names stood in a line before, and
 * neither line was JSON: {"unit" : "GHz"}{"unit" : ...}, then
 * {"metric-value" : "3.1"}{"metric-value" : ...}.
 */

enum { WARNINGS_MAX = 10, HEADER_MAX = 1000 };

/* "name" : value of a line, wherever it stands in it; without quotes. */
struct pair {
	const char *name, *value;
	size_t name_len, len;
};

struct perf {
	struct results *rs;
	struct result *r;
	struct unite u;
	const char *path;
	double interval;	/* of the lines at hand; NaN: none yet */
	bool intervals, events;	/* there were some */
	size_t bad;
	struct pair header[HEADER_MAX];	/* of --metric-only: the names of the
					 * metrics to come */
	size_t nheader;
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
static void add_place(struct buf *name, const char *key, const char *place)
{
	buf_addf(name, ".%s%s", place[strspn(place, "0123456789")] ? "" : key,
		 place);
}

static bool is_place(const char *key)
{
	static const char *const keys[] = { "cpu", "core", "cluster", "cache",
					    "die", "socket", "node", "thread",
					    "cgroup" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return false;
}

static void add_places(struct buf *name, const json_t *v)
{
	const char *key;
	json_t *place;

	json_object_foreach((json_t *)(uintptr_t)v, key, place)
		if (is_place(key) && json_is_string(place))
			add_place(name, key, json_string_value(place));
}

/* Events whose growth is bad news for a fixed amount of work. */
static const struct cost {
	const char *event, *meaning;
} costs[] = {
	{ "duration_time", "time that passed" },
	{ "user_time", "CPU time in user space" },
	{ "system_time", "CPU time in the kernel" },
	{ "task-clock", "CPU time used" }, { "cpu-clock", "CPU time" },
	{ "cycles", "CPU cycles" },
	{ "context-switches", NULL }, { "cpu-migrations", NULL },
	{ "page-faults", NULL }, { "minor-faults", NULL },
	{ "major-faults", NULL }, { "cache-misses", NULL },
	{ "branch-misses", NULL },
};

static const struct cost *find_cost(const char *event)
{
	for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
		size_t len = strlen(costs[i].event);

		if (!strncmp(event, costs[i].event, len) &&
		    (!event[len] || event[len] == ':'))
			return &costs[i];
	}
	return NULL;
}

static void suggest(struct perf *p, const char *name, const char *event,
		    const char *unit)
{
	const struct cost *cost = find_cost(event);

	suggest_metric(p->rs, name, unit && *unit ? unit : NULL,
		       cost ? LOWER_BETTER : NO_DIRECTION,
		       cost ? cost->meaning : NULL,
		       !strcmp(event, "duration_time"));
}

static void add_mean(struct perf *p, const char *name, double mean)
{
	const struct summary sum = { .mean = mean, .stddev = NAN };
	struct series *s = result_add(p->rs, p->r, name, strlen(name));

	if (s)
		series_set_summary(&p->rs->arena, s, &sum);
}

static void begin_interval(struct perf *p, double interval)
{
	if (isnan(interval))
		return;
	if (p->intervals && p->interval != interval)
		unite_end_run(&p->u);
	p->intervals = true;
	p->interval = interval;
}

/* What is there already in this run is another of the same name. */
static void number_name(struct perf *p, struct buf *name)
{
	const char *plain = arena_strdup(&p->u.arena, name->s);

	for (int i = 2; unite_has(&p->u, name->s) && i < 100; i++) {
		buf_reset(name);
		buf_addf(name, "%s#%d", plain, i);
	}
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
	add_places(&name, v);
	number_name(p, &name);
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

/* --- Metrics alone. ------------------------------------------------------- */

/* The next pair before "end", past all that is none. */
static bool next_pair(const char **pos, const char *end, struct pair *pair)
{
	const char *s = *pos, *close;

	while ((s = memchr(s, '"', (size_t)(end - s)))) {
		close = memchr(s + 1, '"', (size_t)(end - s - 1));
		if (!close)
			return false;
		pair->name = s + 1;
		pair->name_len = (size_t)(close - s - 1);
		s = close + 1 + strspn(close + 1, " ");
		if (*s != ':')
			continue;
		s += 1 + strspn(s + 1, " ");
		pair->value = s + (*s == '"');
		pair->len = strcspn(pair->value, *s == '"' ? "\"\n" : ",} \n");
		*pos = pair->value + pair->len + (*s == '"');
		return *pos <= end;
	}
	return false;
}

static bool has_name(const struct pair *pair, const char *name)
{
	return strlen(name) == pair->name_len &&
	       !memcmp(pair->name, name, pair->name_len);
}

/* Does the line have such a pair, and how many? */
static size_t count_pairs(const char *s, const char *end, const char *name)
{
	struct pair pair;
	size_t n = 0;

	while (next_pair(&s, end, &pair))
		n += !name || has_name(&pair, name);
	return n;
}

static bool is_metrics_line(const char *s, const char *end)
{
	static const char *const others[] = { "event", "counter-value",
					      "metric-unit", "metricgroup" };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (count_pairs(s, end, others[i]))
			return false;
	return count_pairs(s, end, NULL) > 0;
}

/* perf heads columns that it then leaves out. */
static bool is_column(const struct pair *pair)
{
	return !memmem(pair->value, pair->len, "/sec", 4) &&
	       !memmem(pair->value, pair->len, "CPUs utilized", 13);
}

static void take_header(struct perf *p, const char *s, const char *end)
{
	struct pair pair;

	p->nheader = 0;
	while (next_pair(&s, end, &pair) && p->nheader < HEADER_MAX)
		if (has_name(&pair, "unit") && is_column(&pair))
			p->header[p->nheader++] = (struct pair){
				.name = pair.value, .name_len = pair.len };
}

/* Names that are shares of a whole in percent, without saying so. */
static bool is_share(const char *metric)
{
	return strstr(metric, " of all ") || strstr(metric, "cycles idle");
}

static enum direction direction_of_metric(const char *metric)
{
	if (strstr(metric, "per cycle") || !strcasecmp(metric, "ipc"))
		return HIGHER_BETTER;
	if (strstr(metric, "-misses") || strstr(metric, "cycles idle") ||
	    strstr(metric, "stalled") || !strcasecmp(metric, "cpi"))
		return LOWER_BETTER;
	return NO_DIRECTION;
}

/* "insn per cycle", "%  tma_retiring", "MiB/s  bandwidth": two blanks stand
 * behind a unit. */
static void add_metric(struct perf *p, const char *place,
		       const struct pair *named, const struct pair *pair)
{
	const char *all = arena_strndup(&p->u.arena, named->name,
					named->name_len);
	const char *gap = strstr(all, "  ");
	const char *metric = gap ? gap + strspn(gap, " ") : all;
	const char *unit = gap ? arena_strndup(&p->u.arena, all,
					       (size_t)(gap - all)) : NULL;
	struct buf name = BUF_INIT(4096);
	union cell cell = { .f = 0 };
	int found = read_value(arena_strndup(&p->u.arena, pair->value,
					     pair->len), &cell.f);

	if (is_share(metric))
		unit = "%";
	buf_addstr(&name, "perf-stat.");
	for (const char *s = metric; *s; s++)
		buf_addch(&name, *s == ' ' ? '_' : *s);
	buf_addf(&name, "%s%s", place, unit && !strcmp(unit, "%") ? "%" : "");
	number_name(p, &name);
	if (found == 1)
		suggest_metric(p->rs, name.s, unit, direction_of_metric(metric),
			       NULL, false);
	unite_add(&p->u, name.s, name.len, found == 1 ? CELL_FLOAT : CELL_NONE,
		  cell);
	p->events |= found == 1;
	buf_release(&name);
}

/* Not what was measured: where, and of how many. */
static bool is_setting(const struct pair *pair)
{
	return has_name(pair, "interval") || has_name(pair, "cpu-count") ||
	       has_name(pair, "aggregate-number") || has_name(pair, "counters");
}

static void add_pair(struct perf *p, struct buf *place, size_t *column,
		     const struct pair *pair)
{
	const char *name = arena_strndup(&p->u.arena, pair->name,
					 pair->name_len);

	if (is_place(name))
		add_place(place, name, arena_strndup(&p->u.arena, pair->value,
						     pair->len));
	else if (has_name(pair, "interval"))
		begin_interval(p, strtod(pair->value, NULL));
	else if (is_setting(pair) || (has_name(pair, "metric-value") &&
				      *column >= p->nheader))
		return;
	else if (has_name(pair, "metric-value"))
		add_metric(p, place->s, &p->header[(*column)++], pair);
	else
		add_metric(p, place->s, pair, pair);
}

static void add_metrics(struct perf *p, int line, const char *s,
			const char *end)
{
	size_t values = count_pairs(s, end, "metric-value"), column = 0;
	struct buf place = BUF_INIT(4096);
	struct pair pair;

	if (count_pairs(s, end, "unit")) {
		take_header(p, s, end);
		return;
	}
	/* A single "none" is no metric at all. */
	if (values > 1 && values != p->nheader)
		warn_line(p, line, "metrics other than those of the line that "
			  "names them");
	else
		while (next_pair(&s, end, &pair))
			add_pair(p, &place, &column, &pair);
	buf_release(&place);
}

/* --- The file. ------------------------------------------------------------ */

static void add_line(struct perf *p, int line, const char *text, size_t len)
{
	json_t *v = read_loosely(text, len, p->path, NULL);
	const char *event = json_member_text(v, "event");
	const char *value = json_member_text(v, "counter-value");

	double interval = json_number_or_nan(json_object_get(v, "interval"));

	if (event && value && isnan(interval) && p->intervals) {
		/* the sum of all intervals, with --summary */
	} else if (event && value) {
		p->events = true;
		begin_interval(p, interval);
		add_counter(p, line, v, event, value);
	} else if (is_metrics_line(text, text + len)) {
		add_metrics(p, line, text, text + len);
	} else if (!v) {
		warn_line(p, line, "no JSON");
	}
	json_decref(v);
}

static bool begins_session(const char *line)
{
	return !strncmp(line, "# started on ", strlen("# started on "));
}

/* With --append a file has several, a run each. */
static void begin_session(struct perf *p)
{
	if (p->events && !p->intervals)
		unite_end_run(&p->u);
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
		else if (begins_session(s))
			begin_session(&p);
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
	if (!p.events && !strchr(text->s, '{'))
		return err_set(err, ERR_INPUT, "%s:1: no JSON in it: perf stat "
			       "writes that with -j", path);
	if (!p.events)
		return err_set(err, ERR_INPUT, "%s:1: no counter in it", path);
	return 0;
}
