/* Lie-group generalized-alpha for constrained mechanisms [BrulsCardonaArnold2012], with a projection of the
 * velocities onto the constraints after each step.
 *
 *   q1 = q0 o exp(D),  D = h v0 + h^2 ((1/2 - beta) a0 + beta a1)
 *   v1 = v0 + h ((1 - gamma) a0 + gamma a1)
 *   (1 - am) a1 + am a0 = (1 - af) v1' + af v0'
 *   M v1' + G^T lambda = f(q1, v1),  g(q1) = 0
 *
 * Newton's iteration is that of implicit.h with ca = (1 - am)/(beta h^2 (1 - af)).  Its factorization is also used
 * to project the velocity: G v1 + g_t = 0 is restored by a correction that does not change the free motion, so that
 * the method stays of second order.
 *
 * Since lambda enforces the positions only, its error is of first order: the correction of the velocities is an
 * impulse mu of order h^2 that is not part of lambda. The sum lambda + mu/h is of second order (mu/h is lambda_shift
 * in the state). Friction and the work of motions are computed from this sum.
 *
 * a_n approximates v' at t_n + (am - af) h, so a change of step rescales its distance from v'. */
#include "base/hot.h"
#include <hooke/param.h>
#include "control/contact_error.h"
#include "sim/quality.h"
#include "sim/dense_output.h"
#include "integrator/smooth/alpha_tangent.h"
#include "integrator/smooth/generalized_alpha.h"
#include "integrator/implicit.h"
#include "control/reference_step.h"

/* Keys of this integrator in the analysis. */
typedef struct alpha_keys {
  double rho; /* spectral radius at infinite frequency */
} alpha_keys;

extern const hk_type hk_type_stepper_generalized_alpha;

typedef struct parameters {
  double am, af, beta, gamma;
  const double *a0; /* [nv] a at the start of the step, rescaled */
} parameters;

static parameters make_parameters(double rho, const double *a0) {
  parameters p;
  p.a0 = a0;
  p.am = (2 * rho - 1) / (rho + 1);
  p.af = rho / (rho + 1);
  p.gamma = 0.5 + p.af - p.am;
  p.beta = 0.25 * (p.gamma + 0.5) * (p.gamma + 0.5);
  return p;
}

/* Computes a1, v1 and D for kinematic_update. The arguments are plain arrays, so that the
 * compiler knows that they do not overlap. */
HK_HOT static void advance(const parameters *p, double h, int n, const double *restrict v0,
                           const double *restrict vd0, const double *restrict a0,
                           const double *restrict vd1, double *restrict a1, double *restrict v1,
                           double *restrict D) {
  double k = 1 / (1 - p->am), k1 = k * (1 - p->af), k0 = k * p->af, ka = k * p->am;
  double va = h * (1 - p->gamma), vb = h * p->gamma;
  double qa = h * h * (0.5 - p->beta), qb = h * h * p->beta;
  for (int i = 0; i < n; i++) {
    double a = k1 * vd1[i] + k0 * vd0[i] - ka * a0[i];
    a1[i] = a;
    v1[i] = v0[i] + va * a0[i] + vb * a;
    D[i] = h * v0[i] + qa * a0[i] + qb * a;
  }
}

/* Computes x1's a, v and q from its v', and the displacement D into s->d. */
static void kinematic_update(const hk_sim *s, const hk_implicit *k, double *x1) {
  const hk_model *m = s->model;
  const parameters *p = k->formula;
  advance(p, k->h, m->nv, k->x0 + m->at.v, k->x0 + m->at.vd, p->a0, x1 + m->at.vd,
          x1 + hk_alpha_at(m).a, x1 + m->at.v, s->d);
  hk_configuration_add(m, k->x0 + m->at.q, s->d, x1 + m->at.q);
}

/* r = k (a - b) */
HK_HOT static void scaled_difference(double k, int n, const double *restrict a,
                                     const double *restrict b, double *restrict r) {
  for (int i = 0; i < n; i++) r[i] = k * (a[i] - b[i]);
}

