/* Films: closed forms, their series, limits of Reynolds' equation, and the tables made from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "film/film_journal.h"
#include "film/film_sphere.h"
#include "film/squeeze.h"
#include "force/film.h"

static void near(double got, double wanted, double relative) {
  if (!(fabs(got - wanted) <= relative * fabs(wanted))) {
    print_error("%.12g instead of %.12g\n", got, wanted);
    fail();
  }
}

/* Series, closed form and quadrature of the pressure agree. */
static void test_squeeze(void **state) {
  double slope, up, down, unused;
  near(hk_squeeze(0, &slope), 2.0 / 3, 1e-15);
  near(slope, 0.75, 1e-15);
  for (double x = -0.98; x < 0.985; x += 0.0407) {
    double B = hk_squeeze(x, &slope), sum = 0, h = 1e-5;
    enum { N = 40000 };
    for (int i = 0; i < N; i++) { /* 2 int p sin cos over the half with the pressure */
      double theta = M_PI / 2 * (i + 0.5) / N, c = cos(theta), H = 1 - x * c;
      sum += 2 * c * (1 - 0.5 * x * c) / (H * H) * sin(theta) * c * M_PI / 2 / N;
    }
    near(B, sum, 1e-6);
    up = hk_squeeze(x + h, &unused), down = hk_squeeze(x - h, &unused);
    near(slope, (up - down) / (2 * h), 2e-6);
  }
  /* No digits are lost near the centre, nor at the end of the series. */
  near(hk_squeeze(1e-5, &slope), 2.0 / 3 + 0.75e-5 + 0.8e-10, 1e-14);
  near(hk_squeeze(0.15 * (1 - 1e-15), &slope), hk_squeeze(0.15, &unused), 1e-12);
  near(slope, unused, 1e-11);
  near(hk_squeeze(1 - 1e-7, &slope), 1e7, 1e-5); /* 1/(1 - x) */
}

/* Coefficients of the full film between spheres. */
static void test_full_film(void **state) {
  static const double table[][3] = {{0, 4.0 / 3, 4.0 / 3},
                                    {0.3, 1.49265, 1.35385},
                                    {0.5, 1.87777, 1.40523},
                                    {0.9, 8.95644, 2.01309},
                                    {0.99, 97.0878, 3.51860}};
  for (int i = 0; i < 5; i++) {
    double radial, tangential, unused, eps = table[i][0];
    hk_film_sphere_full(eps, &radial, &tangential);
    near(radial, table[i][1], 1e-4);
    near(tangential, table[i][2], 1e-4);
    near(radial, hk_squeeze(eps, &unused) + hk_squeeze(-eps, &unused), 1e-8);
  }
}

static double radial(const hk_film_table *t, double eps, double V, double W) {
  hk_film_rest f;
  hk_film_table_read(t, eps, V, W, &f);
  return t->base * V + eps * f.r;
}
static double tangential(const hk_film_table *t, double eps, double V, double W) {
  hk_film_rest f;
  hk_film_table_read(t, eps, V, W, &f);
  return t->base * W + eps * f.s;
}

/* The table of the socket: pure squeezing has a closed form on both sides, pure sliding is half of the full
 * film, and the complete film is linear. */
static void test_socket_table(void **state) {
  hk_arena arena;
  hk_film_table half, full;
  hk_error err;
  hk_arena_init(&arena);
  assert_int_equal(hk_film_sphere_make(&arena, 0.999, true, &half, &err), HK_OK);
  assert_int_equal(hk_film_sphere_make(&arena, 0.999, false, &full, &err), HK_OK);
  for (double eps = 0; eps < 0.998; eps += 0.0231) {
    double Kr, Kt, unused, V = 0.6, W = 0.8;
    hk_film_sphere_full(eps, &Kr, &Kt);
    near(radial(&half, eps, 1, 0), hk_squeeze(eps, &unused), 1e-4);
    near(radial(&half, eps, -1, 0), -hk_squeeze(-eps, &unused), 1e-4);
    near(tangential(&half, eps, 0, 1), Kt / 2, 1e-4);
    near(radial(&full, eps, V, W), Kr * V, 1e-4);
    near(tangential(&full, eps, -V, W), Kt * W, 1e-4);
    /* The sum for V and -V is the complete film.  (W has no sign: it is a magnitude.) */
    near(radial(&half, eps, V, W) - radial(&half, eps, -V, W), Kr * V, 2e-4);
  }
  /* Beyond the cut-off it is constant. */
  hk_film_rest at, beyond;
  hk_film_table_read(&half, 0.999, 0.3, 0.5, &at);
  hk_film_table_read(&half, 1.7, 0.3, 0.5, &beyond);
  near(beyond.r, at.r, 1e-12);
  assert_true(beyond.r_eps == 0);
  hk_arena_free(&arena);
}

