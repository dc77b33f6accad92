#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "bot/letter.h"
#include "bot/stage.h"
#include "cli/cli.h"
#include "cli/options-compare.h"
#include "compose/tags.h"
#include "mail/id.h"
#include "render/table.h"
#include "store/audit.h"
#include "store/mails.h"
#include "store/outbox.h"
#include "store/reports.h"

static const char usage[] = "answer [OPTION]... MESSAGE-ID RESULT...";
static const char help_text[] =
"\nAnswer a mail that the store knows with the comparison of RESULT..., in its\n"
"thread and to its people.  The answer goes to the outbox.\n"
"\n"
"  --note FILE    your own words, above the table (\"-\": standard input)\n"
"  --dry-run      print the mail, and keep nothing\n"
"  --config FILE  the configuration\n"
"  --store FILE   the state, instead of the configuration's\n";

enum {
	OPTION_NOTE = 1, OPTION_DRY_RUN, OPTION_CONFIG, OPTION_STORE,
	NOTE_MAX = 1 << 20, TABLE_MAX = 1 << 26,
};

struct answer {
	struct compare_input in;
	const char *note, *config, *store;
	bool dry_run;
	struct conf conf;
	struct stage_bot bot;
	struct arena arena;
	struct message m;	/* that is answered */
	int64_t mail;		/* its row, 0: a mail of our own */
	struct stored_report report;	/* id 0: none */
};

/* 0, -1 with "err", 1: help was wanted, 2: wrong options. */
static int take_options(struct answer *w, int argc, char **argv,
			struct err *err)
{
	static const struct option options[] = {
		COMPARE_LONG_OPTIONS,
		{ "config", required_argument, NULL, OPTION_CONFIG },
		{ "dry-run", no_argument, NULL, OPTION_DRY_RUN },
		{ "help", no_argument, NULL, 'h' },
		{ "note", required_argument, NULL, OPTION_NOTE },
		{ "store", required_argument, NULL, OPTION_STORE },
		{ NULL, 0, NULL, 0 },
	};
	int opt, rc = 0;

	while (rc == 0 &&
	       (opt = getopt_long(argc, argv, "nh", options, NULL)) != -1) {
		if (opt >= COMPARE_OPTION)
			rc = compare_option(&w->in, opt, optarg, err);
		else if (opt == OPTION_NOTE)
			w->note = optarg;
		else if (opt == OPTION_DRY_RUN || opt == 'n')
			w->dry_run = true;
		else if (opt == OPTION_CONFIG)
			w->config = optarg;
		else if (opt == OPTION_STORE)
			w->store = optarg;
		else
			return opt == 'h' ? 1 : 2;
	}
	if (rc == 0 && argc - optind < 2)
		return err_set(err, ERR_USAGE, "answer needs the Message-ID "
			       "of a mail and results");
	return rc;
}

static int find_report(struct answer *w, const char *id, struct err *err)
{
	int64_t report;
	int n = thread_reports(w->bot.bot.store, id, &report, 1, err);

	if (n != 1)
		return n;
	return report_get(w->bot.bot.store, report, &w->arena, &w->report,
			  err) == -1 ? -1 : 0;
}

/* The mail to answer: one that came in, or one of ours. */
static int find_mail(struct answer *w, const char *id, struct err *err)
{
	struct store *s = w->bot.bot.store;
	size_t n, len = strlen(id);
	struct stored_mail *v;
	struct outgoing o;
	int rc;

	if (*id == '<' && len > 2 && id[len - 1] == '>')
		id = arena_strndup(&w->arena, id + 1, len - 2);
	if (mail_list(s, id, &w->arena, &v, &n, err) == -1)
		return -1;
	if (n) {
		w->mail = v[0].id;
		rc = message_read(&w->m, v[0].bytes, v[0].len, err);
	} else {
		rc = outbox_find(s, id, &w->arena, &o, err);
		if (rc == 0)
			return err_set(err, ERR_INPUT, "no mail <%s>", id);
		if (rc == 1)
			rc = message_read(&w->m, o.bytes, o.len, err);
	}
	return rc == -1 ? -1 : find_report(w, id, err);
}

static int add_note(struct answer *w, json_t *data, struct err *err)
{
	struct buf raw = BUF_INIT(NOTE_MAX), clean = BUF_INIT(NOTE_MAX * 2);
	int rc = 0;

	json_object_set_new(data, "note", json_null());
	if (w->note)
		rc = file_read(w->note, &raw, err);
	while (raw.len && raw.s[raw.len - 1] == '\n')
		raw.s[--raw.len] = '\0';
	if (rc == 0 && raw.len && !utf8_valid(raw.s, raw.len))
		rc = err_set(err, ERR_INPUT, "%s: no UTF-8", w->note);
	if (rc == 0 && raw.len) {
		tags_guard(&clean, raw.s);
		json_object_set_new(data, "note", json_text(clean.s));
	}
	buf_release(&raw);
	buf_release(&clean);
	return rc;
}