/* r += k a */
HK_HOT static void add_scaled(double k, int n, const double *restrict a, double *restrict r) {
  for (int i = 0; i < n; i++) r[i] += k * a[i];
}

HK_HOT static void blend(const double k[3], int n, const double *restrict a,
                         const double *restrict b, const double *restrict c, double *restrict out) {
  double k0 = k[0], k1 = k[1], k2 = k[2];
  for (int i = 0; i < n; i++) out[i] = k0 * a[i] + k1 * b[i] + k2 * c[i];
}

/* Predicts x1: accelerations and multipliers are extrapolated from x0 by the parabola through the last three steps
 * (by a line or a constant if fewer steps are known). With contacts, whose forces have kinks, a line is more
 * accurate. */
static void predict(const hk_sim *s, const double *x0, double h, double *x1) {
  const hk_model *m = s->model;
  x1[m->at.t] = x0[m->at.t] + h;
  if (m->friction) hk_copy(x1 + m->at.lambda_shift, x0 + m->at.lambda_shift, m->nc);
  const hk_alpha_blocks at = hk_alpha_at(m);
  double h1 = x0[at.h], h2 = x0[at.h + 1], k0 = 1, k1 = 0, k2 = 0;
  if (h1 > 0 && h2 > 0 && !hk_has_kinks(m)) {
    k0 = (h + h1) * (h + h1 + h2) / (h1 * (h1 + h2));
    k1 = -h * (h + h1 + h2) / (h1 * h2);
    k2 = h * (h + h1) / ((h1 + h2) * h2);
  } else if (h1 > 0) {
    k0 = 1 + h / h1;
    k1 = -h / h1;
  }
  const double *vd = x0 + at.vd_old, *l = x0 + at.lambda_old;
  const double k[3] = {k0, k1, k2};
  blend(k, m->nv, x0 + m->at.vd, vd, vd + m->nv, x1 + m->at.vd);
  blend(k, m->nc, x0 + m->at.lambda, l, l + m->nc, x1 + m->at.lambda);
}

static void remember(const hk_model *m, const double *x0, double h, double *x1) {
  const hk_alpha_blocks at = hk_alpha_at(m);
  hk_copy(x1 + at.vd_old + m->nv, x0 + at.vd_old, m->nv);
  hk_copy(x1 + at.vd_old, x0 + m->at.vd, m->nv);
  hk_copy(x1 + at.lambda_old + m->nc, x0 + at.lambda_old, m->nc);
  hk_copy(x1 + at.lambda_old, x0 + m->at.lambda, m->nc);
  x1[at.h + 1] = x0[at.h];
  x1[at.h] = x1[m->at.h] = h;
  x1[at.reference] = hk_reference_next(x0[at.reference], h);
}

/* Displacement that the velocity error of the step causes within a reference step, relative to
 * the tolerance: see reference_step.h. */
static double velocity_error(hk_sim *s, const double *x0, double h, const double *x1) {
  const hk_model *m = s->model;
  const hk_alpha_blocks at = hk_alpha_at(m);
  double over = hk_reference_over(s, x0[at.reference], h), h0 = x0[at.h];
  if (!(over > 0 && h0 > 0)) return 0;
  const double *a1 = x1 + m->at.vd, *a0 = x0 + m->at.vd, *a = x0 + at.vd_old;
  double c = over * h * h * h / (6 * (h + h0)), k1 = c / h, k0 = c / h0;
  for (int i = 0; i < m->nv; i++) s->u[i] = k1 * (a1[i] - a0[i]) - k0 * (a0[i] - a[i]);
  return hk_reference_norm(s, over, h);
}

