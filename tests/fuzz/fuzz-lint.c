#include <stdint.h>

#include "compose/lint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lint l = LINT_INIT;

	lint_mail(&l, (const char *)data, size, NULL);
	lint_release(&l);
	return 0;
}
