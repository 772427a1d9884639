/* Values of channels at the current state. */
#include "core/contact.h"
#include "stepper/sim.h"
#include <string.h>

static double part(hk_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static hk_status prepare(hk_sim *s, bool accelerations, bool loads, hk_error *err) {
  const hk_model *m = s->model;
  if (accelerations && !s->have_accelerations) {
    memcpy(s->vd, s->x + m->at.vd, (size_t)m->nv * sizeof *s->vd);
    memcpy(s->lambda, s->x + m->at.lambda, (size_t)m->nc * sizeof *s->lambda);
    hk_status status = HK_OK;
    if (!s->stepper->set_valued) status = hk_sim_accelerations(s, s->x, s->vd, s->lambda, err);
    if (status < 0) return status;
    if (status) { /* a singular position: the stepper's own values are the best there are */
      memcpy(s->vd, s->x + m->at.vd, (size_t)m->nv * sizeof *s->vd);
      memcpy(s->lambda, s->x + m->at.lambda, (size_t)m->nc * sizeof *s->lambda);
    }
    s->have_accelerations = true;
    s->have_frames = false;
  }
  if (!s->have_frames || (loads && !s->have_loads)) {
    const hk_instant in = hk_instant_with(m, s->x, s->lambda);
    hk_kinematics(s->work, &in, HK_FRAMES_ALL);
    hk_constraints(s->work, &in);
    s->work->load = s->load;
    hk_forces(s->work, &in);
    s->work->load = NULL;
    for (int i = 0; i < m->n_contacts; i++)
      if (!m->contact[i].gap->rows)
        hk_contact_evaluate(s->work, &m->contact[i], false, s->point + m->contact[i].point);
    s->have_frames = s->have_loads = true;
    s->have_variables = false;
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
  if (n->kind == HK_NODE_ROTOR)
    *angular = hk_scale(a[0], hk_column(&n->R0, 2));
  else
    base = hk_v3(a[0], a[1], a[2]);
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
    case HK_SOLVER_CONTACT_MERIT:
      return s->contact_merit;
    case HK_SOLVER_CONTACT_PIVOTS:
      return (double)s->contact_pivots;
    default:
      hk_constraint_rate(s->work, s->x + s->model->at.v, s->y);
      for (int r = 0; r < s->model->nc; r++) s->y[r] += s->work->gt[r];
      return hk_max_abs(s->y, s->model->nc, NULL);
  }
}

/* Contact of a set-valued law: what the last step left in the state, NaN for other terms. */
static double kept(const hk_sim *s, int point, int term) {
  const double *x = s->x + s->model->at.touch + point * HK_N_TOUCH;
  double h = s->stats.step > 0 ? s->stats.step : INFINITY;
  switch (term) {
    case HK_CONTACT_NORMAL_FORCE:
      return x[HK_TOUCH_IMPULSE_N] / h;
    case HK_CONTACT_FRICTION_FORCE:
      return hypot(x[HK_TOUCH_IMPULSE_T], x[HK_TOUCH_IMPULSE_S]) / h;
    case HK_CONTACT_SLIDING_WORK:
      return x[HK_TOUCH_SLIDING_WORK];
    case HK_CONTACT_IMPULSE:
      return x[HK_TOUCH_IMPULSE_N];
    case HK_CONTACT_APPROACH:
      return x[HK_TOUCH_APPROACH];
    case HK_CONTACT_IMPACTS:
      return x[HK_TOUCH_IMPACTS];
    case HK_CONTACT_CLOSED:
      return x[HK_TOUCH_IMPULSE_N] > 0;
    case HK_CONTACT_CLOSED_TIME:
      return x[HK_TOUCH_CLOSED];
    default:
      return NAN;
  }
}

/* ... and what depends on where its bodies are. */
static double impulsive(const hk_sim *s, const hk_contact *k, int point, int term) {
  const hk_model *m = s->model;
  const double *x = s->x + m->at.touch + point * HK_N_TOUCH;
  double h = s->stats.step > 0 ? s->stats.step : INFINITY;
  double tangential = hypot(x[HK_TOUCH_IMPULSE_T], x[HK_TOUCH_IMPULSE_S]);
  const hk_frame *A = &s->work->frame[k->a], *B = &s->work->frame[k->b];
  hk_vec3 F = {0, 0, 0};
  double gap, slip = 0;
  if (k->gap->rows) {
    hk_gap_rows rows[HK_CONTACT_MAX_POINTS];
    k->gap->rows(k->k, A, B, rows);
    const hk_gap_rows *r = &rows[point - k->point];
    gap = r->gap;
    for (int i = 0; i < k->gap->tangents; i++) slip = hypot(slip, hk_row_rate(&r->T[i], A, B));
  } else {
    const hk_gap *g = &s->point[point].gap;
    gap = g->gap;
    hk_vec3 v = hk_sub(hk_add(B->v, hk_cross(B->w, hk_sub(g->c, B->x))),
                       hk_add(A->v, hk_cross(A->w, hk_sub(g->c, A->x))));
    slip = hk_norm(hk_axpy(v, -hk_dot(v, g->n), g->n));
    F = hk_scale(x[HK_TOUCH_IMPULSE_N] / h, g->n);
    F = hk_axpy(F, x[HK_TOUCH_IMPULSE_T] / h, g->t);
    F = hk_axpy(F, x[HK_TOUCH_IMPULSE_S] / h, hk_cross(g->n, g->t));
  }
  switch (term) {
    case HK_CONTACT_GAP:
      return gap;
    case HK_CONTACT_SLIP:
      return x[HK_TOUCH_IMPULSE_N] > 0 ? slip : 0;
    case HK_CONTACT_POWER:
      return slip * tangential / h;
    default:
      return part(F, term - HK_CONTACT_FX);
  }
}

static double contact(const hk_sim *s, int point, int term) {
  const hk_model *m = s->model;
  const hk_contact *k = &m->contact[m->point_contact[point]];
  if (k->law->set_valued) {
    double x = kept(s, point, term);
    return isnan(x) ? impulsive(s, k, point, term) : x;
  }
  const hk_contact_point *p = &s->point[point];
  double half_t = 0, half_s = 0, peak = 0, N = p->normal.N;
  switch (term) {
    case HK_CONTACT_GAP:
      return p->gap.gap;
    case HK_CONTACT_NORMAL_FORCE:
      return N;
    case HK_CONTACT_FRICTION_FORCE:
      return hk_norm(hk_axpy(p->force, -N, p->gap.n));
    case HK_CONTACT_SLIP:
      return hk_norm(p->slip);
    case HK_CONTACT_POWER:
      return p->sliding_power + p->damping_power;
    case HK_CONTACT_SLIDING_WORK:
      return s->x[m->at.touch + point * HK_N_TOUCH + HK_TOUCH_SLIDING_WORK];
    case HK_CONTACT_CLOSED:
      return N > 0;
    case HK_CONTACT_CLOSED_TIME:
      return s->x[m->at.touch + point * HK_N_TOUCH + HK_TOUCH_CLOSED];
    case HK_CONTACT_PRESSURE:
    case HK_CONTACT_HALF_T:
    case HK_CONTACT_HALF_S:
      if (N > 0) k->law->pressure(k->l, -p->gap.gap, N, &half_t, &half_s, &peak);
      return term == HK_CONTACT_PRESSURE ? peak : term == HK_CONTACT_HALF_T ? half_t : half_s;
    default:
      return part(p->force, term - HK_CONTACT_FX);
  }
}

static double value(hk_sim *s, const hk_channel *c, int channel);

/* All that sensors read, once per state; a sensor stands behind what it reads. */
static double sensor(hk_sim *s, int index) {
  const hk_model *m = s->model;
  if (!s->have_variables) {
    s->have_variables = true;
    s->variable[0] = s->x[m->at.t];
    for (int i = 1; i < m->n_variables; i++) {
      int channel = m->variable_channel[i];
      s->variable[i] = value(s, &m->channel[channel], channel);
    }
  }
  return hk_expr_value(m->sensor[index].expr.expr, s->variable);
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
    case HK_CH_CONTACT:
      return contact(s, c->index, c->component);
    case HK_CH_LOAD:
      return s->load[c->index][c->component];
    case HK_CH_ENERGY:
      return energy(s, c->component);
    case HK_CH_SOLVER:
      return solver(s, c->component);
    case HK_CH_SENSOR:
      return sensor(s, c->index);
    default: {
      const hk_instant in = hk_instant_at(m, s->x);
      return hk_channel_state_value(s->work, channel, &in);
    }
  }
}

