/* The named functions: number of arguments, dimension rule, and the operations to which they are
 * converted. */
#include "expr/expr_private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum rule {
  RULE_PLAIN,    /* plain number (or angle) -> plain number */
  RULE_ANGLE,    /* same as RULE_PLAIN, with messages for sin, cos and tan */
  RULE_TO_ANGLE, /* plain number -> rad */
  RULE_KEEP,     /* any dimension, kept */
  /* plain number or angle -> same dimension; with a conversion, rounding would depend on the unit */
  RULE_COUNT,
  RULE_SIGN, /* any dimension -> plain number */
  RULE_SQRT,
  RULE_CBRT,
  RULE_ATAN2, /* two arguments of equal dimension -> rad */
  RULE_ALIKE, /* all arguments of equal dimension -> this dimension */
  RULE_CHAIN, /* two or more arguments of equal dimension -> this dimension: f(f(a, b), c) */
  RULE_CLIP,
  RULE_RAMP, /* x, x0, x1 of equal dimension -> plain number */
  RULE_STEP, /* x, x0, x1 of equal dimension; y0, y1 of equal dimension -> dimension of y0, y1 */
  RULE_IF,
  RULE_TABLE
} rule;

enum { MAX_CODE = 18 };

struct hk_function {
  const char *name;
  rule rule;
  int n_args; /* number of arguments; for CHAIN and TABLE the minimum */
  int n_code;
  hk_instruction code[MAX_CODE];
};

#define ONE(name, rule, n, op) \
  {                            \
    name, rule, n, 1, {        \
      { op, 0 }                \
    }                          \
  }
/* Arguments x x0 y0 x1 y1 on the stack -> y0 + (y1 - y0) shape(clip((x - x0)/(x1 - x0))). */
#define STEP(name, shape)                                                                      \
  {                                                                                            \
    name, RULE_STEP, 5, 16, {                                                                  \
      {OP_PICK, 4}, {OP_PICK, 4}, {OP_SUB, 0}, {OP_PICK, 2}, {OP_PICK, 5}, {OP_SUB, 0},        \
          {OP_DIV, 0}, {OP_UNIT_CLIP, 0}, {shape, 0}, {OP_PICK, 1}, {OP_PICK, 4}, {OP_SUB, 0}, \
          {OP_MUL, 0}, {OP_PICK, 3}, {OP_ADD, 0}, {                                            \
        OP_SLIDE, 5                                                                            \
      }                                                                                        \
    }                                                                                          \
  }

static const hk_function FUNCTIONS[] = {
    ONE("sin", RULE_ANGLE, 1, OP_SIN),
    ONE("cos", RULE_ANGLE, 1, OP_COS),
    ONE("tan", RULE_ANGLE, 1, OP_TAN),
    ONE("asin", RULE_TO_ANGLE, 1, OP_ASIN),
    ONE("acos", RULE_TO_ANGLE, 1, OP_ACOS),
    ONE("atan", RULE_TO_ANGLE, 1, OP_ATAN),
    ONE("atan2", RULE_ATAN2, 2, OP_ATAN2),
    ONE("sinh", RULE_PLAIN, 1, OP_SINH),
    ONE("cosh", RULE_PLAIN, 1, OP_COSH),
    ONE("tanh", RULE_PLAIN, 1, OP_TANH),
    ONE("exp", RULE_PLAIN, 1, OP_EXP),
    ONE("log", RULE_PLAIN, 1, OP_LOG),
    ONE("log10", RULE_PLAIN, 1, OP_LOG10),
    ONE("sqrt", RULE_SQRT, 1, OP_SQRT),
    ONE("cbrt", RULE_CBRT, 1, OP_CBRT),
    ONE("abs", RULE_KEEP, 1, OP_ABS),
    ONE("sign", RULE_SIGN, 1, OP_SIGN),
    ONE("floor", RULE_COUNT, 1, OP_FLOOR),
    ONE("ceil", RULE_COUNT, 1, OP_CEIL),
    ONE("round", RULE_COUNT, 1, OP_ROUND),
    ONE("min", RULE_CHAIN, 2, OP_MIN),
    ONE("max", RULE_CHAIN, 2, OP_MAX),
    ONE("hypot", RULE_CHAIN, 2, OP_HYPOT),
    ONE("mod", RULE_ALIKE, 2, OP_MOD),
    {"clip",
     RULE_CLIP,
     3,
     6,
     {{OP_PICK, 2}, {OP_PICK, 2}, {OP_MAX, 0}, {OP_PICK, 1}, {OP_MIN, 0}, {OP_SLIDE, 3}}},
    {"ramp",
     RULE_RAMP,
     3,
     9,
     {{OP_PICK, 2},
      {OP_PICK, 2},
      {OP_SUB, 0},
      {OP_PICK, 1},
      {OP_PICK, 3},
      {OP_SUB, 0},
      {OP_DIV, 0},
      {OP_UNIT_CLIP, 0},
      {OP_SLIDE, 3}}},
    {"pulse",
     RULE_RAMP,
     3,
     8,
     {{OP_PICK, 2},
      {OP_PICK, 2},
      {OP_GE, 0},
      {OP_PICK, 3},
      {OP_PICK, 2},
      {OP_LT, 0},
      {OP_AND, 0},
      {OP_SLIDE, 3}}},
    STEP("step", OP_CUBIC),
    STEP("step5", OP_QUINTIC),
    {"if", RULE_IF, 3, 0, {{0}}},
    ONE("interp", RULE_TABLE, 3, OP_TABLE),
};
enum { N_FUNCTIONS = sizeof FUNCTIONS / sizeof *FUNCTIONS };

