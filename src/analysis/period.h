/* Does a sequence of points repeat, and after how many? */
#ifndef HK_PERIOD_H
#define HK_PERIOD_H
#include <hooke/nonlinear.h>

/* b - a; of an angle the way round that is shorter. */
double hk_point_difference(double a, double b, bool wrap);
/* Largest |b - a| / scale over the m values of two points; scale [m] positive, wrap may be NULL. */
double hk_point_distance(const double *a, const double *b, int m, const bool *wrap,
                         const double *scale);
/* point [n][m].  Periods up to most are looked for, and up to n/3, so that each is seen thrice. */
hk_repeat hk_repeat_find(const double *point, int n, int m, const bool *wrap, const double *scale,
                         double tolerance, int most);
#endif
