/* Expressions: text -> bytecode, with dimensions checked at load time and forward-mode
 * derivatives at run time.
 *
 * Grammar: numbers followed by units (`3 mm`, `9.81 m/s^2`; the unit is one word without blanks,
 * so `3 m / L` divides by the parameter L), names (parameters, `pi`, `t`, channels such as
 * `crank.x`, `hinge.angle` or `link[i+1].y` with index expressions), + - * / ^ (right
 * associative, also **), comparisons (< <= > >= == !=, not chained), `and or not`, and
 * functions:
 *   sin cos tan asin acos atan atan2(y,x) sinh cosh tanh exp log log10 sqrt cbrt abs sign
 *   floor ceil round (halves away from zero) mod(a,b) (sign of b) min max hypot (two or more)
 *   if(c, a, b)                 both branches must have the same dimension
 *   clip(x, lo, hi)
 *   step(x, x0, y0, x1, y1)     y0 before x0, y1 after x1, between them u^2 (3 - 2u)
 *   step5(x, x0, y0, x1, y1)    as step, with u^3 (10 - 15u + 6u^2): continuous acceleration
 *   ramp(x, x0, x1)             0 before x0, 1 after x1, linear between
 *   pulse(x, x0, x1)            1 for x0 <= x < x1, otherwise 0
 *   interp(x, x1,y1, x2,y2, ..) piecewise linear, constant outside; constant points, x ascending
 *   name(x)                     a table, if the resolver knows one of that name
 * A word directly after a number is always a unit: `2 m` is two metres even if a parameter m
 * exists, `2*m` is twice the parameter. `50 Hz*t` is rejected if t is a name, because t is also the
 * tonne: write `50 Hz * t`. This applies to other letters too, but m s A K N h are always units in
 * such a compound. A name is a function only if `(` follows, and only `pi` is predefined; the
 * resolver defines all other names, including `t`.
 *
 * Constant parts are folded and must be finite: `1/0` is an error at its position, except in a
 * branch that a constant condition excludes (`if(n > 0, 1/n, 0)`); there an unknown indexed name
 * is not an error either (`if(i > 1, link[i-1].x, 0)`).
 *
 * Limits: 4096 bytes of text, 100 levels of nesting, 64 operands on the stack. No input causes a
 * crash, and evaluation does not allocate.
 *
 * Derivatives are exact. Conventions where none exists: floor, ceil, round, sign, pulse,
 * comparisons and conditions have 0; abs has 0 at 0; min and max use the first argument if both
 * are equal, so that clip, ramp and the steps have the derivative of the inside at both ends;
 * interp has the slope to the right of a point; hypot has 0 at the origin. */
#ifndef HK_EXPR_EXPR_H
#define HK_EXPR_EXPR_H
#include "base/arena.h"
#include "expr/curve.h"

typedef struct hk_expr hk_expr;

/* Meaning of a name while an expression is compiled. */
typedef enum hk_symbol_kind {
  HK_SYMBOL_UNKNOWN,
  HK_SYMBOL_CONSTANT, /* value known at compile time (a parameter) */
  /* a value that is known only at run time, stored in a slot of the variable array */
  HK_SYMBOL_VARIABLE,
  /* a table: it is called with one argument in parentheses; if `of_time`, the name without
   * parentheses means its value at the present time */
  HK_SYMBOL_TABLE
} hk_symbol_kind;
typedef struct hk_symbol {
  hk_symbol_kind kind;
  hk_dim dim;
  double value;          /* CONSTANT */
  int slot;              /* VARIABLE */
  const hk_curve *table; /* TABLE; must outlive the expression */
} hk_symbol;

/* Resolves a name. An index in the name is already evaluated: `link[i+1].y` is passed as
 * `link[3].y` (the index expression must be a constant integer). For UNKNOWN the resolver may
 * write a hint such as "did you mean 'mass'?" into hint (size 256). */
typedef hk_symbol hk_resolve_fn(void *context, const char *name, char *hint);

typedef struct hk_expr_error {
  int column; /* 0-based byte offset of the error in the text */
  char text[512];
} hk_expr_error;

/* Compiles text[0..length); the bytecode is stored in the arena. NULL on error (err is filled).
 * Dimensions are checked while compiling: `1 m + 1 s` is an error at the '+'. A plain number 0, or
 * a parameter that is a plain 0, fits any dimension. Trigonometric functions accept rad or plain
 * numbers, and the inverse ones return rad; elsewhere rad is optional (hk_dim_matches). resolve may
 * be NULL, and so may err. The text need not end with NUL; it is copied. A constant expression is
 * always finite. */
hk_expr *hk_expr_compile(hk_arena *arena, const char *text, size_t length, hk_resolve_fn *resolve,
                         void *context, hk_expr_error *err);
/* A constant as an expression (for the C API). */
hk_expr *hk_expr_constant(hk_arena *arena, double value, hk_dim dim);

