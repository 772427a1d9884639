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
 * hardly depends on the step and its factors live over many steps.  The same factors project the
 * velocity: G v1 + g_t = 0 is restored by a correction that leaves the free motion, and with it
 * the second order of the method, alone.
 *
 * As lambda holds the positions only, its error is of first order: the correction of the velocities
 * is an impulse mu of order h^2 that lambda lacks.  lambda + mu/h (lambda_shift in the state) is of
 * second order; friction and the work of motions use that.
 *
 * a_n approximates v' at t_n + (am - af) h, so a change of step rescales its distance from v'.
 */
#include "base/hot.h"
#include "stepper/sim.h"
#include <string.h>

typedef struct parameters {
  double am, af, beta, gamma;
  double ca, cv; /* d v'/d D, d v/d D */
} parameters;

static parameters make_parameters(double rho, double h) {
  parameters p;
  p.am = (2 * rho - 1) / (rho + 1);
  p.af = rho / (rho + 1);
  p.gamma = 0.5 + p.af - p.am;
  p.beta = 0.25 * (p.gamma + 0.5) * (p.gamma + 0.5);
  p.ca = (1 - p.am) / (p.beta * h * h * (1 - p.af));
  p.cv = p.gamma / (p.beta * h);
  return p;
}

/* x1's a, v, q and the displacement D from its v'. */
HK_HOT static void kinematic_update(const hk_sim *s, const parameters *p, const double *x0,
                                    const double *restrict a0, double h, double *x1,
                                    double *restrict D) {
  const hk_model *m = s->model;
  const double *restrict v0 = x0 + m->at.v, *restrict vd0 = x0 + m->at.vd;
  const double *restrict vd1 = x1 + m->at.vd;
  double *restrict a1 = x1 + m->at.a, *restrict v1 = x1 + m->at.v;
  double k = 1 / (1 - p->am);
  for (int i = 0; i < m->nv; i++) {
    a1[i] = k * ((1 - p->af) * vd1[i] + p->af * vd0[i] - p->am * a0[i]);
    v1[i] = v0[i] + h * ((1 - p->gamma) * a0[i] + p->gamma * a1[i]);
    D[i] = h * (v0[i] + h * ((0.5 - p->beta) * a0[i] + p->beta * a1[i]));
  }
  hk_configuration_add(m, x0 + m->at.q, D, x1 + m->at.q);
}

/* lambda to second order, as far as it is known within the step: with the shift of the step before. */
static const double *full_lambda(const hk_sim *s, const double *x1) {
  const hk_model *m = s->model;
  const double *lambda = x1 + m->at.lambda, *shift = x1 + m->at.lambda_shift;
  if (!m->friction) return lambda;
  for (int r = 0; r < m->nc; r++) s->full[r] = lambda[r] + shift[r];
  return s->full;
}

/* Residual of dynamics over ca and of constraints, into s->r with reversed sign. */
static void residual(hk_sim *s, const parameters *p, double *x1) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  const double *v = x1 + m->at.v, *lambda = x1 + m->at.lambda, *turn = x1 + m->at.turn;
  double t = x1[m->at.t];
  hk_kinematics(w, x1 + m->at.q, v, HK_FRAMES_STEP);
  hk_constraints(w, t, turn);
  hk_forces(w, t, x1 + m->at.q, v, full_lambda(s, x1), turn);
  hk_constraint_force(w, lambda, w->f);
  hk_mass_multiply(m, x1 + m->at.vd, s->u);
  double scale = 1 / p->ca;
  for (int i = 0; i < m->nv; i++) s->r[i] = scale * (w->f[i] - s->u[i]);
  for (int r = 0; r < m->nc; r++)
    if (s->kept[r]) s->r[s->system->row_at[r]] = -w->g[r];
}

static hk_status factor(hk_sim *s, const parameters *p, const double *x1, const double *D) {
  const hk_model *m = s->model;
  const hk_coefficients c = {1, p->cv / p->ca, 1 / p->ca, D};
  hk_assemble(s->system, s->work, &c, x1[m->at.t], x1 + m->at.v, full_lambda(s, x1), x1 + m->at.turn);
  s->stats.factorizations++;
  hk_status status = hk_linear_solver_factor(s->system->solver, s->system->matrix);
  s->factored = status == HK_OK;
  s->inverse_ready = false;
  s->refresh = false;
  return status;
}

