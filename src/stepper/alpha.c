/* Lie-group generalized-alpha for constrained mechanisms [BrulsCardonaArnold2012], with the
 * velocities brought back onto the constraints after each step.
 *
 *   q1 = q0 o exp(D),  D = h v0 + h^2 ((1/2 - beta) a0 + beta a1)
 *   v1 = v0 + h ((1 - gamma) a0 + gamma a1)
 *   (1 - am) a1 + am a0 = (1 - af) v1' + af v0'
 *   M v1' + G^T lambda = f(q1, v1),  g(q1) = 0
 *
 * Newton's unknowns are the displacement xi at q1 (body axes) and the change of lambda divided by
 * ca = (1 - am)/(beta h^2 (1 - af)), so that the matrix
 *   [ (M + cv/ca C) T^-1 + K/ca   G^T ]
 *   [ G                           0   ]
 * hardly depends on the step.  Its factors also project the velocity: G v1 + g_t = 0 is restored by
 * a correction that leaves the free motion, and with it the second order of the method, alone.
 *
 * As lambda holds the positions only, its error is of first order: the correction of the velocities
 * is an impulse mu of order h^2 that lambda lacks.  lambda + mu/h (lambda_shift in the state) is of
 * second order; friction and the work of motions use that.
 *
 * a_n approximates v' at t_n + (am - af) h, so a change of step rescales its distance from v'.
 */
#include "base/rotation.h"
#include "stepper/sim.h"

typedef struct parameters {
  double am, af, beta, gamma;
  double h;
  double ca, cv; /* d v'/d D, d v/d D */
} parameters;

static parameters make_parameters(double rho, double h) {
  parameters p;
  p.h = h;
  p.am = (2 * rho - 1) / (rho + 1);
  p.af = rho / (rho + 1);
  p.gamma = 0.5 + p.af - p.am;
  p.beta = 0.25 * (p.gamma + 0.5) * (p.gamma + 0.5);
  p.ca = (1 - p.am) / (p.beta * h * h * (1 - p.af));
  p.cv = p.gamma / (p.beta * h);
  return p;
}

/* a1, v1 and D of kinematic_update, by plain arrays so that the compiler sees they do not overlap.
 */
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

/* x1's a, v, q and the displacement D from its v'. */
static void kinematic_update(const hk_sim *s, const parameters *p, const double *x0,
                             const double *a0, double h, double *x1, double *D) {
  const hk_model *m = s->model;
  advance(p, h, m->nv, x0 + m->at.v, x0 + m->at.vd, a0, x1 + m->at.vd, x1 + m->at.a, x1 + m->at.v,
          D);
  hk_configuration_add(m, x0 + m->at.q, D, x1 + m->at.q);
}

/* lambda to second order, as far as it is known within the step: with the shift of the step before.
 */
static const double *full_lambda(const hk_sim *s, const double *x1) {
  const hk_model *m = s->model;
  const double *lambda = x1 + m->at.lambda, *shift = x1 + m->at.lambda_shift;
  if (!m->friction) return lambda;
  for (int r = 0; r < m->nc; r++) s->full[r] = lambda[r] + shift[r];
  return s->full;
}

/* The end of the step, x1 as it stands. */
static hk_instant step_end(const hk_sim *s, const parameters *p, const double *x1) {
  hk_instant in = hk_instant_with(s->model, x1, full_lambda(s, x1));
  in.h = p->h;
  return in;
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

/* Residual of dynamics over ca and of constraints, into s->r with reversed sign. */
static void residual(hk_sim *s, const parameters *p, double *x1) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  const hk_instant in = step_end(s, p, x1);
  hk_kinematics(w, &in, HK_FRAMES_STEP);
  hk_constraints(w, &in);
  hk_forces(w, &in);
  hk_constraint_force(w, x1 + m->at.lambda, w->f);
  hk_mass_multiply(w, x1 + m->at.vd, s->u);
  scaled_difference(1 / p->ca, m->nv, w->f, s->u, s->r);
  hk_put_rows(s, w->g);
  /* Rolling has no position to hold: its rows are of velocity, over dv/dD. */
  for (int k = 0; k < m->n_velocity_rows; k++) {
    int row = m->velocity_row[k];
    if (s->kept[row])
      s->r[s->system->row_at[row]] = -(hk_constraint_row_rate(w, row, in.v) + w->gt[row]) / p->cv;
  }
}

/* Singular positions: near one, the constraints lose a direction and the multipliers along it are
 * round-off times the inverse square of the distance.  Softened by this part, directions that are
 * weaker are left as predicted, and others converge as fast as before. */
