#ifndef MAIL_DATE_H
#define MAIL_DATE_H

#include <stdint.h>

#define DATE_NONE INT64_MIN

/*
 * The time of a Date header in seconds since 1970 UTC, or DATE_NONE.
 * Takes RFC 5322 (with its obsolete zones and years), asctime, ISO 8601 and
 * what broken mailers make of them; a time without a zone is UTC.
 */
int64_t date_read(const char *s);

#endif
