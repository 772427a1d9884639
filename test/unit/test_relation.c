/* Every relation against finite differences of its value: gradient, bias and curvature, at random
 * frames; and invariance for a moving observer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "relation/twist.h"

static const hk_relation_type *const RELATIONS[] = {
    &hk_relation_point,      &hk_relation_along,        &hk_relation_dot,
    &hk_relation_distance,   &hk_relation_homokinetic,  &hk_relation_angle,
    &hk_relation_turn,       &hk_relation_parallel,     &hk_relation_cross_a,
    &hk_relation_cross_b,    &hk_relation_wheel_height, &hk_relation_rolling,
    &hk_relation_knife_edge, &hk_relation_articulation, &hk_relation_twist,
    &hk_relation_link,       &hk_relation_azimuth};
enum { N_RELATIONS = sizeof RELATIONS / sizeof *RELATIONS, TRIALS = 200 };

static uint64_t seed = 20240607;
static double uniform(double low, double high) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}
static hk_vec3 random_vector(double size) {
  return hk_v3(uniform(-size, size), uniform(-size, size), uniform(-size, size));
}
static hk_vec3 random_unit(void) {
  for (;;) {
    hk_vec3 a = random_vector(1);
    if (hk_norm(a) > 0.1 && hk_norm(a) < 1) return hk_unit3(a);
  }
}

typedef struct pair {
  const hk_relation_type *type;
  hk_frame A, B;
  double k[HK_RELATION_CONSTANTS];
} pair;

/* A rotor may only rotate about its own axis. */
static bool on_rotors(const pair *p) { return p->type == &hk_relation_turn; }
/* Positions at which differences would cross, or come close to, a point without a derivative. */
static bool near_kink(const pair *p, double distance) {
  if (p->type == &hk_relation_articulation)
    return hk_norm(hk_cross(hk_column(&p->A.R, 2), hk_column(&p->B.R, 2))) < 0.3;
  if (p->type == &hk_relation_azimuth) {
    hk_vec3 d = hk_sub(p->B.x, p->A.x), z = hk_column(&p->A.R, 2);
    return hk_norm(hk_cross(z, d)) < 0.5 + distance;
  }
  return (p->type == &hk_relation_distance || p->type == &hk_relation_link) &&
         hk_norm(hk_sub(p->B.x, p->A.x)) < distance;
}

static hk_frame random_frame(bool rotor) {
  hk_frame F = {.x = random_vector(2), .R = hk_quat_matrix(hk_quat_exp(random_vector(3)))};
  F.v = random_vector(1);
  F.w = random_vector(1);
  if (rotor) {
    F.angle = uniform(-9, 9);
    F.rate = uniform(-2, 2);
    F.v = hk_v3(0, 0, 0);
    F.w = hk_scale(F.rate, hk_column(&F.R, 2));
  }
  return F;
}

static pair random_pair(const hk_relation_type *type) {
  pair p = {.type = type};
  p.A = random_frame(on_rotors(&p));
  p.B = random_frame(on_rotors(&p));
  if (type == &hk_relation_along || type == &hk_relation_dot) {
    hk_vec3 a = random_unit(), b = random_unit();
    double k[7] = {a.x, a.y, a.z, b.x, b.y, b.z, uniform(-1, 1)};
    memcpy(p.k, k, sizeof k);
  }
  if (type == &hk_relation_distance || type == &hk_relation_wheel_height ||
      type == &hk_relation_rolling)
    p.k[0] = uniform(0, 2);
  if (type->ground_a) p.A.v = p.A.w = hk_v3(0, 0, 0);
  if (type == &hk_relation_wheel_height || type == &hk_relation_rolling) { /* a standing wheel */
    hk_mat3 lean = hk_quat_matrix(hk_quat_exp(hk_v3(uniform(0.6, 2.5), 0, 0)));
    hk_mat3 yaw = hk_quat_matrix(hk_quat_exp(hk_v3(0, 0, uniform(-3, 3))));
    hk_mat3 relative = hk_matmul(&yaw, &lean);
    p.B.R = hk_matmul(&p.A.R, &relative);
  }
  if (type->wraps) { /* keep the measured axis near its plane; far from the plane the angle is
                      * undefined */
    hk_vec3 axis = type == &hk_relation_cross_a   ? hk_v3(1, 0, 0)
                   : type == &hk_relation_cross_b ? hk_v3(0, 1, 0)
                                                  : hk_v3(0, 0, 1);
    hk_mat3 turn = hk_quat_matrix(hk_quat_exp(hk_scale(uniform(-3.1, 3.1), axis)));
    hk_mat3 bend = hk_quat_matrix(hk_quat_exp(random_vector(0.5)));
    hk_mat3 relative = hk_matmul(&turn, &bend);
    p.B.R = hk_matmul(&p.A.R, &relative);
  }
  return p;
}

