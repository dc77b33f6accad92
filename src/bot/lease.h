#ifndef BOT_LEASE_H
#define BOT_LEASE_H

#include <stdbool.h>
#include <stddef.h>

#include "store/store.h"

struct err;

/*
 * Whoever works on a job or a mail holds a lease on it until a moment.  When
 * he dies before, and it can be seen that he did, nobody has to wait for it.
 */

#define OWNER_MAX 160

/* This process as the owner of leases: host, pid namespace, process, and when
 * it was started. */
void lease_owner(char owner[OWNER_MAX]);

/* Was that a process of this machine, and is it gone? */
bool lease_is_dead(const char *owner);

/* Give back all leases of those who are gone.  0, or -1 with "err". */
int lease_take_back(struct store *s, struct err *err);

#endif
