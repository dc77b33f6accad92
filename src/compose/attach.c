#include "compose/attach.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/utf8.h"
#include "data/yaml-write.h"
#include "render/table.h"

enum {
	JOB_MAX = 1 << 20,
	SCRIPT_MAX = 256 << 10,
	TABLE_MAX = 4 << 20,
};

static void add(struct attachments *a, const char *name, const struct buf *b)
{
	if (!b->len || buf_over(b))
		return;
	a->v[a->n++] = (struct attachment){
		.name = name, .type = "text/plain",
		.data = arena_strndup(&a->arena, b->s, b->len), .len = b->len,
	};
}

static const struct result *result_of(const struct report *r)
{
	return r->group->side[r->side].result;
}

static void add_job(struct attachments *a, const struct report *r)
{
	const struct result *result = result_of(r);
	struct buf b = BUF_INIT(JOB_MAX);

	if (result && result->job)
		yaml_write(&b, result->job);
	add(a, "job.yaml", &b);
	buf_release(&b);
}

/* The facts' commands: a list of lines, or a text. */
static void script_of_facts(const struct report *r, struct buf *out)
{
	json_t *test = json_object_get(r->results->facts, "test");
	json_t *steps = json_object_get(test, "reproduce"), *step;
	size_t i;

	if (!json_array_size(steps) && !json_is_string(steps))
		return;
	buf_addstr(out, "#!/bin/sh\n");
	json_array_foreach(steps, i, step) {
		json_scalar(out, step);
		buf_addch(out, '\n');
	}
	if (json_is_string(steps))
		buf_addf(out, "%s\n", json_string_value(steps));
}

/* "DIR/reproduce.sh", "DIR/0/reproduce.sh": as the framework leaves it. */
static void script_of_folder(const struct report *r, struct buf *out)
{
	static const char *const name[] = {
		"reproduce.sh", "0/reproduce.sh", "reproduce", "0/reproduce",
	};
	const struct result *result = result_of(r);
	struct buf path = BUF_INIT(8192);

	if (!result || !result->source || !file_is_folder(result->source))
		return;
	for (size_t i = 0; i < sizeof(name) / sizeof(*name) && !out->len; i++) {
		buf_reset(&path);
		buf_addf(&path, "%s/%s", result->source, name[i]);
		if (file_exists(path.s) && !file_is_folder(path.s) &&
		    file_read(path.s, out, NULL) == -1)
			buf_reset(out);
	}
	buf_release(&path);
}

static void add_script(struct attachments *a, const struct report *r)
{
	struct buf b = BUF_INIT(SCRIPT_MAX);

	script_of_facts(r, &b);
	if (!b.len)
		script_of_folder(r, &b);
	add(a, "reproduce", &b);
	buf_release(&b);
}

static bool is_cut(const struct report *r)
{
	for (size_t i = 0; i < r->nbody; i++)
		if (r->body[i].n < r->body[i].group->nrow)
			return true;
	return false;
}

static void add_table(struct attachments *a, const struct report *r,
		      bool ascii)
{
	struct buf b = BUF_INIT(TABLE_MAX), plain = BUF_INIT(TABLE_MAX);

	if (r->comparison && is_cut(r))
		table_comparison(&b, r->comparison, ascii);
	if (ascii)
		utf8_spell_ascii(&plain, b.s, b.len);
	add(a, "comparison.txt", ascii ? &plain : &b);
	buf_release(&plain);
	buf_release(&b);
}

void attachments_make(struct attachments *a, const struct report *r,
		      bool ascii)
{
	add_job(a, r);
	add_script(a, r);
	add_table(a, r, ascii);
}

void attachments_release(struct attachments *a)
{
	arena_release(&a->arena);
	*a = (struct attachments)ATTACHMENTS_INIT;
}
