#ifndef BASE_HEX_H
#define BASE_HEX_H

/* The value of a hexadecimal digit of either case; -1: it is none. */
static inline int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte (0 to 255) that the two digits at "s" spell; -1: they are none.
 * The second is not looked at when the first is no digit. */
static inline int hex_byte(const char *s)
{
	int high = hex_digit(s[0]), low = high == -1 ? -1 : hex_digit(s[1]);

	return low == -1 ? -1 : high << 4 | low;
}

#endif
