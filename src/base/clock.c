#include "base/clock.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static bool fixed;
static int64_t fixed_at;

void clock_set(int64_t seconds)
{
	fixed = true;
	fixed_at = seconds;
}

int64_t clock_now(void)
{
	const char *env;
	char *end;
	long long v;

	if (fixed)
		return fixed_at;
	env = getenv("SOURCE_DATE_EPOCH");
	if (env && *env) {
		errno = 0;
		v = strtoll(env, &end, 10);
		if (!*end && !errno && v >= 0)
			return v;
	}
	return time(NULL);
}

int64_t clock_monotonic_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}
