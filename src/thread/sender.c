#include "thread/sender.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mail/address.h"

enum { DATE_DIGITS = 8, MOMENT_DIGITS = 9, NUMBER_DIGITS = 4 };

/* "Ann Lee", not "Ann" or "kernel": at least two words. */
static bool is_same_name(const char *a, const char *b)
{
	const char *blank = strchr(a, ' ');

	return blank && blank > a && blank[1] && !strcasecmp(a, b);
}

static size_t digits_in(const char *s, size_t n)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += isdigit((unsigned char)s[i]) != 0;
	return found;
}

/* Where the two begin to differ, at the start of a number. */
static size_t same_head(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	while (n && isdigit((unsigned char)a[n - 1]))
		n--;
	return n;
}

/*
 * "20260303101500.4711-2-ann@example.org", "20260303-topic-v2-2-1f2e3d@host":
 * a date, and the number of the mail.
 */
static bool is_numbered(const char *a, unsigned int na, const char *b,
			unsigned int nb)
{
	size_t head = same_head(a, b), la, lb;

	if (digits_in(a, head) < DATE_DIGITS)
		return false;
	a += head;
	b += head;
	la = strspn(a, "0123456789");
	lb = strspn(b, "0123456789");
	return la && la <= NUMBER_DIGITS && lb && lb <= NUMBER_DIGITS &&
	       !strcmp(a + la, b + lb) &&
	       atol(b) - atol(a) == (long)nb - (long)na;
}

/* ".1772532900.git.ann@example.org" at its end: the moment of format-patch. */
static const char *moment(const char *id)
{
	const char *dot = strchr(id, '.');
	size_t n = dot ? strspn(dot + 1, "0123456789") : 0;

	return n >= MOMENT_DIGITS && !strncmp(dot + 1 + n, ".git.", 5) ? dot :
									NULL;
}

static bool is_one_run(const char *a, unsigned int na, const char *b,
		       unsigned int nb)
{
	const char *ma = moment(a), *mb = moment(b);

	return (ma && mb && !strcmp(ma, mb)) || is_numbered(a, na, b, nb);
}

bool sender_is_same(const struct thread_mail *a, unsigned int na,
		    const struct thread_mail *b, unsigned int nb)
{
	return address_is_same(a->author.address, b->author.address) ||
	       is_same_name(a->author.name, b->author.name) ||
	       is_one_run(a->id, na, b->id, nb);
}