/* xi -> change of D: rotations pass through T^-1(D). */
static void displacement_to_step(const hk_model *m, const double *D, double *xi) {
  for (int i = 0; i < m->n_nodes; i++) {
    if (m->node[i].kind != HK_NODE_RIGID) continue;
    double *e = xi + m->node[i].v + 3;
    const double *d = D + m->node[i].v + 3;
    hk_vec3 r = hk_so3_tangent_inv(hk_v3(d[0], d[1], d[2]), hk_v3(e[0], e[1], e[2]));
    e[0] = r.x, e[1] = r.y, e[2] = r.z;
  }
}

/* x1 = x0 with acceleration and multipliers extrapolated by a parabola through the last three
 * steps (a line or a constant while there are fewer). */
static void predict(const hk_sim *s, const double *x0, double h, double *x1) {
  const hk_model *m = s->model;
  x1[m->at.t] = x0[m->at.t] + h;
  hk_copy(x1 + m->at.turn, x0 + m->at.turn, m->n_turns);
  hk_copy(x1 + m->at.ledger, x0 + m->at.ledger, HK_N_LEDGER);
  hk_copy(x1 + m->at.lambda_shift, x0 + m->at.lambda_shift, m->nc);
  double h1 = x0[m->at.h], h2 = x0[m->at.h + 1], k0 = 1, k1 = 0, k2 = 0;
  if (h1 > 0 && h2 > 0) {
    k0 = (h + h1) * (h + h1 + h2) / (h1 * (h1 + h2));
    k1 = -h * (h + h1 + h2) / (h1 * h2);
    k2 = h * (h + h1) / ((h1 + h2) * h2);
  } else if (h1 > 0) {
    k0 = 1 + h / h1;
    k1 = -h / h1;
  }
  const double *vd = x0 + m->at.vd, *vd1 = x0 + m->at.vd_old, *vd2 = vd1 + m->nv;
  for (int i = 0; i < m->nv; i++) x1[m->at.vd + i] = k0 * vd[i] + k1 * vd1[i] + k2 * vd2[i];
  const double *l = x0 + m->at.lambda, *l1 = x0 + m->at.lambda_old, *l2 = l1 + m->nc;
  for (int i = 0; i < m->nc; i++) x1[m->at.lambda + i] = k0 * l[i] + k1 * l1[i] + k2 * l2[i];
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
static double local_error(hk_sim *s, const parameters *p, const double *a0, double h, const double *x1) {
  const hk_model *m = s->model;
  double c = fabs(p->beta - 1.0 / 6) * h * h;
  for (int i = 0; i < m->nv; i++) s->u[i] = c * (x1[m->at.a + i] - a0[i]);
  return hk_error_norm(s, s->u);
}

/* What Newton leaves must be small against the step's own error, however small that is. */
static const double newton_share = 1e-3;
static const double constraint_tolerance = 2e-11; /* m and rad */

static hk_status newton(hk_sim *s, const parameters *p, const double *x0, const double *a0, double h,
                        double *x1, double *D, hk_step_info *info) {
  const hk_model *m = s->model;
  double previous = 0;
  bool fresh = false;
  kinematic_update(s, p, x0, a0, h, x1, D);
  residual(s, p, x1);
  for (int iteration = 1;; iteration++) {
    if (!s->factored || (s->refresh && iteration == 1)) {
      hk_status status = factor(s, p, x1, D);
      if (status) return status;
      fresh = true;
    }
    hk_linear_solver_solve(s->system->solver, s->r);
    s->stats.solves++;
    s->stats.newton++;
    info->newton = iteration;
    for (int r = 0; r < m->nc; r++)
      if (s->kept[r]) x1[m->at.lambda + r] += p->ca * s->r[s->system->row_at[r]];
    displacement_to_step(m, D, s->r);
    double size = hk_error_norm(s, s->r);
    if (!isfinite(size)) {
      s->factored = false;
      return HK_RETRY;
    }
    for (int i = 0; i < m->nv; i++) x1[m->at.vd + i] += p->ca * s->r[i];
    kinematic_update(s, p, x0, a0, h, x1, D);
    residual(s, p, x1);
    double rate = previous > 0 ? size / previous : 1;
    if (previous > 0) s->contraction = fmin(rate, 1);
    double left = rate < 1 ? size * fmin(1, rate / (1 - rate)) : size;
    double g = hk_max_abs(s->work->g, m->nc, NULL);
    info->error = local_error(s, p, a0, h, x1);
    bool done = left <= newton_share * fmin(1, info->error) || size <= s->round_off;
    /* Near a singular position round-off is magnified: take what no longer shrinks if it is small. */
    done = done || (iteration >= 3 && rate > 0.3 && size <= 0.02);
    if (done && g <= constraint_tolerance * (iteration < 6 ? 1 : 4)) return HK_OK;
    if (iteration >= s->option.max_newton || (iteration > 1 && rate > 2)) {
      if (fresh || iteration > 2 * s->option.max_newton) return HK_RETRY;
      s->factored = false; /* a stale matrix: try once more from here with a new one */
    } else if (iteration > 1 && rate > 0.35 && !fresh) {
      s->factored = false;
    }
    previous = size;
  }
}

/* ---- velocities back onto the constraints ---------------------------------------------------------
 *
 * The correction must have the form W^-1 G^T mu with G of this very position: then it leaves the free
 * motion alone.  (A correction along an older G would push it a little in each step, and energy would
 * creep.)  W is the diagonal blocks of the step's matrix.  The multipliers come from the step's
 * factors, which may be of an older position; what that leaves is taken in further passes. */

/* Invert a dense n x n block by Gauss-Jordan with row exchange; false if singular. */
static bool invert_block(const double *A, int stride, int n, double *out) {
  double M[6][12] = {{0}};
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) M[i][j] = A[i * stride + j];
    M[i][n + i] = 1;
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(M[i][k]) > fabs(M[best][k])) best = i;
    if (!(fabs(M[best][k]) > 0)) return false;
    for (int j = 0; best != k && j < 2 * n; j++) {
      double swap = M[k][j];
      M[k][j] = M[best][j];
      M[best][j] = swap;
    }
    double pivot = 1 / M[k][k];
    for (int j = k; j < 2 * n; j++) M[k][j] *= pivot;
    for (int i = 0; i < n; i++) {
      double f = M[i][k];
      if (i == k || f == 0) continue;
      for (int j = k; j < 2 * n; j++) M[i][j] -= f * M[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) out[i * n + j] = M[i][n + j];
  return true;
}

