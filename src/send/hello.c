#include "send/hello.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

void hello_begin(struct hello *h, const char *secret)
{
	*h = (struct hello){ .secret = secret };
}

static bool begins(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && !strncasecmp(s, word, n);
}

/* "AUTH PLAIN AGJvd...", or what goes on after it. */
static void note_login(struct hello *h, const char *s, size_t len)
{
	size_t from;

	h->login = h->login || begins(s, len, "AUTH");
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	for (from = len; from && s[from - 1] != ' '; from--)
		;
	len -= from;
	if (!h->login || len < 4 || len >= sizeof(h->word))
		len = 0;
	memcpy(h->word, s + from, len);
	h->word[len] = '\0';
}

void hello_said(struct hello *h, const char *s, size_t len)
{
	if (begins(s, len, "QUIT"))
		return;		/* it fails: the reply before says why */
	if (begins(s, len, "EHLO"))
		h->size = false;
	note_login(h, s, len);
	reply_begin(&h->reply);
}

void hello_heard(struct hello *h, const char *s, size_t len)
{
	if (h->reply.code >= 400)
		return;
	if (h->reply.code)
		reply_begin(&h->reply);
	if (len >= 8 && begins(s + 4, len - 4, "SIZE"))
		h->size = true;
	if (!reply_line(&h->reply, s, len))
		return;
	reply_hide(&h->reply, h->secret);
	reply_hide(&h->reply, h->word);
}
