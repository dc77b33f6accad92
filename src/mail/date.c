#include "mail/date.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* What has been seen so far; -1: not yet. */
struct when {
	int year, month, day, hour, minute, second;
	int zone;		/* minutes east of UTC */
	bool zoned, pm, am;
};

static int64_t days_from_civil(int y, int m, int d)
{
	int64_t era, year = y - (m <= 2);
	int64_t yoe, doy;

	era = (year >= 0 ? year : year - 399) / 400;
	yoe = year - era * 400;
	doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static int days_in(int month, int year)
{
	static const int n[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31,
				 30, 31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return n[month - 1] + (month == 2 && leap);
}

/* 1..12, or 0: English names, and those of mailers that translate them. */
static int month_of(const char *s, size_t n)
{
	static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
	static const struct {
		const char *name;
		int month;
	} other[] = {
		{ "mrz", 3 }, { "m\xc3\xa4r", 3 }, { "mai", 5 }, { "okt", 10 },
		{ "dez", 12 }, { "fev", 2 }, { "avr", 4 }, { "juin", 6 },
		{ "juil", 7 }, { "mei", 5 }, { "ene", 1 }, { "abr", 4 },
		{ "ago", 8 }, { "dic", 12 }, { "set", 9 }, { "out", 10 },
	};

	if (n < 3)
		return 0;
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		if (strlen(other[i].name) <= n &&
		    !strncasecmp(s, other[i].name, strlen(other[i].name)))
			return other[i].month;
	for (int i = 0; i < 12; i++)
		if (!strncasecmp(s, names + (size_t)i * 3, 3))
			return i + 1;
	return 0;
}

/* RFC 5322 4.3: the zones with a name; others mean nothing. */
static void zone_name(struct when *w, const char *s, size_t n)
{
	static const struct {
		const char *name;
		int hours;
	} t[] = {
		{ "utc", 0 }, { "gmt", 0 }, { "ut", 0 }, { "z", 0 },
		{ "est", -5 }, { "edt", -4 }, { "cst", -6 }, { "cdt", -5 },
		{ "mst", -7 }, { "mdt", -6 }, { "pst", -8 }, { "pdt", -7 },
		{ "cet", 1 }, { "cest", 2 }, { "jst", 9 },
	};

	if (n == 2 && !strncasecmp(s, "pm", 2))
		w->pm = true;
	if (n == 2 && !strncasecmp(s, "am", 2))
		w->am = true;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (strlen(t[i].name) == n && !strncasecmp(s, t[i].name, n)) {
			w->zone = t[i].hours * 60;
			w->zoned = true;
		}
}

static int number(const char *s, size_t n)
{
	int v = 0;

	for (size_t i = 0; i < n && i < 6; i++)
		v = v * 10 + (s[i] - '0');
	return v;
}

static size_t digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* "10:15", "10:15:00", "10.15.00": returns its length, 0 when it is none. */
static size_t take_time(struct when *w, const char *s)
{
	size_t n = digits(s), m, k;
	char sep;

	if (n < 1 || n > 2 || w->hour >= 0)
		return 0;
	sep = s[n];
	m = sep == ':' || sep == '.' ? digits(s + n + 1) : 0;
	if (m != 2 || (sep == '.' && s[n + 1 + m] != '.'))
		return 0;
	w->hour = number(s, n);
	w->minute = number(s + n + 1, 2);
	w->second = 0;
	k = n + 1 + m;
	if (s[k] != sep || !(m = digits(s + k + 1)))
		return k;
	w->second = number(s + k + 1, m);
	k += 1 + m;
	if (s[k] == '.' || s[k] == ',')	/* fractions of a second */
		k += 1 + digits(s + k + 1);
	return k;
}

/* "+0100", "-01:00", "+1" once the time is known; returns its length. */
static size_t take_zone(struct when *w, const char *s)
{
	size_t n, k;
	int v, hours;

	if ((*s != '+' && *s != '-') || w->hour < 0)
		return 0;
	n = digits(s + 1);
	if (!n)
		return 0;
	v = number(s + 1, n);
	k = 1 + n;
	hours = n > 2 ? v / 100 : v;
	v = n > 2 ? v % 100 : 0;
	if (n <= 2 && s[k] == ':' && digits(s + k + 1) == 2) {
		v = number(s + k + 1, 2);
		k += 3;
	}
	/* A zone that cannot be is none: "-0000", "+9999". */
	if (hours <= 14 && v < 60)
		w->zone = (hours * 60 + v) * (*s == '-' ? -1 : 1);
	w->zoned = true;
	return k;
}

/* "2026-03-03" or "2026/3/3"; returns its length. */
static size_t take_iso_day(struct when *w, const char *s)
{
	size_t a = digits(s), b, c;

	if (a != 4 || (s[a] != '-' && s[a] != '/'))
		return 0;
	b = digits(s + a + 1);
	if (b < 1 || b > 2 || s[a + 1 + b] != s[a])
		return 0;
	c = digits(s + a + b + 2);
	if (c < 1 || c > 2)
		return 0;
	w->year = number(s, a);
	w->month = number(s + a + 1, b);
	w->day = number(s + a + b + 2, c);
	return a + b + c + 2;
}

static void take_number(struct when *w, const char *s, size_t n)
{
	int v = number(s, n);

	if (w->day < 0 && n <= 2) {
		w->day = v;
	} else if (w->year < 0 && n <= 4) {
		/* RFC 5322 4.3: two digits and three. */
		w->year = n <= 2 ? v + (v < 50 ? 2000 : 1900) :
			  n == 3 ? v + 1900 : v;
	}
}

static size_t take_word(struct when *w, const char *s)
{
	size_t n = 0;
	int month;

	while (isalpha((unsigned char)s[n]) || (unsigned char)s[n] >= 0x80)
		n++;
	month = month_of(s, n);
	if (month && w->month < 0)
		w->month = month;
	else if (w->hour >= 0 && !w->zoned)
		zone_name(w, s, n);
	return n;
}

static void read_all(struct when *w, const char *s)
{
	int depth = 0;
	size_t n;

	for (int i = 0; *s && i < 100; i++) {
		if (*s == '(')
			depth++;
		if (*s == ')' && depth)
			depth--;
		n = 0;
		if (!depth) {
			if (!(n = take_iso_day(w, s)) &&
			    !(n = take_time(w, s)))
				n = take_zone(w, s);
			if (!n && (n = digits(s)))
				take_number(w, s, n);
			if (!n)
				n = take_word(w, s);
		}
		s += n ? n : 1;
	}
}

static bool is_possible(const struct when *w)
{
	return w->year >= 1970 && w->year <= 9999 && w->month >= 1 &&
	       w->month <= 12 && w->day >= 1 &&
	       w->day <= days_in(w->month, w->year) && w->hour <= 23 &&
	       w->minute <= 59 && w->second <= 60;
}

int64_t date_read(const char *s)
{
	struct when w = { -1, -1, -1, -1, -1, -1, 0, false, false, false };
	int64_t t;

	read_all(&w, s);
	if (w.hour < 0)
		w.hour = w.minute = w.second = 0;
	if (w.pm && w.hour < 12)
		w.hour += 12;
	if (w.am && w.hour == 12)
		w.hour = 0;
	if (!is_possible(&w))
		return DATE_NONE;
	t = days_from_civil(w.year, w.month, w.day) * 86400;
	return t + w.hour * 3600 + w.minute * 60 + w.second -
	       (int64_t)w.zone * 60;
}
