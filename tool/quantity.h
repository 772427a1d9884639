/* Quantities on the command line: "2.5 ms", "0:10 Hz". */
#ifndef TOOL_QUANTITY_H
#define TOOL_QUANTITY_H
#include <hooke/base.h>

/* Reads a number, alone or with a unit of the dimension of `unit` (SI); `what` is used in the
 * message. */
hk_status tool_quantity(const char *text, const char *unit, const char *what, double *out,
                        hk_error *err);
/* "FIRST:LAST" or "FIRST:LAST:COUNT" (or "FIRST..LAST:COUNT"), with a unit after the whole or after
 * any number. *count is unchanged if no count is given (a count is rejected if `count` is NULL).
 * With unit NULL the unit is not converted but returned in unit_text[64]. */
hk_status tool_range(const char *text, const char *unit, const char *what, double *first,
                     double *last, int *count, char unit_text[64], hk_error *err);
/* Splits "a,b,c" into names, in place; returns their number.  name must have space for strlen(text)
 * + 1 entries. */
int tool_split(char *text, const char **name);
#endif
