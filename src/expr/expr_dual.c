/* Bytecode -> value and exact derivatives, by forward-mode differentiation.
 *
 * Every operation has its first and second partial derivatives; the chain rule gives
 *   y'  = f_a a' + f_b b'
 *   y'' = f_a a'' + f_b b'' + f_aa a'^2 + 2 f_ab a' b' + f_bb b'^2
 *
 * Conventions where a derivative does not exist: floor, ceil, round, sign, comparisons and the
 * condition of `if` have derivative 0 everywhere; abs has 0 at 0; min and max use their first
 * argument if both are equal, so that clip(x, lo, hi), ramp and the steps have the derivative of
 * the inside at both ends; interp and tables have the slope of the piece to the right of a
 * point; hypot has 0 at the origin. An inner derivative of 0 contributes 0 even if the partial
 * derivative is infinite or undefined: sqrt(a) at a = 0 has derivative 0 with respect to any
 * variable on which a does not depend. */
#include "expr/expr_private.h"
#include <math.h>

/* f and its partial derivatives with respect to the operands a and b. */
typedef struct partials {
  double f, a, b, aa, ab, bb;
} partials;

static partials inverse_sine(double a, double sign, double f) {
  double w = (1 - a) * (1 + a), root = sqrt(w);
  return (partials){.f = f, .a = sign / root, .aa = sign * a / (w * root)};
}

/* Power a^c; a coefficient of 0 takes precedence over an infinite power, so that x^1 and x^2 are
 * smooth at 0. */
static partials constant_power(double a, double c, double f) {
  partials p = {.f = f};
  double first = c, second = c * (c - 1);
  if (first != 0) p.a = first * pow(a, c - 1);
  if (second != 0) p.aa = second * pow(a, c - 2);
  return p;
}

static partials table_partials(const hk_curve *table, double x) {
  double y[3];
  hk_curve_jet(table, x, y);
  return (partials){.f = y[0], .a = y[1], .aa = y[2]};
}

static partials unary(int op, double a, const double *constant) {
  double f = hk_expr_unary(op, a, constant);
  switch (op) {
    case OP_NEG:
      return (partials){.f = f, .a = -1};
    case OP_SIN:
      return (partials){.f = f, .a = cos(a), .aa = -f};
    case OP_COS:
      return (partials){.f = f, .a = -sin(a), .aa = -f};
    case OP_TAN:
      return (partials){.f = f, .a = 1 + f * f, .aa = 2 * f * (1 + f * f)};
    case OP_ASIN:
      return inverse_sine(a, 1, f);
    case OP_ACOS:
      return inverse_sine(a, -1, f);
    case OP_ATAN: {
      double w = 1 + a * a;
      return (partials){.f = f, .a = 1 / w, .aa = -2 * a / (w * w)};
    }
    case OP_SINH:
      return (partials){.f = f, .a = cosh(a), .aa = f};
    case OP_COSH:
      return (partials){.f = f, .a = sinh(a), .aa = f};
    case OP_TANH: {
      double s = 1 / cosh(a); /* 1 - f^2 would cancel in the saturated range of tanh */
      return (partials){.f = f, .a = s * s, .aa = -2 * f * s * s};
    }
    case OP_EXP:
      return (partials){.f = f, .a = f, .aa = f};
    case OP_LOG:
      return (partials){.f = f, .a = 1 / a, .aa = -1 / (a * a)};
    case OP_LOG10:
      return (partials){.f = f, .a = 1 / (a * M_LN10), .aa = -1 / (a * a * M_LN10)};
    case OP_SQRT:
      return (partials){.f = f, .a = 0.5 / f, .aa = -0.25 / (a * f)};
    case OP_CBRT:
      return (partials){.f = f, .a = 1 / (3 * f * f), .aa = -2 / (9 * a * f * f)};
    case OP_ABS:
      return (partials){.f = f, .a = (a > 0) - (a < 0)};
    case OP_UNIT_CLIP:
      return (partials){.f = f, .a = a >= 0 && a <= 1};
    case OP_CUBIC:
      return (partials){.f = f, .a = 6 * a * (1 - a), .aa = 6 - 12 * a};
    case OP_QUINTIC:
      return (partials){
          .f = f, .a = 30 * a * a * (1 - a) * (1 - a), .aa = 60 * a * (1 - a) * (1 - 2 * a)};
    case OP_POWER:
      return constant_power(a, *constant, f);
    default:
      return (partials){.f = f}; /* the operations not, sign, floor, ceil, round */
  }
}

