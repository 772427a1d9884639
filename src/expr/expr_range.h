/* Ranges of values with ranges of rates, with which the programs of expressions are evaluated
 * instead of numbers: see expr_flow.c. Shared by expr_range.c (operations) and expr_flow.c
 * (programs); not for others. */
#ifndef HK_EXPR_EXPR_RANGE_H
#define HK_EXPR_EXPR_RANGE_H
#include "expr/expr_private.h"
#include <math.h>

typedef hk_flow range;

/* Smaller and larger of two numbers, without the function calls of fmin and fmax. NaN leads to
 * an unbounded range (see between). */
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double larger(double a, double b) { return a > b ? a : b; }

static const range anything = {-INFINITY, INFINITY, -INFINITY, INFINITY, .known = false};

/* Range from lo to hi, or unbounded if that is not a valid range. */
static inline range between(double lo, double hi, range like) {
  bool number = lo <= hi;
  return (range){number ? lo : -INFINITY,
                 number ? hi : INFINITY,
                 -INFINITY,
                 INFINITY,
                 like.bends,
                 like.known,
                 like.corner};
}

static inline range both(range a, range b) {
  return (range){-INFINITY,          INFINITY,           -INFINITY,           INFINITY,
                 a.bends || b.bends, a.known && b.known, a.corner || b.corner};
}

static inline range hull(range a, range b) {
  return between(smaller(a.lo, b.lo), larger(a.hi, b.hi), both(a, b));
}

static inline range constant_of(double value, range like) {
  return (range){value, value, 0, 0, .known = like.known};
}

/* Marks a kink or jump, unless the expression depends on unknown variables. */
static inline range broken(range a) {
  a.bends = a.bends || a.known;
  return a;
}

static inline bool is_point(range a, double value) { return a.lo == value && a.hi == value; }

/* Truth value: 1, 0, or -1 if undecided. */
static inline int truth(range a) { return is_point(a, 0) ? 0 : a.lo > 0 || a.hi < 0 ? 1 : -1; }

/* 0 times infinity is 0: infinity is only the bound of a range. */
static inline double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

/* ---- rates ---- */

typedef struct span {
  double lo, hi;
} span;

static const span any_rate = {-INFINITY, INFINITY};

static inline span values(range a) { return (span){a.lo, a.hi}; }
static inline span rates(range a) { return (span){a.rate_lo, a.rate_hi}; }
static inline bool rests(range a) { return a.rate_lo == 0 && a.rate_hi == 0; }

static inline range with_rate(range a, span rate) {
  bool number = rate.lo <= rate.hi;
  a.rate_lo = number ? rate.lo : -INFINITY, a.rate_hi = number ? rate.hi : INFINITY;
  return a;
}

static inline span ordered(double x, double y) { return (span){smaller(x, y), larger(x, y)}; }
static inline span hull_of(span a, span b) {
  return (span){smaller(a.lo, b.lo), larger(a.hi, b.hi)};
}
static inline span sum(span a, span b) { return (span){a.lo + b.lo, a.hi + b.hi}; }
static inline span difference(span a, span b) { return (span){a.lo - b.hi, a.hi - b.lo}; }
static inline span scaled(double c, span a) { return ordered(product(c, a.lo), product(c, a.hi)); }

static inline span times_span(span a, span b) {
  if (a.lo == a.hi) return scaled(a.lo, b);
  if (b.lo == b.hi) return scaled(b.lo, a);
  return hull_of(ordered(product(a.lo, b.lo), product(a.lo, b.hi)),
                 ordered(product(a.hi, b.lo), product(a.hi, b.hi)));
}

static inline span over_span(span a, span b) {
  return b.lo > 0 || b.hi < 0 ? times_span(a, ordered(1 / b.lo, 1 / b.hi)) : any_rate;
}

/* Ranges of values and rates of the result of an operation. */
range hk_flow_unary(int op, range a, const double *constant);
range hk_flow_binary(int op, range a, range b);
#endif
