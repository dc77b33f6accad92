#include "render/plot-json.h"

#include <string.h>

#include "base/buf.h"
#include "render/plot-choose.h"
#include "render/plot-row.h"
#include "render/plot-trend.h"
#include "report/facts.h"

/* A plot is text of 20 lines. */
enum { PLOT_MAX = 1 << 16 };

/* The lines without the blanks at their ends, and without the last newline,
 * which is the template's. */
static void cut_ends(struct buf *out, const char *s)
{
	while (*s) {
		size_t len = strcspn(s, "\n"), used = len;

		while (used && s[used - 1] == ' ')
			used--;
		buf_add(out, s, used);
		s += len;
		if (s[0] == '\n' && s[1])
			buf_addch(out, '\n');
		s += *s == '\n';
	}
}

static json_t *one_plot(const struct report *r, const struct row *row,
			bool classic)
{
	struct buf out = BUF_INIT(PLOT_MAX), cut = BUF_INIT(PLOT_MAX);
	struct arena a = ARENA_INIT;
	struct plot p;
	json_t *v;

	if (classic) {
		plot_row_classic(&out, &a, row, r->side);
	} else {
		plot_of_row(&p, &a, r->group, row, r->side, r->results->facts);
		plot_trend(&out, &p);
	}
	cut_ends(&cut, out.s);
	v = json_pack("{s:o, s:o}", "stat", json_text(row->name), "text",
		      json_stringn(cut.s, cut.len));
	buf_release(&cut);
	buf_release(&out);
	arena_release(&a);
	return v;
}

void plot_json(json_t *data, const struct report *r, const char *style,
	       size_t max)
{
	bool classic = style && !strcmp(style, "classic");
	struct arena a = ARENA_INIT;
	struct plot_rows rows;
	json_t *list = json_array();

	plot_rows_report(&rows, &a, r, max);
	for (size_t i = 0; i < rows.n; i++)
		json_array_append_new(list, one_plot(r, rows.row[i], classic));
	list_mark_ends(list);
	json_object_set_new(data, "plots", list);
	json_object_set_new(data, "legend", classic && rows.n ?
		json_string("[*] bisect-good sample\n"
			    "[O] bisect-bad  sample") : json_null());
	arena_release(&a);
}
