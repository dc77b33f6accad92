#ifndef BASE_ERR_H
#define BASE_ERR_H

/*
 * What went wrong, as a caller can act on it.  The code says what to do
 * next; the text says it to a person.  Callers own the struct, usually on
 * the stack; nothing in it needs freeing.
 */
enum err_code {
	ERR_NONE,
	ERR_USAGE,	/* we were asked for nonsense */
	ERR_INPUT,	/* what came from outside is malformed: do not retry */
	ERR_DENIED,	/* policy says no: do not retry */
	ERR_TEMP,	/* the world is not ready: retry later */
	ERR_PERM,	/* the other side refused for good */
	ERR_SYSTEM,	/* a system call failed */
	ERR_CONFIG,	/* the configuration is wrong */
};

struct err {
	enum err_code code;
	char text[1000];	/* result paths alone have 250 */
};
#define ERR_INIT { .code = ERR_NONE, .text = "" }

/*
 * Fill "err" and return -1, so that "return err_set(err, ...);" reads as
 * one thought.  "err" may be NULL when the caller does not care why.
 */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* As err_set(ERR_SYSTEM), with ": strerror(errno)" at the end. */
int err_sys(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Put "what we were doing: " before the text that is there. Returns -1. */
int err_in(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Memory has ended: say so and abort().  We do not plan around it. */
void die_no_memory(void) __attribute__((noreturn));

/* The sysexits(3) code that a command ends with for this error. */
int err_exit(const struct err *err);

#endif