static const double softened = 1e-9;

static hk_status factor(hk_sim *s, const parameters *p, const double *x1, const double *D,
                        bool ideal) {
  const hk_coefficients c = {1, p->cv / p->ca, 1 / p->ca, D, softened, ideal};
  const hk_instant in = step_end(s, p, x1);
  hk_assemble(s->system, s->work, &c, &in);
  s->stats.factorizations++;
  hk_status status = hk_linear_solver_factor(s->system->solver, s->system->matrix);
  s->factored = status == HK_OK;
  return status;
}

/* xi -> change of D: rotations pass through T^-1(D). */
HK_HOT HK_FLAT static void displacement_to_step(const hk_model *m, const double *D, double *xi) {
  for (int i = 0; i < m->n_nodes; i++) {
    if (m->node[i].kind != HK_NODE_RIGID) continue;
    double *e = xi + m->node[i].v + 3;
    const double *d = D + m->node[i].v + 3;
    hk_vec3 phi = hk_v3(d[0], d[1], d[2]);
    hk_vec3 r = hk_tangent_inv(hk_tangent_coefficient(phi), phi, hk_v3(e[0], e[1], e[2]));
    e[0] = r.x, e[1] = r.y, e[2] = r.z;
  }
}

HK_HOT static void blend(const double k[3], int n, const double *restrict a,
                         const double *restrict b, const double *restrict c, double *restrict out) {
  double k0 = k[0], k1 = k[1], k2 = k[2];
  for (int i = 0; i < n; i++) out[i] = k0 * a[i] + k1 * b[i] + k2 * c[i];
}

/* x1 = x0 with acceleration and multipliers extrapolated by a parabola through the last three
 * steps (a line or a constant while there are fewer). */
static void predict(const hk_sim *s, const double *x0, double h, double *x1) {
  const hk_model *m = s->model;
  x1[m->at.t] = x0[m->at.t] + h;
  hk_copy(x1 + m->at.turn, x0 + m->at.turn, m->n_turns);
  hk_copy(x1 + m->at.ledger, x0 + m->at.ledger, HK_N_LEDGER);
  if (m->friction) hk_copy(x1 + m->at.lambda_shift, x0 + m->at.lambda_shift, m->nc);
  double h1 = x0[m->at.h], h2 = x0[m->at.h + 1], k0 = 1, k1 = 0, k2 = 0;
  if (h1 > 0 && h2 > 0) {
    k0 = (h + h1) * (h + h1 + h2) / (h1 * (h1 + h2));
    k1 = -h * (h + h1 + h2) / (h1 * h2);
    k2 = h * (h + h1) / ((h1 + h2) * h2);
  } else if (h1 > 0) {
    k0 = 1 + h / h1;
    k1 = -h / h1;
  }
  const double *vd = x0 + m->at.vd_old, *l = x0 + m->at.lambda_old;
  const double k[3] = {k0, k1, k2};
  blend(k, m->nv, x0 + m->at.vd, vd, vd + m->nv, x1 + m->at.vd);
  blend(k, m->nc, x0 + m->at.lambda, l, l + m->nc, x1 + m->at.lambda);
}

static void remember(const hk_model *m, const double *x0, double h, double *x1) {
  hk_copy(x1 + m->at.vd_old + m->nv, x0 + m->at.vd_old, m->nv);
  hk_copy(x1 + m->at.vd_old, x0 + m->at.vd, m->nv);
  hk_copy(x1 + m->at.lambda_old + m->nc, x0 + m->at.lambda_old, m->nc);
  hk_copy(x1 + m->at.lambda_old, x0 + m->at.lambda, m->nc);
  x1[m->at.h + 1] = x0[m->at.h];
  x1[m->at.h] = h;
}

/* Local error of the positions over tolerance: (beta - 1/6) h^2 (a1 - a0). */
static double local_error(hk_sim *s, const parameters *p, const double *a0, double h,
                          const double *x1) {
  const hk_model *m = s->model;
  double c = fabs(p->beta - 1.0 / 6) * h * h;
  scaled_difference(c, m->nv, x1 + m->at.a, a0, s->u);
  return hk_error_norm(s, s->u);
}

/* What Newton leaves must be small against the step's own error, however small that is. */
static const double newton_share = 1e-3;
static const double constraint_tolerance = 2e-11; /* m and rad */

/* The next displacement as far as the residual in s->r tells, over tolerance: forces by the masses
 * alone, because nothing moves further than a free body would, and the constraint error g itself.
 */
