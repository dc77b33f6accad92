#include "render/text.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "data/conf.h"
#include "render/box.h"
#include "render/plot-choose.h"
#include "render/table.h"
#include "report/facts.h"
#include "render/plot-json.h"

#define TEXT_MAX ((size_t)64 << 20)

/* The operator's text; null when it is empty. */
static json_t *conf_json(const struct conf *conf, const char *key)
{
	const char *text = conf_text(conf, key);

	return text && *text ? json_text(text) : json_null();
}

static json_t *operator_json(const struct conf *conf)
{
	const char *const *list = conf_list(conf, "lists");
	json_t *lists = json_array();

	for (; *list; list++)
		json_array_append_new(lists, json_text(*list));
	return json_pack("{sososososososo}",
			 "name", conf_json(conf, "operator.name"),
			 "address", conf_json(conf, "operator.address"),
			 "lists", lists,
			 "archive", conf_json(conf, "archive.url"),
			 "disclaimer", conf_json(conf, "disclaimer"),
			 "sign_off", conf_json(conf, "sign_off"),
			 "footer", conf_json(conf, "footer"));
}

/* The change as the set's option "sign" wants it in sentences: "-8.7%",
 * or where that is false "8.7%". */
static void set_shown(json_t *statement, const json_t *option)
{
	const json_t *change = json_object_get(statement, "change");
	const char *form = "minus";

	if (json_is_false(json_object_get(option, "sign")))
		form = "size";
	if (!json_is_true(json_object_get(statement, "is_judged")))
		form = "text";
	json_object_set(statement, "shown", json_object_get(change, form));
}

/* A text of many lines as a value: its last newline is the template's. */
static json_t *block(struct buf *b)
{
	size_t len = b->len;
	json_t *v;

	while (len && b->s[len - 1] == '\n')
		len--;
	v = len ? json_stringn(b->s, len) : json_null();
	buf_release(b);
	return v ? v : json_null();
}

static void add_box(json_t *data)
{
	struct buf box = BUF_INIT(TEXT_MAX);

	box_text(&box, json_object_get(data, "impacts"));
	json_object_set_new(data, "box", block(&box));
}

/* Each group's table with the rows that go into the mail. */
static void add_tables(json_t *data, const struct report *r,
		       const json_t *option, bool ascii)
{
	json_t *groups = json_object_get(data, "groups");
	bool subjects = !json_is_false(json_object_get(option, "subjects"));

	for (size_t i = 0; i < r->nbody; i++) {
		const struct body *body = &r->body[i];
		struct buf b = BUF_INIT(TEXT_MAX);

		table_head(&b, r->comparison, body->group, subjects);
		table_rows(&b, r->comparison, body->group, body->row, body->n,
			   ascii);
		table_notes(&b, body->group);
		json_object_set_new(json_array_get(groups, i), "table",
				    block(&b));
	}
}

static enum plot_style plot_style(const json_t *option,
				  const struct text_options *o)
{
	const char *style = o->plot_style;

	if (!style)
		style = json_member_text(option, "plot_style");
	return style && !strcmp(style, "classic") ? PLOT_CLASSIC : PLOT_TREND;
}

/* One plot: blanks at the ends of its lines cut, as mails have it. */
static json_t *plot_json(const struct row *row, struct buf *drawn)
{
	struct buf b = BUF_INIT(TEXT_MAX);
	const char *s = drawn->s;

	while (*s) {
		size_t len = strcspn(s, "\n"), used = len;

		while (used && s[used - 1] == ' ')
			used--;
		buf_add(&b, s, used);
		buf_addch(&b, '\n');
		s += len + (s[len] == '\n');
	}
	buf_release(drawn);
	return json_pack("{soso}", "stat", json_text(row->name), "text",
			 block(&b));
}

static void add_plots(json_t *data, const struct report *r,
		      const json_t *option, const struct text_options *o)
{
	enum plot_style style = plot_style(option, o);
	json_t *list = json_array(), *legend = json_null();
	struct arena a = ARENA_INIT;
	struct plot_rows rows;

	plot_rows_report(&rows, &a, r, o->plots);
	for (size_t i = 0; i < rows.n; i++) {
		struct buf b = BUF_INIT(TEXT_MAX);

		plot_row_text(&b, &a, r->group, rows.row[i], r->side,
			      r->results->facts, style);
		if (b.len)
			json_array_append_new(list, plot_json(rows.row[i], &b));
		buf_release(&b);
	}
	list_mark_ends(list);
	if (json_array_size(list))
		legend = json_string("[*] bisect-good sample\n"
				     "[O] bisect-bad  sample");
	json_object_set_new(data, "plots", list);
	json_object_set_new(data, "legend", legend);
	arena_release(&a);
}

/* "[still regression on linus/master      HASH]": branches in a column. */
static void add_padding(json_t *data)
{
	json_t *heads = json_object_get(data, "heads"), *head;
	size_t width = 17, i;	/* "linux-next/master" */

	json_array_foreach(heads, i, head) {
		const char *branch = json_member_text(head, "branch");
		struct buf b = BUF_INIT(TEXT_MAX);

		buf_addf(&b, "%-*s", (int)width, branch ? branch : "");
		json_object_set_new(head, "padded",
				    json_stringn(b.s, b.len));
		buf_release(&b);
	}
}

static void add_texts(json_t *data, const struct report *r,
		      const json_t *option, const struct text_options *o)
{
	json_t *impact;
	size_t i;

	set_shown(json_object_get(data, "headline"), option);
	json_array_foreach(json_object_get(data, "impacts"), i, impact)
		set_shown(impact, option);
	add_box(data);
	add_padding(data);
	add_tables(data, r, option, o->ascii);
	add_plots(data, r, option, o);
}

int text_open(struct text *t, const struct report *r,
	      const struct text_options *o, struct err *err)
{
	const char *own = conf_text(o->conf, "templates");

	*t = (struct text){ .data = NULL };
	if (template_set_open(&t->set, o->template, own, o->era, err) == -1)
		return -1;
	for (size_t i = 0; o->set && o->set[i]; i++)
		if (template_set_option(&t->set, o->set[i], err) == -1)
			return -1;
	t->data = report_json(r);
	json_object_set(t->data, "option", t->set.option);
	json_object_set_new(t->data, "operator", operator_json(o->conf));
	json_object_set_new(t->data, "message_id", json_text(o->message_id));
	add_texts(t->data, r, t->set.option, o);
	plot_json(t->data, r, json_member_text(t->set.option, "plot_style"),
		  plots_max(t->set.option));
	return 0;
}

void text_release(struct text *t)
{
	json_decref(t->data);
	template_set_release(&t->set);
	t->data = NULL;
}

int text_render(const struct text *t, const char *name, struct buf *out,
		struct err *err)
{
	return template_set_render(&t->set, name, t->data, false, out, err);
}
