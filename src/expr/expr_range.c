/* Operations on ranges: range of the values, kinks or jumps within it, and range of the rates by
 * the chain rule. See expr_range.h. */
#include "expr/expr_range.h"

/* ---- one operand ---- */

static range rising(int op, range a, const double *constant) {
  return between(hk_expr_unary(op, a.lo, constant), hk_expr_unary(op, a.hi, constant), a);
}

static range falling(int op, range a, const double *constant) {
  return between(hk_expr_unary(op, a.hi, constant), hk_expr_unary(op, a.lo, constant), a);
}

/* Returns true if the range contains an x = at + k period. */
static bool holds(range a, double at, double period) {
  return at + ceil((a.lo - at) / period) * period <= a.hi;
}

/* Range of a sine or cosine over an interval; crest: position of a maximum; y0, y1: values at the ends of the
 * interval. */
static range wave_between(double crest, range a, double y0, double y1) {
  double lo = holds(a, crest + M_PI, 2 * M_PI) ? -1 : smaller(y0, y1);
  double hi = holds(a, crest, 2 * M_PI) ? 1 : larger(y0, y1);
  return between(lo, hi, a);
}

/* Range of a sine or cosine and of its slope: the slope of sin is cos, that of cos is -sin. */
static range wave(int op, range a) {
  const span all = {-1, 1};
  if (!(a.hi - a.lo < 2 * M_PI)) return with_rate(between(-1, 1, a), times_span(all, rates(a)));
  double sin0 = sin(a.lo), cos0 = cos(a.lo), sin1 = sin0, cos1 = cos0;
  if (a.hi > a.lo) sin1 = sin(a.hi), cos1 = cos(a.hi);
  const range s = wave_between(M_PI / 2, a, sin0, sin1), c = wave_between(0, a, cos0, cos1);
  return op == OP_SIN ? with_rate(s, times_span(values(c), rates(a)))
                      : with_rate(c, times_span(scaled(-1, values(s)), rates(a)));
}

static range tangent(range a) {
  double lo = hk_expr_unary(OP_TAN, a.lo, NULL), hi = hk_expr_unary(OP_TAN, a.hi, NULL);
  bool rises = a.hi - a.lo < M_PI && !holds(a, M_PI / 2, M_PI) && lo <= hi;
  return rises ? between(lo, hi, a) : broken(between(-INFINITY, INFINITY, a));
}

/* Range of a root, which has no finite slope at 0. If the argument of an even root becomes negative, the root has no
 * value, and the step must report this. If the argument reaches 0 and increases again, as in sqrt(x*x), the root has a
 * kink. */
static range root(int op, range a, const double *constant) {
  bool turns_back = a.rate_lo < 0 && a.rate_hi > 0 && isfinite(a.rate_hi - a.rate_lo);
  bool reaches = op == OP_CBRT || turns_back ? a.lo <= 0 : a.lo == 0;
  bool bends = reaches && a.hi >= 0 && !is_point(a, 0);
  if (op != OP_CBRT) a.lo = larger(a.lo, 0);
  range out = rising(op, a, constant);
  return bends ? broken(out) : out;
}

/* Range of asin and acos, which have no finite slope at -1 and 1. */
static range arc(int op, range a) {
  bool bends = a.lo < a.hi && (a.lo <= -1 || a.hi >= 1);
  a.lo = larger(a.lo, -1), a.hi = smaller(a.hi, 1);
  range out = op == OP_ASIN ? rising(op, a, NULL) : falling(op, a, NULL);
  return bends ? broken(out) : out;
}

/* Range of an even function that increases for positive arguments. */
static range even(int op, range a, const double *constant) {
  if (a.lo >= 0) return rising(op, a, constant);
  if (a.hi <= 0) return falling(op, a, constant);
  double most = larger(-a.lo, a.hi);
  return between(hk_expr_unary(op, 0, constant), hk_expr_unary(op, most, constant), a);
}

static range power(range a, const double *constant) {
  double c = *constant;
  bool whole = c == floor(c), odd = whole && fmod(c, 2) != 0;
  if (c < 0 && a.lo <= 0 && a.hi >= 0) return between(-INFINITY, INFINITY, a);
  if (c < 0 && (odd || a.lo > 0)) return falling(OP_POWER, a, constant);
  if (c < 0) return rising(OP_POWER, a, constant);
  if (!whole) return root(OP_POWER, a, constant);
  return odd ? rising(OP_POWER, a, constant) : even(OP_POWER, a, constant);
}

static range absolute(range a) {
  if (a.lo > 0 || is_point(a, 0)) return a;
  if (a.hi <= 0) return between(-a.hi, -a.lo, a);
  return broken(between(0, larger(-a.lo, a.hi), a));
}

