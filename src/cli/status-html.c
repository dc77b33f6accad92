#include "cli/status-html.h"

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "cli/net.h"
#include "render/template-set.h"
#include "store/overview.h"

#define PAGE_MAX ((size_t)16 << 20)
#define REPORTS_MAX 500

/* Put "2026-03-03 10:15" beside each time of a list, as NAME_text. */
static void tell_times(json_t *list, const char *name, const char *to)
{
	char text[20];
	json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
		json_object_set_new(one, to, json_string(net_time(text,
			json_integer_value(json_object_get(one, name)))));
}

/* {STATE: COUNT}s as lists, which templates can go through, "last" at the
 * end. */
static json_t *pairs(const json_t *counts)
{
	json_t *v = json_array(), *n;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)counts, name, n)
		json_array_append_new(v, json_pack("{s:s,s:O,s:b}", "name",
			name, "n", n, "last", json_array_size(v) + 1 ==
			json_object_size(counts)));
	return v;
}

static int page(const struct template_set *set, const char *name,
		const json_t *data, const char *folder, const char *file,
		struct err *err)
{
	struct buf out = BUF_INIT(PAGE_MAX), path = BUF_INIT(4096);
	int rc = template_set_render(set, name, data, true, &out, err);

	buf_addf(&path, "%s/%s.html", folder, file);
	if (rc == 0 && (buf_over(&out) || buf_over(&path)))
		rc = err_set(err, ERR_INPUT, "page '%s' is too large", file);
	if (rc == 0)
		rc = file_write(path.s, out.s, out.len, err);
	buf_release(&out);
	buf_release(&path);
	return rc;
}

static int thread_page(struct store *s, const struct template_set *set,
		       json_t *report, const char *now, const char *folder,
		       struct err *err)
{
	json_int_t id = json_integer_value(json_object_get(report, "id"));
	json_t *mails = overview_thread(s, id, err), *data;
	struct buf file = BUF_INIT(64);
	int rc;

	if (!mails)
		return -1;
	tell_times(mails, "at", "when");
	data = json_pack("{s:O,s:o,s:s}", "report", report, "mails", mails,
			 "now", now);
	buf_addf(&file, "report-%lld", (long long)id);
	rc = page(set, "thread", data, folder, file.s, err);
	buf_release(&file);
	json_decref(data);
	return rc;
}

static int report_pages(struct store *s, const struct template_set *set,
			const char *now, const char *folder, struct err *err)
{
	json_t *list = overview_reports(s, REPORTS_MAX, err), *data, *one;
	size_t i;
	int rc;

	if (!list)
		return -1;
	tell_times(list, "created", "when");
	data = json_pack("{s:o,s:s}", "reports", list, "now", now);
	rc = page(set, "reports", data, folder, "reports", err);
	json_array_foreach(list, i, one)
		if (rc == 0)
			rc = thread_page(s, set, one, now, folder, err);
	json_decref(data);
	return rc;
}

int status_html(struct store *s, json_t *state, const char *folder,
		struct err *err)
{
	static const char *const counted[] = {
		"mails", "requests", "jobs", "outbox", "reports", NULL
	};
	struct template_set set;
	json_t *data, *groups = json_array();
	char now[20];
	int rc;

	if (!json_object_get(state, "stopped"))
		json_object_set_new(state, "stopped", json_null());
	net_time(now, json_integer_value(json_object_get(state, "time")));
	tell_times(json_object_get(state, "stages"), "seen", "seen_text");
	tell_times(json_object_get(state, "queue"), "created", "when");
	tell_times(json_object_get(state, "errors"), "at", "when");
	for (const char *const *c = counted; *c; c++)
		json_array_append_new(groups, json_pack("{s:s,s:o}", "name",
			*c, "counts", pairs(json_object_get(state, *c))));
	data = json_pack("{s:O,s:o,s:s}", "state", state, "groups", groups,
			 "now", now);
	rc = template_set_open(&set, "status", NULL, 0, err);
	if (rc == 0)
		rc = file_make_folder(folder, err);
	if (rc == 0)
		rc = page(&set, "index", data, folder, "index", err);
	if (rc == 0)
		rc = page(&set, "queue", data, folder, "queue", err);
	if (rc == 0)
		rc = report_pages(s, &set, now, folder, err);
	template_set_release(&set);
	json_decref(data);
	return rc;
}
