#ifndef COMPOSE_TAGS_H
#define COMPOSE_TAGS_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/*
 * Lines such as "Tested-by: Ann <ann@example.org>".  At the start of a line of
 * an answer, tools (b4, patchwork) take them for given and put them into
 * commits; a report only suggests them.
 */

/* Would they take this line? */
bool tag_at(const char *line, size_t len);

/* Append "text" with "| " before each such line, as robots write them. */
void tags_guard(struct buf *out, const char *text);

#endif
