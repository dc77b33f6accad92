#include "bot/item-answer.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "bot/letter.h"
#include "bot/measured.h"
#include "bot/phrases.h"
#include "bot/roles.h"
#include "data/yaml-write.h"
#include "report/words.h"

/* Questions that are answered from what we know, without a job. */

#define PROFILE_ROWS 25		/* in a mail */

static json_t *facts_of(const struct stored_report *r)
{
	json_t *facts = json_read_text(r->facts, strlen(r->facts), "facts",
				       NULL);

	return facts ? facts : json_object();
}

/* Which side is which. */
static const char *const *roles_of_sides(const struct measured *m,
					 const struct stored_report *r,
					 struct arena *a)
{
	const char **role = arena_array(a, m->group->nside + 1, sizeof(*role));
	int base = measured_side(m, r->base);
	int tested = measured_side(m, r->tested);

	if (base >= 0)
		role[base] = "base";
	if (tested >= 0)
		role[tested] = "tested";
	return role;
}

bool item_tell_values(struct plan *p, struct item *i)
{
	struct measured m;
	struct err err = ERR_INIT;
	const char **path;
	size_t n = measured_paths(i->report->results, &p->arena, &path);
	bool found;

	found = measured_open(&m, p->bot->settings, path, n,
			      i->report->stat, MEASURED_KPI, &err) == 0;
	if (found) {
		const char *change = m.group->nside < 2 ? NULL :
			measured_change(&m, m.group->nside - 1, &p->arena);

		json_object_set_new(i->told, "values", measured_values(&m,
			roles_of_sides(&m, i->report, &p->arena)));
		json_object_set_new(i->told, "change", change ?
				    json_text(letter_fold(change, &p->arena))
				    : json_null());
		json_object_set_new(i->told, "reproducible", json_true());
	}
	measured_release(&m);
	return found;
}

/* How many runs lie beyond all of the base's, on the mean's side? */
static size_t runs_beyond(const struct figure *base, const struct figure *f)
{
	bool up = f->mean > base->mean;
	size_t n = 0;

	for (size_t k = 0; k < f->n; k++)
		n += up ? f->value[k] > base->max : f->value[k] < base->min;
	return n;
}

void item_tell_record(struct plan *p, struct item *i)
{
	const char **path;
	size_t n = measured_paths(i->report->results, &p->arena, &path);
	const struct figure *f;
	struct measured m;
	struct buf change = BUF_INIT(100);
	int side = -1;

	if (measured_open(&m, p->bot->settings, path, n,
			  i->report->stat, MEASURED_KPI, NULL) == 0)
		side = measured_side(&m, i->report->tested);
	f = side > 0 ? &m.row->figure[side] : NULL;
	if (f && f->n && f->value && m.row->figure[0].n) {
		words_judged(&change, m.row, (size_t)side);
		json_object_set_new(i->told, "record", json_text(letter_fold(
			arena_printf(&p->arena, "For the record: %zu of %zu "
				"runs lie beyond all of the base's, %s.",
				runs_beyond(&m.row->figure[0], f), f->n,
				change.s), &p->arena)));
	}
	measured_release(&m);
	buf_release(&change);
}

void answer_missing(struct plan *p, struct item *i, const char *what)
{
	const char *before = json_member_text(i->told, "missing");

	if (before)
		what = arena_printf(&p->arena, "%s, nor %s", before, what);
	json_object_set_new(i->told, "missing", json_text(
		letter_safe(what, 300, &p->arena)));
	json_object_set_new(i->told, "forwarded", json_true());
	i->reason = "not known here; an operator is told";
}

/* Words of a question; the axis that answers it, if one does; and what they
 * are about. */
static const struct {
	const char *phrases, *axis, *what;
} things[] = {
	{ "config|configs|kconfig|configuration", "kconfig",
	  "the kernel's configuration" },
	{ "governor", "cpufreq_governor", "the cpufreq governor" },
	{ "compiler|gcc|clang", "compiler", "the compiler" },
	{ "file system|filesystem|file systems|filesystems", "fs",
	  "the file system" },
	{ "disk|disks|storage", "disk", "the disk" },
	{ "machine|machines|box|boxes|host|hardware", "tbox_group",
	  "the machine" },
	{ "rootfs|distro|distribution|userland", "rootfs",
	  "the root file system" },
	{ "dmesg|kernel log|console log|boot log|serial log", NULL,
	  "the kernel's log" },
	{ "flame graph|flamegraph|perf record|perf.data", NULL,
	  "recordings of perf" },
	{ "ftrace|bpftrace|trace|traces", NULL, "traces" },
	{ "vmlinux|kernel image|bzimage", NULL, "the kernel's image" },
	{ "command line|cmdline|boot parameters", NULL,
	  "the kernel's command line" },
	{ "io scheduler|i/o scheduler|scheduler", NULL, "the scheduler" },
	{ "mount options|mkfs", NULL, "the options of the file system" },
	{ "microcode|cpu model|bios", NULL, "more of the machine" },
};

