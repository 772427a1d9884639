/* Implicit trapezoidal rule for models without constraints, Newton on the velocities only:
 *
 *   q1 = q0 o exp(h/2 (v0 + v1)),   M (v1 - v0) = h/2 (M v0' + f(q1, v1, t1))
 *
 * with the matrix M + h/2 C + h^2/4 K. The acceleration comes from the rule itself, v1' = 2 (v1 - v0)/h - v0', which no
 * stiff force can amplify. The method is of second order, A-stable and without numerical damping. It must start from a
 * consistent state, because oscillations are not damped.
 *
 * Start values and the local error h^3 v''/12 come from the velocities of the last steps, not from the accelerations:
 * in the accelerations, modes that are much too fast for the step oscillate without any effect on the motion, and would
 * make the steps unnecessarily small.
 *
 * A factorization is used for several steps. The state contains the positions and velocities at which the matrix was
 * computed, so that a run that continues from a saved state computes the same factorization to the last bit. */
#include "control/contact_error.h"
#include "sim/quality.h"
#include "sim/dense_output.h"
#include "control/reference_step.h"
#include <stdlib.h>
#include <string.h>

/* The integrator's variables, after those of the model: the history, and the state at which the factorization was
 * computed. */
typedef struct past {
  double h[2];      /* lengths of the last two steps, 0: none */
  double reference; /* see control/reference_step.h */
  double v[];       /* [2][nv] velocities of the two steps before */
} past;

static past *past_of(const hk_model *m, double *x) { return (past *)(x + m->at.size); }
static const past *past_in(const hk_model *m, const double *x) {
  return (const past *)(x + m->at.size);
}
static int past_size(const hk_model *m) { return (int)(sizeof(past) / sizeof(double)) + 2 * m->nv; }

typedef struct factor_point {
  double made;    /* 1: there are factors */
  double h;       /* length of the step for which the factorization was computed */
  double refresh; /* 1: the last step with this factorization converged slowly */
  double t;
  double part[]; /* further data of this state: q, v, turn, memory, inputs */
} factor_point;

static int factor_size(const hk_model *m) {
  return (int)(sizeof(factor_point) / sizeof(double)) + m->nq + m->nv + m->n_turns + m->n_memory +
         HK_INPUT_PARTS * m->n_inputs;
}

static int state_size(const hk_model *m) { return past_size(m) + factor_size(m); }

static void put_part(const hk_model *m, const hk_instant *in, factor_point *p) {
  double *at = p->part;
  p->t = in->t;
  hk_copy(at, in->q, m->nq), at += m->nq;
  hk_copy(at, in->v, m->nv), at += m->nv;
  hk_copy(at, in->turn, m->n_turns), at += m->n_turns;
  hk_copy(at, in->memory, m->n_memory), at += m->n_memory;
  hk_copy(at, in->input, HK_INPUT_PARTS * m->n_inputs);
}

static hk_instant instant_of(const hk_model *m, const factor_point *p) {
  const double *q = p->part, *v = q + m->nq, *turn = v + m->nv;
  return (hk_instant){.t = p->t,
                      .h = p->h,
                      .q = q,
                      .v = v,
                      .turn = turn,
                      .memory = turn + m->n_turns,
                      .input = turn + m->n_turns + m->n_memory};
}

/* Offset of the state at which the present factorization of the solver was computed. */
static factor_point *held(const hk_sim *s) { return s->own; }

static void update(const hk_sim *s, const double *x0, double h, double *x1, double *D) {
  const hk_model *m = s->model;
  const double *v0 = x0 + m->at.v, *v1 = x1 + m->at.v;
  for (int i = 0; i < m->nv; i++) D[i] = 0.5 * h * (v0[i] + v1[i]);
  hk_configuration_add(m, x0 + m->at.q, D, x1 + m->at.q);
}

