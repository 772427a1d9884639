/* Output of figures: SVG, PNG or PDF according to the file's extension, or the terminal. */
#ifndef TOOL_FIGURE_H
#define TOOL_FIGURE_H
#include <hooke/plot.h>

/* Saves the figure in the format of the extension; any other extension, and "-", is SVG.  PNG and
 * PDF are made by rsvg-convert. */
hk_status tool_figure_save(const hk_plot_figure *figure, const char *path, hk_error *err);
/* Rejects a name with the extension of another format. */
hk_status tool_figure_check(const char *path, hk_error *err);
hk_status tool_pattern_save(const hk_plot_matrix *pattern, const char *path, hk_error *err);
/* Prints the figure on standard output, as wide as the terminal. */
hk_status tool_figure_print(const hk_plot_figure *figure, hk_error *err);
#endif
