/* The equations of motion for integrators outside of the library, and derivatives with respect to inputs: see
 * hooke/sim.h. */
#include "node/dispatch.h"
#include "base/required.h"
#include "sim/sim.h"
#include <stdlib.h>

/* A separate state in scratch memory: the state of the simulation is not changed. */
static double *scratch_state(hk_sim *s, double t, const double *q, const double *v) {
  const hk_model *m = s->model;
  double *x = s->out.x_between;
  hk_copy(x, s->x, s->state_size);
  x[m->at.t] = t;
  hk_copy(x + m->at.q, q, m->nq);
  hk_copy(x + m->at.v, v, m->nv);
  s->out.have_accelerations = s->out.have_frames = s->out.have_loads = s->out.have_variables =
      false;
  return x;
}

static void normalize(const hk_model *m, double *q) {
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->turn < 0) continue;
    double *at = q + n->q + n->turn;
    hk_quat_put(at, hk_quat_normalize(hk_quat_at(at)));
  }
}

static hk_status refuse_rigid(const hk_model *m, hk_error *err) {
  if (!m->set_valued) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the model has rigid contacts, so its velocities jump and accelerations do not "
                 "describe the motion; use a compliant contact law");
}

hk_status hk_sim_rates(hk_sim *s, double t, const double *q, const double *v, double *qd,
                       double *vd, double *lambda, hk_error *err) {
  HK_REQUIRE(q && v && qd && vd, err);
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  const hk_model *m = s->model;
  hk_status status = refuse_rigid(m, err);
  if (status) return status;
  double *x = scratch_state(s, t, q, v);
  normalize(m, x + m->at.q);
  status = hk_states_begin(s, x, err);
  hk_copy(s->out.vd, x + m->at.vd, m->nv);
  hk_copy(s->out.lambda, x + m->at.lambda, m->nc);
  if (!status) status = hk_sim_accelerations(s, x, s->out.vd, s->out.lambda, err);
  if (status == HK_RETRY)
    return hk_fail(err, HK_RETRY, "at t = %.9g s there are no finite accelerations", t);
  if (status) return status;
  /* Uses the given quaternions without normalisation; their length is therefore constant. */
  if (qd) hk_configuration_rate(m, q, x + m->at.v, qd);
  if (vd) hk_copy(vd, s->out.vd, m->nv);
  if (lambda) hk_copy(lambda, s->out.lambda, m->nc);
  return HK_OK;
}

hk_status hk_sim_project(hk_sim *s, double t, double *q, double *v, hk_error *err) {
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  const hk_model *m = s->model;
  double *x = scratch_state(s, t, q, v);
  normalize(m, x + m->at.q);
  hk_status status = hk_integrator_project(s, x);
  if (status)
    return hk_fail(err, status == HK_RETRY ? HK_EFAIL : status,
                   "at t = %.9g s the positions cannot be projected onto the joints", t);
  hk_copy(q, x + m->at.q, m->nq);
  hk_copy(v, x + m->at.v, m->nv);
  return HK_OK;
}

/* ---- derivatives by inputs ---- */

typedef struct probe {
  hk_sim *sim;
  const int *input, *channel;
  const double *seed;
  int n, m;
} probe;

/* Computes the values of the channels for inputs that are changed by h times the vector `seed`. */
static hk_status values_at(const probe *p, const double *at, double h, double *out, hk_error *err) {
  hk_sim *s = p->sim;
  for (int i = 0; i < p->n; i++) s->x[s->model->at.input + p->input[i]] = at[i] + h * p->seed[i];
  s->out.have_accelerations = s->out.have_loads = s->out.have_variables = s->out.have_frames =
      false;
  return hk_sim_values(s, p->channel, p->m, out, err);
}

static hk_status central(const probe *p, const double *at, double h, double *low, double *out,
                         hk_error *err) {
  hk_status status = values_at(p, at, h, out, err);
  if (!status) status = values_at(p, at, -h, low, err);
  for (int k = 0; k < p->m && !status; k++) out[k] = (out[k] - low[k]) / (2 * h);
  return status;
}

/* The longer and the shorter length of a difference, and the relative difference below which two difference quotients
 * agree. */
static const double longer = 1e-2, shorter = 1e-5, agreed = 1e-7;

/* Computes the difference quotient with two step lengths. If both agree, the channel is linear, and the longer one,
 * which has less round-off, is used. */
static hk_status differentiate(const probe *p, const double *at, double size, double *room,
                               double *out, hk_error *err) {
  double *fine = room, *low = room + p->m;
  hk_status status = central(p, at, longer * size, low, out, err);
  if (!status) status = central(p, at, shorter * size, low, fine, err);
  for (int k = 0; k < p->m && !status; k++)
    if (!(fabs(out[k] - fine[k]) <= agreed * fabs(out[k]))) out[k] = fine[k];
  return status;
}

hk_status hk_sim_sensitivity(hk_sim *s, const int *input, int n, const double *seed,
                             const int *channel, int m, double *out, hk_error *err) {
  HK_REQUIRE((input || n <= 0) && (m <= 0 || (channel && out)), err);
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  const probe p = {s, input, channel, seed, n, m};
  double size = 0, longest = 0;
  for (int i = 0; i < n; i++)
    if (input[i] < 0 || input[i] >= s->model->n_own_inputs)
      return hk_fail(err, HK_EINPUT, "there is no input number %d; the model has %d", input[i],
                     s->model->n_own_inputs);
  double *room = malloc(((size_t)n + 2 * (size_t)m + 1) * sizeof *room);
  if (!room) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *at = room + 2 * m, jump = s->x[s->model->at.jump];
  for (int i = 0; i < n; i++) {
    at[i] = s->x[s->model->at.input + input[i]];
    size = fmax(size, fabs(at[i]));
    longest = fmax(longest, fabs(seed[i]));
  }
  for (int k = 0; k < m; k++) out[k] = 0;
  hk_status status = HK_OK;
  if (longest > 0) status = differentiate(&p, at, (size > 0 ? size : 1) / longest, room, out, err);
  for (int i = 0; i < n; i++) s->x[s->model->at.input + input[i]] = at[i];
  s->x[s->model->at.jump] = jump;
  s->out.have_accelerations = s->out.have_loads = s->out.have_variables = s->out.have_frames =
      false;
  free(room);
  return status;
}
