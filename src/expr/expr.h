/* Expressions: text -> bytecode, evaluated with dimensions at load time and with forward-mode
 * derivatives at run time.
 *
 * Grammar: numbers with units written behind them (`3 mm`, `9.81 m/s^2`; the unit is one word
 * without blanks, so `3 m / L` divides by the parameter L), names (parameters, `pi`, `t`, channels
 * such as `crank.x`, `hinge.angle` or `link[i+1].y` with index expressions), + - * / ^ (right
 * associative, also **), comparisons (< <= > >= == !=, not chained), `and or not`, and functions:
 *   sin cos tan asin acos atan atan2(y,x) sinh cosh tanh exp log log10 sqrt cbrt abs sign
 *   floor ceil round (halves away from zero) mod(a,b) (sign of b) min max hypot (two or more)
 *   if(c, a, b)                 both branches have one dimension
 *   clip(x, lo, hi)
 *   step(x, x0, y0, x1, y1)     y0 before x0, y1 behind x1, between them u^2 (3 - 2u)
 *   step5(x, x0, y0, x1, y1)    the same with u^3 (10 - 15u + 6u^2): continuous acceleration
 *   ramp(x, x0, x1)             0 before x0, 1 behind x1, linear between
 *   pulse(x, x0, x1)            1 for x0 <= x < x1, else 0
 *   interp(x, x1,y1, x2,y2, ..) piecewise linear, constant outside; constant points, x ascending
 *   name(x)                     a table, if the resolver knows one of that name
 * A word directly behind a number is always a unit: `2 m` is two metres even if a parameter m
 * exists, `2*m` is twice the parameter.  `50 Hz*t` is refused if t is a name, because t is also
 * the tonne: write `50 Hz * t` (other letters likewise, but m s A K N h are always units there).
 * A name is only taken for a function if `(` follows, and only `pi` is predefined; all other
 * names, `t` among them, are the resolver's.
 *
 * Constant parts are folded, and must be finite: `1/0` is an error where it stands, except in a
 * branch that a constant condition excludes (`if(n > 0, 1/n, 0)`); there, an unknown indexed name
 * is no error either (`if(i > 1, link[i-1].x, 0)`).
 *
 * Limits: 4096 bytes of text, 100 levels of nesting, 64 values waiting for their operator.  Nothing
 * here crashes on any input, and evaluation allocates nothing.
 *
 * Derivatives are exact.  Where none exists: floor, ceil, round, sign, pulse, comparisons and
 * conditions have 0; abs has 0 at 0; min and max follow the first argument when both are equal, so
 * clip, ramp and the steps have the derivative of the inside at both ends; interp has the slope to
 * the right of a knot; hypot has 0 at the origin.
 */
#ifndef HK_EXPR_H
#define HK_EXPR_H
#include "base/arena.h"
#include "expr/curve.h"

typedef struct hk_expr hk_expr;

/* What a name means while an expression is compiled. */
typedef enum hk_symbol_kind {
  HK_SYMBOL_UNKNOWN,
  HK_SYMBOL_CONSTANT, /* value is known now (a parameter) */
  HK_SYMBOL_VARIABLE, /* known at run time: slot of the variable array */
  HK_SYMBOL_TABLE     /* a function of one argument, which follows in parentheses */
} hk_symbol_kind;
typedef struct hk_symbol {
  hk_symbol_kind kind;
  hk_dim dim;
  double value;          /* CONSTANT */
  int slot;              /* VARIABLE */
  const hk_curve *table; /* TABLE; must live as long as the expression */
} hk_symbol;

/* Resolve a name.  An index in the name is already evaluated: `link[i+1].y` arrives as
 * `link[3].y` (the index expression must be a constant integer).  For UNKNOWN the resolver may
 * write a hint such as "did you mean 'mass'?" into hint (size 256). */
typedef hk_symbol hk_resolve_fn(void *context, const char *name, char *hint);

typedef struct hk_expr_error {
  int column; /* 0-based byte offset in the text where the trouble is */
  char text[512];
} hk_expr_error;

