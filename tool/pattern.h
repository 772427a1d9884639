/* The pattern of the stiffness matrix of a linear model, as a figure. */
#ifndef TOOL_PATTERN_H
#define TOOL_PATTERN_H
#include <hooke/linear.h>

/* Draws K with its rows and columns grouped by body. */
hk_status tool_pattern_draw(const hk_linear *linear, const char *path, hk_error *err);
#endif
