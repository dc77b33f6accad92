#include "bot/receive.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "bot/pulse.h"
#include "mail/id.h"
#include "mail/mailbox.h"
#include "store/mails.h"

static int take(const struct bot *bot, const struct buf *bytes,
		const char *place, struct err *err)
{
	char hash[DIGEST_HEX];
	struct stored_mail m = { .hash = hash, .source = place,
				 .received = clock_now(), .bytes = bytes->s,
				 .len = bytes->len };

	digest_bytes(bytes->s, bytes->len, hash);
	return mail_add(bot->store, &m, err);
}

static int take_all(const struct bot *bot, struct mailbox *box,
		    struct err *err)
{
	struct buf bytes = BUF_INIT(MAIL_MAX);
	int got, did = 0, rc = 0;

	while (rc != -1 && !pulse() && (got = mailbox_next(box, &bytes, err)) != 0) {
		if (got == -1) {
			log_warn("%s", err->text);
			continue;
		}
		rc = take(bot, &bytes, mailbox_place(box), err);
		did += rc == 1;
	}
	buf_release(&bytes);
	return rc == -1 ? -1 : did;
}

int receive_all(const struct bot *bot, struct err *err)
{
	const char *folder = conf_text(bot->settings->conf,
				       "receive.maildir.folder");
	struct mailbox *box;
	int did;

	if (!folder)
		return 0;
	box = mailbox_open(folder, err);
	if (!box)
		return -1;
	did = take_all(bot, box, err);
	mailbox_close(box);
	return did;
}
