/* Gaps of contacts between the two ends of a step.
 *
 * A ball that passes through another one within a long step has a positive gap at both ends. Let d be the length of an
 * interval, g0 and g1 the gap at its two ends, and L a bound of the rate of the gap. Then the gap stays above (g0 + g1
 * - L d)/2 within the interval. If this bound is positive, the contact stays open; otherwise the interval is bisected.
 * States between the ends are those of the cubic through positions and velocities of both ends. */
#ifndef HK_CONTROL_GAP_SCAN_H
#define HK_CONTROL_GAP_SCAN_H
#include "core/contact_rows.h"
#include "sim/sim.h"

typedef struct hk_gap_way {
  const double *x0;      /* the state at the start */
  const double *q1, *v1; /* positions and velocities at the end */
  double h;
} hk_gap_way;

/* The gap of a point of a contact, at the frames in `work`. */
double hk_gap_at(const hk_work *w, const hk_contact *c, int point);
/* Searches the interval up to `end`. Returns a time at which the gap is below -depth; INFINITY: the gap stays open. If
 * this takes too many bisections, returns the time up to which the gap was shown to stay open. Leaves work at some
 * state within the interval. */
double hk_gap_closes(hk_sim *s, const hk_gap_way *way, const hk_contact *c, int point, double end,
                     double depth);

/* Whether the gap of row i must be searched. */
typedef bool hk_gap_open_fn(const void *context, int i);

/* The first time at which one of the rows of rigid contacts, [n], closes. */
double hk_gap_scan(hk_sim *s, const hk_gap_way *way, const hk_contact_row *row, int n,
                   hk_gap_open_fn *open, const void *context, double depth);
#endif
