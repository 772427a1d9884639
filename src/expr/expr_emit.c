/* Operations -> bytecode, with the dimension rules of the operators and constant folding.
 *
 * The compiler keeps a copy of the run-time stack: each entry is an operand with its dimension,
 * the start of its code, and its value if known. Folding runs the code of the last operands and
 * replaces it by one constant. */
#include "expr/expr_private.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hk_dim NONE;

const char *hk_expr_dim_text(hk_dim d, char buf[128]) {
  if (hk_dim_is_none(d) && !d.cycles) return "a plain number";
  hk_dim_format(d, buf, 128);
  size_t n = strlen(buf);
  if (d.cycles && n < 80) snprintf(buf + n, 128 - n, " (cycles: an angle is 2*pi*...)");
  return buf;
}

hk_operand *hk_expr_top(hk_compiler *c, int below) { return &c->stack[c->n_stack - 1 - below]; }

static void truncate_to(hk_compiler *c, const hk_operand *operand) {
  c->n_code = operand->code_start;
  c->n_constants = operand->constant_start;
}

void hk_expr_drop(hk_compiler *c) {
  truncate_to(c, hk_expr_top(c, 0));
  c->n_stack--;
}

static bool append(hk_compiler *c, int column, int op, int arg) {
  if (c->n_code == c->code_capacity) return hk_expr_fail(c, column, "this expression is too long");
  c->code[c->n_code++] = (hk_instruction){op, arg};
  return true;
}

bool hk_expr_add_constant(hk_compiler *c, int column, double value) {
  if (c->n_constants == c->constant_capacity)
    return hk_expr_fail(c, column, "this expression is too long");
  c->constant[c->n_constants++] = value;
  return true;
}

static bool push(hk_compiler *c, int column, hk_operand operand) {
  if (c->n_stack == HK_EXPR_MAX_OPERANDS)
    return hk_expr_fail(c, column, "this expression is nested too deeply");
  c->stack[c->n_stack++] = operand;
  return true;
}

bool hk_expr_emit_constant(hk_compiler *c, int column, double value, hk_dim dim, bool zero) {
  hk_operand operand = {.dim = dim,
                        .value = value,
                        .constant = true,
                        .zero = zero,
                        .code_start = c->n_code,
                        .constant_start = c->n_constants};
  return hk_expr_add_constant(c, column, value) &&
         append(c, column, OP_CONST, c->n_constants - 1) && push(c, column, operand);
}

bool hk_expr_emit_wild(hk_compiler *c, int column) {
  if (!hk_expr_emit_constant(c, column, NAN, NONE, false)) return false;
  hk_expr_top(c, 0)->wild = true;
  return true;
}

bool hk_expr_emit_variable(hk_compiler *c, int column, int slot, hk_dim dim) {
  hk_operand operand = {.dim = dim, .code_start = c->n_code, .constant_start = c->n_constants};
  return append(c, column, OP_LOAD, slot) && push(c, column, operand);
}

/* --- Folding --------------------------------------------------------------------------------- */

static bool fail_not_finite(hk_compiler *c, int column, const char *name, int n) {
  bool is_word = (name[0] >= 'a' && name[0] <= 'z');
  double a = hk_expr_top(c, n - 1)->value, b = hk_expr_top(c, 0)->value;
  if (n == 1) return hk_expr_fail(c, column, "%s(%g) is not a finite number", name, a);
  if (n == 2 && is_word)
    return hk_expr_fail(c, column, "%s(%g, %g) is not a finite number", name, a, b);
  if (n == 2) return hk_expr_fail(c, column, "%g %s %g is not a finite number", a, name, b);
  return hk_expr_fail(c, column, "'%s' of these arguments is not a finite number", name);
}

static bool fold(hk_compiler *c, int column, const char *name, int n, hk_dim dim) {
  int start = hk_expr_top(c, n - 1)->code_start;
  double value = hk_expr_run(c->code + start, c->n_code - start, c->constant, c->table, NULL, NULL);
  if (!isfinite(value) && !c->dead) return fail_not_finite(c, column, name, n);
  truncate_to(c, hk_expr_top(c, n - 1));
  c->n_stack -= n;
  return hk_expr_emit_constant(c, column, value, dim, false);
}