/* Factor of the error estimate. The local error of the positions is (beta - 1/6 + (am - af)/2)
 * h^2 (a1 - a0); the last term exists because a_n approximates v' at another time than t_n. The
 * estimate omits this term and is therefore larger. This covers velocity errors, which are not
 * estimated here: they accumulate, also at each change of the step size. If the term is
 * included, the method takes 12 to 35 % fewer steps, but the error is 1.5 to 2.4 times as
 * large. */
static double made(const parameters *p) { return p->beta - 1.0 / 6 + 0.5 * (p->am - p->af); }
static double caution(const parameters *p) { return (p->beta - 1.0 / 6) / made(p); }

/* The error relative to the tolerance, with a safety factor for step control.  The quality indicators receive the
 * estimate without this factor. */
static double local_error(hk_sim *s, const hk_implicit *k, const double *x1) {
  const hk_model *m = s->model;
  const parameters *p = k->formula;
  scaled_difference(made(p) * k->h * k->h, m->nv, x1 + hk_alpha_at(m).a, p->a0, s->u);
  hk_quality_displaced(s, s->u);
  return caution(p) * hk_error_norm(s, s->u);
}

static double move(hk_sim *s, const hk_implicit *k, double *xi, double *x1) {
  const hk_model *m = s->model;
  hk_configuration_tangent_inv(m, s->d, xi);
  double size = hk_error_norm(s, xi);
  if (!isfinite(size)) return size;
  add_scaled(k->ca, m->nv, xi, x1 + m->at.vd);
  kinematic_update(s, k, x1);
  return size;
}

/* The error of contacts, which includes the remaining residual of Newton's iteration. */
static double contact_error(hk_sim *s, const hk_implicit *k, double *x1) {
  const parameters *p = k->formula;
  const hk_step_rule rule = {.am = p->am, .af = p->af, .gamma = p->gamma};
  return hk_contact_error(s, k->x0, k->h, x1, &rule, hk_velocity_left(s, k->ca * k->h));
}

/* A contact error above this limit stops Newton's iteration early, because the step will be rejected anyway. */
static const double hopeless_error = 10;

static bool hopeless(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info) {
  if (!hk_has_kinks(s->model)) return false;
  const hk_model *m = s->model;
  double error = contact_error(s, k, x1);
  if (!(error > hopeless_error && s->judge.met.time < k->h)) {
    /* restores the values of the start of the step in x1 */
    hk_copy(x1 + m->at.touch, k->x0 + m->at.touch, m->n_points * HK_N_TOUCH);
    return false;
  }
  info->error = error;
  hk_contact_land(s, k->h, info);
  return true;
}

hk_status hk_alpha_step(hk_sim *s, double rho, const double *x0, double h, double *x1,
                        hk_attempt *info) {
  const hk_model *m = s->model;
  const hk_alpha_blocks at = hk_alpha_at(m);
  double *a0 = s->u + m->nv, before = x0[at.h], r = before > 0 ? h / before : 1;
  const parameters p = make_parameters(rho, a0);
  /* The residual that Newton's iteration leaves excites oscillations, which last for 1/(1 - rho) steps. */
  const hk_implicit k = {.h = h,
                         .loose = fmax(0.01, 0.1 * (1 - rho)),
                         .ca = (1 - p.am) / (p.beta * h * h * (1 - p.af)),
                         .cv = p.gamma / (p.beta * h),
                         .D = s->d,
                         .x0 = x0,
                         .formula = &p,
                         .move = move,
                         .hopeless = s->option.step > 0 ? NULL : hopeless,
                         .error = local_error};
  scaled_difference(r, m->nv, x0 + at.a, x0 + m->at.vd, a0);
  add_scaled(1, m->nv, x0 + m->at.vd, a0);
  predict(s, x0, h, x1);
  kinematic_update(s, &k, x1);
  hk_status status = hk_implicit_solve(s, &k, x1, info);
  if (info->memory->hopeless) return HK_OK;
  info->made = info->error / caution(&p);
  if (!status && hk_has_kinks(m)) {
    hk_attempt_raise(info, contact_error(s, &k, x1));
    if (info->error > 1)
      hk_contact_land(s, h, info);
    else
      info->next = hk_contact_leave(s, h, info, x1);
  }
  if (!status && info->error <= 1) hk_attempt_raise(info, velocity_error(s, x0, h, x1));
  if (!status) status = hk_implicit_project(s, &k, x1, info);
  if (!status) remember(m, x0, h, x1);
  return status;
}

