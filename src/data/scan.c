#include "data/scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "data/json-string.h"
#include "data/number.h"
#include "data/source.h"

/*
 * The text goes through a window.  Before a token is read, AHEAD bytes of it
 * are there (or all that is left), so that numbers and words never meet the
 * window's end; strings may, and make it grow.  Behind the text in the window
 * stands a NUL, which nothing but its end can be.  Strings are decoded in
 * place: they only get shorter.
 */
#define WINDOW ((size_t)64 * 1024)
#define AHEAD ((size_t)1024)
#define STRING_MAX ((size_t)16 << 20)

enum state {
	AT_VALUE,		/* a value must come */
	AT_FIRST_ITEM,		/* behind '[': a value or ']' */
	AT_FIRST_NAME,		/* behind '{': a name or '}' */
	AT_NAME,
	AT_COLON,
	AT_SEPARATOR,		/* behind a value: ',' or the end of what it
				 * is in */
	AT_ERROR,
};

struct scan {
	struct source *source;	/* NULL: all is in the window */
	char *name;
	char *window;
	size_t size;
	char *p, *end;		/* the unread rest of the window */
	bool ended;		/* nothing comes behind "end" */
	const char *counted;	/* newlines before it are in "lines" */
	size_t lines;
	enum state state;
	size_t depth;
	char closer[JSON_DEPTH_MAX];	/* ']' or '}' */
	const char *token;	/* where the last one began */
	char *text;
	size_t text_len;
	bool mended;
	bool takes_infinity;
	union cell number;
	char word[48];		/* the text of SCAN_ODD */
	char odd[64];		/* see scan_first_odd() */
	int odd_line;
	struct err err;
};

static struct scan *new_scan(const char *name, size_t size)
{
	struct scan *s = calloc(1, sizeof(*s));

	if (!s || !(s->window = malloc(size + NUMBER_PAD)) ||
	    !(s->name = strdup(name)))
		die_no_memory();
	memset(s->window + size, 0, NUMBER_PAD);
	s->size = size;
	s->p = s->end = s->window;
	s->counted = s->token = s->window;
	s->text = s->window;
	*s->end = '\0';
	return s;
}

void scan_close(struct scan *s)
{
	if (!s)
		return;
	source_close(s->source);
	free(s->window);
	free(s->name);
	free(s);
}

typedef uint8_t v16 __attribute__((vector_size(16)));

/* Sixteen bytes at a time: this touches every byte of the input. */
static size_t count_newlines(const char *p, const char *end)
{
	size_t n = 0;

	while (end - p >= 16) {
		v16 sum = { 0 };

		/* A lane holds at most 255. */
		for (int i = 0; i < 255 && end - p >= 16; i++, p += 16) {
			v16 bytes;

			memcpy(&bytes, p, 16);
			sum -= (v16)(bytes == '\n');
		}
		for (int i = 0; i < 16; i++)
			n += sum[i];
	}
	for (; p < end; p++)
		n += *p == '\n';
	return n;
}

/* Move the count on to "p". */
static void count_to(struct scan *s, const char *p)
{
	if (p <= s->counted)
		return;
	s->lines += count_newlines(s->counted, p);
	s->counted = p;
}

int scan_line(struct scan *s)
{
	count_to(s, s->token);
	return (int)s->lines + 1;
}

const char *scan_name(const struct scan *s)
{
	return s->name;
}

static enum scan_token fail(struct scan *s, const char *what)
{
	s->token = s->p;
	err_set(&s->err, ERR_INPUT, "%s:%d: %s", s->name, scan_line(s), what);
	s->state = AT_ERROR;
	return SCAN_ERROR;
}

int scan_fail(const struct scan *s, struct err *err)
{
	return err_set(err, s->err.code, "%s", s->err.text);
}

/* Count what is before "keep", move the rest to the front. */
static void shift(struct scan *s, char *keep)
{
	size_t rest = (size_t)(s->end - keep);

	count_to(s, keep);
	s->counted = s->window + (s->counted > keep ? s->counted - keep : 0);
	memmove(s->window, keep, rest + 1);
	s->p -= keep - s->window;
	s->token = s->p;
	s->end = s->window + rest;
}

static void grow(struct scan *s)
{
	size_t p = (size_t)(s->p - s->window), end = (size_t)(s->end - s->window);
	size_t counted = (size_t)(s->counted - s->window);

	s->size *= 2;
	s->window = realloc(s->window, s->size + NUMBER_PAD);
	if (!s->window)
		die_no_memory();
	memset(s->window + end, 0, s->size - end + NUMBER_PAD);
	s->p = s->window + p;
	s->end = s->window + end;
	s->counted = s->window + counted;
	s->token = s->p;
}

