/* src/analysis/resample.c, spectral_lines.c: sines between bins, chirps with known orders, densities, spectrograms. */
#include "analysis/spectral_lines.h"
#include "support/check.h"
#include <math.h>

enum { N = 20000 };
static double t[N], x[N], y[N];

/* Two sines between the bins, one of them small and close to the other: both are identified correctly. */
static void sines_between_bins(void **state) {
  (void)state;
  hk_even e;
  hk_line line[6];
  for (int i = 0; i < N; i++) {
    t[i] = 1 + 1e-4 * i;
    y[i] = 5 + 2 * cos(2 * M_PI * 50.3 * t[i] + 0.7) + 0.01 * sin(2 * M_PI * 61.87 * t[i]);
  }
  MUST(hk_even_make(t, y, N, 0, &e, err));
  assert_int_equal(e.n, N); /* as they are */
  int n = hk_lines_find(&e, 0, INFINITY, 6, line);
  assert_true(n >= 2);
  assert_near(line[0].frequency, 50.3, 1e-5, "frequency");
  assert_near(line[0].amplitude, 2, 1e-4, "amplitude");
  assert_near(line[0].phase, 0.7, 1e-3, "phase");
  assert_near(line[1].frequency, 61.87, 1e-4, "small line");
  assert_near(line[1].amplitude, 0.01, 1e-4, "small line");
  for (int i = 2; i < n; i++) assert_true(line[i].amplitude < 1e-4); /* no side lobes */
  assert_near(hk_even_mean(&e), 5, 1e-3, "mean");
  assert_near(hk_line_at(&e, 50.3).amplitude, 2, 1e-4, "line at");
  hk_even_free(&e);
}

/* A run-up from 5 to 45 revolutions per second: over time the orders are smeared, over revolutions they are
 * lines. */
static double run_up(double time) { return 5 * time + 10 * time * time; }

static void chirp_with_known_orders(void **state) {
  (void)state;
  hk_even e;
  hk_line line[4];
  for (int i = 0; i < N; i++) {
    t[i] = 2.0 * i / N;
    x[i] = run_up(t[i]);
    y[i] = 3 + 1.5 * cos(2 * M_PI * 2 * x[i] + 0.3) + 0.25 * cos(2 * M_PI * 7.5 * x[i]) +
           1e-3 * sin(2 * M_PI * 57 * x[i]);
  }
  MUST(hk_even_make(x, y, N, 0, &e, err));
  hk_even_trim(&e, 1);
  assert_near((double)e.n * e.step, 49, 1e-3, "whole turns");
  assert_int_equal(hk_lines_find(&e, 0, 100, 3, line), 3);
  static const double order[] = {2, 7.5, 57}, amplitude[] = {1.5, 0.25, 1e-3};
  for (int i = 0; i < 3; i++) {
    assert_near(line[i].frequency, order[i], 1e-5, "order %d", i);
    /* Order 57 has four samples per cycle at the end of the run-up. */
    assert_near(line[i].amplitude / amplitude[i], 1, i < 2 ? 1e-4 : 3e-3, "order %d", i);
  }
  assert_near(line[0].phase, 0.3, 1e-3, "phase");
  hk_even_free(&e);
  /* The spectrum over time has no line at any of these orders. */
  MUST(hk_even_make(t, y, N, 0, &e, err));
  hk_lines_find(&e, 0, INFINITY, 1, line);
  assert_true(line[0].amplitude < 0.5);
  hk_even_free(&e);
}

/* Backward rotation counts as forward rotation; rows with NaN are skipped. */
static void backwards_and_with_holes(void **state) {
  (void)state;
  hk_even e;
  for (int i = 0; i < N; i++) {
    x[i] = -run_up(2.0 * i / N);
    y[i] = i % 997 == 5 ? NAN : cos(2 * M_PI * 4 * x[i]);
  }
  MUST(hk_even_make(x, y, N, 0, &e, err));
  hk_even_trim(&e, 1);
  assert_near(hk_line_at(&e, 4).amplitude, 1, 1e-4, "order 4");
  assert_true(hk_line_at(&e, 9).amplitude < 1e-3);
  hk_even_free(&e);
}

