#include "cli/commands.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/notify.h"
#include "bot/pulse.h"
#include "bot/replay.h"
#include "bot/stage.h"
#include "cli/cli.h"
#include "cli/net.h"
#include "cli/supervise.h"
#include "data/conf.h"

static const char usage[] = "bot [OPTION]...";
static const char help_text[] =
"Run the mail bot: four stages, a process each, until it is ended.\n"
"\n"
"  --stage NAME   only this stage, in this process: receive, decide, run, send\n"
"  --once         do what there is to do now, and end\n"
"  --dry-run      say what would become of the mails that wait, as replay does;\n"
"                 nothing is changed, fetched, run or sent\n"
"  --config FILE  the configuration\n"
"  --log FORM     messages as text (default) or json, an object a line\n"
"  --store FILE   the state, instead of the configuration's\n"
"  --verbose      say what is done\n";

struct options {
	const char *config, *store, *log;
	bool once, dry_run, stage[NSTAGES];
};

/* A configuration, and the bot that goes by it. */
struct running {
	struct conf conf;
	struct stage_bot b;
};

static void close_running(struct running *r)
{
	if (!r)
		return;
	stage_close(&r->b);
	conf_release(&r->conf);
	free(r);
}

/* "conf" is taken over.  NULL with "err". */
static struct running *open_running(const struct options *o, struct conf *conf,
				    struct err *err)
{
	struct running *r = calloc(1, sizeof(*r));

	if (!r)
		die_no_memory();
	r->conf = *conf;
	*conf = (struct conf){ .prefix = "" };
	if (stage_open(&r->b, &r->conf, o->store, err) == 0)
		return r;
	close_running(r);
	return NULL;
}

static void write_log_as(const struct options *o, const struct conf *conf)
{
	log_set_json(!strcmp(o->log ? o->log : conf_text(conf, "log"),
			     "json"));
}

static void tell_reloading(void)
{
	struct buf line = BUF_INIT(100);

	/* sd_notify(3): in microseconds, for Type=notify-reload. */
	buf_addf(&line, "RELOADING=1\nMONOTONIC_USEC=%lld",
		 (long long)clock_monotonic_ms() * 1000);
	notify(line.s);
	buf_release(&line);
}

static void refuse(struct conf *conf, const struct err *err)
{
	log_error("the configuration stays as it was: %s", err->text);
	conf_release(conf);
}

/* The new configuration instead of the old one, if it is a good one. */
static struct running *reload(const struct options *o, struct running *old)
{
	struct running *new = NULL;
	struct err err = ERR_INIT;
	struct conf conf;

	tell_reloading();
	if (conf_load(&conf, o->config, &err) == 0)
		new = open_running(o, &conf, &err);
	if (!new) {
		refuse(&conf, &err);
		return old;
	}
	close_running(old);
	write_log_as(o, &new->conf);
	log_info("the configuration was read again");
	return new;
}

/* In a process of its own, or in this one with --stage. */
static int run_stage(const struct options *o, struct conf *conf,
		     enum stage stage)
{
	struct err err = ERR_INIT;
	struct running *r = open_running(o, conf, &err);
	int rc = r ? 1 : -1;

	while (rc == 1 && (rc = stage_loop(&r->b, stage, &err)) == 1)
		r = reload(o, r);
	close_running(r);
	if (rc == 0)
		return EX_OK;
	err_in(&err, "%s", stage_name(stage));
	return cmd_fail(&err);
}

/* What would be decided, on a copy of the state. */
static int run_dry(const struct options *o, const struct conf *conf)
{
	struct settings settings = { .arena = ARENA_INIT };
	struct replay r = { .last_job = 0 };
	const char *store = o->store ? o->store : conf_text(conf, "store");
	json_t *told, *sends;
	struct err err = ERR_INIT;
	int rc = EX_OK, got = -1;

	if (settings_read(&settings, conf, &err) == 0 &&
	    replay_open_copy(&r, &settings, store, &err) == 0)
		while (rc == EX_OK &&
		       (got = replay_next(&r, &told, &sends, &err)) == 1)
			rc = net_print_lines(told, sends);
	if (got == -1)
		rc = cmd_fail(&err);
	replay_close(&r);
	settings_release(&settings);
	return rc;
}

