#ifndef RESULT_READERS_H
#define RESULT_READERS_H

#include "result/result.h"

/* The readers of this room, one a format; as results_read(). */

int read_lkp_folder(struct results *rs, const char *path, struct err *err);
int read_file(struct results *rs, const char *path, struct err *err);

/* The rows of a matrix (name -> list) or of a stats.json (name -> number). */
void read_matrix(struct results *rs, struct result *r, json_t *matrix);

#endif
