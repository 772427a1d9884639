/* Orbits: sections by period and by event, starts, attractors, sweeps. */
#include "support/check.h"
#include "analysis/poincare.h"
#include "study/orbit_sweep.h"
#include <math.h>

static const char oscillator[] = /* x = cos(2 t), v = -2 sin(2 t) */
    "format: 1\n"
    "bodies: {m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
    "forces: {k: {type: load, b: m, force: [-4 N/m * m.x, 0, 0]}}\n"
    "analysis: {duration: 10 s, step: 1 ms}\n";

static hk_orbit run_orbit(const hk_model *m, hk_orbit_options o, const char *const *names) {
  int channel[4];
  hk_orbit orbit;
  hk_error err = {0};
  if (hk_sweep_resolve(m, &(hk_sweep_names){.channel = names}, &o, channel, &err))
    fail_msg("%s", err.text);
  if (hk_orbit_run(m, &o, &orbit, NULL, &err)) fail_msg("%s", err.text);
  return orbit;
}

static void once_per_period(void **state) {
  (void)state;
  hk_model *m = model_of(oscillator);
  const char *names[] = {"m.x", "m.vx"};
  const double T = M_PI;
  for (int quarter = 0; quarter < 4; quarter++) {
    hk_orbit o = run_orbit(m,
                           (hk_orbit_options){.section = {.period = T, .phase = quarter / 4.0},
                                              .n_channels = 2,
                                              .skip = 3,
                                              .points = 10},
                           names);
    assert_int_equal(o.n, 10);
    for (int i = 0; i < 10; i++) {
      double t = (i + 3 + quarter / 4.0 + (quarter == 0)) * T;
      assert_near(o.time[i], t, 1e-12, "time");
      assert_near(o.point[2 * i], cos(2 * t), 1e-4, "x");
      assert_near(o.point[2 * i + 1], -2 * sin(2 * t), 1e-4, "v");
    }
    assert_int_equal(o.repeat.period, 1);
    assert_near(o.extent[0], 2, 1e-4, "extent of the motion, not of the points");
    assert_near(o.first[0], 1, 1e-12, "start");
    hk_orbit_free(&o);
  }
  hk_model_destroy(m);
}

static void at_crossings(void **state) {
  (void)state;
  hk_model *m = model_of(oscillator);
  const char *names[] = {"m.x", "m.vx"};
  int x = hk_model_channel_find(m, "m.x");
  static const struct {
    double value;
    int direction;
    double first, next; /* times */
  } wanted[] = {{0, 1, 0.75 * M_PI, M_PI},
                {0, -1, 0.25 * M_PI, M_PI},
                {0, 0, 0.25 * M_PI, 0.5 * M_PI},
                {0.5, -1, M_PI / 6, M_PI}};
  for (int c = 0; c < 4; c++) {
    hk_orbit o = run_orbit(m,
                           (hk_orbit_options){.section = {.channel = x,
                                                          .value = wanted[c].value,
                                                          .direction = wanted[c].direction,
                                                          .wait = 10},
                                              .n_channels = 2,
                                              .points = 8},
                           names);
    for (int i = 0; i < 8; i++) {
      /* The phase error of the trapezoidal rule, (omega h)^2/12, grows with time. */
      assert_near(o.time[i], wanted[c].first + i * wanted[c].next, 1e-6, "time of crossing %d", i);
      assert_near(o.point[2 * i], wanted[c].value, 1e-8, "value at crossing %d", i);
    }
    hk_orbit_free(&o);
  }
  hk_model_destroy(m);
}

static void looking_does_not_disturb(void **state) {
  (void)state;
  hk_model *m = model_of(oscillator);
  const char *names[] = {"m.x"};
  int x = hk_model_channel_find(m, "m.x");
  hk_orbit o = run_orbit(
      m,
      (hk_orbit_options){.section = {.channel = x, .direction = 1}, .n_channels = 1, .points = 3},
      names);
  hk_sim *sim = sim_of(m, NULL);
  double *state_of_orbit = o.state;
  hk_error err = {0};
  assert_int_equal(hk_sim_advance(sim, state_of_orbit[0], &err), HK_OK); /* time stands first */
  double *plain = malloc(hk_sim_state_size(sim));
  hk_sim_state_get(sim, plain);
  assert_int_equal(o.state_size, hk_sim_state_size(sim));
  for (size_t i = 0; i < o.state_size / sizeof(double); i++)
    assert_near(state_of_orbit[i], plain[i], 1e-9, "number %zu of the state", i);
  free(plain);
  hk_sim_destroy(sim);
  hk_orbit_free(&o);
  hk_model_destroy(m);
}

