#include "bot/decide-int.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "bot/apply.h"
#include "store/audit.h"

int decide_read(struct reading *r, const struct bot *bot,
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

int decide_plan(const struct bot *bot, const struct reading *r,
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

int decide_again(const struct bot *bot, int64_t id,
		 const struct plan_options *options, struct err *err)
{
	struct arena a = ARENA_INIT;
	struct stored_mail mail;
	struct reading r;
	int rc = mail_get(bot->store, id, &a, &mail, err);

	if (rc == 0)
		rc = err_set(err, ERR_INPUT, "no mail %lld", (long long)id);
	if (rc == 1) {
		rc = decide_read(&r, bot, &mail, err);
		if (rc == 0)
			rc = decide_plan(bot, &r, &mail, true, options, err);
		reader_release(&r);
	}
	arena_release(&a);
	return rc;
}

int decide_settle(const struct bot *bot, struct stored_mail *mail,
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
