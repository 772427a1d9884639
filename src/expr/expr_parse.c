/* Tokens -> calls of the emitter. From low to high precedence: or, and, not, comparison, + -, *
 * /, sign, power (right associative, so -x^2 = -(x^2), and 2^-1 is allowed). */
#include "expr/expr_private.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT };

static bool token_is(const hk_compiler *c, const char *word) {
  const hk_token *t = &c->token;
  return t->kind == TOKEN_NAME && (size_t)(t->end - t->start) == strlen(word) &&
         memcmp(c->text + t->start, word, strlen(word)) == 0;
}

static bool at_sign(const hk_compiler *c, int sign) {
  return c->token.kind == TOKEN_SIGN && c->token.sign == sign;
}

/* Returns the text of the token, for messages. */
static const char *token_text(const hk_compiler *c, char buf[64]) {
  if (c->token.kind == TOKEN_END) return "the end";
  snprintf(buf, 64, "'%.*s'",
           c->token.end - c->token.start > 40 ? 40 : c->token.end - c->token.start,
           c->text + c->token.start);
  return buf;
}

bool hk_expr_expect(hk_compiler *c, int sign, const char *where) {
  char text[64];
  if (at_sign(c, sign)) return hk_expr_next_token(c);
  return hk_expr_fail(c, c->token.start, "expected '%c' %s, found %s", sign, where,
                      token_text(c, text));
}

/* --- Names ----------------------------------------------------------------------------------- */

enum { MAX_NAME = 256 };

typedef struct name {
  char text[MAX_NAME];
  int length;
  bool indexed;
} name;

static bool extend_name(hk_compiler *c, name *n, const char *text, int length) {
  if (n->length + length >= MAX_NAME)
    return hk_expr_fail(c, c->token.start, "this name is too long");
  memcpy(n->text + n->length, text, (size_t)length);
  n->length += length;
  n->text[n->length] = '\0';
  return true;
}

/* Reports a name before a parenthesis that is neither a function nor a table. */
static bool fail_function(hk_compiler *c, int column, const name *n, bool known, const char *hint) {
  if (known) return hk_expr_fail(c, column, "'%.200s' is not a function", n->text);
  if (hint[0]) return hk_expr_fail(c, column, "unknown function '%.200s'; %s", n->text, hint);
  const char *near = hk_expr_near_function(n->text, n->length);
  if (near)
    return hk_expr_fail(c, column, "unknown function '%.40s'; did you mean '%s'?", n->text, near);
  return hk_expr_fail(c, column, "unknown function '%.40s'", n->text);
}

static bool fail_unknown(hk_compiler *c, int column, const name *n, const char *hint) {
  hk_unit unit;
  if (!hint[0] && hk_expr_find_function(n->text, n->length))
    return hk_expr_fail(c, column, "'%s' is a function; write '%s(...)'", n->text, n->text);
  if (hint[0]) return hk_expr_fail(c, column, "unknown name '%.200s'; %s", n->text, hint);
  if (hk_unit_parse(n->text, (size_t)n->length, &unit, NULL) == HK_OK)
    return hk_expr_fail(c, column, "unknown name '%s'; for the unit, write '1 %s'", n->text,
                        n->text);
  return hk_expr_fail(c, column, "unknown name '%.200s'", n->text);
}

static bool emit_name(hk_compiler *c, int column, const name *n) {
  char hint[256] = "";
  if (strcmp(n->text, "pi") == 0)
    return hk_expr_emit_constant(c, column, M_PI, (hk_dim){.pi = 1}, false);
  hk_symbol s = {.kind = HK_SYMBOL_UNKNOWN};
  if (c->resolve) s = c->resolve(c->context, n->text, hint);
  hint[sizeof hint - 1] = '\0';
  bool call = at_sign(c, '(');
  if (s.kind == HK_SYMBOL_TABLE && call)
    return hk_expr_next_token(c) && hk_expr_parse_table_call(c, s.table, column);
  if (s.kind == HK_SYMBOL_TABLE && s.table->of_time)
    return hk_expr_emit_variable(c, column, 0, (hk_dim){{0, 0, 12}}) &&
           hk_expr_emit_table(c, column, n->text, s.table);
  if (s.kind == HK_SYMBOL_TABLE)
    return hk_expr_fail(c, column, "'%.200s' is a table; write '%.200s(...)'", n->text, n->text);
  if (call && !(c->dead && n->indexed && s.kind == HK_SYMBOL_UNKNOWN))
    return fail_function(c, column, n, s.kind != HK_SYMBOL_UNKNOWN, hint);
  if (s.kind == HK_SYMBOL_CONSTANT && isfinite(s.value) && hk_dim_in_range(s.dim))
    return hk_expr_emit_constant(c, column, s.value, s.dim, s.value == 0 && hk_dim_is_none(s.dim));
  if (s.kind == HK_SYMBOL_VARIABLE && s.slot >= 0 && hk_dim_in_range(s.dim))
    return hk_expr_emit_variable(c, column, s.slot, s.dim);
  if (s.kind != HK_SYMBOL_UNKNOWN)
    return hk_expr_fail(c, column, "'%.200s' has no usable value", n->text);
  /* if(i > 1, link[i-1].x, 0) must be valid for the first link too. */
  if (c->dead && n->indexed) return hk_expr_emit_wild(c, column);
  return fail_unknown(c, column, n, hint);
}

