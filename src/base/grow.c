#include "base/grow.h"

#include <stdlib.h>

#include "base/err.h"

void *grow_array(void *array, size_t n, size_t size)
{
	if (n & (n - 1))
		return array;
	array = reallocarray(array, n ? 2 * n : 1, size);
	if (!array)
		die_no_memory();
	return array;
}
