/* The period of an orbit from its points in a Poincare section: see period.h. */
#include "analysis/period.h"
#include <math.h>

double hk_point_difference(double a, double b, bool wrap) {
  return wrap ? remainder(b - a, 2 * M_PI) : b - a;
}

double hk_point_distance(const double *a, const double *b, int m, const bool *wrap,
                         const double *scale) {
  double most = 0;
  for (int k = 0; k < m; k++) {
    double d = fabs(hk_point_difference(a[k], b[k], wrap && wrap[k])) / scale[k];
    if (!(d <= most)) most = d; /* NaN stays */
  }
  return most;
}

/* Returns the largest distance between two points that are `period` points apart. Stops as soon as the distance
 * exceeds `enough`. */
static double repeat_error(const double *point, int n, int m, const bool *wrap, const double *scale,
                           int p, double enough) {
  double most = 0;
  for (int i = n - p - 1; i >= 0; i--) {
    const double *x = point + (size_t)i * (size_t)m;
    double d = hk_point_distance(x, x + (size_t)p * (size_t)m, m, wrap, scale);
    if (!(d <= most)) most = d;
    if (!(most <= enough)) break;
  }
  return most;
}

/* Number of points that differ by more than the tolerance from all points counted before. */
static int count_distinct(const double *point, int n, int m, const bool *wrap, const double *scale,
                          double tolerance) {
  int distinct = 0;
  for (int i = 0; i < n; i++) {
    bool seen = false;
    for (int k = 0; k < i && !seen; k++)
      seen = hk_point_distance(point + (size_t)i * (size_t)m, point + (size_t)k * (size_t)m, m,
                               wrap, scale) <= tolerance;
    distinct += !seen;
  }
  return distinct;
}

hk_repeat hk_repeat_find(const double *point, int n, int m, const bool *wrap, const double *scale,
                         double tolerance, int most) {
  hk_repeat r = {.error = INFINITY};
  int limit = n / 3;
  if (most > 0 && most < limit) limit = most;
  for (int p = 1; p <= limit && r.period == 0; p++) {
    double e = repeat_error(point, n, m, wrap, scale, p, r.error);
    if (!(e < r.error)) continue;
    r.error = e;
    r.candidate = p;
    if (e <= tolerance) r.period = p;
  }
  r.distinct = count_distinct(point, n, m, wrap, scale, tolerance);
  return r;
}
