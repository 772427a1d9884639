/* Numbers that change their sign at each kink or jump of an expression, for integrators outside hooke that
 * locate events by themselves.
 *
 * Each operation with a kink gives one or two numbers: the operand of abs, the difference of the operands of
 * min and of comparisons. Operations on time and constants only are omitted, because their times are known
 * in advance (hk_expr_next_bend). So the count depends only on the text of the expression. */
#include "expr/expr_private.h"
#include <math.h>

typedef struct operand {
  double value;
  bool moves; /* depends on a variable other than time */
} operand;

typedef struct collector {
  double *out; /* NULL: only counted */
  int n;
} collector;

static void put(collector *c, double value) {
  if (c->out) c->out[c->n] = isfinite(value) ? value : 1;
  c->n++;
}

/* Computes a continuous function that is 0 at the points of a table; its sign alternates between
 * them. */
static double side_of_points(const hk_curve *t, double x) {
  int i = 0;
  while (i < t->n && t->x[i] <= x) i++; /* tables with kinks have few points */
  double low = i > 0 ? x - t->x[i - 1] : INFINITY, high = i < t->n ? t->x[i] - x : INFINITY;
  double size = fmin(low, high);
  return i % 2 ? size : -size;
}

static void unary(collector *c, const hk_expr *e, const hk_instruction *i, double a) {
  switch (i->op) {
    case OP_ABS:
    case OP_SIGN:
      put(c, a);
      break;
    case OP_FLOOR:
    case OP_CEIL:
      put(c, sin(M_PI * a));
      break;
    case OP_ROUND:
      put(c, cos(M_PI * a));
      break;
    case OP_UNIT_CLIP:
      put(c, a);
      put(c, a - 1);
      break;
    case OP_TABLE:
      if (e->table[i->arg]->kinks) put(c, side_of_points(e->table[i->arg], a));
      break;
    default:
      break;
  }
}

static void binary(collector *c, int op, double a, double b) {
  if (op == OP_MIN || op == OP_MAX || (op >= OP_LT && op <= OP_NE))
    put(c, a - b);
  else if (op == OP_MOD)
    put(c, sin(M_PI * a / b));
}

static operand apply(collector *c, const hk_expr *e, const hk_instruction *i, operand **top) {
  operand a = **top, b = {0};
  if (i->op < OP_BINARY) {
    if (a.moves) unary(c, e, i, a.value);
    a.value = i->op == OP_TABLE ? hk_curve_value(e->table[i->arg], a.value)
                                : hk_expr_unary(i->op, a.value, e->constant + i->arg);
    return a;
  }
  b = a, a = *--*top;
  if (a.moves || b.moves) binary(c, i->op, a.value, b.value);
  return (operand){hk_expr_binary(i->op, a.value, b.value), a.moves || b.moves};
}

int hk_expr_switches(const hk_expr *e, const double *variables, double *out) {
  operand stack[HK_EXPR_STACK + 1], *top = stack;
  collector c = {.out = variables ? out : NULL};
  *top = (operand){0}; /* entry 0 is not used */
  for (const hk_instruction *i = e->code, *end = e->code + e->n_code; i < end; i++) {
    switch (i->op) {
      case OP_CONST:
        *++top = (operand){e->constant[i->arg], false};
        break;
      case OP_LOAD: {
        int slot = e->slot[i->arg];
        *++top = (operand){variables ? variables[slot] : 0, slot != 0};
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
      case OP_SELECT: {
        bool moves = top[-2].moves || top[-1].moves || top[0].moves;
        top -= 2;
        *top = (operand){top->value != 0 ? top[1].value : top[2].value, moves};
        break;
      }
      default: {
        operand result = apply(&c, e, i, &top);
        *top = result;
      }
    }
  }
  return c.n;
}
