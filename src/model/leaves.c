/* What a channel of an expression depends on in the end: the channels that are no sensors. */
#include "model/model.h"

bool hk_channel_recorded_only(const hk_model *m, int channel) {
  const hk_channel *c = &m->channel[channel];
  if (c->kind != HK_CH_SENSOR) return c->kind > HK_CH_LAST_IN_EXPRESSIONS;
  const hk_bound_expr *e = &m->sensor[c->index].expr;
  for (int i = 0; i < e->n; i++)
    if (m->variable_recorded[e->slot[i]]) return true;
  return false;
}

void hk_channel_leaves(const hk_model *m, const double *variable, int channel, double factor,
                       hk_leaf_fn *visit, void *context) {
  const hk_channel *c = &m->channel[channel];
  if (c->kind == HK_CH_TIME) return;
  if (c->kind != HK_CH_SENSOR) {
    visit(context, channel, factor);
    return;
  }
  const hk_bound_expr *e = &m->sensor[c->index].expr;
  double gradient[e->n + 1];
  if (variable) hk_expr_gradient(e->expr, variable, gradient);
  for (int i = 0; i < e->n; i++)
    hk_channel_leaves(m, variable, m->variable_channel[e->slot[i]],
                      variable ? factor * gradient[i] : 1, visit, context);
}
