/* Line contacts: film, deformation and damping at given loads; loads at given penetrations.  The expected
 * values come from an independent program with the same equations. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "spec/type.h"
#include "gear/line.h"
#include "law/moes.h"
#include <hooke/element.h>
#include <math.h>
#include <hooke/spec.h>

#define assert_about(got, wanted, relative)                  \
  do {                                                       \
    double got_ = (got), wanted_ = (wanted);                 \
    if (!(fabs(got_ - wanted_) <= (relative)*fabs(wanted_))) \
      fail_msg("%.9g, not %.9g", got_, wanted_);             \
  } while (0)

static const double B = 23e-3 / 3, E = 210e9, NU = 0.3;

typedef struct rig {
  hk_spec *spec;
  const void *ehl, *dry;
  const hk_line_ops *ehl_ops, *dry_ops;
} rig;

static rig make(double exponent) {
  hk_error err = {0};
  rig r = {.spec = hk_spec_create()};
  hk_item *ehl = hk_spec_add(r.spec, HK_LAW, "ehl_line", "oil", &err);
  hk_item *dry = hk_spec_add(r.spec, HK_LAW, "dry_line", "dry", &err);
  assert_non_null(ehl);
  assert_non_null(dry);
  assert_int_equal(hk_item_real(ehl, "viscosity", 0.025, &err), HK_OK);
  assert_int_equal(hk_item_real(ehl, "pressure_viscosity", 2.5e-8, &err), HK_OK);
  assert_int_equal(hk_item_real(ehl, "exponent", exponent, &err), HK_OK);
  r.ehl = ehl->data, r.dry = dry->data;
  r.ehl_ops = ((const hk_law_ops *)ehl->type->ops)->line;
  r.dry_ops = ((const hk_law_ops *)dry->type->ops)->line;
  return r;
}

static hk_line_spot spot(double u, double R, double h1, double h2) {
  return (hk_line_spot){.width = B,
                        .radius = R,
                        .depth2 = h1 * h2,
                        .speed = u,
                        .modulus = E / (1 - NU * NU),
                        .poisson = 2 * NU * (1 + NU) / E};
}

/* Prepares one slice. */
static void ask(const hk_line_ops *ops, const void *law, hk_line_spot *s, const hk_line_past *past,
                double x, hk_line_load *out) {
  const hk_line_call call = {s, past, x, out};
  ops->ready(law, &call, 1);
  ops->load(law, &call, 1);
}

static void film_and_damping(void **state) {
  static const double of[][7] = {/* F, u, R, M, L, h, C */
                                 {718, 4.377, .01393, 4.99339, 13.9353, 5.750177e-07, 4813.11},
                                 {718, 8.754, .01393, 3.53086, 16.5719, 9.272217e-07, 2350.56},
                                 {100, 8.754, .0132, 0.505178, 16.7964, 1.136474e-06, 1597.87},
                                 {5, 4.377, .0135, 0.0353223, 14.0449, 6.801809e-06, 112.872},
                                 {3000, 20, .010, 11.5197, 22.1343, 1.294655e-06, 866.542}};
  rig r = make(1.5);
  for (int i = 0; i < 5; i++) {
    hk_line_spot s = spot(of[i][1], of[i][2], 2e-3, 2e-3);
    hk_line_load out;
    hk_line_past none = {0};
    ask(r.ehl_ops, r.ehl, &s, &none, log(of[i][0]), &out);
    assert_about(out.film, of[i][5], 3e-7);
    assert_about(out.damping, of[i][6], 4e-6); /* published with six digits */
    double U = 0.025 * of[i][1] / (s.modulus * s.radius);
    hk_moes m = hk_moes_film4(hk_all4(log(of[i][3])), hk_all4(log(of[i][4])));
    assert_about(exp(m.lnH[0]) * s.radius * sqrt(U), of[i][5], 5e-6);
  }
  hk_spec_destroy(r.spec);
}

