/* Finds whether a sequence of points repeats, and after how many points. */
#ifndef HK_ANALYSIS_PERIOD_H
#define HK_ANALYSIS_PERIOD_H
#include <hooke/nonlinear.h>

/* Returns b - a; for angles, the shorter difference. */
double hk_point_difference(double a, double b, bool wrap);
/* Largest |b - a| / scale over the m values of two points; scale [m] positive, wrap may be NULL. */
double hk_point_distance(const double *a, const double *b, int m, const bool *wrap,
                         const double *scale);
/* Finds the period of point [n][m].  Searches periods up to `most` and up to n/3, so that each
 * period occurs at least three times. */
hk_repeat hk_repeat_find(const double *point, int n, int m, const bool *wrap, const double *scale,
                         double tolerance, int most);
#endif
