#ifndef DATA_CONF_H
#define DATA_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;
struct err;
struct yaml;

/*
 * The configuration: a YAML file whose keys all stand in one table,
 * conf_keys[] (conf-keys.c), with type, default and meaning.  Loading checks
 * every key and value against it; after that nothing can fail, and a key that
 * the file does not have gives its default.  Asking for a key that is not in
 * the table, or as another type, is our own mistake (assert).
 *
 * A key's path is written with dots: "operator.name".  "*" in the table
 * stands for names that the user chooses: "trees.*.to".
 */
enum conf_type {
	CONF_TEXT,
	CONF_LIST,	/* of texts; a single text is a list of one */
	CONF_INT,	/* a whole number >= 0 */
	CONF_NUMBER,	/* 12, 0.5, -3 */
	CONF_BOOL,
	CONF_TIME,	/* "90", "90s", "15m", "2h", "7d": seconds */
	CONF_SECRET,	/* never inline: "KEY_file: PATH" or
			 * "KEY_command: [PROGRAM, ARGUMENT...]" */
};

struct conf_key {
	const char *path;
	enum conf_type type;
	const char *fallback;	/* as in the file, a list as "[a, b]"; NULL: no
				 * text, an empty list, 0, false */
	const char *meaning;
	const char *choices;	/* "smtp|sendmail|maildir", or NULL: any */
};
extern const struct conf_key conf_keys[];	/* the last has no path */

struct conf {
	struct arena *arena;
	const char *file;	/* where it came from; NULL: defaults alone */
	const struct yaml *root;	/* NULL: all default */
	const char *prefix;	/* "" or, of a section, "trees.*." */
};

/*
 * Load "path" (--config), else the first that there is: $PERFPOST_CONFIG,
 * $XDG_CONFIG_HOME/perfpost/perfpost.conf (~/.config when unset),
 * perfpost/perfpost.conf in the system's folder for such files, and in /etc.
 * With none of them, or with /dev/null, all is default.  Returns 0, or -1 with "err" (ERR_CONFIG,
 * "FILE:LINE: reason"); release it either way.
 */
int conf_load(struct conf *c, const char *path, struct err *err);
int conf_load_text(struct conf *c, const char *text, size_t len,
		   const char *name, struct err *err);
void conf_release(struct conf *c);

/*
 * The value of a key, or its fallback of the table.  "path" must be a key of
 * that type (else it is our own mistake: assert).  Texts live as long as "c";
 * NULL where there is neither.  Times are seconds.
 */
const char *conf_text(const struct conf *c, const char *path);
int64_t conf_int(const struct conf *c, const char *path);
double conf_number(const struct conf *c, const char *path);
bool conf_bool(const struct conf *c, const char *path);
int64_t conf_time(const struct conf *c, const char *path);
/* NULL-terminated, never NULL; lives as long as "c". */
const char *const *conf_list(const struct conf *c, const char *path);
bool conf_has(const struct conf *c, const char *path);	/* does the file? */
int conf_line(const struct conf *c, const char *path);	/* where; 0: it does not */

/* Read the secret "path" from its file, or run its command (no shell), into
 * "out", without the newline at its end.  Returns 1, 0 when there is none
 * configured, or -1 with "err". */
int conf_secret(const struct conf *c, const char *path, struct buf *out,
		struct err *err);

/* The names that stand for "*" below "path": conf_names(c, "trees"). */
const char *const *conf_names(const struct conf *c, const char *path);

/* What stands below one of them, as a configuration of its own:
 *	struct conf tree = conf_section(c, "trees", name);
 *	conf_text(&tree, "to");
 * An unknown name gives a section of defaults.  Not released. */
struct conf conf_section(const struct conf *c, const char *path,
			 const char *name);

#endif
