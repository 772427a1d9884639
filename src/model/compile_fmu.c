/* Exchanges with FMUs: the channels that they read and the inputs that they set. */
#include "model/compile.h"
#include "spec/item.h"
#include "expr/units.h"
#include <stdio.h>
#include <string.h>

/* The expression of an input has the unit that the FMU expects. */
static bool check_input(hk_compiler *c, const hk_coupling *k, int i) {
  const hk_item *sensor = hk_spec_find(c->spec, HK_SENSOR, k->input[i]);
  const hk_sensor_ops *ops = sensor ? sensor->type->ops : NULL;
  hk_sensor_binding b = {0};
  hk_error err = {0};
  if (!k->input_checked[i] || !ops || ops->bind(sensor, &b, &err) || !b.expr) return true;
  if (hk_expr_is_plain_zero(b.expr) || hk_dim_matches(hk_expr_dim(b.expr), k->input_dim[i]))
    return true;
  char label[300];
  snprintf(label, sizeof label, "fmu '%.200s'", k->name);
  hk_dim_misfit(k->input[i] + strlen(k->name) + 1, label, hk_expr_dim(b.expr), k->input_dim[i],
                &err);
  hk_compile_error(c, sensor, "value", "%s", err.text);
  return false;
}

static void add(hk_compiler *c, const hk_item *item) {
  hk_model *m = c->m;
  const hk_coupling *k = ((const hk_fmu_params *)item->data)->coupling;
  if (!k) {
    hk_compile_error(c, item, NULL, "fmu '%s': FMUs can only be used in model files", item->name);
    return;
  }
  hk_exchange *e = &m->exchange[m->n_exchanges];
  *e = (hk_exchange){.coupling = k,
                     .item = item,
                     .channel = HK_NEW_ARRAY(&m->arena, int, k->n_inputs + 1),
                     .input = HK_NEW_ARRAY(&m->arena, int, k->n_outputs + 1),
                     .at = m->n_exchanged};
  if (!e->channel || !e->input) {
    c->out_of_memory = true;
    return;
  }
  for (int i = 0; i < k->n_inputs; i++) {
    if (!check_input(c, k, i)) return;
    e->channel[i] = hk_model_channel_find(m, k->input[i]);
  }
  for (int i = 0; i < k->n_outputs; i++) e->input[i] = hk_model_input_find(m, k->output[i]);
  m->n_exchanged += HK_EXCHANGE_INPUT + k->n_inputs;
  m->n_exchanges++;
}

void hk_compile_fmus(hk_compiler *c) {
  int n = c->spec->n[HK_FMU];
  c->m->exchange = HK_NEW_ARRAY(&c->m->arena, hk_exchange, n + 1);
  if (!c->m->exchange) {
    c->out_of_memory = true;
    return;
  }
  for (int i = 0; i < n && !c->out_of_memory; i++) add(c, c->spec->item[HK_FMU][i]);
}
