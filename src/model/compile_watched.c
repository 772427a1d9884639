/* Which expressions of forces, states and sensors are looked at along steps, and what they read: see stepper/scan.h. */
#include "model/compile.h"
#include <string.h>

enum { TIME = 0 }; /* its slot of all expressions */

/* Marks the variables behind an expression, through sensors.  Returns whether it is a polynomial of channels. */
static bool mark_slots(const hk_compiler *c, const hk_expr *expr, bool *used) {
  const hk_model *m = c->m;
  const int *slot;
  int n = hk_expr_slots(expr, &slot);
  bool gentle = hk_expr_is_gentle(expr);
  for (int i = 0; i < n; i++) {
    bool known = used[slot[i]]; /* what is behind it has been counted */
    used[slot[i]] = true;
    if (slot[i] == TIME || known) continue;
    const hk_channel *k = &m->channel[m->variable_channel[slot[i]]];
    if (k->owner == HK_OF_SENSOR)
      gentle = mark_slots(c, c->sensor.at[k->index].expr.expr, used) && gentle;
  }
  return gentle;
}

/* The variables behind an expression, ascending; expr is NULL if it is a polynomial of channels. */
static hk_watched look_behind(hk_compiler *c, const hk_item *item, const hk_expr *expr,
                              bool *used) {
  hk_model *m = c->m;
  hk_watched out = {.item = item};
  memset(used, 0, (size_t)m->n_variables * sizeof *used);
  if (!expr || mark_slots(c, expr, used)) return out;
  for (int i = 0; i < m->n_variables; i++) out.n_slots += used[i];
  int *slot = HK_NEW_ARRAY(&m->arena, int, out.n_slots + 1);
  c->out_of_memory = c->out_of_memory || !slot;
  if (!slot) return out;
  for (int i = 0, k = 0; i < m->n_variables; i++)
    if (used[i]) slot[k++] = i;
  out.expr = expr;
  out.slot = slot;
  return out;
}

static void watch(hk_compiler *c, int force, int number, bool *used) {
  hk_model *m = c->m;
  const hk_force *f = &c->force.at[force];
  hk_watched k = look_behind(c, f->item, f->expr[number].expr, used);
  if (!k.expr || (k.n_slots == 1 && k.slot[0] == TIME)) return; /* of time alone: see knot.h */
  k.force = force, k.number = number;
  k.of_state = f->item->type->category == HK_STATE;
  if (m->watched) m->watched[m->n_watched] = k;
  m->n_watched++;
}

static void list_watched(hk_compiler *c, bool *used) {
  c->m->n_watched = 0;
  for (int i = 0; i < c->force.n; i++)
    for (int k = 0; k < c->force.at[i].n_expr; k++) watch(c, i, k, used);
}

void hk_compile_watched(hk_compiler *c) {
  hk_model *m = c->m;
  bool *used = HK_NEW_ARRAY(&m->arena, bool, m->n_variables + 1);
  c->out_of_memory = c->out_of_memory || !used;
  if (!used) return;
  m->sensor_watched = HK_NEW_ARRAY(&m->arena, hk_watched, c->sensor.n + 1);
  c->out_of_memory = c->out_of_memory || !m->sensor_watched;
  if (c->out_of_memory) return;
  for (int i = 0; i < c->sensor.n; i++)
    m->sensor_watched[i] = look_behind(c, NULL, c->sensor.at[i].expr.expr, used);
  list_watched(c, used);
  if (m->n_watched == 0) return;
  m->watched = HK_NEW_ARRAY(&m->arena, hk_watched, m->n_watched);
  c->out_of_memory = c->out_of_memory || !m->watched;
  if (m->watched) list_watched(c, used);
}
