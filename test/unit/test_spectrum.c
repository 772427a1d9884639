/* src/analysis/spectrum.c and spectral_lines.c: lines of sines, Parseval's theorem, non-uniform
 * samples, decreasing angles. */
#include "analysis/envelope.h"
#include "analysis/spectral_lines.h"
#include "support/check.h"
#include <math.h>
#include <stdlib.h>

static double line_at(const hk_spectrum *s, double f) {
  double best = 0;
  for (int64_t i = 0; i < s->n; i++)
    if (fabs(s->frequency[i] - f) < 0.51 * s->frequency[1]) best = fmax(best, s->amplitude[i]);
  return best;
}

static void sines_give_their_lines(void **state) {
  (void)state;
  enum { N = 4096 };
  static double t[N + 1], y[N + 1];
  hk_error err = {0};
  for (int i = 0; i <= N; i++) {
    t[i] = 3 + 2.0 * i / N;
    y[i] = 7 + 1.5 * sin(2 * M_PI * 10 * t[i]) + 0.25 * cos(2 * M_PI * 33 * t[i]);
  }
  hk_spectrum s;
  assert_int_equal(hk_lines_of(t, y, N + 1, false, &s, &err), HK_OK);
  assert_true(fabs(line_at(&s, 10) - 1.5) < 2e-3 && fabs(line_at(&s, 33) - 0.25) < 2e-3);
  assert_true(line_at(&s, 20) < 1e-3 && s.amplitude[0] < 1e-3);
  hk_spectrum_free(&s);
}

/* Orders of a shaft that accelerates and rotates backwards: over the angle the line is sharp. */
static void orders_of_a_falling_angle(void **state) {
  (void)state;
  enum { N = 20000 };
  static double a[N], y[N];
  hk_error err = {0};
  for (int i = 0; i < N; i++) {
    double t = 4.0 * i / N;
    a[i] = -(3 * t + 2 * t * t) * 4 / 44; /* four revolutions in total */
    y[i] = (i % 5000 == 7) ? NAN : 2 * sin(2 * M_PI * 4 * a[i]);
  }
  hk_spectrum s;
  assert_int_equal(hk_lines_of(a, y, N, true, &s, &err), HK_OK);
  assert_true(fabs(line_at(&s, 4) - 2) < 0.002);
  hk_spectrum_free(&s);
}

static void the_transform_keeps_the_sum_of_squares(void **state) {
  (void)state;
  enum { N = 256 };
  double re[N], im[N], before = 0, after = 0, x[N], direct_re = 0, direct_im = 0;
  srand(3);
  for (int i = 0; i < N; i++)
    re[i] = x[i] = rand() / (double)RAND_MAX - 0.5, im[i] = 0, before += re[i] * re[i];
  hk_fft(re, im, N);
  for (int i = 0; i < N; i++) after += (re[i] * re[i] + im[i] * im[i]) / N;
  assert_true(fabs(after - before) < 1e-12 * before * N);
  for (int i = 0; i < N; i++)
    direct_re += x[i] * cos(2 * M_PI * 17 * i / N), direct_im -= x[i] * sin(2 * M_PI * 17 * i / N);
  assert_true(fabs(direct_re - re[17]) < 1e-12 * N && fabs(direct_im - im[17]) < 1e-12 * N);
}

/* Two sines of arbitrary frequencies: the maxima of the spectrum are at these frequencies, even
 * with additional rows at events and at the end; with random steps, up to the error of the
 * spline. */
