/* Static equilibrium: positions q on the constraints with f(q, 0, lambda, t) = G^T lambda.
 *
 *   Newton:      [ K + mu W  G^T ] [ d  ]   [ r ]        r = f - G^T lambda
 *               [ G         0   ] [ dl ] = [ 0 ]
 *
 * with the multipliers of equilibrium_residual.h, a limited step, and halving until the norm of
 * r decreases. mu is small; it is needed for motions that no force resists, such as that of a
 * free shaft.
 *
 * If Newton's method fails: overdamped relaxation. The motion W d' = r of a model without inertia in a viscous fluid
 * leads to a stable equilibrium. This motion is followed by implicit Euler steps of length 1/mu. These steps solve the
 * same equations, with a mu that decreases with the residual (switched evolution relaxation), so that the last
 * iterations are those of Newton's method. A step against the force, r.d < 0, shows that 1/mu is too long for an
 * unstable position. If soft and stiff motions are combined, as for a shaft that floats between hard contacts, the
 * relaxation converges slowly. Therefore Newton's method makes the final iterations. */
#include "sim/fmu_partners.h"
#include "base/required.h"
#include "base/options.h"
#include "control/controller.h"
#include "setup/equilibrium_residual.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
  hk_sim *sim;
  hk_balance balance;
  hk_system *sys; /* full tangent, kept rows */
  double *d;      /* [sys->n] */
  double *start;  /* [nq] as assembled */
  double tolerance;
  int max_newton, max_relaxation;
  hk_static_report *report;
  hk_progress_fn *progress;
  void *context;
  bool stopped; /* the caller has requested to stop */
} search;

/* Before an iteration. */
static bool goes_on(search *s) {
  long count = s->report->newton + s->report->relaxation;
  const hk_progress now = {.what = "equilibrium", .done = NAN, .time = NAN, .count = count};
  s->stopped = s->stopped || (s->progress && !s->progress(s->context, &now));
  return !s->stopped;
}

static void release(search *s) {
  hk_balance_free(&s->balance);
  hk_system_destroy(s->sys);
  free(s->d);
  free(s->start);
}

static hk_status prepare(search *s, hk_error *err) {
  hk_balance_free(&s->balance);
  hk_system_destroy(s->sys);
  free(s->d);
  s->sys = NULL;
  s->d = NULL;
  hk_status status = hk_balance_create(s->sim, &s->balance, err);
  if (!status)
    status = hk_system_create(s->sim->model, s->sim->kept, true, HK_SOLVER_KLU, &s->sys, err);
  if (status) return status;
  s->d = calloc((size_t)s->sys->n + 1, sizeof *s->d);
  return s->d ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

static bool balanced(const search *s) {
  hk_imbalance worst = hk_balance_worst(&s->balance, s->balance.r);
  return worst.size == 0 || worst.relative <= s->tolerance;
}

/* Largest entry of the stiffness relative to the metric: the unit of mu. */
static double stiffness_scale(const search *s) {
  const hk_model *m = s->sim->model;
  double most = 0;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++)
      most = fmax(most, fabs(s->sys->diagonal[i].at[k * s->sys->diagonal[i].stride + k]) /
                            s->balance.weight[m->node[i].v + k]);
  double force = s->balance.largest / m->length;
  return fmax(most, force > 0 ? force : 1);
}

/* Scales the stiffness blocks. The rows of joints have compliances as pivots; next to stiffnesses of 1e10 N/m they
 * would seem singular. After scaling, both kinds of pivots have the same magnitude. */
static void scale_stiffness(hk_system *sys, int n_nodes, double factor) {
  const hk_block_pattern *p = sys->pattern;
  for (int i = 0; i < n_nodes; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
      if (p->column[e] >= n_nodes) continue;
      double *block = sys->matrix->value + p->value_start[e];
      for (int k = 0; k < p->size[i] * p->size[p->column[e]]; k++) block[k] *= factor;
    }
}

/* Computes the step for this mu (in units of the scale of the stiffness), limited in length. HK_RETRY: the matrix is
 * singular. */