/* Compile text[0..length); the bytecode lives in the arena.  NULL on error (err is filled).
 * Dimensions are checked while compiling: `1 m + 1 s` is an error at the '+'.  A plain number
 * 0 (also a parameter that is a plain 0) takes any dimension.  Trigonometric functions take rad or
 * plain numbers, and return rad for the inverse ones; elsewhere rad may be missing or left over
 * (hk_dim_matches).  resolve may be NULL, and so may err.  The text need not end in NUL; it is
 * copied.  A constant expression is always finite. */
hk_expr *hk_expr_compile(hk_arena *arena, const char *text, size_t length, hk_resolve_fn *resolve,
                         void *context, hk_expr_error *err);
/* A constant as an expression (for the C API). */
hk_expr *hk_expr_constant(hk_arena *arena, double value, hk_dim dim);

hk_dim hk_expr_dim(const hk_expr *e);
bool hk_expr_is_constant(const hk_expr *e);
/* True for a plain 0 without unit, which fits every dimension. */
bool hk_expr_is_plain_zero(const hk_expr *e);
/* Distinct variable slots used, ascending; returns their number. */
int hk_expr_slots(const hk_expr *e, const int **slots);
const char *hk_expr_text(const hk_expr *e);
/* True for the name of a function, which nothing else can have that is called with parentheses. */
bool hk_expr_is_function(const char *name);
int hk_expr_n_functions(void);

/* The tables that an expression reads, in the order of its text: its number of calls, and one of them
 * with the argument it gets. */
int hk_expr_calls(const hk_expr *e);
const hk_curve *hk_expr_call(const hk_expr *e, int i, const double *variables, double *argument);

/* What a quantity may be, and how fast it may change, along a way on which its variables move; of an expression too. */
typedef struct hk_flow {
  double lo, hi;
  double rate_lo, rate_hi; /* of its derivative by the parameter of the way */
  bool bends;              /* or jumps, somewhere on the way */
  bool known;  /* depends on nothing but variables that are known; else it may be anything */
  bool corner; /* of a table: its slope jumps at a point somewhere on the way, which is no bend for steps */
} hk_flow;
/* Of an expression, from those of its variables, by slot.  No allocation. */
hk_flow hk_expr_flow(const hk_expr *e, const hk_flow *variable);
/* Its degree, if it is a polynomial of its variables; HK_NO_DEGREE: it is none, or of a very high one. */
enum { HK_NO_DEGREE = 1000 };
int hk_expr_degree(const hk_expr *e);

/* Whether the expression may bend (as abs, min, max, clip, ramp and the steps do) or jump (as comparisons, sign, floor and
 * mod do) by itself while one variable goes from one value to another, whatever the others are.  The points of tables do not
 * count.  From -INFINITY to INFINITY: whether it ever does. */
bool hk_expr_bends_within(const hk_expr *e, int slot, double from, double to);
/* Where it does so first: between left and right, which differ by round-off.  Or, not sharp, by more: it comes so near to a
 * bend there that nobody can tell whether it has one.  False: nowhere between those values.  No allocation. */
typedef struct hk_knot {
  double left, right;
  bool sharp;
} hk_knot;
bool hk_expr_next_bend(const hk_expr *e, int slot, double from, double to, hk_knot *found);

/* Whether it is one of the variable in slot 0 alone that may bulge: that has exp, a quotient, a high power or the like. */
bool hk_expr_may_bulge(const hk_expr *e);
/* Such an expression between two values of the variable: whether it has a bulge there, narrow beside that range, of which
 * both ends tell nothing; *at: where it is about to rise.  No allocation. */
bool hk_expr_bulges_within(const hk_expr *e, double from, double to, double *at);

/* Value with variables[slot]; no allocation. */
double hk_expr_value(const hk_expr *e, const double *variables);
/* Value and d/d(variable) for each slot of hk_expr_slots, in that order. */
double hk_expr_gradient(const hk_expr *e, const double *variables, double *gradient);
/* Value, first and second derivative with respect to ONE slot (prescribed motions: t). */
double hk_expr_second(const hk_expr *e, const double *variables, int slot, double *d1, double *d2);
#endif
