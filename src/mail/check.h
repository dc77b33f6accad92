#ifndef MAIL_CHECK_H
#define MAIL_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "mail/message.h"

struct err;

/*
 * What may stand in a header or an envelope that we write.  Nothing that came
 * from outside gets there by another way.  All return 0, or -1 with "err"
 * (ERR_INPUT) saying what is wrong.
 */

/* RFC 5322 3.6.8: printable ASCII without the colon, 76 bytes at most. */
int header_name(const char *name, struct err *err);

/*
 * A value before it is encoded: one line of valid UTF-8 without control
 * characters (a tab counts as one), 4096 bytes at most.
 */
int header_value(const char *value, struct err *err);

/*
 * An address as it goes to a server: local@domain, RFC 5321 4.1.2 with a
 * dot-string before the @, ASCII alone, 64 bytes before the @ and 254 in all.
 */
int address_check(const char *address, struct err *err);

/*
 * One mailbox as people and git write it: "Ann Example <ann@example.org>",
 * "\"Example, Ann\" <ann@example.org>" or the address alone.  The name is UTF-8,
 * taken as it stands (no encoded-words), without control characters.  The
 * domain becomes lower case.  Strings live in "a".
 */
int address_parse(const char *text, struct arena *a, struct address *out,
		  struct err *err);

/* A Message-ID without brackets, RFC 5322 3.6.4: dot-atom@dot-atom. */
int msgid_check(const char *id, struct err *err);

/* May it be the Message-ID of somebody's mail?  Looser than msgid_check(),
 * since real ones are: printable ASCII around an '@', without <, > and ". */
bool msgid_likely(const char *id);

#endif
