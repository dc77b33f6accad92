#ifndef DATA_NUMBER_H
#define DATA_NUMBER_H

#include "data/cells.h"

/* Bytes behind a number's text that number_parse() may look at. */
#define NUMBER_PAD 16

/*
 * Read a JSON number (RFC 8259 6) at "p", correctly rounded.  Without fraction
 * and exponent it is an integer if it fits 64 bits, else a float.  Returns the
 * place behind it, or NULL when there is no number there or none that a double
 * can hold (1e999).  What follows the number is for the caller to judge; the
 * text must end in something that no number holds, and NUMBER_PAD bytes behind
 * that end must be readable.
 */
const char *number_parse(const char *p, union cell *out, enum cell_type *type);

#endif
