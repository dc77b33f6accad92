#ifndef BASE_CALLFILTER_H
#define BASE_CALLFILTER_H

/*
 * seccomp(2): what a process that reads strangers' bytes may not ask of the
 * kernel any more.  No sockets, no other programs or processes, no signals to
 * anyone but itself, no file opened for writing, made, renamed, removed or
 * changed in owner, mode or time.  What is refused fails with EPERM; calls of
 * another machine's kind (32 bits) end the process.
 */

/* Is there a filter for this machine, and a kernel that takes one? */
int callfilter_is_known(void);

/* For this process and for good.  0, or -1: nothing was changed. */
int callfilter_install(void);

#endif
