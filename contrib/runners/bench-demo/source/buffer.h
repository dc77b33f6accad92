#ifndef BUFFER_H
#define BUFFER_H

#include <stddef.h>

/* A text that grows, up to BUFFER_MAX bytes. */
#define BUFFER_MAX 4096

struct buffer {
	size_t len;
	char text[BUFFER_MAX];
};

/* Append "word"; -1 when there is no room for it. */
int buffer_add(struct buffer *b, const char *word, size_t len);

/* Empty it. */
void buffer_reset(struct buffer *b);

#endif