hk_status hk_sim_values(hk_sim *s, const int *channel, int n, double *out, hk_error *err) {
  bool accelerations = false, loads = false;
  for (int i = 0; i < n; i++) {
    if (channel[i] < 0 || channel[i] >= s->model->n_channels)
      return hk_fail(err, HK_EINPUT, "there is no channel number %d", channel[i]);
    hk_channel_kind k = s->model->channel[channel[i]].kind;
    accelerations = accelerations || (k == HK_CH_SENSOR && s->model->sensors_need_accelerations) ||
                    (k > HK_CH_QUATERNION && k < HK_CH_CONTACT);
    loads = loads || k == HK_CH_LOAD || (k == HK_CH_SENSOR && s->sensors_need_loads);
  }
  hk_status status = prepare(s, accelerations, loads, err);
  for (int i = 0; i < n && !status; i++)
    out[i] = value(s, &s->model->channel[channel[i]], channel[i]);
  return status;
}

bool hk_sim_interpolates(const hk_sim *s) { return s->stepper->interpolate != NULL; }

double hk_sim_step_start(const hk_sim *s) {
  return s->have_step ? s->x_next[s->model->at.t] : hk_sim_time(s);
}

/* The state between takes the place of the current one for as long as it is looked at. */
static void change_places(hk_sim *s) {
  double *x = s->x;
  s->x = s->x_between;
  s->x_between = x;
  s->have_accelerations = s->have_frames = s->have_loads = s->have_variables = false;
}

hk_status hk_sim_values_at(hk_sim *s, double t, const int *channel, int n, double *out,
                           hk_error *err) {
  double now = hk_sim_time(s), start = hk_sim_step_start(s);
  if (t == now) return hk_sim_values(s, channel, n, out, err);
  if (!(t >= start && t <= now))
    return hk_fail(err, HK_EINPUT, "t = %.9g s lies outside the last step, %.9g to %.9g s", t, start,
                   now);
  if (!s->stepper->interpolate)
    return hk_fail(err, HK_EINPUT, "the %s stepper has no values between its steps",
                   s->stepper->name);
  s->stepper->interpolate(s, t, s->x_between);
  change_places(s);
  hk_status status = hk_sim_values(s, channel, n, out, err);
  change_places(s);
  return status;
}

double hk_sim_value(hk_sim *s, int channel) {
  double out = NAN;
  return hk_sim_values(s, &channel, 1, &out, NULL) ? NAN : out;
}
