#include "render/text.h"

#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/utf8.h"
#include "data/conf.h"
#include "render/box.h"
#include "render/table.h"
#include "report/facts.h"
#include "report/words.h"
#include "render/plot-json.h"

#define TEXT_MAX ((size_t)64 << 20)

/* The operator's text without the newlines at its end, which YAML's "|" leaves;
 * null when it is empty. */
static json_t *conf_json(const struct conf *conf, const char *key)
{
	const char *text = conf_text(conf, key);
	size_t len = text ? strlen(text) : 0;

	while (len && text[len - 1] == '\n')
		len--;
	return len ? json_stringn(text, len) : json_null();
}

/* A URL of the configuration with "%s" filled in; null when there is none. */
static json_t *url_json(const struct conf *conf, const char *key,
			const char *what)
{
	const char *url = conf_text(conf, key), *place;
	struct buf b = BUF_INIT(4096);
	json_t *v;

	if (!url || !*url || !what)
		return json_null();
	place = strstr(url, "%s");
	if (place)
		buf_addf(&b, "%.*s%s%s", (int)(place - url), url, what,
			 place + 2);
	else
		buf_addstr(&b, url);
	v = json_text(b.s);
	buf_release(&b);
	return v;
}

/* Where the report's files and the report itself are to be had. */
static void add_places(json_t *data, const struct text_options *o)
{
	struct buf path = BUF_INIT(4096);
	time_t now = (time_t)clock_now();
	char date[16] = "";
	struct tm tm;

	if (gmtime_r(&now, &tm))
		strftime(date, sizeof(date), "%Y%m%d", &tm);
	buf_addf(&path, "%s/%s", date, o->message_id ? o->message_id : "");
	if (json_is_null(json_object_get(data, "archive")))
		json_object_set_new(data, "archive", url_json(
			o->conf, "archive.url",
			o->message_id ? path.s : NULL));
	if (json_is_null(json_object_get(data, "closes")))
		json_object_set_new(data, "closes", url_json(
			o->conf, "archive.mail", o->message_id));
	buf_release(&path);
}

static json_t *operator_json(const struct text_options *o)
{
	const struct conf *conf = o->conf;
	const char *const *list = conf_list(conf, "lists");
	json_t *lists = json_array();

	for (; *list; list++)
		json_array_append_new(lists, json_text(*list));
	return json_pack("{sosososososo}",
			 "name", conf_json(conf, "operator.name"),
			 "address", o->address ? json_text(o->address) :
				conf_json(conf, "operator.address"),
			 "lists", lists,
			 "disclaimer", conf_json(conf, "disclaimer"),
			 "sign_off", conf_json(conf, "sign_off"),
			 "footer", conf_json(conf, "footer"));
}

/* The change as the set's option "sign" wants it in sentences: "-8.7%",
 * or where that is false "8.7%"; and its article. */
static void set_shown(json_t *statement, const json_t *option)
{
	const json_t *change = json_object_get(statement, "change");
	const char *form = "minus";

	if (json_is_false(json_object_get(option, "sign")))
		form = "size";
	if (!json_is_true(json_object_get(statement, "is_judged")))
		form = "text";
	json_object_set(statement, "shown", json_object_get(change, form));
	json_object_set_new(statement, "article", json_string(
		json_is_false(json_object_get(option, "article")) ? "a" :
		words_article(json_member_text(statement, "shown"))));
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

/* "3, 4": the findings that speak of a row, but for those on what the whole
 * report is about; NULL. */
static const char *marks_of(const struct report *r, const char *name,
			    struct arena *a)
{
	const char *marks = NULL;

	for (size_t i = 0; i < r->nfinding; i++) {
		const struct finding *f = &r->finding[i];
		const char *const *stat = f->stat;

		if (f->kind == FINDING_DIRECTION || f->kind == FINDING_REAL)
			continue;
		while (*stat && strcmp(*stat, name))
			stat++;
		if (*stat)
			marks = arena_printf(a, "%s%s%zu", marks ? marks : "",
					     marks ? ", " : "", i + 1);
	}
	return marks;
}

/* What stands behind the rows of the headline's group. */
static const char *const *marks(const struct report *r, const struct body *b,
				const json_t *option, struct arena *a)
{
	const char **mark;

	if (b->group != r->group ||
	    !json_is_true(json_object_get(option, "marks")))
		return NULL;
	mark = arena_array(a, b->n, sizeof(*mark));
	for (size_t i = 0; i < b->n; i++)
		mark[i] = marks_of(r, b->row[i]->name, a);
	return mark;
}

/* Each group's table with the rows that go into the mail. */
static void add_tables(json_t *data, const struct report *r,
		       const json_t *option, bool ascii)
{
	json_t *groups = json_object_get(data, "groups");
	bool subjects = json_is_true(json_object_get(option, "subjects"));
	bool roles = json_is_true(json_object_get(option, "roles"));

	for (size_t i = 0; i < r->nbody; i++) {
		const struct body *body = &r->body[i];
		const struct group *g = body->group;
		struct buf b = BUF_INIT(TEXT_MAX);
		struct arena a = ARENA_INIT;
		const char **role = arena_array(&a, g->nside, sizeof(*role));

		for (size_t k = 0; k < g->nside; k++)
			role[k] = commit_role(r, g, k);
		table_head(&b, r->comparison, g, subjects,
			   roles ? role : NULL);
		table_rows(&b, r->comparison, g, body->row,
			   marks(r, body, option, &a), body->n, ascii);
		table_notes(&b, r->comparison, g);
		arena_release(&a);
		json_object_set_new(json_array_get(groups, i), "table",
				    block(&b));
	}
}

/* The command line's words on plots, else the set's. */
static void add_plots(json_t *data, const struct report *r,
		      const json_t *option, const struct text_options *o)
{
	json_int_t most = json_integer_value(json_object_get(option, "plots"));
	const char *style = json_member_text(option, "plot_style");

	if (o->plots_given)
		most = (json_int_t)o->plots;
	plot_json(data, r, o->plot_style ? o->plot_style : style,
		  most > 0 ? (size_t)most : 0);
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
	json_object_set_new(t->data, "operator", operator_json(o));
	json_object_set_new(t->data, "message_id", json_text(o->message_id));
	add_places(t->data, o);
	add_texts(t->data, r, t->set.option, o);
	return 0;
}

void text_release(struct text *t)
{
	json_decref(t->data);
	template_set_release(&t->set);
	t->data = NULL;
}

/* A copy whose texts, down to members of members, are short enough for a
 * subject. */
static json_t *with_short_texts(const json_t *v, int depth)
{
	struct buf b = BUF_INIT(TEXT_MAX);
	json_t *copy, *member;
	const char *key;

	if (json_is_string(v)) {
		utf8_middle(&b, json_string_value(v), json_string_length(v),
			    SUBJECT_TEXT_MAX);
		copy = json_stringn(b.s, b.len);
		buf_release(&b);
		return copy;
	}
	if (!json_is_object(v) || !depth)
		return json_incref((json_t *)(uintptr_t)v);
	copy = json_object();
	json_object_foreach((json_t *)(uintptr_t)v, key, member)
		json_object_set_new(copy, key,
				    with_short_texts(member, depth - 1));
	return copy;
}

int text_subject(const struct text *t, struct buf *out, struct err *err)
{
	json_t *data = with_short_texts(t->data, 2);
	int rc = template_set_render(&t->set, "subject", data, false, out, err);

	json_decref(data);
	return rc;
}

int text_body(const struct text *t, struct buf *out, struct err *err)
{
	return template_set_render(&t->set, "body", t->data, false, out, err);
}