static void peaks_between_bins(void **state) {
  (void)state;
  enum { N = 1001, EXTRA = 40 };
  static double t[N + EXTRA], y[N + EXTRA];
  const double f[3] = {47.3, 333.07, 71.9}, size[3] = {3, 0.5, 0.5};
  srand(5);
  for (int kind = 0; kind < 3; kind++) {
    int n = 0;
    double high = kind == 2 ? f[2] : f[1];
    for (int i = 0; i < N; i++) {
      t[n++] = 1e-3 * (i + (kind == 2 ? 0.3 * rand() / RAND_MAX : 0));
      if (kind == 1 && i % 25 == 3) t[n] = t[n - 1] + 0.37e-3, n++;
    }
    if (kind == 1) t[n - 1] = t[n - 2] + 0.2e-3;
    for (int i = 0; i < n; i++)
      y[i] = size[0] * sin(2 * M_PI * f[0] * t[i]) + size[1] * cos(2 * M_PI * high * t[i]);
    hk_spectrum s;
    hk_error err = {0};
    assert_int_equal(hk_lines_of(t, y, n, false, &s, &err), HK_OK);
    const double wanted[2] = {f[0], high};
    for (int k = 0; k < 2; k++) {
      int64_t best = 0;
      for (int64_t i = 1; i < s.n; i++)
        if (fabs(s.frequency[i] - wanted[k]) < 8 && s.amplitude[i] > s.amplitude[best]) best = i;
      double limit = kind == 2 ? 2e-3 : 6e-4;
      if (fabs(s.amplitude[best] - size[k]) > limit * size[k] ||
          fabs(s.frequency[best] - wanted[k]) > 0.01)
        fail_msg("kind %d: %g at %g Hz, not %g at %g Hz", kind, s.amplitude[best],
                 s.frequency[best], size[k], wanted[k]);
    }
    double ghost = 0;
    for (int64_t i = 0; i < s.n; i++)
      if (s.frequency[i] > 345 && s.frequency[i] < 400) ghost = fmax(ghost, s.amplitude[i]);
    assert_true(ghost < 2e-3);
    hk_spectrum_free(&s);
  }
}

/* A carrier of 900 Hz with the amplitude 2 + cos(2 pi 40 t), and a large line at 50 Hz: the
 * envelope of the band is that amplitude, and its only line is at 40 Hz. */
static void envelope_of_a_modulated_carrier(void **state) {
  (void)state;
  enum { N = 8000 };
  static double t[N], y[N];
  hk_error err = {0};
  hk_even e;
  for (int i = 0; i < N; i++) {
    t[i] = i / 8000.0;
    y[i] = 30 * sin(2 * M_PI * 50 * t[i]) +
           (2 + cos(2 * M_PI * 40 * t[i])) * sin(2 * M_PI * 900 * t[i] + 0.3);
  }
  assert_int_equal(hk_even_make(t, y, N, 0, &e, &err), HK_OK);
  assert_int_equal(hk_even_envelope(&e, 700, 1100, &err), HK_OK);
  double worst = 0;
  for (int64_t i = 0; i < e.n; i++) {
    double x = e.x0 + (double)i * e.step;
    worst = fmax(worst, fabs(e.y[i] - 2 - cos(2 * M_PI * 40 * x)));
  }
  assert_true(worst < 1e-2);
  hk_line line[3];
  int n = hk_lines_find(&e, 0, 500, 3, line);
  assert_true(n >= 1 && fabs(line[0].frequency - 40) < 0.01 && fabs(line[0].amplitude - 1) < 2e-3);
  assert_true(n < 2 || line[1].amplitude < 2e-3);
  /* above half of the sampling rate */
  assert_int_equal(hk_even_envelope(&e, 3000, 5000, &err), HK_EINPUT);
  assert_int_equal(hk_even_envelope(&e, 900, 901, &err), HK_EINPUT);   /* too narrow */
  hk_even_free(&e);
}

static void too_few_values_are_told(void **state) {
  (void)state;
  const double t[] = {0, 1, 2, 2, 2, 2, 2, 2, 2}, y[9] = {0};
  hk_spectrum s;
  hk_error err = {0};
  assert_int_equal(hk_lines_of(t, y, 9, false, &s, &err), HK_EINPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sines_give_their_lines),
      cmocka_unit_test(orders_of_a_falling_angle),
      cmocka_unit_test(the_transform_keeps_the_sum_of_squares),
      cmocka_unit_test(peaks_between_bins),
      cmocka_unit_test(too_few_values_are_told),
      cmocka_unit_test(envelope_of_a_modulated_carrier),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