static void deformation(void **state) {
  static const double of[][5] = {{718, .01393, 2.174e-3, 2.174e-3, 1.74435e-6},
                                 {100, .0132, 1.05e-3, 2.82e-3, 0.298989e-6},
                                 {5, .0135, 2.0e-3, 2.3e-3, 0.0210913e-6},
                                 {3000, .010, 1.5e-3, 2.5e-3, 5.85283e-6},
                                 {718, .01393, 3e-3, 3e-3, 1.91075e-6}};
  rig r = make(1.5);
  for (int i = 0; i < 5; i++) {
    hk_line_spot s = spot(1, of[i][1], of[i][2], of[i][3]);
    hk_line_ready(&s);
    assert_about(hk_line_deform(&s, log(of[i][0])), of[i][4], 3e-6);
    /* d(delta)/dF = delta/F - 2/(pi E b) */
    hk_line_load out;
    ask(r.dry_ops, r.dry, &s, &(hk_line_past){0}, log(of[i][0]), &out);
    assert_about(out.deformation, of[i][4], 3e-6);
    assert_about(out.deformation_x, out.deformation - 2 * of[i][0] / (M_PI * s.modulus * B), 1e-12);
  }
  hk_spec_destroy(r.spec);
}

/* Newton for one slice without compliance. */
static double load_at(const hk_line_ops *ops, const void *law, hk_line_spot s, hk_line_past past,
                      double p, hk_line_load *out) {
  double x = 5;
  for (int i = 0; i < 60; i++) {
    ask(ops, law, &s, &past, x, out);
    double step = (p - out->y) / out->y_x;
    x += fmax(-2.5, fmin(2.5, step));
    if (fabs(step) < 1e-13) break;
  }
  return out->F;
}

static void load_from_penetration(void **state) {
  static const double of[][11] = {
      /* delta, u, R, h1, h2, film before, dt -> F_SS, h, F, dry */
      {1e-06, 4.377, 0.01393, 0.002174, 0.002174, 0, 0, 639.743, 5.807904e-07, 639.743, 375.568},
      {1e-06, 8.754, 0.01393, 0.002174, 0.002174, 0, 0, 803.26, 9.190477e-07, 803.26, 375.568},
      {0, 8.754, 0.01393, 0.002174, 0.002174, 0, 0, 364.655, 9.748099e-07, 364.655, 0},
      {-3e-06, 8.754, 0.0135, 0.0015, 0.0026, 0, 0, 22.5515, 3.081565e-06, 22.5515, 0},
      {5e-06, 8.754, 0.01393, 0.002174, 0.002174, 0, 0, 3049.81, 8.221157e-07, 3049.81, 2530.06},
      {2e-07, 8.754, 0.01393, 0.002174, 0.002174, 1.2e-06, 1e-05, 446.375, 9.607904e-07, 499.682,
       60.2176},
      {-1e-06, 8.754, 0.0135, 0.0015, 0.0026, 2.5e-06, 1e-05, 78.7947, 1.249517e-06, 258.056, 0},
      {-1e-06, 8.754, 0.0135, 0.0015, 0.0026, 1.6e-06, 1e-05, 78.7947, 1.249517e-06, 129.038, 0}};
  rig r = make(1.5);
  for (int i = 0; i < 8; i++) {
    const double *k = of[i];
    hk_line_load out;
    load_at(r.ehl_ops, r.ehl, spot(k[1], k[2], k[3], k[4]), (hk_line_past){k[5], k[6]}, k[0], &out);
    assert_about(out.steady, k[7], 1e-5);
    assert_about(out.film, k[8], 1e-6);
    assert_about(out.F, k[9], 1e-5);
    if (k[10] == 0) continue;
    load_at(r.dry_ops, r.dry, spot(k[1], k[2], k[3], k[4]), (hk_line_past){0}, k[0], &out);
    assert_about(out.F, k[10], 1e-5);
  }
  hk_spec_destroy(r.spec);
}

/* The film thickness tends to zero with the speed, and so does the difference from the dry contact. */
static void slow_is_dry(void **state) {
  rig r = make(1.5);
  double before = INFINITY;
  for (double u = 1; u > 1e-4; u /= 10) {
    hk_line_load wet, dry;
    load_at(r.ehl_ops, r.ehl, spot(u, 0.014, 2e-3, 2e-3), (hk_line_past){0}, 2e-6, &wet);
    load_at(r.dry_ops, r.dry, spot(u, 0.014, 2e-3, 2e-3), (hk_line_past){0}, 2e-6, &dry);
    double more = wet.F / dry.F - 1;
    assert_true(more > 0 && more < 0.35 * before);
    before = more;
  }
  assert_true(before < 2e-3);
  hk_spec_destroy(r.spec);
}