/* Have "want" bytes behind s->p, or all there are; "keep" is the first byte
 * that is still needed and moves with the window.  -1: s->err is set. */
static int fill(struct scan *s, char **keep, size_t want)
{
	size_t before = (size_t)(s->p - *keep);

	shift(s, *keep);
	while (before + want > s->size)
		grow(s);
	while (!s->ended && (size_t)(s->end - s->p) < want) {
		ssize_t n = source_read(s->source, s->end,
					s->size - (size_t)(s->end - s->window),
					&s->err);

		if (n == -1) {
			s->state = AT_ERROR;
			return -1;
		}
		s->ended = n == 0;
		s->end += n;
		*s->end = '\0';
	}
	*keep = s->p - before;
	return 0;
}

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Go to the next token and have AHEAD bytes of it. */
static inline int skip_blanks(struct scan *s)
{
	for (;;) {
		char *p = s->p;

		while (is_blank(*p))
			p++;
		s->p = p;
		if (s->ended || (size_t)(s->end - p) >= AHEAD)
			return 0;
		if (fill(s, &p, AHEAD) == -1)
			return -1;
		if (!is_blank(*s->p))
			return 0;
	}
}

static void skip_mark(struct scan *s)
{
	if (s->end - s->p >= 3 && !memcmp(s->p, "\xef\xbb\xbf", 3))
		s->p += 3;	/* a byte order mark */
}

struct scan *scan_open(const char *path, size_t max, struct err *err)
{
	struct source *source = source_open(path, max, err);
	struct scan *s;

	if (!source)
		return NULL;
	s = new_scan(source_name(source), WINDOW);
	s->source = source;
	if (fill(s, &s->p, WINDOW / 2) == -1) {
		scan_fail(s, err);
		scan_close(s);
		return NULL;
	}
	skip_mark(s);
	return s;
}

struct scan *scan_open_text(const char *text, size_t len, const char *name)
{
	struct scan *s = new_scan(name, len + 1);

	if (len)
		memcpy(s->window, text, len);
	s->end = s->window + len;
	memset(s->end, 0, 1 + NUMBER_PAD);
	s->ended = true;
	skip_mark(s);
	return s;
}

const char *scan_peek(struct scan *s, size_t *len)
{
	*len = (size_t)(s->end - s->p);
	return s->p;
}

int scan_take(struct scan *s, struct buf *out, struct err *err)
{
	ssize_t n = 0;

	buf_add(out, s->p, (size_t)(s->end - s->p));
	while (!s->ended && !buf_over(out)) {
		n = source_read(s->source, s->window, s->size, err);
		if (n <= 0)
			break;
		buf_add(out, s->window, (size_t)n);
	}
	s->state = AT_ERROR;
	if (n >= 0 && buf_over(out))
		n = err_set(err, ERR_INPUT, "'%s' is too large", s->name);
	return n < 0 ? -1 : 0;
}

#define ONES UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)

/* Does one of the eight bytes need a look: '"', '\\', a control character,
 * or one that is not ASCII? */
static inline bool is_special(uint64_t v)
{
	uint64_t quote = v ^ ONES * '"', slash = v ^ ONES * '\\';

	return (v | (v - ONES * 0x20) | (quote - ONES) | (slash - ONES)) &
		HIGHS;
}

/* Find the string's closing quote; its place, or NULL with the error set.
 * *start moves with the window. */
static char *find_quote(struct scan *s, char **start, bool *escapes,
			bool *ascii)
{
	for (;;) {
		unsigned char c;
		uint64_t v;

		for (memcpy(&v, s->p, 8); !is_special(v); memcpy(&v, s->p, 8))
			s->p += 8;
		c = (unsigned char)*s->p;
		if (c == '"')
			return s->p++;
		if (s->p + 1 >= s->end && !s->ended) {
			if ((size_t)(s->p - *start) > STRING_MAX) {
				fail(s, "a string that is too long");
				return NULL;
			}
			if (fill(s, start, AHEAD) == -1)
				return NULL;
			continue;
		}
		if (c < 0x20) {
			fail(s, s->p == s->end ? "cut off inside a string" :
			     "a control character in a string");
			return NULL;
		}
		*escapes |= c == '\\';
		*ascii &= c < 0x80;
		s->p += c == '\\' ? 2 : 1;
		if (s->p > s->end)
			s->p = s->end;
	}
}

