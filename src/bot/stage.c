#include "bot/stage.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/notify.h"
#include "bot/decide.h"
#include "bot/deliver.h"
#include "bot/notice.h"
#include "bot/pulse.h"
#include "bot/receive.h"
#include "bot/run-jobs.h"
#include "bot/watch.h"
#include "policy/netrange.h"
#include "policy/url.h"
#include "recv/fetch.h"
#include "store/leases.h"
#include "store/requests.h"
#include "store/overview.h"

#define IDLE_MS 1000		/* between two looks when there is nothing */
#define SIGN_MS 15000		/* between two signs of life in the store */
#define TROUBLE_S 30		/* after an error that time may heal */

static const char *const names[NSTAGES] = {
	"receive", "decide", "run", "send",
};

const char *stage_name(enum stage stage)
{
	return names[stage];
}

int stage_parse(const char *name)
{
	for (int i = 0; i < NSTAGES; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

static int check_url(void *arg, const char *url, struct err *err)
{
	const struct settings *s = arg;
	struct arena a = ARENA_INIT;
	struct url u;
	int rc = url_check(&u, url, &s->url, &a, err);

	arena_release(&a);
	return rc;
}

static bool check_address(void *arg, const struct sockaddr *address)
{
	const struct settings *s = arg;

	return netrange_permits(address, s->fetch_addresses);
}

static int fetch(const struct settings *s, const char *url, struct buf *out,
		 struct err *err)
{
	const struct fetch_rules rules = {
		.timeout_ms = s->fetch_timeout * 1000,
		.insecure = s->url.insecure, .url = check_url,
		.address = check_address, .arg = (void *)(uintptr_t)s,
	};

	if (fetch_page(url, &rules, out, err) == -1)
		return err_in(err, "cannot fetch %.300s", url);
	return 0;
}

static const struct outside the_world = { .fetch = fetch };

int stage_open(struct stage_bot *b, const struct conf *conf,
	       const char *store, struct err *err)
{
	*b = (struct stage_bot){ .bot = { .settings = &b->settings,
					  .outside = &the_world } };
	lease_owner(b->owner);
	b->bot.owner = b->owner;
	if (settings_read(&b->settings, conf, err) == -1)
		return -1;
	b->bot.store = store_open(store ? store : conf_text(conf, "store"),
				  true, err);
	if (!b->bot.store ||
	    settings_secret(&b->settings, b->bot.store, err) == -1)
		return -1;
	b->bot.grammar = grammar_load(NULL, err);
	return b->bot.grammar ? 0 : -1;
}

void stage_close(struct stage_bot *b)
{
	intake_close(b->intake);
	grammar_free(b->bot.grammar);
	store_close(b->bot.store);
	settings_release(&b->settings);
}

static int receive_all(struct stage_bot *b, struct err *err)
{
	int did = 0, rc = 0;

	if (!b->intake)
		b->intake = intake_open(&b->bot, err);
	if (!b->intake)
		return -1;
	while (!pulse() && (rc = intake_take(b->intake, err)) > 0)
		did += rc;
	return rc == -1 ? -1 : did;
}

static int decide_all(const struct bot *bot, struct err *err)
{
	int did = 0, rc;

	if (asked_expire(bot->store, clock_now(), err) == -1)
		return -1;
	while (!pulse() && (rc = decide_next(bot, err)) != 0) {
		if (rc == -1)
			return -1;
		did++;
	}
	return did;
}

/* The emergency stop: everything is kept, nothing is sent. */
static bool is_held_back(const struct settings *s)
{
	return s->stop_file && file_exists(s->stop_file);
}

static int send_one(const struct bot *bot, struct sender *sender,
		    struct err *err)
{
	const struct conf *conf = bot->settings->conf;
	struct arena a = ARENA_INIT;
	struct outgoing o;
	int rc = outbox_take(bot->store, bot->owner, clock_now(),
			     deliver_lease(conf), &a, &o, err);

	if (rc == 1) {
		rc = deliver(bot->store, sender, &o,
			     conf_int(conf, "send.tries"), &a, err) == -1
			? -1 : 1;
		log_info("mail <%s>: %s%s%s", o.message_id,
			 outbox_state_name(o.state), *o.error ? ": " : "",
			 o.error);
	}
	arena_release(&a);
	return rc;
}

static int send_all(const struct bot *bot, struct err *err)
{
	struct sender *sender;
	int did = 0, rc = 0;

	if (notice_next(bot, err) == -1)
		return -1;
	if (is_held_back(bot->settings))
		return 0;
	sender = sender_open(bot->settings->conf, err);
	if (!sender)
		return -1;
	while (!pulse() && !is_held_back(bot->settings) &&
	       (rc = send_one(bot, sender, err)) == 1)
		did++;
	sender_close(sender);
	return rc == -1 ? -1 : did;
}

static int work(struct stage_bot *b, enum stage stage, struct err *err)
{
	int mended = leases_mend(b->bot.store, clock_now(), err);

	if (mended == -1)
		return -1;
	if (mended)
		log_warn("the clock was set back: %d things are tried again now",
			 mended);
	if ((stage == STAGE_RUN || stage == STAGE_SEND) &&
	    lease_take_back(b->bot.store, err) == -1)
		return -1;
	switch (stage) {
	case STAGE_RECEIVE:
		return receive_all(b, err);
	case STAGE_DECIDE:
		return decide_all(&b->bot, err);
	case STAGE_RUN:
		if (watch_trees(&b->bot, err) == -1)
			return -1;
		return run_jobs(&b->bot, err);
	case STAGE_SEND:
		return send_all(&b->bot, err);
	case NSTAGES:
		break;
	}
	return 0;
}

/* "perfpost status" shows it: written now and then, and what went wrong. */
static void leave_sign(struct stage_bot *b, enum stage stage,
		       const char *error)
{
	int64_t now = clock_monotonic_ms();

	if (!error && b->signed_at[stage] &&
	    now - b->signed_at[stage] < SIGN_MS)
		return;
	b->signed_at[stage] = now;
	overview_note(b->bot.store, names[stage], b->owner, clock_now(), error,
		      NULL);
}

int stage_once(struct stage_bot *b, enum stage stage, struct err *err)
{
	int did = work(b, stage, err);

	leave_sign(b, stage, did == -1 ? err->text : NULL);
	return did;
}

/* "systemctl status" shows it. */
static void tell_status(enum stage stage, const char *what)
{
	struct buf line = BUF_INIT(1000);

	buf_addf(&line, "STATUS=%s: %.800s", names[stage], what);
	notify(line.s);
	buf_release(&line);
}

int stage_loop(struct stage_bot *b, enum stage stage, struct err *err)
{
	int did;

	pulse_begin();
	notify("READY=1");
	while (!pulse()) {
		did = stage_once(b, stage, err);
		if (did == -1 && err->code != ERR_TEMP)
			return -1;
		if (did == -1) {
			log_warn("%s: %s", names[stage], err->text);
			tell_status(stage, err->text);
			pulse_rest(TROUBLE_S * 1000);
		} else if (did == 0) {
			tell_status(stage, "waiting");
			pulse_rest(IDLE_MS);
		} else {
			tell_status(stage, "working");
		}
	}
	if (pulse_reloads() && !pulse_ends())
		return 1;
	notify("STOPPING=1");
	return 0;
}
