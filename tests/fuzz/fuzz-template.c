/*
 * A template: the first line is its data, the rest its text; partials are the
 * template itself ("self") and a short one.  Whatever it says, rendering ends
 * within its limits, and says so when it fails; strict mode only fails more.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "render/mustache.h"

#define OUT_MAX 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int find_partial(void *arg, struct arena *a, const char *name,
			struct mustache_source *source, struct err *err)
{
	(void)a;
	(void)err;
	if (!strcmp(name, "self"))
		*source = *(struct mustache_source *)arg;
	else if (!strcmp(name, "p"))
		*source = (struct mustache_source){ "p", "[{{x}}]\n{{>q}}", 15 };
	else
		return 0;
	return 1;
}

static int render(struct buf *out, struct mustache_source *source,
		  const json_t *values, bool strict, bool html)
{
	struct mustache_options o = { .strict = strict, .html = html,
				      .partial = find_partial, .arg = source };
	struct err err = ERR_INIT;
	int rc;

	buf_reset(out);
	rc = mustache_render(out, source, values, &o, &err);
	if ((rc == -1) != (*err.text != '\0') || out->len > OUT_MAX)
		abort();
	return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *s = (const char *)data;
	const char *lf = size ? memchr(s, '\n', size) : NULL;
	size_t first = lf ? (size_t)(lf - s) : 0;
	struct mustache_source source = { "t", s + first + !!lf,
					  size - first - !!lf };
	struct buf loose = BUF_INIT(OUT_MAX), strict = BUF_INIT(OUT_MAX);
	struct err err = ERR_INIT;
	json_t *values = json_read_text(s, first, "data", &err);

	if (!values)
		values = json_object();
	for (int html = 0; html < 2; html++) {
		int rc = render(&loose, &source, values, false, html);

		if (render(&strict, &source, values, true, html) == 0 &&
		    (rc == -1 || strict.len != loose.len ||
		     memcmp(strict.s, loose.s, loose.len)))
			abort();
	}
	json_decref(values);
	buf_release(&loose);
	buf_release(&strict);
	return 0;
}
