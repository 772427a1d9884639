/* Values of channels at the current state. */
#include "core/contact.h"
#include "base/required.h"
#include "core/map.h"
#include "relation/derive.h"
#include "sim/table_lookup.h"
#include "sim/output.h"
#include "sim/dense_output.h"
#include <string.h>

hk_status hk_output_accelerations(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  if (s->out.have_accelerations) return HK_OK;
  memcpy(s->out.vd, s->x + m->at.vd, (size_t)m->nv * sizeof *s->out.vd);
  memcpy(s->out.lambda, s->x + m->at.lambda, (size_t)m->nc * sizeof *s->out.lambda);
  hk_status status = HK_OK;
  if (hk_integrator_of(s)->accelerations)
    status = hk_integrator_of(s)->accelerations(s, s->x, s->out.vd, s->out.lambda, err);
  else if (!hk_integrator_can(s, HK_MEANS))
    status = hk_sim_accelerations(s, s->x, s->out.vd, s->out.lambda, err);
  if (status < 0) return status;
  /* at a singular position these values cannot be computed: uses the values of the integrator */
  if (status) {
    memcpy(s->out.vd, s->x + m->at.vd, (size_t)m->nv * sizeof *s->out.vd);
    memcpy(s->out.lambda, s->x + m->at.lambda, (size_t)m->nc * sizeof *s->out.lambda);
  }
  s->out.have_accelerations = true;
  s->out.have_frames = false;
  return status;
}

/* Computes the data that channels need at the state x. */
static hk_status prepare(hk_sim *s, unsigned needs, hk_error *err) {
  const hk_model *m = s->model;
  bool loads = needs & HK_NEEDS_LOADS;
  bool accelerations = needs & HK_NEEDS_ACCELERATIONS || (loads && m->friction);
  hk_status status = accelerations ? hk_output_accelerations(s, err) : HK_OK;
  if (status < 0) return status;
  if (!s->out.have_frames || (loads && !s->out.have_loads)) {
    const hk_instant in = hk_instant_last(m, s->x, s->out.lambda);
    hk_kinematics(s->work, &in, HK_FRAMES_ALL);
    hk_constraints(s->work, &in);
    s->work->load = loads ? s->out.load : NULL;
    hk_forces(s->work, &in);
    s->work->load = NULL;
    for (int i = 0; i < m->n_contacts; i++)
      if (!m->contact[i].gap->rows)
        hk_contact_evaluate(s->work, &m->contact[i], &in, false,
                            s->out.point + m->contact[i].point);
    if (loads) hk_output_rigid_loads(s);
    s->out.have_frames = true;
    s->out.have_loads = loads;
    s->out.have_variables = false;
  }
  return HK_OK;
}

