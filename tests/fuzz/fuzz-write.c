#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "mail/message.h"
#include "mail/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The next line of "*text", cut off in place. */
static char *line(char **text)
{
	char *s = *text, *nl = strchr(s, '\n');

	*text = nl ? nl + 1 : s + strlen(s);
	if (nl)
		*nl = '\0';
	return s;
}

/* Blanks in a header may fold: one is as good as many, those at the ends go. */
static void squeeze(char *to, const char *s)
{
	for (; *s; s++)
		if (*s != ' ' || (s[1] && s[1] != ' '))
			*to++ = *s;
	*to = '\0';
}

static void same(const char *a, const char *b)
{
	char *x = malloc(strlen(a) + 1), *y = malloc(strlen(b) + 1);

	squeeze(x, a + strspn(a, " "));
	squeeze(y, b + strspn(b, " "));
	assert(!strcmp(x, y));
	free(x);
	free(y);
}

/* Three lines (a name, a subject, a file name), then a text: what is taken is
 * read back as it was, in lines of at most 998 bytes, 7 bits each. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(size + 1, 1), *pos = text;
	struct address to = { .address = "a@example.org" };
	struct attachment with = { .type = "text/plain", .data = "x", .len = 1 };
	struct letter l = {
		.from = { "r", "r@example.org" }, .to = { &to, 1 },
		.message_id = "x@example.org", .attachment = &with,
	};
	struct buf out = BUF_INIT(1 << 24);
	struct message m;

	memcpy(text, data, size);
	to.name = line(&pos);
	l.subject = line(&pos);
	with.name = line(&pos);
	l.nattachment = *with.name != '\0';
	l.body = pos;
	if (letter_write(&l, LINE_END_LF, &out, NULL) == 0) {
		for (size_t i = 0, column = 0; i < out.len; i++) {
			column = out.s[i] == '\n' ? 0 : column + 1;
			assert(column <= 998 && !(out.s[i] & 0x80));
		}
		assert(message_read(&m, out.s, out.len, NULL) == 0);
		assert(m.to.n == 1 && !m.cc.n);
		assert(!strcmp(m.to.v[0].address, to.address));
		same(m.to.v[0].name, to.name);
		same(m.subject, l.subject);
		message_release(&m);
	}
	buf_release(&out);
	free(text);
	return 0;
}
