#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "mail/lines.h"
#include "mail/patch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Read a patch's own text: a sound one is found again, the same. */
static void check_again(const struct patch *p)
{
	struct arena a = ARENA_INIT;
	struct patch again;
	struct line *v;
	size_t n = lines_split(&v, &a, p->text, strlen(p->text));

	if (p->verdict == PATCH_OK &&
	    (patch_read(&again, &a, v, n, 0) != n ||
	     again.verdict != PATCH_OK || strcmp(again.text, p->text) ||
	     strcmp(again.id, p->id) || again.files.n != p->files.n))
		abort();
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	struct line *v;
	struct patch p;
	size_t n, len;

	if (memchr(data, 0, size) || !utf8_valid((const char *)data, size))
		return 0;	/* such text does not come so far */
	n = lines_split(&v, &a, (const char *)data, size);
	for (size_t i = 0; i < n; i += len) {
		len = patch_read(&p, &a, v, n, i);
		if (i + len > n)
			abort();
		if (len && patch_preamble(&p, &a, v, 0, i) > i)
			abort();
		if (len)
			check_again(&p);
		len += !len;
	}
	arena_release(&a);
	return 0;
}
