/* Sensitivity: the Ishigami function, whose indices are known, and a linear function. */
#include "statistics/sensitivity.h"
#include "support/check.h"

/* sin x1 + a sin^2 x2 + b x3^4 sin x1, x uniform in (-pi, pi) [IshigamiHomma1990]. */
static double ishigami(const double *u) {
  double x[3];
  for (int i = 0; i < 3; i++) x[i] = M_PI * (2 * u[i] - 1);
  return sin(x[0]) + 7 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4) * sin(x[0]);
}

static void ishigami_indices(void **state) {
  (void)state;
  const double first[] = {0.3139, 0.4424, 0}, total[] = {0.5576, 0.4424, 0.2437};
  const hk_sobol s = {.k = 3, .n = 4096, .seed = 1};
  int64_t n = hk_sobol_count(&s), used;
  double *y = malloc((size_t)n * sizeof *y), u[3];
  hk_sobol_index index[3];
  hk_error err = {0};
  for (int64_t i = 0; i < n; i++) {
    hk_sobol_point(&s, i, u);
    y[i] = ishigami(u) + 1e6; /* a large mean must not matter */
  }
  y[17] = NAN;
  assert_int_equal(hk_sobol_indices(&s, y, index, &used, &err), HK_OK);
  assert_int_equal(used, s.n - 1);
  for (int i = 0; i < 3; i++) {
    printf("S%d = %.4f (%.4f .. %.4f), ST%d = %.4f (%.4f .. %.4f)\n", i + 1, index[i].first,
           index[i].first_low, index[i].first_high, i + 1, index[i].total, index[i].total_low,
           index[i].total_high);
    assert_true(fabs(index[i].first - first[i]) < 0.01);
    assert_true(fabs(index[i].total - total[i]) < 0.01);
    assert_true(index[i].first_low <= first[i] && first[i] <= index[i].first_high);
    assert_true(index[i].total_low <= total[i] && total[i] <= index[i].total_high);
    assert_true(index[i].total_high - index[i].total_low < 0.1);
  }
  free(y);
}

/* The interval covers the true value about as often as stated, even with few samples. */
static void intervals_cover(void **state) {
  (void)state;
  int covered = 0, asked = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    const hk_sobol s = {.k = 3, .n = 256, .seed = seed};
    const double total[] = {0.5576, 0.4424, 0.2437};
    int64_t n = hk_sobol_count(&s), used;
    double *y = malloc((size_t)n * sizeof *y), u[3];
    hk_sobol_index index[3];
    for (int64_t i = 0; i < n; i++) {
      hk_sobol_point(&s, i, u);
      y[i] = ishigami(u);
    }
    assert_int_equal(hk_sobol_indices(&s, y, index, &used, NULL), HK_OK);
    for (int i = 0; i < 3; i++, asked++)
      covered += index[i].total_low <= total[i] && total[i] <= index[i].total_high;
    free(y);
  }
  printf("%d of %d intervals cover the total index\n", covered, asked);
  assert_true(covered >= 0.9 * asked);
}

static void morris_linear(void **state) {
  (void)state;
  const double slope[5] = {3, -2, 0, 0.5, 10};
  const hk_morris m = {.k = 5, .paths = 10, .seed = 3};
  int64_t n = hk_morris_count(&m);
  double *y = malloc((size_t)n * sizeof *y), u[5], before[5] = {0};
  hk_effect e[5];
  hk_error err = {0};
  assert_int_equal(n, 60);
  for (int64_t i = 0; i < n; i++) {
    hk_morris_point(&m, i, u);
    y[i] = 0;
    int changed = 0;
    for (int k = 0; k < 5; k++) {
      assert_true(u[k] > 0 && u[k] < 1);
      y[i] += slope[k] * u[k];
      changed += u[k] != before[k];
      before[k] = u[k];
    }
    if (i % 6) assert_int_equal(changed, 1);
  }
  assert_int_equal(hk_morris_effects(&m, y, e, &err), HK_OK);
  for (int k = 0; k < 5; k++) {
    assert_int_equal(e[k].n, 10);
    assert_near(e[k].mu, slope[k], 1e-12, "mu");
    assert_near(e[k].mu_star, fabs(slope[k]), 1e-12, "mu*");
    assert_near(e[k].sigma, 0, 1e-12, "sigma");
  }
  free(y);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ishigami_indices),
                                     cmocka_unit_test(intervals_cover),
                                     cmocka_unit_test(morris_linear)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
