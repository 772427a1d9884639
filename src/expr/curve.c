/* Tables: evaluation and slopes of the cubics; see curve.h. */
#include "expr/curve.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- evaluation ---- */

/* If an argument exceeds an end by less than this fraction of the table's length, the excess is round-off. Example:
 * the last step of a run with the duration of its table ends at t = 10.000000000000002. */
static const double round_off = 1e-9;

static double length_of(const hk_curve *t) { return t->x[t->n - 1] - t->x[0]; }

bool hk_curve_covers(const hk_curve *t, double x) {
  if (t->outside != HK_OUTSIDE_ERROR) return true;
  double slack = round_off * length_of(t);
  return x >= t->x[0] - slack && x <= t->x[t->n - 1] + slack;
}

/* Returns the index of the piece of the curve (from point i to the next point) that contains x: the last i with x[i]
 * <= x, within 0 .. n - 1. For equally spaced points the first guess is correct. */
static int piece_at(const hk_curve *t, double x) {
  int low = 0, high = t->n - 1; /* x[low] <= x < x[high + 1], if these points exist */
  double guess = (x - t->x[0]) * t->per_x;
  if (guess >= 1 && guess < high) {
    int i = (int)guess;
    if (t->x[i] <= x)
      low = i, high = x < t->x[i + 1] ? i : high;
    else
      high = i - 1;
  }
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (t->x[middle] <= x)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

static double wrap(const hk_curve *t, double x) {
  double period = length_of(t), turns = floor((x - t->x[0]) / period);
  double inside = x - turns * period;
  /* Rounding may give the end of the period, which is equivalent to the start. */
  return inside >= t->x[t->n - 1] || inside < t->x[0] ? t->x[0] : inside;
}

/* Returns true if x is outside of the table. If the table is not extrapolated, x must be outside by more than
 * round-off. If the extrapolation is constant, the end points themselves count as outside, because the slope there is
 * zero. */
static bool beyond(const hk_curve *t, double x) {
  double slack = t->outside == HK_OUTSIDE_ERROR ? round_off * length_of(t) : 0;
  double last = t->x[t->n - 1] + slack;
  return x < t->x[0] - slack || x > last || (x == last && t->outside == HK_OUTSIDE_HOLD);
}

void hk_curve_jet(const hk_curve *t, double x, double y[3]) {
  int last = t->n - 1;
  y[1] = y[2] = 0;
  if (isnan(x) || !hk_curve_covers(t, x)) {
    y[0] = y[1] = y[2] = NAN;
    return;
  }
  if (t->outside == HK_OUTSIDE_PERIODIC && (x < t->x[0] || x >= t->x[last])) x = wrap(t, x);
  int i = piece_at(t, x);
  const double *c = t->c[i];
  if (last == 0 || beyond(t, x)) {
    bool line = t->outside == HK_OUTSIDE_LINE;
    y[1] = line ? c[1] : 0;
    y[0] = c[0] + y[1] * (x - t->x[i]);
    return;
  }
  /* the last point belongs to the piece of the curve that ends there */
  if (i == last) c = t->c[--i];
  double u = x - t->x[i];
  y[0] = c[0] + u * (c[1] + u * (c[2] + u * c[3]));
  y[1] = c[1] + u * (2 * c[2] + 3 * u * c[3]);
  y[2] = 2 * c[2] + 6 * u * c[3];
}

double hk_curve_value(const hk_curve *t, double x) {
  double y[3];
  hk_curve_jet(t, x, y);
  return y[0];
}

/* Number of intervals between points of the table before x. Outside of a periodic table, the intervals of its
 * repetitions are counted too. */
static double pieces_before(const hk_curve *t, double x) {
  double turns = 0;
  if (t->outside == HK_OUTSIDE_PERIODIC) {
    turns = floor((x - t->x[0]) / length_of(t));
    x = wrap(t, x);
  }
  if (!(x > t->x[0])) return turns * (t->n - 1);
  int i = piece_at(t, x);
  double part = i < t->n - 1 ? (x - t->x[i]) / (t->x[i + 1] - t->x[i]) : 0;
  return turns * (t->n - 1) + i + part;
}

double hk_curve_pieces_between(const hk_curve *t, double from, double to) {
  return t->n > 1 ? fabs(pieces_before(t, to) - pieces_before(t, from)) : 0;
}

/* ---- ranges ---- */

static void include(double y, double *lo, double *hi) { *lo = fmin(*lo, y), *hi = fmax(*hi, y); }

/* Extends the range of values by the extrema of piece i between two arguments. The slope is a parabola, c1 + 2 c2 u + 3
 * c3 u^2. */
static void include_level(const hk_curve *t, int i, double from, double to, double *lo,
                          double *hi) {
  const double *c = t->c[i];
  double root = sqrt(c[2] * c[2] - 3 * c[1] * c[3]), q = -(c[2] + copysign(root, c[2]));
  double u[] = {q / (3 * c[3]), c[1] / q};
  for (int k = 0; k < 2; k++)
    if (from - t->x[i] < u[k] && u[k] < to - t->x[i])
      include(c[0] + u[k] * (c[1] + u[k] * (c[2] + u[k] * c[3])), lo, hi);
}

static void include_values(const hk_curve *t, int i, double from, double to, double *lo,
                           double *hi) {
  include(hk_curve_value(t, from), lo, hi);
  include(hk_curve_value(t, to), lo, hi);
  if (from < t->x[0])
    from = fmin(t->x[0], to); /* before the first point, the extrapolation applies */
  if (i < t->n - 1) include_level(t, i, from, to, lo, hi);
}

/* Extends the range by the slopes of piece i: at both ends, with the slope on the side of this piece, and at the vertex
 * of the parabola. */
static void include_slopes(const hk_curve *t, int i, double from, double to, double *lo,
                           double *hi) {
  double y[3];
  if (i == t->n - 1 || from < t->x[0]) { /* outside */
    hk_curve_jet(t, from < t->x[0] ? from : to, y);
    include(y[1], lo, hi);
  }
  if (i == t->n - 1 || to < t->x[0]) return;
  const double *c = t->c[i];
  double u[] = {fmax(from - t->x[i], 0), to - t->x[i], -c[2] / (3 * c[3])};
  for (int k = 0; k < 3; k++)
    if (u[0] <= u[k] && u[k] <= u[1]) include(c[1] + u[k] * (2 * c[2] + 3 * u[k] * c[3]), lo, hi);
}

typedef void include_fn(const hk_curve *t, int piece, double from, double to, double *lo,
                        double *hi);

/* Maximum number of pieces that are examined one by one. */
enum { FEW_PIECES = 64 };

static bool include_pieces(const hk_curve *t, include_fn *what, double from, double to, double *lo,
                           double *hi) {
  int first = piece_at(t, from), last = piece_at(t, to);
  if (last - first > FEW_PIECES) return false;
  for (int i = first; i <= last; i++)
    what(t, i, i > first ? t->x[i] : from, i < last ? t->x[i + 1] : to, lo, hi);
  return true;
}

static bool range_of(const hk_curve *t, include_fn *what, double from, double to, double *lo,
                     double *hi) {
  *lo = INFINITY, *hi = -INFINITY;
  if (!isfinite(from) || !isfinite(to) || !hk_curve_covers(t, from) || !hk_curve_covers(t, to))
    return false;
  if (t->outside != HK_OUTSIDE_PERIODIC) return include_pieces(t, what, from, to, lo, hi);
  double begin = t->x[0], end = t->x[t->n - 1], first = wrap(t, from), last = wrap(t, to);
  if (!(to - from < length_of(t)))
    return include_pieces(t, what, begin, end, lo, hi); /* a whole period */
  if (first <= last) return include_pieces(t, what, first, last, lo, hi);
  return include_pieces(t, what, first, end, lo, hi) &&
         include_pieces(t, what, begin, last, lo, hi);
}

bool hk_curve_range(const hk_curve *t, double from, double to, double *lo, double *hi) {
  return range_of(t, include_values, from, to, lo, hi);
}

bool hk_curve_slope_range(const hk_curve *t, double from, double to, double *lo, double *hi) {
  return range_of(t, include_slopes, from, to, lo, hi);
}

bool hk_curve_passes_point(const hk_curve *t, double from, double to) {
  if (t->outside == HK_OUTSIDE_PERIODIC)
    return floor(pieces_before(t, from)) < floor(pieces_before(t, to));
  int next = from < t->x[0] ? 0 : isfinite(from) ? piece_at(t, from) + 1 : t->n;
  return next < t->n && t->x[next] <= to;
}

bool hk_curve_has_corner(const hk_curve *t, double from, double to) {
  double first = t->x[0], last = t->x[t->n - 1];
  bool linear = t->interpolation == HK_INTERPOLATION_LINEAR;
  if (linear && t->outside == HK_OUTSIDE_PERIODIC)
    return floor(pieces_before(t, from)) + 1 < pieces_before(t, to);
  bool ends =
      t->outside == HK_OUTSIDE_HOLD && ((from < first && first < to) || (from < last && last < to));
  if (!linear || !isfinite(from) || !isfinite(to)) return ends || (linear && from < to);
  int next = from < first ? 1 : piece_at(t, from) + 1;
  return ends || (next < t->n - 1 && t->x[next] < to);
}

/* ---- slopes of the cubics at the points ---- */

/* Points, lengths and slopes of the pieces, including assumed pieces beyond both ends. */
typedef struct course {
  const double *x, *y;
  int n; /* number of points */
  bool periodic;
} course;

static double piece_length(const course *k, int i) { return k->x[i + 1] - k->x[i]; }

static double piece_slope(const course *k, int i) {
  return (k->y[i + 1] - k->y[i]) / piece_length(k, i);
}

/* Returns the slope of piece i. i may also be before the first or after the last piece: the
 * slope is then that of the periodic continuation or, without a period, of the parabola through
 * the outermost pieces, as in Akima's method. */
static double slope_around(const course *k, int i) {
  int last = k->n - 2;
  if (k->periodic) return piece_slope(k, (i % (last + 1) + last + 1) % (last + 1));
  if (i >= 0 && i <= last) return piece_slope(k, i);
  int end = i < 0 ? 0 : last, next = i < 0 ? 1 : last - 1, far = i < 0 ? -i : i - last;
  double m = piece_slope(k, end);
  return last == 0 ? m : m + far * (m - piece_slope(k, next));
}

/* Akima's method [Akima1970]: the slope at a point is the weighted mean of the slopes of the two adjacent pieces of
 * the curve. The weight of each piece is the change of slope on the side of the other piece. */
static void akima_slopes(const course *k, double *d) {
  for (int i = 0; i < k->n; i++) {
    double m0 = slope_around(k, i - 2), m1 = slope_around(k, i - 1), m2 = slope_around(k, i),
           m3 = slope_around(k, i + 1);
    double w1 = fabs(m3 - m2), w2 = fabs(m1 - m0);
    d[i] = w1 + w2 > 0 ? (w1 * m1 + w2 * m2) / (w1 + w2) : 0.5 * (m1 + m2);
  }
}

/* End slope of a monotone cubic: the slope of the parabola through three points, limited to avoid
 * overshoot. */
static double monotone_end(double h0, double h1, double m0, double m1) {
  double d = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1);
  if (d * m0 <= 0) return 0;
  return m0 * m1 < 0 && fabs(d) > 3 * fabs(m0) ? 3 * m0 : d;
}