static void invert_nodes(hk_sim *s) {
  const hk_model *m = s->model;
  s->coupled = m->massless;
  for (int i = 0; i < m->n_nodes && !s->coupled; i++)
    s->coupled = !invert_block(s->system->diagonal[i].at, s->system->diagonal[i].stride, m->node[i].nv,
                               s->inverse + 6 * m->node[i].v);
  s->inverse_ready = true;
}

/* u <- W^-1 u */
HK_HOT static void apply_inverse(const hk_sim *s, double *u) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const double *A = s->inverse + 6 * m->node[i].v;
    double *x = u + m->node[i].v, y[6] = {0};
    int n = m->node[i].nv;
    for (int r = 0; r < n; r++, A += n)
      for (int c = 0; c < n; c++) y[r] += A[c] * x[c];
    for (int r = 0; r < n; r++) x[r] = y[r];
  }
}

/* s->y = G v + g_t; its largest entry */
static double velocity_error(hk_sim *s, const double *v) {
  const hk_model *m = s->model;
  double most = 0;
  hk_constraint_rate(s->work, v, s->y);
  for (int r = 0; r < m->nc; r++) {
    s->y[r] += s->work->gt[r];
    double e = s->kept[r] ? fabs(s->y[r]) : 0;
    most = e > most ? e : most;
  }
  return most;
}

static void put_velocity_rows(hk_sim *s) {
  for (int r = 0; r < s->model->nc; r++)
    if (s->kept[r]) s->r[s->system->row_at[r]] = -s->y[r];
}

static void take_multipliers(hk_sim *s, bool add) {
  for (int r = 0; r < s->model->nc; r++)
    s->mu[r] = !s->kept[r] ? 0 : s->r[s->system->row_at[r]] + (add ? s->mu[r] : 0);
}

