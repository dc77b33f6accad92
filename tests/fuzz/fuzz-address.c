#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "mail/address.h"
#include "mail/check.h"
#include "mail/encode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever stands there can be read; what our own strict reading takes is the
 * same address when it is written and read again. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = ARENA_INIT;
	char *text = arena_strndup(&a, (const char *)data, size);
	struct buf out = BUF_INIT(1 << 20);
	struct addresses read;
	struct address who;

	addresses_read(&read, &a, text);
	if (address_parse(text, &a, &who, NULL) == 0) {
		encode_addresses(&out, "To", &(struct addresses){ &who, 1 });
		assert(!memchr(out.s, '\r', out.len));
		for (char *p = out.s; *p; p++)	/* unfold it */
			*p = *p == '\n' ? ' ' : *p;
		addresses_read(&read, &a, out.s + strlen("To:"));
		assert(read.n == 1);
		assert(!strcmp(read.v[0].address, who.address));
	}
	buf_release(&out);
	arena_release(&a);
	return 0;
}