/* Slope by [FritschButland1984]: a weighted harmonic mean of the slopes on both sides, and 0 at a local extremum of
 * the data. */
static double monotone_inside(double h0, double h1, double m0, double m1) {
  if (!(m0 * m1 > 0)) return 0;
  double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / m0 + w1 / m1);
}

static void pchip_slopes(const course *k, double *d) {
  int last = k->n - 1;
  for (int i = 1; i < last; i++)
    d[i] = monotone_inside(piece_length(k, i - 1), piece_length(k, i), piece_slope(k, i - 1),
                           piece_slope(k, i));
  if (k->periodic) {
    d[0] = d[last] = monotone_inside(piece_length(k, last - 1), piece_length(k, 0),
                                     piece_slope(k, last - 1), piece_slope(k, 0));
  } else if (k->n == 2) {
    d[0] = d[1] = piece_slope(k, 0);
  } else {
    d[0] =
        monotone_end(piece_length(k, 0), piece_length(k, 1), piece_slope(k, 0), piece_slope(k, 1));
    d[last] = monotone_end(piece_length(k, last - 1), piece_length(k, last - 2),
                           piece_slope(k, last - 1), piece_slope(k, last - 2));
  }
}

/* Solves a tridiagonal system by elimination; it is diagonally dominant, so no pivot vanishes. up
 * and right are overwritten; the solution is in right. */
