#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "data/scan.h"
#include "result/build.h"
#include "result/readers.h"

#define NAME_MAX_BYTES ((size_t)65536)
#define WARNINGS_MAX 10

struct matrix {
	struct results *rs;
	struct result *r;
	struct scan *s;
	struct buf name;	/* of the row */
	bool name_mended;
	struct cells cells;
	size_t first, last;	/* lengths of rows; first is SIZE_MAX at first */
	size_t longest;
	size_t bad;
};

static void warn_row(struct matrix *m, int line, const char *why)
{
	if (m->bad++ < WARNINGS_MAX)
		log_warn("%s:%d: row '%.200s' left out: %s", scan_name(m->s),
			 line, m->name.s, why);
}

/* The paths of the runs; what is no text (see unite.c) has none. */
static int read_source(struct matrix *m, enum scan_token token)
{
	struct result *r = m->r;
	size_t cap = 0;

	if (token != SCAN_ARRAY) {
		warn_row(m, scan_line(m->s), "no list");
		return scan_skip(m->s, token);
	}
	if (r->has_source) {
		warn_row(m, scan_line(m->s), "it stands twice");
		return scan_skip(m->s, token);
	}
	r->has_source = true;
	for (r->runs = 0;; r->runs++) {
		token = scan_next(m->s);
		if (token == SCAN_ARRAY_END)
			return 0;
		if (scan_skip(m->s, token) == -1)
			return -1;
		r->run_source = arena_grow(&m->rs->arena, r->run_source, &cap,
					   r->runs + 1, sizeof(char *));
		if (token == SCAN_TEXT)
			r->run_source[r->runs] = arena_strdup(&m->rs->arena,
						scan_text(m->s, NULL));
	}
}

/* A value into m->cells: a list, or a number alone (stats.json). */
static int read_cells(struct matrix *m, enum scan_token token)
{
	cells_reset(&m->cells);
	if (token == SCAN_ARRAY)
		return scan_cells(m->s, &m->cells);
	if (token == SCAN_INT)
		cells_add(&m->cells, CELL_INT, scan_number(m->s));
	else if (token == SCAN_FLOAT)
		cells_add(&m->cells, CELL_FLOAT, scan_number(m->s));
	else if (token == SCAN_NULL)
		cells_add_other(&m->cells, CELL_NONE);
	else
		cells_add_other(&m->cells, CELL_TEXT);
	return scan_skip(m->s, token);
}

static void note_length(struct matrix *m)
{
	m->last = m->cells.n;
	if (m->first == SIZE_MAX)
		m->first = m->last;
	if (m->longest < m->last)
		m->longest = m->last;
}

/* The runs are as many as their sources, whatever the rows hold. */
static void warn_of_length(const struct matrix *m)
{
	if (m->r->has_source && m->longest > m->r->runs)
		log_warn("%s: a row has %zu values, stats_source names %zu "
			 "run%s", scan_name(m->s), m->longest, m->r->runs,
			 m->r->runs == 1 ? "" : "s");
}

static int read_row(struct matrix *m, enum scan_token token)
{
	int line = scan_line(m->s);
	const char *odd = "no list of numbers";
	struct series *s;

	if (read_cells(m, token) == -1)
		return -1;
	note_length(m);
	s = result_add(m->rs, m->r, m->name.s, m->name.len);
	if (!s) {
		const struct series *twice = result_series(m->r, m->name.s);

		m->r->series[twice - m->r->series].bad = true;
		warn_row(m, line, "it stands twice");
		return 0;
	}
	series_set(&m->rs->arena, s, &m->cells);
	if (m->cells.n > SERIES_MAX)
		odd = "too many values";
	else if (s->bad && token == SCAN_ARRAY)
		odd = scan_first_odd(m->s, &line);
	if (s->bad)
		warn_row(m, line, odd);
	else if (m->name_mended)
		warn_row(m, line, "its name is no UTF-8");
	s->bad |= m->name_mended;
	return 0;
}

static int read_member(struct matrix *m)
{
	const char *name;
	size_t len;

	name = scan_text(m->s, &len);
	m->name_mended = scan_text_mended(m->s);
	buf_reset(&m->name);
	buf_add(&m->name, name, len < NAME_MAX_BYTES ? len : NAME_MAX_BYTES);
	if (!strcmp(m->name.s, "stats_source"))
		return read_source(m, scan_next(m->s));
	return read_row(m, scan_next(m->s));
}

static int read_members(struct matrix *m)
{
	for (;;) {
		enum scan_token token = scan_next(m->s);

		if (token == SCAN_OBJECT_END)
			return 0;
		if (token == SCAN_ERROR || read_member(m) == -1)
			return -1;
	}
}

int read_matrix(struct results *rs, struct result *r, struct scan *s,
		struct err *err)
{
	struct matrix m = { .rs = rs, .r = r, .s = s, .first = SIZE_MAX,
			    .name = BUF_INIT(NAME_MAX_BYTES) };
	int rc;

	scan_take_infinity(s, rs->takes_infinity);
	rc = read_members(&m);
	scan_take_infinity(s, false);

	if (rc == -1)
		scan_fail(s, err);
	else if (!rs->takes_infinity)	/* LKP's style has it so */
		warn_of_length(&m);
	if (!r->has_source && m.first != SIZE_MAX)
		r->runs = m.first > m.last ? m.first : m.last;
	if (m.bad > WARNINGS_MAX)
		log_warn("%s: %zu more rows left out", scan_name(s),
			 m.bad - WARNINGS_MAX);
	buf_release(&m.name);
	cells_release(&m.cells);
	return rc;
}
