#ifndef STORE_LEASES_H
#define STORE_LEASES_H

#include <stddef.h>
#include <stdint.h>

#include "store/store.h"

struct arena;

/* Who holds leases on jobs (jobs.h) and mails on their way out (outbox.h). */

/* The owners of leases that still run, each once. */
int lease_owners(struct store *s, int64_t now, struct arena *a,
		 const char ***owner, size_t *n, struct err *err);

/* All leases of an owner end. */
int lease_end(struct store *s, const char *owner, struct err *err);

/*
 * Forget leases and moments of the next try that are more than a day ahead:
 * none is ever set so far, so the clock ran ahead and was set right since.
 * How many, or -1.
 */
int leases_mend(struct store *s, int64_t now, struct err *err);

#endif
