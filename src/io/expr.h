/* Expressions: text -> bytecode, evaluated with dimensions at load time and with forward-mode
 * derivatives at run time.
 *
 * Grammar: numbers with units written behind them (`3 mm`, `9.81 m/s^2`; the unit is one word
 * without spaces, so `3 m / L` divides by the parameter L), names (parameters, `pi`, `t`, channels
 * such as `crank.x`, `hinge.angle` or `link[i+1].y` with index expressions), + - * / ^ (right
 * associative, also **), comparisons (< <= > >= == !=), `and or not`, `if(c, a, b)`, and the
 * functions sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt cbrt abs sign min
 * max floor ceil round mod hypot clip(x,lo,hi), step(t,t0,y0,t1,y1) (cubic), step5 (quintic),
 * ramp(t,t0,t1), pulse, and interp(x, x1,y1, x2,y2, ...) (piecewise linear, constant outside).
 * Depth and length are limited; nothing here crashes on any input.
 */
#ifndef HK_EXPR_H
#define HK_EXPR_H
#include "base/arena.h"
#include "io/units.h"

typedef struct hk_expr hk_expr;

/* What a name means while an expression is compiled. */
typedef enum hk_symbol_kind {
  HK_SYMBOL_UNKNOWN,
  HK_SYMBOL_CONSTANT, /* value is known now (a parameter) */
  HK_SYMBOL_VARIABLE  /* known at run time: slot of the variable array */
} hk_symbol_kind;
typedef struct hk_symbol {
  hk_symbol_kind kind;
  hk_dim dim;
  double value; /* CONSTANT */
  int slot;     /* VARIABLE */
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
 * 0 takes any dimension.  Trigonometric functions take rad or plain numbers, and return rad for
 * the inverse ones. */
hk_expr *hk_expr_compile(hk_arena *arena, const char *text, size_t length, hk_resolve_fn *resolve,
                         void *context, hk_expr_error *err);
/* A constant as an expression (for the C API). */
hk_expr *hk_expr_constant(hk_arena *arena, double value, hk_dim dim);

hk_dim hk_expr_dim(const hk_expr *e);
bool hk_expr_is_constant(const hk_expr *e);
/* True for the literal 0 without unit, which fits every dimension. */
bool hk_expr_is_plain_zero(const hk_expr *e);
/* Distinct variable slots used, ascending; returns their number. */
int hk_expr_slots(const hk_expr *e, const int **slots);
const char *hk_expr_text(const hk_expr *e);

/* Value with variables[slot]; no allocation. */
double hk_expr_value(const hk_expr *e, const double *variables);
/* Value and d/d(variable) for each slot of hk_expr_slots, in that order. */
double hk_expr_gradient(const hk_expr *e, const double *variables, double *gradient);
/* Value, first and second derivative with respect to ONE slot (prescribed motions: t). */
double hk_expr_second(const hk_expr *e, const double *variables, int slot, double *d1, double *d2);
#endif
