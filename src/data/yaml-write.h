#ifndef DATA_YAML_WRITE_H
#define DATA_YAML_WRITE_H

#include "data/json.h"

struct buf;

/*
 * Append "v" as a YAML document in block style: an object a line per member,
 * lists of scalars on one line.  Texts stand plain where that reads as the same
 * text or as what a job file meant by it (100%, 5, gcc-12), else in double
 * quotes.  Nothing for a value that is deeper than JSON_DEPTH_MAX.
 */
void yaml_write(struct buf *out, const json_t *v);

#endif
