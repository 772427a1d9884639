/* Integral of an expression of one variable from zero.
 *
 * A quadrature may miss a short piece between two kinks, because it evaluates no point there. Therefore the kinks and
 * jumps of the expression and the points of its tables are found first. Between these arguments the expression is
 * smooth. Each interval is integrated by Gauss-Legendre quadrature with five points, and it is divided into two halves
 * until the sum of the two halves agrees with the integral over the whole interval. */
#include "expr/expr_private.h"
#include <math.h>
#include <stdlib.h>

enum { MAX_HALVINGS = 30, MAX_INTERVALS = 1000, MAX_KINKS = 1000 };
static const double AGREES = 1e-13;                 /* relative to the integral of the magnitude */
static const double FARTHEST = 1e4, NEAREST = 1e-3; /* range in which kinks are looked for */

struct hk_integral {
  const hk_expr *e;
  int n;
  double *x;      /* [n] ends of the intervals in which the expression is smooth, ascending */
  double *value;  /* [n] integral from x[0] to each end */
  double at_zero; /* integral from x[0] to 0 */
};

static double value_at(const hk_expr *e, double x) {
  static const int first[] = {0};
  return hk_expr_run(e->code, e->n_code, e->constant, e->table, first, &x);
}

/* ---- quadrature ---- */

typedef struct quadrature {
  const hk_expr *e;
  double scale; /* integral of the magnitude, which is the reference of the tolerance */
  int intervals;
} quadrature;

static double five_points(const hk_expr *e, double from, double to, double *magnitude) {
  static const double X[] = {0, 0.53846931010568309, 0.90617984593866399};
  static const double W[] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  double middle = 0.5 * (from + to), half = 0.5 * (to - from), sum = 0, size = 0;
  for (int i = 0; i < 3; i++)
    for (int sign = i ? -1 : 1; sign <= 1; sign += 2) {
      double y = W[i] * value_at(e, middle + sign * half * X[i]);
      sum += y;
      size += fabs(y);
    }
  if (magnitude) *magnitude = fabs(half) * size;
  return half * sum;
}

static double integrate(quadrature *q, double from, double to, double whole, int halvings) {
  double middle = 0.5 * (from + to);
  double left = five_points(q->e, from, middle, NULL), right = five_points(q->e, middle, to, NULL);
  bool agrees = fabs(left + right - whole) <= AGREES * q->scale;
  if (agrees || halvings == MAX_HALVINGS || ++q->intervals > MAX_INTERVALS) return left + right;
  return integrate(q, from, middle, left, halvings + 1) +
         integrate(q, middle, to, right, halvings + 1);
}

static double smooth_part(const hk_expr *e, double from, double to) {
  quadrature q = {.e = e};
  double whole = five_points(e, from, to, &q.scale);
  return integrate(&q, from, to, whole, 0);
}

/* ---- ends of the smooth pieces ---- */

typedef struct ends {
  const hk_expr *e;
  double *x; /* NULL: count only */
  int n;
} ends;

static void add(ends *k, double x) {
  if (!isfinite(x)) return;
  if (k->x) k->x[k->n] = x;
  k->n++;
}

static void add_kinks(ends *k, double from, double to, int *left) {
  hk_knot found;
  while (*left > 0 && from < to && hk_expr_next_bend(k->e, k->e->slot[0], from, to, &found)) {
    add(k, found.left);
    if (!found.sharp) add(k, found.right);
    from = nextafter(found.right, INFINITY);
    from += 1e-12 * fabs(from);
    --*left;
  }
}

/* Adds the arguments at which a table of the expression is at one of its points. This is possible if the argument of
 * the table is a linear function of the argument of the expression. */
static void add_points(ends *k, const hk_table_call *call) {
  const hk_expr *e = k->e;
  static const int first[] = {0};
  double u[3];
  for (int i = 0; i < 3; i++) {
    double x = i;
    u[i] = hk_expr_run(e->code + call->start, call->end - call->start, e->constant, e->table, first,
                       &x);
  }
  double slope = u[1] - u[0];
  if (slope == 0 || !(fabs(u[2] - u[0] - 2 * slope) <= 1e-12 * fabs(slope))) return;
  for (int i = 0; i < call->table->n; i++) add(k, (call->table->x[i] - u[0]) / slope);
}

static void find_ends(ends *k) {
  int left = MAX_KINKS;
  k->n = 0;
  add(k, 0);
  if (k->e->n_slots == 0) return;
  add_kinks(k, 0, FARTHEST, &left);
  left = MAX_KINKS;
  for (double near = 0, far = NEAREST; near < FARTHEST; near = far, far *= 4)
    add_kinks(k, -far, -near, &left);
  for (int i = 0; i < k->e->n_calls; i++) add_points(k, &k->e->call[i]);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns the interval that contains x: the index of its lower end; 0 if x is below all intervals. */
static int piece_of(const hk_integral *f, double x) {
  int lo = 0, hi = f->n - 1;
  while (lo < hi) {
    int middle = (lo + hi + 1) / 2;
    if (f->x[middle] <= x)
      lo = middle;
    else
      hi = middle - 1;
  }
  return lo;
}

static double from_first(const hk_integral *f, double x) {
  int i = piece_of(f, x);
  return f->value[i] + smooth_part(f->e, f->x[i], x);
}

const hk_integral *hk_expr_integral(hk_arena *arena, const hk_expr *e) {
  ends k = {.e = e};
  find_ends(&k);
  hk_integral *f = HK_NEW(arena, hk_integral);
  double *x = HK_NEW_ARRAY(arena, double, k.n), *value = HK_NEW_ARRAY(arena, double, k.n);
  if (!f || !x || !value) return NULL;
  k.x = x;
  find_ends(&k);
  qsort(x, (size_t)k.n, sizeof *x, ascending);
  *f = (hk_integral){.e = e, .n = k.n, .x = x, .value = value};
  for (int i = 1; i < k.n; i++) value[i] = value[i - 1] + smooth_part(e, x[i - 1], x[i]);
  f->at_zero = from_first(f, 0);
  return f;
}

double hk_integral_value(const hk_integral *f, double x) { return from_first(f, x) - f->at_zero; }
