#ifndef MAIL_ADDRESS_H
#define MAIL_ADDRESS_H

#include <stdbool.h>

#include "mail/message.h"

/* Mailboxes taken from one header; more are left out. */
#define ADDRESSES_MAX 2000

/*
 * The mailboxes of an address header (RFC 5322 3.4), groups flattened, as
 * people and programs write them: names with commas, encoded-words in and
 * out of quotes, comments as names, routes, "<" without ">", ";" between.
 * What holds no "@" is dropped.  "value" is the raw, unfolded field.
 */
void addresses_read(struct addresses *out, struct arena *a, const char *value);

/* Equal, as mailboxes are compared: the domain without case, the local part
 * without case too (no site that mails us tells them apart). */
bool address_is_same(const char *a, const char *b);

/* As address_is_same(), a "+tag" at the end of the local part of "a" ignored. */
bool address_is_same_untagged(const char *a, const char *b);

#endif