static void add_table(struct answer *w, json_t *data)
{
	struct buf table = BUF_INIT(TABLE_MAX);

	table_comparison(&table, &w->in.comparison, false);
	while (table.len && table.s[table.len - 1] == '\n')
		table.s[--table.len] = '\0';
	json_object_set_new(data, "table", json_text(table.s));
	buf_release(&table);
}

static int compose(struct answer *w, struct outgoing *o, struct err *err)
{
	json_t *data = json_object();
	struct arena *a = &w->arena;
	struct reply r = {
		.kind = "answer", .template = "operator-answer",
		.data = data, .to = &w->m, .mail = w->mail, .by_hand = true,
	};
	const char *part[3] = { w->m.message_id, "", "" };
	char hex[DIGEST_HEX];
	int rc = add_note(w, data, err);

	add_table(w, data);
	/* Below a mail of our own there is nobody to quote. */
	json_object_set_new(data, "quote", w->mail ?
			    letter_quote(&w->m, NULL, a) : json_null());
	if (json_member_text(data, "note"))
		part[1] = json_member_text(data, "note");
	part[2] = json_member_text(data, "table");
	digest(part, 3, hex);
	r.request = arena_strdup(a, hex);
	if (w->report.id) {
		r.identity = w->report.key;
		r.report = w->report.id;
		r.token = w->report.token;
		r.revision = arena_printf(a, "%d", w->report.revision);
	}
	if (rc == 0)
		rc = letter_make(o, &w->bot.bot, &r, a, err);
	json_decref(data);
	return rc;
}

static int keep(struct answer *w, struct outgoing *o, struct err *err)
{
	struct store *s = w->bot.bot.store;
	int rc;

	if (store_begin(s, err) == -1)
		return -1;
	rc = outbox_add(s, o, err);
	if (rc == 1)
		rc = audit_add(s, clock_now(), "operator", "answered",
			       w->mail ? "mail" : "outbox",
			       w->mail ? w->mail : o->id, "", err);
	if (rc == -1) {
		store_rollback(s);
		return -1;
	}
	return store_commit(s, err);
}

/* How it stands: the same answer may have been given before. */
static int tell(struct answer *w, int64_t id, struct err *err)
{
	struct outgoing o;
	int rc = outbox_get(w->bot.bot.store, id, &w->arena, &o, err);

	if (rc != 1)
		return rc;
	if (o.state == OUTBOX_SENT)
		printf("<%s> was sent before, as mail %lld\n", o.message_id,
		       (long long)id);
	else
		printf("<%s> waits in the outbox as mail %lld (%s)\n",
		       o.message_id, (long long)id,
		       outbox_state_name(o.state));
	return 0;
}

static int answer(struct answer *w, int argc, char **argv, struct err *err)
{
	struct outgoing o;

	if (conf_load(&w->conf, w->config, err) == -1 ||
	    stage_open(&w->bot, &w->conf, w->store, err) == -1 ||
	    find_mail(w, argv[0], err) == -1)
		return -1;
	w->in.options.smallest = conf_number(&w->conf, "smallest_change");
	if (compare_input_run(&w->in, argc - 1, argv + 1, err) == -1 ||
	    compose(w, &o, err) == -1)
		return -1;
	compare_input_say_unknown(&w->in);
	if (o.state == OUTBOX_PARKED)
		return err_set(err, ERR_INPUT, "it is not fit to be sent: %s",
			       o.error);
	if (w->dry_run) {
		cmd_print(o.bytes, o.len);
		return 0;
	}
	if (keep(w, &o, err) == -1)
		return -1;
	return tell(w, o.id, err);
}

int cmd_answer(int argc, char **argv)
{
	struct answer *w = calloc(1, sizeof(*w));
	struct err err = ERR_INIT;
	int rc = EX_OK, todo;

	if (!w)
		die_no_memory();
	compare_input_init(&w->in);
	todo = take_options(w, argc, argv, &err);
	if (todo == 1) {
		rc = cmd_help(usage, help_text);
		if (rc == EX_OK)
			rc = cmd_print(compare_options_help,
				       strlen(compare_options_help));
	} else if (todo == 2) {
		rc = cmd_bad_usage("answer");
	} else if (todo == -1 ||
		   answer(w, argc - optind, argv + optind, &err) == -1) {
		rc = cmd_fail(&err);
	}
	message_release(&w->m);
	compare_input_release(&w->in);
	stage_close(&w->bot);
	conf_release(&w->conf);
	arena_release(&w->arena);
	free(w);
	return rc;
}
