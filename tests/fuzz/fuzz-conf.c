#include <stdint.h>

#include "base/err.h"
#include "data/conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	struct conf c;

	if (conf_load_text(&c, (const char *)data, size, "f", &err) == 0) {
		/* What was checked can be asked for. */
		conf_text(&c, "operator.name");
		conf_list(&c, "lists");
		conf_names(&c, "trees");
		conf_time(&c, "fetch.timeout");
		conf_int(&c, "caps.day");
	}
	conf_release(&c);
	return 0;
}