/* The frame displaced by (dx, dtheta) in world axes. */
static hk_frame moved(hk_frame F, hk_vec3 dx, hk_vec3 dtheta, bool rotor) {
  if (rotor) {
    hk_vec3 z = hk_column(&F.R, 2);
    F.angle += hk_dot(z, dtheta);
    dtheta = hk_scale(hk_dot(z, dtheta), z);
    dx = hk_v3(0, 0, 0);
  }
  F.x = hk_add(F.x, dx);
  hk_mat3 turn = hk_quat_matrix(hk_quat_exp(dtheta));
  F.R = hk_matmul(&turn, &F.R);
  return F;
}
static pair displaced(const pair *p, const double d[12], double h) {
  pair q = *p;
  bool r = on_rotors(p);
  if (!p->type->ground_a)
    q.A = moved(p->A, hk_v3(h * d[0], h * d[1], h * d[2]), hk_v3(h * d[3], h * d[4], h * d[5]), r);
  q.B = moved(p->B, hk_v3(h * d[6], h * d[7], h * d[8]), hk_v3(h * d[9], h * d[10], h * d[11]), r);
  return q;
}

static void values(const pair *p, double *c) { p->type->value(p->k, &p->A, &p->B, c); }
static void gradients(const pair *p, double J[][12]) {
  hk_row row[HK_RELATION_MAX_ROWS];
  memset(row, 0, sizeof row);
  p->type->gradient(p->k, &p->A, &p->B, row);
  for (int i = 0; i < p->type->rows; i++) memcpy(J[i], &row[i], sizeof row[i]);
}
/* The change of a value from c0, without jumps by whole revolutions. */
static double change(const pair *p, double c, double c0) {
  return p->type->wraps ? remainder(c - c0, 2 * M_PI) : c - c0;
}

static void assert_near(const char *what, const pair *p, double got, double wanted, double scale,
                        double tolerance) {
  if (fabs(got - wanted) <= tolerance * scale) return;
  print_error("%s of relation '%s': %.12g, but differences give %.12g\n", what, p->type->name, got,
              wanted);
  fail();
}

/* Fourth-order first difference of every row along d. */
static void value_slope(const pair *p, const double d[12], double *slope) {
  static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  const double h = 1e-3;
  double c0[3], c[3];
  values(p, c0);
  memset(slope, 0, 3 * sizeof *slope);
  for (int s = 0; s < 4; s++) {
    pair q = displaced(p, d, at[s] * h);
    values(&q, c);
    for (int i = 0; i < p->type->rows; i++)
      slope[i] += weight[s] * change(p, c[i], c0[i]) / (12 * h);
  }
}

static void gradient_is_the_slope_of_the_value(void **state) {
  (void)state;
  for (int r = 0; r < N_RELATIONS; r++)
    for (int trial = 0; trial < TRIALS; trial++) {
      pair p = random_pair(RELATIONS[r]);
      if (p.type->velocity_only || near_kink(&p, 0)) continue;
      double J[3][12], slope[3];
      gradients(&p, J);
      if (p.type->ground_a)
        for (int i = 0; i < 3; i++) memset(J[i], 0, 6 * sizeof(double));
      for (int j = 0; j < 12; j++) {
        double d[12] = {0};
        d[j] = 1;
        value_slope(&p, d, slope);
        for (int i = 0; i < p.type->rows; i++)
          assert_near("gradient", &p, J[i][j], slope[i], 1 + fabs(slope[i]), 1e-7);
      }
    }
}

static void bias_is_the_second_derivative_at_constant_velocity(void **state) {
  (void)state;
  static const double at[5] = {-2, -1, 0, 1, 2}, weight[5] = {-1, 16, -30, 16, -1};
  const double h = 4e-3;
  for (int r = 0; r < N_RELATIONS; r++)
    for (int trial = 0; trial < TRIALS; trial++) {
      pair p = random_pair(RELATIONS[r]);
      if (near_kink(&p, 0.5)) continue;
      if (p.type->velocity_only) continue;
      double d[12], c0[3], c[3], second[3] = {0}, bias[3] = {0};
      memcpy(d, &p.A.v, sizeof p.A.v);
      memcpy(d + 3, &p.A.w, sizeof p.A.w);
      memcpy(d + 6, &p.B.v, sizeof p.B.v);
      memcpy(d + 9, &p.B.w, sizeof p.B.w);
      values(&p, c0);
      for (int s = 0; s < 5; s++) {
        pair q = displaced(&p, d, at[s] * h);
        values(&q, c);
        for (int i = 0; i < p.type->rows; i++)
          second[i] += weight[s] * change(&p, c[i], c0[i]) / (12 * h * h);
      }
      p.type->bias(p.k, &p.A, &p.B, bias);
      for (int i = 0; i < p.type->rows; i++)
        assert_near("bias", &p, bias[i], second[i], 1 + fabs(second[i]), 1e-6);
    }
}

