/* A curve: y as a function of x through given points, with exact derivatives.
 *
 * Between its points it is straight, or a cubic: Akima's [Akima1970], whose slope follows the nearest
 * points only; the one that keeps monotone data monotone [FritschButland1984]; or the spline whose
 * curvature is continuous.  What it does outside is chosen, never guessed.
 *
 * The slope of a straight one jumps at its points, and the curvature of the first two cubics does; there
 * the piece to the right counts, and at the last point, unless it is held, the one that ends there.
 */
#ifndef HK_CURVE_H
#define HK_CURVE_H
#include "base/arena.h"
#include "expr/units.h"

typedef enum hk_interpolation {
  HK_INTERPOLATION_LINEAR,
  HK_INTERPOLATION_AKIMA,
  HK_INTERPOLATION_PCHIP,
  HK_INTERPOLATION_CUBIC
} hk_interpolation;

typedef enum hk_outside {
  HK_OUTSIDE_ERROR, /* no value: NaN, and hk_curve_covers says why */
  HK_OUTSIDE_HOLD,
  HK_OUTSIDE_LINE, /* on with the slope of the end */
  HK_OUTSIDE_PERIODIC
} hk_outside;

typedef struct hk_curve {
  const char *name; /* for messages */
  int n;
  const double *x;        /* [n] ascending */
  const double (*c)[4];   /* [n] piece i is c0 + c1 u + c2 u^2 + c3 u^3, u = x - x[i]; the last one is
                           * the line that goes on behind the end */
  double per_x;           /* pieces per x, were they of equal length */
  hk_interpolation interpolation;
  hk_outside outside;
  hk_dim x_dim, y_dim;
  int points_per_step; /* that a step may pass; 0: any number */
} hk_curve;

/* At least one point; everything is copied.  NULL with a message if x does not ascend, a number is not
 * finite or a periodic table does not end with the value it begins with. */
hk_curve *hk_curve_create(hk_arena *arena, const double *x, const double *y, int n,
                          hk_interpolation interpolation, hk_outside outside, hk_error *err);

double hk_curve_value(const hk_curve *t, double x);
/* Value, slope and curvature. */
void hk_curve_jet(const hk_curve *t, double x, double y[3]);
/* False where the table has no value. */
bool hk_curve_covers(const hk_curve *t, double x);
/* Pieces between two arguments, parts of them counted, however often the table repeats. */
double hk_curve_pieces_between(const hk_curve *t, double from, double to);
/* The least and the greatest value between two arguments.  False: there is none everywhere, or so many pieces that nobody
 * looked. */
bool hk_curve_range(const hk_curve *t, double from, double to, double *lo, double *hi);
/* The same of its slope. */
bool hk_curve_slope_range(const hk_curve *t, double from, double to, double *lo, double *hi);
/* Whether the slope jumps between two arguments: at the points of a linear table, and where others end. */
bool hk_curve_has_corner(const hk_curve *t, double from, double to);
#endif
