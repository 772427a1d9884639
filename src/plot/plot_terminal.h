/* Figures as text, for a quick look in a shell: lines of Braille dots, two by four per character.
 * */
#ifndef HK_PLOT_PLOT_TERMINAL_H
#define HK_PLOT_PLOT_TERMINAL_H
#include <hooke/plot.h>

/* width, height: size of each panel in characters, with its labels.  colour: with escape sequences.
 * Series of one panel share dots; without colour, series can be identified only by their order in
 * the legend. */
hk_status hk_plot_terminal(const hk_plot_figure *figure, FILE *out, int width, int height,
                           bool colour, hk_error *err);
#endif