/* At the opening quote. */
static enum scan_token read_string(struct scan *s, enum scan_token token)
{
	bool escapes = false, ascii = true;
	const char *wrong = NULL;
	char *start, *quote;

	start = ++s->p;
	quote = find_quote(s, &start, &escapes, &ascii);
	if (!quote)
		return SCAN_ERROR;
	s->token = start;
	if (escapes) {
		/* What is decoded may hold newlines that are no lines. */
		count_to(s, start);
		s->counted = s->p;
		quote = json_decode(start, quote, &wrong);
	}
	if (wrong)
		return fail(s, wrong);
	*quote = '\0';
	s->text = start;
	s->text_len = (size_t)(quote - start);
	s->mended = !ascii && json_mend(s->text, s->text_len);
	return token;
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.' ||
	       c == '_';
}

void scan_take_infinity(struct scan *s, bool take)
{
	s->takes_infinity = take;
}

static bool is_infinite(struct scan *s, size_t len)
{
	bool minus = *s->p == '-';

	if (!s->takes_infinity || len != 8u + minus ||
	    memcmp(s->p + minus, "Infinity", 8))
		return false;
	s->number.f = minus ? -INFINITY : INFINITY;
	return true;
}

/* s->p .. end is no number. */
static enum scan_token classify(struct scan *s, const char *end)
{
	static const struct {
		const char *word;
		enum scan_token token;
	} words[] = {
		{ "true", SCAN_TRUE }, { "false", SCAN_FALSE },
		{ "null", SCAN_NULL },
	};
	size_t len = (size_t)(end - s->p);

	for (size_t i = 0; i < 3; i++)
		if (len == strlen(words[i].word) &&
		    !memcmp(s->p, words[i].word, len))
			return words[i].token;
	if (is_infinite(s, len))
		return SCAN_FLOAT;
	snprintf(s->word, sizeof(s->word), "%.*s%s", len > 40 ? 40 : (int)len,
		 s->p, len > 40 ? "..." : "");
	s->text = s->word;
	s->text_len = strlen(s->word);
	s->mended = false;
	return SCAN_ODD;
}

/* A number, or a word: true, null, or something odd. */
static enum scan_token read_word(struct scan *s)
{
	enum cell_type type;
	const char *end = number_parse(s->p, &s->number, &type);
	enum scan_token token;
	char *p = s->p;

	while (is_word(*p))
		p++;
	if (p >= s->end && !s->ended)
		return fail(s, "a number or word that is too long");
	if (end == p) {
		s->p = p;
		return type == CELL_INT ? SCAN_INT : SCAN_FLOAT;
	}
	if (p == s->p)
		return fail(s, p < s->end ? "a value belongs here" :
			    s->depth ? "cut off where a value belongs" :
			    "no value in it");
	token = classify(s, p);
	s->p = p;
	return token;
}

static enum scan_token open_nest(struct scan *s, char closer, enum state state,
				 enum scan_token token)
{
	if (s->depth == JSON_DEPTH_MAX)
		return fail(s, "nested too deep");
	s->closer[s->depth++] = closer;
	s->p++;
	s->state = state;
	return token;
}

static enum scan_token close_nest(struct scan *s)
{
	char closer = s->closer[--s->depth];

	s->p++;
	s->state = AT_SEPARATOR;
	return closer == ']' ? SCAN_ARRAY_END : SCAN_OBJECT_END;
}

static enum scan_token read_value(struct scan *s)
{
	if (*s->p == '{')
		return open_nest(s, '}', AT_FIRST_NAME, SCAN_OBJECT);
	if (*s->p == '[')
		return open_nest(s, ']', AT_FIRST_ITEM, SCAN_ARRAY);
	s->state = AT_SEPARATOR;
	if (*s->p == '"')
		return read_string(s, SCAN_TEXT);
	return read_word(s);
}

static enum scan_token read_name(struct scan *s)
{
	if (*s->p != '"')
		return fail(s, s->p < s->end ? "a name in quotes belongs here" :
			    "cut off inside an object");
	s->state = AT_COLON;
	return read_string(s, SCAN_NAME);
}