/* h/2 (M v0' + f1) - M (v1 - v0) into s->r */
static hk_status residual(hk_sim *s, const double *x0, double h, double *x1) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  const double *v0 = x0 + m->at.v, *v1 = x1 + m->at.v, *vd0 = x0 + m->at.vd;
  hk_instant in = hk_instant_at(m, x1);
  in.h = h;
  hk_kinematics(w, &in, HK_FRAMES_STEP);
  hk_status status = hk_forces(w, &in);
  for (int i = 0; i < m->nv; i++) s->u[i] = 0.5 * h * vd0[i] - (v1[i] - v0[i]);
  hk_mass_multiply(w, s->u, s->r);
  for (int i = 0; i < m->nv; i++) s->r[i] += 0.5 * h * w->f[i];
  return status;
}

/* Factorizes the matrix at the frames and forces of the instant in `work`. */
static hk_status factor(hk_sim *s, const hk_instant *in) {
  factor_point *p = held(s);
  const hk_coefficients c = {.cM = 1, .cC = 0.5 * in->h, .cK = 0.25 * in->h * in->h};
  hk_status status = hk_assemble(s->system, s->work, &c, in);
  s->stats.factorizations++;
  if (!status) status = hk_linear_solver_factor(s->system->solver, s->system->matrix);
  p->made = status == HK_OK;
  p->h = in->h;
  p->refresh = 0;
  return status;
}

/* Ensures that the solver contains the factorization for x0: computes it again if the solver contains another
 * factorization. */
static hk_status take_up(hk_sim *s, const double *x0) {
  const hk_model *m = s->model;
  const factor_point *wanted = (const factor_point *)(x0 + m->at.size + past_size(m));
  factor_point *p = held(s);
  size_t bytes = (size_t)factor_size(m) * sizeof *x0;
  if (memcmp(p, wanted, bytes) == 0) return HK_OK;
  memcpy(p, wanted, bytes);
  if (p->made == 0) return HK_OK;
  const hk_instant in = instant_of(m, p);
  hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  hk_status status = hk_forces(s->work, &in);
  if (!status) status = factor(s, &in);
  p->refresh = wanted->refresh;
  return status;
}

/* Predicts v1 by the parabola through the velocities of the last three steps. If fewer steps are known, v1 is
 * predicted by the acceleration. */
static void predict(const hk_model *m, const double *x0, double h, double *v1) {
  const past *k = past_in(m, x0);
  const double *v0 = x0 + m->at.v, *vd = x0 + m->at.vd, *a = k->v, *b = a + m->nv;
  double h0 = k->h[0], h1 = k->h[1];
  if (!(h0 > 0 && h1 > 0)) {
    for (int i = 0; i < m->nv; i++) v1[i] = v0[i] + h * vd[i];
    return;
  }
  /* Newton's form: v0 + h d + h (h + h0) dd; with contacts, whose forces have kinks, a line is more accurate */
  double c = hk_has_kinks(m) ? 0 : h * (h + h0) / (h0 + h1), k0 = h / h0 + c / h0, k1 = c / h1;
  for (int i = 0; i < m->nv; i++) v1[i] = v0[i] + k0 * (v0[i] - a[i]) - k1 * (a[i] - b[i]);
}

/* Error estimate of the displacement, h^3 v''/12, into s->u. */
static void local_error(hk_sim *s, const double *x0, double h, const double *v1) {
  const hk_model *m = s->model;
  const past *k = past_in(m, x0);
  const double *v0 = x0 + m->at.v, *vd = x0 + m->at.vd, *a = k->v;
  double h0 = k->h[0];
  if (!(h0 > 0)) { /* h^2/12 (v1' - v0') */
    for (int i = 0; i < m->nv; i++) s->u[i] = h / 6 * (v1[i] - v0[i] - h * vd[i]);
    return;
  }
  double c = h * h * h / (6 * (h + h0)), k1 = c / h, k0 = c / h0;
  for (int i = 0; i < m->nv; i++) s->u[i] = k1 * (v1[i] - v0[i]) - k0 * (v0[i] - a[i]);
}

