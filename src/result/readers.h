#ifndef RESULT_READERS_H
#define RESULT_READERS_H

#include "result/result.h"

struct buf;
struct scan;

/* The readers of this room.  All append to "rs" and return 0 or -1. */

enum format {
	FORMAT_UNKNOWN,
	FORMAT_MATRIX,		/* LKP: name -> list; stats.json: -> number */
	FORMAT_OWN,		/* perfpost-results/1 */
	FORMAT_HYPERFINE,
	FORMAT_GOOGLE,		/* Google Benchmark */
	FORMAT_PYTEST,
	FORMAT_FIO,
	FORMAT_KCIDB,		/* KernelCI's database */
	FORMAT_MMTESTS,
	FORMAT_PERF,		/* perf stat -j */
};

/* By its beginning, as much as is at hand. */
enum format format_recognise(const char *text, size_t len);

/* One file; its results have no commit yet unless the file names one. */
int read_file(struct results *rs, const char *path, struct err *err);

/* A folder with matrix.json or stats.json, or with run folders that have
 * one; read it as results_read() says. */
bool is_lkp_folder(const char *path);
int read_lkp_folder(struct results *rs, const char *path, struct err *err);

/* The axes that the folder "path" and its job.yaml give; -1 when that cannot
 * be read. */
int set_lkp_axes(struct results *rs, struct result *r, const char *path,
		 struct err *err);

/* The axes that the first stats_source names by its path. */
void set_source_axes(struct results *rs, struct result *r);

/*
 * The rows of a matrix; "s" has just given SCAN_OBJECT and is left behind its
 * end.  What a row lacks to be one is warned of.
 */
int read_matrix(struct results *rs, struct result *r, struct scan *s,
		struct err *err);

/* "s" has just given SCAN_OBJECT: the rest is a perfpost-results/1 file. */
int read_own(struct results *rs, struct scan *s, struct err *err);

/* Warn of facts, read from "file", that are of another kind than they should
 * be. */
void check_facts(json_t *facts, const char *file);

/* A text that is one value of JSON, read as scan_value_loose() does: tools write
 * NaN where they divided by 0, and a key once for each host.  NULL with "err". */
json_t *read_loosely(const char *text, size_t len, const char *name,
		     struct err *err);

/* Other tools' files, read as a whole; "path" for messages and names. */
int read_hyperfine(struct results *rs, const char *path, const json_t *root,
		   struct err *err);
int read_google(struct results *rs, const char *path, const json_t *root,
		struct err *err);
int read_pytest(struct results *rs, const char *path, const json_t *root,
		struct err *err);
int read_fio(struct results *rs, const char *path, const json_t *root,
	     struct err *err);
int read_kcidb(struct results *rs, const char *path, const json_t *root,
	       struct err *err);
int read_mmtests(struct results *rs, const char *path, const json_t *root,
		 struct err *err);
int read_perf(struct results *rs, const char *path, const struct buf *text,
	      struct err *err);

#endif
