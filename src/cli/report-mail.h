#ifndef CLI_REPORT_MAIL_H
#define CLI_REPORT_MAIL_H

#include "cli/options-report.h"
#include "people/recipients.h"

struct buf;
struct err;

/* A report's message, for the commands that print or send one. */

struct mail_options {
	struct recipients who;		/* --to, --cc; report_mail() adds */
	const char *in_reply_to;	/* --in-reply-to, or NULL */
};
#define MAIL_OPTIONS_INIT { .who = RECIPIENTS_INIT }

void mail_options_release(struct mail_options *o);

/*
 * Append the report as a message, with its attachments, from the
 * configuration's operator; without one, from who calls.  It goes to those in
 * "o", the commit's author and the configuration's lists.  Returns 0, or -1
 * with "err".
 */
int report_mail(struct report_input *in, struct mail_options *o,
		struct buf *out, struct err *err);

#endif