/* All stages in this process, one after the other. */
static int run_once(const struct options *o, struct conf *conf)
{
	struct err err = ERR_INIT;
	struct running *r = open_running(o, conf, &err);
	int rc = EX_OK;

	if (!r)
		return cmd_fail(&err);
	pulse_begin();
	for (int i = 0; i < NSTAGES; i++)
		if (o->stage[i] &&
		    stage_once(&r->b, (enum stage)i, &err) == -1) {
			err_in(&err, "%s", stage_name((enum stage)i));
			rc = cmd_fail(&err);
		}
	close_running(r);
	return rc;
}

/* What the supervisor's functions are given. */
struct all {
	const struct options *o;
	struct conf conf;
};

static int run_child(void *arg, enum stage stage)
{
	struct all *all = arg;

	return run_stage(all->o, &all->conf, stage);
}

static int reload_all(void *arg)
{
	struct all *all = arg;
	struct settings s;
	struct err err = ERR_INIT;
	struct conf conf;
	int rc;

	tell_reloading();
	rc = conf_load(&conf, all->o->config, &err);
	if (rc == 0) {
		rc = settings_read(&s, &conf, &err);
		settings_release(&s);
	}
	if (rc == -1) {
		refuse(&conf, &err);
	} else {
		conf_release(&all->conf);
		all->conf = conf;
		write_log_as(all->o, &conf);
	}
	notify("READY=1");
	return rc;
}

static int run(const struct options *o, bool chosen)
{
	struct all all = { .o = o };
	const struct supervised s = { run_child, reload_all, &all };
	struct err err = ERR_INIT;
	int rc = EX_OK, stage = 0;

	if (conf_load(&all.conf, o->config, &err) == -1) {
		rc = cmd_fail(&err);
		conf_release(&all.conf);
		return rc;
	}
	write_log_as(o, &all.conf);
	if (o->dry_run) {
		rc = run_dry(o, &all.conf);
	} else if (o->once) {
		rc = run_once(o, &all.conf);
	} else if (chosen) {
		while (!o->stage[stage])
			stage++;
		rc = run_stage(o, &all.conf, (enum stage)stage);
	} else {
		rc = supervise(&s);
	}
	conf_release(&all.conf);
	return rc;
}

/* Of options that getopt knows; it has spoken of others. */
static void say_wrong_value(int option, bool chosen)
{
	if (option == 'l')
		log_error("--log: '%s' is neither text nor json", optarg);
	else if (option == 's' && chosen)
		log_error("--stage: one alone, or without it all");
	else if (option == 's')
		log_error("--stage: '%s' is no stage (receive, decide, run, "
			  "send)", optarg);
}

int cmd_bot(int argc, char **argv)
{
	static const struct option options[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "dry-run", no_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ "log", required_argument, NULL, 'l' },
		{ "once", no_argument, NULL, 'o' },
		{ "stage", required_argument, NULL, 's' },
		{ "store", required_argument, NULL, 'S' },
		{ "verbose", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	struct options o = { .config = NULL };
	bool chosen = false;
	int c, stage;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (c == 'c') {
			o.config = optarg;
		} else if (c == 'h') {
			return cmd_help(usage, help_text);
		} else if (c == 'l' && (!strcmp(optarg, "text") ||
					!strcmp(optarg, "json"))) {
			o.log = optarg;
		} else if (c == 'n') {
			o.dry_run = true;
		} else if (c == 'o') {
			o.once = true;
		} else if (c == 'S') {
			o.store = optarg;
		} else if (c == 'v') {
			log_set_level(LOG_LEVEL_INFO);
		} else if (c == 's' && !chosen &&
			   (stage = stage_parse(optarg)) >= 0) {
			o.stage[stage] = chosen = true;
		} else {
			say_wrong_value(c, chosen);
			return cmd_bad_usage("bot");
		}
	}
	for (int i = 0; i < NSTAGES && !chosen; i++)
		o.stage[i] = true;
	if (optind < argc)
		return cmd_bad_usage("bot");
	return run(&o, chosen);
}