int hk_alpha_state_size(const hk_model *m) { return hk_alpha_at(m).end - m->at.size; }

void hk_alpha_restart(const hk_sim *s, double *x) {
  const hk_model *m = s->model;
  const hk_alpha_blocks at = hk_alpha_at(m);
  hk_copy(x + at.a, x + m->at.vd, m->nv);
  x[at.h] = x[at.h + 1] = 0;
}

static hk_status attempt(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  return hk_alpha_step(s, ((const alpha_keys *)s->parameter)->rho, x0, h, x1, info);
}

/* ---- the derivative: see integrator/tangent.h ---- */

bool hk_alpha_formula_of(const hk_sim *s, double before, double h, hk_alpha_formula *out) {
  if (s->stepper != &hk_type_stepper_generalized_alpha) return false;
  const parameters p = make_parameters(((const alpha_keys *)s->parameter)->rho, NULL);
  double k = 1 / (1 - p.am);
  *out = (hk_alpha_formula){.ratio = before > 0 ? h / before : 1,
                            .k1 = k * (1 - p.af),
                            .k0 = k * p.af,
                            .ka = k * p.am,
                            .va = h * (1 - p.gamma),
                            .vb = h * p.gamma,
                            .qa = h * h * (0.5 - p.beta),
                            .qb = h * h * p.beta,
                            .ca = (1 - p.am) / (p.beta * h * h * (1 - p.af)),
                            .cv = p.gamma / (p.beta * h)};
  return true;
}

/* ---- the type ---- */

static const alpha_keys defaults = {.rho = 0.8};

static const hk_param params[] = {
    HK_REAL(alpha_keys, rho, NULL, 0,
            "spectral radius at infinite frequency: 1 no numerical damping, 0 maximum; default "
            "with compliant contacts: 0.5",
            HK_RANGE(0, 1)),
};

/* Adjusts the default of rho: contacts oscillate after every kink of their forces, too fast for the step, and more
 * numerical damping suppresses this. */
static void suit(const hk_model *m, void *keys) {
  if (hk_has_kinks(m)) ((alpha_keys *)keys)->rho = 0.5;
}

/* Score of the method for a model. A one-step method with damping is the best choice if many contacts open and close.
 * The score is then higher than the score of the trapezoidal rule, which does not damp contact oscillations. For few
 * contacts the score is lower than the score of bdf. */
static int score(const hk_model *m, const char **why) {
  *why = m->n_points > 0 ? "many points of contact"
         : m->n_moving   ? "forces with internal variables"
                         : "joints, with a fixed step";
  return m->n_points > 0 ? 2 : 1;
}

static const hk_integrator ops = {
    .order = 2,
    .can = HK_ADAPTIVE | HK_DENSE_BY_ENDS | HK_DAMPS_MODES | HK_EXACT_STEADY,
    .rtol = 1e-10,
    .rtol_coarse = 1e-7,
    .attempt = attempt,
    .restart = hk_alpha_restart,
    .dense = hk_dense_hermite,
    .state_size = hk_alpha_state_size,
    .supports = hk_integrator_needs_smooth,
    .score = score,
    .adjust_defaults = suit};

const hk_type hk_type_stepper_generalized_alpha = {
    .name = "generalized_alpha",
    .category = HK_STEPPER,
    .doc =
        "Implicit, of second order, with numerical damping of what is too fast for the step; for "
        "joints, forces and compliant contacts of all kinds.",
    .source = "[BrulsCardonaArnold2012]",
    .size = sizeof(alpha_keys),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