static void solve_tridiagonal(int n, const double *low, const double *mid, double *up,
                              double *right) {
  double pivot = mid[0];
  right[0] /= pivot;
  for (int i = 1; i < n; i++) {
    up[i - 1] /= pivot;
    pivot = mid[i] - low[i] * up[i - 1];
    right[i] = (right[i] - low[i] * right[i - 1]) / pivot;
  }
  for (int i = n - 2; i >= 0; i--) right[i] -= up[i] * right[i + 1];
}

/* Row of the spline system, equal curvatures on both sides of a point: h1 d[i-1] + 2 (h0 + h1) d[i]
 * + h0 d[i+1] = 3 (h1 m0 + h0 m1). */
static void spline_row(double h0, double h1, double m0, double m1, double *low, double *mid,
                       double *up, double *right) {
  *low = h1, *mid = 2 * (h0 + h1), *up = h0;
  *right = 3 * (h1 * m0 + h0 * m1);
}

/* Spline with zero curvature at the ends. */
static void natural_spline(const course *k, double *d, double *low, double *mid, double *up) {
  int last = k->n - 1;
  mid[0] = 2, up[0] = 1, d[0] = 3 * piece_slope(k, 0);
  for (int i = 1; i < last; i++)
    spline_row(piece_length(k, i - 1), piece_length(k, i), piece_slope(k, i - 1), piece_slope(k, i),
               &low[i], &mid[i], &up[i], &d[i]);
  low[last] = 1, mid[last] = 2, d[last] = 3 * piece_slope(k, last - 1);
  solve_tridiagonal(k->n, low, mid, up, d);
}

