/* Channels in expressions: their slots, the data they need, and which of them must be computed in a step. */
#include "model/compile.h"
#include <string.h>

/* Rejects cycles. Slots are assigned in the order of use, so the slot of a sensor follows the slots of all variables
 * that it reads. Exception: the sensor received a new expression after another item had used the sensor. Only such an
 * expression can form a cycle. */
static void refuse_circles(hk_compiler *c) {
  const hk_model *m = c->m;
  for (int i = 1; i < m->n_variables; i++) {
    const hk_channel *k = &m->channel[m->variable_channel[i]];
    if (k->owner != HK_OF_SENSOR) continue;
    const hk_bound_expr *e = &m->sensor[k->index].expr;
    for (int j = 0; j < e->n; j++) {
      if (e->slot[j] < i) continue;
      hk_compile_error(c, hk_spec_find(c->spec, HK_SENSOR, k->name), "value",
                       "reads '%s', which is defined later or depends on it",
                       c->spec->variable[e->slot[j]].name);
      break;
    }
  }
}

/* Finds the variables that forces read, directly or through sensors: only these are computed in a
 * step. */
static void find_step_variables(hk_compiler *c) {
  hk_model *m = c->m;
  bool *used = HK_NEW_ARRAY(&m->arena, bool, m->n_variables);
  m->step_variable = HK_NEW_ARRAY(&m->arena, int, m->n_variables);
  if (!used || !m->step_variable) {
    c->out_of_memory = true;
    return;
  }
  for (int i = 0; i < c->force.n; i++)
    for (int k = 0; k < c->force.at[i].n_expr; k++)
      for (int j = 0; j < c->force.at[i].expr[k].n; j++)
        used[c->force.at[i].expr[k].slot[j]] = true;
  for (int i = m->n_variables - 1; i > 0;
       i--) { /* the slot of a sensor follows the slots that it reads */
    const hk_channel *k = &m->channel[m->variable_channel[i]];
    if (!used[i] || k->owner != HK_OF_SENSOR) continue;
    const hk_bound_expr *e = &m->sensor[k->index].expr;
    for (int j = 0; j < e->n; j++) used[e->slot[j]] = true;
  }
  for (int i = 1; i < m->n_variables; i++)
    if (used[i]) m->step_variable[m->n_step_variables++] = i;
}

static unsigned sensor_needs(const hk_model *m, const hk_channel *k) {
  const hk_bound_expr *e = &m->sensor[k->index].expr;
  unsigned needs = 0;
  for (int j = 0; j < e->n; j++)
    if (e->slot[j]) needs |= m->channel[m->variable_channel[e->slot[j]]].needs;
  return needs;
}

/* Finds the data that each sensor needs: the data of its channels.  Sensors are processed in an
 * order in which each follows those that it reads. */
static void find_needs(hk_model *m) {
  for (int i = 1; i < m->n_variables; i++) {
    hk_channel *k = &m->channel[m->variable_channel[i]];
    if (k->owner == HK_OF_SENSOR) k->needs = sensor_needs(m, k);
  }
  for (int i = 0; i < m->n_channels; i++)
    if (m->channel[i].owner == HK_OF_SENSOR) m->channel[i].needs = sensor_needs(m, &m->channel[i]);
}

/* Rejects a name that was valid for the spec but not for the model, such as a channel that the
 * contact's law does not have. */
static void refuse_variable(hk_compiler *c, int slot) {
  const char *name = c->spec->variable[slot].name;
  for (int i = 0; i < c->sensor.n; i++) {
    const hk_bound_expr *e = &c->sensor.at[i].expr;
    for (int j = 0; j < e->n; j++) {
      if (e->slot[j] != slot) continue;
      hk_compile_error(c, hk_spec_find(c->spec, HK_SENSOR, c->sensor.at[i].name), "value",
                       "reads '%s', which this model does not have", name);
      return;
    }
  }
  hk_diag_add(c->diag, HK_ERROR, NULL, "an expression uses '%s', which this model does not have",
              name);
}

void hk_compile_variables(hk_compiler *c) {
  hk_model *m = c->m;
  int n = c->spec->n_variables > 0 ? c->spec->n_variables : 1;
  m->variable_channel = HK_NEW_ARRAY(&m->arena, int, n);
  if (!m->variable_channel) {
    c->out_of_memory = true;
    return;
  }
  m->n_variables = n;
  for (int i = 1; i < n; i++) {
    const char *name = c->spec->variable[i].name;
    m->variable_channel[i] = hk_model_channel(m, name);
    if (m->variable_channel[i] < 0) refuse_variable(c, i);
  }
  if (c->diag->n_errors == c->errors_before) refuse_circles(c);
  if (c->diag->n_errors > c->errors_before) return;
  find_needs(m);
  find_step_variables(c);
}
