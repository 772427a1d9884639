/* Figures as text, for a quick look in a shell: lines of Braille dots, two by four per character.
 * */
#ifndef HK_PLOT_TERMINAL_H
#define HK_PLOT_TERMINAL_H
#include "io/plot.h"

/* width, height: characters of each panel, with its labels.  colour: with the escapes of a
 * terminal.  Series of one panel share dots; without colour the first eight are told apart by the
 * legend's order alone. */
hk_status hk_plot_terminal(const hk_plot_figure *figure, FILE *out, int width, int height,
                           bool colour, hk_error *err);
#endif
