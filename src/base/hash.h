#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Of strmap.h and strset.h: another one in every process, since keys come
 * from strangers, who must not choose such as collide. */
uint32_t hash_text(const char *text, size_t len);

#endif
