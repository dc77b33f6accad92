#ifndef PEOPLE_TEXT_H
#define PEOPLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "mail/message.h"

/*
 * Text from a repository, fit to be shown and put in a header: one line of
 * UTF-8 (what is none is taken for Latin-1, as old names are), control and bidi
 * characters spelled out, blanks around it gone, "columns" wide at most.
 */
const char *text_line(struct arena *a, const char *s, size_t len,
		      size_t columns);

/* A person from a name and an address; the address "" when it is unfit. */
struct address text_person(struct arena *a, const char *name,
			   const char *address);

/* The person that "Name <address>  # remark" names; false (and the address
 * "") when it names none. */
bool text_mailbox(struct arena *a, const char *s, size_t len,
		  struct address *who);

#endif