static hk_status find_step(search *s, double mu) {
  const hk_model *m = s->sim->model;
  const hk_coefficients c = {.cK = 1};
  const hk_instant in = hk_instant_settled(m, s->sim->x, s->balance.lambda);
  hk_status status = hk_assemble(s->sys, s->sim->work, &c, &in);
  if (status) return status;
  double scale = stiffness_scale(s);
  scale_stiffness(s->sys, m->n_nodes, 1 / scale);
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++)
      s->sys->diagonal[i].at[k * s->sys->diagonal[i].stride + k] +=
          mu * s->balance.weight[m->node[i].v + k];
  status = hk_linear_solver_factor(s->sys->solver, s->sys->matrix);
  if (status) return status;
  memset(s->d, 0, (size_t)s->sys->n * sizeof *s->d);
  for (int i = 0; i < m->nv; i++) s->d[i] = s->balance.r[i] / scale;
  hk_linear_solver_solve(s->sys->solver, s->d);
  return isfinite(hk_max_abs(s->d, m->nv, NULL)) ? HK_OK : HK_RETRY;
}

/* Largest displacement over the length, or rotation in radians. */
static double step_size(const hk_model *m, const double *d, double length) {
  double most = 0;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      bool turn = m->node[i].coordinate[k].angular;
      most = fmax(most, fabs(d[m->node[i].v + k]) / (turn ? 1 : length));
    }
  return most;
}

/* Moves x0 by factor times the step, projects it onto the constraints and computes its residual;
 * the result is x. */
static hk_status try_step(search *s, const double *q0, double factor, hk_error *err) {
  const hk_model *m = s->sim->model;
  double *x = s->sim->x;
  for (int i = 0; i < m->nv; i++) s->sim->d[i] = factor * s->d[i];
  hk_configuration_add(m, q0, s->sim->d, x + m->at.q);
  hk_status status = hk_balance_close(&s->balance, x, err);
  if (!status) status = hk_balance_evaluate(&s->balance, x, err);
  return status;
}

static hk_status return_to(search *s, const double *q0, hk_error *err) {
  memcpy(s->sim->x + s->sim->model->at.q, q0, (size_t)s->sim->model->nq * sizeof *q0);
  return hk_balance_evaluate(&s->balance, s->sim->x, err);
}

/* Damping of the steps of Newton's method, relative to the stiffness. least_damping: minimum. damping_if_slow: smaller
 * minimum, used if the damping slows down the convergence. The damping is divided by damping_falls after a step that
 * improves the balance, and multiplied by damping_grows after a step that does not. */
static const double least_damping = 1e-9, damping_if_slow = 1e-13, damping_falls = 10,
                    damping_grows = 30;
/* slow_share: a step is slow if more than this fraction of the imbalance remains. least_gain: a step improves the
 * balance if the reduction of the imbalance is at least this fraction of the reduction for a linear model.
 * longest_newton: longest step, in lengths of the model or radians. */
static const double slow_share = 0.1, least_gain = 1e-4, longest_newton = 0.5;
enum { MOST_REFUSED = 8, MOST_HALVINGS = 12 };

/* Newton's method.  HK_OK: in equilibrium; HK_RETRY: no equilibrium was found. */
static hk_status newton(search *s, double mu, hk_error *err) {
  const hk_model *m = s->sim->model;
  double *q = s->sim->x + m->at.q, *q0 = s->sim->x_next + m->at.q;
  /* the limit is larger for large distances, because the length of the model may be that of one small body */
  double reach = m->length;
  int refused = 0;
  for (int used = 0; !balanced(s); used++) {
    if (used >= s->max_newton || refused > MOST_REFUSED || !goes_on(s)) return HK_RETRY;
    s->report->newton++;
    memcpy(q0, q, (size_t)m->nq * sizeof *q0);
    double before = s->balance.norm, factor = 1;
    hk_status status = find_step(s, mu);
    if (status < 0) return status;
    bool better = false;
    if (!status) {
      factor = fmin(1, longest_newton / step_size(m, s->d, reach));
      for (int halving = 0; halving < MOST_HALVINGS && !better; halving++, factor /= 2) {
        status = try_step(s, q0, factor, err);
        if (status < 0) return status;
        better = !status && s->balance.norm < (1 - least_gain * factor) * before;
        reach = better && halving == 0 ? 2 * reach : m->length;
      }
    }
    if (better) {
      if (m->n_turns) hk_coordinates_accept(s->sim->work, s->sim->x + m->at.turn);
      refused = 0;
      /* if soft and stiff motions are combined, mu slows down the convergence */
      bool slow = s->balance.norm > slow_share * before;
      mu = fmax(slow ? damping_if_slow : least_damping, mu / damping_falls);
      continue;
    }
    status = return_to(s, q0, err);
    if (status) return status;
    refused++;
    mu *= damping_grows;
  }
  return HK_OK;
}

