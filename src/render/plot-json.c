#include "render/plot-json.h"

#include <string.h>

#include "base/buf.h"
#include "render/plot-choose.h"

/* A plot is text of 20 lines. */
enum { PLOT_MAX = 1 << 16 };

/* The text without its last newline, which is the template's. */
static json_t *one_plot(const struct report *r, const struct row *row,
			enum plot_style style)
{
	struct buf out = BUF_INIT(PLOT_MAX);
	struct arena a = ARENA_INIT;
	json_t *v;

	plot_row_text(&out, &a, r->group, row, r->side, r->results->facts,
		      style);
	v = json_pack("{s:o, s:o}", "stat", json_text(row->name), "text",
		      json_stringn(out.s, out.len ? out.len - 1 : 0));
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
	for (size_t i = 0; i < rows.n; i++) {
		json_t *v = one_plot(r, rows.row[i],
				     classic ? PLOT_CLASSIC : PLOT_TREND);

		json_object_set_new(v, "first", json_boolean(i == 0));
		json_object_set_new(v, "last", json_boolean(i + 1 == rows.n));
		json_array_append_new(list, v);
	}
	json_object_set_new(data, "plots", list);
	json_object_set_new(data, "legend", classic && rows.n ?
		json_string("[*] bisect-good sample\n"
			    "[O] bisect-bad  sample") : json_null());
	arena_release(&a);
}
