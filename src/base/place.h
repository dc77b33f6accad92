#ifndef BASE_PLACE_H
#define BASE_PLACE_H

struct buf;

/*
 * Where our own files stand.  Run from its build tree, a program finds them
 * beside itself (share/, perfpost-net); installed, in the folders that
 * configure was given.  $PERFPOST_DATADIR overrides the first.
 *
 * Each replaces the content of "path".  They always fill it; whether the file
 * is there is the reader's finding.
 */
void place_data(struct buf *path, const char *name);	/* "templates" */
void place_program(struct buf *path, const char *name);	/* "perfpost" */
void place_libexec(struct buf *path, const char *name);	/* "perfpost-net" */

#endif
