#include "cli/commands.h"

#include <getopt.h>
#include <string.h>
#include <sysexits.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/net.h"
#include "store/audit.h"
#include "store/reports.h"

static const char usage[] =
"reports [OPTION]... [list]\n"
"       perfpost reports [OPTION]... show REPORT...\n"
"       perfpost reports [OPTION]... set STATE REPORT... ";
static const char help_text[] =
"Look into the reports that were sent, and steer their state.  REPORT is a\n"
"number, a token or the beginning of a key.\n"
"\n"
"  list              the newest, with their state (default)\n"
"  show REPORT...    everything known of a report\n"
"  set STATE REPORT...  open, acknowledged, fixed, invalid, dup, expected,\n"
"                    disputed, stopped\n"
"\n"
"  --json         print JSON\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state to look into, instead of the configuration's\n";

enum { LISTED = 1000 };

struct reports {
	struct net_options net;
	struct store *store;
	struct arena arena;
};

static json_t *report_json(const struct stored_report *r)
{
	json_t *facts = json_read_text(r->facts, strlen(r->facts), "facts",
				       NULL);
	json_t *results = json_read_text(r->results, strlen(r->results),
					 "results", NULL);

	return json_pack("{s:I,s:s,s:s,s:i,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,"
			 "s:o,s:o,s:o,s:o,s:b,s:I,s:I,s:I,s:o,s:o}",
			 "id", (json_int_t)r->id, "key", r->key, "token",
			 r->token, "revision", r->revision, "state",
			 report_state_name(r->state), "state_note",
			 json_text(r->state_note), "state_by",
			 json_text(r->state_by), "message_id",
			 json_text(r->message_id), "subject",
			 json_text(r->subject), "commit",
			 json_text(r->tested), "title", json_text(r->title),
			 "base", json_text(r->base), "stat",
			 json_text(r->stat), "tree", json_text(r->tree),
			 "branch", json_text(r->branch), "machine",
			 json_text(r->machine), "public", r->public,
			 "parent", (json_int_t)r->parent, "created",
			 (json_int_t)r->created, "changed",
			 (json_int_t)r->changed, "facts",
			 facts ? facts : json_null(), "results",
			 results ? results : json_null());
}

static int print_list(const struct stored_report *v, size_t n)
{
	struct buf out = BUF_INIT((size_t)64 << 20);
	char when[20];
	int rc;

	buf_addf(&out, "%6s  %-13s  %-12s  %-16s  %s\n", "REPORT", "TOKEN",
		 "STATE", "SENT", "SUBJECT");
	for (size_t i = 0; i < n; i++) {
		buf_addf(&out, "%6lld  %-13s  %-12s  %-16s  ",
			 (long long)v[i].id, v[i].token,
			 report_state_name(v[i].state),
			 net_time(when, v[i].created));
		utf8_inert(&out, v[i].subject, strlen(v[i].subject), false);
		buf_addch(&out, '\n');
	}
	rc = cmd_print(out.s, out.len);
	buf_release(&out);
	return rc;
}

static int list(struct reports *r, struct err *err)
{
	struct stored_report *v;
	json_t *array;
	size_t n;

	if (report_list(r->store, LISTED, &r->arena, &v, &n, err) == -1)
		return cmd_fail(err);
	if (!r->net.json)
		return print_list(v, n);
	array = json_array();
	for (size_t i = 0; i < n; i++)
		json_array_append_new(array, report_json(&v[i]));
	return net_print_json(array);
}

/* By number, token, or the beginning of its key.  0, or -1 with "err". */
static int find(struct reports *r, const char *name, struct stored_report *out,
		struct err *err)
{
	int64_t id = net_id(name);
	int rc = 0;

	if (id && strlen(name) < 8)
		rc = report_get(r->store, id, &r->arena, out, err);
	if (rc == 0)
		rc = report_by_token(r->store, name, &r->arena, out, err);
	if (rc == 0)
		rc = report_by_token(r->store, arena_printf(&r->arena,
				     "r%.12s", name), &r->arena, out, err);
	if (rc == 0)
		err_set(err, ERR_INPUT, "no report '%s'", name);
	return rc == 1 ? 0 : -1;
}

static int set_state(struct reports *r, const struct stored_report *report,
		     enum report_state state, struct err *err)
{
	int64_t now = clock_now();

	if (store_begin(r->store, err) == -1)
		return -1;
	if (report_set_state(r->store, report->id, state, "", "operator", now,
			     err) == -1 ||
	    audit_add(r->store, now, "operator", report_state_name(state),
		      "report", report->id, "", err) == -1) {
		store_rollback(r->store);
		return -1;
	}
	return store_commit(r->store, err);
}

/* "state" -1: show them. */
static int each(struct reports *r, int state, char **names, struct err *err)
{
	struct stored_report report;
	int rc = EX_OK;

	for (; *names; names++) {
		if (find(r, *names, &report, err) == -1 ||
		    (state >= 0 && set_state(r, &report,
					     (enum report_state)state,
					     err) == -1))
			rc = cmd_fail(err);
		else if (state == -1)
			net_print_json(report_json(&report));
	}
	return rc;
}

static int dispatch(struct reports *r, int argc, char **argv)
{
	const char *verb = argc ? argv[0] : "list";
	bool set = !strcmp(verb, "set"), show = !strcmp(verb, "show");
	int state = set && argc > 1 ? report_state_parse(argv[1]) : -1, rc;
	struct err err = ERR_INIT;

	if (strcmp(verb, "list") && !set && !show) {
		log_error("reports: no action '%s'", verb);
		return cmd_bad_usage("reports");
	}
	if ((show && argc < 2) || (set && argc < 3)) {
		log_error("reports %s: which report?", verb);
		return cmd_bad_usage("reports");
	}
	if (set && state == -1) {
		log_error("reports: no state '%s'", argv[1]);
		return cmd_bad_usage("reports");
	}
	r->store = net_store(&r->net, false, &err);
	if (!r->store)
		return cmd_fail(&err);
	rc = set || show ? each(r, state, argv + (set ? 2 : 1), &err)
			 : list(r, &err);
	store_close(r->store);
	return rc;
}

int cmd_reports(int argc, char **argv)
{
	struct reports r = { .arena = ARENA_INIT };
	int rc, todo = net_take_options(&r.net, usage, help_text, argc, argv);

	if (todo != NET_GO_ON)
		return todo;
	rc = dispatch(&r, argc - optind, argv + optind);
	arena_release(&r.arena);
	return rc;
}
