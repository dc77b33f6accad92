#ifndef COMPARE_NAMES_H
#define COMPARE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "result/result.h"

/* What can be said of a stat by its name alone, without any rule file. */

#define INCOMPLETE "last_state.is_incomplete_run"

bool starts_with(const char *name, const char *prefix);

/* The length of the part before the first dot: its monitor or test. */
size_t stat_base_length(const char *name);

/* Is "base" (of that length) this part of the name? */
bool has_base(const char *name, const char *base, size_t len);

/* "perf-profile...": shares of a whole, in percent. */
bool is_profile(const char *name);

/*
 * A failure that is named like the outcome of a test (.fail, .error, .warn,
 * .pass) is only news when "base" knows the test by its other outcome.
 */
bool lacks_counterpart(const struct result *base, const char *name);

#endif
