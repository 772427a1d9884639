/* Values of channels at the current state. */
#include "stepper/sim.h"
#include <string.h>

static double part(hk_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static hk_status prepare(hk_sim *s, bool accelerations, hk_error *err) {
  const hk_model *m = s->model;
  if (accelerations && !s->have_accelerations) {
    memcpy(s->vd, s->x + m->at.vd, (size_t)m->nv * sizeof *s->vd);
    memcpy(s->lambda, s->x + m->at.lambda, (size_t)m->nc * sizeof *s->lambda);
    hk_status status = hk_sim_accelerations(s, s->x, s->vd, s->lambda, err);
    if (status < 0) return status;
    if (status) { /* a singular position: the stepper's own values are the best there are */
      memcpy(s->vd, s->x + m->at.vd, (size_t)m->nv * sizeof *s->vd);
      memcpy(s->lambda, s->x + m->at.lambda, (size_t)m->nc * sizeof *s->lambda);
    }
    s->have_accelerations = true;
    s->have_frames = false;
  }
  if (!s->have_frames) {
    const double *turn = s->x + m->at.turn;
    double t = s->x[m->at.t];
    hk_kinematics(s->work, t, s->x + m->at.q, s->x + m->at.v, HK_FRAMES_ALL);
    hk_constraints(s->work, t, turn);
    hk_forces(s->work, t, s->x + m->at.q, s->x + m->at.v, s->lambda, turn);
    s->have_frames = true;
  }
  return HK_OK;
}

/* Angular and linear acceleration of a marker. */
static void marker_acceleration(const hk_sim *s, int marker, hk_vec3 *linear, hk_vec3 *angular) {
  const hk_model *m = s->model;
  *linear = *angular = hk_v3(0, 0, 0);
  int node = m->marker[marker].node;
  if (node == HK_GROUND) return;
  const hk_node *n = &m->node[node];
  const double *a = s->vd + n->v;
  const hk_frame *F = &s->work->frame[marker];
  hk_vec3 base = hk_v3(0, 0, 0);
  if (n->kind == HK_NODE_ROTOR) *angular = hk_scale(a[0], hk_column(&n->R0, 2));
  else base = hk_v3(a[0], a[1], a[2]);
  if (n->kind == HK_NODE_GUIDED) *angular = s->work->turning[node].alpha;
  if (n->kind == HK_NODE_RIGID) *angular = hk_mul(&s->work->R[node], hk_v3(a[3], a[4], a[5]));
  *linear = hk_add(hk_add(base, hk_cross(*angular, F->s)), hk_cross(F->w, hk_cross(F->w, F->s)));
}

static double coordinate_acceleration(const hk_sim *s, int coordinate) {
  const hk_coordinate *c = &s->model->coordinate[coordinate];
  const hk_frame *A = &s->work->frame[c->a], *B = &s->work->frame[c->b];
  hk_row J = {0};
  double bias[HK_RELATION_MAX_ROWS];
  c->type->gradient(c->k, A, B, &J);
  c->type->bias(c->k, A, B, bias);
  hk_vec3 xa, ta, xb, tb;
  marker_acceleration(s, c->a, &xa, &ta);
  marker_acceleration(s, c->b, &xb, &tb);
  return hk_dot(J.xa, xa) + hk_dot(J.ta, ta) + hk_dot(J.xb, xb) + hk_dot(J.tb, tb) + bias[0];
}

/* Force and moment that the joint exerts on its b side: -J^T lambda. */
static double reaction(const hk_sim *s, int constraint, int component) {
  const hk_model *m = s->model;
  const hk_constraint *c = &m->constraint[constraint];
  const hk_frame *A = &s->work->frame[m->port[c->port]], *B = &s->work->frame[m->port[c->port + 1]];
  const double *lambda = s->lambda + c->row;
  double sum = 0;
  for (int i = 0; i < c->n_held; i++) {
    const hk_held *h = &m->held[c->held + i];
    hk_row J[HK_RELATION_MAX_ROWS] = {0};
    h->type->gradient(h->k, A, B, J);
    for (int r = 0; r < h->type->rows; r++)
      sum -= lambda[r] * (component < 3 ? part(J[r].xb, component) : part(J[r].tb, component - 3));
    lambda += h->type->rows;
  }
  return sum;
}

static double energy(const hk_sim *s, int term) {
  const hk_model *m = s->model;
  const double *l = s->x + m->at.ledger;
  double kinetic = hk_kinetic_energy(s->work, s->x + m->at.v);
  switch (term) {
    case HK_ENERGY_KINETIC:
      return kinetic;
    case HK_ENERGY_POTENTIAL:
      return s->work->potential;
    case HK_ENERGY_DISSIPATED:
      return l[HK_LEDGER_DISSIPATED];
    case HK_ENERGY_MOTION_WORK:
      return l[HK_LEDGER_MOTION];
    case HK_ENERGY_APPLIED_WORK:
      return l[HK_LEDGER_APPLIED];
    default:
      return kinetic + s->work->potential + l[HK_LEDGER_DISSIPATED] - l[HK_LEDGER_MOTION] -
             l[HK_LEDGER_APPLIED] - l[HK_LEDGER_START];
  }
}

static double solver(hk_sim *s, int term) {
  switch (term) {
    case HK_SOLVER_STEP:
      return s->stats.step;
    case HK_SOLVER_NEWTON:
      return (double)s->stats.newton;
    case HK_SOLVER_CONSTRAINT_ERROR:
      return hk_max_abs(s->work->g, s->model->nc, NULL);
    default:
      hk_constraint_rate(s->work, s->x + s->model->at.v, s->y);
      for (int r = 0; r < s->model->nc; r++) s->y[r] += s->work->gt[r];
      return hk_max_abs(s->y, s->model->nc, NULL);
  }
}

static double value(hk_sim *s, const hk_channel *c, int channel) {
  const hk_model *m = s->model;
  hk_vec3 linear, angular;
  switch (c->kind) {
    case HK_CH_QUATERNION: {
      hk_quat q = hk_quat_from_matrix(&s->work->frame[c->index].R);
      if (q.w < 0) q = (hk_quat){-q.w, -q.x, -q.y, -q.z};
      return c->component == 0 ? q.w : c->component == 1 ? q.x : c->component == 2 ? q.y : q.z;
    }
    case HK_CH_ACCELERATION:
      marker_acceleration(s, c->index, &linear, &angular);
      return part(linear, c->component);
    case HK_CH_ANGULAR_ACCELERATION:
      marker_acceleration(s, c->index, &linear, &angular);
      return part(angular, c->component);
    case HK_CH_COORDINATE_ACCELERATION:
      return coordinate_acceleration(s, c->index);
    case HK_CH_REACTION:
      return reaction(s, c->index, c->component);
    case HK_CH_MULTIPLIER:
      return -s->lambda[c->index];
    case HK_CH_ENERGY:
      return energy(s, c->component);
    case HK_CH_SOLVER:
      return solver(s, c->component);
    default:
      return hk_channel_state_value(s->work, channel, s->x[m->at.t], s->x + m->at.turn);
  }
}

hk_status hk_sim_values(hk_sim *s, const int *channel, int n, double *out, hk_error *err) {
  bool accelerations = false;
  for (int i = 0; i < n; i++) {
    if (channel[i] < 0 || channel[i] >= s->model->n_channels)
      return hk_fail(err, HK_EINPUT, "there is no channel number %d", channel[i]);
    hk_channel_kind k = s->model->channel[channel[i]].kind;
    accelerations = accelerations || (k > HK_CH_QUATERNION && k < HK_CH_ENERGY);
  }
  hk_status status = prepare(s, accelerations, err);
  for (int i = 0; i < n && !status; i++) out[i] = value(s, &s->model->channel[channel[i]], channel[i]);
  return status;
}

double hk_sim_value(hk_sim *s, int channel) {
  double out = NAN;
  return hk_sim_values(s, &channel, 1, &out, NULL) ? NAN : out;
}
