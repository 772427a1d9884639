/* Rotations: exp, log and the tangent operators against series, finite differences and each other. */
#include "support/check.h"

static void assert_vec(hk_vec3 a, hk_vec3 b, double tolerance) {
  if (!(hk_norm(hk_sub(a, b)) <= tolerance))
    fail_msg("(%.17g, %.17g, %.17g) is not (%.17g, %.17g, %.17g)", a.x, a.y, a.z, b.x, b.y, b.z);
}
static void assert_mat(const hk_mat3 *A, const hk_mat3 *B, double tolerance) {
  for (int j = 0; j < 3; j++) assert_vec(hk_column(A, j), hk_column(B, j), tolerance);
}

/* exp of a matrix by its power series. */
static hk_mat3 matrix_exp(hk_vec3 phi) {
  hk_mat3 S = hk_skew(phi), sum = hk_mat3_identity(), term = sum;
  for (int k = 1; k < 60; k++) {
    term = hk_mat3_scale(1.0 / k, hk_matmul(&term, &S));
    sum = hk_mat3_add(sum, term);
  }
  return sum;
}

static hk_vec3 direction(void) { return hk_unit3(random_vector(1)); }

/* Every magnitude from zero to nearly half a revolution, across the switch to the series. */
static const double SIZES[] = {0,    1e-300, 1e-160, 1e-12,  1e-8, 1e-7, 1e-4, 0.01,
                               0.05, 0.0999, 0.1,    0.1001, 0.5,  1.5,  3,    3.14};
enum { N_SIZES = sizeof SIZES / sizeof *SIZES };

static void exp_is_the_power_series(void **state) {
  (void)state;
  for (int i = 0; i < N_SIZES; i++)
    for (int k = 0; k < 20; k++) {
      hk_vec3 phi = hk_scale(SIZES[i], direction());
      hk_quat q = hk_quat_exp(phi);
      hk_mat3 R = hk_quat_matrix(q), series = matrix_exp(phi);
      assert_mat(&R, &series, 4e-15);
      assert_float_equal(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
    }
  hk_quat far = hk_quat_exp(hk_v3(0, 0, 3 * M_PI)); /* more than a turn */
  assert_vec(hk_v3(far.x, far.y, far.z), hk_v3(0, 0, -1), 1e-15);
}

static void log_inverts_exp(void **state) {
  (void)state;
  for (int i = 0; i < N_SIZES; i++)
    for (int k = 0; k < 20; k++) {
      hk_vec3 phi = hk_scale(SIZES[i], direction());
      hk_quat q = hk_quat_exp(phi);
      assert_vec(hk_quat_log(q), phi, 1e-15 + 4e-16 * SIZES[i] / fmax(1e-3, M_PI - SIZES[i]));
      assert_vec(hk_quat_log((hk_quat){-q.w, -q.x, -q.y, -q.z}), hk_quat_log(q), 1e-15);
    }
  /* Beyond half a revolution: the result is the shorter rotation. */
  assert_vec(hk_quat_log(hk_quat_exp(hk_v3(0, 4, 0))), hk_v3(0, 4 - 2 * M_PI, 0), 1e-14);
  assert_vec(hk_quat_log((hk_quat){0, 1, 0, 0}), hk_v3(M_PI, 0, 0), 1e-15);
  assert_vec(hk_quat_log((hk_quat){-1, 0, 0, 0}), hk_v3(0, 0, 0), 0);
}

/* d/dt exp(phi) = exp(phi) skew(T phi'): T^-1 inverts it, checked by finite differences of the logarithm. */
static void tangent_is_the_slope_of_log(void **state) {
  (void)state;
  static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  const double h = 1e-3;
  for (int i = 0; i < N_SIZES; i++) {
    if (SIZES[i] > 2) continue;
    for (int k = 0; k < 10; k++) {
      hk_vec3 phi = hk_scale(SIZES[i], direction()), w = random_vector(1), slope = {0};
      hk_quat q = hk_quat_exp(phi);
      for (int j = 0; j < 4; j++) {
        hk_quat moved = hk_quat_mul(q, hk_quat_exp(hk_scale(at[j] * h, w)));
        slope = hk_axpy(slope, weight[j] / (12 * h), hk_quat_log(moved));
      }
      assert_vec(hk_so3_tangent_inv(phi, w), slope, 1e-10);
      hk_mat3 T = hk_so3_tangent_inv_matrix(phi);
      assert_vec(hk_mul(&T, w), hk_so3_tangent_inv(phi, w), 1e-15);
    }
  }
  /* The rotation axis is invariant. */
  assert_vec(hk_so3_tangent_inv(hk_v3(0, 2, 0), hk_v3(0, 1, 0)), hk_v3(0, 1, 0), 1e-15);
}

static void a_quaternion_from_each_branch(void **state) {
  (void)state;
  /* The largest component is w, x, y or z, one after the other, and ties. */
  static const hk_quat kind[] = {
      {0.9, 0.1, 0.3, 0.2}, {0.1, 0.9, 0.3, -0.2}, {0.1, -0.3, 0.9, 0.2}, {-0.1, 0.3, 0.2, 0.9},
      {0, 1, 0, 0},         {0, 0, 1, 0},          {0, 0, 0, 1},          {1, 0, 0, 0},
      {0.5, 0.5, 0.5, 0.5}, {0, 0.6, 0.8, 0},      {1e-9, 0, 0.6, 0.8}};
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
    hk_quat q = hk_quat_normalize(kind[i]);
    hk_mat3 R = hk_quat_matrix(q);
    hk_quat p = hk_quat_from_matrix(&R);
    double sign = q.w * p.w + q.x * p.x + q.y * p.y + q.z * p.z;
    assert_float_equal(fabs(sign), 1, 1e-15);
    hk_mat3 back = hk_quat_matrix(p);
    assert_mat(&back, &R, 4e-15);
  }
  for (int i = 0; i < 1000; i++) {
    hk_mat3 R = hk_quat_matrix(hk_quat_normalize(
        (hk_quat){uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}));
    hk_mat3 back = hk_quat_matrix(hk_quat_from_matrix(&R));
    assert_mat(&back, &R, 4e-15);
  }
}

