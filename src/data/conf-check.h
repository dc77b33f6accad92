#ifndef DATA_CONF_CHECK_H
#define DATA_CONF_CHECK_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct yaml;

/* Is everything in the file known and of the right type?  -1 with the first
 * thing that is not, "NAME:LINE: reason". */
int conf_check(const struct yaml *root, const char *name, struct err *err);

/* "90", "90s", "15m", "2h", "7d" */
bool conf_parse_time(const char *text, int64_t *seconds);

#endif
