#include "buffer.h"

#include <string.h>

int buffer_add(struct buffer *b, const char *word, size_t len)
{
	if (len >= BUFFER_MAX - b->len)
		return -1;
	memcpy(b->text + b->len, word, len + 1);
	b->len += len;
	return 0;
}

void buffer_reset(struct buffer *b)
{
	b->text[0] = '\0';
	b->len = 0;
}
