/* Implicit trapezoidal rule for models without constraints, Newton on the velocities only:
 *
 *   q1 = q0 o exp(h/2 (v0 + v1)),   M (v1 - v0) = h/2 (M v0' + f(q1, v1, t1))
 *
 * with the matrix M + h/2 C + h^2/4 K.  The acceleration comes from the rule itself,
 * v1' = 2 (v1 - v0)/h - v0', which no stiff force can amplify.  Second order, A-stable, no
 * numerical damping: start from a consistent state, for it lets what rings ring on.
 *
 * Start values and the local error h^3 v''/12 come from the velocities of the last steps, not from
 * the accelerations: modes far stiffer than the step ring in the latter without any effect on the
 * motion, and would make the steps small for nothing.
 */
#include "stepper/dense.h"
#include <string.h>

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

static hk_status factor(hk_sim *s, double h, const double *x1) {
  const hk_model *m = s->model;
  const hk_coefficients c = {.cM = 1, .cC = 0.5 * h, .cK = 0.25 * h * h};
  hk_instant in = hk_instant_at(m, x1);
  in.h = h;
  hk_status status = hk_assemble(s->system, s->work, &c, &in);
  s->stats.factorizations++;
  if (!status) status = hk_linear_solver_factor(s->system->solver, s->system->matrix);
  s->factored = status == HK_OK;
  s->factored_h = h;
  s->refresh = false;
  return status;
}

/* v1 by the parabola through the velocities of the last three steps; with fewer, by the slope. */
static void predict(const hk_model *m, const double *x0, double h, double *v1) {
  const double *v0 = x0 + m->at.v, *vd = x0 + m->at.vd, *a = x0 + m->at.vd_old, *b = a + m->nv;
  double h0 = x0[m->at.h], h1 = x0[m->at.h + 1];
  if (!(h0 > 0 && h1 > 0)) {
    for (int i = 0; i < m->nv; i++) v1[i] = v0[i] + h * vd[i];
    return;
  }
  /* Newton's form: v0 + h d + h (h + h0) dd */
  double c = h * (h + h0) / (h0 + h1), k0 = h / h0 + c / h0, k1 = c / h1;
  for (int i = 0; i < m->nv; i++) v1[i] = v0[i] + k0 * (v0[i] - a[i]) - k1 * (a[i] - b[i]);
}

/* Displacement by which the step may be wrong, h^3 v''/12, into s->u. */
static void local_error(hk_sim *s, const double *x0, double h, const double *v1) {
  const hk_model *m = s->model;
  const double *v0 = x0 + m->at.v, *vd = x0 + m->at.vd, *a = x0 + m->at.vd_old;
  double h0 = x0[m->at.h];
  if (!(h0 > 0)) { /* h^2/12 (v1' - v0') */
    for (int i = 0; i < m->nv; i++) s->u[i] = h / 6 * (v1[i] - v0[i] - h * vd[i]);
    return;
  }
  double c = h * h * h / (6 * (h + h0)), k1 = c / h, k0 = c / h0;
  for (int i = 0; i < m->nv; i++) s->u[i] = k1 * (v1[i] - v0[i]) - k0 * (v0[i] - a[i]);
}

/* What is left of the error after the modes that are far stiffer than the step are taken down:
 * (M + h/2 C + h^2/4 K)^-1 M e.  They follow the slow ones whatever the step is, but after a kick they
 * ring from step to step, which the raw error would take for motion.  [Shampine1984] */
static void filter_error(hk_sim *s) {
  hk_mass_multiply(s->work, s->u, s->r);
  hk_linear_solver_solve(s->system->solver, s->r);
  hk_copy(s->u, s->r, s->model->nv);
}

static hk_status step(hk_sim *s, const double *x0, double h, double *x1, hk_step_info *info) {
  const hk_model *m = s->model;
  double *D = s->d, *v1 = x1 + m->at.v, previous = 0;
  memcpy(x1, x0, (size_t)m->at.size * sizeof *x1);
  x1[m->at.t] = x0[m->at.t] + h;
  predict(m, x0, h, v1);
  update(s, x0, h, x1, D);
  if (residual(s, x0, h, x1)) return HK_RETRY;
  if (fabs(h - s->factored_h) > 0.1 * h) s->refresh = true;
  for (int iteration = 1;; iteration++) {
    bool fresh = !s->factored || s->refresh;
    if (fresh) {
      hk_status status = factor(s, h, x1);
      if (status) return status;
    }
    hk_linear_solver_solve(s->system->solver, s->r);
    s->stats.solves++;
    s->stats.newton++;
    info->newton = iteration;
    for (int i = 0; i < m->nv; i++) {
      v1[i] += s->r[i];
      s->r[i] *= 0.5 * h; /* as a displacement, for the norm */
    }
    double size = hk_error_norm(s, s->r);
    if (!isfinite(size)) return HK_RETRY;
    update(s, x0, h, x1, D);
    if (residual(s, x0, h, x1)) return HK_RETRY;
    double rate = previous > 0 ? size / previous : 1;
    if (previous > 0) s->contraction = fmin(rate, 1);
    double left = rate < 1 ? size * fmin(1, rate / (1 - rate)) : size;
    local_error(s, x0, h, v1);
    info->error = hk_error_norm(s, s->u);
    if (left <= 1e-3 * fmin(1, info->error) || size <= s->round_off) break;
    if (iteration >= s->option.max_newton || (fresh && iteration > 3 && rate > 2)) return HK_RETRY;
    /* Contacts that close or open change the matrix for good. */
    if (iteration > 1 && rate > 0.3) s->factored = false;
    previous = size;
  }
  if (info->error > 1) {
    filter_error(s);
    info->error = hk_error_norm(s, s->u);
  }
  if (info->newton > 4) s->refresh = true;
  for (int i = 0; i < m->nv; i++) {
    double vd0 = x0[m->at.vd + i];
    x1[m->at.vd + i] = 2 * (v1[i] - x0[m->at.v + i]) / h - vd0;
  }
  memcpy(x1 + m->at.vd_old, x0 + m->at.v, (size_t)m->nv * sizeof *x1);
  memcpy(x1 + m->at.vd_old + m->nv, x0 + m->at.vd_old, (size_t)m->nv * sizeof *x1);
  x1[m->at.h] = h;
  x1[m->at.h + 1] = x0[m->at.h];
  return HK_OK;
}

static hk_status takes(const hk_model *m, hk_error *why) {
  if (m->nc > 0)
    return hk_fail(why, HK_EINPUT,
                   "cannot hold joints, and this model has %d constraint rows (first: '%s')", m->nc,
                   m->constraint[0].name);
  return hk_stepper_needs_smooth(m, why);
}

static int fit(const hk_model *m) { return m->massless ? 0 : 2; }

static const hk_stepper ops = {.order = 2,
                               .step = step,
                               .takes = takes,
                               .fit = fit,
                               .adaptive = true,
                               .interpolate = hk_dense_hermite};

const hk_type hk_type_stepper_trapezoidal = {
    .name = "trapezoidal",
    .category = HK_STEPPER,
    .doc =
        "Implicit, of second order, without numerical damping; for models without joints, which "
        "it takes faster than others.",
    .source = "trapezoidal rule",
    .ops = &ops,
};