static void once_per_turn(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\nbodies: {r: {type: rotor, inertia: 1 kg*m^2, rate: 3 rad/s}}\n"
      "analysis: {duration: 5 s}\n");
  const char *names[] = {"r.angle"};
  for (int direction = -1; direction <= 1; direction++) {
    const bool wrap[1] = {true};
    int channel[1] = {hk_model_channel_find(m, "r.angle")};
    hk_orbit o;
    hk_error err = {0};
    const hk_orbit_options option = {.section = {.channel = channel[0],
                                                 .value = 0.5,
                                                 .modulo = 2 * M_PI,
                                                 .direction = direction,
                                                 .wait = 5},
                                     .channel = channel,
                                     .n_channels = 1,
                                     .wrap = wrap,
                                     .points = 9};
    hk_status status = hk_orbit_run(m, &option, &o, NULL, &err);
    if (direction < 0) { /* it never reverses */
      assert_int_equal(status, HK_EFAIL);
      assert_non_null(strstr(err.text, "downwards between t = 0 s and 5 s"));
    } else {
      assert_int_equal(status, HK_OK);
      for (int i = 0; i < 9; i++) {
        assert_near(o.time[i], (0.5 + 2 * M_PI * i) / 3, 1e-9, "turn %d", i);
        assert_near(o.point[i], 0.5, 1e-8, "wrapped angle");
      }
      assert_int_equal(o.repeat.period, 1);
    }
    hk_orbit_free(&o);
  }
  (void)names;
  hk_model_destroy(m);
}

/* From one value to another, every level in between is found once and in order, on whichever side
 * of the levels the steps end, even by one ulp. */
static void levels_are_met_once_where_steps_end_on_them(void **state) {
  (void)state;
  for (int draw = 0; draw < 400; draw++) {
    const double modulo = 0.001 * (draw + 1), value = 0.37 * (draw % 7) - 1;
    for (int way = -1; way <= 1; way += 2) {
      const hk_section s = {.value = value, .modulo = modulo, .direction = draw % 2 ? way : 0};
      double a = value + modulo * way * 0.5, level = NAN;
      int met = 0, wanted = 0;
      for (int k = 1; k < 60; k++) {
        const double on = value + modulo * way * k;
        const double end[3] = {nextafter(on, -way * INFINITY), on, nextafter(on, way * INFINITY)};
        /* sometimes across a level, past it, or onto it */
        for (int i = draw % 3; i < 3; i += 1 + draw % 2) {
          wanted += i > 0 && (way > 0 ? a < on : a > on);
          for (double from = a; hk_section_level(&s, from, end[i], &level); from = level) {
            met++;
            assert_true(level == on);
          }
          a = end[i];
        }
        assert_int_equal(met, wanted);
      }
      double far = value + modulo * way * 100;
      for (double from = a; hk_section_level(&s, from, far, &level); from = level) met++;
      assert_int_equal(met, wanted + 41);
    }
  }
}

static void assert_levels(double rate, double step) {
  char text[300];
  snprintf(text, sizeof text,
           "format: 1\nbodies: {r: {type: rotor, inertia: 1 kg*m^2, rate: %.17g rad/s}}\n"
           "analysis: {duration: 20 s, step: %.17g s}\n",
           rate, step);
  hk_model *m = model_of(text);
  const char *names[] = {"r.angle"};
  hk_orbit o = run_orbit(m,
                         (hk_orbit_options){.section = {.channel = hk_model_channel_find(m, "r.angle"), .modulo = 0.1},
                                            .n_channels = 1,
                                            .points = 150},
                         names);
  for (int k = 0; k < 150; k++) assert_near(fabs(rate) * o.time[k], 0.1 * (k + 1), 1e-9, "level %d", k);
  hk_orbit_free(&o);
  hk_model_destroy(m);
}

/* Steps that end on the levels up to round-off, and steps that pass several levels.  With some
 * rates the repeated step ends before the level that the first attempt reached. */
static void steps_of_a_level_or_of_several(void **state) {
  (void)state;
  static const double RATE[] = {1, 1.7, 0.77, 3}, ANGLE[] = {0.1, 0.05, 0.35, 1};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      for (int way = -1; way <= 1; way += 2) assert_levels(way * RATE[i], ANGLE[k] / RATE[i]);
}

