#include "bot/decide.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "bot/apply.h"
#include "bot/inquiry.h"
#include "bot/plan.h"
#include "bot/reader.h"
#include "bot/screen.h"
#include "policy/token.h"
#include "store/audit.h"
#include "store/inquiries.h"
#include "store/requests.h"

#define TRIES_MAX 12		/* over about a day */
#define FETCHES 4		/* of a page, over a quarter of an hour */
#define TRIES_TO_READ 2		/* of a mail that ends its reader */
#define QUESTIONS_MAX 2		/* about one request */
#define DELAY_MIN 60
#define DELAY_MAX 14400

/* Read a mail; one without a Message-ID gets one of its bytes. */
static int read_mail(struct reading *r, const struct bot *bot,
		     const struct stored_mail *mail, struct err *err)
{
	struct message *m = &r->message;

	if (reader_read(r, bot, mail->bytes, mail->len, err) == -1)
		return -1;
	if (!*m->message_id)
		m->message_id = arena_printf(&m->arena, "%.32s@missing.invalid",
					     mail->hash);
	return 0;
}

static int plan_and_apply(const struct bot *bot, const struct reading *r,
			  struct stored_mail *mail, bool keep,
			  const struct plan_options *options, struct err *err)
{
	struct plan_options all = options ? *options : (struct plan_options){
		.confirmed = false };
	struct arena a = ARENA_INIT;
	struct choice chosen;
	struct plan p;
	int rc = 0;

	if (keep && !all.choice)
		rc = inquiry_recall(&chosen, bot, mail->id, &a, err);
	if (rc == 1)
		all.choice = &chosen;
	if (rc == -1) {
		arena_release(&a);
		return -1;
	}
	rc = plan_make(&p, bot, r, &all, err);
	if (rc == 0)
		rc = plan_apply(&p, mail, keep, err);
	if (rc == 0)
		log_info("mail <%s>: %s (%s)", r->message.message_id,
			 mail->decision, mail->reason);
	plan_release(&p);
	arena_release(&a);
	return rc;
}

/* Plan a mail that was decided before once more, now that it is allowed. */
static int again(const struct bot *bot, int64_t id,
		 const struct plan_options *options, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct stored_mail mail;
	struct reading r;
	int rc = mail_get(bot->store, id, &a, &mail, err);

	if (rc == 0)
		rc = err_set(err, ERR_INPUT, "no mail %lld", (long long)id);
	if (rc == 1) {
		rc = read_mail(&r, bot, &mail, err);
		if (rc == 0)
			rc = plan_and_apply(bot, &r, &mail, true, options, err);
		reader_release(&r);
	}
	arena_release(&a);
	return rc;
}

/* Write down a mail that has no effect of its own. */
static int settle(const struct bot *bot, struct stored_mail *mail,
		  const struct message *m, enum mail_state state,
		  const char *decision, const char *reason, struct err *err)
{
	const char *archived = message_header(m, "Archived-At");
	char content[DIGEST_HEX];

	plan_content(m, content);
	mail->message_id = m->message_id;
	mail->content = content;
	mail->sender = m->from.address;
	mail->subject = m->subject;
	mail->archived_at = archived ? archived : "";
	mail->state = state;
	mail->decision = decision;
	mail->reason = reason;
	if (store_begin(bot->store, err) == -1)
		return -1;
	if (mail_save(bot->store, mail, err) == -1 ||
	    audit_add(bot->store, clock_now(), "bot", decision, "mail",
		      mail->id, reason, err) == -1) {
		store_rollback(bot->store);
		return -1;
	}
	return store_commit(bot->store, err);
}

/* The word of a "reply to run" in To or Cc; NULL: there is none. */
static const char *confirming_word(const struct bot *bot,
				   const struct message *m, char token[TOKEN_MAX])
{
	for (size_t i = 0; i < m->to.n + m->cc.n; i++) {
		const char *address = i < m->to.n ? m->to.v[i].address
			: m->cc.v[i - m->to.n].address;

		if (settings_own(bot->settings, address, token) &&
		    token_request(token))
			return token;
	}
	return NULL;
}

/* "No." and the like at the beginning.  "No problem, go ahead" is none. */
static bool says_no(const char *text, const char *prefix)
{
	static const char *const no[] = {
		"nope", "don't", "do not", "please don't", "please do not",
		"cancel", "stop", "never mind", "nevermind", "not me",
		"it was not me", "that was not me", NULL
	};
	static const char *const after[] = {
		"thank", "please", "do", "i ", "it ", "this ", "that ", NULL
	};

	text += strspn(text, " \t\r\n");
	if (!strncasecmp(text, prefix, strlen(prefix)))
		text += strlen(prefix);
	text += strspn(text, " \t");
	for (const char *const *w = no; *w; w++)
		if (!strncasecmp(text, *w, strlen(*w)))
			return true;
	if (strncasecmp(text, "no", 2) || isalnum((unsigned char)text[2]))
		return false;
	text += 2;
	text += strspn(text, " \t");
	if (!*text || strchr(".,;:!-\r\n", *text))
		return true;
	for (const char *const *w = after; *w; w++)
		if (!strncasecmp(text, *w, strlen(*w)))
			return true;
	return false;
}

