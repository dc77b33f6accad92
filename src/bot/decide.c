#include "bot/decide.h"

#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "bot/decide-int.h"
#include "bot/screen.h"
#include "store/audit.h"

#define TRIES_MAX 12		/* over about a day */
#define FETCHES 4		/* of a page, over a quarter of an hour */
#define TRIES_TO_READ 2		/* of a mail that ends its reader */
#define DELAY_MIN 60
#define DELAY_MAX 14400

/* A copy of a mail that was decided.  1: settled, 0: go on, -1. */
static int is_copy(const struct bot *bot, struct stored_mail *mail,
		   const struct reading *r, struct err *err)
{
	const struct message *m = &r->message;
	struct evidence e;
	struct arena a = ARENA_INIT;
	struct stored_mail first;
	char content[DIGEST_HEX];
	int rc;

	plan_content(m, content);
	rc = mail_find(bot->store, m->message_id, content, &a, &first, err);
	if (rc != 1 || first.id == mail->id) {
		arena_release(&a);
		return rc == -1 ? -1 : 0;
	}
	/* The copy through a list came first, and proved nothing. */
	evidence_find(&e, m, &bot->settings->evidence, &a);
	rc = 0;
	if (!strcmp(first.decision, "hold-for-confirmation") &&
	    e.proof >= PROOF_ASSUMED &&
	    !screen_mail(bot->settings, m, &a))
		rc = decide_plan(bot, r, &first, true, NULL, err);
	if (rc == 0)
		rc = decide_settle(bot, mail, m, MAIL_DUPLICATE, "duplicate",
				   "the same Message-ID and words came before",
				   err);
	arena_release(&a);
	return rc == -1 ? -1 : 1;
}

/* One that is no copy and answers no question. */
static int decide_new(const struct bot *bot, struct stored_mail *mail,
		      const struct reading *r, bool ignored,
		      struct plan_options *options, struct err *err)
{
	const struct message *m = &r->message;
	const struct settings *s = bot->settings;
	char token[TOKEN_MAX];

	if (!ignored && decide_confirming_word(bot, m, token))
		switch (token_check(token, s->secret, s->secret_len,
				    m->from.address, clock_now())) {
		case TOKEN_GOOD:
			return decide_confirm(bot, mail, m,
					      token_request(token), err);
		case TOKEN_EXPIRED:
			options->stale = true;
			break;
		default:
			break;	/* a mail like any other */
		}
	return decide_plan(bot, r, mail, false, options, err);
}

static int decide_by_kind(const struct bot *bot, struct stored_mail *mail,
			  const struct reading *r, struct err *err)
{
	struct plan_options options = { .last_try = mail->tries >= FETCHES };
	struct arena a = ARENA_INIT;
	bool ignored = screen_mail(bot->settings, &r->message, &a);
	struct choice choice;
	int rc = is_copy(bot, mail, r, err);

	if (rc == 0 && !ignored)
		rc = decide_choice(bot, mail, r, &choice, &options, &a, err);
	if (rc == 0)
		rc = decide_new(bot, mail, r, ignored, &options, err);
	arena_release(&a);
	return rc == -1 ? -1 : 0;
}

int decide_mail(const struct bot *bot, struct stored_mail *mail,
		struct err *err)
{
	struct reading r;
	int rc = decide_read(&r, bot, mail, err);

	if (rc == 0)
		rc = decide_by_kind(bot, mail, &r, err);
	reader_release(&r);
	return rc;
}

static int quarantine(const struct bot *bot, struct stored_mail *mail,
		      const char *why, struct err *err)
{
	struct arena a = ARENA_INIT;
	const char *folder = bot->settings->quarantine;
	const char *path;

	log_error("mail %lld cannot be decided and is given up: %s",
		  (long long)mail->id, why);
	if (folder && file_make_folder(folder, err) == 0) {
		path = arena_printf(&a, "%s/%s.eml", folder, mail->hash);
		file_write(path, mail->bytes, mail->len, err);
	}
	arena_release(&a);
	mail->state = MAIL_QUARANTINED;
	mail->decision = "quarantine";
	mail->reason = why;
	if (store_begin(bot->store, err) == -1)
		return -1;
	if (mail_save(bot->store, mail, err) == -1 ||
	    audit_add(bot->store, clock_now(), "bot", "quarantined", "mail",
		      mail->id, why, err) == -1) {
		store_rollback(bot->store);
		return -1;
	}
	return store_commit(bot->store, err);
}

static int put_off(const struct bot *bot, struct stored_mail *mail,
		   const struct err *why, struct err *err)
{
	int64_t delay = DELAY_MIN;
	int max = why->code == ERR_INPUT ? TRIES_TO_READ : TRIES_MAX;

	if (mail->tries + 1 >= max)
		return quarantine(bot, mail, why->text, err);
	for (int i = 0; i < mail->tries && delay < DELAY_MAX; i++)
		delay *= 2;
	log_warn("mail %lld is put off: %s", (long long)mail->id, why->text);
	return mail_delay(bot->store, mail->id, clock_now() + delay, why->text,
			  err);
}

int decide_next(const struct bot *bot, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct stored_mail mail;
	struct err why = ERR_INIT;
	int rc = mail_next(bot->store, clock_now(), &a, &mail, err);

	if (rc == 1 && decide_mail(bot, &mail, &why) == -1) {
		if (why.code == ERR_CONFIG) {	/* no fault of the mail's */
			*err = why;
			rc = -1;
		} else {
			rc = put_off(bot, &mail, &why, err) == -1 ? -1 : 1;
		}
	}
	arena_release(&a);
	return rc;
}
