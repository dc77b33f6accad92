#ifndef COMPOSE_ATTACH_H
#define COMPOSE_ATTACH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "mail/write.h"
#include "report/report.h"

/*
 * What goes with a report beside its text:
 *
 *  job.yaml	    the job of the commit reported on, where there is one
 *  reproduce	    the commands of the facts as a script; else the script that
 *		    LKP left in the result folder
 *  comparison.txt  the whole table, when the text has a part of it
 */
struct attachments {
	struct arena arena;
	struct attachment v[3];
	size_t n;
};
#define ATTACHMENTS_INIT { .arena = ARENA_INIT }

/* "ascii": the table spelled so.  What is not at hand is left out. */
void attachments_make(struct attachments *a, const struct report *r,
		      bool ascii);
void attachments_release(struct attachments *a);

#endif