/* Periodic spline: the first point also follows the last one, which gives two corner entries in the
 * matrix. These are separated as a matrix of rank one, u v^T with u = (g, .., corner), v = (1, ..,
 * other/g). */
static void periodic_spline(const course *k, double *d, double *low, double *mid, double *up,
                            double *z, double *up_again) {
  int m = k->n - 1; /* number of unknowns; d[m] is d[0] */
  for (int i = 0; i < m; i++) {
    int before = i > 0 ? i - 1 : m - 1;
    spline_row(piece_length(k, before), piece_length(k, i), piece_slope(k, before),
               piece_slope(k, i), &low[i], &mid[i], &up[i], &d[i]);
  }
  if (m == 1) {
    d[0] = d[1] = 0;
    return;
  }
  if (m == 2) { /* with two points, both neighbours of a point are the same point */
    double a = mid[0], b = low[0] + up[0], c = low[1] + up[1], e = mid[1], det = a * e - b * c;
    double d0 = (e * d[0] - b * d[1]) / det, d1 = (a * d[1] - c * d[0]) / det;
    d[0] = d[2] = d0, d[1] = d1;
    return;
  }
  double g = -mid[0], top = low[0], bottom = up[m - 1];
  mid[0] -= g;
  mid[m - 1] -= bottom * top / g;
  memset(z, 0, (size_t)m * sizeof *z);
  z[0] = g, z[m - 1] = bottom;
  memcpy(up_again, up, (size_t)m * sizeof *up);
  solve_tridiagonal(m, low, mid, up, d);
  solve_tridiagonal(m, low, mid, up_again, z);
  double f = (d[0] + top / g * d[m - 1]) / (1 + z[0] + top / g * z[m - 1]);
  for (int i = 0; i < m; i++) d[i] -= f * z[i];
  d[m] = d[0];
}

