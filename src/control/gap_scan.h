/* Gaps of rigid contacts between the two ends of a step.
 *
 * A ball that flies past another one, or through it, has a positive gap at both ends of a long step.  With L a bound of the
 * gap's rate, a gap that is g0 and g1 at the ends of a piece of length d stays above (g0 + g1 - L d)/2 within it: where that
 * is positive nothing happens, else the piece is halved.  States in between are those of the cubic through places and
 * velocities of both ends.
 */
#ifndef HK_GAP_SCAN_H
#define HK_GAP_SCAN_H
#include "core/contact_rows.h"
#include "sim/sim.h"

typedef struct hk_gap_way {
  const double *x0;       /* the state at the start */
  const double *q1, *v1;  /* positions and velocities at the end */
  double h;
} hk_gap_way;

/* Whether the gap of row i is to be looked at. */
typedef bool hk_gap_open_fn(const void *context, int i);

/* A time within the step at which a gap is below -depth; INFINITY: there is none.  Work and rows, [n], are left at some
 * place between. */
double hk_gap_scan(hk_sim *s, const hk_gap_way *way, hk_contact_row *row, int n,
                   hk_gap_open_fn *open, const void *context, double depth);
#endif
