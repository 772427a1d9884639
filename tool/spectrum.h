/* Shared by the parts of `hooke spectrum`: channels of a file as values at equal steps of time or of revolutions. */
#ifndef TOOL_SPECTRUM_H
#define TOOL_SPECTRUM_H
#include "analysis/spectral_lines.h"
#include "command.h"
#include "curves.h"

enum { SPECTRUM_MOST_LINES = 64 };

typedef struct tool_spectrum {
  const tool_args *args;
  hk_results *file;
  tool_curves curves;     /* over time */
  const char *angle;      /* --orders or --speed: channel of the angle; NULL: none */
  bool orders, psd, map;  /* requested kinds of output */
  double *turns;          /* [rows] angle, increasing; NULL without an angle channel */
  double window, highest; /* 0: not given; window in s or revolutions, highest in Hz or orders */
  int peaks;              /* number of lines to search */
  double at[SPECTRUM_MOST_LINES], track[SPECTRUM_MOST_LINES];
  int n_at, n_track;
  double band[2]; /* --envelope, Hz; both 0: not given */
  struct {
    char name[24];
    double at;
  } mark[SPECTRUM_MOST_LINES]; /* --mark */
  int n_marks;
  const char *x_name, *x_unit; /* "frequency", "Hz" or "order", "" */
} tool_spectrum;

/* Returns one channel at equal steps of time or revolutions. */
hk_status tool_spectrum_even(const tool_spectrum *s, int k, hk_even *out, hk_error *err);
/* Length of a segment: as requested, or 1/parts of the run; whole revolutions for orders. */
double tool_spectrum_piece(const tool_spectrum *s, const hk_even *e, double parts);

/* spectrum_map.c: --map and --track, as text or JSON, table and figure. */
hk_status tool_spectrum_map(const tool_spectrum *s, hk_error *err);
hk_status tool_spectrum_track(const tool_spectrum *s, hk_error *err);
#endif
