/* A curve (table): y as a function of x through given points, with exact derivatives.
 *
 * Interpolation is linear or cubic. Cubics are those of Akima [Akima1970], whose slopes depend only
 * on the nearest points; the cubic that keeps monotone data monotone [FritschButland1984]; or the
 * spline with continuous curvature. The behaviour outside of the points must be chosen explicitly.
 *
 * The slope of a linear curve jumps at its points, and so does the curvature of the first two
 * cubics; at a point the piece to the right is used. At the last point the piece that ends there
 * is used, unless the extrapolation is constant. */
#ifndef HK_EXPR_CURVE_H
#define HK_EXPR_CURVE_H
#include "base/arena.h"
#include "expr/units.h"

typedef enum hk_interpolation {
  HK_INTERPOLATION_LINEAR,
  HK_INTERPOLATION_AKIMA,
  HK_INTERPOLATION_PCHIP,
  HK_INTERPOLATION_CUBIC
} hk_interpolation;

typedef enum hk_outside {
  HK_OUTSIDE_ERROR, /* no value: NaN, see hk_curve_covers */
  HK_OUTSIDE_HOLD,
  HK_OUTSIDE_LINE, /* continues with the slope of the end */
  HK_OUTSIDE_PERIODIC
} hk_outside;

typedef struct hk_curve {
  const char *name; /* name of the table in messages */
  int n;
  const double *x; /* [n] ascending */
  /* [n] piece i is c0 + c1 u + c2 u^2 + c3 u^3, u = x - x[i]; the last piece is the line beyond the
   * end */
  const double (*c)[4];
  double per_x; /* number of pieces per unit of x if all pieces had the same length */
  hk_interpolation interpolation;
  hk_outside outside;
  hk_dim x_dim, y_dim;
  int points_per_step; /* maximum number of points that a step may pass; 0: no limit */
  /* true: the name of the table without an argument means the value at the time t (slot 0) */
  bool of_time;
  /* true (function interp): steps end at the points, because these are kinks; there are only few
   * of them */
  bool kinks;
} hk_curve;

/* Creates a curve from at least one point; all data are copied. NULL with a message if x does not
 * ascend, a value is not finite, or a periodic table does not end with its first value. */
hk_curve *hk_curve_create(hk_arena *arena, const double *x, const double *y, int n,
                          hk_interpolation interpolation, hk_outside outside, hk_error *err);

double hk_curve_value(const hk_curve *t, double x);
/* Computes value, slope and curvature. */
void hk_curve_jet(const hk_curve *t, double x, double y[3]);
/* Returns true if the table has a value at x. */
bool hk_curve_covers(const hk_curve *t, double x);
/* Number of pieces of the curve (intervals between two points) between two arguments, including fractions of a piece
 * and the repetitions of a periodic table. */
double hk_curve_pieces_between(const hk_curve *t, double from, double to);
/* Minimum and maximum between two arguments. Returns false if a part of the range has no value,
 * or if there are too many pieces. */
bool hk_curve_range(const hk_curve *t, double from, double to, double *lo, double *hi);
/* Minimum and maximum of the slope between two arguments; returns false as hk_curve_range does. */
bool hk_curve_slope_range(const hk_curve *t, double from, double to, double *lo, double *hi);
/* Returns true if there is a point with from < x <= to. Of adjacent ranges exactly one contains a given point, so
 * that bisection finds all points. */
bool hk_curve_passes_point(const hk_curve *t, double from, double to);
/* Returns true if the slope jumps between two arguments: at the points of a linear table, and at the ends of other
 * tables. */
bool hk_curve_has_corner(const hk_curve *t, double from, double to);
#endif
