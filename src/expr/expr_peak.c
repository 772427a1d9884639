/* Narrow peaks of an expression of time that are not visible at both ends of an interval: a
 * smooth load that acts for a short time, such as exp(-((t - 5 s)/(10 ms))^2).
 *
 * The range of the expression between two times (expr_flow.c) shows whether a peak is possible;
 * bisection leads to it. The computed range may be wider than that of the actual values, so only
 * a value that was found counts. */
#include "expr/expr_private.h"
#include <math.h>

/* Sums, products, harmonic functions and low powers of time have no peaks that are narrow
 * compared with their distance. */
static bool bulges(const hk_expr *e, int i) {
  const hk_instruction *k = &e->code[i];
  switch (k->op) {
    case OP_EXP:
    case OP_SINH:
    case OP_COSH:
    case OP_TANH:
    case OP_ATAN:
    case OP_SQRT:
    case OP_CBRT:
    case OP_LOG:
    case OP_POW:
    case OP_ATAN2:
    case OP_HYPOT:
      return true;
    case OP_POWER:
      return e->constant[k->arg] < 0 || e->constant[k->arg] > 4;
    case OP_DIV:
      return i > 0 && e->code[i - 1].op != OP_CONST;
    default:
      return false;
  }
}

bool hk_expr_may_bulge(const hk_expr *e) {
  bool any = false;
  if (e->n_slots != 1 || e->slot[0] != 0 || e->n_calls > 0) return false;
  for (int i = 0; i < e->n_code && !any; i++) any = bulges(e, i);
  return any;
}

enum { PATIENCE = 100, DEPTH = 40 };

/* hidden: a peak counts as not visible in the values at the two ends if its height is at least this factor times the
 * difference of these values. nothing: relative values below this limit are negligible. */
static const double hidden = 20, nothing = 1e-6, rising = 0.1;

typedef struct told {
  double lo, hi; /* smaller and larger of the end values */
  double enough; /* a value outside of lo to hi by more than this counts as a peak */
} told;

static double beyond(const told *k, double y) { return fmax(y - k->hi, k->lo - y); }

static told look(const hk_expr *e, double from, double to) {
  double y0 = hk_expr_value(e, &from), y1 = hk_expr_value(e, &to);
  told k = {fmin(y0, y1), fmax(y0, y1), 0};
  k.enough = fmax(hidden * (k.hi - k.lo), nothing * fmax(fabs(k.lo), fabs(k.hi)));
  return k;
}

/* Returns true if a value is exceeded during most of the interval. Then it does not belong to a peak, but to a wave
 * that has similar values at both ends by chance; earlier steps have already resolved this wave. */
static bool is_wide(const hk_expr *e, const told *k, double from, double to, double most) {
  enum { PARTS = 8, MANY = 5 };
  int n = 0;
  for (int i = 0; i < PARTS; i++) {
    double t = from + (i + 0.5) / PARTS * (to - from);
    n += beyond(k, hk_expr_value(e, &t)) > rising * most;
  }
  return n >= MANY;
}

static double most_beyond(const told *k, hk_flow r) {
  return fmax(beyond(k, r.lo), beyond(k, r.hi));
}

bool hk_expr_bulges_within(const hk_expr *e, double from, double to, double *at) {
  double later[DEPTH], best, most;
  told k = look(e, from, to);
  int n = 0;
  most = most_beyond(&k, hk_expr_within(e, 0, from, to));
  if (!(most > k.enough) || !isfinite(most) || is_wide(e, &k, from, to, most)) return false;
  best = k.enough, *at = to;
  for (int tries = 0; tries < PATIENCE; tries++) {
    double middle = 0.5 * (from + to), y = beyond(&k, hk_expr_value(e, &middle));
    if (y > best) best = y, *at = middle;
    if (best >= rising * most) break;
    bool on = n < DEPTH && most_beyond(&k, hk_expr_within(e, 0, from, to)) > best;
    if (on) {
      later[n++] = to, to = middle;
    } else if (n > 0) {
      from = to, to = later[--n];
    } else {
      break;
    }
  }
  return best > k.enough;
}
