/* Every joint and motion on every kind of node: values, Jacobian and bias belong together.
 *
 * Along a motion with constant node velocities, q(tau) = q (+) tau v at the time t + tau,
 *   dg/dtau = G v + gt   and   d2g/dtau2 = bias.
 * The same holds for every joint coordinate with its rate and bias. */
#include "support/subject.h"

/* Weights of fourth-order differences at -2h, -h, h, 2h (and at 0 for the second). */
static const double AT[5] = {-2, -1, 0, 1, 2}, FIRST[5] = {1, -8, 0, 8, -1},
                    SECOND[5] = {-1, 16, -30, 16, -1};

/* Values of all rows, then of all coordinates, at q (+) tau d and t + tau dt. */
static void values_at(const moment *s, const double *d, double tau, double dt, double *out) {
  const hk_model *m = s->model;
  double *step = calloc((size_t)(m->nv + m->nq) + 1, sizeof *step), *q = step + m->nv;
  assert_non_null(step);
  for (int i = 0; i < m->nv; i++) step[i] = tau * d[i];
  hk_configuration_add(m, s->q, step, q);
  const hk_instant in = {.t = s->t + tau * dt, .q = q, .v = s->v, .turn = s->turn};
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
  hk_constraints(s->work, &in);
  memcpy(out, s->work->g, (size_t)m->nc * sizeof *out);
  for (int i = 0; i < m->n_coordinates; i++)
    out[m->nc + i] = hk_coordinate_value(s->work, i, s->turn);
  free(step);
}

static void differences(const moment *s, const double *d, double dt, const double *weight,
                        double scale, double h, double *out) {
  int n = s->model->nc + s->model->n_coordinates;
  double *g = calloc((size_t)n + 1, sizeof *g);
  assert_non_null(g);
  memset(out, 0, (size_t)n * sizeof *out);
  for (int k = 0; k < 5; k++) {
    if (weight[k] == 0) continue;
    values_at(s, d, AT[k] * h, dt, g);
    for (int i = 0; i < n; i++) out[i] += weight[k] / scale * g[i];
  }
  free(g);
}

static void name_row(const hk_model *m, int i, char text[256]) {
  if (i < m->nc)
    hk_model_row_text(m, i, text, 256);
  else
    snprintf(text, 256, "coordinate '%s'", m->coordinate[i - m->nc].name);
}

/* Rolling has no g: its rows are checked by their own rate in check_bias. */
static bool is_velocity_row(const hk_model *m, int r) {
  for (int k = 0; k < m->n_velocity_rows; k++)
    if (m->velocity_row[k] == r) return true;
  return false;
}

static void check_jacobian(const hk_model *m, const hk_type *type, const setting *at) {
  const double h = 2e-3;
  moment s = moment_create(m);
  double *unit = calloc((size_t)m->nv + 1, sizeof *unit);
  double *slope = calloc((size_t)(m->nc + m->n_coordinates) + 1, sizeof *slope);
  assert_true(unit && slope);
  moment_evaluate(&s, s.q, s.v, s.lambda, s.t);
  double *G = dense_jacobian(s.work);
  for (int k = 0; k < m->nv; k++) {
    unit[k] = 1;
    differences(&s, unit, 0, FIRST, 12 * h, h, slope);
    unit[k] = 0;
    for (int r = 0; r < m->nc; r++) {
      if (is_velocity_row(m, r)) continue;
      char row[256];
      name_row(m, r, row);
      assert_near(G[r * m->nv + k], slope[r], 1e-8, "%s '%s' between %s and %s: G of %s, column %d",
                  hk_category_name(type->category), type->name, SIDE_A[at->a], SIDE_B[at->b], row,
                  k);
    }
  }
  /* G v by hk_constraint_rate, and f -= G^T lambda. */
  double *y = calloc((size_t)(m->nc + m->nv) + 1, sizeof *y), *f = y + m->nc;
  assert_non_null(y);
  moment_evaluate(&s, s.q, s.v, s.lambda, s.t);
  hk_constraint_rate(s.work, s.v, y);
  hk_constraint_force(s.work, s.lambda, f);
  for (int r = 0; r < m->nc; r++)
    for (int k = 0; k < m->nv; k++) y[r] -= G[r * m->nv + k] * s.v[k];
  for (int r = 0; r < m->nc; r++)
    for (int k = 0; k < m->nv; k++) f[k] += G[r * m->nv + k] * s.lambda[r];
  for (int i = 0; i < m->nc + m->nv; i++) assert_true(fabs(y[i]) < 1e-12);
  free(y), free(G), free(unit), free(slope);
  moment_free(&s);
}

