/* Text -> tokens. A number includes the unit after it. The unit is one word without blanks, so `3 m / L` divides by the
 * name L while `3 m/L` is metres per litre. A unit ends before an operator that can only belong to arithmetic:
 * `0.5 m*sin(x)`, `60 s/250`, `10 N/m*crank.x`. */
#include "expr/expr_private.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hk_expr_fail(hk_compiler *c, int column, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(c->err->text, sizeof c->err->text, fmt, ap);
  va_end(ap);
  c->err->column = column;
  return false;
}

static int at(const hk_compiler *c, int i) {
  return i < c->length ? (unsigned char)c->text[i] : -1;
}

static bool is_digit(int ch) { return ch >= '0' && ch <= '9'; }
static bool is_letter(int ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
}
static bool is_blank(int ch) { return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r'; }

static int skip_blanks(const hk_compiler *c, int i) {
  while (is_blank(at(c, i))) i++;
  return i;
}

static int word_end(const hk_compiler *c, int i) {
  while (is_letter(at(c, i)) || is_digit(at(c, i))) i++;
  return i;
}

static bool word_is(const hk_compiler *c, int start, int end, const char *word) {
  return (size_t)(end - start) == strlen(word) && memcmp(c->text + start, word, strlen(word)) == 0;
}

/* --- Numbers --------------------------------------------------------------------------------- */

/* strtod uses the decimal point of the locale. Without a point in the text this has no effect,
 * so 12.5e3 is passed as 125e2. */
static bool read_number(hk_compiler *c, int *end, double *value) {
  enum { MAX_DIGITS = 64 };
  char digits[MAX_DIGITS + 24];
  int n = 0, start = *end, i = start, scale = 0, written = 0;
  for (bool decimals = false; is_digit(at(c, i)) || (at(c, i) == '.' && !decimals); i++) {
    if (at(c, i) == '.') {
      decimals = true;
      continue;
    }
    if (n == MAX_DIGITS) return hk_expr_fail(c, start, "this number has too many digits");
    digits[n++] = c->text[i];
    scale -= decimals;
  }
  int mark = i + 1 + (at(c, i + 1) == '+' || at(c, i + 1) == '-');
  if ((at(c, i) == 'e' || at(c, i) == 'E') && is_digit(at(c, mark))) {
    bool negative = at(c, i + 1) == '-';
    for (i = mark; is_digit(at(c, i)); i++)
      if (written < 100000) written = 10 * written + (at(c, i) - '0');
    if (negative) written = -written;
  }
  snprintf(digits + n, sizeof digits - (size_t)n, "e%d", scale + written);
  *value = strtod(digits, NULL);
  *end = i;
  if (!isfinite(*value)) return hk_expr_fail(c, start, "this number is too large");
  return true;
}

static bool is_operator(int ch) { return ch == '*' || ch == '/' || ch == '^' || ch == '.'; }

/* A sign belongs to a unit only in an exponent: m^-1, m^(-1/2), m**-1. */
static bool sign_in_exponent(const hk_compiler *c, int start, int i) {
  if (i > start && at(c, i - 1) == '(') i--;
  if (i > start && at(c, i - 1) == '^') return true;
  return i > start + 1 && at(c, i - 1) == '*' && at(c, i - 2) == '*';
}

static int unit_end(const hk_compiler *c, int start) {
  int i = start, depth = 0;
  for (;; i++) {
    int ch = at(c, i);
    if (ch == '(') depth++;
    if (ch == ')' && depth-- == 0) break;
    if (ch == '+' || ch == '-') {
      if (!sign_in_exponent(c, start, i)) break;
    } else if (!is_letter(ch) && !is_digit(ch) && !is_operator(ch) && ch != '%' && ch < 0x80 &&
               ch != '(' && ch != ')') {
      break;
    }
  }
  /* `3 mm* x` is a product, because a unit does not end in an operator. */
  while (i > start && is_operator(at(c, i - 1))) i--;
  return i;
}

/* True if a unit begins here. `and`, `or`, `not` after a number are operators. */
static bool unit_begins(const hk_compiler *c, int i, bool blank) {
  int ch = at(c, i);
  if (ch == '%' || ch >= 0x80) return true;
  if (is_letter(ch)) {
    int end = word_end(c, i);
    return !word_is(c, i, end, "and") && !word_is(c, i, end, "or") && !word_is(c, i, end, "not");
  }
  return blank && ch == '1' && at(c, i + 1) == '/' &&
         (is_letter(at(c, i + 2)) || at(c, i + 2) == '(');
}

static bool fail_unit(hk_compiler *c, int start, int end, const char *why) {
  bool has_operator = false;
  for (int i = start; i < end; i++) has_operator |= is_operator(at(c, i));
  const char *hint = "";
  if (has_operator)
    hint = "to calculate with names, write blanks around the operator, as in '3 m / L'";
  else if (strncmp(why, "unknown", 7) == 0 && !strchr(why, '?'))
    hint = "a word after a number is a unit: to multiply by a name, write '*'";
  const char *joint = !hint[0] ? "" : strchr(why, '?') ? " or, " : "; ";
  return hk_expr_fail(c, start, "%.300s%s%s", why, joint, hint);
}

/* In `50 Hz*t` the t is read as tonne, in `3 m/L` the L as litre. Such a letter after the first
 * unit is rejected if it is also a name. Letters that are common in compound units are exempt:
 * `N/m` remains a unit even if there is a parameter m. */
static bool check_doubtful(hk_compiler *c, int start, int end) {
  char hint[256] = "";
  for (int i = start + 1; i < end; i++) {
    char word[2] = {c->text[i], '\0'};
    bool alone = (is_operator(at(c, i - 1)) || at(c, i - 1) == '(') && !is_letter(at(c, i + 1)) &&
                 at(c, i + 1) < 0x80;
    if (!is_letter(at(c, i)) || !alone || strchr("msAKNh", word[0])) continue;
    if (c->resolve(c->context, word, hint).kind != HK_SYMBOL_UNKNOWN)
      return hk_expr_fail(c, i,
                          "'%s' is a name, but here it is part of the unit '%.*s'; write blanks "
                          "around the operator, as in '3 m / L', or choose another unit",
                          word, end - start > 60 ? 60 : end - start, c->text + start);
  }
  return true;
}

static bool is_unit(const hk_compiler *c, int start, int end) {
  hk_unit unit;
  return hk_unit_parse(c->text + start, (size_t)(end - start), &unit, NULL) == HK_OK;
}

/* Returns true if the word from i is a name of the model, a function or an indexed name. *end: the end of the word. */
static bool is_name(const hk_compiler *c, int i, int *end) {
  enum { MAX_NAME = 256 };
  char name[MAX_NAME], hint[256] = "";
  int j = word_end(c, i);
  while (at(c, j) == '.' && is_letter(at(c, j + 1))) j = word_end(c, j + 1);
  *end = j;
  if (at(c, j) == '[' || at(c, skip_blanks(c, j)) == '(' || word_is(c, i, j, "pi")) return true;
  if (!c->resolve || j - i >= MAX_NAME) return false;
  memcpy(name, c->text + i, (size_t)(j - i));
  name[j - i] = '\0';
  return c->resolve(c->context, name, hint).kind != HK_SYMBOL_UNKNOWN;
}

/* Returns true if the parenthesis at i cannot be a part of a unit: the text in it contains a number, a blank or
 * another character that units do not have, or only names that are not units. */
static bool is_group(const hk_compiler *c, int i) {
  bool names = false;
  for (int depth = 0, end; i < c->length; i = end) {
    int ch = at(c, i);
    end = i + 1;
    if (ch == '(') depth++;
    if (ch == ')' && --depth == 0) return names;
    if (is_letter(ch)) {
      names = is_name(c, i, &end);
      if (!names || is_unit(c, i, end)) return false;
    } else if (ch != '(' && ch != ')' && !is_operator(ch)) {
      return true;
    }
  }
  return false;
}

/* Returns true if the text after an operator is a value, and not the rest of a unit. */
static bool value_begins(const hk_compiler *c, int i) {
  int ch = at(c, i), end;
  if (is_digit(ch) || (ch == '.' && is_digit(at(c, i + 1)))) return true;
  return ch == '(' ? is_group(c, i) : is_letter(ch) && is_name(c, i, &end);
}

/* Finds the end of the longest unit that begins at start and is followed by an operator and a value: `m` in
 * `m*sin(x)`.  -1: there is none. */
static int unit_before_operator(const hk_compiler *c, int start, int end) {
  int found = -1, depth = 0;
  for (int i = start; i < end; i++) {
    int ch = at(c, i);
    depth += (ch == '(') - (ch == ')');
    if (depth > 0 || (ch != '*' && ch != '/')) continue;
    bool power = ch == '*' && at(c, i + 1) == '*';
    if (!power && is_unit(c, start, i) && value_begins(c, i + 1)) found = i;
    i += power;
  }
  return found;
}

static bool read_unit(hk_compiler *c, int start, int *end, hk_unit *unit) {
  hk_error error = {0};
  if (hk_unit_parse(c->text + start, (size_t)(*end - start), unit, &error)) {
    int shorter = unit_before_operator(c, start, *end);
    if (shorter < 0) return fail_unit(c, start, *end, error.text);
    *end = shorter;
    hk_unit_parse(c->text + start, (size_t)(shorter - start), unit, NULL);
  }
  return !c->resolve || check_doubtful(c, start, *end);
}

static bool read_quantity(hk_compiler *c, hk_token *t) {
  if (!read_number(c, &t->end, &t->number)) return false;
  t->kind = TOKEN_NUMBER;
  t->unit = (hk_unit){.factor = 1};
  int start = skip_blanks(c, t->end);
  if (!unit_begins(c, start, start > t->end)) return true;
  int end = unit_end(c, start);
  /* an operator of several bytes without operands: the next token reports it */
  if (end == start) return true;
  t->has_unit = true;
  bool read = read_unit(c, start, &end, &t->unit);
  t->end = end;
  return read;
}

/* --- Signs ----------------------------------------------------------------------------------- */

static const struct {
  const char *text, *instead;
} FOREIGN[] = {
    {"&&", "and"},
    {"&", "and"},
    {"||", "or"},
    {"|", "or"},
    {"!", "not"},
    {"=", "=="},
    {"%", "mod(a, b)"},
    {"?", "if(c, a, b)"},
    {":", "if(c, a, b)"},
    {"\xC2\xB7", "*"},
    {"\xC3\x97", "*"},
    {"\xE2\x88\x92", "-"},
    {"\xE2\x8B\x85", "*"},
    {"\xC3\xB7", "/"},
    {"\xC2\xB2", "^2"},
    {"\xC2\xB3", "^3"},
    {"\xCF\x80", "pi"},
    {"\xE2\x89\xA4", "<="},
    {"\xE2\x89\xA5", ">="},
    {"\xE2\x89\xA0", "!="},
    {"{", "("},
    {"}", ")"},
    {";", ","},
};

static bool fail_character(hk_compiler *c, int i) {
  for (size_t k = 0; k < sizeof FOREIGN / sizeof *FOREIGN; k++) {
    size_t n = strlen(FOREIGN[k].text);
    if ((size_t)(c->length - i) >= n && memcmp(c->text + i, FOREIGN[k].text, n) == 0)
      return hk_expr_fail(c, i, "unexpected '%s'; write '%s'", FOREIGN[k].text, FOREIGN[k].instead);
  }
  int ch = at(c, i);
  if (ch > 0x20 && ch < 0x7F) return hk_expr_fail(c, i, "unexpected character '%c'", ch);
  return hk_expr_fail(c, i, "unexpected character (byte 0x%02X)", (unsigned)ch);
}

static bool read_sign(hk_compiler *c, hk_token *t) {
  static const struct {
    const char *text;
    int sign;
  } PAIRS[] = {{"**", '^'}, {"<=", SIGN_LE}, {">=", SIGN_GE}, {"==", SIGN_EQ}, {"!=", SIGN_NE}};
  int i = t->start;
  t->kind = TOKEN_SIGN;
  for (size_t k = 0; k < sizeof PAIRS / sizeof *PAIRS; k++) {
    if (at(c, i) == PAIRS[k].text[0] && at(c, i + 1) == PAIRS[k].text[1]) {
      t->sign = PAIRS[k].sign;
      t->end = i + 2;
      return true;
    }
  }
  if (at(c, i) == 0 || !strchr("()[],+-*/^<>.", at(c, i))) return fail_character(c, i);
  t->sign = at(c, i);
  t->end = i + 1;
  return true;
}

bool hk_expr_next_token(hk_compiler *c) {
  c->previous = c->token;
  int i = skip_blanks(c, c->token.end);
  hk_token *t = &c->token;
  *t = (hk_token){.kind = TOKEN_END, .start = i, .end = i};
  int ch = at(c, i);
  if (ch < 0) return true;
  if (is_digit(ch) || (ch == '.' && is_digit(at(c, i + 1)))) return read_quantity(c, t);
  if (is_letter(ch)) {
    t->kind = TOKEN_NAME;
    t->end = word_end(c, i);
    return true;
  }
  return read_sign(c, t);
}
