#include "render/table.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/strmap.h"
#include "base/utf8.h"
#include "render/table-cell.h"
#include "report/report.h"

enum { FIRST_WIDTH = 16, SIDE_WIDTH = 28, RULE = 89, NAME_DIGITS = 10 };
enum { PIECE = 8192 };	/* of what is printed at once */

static bool is_lkp(const struct comparison *c)
{
	return c->options.style == COMPARE_LKP;
}

static void add_inert(struct buf *out, const char *s)
{
	utf8_inert(out, s, strlen(s), false);
}

static void add_times(struct buf *out, char c, size_t n)
{
	while (n--)
		buf_addch(out, c);
}

/* --- The head. --------------------------------------------------------------- */

static bool is_hash(const char *s)
{
	size_t n = strspn(s, "0123456789abcdef");

	return n >= 20 && !s[n];
}

void table_side_name(struct buf *out, const struct side *s)
{
	if (s->label)
		add_inert(out, s->label);
	else if (is_hash(s->name))
		buf_add(out, s->name, NAME_DIGITS);
	else
		add_inert(out, s->name);
}

static const char *long_name(const struct side *s)
{
	return s->label ? s->label : s->name;
}

static void add_axes(struct buf *out, const struct axis *axis, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_addstr(out, i ? "/" : "");
		add_inert(out, axis[i].key);
	}
	buf_addstr(out, ":\n  ");
	for (size_t i = 0; i < n; i++) {
		buf_addstr(out, i ? "/" : "");
		add_inert(out, axis[i].value);
	}
	buf_addstr(out, "\n\n");
}

static bool is_compared(const struct comparison *c, const char *key)
{
	const char *const *a = c->options.axis;

	if (!a)
		return !strcmp(key, "commit");
	for (; *a; a++)
		if (!strcmp(*a, key))
			return true;
	return false;
}

/* Has the side an axis that says more than its name? */
static bool has_more_axes(const struct comparison *c, const struct side *s)
{
	const struct result *r = s->result;

	for (size_t i = 0; i < r->naxis; i++)
		if (!is_compared(c, r->axis[i].key))
			return true;
	return is_lkp(c);
}

static void add_common_axes(struct buf *out, const struct comparison *c,
			    const struct group *g)
{
	if (g->naxis) {
		add_axes(out, g->axis, g->naxis);
		return;
	}
	for (size_t i = 0; i < g->nside; i++)
		if (has_more_axes(c, &g->side[i]))
			add_axes(out, g->side[i].result->axis,
				 g->side[i].result->naxis);
}

/* "commit", or what those of all sides that are none are. */
static const char *kind_of_sides(const struct comparison *c,
				 const struct group *g)
{
	const char *kind = side_kind(&g->side[0]);

	for (size_t i = 1; i < g->nside; i++)
		if (strcmp(side_kind(&g->side[i]), kind))
			return "commit";
	return is_lkp(c) ? "commit" : kind;
}

static void add_compared_keys(struct buf *out, const struct comparison *c,
			      const struct group *g)
{
	const struct result *r = g->side[0].result;
	bool any = false;

	for (size_t i = 0; i < r->naxis; i++)
		if (is_compared(c, r->axis[i].key)) {
			const char *key = r->axis[i].key;

			buf_addstr(out, any ? "/" : "");
			add_inert(out, strcmp(key, "commit") ? key :
				  kind_of_sides(c, g));
			any = true;
		}
	if (!any && !is_lkp(c))
		buf_addstr(out, "file");
	buf_addstr(out, ": \n");
}

static void add_side_line(struct buf *out, const struct comparison *c,
			  const struct side *s, bool subjects,
			  const char *role)
{
	buf_addstr(out, "  ");
	if (!subjects || !s->subject) {
		add_inert(out, long_name(s));
	} else {
		table_side_name(out, s);
		buf_addstr(out, " (\"");
		add_inert(out, s->subject);
		buf_addstr(out, "\")");
	}
	if (role)
		buf_addf(out, "  <- %s", role);
	if (!is_lkp(c) && s->incomplete)
		buf_addf(out, "   (%zu of %zu runs did not complete: left out)",
			 s->incomplete, s->runs);
	buf_addch(out, '\n');
}

/* Right-aligned in "width" columns, cut at its end. */
static void add_column_name(struct buf *out, const char *name, size_t width)
{
	size_t len = strlen(name), fit = utf8_fit(name, len, width);
	size_t used = utf8_width(name, fit);

	add_times(out, ' ', used < width ? width - used : 0);
	utf8_inert(out, name, fit, false);
	buf_addch(out, ' ');
}

