/* Goals and limits of a study: expressions of its columns in SI. */
#include "study/study.h"
#include "spec/type.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int hk_study_column(const hk_study *s, const char *name) {
  for (int i = 0; i < s->n_axes; i++)
    if (strcmp(s->axis[i].path, name) == 0) return i;
  for (int i = 0; i < s->n_measures; i++)
    if (strcmp(s->measure[i].name, name) == 0) return s->n_axes + i;
  return -1;
}

static hk_symbol resolve(void *context, const char *name, char *hint) {
  const hk_study *s = context;
  int k = hk_study_column(s, name);
  if (k >= 0 && k < s->n_axes) {
    if (!s->axis[k].words)
      return (hk_symbol){.kind = HK_SYMBOL_VARIABLE, .dim = s->axis[k].scale.dim, .slot = k};
    snprintf(hint, 256, "its values are not numbers");
  } else if (k >= 0) {
    const char *unit = s->measure[k - s->n_axes].unit;
    hk_unit u = {0};
    if (unit[0]) hk_unit_parse(unit, strlen(unit), &u, NULL);
    return (hk_symbol){.kind = HK_SYMBOL_VARIABLE, .dim = u.dim, .slot = k};
  }
  const char *names[512];
  int n = 0;
  for (int i = 0; i < s->n_measures && n < 256; i++) names[n++] = s->measure[i].name;
  for (int i = 0; i < s->n_axes && n < 512; i++) names[n++] = s->axis[i].path;
  const char *near = hk_nearest_name(name, names, n);
  if (near && k < 0) snprintf(hint, 256, "did you mean '%.200s'?", near);
  if (!near && k < 0) snprintf(hint, 256, "no measure and no axis of the study has this name");
  return (hk_symbol){.kind = HK_SYMBOL_UNKNOWN};
}

static const hk_expr *compile(hk_study *s, const char *text, const hk_location *place,
                              hk_diag *diag) {
  hk_expr_error err = {0};
  const hk_expr *e = hk_expr_compile(&s->arena, text, strlen(text), resolve, s, &err);
  if (!e) hk_diag_add(diag, HK_ERROR, place, "'%s': %s", text, err.text);
  return e;
}

static void bind_goal(hk_study *s, hk_goal *g, hk_diag *diag) {
  if (strcmp(g->name, g->text) != 0 && hk_study_column(s, g->name) >= 0)
    hk_diag_add(diag, HK_ERROR, &g->place,
                "the goal '%s' has the same name as a column of the table; rename it", g->name);
  g->expr = compile(s, g->text, &g->place, diag);
  if (g->expr) hk_dim_format(hk_expr_dim(g->expr), g->unit, sizeof g->unit);
  if (strcmp(g->unit, "1") == 0) g->unit[0] = '\0';
}

static void bind_limit(hk_study *s, hk_limit *l, hk_diag *diag) {
  const char *le = strstr(l->text, "<="), *ge = strstr(l->text, ">="), *at = le ? le : ge;
  int n = (int)(at - l->text);
  const char *excess = le ? hk_arena_printf(&s->arena, "(%.*s) - (%s)", n, l->text, at + 2)
                          : hk_arena_printf(&s->arena, "(%s) - (%.*s)", at + 2, n, l->text);
  char *left = hk_arena_strndup(&s->arena, l->text, (size_t)n);
  if (!excess || !left) {
    diag->out_of_memory = true;
    return;
  }
  const hk_expr *a = compile(s, left, &l->place, diag);
  const hk_expr *b = a ? compile(s, at + 2, &l->place, diag) : NULL;
  if (a && b) l->excess = compile(s, excess, &l->place, diag);
  l->bound = b && hk_expr_is_constant(b) ? b : a;
  if (l->excess && hk_expr_is_constant(l->excess))
    hk_diag_add(diag, HK_ERROR, &l->place, "'%s' does not depend on the variant", l->text);
}

void hk_study_bind_goals(hk_study *s, hk_diag *diag) {
  int before = diag->n_errors;
  for (int i = 0; i < s->n_goals && diag->n_errors == before; i++) bind_goal(s, &s->goal[i], diag);
  for (int i = 0; i < s->n_limits && diag->n_errors == before; i++)
    bind_limit(s, &s->limit[i], diag);
}

/* ---- constraints: comparisons, chained or joined by `and`; each becomes one limit ---- */

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* Finds the next operator outside brackets that ends a side: "<=", ">=" or "and"; `end` if there is
 * none.  *bad: another comparison operator, which would be evaluated as a number. */
static const char *next_sign(const char *at, const char *end, size_t *length, const char **bad) {
  static const char *const word[] = {"and", "or", "not"};
  int depth = 0;
  for (const char *c = at; c < end; c++) {
    depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
    if (depth) continue;
    bool equal = c + 1 < end && c[1] == '=';
    *length = 2;
    if ((*c == '<' || *c == '>') && equal) return c;
    if (strchr("<>=!&|", *c)) *bad = c;
    for (int w = 0; w < 3; w++) {
      size_t n = strlen(word[w]);
      if ((c > at && is_name(c[-1])) || (size_t)(end - c) < n || strncmp(c, word[w], n) != 0 ||
          (c + n < end && is_name(c[n])))
        continue;
      *length = n;
      if (w == 0) return c;
      *bad = c;
    }
  }
  return end;
}

/* Adds one comparison, without surrounding blanks, as a limit. */
static hk_status add_limit(hk_study *s, const char *left, const char *end, const hk_location *place,
                           hk_error *err) {
  hk_limit *grown = HK_NEW_ARRAY(&s->arena, hk_limit, s->n_limits + 1);
  while (left < end && isspace((unsigned char)*left)) left++;
  while (end > left && isspace((unsigned char)end[-1])) end--;
  char *text = hk_arena_strndup(&s->arena, left, (size_t)(end - left));
  if (!grown || !text) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (s->n_limits) memcpy(grown, s->limit, (size_t)s->n_limits * sizeof *grown);
  grown[s->n_limits++] = (hk_limit){.text = text, .place = *place};
  s->limit = grown;
  return HK_OK;
}

hk_status hk_study_add_constraint(hk_study *s, const char *text, const hk_location *place,
                                  hk_error *err) {
  const char *end = text + strlen(text), *left = text, *bad = NULL;
  bool compared = true; /* true: this part of the condition contains a comparison */
  hk_status status = HK_OK;
  while (compared && !bad && !status) {
    size_t length = 0, more = 0;
    compared = false;
    const char *sign = next_sign(left, end, &length, &bad);
    while (sign < end && *sign != 'a' && !bad &&
           !status) { /* in a chain the right side is also the left side of the next comparison */
      const char *right = sign + length, *next = next_sign(right, end, &more, &bad);
      if (!bad) status = add_limit(s, left, next, place, err);
      compared = true;
      left = right, sign = next, length = more;
    }
    if (sign == end) break;
    left = sign + length;
  }
  if (status || (compared && !bad)) return status;
  return hk_fail(err, HK_EINPUT,
                 "a constraint must have the form 'left <= right', 'left >= right' or 'a <= x <= "
                 "b'; several can be joined by 'and'");
}
