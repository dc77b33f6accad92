#ifndef REPORT_BODY_H
#define REPORT_BODY_H

struct report;

/*
 * Choose the rows of each group that go into the mail: all when there are no
 * more than options.rows; else the headline, the KPIs, the failures, and of
 * the rest those whose change is largest against its spread, no monitor
 * more than a third of the room.  Fills r->body.
 */
void body_choose(struct report *r);

#endif
