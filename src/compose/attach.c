#include "compose/attach.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "data/yaml-write.h"
#include "render/table.h"
#include "report/script.h"

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

static void add_job(struct attachments *a, const struct report *r)
{
	struct buf b = BUF_INIT(JOB_MAX);

	yaml_write(&b, r->group->side[r->side].result->job);
	add(a, "job.yaml", &b);
	buf_release(&b);
}

static void add_script(struct attachments *a, const struct report *r)
{
	struct buf b = BUF_INIT(SCRIPT_MAX);

	script_whole(r, &b);
	add(a, "reproduce", &b);
	buf_release(&b);
}

static void add_table(struct attachments *a, const struct report *r,
		      bool ascii)
{
	struct buf b = BUF_INIT(TABLE_MAX), plain = BUF_INIT(TABLE_MAX);

	if (r->comparison)
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
	unsigned what = report_attached(r);

	if (what & ATTACHED_JOB)
		add_job(a, r);
	if (what & ATTACHED_SCRIPT)
		add_script(a, r);
	if (what & ATTACHED_TABLE)
		add_table(a, r, ascii);
}

void attachments_release(struct attachments *a)
{
	arena_release(&a->arena);
	*a = (struct attachments)ATTACHMENTS_INIT;
}
