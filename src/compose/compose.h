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
	struct address reply_to;	/* address NULL: none */
	const char *domain;	/* of the Message-ID; NULL: that of "from" */
	const char *tree;	/* short name for the subject, "linux-next";
				 * NULL: the subject names no tree */
	const char *subject;	/* instead of the one made here, or NULL */
	const char *revision;	/* of the report; NULL: a digest of its facts */
	const char *request;	/* Message-ID of what it answers, or NULL */
	const char *in_reply_to;	/* the mail it threads under, or NULL */
	struct strings references;	/* oldest first */
	const struct attachment *attachment;
	size_t nattachment;
	bool ascii;		/* the text in ASCII: +- and the like */
	enum line_end end;
	int64_t date;		/* usually clock_now() */
};

/*
 * Append the mail that carries "text" (UTF-8, LF) to "out".  Returns 0, or -1
 * with "err": ERR_INPUT as letter_write() says.
 */
int compose_report(const struct report *r, const char *text,
		   struct recipients *who, const struct compose_options *o,
		   struct buf *out, struct err *err);

/*
 * Append "[tree:branch] [subsystem] 5c0a85fad9: unixbench.score -6.3%
 * regression"; what is not known is left out.  "tree" may be NULL.
 */
void compose_subject(const struct report *r, const char *tree,
		     struct buf *out);

/*
 * Who a report is, whatever it says: a digest of the compared commits, the
 * axes of the headline's group and the headline.  Its revision is a digest of
 * the numbers, so that the same facts make the same mail and others another.
 */
void report_identity(const struct report *r, char hex[65]);
void report_revision(const struct report *r, char hex[65]);

#endif
