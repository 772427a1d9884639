/* Numbers as text, whatever the locale of the program: the decimal sign is always a point.
 *
 * A library cannot choose the locale of its host: Qt, GTK and MATLAB set LC_NUMERIC to that of the user, and then printf writes
 * and strtod reads a decimal comma.
 */
#ifndef HK_BASE_NUMBER_H
#define HK_BASE_NUMBER_H
#include <stddef.h>

enum { HK_NUMBER_SIZE = 40 };

/* %.*g; returns the length. */
int hk_number_format(double x, int digits, char buf[HK_NUMBER_SIZE]);
/* As few digits as it takes to read the same number back. */
int hk_number_exact(double x, char buf[HK_NUMBER_SIZE]);
/* strtod in the C locale: *end is `text` if there is no number. */
double hk_number_read(const char *text, char **end);
#endif
