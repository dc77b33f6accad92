#ifndef COMPOSE_COMPOSE_H
#define COMPOSE_COMPOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mail/write.h"
#include "people/recipients.h"
#include "report/report.h"

struct buf;
struct err;

/*
 * A report and its rendering, made a message.  The text comes from render,
 * the people from people; here they meet.
 */

struct compose_options {
	struct address from;
	bool token;		/* write it NAME+rREPORT@..., so that an answer
				 * says which report it is about */
	struct address reply_to;	/* address NULL: none */
	const char *domain;	/* of the Message-ID; NULL: that of "from" */
	const char *subject;	/* as the template set has it */
	const char *revision;	/* of the report; NULL: a digest of its facts */
	const char *request;	/* Message-ID of what it answers, or NULL */
	const char *in_reply_to;	/* the mail it threads under, or NULL */
	struct strings references;	/* oldest first; none: in_reply_to */
	bool attach;		/* attach.h's attachments */
	bool ascii;		/* text and subject in ASCII: +- and the like */
	enum line_end end;
	int64_t date;		/* usually clock_now() */
};

/*
 * Append the mail that carries "text" (UTF-8, LF) to "out", after reading it
 * back (lint.h).  In a mail that answers another, suggested tags get "| " in
 * front.  Returns 0, or -1 with "err" (ERR_INPUT): what is not fit to be sent,
 * all reasons in one.
 */
int compose_report(const struct report *r, const char *text,
		   struct recipients *who, const struct compose_options *o,
		   struct buf *out, struct err *err);

/* Append the Message-ID that compose_report() gives it, without brackets:
 * the text may have to name it. */
void compose_message_id(const struct report *r,
			const struct compose_options *o, struct buf *out);

/*
 * Who a report is, whatever it says: a digest of the compared commits, the
 * axes of the headline's group and the headline.  Its revision is a digest of
 * the numbers, so that the same facts make the same mail and others another.
 */
void report_identity(const struct report *r, char hex[65]);
void report_revision(const struct report *r, char hex[65]);

#endif