bool hk_expr_emit_lowered(hk_compiler *c, int column, const char *name, int n,
                          const hk_instruction *code, int n_code, hk_dim dim) {
  bool constant = true, wild = false;
  for (int i = 0; i < n; i++) {
    constant &= hk_expr_top(c, i)->constant;
    wild |= hk_expr_top(c, i)->wild;
  }
  if (wild) {
    truncate_to(c, hk_expr_top(c, n - 1));
    c->n_stack -= n;
    return hk_expr_emit_wild(c, column);
  }
  if (!hk_dim_in_range(dim))
    return hk_expr_fail(c, column, "an exponent in the dimension of '%s' exceeds 100", name);
  for (int i = 0; i < n_code; i++)
    if (!append(c, column, code[i].op, code[i].arg)) return false;
  if (constant) return fold(c, column, name, n, dim);
  c->n_stack -= n - 1;
  /* the code of the result starts where the code of the first operand started */
  hk_operand *result = hk_expr_top(c, 0);
  result->dim = dim;
  result->constant = result->zero = false;
  return true;
}

static bool emit_simple(hk_compiler *c, int column, const char *name, int n, int op, int arg,
                        hk_dim dim) {
  return hk_expr_emit_lowered(c, column, name, n, &(hk_instruction){op, arg}, 1, dim);
}

bool hk_expr_emit_table(hk_compiler *c, int column, const char *name, const hk_curve *table) {
  const hk_operand *x = hk_expr_top(c, 0);
  if (c->n_tables == c->table_capacity)
    return hk_expr_fail(c, column, "this expression is too long");
  if (x->constant && !x->wild && !c->dead && !hk_curve_covers(table, x->value))
    return hk_expr_fail(c, column, "%g is outside the range of table '%s', %g to %g", x->value,
                        name, table->x[0], table->x[table->n - 1]);
  c->table[c->n_tables++] = table;
  return emit_simple(c, column, name, 1, OP_TABLE, c->n_tables - 1, table->y_dim);
}

/* --- Operators ------------------------------------------------------------------------------- */

bool hk_expr_unify(const hk_operand *a, const hk_operand *b, hk_dim *dim) {
  *dim = a->dim;
  if (b->zero || b->wild) return true;
  if (a->zero || a->wild) {
    *dim = b->dim;
    return true;
  }
  if (!hk_dim_matches(a->dim, b->dim)) return false;
  if (hk_dim_counts_cycles(a->dim, b->dim) || hk_dim_counts_cycles(b->dim, a->dim)) return false;
  /* In a sum such as m/s + m rad/s, the operand with rad determines the dimension. */
  if (a->dim.twelfths[HK_DIM_BASES - 1] == 0) *dim = b->dim;
  return true;
}

bool hk_expr_emit_negation(hk_compiler *c, int column) {
  bool zero = hk_expr_top(c, 0)->zero;
  if (!emit_simple(c, column, "-", 1, OP_NEG, 0, hk_expr_top(c, 0)->dim)) return false;
  hk_expr_top(c, 0)->zero = zero;
  return true;
}

static bool check_truth(hk_compiler *c, int column, const char *name, const hk_operand *o) {
  char text[128];
  if (o->wild || hk_dim_matches(o->dim, NONE)) return true;
  return hk_expr_fail(c, column, "'%s' takes a condition such as x > 0, not %s", name,
                      hk_expr_dim_text(o->dim, text));
}

bool hk_expr_emit_not(hk_compiler *c, int column) {
  return check_truth(c, column, "not", hk_expr_top(c, 0)) &&
         emit_simple(c, column, "not", 1, OP_NOT, 0, NONE);
}

static const char *operator_name(int op) {
  static const char *const NAME[] = {
      [OP_ADD] = "+", [OP_SUB] = "-",   [OP_MUL] = "*", [OP_DIV] = "/", [OP_POW] = "^",
      [OP_LT] = "<",  [OP_LE] = "<=",   [OP_GT] = ">",  [OP_GE] = ">=", [OP_EQ] = "==",
      [OP_NE] = "!=", [OP_AND] = "and", [OP_OR] = "or",
  };
  return NAME[op];
}

static bool emit_logic(hk_compiler *c, int column, int op) {
  hk_operand *a = hk_expr_top(c, 1), *b = hk_expr_top(c, 0);
  const char *name = operator_name(op);
  if (!check_truth(c, column, name, a) || !check_truth(c, column, name, b)) return false;
  /* If the left side is a constant that already determines the result, the right side is
   * omitted. */
  if (a->constant && !a->wild && (a->value != 0) == (op == OP_OR)) {
    hk_expr_drop(c);
    hk_expr_drop(c);
    return hk_expr_emit_constant(c, column, op == OP_OR, NONE, false);
  }
  return emit_simple(c, column, name, 2, op, 0, NONE);
}

