/* The Newton matrix of every type on every kind of node against differences.
 *
 * With the residual R(q, v, lambda) = G^T lambda - f(q, v, lambda) of the force balance,
 *   node rows      cM M + cC dR/dv + cK dR/dq   and   dR/dlambda
 *   multiplier rows  G and 0
 * where dq is a displacement q (+) d in node coordinates.  The pattern that leaves out the coupling
 * of joints between bodies must agree wherever it has a block, and a matrix without some rows must
 * be the whole one without them. */
#include "support/subject.h"

static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1};

static void residual(const moment *s, const double *q, const double *v, const double *lambda,
                     double *R) {
  moment_evaluate(s, q, v, lambda, s->t);
  hk_constraint_force(s->work, lambda, s->work->f);
  for (int i = 0; i < s->model->nv; i++) R[i] = -s->work->f[i];
}

/* Which argument a difference varies. */
typedef enum argument { POSITION, VELOCITY, MULTIPLIER } argument;

/* Column k of dR/d(argument). */
static void slope(const moment *s, argument which, int k, double *out) {
  const hk_model *m = s->model;
  const double h = 1e-3;
  size_t n = (size_t)(m->nq + 3 * m->nv + m->nc);
  double *q = calloc(n + 1, sizeof *q), *v = q + m->nq, *lambda = v + m->nv;
  double *d = lambda + m->nc, *R = d + m->nv;
  assert_non_null(q);
  memset(out, 0, (size_t)m->nv * sizeof *out);
  for (int i = 0; i < 4; i++) {
    memcpy(q, s->q, (size_t)m->nq * sizeof *q);
    memcpy(v, s->v, (size_t)m->nv * sizeof *v);
    memcpy(lambda, s->lambda, (size_t)m->nc * sizeof *lambda);
    if (which == POSITION) {
      d[k] = AT[i] * h;
      hk_configuration_add(m, s->q, d, q);
    }
    if (which == VELOCITY) v[k] += AT[i] * h;
    if (which == MULTIPLIER) lambda[k] += AT[i] * h;
    residual(s, q, v, lambda, R);
    for (int j = 0; j < m->nv; j++) out[j] += WEIGHT[i] / (12 * h) * R[j];
  }
  free(q);
}

/* The matrix as [n][n]; absent (may be NULL) marks what is not in the pattern. */
static double *dense(const hk_system *sys, bool *absent) {
  const hk_block_pattern *p = sys->pattern;
  double *A = calloc((size_t)sys->n * (size_t)sys->n + 1, sizeof *A);
  assert_non_null(A);
  for (int i = 0; i < p->nb; i++)
    for (int j = 0; j < p->nb; j++) {
      int stride;
      const double *at = hk_block_matrix_at(sys->matrix, i, j, &stride);
      for (int r = 0; r < p->size[i]; r++)
        for (int c = 0; c < p->size[j]; c++) {
          int to = (p->offset[i] + r) * sys->n + p->offset[j] + c;
          if (at) A[to] = at[r * stride + c];
          if (absent) absent[to] = !at;
        }
    }
  return A;
}

static double *assembled(const moment *s, const uint8_t *kept, bool full, const hk_coefficients *c,
                         hk_system **out, bool *absent) {
  hk_error err = {0};
  hk_system *sys = NULL;
  if (hk_system_create(s->model, kept, full, HK_SOLVER_AUTO, &sys, &err)) fail_msg("%s", err.text);
  moment_evaluate(s, s->q, s->v, s->lambda, s->t);
  const hk_instant in = moment_instant(s);
  hk_assemble(sys, s->work, c, &in);
  double *A = dense(sys, absent);
  if (out)
    *out = sys;
  else
    hk_system_destroy(sys);
  return A;
}

static const char *what(const hk_type *type, const setting *at, char text[128]) {
  snprintf(text, 128, "%s '%s' between %s and %s", hk_category_name(type->category), type->name,
           SIDE_A[at->a], SIDE_B[at->b]);
  return text;
}

static void check_columns(const moment *s, const hk_system *sys, const double *A,
                          const hk_coefficients *c, const char *who) {
  const hk_model *m = s->model;
  double *K = calloc(4 * (size_t)m->nv + 1, sizeof *K), *C = K + m->nv, *M = C + m->nv;
  double *e = M + m->nv;
  assert_non_null(K);
  for (int k = 0; k < m->nv; k++) {
    slope(s, POSITION, k, K);
    slope(s, VELOCITY, k, C);
    e[k] = 1;
    hk_mass_multiply(s->work, e, M);
    e[k] = 0;
    for (int j = 0; j < m->nv; j++)
      assert_near(A[j * sys->n + k], c->cM * M[j] + c->cC * C[j] + c->cK * K[j], 1e-7,
                  "%s: matrix (%d, %d), K %.9g, C %.9g", who, j, k, K[j], C[j]);
  }
  for (int r = 0; r < m->nc; r++) {
    slope(s, MULTIPLIER, r, K);
    for (int j = 0; j < m->nv; j++)
      assert_near(A[j * sys->n + sys->row_at[r]], K[j], 1e-7, "%s: d(force %d)/d(lambda %d)", who,
                  j, r);
  }
  free(K);
}