/* Removes modes that are much too fast for the step from the error: (M + h/2 C + h^2/4 K)^-1 M e. These modes follow
 * the slow ones for any step size, but after a disturbance they oscillate from step to step, and the unfiltered error
 * would count this as motion [Shampine1984]. The matrix is computed at x1: a matrix from an earlier state, in which a
 * contact still sticks, would hide the error of the step in which this contact begins to slide. */
static hk_status filter_error(hk_sim *s, const double *x0, double h, const double *x1) {
  const hk_model *m = s->model;
  hk_instant in = hk_instant_at(m, x1);
  in.h = h;
  hk_status status = hk_sim_adapts(s) ? factor(s, &in) : HK_OK;
  if (status) return status;
  if (hk_sim_adapts(s)) put_part(m, &in, held(s));
  local_error(s, x0, h, x1 + m->at.v);
  hk_mass_multiply(s->work, s->u, s->r);
  for (int i = 0; i < m->n_states; i++) { /* scalar states have h/2 C and not M */
    int at = m->node[m->state[i].node].v;
    s->r[at] = 0.5 * h * s->u[at];
  }
  hk_linear_solver_solve(s->system->solver, s->r);
  hk_copy(s->u, s->r, m->nv);
  return HK_OK;
}

/* Displacement that the velocity error of the step causes within a reference step, relative to
 * the tolerance: see reference_step.h. */
static double velocity_error(hk_sim *s, const double *x0, double h, const double *v1) {
  const hk_model *m = s->model;
  const past *k = past_in(m, x0);
  const double *v0 = x0 + m->at.v, *a = k->v, *b = a + m->nv;
  double h0 = k->h[0], h1 = k->h[1], over = hk_reference_over(s, k->reference, h);
  if (!(over > 0 && h0 > 0 && h1 > 0)) return 0;
  double c = over * h * h * h /
             (2 * (h + h0 + h1)); /* h^3/12 v''', which is six times the third divided difference */
  for (int i = 0; i < m->nv; i++) {
    double d0 = (v1[i] - v0[i]) / h, d1 = (v0[i] - a[i]) / h0, d2 = (a[i] - b[i]) / h1;
    s->u[i] = c * ((d0 - d1) / (h + h0) - (d1 - d2) / (h0 + h1));
  }
  return hk_reference_norm(s, over, h);
}

static const double least_rate = 0.1, loose_share = 1e-2;
static const hk_step_rule rule = {.am = 0.5, .af = 0.5, .gamma = 0.5};

