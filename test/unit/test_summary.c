/* Summaries of samples against closed forms and tables. */
#include "statistics/regression.h"
#include "statistics/sample.h"
#include "statistics/summary.h"
#include "support/check.h"
#include <math.h>

static void of_ten(void **state) {
  const double x[] = {9, 1, NAN, 3, 5, 7, 2, 4, 6, 8, 10};
  hk_summary s;
  assert_true(hk_summary_make(x, 11, &s));
  assert_int_equal(s.n, 10);
  assert_float_equal(s.mean, 5.5, 1e-12);
  assert_float_equal(s.deviation, sqrt(82.5 / 9), 1e-12);
  assert_float_equal(s.median, 5.5, 1e-12);
  assert_float_equal(s.low, 1.45, 1e-12);
  assert_float_equal(s.high, 9.55, 1e-12);
  assert_true(s.least == 1 && s.greatest == 10);
  /* t of 9 degrees of freedom: 2.262157 */
  assert_float_equal(s.mean_high - s.mean, 2.262157 * s.deviation / sqrt(10), 1e-4);
  assert_false(hk_summary_make(x + 2, 1, &s));
}

/* Student's quantiles: half width of the mean of n values with deviation 1, from tables. */
static void student(void **state) {
  static const struct {
    int n;
    double t;
  } known[] = {{2, 12.7062}, {3, 4.30265},  {4, 3.18245},
               {6, 2.57058}, {21, 2.08596}, {101, 1.98397}};
  for (int k = 0; k < 6; k++) {
    double x[101];
    hk_summary s;
    for (int i = 0; i < known[k].n; i++) x[i] = i;
    assert_true(hk_summary_make(x, known[k].n, &s));
    double t = (s.mean_high - s.mean) / s.deviation * sqrt(known[k].n);
    assert_float_equal(t, known[k].t, 4e-3 * known[k].t);
  }
}

/* Wilson's interval of 8 of 10: 0.4902 to 0.9433. */
static void shares(void **state) {
  double low, high;
  hk_share_interval(8, 10, &low, &high);
  assert_float_equal(low, 0.49016, 1e-4);
  assert_float_equal(high, 0.94331, 1e-4);
  hk_share_interval(10, 10, &low, &high);
  assert_true(low > 0.72 && low < 0.723 && fabs(high - 1) < 1e-12);
}

/* y = 3 + 2 a - b exactly, a constant column and a collinear one; then a line with known residuals. */
static void regression(void **state) {
  enum { N = 40 };
  double a[N], b[N], c[N], twice[N], y[N], cube[N];
  for (int i = 0; i < N; i++) {
    a[i] = i, b[i] = sin(1.7 * i), c[i] = 5, twice[i] = 2 * a[i] + 1, y[i] = 3 + 2 * a[i] - b[i];
    cube[i] = a[i] * a[i] * a[i];
  }
  const double *const x[] = {a, b, c, twice};
  hk_regression r;
  hk_regression_term t[4];
  assert_true(hk_regression_make(x, 4, y, N, &r, t));
  assert_float_equal(r.r2, 1, 1e-12);
  assert_float_equal(r.constant, 3, 1e-9);
  assert_float_equal(t[0].slope, 2, 1e-10);
  assert_float_equal(t[1].slope, -1, 1e-10);
  assert_true(isnan(t[2].slope) && isnan(t[3].slope) && isnan(t[2].correlation));
  /* The function is exact: its errors are those of rounding, and not their square root. */
  assert_true(t[0].error < 1e-15 && t[1].error < 1e-14 && t[0].error >= 0 && t[1].error >= 0);
  assert_float_equal(t[3].correlation, t[0].correlation, 1e-12);
  const double *const one[] = {a};
  assert_true(hk_regression_make(one, 1, cube, N, &r, t));
  assert_float_equal(t[0].rank, 1, 1e-12); /* monotone, but not a line */
  /* A grid over two parameters: 6/m and nothing of the other, apart from rounding. */
  double mass[9], other[9], rate[9];
  for (int i = 0; i < 9; i++)
    mass[i] = 1 + i / 3, other[i] = 1 + i % 3, rate[i] = 6 / mass[i] * (1 + 4e-16 * (i * 5 % 3));
  const double *const grid[] = {mass, other};
  assert_true(hk_regression_make(grid, 2, rate, 9, &r, t));
  assert_float_equal(t[0].rank, -1, 1e-12);
  assert_float_equal(t[1].rank, 0, 1e-12);
  assert_true(t[0].correlation < 0.95 && fabs(t[0].standard - t[0].correlation) < 1e-12);
  /* x = 1 ... 5, y = 2, 4, 5, 4, 5: slope 0.6, constant 2.2, R2 0.6, error of the slope sqrt(0.08) */
  const double five[] = {1, 2, 3, 4, 5}, known[] = {2, 4, 5, 4, 5}, *const line[] = {five};
  assert_true(hk_regression_make(line, 1, known, 5, &r, t));
  assert_float_equal(t[0].slope, 0.6, 1e-12);
  assert_float_equal(r.constant, 2.2, 1e-12);
  assert_float_equal(r.r2, 0.6, 1e-12);
  assert_float_equal(t[0].error, sqrt(0.08), 1e-12);
  /* The same line with a second axis in a fixed proportion to the first: it takes no degree of freedom. */
  const double tenfold[] = {10, 20, 30, 40, 50}, *const both[] = {five, tenfold};
  assert_true(hk_regression_make(both, 2, known, 5, &r, t));
  assert_float_equal(t[0].error, sqrt(0.08), 1e-12);
  assert_true(isnan(t[1].slope) && isnan(t[1].error));
  /* Two axes that are nearly in proportion, 1e-4 apart: y = x + (z - x)/1e-4 exactly. */
  double close[N], steep[N];
  for (int i = 0; i < N; i++)
    close[i] = a[i] + 1e-4 * sin(i * i), steep[i] = a[i] + (close[i] - a[i]) / 1e-4;
  const double *const pair[] = {a, close};
  assert_true(hk_regression_make(pair, 2, steep, N, &r, t));
  assert_true(fabs(t[1].slope - 1e4) < 1e-6 && fabs(t[0].slope - (1 - 1e4)) < 1e-6);
  assert_true(t[1].error < 1e-6 && t[0].error < 1e-6);
  assert_false(hk_regression_make(x, 4, y, 5, &r, t));
}