/* Returns false if the diagonal blocks do not describe the step: stiff coupling between bodies. */
static bool project_by_blocks(hk_sim *s, double *v, double *impulse, double tolerance) {
  const hk_model *m = s->model;
  double before = velocity_error(s, v);
  for (int pass = 0; pass < 8 && before > (pass ? tolerance : 0); pass++) {
    memset(s->r, 0, (size_t)m->nv * sizeof *s->r);
    put_velocity_rows(s);
    hk_linear_solver_solve(s->system->solver, s->r);
    s->stats.solves++;
    take_multipliers(s, false);
    memset(s->dv, 0, (size_t)m->nv * sizeof *s->dv);
    hk_constraint_force(s->work, s->mu, s->dv);
    apply_inverse(s, s->dv);
    for (int i = 0; i < m->nv; i++) v[i] += s->dv[i];
    double after = velocity_error(s, v);
    if (!(after < 0.5 * before)) {
      if (after <= 2 * tolerance) return true;
      for (int i = 0; i < m->nv; i++) v[i] -= s->dv[i];
      return false;
    }
    for (int r = 0; r < m->nc; r++) impulse[r] += s->mu[r];
    before = after;
  }
  return true;
}

/* A dv + G^T mu = 0, G (v + dv) + g_t = 0 with the whole step matrix A and this G, refined. */
static void project_by_matrix(hk_sim *s, double *v, double *impulse, double tolerance) {
  const hk_model *m = s->model;
  double first = 0;
  memset(s->dv, 0, (size_t)m->nv * sizeof *s->dv);
  memset(s->mu, 0, (size_t)m->nc * sizeof *s->mu);
  for (int pass = 0; pass < 8; pass++) {
    double error = velocity_error(s, v);
    hk_system_node_multiply(s->system, s->dv, s->r);
    for (int i = 0; i < m->nv; i++) s->r[i] = -s->r[i];
    hk_constraint_force(s->work, s->mu, s->r);
    put_velocity_rows(s);
    hk_linear_solver_solve(s->system->solver, s->r);
    s->stats.solves++;
    double size = hk_max_abs(s->r, m->nv, NULL);
    if (pass == 0) first = size;
    if (!isfinite(size) || size > 2 * first) break;
    for (int i = 0; i < m->nv; i++) {
      v[i] += s->r[i];
      s->dv[i] += s->r[i];
    }
    take_multipliers(s, true);
    if (pass > 0 && size <= 1e-3 * first && error <= tolerance) break;
  }
  for (int r = 0; r < m->nc; r++) impulse[r] += s->mu[r];
}

static void project_velocity(hk_sim *s, double h, double *x1) {
  const hk_model *m = s->model;
  if (m->nc == 0) return;
  double *v = x1 + m->at.v, *impulse = x1 + m->at.lambda_shift;
  double tolerance = 1e-8 * (1 + hk_max_abs(v, m->nv, NULL));
  memset(impulse, 0, (size_t)m->nc * sizeof *impulse);
  if (!s->inverse_ready) invert_nodes(s);
  if (s->coupled || !project_by_blocks(s, v, impulse, tolerance)) {
    s->coupled = true;
    project_by_matrix(s, v, impulse, tolerance);
  }
  for (int r = 0; r < m->nc; r++) impulse[r] /= h;
}

static hk_status step(hk_sim *s, const double *x0, double h, double *x1, hk_step_info *info) {
  const hk_model *m = s->model;
  parameters p = make_parameters(s->option.rho, h);
  double *D = s->d, *a0 = s->u + m->nv;
  double before = x0[m->at.h], k = before > 0 ? h / before : 1;
  for (int i = 0; i < m->nv; i++) {
    double vd = x0[m->at.vd + i];
    a0[i] = vd + k * (x0[m->at.a + i] - vd);
  }
  predict(s, x0, h, x1);
  hk_status status = newton(s, &p, x0, a0, h, x1, D, info);
  if (status) return status;
  long solves = s->stats.solves;
  project_velocity(s, h, x1);
  /* New factors cost about as much as three solves with their evaluations. */
  if (info->newton > 2 || s->stats.solves - solves > 2) s->refresh = true;
  remember(m, x0, h, x1);
  return HK_OK;
}

const hk_stepper hk_stepper_alpha = {"generalized_alpha", 2, step};