static hk_status advance(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  const hk_model *m = s->model;
  factor_point *p = held(s);
  double *D = s->d, *v1 = x1 + m->at.v, previous = 0, round_off = hk_round_off(s);
  memcpy(x1, x0, (size_t)m->at.turn * sizeof *x1);
  x1[m->at.t] = x0[m->at.t] + h;
  predict(m, x0, h, v1);
  update(s, x0, h, x1, D);
  if (residual(s, x0, h, x1)) return HK_RETRY;
  if (fabs(h - p->h) > 0.1 * h) p->refresh = 1;
  for (int iteration = 1;; iteration++) {
    bool fresh = p->made == 0 || p->refresh != 0;
    if (fresh) {
      hk_instant in = hk_instant_at(m, x1);
      in.h = h;
      hk_status status = factor(s, &in);
      if (status) return status;
      put_part(m, &in, p);
    }
    hk_linear_solver_solve(s->system->solver, s->r);
    s->stats.solves++;
    s->stats.newton++;
    info->newton = iteration;
    for (int i = 0; i < m->nv; i++) {
      v1[i] += s->r[i];
      s->r[i] *= 0.5 * h; /* converts the residual to a displacement for the norm */
    }
    double size = hk_error_norm(s, s->r);
    if (!isfinite(size)) return HK_RETRY;
    update(s, x0, h, x1, D);
    if (residual(s, x0, h, x1)) return HK_RETRY;
    double rate = previous > 0 ? size / previous : 1;
    /* A correction may be small by chance if a contact closes or opens within the iteration. */
    double trusted = fmax(rate, hk_has_kinks(m) ? least_rate : 0);
    double left = rate < 1 ? size * fmin(1, trusted / (1 - trusted)) : size;
    local_error(s, x0, h, v1);
    hk_quality_displaced(s, s->u);
    info->error = hk_error_norm(s, s->u);
    /* With contacts, the remaining residual is included in their error test: see contact_error.h. */
    double enough = hk_has_kinks(m) ? loose_share : 1e-3 * fmin(1, info->error);
    if (left <= enough || size <= round_off) break;
    if (iteration >= s->option.max_newton || (fresh && iteration > 3 && rate > 2)) return HK_RETRY;
    /* Contacts that close or open change the matrix permanently. */
    if (iteration > 1 && rate > 0.3) p->made = 0;
    previous = size;
  }
  double contacts = m->n_points ? hk_contact_error(s, x0, h, x1, &rule, hk_velocity_left(s, 1)) : 0;
  if (info->error > 1) {
    hk_status status = filter_error(s, x0, h, x1);
    if (status) return status;
    info->error = hk_error_norm(s, s->u);
  }
  info->error = fmax(info->error, contacts);
  if (info->error <= 1) info->error = fmax(info->error, velocity_error(s, x0, h, v1));
  if (info->newton > 4) p->refresh = 1;
  for (int i = 0; i < m->nv; i++) {
    double vd0 = x0[m->at.vd + i];
    x1[m->at.vd + i] = 2 * (v1[i] - x0[m->at.v + i]) / h - vd0;
  }
  const past *before = past_in(m, x0);
  past *now = past_of(m, x1);
  hk_copy(now->v, x0 + m->at.v, m->nv);
  hk_copy(now->v + m->nv, before->v, m->nv);
  now->h[0] = x1[m->at.h] = h;
  now->h[1] = before->h[0];
  now->reference = hk_reference_next(before->reference, h);
  memcpy(x1 + m->at.size + past_size(m), p, (size_t)factor_size(m) * sizeof *x1);
  return HK_OK;
}

static hk_status attempt(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  hk_status status = info->rejected ? HK_OK : take_up(s, x0);
  if (!status) status = advance(s, x0, h, x1, info);
  if (status) held(s)->made = 0; /* a shorter step starts with a new factorization */
  return status;
}

static hk_status create(hk_sim *s, hk_error *err) {
  s->own = calloc((size_t)factor_size(s->model), sizeof(double));
  return s->own ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

static void destroy(hk_sim *s) { free(s->own); }

static void poison(hk_sim *s) { hk_fill_nan(s->own, factor_size(s->model)); }

static hk_status supports(const hk_model *m, hk_error *why) {
  hk_status status = hk_integrator_needs_free(m, why);
  return status ? status : hk_integrator_needs_smooth(m, why);
}

static int score(const hk_model *m, const char **why) {
  *why = m->n_moving ? "forces with internal variables, no joints" : "no joints, with a fixed step";
  return m->massless || m->n_points > 0 ? 0 : 2;
}

static void restart(const hk_sim *s, double *x) {
  past *k = past_of(s->model, x);
  k->h[0] = k->h[1] = 0;
}

static const hk_integrator ops = {.order = 2,
                                  .can = HK_ADAPTIVE | HK_DENSE_BY_ENDS,
                                  .rtol = 1e-10,
                                  .rtol_coarse = 1e-7,
                                  .attempt = attempt,
                                  .restart = restart,
                                  .dense = hk_dense_hermite,
                                  .state_size = state_size,
                                  .create = create,
                                  .destroy = destroy,
                                  .poison = poison,
                                  .supports = supports,
                                  .score = score};

const hk_type hk_type_stepper_trapezoidal = {
    .name = "trapezoidal",
    .category = HK_STEPPER,
    .doc =
        "Implicit, of second order, without numerical damping; for models without joints, which "
        "it takes faster than others.",
    .source = "trapezoidal rule",
    .ops = &ops,
};
