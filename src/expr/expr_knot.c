/* Where an expression bends or jumps by itself: the bytecode run once on lines over one variable in place of numbers.
 * What compares two of them, or cuts one off, does so where they meet. */
#include "expr/expr_private.h"
#include <math.h>

/* value + slope x; `known` is false for all else. */
typedef struct line {
  double value, slope;
  bool known;
} line;

typedef struct knot_list {
  double *at;
  int n, most;
} knot_list;

static void add_meeting(knot_list *k, line a, double value) {
  double x = (value - a.value) / a.slope;
  if (!a.known || a.slope == 0 || !isfinite(x)) return;
  if (k->n < k->most) k->at[k->n] = x;
  k->n++;
}

static bool is_constant(line a) { return a.known && a.slope == 0; }

static line unary(int op, line a, const double *constant, knot_list *k) {
  if (op == OP_ABS || op == OP_SIGN || op == OP_UNIT_CLIP) add_meeting(k, a, 0);
  if (op == OP_UNIT_CLIP) add_meeting(k, a, 1);
  if (op == OP_NEG) return (line){-a.value, -a.slope, a.known};
  return is_constant(a) ? (line){hk_expr_unary(op, a.value, constant), 0, true} : (line){0};
}

static line binary(int op, line a, line b, knot_list *k) {
  bool known = a.known && b.known;
  line difference = {a.value - b.value, a.slope - b.slope, known};
  switch (op) {
    case OP_MIN:
    case OP_MAX: /* goes on as the line, where it is not cut off: what it meets next counts too */
      add_meeting(k, difference, 0);
      if (!is_constant(a) && is_constant(b)) return a;
      if (is_constant(a) && !is_constant(b)) return b;
      break;
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
      add_meeting(k, difference, 0);
      break;
    case OP_ADD:
      return (line){a.value + b.value, a.slope + b.slope, known};
    case OP_SUB:
      return difference;
    case OP_MUL:
      return (line){a.value * b.value, a.slope * b.value + b.slope * a.value,
                    known && (a.slope == 0 || b.slope == 0)};
    case OP_DIV:
      return (line){a.value / b.value, a.slope / b.value, known && b.slope == 0};
    default:
      break;
  }
  return is_constant(a) && is_constant(b) ? (line){hk_expr_binary(op, a.value, b.value), 0, true}
                                          : (line){0};
}

int hk_expr_knots(const hk_expr *e, int slot, double *at, int most) {
  line stack[HK_EXPR_STACK + 1], *top = stack;
  knot_list k = {at, 0, most};
  *top = (line){0};
  for (const hk_instruction *i = e->code, *end = e->code + e->n_code; i < end; i++) {
    switch (i->op) {
      case OP_CONST:
        *++top = (line){e->constant[i->arg], 0, true};
        break;
      case OP_LOAD:
        *++top = (line){0, 1, e->slot[i->arg] == slot};
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
        *top = (line){0};
        break;
      case OP_TABLE:
        *top = (line){0};
        break;
      default:
        if (i->op < OP_BINARY) {
          *top = unary(i->op, *top, e->constant + i->arg, &k);
        } else {
          top--;
          *top = binary(i->op, top[0], top[1], &k);
        }
    }
  }
  return k.n;
}