static double energy(hk_reading *r, int index, int term) {
  const hk_sim *s = r->sim;
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

static double solver(hk_reading *r, int index, int term) {
  hk_sim *s = r->sim;
  switch (term) {
    case HK_SOLVER_STEP: /* for a time within the last step: the length of this step */
      return s->out.between ? s->out.x_between[s->model->at.h] : s->x[s->model->at.h];
    case HK_SOLVER_NEWTON:
      return (double)s->stats.newton;
    case HK_SOLVER_CONSTRAINT_ERROR:
      return hk_max_abs(s->work->g, s->model->nc, NULL);
    case HK_SOLVER_CONTACT_MERIT:
      return s->stats.contact_merit;
    case HK_SOLVER_CONTACT_PIVOTS:
      return (double)s->stats.contact_pivots;
    default:
      hk_constraint_rate(s->work, s->x + s->model->at.v, s->y);
      for (int i = 0; i < s->model->nc; i++) s->y[i] += s->work->gt[i];
      return hk_max_abs(s->y, s->model->nc, NULL);
  }
}

static double frame(hk_reading *r, int marker, int component) {
  const hk_sim *s = r->sim;
  const hk_frame *F = &s->work->frame[marker];
  hk_vec3 linear, angular;
  if (component < HK_FRAME_QW) {
    const hk_vec3 of_state[3] = {F->x, F->v, F->w};
    return hk_part(of_state[component / 3], component % 3);
  }
  if (component < HK_FRAME_AX) {
    hk_quat q = hk_quat_from_matrix(&F->R);
    const double sign = q.w < 0 ? -1 : 1, part[4] = {q.w, q.x, q.y, q.z};
    return sign * part[component - HK_FRAME_QW];
  }
  hk_map_acceleration(s->work, marker, s->out.vd, &linear, &angular);
  return component < HK_FRAME_ALPHAX ? hk_part(linear, component - HK_FRAME_AX)
                                     : hk_part(angular, component - HK_FRAME_ALPHAX);
}

static double coordinate(hk_reading *r, int index, int component) {
  if (component == HK_COORDINATE_VALUE) return hk_coordinate_value(r->sim->work, index, r->in.turn);
  return component == HK_COORDINATE_RATE
             ? hk_coordinate_rate(r->sim->work, index)
             : hk_coordinate_acceleration(r->sim->work, index, r->sim->out.vd);
}

static double time_now(hk_reading *r, int index, int component) { return r->in.t; }
static double input(hk_reading *r, int index, int component) {
  return hk_input_at(r->sim->model, r->in.input, index, r->in.t);
}
static double state(hk_reading *r, int index, int component) {
  const hk_frame *F = &r->sim->work->frame[r->sim->model->state[index].marker];
  return component ? F->v.x : F->x.x;
}
static double effort(hk_reading *r, int row, int component) { return -r->lambda[row]; }
static double load(hk_reading *r, int node, int component) {
  return r->sim->out.load[node][component];
}

static double deformation(hk_reading *r, int marker, int component) {
  const hk_marker *k = &r->sim->model->marker[marker];
  const hk_pose p = hk_map_pose(r->sim->work, k->node);
  return p.node->type->deformation(&p, k, component);
}

static double value(hk_reading *r, int channel);

/* Value of a sensor. All values that sensors read are computed once per state, and each sensor after the values that it
 * reads. */
static double sensor(hk_reading *r, int index, int component) {
  hk_sim *s = r->sim;
  const hk_model *m = s->model;
  if (!s->out.have_variables) {
    s->out.have_variables = true;
    s->out.variable[0] = r->in.t;
    for (int i = 1; i < m->n_variables; i++) s->out.variable[i] = value(r, m->variable_channel[i]);
  }
  return hk_expr_value(m->sensor[index].expr.expr, s->out.variable);
}

static double value(hk_reading *r, int channel) {
  static double (*const read[HK_N_OWNERS])(hk_reading *, int index, int component) = {
      [HK_OF_TIME] = time_now,
      [HK_OF_FRAME] = frame,
      [HK_OF_COORDINATE] = coordinate,
      [HK_OF_SENSOR] = sensor,
      [HK_OF_INPUT] = input,
      [HK_OF_STATE] = state,
      [HK_OF_FORCE] = hk_output_force,
      [HK_OF_JOINT] = hk_output_joint,
      [HK_OF_ROW] = effort,
      [HK_OF_CONTACT] = hk_output_contact,
      [HK_OF_BODY] = load,
      [HK_OF_ENERGY] = energy,
      [HK_OF_COMPOSITE] = hk_output_composite,
      [HK_OF_SOLVER] = solver,
      [HK_OF_DEFORMATION] = deformation,
  };
  const hk_channel *c = &r->sim->model->channel[channel];
  return read[c->owner](r, c->index, c->component);
}

/* Reports why a sensor has no value. The only valid reason is that its argument is beyond the end of a table. */
static hk_status explain_sensor(const hk_sim *s, hk_error *err) {
  char why[600];
  const hk_item *reader = hk_lookups_explain(s->model, s->out.variable, true, why, sizeof why);
  if (!reader) return HK_OK;
  hk_fail(err, HK_EFAIL, "at t = %.9g s %s", s->x[s->model->at.t], why);
  hk_error_about(err, reader->name, s->x[s->model->at.t], -1);
  return HK_EFAIL;
}

hk_status hk_sim_values(hk_sim *s, const int *channel, int n, double *out, hk_error *err) {
  HK_REQUIRE(n <= 0 || (channel && out), err);
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  unsigned needs = 0;
  for (int i = 0; i < n; i++) {
    if (channel[i] < 0 || channel[i] >= s->model->n_channels)
      return hk_fail(err, HK_EINPUT, "there is no channel number %d", channel[i]);
    needs |= s->model->channel[channel[i]].needs;
  }
  hk_status status = prepare(s, needs, err);
  if (status) return status;
  /* the arrays in this struct are filled when the first channel of a joint, force or composite joint is read */
  hk_reading r;
  r.sim = s;
  r.in = hk_instant_last(s->model, s->x, s->out.lambda);
  r.lambda = s->out.lambda;
  r.joint = r.force = r.composite = -1;
  if (needs & HK_NEEDS_ACCELERATIONS) status = hk_least_reactions(s, &r.in, &r.lambda, err);
  if (status) return status;
  for (int i = 0; i < n; i++) out[i] = value(&r, channel[i]);
  for (int i = 0; i < n && !status && s->model->n_lookups; i++)
    if (isnan(out[i]) && s->model->channel[channel[i]].owner == HK_OF_SENSOR)
      status = explain_sensor(s, err);
  return status;
}

bool hk_sim_interpolates(const hk_sim *s) { return s ? hk_integrator_of(s)->dense != NULL : false; }

double hk_sim_step_start(const hk_sim *s) {
  if (!s) return NAN;
  return s->out.have_step ? s->x_next[s->model->at.t] : hk_sim_time(s);
}

/* Exchanges the current state with the interpolated state. Called before and after the interpolated state is read. */
static void change_places(hk_sim *s) {
  double *x = s->x;
  s->x = s->out.x_between;
  s->out.x_between = x;
  s->out.between = !s->out.between;
  s->out.have_accelerations = s->out.have_frames = s->out.have_loads = s->out.have_variables =
      false;
}

hk_status hk_sim_values_at(hk_sim *s, double t, const int *channel, int n, double *out,
                           hk_error *err) {
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  double now = hk_sim_time(s), start = hk_sim_step_start(s);
  if (t == now) return hk_sim_values(s, channel, n, out, err);
  bool before = hk_dense_on_the_way(s, t, s->out.x_between);
  if (!before && !(t >= start && t <= now))
    return hk_fail(err, HK_EINPUT, "t = %.9g s is outside the last step, %.9g to %.9g s", t, start,
                   now);
  if (!hk_integrator_of(s)->dense)
    return hk_fail(err, HK_EINPUT, "the %s stepper has no values between its steps",
                   s->stepper->name);
  if (!before) hk_integrator_of(s)->dense(s, t, s->out.x_between);
  change_places(s);
  hk_status status = hk_sim_values(s, channel, n, out, err);
  change_places(s);
  return status;
}

double hk_sim_value(hk_sim *s, int channel) {
  if (!s) return NAN;
  double out = NAN;
  return hk_sim_values(s, &channel, 1, &out, NULL) ? NAN : out;
}