/* Step functions: sign, floor, ceil, round. */
static range stairs(int op, range a) {
  double lo = hk_expr_unary(op, a.lo, NULL), hi = hk_expr_unary(op, a.hi, NULL);
  return lo == hi ? constant_of(lo, a) : broken(between(lo, hi, a));
}

static range unit_clip(range a) {
  if (a.hi <= 0) return constant_of(0, a);
  if (a.lo >= 1) return constant_of(1, a);
  if (a.lo > 0 && a.hi < 1) return a;
  return broken(between(larger(a.lo, 0), smaller(a.hi, 1), a));
}

static range verdict(int is, range from) {
  return is >= 0 ? constant_of(is, from) : between(0, 1, from);
}

static range unary_value(int op, range a, const double *constant) {
  switch (op) {
    case OP_NEG:
      return between(-a.hi, -a.lo, a);
    case OP_NOT:
      return verdict(truth(a) < 0 ? -1 : !truth(a), a);
    case OP_TAN:
      return tangent(a);
    case OP_ASIN:
    case OP_ACOS:
      return arc(op, a);
    case OP_COSH:
      return even(op, a, NULL);
    case OP_LOG:
    case OP_LOG10:
      a.lo = larger(a.lo, 0);
      return rising(op, a, NULL);
    case OP_SQRT:
    case OP_CBRT:
      return root(op, a, NULL);
    case OP_ABS:
      return absolute(a);
    case OP_SIGN:
    case OP_FLOOR:
    case OP_CEIL:
    case OP_ROUND:
      return stairs(op, a);
    case OP_UNIT_CLIP:
      return unit_clip(a);
    case OP_CUBIC:
    case OP_QUINTIC: /* the quintic increases between 0 and 1, the range that step functions use */
      return a.lo >= 0 && a.hi <= 1 ? rising(op, a, NULL) : between(-INFINITY, INFINITY, a);
    case OP_POWER:
      return power(a, constant);
    default: /* monotone functions: atan, sinh, tanh, exp */
      return rising(op, a, NULL);
  }
}

/* ---- two operands ---- */

/* Range of a function that is monotone in each operand, from the values at the corners. */
static range corners(double y0, double y1, double y2, double y3, range like) {
  return between(smaller(smaller(y0, y1), smaller(y2, y3)), larger(larger(y0, y1), larger(y2, y3)),
                 like);
}

static range times(range a, range b) {
  range like = both(a, b);
  if (is_point(a, 0) || is_point(b, 0)) return constant_of(0, like);
  return corners(product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi),
                 like);
}

static range monotonous(int op, range a, range b) {
  return corners(hk_expr_binary(op, a.lo, b.lo), hk_expr_binary(op, a.lo, b.hi),
                 hk_expr_binary(op, a.hi, b.lo), hk_expr_binary(op, a.hi, b.hi), both(a, b));
}

static range over(range a, range b) {
  if (b.lo <= 0 && b.hi >= 0) return both(a, b);
  if (is_point(a, 0)) return constant_of(0, both(a, b));
  return isfinite(a.lo + a.hi) || isfinite(b.lo + b.hi) ? monotonous(OP_DIV, a, b) : both(a, b);
}

/* Range of atan2, which jumps where y passes 0 for negative x, and at the origin. */
static range angle(range y, range x) {
  bool jumps = x.lo <= 0 && y.lo <= 0 && y.hi >= 0 && (y.lo < 0 || x.hi >= 0);
  return jumps ? broken(between(-M_PI, M_PI, both(y, x))) : monotonous(OP_ATAN2, y, x);
}

static range long_side(range a, range b) {
  range like = both(a, b);
  a.known = b.known =
      false; /* hypot has no kink if only one argument passes 0, but it has one if both do */
  a = absolute(a), b = absolute(b);
  range out = between(hypot(a.lo, b.lo), hypot(a.hi, b.hi), like);
  return out.lo == 0 && out.hi > 0 ? broken(out) : out;
}

/* Range of the smaller operand. If both operands are equal over the whole range, either may be used. */
static range lesser(range a, range b) {
  if (a.hi <= b.lo) return a;
  if (b.hi < a.lo) return b;
  return broken(between(smaller(a.lo, b.lo), smaller(a.hi, b.hi), both(a, b)));
}

static range negative(range a) { return between(-a.hi, -a.lo, a); }

