#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/comparison.h"

struct buf;

/*
 * How the report names its numbers: one place, so that subject, sentence, box
 * and findings agree with each other and, in digits, with the table.
 */

/* "12.34", "49791027", "1.721e+08", "0.0123": as the table prints a value. */
void words_value(struct buf *out, double value);

/* The mean of one side of a row, as the table of its style prints it; "no
 * data" where there is none. */
void words_mean(struct buf *out, const struct row *row, size_t side);

/* The values of a side's runs, a blank between them; of many the first and how
 * many more there are, of a summary how many there were.  What one process
 * measured repeatedly is said to be so. */
void words_runs(struct buf *out, const struct row *row, size_t side);

enum words_sign {
	WORDS_SIGNED,	/* "-8.7%", "+6.1%" */
	WORDS_MINUS,	/* "-8.7%", "6.1%": as sentences said it until 2024 */
	WORDS_SIZE,	/* "8.7%", "6.1%" */
};

/*
 * A row's change on one side: percent, or points ("2.2pp") where the row's
 * unit is percent already, or, from a mean of 0, the difference itself.
 */
void words_change(struct buf *out, const struct row *row, size_t side,
		  enum words_sign sign);

/* "a" or "an", as the number or word that is next is read aloud: an 8.3%, an
 * 11%, an 18%, an improvement. */
const char *words_article(const char *next);

/* Is nothing left of it in the digits that are shown? */
bool words_no_change(const struct row *row, size_t side);

/* "1003 times as high" for a rise to eleven times and more;
 * returns whether it is one (never in LKP's style). */
bool words_times(struct buf *out, const struct row *row, size_t side);

/* A change in percent as table, sentences and plots print it: a digit behind
 * the point, two where that would be 0 ("-0.04%"), never "-0.0%". */
void words_percent(struct buf *out, double percent, enum words_sign sign);

/* The same where there are ten columns: "x1003" of more than 99999.9%. */
void words_narrow(struct buf *out, double percent, double base);

/* "-6.3% regression", "6.1% improvement", "+0.2% change". */
void words_judged(struct buf *out, const struct row *row, size_t side);

/* What the sentence calls it: "regression", "improvement", else "change". */
const char *verdict_word(enum verdict v);

#endif