static size_t column_width(const struct comparison *c, size_t side)
{
	if (side == 0)
		return FIRST_WIDTH;
	return c->options.era && c->options.era <= 2019 ? SIDE_WIDTH - 2 :
							  SIDE_WIDTH - 1;
}

void table_head(struct buf *out, const struct comparison *c,
		const struct group *g, bool subjects,
		const char *const *role)
{
	subjects |= !is_lkp(c);
	add_times(out, '=', RULE);
	buf_addch(out, '\n');
	add_common_axes(out, c, g);
	add_compared_keys(out, c, g);
	for (size_t i = 0; i < g->nside; i++)
		add_side_line(out, c, &g->side[i], subjects,
			      role ? role[i] : NULL);
	buf_addch(out, '\n');
	for (size_t i = 0; i < g->nside; i++)
		add_column_name(out, long_name(&g->side[i]),
				column_width(c, i));
	buf_addch(out, '\n');
	for (size_t i = 0; i < g->nside; i++) {
		add_times(out, '-', column_width(c, i));
		buf_addch(out, ' ');
	}
	buf_addch(out, '\n');
}

/* --- Rows. --------------------------------------------------------------------- */

static void add_titles(struct buf *out, const struct group *g,
		       enum row_kind kind)
{
	static const char *const text[2][4] = {
		[ROW_FAILURE] = { "       fail:runs",
				  "  %reproduction    fail:runs",
				  "           |    ",
				  "         |             |    " },
		[ROW_PERF] = { "         %stddev",
			       "     %change         %stddev",
			       "             \\  ",
			       "        |                \\  " },
	};

	for (int line = 0; line < 4; line += 2) {
		buf_addstr(out, text[kind][line]);
		for (size_t i = 1; i < g->nside; i++)
			buf_addstr(out, text[kind][line + 1]);
		buf_addch(out, '\n');
	}
}

static void add_cells(struct buf *out, const struct comparison *c,
		      const struct group *g, const struct row *row, bool ascii)
{
	if (is_lkp(c))
		cells_lkp(out, row, g->nside, c->options.era, ascii);
	else
		cells_default(out, row, g->nside, ascii);
}

/* Which sides have fewer values than runs that completed? */
static void add_missing(struct buf *out, const struct group *g,
			const struct row *row)
{
	bool differs = false;

	for (size_t i = 0; i < g->nside; i++) {
		const struct figure *f = &row->figure[i];

		differs |= f->n && !f->in_process &&
			   f->n != f->runs - f->left_out;
	}
	if (!differs || row->kind == ROW_FAILURE)
		return;
	buf_addstr(out, "  [");
	for (size_t i = 0; i < g->nside; i++) {
		const struct figure *f = &row->figure[i];

		buf_addf(out, "%s%zu of %zu", i ? ", " : "", f->n,
			 f->runs - f->left_out);
	}
	buf_addstr(out, " runs]");
}

void table_row(struct buf *out, const struct comparison *c,
	       const struct group *g, const struct row *row, const char *note,
	       bool ascii)
{
	row = comparison_row(c, g, row);
	add_cells(out, c, g, row, ascii);
	buf_addstr(out, "  ");
	add_inert(out, row->name);
	if (!is_lkp(c))
		add_missing(out, g, row);
	if (note)
		buf_addf(out, "  [%s]", note);
	buf_addch(out, '\n');
}

static void add_rows_of_kind(struct buf *out, const struct comparison *c,
			     const struct group *g,
			     const struct row *const *row,
			     const char *const *note, size_t n,
			     enum row_kind kind, bool ascii)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (row[i]->kind != kind)
			continue;
		if (!any && !c->options.compact)
			add_titles(out, g, kind);
		any = true;
		table_row(out, c, g, row[i], note ? note[i] : NULL, ascii);
	}
}

void table_rows(struct buf *out, const struct comparison *c,
		const struct group *g, const struct row *const *row,
		const char *const *note, size_t n, bool ascii)
{
	add_rows_of_kind(out, c, g, row, note, n, ROW_FAILURE, ascii);
	add_rows_of_kind(out, c, g, row, note, n, ROW_PERF, ascii);
}

/* Reruns differ more than repetitions: readers must know which they see. */
static void add_in_process(struct buf *out, const struct group *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->nrow; i++)
		n += g->row[i].in_process;
	if (!n)
		return;
	if (n == g->nrow)
		buf_addstr(out, "all rows");
	else
		buf_addf(out, "%zu of %zu rows", n, g->nrow);
	buf_addstr(out, ": repetitions inside one process, no reruns\n");
}

