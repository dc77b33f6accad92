#ifndef RECV_DOTLOCK_H
#define RECV_DOTLOCK_H

/*
 * FILE.lock, by which programs keep others away from an mbox.  In it stands
 * who holds it, "PID:HOST" as Dovecot writes it; liblockfile reads and writes
 * the PID alone, procmail writes "0".
 */

/* seconds: a lock file of somebody who cannot be asked, left behind */
#define DOTLOCK_STALE 900

/*
 * One try.  Returns 1: it is ours, and dotlock_drop() ends it; 0: it is
 * somebody else's; -1 with errno.  A lock whose holder is dead on this machine
 * is broken, one that tells no holder here when it is old; then the next try
 * may get it.
 */
int dotlock_try(const char *path);
void dotlock_drop(const char *path);

#endif