/* The density's integral is the variance, and white noise is flat. */
static void density_of_noise(void **state) {
  (void)state;
  hk_even e;
  hk_spectrum s;
  random_seed(7);
  for (int i = 0; i < N; i++)
    t[i] = 1e-3 * i, y[i] = 2 + uniform(-1, 1) + 0.5 * sin(2 * M_PI * 100 * t[i]);
  MUST(hk_even_make(t, y, N, 0, &e, err));
  MUST(hk_lines_density(&e, 0.256, &s, err));
  double integral = 0, flat = 0, width = s.frequency[1];
  for (int64_t i = 0; i < s.n; i++) integral += s.amplitude[i] * width;
  double rms = hk_even_rms(&e);
  assert_near(integral / (rms * rms), 1, 0.02, "integral");
  int count = 0;
  for (int64_t i = 0; i < s.n; i++)
    if (s.frequency[i] > 200 && s.frequency[i] < 450) flat += s.amplitude[i], count++;
  /* Variance 1/3 over 500 Hz. */
  assert_near(flat / count * 500 / (1.0 / 3), 1, 0.05, "white noise");
  hk_spectrum_free(&s);
  hk_error why = {0};
  assert_int_equal(hk_lines_density(&e, 100, &s, &why), HK_EINPUT);
  assert_non_null(strstr(why.text, "longer than the data, which cover 20"));
  assert_int_equal(hk_lines_density(&e, 0.002, &s, &why), HK_EINPUT);
  hk_even_free(&e);
}

/* Over revolutions the order stays in its bin while the speed rises; a resonance at a fixed frequency moves
 * through the orders as frequency/speed. */
static void spectrogram_of_a_run_up(void **state) {
  (void)state;
  hk_even e;
  hk_spectrogram s;
  for (int i = 0; i < N; i++) {
    t[i] = 2.0 * i / N;
    x[i] = run_up(t[i]);
    y[i] = (1 + t[i]) * cos(2 * M_PI * 3 * x[i]) + 0.2 * cos(2 * M_PI * 200 * t[i]);
  }
  MUST(hk_even_make(x, y, N, 0, &e, err));
  MUST(hk_spectrogram_make(&e, 4, 50, 40, &s, err));
  assert_int_equal(s.rows, 40);
  for (int64_t r = 0; r < s.rows; r++) {
    int64_t best = 1, other = -1;
    const double *row = s.amplitude + r * s.bins;
    for (int64_t i = 1; i < s.bins; i++) {
      if (row[i] > row[best]) best = i;
      if (s.frequency[i] > 4 && (other < 0 || row[i] > row[other])) other = i;
    }
    double time = (-5 + sqrt(25 + 40 * s.x[r])) / 20, speed = 5 + 20 * time;
    assert_true(fabs(s.frequency[best] - 3) < 0.26);
    if (speed < 30) assert_near(s.frequency[other] * speed, 200, 0.12, "resonance at %g", speed);
    hk_even part = hk_even_part(&e, (int64_t)((s.x[r] - 2 - e.x0) / e.step), (int64_t)(4 / e.step));
    assert_near(hk_line_at(&part, 3).amplitude, 1 + time, 0.03, "tracked order");
  }
  hk_spectrogram_free(&s);
  hk_even_free(&e);
}

static void too_little(void **state) {
  (void)state;
  hk_even e;
  hk_error why = {0};
  for (int i = 0; i < 20; i++) x[i] = i < 5 ? i : 4, y[i] = i;
  assert_int_equal(hk_even_make(x, y, 20, 0, &e, &why), HK_EINPUT);
  assert_string_equal(why.text, "a spectrum needs at least 8 values, not 5");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sines_between_bins),       cmocka_unit_test(chirp_with_known_orders),
      cmocka_unit_test(backwards_and_with_holes), cmocka_unit_test(density_of_noise),
      cmocka_unit_test(spectrogram_of_a_run_up),  cmocka_unit_test(too_little)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