hk_dim hk_expr_dim(const hk_expr *e);
bool hk_expr_is_constant(const hk_expr *e);
/* Returns true if the expression is a plain 0 without unit, which fits every dimension. */
bool hk_expr_is_plain_zero(const hk_expr *e);
/* Distinct variable slots used, ascending; returns their number. */
int hk_expr_slots(const hk_expr *e, const int **slots);
const char *hk_expr_text(const hk_expr *e);
/* Returns true if this is the name of a function, which cannot be the name of a table. */
bool hk_expr_is_function(const char *name);
int hk_expr_n_functions(void);

/* Calls of tables in an expression, in the order of its text. hk_expr_calls returns their
 * number; hk_expr_call returns the table of call i and computes its argument. */
int hk_expr_calls(const hk_expr *e);
const hk_curve *hk_expr_call(const hk_expr *e, int i, const double *variables, double *argument);

/* Range of the values and of the rates of a variable or an expression, along a path on which the
 * variables change. */
typedef struct hk_flow {
  double lo, hi;
  double rate_lo, rate_hi; /* range of the derivative with respect to the parameter of the path */
  bool bends;              /* the expression has a kink or a jump somewhere on the path */
  /* the expression depends only on known variables; otherwise any value is possible */
  bool known;
  /* the slope of a table jumps at a point on the path; such a jump does not count as a kink for
   * steps */
  bool corner;
} hk_flow;
/* Computes the range of an expression from the ranges of its variables, by slot. No allocation. */
hk_flow hk_expr_flow(const hk_expr *e, const hk_flow *variable);
/* Returns true if, on every part of the path, the expression has no kink and no value beyond those at the two ends of
 * the part by more than `allowed`: it only rises, only falls, or is nearly constant. */
static inline bool hk_flow_stays_between_ends(const hk_flow *f, double allowed) {
  return f->known && !f->bends && (f->rate_lo >= 0 || f->rate_hi <= 0 || f->hi - f->lo <= allowed);
}
/* Returns true if hk_expr_flow never knows the range of the expression, because the range depends on unknown variables
 * for all values of the other variables. unknown[slot]: the variable in this slot is unknown. */
bool hk_expr_stays_unknown(const hk_expr *e, const bool *unknown);
/* Degree of the expression as a polynomial of its variables; HK_NO_DEGREE: not a polynomial, or
 * of very high degree. between_kinks: degree on every interval on which hk_expr_flow finds no kink or jump. */
enum { HK_NO_DEGREE = 1000 };
int hk_expr_degree(const hk_expr *e, bool between_kinks);
/* Returns the additive terms of the expression that are not polynomials up to the degree `gentle`; *n: the number of
 * these terms; NULL: out of memory. sensor: true for the slots of sensors, whose own degree is not known. The terms
 * are for evaluation only. */
const hk_expr *const *hk_expr_terms(hk_arena *arena, const hk_expr *e, int gentle,
                                    const bool *sensor, int *n);

/* Returns true if the expression may have a kink (as abs, min, max, clip, ramp and the steps do) or a jump (as
 * comparisons, sign, floor and mod do) while one variable changes between two values, for any values of the others.
 * The points of tables do not count. If the two values are -INFINITY and INFINITY, the result shows whether the
 * expression ever has a kink or jump. */
bool hk_expr_bends_within(const hk_expr *e, int slot, double from, double to);
/* The first kink or jump, which is between `left` and `right`. If `sharp`, the two values differ only by round-off.
 * Otherwise they differ by more: between them the expression comes so close to a kink that the existence of the kink
 * cannot be decided. Returns false if there is no kink or jump between the given values. No allocation. */
typedef struct hk_knot {
  double left, right;
  bool sharp;
} hk_knot;
bool hk_expr_next_bend(const hk_expr *e, int slot, double from, double to, hk_knot *found);

/* Computes numbers that change their sign at each kink or jump of the expression, except at
 * those that depend only on slot 0 (the time). Returns the count of these numbers, which does
 * not depend on the values; variables NULL: only returns the count. */
int hk_expr_switches(const hk_expr *e, const double *variables, double *out);

/* Returns true if the expression depends only on the variable in slot 0 and may have narrow peaks: it contains exp, a
 * quotient, a high power or the like. */
bool hk_expr_may_bulge(const hk_expr *e);
/* Returns true if such an expression has a peak between two values of the variable that is narrow compared with that
 * range and not visible at its ends; *at: start of the rise. No allocation. */
bool hk_expr_bulges_within(const hk_expr *e, double from, double to, double *at);

/* Returns the value for variables[slot]; no allocation. */
double hk_expr_value(const hk_expr *e, const double *variables);
/* The integral of an expression of at most one variable, from 0. NULL: out of memory. The value needs no allocation. */
typedef struct hk_integral hk_integral;
const hk_integral *hk_expr_integral(hk_arena *arena, const hk_expr *e);
double hk_integral_value(const hk_integral *f, double x);
/* Returns the value; gradient: d/d(variable) for each slot of hk_expr_slots, in that order. */
double hk_expr_gradient(const hk_expr *e, const double *variables, double *gradient);
/* Returns the value; d1, d2: first and second derivative with respect to ONE slot (prescribed
 * motions: t). */
double hk_expr_second(const hk_expr *e, const double *variables, int slot, double *d1, double *d2);
#endif
