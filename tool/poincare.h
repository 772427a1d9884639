/* Results of `hooke poincare` for its figure and its tables. */
#ifndef TOOL_POINCARE_H
#define TOOL_POINCARE_H
#include "orbit.h"

enum { TOOL_MOST_AXES = 16 };

typedef struct tool_basin {
  int n; /* number of starts; 0: no basin */
  hk_spread spread;
  char path[TOOL_MOST_AXES][300], unit[TOOL_MOST_AXES][64];
  double first[TOOL_MOST_AXES], last[TOOL_MOST_AXES];
  int n_axes;
  uint64_t seed;
  int jobs;
  hk_orbit_sweep sweep;
  int *attractor; /* [n] */
  int n_attractors;
} tool_basin;

typedef struct tool_poincare {
  tool_orbit t;
  hk_orbit orbit; /* the orbit, if there are no basins */
  tool_basin b;
  tool_counter counter;
} tool_poincare;

/* Number of starts that lead to an attractor, and the first of them. */
int tool_basin_share(const tool_basin *b, int attractor, int *first);
hk_status tool_poincare_draw(const tool_poincare *p, const char *path, hk_error *err);
#endif