/* The rows of the profile that changed. */
static void tell_profile(struct plan *p, struct item *i)
{
	struct measured m;
	const char **path, *table = NULL;
	size_t n = measured_paths(i->report->results, &p->arena, &path);

	if (measured_open(&m, p->bot->settings, path, n,
			  i->report->stat, MEASURED_CHANGED, NULL) == 0)
		table = measured_table(&m, "perf-profile", PROFILE_ROWS,
				       &p->arena);
	if (table)
		json_object_set_new(i->told, "profile", json_text(table));
	measured_release(&m);
}

/* What the results say of the commit reported: "job", its job file as an object
 * (not always there), and "axes".  The caller's reference. */
static json_t *result_facts(struct plan *p, const struct item *i)
{
	json_t *v = json_object(), *axes;
	const struct result *r;
	struct measured m;
	const char **path;
	size_t n = measured_paths(i->report->results, &p->arena, &path);

	if (measured_open(&m, p->bot->settings, path, n,
			  i->report->stat, MEASURED_KPI, NULL) == 0) {
		r = m.group->side[m.group->nside - 1].result;
		if (r->job)
			json_object_set(v, "job", r->job);
		axes = json_object();
		for (size_t k = 0; k < r->naxis; k++)
			json_object_set_new(axes, r->axis[k].key,
					    json_text(r->axis[k].value));
		json_object_set_new(v, "axes", axes);
	}
	measured_release(&m);
	return v;
}

/* The job file: the facts have it as it was, or the results as an object. */
static void tell_job(struct item *i, const json_t *facts, const json_t *found)
{
	const char *known = json_member_text(facts, "job");
	json_t *job = json_object_get(found, "job");
	struct buf text = BUF_INIT(1 << 20);

	if (known)
		buf_addstr(&text, known);
	else if (job)
		yaml_write(&text, job);
	if (text.len)
		json_object_set_new(i->told, "job", json_text(text.s));
	buf_release(&text);
}

static bool asks_for_job(const char *asks)
{
	return strcasestr(asks, "job") || strcasestr(asks, "yaml") ||
	       strcasestr(asks, "parameter");
}

static const char *axis_value(const json_t *facts, const json_t *found,
			      const char *axis)
{
	const char *value = json_member_text(json_object_get(facts, "axes"),
					     axis);

	return value ? value : json_member_text(json_object_get(found, "axes"),
						axis);
}

/* What the axes hold of what is asked, and what they do not. */
static json_t *tell_things(struct plan *p, struct item *i, const char *asks,
			   const json_t *facts, const json_t *found)
{
	json_t *list = json_array();

	for (size_t k = 0; k < sizeof(things) / sizeof(*things); k++) {
		const char *value = NULL;

		if (!phrases_stand(asks, things[k].phrases))
			continue;
		if (things[k].axis)
			value = axis_value(facts, found, things[k].axis);
		if (value)
			json_array_append_new(list, json_pack("{s:s,s:s}",
				"key", things[k].axis, "value", value));
		else
			answer_missing(p, i, things[k].what);
	}
	return list;
}

static bool is_told(const struct item *i, const char *name)
{
	return json_object_get(i->told, name) != NULL;
}

static void tell_data(struct plan *p, struct item *i)
{
	const char *asks = i->request->evidence ? i->request->evidence : "";
	json_t *facts = facts_of(i->report), *list;
	json_t *found = result_facts(p, i);

	list = tell_things(p, i, asks, facts, found);
	if (asks_for_job(asks))
		tell_job(i, facts, found);
	if (strcasestr(asks, "profile"))
		tell_profile(p, i);
	if (strcasestr(asks, "reproduc") || strcasestr(asks, "by hand"))
		answer_by_hand(p, i);
	if (json_array_size(list) || is_told(i, "job") ||
	    is_told(i, "profile") || is_told(i, "by_hand")) {
		json_object_set(i->told, "data", list);
		i->reason = "from the facts of the report";
	} else if (!is_told(i, "missing")) {
		answer_missing(p, i, asks_for_job(asks) ? "the job file" :
			       strcasestr(asks, "profile") ? "a perf profile" :
			       "the answer to this question");
	}
	json_decref(list);
	json_decref(found);
	json_decref(facts);
}

/* 1: he may, 0: settled, -1. */
static int allowed(struct plan *p, struct item *i, struct err *err)
{
	struct decision d;

	if (roles_decide(&d, p, i, err) == -1)
		return -1;
	if (d.ruling == RULING_ALLOW &&
	    (i->report->public || i->role > ROLE_STRANGER))
		return 1;
	i->reason = d.reason;
	i->silent = d.silent || !i->report->public;
	i->outcome = d.ruling == RULING_NOTE ? OUTCOME_NONE : OUTCOME_DENY;
	return 0;
}

int item_answer(struct plan *p, struct item *i, struct err *err)
{
	int rc = i->report ? allowed(p, i, err) : 1;

	if (rc != 1)
		return rc;
	i->outcome = OUTCOME_ANSWER;
	switch (i->request->kind) {
	case REQUEST_QUESTION_REPRODUCIBLE:
		return answer_repeat(p, i, err);
	case REQUEST_STATUS:
		return answer_status(p, i, err);
	case REQUEST_MORE_DATA:
		tell_data(p, i);
		return 0;
	default:
		return answer_help(p, i, err);
	}
}
