/* Surrogates: functions that they represent exactly, and the reliability of their error
 * estimates. */
#include "statistics/pareto.h"
#include "statistics/sample.h"
#include "statistics/surrogate.h"
#include "support/check.h"

enum { MOST = 400 };
static double x[MOST * 4], y[MOST];

static void sample(int n, int d, double (*f)(const double *)) {
  const hk_sample s = {HK_SAMPLE_SOBOL, 5, n};
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < d; k++) x[i * d + k] = 10 + 5 * k + 3 * hk_sample_at(&s, i, k);
    y[i] = f(x + i * d);
  }
}

static double parabola(const double *v) {
  return 1e3 + 4 * v[0] - 2 * v[1] + 0.5 * v[0] * v[1] - v[1] * v[1] + 0.1 * v[0] * v[0];
}
static double wavy(const double *v) { return sin(2 * v[0]) * exp(-0.3 * (v[1] - 15)) + 0.5 * v[1]; }

/* Error of predicting points that were not in the table. */
static double true_error(const hk_surrogate *s, int d, double (*f)(const double *), double *share) {
  double sum = 0, at[4], deviation;
  int inside = 0;
  const hk_sample fresh = {HK_SAMPLE_RANDOM, 99, 0};
  for (int i = 0; i < 1000; i++) {
    for (int k = 0; k < d; k++) at[k] = 10 + 5 * k + 3 * hk_sample_at(&fresh, i, k);
    double e = hk_surrogate_value(s, at, &deviation) - f(at);
    sum += e * e / 1000;
    inside += fabs(e) < 2 * deviation;
  }
  *share = inside / 1000.0;
  return sqrt(sum);
}

static void quadratic_exact(void **state) {
  (void)state;
  hk_surrogate *s;
  hk_error err = {0};
  double share;
  sample(40, 2, parabola);
  assert_int_equal(hk_surrogate_fit(x, y, 40, 2, HK_SURROGATE_QUADRATIC, &s, &err), HK_OK);
  assert_true(hk_surrogate_error(s) < 1e-10);
  assert_true(true_error(s, 2, parabola, &share) < 1e-9);
  hk_surrogate_free(s);
}

/* A map of 10 000 points from 200 runs, with an error estimate. */
static void honest(void **state) {
  (void)state;
  for (int kind = HK_SURROGATE_QUADRATIC; kind <= HK_SURROGATE_GAUSSIAN; kind++) {
    hk_surrogate *s;
    hk_error err = {0};
    double share;
    sample(200, 2, wavy);
    assert_int_equal(hk_surrogate_fit(x, y, 200, 2, (hk_surrogate_kind)kind, &s, &err), HK_OK);
    double e = true_error(s, 2, wavy, &share);
    printf("%s: left out one by one %.3g, true %.3g, %.0f %% within two deviations\n",
           hk_surrogate_name(s), hk_surrogate_rms(s), e, 100 * share);
    /* Rows at the edge are predicted from one side only, so leave-one-out overestimates the
     * error. */
    assert_true(hk_surrogate_rms(s) > 0.4 * e && hk_surrogate_rms(s) < 8 * e);
    assert_true(share > 0.9);
    hk_surrogate_free(s);
  }
  hk_surrogate *best;
  assert_int_equal(hk_surrogate_fit(x, y, 200, 2, HK_SURROGATE_AUTO, &best, NULL), HK_OK);
  assert_string_equal(hk_surrogate_name(best), "Gaussian process");
  assert_true(hk_surrogate_error(best) < 0.02);
  hk_surrogate_free(best);
}

/* Leave-one-out in closed form against actually omitting each row. */
static void leave_one_out(void **state) {
  (void)state;
  enum { N = 25 };
  hk_surrogate *s, *part;
  double sum = 0;
  sample(N, 2, wavy);
  assert_int_equal(hk_surrogate_fit(x, y, N, 2, HK_SURROGATE_QUADRATIC, &s, NULL), HK_OK);
  double kept_x[2 * N], kept_y[N];
  memcpy(kept_x, x, sizeof kept_x);
  memcpy(kept_y, y, sizeof kept_y);
  for (int i = 0; i < N; i++) {
    memcpy(x, kept_x, sizeof kept_x);
    memcpy(y, kept_y, sizeof kept_y);
    memmove(x + 2 * i, x + 2 * i + 2, (size_t)(2 * (N - 1 - i)) * sizeof *x);
    memmove(y + i, y + i + 1, (size_t)(N - 1 - i) * sizeof *y);
    assert_int_equal(hk_surrogate_fit(x, y, N - 1, 2, HK_SURROGATE_QUADRATIC, &part, NULL), HK_OK);
    double e = hk_surrogate_value(part, kept_x + 2 * i, NULL) - kept_y[i];
    sum += e * e / N;
    hk_surrogate_free(part);
  }
  assert_near(hk_surrogate_rms(s), sqrt(sum), 1e-9, "leave-one-out error");
  hk_surrogate_free(s);
}

/* A variable without influence makes pairs of equal rows.  Each would predict the other exactly;
 * the error must be that of the rows without their duplicates. */
static void twins(void **state) {
  enum { N = 7 };
  double once[N], twice[4 * N], value[N], both[2 * N];
  for (int i = 0; i < N; i++) {
    once[i] = -9 + 3 * i;
    value[i] = sin(once[i]) * (1 + 0.1 * 0.0625) + 7 * sin(0.5) * sin(0.5);
    for (int k = 0; k < 2; k++) {
      twice[2 * (2 * i + k)] = once[i];
      twice[2 * (2 * i + k) + 1] = k;
      both[2 * i + k] = value[i];
    }
  }
  hk_surrogate *a = NULL, *b = NULL;
  hk_error err = {0};
  assert_int_equal(hk_surrogate_fit(once, value, N, 1, HK_SURROGATE_GAUSSIAN, &a, &err), HK_OK);
  assert_int_equal(hk_surrogate_fit(twice, both, 2 * N, 2, HK_SURROGATE_GAUSSIAN, &b, &err), HK_OK);
  assert_true(hk_surrogate_error(a) > 0.3);
  assert_true(hk_surrogate_error(b) > 0.3);
  hk_surrogate_free(a);
  hk_surrogate_free(b);
}

static void refused(void **state) {
  (void)state;
  hk_surrogate *s;
  hk_error err = {0};
  sample(3, 2, wavy);
  assert_int_equal(hk_surrogate_fit(x, y, 3, 2, HK_SURROGATE_AUTO, &s, &err), HK_EINPUT);
  sample(20, 2, wavy);
  for (int i = 0; i < 20; i++) x[2 * i] = 1;
  assert_int_equal(hk_surrogate_fit(x, y, 20, 2, HK_SURROGATE_AUTO, &s, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "only one value"));
}

static void pareto(void **state) {
  (void)state;
  const double a[] = {1, 2, 3, 4, 1, 0.5, NAN}, b[] = {4, 3, 3.5, 1, 4, 9, 0};
  const double *const v[] = {a, b};
  const bool allowed[] = {true, true, true, true, true, false, true};
  bool front[7];
  assert_int_equal(hk_pareto_front(v, 2, 7, allowed, front), 4);
  const bool wanted[] = {true, true, false, true, true, false, false};
  for (int i = 0; i < 7; i++) assert_int_equal(front[i], wanted[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(quadratic_exact), cmocka_unit_test(honest),
                                     cmocka_unit_test(leave_one_out),   cmocka_unit_test(twins),
                                     cmocka_unit_test(refused),         cmocka_unit_test(pareto)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