/* Where a row is one of velocity, its bias is the slope of G v along the motion. */
static void rates_of_velocity_rows(moment *s, double h, const double *got, double *rate,
                                   double *second) {
  const hk_model *m = s->model;
  double *step = calloc((size_t)(m->nv + m->nq + m->nc) + 1, sizeof *step);
  assert_non_null(step);
  double *q = step + m->nv, *y = q + m->nq;
  for (int k = 0; k < m->n_velocity_rows; k++) {
    int row = m->velocity_row[k];
    rate[row] = got[row];
    second[row] = 0;
    for (int j = 0; j < 5; j++) {
      for (int i = 0; i < m->nv; i++) step[i] = AT[j] * h * s->v[i];
      hk_configuration_add(m, s->q, step, q);
      const hk_instant in = {.t = s->t, .q = q, .v = s->v, .turn = s->turn};
      hk_kinematics(s->work, &in, HK_FRAMES_ALL);
      hk_constraints(s->work, &in);
      hk_constraint_rate(s->work, s->v, y);
      second[row] += FIRST[j] / (12 * h) * y[row];
    }
  }
  free(step);
}

static void check_bias(const hk_model *m, const hk_type *type, const setting *at) {
  const double h = 1e-3;
  moment s = moment_create(m);
  int n = m->nc + m->n_coordinates;
  double *rate = calloc(4 * (size_t)n + 1, sizeof *rate);
  assert_non_null(rate);
  double *second = rate + n, *got = second + n, *got2 = got + n;
  differences(&s, s.v, 1, FIRST, 12 * h, h, rate);
  differences(&s, s.v, 1, SECOND, 12 * h * h, h, second);
  moment_evaluate(&s, s.q, s.v, s.lambda, s.t);
  hk_constraint_rate(s.work, s.v, got);
  for (int r = 0; r < m->nc; r++) got[r] += s.work->gt[r], got2[r] = s.work->bias[r];
  for (int i = 0; i < m->n_coordinates; i++) {
    got[m->nc + i] = hk_coordinate_rate(s.work, i);
    got2[m->nc + i] = hk_coordinate_bias(s.work, i);
  }
  rates_of_velocity_rows(&s, h, got, rate, second);
  for (int i = 0; i < n; i++) {
    char row[256];
    name_row(m, i, row);
    assert_near(got[i], rate[i], 1e-7, "%s '%s' between %s and %s: rate of %s",
                hk_category_name(type->category), type->name, SIDE_A[at->a], SIDE_B[at->b], row);
    assert_near(got2[i], second[i], 1e-6, "%s '%s' between %s and %s: bias of %s",
                hk_category_name(type->category), type->name, SIDE_A[at->a], SIDE_B[at->b], row);
  }
  free(rate);
  moment_free(&s);
}

static void jacobian_is_the_slope_of_the_constraint(void **state) {
  (void)state;
  for_every_subject(HK_JOINT, 3, check_jacobian);
  for_every_subject(HK_MOTION, 3, check_jacobian);
}

static void bias_is_the_second_derivative_along_a_motion(void **state) {
  (void)state;
  for_every_subject(HK_JOINT, 3, check_bias);
  for_every_subject(HK_MOTION, 3, check_bias);
}

/* Coordinates that belong to forces and sensors. */
static void coordinates_have_their_rate_and_bias(void **state) {
  (void)state;
  for_every_subject(HK_FORCE, 1, check_bias);
  for_every_subject(HK_SENSOR, 1, check_bias);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jacobian_is_the_slope_of_the_constraint),
      cmocka_unit_test(bias_is_the_second_derivative_along_a_motion),
      cmocka_unit_test(coordinates_have_their_rate_and_bias),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
