/* Table lookups of forces, motions, guides and sensors, and their expressions with kinks, jumps or
 * narrow peaks over time. */
#include "model/compile.h"
#include <math.h>

enum { TIME = 0 }; /* slot of t among the variables of an expression */

/* Adds the table lookups of an expression; in the first pass, in which the lists have no memory yet, only counts them. */
static void add(hk_compiler *c, const hk_item *item, const hk_expr *expr, bool in_step) {
  hk_model *m = c->m;
  if (!expr) return;
  for (int i = 0; i < hk_expr_calls(expr); i++, m->n_lookups++)
    if (m->lookup) m->lookup[m->n_lookups] = (hk_lookup){item, expr, i, in_step};
  const int *slot;
  if (!in_step || hk_expr_slots(expr, &slot) == 0 || slot[0] != TIME) return;
  m->timed = true;
  if (hk_expr_bends_within(expr, TIME, -INFINITY, INFINITY)) {
    if (m->bending) m->bending[m->n_bending] = expr, m->bending_item[m->n_bending] = item;
    m->n_bending++;
  }
  if (hk_expr_may_bulge(expr)) {
    if (m->bulging) m->bulging[m->n_bulging] = expr, m->bulging_item[m->n_bulging] = item;
    m->n_bulging++;
  }
}

/* Warns of kinks of a prescribed position: the velocity jumps there, which requires an infinite
 * force. */
static void warn_of_jumps(hk_compiler *c, const hk_item *item, const hk_expr *expr) {
  for (int i = 0; expr && i < hk_expr_calls(expr); i++) {
    double x, t = 0;
    const hk_curve *table = hk_expr_call(expr, i, &t, &x);
    if (table->interpolation != HK_INTERPOLATION_LINEAR || !c->m->lookup) continue;
    hk_diag_add(c->diag, HK_WARNING, hk_item_location(item, "value"),
                "%s '%s' follows table '%s', which has kinks at its points, so that velocities "
                "jump; use a smooth interpolation: cubic, akima or pchip",
                hk_category_name(item->type->category), item->name, table->name);
  }
}

static bool in_step(const hk_model *m, int sensor) {
  for (int i = 0; i < m->n_step_variables; i++) {
    const hk_channel *k = &m->channel[m->variable_channel[m->step_variable[i]]];
    if (k->owner == HK_OF_SENSOR && k->index == sensor) return true;
  }
  return false;
}

static void list(hk_compiler *c) {
  const hk_model *m = c->m;
  c->m->n_lookups = c->m->n_bending = c->m->n_bulging = 0;
  for (int i = 0; i < c->force.n; i++)
    for (int k = 0; k < c->force.at[i].n_expr; k++)
      add(c, c->force.at[i].item, c->force.at[i].expr[k].expr, true);
  for (int i = 0; i < c->constraint.n; i++) {
    warn_of_jumps(c, c->constraint.at[i].item, c->constraint.at[i].value);
    add(c, c->constraint.at[i].item, c->constraint.at[i].value, true);
  }
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_body_ops *ops = m->node[i].item->type->ops;
    const hk_expr *angle[2] = {NULL, NULL};
    if (ops->guide) ops->guide(m->node[i].item, angle);
    for (int k = 0; k < 2; k++) add(c, m->node[i].item, angle[k], true);
  }
  for (int i = 0; i < c->sensor.n; i++)
    add(c, hk_spec_find(c->spec, HK_SENSOR, c->sensor.at[i].name), c->sensor.at[i].expr.expr,
        in_step(m, i));
}

void hk_compile_lookups(hk_compiler *c) {
  hk_model *m = c->m;
  list(c);
  if (m->n_lookups + m->n_bending + m->n_bulging == 0) return;
  m->lookup = HK_NEW_ARRAY(&m->arena, hk_lookup, m->n_lookups + 1);
  m->bending = HK_NEW_ARRAY(&m->arena, const hk_expr *, m->n_bending + 1);
  m->bulging = HK_NEW_ARRAY(&m->arena, const hk_expr *, m->n_bulging + 1);
  m->bending_item = HK_NEW_ARRAY(&m->arena, const hk_item *, m->n_bending + 1);
  m->bulging_item = HK_NEW_ARRAY(&m->arena, const hk_item *, m->n_bulging + 1);
  c->out_of_memory = c->out_of_memory || !m->lookup || !m->bending || !m->bulging ||
                     !m->bending_item || !m->bulging_item;
  if (c->out_of_memory) return;
  list(c);
}
