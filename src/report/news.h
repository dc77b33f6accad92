#ifndef REPORT_NEWS_H
#define REPORT_NEWS_H

#include <stdbool.h>

struct report;

/*
 * Decide what is the news of a report whose headline and verdict are known,
 * into r->news, and correct the verdict: a change that may have another cause
 * than the commit is inconclusive, and so is a test that failed.
 *
 * In this order: sides that are not comparable; runs that die (of half of the
 * runs at least, or where the headline did not change); a headline that one
 * side lacks, or that is 0 in all of its runs; the change as it is.
 */
void news_find(struct report *r);

/* Is the benchmark dead with the commit: the headline, of which more is
 * better, 0 in all runs, and in none of the base? */
bool report_is_dead(const struct report *r);

/* Is it something to write a mail about? */
bool news_is_settled(const struct report *r);

#endif
