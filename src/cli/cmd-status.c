#include "cli/commands.h"

#include <getopt.h>
#include <sysexits.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "bot/lease.h"
#include "base/err.h"
#include "cli/cli.h"
#include "cli/net.h"
#include "cli/status-html.h"
#include "data/conf.h"
#include "store/overview.h"

static const char usage[] = "status [OPTION]...";
static const char help_text[] =
"Say how the bot is: its stages, what waits and for how long, what was spent\n"
"and what went wrong last.\n"
"\n"
"  --json         as JSON\n"
"  --html DIR     as pages for a browser: state, queue, reports, threads\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state to look into, instead of the configuration's\n";

enum { SILENT_S = 30 * 60 };	/* WatchdogSec of the units */

struct options {
	const char *config, *store, *html;
	bool json;
};

static void print_counts(struct buf *out, const json_t *state,
			 const char *name)
{
	json_t *n, *counts = json_object_get(state, name);
	const char *key, *between = "";

	buf_addf(out, "%-9s ", name);
	if (!json_object_size(counts))
		buf_addstr(out, "none");
	json_object_foreach(counts, key, n) {
		buf_addf(out, "%s%lld %s", between,
			 (long long)json_integer_value(n), key);
		between = ", ";
	}
	buf_addch(out, '\n');
}

static int64_t whole(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static void print_stages(struct buf *out, const json_t *list)
{
	json_t *one;
	size_t i;

	if (!json_array_size(list))
		buf_addstr(out, "stages    none has run yet\n");
	json_array_foreach(list, i, one)
		buf_addf(out, "stage     %-8s %sseen %lld s ago, %s\n",
			 json_member_text(one, "name"),
			 json_is_true(json_object_get(one, "running")) ? "" :
			 "NOT RUNNING, ", (long long)whole(one, "ago"),
			 json_member_text(one, "owner"));
}

static void print_errors(struct buf *out, const json_t *list)
{
	char when[20];
	json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
		buf_addf(out, "error     %s  %s: %s\n",
			 net_time(when, whole(one, "at")),
			 json_member_text(one, "object"),
			 json_member_text(one, "text"));
}

static int print_text(const json_t *state)
{
	struct buf out = BUF_INIT((size_t)1 << 20);
	const json_t *lag = json_object_get(state, "lag"),
		*budget = json_object_get(state, "budget");
	int rc;

	if (json_member_text(state, "stopped"))
		buf_addf(&out, "STOPPED   nothing is sent while %s is there\n",
			 json_member_text(state, "stopped"));
	print_stages(&out, json_object_get(state, "stages"));
	buf_addf(&out, "lag       mails %lld s, jobs %lld s, outbox %lld s\n",
		 (long long)whole(lag, "mail"), (long long)whole(lag, "job"),
		 (long long)whole(lag, "outbox"));
	print_counts(&out, state, "mails");
	print_counts(&out, state, "requests");
	print_counts(&out, state, "jobs");
	print_counts(&out, state, "outbox");
	print_counts(&out, state, "reports");
	buf_addf(&out, "budget    %.0f of %.0f machine-minutes in the last "
		 "day\n", json_number_value(json_object_get(budget, "spent")),
		 json_number_value(json_object_get(budget, "day")));
	print_errors(&out, json_object_get(state, "errors"));
	rc = cmd_print(out.s, out.len);
	buf_release(&out);
	return rc;
}

/* "spending" becomes "budget": what was spent beside what may be. */
static void tell_budget(json_t *state, const struct conf *conf)
{
	json_t *spent = json_object_get(json_object_get(state, "spending"),
					"day");

	json_object_set_new(state, "budget", json_pack("{s:O,s:o,s:o,s:o,s:o}",
		"spent", spent,
		"day", json_number(conf_number(conf, "budget.day")),
		"domain", json_number(conf_number(conf, "budget.domain")),
		"person", json_number(conf_number(conf, "budget.person")),
		"report", json_number(conf_number(conf, "budget.report"))));
	json_object_del(state, "spending");
}

/* A process that is gone, or one of another machine that was not heard of
 * longer than any piece of work takes. */
static bool is_running(const json_t *stage)
{
	return !lease_is_dead(json_member_text(stage, "owner")) &&
	       whole(stage, "ago") < SILENT_S;
}

static void tell_running(json_t *state, const struct conf *conf)
{
	const char *stop = conf_text(conf, "bot.stop_file");
	json_t *one;
	size_t i;

	json_array_foreach(json_object_get(state, "stages"), i, one)
		json_object_set_new(one, "running",
				    json_boolean(is_running(one)));
	if (stop && file_exists(stop))
		json_object_set_new(state, "stopped", json_text(stop));
}

static int show(const struct options *o, const struct conf *conf,
		struct err *err)
{
	struct store *s = store_open(o->store ? o->store
				     : conf_text(conf, "store"), false, err);
	json_t *state = s ? overview_read(s, clock_now(), err) : NULL;
	int rc = EX_OK;

	if (state) {
		tell_budget(state, conf);
		tell_running(state, conf);
	}
	if (!state || (o->html && status_html(s, state, o->html, err) == -1))
		rc = cmd_fail(err);
	else if (o->json && !o->html)
		rc = net_print_json(json_incref(state));
	else if (!o->html)
		rc = print_text(state);
	json_decref(state);
	store_close(s);
	return rc;
}

static int run(const struct options *o)
{
	struct err err = ERR_INIT;
	struct conf conf;
	int rc;

	if (conf_load(&conf, o->config, &err) == -1)
		rc = cmd_fail(&err);
	else
		rc = show(o, &conf, &err);
	conf_release(&conf);
	return rc;
}

int cmd_status(int argc, char **argv)
{
	static const struct option options[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ "html", required_argument, NULL, 'H' },
		{ "json", no_argument, NULL, 'j' },
		{ "store", required_argument, NULL, 's' },
		{ NULL, 0, NULL, 0 },
	};
	struct options o = { .config = NULL };
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'c')
			o.config = optarg;
		else if (c == 'H')
			o.html = optarg;
		else if (c == 'j')
			o.json = true;
		else if (c == 's')
			o.store = optarg;
		else
			return c == 'h' ? cmd_help(usage, help_text)
					: cmd_bad_usage("status");
	}
	return optind < argc ? cmd_bad_usage("status") : run(&o);
}
