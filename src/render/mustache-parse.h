#ifndef RENDER_MUSTACHE_PARSE_H
#define RENDER_MUSTACHE_PARSE_H

#include <stddef.h>

#include "base/arena.h"
#include "render/mustache.h"

/*
 * A template taken apart: a flat list of tags and the text between them.
 * A section knows where it ends, so that nothing here needs recursion.
 */

enum {
	MUSTACHE_DEPTH_MAX = 32,	/* sections inside each other */
	MUSTACHE_SOURCE_MAX = 1 << 20,	/* bytes of one template, indented */
};

enum tag_kind {
	TAG_TEXT,	/* "text" as it stands */
	TAG_NAME,	/* {{text}} */
	TAG_RAW,	/* {{{text}}} {{&text}} */
	TAG_SECTION,	/* {{#text}} */
	TAG_INVERTED,	/* {{^text}} */
	TAG_END,	/* {{/text}} */
	TAG_PARTIAL,	/* {{>text}} */
};

struct tag {
	enum tag_kind kind;
	const char *text;	/* the name, NUL-terminated; or text of "len" */
	size_t len;
	size_t line;		/* from 1 */
	size_t end;		/* sections: the index of their TAG_END */
	const char *indent;	/* of a partial alone on its line, else "" */
};

struct template {
	const char *file;
	struct tag *tag;
	size_t n, cap;
};

/*
 * Take "source" apart, each line indented by "indent" ("" for none).  All
 * memory is of "a" or of the source's.  Returns NULL with "err" as
 * "FILE:LINE: what".
 */
struct template *template_parse(struct arena *a,
				const struct mustache_source *source,
				const char *indent, struct err *err);

#endif