/* Parses [ expression ], which must be a constant whole number. */
static bool parse_index(hk_compiler *c, name *n) {
  char text[32];
  if (!hk_expr_next_token(c)) return false;
  int column = c->token.start;
  if (!hk_expr_parse_any(c)) return false;
  const hk_operand *index = hk_expr_top(c, 0);
  double value = index->value;
  if (!index->constant || !hk_dim_is_none(index->dim))
    return hk_expr_fail(c, column, "an index must be a constant plain number");
  if (!(fabs(value) < 1e9 && value == rint(value)) && !c->dead)
    return hk_expr_fail(c, column, "an index must be a whole number, not %g", value);
  hk_expr_drop(c);
  n->indexed = true;
  int length = snprintf(text, sizeof text, "[%.0f]", fabs(value) < 1e9 ? value + 0.0 : -1.0);
  return extend_name(c, n, text, length) && hk_expr_expect(c, ']', "after an index");
}

/* Returns true if a suffix follows an index without a blank: the rate of `stroke[0]` is `stroke[0]_rate`. */
static bool is_suffix(const hk_compiler *c) {
  return c->token.kind == TOKEN_NAME && c->text[c->token.start] == '_' && c->token.start > 0 &&
         c->text[c->token.start - 1] == ']';
}

static bool parse_name(hk_compiler *c) {
  name n = {.length = 0};
  int column = c->token.start;
  if (!extend_name(c, &n, c->text + column, c->token.end - column)) return false;
  if (!hk_expr_next_token(c)) return false;
  for (;;) {
    if (at_sign(c, '[')) {
      if (!parse_index(c, &n)) return false;
    } else if (at_sign(c, '.')) {
      if (!hk_expr_next_token(c)) return false;
      if (c->token.kind != TOKEN_NAME)
        return hk_expr_fail(c, c->token.start, "expected a name after '%.200s.'", n.text);
      if (!extend_name(c, &n, ".", 1) ||
          !extend_name(c, &n, c->text + c->token.start, c->token.end - c->token.start) ||
          !hk_expr_next_token(c))
        return false;
    } else if (is_suffix(c)) {
      if (!extend_name(c, &n, c->text + c->token.start, c->token.end - c->token.start) ||
          !hk_expr_next_token(c))
        return false;
    } else {
      return emit_name(c, column, &n);
    }
  }
}

static bool parse_name_or_call(hk_compiler *c) {
  hk_token t = c->token;
  const char *word = c->text + t.start;
  int length = t.end - t.start;
  char text[64];
  if (token_is(c, "and") || token_is(c, "or") || token_is(c, "not"))
    return hk_expr_fail(c, t.start, "expected a value, found %s", token_text(c, text));
  int next = t.end;
  while (next < c->length && c->text[next] == ' ') next++;
  bool is_call = next < c->length && c->text[next] == '(';
  if (!is_call) return parse_name(c);
  const hk_function *f = hk_expr_find_function(word, length);
  if (!f) return parse_name(c); /* a table */
  return hk_expr_next_token(c) && hk_expr_next_token(c) && hk_expr_parse_call(c, f, t.start);
}

/* --- Values and operators -------------------------------------------------------------------- */

static bool parse_number(hk_compiler *c) {
  hk_token t = c->token;
  double value = hk_unit_to_si(&t.unit, t.number);
  if (!isfinite(value)) return hk_expr_fail(c, t.start, "this number is too large");
  if (!hk_expr_emit_constant(c, t.start, value, t.unit.dim, t.number == 0 && !t.has_unit))
    return false;
  return hk_expr_next_token(c);
}

static bool parse_primary(hk_compiler *c) {
  char text[64];
  if (c->token.kind == TOKEN_NUMBER) return parse_number(c);
  if (c->token.kind == TOKEN_NAME) return parse_name_or_call(c);
  if (at_sign(c, '('))
    return hk_expr_next_token(c) && hk_expr_parse_any(c) &&
           hk_expr_expect(c, ')', "to close a parenthesis");
  return hk_expr_fail(c, c->token.start, "expected a value, found %s", token_text(c, text));
}

static bool parse_signed(hk_compiler *c);

static bool parse_power(hk_compiler *c) {
  if (!parse_primary(c)) return false;
  int column = c->token.start;
  if (!at_sign(c, '^')) return true;
  return hk_expr_next_token(c) && parse_signed(c) && hk_expr_emit_operator(c, column, OP_POW);
}

