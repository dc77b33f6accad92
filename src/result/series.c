#include "result/series.h"

#include <math.h>

#include "base/arena.h"

static const double tens[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7 };

enum { DECIMALS_MAX = 7, WIDTH_FULL = 3 };

double summary_deviation(const struct summary *s)
{
	double n = (double)s->runs;

	if (!s->sample)
		return s->stddev;
	return s->runs ? s->stddev * sqrt((n - 1) / n) : NAN;
}

void series_set_summary(struct arena *a, struct series *s,
			const struct summary *summary)
{
	struct summary *copy = arena_alloc(a, sizeof(*copy));

	*copy = *summary;
	s->data = copy;
	s->is_summary = true;
}

/* --- Packing. --------------------------------------------------------------- */

/* How many bytes, as a power of two, hold all from "least" to "most"? */
static unsigned int width_of(int64_t least, int64_t most)
{
	if (least >= INT8_MIN && most <= INT8_MAX)
		return 0;
	if (least >= INT16_MIN && most <= INT16_MAX)
		return 1;
	return least >= INT32_MIN && most <= INT32_MAX ? 2 : WIDTH_FULL;
}

static unsigned int width_of_ints(const struct cells *c)
{
	int64_t least = INT64_MAX, most = INT64_MIN;

	for (size_t i = 0; i < c->n; i++) {
		least = c->cell[i].i < least ? c->cell[i].i : least;
		most = c->cell[i].i > most ? c->cell[i].i : most;
	}
	return width_of(least, most);
}

static inline int32_t nearest(double x)
{
	return (int32_t)(x < 0 ? x - 0.5 : x + 0.5);
}

/* Is "f" an integer with so many decimals?  0.1 * 3 is not, nor is -0.0. */
static inline bool is_scaled(double f, double ten)
{
	double x = f * ten, back;

	if (!(fabs(x) < 0x7fffffff))
		return false;
	back = nearest(x) / ten;
	return !memcmp(&back, &f, sizeof(f));
}

/* The least number of decimals that all have, in "decimals". */
static unsigned int width_of_floats(const struct cells *c,
				    unsigned int *decimals)
{
	double least = INFINITY, most = -INFINITY, ten = 1;
	size_t i = 0;

	for (*decimals = 0; i < c->n; i++) {
		double f = c->cell[i].f;

		while (!is_scaled(f, ten)) {
			if (++*decimals > DECIMALS_MAX)
				return WIDTH_FULL;
			ten = tens[*decimals];
		}
		least = f < least ? f : least;
		most = f > most ? f : most;
	}
	/* More decimals never harm, but make those before larger. */
	if (!(fabs(least * ten) < 0x7fffffff && fabs(most * ten) < 0x7fffffff))
		return WIDTH_FULL;
	return width_of(nearest(least * ten), nearest(most * ten));
}

/* One loop for each width and type: "width" and "is_float" are constants where
 * this is called. */
static inline __attribute__((always_inline)) void
pack_as(const struct cells *c, char *to, unsigned int width, bool is_float,
	double ten)
{
	for (size_t i = 0; i < c->n; i++) {
		int32_t k = is_float ? nearest(c->cell[i].f * ten) :
				       (int32_t)c->cell[i].i;
		int16_t k16 = (int16_t)k;

		if (width == 0)
			to[i] = (char)k;
		else if (width == 1)
			memcpy(to + 2 * i, &k16, 2);
		else
			memcpy(to + 4 * i, &k, 4);
	}
}

static void pack(const struct series *s, const struct cells *c, char *to)
{
	bool is_float = s->type == CELL_FLOAT;
	double ten = tens[s->decimals];

	if (s->width == 0 && is_float)
		pack_as(c, to, 0, true, ten);
	else if (s->width == 1 && is_float)
		pack_as(c, to, 1, true, ten);
	else if (is_float)
		pack_as(c, to, 2, true, ten);
	else
		pack_as(c, to, s->width, false, 1);
}

static inline bool is_small(const struct series *s)
{
	return s->type != CELL_MIXED &&
	       (size_t)s->n << s->width <= sizeof(s->small);
}

static inline const char *values_at(const struct series *s)
{
	return is_small(s) ? s->small : s->data;
}

/* Where its values are to go, and behind them "more" bytes. */
static char *make_place(struct arena *a, struct series *s, size_t more)
{
	char *to;

	if (is_small(s))
		return s->small;
	s->data = to = arena_bytes(a, ((size_t)s->n << s->width) + more);
	return to;
}

static void copy_all(struct arena *a, struct series *s, const struct cells *c)
{
	size_t size = c->n * sizeof(*c->cell);
	size_t types = s->type == CELL_MIXED ? c->n : 0;
	char *to = make_place(a, s, types);

	memcpy(to, c->cell, size);
	memcpy(to + size, c->type, types);
}

void series_set(struct arena *a, struct series *s, const struct cells *c)
{
	enum cell_type type = cells_type(c);
	unsigned int decimals = 0, width = WIDTH_FULL;

	s->bad = c->seen & 1u << CELL_TEXT || c->n > SERIES_MAX;
	s->n = (c->n < SERIES_MAX ? (uint32_t)c->n : SERIES_MAX) & SERIES_MAX;
	s->type = (s->bad ? CELL_TEXT : type) & 7u;
	if (s->type == CELL_NONE || s->type == CELL_TEXT)
		return;
	if (type == CELL_INT)
		width = width_of_ints(c);
	else if (type == CELL_FLOAT)
		width = width_of_floats(c, &decimals);
	s->width = width & WIDTH_FULL;
	if (width == WIDTH_FULL) {
		copy_all(a, s, c);
		return;
	}
	s->decimals = decimals & DECIMALS_MAX;
	pack(s, c, make_place(a, s, 0));
}

/* --- Looking into it. --------------------------------------------------------- */

static inline int32_t packed(const struct series *s, size_t i)
{
	const char *p = values_at(s) + (i << s->width);
	int32_t k32;
	int16_t k16;

	switch (s->width) {
	case 0:
		return *(const int8_t *)p;
	case 1:
		memcpy(&k16, p, 2);
		return k16;
	default:
		memcpy(&k32, p, 4);
		return k32;
	}
}

union cell series_cell(const struct series *s, size_t i)
{
	union cell cell = { .i = 0 };

	if (s->type == CELL_NONE || s->type == CELL_TEXT)
		return cell;
	if (s->width == WIDTH_FULL)
		memcpy(&cell, values_at(s) + i * sizeof(cell), sizeof(cell));
	else if (s->type == CELL_INT)
		cell.i = packed(s, i);
	else
		cell.f = (double)packed(s, i) / tens[s->decimals];
	return cell;
}

static inline __attribute__((always_inline)) void
unpack_as(const struct series *s, unsigned int width, double ten, double *to)
{
	struct series same = *s;

	same.width = width & WIDTH_FULL;
	for (size_t i = 0; i < s->n; i++)
		to[i] = (double)packed(&same, i) / ten;
}

static void unpack(const struct series *s, double *to)
{
	double ten = tens[s->decimals];

	if (s->width == 0)
		unpack_as(s, 0, ten, to);
	else if (s->width == 1)
		unpack_as(s, 1, ten, to);
	else
		unpack_as(s, 2, ten, to);
}

void series_values(const struct series *s, double *to)
{
	if (s->width < WIDTH_FULL)
		unpack(s, to);
	else if (s->type == CELL_FLOAT && s->n)
		memcpy(to, values_at(s), s->n * sizeof(*to));
	else
		for (size_t i = 0; i < s->n; i++)
			to[i] = (double)series_cell(s, i).i;
}