static void bad_options(void **state) {
  (void)state;
  hk_model *m = model_of(oscillator);
  hk_orbit o;
  hk_error err = {0};
  const int time[1] = {0}, wrong[1] = {100000};
  const hk_orbit_options bad[] = {
      {.section = {.period = -1}, .channel = time, .n_channels = 1, .points = 1},
      {.section = {.period = NAN}, .channel = time, .n_channels = 1, .points = 1},
      {.section = {.period = 1, .phase = 2}, .channel = time, .n_channels = 1, .points = 1},
      {.section = {.channel = 100000}, .channel = time, .n_channels = 1, .points = 1},
      {.section = {.period = 1}, .channel = wrong, .n_channels = 1, .points = 1},
      {.section = {.period = 1}, .channel = time, .points = 1},
      {.section = {.period = 1}, .channel = time, .n_channels = 1},
      {.section = {.period = 1},
       .channel = time,
       .n_channels = 1,
       .points = 1,
       .start = &o,
       .start_size = 8},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(hk_orbit_run(m, &bad[i], &o, NULL, &err), HK_EINPUT);
    hk_orbit_free(&o);
  }
  hk_model_destroy(m);
}

/* ---- attractors ---- */

static const char two_wells[] = /* rest at -1 and 1 */
    "format: 1\n"
    "bodies: {m: {type: rotor, inertia: 1 kg*m^2, rate: 0 rad/s}}\n"
    "forces: {all: {type: actuator, coordinate: m.angle, force: \"(m.angle/(1 rad) - "
    "(m.angle/(1 rad))^3 - 0.5*m.angle_rate/(1 rad/s)) * 1 N*m\"}}\n"
    "analysis: {duration: 10 s, step: 20 ms}\n";

static void two_attractors(void **state) {
  (void)state;
  enum { STARTS = 40 };
  hk_model *m = model_of(two_wells);
  const int channel[1] = {hk_model_channel_find(m, "m.angle")};
  const hk_orbit_options option = {
      .section = {.period = 2}, .channel = channel, .n_channels = 1, .skip = 60, .points = 10};
  const hk_spread spread = {.angle = 2, .angular_velocity = 1};
  hk_orbit orbit[STARTS], again;
  int attractor[STARTS], right = 0;
  hk_error err = {0};
  for (int i = 0; i < STARTS; i++) {
    assert_int_equal(hk_orbit_run_scattered(m, &option, &spread, 5, i, &orbit[i], NULL, &err),
                     HK_OK);
    assert_true(fabs(orbit[i].first[0]) <= 2);
    assert_near(fabs(orbit[i].point[9]), 1, 1e-6, "rest");
    assert_int_equal(orbit[i].repeat.period, 1);
    right += orbit[i].point[9] > 0;
  }
  assert_int_equal(hk_orbit_classify(orbit, STARTS, NULL, 1e-3, attractor), 2);
  for (int i = 0; i < STARTS; i++)
    assert_int_equal(attractor[i] == attractor[0],
                     (orbit[i].point[9] > 0) == (orbit[0].point[9] > 0));
  assert_true(right > STARTS / 4 && right < 3 * STARTS / 4); /* the model is symmetric */
  assert_int_equal(hk_orbit_run_scattered(m, &option, &spread, 5, 17, &again, NULL, &err), HK_OK);
  assert_true(again.first[0] == orbit[17].first[0] && again.point[9] == orbit[17].point[9]);
  assert_true(orbit[16].first[0] != orbit[17].first[0]);
  hk_orbit_free(&again);
  for (int i = 0; i < STARTS; i++) hk_orbit_free(&orbit[i]);
  hk_model_destroy(m);
}

/* ---- sweeps ---- */

static const char path[] = HOOKE_SOURCE_DIR "/examples/nonlinear/duffing.yaml";

static hk_status sweep(const char *axis, const char *unit, double first, double last, int n,
                       bool both, int jobs, hk_orbit_sweep *out, hk_error *err) {
  double value[64];
  static const char *const names[] = {"x", "v"};
  const hk_sweep_axis a = {axis, unit};
  hk_diag diag;
  hk_diag_init(&diag);
  for (int i = 0; i < n; i++) value[i] = first + i * (last - first) / (n - 1);
  const hk_override coarse = {"analysis.step", "50 ms"};
  const hk_orbit_sweep_options o = {
      .model_path = path,
      .set = &coarse,
      .n_set = 1,
      .axis = &a,
      .n_axes = 1,
      .orbit = {.section = {.period = 1}, .n_channels = 2, .skip = 60, .points = 24},
      .names = {.channel = names, .period = "period"},
      .carry_on = both,
      .both = both,
      .jobs = jobs};
  hk_status status = hk_orbit_sweep_run(&o, value, n, out, &diag, err);
  hk_diag_free(&diag);
  return status;
}

