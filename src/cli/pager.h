#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <stddef.h>

/*
 * Show the text: through $PAGER (its words by blanks, no shell; "less -R"
 * where it is not set) when standard output is a terminal, else straight to
 * standard output, as it is for a pager that cannot be started, "cat" or "".
 * Returns an exit code.
 */
int pager_show(const char *text, size_t len);

#endif
