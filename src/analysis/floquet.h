/* Floquet multipliers of an orbit. */
#ifndef HK_ANALYSIS_FLOQUET_H
#define HK_ANALYSIS_FLOQUET_H
#include "analysis/shooting.h"

/* Purpose for which multipliers are computed; it determines their accuracy. */
typedef enum hk_floquet_aim {
  HK_FLOQUET_VALUES, /* refine the grid until no multiplier changes */
  /* refine the grid until the remaining error of each multiplier is smaller than its distance
   * from 1 */
  HK_FLOQUET_STABILITY,
  /* use the grid of p, on which an event was located; halved steps only give the uncertainty */
  HK_FLOQUET_ON_GRID
} hk_floquet_aim;

/* Computes the multipliers of the period that starts at x, on the grid of p and with halved steps, into out, largest
 * first. The grid of p is not changed. unknown: the period is unknown, and the multiplier nearest to 1 is the trivial
 * multiplier of an orbit with free phase. derived: P and E were computed at an iterate near x, and the basis of their
 * unknowns is valid at x too. */
hk_status hk_floquet(hk_shooter *p, const double *x, bool unknown, hk_floquet_aim aim, bool derived,
                     hk_periodic *out, hk_error *err);
/* Same as hk_floquet, from P and E of the last period, which started at x. */
hk_status hk_floquet_judge(hk_shooter *p, const double *x, bool unknown, hk_floquet_aim aim,
                           hk_periodic *out, hk_error *err);
/* Computes the multipliers re, im [n] from P and E of the last period, largest first; returns their number without the
 * trivial one. */
hk_status hk_floquet_eigen(const hk_shooter *p, bool unknown, double *re, double *im, int *n,
                           double *trivial, hk_error *err);
#endif
