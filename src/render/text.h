#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include <stdbool.h>

#include "data/json.h"
#include "render/template-set.h"
#include "report/report.h"

struct buf;
struct conf;
struct err;

/*
 * A report as text, by a set of templates.
 */

struct text_options {
	const char *template;	/* -t: name of a set or path of a folder */
	int era;		/* --era: 0 for today's layout */
	const char *const *set;	/* "KEY=VALUE" options of the set,
				 * NULL-terminated, or NULL */
	bool plots_given;
	size_t plots;		/* --plots: at most so many; else the set's */
	const char *plot_style;	/* "classic" or "trend"; NULL: the set's */
	bool ascii;		/* nothing beyond ASCII in tables */
	const char *message_id;	/* of the mail it becomes, without brackets;
				 * NULL when not known */
	const struct conf *conf;	/* who the operator is */
	const char *address;	/* that the mail comes from; NULL: the
				 * configuration's operator.address */
};

struct text {
	struct template_set set;
	json_t *data;		/* what templates see, and -f json prints */
};

/* Open the set and collect the data; "r" must outlive it.  Returns 0, or -1
 * with "err"; release either way. */
int text_open(struct text *t, const struct report *r,
	      const struct text_options *options, struct err *err);
void text_release(struct text *t);

/* Append the set's template "subject".  No text that it names takes more than
 * SUBJECT_TEXT_MAX columns: longer ones are shortened in their middle. */
enum { SUBJECT_TEXT_MAX = 300 };
int text_subject(const struct text *t, struct buf *out, struct err *err);

/* Append the set's template "body". */
int text_body(const struct text *t, struct buf *out, struct err *err);

#endif