/* Every level of nesting passes through this function, so the depth is counted here. */
static bool parse_signed(hk_compiler *c) {
  int column = c->token.start;
  if (c->depth == HK_EXPR_MAX_DEPTH)
    return hk_expr_fail(c, column, "this expression is nested too deeply");
  c->depth++;
  bool ok;
  if (at_sign(c, '-')) {
    ok = hk_expr_next_token(c);
    /* -20 degC is a temperature below zero, not the negative of the temperature 20 degC = 293.15 K. */
    bool scale = ok && c->token.kind == TOKEN_NUMBER && c->token.unit.offset != 0;
    if (scale) c->token.number = -c->token.number;
    ok = ok && parse_signed(c) && (scale || hk_expr_emit_negation(c, column));
  } else if (at_sign(c, '+')) {
    ok = hk_expr_next_token(c) && parse_signed(c);
  } else {
    ok = parse_power(c);
  }
  c->depth--;
  return ok;
}

/* The operator at the token and its precedence; 0 if there is none. */
static int operator_at(const hk_compiler *c, int *op) {
  static const struct {
    int sign, op, level;
  } OPERATORS[] = {
      {'+', OP_ADD, LEVEL_SUM},        {'-', OP_SUB, LEVEL_SUM},
      {'*', OP_MUL, LEVEL_PRODUCT},    {'/', OP_DIV, LEVEL_PRODUCT},
      {'<', OP_LT, LEVEL_COMPARE},     {'>', OP_GT, LEVEL_COMPARE},
      {SIGN_LE, OP_LE, LEVEL_COMPARE}, {SIGN_GE, OP_GE, LEVEL_COMPARE},
      {SIGN_EQ, OP_EQ, LEVEL_COMPARE}, {SIGN_NE, OP_NE, LEVEL_COMPARE},
  };
  if (token_is(c, "or")) return *op = OP_OR, LEVEL_OR;
  if (token_is(c, "and")) return *op = OP_AND, LEVEL_AND;
  if (c->token.kind != TOKEN_SIGN) return 0;
  for (size_t i = 0; i < sizeof OPERATORS / sizeof *OPERATORS; i++)
    if (OPERATORS[i].sign == c->token.sign) return *op = OPERATORS[i].op, OPERATORS[i].level;
  return 0;
}

static bool parse_level(hk_compiler *c, int least);

static bool parse_operand(hk_compiler *c, int least) {
  int column = c->token.start;
  if (!token_is(c, "not")) return parse_signed(c);
  if (least > LEVEL_COMPARE)
    return hk_expr_fail(c, column, "write parentheses around 'not ...' here");
  if (c->depth == HK_EXPR_MAX_DEPTH)
    return hk_expr_fail(c, column, "this expression is nested too deeply");
  c->depth++;
  bool ok = hk_expr_next_token(c) && parse_level(c, LEVEL_COMPARE) && hk_expr_emit_not(c, column);
  c->depth--;
  return ok;
}

/* Parses operators with a precedence of at least `least`, from left to right. */
static bool parse_level(hk_compiler *c, int least) {
  if (!parse_operand(c, least)) return false;
  int op, level;
  bool compared = false;
  while ((level = operator_at(c, &op)) >= least && level > 0) {
    int column = c->token.start;
    if (level == LEVEL_COMPARE && compared)
      return hk_expr_fail(c, column, "comparisons cannot be chained; write 'a < b and b < c'");
    compared = level == LEVEL_COMPARE;
    const hk_operand *left = hk_expr_top(c, 0);
    bool decided =
        left->constant && ((op == OP_AND && left->value == 0) || (op == OP_OR && left->value != 0));
    c->dead += decided;
    bool ok = hk_expr_next_token(c) && parse_level(c, level + 1);
    c->dead -= decided;
    if (!ok || !hk_expr_emit_operator(c, column, op)) return false;
  }
  return true;
}

bool hk_expr_parse_any(hk_compiler *c) { return parse_level(c, LEVEL_OR); }

/* Any text after a complete expression is an error; reports the most likely one. */
static bool check_end(hk_compiler *c) {
  char text[64];
  const hk_token *t = &c->token;
  if (t->kind == TOKEN_END) return true;
  token_text(c, text);
  if (t->kind == TOKEN_SIGN && t->sign == ')')
    return hk_expr_fail(c, t->start, "')' without an opening '('");
  if (t->kind == TOKEN_NAME && c->previous.kind == TOKEN_NUMBER && c->previous.has_unit)
    return hk_expr_fail(c, t->start,
                        "unexpected %s; a unit is one word without blanks, such as 'N*m'", text);
  if (t->kind != TOKEN_SIGN)
    return hk_expr_fail(c, t->start, "expected an operator before %s", text);
  return hk_expr_fail(c, t->start, "unexpected %s", text);
}

bool hk_expr_parse_all(hk_compiler *c) {
  if (!hk_expr_next_token(c)) return false;
  if (c->token.kind == TOKEN_END) return hk_expr_fail(c, 0, "the expression is empty");
  return hk_expr_parse_any(c) && check_end(c);
}
