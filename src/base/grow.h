#ifndef BASE_GROW_H
#define BASE_GROW_H

#include <stddef.h>

/*
 * An array from malloc() of "n" elements of "size" bytes (NULL while it is
 * empty) with room for one more; the caller frees it.  There is no capacity to
 * keep: it was full at 0, 1, 2, 4, 8 ... elements, and then doubles.  For what
 * becomes large: of an array in an arena all that was too small stays there.
 */
void *grow_array(void *array, size_t n, size_t size);

#endif
