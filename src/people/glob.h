#ifndef PEOPLE_GLOB_H
#define PEOPLE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Does the path, or the name of a branch, match?  "*" and "?" stand for
 * anything but "/", "[a-z]" and "[!a-z]" for one character, "**" for anything,
 * "a/" + "**" + "/b" also for "a/b".  Takes time in proportion to the product of
 * both lengths, whatever the pattern.
 */
bool glob_match(const char *pattern, const char *path);

/* Bytes of the pattern that stand for themselves: every path that matches
 * begins with them. */
size_t glob_prefix(const char *pattern);

/* As MAINTAINERS' F: has it: a pattern that ends in "/", and a plain one that
 * names a folder, stand for all below. */
bool glob_covers(const char *pattern, const char *path);

#endif
