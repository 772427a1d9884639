/* Which expressions of forces and states are looked at along steps, and what they read: see stepper/scan.h. */
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
    used[slot[i]] = true;
    if (slot[i] == TIME) continue;
    const hk_channel *k = &m->channel[m->variable_channel[slot[i]]];
    if (k->owner == HK_OF_SENSOR)
      gentle = mark_slots(c, c->sensor.at[k->index].expr.expr, used) && gentle;
  }
  return gentle;
}

static void watch(hk_compiler *c, int force, int number, bool *used) {
  hk_model *m = c->m;
  const hk_force *f = &c->force.at[force];
  const hk_expr *expr = f->expr[number].expr;
  int n = 0;
  memset(used, 0, (size_t)m->n_variables * sizeof *used);
  if (!expr || mark_slots(c, expr, used)) return;
  for (int i = 1; i < m->n_variables; i++) n += used[i];
  if (n == 0) return; /* of time alone: see knot.h */
  n += used[TIME];
  if (!m->watched) {
    m->n_watched++;
    return;
  }
  int *slot = HK_NEW_ARRAY(&m->arena, int, n);
  if (!slot) {
    c->out_of_memory = true;
    return;
  }
  for (int i = 0, k = 0; i < m->n_variables; i++)
    if (used[i]) slot[k++] = i;
  bool of_state = f->item->type->category == HK_STATE;
  m->watched[m->n_watched++] = (hk_watched){f->item, expr, force, number, of_state, slot, n};
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
  list_watched(c, used);
  if (m->n_watched == 0) return;
  m->watched = HK_NEW_ARRAY(&m->arena, hk_watched, m->n_watched);
  c->out_of_memory = c->out_of_memory || !m->watched;
  if (m->watched) list_watched(c, used);
}
