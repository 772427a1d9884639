/* Curves from results files: channels over time, over another channel, as spectra or orders, in the requested units.
 */
#ifndef TOOL_CURVES_H
#define TOOL_CURVES_H
#include "command.h"
#include "results/results.h"

enum { TOOL_MOST_FILES = 8, TOOL_MOST_CHANNELS = 200 };

typedef struct tool_curve {
  char *name; /* channel name, preceded by the file's name if there are several files */
  char unit[64];
  double *x, *y; /* [n] */
  int64_t n;
  int file;
  int channel;   /* for a logarithmic axis: number of the curve before its signs were separated */
  bool negative; /* sizes of the negative values of the same channel, for a logarithmic axis */
} tool_curve;

typedef struct tool_curves {
  tool_curve *curve;
  int n;
  char x_label[1100], x_unit[64];
  bool over_time, spectrum;
} tool_curves;

#define TOOL_UNIT_OPTION                                                                      \
  {                                                                                           \
    0, "unit", "UNIT,UNIT",                                                                   \
        "show quantities in these units if they match, such as deg,mm,rpm; else in SI", false \
  }

/* Factor and offset from SI to the first unit in `list` (NULL: none) of the right dimension, and its text. */
hk_status tool_unit_for(const char *list, const char *si, char text[64], double *factor,
                        double *offset, hk_error *err);
/* Evaluates the options channels, match, x, over, phase, spectrum, orders, from, to, unit for all files in args.
 * Call tool_curves_free even if this function fails. */
hk_status tool_curves_read(tool_curves *c, const tool_args *args, hk_results *const *file,
                           int n_files, hk_error *err);
/* Reads one file with only the options channels, match, from, to and unit. The curves are over another channel in its
 * SI unit; NULL: over time. */
hk_status tool_curves_over(tool_curves *c, const tool_args *args, hk_results *file,
                           const char *over, hk_error *err);
void tool_curves_free(tool_curves *c);
/* Before a spectrum: warns if rows of the curve have no value, because a spline bridges them. */
void tool_curve_holes(const tool_curve *c);
#endif