const hk_function *hk_expr_find_function(const char *name, int length) {
  for (int i = 0; i < N_FUNCTIONS; i++)
    if (strlen(FUNCTIONS[i].name) == (size_t)length &&
        memcmp(FUNCTIONS[i].name, name, (size_t)length) == 0)
      return &FUNCTIONS[i];
  return NULL;
}

int hk_expr_n_functions(void) { return N_FUNCTIONS; }

bool hk_expr_is_function(const char *name) {
  return hk_expr_find_function(name, (int)strlen(name)) != NULL;
}

const char *hk_expr_near_function(const char *name, int length) {
  const char *best = NULL;
  int limit = length >= 5 ? 8 : 6;
  for (int i = 0; i < N_FUNCTIONS; i++) {
    const char *candidate = FUNCTIONS[i].name;
    int d = hk_word_distance(name, (size_t)length, candidate, strlen(candidate));
    if (d <= limit) {
      best = candidate;
      limit = d - 1;
    }
  }
  return best;
}

/* --- Dimension rules ------------------------------------------------------------------------- */

static bool is_plain(const hk_operand *o) {
  return o->wild || hk_dim_matches(o->dim, (hk_dim){{0}});
}

static bool check_plain(hk_compiler *c, const hk_function *f, int column) {
  char text[128];
  const hk_dim radian = {{0, 0, 0, 0, 0, 12}};
  if (f->rule == RULE_ANGLE && hk_dim_counts_cycles(hk_expr_top(c, 0)->dim, radian))
    return hk_expr_fail(c, column, "'%s' takes an angle, but Hz counts cycles; write %s(2*pi*...)",
                        f->name, f->name);
  if (is_plain(hk_expr_top(c, 0))) return true;
  const char *wanted = f->rule == RULE_ANGLE ? "an angle or a plain number" : "a plain number";
  const char *hint = f->rule == RULE_COUNT ? "; divide by the unit first, as in x / 1 mm" : "";
  return hk_expr_fail(c, column, "'%s' takes %s, not %s%s", f->name, wanted,
                      hk_expr_dim_text(hk_expr_top(c, 0)->dim, text), hint);
}

static bool check_alike(hk_compiler *c, const hk_function *f, int column, int below_a, int below_b,
                        hk_dim *dim) {
  char left[128], right[128];
  const hk_operand *a = hk_expr_top(c, below_a), *b = hk_expr_top(c, below_b);
  if (hk_expr_unify(a, b, dim)) return true;
  return hk_expr_fail(c, column, "arguments of '%s' differ in dimension: %s and %s", f->name,
                      hk_expr_dim_text(a->dim, left), hk_expr_dim_text(b->dim, right));
}

/* Checks that three arguments have equal dimension; a 0 among them may hide that the other two
 * differ, so each pair is compared. */
static bool check_three(hk_compiler *c, const hk_function *f, int column, int i, int j, int k,
                        hk_dim *dim) {
  hk_dim ij, ik, jk;
  if (!check_alike(c, f, column, i, j, &ij) || !check_alike(c, f, column, i, k, &ik) ||
      !check_alike(c, f, column, j, k, &jk))
    return false;
  *dim = hk_expr_top(c, i)->zero ? jk : ij;
  return true;
}

static bool check_order(hk_compiler *c, const hk_function *f, int column, int low, int high,
                        bool may_be_equal) {
  const hk_operand *a = hk_expr_top(c, low), *b = hk_expr_top(c, high);
  if (c->dead || !a->constant || !b->constant) return true;
  if (a->value < b->value || (may_be_equal && a->value == b->value)) return true;
  return hk_expr_fail(c, column, "'%s' needs its lower limit below its upper one (here %g and %g)",
                      f->name, a->value, b->value);
}