void table_notes(struct buf *out, const struct comparison *c,
		 const struct group *g)
{
	for (size_t i = 0; i < g->none_sided; i++) {
		const struct one_sided *o = &g->one_sided[i];
		const char *comma = "";

		add_inert(out, o->monitor);
		buf_addstr(out, ": no data of ");
		for (size_t j = 0; j < g->nside; j++) {
			if (o->ran[j])
				continue;
			buf_addstr(out, comma);
			table_side_name(out, &g->side[j]);
			comma = ", ";
		}
		buf_addf(out, " (%zu row%s left out)\n", o->rows,
			 o->rows == 1 ? "" : "s");
	}
	if (!is_lkp(c))
		add_in_process(out, g);
}

/* --- Groups. ---------------------------------------------------------------- */

static void add_compact_head(struct buf *out, const struct group *g)
{
	for (size_t i = 0; i < g->naxis; i++) {
		buf_addstr(out, i ? "/" : "");
		add_inert(out, g->axis[i].key);
		buf_addch(out, '=');
		add_inert(out, g->axis[i].value);
	}
	buf_addch(out, '\n');
}

/* Where a whole table goes: all into "out", or from there to "print". */
struct sheet {
	struct buf *out;
	int (*print)(const char *text, size_t len);	/* may be NULL */
	int rc;
};

static void print_all(struct sheet *s)
{
	if (s->print && !s->rc)
		s->rc = s->print(s->out->s, s->out->len);
	if (s->print)
		buf_reset(s->out);
}

static void print_some(struct sheet *s)
{
	if (s->out->len >= PIECE)
		print_all(s);
}

static void add_group(struct sheet *sheet, const struct comparison *c,
		      const struct group *g, bool ascii)
{
	struct buf *out = sheet->out;

	if (!g->nrow && !g->none_sided && !c->options.show_empty)
		return;
	if (c->options.compact)
		add_compact_head(out, g);
	else
		table_head(out, c, g, false, NULL);
	for (int kind = ROW_FAILURE; kind <= ROW_PERF; kind++) {
		bool any = false;

		for (size_t i = 0; i < g->nrow; i++) {
			if (g->row[i].kind != (enum row_kind)kind)
				continue;
			if (!any && !c->options.compact)
				add_titles(out, g, g->row[i].kind);
			any = true;
			table_row(out, c, g, &g->row[i], NULL, ascii);
			print_some(sheet);
		}
	}
	table_notes(out, c, g);
	buf_addch(out, '\n');
}

/* The axes' values, as the reference names a group in a table by stat. */
static void add_group_name(struct buf *out, const struct group *g)
{
	for (size_t i = 0; i < g->naxis; i++) {
		buf_addstr(out, i ? "/" : "");
		add_inert(out, g->axis[i].value);
	}
}

static void add_stat(struct sheet *sheet, const struct comparison *c,
		     const char *name, size_t first, bool ascii)
{
	struct buf *out = sheet->out;

	add_inert(out, name);
	buf_addstr(out, ":\n");
	for (size_t i = first; i < c->ngroup; i++) {
		const struct group *g = &c->group[i];

		for (size_t j = 0; j < g->nrow; j++) {
			if (strcmp(g->row[j].name, name))
				continue;
			add_cells(out, c, g, comparison_row(c, g, &g->row[j]),
				  ascii);
			buf_addstr(out, "  ");
			add_group_name(out, g);
			buf_addch(out, '\n');
			print_some(sheet);
		}
	}
}

/* Every stat once, in order of appearance, a line for each group. */
static void add_by_stat(struct sheet *sheet, const struct comparison *c,
			bool ascii)
{
	struct arena a = ARENA_INIT;
	struct strmap seen;

	strmap_init(&seen, &a);
	for (size_t i = 0; i < c->ngroup; i++)
		for (size_t j = 0; j < c->group[i].nrow; j++) {
			const char *name = c->group[i].row[j].name;
			void **known = strmap_put(&seen, name, strlen(name));

			if (*known)
				continue;
			*known = &seen;
			add_stat(sheet, c, name, i, ascii);
		}
	arena_release(&a);
}

static void add_comparison(struct sheet *sheet, const struct comparison *c,
			   bool ascii)
{
	if (c->options.by_stat) {
		add_by_stat(sheet, c, ascii);
		return;
	}
	for (size_t i = 0; i < c->ngroup; i++)
		add_group(sheet, c, &c->group[i], ascii);
}

void table_comparison(struct buf *out, const struct comparison *c, bool ascii)
{
	struct sheet sheet = { .out = out };

	add_comparison(&sheet, c, ascii);
}

int table_print(const struct comparison *c, bool ascii,
		int (*print)(const char *text, size_t len))
{
	struct buf out = BUF_INIT(SIZE_MAX);
	struct sheet sheet = { .out = &out, .print = print };

	add_comparison(&sheet, c, ascii);
	print_all(&sheet);
	buf_release(&out);
	return sheet.rc;
}
