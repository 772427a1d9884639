/* Where an expression bends or jumps by itself: the bytecode run once on lines over one variable, and on what consists of a few
 * pieces of lines, in place of numbers.  What compares two of them, or takes the lesser one, does so where they meet.  Where a
 * piece ends is not looked at: pieces that meet beyond their ends make knots at which nothing bends, which do no harm. */
#include "expr/expr_private.h"
#include <math.h>

typedef struct line {
  double value, slope;
} line;

/* What is one of these lines at any value of the variable; none: all else. */
enum { MOST_PIECES = 4 };
typedef struct broken {
  line piece[MOST_PIECES];
  int n;
} broken;

typedef struct knot_list {
  double *at;
  int n, most;
} knot_list;

static broken constant_of(double value) { return (broken){.piece = {{value, 0}}, .n = 1}; }

/* n = MOST_PIECES + 1: there are more than there is room for. */
static void add_piece(broken *a, line piece) {
  if (a->n > MOST_PIECES) return;
  for (int i = 0; i < a->n; i++)
    if (a->piece[i].value == piece.value && a->piece[i].slope == piece.slope) return;
  if (a->n < MOST_PIECES) a->piece[a->n] = piece;
  a->n++;
}

/* Of what has more pieces than there is room for nothing is known. */
static broken counted(broken a) { return a.n <= MOST_PIECES ? a : (broken){0}; }

static broken either(broken a, broken b) {
  if (a.n == 0 || b.n == 0) return (broken){0};
  for (int i = 0; i < b.n; i++) add_piece(&a, b.piece[i]);
  return counted(a);
}

static bool is_constant(broken a) {
  bool constant = a.n > 0;
  for (int i = 0; i < a.n; i++) constant = constant && a.piece[i].slope == 0;
  return constant;
}

static void add_meeting(knot_list *k, line a, line b) {
  double x = (b.value - a.value) / (a.slope - b.slope);
  if (a.slope == b.slope || !isfinite(x)) return;
  if (k->n < k->most) k->at[k->n] = x;
  k->n++;
}

static void add_meetings(knot_list *k, broken a, broken b) {
  for (int i = 0; i < a.n; i++)
    for (int j = 0; j < b.n; j++) add_meeting(k, a.piece[i], b.piece[j]);
}

static line line_of(int op, line a, line b) {
  switch (op) {
    case OP_ADD:
      return (line){a.value + b.value, a.slope + b.slope};
    case OP_SUB:
      return (line){a.value - b.value, a.slope - b.slope};
    case OP_MUL:
      return (line){a.value * b.value, a.slope * b.value + b.slope * a.value};
    default:
      return (line){a.value / b.value, a.slope / b.value};
  }
}

static broken lines_of(int op, broken a, broken b) {
  broken out = {0};
  bool straight =
      op == OP_ADD || op == OP_SUB || is_constant(b) || (op == OP_MUL && is_constant(a));
  for (int i = 0; straight && i < a.n; i++)
    for (int j = 0; j < b.n; j++) add_piece(&out, line_of(op, a.piece[i], b.piece[j]));
  return counted(out);
}

static broken negative(broken a) { return lines_of(OP_SUB, constant_of(0), a); }

static broken unary(int op, broken a, const double *constant, knot_list *k) {
  broken zero = constant_of(0), one = constant_of(1), out = {0};
  if (op == OP_NEG) return negative(a);
  if (op == OP_ABS || op == OP_SIGN || op == OP_UNIT_CLIP) add_meetings(k, a, zero);
  if (op == OP_UNIT_CLIP) add_meetings(k, a, one);
  for (int i = 0; is_constant(a) && i < a.n; i++)
    add_piece(&out, (line){hk_expr_unary(op, a.piece[i].value, constant), 0});
  if (out.n > 0) return out;
  if (op == OP_ABS) return either(a, negative(a));
  return op == OP_UNIT_CLIP ? either(a, either(zero, one)) : out;
}

static broken binary(int op, broken a, broken b, knot_list *k) {
  broken out = {0};
  switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
      return lines_of(op, a, b);
    case OP_MIN:
    case OP_MAX:
      add_meetings(k, a, b);
      return either(a, b);
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
      add_meetings(k, a, b);
      break;
    default:
      break;
  }
  if (is_constant(a) && is_constant(b))
    for (int i = 0; i < a.n; i++)
      for (int j = 0; j < b.n; j++)
        add_piece(&out, (line){hk_expr_binary(op, a.piece[i].value, b.piece[j].value), 0});
  return counted(out);
}

int hk_expr_knots(const hk_expr *e, int slot, double *at, int most) {
  broken stack[HK_EXPR_STACK + 1], *top = stack;
  knot_list k = {at, 0, most};
  *top = (broken){0};
  for (const hk_instruction *i = e->code, *end = e->code + e->n_code; i < end; i++) {
    switch (i->op) {
      case OP_CONST:
        *++top = constant_of(e->constant[i->arg]);
        break;
      case OP_LOAD:
        *++top = (broken){.piece = {{0, 1}}, .n = e->slot[i->arg] == slot};
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
        *top = either(top[1], top[2]);
        break;
      case OP_TABLE:
        *top = (broken){0};
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
