#include "compare/rules-int.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"

enum { RULES_MAX = 1 << 20, PROGRAMS_MAX = 10000 };

/* Each line of etc/NAME that is neither empty nor a comment goes to "take". */
static int each_line(struct rules *r, const char *dir, const char *name,
		     int (*take)(struct rules *r, void *to, char *line),
		     void *to, struct err *err)
{
	struct buf text = BUF_INIT(RULES_MAX);
	const char *path = arena_printf(&r->arena, "%s/etc/%s", dir, name);
	int number = 1;
	char *end;

	if (file_read(path, &text, err) == -1) {
		buf_release(&text);
		return err_in(err, "rules of lkp-tests");
	}
	for (char *line = text.s; *line; line = end, number++) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (*line && *line != '#' && take(r, to, line) == -1) {
			buf_release(&text);
			return err_set(err, ERR_INPUT, "%s:%d: not understood",
				       path, number);
		}
	}
	buf_release(&text);
	return 0;
}

static int take_pattern(struct rules *r, void *to, char *line)
{
	(void)r;
	pattern_add(to, line);
	return 0;
}

static int take_name(struct rules *r, void *to, char *line)
{
	(void)r;
	line += strspn(line, " \t");
	line[strcspn(line, " \t")] = '\0';
	if (*line)
		rules_add_test(to, line, strlen(line));
	return 0;
}

/* "pattern: number", the pattern perhaps in quotes; cuts the line in two. */
static int split_pair(char *line, char **key, char **value)
{
	char *colon = NULL;
	size_t len;

	for (char *p = line; (p = strstr(p, ": ")); p++)
		colon = p;
	if (!colon)
		return -1;
	*colon = '\0';
	*value = colon + 2 + strspn(colon + 2, " ");
	len = strlen(line);
	if (len > 1 && (*line == '\'' || *line == '"') && line[len - 1] == *line) {
		line[len - 1] = '\0';
		line++;
	}
	*key = line;
	return **value ? 0 : -1;
}

static int take_floor(struct rules *r, void *to, char *line)
{
	char *key, *value, *end;
	struct floor f = { .has_delta = false };

	if (split_pair(line, &key, &value) == -1)
		return -1;
	f.max = number_int(strtoll(value, &end, 10));
	if (*end) {
		f.max = number_float(strtod(value, &end));
		if (*end)
			return -1;
	} else {
		/* Only a floor that is written as an integer asks for half of
		 * it as the difference, rounded down. */
		f.has_delta = true;
		f.delta = number_int((int64_t)floor((double)f.max.i / 2));
	}
	pattern_add(to, key);
	rules_add_floor(r, f);
	return 0;
}

static int take_direction(struct rules *r, void *to, char *line)
{
	size_t n = r->directed.n;
	char *key, *value;

	if (split_pair(line, &key, &value) == -1)
		return -1;
	r->better = arena_grow(&r->arena, r->better, &r->better_cap, n + 1,
			       sizeof(*r->better));
	r->better[n] = strtod(value, NULL) < 0 ? BETTER_LOWER : BETTER_HIGHER;
	pattern_add(to, key);
	pattern_add(&r->strict, key);
	return 0;
}

/* Does programs/NAME hold "file"?  A daemon must be executable to count. */
static bool program_has(struct rules *r, const char *dir, const char *name,
			const char *file, int mode)
{
	return access(arena_printf(&r->arena, "%s/programs/%s/%s", dir, name,
				   file), mode) == 0;
}

/*
 * programs/X/run makes X a test.  Small changes count for tests whose output
 * is parsed; in the reference's words, all others are "functional".
 */
static void add_program(struct rules *r, const char *dir, const char *name)
{
	bool run = program_has(r, dir, name, "run", F_OK);

	if (!run && !program_has(r, dir, name, "daemon", X_OK))
		return;
	rules_add_test(&r->test, name, strlen(name));
	if (!run || !program_has(r, dir, name, "parse", F_OK))
		rules_add_test(&r->functional, name, strlen(name));
}

static int read_programs(struct rules *r, const char *dir, struct err *err)
{
	const char *path = arena_printf(&r->arena, "%s/programs", dir);
	DIR *d = opendir(path);
	struct dirent *e;
	size_t n = 0;

	if (!d)
		return err_sys(err, "cannot open '%s'", path);
	while ((e = readdir(d)) && n++ < PROGRAMS_MAX)
		if (*e->d_name != '.')
			add_program(r, dir, e->d_name);
	closedir(d);
	return 0;
}

int rules_read_lkp(struct rules *r, const char *dir, struct err *err)
{
	const struct {
		const char *file;
		int (*take)(struct rules *r, void *to, char *line);
		void *to;
	} files[] = {
		{ "failure", take_pattern, &r->failure },
		{ "pass", take_pattern, &r->pass },
		{ "stat-denylist", take_pattern, &r->noise },
		{ "stat-allowlist", take_pattern, &r->keep },
		{ "report-allowlist", take_pattern, &r->keep },
		{ "perf-metrics-patterns", take_pattern, &r->sensitive },
		{ "perf-metrics-prefixes", take_pattern, &r->sensitive_start },
		{ "perf-metrics-threshold.yaml", take_floor, &r->floor_name },
		{ "index-perf-all.yaml", take_direction, &r->directed },
		{ "index-latency-all.yaml", take_direction, &r->directed },
		{ "linux-test-cases", take_name, &r->functional },
		{ "other-test-cases", take_name, &r->functional },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (each_line(r, dir, files[i].file, files[i].take,
			      files[i].to, err) == -1)
			return -1;
	*strmap_put(&r->never_kpi, "vm-scalability.stddev", 21) = r;
	*strmap_put(&r->never_kpi, "unixbench.incomplete_result", 27) = r;
	return read_programs(r, dir, err);
}