HK_HOT HK_FLAT static double leftover(hk_sim *s, double g) {
  const hk_model *m = s->model;
  if (m->massless) return INFINITY;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    const double *r = s->r + n->v;
    double *u = s->u + n->v;
    if (n->kind == HK_NODE_ROTOR) {
      u[0] = r[0] / n->inertia.m[2][2];
      continue;
    }
    double k = 1 / n->mass;
    for (int c = 0; c < 3; c++) u[c] = k * r[c];
    for (int c = 3; c < n->nv; c++) u[c] = r[c] / n->inertia.m[c - 3][c - 3];
  }
  return hk_error_norm(s, s->u) +
         g * fmax(1, m->length) / (s->option.atol + s->option.rtol * m->length);
}

/* One correction from the residual in s->r: multipliers, accelerations and all that follows from
 * them, with the residual there.  Returns its size over tolerance. */
static double improve(hk_sim *s, const parameters *p, const double *x0, const double *a0, double h,
                      double *x1, double *D) {
  const hk_model *m = s->model;
  const hk_system *sys = s->system;
  hk_linear_solver_solve(sys->solver, s->r);
  s->stats.solves++;
  s->stats.newton++;
  double *lambda = x1 + m->at.lambda, *vd = x1 + m->at.vd;
  for (int k = 0; k < sys->n_kept; k++) lambda[sys->kept_row[k]] += p->ca * s->r[m->nv + k];
  displacement_to_step(m, D, s->r);
  double size = hk_error_norm(s, s->r);
  if (!isfinite(size)) return size;
  add_scaled(p->ca, m->nv, s->r, vd);
  kinematic_update(s, p, x0, a0, h, x1, D);
  residual(s, p, x1);
  return size;
}

/* Every step makes its own factors, at the predicted position: one correction is then enough nearly
 * always, and a step depends on nothing but the state it starts from. */
static hk_status newton(hk_sim *s, const parameters *p, const double *x0, const double *a0,
                        double h, double *x1, double *D, hk_step_info *info) {
  double previous = 0, rate = 1;
  kinematic_update(s, p, x0, a0, h, x1, D);
  residual(s, p, x1);
  for (int iteration = 1;; iteration++) {
    if (iteration == 1 || rate > 0.35) {
      hk_status status = factor(s, p, x1, D, false);
      if (status) return status;
    }
    info->newton = iteration;
    double size = improve(s, p, x0, a0, h, x1, D);
    if (!isfinite(size)) return HK_RETRY;
    rate = previous > 0 ? size / previous : 0;
    /* Of the kept rows, as they stand in the residual; redundant ones are watched after the step.
     */
    double g = hk_max_abs(s->r + s->model->nv, s->system->n_kept, NULL);
    info->error = local_error(s, p, a0, h, x1);
    double enough = newton_share * fmin(1, info->error);
    bool shrinks = previous > 0 && rate < 1;
    bool done = size <= s->round_off || (shrinks && size * fmin(1, rate / (1 - rate)) <= enough) ||
                leftover(s, g) <= enough;
    /* Near a singular position round-off is magnified: take what no longer shrinks if it is small.
     */
    done = done || (iteration >= 3 && rate > 0.3 && size <= 0.02);
    if (done && g <= constraint_tolerance * (iteration < 6 ? 1 : 4)) return HK_OK;
    if (iteration >= s->option.max_newton || rate > 2) return HK_RETRY;
    previous = size;
  }
}

static hk_status step(hk_sim *s, const double *x0, double h, double *x1, hk_step_info *info) {
  const hk_model *m = s->model;
  parameters p = make_parameters(s->option.rho, h);
  double *D = s->d, *a0 = s->u + m->nv;
  double before = x0[m->at.h], k = before > 0 ? h / before : 1;
  scaled_difference(k, m->nv, x0 + m->at.a, x0 + m->at.vd, a0);
  add_scaled(1, m->nv, x0 + m->at.vd, a0);
  predict(s, x0, h, x1);
  hk_status status = newton(s, &p, x0, a0, h, x1, D, info);
  if (status) return status;
  /* Friction follows the joint's load, but the velocity's correction is along G^T alone. */
  if (m->friction) status = factor(s, &p, x1, D, true);
  if (status) return status;
  status = hk_velocity_project(s, h, x1);
  if (status) return status;
  remember(m, x0, h, x1);
  return HK_OK;
}

const hk_stepper hk_stepper_alpha = {
    .name = "generalized_alpha", .order = 2, .step = step, .adaptive = true};
