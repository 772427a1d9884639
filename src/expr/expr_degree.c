/* The degree of an expression as a polynomial of its variables. */
#include "expr/expr_private.h"
#include <math.h>

/* Evaluates the program with degrees instead of numbers; operations that are not polynomials give a
 * very high degree. */
int hk_expr_degree(const hk_expr *e) {
  int stack[HK_EXPR_STACK + 1] = {0}, *top = stack;
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
        return HK_NO_DEGREE;
    }
    if (*top > HK_NO_DEGREE) *top = HK_NO_DEGREE;
  }
  return *top;
}
