#include "run/run.h"

#include <string.h>

const struct run_driver *run_driver_find(const char *name)
{
	static const struct run_driver *const driver[] = {
		&run_exec, &run_slurm, NULL,
	};

	for (const struct run_driver *const *d = driver; *d; d++)
		if (!strcmp((*d)->name, name))
			return *d;
	return NULL;
}
