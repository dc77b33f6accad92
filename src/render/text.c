#include "render/text.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"
#include "data/conf.h"
#include "render/box.h"
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

static void add_texts(json_t *data, const json_t *option)
{
	json_t *impacts = json_object_get(data, "impacts"), *impact;
	struct buf box = BUF_INIT(TEXT_MAX);
	size_t i;

	set_shown(json_object_get(data, "headline"), option);
	json_array_foreach(impacts, i, impact)
		set_shown(impact, option);
	box_text(&box, impacts);
	json_object_set_new(data, "box", block(&box));
}

static size_t plots_max(const json_t *option)
{
	json_int_t n = json_integer_value(json_object_get(option, "plots"));

	return n > 0 ? (size_t)n : 0;
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
	add_texts(t->data, t->set.option);
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
