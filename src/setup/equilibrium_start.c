/* Start of a simulation from the equilibrium of the loaded model.
 *
 * Positions are those of the static equilibrium at the start time. The equilibrium moves with motions, prescribed
 * rotations and loads, and the velocities at the start are those of this moving equilibrium. These velocities are
 * computed from two further equilibria, shortly before and shortly after the start time. The search for these
 * equilibria starts from the positions to which the velocities of the model file would lead. So a motion that no force
 * resists, such as the spin of a ball, keeps its velocity from the file. Friction is not included. */
#include "setup/equilibrium_residual.h"
#include <stdlib.h>
#include <string.h>

static const double MOMENT = 1e-4; /* [s] */
/* A residual below this fraction of the loads on a body is accepted, because friction and damping remove it in the
 * run. */
static const double TOLERANCE = 1e-7;

static hk_status equilibrium(const hk_sim *s, double t, const double *q, double *out,
                             hk_error *err) {
  hk_sim *found = NULL;
  hk_static_report report;
  hk_error why = {0};
  const hk_static_options options = {.tolerance = TOLERANCE};
  hk_status status = hk_static_at(s->model, &t, q, &options, &found, &report, &why);
  if (status) return hk_fail_because(err, status, "start from equilibrium", &why);
  memcpy(out, found->x + s->model->at.q, (size_t)s->model->nq * sizeof *out);
  hk_sim_destroy(found);
  return HK_OK;
}

hk_status hk_static_start(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  double *q = s->x + m->at.q, *v = s->x + m->at.v, t = s->x[m->at.t];
  double *block = calloc((size_t)(2 * m->nq + m->nv) + 1, sizeof *block);
  if (!block) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *side[2] = {block, block + m->nq}, *d = side[1] + m->nq;
  hk_status status = equilibrium(s, t, q, q, err);
  for (int k = 0; k < 2 && !status; k++) {
    double ahead = k ? MOMENT : -MOMENT;
    for (int i = 0; i < m->nv; i++) d[i] = ahead * v[i];
    hk_configuration_add(m, q, d, side[k]);
    status = equilibrium(s, t + ahead, side[k], side[k], err);
  }
  if (!status) {
    hk_configuration_sub(m, side[1], side[0], d);
    for (int i = 0; i < m->nv; i++) v[i] = d[i] / (2 * MOMENT);
  }
  free(block);
  return status;
}
