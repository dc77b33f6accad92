#ifndef TESTS_MAIL_COPY_H
#define TESTS_MAIL_COPY_H

/*
 * Messages for tests: read from an exact heap copy, so that a step past the
 * last byte is seen.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/err.h"
#include "mail/message.h"

static inline void read_bytes(struct message *m, const void *bytes,
			      size_t len)
{
	struct err err = ERR_INIT;
	char *copy = malloc(len ? len : 1);

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	assert_int_equal(message_read(m, copy, len, &err), 0);
	free(copy);
}

static inline void read_text(struct message *m, const char *text)
{
	read_bytes(m, text, strlen(text));
}

#endif
