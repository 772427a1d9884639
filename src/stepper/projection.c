/* Velocities back onto the constraints at the end of a step: G v + g_t = 0.
 *
 * The correction must have the form W^-1 G^T mu with G of this very position: then it leaves the
 * free motion alone.  (A correction along an older G would push it a little in each step, and
 * energy would creep.)  W is the step's matrix on the bodies.  Factors of this step give the
 * correction in one solve; older ones give multipliers only, and what they leave is taken in
 * further passes with W's diagonal blocks.
 */
#include "base/hot.h"
#include "stepper/sim.h"

HK_HOT void hk_put_rows(hk_sim *s, const double *restrict y) {
  const hk_system *sys = s->system;
  const int *restrict row = sys->kept_row;
  double *restrict r = s->r + s->model->nv;
  for (int k = 0; k < sys->n_kept; k++) r[k] = -y[row[k]];
}

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
    s->coupled = !invert_block(s->system->diagonal[i].at, s->system->diagonal[i].stride,
                               m->node[i].nv, s->inverse + 6 * m->node[i].v);
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

/* s->y = G v + g_t; its largest kept entry, or NaN */
HK_HOT static double velocity_error(hk_sim *s, const double *v) {
  const int *restrict row = s->system->kept_row;
  const double *restrict y = s->y;
  double most = 0, probe = 0;
  hk_constraint_velocity(s->work, v, s->y);
  for (int k = 0; k < s->system->n_kept; k++) {
    double e = fabs(y[row[k]]);
    most = e > most ? e : most;
    probe += 0 * e;
  }
  return most + probe;
}

/* s->mu of the rows that were solved for; redundant ones have none. */
static void take_multipliers(hk_sim *s, bool add) {
  const hk_system *sys = s->system;
  if (!add) hk_zero(s->mu, s->model->nc);
  for (int k = 0; k < sys->n_kept; k++) s->mu[sys->kept_row[k]] += s->r[s->model->nv + k];
}

/* With factors of this very step the solution itself is the correction. */
static void project_at_once(hk_sim *s, double *v, double *impulse) {
  const hk_model *m = s->model;
  hk_zero(s->r, m->nv);
  hk_put_rows(s, s->y);
  hk_linear_solver_solve(s->system->solver, s->r);
  s->stats.solves++;
  for (int i = 0; i < m->nv; i++) v[i] += s->r[i];
  for (int k = 0; k < s->system->n_kept; k++) impulse[s->system->kept_row[k]] += s->r[m->nv + k];
}

/* Returns false if the diagonal blocks do not describe the step: stiff coupling between bodies. */
static bool project_by_blocks(hk_sim *s, double *v, double *impulse, double before,
                              double tolerance) {
  const hk_model *m = s->model;
  for (int pass = 0; pass < 8 && before > (pass ? tolerance : 0); pass++) {
    hk_zero(s->r, m->nv);
    hk_put_rows(s, s->y);
    hk_linear_solver_solve(s->system->solver, s->r);
    s->stats.solves++;
    take_multipliers(s, false);
    hk_zero(s->dv, m->nv);
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
  hk_zero(s->dv, m->nv);
  hk_zero(s->mu, m->nc);
  for (int pass = 0; pass < 8; pass++) {
    double error = velocity_error(s, v);
    hk_system_node_multiply(s->system, s->dv, s->r);
    for (int i = 0; i < m->nv; i++) s->r[i] = -s->r[i];
    hk_constraint_force(s->work, s->mu, s->r);
    hk_put_rows(s, s->y);
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

void hk_velocity_project(hk_sim *s, double h, double *x1, bool fresh) {
  const hk_model *m = s->model;
  if (m->nc == 0) return;
  double *v = x1 + m->at.v, *impulse = x1 + m->at.lambda_shift;
  double tolerance = 1e-8 * (1 + hk_max_abs(v, m->nv, NULL)), error = velocity_error(s, v);
  hk_zero(impulse, m->nc);
  if (fresh && error > 0) {
    project_at_once(s, v, impulse);
    error = velocity_error(s, v);
  }
  if (error > (fresh ? tolerance : 0)) {
    if (!s->inverse_ready) invert_nodes(s);
    if (s->coupled || !project_by_blocks(s, v, impulse, error, tolerance)) {
      s->coupled = true;
      project_by_matrix(s, v, impulse, tolerance);
    }
  }
  double k = 1 / h;
  for (int r = 0; r < m->nc; r++) impulse[r] *= k;
}