static void check_rows(const moment *s, const hk_system *sys, const double *A, const char *who) {
  const hk_model *m = s->model;
  moment_evaluate(s, s->q, s->v, s->lambda, s->t);
  double *G = dense_jacobian(s->work);
  for (int r = 0; r < m->nc; r++) {
    const double *row = A + sys->row_at[r] * sys->n;
    for (int k = 0; k < m->nv; k++)
      assert_near(row[k], G[r * m->nv + k], 1e-13, "%s: row %d, column %d", who, r, k);
    for (int k = m->nv; k < sys->n; k++) assert_true(row[k] == 0);
  }
  free(G);
}

static void check_reduced(const moment *s, const hk_system *sys, const double *A,
                          const hk_coefficients *c, const char *who) {
  size_t n = (size_t)sys->n;
  bool *absent = calloc(n * n + 1, sizeof *absent);
  assert_non_null(absent);
  double *B = assembled(s, NULL, false, c, NULL, absent);
  for (size_t i = 0; i < n * n; i++)
    if (!absent[i])
      assert_near(B[i], A[i], 1e-13, "%s: reduced matrix (%zu, %zu)", who, i / n, i % n);
  free(B), free(absent);
}

static void check_dropped(const moment *s, const hk_system *sys, const double *A,
                          const hk_coefficients *c, const char *who) {
  const hk_model *m = s->model;
  uint8_t *kept = calloc((size_t)m->nc + 1, 1);
  int *from =
      calloc((size_t)(m->nv + m->nc) + 1, sizeof *from); /* scalar row of the whole matrix */
  assert_true(kept && from);
  for (int r = 0; r < m->nc; r++) kept[r] = pick(4) > 0;
  hk_system *less;
  double *B = assembled(s, kept, true, c, &less, NULL);
  for (int i = 0; i < m->nv; i++) from[i] = i;
  int rows = m->nv;
  for (int r = 0; r < m->nc; r++) {
    assert_true((less->row_at[r] >= 0) == kept[r]);
    if (kept[r]) from[less->row_at[r]] = sys->row_at[r], rows++;
  }
  assert_int_equal(less->n, rows);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      assert_near(B[i * rows + j], A[from[i] * sys->n + from[j]], 1e-13,
                  "%s: matrix without some rows (%d, %d)", who, i, j);
  hk_system_destroy(less);
  free(B), free(kept), free(from);
}

/* With a step's rotation D the inertia's columns become (cM J + cC dgyro/dw) T^-1(D). */
static void check_step_rotation(const moment *s, const hk_system *sys, const char *who) {
  const hk_model *m = s->model;
  double *D = calloc((size_t)m->nv + 1, sizeof *D);
  assert_non_null(D);
  for (int i = 0; i < m->nv; i++) D[i] = uniform(-0.5, 0.5);
  hk_coefficients plain = {0.7, 0, 0, NULL}, turned = {0.7, 0, 0, D};
  double *A = assembled(s, NULL, true, &plain, NULL, NULL);
  double *B = assembled(s, NULL, true, &turned, NULL, NULL);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    if (n->type != &hk_node_rigid) continue;
    int o = n->v + 3;
    hk_mat3 T = hk_so3_tangent_inv_matrix(hk_v3(D[o], D[o + 1], D[o + 2]));
    hk_mat3 J = hk_matmul(&n->inertia, &T);
    for (int r = 0; r < 3; r++)
      for (int k = 0; k < 3; k++) {
        int to = (o + r) * sys->n + o + k;
        assert_near(B[to] - A[to], 0.7 * (J.m[r][k] - n->inertia.m[r][k]), 1e-13,
                    "%s: step rotation (%d, %d)", who, r, k);
      }
  }
  free(A), free(B), free(D);
}

static void check(const hk_model *m, const hk_type *type, const setting *at) {
  char who[128];
  what(type, at, who);
  moment s = moment_create(m);
  hk_coefficients c = {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2), NULL};
  hk_system *sys;
  double *A = assembled(&s, NULL, true, &c, &sys, NULL);
  assert_int_equal(sys->n, m->nv + m->nc);
  check_columns(&s, sys, A, &c, who);
  check_rows(&s, sys, A, who);
  check_reduced(&s, sys, A, &c, who);
  check_dropped(&s, sys, A, &c, who);
  check_step_rotation(&s, sys, who);
  free(A);
  hk_system_destroy(sys);
  moment_free(&s);
}

static void joints(void **state) {
  (void)state;
  for_every_subject(HK_JOINT, 2, check);
}
static void motions(void **state) {
  (void)state;
  for_every_subject(HK_MOTION, 2, check);
}
static void forces(void **state) {
  (void)state;
  for_every_subject(HK_FORCE, 6, check);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints),
      cmocka_unit_test(motions),
      cmocka_unit_test(forces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
