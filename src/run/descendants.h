#ifndef RUN_DESCENDANTS_H
#define RUN_DESCENDANTS_H

/*
 * End every process that descends from the caller, whatever group or session
 * it put itself into, and reap it.  The caller is a child subreaper (prctl(2)),
 * so that a process that loses its parent becomes the caller's.  Gives up
 * after "seconds": a process may hang in the kernel.
 */
void descendants_end(int seconds);

#endif
