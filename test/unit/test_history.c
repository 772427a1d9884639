/* Polynomials through past steps: weights of their values, derivatives and integrals, against powers, which
 * they must reproduce. */
#include "support/check.h"
#include "integrator/smooth/history.h"

enum { MOST = HK_HISTORY_MOST };

/* Nodes of steps with varying length, newest first. */
static void put_nodes(double *z, int n) {
  double t = 0.3;
  for (int j = 0; j < n; j++) z[j] = t, t -= 0.05 + 0.04 * ((7 * j) % 5);
}

static double sum(const double *w, const double *z, int n, int power) {
  double s = 0;
  for (int j = 0; j < n; j++) s += w[j] * pow(z[j], power);
  return s;
}

static double size(const double *w, int n) {
  double s = 0;
  for (int j = 0; j < n; j++) s += fabs(w[j]);
  return s;
}

static void powers_are_reproduced(void **state) {
  (void)state;
  double z[MOST], w[MOST], t = 0.41, b = 0.4;
  put_nodes(z, MOST);
  double a = z[0];
  for (int n = 1; n <= MOST; n++)
    for (int power = 0; power < n; power++) {
      hk_lagrange_value(z, n, t, w);
      assert_true(fabs(sum(w, z, n, power) - pow(t, power)) < 1e-13 * (1 + size(w, n)));
      hk_lagrange_slope(z, n, w);
      double slope = power == 0 ? 0 : power * pow(z[0], power - 1);
      assert_true(fabs(sum(w, z, n, power) - slope) < 1e-13 * (1 + size(w, n)));
      hk_lagrange_integral(z, n, a, b, w);
      double integral = (pow(b, power + 1) - pow(a, power + 1)) / (power + 1);
      assert_true(fabs(sum(w, z, n, power) - integral) < 1e-13 * (1 + size(w, n)));
    }
}

static void parts_found_by_less_work_are_the_same(void **state) {
  (void)state;
  double z[MOST], w[MOST], more[MOST], all[MOST];
  put_nodes(z, MOST);
  for (int n = 1; n <= MOST; n++) {
    hk_lagrange_integral(z, n, z[n > 1], 0.3, w);
    assert_true(hk_lagrange_integral_first(z, n, z[n > 1], 0.3) == w[0]);
  }
  for (int n = 1; n < MOST; n++) {
    hk_lagrange_value(z, n, 0.41, w);
    hk_lagrange_extend(z, n, 0.41, w, more);
    hk_lagrange_value(z, n + 1, 0.41, all);
    for (int j = 0; j <= n; j++) assert_true(fabs(more[j] - all[j]) < 1e-12 * fabs(all[j]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(powers_are_reproduced),
      cmocka_unit_test(parts_found_by_less_work_are_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