static const double polished_step = 1e-3; /* a longer step means that the result was not accurate */

/* Improves a result that meets the tolerance to full accuracy by one or two further iterations. */
static hk_status polish(search *s, hk_error *err) {
  const hk_model *m = s->sim->model;
  double *q = s->sim->x + m->at.q, *q0 = s->sim->x_next + m->at.q;
  for (int i = 0; i < 3 && s->balance.norm > 0; i++) {
    double before = s->balance.norm;
    memcpy(q0, q, (size_t)m->nq * sizeof *q0);
    if (find_step(s, least_damping) || step_size(m, s->d, m->length) > polished_step) return HK_OK;
    hk_status status = try_step(s, q0, 1, err);
    if (status < 0) return status;
    if (status || !(s->balance.norm < 0.5 * before)) return return_to(s, q0, err);
  }
  return HK_OK;
}

/* Constants of the relaxation. longest: longest step, in lengths of the model or radians. most_growth: largest growth
 * of the imbalance in a step. farthest: distance from the start, in lengths of the model, beyond which the model is
 * considered to fall without limit. damping_cut, damping_rise: limits of the factor by which the damping changes in a
 * step. damping_share: ratio of this factor to the change of the imbalance. */
static const double longest = 0.2, most_growth = 10, farthest = 1000;
static const double damping_cut = 0.1, damping_rise = 1.5, damping_share = 0.8;
enum { MOST_CUT = 60 };

static hk_status relax(search *s, hk_error *err) {
  const hk_model *m = s->sim->model;
  double *x = s->sim->x, *q0 = s->sim->x_next + m->at.q;
  hk_status status = return_to(s, s->start, err);
  double mu = 1;
  int cut = 0;
  while (!status && !balanced(s)) {
    if (s->report->relaxation++ >= s->max_relaxation || !goes_on(s)) return HK_RETRY;
    memcpy(q0, x + m->at.q, (size_t)m->nq * sizeof *q0);
    double before = s->balance.norm, along = 0;
    status = find_step(s, mu);
    if (status < 0) return status;
    for (int i = 0; i < m->nv; i++) along += s->d[i] * s->balance.r[i];
    bool good = !status && along > 0 && step_size(m, s->d, m->length) <= longest;
    if (good) {
      status = try_step(s, q0, 1, err);
      if (status < 0) return status;
      good = !status && s->balance.norm < most_growth * before + s->tolerance;
      if (!good) status = return_to(s, q0, err);
    } else {
      status = HK_OK;
    }
    if (!good) {
      mu *= 4;
      if (++cut > MOST_CUT) return HK_RETRY;
      continue;
    }
    cut = 0;
    if (m->n_turns) hk_coordinates_accept(s->sim->work, x + m->at.turn);
    mu = fmax(least_damping,
              mu * fmin(damping_rise, fmax(damping_cut, damping_share * s->balance.norm / before)));
    hk_configuration_sub(m, x + m->at.q, s->start, s->sim->d);
    if (step_size(m, s->sim->d, m->length) > farthest)
      return HK_RETRY; /* the model falls without limit, so there is no equilibrium */
  }
  return status;
}

/* ---- the whole ---- */

