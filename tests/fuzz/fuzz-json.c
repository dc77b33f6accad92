#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "data/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is read, written and read again is the same; and what jansson takes
 * is taken, unless it holds what jansson does not mind. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf out = BUF_INIT((size_t)1 << 24);
	struct err err = ERR_INIT;
	json_t *v = json_read_text((const char *)data, size, "f", &err), *w;

	if (v) {
		json_write(&out, v, size & 1);
		w = json_read_text(out.s, out.len, "f", &err);
		if (!w || !json_equal(v, w))
			abort();
		json_decref(w);
	} else if (!strstr(err.text, "too deep") && !memchr(data, 0, size) &&
		   !(size >= 3 && !memcmp(data, "\xef\xbb\xbf", 3))) {
		w = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES |
			       JSON_DECODE_ANY, NULL);
		if (w)
			abort();
	}
	json_decref(v);
	buf_release(&out);
	return 0;
}