static bool check_root(hk_compiler *c, const hk_function *f, int column, hk_dim *dim) {
  char text[128];
  int order = f->rule == RULE_SQRT ? 2 : 3;
  const hk_operand *a = hk_expr_top(c, 0);
  *dim = a->dim;
  if (a->wild || hk_dim_pow(a->dim, 1, order, dim)) return true;
  return hk_expr_fail(c, column, "'%s' of %s: exponents of units must be multiples of 1/12",
                      f->name, hk_expr_dim_text(a->dim, text));
}

static bool result_dim(hk_compiler *c, const hk_function *f, int column, hk_dim *dim) {
  const hk_dim none = {{0}}, radian = {{0, 0, 0, 0, 0, 12}};
  hk_dim x;
  *dim = none;
  switch (f->rule) {
    case RULE_PLAIN:
    case RULE_ANGLE:
      return check_plain(c, f, column);
    case RULE_TO_ANGLE:
      *dim = radian;
      return check_plain(c, f, column);
    case RULE_COUNT:
      *dim = hk_expr_top(c, 0)->dim;
      return check_plain(c, f, column);
    case RULE_KEEP:
      *dim = hk_expr_top(c, 0)->dim;
      return true;
    case RULE_SQRT:
    case RULE_CBRT:
      return check_root(c, f, column, dim);
    case RULE_ATAN2:
      if (!check_alike(c, f, column, 1, 0, &x)) return false;
      *dim = radian;
      return true;
    case RULE_ALIKE:
    case RULE_CHAIN:
      return check_alike(c, f, column, 1, 0, dim);
    case RULE_CLIP:
      return check_three(c, f, column, 2, 1, 0, dim) && check_order(c, f, column, 1, 0, true);
    case RULE_RAMP:
      return check_three(c, f, column, 2, 1, 0, &x) && check_order(c, f, column, 1, 0, false);
    case RULE_STEP:
      return check_three(c, f, column, 4, 3, 1, &x) && check_alike(c, f, column, 2, 0, dim) &&
             check_order(c, f, column, 3, 1, false);
    default:
      return true; /* SIGN */
  }
}

static bool emit_call(hk_compiler *c, const hk_function *f, int column, int n) {
  hk_dim dim;
  return result_dim(c, f, column, &dim) &&
         hk_expr_emit_lowered(c, column, f->name, n, f->code, f->n_code, dim);
}

/* --- Arguments ------------------------------------------------------------------------------- */

static bool fail_count(hk_compiler *c, const hk_function *f, int column) {
  if (f->rule == RULE_TABLE)
    return hk_expr_fail(c, column, "'interp' takes x and then pairs: interp(x, x1,y1, x2,y2, ...)");
  return hk_expr_fail(c, column, "'%s' takes %s%d argument%s", f->name,
                      f->rule == RULE_CHAIN ? "at least " : "", f->n_args,
                      f->n_args == 1 ? "" : "s");
}

/* A comma precedes every argument except the first; end is set at the closing parenthesis. */
static bool next_argument(hk_compiler *c, int n, bool *end) {
  *end = c->token.kind == TOKEN_SIGN && c->token.sign == ')';
  if (*end) return hk_expr_next_token(c);
  return n == 0 || hk_expr_expect(c, ',', "between the arguments of a function");
}

static bool parse_plain_call(hk_compiler *c, const hk_function *f, int column) {
  bool end;
  for (int n = 0;; n++) {
    if (!next_argument(c, n, &end)) return false;
    if (end) {
      if (n < f->n_args) return fail_count(c, f, column);
      return f->rule == RULE_CHAIN || emit_call(c, f, column, n);
    }
    if (n == f->n_args && f->rule != RULE_CHAIN) return fail_count(c, f, column);
    if (!hk_expr_parse_any(c)) return false;
    if (f->rule == RULE_CHAIN && n > 0 && !emit_call(c, f, column, 2)) return false;
  }
}

/* Inside a branch that a constant condition excludes, 1/n with n = 0 is not an error. */
static bool parse_if(hk_compiler *c, const hk_function *f, int column) {
  bool end;
  int condition = c->n_stack, n = 0; /* position of the condition on the stack */
  for (;; n++) {
    if (!next_argument(c, n, &end)) return false;
    if (end) break;
    if (n == 3) return fail_count(c, f, column);
    bool known = n > 0 && c->stack[condition].constant;
    bool dead = known && (c->stack[condition].value != 0) == (n == 2);
    c->dead += dead;
    bool ok = hk_expr_parse_any(c);
    c->dead -= dead;
    if (!ok) return false;
  }
  if (n < 3) return fail_count(c, f, column);
  return hk_expr_emit_select(c, column);
}