/* Rows at velocity level: J' v along the motion, from differences of J. */
static void bias_of_velocity_rows(void **state) {
  (void)state;
  static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  const double h = 1e-3;
  for (int r = 0; r < N_RELATIONS; r++)
    for (int trial = 0; trial < TRIALS; trial++) {
      pair p = random_pair(RELATIONS[r]);
      if (!p.type->velocity_only) continue;
      double d[12] = {0}, J[3][12], slope[3] = {0}, bias[3];
      memcpy(d + 6, &p.B.v, sizeof p.B.v);
      memcpy(d + 9, &p.B.w, sizeof p.B.w);
      for (int s = 0; s < 4; s++) {
        pair q = displaced(&p, d, at[s] * h);
        gradients(&q, J);
        for (int i = 0; i < p.type->rows; i++)
          for (int j = 0; j < 12; j++) slope[i] += weight[s] * J[i][j] * d[j] / (12 * h);
      }
      p.type->bias(p.k, &p.A, &p.B, bias);
      for (int i = 0; i < p.type->rows; i++)
        assert_near("bias", &p, bias[i], slope[i], 1 + fabs(slope[i]), 1e-7);
    }
}

/* The point of a rolling wheel that touches the plane is at rest. */
static void a_rolling_wheel_stands_on_its_track(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    pair p = random_pair(&hk_relation_rolling);
    hk_vec3 k = hk_column(&p.A.R, 2), n = hk_column(&p.B.R, 2);
    hk_vec3 m = hk_unit3(hk_axpy(k, -hk_dot(k, n), n));
    hk_vec3 touch = hk_scale(-p.k[0], m);
    /* a velocity at which that point is at rest in the plane satisfies both rows */
    p.B.v = hk_axpy(hk_neg(hk_cross(p.B.w, touch)), uniform(-1, 1), k);
    hk_row J[2];
    memset(J, 0, sizeof J);
    p.type->gradient(p.k, &p.A, &p.B, J);
    for (int i = 0; i < 2; i++)
      assert_near("slip", &p, hk_row_rate(&J[i], &p.A, &p.B), 0, 1, 1e-12);
  }
}

static void curvature_is_the_slope_of_the_gradient(void **state) {
  (void)state;
  static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  const double h = 1e-3;
  for (int r = 0; r < N_RELATIONS; r++)
    for (int trial = 0; trial < TRIALS; trial++) {
      pair p = random_pair(RELATIONS[r]);
      if (near_kink(&p, 0.3)) continue;
      double factor[3], K[12][12] = {{0}}, J[3][12];
      for (int i = 0; i < 3; i++) factor[i] = uniform(-2, 2);
      if (p.type->curvature) p.type->curvature(p.k, &p.A, &p.B, factor, K);
      for (int j = 0; j < 12; j++) {
        double d[12] = {0}, slope[12] = {0};
        d[j] = 1;
        for (int s = 0; s < 4; s++) {
          pair q = displaced(&p, d, at[s] * h);
          gradients(&q, J);
          for (int i = 0; i < p.type->rows; i++)
            for (int l = 0; l < 12; l++) slope[l] += weight[s] * factor[i] * J[i][l] / (12 * h);
        }
        for (int l = 0; l < 12; l++)
          assert_near("curvature", &p, K[l][j], slope[l], 1 + fabs(slope[l]), 1e-6);
      }
    }
}

/* With A at rest, the only remaining part of the curvature is that of turning_b. */
static void turning_b_is_the_curvature_beside_the_ground(void **state) {
  (void)state;
  int told = 0;
  for (int r = 0; r < N_RELATIONS; r++)
    for (int trial = 0; trial < TRIALS; trial++) {
      pair p = random_pair(RELATIONS[r]);
      if (near_kink(&p, 0.3) || !p.type->turning_b) continue;
      double factor[3], K[12][12] = {{0}};
      hk_mat3 S = {{{0}}};
      for (int i = 0; i < 3; i++) factor[i] = uniform(-2, 2);
      p.type->curvature(p.k, &p.A, &p.B, factor, K);
      p.type->turning_b(p.k, &p.A, &p.B, factor, &S);
      for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
          double want = i < 3 || j < 3 ? 0 : S.m[i - 3][j - 3];
          assert_near("turning_b", &p, want, K[6 + i][6 + j], 1 + fabs(want), 1e-13);
        }
      told++;
    }
  assert_true(told >= 4 * TRIALS / 2);
}