static partials general_power(double a, double b, double f) {
  partials p = constant_power(a, b, f);
  if (a == 0 && b > 0) return p; /* 0^b is 0 for every positive b */
  double log_a = log(a);
  p.b = f * log_a;
  p.ab = pow(a, b - 1) * (1 + b * log_a);
  p.bb = f * log_a * log_a;
  return p;
}

static partials binary(int op, double a, double b) {
  double f = hk_expr_binary(op, a, b);
  switch (op) {
    case OP_ADD:
      return (partials){.f = f, .a = 1, .b = 1};
    case OP_SUB:
      return (partials){.f = f, .a = 1, .b = -1};
    case OP_MUL:
      return (partials){.f = f, .a = b, .b = a, .ab = 1};
    case OP_DIV:
      return (partials){.f = f, .a = 1 / b, .b = -f / b, .ab = -1 / (b * b), .bb = 2 * f / (b * b)};
    case OP_POW:
      return general_power(a, b, f);
    case OP_ATAN2: {
      double u = a / (a * a + b * b), v = b / (a * a + b * b);
      return (partials){
          .f = f, .a = v, .b = -u, .aa = -2 * u * v, .ab = u * u - v * v, .bb = 2 * u * v};
    }
    case OP_HYPOT: {
      if (f == 0) return (partials){.f = f};
      double u = a / f, v = b / f;
      return (partials){.f = f, .a = u, .b = v, .aa = v * v / f, .ab = -u * v / f, .bb = u * u / f};
    }
    case OP_MIN:
      return (partials){.f = f, .a = a <= b, .b = !(a <= b)};
    case OP_MAX:
      return (partials){.f = f, .a = a >= b, .b = !(a >= b)};
    case OP_MOD:
      return (partials){.f = f, .a = 1, .b = -rint((a - f) / b)};
    default:
      return (partials){.f = f}; /* comparisons, and, or */
  }
}

/* Partial derivative times inner derivative; 0 takes precedence over infinity and NaN. */
static inline double chain(double partial, double inner) {
  return inner == 0 ? 0 : partial * inner;
}

/* --- Gradient -------------------------------------------------------------------------------- */

enum { LANES = 8 }; /* number of derivatives computed in one pass */
typedef struct dual {
  double v, d[LANES];
} dual;

static partials unary_of(const hk_expr *e, const hk_instruction *i, double a) {
  if (i->op == OP_TABLE) return table_partials(e->table[i->arg], a);
  return unary(i->op, a, e->constant + i->arg);
}

static void apply_dual(const hk_expr *e, const hk_instruction *i, dual **stack_top) {
  dual *top = *stack_top;
  if (i->op < OP_BINARY) {
    partials p = unary_of(e, i, top->v);
    top->v = p.f;
    for (int k = 0; k < LANES; k++) top->d[k] = chain(p.a, top->d[k]);
    return;
  }
  top--;
  partials p = binary(i->op, top[0].v, top[1].v);
  top->v = p.f;
  for (int k = 0; k < LANES; k++) top->d[k] = chain(p.a, top->d[k]) + chain(p.b, top[1].d[k]);
  *stack_top = top;
}