/* --- Tables ---------------------------------------------------------------------------------- */

/* Reads one constant of the list of interp and removes it from the stack. */
static bool parse_entry(hk_compiler *c, const hk_operand *like, hk_operand *read) {
  int column = c->token.start;
  char left[128], right[128];
  hk_dim dim;
  if (!hk_expr_parse_any(c)) return false;
  *read = *hk_expr_top(c, 0);
  if (!read->constant) return hk_expr_fail(c, column, "the points of 'interp' must be constant");
  if (like && !hk_expr_unify(like, read, &dim))
    return hk_expr_fail(c, column, "this point of 'interp' should be in %s, not %s",
                        hk_expr_dim_text(like->dim, left), hk_expr_dim_text(read->dim, right));
  hk_expr_drop(c);
  return true;
}

/* Reads the pairs of interp into x[room], y[room]. */
static bool parse_pairs(hk_compiler *c, const hk_function *f, int column, hk_operand like_x,
                        double *x, double *y, int room, int *n, hk_dim *dim) {
  hk_operand like_y = {0}, px, py;
  bool end;
  for (*n = 0;; ++*n) {
    if (!next_argument(c, 1, &end)) return false;
    if (end) break;
    int place = c->token.start;
    if (*n == room) return hk_expr_fail(c, place, "this expression is too long");
    if (!parse_entry(c, &like_x, &px)) return false;
    if (like_x.zero) like_x = px;
    if (*n && !(px.value > x[*n - 1]) && !c->dead)
      return hk_expr_fail(c, place, "the x values of 'interp' must ascend (%g comes after %g)",
                          px.value, x[*n - 1]);
    if (!(c->token.kind == TOKEN_SIGN && c->token.sign == ',')) return fail_count(c, f, column);
    if (!hk_expr_next_token(c) || !parse_entry(c, *n ? &like_y : NULL, &py)) return false;
    if (*n == 0 || like_y.zero) like_y = py;
    x[*n] = px.value, y[*n] = py.value;
  }
  *dim = like_y.dim;
  return *n > 0 || fail_count(c, f, column);
}

static bool parse_interp(hk_compiler *c, const hk_function *f, int column) {
  if (c->token.kind == TOKEN_SIGN && c->token.sign == ')') return fail_count(c, f, column);
  if (!hk_expr_parse_any(c)) return false;
  int n = 0, room = c->length / 4 + 1; /* a pair has at least four characters */
  double *x = calloc(2 * (size_t)room, sizeof *x);
  if (!x) return hk_expr_fail(c, column, "out of memory");
  double *y = x + room;
  hk_dim dim;
  hk_error err = {0};
  hk_curve *table = NULL;
  bool ok = parse_pairs(c, f, column, *hk_expr_top(c, 0), x, y, room, &n, &dim);
  if (ok && c->dead) { /* the branch is never used, so its points are not checked */
    hk_expr_drop(c);
    free(x);
    return hk_expr_emit_constant(c, column, NAN, dim, false);
  }
  if (ok) {
    table = hk_curve_create(c->arena, x, y, n, HK_INTERPOLATION_LINEAR, HK_OUTSIDE_HOLD, &err);
    if (!table) ok = hk_expr_fail(c, column, "'interp': %s", err.text);
  }
  free(x);
  if (!ok) return false;
  table->name = f->name;
  table->y_dim = dim;
  table->kinks = true;
  return hk_expr_emit_table(c, column, f->name, table);
}

bool hk_expr_parse_table_call(hk_compiler *c, const hk_curve *table, int column) {
  char left[128], right[128];
  if (!hk_expr_parse_any(c)) return false;
  const hk_operand *x = hk_expr_top(c, 0), like = {.dim = table->x_dim};
  hk_dim dim;
  if (!hk_expr_unify(&like, x, &dim))
    return hk_expr_fail(c, column, "table '%s' takes %s, not %s", table->name,
                        hk_expr_dim_text(table->x_dim, left), hk_expr_dim_text(x->dim, right));
  return hk_expr_expect(c, ')', "after the argument of a table") &&
         hk_expr_emit_table(c, column, table->name, table);
}

bool hk_expr_parse_call(hk_compiler *c, const hk_function *f, int column) {
  if (f->rule == RULE_IF) return parse_if(c, f, column);
  if (f->rule == RULE_TABLE) return parse_interp(c, f, column);
  return parse_plain_call(c, f, column);
}