/* After relaxation Newton's method is tried with smaller damping: the first one, and the factor to the next. */
static const double first_damping = 1e-15, next_damping = 100;
/* Default options; and the first step [s] of a simulation that continues from the equilibrium. */
static const double default_tolerance = 1e-10, step_after = 1e-4;
enum { DEFAULT_NEWTON = 100, DEFAULT_RELAXATION = 2000 };

static void measure_way(const search *s) {
  const hk_model *m = s->sim->model;
  hk_configuration_sub(m, s->sim->x + m->at.q, s->start, s->sim->d);
  for (int i = 0; i < m->n_nodes; i++) {
    if (m->node[i].type->number) continue; /* a scalar state has no displacement */
    for (int k = 0; k < m->node[i].nv; k++) {
      double size = fabs(s->sim->d[m->node[i].v + k]);
      bool turn = m->node[i].coordinate[k].angular;
      if (turn)
        s->report->turned = fmax(s->report->turned, size);
      else
        s->report->moved = fmax(s->report->moved, size);
    }
  }
}

/* Computes the state at rest with the reactions of minimum norm, as reported by channels. */
static hk_status finish(search *s, hk_error *err) {
  hk_sim *sim = s->sim;
  const hk_model *m = sim->model;
  /* The rows that are redundant at the end of the search may differ from those at its start. */
  hk_status status = HK_OK;
  if (s->report->moved > 0 || s->report->turned > 0) {
    const hk_instant in = hk_instant_at(m, sim->x);
    hk_kinematics(sim->work, &in, HK_FRAMES_MOVING);
    hk_constraints(sim->work, &in);
    status = hk_find_redundancy(sim, NULL, err);
    if (!status) status = prepare(s, err);
  }
  if (!status) status = hk_balance_begin(&s->balance, sim->x, err);
  double *Z = NULL;
  int n = 0;
  if (!status) status = hk_balance_self_stress(&s->balance, &Z, &n, err);
  if (!status) status = hk_balance_least_norm(m, Z, n, s->balance.lambda, err);
  free(Z);
  if (!status) status = hk_build_systems(sim, sim->option.tangent == HK_TANGENT_FULL, err);
  if (status) return status;
  s->report->redundant = n;
  s->report->residual = hk_balance_worst(&s->balance, s->balance.r);
  memset(sim->out.vd, 0, (size_t)m->nv * sizeof *sim->out.vd);
  memcpy(sim->out.lambda, s->balance.lambda, (size_t)m->nc * sizeof *sim->out.lambda);
  memcpy(sim->x + m->at.lambda, sim->out.lambda, (size_t)m->nc * sizeof *sim->out.lambda);
  sim->x[m->at.ledger + HK_LEDGER_START] = sim->work->potential;
  sim->out.have_accelerations = true;
  sim->out.have_frames = false;
  hk_sim_start_memory(sim);
  const hk_integrator *k = hk_integrator_of(sim); /* the caller may continue with a simulation */
  if (k->restart) k->restart(sim, sim->x);
  if (!sim->own && k->create) status = k->create(sim, err);
  if (status) return status;
  *hk_control_wanted(sim, sim->x) = sim->option.step > 0 ? sim->option.step : step_after;
  return HK_OK;
}

static hk_status not_found(search *s, hk_error *err) {
  hk_status status = return_to(s, s->start, err);
  if (status < 0) return status;
  char now[300], before[300];
  hk_imbalance_text(&s->report->residual, now, sizeof now);
  hk_imbalance_text(&s->report->start, before, sizeof before);
  hk_fail(
      err, HK_EFAIL,
      "no equilibrium was found: %s remains unbalanced after "
      "%d Newton and %d relaxation steps (as placed: %s). It may have no support against this "
      "load; check supports, springs and loads, or place the bodies nearer to the equilibrium%s",
      now, s->report->newton, s->report->relaxation, before,
      s->sim->model->set_valued ? ". Contacts with set-valued laws exert no force here: use a "
                                  "compliant law, such as hertz"
                                : "");
  hk_error_about(err, s->report->residual.body, s->sim->x[s->sim->model->at.t], -1);
  return HK_EFAIL;
}