static range remainder_of(range a, range b) {
  range like = both(a, b);
  double most = b.hi > 0 ? b.hi : 0, least = b.lo < 0 ? b.lo : 0;
  if (b.lo == b.hi && a.hi - a.lo < fabs(b.lo)) {
    double lo = hk_expr_binary(OP_MOD, a.lo, b.lo), hi = hk_expr_binary(OP_MOD, a.hi, b.lo);
    if (lo <= hi) return between(lo, hi, like);
  } else if (b.lo < b.hi && (b.lo > 0 || b.hi < 0)) {
    range turns = over(a, b);
    double k = floor(turns.lo), slack = 0x1p-50 * larger(fabs(a.lo), fabs(a.hi));
    if (k == floor(turns.hi))
      return between(larger(least, a.lo - larger(k * b.lo, k * b.hi) - slack),
                     smaller(most, a.hi - smaller(k * b.lo, k * b.hi) + slack), like);
  }
  return broken(between(least, most, like));
}

/* a < b, a <= b, a == b: 1, 0, or -1 if undecided. */
static int compare(int op, range a, range b) {
  switch (op) {
    case OP_LT:
      return a.hi < b.lo ? 1 : a.lo >= b.hi ? 0 : -1;
    case OP_LE:
      return a.hi <= b.lo ? 1 : a.lo > b.hi ? 0 : -1;
    default:
      return a.lo == a.hi && is_point(b, a.lo) ? 1 : a.hi < b.lo || a.lo > b.hi ? 0 : -1;
  }
}

static range comparison(int op, range a, range b) {
  bool turned = op == OP_GT || op == OP_GE, unequal = op == OP_NE;
  int plain = op == OP_GT ? OP_LT : op == OP_GE ? OP_LE : op == OP_NE ? OP_EQ : op;
  int is = turned ? compare(plain, b, a) : compare(plain, a, b);
  range like = both(a, b);
  return is >= 0 ? verdict(unequal ? !is : is, like) : broken(verdict(-1, like));
}

static range logical(int op, range a, range b) {
  /* operand value that determines the result: true for `or`, false for `and` */
  int x = truth(a), y = truth(b), strong = op == OP_OR;
  range like = both(a, b);
  if (x == strong || y == strong) return constant_of(strong, like);
  return verdict(x < 0 || y < 0 ? -1 : !strong, like);
}

static range binary_value(int op, range a, range b) {
  switch (op) {
    case OP_ADD:
      return between(a.lo + b.lo, a.hi + b.hi, both(a, b));
    case OP_SUB:
      return between(a.lo - b.hi, a.hi - b.lo, both(a, b));
    case OP_MUL:
      return times(a, b);
    case OP_DIV:
      return over(a, b);
    case OP_POW:
      return a.lo > 0 ? monotonous(op, a, b) : both(a, b);
    case OP_ATAN2:
      return angle(a, b);
    case OP_HYPOT:
      return long_side(a, b);
    case OP_MIN:
      return lesser(a, b);
    case OP_MAX:
      return negative(lesser(negative(a), negative(b)));
    case OP_MOD:
      return remainder_of(a, b);
    case OP_AND:
    case OP_OR:
      return logical(op, a, b);
    default:
      return comparison(op, a, b);
  }
}

/* ---- rates ---- */

/* Minimum and maximum absolute value of a range. */
static span sizes(range a) {
  double most = larger(-a.lo, a.hi);
  return (span){a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, most};
}

/* Range of an even slope that is monotone in the absolute value of its argument. */
static span even_slope(double (*f)(double), range a) {
  span size = sizes(a);
  return ordered(f(size.lo), f(size.hi));
}

static double atan_slope(double a) { return 1 / (1 + a * a); }
static double asin_slope(double a) { return a < 1 ? 1 / sqrt((1 - a) * (1 + a)) : INFINITY; }
static double cubic_slope(double a) { return 6 * a * (1 - a); }
static double quintic_slope(double a) { return 30 * a * a * (1 - a) * (1 - a); }

/* Smooth step: its slope increases up to the middle between 0 and 1 and then decreases. */
static span step_slope(double (*f)(double), range a) {
  if (!(a.lo >= 0 && a.hi <= 1)) return any_rate;
  span out = ordered(f(a.lo), f(a.hi));
  if (a.lo <= 0.5 && a.hi >= 0.5) out.hi = f(0.5);
  return out;
}

static span power_slope(range a, double c) {
  double less = c - 1;
  return c == 1 ? (span){1, 1} : scaled(c, values(power(a, &less)));
}

/* Returns the range of the derivative df/da over the range of the argument a. f is the range of
 * the function over the same range. */
