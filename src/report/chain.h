#ifndef REPORT_CHAIN_H
#define REPORT_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Call chains in names of perf-profile rows, innermost symbol first:
 * "perf-profile.calltrace.cycles-pp._raw_spin_lock.lru_add.shmem_fault".
 */
enum chain_kind {
	CHAIN_NONE,		/* no profile row */
	CHAIN_CALLTRACE,	/* also the form without a kind of 2016 */
	CHAIN_CHILDREN,		/* one symbol, with all it calls */
	CHAIN_SELF,		/* one symbol alone */
};

struct symbol {
	const char *s;
	size_t len;
	size_t base;	/* without ".isra.0" and the like */
};

enum { CHAIN_MAX = 32 };

struct chain {
	enum chain_kind kind;
	struct symbol symbol[CHAIN_MAX];	/* outer ones beyond are cut off */
	size_t n;
};

/* Read a row's name, which must outlive "c". */
void chain_read(struct chain *c, const char *name);

/* Symbols are the same but for what a compiler appends to a clone's name. */
bool symbol_same(const struct symbol *a, const struct symbol *b);

/* What a renamed chain differs in; len is 0 where one side has no such. */
struct rename {
	struct symbol from, to;
};

/*
 * Is "b" the chain "a" under another name: one symbol replaced, put in or taken
 * away, the rest, at least one symbol, in place?  Profiles cut long chains,
 * so that one put in may push the outermost out.
 */
bool chain_renamed(const struct chain *a, const struct chain *b,
		   struct rename *by);

/* Does "callee" lead one call further in than "caller"? */
bool chain_called_by(const struct chain *callee, const struct chain *caller);

/* Is it a lock's slow path that is waited in? */
bool symbol_is_lock(const struct symbol *s);

#endif
