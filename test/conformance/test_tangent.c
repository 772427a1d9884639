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

/* A load that reads channels of other forces, in the unit of each: every one that forces may read. */
static const char READ[] =
    "format: 1\n"
    "bodies:\n"
    "  ground: {markers: {m: {at: [0.3 m, -0.2 m, 0.5 m], orientation: {axis: [1, 2, 3], angle: 50 "
    "deg}}}}\n"
    "  first: {mass: 1.2 kg, inertia: [0.3 kg*m^2, 0.4 kg*m^2, 0.5 kg*m^2], center_of_mass: [0.1 "
    "m, "
    "0, 0.2 m], position: [0.4 m, 0, 0.1 m], velocity: [1 m/s, 0.3 m/s, -0.4 m/s], "
    "angular_velocity: "
    "[0.7 rad/s, -0.4 rad/s, 1 rad/s], markers: {m: {at: [0.3 m, 0.1 m, 0], orientation: {axis: "
    "[1, "
    "1, 0], angle: 40 deg}}}}\n"
    "  second: {mass: 2 kg, inertia: [0.6 kg*m^2, 0.4 kg*m^2, 0.5 kg*m^2], position: [0, 0.7 m, "
    "0], "
    "angular_velocity: [0, 0.5 rad/s, 0.2 rad/s], markers: {m: {at: [0, 0.2 m, 0.3 m], "
    "orientation: "
    "{axis: [0, 1, 2], angle: 25 deg}}}}\n"
    "  spot: {type: point_mass, mass: 0.5 kg, position: [1 m, 1 m, 1 m], velocity: [0, 1 m/s, 0]}\n"
    "  wheel: {type: rotor, inertia: 0.7 kg*m^2, axis: [1, 0, 1], rate: 1.3 rad/s, position: [0, "
    "0, "
    "1 m], markers: {m: {at: [0.3 m, 0, 0.1 m], orientation: {axis: x, angle: 35 deg}}}}\n"
    "  disc: {type: rotor, inertia: 0.4 kg*m^2, rate: -0.6 rad/s, angle: 0.4 rad}\n"
    "joints: {hinge: {type: revolute, a: ground.m, b: second, at: [0, 0.7 m, 0], axis: [1, 1, "
    "1]}}\n"
    "forces:\n"
    "  cord: {type: spring_damper, a: first.m, b: spot, stiffness: 3 N/m, damping: 0.7 N*s/m, "
    "length: "
    "0.4 m}\n"
    "  belt: {type: spring_damper, a: wheel.m, b: second.m, stiffness: 2 N/m, damping: 0.4 N*s/m, "
    "length: 0.2 m}\n"
    "  coil: {type: torsion_spring, coordinate: hinge.angle, stiffness: 2 N*m/rad, damping: 0.3 "
    "N*m*s/rad, angle: 20 deg}\n"
    "  shaft: {type: torsion_spring, a: wheel, b: disc, stiffness: 2 N*m/rad, damping: 0.3 "
    "N*m*s/rad}\n"
    "  mount: {type: bushing, a: first.m, b: second.m, stiffness: [3 N/m, 2 N/m, 1 N/m], damping: "
    "[0.3 "
    "N*s/m, 0.2 N*s/m, 0.4 N*s/m], torsion_stiffness: [1 N*m/rad, 2 N*m/rad, 0.5 N*m/rad], "
    "torsion_damping: [0.1 N*m*s/rad, 0.2 N*m*s/rad, 0.3 N*m*s/rad]}\n"
    "  carrier: {type: bearing, a: wheel.m, b: first.m, radial_stiffness: 2 N/m, axial_stiffness: "
    "3 "
    "N/m, radial_damping: 0.5 N*s/m, axial_damping: 0.2 N*s/m, spin_damping: 0.1 N*m*s/rad}\n";

static hk_model *reading_model(const hk_model *plain, const int *channel, int n) {
  static const char *const unit[2] = {"N", "N*m"};
  char text[8192];
  int used =
      snprintf(text, sizeof text, "%s  reads: {type: load, a: second, b: first.m, force: [", READ);
  for (int i = 0; i < 6; i++) {
    const hk_channel *c = &plain->channel[channel[i < n ? i : 0]];
    if (i == 3) used += snprintf(text + used, sizeof text - (size_t)used, "], torque: [");
    used += snprintf(text + used, sizeof text - (size_t)used, "%s\"%s * 0.%d * (1 %s) / (1 %s)\"",
                     i % 3 ? ", " : "", c->name, i + 3, unit[i / 3], c->unit);
  }
  snprintf(text + used, sizeof text - (size_t)used, "]}\n");
  return model_of(text);
}

static void forces_that_read_forces(void **state) {
  (void)state;
  const setting nowhere = {0};
  hk_model *plain = model_of(READ);
  int channel[6], n = 0, total = 0;
  for (int i = 0; i <= plain->n_channels; i++) {
    bool wanted = i < plain->n_channels && plain->channel[i].owner == HK_OF_FORCE &&
                  plain->channel[i].needs == 0;
    if (wanted) channel[n++] = i, total++;
    if (n == 0 || (n < 6 && i < plain->n_channels)) continue;
    hk_model *m = reading_model(plain, channel, n);
    check(m, m->force[m->n_forces - 1].item->type, &nowhere);
    hk_model_destroy(m);
    n = 0;
  }
  assert_int_equal(total, 6 * 12 + 4 + 2 * 2);
  hk_model_destroy(plain);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints),
      cmocka_unit_test(motions),
      cmocka_unit_test(forces),
      cmocka_unit_test(forces_that_read_forces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