/* A short journal bearing [DuBoisOcvirk1953]: half of the film carries load; closed form. */
static void test_short_journal(void **state) {
  hk_arena arena;
  hk_film_table t;
  hk_error err;
  const double slender = 0.01;
  hk_arena_init(&arena);
  assert_int_equal(hk_film_journal_make(&arena, slender, 0.99, &t, &err), HK_OK);
  for (double eps = 0.05; eps < 0.96; eps += 0.09) {
    double e2 = 1 - eps * eps, unit = slender * slender / 3; /* mean of (1 - zeta^2)/2 (L/2r)^2 */
    near(radial(&t, eps, 0, 1), unit * 2 * eps / (e2 * e2), 4e-3);
    near(tangential(&t, eps, 0, 1), unit * M_PI / 2 / (e2 * sqrt(e2)), 4e-3);
    /* squeezing: both halves together are the complete film */
    double both = radial(&t, eps, 1, 0) - radial(&t, eps, -1, 0);
    near(both, unit * M_PI * (1 + 2 * eps * eps) / (e2 * e2 * sqrt(e2)), 4e-3);
  }
  hk_arena_free(&arena);
}

/* Derivatives of the force with respect to position and velocity, with the magnitudes of a real joint. */
static void test_force_slopes(void **state) {
  hk_arena arena;
  hk_film_table t;
  hk_error err;
  const double c = 5e-5, kappa = 1e5;
  hk_arena_init(&arena);
  assert_int_equal(hk_film_sphere_make(&arena, 0.99, true, &t, &err), HK_OK);
  for (int k = 0; k < 40; k++) {
    double eps = k == 0 ? 0.001 : 0.024 * k, a = 0.7 * k, b = 1.3 * k;
    hk_vec3 e = hk_v3(cos(a) * cos(b), sin(a) * cos(b), sin(b)), x = hk_scale(eps * c, e);
    hk_vec3 w = hk_v3(1e-3 * cos(2 * a), -2e-3 * sin(b), 1e-3), side = hk_v3(0, 0, 1);
    hk_mat3 by[2], got;
    hk_film_rest rest;
    for (int which = 0; which < 2; which++)
      for (int j = 0; j < 3; j++) {
        const double h = which ? 1e-8 : 1e-6 * c;
        hk_vec3 F[2], step = hk_v3(h * (j == 0), h * (j == 1), h * (j == 2));
        for (int s = 0; s < 2; s++) {
          hk_vec3 xs = which ? x : hk_axpy(x, s ? 1 : -1, step),
                  ws = which ? hk_axpy(w, s ? 1 : -1, step) : w;
          hk_film_place p = hk_film_locate(xs, ws, c, t.cut, side);
          hk_film_table_read(&t, p.eps, p.V, p.W, &rest);
          F[s] = hk_film_force(&p, &rest, kappa, t.base, c, NULL, NULL);
        }
        hk_vec3 slope = hk_scale(0.5 / h, hk_sub(F[1], F[0]));
        got.m[0][j] = slope.x, got.m[1][j] = slope.y, got.m[2][j] = slope.z;
        if (j < 2) continue;
        hk_film_place p = hk_film_locate(x, w, c, t.cut, side);
        hk_film_table_read(&t, p.eps, p.V, p.W, &rest);
        hk_film_force(&p, &rest, kappa, t.base, c, &by[0], &by[1]);
        double size = 0;
        for (int i = 0; i < 9; i++) size = fmax(size, fabs(by[which].m[i / 3][i % 3]));
        for (int i = 0; i < 9; i++)
          assert_true(fabs(by[which].m[i / 3][i % 3] - got.m[i / 3][i % 3]) < 2e-6 * size);
      }
  }
  hk_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_squeeze),      cmocka_unit_test(test_full_film),
      cmocka_unit_test(test_socket_table), cmocka_unit_test(test_short_journal),
      cmocka_unit_test(test_force_slopes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
