#ifndef RESULT_SIDE_H
#define RESULT_SIDE_H

#include "result/result.h"

/* Sides of several files, and the names of sides that have none. */

/* "a,b,c": files of one side, a run each. */
int read_list(struct results *rs, const char *list, struct err *err);

/* A folder of such files, in order of their names. */
int read_folder(struct results *rs, const char *path, struct err *err);

/* Give the results from "first" on, which "path" gave, a commit where they
 * have none. */
void name_results(struct results *rs, size_t first, const char *path);

#endif
