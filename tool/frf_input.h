/* Arguments of the commands that excite a linear model by one input. */
#ifndef TOOL_FRF_INPUT_H
#define TOOL_FRF_INPUT_H
#include <hooke/linear.h>

enum { TOOL_FRF_NAME = 256 };

/* Reads --range: "0.1:100 Hz", in Hz. */
hk_status tool_frf_range(const char *text, double *first, double *last, hk_error *err);
/* Finds the input `name`; NULL: the only one. input: its full name. */
hk_status tool_frf_input(const hk_linear *l, const char *name, char input[TOOL_FRF_NAME],
                         int *index, hk_error *err);
#endif