/* What the mail asked for and we held is taken back. */
static int take_back(const struct bot *bot, int64_t mail, struct arena *a,
		     struct err *err)
{
	struct asked *v;
	size_t n;

	if (asked_list(bot->store, mail, 0, 0, a, &v, &n, err) == -1 ||
	    store_begin(bot->store, err) == -1)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (v[i].state != ASKED_HELD)
			continue;
		v[i].state = ASKED_CANCELLED;
		if (asked_save(bot->store, &v[i], clock_now(), err) == -1) {
			store_rollback(bot->store);
			return -1;
		}
	}
	return store_commit(bot->store, err);
}

static int confirm(const struct bot *bot, struct stored_mail *mail,
		   const struct message *m, int64_t request, struct err *err)
{
	const struct plan_options yes = { .confirmed = true };
	bool no = says_no(m->new_text, bot->settings->robot.prefix);
	struct arena a = ARENA_INIT;
	struct asked q;
	int rc = asked_get(bot->store, request, &a, &q, err);

	if (rc == 1 && q.state == ASKED_HELD)
		rc = no ? take_back(bot, q.mail, &a, err)
			: again(bot, q.mail, &yes, err);
	arena_release(&a);
	if (rc == -1)
		return -1;
	return settle(bot, mail, m, MAIL_DECIDED, no ? "cancel" : "confirm",
		      no ? "the answer to a \"reply to run\" is no"
			 : "the word of a \"reply to run\"", err);
}

/* "Never mind", in whatever words. */
static bool calls_off(const struct bot *bot, const struct reading *r)
{
	size_t n = 0;

	while (n < r->requests.n &&
	       r->requests.request[n].kind == REQUEST_CANCEL)
		n++;
	return (r->requests.n && n == r->requests.n) ||
	       (!r->requests.n &&
		says_no(r->message.new_text, bot->settings->robot.prefix));
}

/* "For the Icelake machine", "the one on mainline": a wish, or the report's
 * name? */
static bool only_names(const struct request *one,
		       const struct stored_report *r)
{
	const char *said = one->tree ? one->tree : one->branch ? one->branch
			 : one->commit;

	if (one->nparam)
		return one->nparam == 1 && !strcmp(one->param[0].key,
						   "machine");
	if (!said)	/* "the one on that tree" */
		return one->kind == REQUEST_RERUN_WITH_TREE && !one->url &&
		       !one->title;
	return strcasestr(r->tree, said) || strcasestr(r->branch, said) ||
	       !strncasecmp(r->tested, said, strlen(said));
}

/* Does the answer to our question ask for anything but what was asked? */
static bool asks_more(const struct reading *r, const struct choice *c)
{
	if (r->message.npatch)
		return true;
	for (size_t i = 0; i < r->requests.n; i++) {
		const struct request *one = &r->requests.request[i];
		bool again = one->kind == REQUEST_RERUN ||
			!strcmp(request_kind_name(one->kind), c->asked.kind);

		if (one->count || one->revert)
			return true;
		if ((!again || one->nparam || one->tree || one->branch) &&
		    (!c->which.n || !only_names(one, &c->which.report[0])))
			return true;
	}
	return false;
}

static int call_off(const struct bot *bot, struct stored_mail *mail,
		    const struct message *m, const struct choice *c,
		    struct arena *a, struct err *err)
{
	if (store_begin(bot->store, err) == -1)
		return -1;
	if (inquiry_settle(c, bot, false, a, err) == -1) {
		store_rollback(bot->store);
		return -1;
	}
	if (store_commit(bot->store, err) == -1)
		return -1;
	return settle(bot, mail, m, MAIL_DECIDED, "cancel", "the question is "
		      "answered: never mind", err);
}

/* Ask once more, but not for ever.  1: settled, 0: go on, -1. */
static int ask_again(const struct bot *bot, struct stored_mail *mail,
		     const struct reading *r, const struct choice *c,
		     struct err *err)
{
	const struct plan_options options = { .choice = c };
	int64_t asked;

	if (inquiry_count(bot->store, c->asked.id, &asked, err) == -1)
		return -1;
	if (asked >= QUESTIONS_MAX)
		return 0;
	return plan_and_apply(bot, r, mail, false, &options, err) == -1 ? -1
		: 1;
}

