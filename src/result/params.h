#ifndef RESULT_PARAMS_H
#define RESULT_PARAMS_H

#include "result/result.h"

/*
 * Which members of a job make up the second part of an LKP path, where no
 * result_axes says so?  That part holds the values of the parameters in order
 * of their names, joined by '-': "performance-process-100%-poll2" of
 * cpufreq_governor, mode, nr_task and test.  Sets them as axes; returns false,
 * and sets none, when no members fit or more than one choice of them does.
 */
bool set_params_of_path(struct results *rs, struct result *r,
			const char *params);

#endif
