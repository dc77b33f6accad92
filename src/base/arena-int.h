#ifndef BASE_ARENA_INT_H
#define BASE_ARENA_INT_H

#include <stddef.h>

struct arena;

/*
 * Nobody needs the "size" bytes that were taken at "p" any more: large ones are
 * freed at once, small ones stay until release.  For arrays that grow and that
 * nobody else points into.
 */
void arena_give_back(struct arena *a, const void *p, size_t size);

#endif