static enum scan_token behind_value(struct scan *s)
{
	if (!s->depth) {
		if (s->p < s->end)
			return fail(s, "more text behind the end");
		return SCAN_END;
	}
	if (*s->p == s->closer[s->depth - 1])
		return close_nest(s);
	if (*s->p != ',')
		return fail(s, s->p == s->end ? "cut off" :
			    s->closer[s->depth - 1] == ']' ?
			    "',' or ']' belongs here" :
			    "',' or '}' belongs here");
	s->p++;
	s->state = s->closer[s->depth - 1] == ']' ? AT_VALUE : AT_NAME;
	return scan_next(s);
}

enum scan_token scan_next(struct scan *s)
{
	if (s->state == AT_ERROR || skip_blanks(s) == -1)
		return SCAN_ERROR;
	s->token = s->p;
	switch (s->state) {
	case AT_FIRST_ITEM:
		return *s->p == ']' ? close_nest(s) : read_value(s);
	case AT_VALUE:
		return read_value(s);
	case AT_FIRST_NAME:
		return *s->p == '}' ? close_nest(s) : read_name(s);
	case AT_NAME:
		return read_name(s);
	case AT_COLON:
		if (*s->p != ':')
			return fail(s, "':' belongs here");
		s->p++;
		s->state = AT_VALUE;
		return scan_next(s);
	case AT_SEPARATOR:
		return behind_value(s);
	default:
		return SCAN_ERROR;
	}
}

const char *scan_text(const struct scan *s, size_t *len)
{
	if (len)
		*len = s->text_len;
	return s->text;
}

bool scan_text_mended(const struct scan *s)
{
	return s->mended;
}

union cell scan_number(const struct scan *s)
{
	return s->number;
}

/* A new line and how far it is indented, in one step for eight spaces. */
static inline const char *skip_indent(const char *p)
{
	uint64_t v;

	if (*p == '\n')
		p++;
	for (memcpy(&v, p, 8); v == ONES * ' '; memcpy(&v, p, 8))
		p += 8;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	p += __builtin_ctzll(v ^ ONES * ' ') >> 3;
#endif
	while (is_blank(*p))
		p++;
	return p;
}

/* As many "NUMBER ," as stand here: nearly all of a matrix. */
static void read_numbers(struct scan *s, struct cells *cells)
{
	while ((size_t)(s->end - s->p) >= AHEAD || s->ended) {
		enum cell_type type;
		const char *p = skip_indent(s->p), *end;
		union cell cell;

		if (s->end - p < (ptrdiff_t)AHEAD / 2 && !s->ended)
			return;
		end = number_parse(p, &cell, &type);
		if (!end)
			return;
		while (is_blank(*end))
			end++;
		if (*end != ',')
			return;
		cells_add(cells, type, cell);
		s->p += end + 1 - s->p;
		s->state = AT_VALUE;
	}
}

static void note_odd(struct scan *s, enum scan_token token)
{
	if (*s->odd)
		return;
	s->odd_line = scan_line(s);
	if (token == SCAN_ODD)
		snprintf(s->odd, sizeof(s->odd), "'%s' is no number",
			 s->text);
	else
		snprintf(s->odd, sizeof(s->odd), "%s is no number",
			 token == SCAN_TEXT ? "text" :
			 token == SCAN_ARRAY ? "a list" :
			 token == SCAN_OBJECT ? "an object" :
			 token == SCAN_TRUE ? "true" : "false");
}

int scan_cells(struct scan *s, struct cells *cells)
{
	*s->odd = '\0';
	for (;;) {
		enum scan_token token;

		read_numbers(s, cells);
		token = scan_next(s);
		switch (token) {
		case SCAN_ARRAY_END:
			return 0;
		case SCAN_ERROR:
			return -1;
		case SCAN_INT:
		case SCAN_FLOAT:
			cells_add(cells, token == SCAN_INT ? CELL_INT :
				  CELL_FLOAT, s->number);
			break;
		case SCAN_NULL:
			cells_add_other(cells, CELL_NONE);
			break;
		default:
			note_odd(s, token);
			cells_add_other(cells, CELL_TEXT);
			if (scan_skip(s, token) == -1)
				return -1;
		}
	}
}

const char *scan_first_odd(const struct scan *s, int *line)
{
	*line = s->odd_line;
	return s->odd;
}

int scan_skip(struct scan *s, enum scan_token token)
{
	size_t depth = s->depth;

	if (token == SCAN_ERROR)
		return -1;
	if (token != SCAN_OBJECT && token != SCAN_ARRAY)
		return 0;
	while (s->depth >= depth)
		if (scan_next(s) == SCAN_ERROR)
			return -1;
	return 0;
}
