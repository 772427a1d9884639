/* Properties of an expression that do not depend on the values of its variables: its degree as
 * a polynomial, over the whole range of the variables or between its kinks, and whether its
 * range is unknown because variables are unknown. */
#include "expr/expr_private.h"
#include <math.h>

/* Returns the degree of an operation that has kinks or jumps, on the intervals between these.
 * The operands are at the top of the stack. */
static int degree_in_pieces(int op, const int *top) {
  switch (op) {
    case OP_SIGN:
    case OP_FLOOR:
    case OP_CEIL:
    case OP_ROUND:
    case OP_NOT:
      return 0;
    case OP_ABS:
    case OP_UNIT_CLIP:
      return top[0];
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE:
    case OP_AND:
    case OP_OR:
      return 0;
    case OP_MIN:
    case OP_MAX:
    case OP_SELECT: /* of the two branches */
      return top[-1] > top[0] ? top[-1] : top[0];
    case OP_MOD:
      return top[0] == 0 ? top[-1] : HK_NO_DEGREE;
    case OP_QUINTIC: /* not OP_CUBIC: as a polynomial of low degree it would need no search, although the kinks at its
                        ends are too weak for steps to end there */
      return 5 * top[0];
    default:
      return HK_NO_DEGREE;
  }
}

static int operands_of(int op) { return op == OP_SELECT ? 3 : op >= OP_BINARY ? 2 : 1; }

/* Evaluates the program with degrees instead of numbers; operations that are not polynomials give a
 * very high degree. */
int hk_expr_degree(const hk_expr *e, bool between_kinks) {
  int stack[HK_EXPR_STACK + 1] = {0}, *top = stack, degree;
  for (int i = 0; i < e->n_code; i++) {
    const hk_instruction *k = &e->code[i];
    double power = k->op == OP_POWER ? e->constant[k->arg] : 0;
    switch (k->op) {
      case OP_CONST:
      case OP_LOAD:
        *++top = k->op == OP_LOAD;
        break;
      case OP_PICK:
        top[1] = top[-k->arg];
        top++;
        break;
      case OP_SLIDE:
        top[-k->arg] = *top;
        top -= k->arg;
        break;
      case OP_NEG:
        break;
      case OP_ADD:
      case OP_SUB:
        top--;
        *top = top[0] > top[1] ? top[0] : top[1];
        break;
      case OP_MUL:
        top--;
        *top = top[0] + top[1];
        break;
      case OP_DIV:
        top--;
        if (top[1] > 0) return HK_NO_DEGREE;
        break;
      case OP_POWER:
        if (*top > 0 && !(power >= 0 && power <= 9 && power == floor(power))) return HK_NO_DEGREE;
        if (*top > 0) *top *= (int)power;
        break;
      default:
        if (!between_kinks || (degree = degree_in_pieces(k->op, top)) >= HK_NO_DEGREE)
          return HK_NO_DEGREE;
        top -= operands_of(k->op) - 1;
        *top = degree;
        break;
    }
    if (*top > HK_NO_DEGREE) *top = HK_NO_DEGREE;
  }
  return *top;
}

/* The range of an operation is unknown if the range of an operand is unknown. Exceptions are operations that may
 * choose an operand: if, min and max, whose result is unknown for certain only if both are. */
static bool unknown_result(int op, const bool *top) {
  switch (op) {
    case OP_SELECT:
    case OP_MIN:
    case OP_MAX:
      return top[-1] && top[0];
    default:
      return op >= OP_BINARY ? top[-1] || top[0] : top[0];
  }
}

bool hk_expr_stays_unknown(const hk_expr *e, const bool *unknown) {
  bool stack[HK_EXPR_STACK + 1] = {false}, *top = stack;
  for (int i = 0; i < e->n_code; i++) {
    const hk_instruction *k = &e->code[i];
    if (k->op == OP_CONST || k->op == OP_LOAD) {
      *++top = k->op == OP_LOAD && unknown[e->slot[k->arg]];
    } else if (k->op == OP_PICK) {
      top[1] = top[-k->arg];
      top++;
    } else if (k->op == OP_SLIDE) {
      top[-k->arg] = *top;
      top -= k->arg;
    } else {
      bool result = unknown_result(k->op, top);
      top -= operands_of(k->op) - 1;
      *top = result;
    }
  }
  return *top;
}
