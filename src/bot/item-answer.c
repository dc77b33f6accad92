#include "bot/plan.h"

#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "bot/letter.h"
#include "bot/measured.h"
#include "bot/roles.h"
#include "data/yaml-write.h"
#include "store/jobs.h"
#include "store/requests.h"

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

	found = measured_open(&m, path, n, i->report->stat, MEASURED_KPI, &err) == 0;
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

/* Values of each run, and what they say of the change. */
static void tell_values(struct plan *p, struct item *i)
{
	i->reason = "the values of each run";
	if (item_tell_values(p, i))
		return;
	json_object_set_new(i->told, "forwarded", json_true());
	json_object_set_new(i->told, "wants_values", json_true());
	i->reason = "the values are not here; an operator is told";
}

/* "rerun_with_patch" for people. */
static const char *words_of(const char *kind, struct arena *a)
{
	char *words = arena_strdup(a, kind);

	for (char *c = words; (c = strchr(c, '_')); c++)
		*c = ' ';
	return words;
}

static json_t *request_told(struct plan *p, const struct asked *q,
			    struct err *err)
{
	json_t *one = json_pack("{s:I,s:o,s:s,s:n}", "id", (json_int_t)q->id,
				"kind", json_text(words_of(q->kind, &p->arena)),
				"state", asked_state_name(q->state), "job");
	struct job j;
	int64_t ahead;
	double minutes;

	if (q->job && job_get(p->bot->store, q->job, &p->arena, &j, err) == 1 &&
	    job_place(p->bot->store, q->job, &ahead, &minutes, err) == 0)
		json_object_set_new(one, "job", json_pack("{s:I,s:s,s:I,s:b}",
			"id", (json_int_t)j.id, "state",
			job_state_name(j.state), "ahead", (json_int_t)ahead,
			"waits", j.state == JOB_QUEUED));
	return one;
}

static int tell_status(struct plan *p, struct item *i, struct err *err)
{
	json_t *list = json_array();
	struct asked *v;
	size_t n;

	if (asked_list(p->bot->store, 0, i->report->id, 0, &p->arena, &v, &n,
		       err) == -1)
		return -1;
	for (size_t k = 0; k < n; k++)
		if (v[k].job || v[k].state == ASKED_HELD)
			json_array_append_new(list, request_told(p, &v[k],
								 err));
	json_object_set_new(i->told, "status", json_pack("{s:s,s:o,s:o}",
			    "state", report_state_name(i->report->state),
			    "note", json_text(*i->report->state_note ?
				letter_safe(i->report->state_note, 200,
					    &p->arena) : NULL),
			    "requests", list));
	i->reason = "the state of the report and its requests";
	return 0;
}

/* Words of the question that name something which the facts hold. */
static const struct {
	const char *word, *axis;
} known_axis[] = {
	{ "config", "kconfig" }, { "governor", "cpufreq_governor" },
	{ "compiler", "compiler" }, { "gcc", "compiler" },
	{ "file system", "fs" }, { "filesystem", "fs" }, { "disk", "disk" },
	{ "machine", "tbox_group" }, { "box", "tbox_group" },
	{ "rootfs", "rootfs" }, { "distro", "rootfs" },
};

/* The rows of the profile that changed. */
static void tell_profile(struct plan *p, struct item *i)
{
	struct measured m;
	const char **path, *table = NULL;
	size_t n = measured_paths(i->report->results, &p->arena, &path);

	if (measured_open(&m, path, n, i->report->stat, MEASURED_CHANGED,
			  NULL) == 0)
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

	if (measured_open(&m, path, n, i->report->stat, MEASURED_KPI,
			  NULL) == 0) {
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

static void tell_data(struct plan *p, struct item *i)
{
	const char *asks = i->request->evidence ? i->request->evidence : "";
	json_t *facts = facts_of(i->report), *list = json_array();
	json_t *found = result_facts(p, i);
	const char *value;

	for (size_t k = 0; k < sizeof(known_axis) / sizeof(*known_axis); k++) {
		value = axis_value(facts, found, known_axis[k].axis);
		if (value && strcasestr(asks, known_axis[k].word))
			json_array_append_new(list, json_pack("{s:s,s:s}",
				"key", known_axis[k].axis, "value", value));
	}
	if (asks_for_job(asks))
		tell_job(i, facts, found);
	if (strcasestr(asks, "profile"))
		tell_profile(p, i);
	if (json_array_size(list) || json_object_get(i->told, "job") ||
	    json_object_get(i->told, "profile")) {
		json_object_set(i->told, "data", list);
		i->reason = "from the facts of the report";
	} else {
		json_object_set_new(i->told, "forwarded", json_true());
		i->reason = "not known here; an operator is told";
	}
	json_decref(list);
	json_decref(found);
	json_decref(facts);
}

/* 1: he may, 0: settled, -1. */
static int allowed(struct plan *p, struct item *i, struct err *err)
{
	struct question q;
	struct decision d;

	if (roles_question(&q, p, i, err) == -1)
		return -1;
	i->role = q.role;
	policy_decide(&d, &p->bot->settings->policy, &q, &p->arena);
	if (d.ruling == RULING_ALLOW &&
	    (i->report->public || q.role > ROLE_STRANGER))
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
		tell_values(p, i);
		return 0;
	case REQUEST_STATUS:
		return tell_status(p, i, err);
	case REQUEST_MORE_DATA:
		tell_data(p, i);
		return 0;
	default:
		json_object_set_new(i->told, "help", json_true());
		i->reason = "what I understand";
		return 0;
	}
}