static void frames_from_axes(void **state) {
  (void)state;
  hk_mat3 I = hk_mat3_identity();
  for (int i = 0; i < 200; i++) {
    hk_vec3 z = random_vector(3), x = random_vector(3);
    hk_mat3 F[2] = {hk_frame_from_z(z), hk_frame_from_zx(z, x)};
    for (int k = 0; k < 2; k++) {
      hk_mat3 P = hk_tmatmul(&F[k], &F[k]);
      assert_mat(&P, &I, 1e-15);
      assert_vec(hk_cross(hk_column(&F[k], 0), hk_column(&F[k], 1)), hk_column(&F[k], 2), 1e-15);
      assert_vec(hk_column(&F[k], 2), hk_unit3(z), 1e-15);
    }
    assert_true(hk_dot(hk_column(&F[1], 0), x) > 0);
    assert_float_equal(hk_dot(hk_column(&F[1], 1), x), 0, 1e-14);
  }
  hk_mat3 world = hk_frame_from_z(hk_v3(0, 0, 5));
  assert_mat(&world, &I, 0);
}

static void products(void **state) {
  (void)state;
  hk_mat3 A = hk_quat_matrix(hk_quat_exp(hk_v3(1, 2, 0.5))), B = hk_skew(hk_v3(1, -2, 3));
  hk_mat3 At = hk_transpose(&A), Bt = hk_transpose(&B);
  hk_mat3 one = hk_tmatmul(&A, &B), two = hk_matmul(&At, &B);
  assert_mat(&one, &two, 1e-15);
  one = hk_matmult(&A, &B), two = hk_matmul(&A, &Bt);
  assert_mat(&one, &two, 1e-15);
  hk_vec3 v = hk_v3(0.3, -1, 2), w = hk_v3(1, -2, 3);
  assert_vec(hk_tmul(&A, v), hk_mul(&At, v), 1e-15);
  assert_vec(hk_mul(&B, v), hk_cross(w, v), 1e-15);
  hk_mat3 O = hk_outer(v, w);
  assert_vec(hk_mul(&O, w), hk_scale(hk_dot(w, w), v), 1e-14);
  hk_quat p = hk_quat_exp(hk_v3(1, 0, 0.4)), q = hk_quat_exp(hk_v3(-0.3, 2, 0));
  hk_mat3 P = hk_quat_matrix(p), Q = hk_quat_matrix(q), PQ = hk_quat_matrix(hk_quat_mul(p, q));
  one = hk_matmul(&P, &Q);
  assert_mat(&PQ, &one, 1e-15);
  hk_mat3 back = hk_quat_matrix(hk_quat_conj(p)), Pt = hk_transpose(&P);
  assert_mat(&back, &Pt, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exp_is_the_power_series),
      cmocka_unit_test(log_inverts_exp),
      cmocka_unit_test(tangent_is_the_slope_of_log),
      cmocka_unit_test(a_quaternion_from_each_branch),
      cmocka_unit_test(frames_from_axes),
      cmocka_unit_test(products),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
