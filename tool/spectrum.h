/* What the parts of `hooke spectrum` share: channels of a file as even signals over time or over turns. */
#ifndef TOOL_SPECTRUM_H
#define TOOL_SPECTRUM_H
#include "analysis/lines.h"
#include "command.h"
#include "curves.h"

enum { SPECTRUM_MOST_LINES = 64 };

typedef struct tool_spectrum {
  const tool_args *args;
  hk_results *file;
  tool_curves curves;     /* over time */
  const char *angle;      /* --orders or --speed: whose turns; NULL: none */
  bool orders, psd, map;  /* what is asked for */
  double *turns;          /* [rows] of the angle, rising; NULL without one */
  double window, highest; /* 0: not given; s or turns, Hz or orders */
  int peaks;              /* lines to look for */
  double at[SPECTRUM_MOST_LINES], track[SPECTRUM_MOST_LINES];
  int n_at, n_track;
  const char *x_name, *x_unit; /* "frequency", "Hz" or "order", "" */
} tool_spectrum;

/* One channel at even steps of time or turns. */
hk_status tool_spectrum_even(const tool_spectrum *s, int k, hk_even *out, hk_error *err);
/* Length of a piece: what was asked for, or 1/parts of all; whole turns where these count. */
double tool_spectrum_piece(const tool_spectrum *s, const hk_even *e, double parts);

/* spectrum_map.c: --map and --track, in words or JSON, as table and figure. */
hk_status tool_spectrum_map(const tool_spectrum *s, hk_error *err);
hk_status tool_spectrum_track(const tool_spectrum *s, hk_error *err);
#endif
