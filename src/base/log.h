#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

/*
 * Messages to the person or the journal, on standard error, one line each:
 * "perfpost: text", or one JSON object a line after log_set_json().
 * Control characters in the text are shown as \xNN: it may quote strangers.
 */
enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

void log_set_level(enum log_level level);	/* default: WARN */
void log_set_json(bool on);

/* printf()'s format; no newline at its end. */
void log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
