#ifndef REPORT_FINDING_H
#define REPORT_FINDING_H

#include "base/buf.h"
#include "data/json.h"
#include "report/failure.h"
#include "report/report.h"

/*
 * How findings are written: one file each, finding-NAME.c, with one function
 * that looks at the report and adds its findings, or none.
 */
void find_also(struct report *r);
void find_caveats(struct report *r);
void find_clusters(struct report *r);
/* ... and returns whether it had to: then there is no change to speak of. */
bool find_dead(struct report *r);
void find_direction(struct report *r);
void find_gone_failures(struct report *r);
void find_new_failures(struct report *r);
void find_fixed_time(struct report *r);
void find_hot_path(struct report *r);
void find_next(struct report *r);
void find_odd_run(struct report *r);
void find_one_sided(struct report *r);
void find_others(struct report *r);
void find_rates(struct report *r, enum failure_change change);
void find_real(struct report *r);
void find_same_rows(struct report *r);
void find_trade(struct report *r);

/* A finding on its way. */
struct note {
	struct report *report;
	struct buf text;	/* one paragraph; wrapped at the end */
	json_t *numbers;	/* an object */
	const char **stat;
	size_t nstat, cap;
};

void note_start(struct note *n, struct report *r);

/* Append a stat's name to the text: in ASCII, shortened in the middle. */
void note_name(struct note *n, const char *name);

/* The finding speaks of this row. */
void note_stat(struct note *n, const char *name);

void note_number(struct note *n, const char *key, double value);
void note_text(struct note *n, const char *key, const char *value);

/* Nobody needs to see this row of the headline's group, or "instead". */
void note_hide(struct note *n, const struct row *row);
void note_replace(struct note *n, const struct row *row,
		  const struct row *instead);

/* Add the finding to the report. */
void note_end(struct note *n, enum finding_kind kind);

/* Likewise, but it is about rows of the table and stands below that. */
void note_aside(struct note *n, enum finding_kind kind);

/* There was nothing to say after all. */
void note_drop(struct note *n);

/* What a side is called: "v4.20-rc7", "c9f4cd7138"; in the arena, ASCII. */
const char *side_title(struct report *r, size_t side);

/* The first finding of a kind so far; NULL. */
const struct finding *finding_of(const struct report *r,
				 enum finding_kind kind);

/* The run of "f" that lies far from all of its others, which lie between "low"
 * and "high"; false where there is none. */
bool far_run(const struct figure *f, size_t *at, double *low, double *high);

/* Has either side of the headline one? */
bool has_far_run(const struct report *r);

/* The two sides of the headline that are compared. */
const struct figure *base_figure(const struct report *r);
const struct figure *head_figure(const struct report *r);

/*
 * The row of "g" before row "i" that says the same, so that one of them is
 * enough; NULL.
 */
const struct row *row_repeated(const struct group *g, size_t i);

#endif
