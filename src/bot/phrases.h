#ifndef BOT_PHRASES_H
#define BOT_PHRASES_H

#include <stdbool.h>

/* Does one of "phrases" ("perf profile|flame graph") stand in the text, as
 * words of their own, whatever their case? */
bool phrases_stand(const char *text, const char *phrases);

#endif