static void jobs_do_not_matter(void **state) {
  (void)state;
  hk_orbit_sweep a, b;
  hk_error err = {0};
  assert_int_equal(sweep("F", "", 0.2, 0.5, 12, false, 1, &a, &err), HK_OK);
  assert_int_equal(sweep("F", "", 0.2, 0.5, 12, false, 3, &b, &err), HK_OK);
  assert_int_equal(a.n_done, 12);
  assert_int_equal(b.n_done, 12);
  for (int i = 0; i < 12; i++) {
    assert_int_equal(a.point[i].orbit.n, 24);
    assert_memory_equal(a.point[i].orbit.point, b.point[i].orbit.point, 48 * sizeof(double));
    assert_int_equal(a.point[i].orbit.repeat.period, b.point[i].orbit.repeat.period);
  }
  assert_int_equal(a.point[0].orbit.repeat.period, 1);
  hk_orbit_sweep_free(&a);
  hk_orbit_sweep_free(&b);
}

/* An invalid value is omitted, with the reason. */
static void failures_are_left_out(void **state) {
  (void)state;
  hk_orbit_sweep s;
  hk_error err = {0};
  assert_int_equal(sweep("omega", "rad/s", 0, 1.2, 5, false, 2, &s, &err), HK_OK);
  assert_int_equal(s.n_failed, 1);
  assert_int_equal(s.point[0].status, HK_EINPUT);
  assert_non_null(strstr(s.point[0].message, "period"));
  for (int i = 1; i < 5; i++) {
    assert_int_equal(s.point[i].status, HK_OK);
    double T = 2 * M_PI / (0.3 * i); /* the section follows the channel */
    assert_near(s.point[i].orbit.time[1] - s.point[i].orbit.time[0], T, 1e-9, "period");
  }
  hk_orbit_sweep_free(&s);
  assert_int_equal(sweep("omega", "rad/s", -1, 0, 3, false, 2, &s, &err), HK_EINPUT);
  hk_orbit_sweep_free(&s);
  assert_int_equal(sweep("omga", "rad/s", 1, 2, 3, false, 2, &s, &err), HK_EINPUT);
  hk_orbit_sweep_free(&s);
}

/* A hardening resonance: between its two folds, the amplitude stays high in the upward sweep and
 * low in the downward sweep. */
static void hysteresis(void **state) {
  (void)state;
  enum { COUNT = 24 };
  double value[COUNT];
  const char *const names[] = {"x"};
  const hk_sweep_axis axis = {"omega", "rad/s"};
  const hk_override set[] = {
      {"forces.all.force",
       "(F * cos(omega*t) - 0.1*mass.angle_rate/(1 rad/s) - mass.angle/(1 rad) - "
       "(mass.angle/(1 rad))^3) * 1 N*m"},
      {"F", "0.5"},
      {"analysis.step", "20 ms"}};
  hk_diag diag;
  hk_error err = {0};
  hk_orbit_sweep s;
  hk_diag_init(&diag);
  for (int i = 0; i < COUNT; i++) value[i] = 1 + 2.0 * i / (COUNT - 1);
  const hk_orbit_sweep_options o = {
      .model_path = path,
      .set = set,
      .n_set = 3,
      .axis = &axis,
      .n_axes = 1,
      .orbit = {.section = {.period = 1}, .n_channels = 1, .skip = 120, .points = 12},
      .names = {.channel = names, .period = "period"},
      .carry_on = true,
      .both = true,
      .jobs = 2};
  if (hk_orbit_sweep_run(&o, value, COUNT, &s, &diag, &err)) fail_msg("%s", err.text);
  int apart = 0;
  for (int i = 0; i < COUNT; i++) {
    const hk_sweep_point *up = &s.point[i], *down = &s.point[2 * COUNT - 1 - i];
    assert_true(up->done && down->done && !up->down && down->down);
    assert_true(up->value[0] == down->value[0]);
    assert_true(i == 0 || !up->fresh);
    double ratio = up->orbit.extent[0] / down->orbit.extent[0];
    assert_true(ratio > 0.99);
    apart += ratio > 2;
    if (value[i] < 1.4 || value[i] > 2.9) assert_near(ratio, 1, 1e-2, "one orbit at %g", value[i]);
  }
  assert_true(apart >= 5);
  hk_orbit_sweep_free(&s);
  hk_diag_free(&diag);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(once_per_period),
      cmocka_unit_test(at_crossings),
      cmocka_unit_test(looking_does_not_disturb),
      cmocka_unit_test(once_per_turn),
      cmocka_unit_test(levels_are_met_once_where_steps_end_on_them),
      cmocka_unit_test(steps_of_a_level_or_of_several),
      cmocka_unit_test(bad_options),
      cmocka_unit_test(two_attractors),
      cmocka_unit_test(jobs_do_not_matter),
      cmocka_unit_test(failures_are_left_out),
      cmocka_unit_test(hysteresis),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
