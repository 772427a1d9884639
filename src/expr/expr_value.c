/* Bytecode -> value. Conventions: comparisons give 1 or 0, every value except 0 is true, mod has
 * the sign of its second argument, round rounds halves away from zero, sign(0) = 0. */
#include "expr/expr_private.h"
#include <math.h>

double hk_expr_unary(int op, double a, const double *constant) {
  switch (op) {
    case OP_NEG:
      return -a;
    case OP_NOT:
      return a == 0;
    case OP_SIN:
      return sin(a);
    case OP_COS:
      return cos(a);
    case OP_TAN:
      return tan(a);
    case OP_ASIN:
      return asin(a);
    case OP_ACOS:
      return acos(a);
    case OP_ATAN:
      return atan(a);
    case OP_SINH:
      return sinh(a);
    case OP_COSH:
      return cosh(a);
    case OP_TANH:
      return tanh(a);
    case OP_EXP:
      return exp(a);
    case OP_LOG:
      return log(a);
    case OP_LOG10:
      return log10(a);
    case OP_SQRT:
      return sqrt(a);
    case OP_CBRT:
      return cbrt(a);
    case OP_ABS:
      return fabs(a);
    case OP_SIGN:
      return isnan(a) ? a : (a > 0) - (a < 0);
    case OP_FLOOR:
      return floor(a);
    case OP_CEIL:
      return ceil(a);
    case OP_ROUND:
      return round(a);
    case OP_UNIT_CLIP:
      return a < 0 ? 0 : a > 1 ? 1 : a;
    case OP_CUBIC:
      return a * a * (3 - 2 * a);
    case OP_QUINTIC:
      return a * a * a * (10 + a * (6 * a - 15));
    case OP_POWER:
      return *constant == 2 ? a * a : pow(a, *constant);
    default:
      return NAN;
  }
}

static double modulo(double a, double b) {
  double r = fmod(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

double hk_expr_binary(int op, double a, double b) {
  switch (op) {
    case OP_ADD:
      return a + b;
    case OP_SUB:
      return a - b;
    case OP_MUL:
      return a * b;
    case OP_DIV:
      return a / b;
    case OP_POW:
      return pow(a, b);
    case OP_ATAN2:
      return atan2(a, b);
    case OP_HYPOT:
      return hypot(a, b);
    /* A NaN on either side takes precedence, so that errors are not hidden. */
    case OP_MIN:
      return a <= b || isnan(a) ? a : b;
    case OP_MAX:
      return a >= b || isnan(a) ? a : b;
    case OP_MOD:
      return modulo(a, b);
    case OP_LT:
      return a < b;
    case OP_LE:
      return a <= b;
    case OP_GT:
      return a > b;
    case OP_GE:
      return a >= b;
    case OP_EQ:
      return a == b;
    case OP_NE:
      return a != b;
    case OP_AND:
      return a != 0 && b != 0;
    case OP_OR:
      return a != 0 || b != 0;
    default:
      return NAN;
  }
}

double hk_expr_run(const hk_instruction *code, int n, const double *constant,
                   const hk_curve *const *table, const int *slot, const double *variables) {
  double stack[HK_EXPR_STACK + 1], *top = stack;
  *top = 0; /* entry 0 is not used */
  for (const hk_instruction *i = code, *end = code + n; i < end; i++) {
    switch (i->op) {
      case OP_CONST:
        *++top = constant[i->arg];
        break;
      case OP_LOAD:
        *++top = variables[slot[i->arg]];
        break;
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
        *top = *top != 0 ? top[1] : top[2];
        break;
      case OP_TABLE:
        *top = hk_curve_value(table[i->arg], *top);
        break;
      default:
        if (i->op < OP_BINARY) {
          *top = hk_expr_unary(i->op, *top, constant + i->arg);
        } else {
          top--;
          *top = hk_expr_binary(i->op, top[0], top[1]);
        }
    }
  }
  return *top;
}

double hk_expr_value(const hk_expr *e, const double *variables) {
  if (e->n_code == 1 && e->code->op == OP_CONST) return e->constant[e->code->arg];
  return hk_expr_run(e->code, e->n_code, e->constant, e->table, e->slot, variables);
}

hk_dim hk_expr_dim(const hk_expr *e) { return e->dim; }
bool hk_expr_is_constant(const hk_expr *e) { return e->is_constant; }
bool hk_expr_is_plain_zero(const hk_expr *e) { return e->is_plain_zero; }
const char *hk_expr_text(const hk_expr *e) { return e->text; }

int hk_expr_slots(const hk_expr *e, const int **slots) {
  if (slots) *slots = e->slot;
  return e->n_slots;
}

int hk_expr_calls(const hk_expr *e) { return e->n_calls; }

const hk_curve *hk_expr_call(const hk_expr *e, int i, const double *variables, double *argument) {
  const hk_table_call *k = &e->call[i];
  *argument =
      hk_expr_run(e->code + k->start, k->end - k->start, e->constant, e->table, e->slot, variables);
  return k->table;
}
