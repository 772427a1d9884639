/* Rows of a study's table: see row.h. */
#include "study/row.h"
#include <math.h>
#include <string.h>

static bool own_column(const hk_goal *g) { return strcmp(g->name, g->text) != 0; }

int hk_row_column_count(const hk_study *s) {
  int n = s->n_axes + s->n_measures + (s->n_limits > 0);
  for (int i = 0; i < s->n_goals; i++) n += own_column(&s->goal[i]);
  return n;
}

void hk_row_columns(const hk_study *s, hk_row_column *c) {
  for (int i = 0; i < s->n_axes; i++)
    *c++ = (hk_row_column){s->axis[i].path, s->axis[i].unit, "axis",
                           s->axis[i].words ? "TEXT" : "REAL"};
  for (int i = 0; i < s->n_measures; i++)
    *c++ = (hk_row_column){s->measure[i].name, s->measure[i].unit, "measure", "REAL"};
  for (int i = 0; i < s->n_goals; i++)
    if (own_column(&s->goal[i]))
      *c++ = (hk_row_column){s->goal[i].name, s->goal[i].unit, "goal", "REAL"};
  if (s->n_limits) *c = (hk_row_column){"feasible", "", "check", "INTEGER"};
}

void hk_row_fill(const hk_study *s, const hk_variant *v, const hk_record *r, double *si,
                 double *value, const char **word) {
  const bool ok = r->outcome == HK_OUTCOME_OK;
  const int n = hk_row_column_count(s);
  int at = 0;
  for (int i = 0; i < n; i++) value[i] = NAN, word[i] = NULL;
  for (int i = 0; i < s->n_axes; i++, at++) {
    if (s->axis[i].words)
      word[at] = s->axis[i].text[v->entry[i]];
    else
      value[at] = v->value[i];
  }
  for (int i = 0; i < s->n_measures; i++) value[at++] = r->value[i];
  hk_plan_si(s, v->value, r->value, si);
  for (int i = 0; i < s->n_goals; i++)
    if (own_column(&s->goal[i])) value[at++] = ok ? hk_expr_value(s->goal[i].expr, si) : NAN;
  if (!s->n_limits || !ok) return;
  bool feasible = true;
  for (int i = 0; i < s->n_limits; i++)
    feasible = feasible && hk_expr_value(s->limit[i].excess, si) <= 0;
  value[at] = feasible;
}
