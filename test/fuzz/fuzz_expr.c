/* Fuzz target: compile any text as an expression and evaluate what compiles.  It must not crash; the functions
 * for value, gradient and second derivative must give the same value, and a constant must be finite. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "expr/expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static hk_symbol resolve(void *context, const char *name, char *hint) {
  static const struct {
    const char *name;
    hk_symbol symbol;
  } KNOWN[] = {
      {"t", {HK_SYMBOL_VARIABLE, {{0, 0, 12}}, 0, 0}},
      {"x", {HK_SYMBOL_VARIABLE, {{12}}, 0, 1}},
      {"y", {HK_SYMBOL_VARIABLE, {{0}}, 0, 2}},
      {"a.v", {HK_SYMBOL_VARIABLE, {{12, 0, -12}}, 0, 3}},
      {"l[1].x", {HK_SYMBOL_VARIABLE, {{12}}, 0, 4}},
      {"l[2].x", {HK_SYMBOL_VARIABLE, {{12}}, 0, 5}},
      {"w", {HK_SYMBOL_VARIABLE, {{0, 0, -12, 0, 0, 12}}, 0, 6}},
      {"n", {HK_SYMBOL_CONSTANT, {{0}}, 0, 0}},
      {"k", {HK_SYMBOL_CONSTANT, {{0, 12, -24}}, 1e4, 0}},
      {"L", {HK_SYMBOL_CONSTANT, {{12}}, 0.5, 0}},
  };
  (void)context;
  for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
    if (strcmp(KNOWN[i].name, name) == 0) return KNOWN[i].symbol;
  strcpy(hint, "did you mean 'x'?");
  return (hk_symbol){HK_SYMBOL_UNKNOWN, {{0}}, 0, 0};
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void require(bool ok) {
  if (!ok) __builtin_trap();
}

static void evaluate(const hk_expr *e, const double *variables) {
  double gradient[8], d1, d2;
  const int *slots;
  int n = hk_expr_slots(e, &slots);
  require(n <= 8);
  for (int i = 1; i < n; i++) require(slots[i] > slots[i - 1]);
  double value = hk_expr_value(e, variables);
  require(same(value, hk_expr_gradient(e, variables, gradient)));
  for (int i = 0; i < n; i++) {
    require(same(value, hk_expr_second(e, variables, slots[i], &d1, &d2)));
    require(same(d1, gradient[i]));
  }
  if (hk_expr_is_constant(e)) require(isfinite(value) && n == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const double points[][7] = {{0.3, 0.2, 1.5, -2, 0.1, 0.2, 10},
                                     {0, 0, 0, 0, 0, 0, 0},
                                     {-1, -2, -0.5, 1e300, -1e300, 1e-300, 2},
                                     {1, 1, 1, INFINITY, NAN, 1, -INFINITY}};
  hk_arena arena;
  hk_expr_error err;
  hk_arena_init(&arena);
  /* An exact copy without a final NUL lets the sanitizer see any read beyond the text. */
  char *text = malloc(size ? size : 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  err.column = -1;
  hk_expr *e = hk_expr_compile(&arena, text, size, resolve, NULL, &err);
  if (e) {
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) evaluate(e, points[i]);
    require(strlen(hk_expr_text(e)) == size);
  } else {
    require(err.column >= 0 && (size_t)err.column <= size && err.text[0]);
    require(memchr(err.text, '\0', sizeof err.text) != NULL);
  }
  free(text);
  hk_arena_free(&arena);
  return 0;
}
