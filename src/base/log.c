#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/utf8.h"

#define LINE_MAX_BYTES 8192

static enum log_level level_max = LOG_LEVEL_WARN;
static bool json;

void log_set_level(enum log_level level)
{
	level_max = level;
}

void log_set_json(bool on)
{
	json = on;
}

static void add_json(struct buf *line, const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p < 0x20 || *p == 0x7f)
			buf_addf(line, "\\u%04x", *p);
		else if (*p == '"' || *p == '\\')
			buf_addf(line, "\\%c", *p);
		else
			buf_addch(line, (char)*p);
	}
}

static void log_va(enum log_level level, const char *fmt, va_list ap)
{
	static const char *const names[] = { "error", "warning", "info",
					     "debug" };
	struct buf line = BUF_INIT(8 * LINE_MAX_BYTES);
	char text[LINE_MAX_BYTES];

	if (level > level_max)
		return;
	vsnprintf(text, sizeof(text), fmt, ap);
	if (json)
		buf_addf(&line, "{\"time\": %lld, \"level\": \"%s\", "
			 "\"text\": \"", (long long)clock_now(),
			 names[level]);
	else
		buf_addf(&line, "perfpost: %s",
			 level == LOG_LEVEL_WARN ? "warning: " : "");
	if (json)
		add_json(&line, text);
	else
		utf8_inert(&line, text, strlen(text), false);
	buf_addstr(&line, json ? "\"}\n" : "\n");
	/* One write, so that lines of several processes do not mix. */
	if (write(STDERR_FILENO, line.s, line.len) == -1) {
		/* Nowhere left to say it. */
	}
	buf_release(&line);
}

#define LOG_BODY(level) do {			\
	va_list ap;				\
	va_start(ap, fmt);			\
	log_va(level, fmt, ap);			\
	va_end(ap);				\
} while (0)

void log_error(const char *fmt, ...)
{
	LOG_BODY(LOG_LEVEL_ERROR);
}

void log_warn(const char *fmt, ...)
{
	LOG_BODY(LOG_LEVEL_WARN);
}

void log_info(const char *fmt, ...)
{
	LOG_BODY(LOG_LEVEL_INFO);
}

void log_debug(const char *fmt, ...)
{
	LOG_BODY(LOG_LEVEL_DEBUG);
}
