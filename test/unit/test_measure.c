/* Measures against closed forms, at uniform and irregular spacing, and their order of accuracy. */
#include "measure/measure.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR(a, b, tol)                                                           \
  do {                                                                            \
    double a_ = (a), b_ = (b);                                                    \
    if (!(fabs(a_ - b_) <= (tol))) fail_msg("%s = %.17g, not %.17g", #a, a_, b_); \
  } while (0)

static const double PI = 3.14159265358979323846;

/* sin(2 pi t) on [0, 2], n steps; `wobble` makes the spacing irregular. */
static double sine(hk_measure_kind kind, double t0, double t1, int n, double wobble, bool rate) {
  hk_measure m;
  hk_measure_init(&m, kind, t0, t1);
  for (int k = 0; k <= n; k++) {
    double s = (double)k / n, t = 2 * (s + wobble * sin(14 * PI * s) / (14 * PI));
    if (rate)
      hk_measure_add_rate(&m, t, sin(2 * PI * t), 2 * PI * cos(2 * PI * t));
    else
      hk_measure_add(&m, t, sin(2 * PI * t));
  }
  assert_int_equal(hk_measure_status(&m), HK_MEASURE_OK);
  return hk_measure_value(&m);
}

/* Order from the errors at n, 2 n, 4 n, ... steps; with irregular spacing single ratios scatter, so the slope
 * over four doublings is used. */
static double order(hk_measure_kind kind, double t0, double t1, double exact, double wobble,
                    bool rate) {
  double coarse = fabs(sine(kind, t0, t1, 200, wobble, rate) - exact);
  double fine = fabs(sine(kind, t0, t1, 3200, wobble, rate) - exact);
  return log2(coarse / fine) / 4;
}

static void integrals_have_second_order(void **state) {
  const double a = 0.137, b = 1.713; /* ends that are not grid points */
  double integral = (cos(2 * PI * a) - cos(2 * PI * b)) / (2 * PI);
  double square = (b - a) / 2 - (sin(4 * PI * b) - sin(4 * PI * a)) / (8 * PI);
  double rms = sqrt(square / (b - a));
  for (int k = 0; k < 2; k++) {
    double wobble = 0.8 * k;
    NEAR(sine(HK_MEASURE_INTEGRAL, a, b, 20000, wobble, false), integral, 1e-7);
    NEAR(sine(HK_MEASURE_MEAN, a, b, 20000, wobble, false), integral / (b - a), 1e-7);
    NEAR(sine(HK_MEASURE_RMS, a, b, 20000, wobble, false), rms, 1e-7);
    NEAR(order(HK_MEASURE_INTEGRAL, a, b, integral, wobble, false), 2, 0.15);
    NEAR(order(HK_MEASURE_RMS, a, b, rms, wobble, false), 2, 0.15);
  }
}

/* y = 1 + 3 t - 2 t^2 in parabolic pieces of any length: everything is exact, for any window. */
static double parabola(hk_measure_kind kind, double t0, double t1, double *time) {
  static const double end[] = {0, 0.3, 0.35, 1.1, 1.6};
  hk_measure m;
  hk_measure_init(&m, kind, t0, t1);
  hk_measure_set_frequency(&m, 4);
  hk_measure_set_order(&m, 4);
  for (int k = 0; k < 5; k++) {
    double t = end[k], h = k ? t - end[k - 1] : 0;
    hk_measure_set_angle(&m, t);
    hk_measure_add_bowed(&m, t, 1 + 3 * t - 2 * t * t, 0.5 * h * h);
  }
  *time = hk_measure_time(&m);
  return hk_measure_value(&m);
}

static void bowed_pieces_are_parabolas(void **state) {
  const double a = 0.1, b = 1.5;
  double time, I = 0, S = 0, c = 0, s = 0;
  const int n = 20000;
  for (int k = 0; k < n; k++) { /* the midpoint rule, with an error of 1e-9 */
    double t = a + (b - a) * (k + 0.5) / n, y = 1 + 3 * t - 2 * t * t, h = (b - a) / n;
    I += h * y, S += h * y * y, c += h * y * cos(4 * t), s += h * y * sin(4 * t);
  }
  NEAR(parabola(HK_MEASURE_INTEGRAL, a, b, &time), I, 1e-8);
  NEAR(parabola(HK_MEASURE_MEAN, a, b, &time), I / (b - a), 1e-8);
  NEAR(parabola(HK_MEASURE_RMS, a, b, &time), sqrt(S / (b - a)), 1e-8);
  NEAR(parabola(HK_MEASURE_MAX, a, b, &time), 2.125, 1e-14);
  NEAR(time, 0.75, 1e-14);
  NEAR(parabola(HK_MEASURE_MAX, 0.8, b, &time), 1 + 2.4 - 1.28, 1e-14);
  NEAR(parabola(HK_MEASURE_MIN, a, b, &time), 1, 1e-14);
  NEAR(time, b, 1e-14);
  double mean = I / (b - a), C = c - mean * (sin(4 * b) - sin(4 * a)) / 4,
         Z = s + mean * (cos(4 * b) - cos(4 * a)) / 4;
  NEAR(parabola(HK_MEASURE_HARMONIC, a, b, &time), 2 / (b - a) * hypot(C, Z), 1e-8);
  NEAR(parabola(HK_MEASURE_ORDER, a, b, &time), 2 / (b - a) * hypot(C, Z), 1e-8);
}

static void points_have_fourth_order(void **state) {
  const double t = 0.33721;
  double exact = sin(2 * PI * t);
  for (int k = 0; k < 2; k++) {
    double wobble = 0.8 * k;
    NEAR(order(HK_MEASURE_AT, t, NAN, exact, wobble, false), 4, 0.5);
    NEAR(order(HK_MEASURE_AT, t, NAN, exact, wobble, true), 4, 0.5);
    /* |error| <= 9/384 h^4 max|y''''| of a centred cubic, h^4/384 of a Hermite cubic */
    double bound = pow(2 * PI * 0.002 * (1 + wobble), 4) / 384;
    NEAR(sine(HK_MEASURE_AT, t, NAN, 1000, wobble, false), exact, 9 * bound);
    NEAR(sine(HK_MEASURE_AT, t, NAN, 1000, wobble, true), exact, bound);
    NEAR(sine(HK_MEASURE_INITIAL, t, 1, 1000, wobble, false), exact, 9 * bound);
    NEAR(sine(HK_MEASURE_FINAL, 0.1, t, 1000, wobble, false), exact, 9 * bound);
  }
  /* the first and the last interval have neighbours on one side only */
  NEAR(sine(HK_MEASURE_AT, 0.0007, NAN, 1000, 0, false), sin(2 * PI * 0.0007), 1e-9);
  NEAR(sine(HK_MEASURE_AT, 1.9993, NAN, 1000, 0, false), sin(2 * PI * 1.9993), 1e-9);
}

static void extremes_are_those_of_samples_and_ends(void **state) {
  NEAR(sine(HK_MEASURE_MAX, NAN, NAN, 400, 0, false), 1, 1e-15); /* 0.25 is a sample */
  NEAR(sine(HK_MEASURE_MIN, NAN, NAN, 400, 0, false), -1, 1e-15);
  NEAR(sine(HK_MEASURE_PEAK_TO_PEAK, 0, 2, 400, 0, false), 2, 1e-15);
  NEAR(sine(HK_MEASURE_MAX_ABS, 0.6, 0.9, 400, 0, false), 1, 1e-15);
  NEAR(sine(HK_MEASURE_MAX, 0.3, 0.4, 4000, 0, false), sin(2 * PI * 0.3), 1e-5);
  NEAR(sine(HK_MEASURE_MIN, 0.3, 0.4003, 4000, 0, false), sin(2 * PI * 0.4003), 1e-5);
  hk_measure m;
  hk_measure_init(&m, HK_MEASURE_MAX_ABS, NAN, NAN);
  hk_measure_add(&m, 1, 2);
  hk_measure_add(&m, 3, -7);
  hk_measure_add(&m, 4, 5);
  NEAR(hk_measure_value(&m), 7, 0);
  NEAR(hk_measure_time(&m), 3, 0);
}

/* y = t on a window inside one step: the exact values are obtained by hand. */
static void a_window_between_two_samples(void **state) {
  const struct {
    hk_measure_kind kind;
    double value;
  } expect[] = {{HK_MEASURE_MIN, 0.25},      {HK_MEASURE_MAX, 0.75},
                {HK_MEASURE_MEAN, 0.5},      {HK_MEASURE_PEAK_TO_PEAK, 0.5},
                {HK_MEASURE_INTEGRAL, 0.25}, {HK_MEASURE_RMS, sqrt((0.421875 - 0.015625) / 1.5)},
                {HK_MEASURE_INITIAL, 0.25},  {HK_MEASURE_FINAL, 0.75},
                {HK_MEASURE_MAX_ABS, 0.75}};
  for (size_t k = 0; k < sizeof expect / sizeof *expect; k++) {
    hk_measure m;
    hk_measure_init(&m, expect[k].kind, 0.25, 0.75);
    hk_measure_add(&m, 0, 0);
    hk_measure_add(&m, 1, 1);
    NEAR(hk_measure_value(&m), expect[k].value, 1e-15);
    assert_int_equal(hk_measure_status(&m), HK_MEASURE_OK);
  }
}

/* These are zero for a constant. */
static bool of_changes(int kind) {
  return kind == HK_MEASURE_PEAK_TO_PEAK || kind == HK_MEASURE_CHANGE || kind == HK_MEASURE_RATE ||
         kind == HK_MEASURE_HARMONIC || kind == HK_MEASURE_EVENTS || kind == HK_MEASURE_ORDER;
}

static void a_jump_is_not_smoothed(void **state) {
  for (int kind = 0; kind < HK_MEASURE_N_KINDS; kind++) {
    hk_measure m;
    hk_measure_init(&m, (hk_measure_kind)kind, 1, 2); /* the jump is at the start of the window */
    hk_measure_set_frequency(&m, 2 * PI);
    for (int k = 0; k <= 10; k++) hk_measure_add(&m, 0.1 * k, -5);
    for (int k = 10; k <= 20; k++) hk_measure_add(&m, 0.1 * k, 3);
    double expect = of_changes(kind) ? 0 : 3;
    if (kind == HK_MEASURE_EVENT_TIME) {
      assert_int_equal(hk_measure_status(&m), HK_MEASURE_NO_EVENT);
      continue;
    }
    NEAR(hk_measure_value(&m), expect, 1e-14);
    hk_measure_free(&m);
  }
  for (int k = 0; k < 3; k++) { /* just before, at, just after */
    hk_measure m;
    hk_measure_init(&m, HK_MEASURE_AT, 0.99 + 0.01 * k, NAN);
    for (int i = 0; i <= 10; i++) hk_measure_add(&m, 0.1 * i, -5);
    for (int i = 10; i <= 20; i++) hk_measure_add(&m, 0.1 * i, 3);
    NEAR(hk_measure_value(&m), k == 0 ? -5 : 3, 1e-14);
  }
}

static void a_tiny_step_does_not_swing_the_cubic(void **state) {
  hk_measure m;
  hk_measure_init(&m, HK_MEASURE_AT, 1.5, NAN);
  hk_measure_add(&m, 0, 0);
  hk_measure_add(&m, 1 - 1e-9, 0);
  hk_measure_add(&m, 1, 1); /* an event: a kink that appears as a slope of 1e9 */
  hk_measure_add(&m, 2, 1);
  hk_measure_add(&m, 3, 1);
  NEAR(hk_measure_value(&m), 1, 1e-12);
}

static hk_measure_state state_of(hk_measure_kind kind, double t0, double t1, double bad) {
  hk_measure m;
  hk_measure_init(&m, kind, t0, t1);
  hk_measure_set_frequency(&m, 2 * PI);
  for (int k = 0; k <= 10; k++) hk_measure_add(&m, 1 + 0.1 * k, k == 5 ? bad : 1);
  hk_measure_state s = hk_measure_status(&m);
  assert_true(isnan(hk_measure_value(&m)) == (s > HK_MEASURE_PARTIAL));
  assert_true((strlen(hk_measure_why(s)) == 0) == (s == HK_MEASURE_OK));
  hk_measure_free(&m);
  return s;
}

static void says_why_there_is_no_value(void **state) {
  for (int k = 0; k < HK_MEASURE_N_KINDS; k++) {
    hk_measure_kind kind = (hk_measure_kind)k;
    if (kind == HK_MEASURE_EVENT_TIME) continue; /* a constant has no events */
    hk_measure empty;
    hk_measure_init(&empty, kind, 0, 1);
    assert_true(isnan(hk_measure_value(&empty)));
    assert_int_equal(hk_measure_status(&empty), HK_MEASURE_NO_SAMPLE);
    assert_int_equal(state_of(kind, 3, 4, 1), HK_MEASURE_NO_SAMPLE);
    assert_int_equal(state_of(kind, 0.1, 0.2, 1), HK_MEASURE_NO_SAMPLE);
    assert_int_equal(state_of(kind, 1, 2, 1), HK_MEASURE_OK);
    if (kind == HK_MEASURE_AT) continue;
    assert_int_equal(state_of(kind, NAN, NAN, 1), HK_MEASURE_OK);
    assert_int_equal(state_of(kind, 2, 1, 1), HK_MEASURE_BAD_WINDOW);
    assert_int_equal(state_of(kind, 1, 2 + 1e-12, 1), HK_MEASURE_OK);
    assert_int_equal(state_of(kind, 0, 3, 1), HK_MEASURE_PARTIAL);
    bool point = kind == HK_MEASURE_INITIAL || kind == HK_MEASURE_FINAL;
    assert_int_equal(state_of(kind, 1, 2, NAN), point ? HK_MEASURE_OK : HK_MEASURE_NOT_FINITE);
    assert_int_equal(state_of(kind, 1, 1.4, INFINITY), HK_MEASURE_OK); /* outside the window */
  }
  assert_int_equal(state_of(HK_MEASURE_AT, 1.5, NAN, NAN), HK_MEASURE_NOT_FINITE);
  assert_int_equal(state_of(HK_MEASURE_AT, NAN, NAN, 1), HK_MEASURE_BAD_WINDOW);
  hk_measure m;
  hk_measure_init(&m, HK_MEASURE_MEAN, NAN, NAN);
  hk_measure_add(&m, 1, 1);
  hk_measure_add(&m, 0.5, 1);
  assert_int_equal(hk_measure_status(&m), HK_MEASURE_UNORDERED);
}

static void one_sample_is_a_value(void **state) {
  for (int k = 0; k < HK_MEASURE_N_KINDS; k++) {
    hk_measure m;
    hk_measure_init(&m, (hk_measure_kind)k, 0, 0);
    hk_measure_add(&m, 0, -2);
    if (k == HK_MEASURE_EVENT_TIME) continue;
    bool zero = k == HK_MEASURE_INTEGRAL || of_changes(k);
    bool positive = k == HK_MEASURE_RMS || k == HK_MEASURE_MAX_ABS;
    NEAR(hk_measure_value(&m), zero ? 0 : positive ? 2 : -2, 0);
  }
}

/* Ten million steps of 0.1 ms: a plain sum would drift by about 1e-10 relative. */
static void long_runs_do_not_drift(void **state) {
  hk_measure m;
  hk_measure_init(&m, HK_MEASURE_MEAN, NAN, NAN);
  for (int k = 0; k <= 10000000; k++) hk_measure_add(&m, 1e-4 * k, 0.1);
  NEAR(hk_measure_value(&m), 0.1, 3e-16);
}

static void kinds_have_names(void **state) {
  hk_measure_kind kind;
  for (int k = 0; k < HK_MEASURE_N_KINDS; k++) {
    assert_true(hk_measure_kind_find(hk_measure_kind_name((hk_measure_kind)k), &kind));
    assert_int_equal(kind, k);
  }
  assert_false(hk_measure_kind_find("median", &kind));
  assert_string_equal(hk_measure_kind_name(HK_MEASURE_N_KINDS), "");
}

/* y = 3 + 2 sin(w t + 0.4) + 0.5 cos(3 w t): amplitudes 2, 0, 0.5, for irregular sampling. */
static double amplitude(double order, double t0, double t1, int n) {
  hk_measure m;
  const double w = 2 * PI / 0.2;
  hk_measure_init(&m, HK_MEASURE_HARMONIC, t0, t1);
  hk_measure_set_frequency(&m, order * w);
  for (int k = 0; k <= n; k++) {
    double t = 1.0 * k / n + 0.2 / n * sin(0.1 * k);
    hk_measure_add(&m, t, 3 + 2 * sin(w * t + 0.4) + 0.5 * cos(3 * w * t));
  }
  return hk_measure_value(&m);
}

static void harmonics(void **state) {
  NEAR(amplitude(1, 0.2, 0.6, 4000), 2, 1e-4);
  NEAR(amplitude(2, 0.2, 0.6, 4000), 0, 1e-4);
  NEAR(amplitude(3, 0.2, 0.6, 4000), 0.5, 1e-4);
  double coarse = amplitude(1, 0.2, 0.6, 1000) - 2, fine = amplitude(1, 0.2, 0.6, 2000) - 2;
  assert_true(fabs(coarse / fine) > 3.5 && fabs(coarse / fine) < 4.5);
  hk_measure m; /* linear pieces are integrated exactly, for any length: a triangle has 8/pi^2 */
  hk_measure_init(&m, HK_MEASURE_HARMONIC, 0, 2);
  hk_measure_set_frequency(&m, 2 * PI);
  for (int k = 0; k <= 4; k++) hk_measure_add(&m, 0.5 * k, k % 2 ? -1 : 1);
  NEAR(hk_measure_value(&m), 8 / (PI * PI), 1e-14);
}

static void change_and_rate(void **state) {
  static const hk_measure_kind kind[] = {HK_MEASURE_INITIAL, HK_MEASURE_FINAL, HK_MEASURE_CHANGE,
                                         HK_MEASURE_RATE};
  for (int ends = 0; ends < 3; ends++) { /* within, at samples, open */
    double y[4], t0 = ends == 2 ? NAN : ends ? 1 : 0.5, t1 = ends == 2 ? NAN : ends ? 3 : 2.5;
    for (int k = 0; k < 4; k++) {
      hk_measure m;
      hk_measure_init(&m, kind[k], t0, t1);
      hk_measure_add(&m, 0, 1);
      hk_measure_add(&m, 1, 3);
      hk_measure_add(&m, 2, -5);
      hk_measure_add(&m, 3, 7);
      y[k] = hk_measure_value(&m);
    }
    assert_true(y[2] == y[1] - y[0]);
    NEAR(y[3], y[2] / (ends == 2 ? 3 : 2), 1e-15);
    NEAR(y[2], ends == 2 ? 6 : ends ? 4 : -8.5, 1e-14);
  }
}

/* Events of sin(2 pi t) over [0, 2] sampled n times. */
static hk_measure sine_events(hk_measure_kind kind, hk_event_rule rule, double t0, double t1,
                              int n) {
  hk_measure m;
  hk_measure_init(&m, kind, t0, t1);
  hk_measure_set_events(&m, &rule);
  for (int k = 0; k <= n; k++) hk_measure_add(&m, 2.0 * k / n, sin(2 * PI * 2.0 * k / n));
  return m;
}

static void events_are_crossings(void **state) {
  const hk_event_rule both = {.level = 0.5, .n = 1},
                      up = {.level = 0.5, .crossing = HK_CROSSING_RISING, .n = 2},
                      fine = {.level = 0.05, .every = 0.25, .n = 1};
  hk_measure m = sine_events(HK_MEASURE_EVENTS, both, NAN, NAN, 1001);
  NEAR(hk_measure_value(&m), 4, 0);
  m = sine_events(HK_MEASURE_EVENTS, both, 0.2, 1.2, 1001);
  NEAR(hk_measure_value(&m), 2, 0);
  m = sine_events(HK_MEASURE_EVENTS, fine, NAN, NAN, 1001); /* -0.95 to 0.8: 8 levels, 4 ways */
  NEAR(hk_measure_value(&m), 32, 0);
  m = sine_events(HK_MEASURE_EVENTS, (hk_event_rule){.level = 0, .n = 1}, NAN, NAN, 1001);
  NEAR(hk_measure_value(&m), 3,
       0); /* it starts on the level: not counted; it may or may not end there */
  double error[2];
  for (int i = 0; i < 2; i++) {
    m = sine_events(HK_MEASURE_EVENT_TIME, up, NAN, NAN, i ? 4001 : 501);
    error[i] = fabs(hk_measure_value(&m) - 13.0 / 12);
    assert_true(hk_measure_time(&m) == hk_measure_value(&m));
  }
  NEAR(error[0], 0, 1e-6);
  assert_true(log2(error[0] / error[1]) / 3 > 2.5);
  m = sine_events(HK_MEASURE_EVENT_TIME, (hk_event_rule){.level = 0.5, .n = 5}, NAN, NAN, 501);
  assert_int_equal(hk_measure_status(&m), HK_MEASURE_NO_EVENT);
  assert_true(isnan(hk_measure_value(&m)));
  assert_true(*hk_measure_why(HK_MEASURE_NO_EVENT));
}

/* A counter that jumps, at one instant or from step to step, and by more than one. */
static void events_of_a_count(void **state) {
  static const double t[] = {0, 1, 1, 2, 3, 3}, y[] = {0, 0, 1, 1, 1, 4};
  static const double when[] = {1, 3, 3, 3};
  for (int n = 1; n <= 4; n++) {
    hk_measure m;
    hk_measure_init(&m, HK_MEASURE_EVENT_TIME, NAN, NAN);
    hk_measure_set_events(&m, &(hk_event_rule){.level = 0.5, .every = 1, .n = n});
    for (int k = 0; k < 6; k++) hk_measure_add(&m, t[k], y[k]);
    NEAR(hk_measure_value(&m), when[n - 1], 0);
  }
  /* A value given for the instant is used. */
  hk_measure m;
  hk_measure_init(&m, HK_MEASURE_EVENT_TIME, NAN, NAN);
  hk_measure_set_events(&m, &(hk_event_rule){.level = 2, .n = 1});
  hk_measure_add(&m, 0, 0);
  NEAR(hk_measure_event_ahead(&m, 1, 3), 2, 0);
  assert_true(isnan(hk_measure_event_ahead(&m, 1, 1)));
  hk_measure_add(&m, 0.9, 2);
  assert_true(isnan(hk_measure_event_ahead(&m, 1, 3)));
  hk_measure_add(&m, 1, 3);
  NEAR(hk_measure_value(&m), 0.9, 0);
}

/* A shaft that accelerates in either direction: the order is found over its angle in whole revolutions, for any
 * window; over time the same sine has no single frequency. */
static void order_of_a_run_up(void **state) {
  (void)state;
  for (int way = -1; way <= 1; way += 2)
    for (int n = 1; n <= 4; n++) {
      hk_measure m, none;
      hk_measure_init(&m, HK_MEASURE_ORDER, 0.313, 2.77);
      hk_measure_init(&none, HK_MEASURE_ORDER, 0.313, 2.77);
      hk_measure_set_order(&m, n);
      hk_measure_set_order(&none, 5);
      enum { N = 30000 };
      for (int i = 0; i <= N; i++) {
        double t = 3.0 * i / N, turns = way * (2 * t + 3 * t * t);
        double y = 7 + n * 0.5 * cos(2 * PI * n * turns + 0.4);
        hk_measure_set_angle(&m, 2 * PI * turns);
        hk_measure_set_angle(&none, 2 * PI * turns);
        hk_measure_add(&m, t, y);
        hk_measure_add(&none, t, y);
      }
      assert_int_equal(hk_measure_status(&m), HK_MEASURE_OK);
      assert_true(fabs(hk_measure_value(&m) - n * 0.5) < 2e-4 * n * n);
      assert_true(hk_measure_value(&none) < 1e-3);
    }
}

/* Less than one revolution is used if there is no more; a shaft at rest has no orders. */
static void order_of_part_of_a_turn(void **state) {
  (void)state;
  hk_measure m;
  hk_measure_init(&m, HK_MEASURE_ORDER, NAN, NAN);
  hk_measure_set_order(&m, 4);
  for (int i = 0; i <= 1000; i++) {
    double angle = PI * i / 1000; /* half a revolution: two periods of order 4 */
    hk_measure_set_angle(&m, angle);
    hk_measure_add(&m, i, 3 * sin(4 * angle));
  }
  assert_true(fabs(hk_measure_value(&m) - 3) < 1e-4);
  hk_measure_init(&m, HK_MEASURE_ORDER, NAN, NAN);
  hk_measure_set_order(&m, 1);
  for (int i = 0; i <= 10; i++) hk_measure_add(&m, i, i);
  assert_true(hk_measure_value(&m) == 0);
}

static double percentile_of(hk_measure *m, double share) {
  hk_measure_set_share(m, share);
  assert_int_equal(hk_measure_status(m), HK_MEASURE_OK);
  return hk_measure_value(m);
}

/* A sine spends the share 1/2 + asin(y)/pi of a period below y; t^2 spends sqrt(y), t^3 - t a share with two or three
 * crossings per level. */
static void percentiles(void **state) {
  static const double share[] = {0, 0.01, 0.05, 0.25, 0.5, 0.9, 0.999, 1};
  hk_measure m;
  for (int wobble = 0; wobble < 2; wobble++) {
    hk_measure_init(&m, HK_MEASURE_PERCENTILE, NAN, NAN);
    for (int k = 0; k <= 4000; k++) {
      double s = k / 4000.0, t = 2 * (s + 0.8 * wobble * sin(14 * PI * s) / (14 * PI));
      hk_measure_add(&m, t, sin(2 * PI * t));
    }
    for (int i = 0; i < 8; i++) NEAR(percentile_of(&m, share[i]), sin(PI * (share[i] - 0.5)), 3e-6);
    hk_measure_free(&m);
  }
  /* Parabolas are exact, whatever the pieces and the window. */
  hk_measure_init(&m, HK_MEASURE_PERCENTILE, 0.1, 0.9);
  double before = -0.3;
  hk_measure_add(&m, before, before * before);
  for (double t = -0.21; t < 1.1; t += 0.137) {
    hk_measure_add_bowed(&m, t, t * t, -(t - before) * (t - before) / 4);
    before = t;
  }
  for (int i = 0; i < 8; i++) {
    double t = 0.1 + 0.8 * share[i];
    NEAR(percentile_of(&m, share[i]), t * t, 1e-12);
  }
  hk_measure_free(&m);
  /* A valley: t^2 over -1 ... 2 in a single piece. */
  hk_measure_init(&m, HK_MEASURE_PERCENTILE, NAN, NAN);
  hk_measure_add(&m, -1, 1);
  hk_measure_add_bowed(&m, 2, 4, -9.0 / 4);
  NEAR(percentile_of(&m, 1.0 / 3), 0.25, 1e-12); /* 2 sqrt y = 1 */
  NEAR(percentile_of(&m, 2.5 / 3), 2.25, 1e-12); /* 1 + sqrt y = 2.5 */
  NEAR(percentile_of(&m, 0), 0, 1e-15);
  hk_measure_free(&m);
  /* Steps: 3 s at 1, 1 s at 5; a jump has no duration. */
  hk_measure_init(&m, HK_MEASURE_PERCENTILE, NAN, NAN);
  const double t[] = {0, 1, 3, 3, 4}, y[] = {1, 1, 1, 5, 5};
  for (int k = 0; k < 5; k++) hk_measure_add(&m, t[k], y[k]);
  NEAR(percentile_of(&m, 0.7), 1, 1e-15);
  NEAR(percentile_of(&m, 0.75), 1, 1e-15);
  NEAR(percentile_of(&m, 0.76), 5, 1e-14);
  hk_measure_free(&m);
  /* A rest at zero is exactly zero, at the bottom of the curve and between its ends. */
  for (int i = 0; i < 2; i++) {
    const double bottom = i ? -0.3 : 0, rise[] = {bottom, 0, 0, 1};
    hk_measure_init(&m, HK_MEASURE_PERCENTILE, NAN, NAN);
    for (int k = 0; k < 4; k++) hk_measure_add(&m, t[k] + (k == 3), rise[k]);
    assert_true(percentile_of(&m, 0.5) == 0);
    assert_true(percentile_of(&m, 0.9) > 0.1);
    hk_measure_free(&m);
  }
}

/* Beyond a million pieces only the distribution is kept. */
static void percentiles_of_long_runs(void **state) {
  hk_measure m;
  hk_measure_init(&m, HK_MEASURE_PERCENTILE, NAN, NAN);
  const int n = 2500000;
  for (int k = 0; k <= n; k++) hk_measure_add(&m, k, sin(0.1 * PI * k) * (0.5 + (double)k / n));
  hk_measure_set_share(&m, 0.5);
  NEAR(hk_measure_value(&m), 0, 1e-5);
  /* The curve is linear between the samples of 20 per period. */
  double most = 0, at = 0.9;
  hk_measure few;
  hk_measure_init(&few, HK_MEASURE_PERCENTILE, NAN, NAN);
  for (int k = 0; k <= 500000; k++)
    hk_measure_add(&few, k, sin(0.1 * PI * k) * (0.5 + (double)k / 500000));
  for (int i = 0; i < 5; i++, at -= 0.17)
    most = fmax(most, fabs(percentile_of(&m, at) - percentile_of(&few, at)));
  assert_true(m.pile.n < 1300000 && most < 1e-5);
  hk_measure_free(&m);
  hk_measure_free(&few);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_of_a_run_up),
      cmocka_unit_test(order_of_part_of_a_turn),
      cmocka_unit_test(events_are_crossings),
      cmocka_unit_test(events_of_a_count),
      cmocka_unit_test(integrals_have_second_order),
      cmocka_unit_test(bowed_pieces_are_parabolas),
      cmocka_unit_test(points_have_fourth_order),
      cmocka_unit_test(extremes_are_those_of_samples_and_ends),
      cmocka_unit_test(a_window_between_two_samples),
      cmocka_unit_test(a_jump_is_not_smoothed),
      cmocka_unit_test(a_tiny_step_does_not_swing_the_cubic),
      cmocka_unit_test(says_why_there_is_no_value),
      cmocka_unit_test(one_sample_is_a_value),
      cmocka_unit_test(long_runs_do_not_drift),
      cmocka_unit_test(kinds_have_names),
      cmocka_unit_test(harmonics),
      cmocka_unit_test(percentiles),
      cmocka_unit_test(percentiles_of_long_runs),
      cmocka_unit_test(change_and_rate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