static span slope(int op, range a, range f, const double *constant) {
  switch (op) {
    case OP_NEG:
      return (span){-1, -1};
    case OP_TAN: {
      span size = sizes(f);
      return (span){1 + size.lo * size.lo, 1 + size.hi * size.hi};
    }
    case OP_ASIN:
      return even_slope(asin_slope, a);
    case OP_ACOS:
      return scaled(-1, even_slope(asin_slope, a));
    case OP_ATAN:
      return even_slope(atan_slope, a);
    case OP_SINH:
      return even_slope(cosh, a);
    case OP_COSH:
      return (span){sinh(a.lo), sinh(a.hi)};
    case OP_TANH: {
      span size = sizes(f);
      return (span){1 - size.hi * size.hi, 1 - size.lo * size.lo};
    }
    case OP_EXP:
      return values(f);
    case OP_LOG:
    case OP_LOG10:
      return a.hi > 0 ? scaled(op == OP_LOG ? 1 : M_LOG10E, ordered(1 / a.hi, 1 / larger(a.lo, 0)))
                      : any_rate;
    case OP_SQRT:
      return ordered(0.5 / f.hi, 0.5 / f.lo);
    case OP_CBRT: {
      span size = sizes(f);
      return ordered(1 / (3 * size.hi * size.hi), 1 / (3 * size.lo * size.lo));
    }
    case OP_ABS:
      return a.lo >= 0 ? (span){1, 1} : a.hi <= 0 ? (span){-1, -1} : (span){-1, 1};
    case OP_UNIT_CLIP:
      return a.lo >= 0 && a.hi <= 1 ? (span){1, 1} : (span){0, a.hi > 0 && a.lo < 1 ? 1 : 0};
    case OP_CUBIC:
      return step_slope(cubic_slope, a);
    case OP_QUINTIC:
      return step_slope(quintic_slope, a);
    case OP_POWER:
      return power_slope(a, *constant);
    default: /* the operations not, sign, floor, ceil, round: their slope is zero */
      return (span){0, 0};
  }
}

range hk_flow_unary(int op, range a, const double *constant) {
  if (op == OP_SIN || op == OP_COS) return wave(op, a);
  range f = unary_value(op, a, constant);
  return with_rate(f, rests(a) ? (span){0, 0} : times_span(slope(op, a, f, constant), rates(a)));
}

/* The rate of hypot is bounded by the rates of its arguments. */
static span long_side_rate(range a, range b, range f) {
  double most = hypot(larger(-a.rate_lo, a.rate_hi), larger(-b.rate_lo, b.rate_hi));
  span exact =
      over_span(sum(times_span(values(a), rates(a)), times_span(values(b), rates(b))), values(f));
  return (span){larger(exact.lo, -most), smaller(exact.hi, most)};
}

static span angle_rate(range y, range x) {
  span sy = sizes(y), sx = sizes(x);
  span squares = {sx.lo * sx.lo + sy.lo * sy.lo, sx.hi * sx.hi + sy.hi * sy.hi};
  return over_span(difference(times_span(values(x), rates(y)), times_span(values(y), rates(x))),
                   squares);
}

static span pow_rate(range a, range b, range f) {
  if (b.lo == b.hi && rests(b)) return times_span(power_slope(a, b.lo), rates(a));
  if (!(a.lo > 0)) return any_rate;
  const span log_a = {log(a.lo), log(a.hi)};
  return times_span(values(f), sum(times_span(rates(b), log_a),
                                   times_span(values(b), over_span(rates(a), values(a)))));
}

static span binary_rate(int op, range a, range b, range f) {
  switch (op) {
    case OP_ADD:
      return sum(rates(a), rates(b));
    case OP_SUB:
      return difference(rates(a), rates(b));
    case OP_MUL:
      return sum(times_span(rates(a), values(b)), times_span(values(a), rates(b)));
    case OP_DIV:
      return over_span(difference(rates(a), times_span(values(f), rates(b))), values(b));
    case OP_POW:
      return pow_rate(a, b, f);
    case OP_ATAN2:
      return angle_rate(a, b);
    case OP_HYPOT:
      return long_side_rate(a, b, f);
    case OP_MIN:
      return a.hi <= b.lo ? rates(a) : b.hi < a.lo ? rates(b) : hull_of(rates(a), rates(b));
    case OP_MAX:
      return a.lo >= b.hi ? rates(a) : b.lo > a.hi ? rates(b) : hull_of(rates(a), rates(b));
    case OP_MOD: {
      if (rests(b)) return rates(a);
      range turns = over(a, b);
      const span whole = {floor(turns.lo), floor(turns.hi)};
      return difference(rates(a), times_span(whole, rates(b)));
    }
    default: /* comparisons, and, or */
      return (span){0, 0};
  }
}

range hk_flow_binary(int op, range a, range b) {
  range f = binary_value(op, a, b);
  return with_rate(f, rests(a) && rests(b) ? (span){0, 0} : binary_rate(op, a, b, f));
}
