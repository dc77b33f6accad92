#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return -1;
}

int err_sys(struct err *err, const char *fmt, ...)
{
	int saved = errno;
	size_t len;
	va_list ap;

	if (!err)
		return -1;
	err->code = ERR_SYSTEM;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %s",
		 strerror(saved));
	return -1;
}

int err_in(struct err *err, const char *fmt, ...)
{
	char old[sizeof(err->text)];
	size_t len;
	va_list ap;

	if (!err)
		return -1;
	memcpy(old, err->text, sizeof(old));
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %s", old);
	return -1;
}

void die_no_memory(void)
{
	fputs("perfpost: out of memory\n", stderr);
	abort();
}

int err_exit(const struct err *err)
{
	switch (err->code) {
	case ERR_NONE:
		return EX_OK;
	case ERR_USAGE:
		return EX_USAGE;
	case ERR_INPUT:
		return EX_DATAERR;
	case ERR_DENIED:
		return EX_NOPERM;
	case ERR_TEMP:
		return EX_TEMPFAIL;
	case ERR_PERM:
		return EX_UNAVAILABLE;
	case ERR_SYSTEM:
		return EX_OSERR;
	case ERR_CONFIG:
		return EX_CONFIG;
	}
	return EX_SOFTWARE;
}