/* No force at and beyond the cut-off gap, and no tension when the film opens fast. */
static void opening(void **state) {
  rig r = make(1.5);
  hk_line_load out;
  load_at(r.ehl_ops, r.ehl, spot(8, 0.014, 2e-3, 2e-3), (hk_line_past){0}, -51e-6, &out);
  assert_true(out.F == 0);
  load_at(r.ehl_ops, r.ehl, spot(8, 0.014, 2e-3, 2e-3), (hk_line_past){0}, -15e-6, &out);
  assert_true(out.F > 0 && out.F == out.steady);
  hk_line_spot s = spot(8, 0.014, 2e-3, 2e-3);
  ask(r.ehl_ops, r.ehl, &s, &(hk_line_past){0.5e-6, 1e-6}, log(20.0), &out);
  assert_true(out.F == 0 && out.F_x == 0 && out.film > 0.5e-6);
  hk_spec_destroy(r.spec);
}

/* Moes' formula as published, by powers. */
static double printed_film(double M, double L) {
  double ri = 3 / M, ei = 2.621 * pow(M, -0.2), rp = 1.287 * pow(L, 2.0 / 3),
         ep = 1.311 * pow(M, -0.125) * pow(L, 0.75), s = (7 + 8 * exp(-2 * ei / ri)) / 5;
  return pow(pow(pow(ri, 7.0 / 3) + pow(ei, 7.0 / 3), 3 * s / 7) +
                 pow(pow(rp, -3.5) + pow(ep, -3.5), -2 * s / 7),
             1 / s);
}

static void film_by_powers(void **state) {
  for (double lnM = -7; lnM < 8; lnM += 0.37)
    for (double lnL = -3; lnL < 4; lnL += 0.41) {
      hk_moes m =
          hk_moes_film4((hk_v4){lnM, lnM + 0.1, lnM, lnM}, (hk_v4){lnL, lnL, lnL - 0.2, lnL});
      assert_about(exp(m.lnH[0]), printed_film(exp(lnM), exp(lnL)), 1e-14);
      assert_about(exp(m.lnH[1]), printed_film(exp(lnM + 0.1), exp(lnL)), 1e-14);
      assert_about(exp(m.lnH[2]), printed_film(exp(lnM), exp(lnL - 0.2)), 1e-14);
    }
}

/* A slice has the same result to the last bit alone and among others, for any position and number of slices. */
static void lanes(void **state) {
  enum { MOST = 9 };
  static const double EXPONENT[] = {1.5, 1, 1.3};
  for (int e = 0; e < 3; e++) {
    rig r = make(EXPONENT[e]);
    for (int wet = 0; wet < 2; wet++)
      for (int n = 1; n <= MOST; n++) {
        const hk_line_ops *ops = wet ? r.ehl_ops : r.dry_ops;
        const void *law = wet ? r.ehl : r.dry;
        hk_line_spot s[MOST], alone;
        hk_line_load got[MOST + 1] = {{0}}, wanted;
        hk_line_past past[MOST];
        hk_line_call call[MOST];
        for (int i = 0; i < n; i++) {
          s[i] = spot(i - 3.3, 0.012 + 1e-4 * i, 1e-3, 2e-3 + 1e-4 * i);
          past[i] = (hk_line_past){i % 3 ? 1e-6 * i : 0, 1e-5};
          call[i] = (hk_line_call){&s[i], &past[i], 1 + 0.7 * i, &got[i]};
        }
        got[n].F = -1;
        ops->ready(law, call, n);
        ops->load(law, call, n);
        assert_true(got[n].F == -1);
        for (int i = 0; i < n; i++) {
          alone = spot(i - 3.3, 0.012 + 1e-4 * i, 1e-3, 2e-3 + 1e-4 * i);
          ask(ops, law, &alone, &past[i], 1 + 0.7 * i, &wanted);
          assert_memory_equal(&got[i], &wanted, sizeof wanted);
        }
        if (wet)
          assert_about(got[0].damping, 6.66 * 0.025 * B * pow(0.012 / got[0].film, EXPONENT[e]),
                       1e-13);
      }
    hk_spec_destroy(r.spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(film_by_powers),
                                     cmocka_unit_test(lanes),
                                     cmocka_unit_test(film_and_damping),
                                     cmocka_unit_test(deformation),
                                     cmocka_unit_test(load_from_penetration),
                                     cmocka_unit_test(slow_is_dry),
                                     cmocka_unit_test(opening)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
