#ifndef BOT_UPSHOT_H
#define BOT_UPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "bot/bot.h"
#include "bot/judge.h"
#include "bot/measured.h"
#include "data/json.h"
#include "store/jobs.h"
#include "store/reports.h"
#include "store/requests.h"

/* What a job that has ended comes to: the verdict, and all that the result's
 * mail says of it. */

struct upshot {
	const struct bot *bot;
	struct arena arena;
	struct asked *asked;	/* all that wait for the job */
	size_t nasked;
	struct job job;
	struct stored_report report;
	json_t *spec;
	struct measured m;
	bool opened, measured;	/* m is to be released, holds something */
	json_t *data;		/* of the template */
	const char *verdict;	/* for the X- field and the first line */
	struct judgement judged;
};

/*
 * From job, report and spec: read the results (m, opened, measured), judge
 * them (verdict, judged), and put into "data" what result.mustache wants.
 * The caller releases m when "opened", and drops "data".
 */
void upshot_describe(struct upshot *r);

#endif
