/* Conversion between numbers and text in any locale: the decimal sign is always a point.
 *
 * A library cannot choose the locale of its host: Qt, GTK and MATLAB set LC_NUMERIC to the user's locale,
 * and then printf writes and strtod reads a decimal comma. */
#ifndef HK_BASE_NUMBER_H
#define HK_BASE_NUMBER_H
#include <stdarg.h>
#include <stddef.h>

enum { HK_NUMBER_SIZE = 40 };

/* Formats with %.*g; returns the length. */
int hk_number_format(double x, int digits, char buf[HK_NUMBER_SIZE]);
/* Formats with the smallest number of digits that gives the same number when read back. */
int hk_number_exact(double x, char buf[HK_NUMBER_SIZE]);
/* snprintf and vsnprintf in the C locale: for texts that are read again. */
__attribute__((format(printf, 3, 4))) int hk_number_print(char *out, size_t size,
                                                          const char *format, ...);
int hk_number_vprint(char *out, size_t size, const char *format, va_list args);
/* strtod in the C locale: *end is `text` if there is no number. */
double hk_number_read(const char *text, char **end);
#endif
