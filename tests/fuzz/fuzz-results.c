#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/log.h"
#include "result/result.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const struct result *r)
{
	double sum = 0;

	for (size_t i = 0; i < r->nseries; i++) {
		const struct series *s = &r->series[i];

		if (result_series(r, series_name(r, s)) != s)
			abort();
		for (uint32_t k = 0; k < s->n; k++)
			if (series_type(s, k) == CELL_INT ||
			    series_type(s, k) == CELL_FLOAT)
				sum += series_value(s, k) * 1e-30;
	}
	if (sum != sum || !result_axis(r, "commit"))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	struct results rs;
	char path[40];

	log_set_level(LOG_LEVEL_ERROR);
	if (fd == -1 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	results_init(&rs);
	/* Twice: as the base and as the head. */
	for (int i = 0; i < 2; i++)
		if (results_read(&rs, path, &err) == -1 && !*err.text)
			abort();
	for (size_t i = 0; i < rs.n; i++)
		look_at(rs.result[i]);
	results_release(&rs);
	close(fd);
	return 0;
}
