#ifndef REQUEST_SPLIT_H
#define REQUEST_SPLIT_H

#include <stddef.h>

/*
 * Where the first sentence of a paragraph ends: the number of its bytes, at
 * most SENTENCE_MAX; 0 only when nothing is left.  "?", "!", "." and ";"
 * before a blank end it (not "e.g. ", not "... and"), as do those of Chinese
 * and Japanese, and so does the "2)" of a list within a line.
 */
size_t split_sentence(const char *s, size_t len);

#endif