/* Dimension of a ^ b for an a with a dimension: b must be a constant multiple of 1/12. */
static bool power_dim(hk_compiler *c, int column, const hk_operand *a, const hk_operand *b,
                      hk_dim *dim) {
  char text[128];
  *dim = (hk_dim){.pi = a->dim.pi};
  if (!b->wild && !hk_dim_matches(b->dim, NONE))
    return hk_expr_fail(c, column, "an exponent must be a plain number, not %s",
                        hk_expr_dim_text(b->dim, text));
  if (hk_dim_is_none(a->dim) || a->wild || b->wild) return true;
  double twelfths = 12 * b->value, nearest = rint(twelfths);
  bool rational = b->constant && fabs(twelfths - nearest) < 1e-9 && fabs(nearest) < 1e6;
  if (rational && hk_dim_pow(a->dim, (int)nearest, 12, dim)) return true;
  *dim = NONE;
  if (hk_dim_matches(a->dim, NONE)) return true; /* an angle counts as a plain number here */
  hk_expr_dim_text(a->dim, text);
  if (!b->constant)
    return hk_expr_fail(c, column, "the exponent of a value in %s must be constant", text);
  return hk_expr_fail(c, column,
                      "%s cannot be raised to the power %g: the exponents must stay within +-100 "
                      "and be multiples of 1/12",
                      text, b->value);
}

static bool emit_power(hk_compiler *c, int column) {
  hk_operand *b = hk_expr_top(c, 0);
  hk_dim dim;
  if (!power_dim(c, column, hk_expr_top(c, 1), b, &dim)) return false;
  bool constant_exponent = b->constant && !b->wild && !hk_expr_top(c, 1)->constant;
  if (!constant_exponent) return emit_simple(c, column, "^", 2, OP_POW, 0, dim);
  double exponent = b->value;
  hk_expr_drop(c);
  return hk_expr_add_constant(c, column, exponent) &&
         emit_simple(c, column, "^", 1, OP_POWER, c->n_constants - 1, dim);
}

static bool fail_mismatch(hk_compiler *c, int column, int op) {
  char left[128], right[128];
  const char *a = hk_expr_dim_text(hk_expr_top(c, 1)->dim, left);
  const char *b = hk_expr_dim_text(hk_expr_top(c, 0)->dim, right);
  if (op == OP_ADD) return hk_expr_fail(c, column, "cannot add %s and %s", a, b);
  if (op == OP_SUB) return hk_expr_fail(c, column, "cannot subtract %s from %s", b, a);
  return hk_expr_fail(c, column, "cannot compare %s with %s", a, b);
}

bool hk_expr_emit_operator(hk_compiler *c, int column, int op) {
  hk_operand *a = hk_expr_top(c, 1), *b = hk_expr_top(c, 0);
  const char *name = operator_name(op);
  hk_dim dim;
  switch (op) {
    case OP_AND:
    case OP_OR:
      return emit_logic(c, column, op);
    case OP_POW:
      return emit_power(c, column);
    case OP_MUL:
      return emit_simple(c, column, name, 2, op, 0, hk_dim_mul(a->dim, b->dim));
    case OP_DIV:
      if (b->constant && b->value == 0 && !c->dead)
        return hk_expr_fail(c, column, "division by zero");
      return emit_simple(c, column, name, 2, op, 0, hk_dim_div(a->dim, b->dim));
    default:
      if (!hk_expr_unify(a, b, &dim)) return fail_mismatch(c, column, op);
      if (op != OP_ADD && op != OP_SUB) dim = NONE;
      return emit_simple(c, column, name, 2, op, 0, dim);
  }
}

/* A constant condition keeps only the selected branch. */
static bool choose(hk_compiler *c, hk_dim dim) {
  hk_operand *condition = hk_expr_top(c, 2);
  bool first = condition->value != 0;
  hk_operand chosen = first ? condition[1] : condition[2];
  int end = first ? condition[2].code_start : c->n_code;
  int n = end - chosen.code_start;
  memmove(c->code + condition->code_start, c->code + chosen.code_start,
          (size_t)n * sizeof *c->code);
  c->n_code = condition->code_start + n;
  chosen.code_start = condition->code_start;
  chosen.constant_start = condition->constant_start;
  chosen.dim = dim;
  chosen.zero = chosen.zero && hk_dim_is_none(dim);
  c->n_stack -= 2;
  *hk_expr_top(c, 0) = chosen;
  return true;
}

bool hk_expr_emit_select(hk_compiler *c, int column) {
  hk_operand *condition = hk_expr_top(c, 2), *a = hk_expr_top(c, 1), *b = hk_expr_top(c, 0);
  char left[128], right[128];
  hk_dim dim;
  if (!check_truth(c, column, "if", condition)) return false;
  if (!hk_expr_unify(a, b, &dim))
    return hk_expr_fail(c, column, "the branches of 'if' differ in dimension: %s and %s",
                        hk_expr_dim_text(a->dim, left), hk_expr_dim_text(b->dim, right));
  if (condition->constant && !condition->wild) return choose(c, dim);
  return emit_simple(c, column, "if", 3, OP_SELECT, 0, dim);
}
