#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

char buf_empty[1];

static bool buf_grow(struct buf *b, size_t extra)
{
	size_t cap = b->cap ? b->cap : 64;
	char *s;

	if (b->over || extra > b->max - b->len) {
		b->over = true;
		return false;
	}
	while (cap < b->len + extra + 1)
		cap *= 2;
	if (cap == b->cap)
		return true;
	s = realloc(b->cap ? b->s : NULL, cap);
	if (!s)
		die_no_memory();
	b->s = s;
	b->cap = cap;
	return true;
}

void buf_add(struct buf *b, const void *data, size_t len)
{
	if (!buf_grow(b, len))
		return;
	if (len)
		memcpy(b->s + b->len, data, len);
	b->len += len;
	b->s[b->len] = '\0';
}

void buf_addstr(struct buf *b, const char *str)
{
	buf_add(b, str, strlen(str));
}

void buf_addch(struct buf *b, char c)
{
	if (b->over || b->len + 1 >= b->cap || b->len >= b->max) {
		buf_add(b, &c, 1);
		return;
	}
	b->s[b->len++] = c;
	b->s[b->len] = '\0';
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || !buf_grow(b, (size_t)n))
		return;
	va_start(ap, fmt);
	vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}

bool buf_over(const struct buf *b)
{
	return b->over;
}

void buf_reset(struct buf *b)
{
	b->len = 0;
	b->over = false;
	if (b->cap)
		b->s[0] = '\0';
}

void buf_release(struct buf *b)
{
	if (b->cap)
		free(b->s);
	*b = (struct buf)BUF_INIT(b->max);
}

char *buf_detach(struct buf *b)
{
	char *s;

	s = b->cap ? b->s : strdup("");
	if (!s)
		die_no_memory();
	*b = (struct buf)BUF_INIT(b->max);
	return s;
}
