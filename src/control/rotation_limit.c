/* Rotations counted in whole revolutions from step to step: limits the rotation of a body per step. */
#include "control/source.h"
#include "control/rotation_limit.h"
#include "node/dispatch.h"

/* [rad] Limit of the rotation per step. Counting revolutions from one step to the next is unambiguous for rotations up
 * to pi; the limit is about half of it. Interpolation between the ends of a step assumes less than half a revolution,
 * too. Moreover, a uniformly rotating body would allow steps that are too long for a later change of its motion, such
 * as a body that suddenly turns over. */
static const double most_turn = 1.5, most_turn_by_ends = 1;

double hk_fastest_turn(const hk_sim *s, bool all, int *node) {
  const hk_model *m = s->model;
  double most = 1e-300; /* rad^2/s^2 */
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    double lengths, angles;
    if (!n->counted && !(all && n->turn >= 0)) continue;
    hk_node_squares(n, s->x + m->at.v + n->v, &lengths, &angles);
    if (!(angles > most)) continue;
    most = angles;
    if (node) *node = i;
  }
  return sqrt(most);
}

static bool present(const hk_sim *s) {
  return s->model->n_turns > 0 || hk_integrator_can(s, HK_DENSE_BY_ENDS);
}

static double longest(const hk_sim *s, double h) {
  bool all = hk_integrator_can(s, HK_DENSE_BY_ENDS);
  return fmin(h, (all ? most_turn_by_ends : most_turn) / hk_fastest_turn(s, all, NULL));
}

const hk_source hk_source_turn = {
    .what = "a body that rotates by a radian or more in a longer step",
    .present = present,
    .longest = longest};
