/* The channels on which a variable finally depends: the channels that are not sensors. */
#include "model/model.h"

void hk_channel_leaves(const hk_model *m, const double *variable, int channel, double factor,
                       hk_leaf_fn *visit, void *context) {
  const hk_channel *c = &m->channel[channel];
  if (c->owner == HK_OF_TIME || c->owner == HK_OF_INPUT) return;
  if (c->owner != HK_OF_SENSOR) {
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
