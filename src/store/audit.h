#ifndef STORE_AUDIT_H
#define STORE_AUDIT_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct arena;

/* Who did what to which object, for ever. */

struct audit {
	int64_t id, at;
	const char *who;	/* "bot", an operator's login, an address */
	const char *what;	/* "queued", "sent", "approved", ... */
	const char *object;	/* "mail 12", "job 3", "outbox 7", "report 1" */
	const char *detail;	/* for a person */
};

/* "object" is printed as "KIND ID". */
int audit_add(struct store *s, int64_t at, const char *who, const char *what,
	      const char *kind, int64_t id, const char *detail,
	      struct err *err);

/* All on an object, oldest first. */
int audit_list(struct store *s, const char *kind, int64_t id, struct arena *a,
	       struct audit **v, size_t *n, struct err *err);

/* Those with a greater id, oldest first, "max" at most. */
int audit_since(struct store *s, int64_t id, int64_t max, struct arena *a,
		struct audit **v, size_t *n, struct err *err);

#endif