/* Computes the value and the derivatives with respect to the slots first .. first + LANES - 1. */
static dual run_dual(const hk_expr *e, const double *variables, int first) {
  dual stack[HK_EXPR_STACK + 1], *top = stack;
  *top = (dual){0}; /* entry 0 is not used */
  for (const hk_instruction *i = e->code, *end = e->code + e->n_code; i < end; i++) {
    switch (i->op) {
      case OP_CONST:
        *++top = (dual){.v = e->constant[i->arg]};
        break;
      case OP_LOAD: {
        *++top = (dual){.v = variables[e->slot[i->arg]]};
        int lane = i->arg - first;
        if (lane >= 0 && lane < LANES) top->d[lane] = 1;
        break;
      }
      case OP_PICK:
        top[1] = top[-i->arg];
        top++;
        break;
      case OP_SLIDE:
        top[-i->arg] = *top;
        top -= i->arg;
        break;
      case OP_SELECT:
        top -= 2;
        *top = top->v != 0 ? top[1] : top[2];
        break;
      default:
        apply_dual(e, i, &top);
    }
  }
  return *top;
}

double hk_expr_gradient(const hk_expr *e, const double *variables, double *gradient) {
  double value = 0;
  int first = 0;
  do {
    dual y = run_dual(e, variables, first);
    value = y.v;
    int n = e->n_slots - first < LANES ? e->n_slots - first : LANES;
    for (int k = 0; k < n; k++) gradient[first + k] = y.d[k];
    first += LANES;
  } while (first < e->n_slots);
  return value;
}

/* --- Second derivative ----------------------------------------------------------------------- */

typedef struct jet {
  double v, d1, d2;
} jet;

static void apply_jet(const hk_expr *e, const hk_instruction *i, jet **stack_top) {
  jet *top = *stack_top;
  if (i->op < OP_BINARY) {
    partials p = unary_of(e, i, top->v);
    double d1 = top->d1, d2 = top->d2;
    *top = (jet){p.f, chain(p.a, d1), chain(p.a, d2) + chain(p.aa, d1 * d1)};
    return;
  }
  top--;
  jet a = top[0], b = top[1];
  partials p = binary(i->op, a.v, b.v);
  double curvature =
      chain(p.aa, a.d1 * a.d1) + 2 * chain(p.ab, a.d1 * b.d1) + chain(p.bb, b.d1 * b.d1);
  *top = (jet){p.f, chain(p.a, a.d1) + chain(p.b, b.d1),
               chain(p.a, a.d2) + chain(p.b, b.d2) + curvature};
  *stack_top = top;
}

/* Recognises a constant times a variable, as in a motion of constant speed: *factor; returns the
 * slot of the variable, or -1. */
static int scaled_variable(const hk_expr *e, double *factor) {
  const hk_instruction *i = e->code;
  if (e->n_code != 3 || i[2].op != OP_MUL) return -1;
  int load = i[0].op == OP_LOAD ? 0 : 1;
  if (i[load].op != OP_LOAD || i[1 - load].op != OP_CONST) return -1;
  *factor = e->constant[i[1 - load].arg];
  return e->slot[i[load].arg];
}

double hk_expr_second(const hk_expr *e, const double *variables, int slot, double *d1, double *d2) {
  double factor;
  int of = scaled_variable(e, &factor);
  if (of >= 0) {
    *d1 = of == slot ? factor : 0;
    *d2 = 0;
    return factor * variables[of];
  }
  jet stack[HK_EXPR_STACK + 1], *top = stack;
  *top = (jet){0}; /* entry 0 is not used */
  for (const hk_instruction *i = e->code, *end = e->code + e->n_code; i < end; i++) {
    switch (i->op) {
      case OP_CONST:
        *++top = (jet){.v = e->constant[i->arg]};
        break;
      case OP_LOAD: {
        int s = e->slot[i->arg];
        *++top = (jet){variables[s], s == slot, 0};
        break;
      }
      case OP_PICK:
        top[1] = top[-i->arg];
        top++;
        break;
      case OP_SLIDE:
        top[-i->arg] = *top;
        top -= i->arg;
        break;
      case OP_SELECT:
        top -= 2;
        *top = top->v != 0 ? top[1] : top[2];
        break;
      default:
        apply_jet(e, i, &top);
    }
  }
  *d1 = top->d1;
  *d2 = top->d2;
  return top->v;
}
