#ifndef DATA_JSON_STRING_H
#define DATA_JSON_STRING_H

#include <stdbool.h>
#include <stddef.h>

/* Inside of scan.c: what stands between the quotes, in place. */

/* Decode the escapes of from .. end (RFC 8259 7); readable behind "end" must be
 * a byte that is no hexadecimal digit.  Returns the new end; *wrong, NULL
 * before, says what is not good. */
char *json_decode(char *from, const char *end, const char **wrong);

/* Put '?' for every byte that is no UTF-8; was there one? */
bool json_mend(char *s, size_t len);

#endif
