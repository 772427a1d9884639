/* Floquet multipliers of an orbit. */
#ifndef HK_ANALYSIS_FLOQUET_H
#define HK_ANALYSIS_FLOQUET_H
#include "analysis/shooting.h"

/* Computes the multipliers of the period that starts at x, on the grid of p and on a grid with halved steps, into out,
 * largest first. unknown: the period is unknown, and the multiplier nearest to 1 is the trivial one. */
hk_status hk_floquet(hk_shooter *p, const double *x, bool unknown, hk_periodic *out, hk_error *err);
/* Same as hk_floquet, from P and E of the last period, which started at x. */
hk_status hk_floquet_judge(hk_shooter *p, const double *x, bool unknown, hk_periodic *out,
                           hk_error *err);
/* Computes the multipliers re, im [n] from P and E of the last period, largest first; returns their number without the
 * trivial one. */
hk_status hk_floquet_eigen(const hk_shooter *p, bool unknown, double *re, double *im, int *n,
                           double *trivial, hk_error *err);
#endif