/* A motion of both frames together changes no value, and a force along a relation is in balance.
 * Rotors have bearings, so this does not hold for them; for coincident points it holds if the
 * points coincide. */
static void an_observer_moving_along_sees_nothing(void **state) {
  (void)state;
  for (int r = 0; r < N_RELATIONS; r++)
    for (int trial = 0; trial < TRIALS; trial++) {
      pair p = random_pair(RELATIONS[r]);
      if (on_rotors(&p) || p.type->ground_a) continue;
      if (p.type == &hk_relation_point) p.B.x = p.A.x;
      hk_vec3 shift = random_vector(5);
      hk_mat3 turn = hk_quat_matrix(hk_quat_exp(random_vector(3)));
      pair q = p;
      q.A.x = hk_add(shift, hk_mul(&turn, p.A.x));
      q.B.x = hk_add(shift, hk_mul(&turn, p.B.x));
      q.A.R = hk_matmul(&turn, &p.A.R);
      q.B.R = hk_matmul(&turn, &p.B.R);
      double c[3], c1[3];
      values(&p, c);
      values(&q, c1);
      hk_row row[HK_RELATION_MAX_ROWS];
      memset(row, 0, sizeof row);
      p.type->gradient(p.k, &p.A, &p.B, row);
      for (int i = 0; i < p.type->rows; i++) {
        assert_near("value under common motion", &p, change(&p, c1[i], c[i]), 0, 1, 1e-13);
        hk_vec3 force = hk_add(row[i].xa, row[i].xb);
        hk_vec3 moment = hk_add(hk_add(row[i].ta, row[i].tb),
                                hk_add(hk_cross(p.A.x, row[i].xa), hk_cross(p.B.x, row[i].xb)));
        assert_near("net force", &p, hk_norm(force), 0, 1, 1e-13);
        assert_near("net moment", &p, hk_norm(moment), 0, 1, 1e-13);
      }
    }
}

static void values_are_what_the_header_says(void **state) {
  (void)state;
  hk_frame A = {.R = hk_mat3_identity()}, B = A;
  double c, ex[3] = {1, 0, 0}, length = 3;
  B.x = hk_v3(2, 3, 6);
  B.R = hk_quat_matrix(hk_quat_exp(hk_v3(0, 0, 0.7)));
  hk_relation_along.value(ex, &A, &B, &c);
  assert_float_equal(c, 2, 1e-15);
  hk_relation_distance.value(&length, &A, &B, &c);
  assert_float_equal(c, 4, 1e-15);
  hk_relation_angle.value(NULL, &A, &B, &c);
  assert_float_equal(c, 0.7, 1e-15);
  hk_relation_homokinetic.value(NULL, &A, &B, &c);
  assert_float_equal(c, -sin(0.7), 1e-15);
  hk_relation_twist.value(NULL, &A, &B, &c);
  assert_float_equal(c, 0.7, 1e-15);
  /* the angle, not its sine, for any articulation angle */
  for (double turn = -3; turn <= 3; turn += 0.5) {
    hk_mat3 bent = hk_quat_matrix(hk_quat_exp(hk_v3(0.6, -0.9, 0))),
            turned = hk_quat_matrix(hk_quat_exp(hk_v3(0, 0, turn)));
    hk_frame C = {.R = hk_matmul(&bent, &turned)};
    hk_relation_twist.value(NULL, &A, &C, &c);
    assert_float_equal(c, turn, 1e-14);
  }
  A.angle = 1, B.angle = 8.5;
  hk_relation_turn.value(NULL, &A, &B, &c);
  assert_float_equal(c, 7.5, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_what_the_header_says),
      cmocka_unit_test(gradient_is_the_slope_of_the_value),
      cmocka_unit_test(bias_is_the_second_derivative_at_constant_velocity),
      cmocka_unit_test(bias_of_velocity_rows),
      cmocka_unit_test(a_rolling_wheel_stands_on_its_track),
      cmocka_unit_test(curvature_is_the_slope_of_the_gradient),
      cmocka_unit_test(turning_b_is_the_curvature_beside_the_ground),
      cmocka_unit_test(an_observer_moving_along_sees_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
