/* Table lookups: see table_lookup.h. */
#include "sim/table_lookup.h"
#include <stdio.h>

void hk_lookups_accept(const hk_sim *s, double *x) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_lookups; i++) {
    const hk_lookup *k = &m->lookup[i];
    if (k->in_step) hk_expr_call(k->expr, k->call, s->work->variable, &x[m->at.lookup + i]);
  }
}

double hk_lookups_pace(const hk_sim *s, const double *x) {
  const hk_model *m = s->model;
  double most = 0;
  for (int i = 0; i < m->n_lookups; i++) {
    const hk_lookup *k = &m->lookup[i];
    if (!k->in_step) continue;
    double to;
    const hk_curve *table = hk_expr_call(k->expr, k->call, s->work->variable, &to);
    if (table->points_per_step > 0)
      most = fmax(most,
                  hk_curve_pieces_between(table, x[m->at.lookup + i], to) / table->points_per_step);
  }
  return most;
}

const hk_item *hk_lookups_explain(const hk_model *m, const double *variable, bool all, char *text,
                                  size_t size) {
  for (int i = 0; i < m->n_lookups; i++) {
    const hk_lookup *k = &m->lookup[i];
    if (!k->in_step && !all) continue;
    double x;
    char unit[128];
    const hk_curve *table = hk_expr_call(k->expr, k->call, variable, &x);
    if (isnan(x) || hk_curve_covers(table, x)) continue;
    hk_dim_format(table->x_dim, unit, sizeof unit);
    snprintf(text, size,
             "%s '%s' reads table '%s' at %.12g %s, but its points are between %.9g and %.9g; add "
             "points, or set 'extrapolation': constant, linear or periodic",
             hk_category_name(k->item->type->category), k->item->name, table->name, x, unit,
             table->x[0], table->x[table->n - 1]);
    return k->item;
  }
  return NULL;
}