static bool spline_slopes(const course *k, double *d) {
  size_t n = (size_t)k->n;
  double *scratch = calloc(5 * n, sizeof *scratch);
  if (!scratch) return false;
  double *low = scratch, *mid = low + n, *up = mid + n;
  if (k->periodic)
    periodic_spline(k, d, low, mid, up, up + n, up + 2 * n);
  else
    natural_spline(k, d, low, mid, up);
  free(scratch);
  return true;
}

/* ---- creation ---- */

static void fill_pieces(const course *k, hk_interpolation how, const double *d, double (*c)[4]) {
  int last = k->n - 1;
  for (int i = 0; i < last; i++) {
    double h = piece_length(k, i), m = piece_slope(k, i);
    c[i][0] = k->y[i];
    c[i][1] = m;
    if (how == HK_INTERPOLATION_LINEAR) continue;
    c[i][1] = d[i];
    c[i][2] = (3 * m - 2 * d[i] - d[i + 1]) / h;
    c[i][3] = (d[i] + d[i + 1] - 2 * m) / (h * h);
  }
  c[last][0] = k->y[last];
  if (last > 0) c[last][1] = how == HK_INTERPOLATION_LINEAR ? c[last - 1][1] : d[last];
}

static hk_status check_points(const double *x, const double *y, int n, hk_outside outside,
                              hk_error *err) {
  if (n < 1) return hk_fail(err, HK_EINPUT, "a table needs points");
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i]) || !isfinite(y[i]))
      return hk_fail(err, HK_EINPUT, "point %d of %d is not finite: x = %g, y = %g", i + 1, n, x[i],
                     y[i]);
    if (i && !(x[i] > x[i - 1]))
      return hk_fail(err, HK_EINPUT, "x must ascend, but point %d has x = %.9g after %.9g", i + 1,
                     x[i], x[i - 1]);
    low = fmin(low, y[i]), high = fmax(high, y[i]);
  }
  if (outside != HK_OUTSIDE_PERIODIC) return HK_OK;
  if (n < 2) return hk_fail(err, HK_EINPUT, "a periodic table needs at least two points");
  if (fabs(y[n - 1] - y[0]) > 1e-9 * fmax(high - low, fabs(high)))
    return hk_fail(
        err, HK_EINPUT,
        "a periodic table must end with its first value, but the values are %.9g and %.9g", y[0],
        y[n - 1]);
  return HK_OK;
}

hk_curve *hk_curve_create(hk_arena *arena, const double *x, const double *y, int n,
                          hk_interpolation interpolation, hk_outside outside, hk_error *err) {
  if (check_points(x, y, n, outside, err)) return NULL;
  hk_curve *t = HK_NEW(arena, hk_curve);
  double *at = HK_NEW_ARRAY(arena, double, n);
  double(*c)[4] = hk_arena_alloc(arena, (size_t)n * sizeof *c);
  double *d = calloc((size_t)n, sizeof *d);
  bool ok = t && at && c && d;
  if (ok) {
    memcpy(at, x, (size_t)n * sizeof *at);
    const course k = {x, y, n, outside == HK_OUTSIDE_PERIODIC};
    if (n > 1 && interpolation == HK_INTERPOLATION_AKIMA) akima_slopes(&k, d);
    if (n > 1 && interpolation == HK_INTERPOLATION_PCHIP) pchip_slopes(&k, d);
    if (n > 1 && interpolation == HK_INTERPOLATION_CUBIC) ok = spline_slopes(&k, d);
    fill_pieces(&k, interpolation, d, c);
    *t = (hk_curve){.n = n,
                    .x = at,
                    .c = (const double(*)[4])c,
                    .per_x = n > 1 ? (n - 1) / (x[n - 1] - x[0]) : 0,
                    .interpolation = interpolation,
                    .outside = outside};
  }
  free(d);
  if (!ok) hk_fail(err, HK_ENOMEM, "out of memory");
  return ok ? t : NULL;
}