/* What was asked is planned again, for the reports that are named. */
static int take_up(const struct bot *bot, struct stored_mail *mail,
		   const struct message *m, const struct choice *c,
		   struct err *err)
{
	const struct plan_options options = { .choice = c };

	if (c->how == CHOICE_CLEAR &&
	    again(bot, c->asked.mail, &options, err) == -1)
		return -1;
	if (c->which.n)
		mail->report = c->which.report[0].id;
	return settle(bot, mail, m, MAIL_DECIDED, "choose",
		      "it says which report is meant", err);
}

/* The answer to a question of ours.  1: settled, 0: go on, maybe with the
 * reports that it names in "options", -1. */
static int take_choice(const struct bot *bot, struct stored_mail *mail,
		       const struct reading *r, struct choice *c,
		       struct plan_options *options, struct arena *a,
		       struct err *err)
{
	const struct message *m = &r->message;
	int rc = inquiry_read(c, bot, mail, m, a, err);

	if (rc != 1)
		return rc;
	if (c->how == CHOICE_CLEAR && asks_more(r, c)) {
		options->choice = c;
		return 0;
	}
	if (c->how == CHOICE_CLEAR || c->how == CHOICE_TAKEN)
		rc = take_up(bot, mail, m, c, err);
	else if (calls_off(bot, r))
		rc = call_off(bot, mail, m, c, a, err);
	else
		return c->how == CHOICE_UNCLEAR && !asks_more(r, c)
			? ask_again(bot, mail, r, c, err) : 0;
	return rc == -1 ? -1 : 1;
}

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
		rc = plan_and_apply(bot, r, &first, true, NULL, err);
	if (rc == 0)
		rc = settle(bot, mail, m, MAIL_DUPLICATE, "duplicate",
			    "the same Message-ID and words came before", err);
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

	if (!ignored && confirming_word(bot, m, token))
		switch (token_check(token, s->secret, s->secret_len,
				    m->from.address, clock_now())) {
		case TOKEN_GOOD:
			return confirm(bot, mail, m, token_request(token),
				       err);
		case TOKEN_EXPIRED:
			options->stale = true;
			break;
		default:
			break;	/* a mail like any other */
		}
	return plan_and_apply(bot, r, mail, false, options, err);
}

static int decide_read(const struct bot *bot, struct stored_mail *mail,
		       const struct reading *r, struct err *err)
{
	struct plan_options options = { .last_try = mail->tries >= FETCHES };
	struct arena a = ARENA_INIT;
	bool ignored = screen_mail(bot->settings, &r->message, &a);
	struct choice choice;
	int rc = is_copy(bot, mail, r, err);

	if (rc == 0 && !ignored)
		rc = take_choice(bot, mail, r, &choice, &options, &a, err);
	if (rc == 0)
		rc = decide_new(bot, mail, r, ignored, &options, err);
	arena_release(&a);
	return rc == -1 ? -1 : 0;
}

int decide_mail(const struct bot *bot, struct stored_mail *mail,
		struct err *err)
{
	struct reading r;
	int rc = read_mail(&r, bot, mail, err);

	if (rc == 0)
		rc = decide_read(bot, mail, &r, err);
	reader_release(&r);
	return rc;
}

/* 0 with "q" filled, or -1: it is not held. */
static int get_held(const struct bot *bot, int64_t request, struct asked *q,
		    struct arena *a, struct err *err)
{
	int rc = asked_get(bot->store, request, a, q, err);

	if (rc == 0 || (rc == 1 && q->state != ASKED_HELD))
		return err_set(err, ERR_INPUT, "no request %lld is held",
			       (long long)request);
	return rc == 1 ? 0 : -1;
}

int decide_approve(const struct bot *bot, int64_t request, struct err *err)
{
	const struct plan_options yes = { .approved = true };
	struct arena a = ARENA_INIT;
	struct asked q;
	int rc = get_held(bot, request, &q, &a, err);

	if (rc == 0)
		rc = again(bot, q.mail, &yes, err);
	arena_release(&a);
	return rc;
}

static int write_rejected(const struct bot *bot, struct asked *q,
			  struct err *err)
{
	int64_t now = clock_now();

	q->state = ASKED_DENIED;
	if (store_begin(bot->store, err) == -1)
		return -1;
	if (asked_save(bot->store, q, now, err) == -1 ||
	    audit_add(bot->store, now, "operator", "rejected", "request",
		      q->id, "", err) == -1) {
		store_rollback(bot->store);
		return -1;
	}
	return store_commit(bot->store, err);
}

int decide_reject(const struct bot *bot, int64_t request, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct asked q;
	int rc = get_held(bot, request, &q, &a, err);

	if (rc == 0)
		rc = write_rejected(bot, &q, err);
	arena_release(&a);
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