static hk_status look(search *s, const hk_static_options *o, hk_error *err) {
  const hk_model *m = s->sim->model;
  hk_status status = prepare(s, err);
  s->start = calloc((size_t)m->nq + 1, sizeof *s->start);
  if (!status && !s->start) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (status) return status;
  memcpy(s->start, s->sim->x + m->at.q, (size_t)m->nq * sizeof *s->start);
  status = hk_balance_begin(&s->balance, s->sim->x, err);
  if (status) return status;
  s->report->start = s->report->residual = hk_balance_worst(&s->balance, s->balance.r);
  if (o && o->as_placed) return finish(s, err);
  status = newton(s, least_damping, err);
  if (status > 0) {
    s->report->residual = hk_balance_worst(&s->balance, s->balance.r);
    status = relax(s, err);
    for (double mu = first_damping; status > 0 && mu < least_damping; mu *= next_damping)
      status = newton(s, mu, err);
    if (status > 0) {
      if (s->report->relaxation) s->report->residual = hk_balance_worst(&s->balance, s->balance.r);
      return not_found(s, err);
    }
  }
  if (!status && s->report->newton + s->report->relaxation > 0) status = polish(s, err);
  if (status) return status;
  measure_way(s);
  return finish(s, err);
}

hk_status hk_static_at(const hk_model *model, const double *t, const double *q,
                       const hk_static_options *o, hk_sim **out, hk_static_report *report,
                       hk_error *err) {
  *out = NULL;
  *report = (hk_static_report){.start.body = "", .residual.body = ""};
  search s = {
      .report = report,
      .tolerance = o && o->tolerance > 0 ? o->tolerance : default_tolerance,
      .progress = o ? o->progress : NULL,
      .context = o ? o->context : NULL,
      .max_newton = o && o->max_newton > 0 ? o->max_newton : DEFAULT_NEWTON,
      .max_relaxation = o && o->max_relaxation > 0 ? o->max_relaxation : DEFAULT_RELAXATION};
  hk_status status = hk_sim_assemble(model, NULL, &s.sim, NULL, err);
  if (status) return status;
  s.sim->work->still = true;
  if (t) s.sim->x[model->at.t] = *t;
  if (q) memcpy(s.sim->x + model->at.q, q, (size_t)model->nq * sizeof *q);
  double *v = s.sim->x + model->at.v;
  report->moving = hk_max_abs(v, model->nv, NULL) > 0;
  memset(v, 0, (size_t)model->nv * sizeof *v);
  status = look(&s, o, err);
  if (!status) status = hk_balance_refuse_closed(s.sim, err);
  if (s.stopped) {
    status = hk_fail(err, HK_STOPPED, "stopped by the caller");
  } else if (status > 0) /* singular position reached, or unlimited forces */
    status = hk_fail_because(err, HK_EFAIL, "no equilibrium was found", err);
  if (status) hk_error_about(err, NULL, s.sim->x[model->at.t], -1);
  release(&s);
  if (status)
    hk_sim_destroy(s.sim);
  else
    *out = s.sim;
  return status;
}

hk_status hk_static_solve(const hk_model *model, const hk_static_options *o, hk_sim **out,
                          hk_static_report *report, hk_diag *diag, hk_error *err) {
  HK_REQUIRE(out, err);
  hk_static_report own;
  hk_static_options options;
  HK_TAKE_OPTIONS(options, o);
  if (!report) report = &own;
  if (!model) return *out = NULL, hk_fail(err, HK_EINPUT, HK_NO_MODEL);
  hk_status status = hk_partners_refuse(model, "the search of an equilibrium", err);
  if (status) return *out = NULL, status;
  status = hk_static_at(model, NULL, NULL, &options, out, report, err);
  if (!status && report->redundant)
    hk_diag_add(diag, HK_NOTE, NULL,
                "%d constraint row%s redundant: the reactions are not unique, and those of minimum "
                "norm are given",
                report->redundant, report->redundant == 1 ? " is" : "s are");
  return status;
}
