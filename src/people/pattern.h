#ifndef PEOPLE_PATTERN_H
#define PEOPLE_PATTERN_H

#include <regex.h>
#include <stdbool.h>

/*
 * Compile a pattern of MAINTAINERS, written in Perl's syntax by whoever, for
 * the C library: a search, by lines.  False when it uses what a POSIX extended
 * expression cannot say, or could keep us busy for long (references back,
 * large counts).  regfree() it when true.
 */
bool pattern_compile(regex_t *re, const char *perl);

#endif