/* Values with a deviation of 0.3 about means of 0 ... 1e12: collinear axes are found in either order, also if only the
 * first has a large mean, and axes that differ by more than round-off are used. */
static void large_means(void **state) {
  enum { N = 20000 };
  static double a[N], rest[N], inches[N], kelvin[N], sum[N], y[N], apart[N], both[N];
  for (double mean = 0; mean <= 1e12; mean = mean > 0 ? 10 * mean : 1) {
    const double step = 1e-3 + 2e-15 * mean, limit = 1e-9 + 1e-14 * mean;
    for (int i = 0; i < N; i++) {
      const double u = fmod(0.618034 * i, 1), v = fmod(0.754878 * i, 1);
      a[i] = mean + u, rest[i] = u, inches[i] = a[i] / 0.0254, kelvin[i] = 0.0254 * a[i] + 273.15;
      y[i] = 3 * (a[i] - mean), apart[i] = a[i] + step * v;
      both[i] = 3 * (a[i] - mean) + (apart[i] - a[i]) / step, sum[i] = 7 * a[i] - 2 * v;
    }
    const double *const pairs[][2] = {
        {a, kelvin}, {kelvin, a}, {inches, kelvin}, {kelvin, inches}, {a, rest}};
    const double slope[] = {3, 3 / 0.0254, 3 * 0.0254, 3 / 0.0254, 3};
    hk_regression r;
    hk_regression_term t[3];
    for (int k = 0; k < 5; k++) {
      assert_true(hk_regression_make(pairs[k], 2, y, N, &r, t));
      assert_float_equal(t[0].slope / slope[k], 1, limit);
      assert_true(t[0].error < limit * slope[k] && isnan(t[1].slope) && isnan(t[1].error));
    }
    /* step: the least difference that is far above the round-off of the values */
    const double *const two[] = {a, apart};
    if (mean < 1e10) {
      assert_true(hk_regression_make(two, 2, both, N, &r, t));
      assert_float_equal(t[1].slope * step, 1, 1e-6 + 1e-15 * mean / step);
    }
    /* kelvin is collinear with a, and sum is neither with a nor with both */
    const double *const three[] = {kelvin, sum, inches};
    if (mean < 1e12) {
      assert_true(hk_regression_make(three, 3, y, N, &r, t));
      assert_true(!isnan(t[1].slope) && isnan(t[2].slope) && fabs(t[1].slope) < limit);
    }
  }
}

/* A Latin hypercube that doubles: at every size each slice of each dimension has one point, and
 * existing points stay unchanged. */
static void hypercubes_grow(void **state) {
  static const int base[] = {2, 7, 10, 64};
  for (int k = 0; k < 4; k++)
    for (uint64_t seed = 1; seed < 4; seed++)
      for (int level = 0; level < 6; level++) {
        int n = base[k] << level;
        const hk_sample s = {HK_SAMPLE_LATIN, seed, n, base[k]};
        const hk_sample later = {HK_SAMPLE_LATIN, seed, 2 * n, base[k]};
        for (int dimension = 0; dimension < 3; dimension++) {
          bool *taken = calloc((size_t)n, sizeof *taken);
          for (int i = 0; i < n; i++) {
            double u = hk_sample_at(&s, i, dimension);
            assert_true(u > 0 && u < 1 && u == hk_sample_at(&later, i, dimension));
            assert_false(taken[(int)(u * n)]);
            taken[(int)(u * n)] = true;
          }
          free(taken);
        }
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_ten),      cmocka_unit_test(student),
      cmocka_unit_test(shares),      cmocka_unit_test(regression),
      cmocka_unit_test(large_means), cmocka_unit_test(hypercubes_grow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
