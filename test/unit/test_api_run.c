/* Results in memory, progress and cancelling, and the functions for coupling with other programs: channels and
 * their dependences, parameters, ramps, tuned parameters, rates, projection, sensitivities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <hooke/hooke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hk_model *model_with(const char *text, const hk_override *set, int n) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *s = hk_model_text_read("test", text, strlen(text), set, n, &diag);
  hk_model *m = s ? hk_model_compile(s, &diag) : NULL;
  if (!m) fail_msg("%s", diag.n ? diag.message[0].text : "?");
  hk_diag_free(&diag);
  return m;
}
static hk_model *model_of(const char *text) { return model_with(text, NULL, 0); }

/* A mass on a spring, pushed by an input. */
static const char PUSHED[] =
    "format: 1\n"
    "parameters: {k: 4 N/mm, m: 2 kg, c: 0.1*sqrt(k*m)}\n"
    "bodies: {bob: {type: point_mass, mass: m, position: [1 m, 0 m, 0 m]}}\n"
    "joints: {rail: {type: point_on_line, b: bob, axis: x}}\n"
    "inputs: {push: {unit: N}}\n"
    "forces:\n"
    "  spring: {type: actuator, coordinate: rail.displacement, force: -k*bob.x - c*bob.vx}\n"
    "  load: {type: actuator, coordinate: rail.displacement, force: push}\n"
    "sensors: {twice: {value: 2*rail.displacement}, both: {value: push + 1 N}}\n"
    "analysis: {duration: 1 s, output_step: 10 ms}\n";

static hk_sim *sim_of(const hk_model *m, const hk_sim_options *o) {
  hk_sim *s;
  hk_error err = {0};
  if (hk_sim_create(m, o, &s, NULL, &err)) fail_msg("%s", err.text);
  return s;
}

/* ---- results in memory ---- */

static void a_run_is_recorded_in_memory(void **state) {
  (void)state;
  hk_model *m = model_of(PUSHED);
  hk_recording *all, *some;
  hk_run_report report;
  const int channel[2] = {hk_model_channel_find(m, "bob.x"), hk_model_channel_find(m, "twice")};
  assert_int_equal(hk_run(m, &(hk_run_options){.recording = &all}, &report, NULL), HK_OK);
  assert_int_equal(report.rows, 101);
  hk_run_report_free(&report);
  assert_int_equal(
      hk_run(m, &(hk_run_options){.recording = &some, .channel = channel, .n_channels = 2}, NULL,
             NULL),
      HK_OK);
  hk_model_destroy(m); /* recordings outlive it */
  assert_int_equal(hk_recording_row_count(all), 101);
  assert_int_equal(hk_recording_channel_count(some), 3);
  assert_string_equal(hk_recording_name(some, 1), "bob.x");
  assert_string_equal(hk_recording_unit(some, 1), "m");
  assert_string_equal(hk_recording_name(some, 9), "");
  assert_null(hk_recording_column(some, 3));
  assert_int_equal(hk_recording_find(some, "bob.vx"), -1);
  const double *t = hk_recording_column(some, 0), *x = hk_recording_column(some, 1);
  const double *same = hk_recording_column(all, hk_recording_find(all, "bob.x"));
  const double *twice = hk_recording_column(some, 2);
  for (int i = 0; i <= 100; i++) {
    assert_float_equal(t[i], 0.01 * i, 1e-12);
    assert_true(x[i] == same[i]);
    assert_float_equal(twice[i], 2 * x[i], 1e-12);
  }
  hk_recording_destroy(all);
  hk_recording_destroy(some);
}

/* More rows than are reserved, and a row with values of the caller. */
static void recordings_grow(void **state) {
  (void)state;
  hk_model *m = model_of(PUSHED);
  hk_sim *s = sim_of(m, &(hk_sim_options){.stepper = "generalized_alpha", .step = 1e-4});
  hk_recording *r;
  const int time[1] = {0};
  assert_int_equal(hk_recording_create(m, time, 1, &r, NULL), HK_OK);
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(hk_recording_append(r, s, NULL), HK_OK);
    assert_int_equal(hk_sim_step(s, 1, NULL), HK_OK);
  }
  assert_int_equal(hk_recording_row_count(r), 1000);
  assert_int_equal(hk_recording_channel_count(r), 1);
  for (int i = 0; i < 1000; i++) assert_float_equal(hk_recording_column(r, 0)[i], 1e-4 * i, 1e-9);
  hk_recording_destroy(r);
  hk_error err;
  assert_int_equal(hk_recording_create(m, (int[]){9999}, 1, &r, &err), HK_EINPUT);
  assert_null(r);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

typedef struct rows {
  int n, most;
  double last, sum;
} rows;

static bool take_row(void *context, const double *value, int n) {
  rows *r = context;
  assert_int_equal(n, 2);
  r->last = value[0];
  r->sum += value[1];
  return ++r->n < r->most;
}

static void rows_go_to_the_caller_who_may_stop(void **state) {
  (void)state;
  hk_model *m = model_of(PUSHED);
  const int x = hk_model_channel_find(m, "bob.x");
  hk_run_report report;
  for (int stop = 0; stop < 2; stop++) {
    rows r = {.most = stop ? 11 : 1000};
    hk_run_options o = {.row = take_row, .context = &r, .channel = &x, .n_channels = 1};
    assert_int_equal(hk_run(m, &o, &report, NULL), stop ? HK_STOPPED : HK_OK);
    assert_int_equal(r.n, stop ? 11 : 101);
    assert_float_equal(r.last, stop ? 0.1 : 1, 1e-12);
    hk_run_report_free(&report);
  }
  hk_model_destroy(m);
}

/* ---- progress ---- */

typedef struct watcher {
  long calls, most;
  double done;
  char what[32];
} watcher;

static bool watch(void *context, const hk_progress *now) {
  watcher *w = context;
  snprintf(w->what, sizeof w->what, "%s", now->what);
  if (now->done == now->done) assert_true(now->done >= 0 && now->done <= 1 + 1e-12);
  w->done = now->done;
  return ++w->calls < w->most;
}

static void what_takes_long_can_be_stopped(void **state) {
  (void)state;
  hk_model *m = model_of(PUSHED);
  watcher w = {.most = 1000000};
  hk_sim_options o = {.stepper = "adams", .progress = watch, .context = &w};
  hk_sim *s = sim_of(m, &o);
  assert_int_equal(hk_sim_advance(s, 0.5, NULL), HK_OK);
  assert_true(w.calls > 5);
  assert_float_equal(w.done, 1, 1e-9);
  assert_string_equal(w.what, "steps");
  w.most = w.calls + 3;
  hk_error err;
  assert_int_equal(hk_sim_advance(s, 1, &err), HK_STOPPED);
  double x, t[2] = {0.9, 1}, now = hk_sim_time(s);
  const int time = 0;
  assert_true(now > 0.5 && now < 1);
  assert_int_equal(hk_sim_sample(s, t, 2, &time, 1, &x, &err), HK_STOPPED);
  assert_true(hk_sim_time(s) > now);
  w.most = 1000000; /* and continues where it was stopped */
  assert_int_equal(hk_sim_advance(s, 1, NULL), HK_OK);
  hk_sim_destroy(s);
  /* The selection of an integrator, and a search for an equilibrium. */
  o.stepper = "auto";
  w = (watcher){.most = 2};
  assert_int_equal(hk_sim_create(m, &o, &s, NULL, &err), HK_STOPPED);
  assert_null(s);
  w = (watcher){.most = 1};
  const hk_static_options q = {.progress = watch, .context = &w};
  assert_int_equal(hk_static_solve(m, &q, &s, NULL, NULL, &err), HK_STOPPED);
  assert_string_equal(w.what, "equilibrium");
  assert_null(s);
  hk_model_destroy(m);
}

/* A struct of a program that was compiled with fewer members: the later members are not read. */
static void options_have_a_size(void **state) {
  (void)state;
  hk_model *m = model_of(PUSHED);
  hk_sim_options *o = malloc(sizeof *o);
  memset(o, 0xff, sizeof *o);
  o->size = offsetof(hk_sim_options, rtol);
  o->step = 1e-3;
  hk_sim *s = sim_of(m, o);
  assert_int_equal(hk_sim_step(s, 1, NULL), HK_OK);
  assert_float_equal(hk_sim_statistics(s).step, 1e-3, 1e-12);
  hk_sim_destroy(s);
  free(o);
  hk_model_destroy(m);
}

/* ---- lists ---- */

static void parameters_are_listed(void **state) {
  (void)state;
  hk_model *m = model_with(PUSHED, (hk_override[]){{"m", "8 kg"}}, 1);
  hk_parameter p;
  assert_int_equal(hk_model_parameter_count(m), 3);
  assert_int_equal(hk_model_parameter(m, 0, &p), HK_OK);
  assert_string_equal(p.name, "k");
  assert_string_equal(p.text, "4 N/mm");
  assert_string_equal(p.unit, "N/m");
  assert_true(p.value == 4000);
  assert_int_equal(hk_model_parameter(m, hk_model_parameter_find(m, "m"), &p), HK_OK);
  assert_true(p.value == 8);
  assert_int_equal(hk_model_parameter(m, hk_model_parameter_find(m, "c"), &p), HK_OK);
  assert_float_equal(p.value, 0.1 * sqrt(4000 * 8), 1e-9);
  assert_int_equal(hk_model_parameter_find(m, "q"), -1);
  assert_int_equal(hk_model_parameter(m, 3, &p), HK_EINPUT);
  hk_model_destroy(m);
}

static unsigned needs(const hk_model *m, const char *channel) {
  int i = hk_model_channel_find(m, channel);
  assert_true(i >= 0);
  return hk_model_channel_depends(m, i);
}

static void channels_say_what_they_depend_on(void **state) {
  (void)state;
  hk_model *m = model_of(PUSHED);
  assert_int_equal(needs(m, "time"), HK_DEPENDS_TIME);
  assert_int_equal(needs(m, "rail.displacement"), HK_DEPENDS_MOTION);
  assert_int_equal(needs(m, "twice"), HK_DEPENDS_MOTION);
  assert_int_equal(needs(m, "both"), HK_DEPENDS_INPUT);
  assert_true(needs(m, "load.force") & HK_DEPENDS_INPUT);
  assert_false(needs(m, "spring.force") & HK_DEPENDS_INPUT);
  assert_true(needs(m, "bob.ax") & HK_DEPENDS_INPUT);
  assert_int_equal(hk_model_channel_depends(m, -1), 0);
  assert_int_equal(hk_model_channel_kind(m, hk_model_channel_find(m, "twice")), HK_CHANNEL_SENSOR);
  assert_int_equal(hk_model_channel_kind(m, hk_model_channel_find(m, "bob.x")), HK_CHANNEL_FRAME);
  assert_int_equal(hk_model_channel_kind(m, hk_model_channel_find(m, "energy.kinetic")),
                   HK_CHANNEL_ENERGY);
  /* Channels that are not listed do not change if an input jumps; checked for every channel. */
  hk_sim *s = sim_of(m, NULL);
  assert_int_equal(hk_sim_advance(s, 0.1, NULL), HK_OK);
  int n = hk_model_channel_count(m);
  double *before = malloc((size_t)n * sizeof *before);
  for (int i = 0; i < n; i++) before[i] = hk_sim_value(s, i);
  assert_int_equal(hk_sim_input_set(s, 0, 50, NULL), HK_OK);
  for (int i = 0; i < n; i++)
    if (!(hk_model_channel_depends(m, i) & HK_DEPENDS_INPUT) && hk_sim_value(s, i) != before[i])
      fail_msg("%s depends on the input", hk_model_channel_name(m, i));
  assert_true(hk_sim_value(s, hk_model_channel_find(m, "bob.ax")) !=
              before[hk_model_channel_find(m, "bob.ax")]);
  free(before);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

/* ---- inputs ---- */

static double end_of(const hk_model *m, const char *stepper, int pieces, bool ramp, long *steps) {
  hk_sim *s = sim_of(m, &(hk_sim_options){.stepper = stepper});
  for (int i = 0; i < pieces; i++) {
    double t = (double)i / pieces, h = 1.0 / pieces, u = 500 * sin(3 * t),
           next = 500 * sin(3 * (t + h));
    hk_status status =
        ramp ? hk_sim_input_ramp(s, 0, u, (next - u) / h, NULL) : hk_sim_input_set(s, 0, u, NULL);
    assert_int_equal(status, HK_OK);
    assert_int_equal(hk_sim_advance(s, t + h, NULL), HK_OK);
  }
  double x = hk_sim_value(s, hk_model_channel_find(m, "bob.x"));
  *steps = hk_sim_statistics(s).steps;
  hk_sim_destroy(s);
  return x;
}

/* An input given at intervals: with ramps the error is of second order in their length, with jumps of first
 * order; multistep methods keep their history. */
static void ramps_are_continuous(void **state) {
  (void)state;
  hk_model *m = model_of(PUSHED);
  static const char *const stepper[] = {"adams", "bdf", "generalized_alpha"};
  long n, jumps;
  double exact = end_of(m, "adams", 4000, true, &n);
  for (int k = 0; k < 3; k++) {
    double coarse = fabs(end_of(m, stepper[k], 50, true, &n) - exact);
    double fine = fabs(end_of(m, stepper[k], 200, true, &n) - exact);
    double held = fabs(end_of(m, stepper[k], 200, false, &jumps) - exact);
    print_message("%s: ramps of 20 ms %.2e, 5 ms %.2e m; held %.2e m; steps %ld, %ld\n", stepper[k],
                  coarse, fine, held, n, jumps);
    if (k < 2) {
      assert_true(coarse < 2e-5 &&
                  fine < coarse / 8 +
                             1e-7); /* the other integrators are less accurate by themselves */
      assert_true(n <= jumps);
    }
    assert_true(held > 5 * fine);
  }
  hk_model_destroy(m);
}

static void a_ramp_is_part_of_the_state(void **state) {
  (void)state;
  hk_model *m = model_of(PUSHED);
  hk_sim *s = sim_of(m, NULL);
  assert_int_equal(hk_sim_input_ramp(s, 0, 0, 100, NULL), HK_OK);
  assert_int_equal(hk_sim_advance(s, 0.25, NULL), HK_OK);
  assert_float_equal(hk_sim_input_get(s, 0), 25, 1e-12);
  assert_float_equal(hk_sim_value(s, hk_model_channel_find(m, "load.force")), 25, 1e-9);
  size_t size = hk_sim_state_size(s);
  void *kept = malloc(size), *one = malloc(size), *two = malloc(size);
  hk_sim_state_get(s, kept);
  assert_int_equal(hk_sim_advance(s, 0.5, NULL), HK_OK);
  hk_sim_state_get(s, one);
  assert_int_equal(hk_sim_state_set(s, kept), HK_OK);
  assert_int_equal(hk_sim_advance(s, 0.5, NULL), HK_OK);
  hk_sim_state_get(s, two);
  assert_memory_equal(one, two, size);
  assert_true(hk_sim_state_find(s, "push.slope") >= 0);
  hk_error err;
  assert_int_equal(hk_sim_input_ramp(s, 0, 0, NAN, &err), HK_EINPUT);
  assert_int_equal(hk_sim_input_ramp(s, 1, 0, 0, &err), HK_EINPUT);
  free(kept), free(one), free(two);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

/* d(acceleration)/d(push) = 1/m at any state; 0 for channels that do not depend on it. */
static void sensitivities_are_exact(void **state) {
  (void)state;
  hk_model *m = model_of(PUSHED);
  hk_sim *s = sim_of(m, NULL);
  const int input = 0;
  const int channel[3] = {hk_model_channel_find(m, "bob.ax"), hk_model_channel_find(m, "bob.x"),
                          hk_model_channel_find(m, "both")};
  const double seed = 3;
  double d[3], before, after;
  assert_int_equal(hk_sim_input_set(s, 0, 7, NULL), HK_OK);
  assert_int_equal(hk_sim_advance(s, 0.3, NULL), HK_OK);
  before = hk_sim_value(s, channel[0]);
  assert_int_equal(hk_sim_sensitivity(s, &input, 1, &seed, channel, 3, d, NULL), HK_OK);
  after = hk_sim_value(s, channel[0]);
  assert_float_equal(d[0], 3 / 2.0, 1e-9);
  assert_true(d[1] == 0);
  assert_float_equal(d[2], 3, 1e-9);
  assert_true(before == after);
  assert_int_equal(hk_sim_sensitivity(s, (int[]){5}, 1, &seed, channel, 3, d, NULL), HK_EINPUT);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

/* ---- a changed parameter while it runs ---- */

static void a_parameter_is_tuned_while_running(void **state) {
  (void)state;
  hk_model *m = model_of(PUSHED), *stiff = model_with(PUSHED, (hk_override[]){{"k", "16 N/mm"}}, 1);
  hk_sim *a = sim_of(m, NULL), *b;
  assert_int_equal(hk_sim_advance(a, 0.2, NULL), HK_OK);
  hk_error err = {0};
  if (hk_sim_create_from(stiff, a, &b, &err)) fail_msg("%s", err.text);
  int x = hk_model_channel_find(m, "bob.x"), ax = hk_model_channel_find(m, "bob.ax"),
      v = hk_model_channel_find(m, "bob.vx");
  assert_true(hk_sim_time(b) == hk_sim_time(a));
  assert_true(hk_sim_value(b, x) == hk_sim_value(a, x));
  double c = 0.1 * sqrt(16000 * 2.0);
  assert_float_equal(hk_sim_value(b, ax),
                     (-16000 * hk_sim_value(b, x) - c * hk_sim_value(b, v)) / 2, 1e-6);
  assert_string_equal(hk_sim_stepper_name(a), hk_sim_stepper_name(b));
  assert_int_equal(hk_sim_advance(b, 0.4, NULL), HK_OK);
  hk_sim_destroy(b);
  hk_sim_destroy(a);
  hk_model_destroy(stiff);
  /* Another model altogether. */
  hk_model *other = model_of(
      "format: 1\nbodies: {w: {type: rotor, inertia: 1 kg*m^2}}\n"
      "analysis: {duration: 1 s}\n");
  a = sim_of(m, NULL);
  assert_int_equal(hk_sim_create_from(other, a, &b, &err), HK_EINPUT);
  assert_null(b);
  hk_sim_destroy(a);
  hk_model_destroy(other);
  hk_model_destroy(m);
  /* The same bodies in another order, and another name. */
  m = model_of(
      "format: 1\nbodies: {a: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}, "
      "b: {type: point_mass, mass: 1 kg, position: [5 m, 0, 0]}}\nanalysis: {duration: 1 s}\n");
  static const char *const wrong[] = {
      "format: 1\nbodies: {b: {type: point_mass, mass: 1 kg, position: [5 m, 0, 0]}, "
      "a: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\nanalysis: {duration: 1 s}\n",
      "format: 1\nbodies: {a: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}, "
      "c: {type: point_mass, mass: 1 kg, position: [5 m, 0, 0]}}\nanalysis: {duration: 1 s}\n"};
  a = sim_of(m, NULL);
  for (int i = 0; i < 2; i++) {
    other = model_of(wrong[i]);
    assert_int_equal(hk_sim_create_from(other, a, &b, &err), HK_EINPUT);
    assert_non_null(strstr(err.text, "only values of parameters may change"));
    hk_model_destroy(other);
  }
  hk_sim_destroy(a);
  hk_model_destroy(m);
}

/* The copy has the settings that `auto` has found, not only the integrator: both go on to the same bits, and apart from each
 * other. */
static void a_copy_goes_on_alike(void **state) {
  (void)state;
  static const char *const integrator[] = {"auto", "adams", "bdf", "generalized_alpha"};
  for (int i = 0; i < 4; i++) {
    hk_model *m = model_of(
        "format: 1\ninputs: {push: {unit: N}}\nbodies:\n"
        "  cart: {type: rigid_body, mass: 3 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2]}\n"
        "  bob: {type: rod, length: 0.4 m, mass: 1 kg, position: [0, -0.2 m, 0]}\n"
        "joints:\n  rail: {type: prismatic, b: cart, axis: x}\n"
        "  pin: {type: revolute, a: cart, b: bob, at: [0, 0, 0], axis: z}\n"
        "forces:\n  s: {type: actuator, coordinate: rail.displacement, force: (-40 "
        "N/m)*rail.displacement}\n"
        "  g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
        "  f: {type: load, b: cart, force: [push, 0, 0]}\nanalysis: {duration: 3 s}\n");
    const hk_sim_options o = {.size = sizeof o, .stepper = integrator[i]};
    hk_sim *a = sim_of(m, &o), *b = NULL;
    hk_error err = {0};
    const int x = hk_model_channel_find(m, "cart.x");
    assert_int_equal(hk_sim_input_set(a, 0, 10, NULL), HK_OK);
    assert_int_equal(hk_sim_advance(a, 0.5, NULL), HK_OK);
    if (hk_sim_copy(a, &b, &err)) fail_msg("%s", err.text);
    assert_int_equal(hk_sim_advance(a, 1, NULL), HK_OK);
    assert_int_equal(hk_sim_advance(a, 2, NULL), HK_OK);
    assert_true(hk_sim_time(b) == 0.5);
    assert_int_equal(hk_sim_advance(b, 1, NULL), HK_OK);
    assert_int_equal(hk_sim_advance(b, 2, NULL), HK_OK);
    assert_true(fabs(hk_sim_value(a, x)) > 1e-3 && hk_sim_value(b, x) == hk_sim_value(a, x));
    hk_sim_destroy(a);
    hk_sim_destroy(b);
    hk_model_destroy(m);
  }
}

/* ---- another integrator ---- */

static const char THREE_RODS[] =
    "format: 1\n"
    "bodies:\n"
    "  a: {type: rod, length: 1 m, mass: 1 kg, radius: 2 cm, position: [0.5 m, 0 m, 0 m], "
    "orientation: {axis: y, angle: 90 deg}}\n"
    "  b: {type: rod, length: 1 m, mass: 1 kg, radius: 2 cm, position: [1 m, 0.5 m, 0 m], "
    "orientation: {axis: x, angle: 90 deg}}\n"
    "joints:\n"
    "  s: {type: spherical, b: a, at: [0 m, 0 m, 0 m]}\n"
    "  u: {type: spherical, a: a, b: b, at: [1 m, 0 m, 0 m]}\n"
    "forces: {g: {type: gravity}}\n"
    "analysis: {duration: 1 s, rtol: 1e-10, atol: 1e-12}\n";

enum { MOST = 40 };

/* Runge-Kutta's method for q and v by hk_sim_rates, projected by hk_sim_project. */
static void runge_kutta(hk_sim *s, int nq, int nv, double h, double t, double *q, double *v) {
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double kq[4][MOST], kv[4][MOST], a[MOST], b[MOST];
  hk_error err = {0};
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < nq; i++) a[i] = q[i] + (k ? part[k] * h * kq[k - 1][i] : 0);
    for (int i = 0; i < nv; i++) b[i] = v[i] + (k ? part[k] * h * kv[k - 1][i] : 0);
    if (hk_sim_rates(s, t + part[k] * h, a, b, kq[k], kv[k], NULL, &err)) fail_msg("%s", err.text);
  }
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < nq; i++) q[i] += h / 6 * weight[k] * kq[k][i];
    for (int i = 0; i < nv; i++) v[i] += h / 6 * weight[k] * kv[k][i];
  }
  if (hk_sim_project(s, t + h, q, v, &err)) fail_msg("%s", err.text);
}

static void another_integrator_gives_the_same_motion(void **state) {
  (void)state;
  hk_model *m = model_of(THREE_RODS);
  hk_sim *s = sim_of(m, NULL), *own = sim_of(m, &(hk_sim_options){.stepper = "adams"});
  int nq = hk_model_position_count(m), nv = hk_model_velocity_count(m);
  double q[MOST], v[MOST], x[2000];
  assert_true(hk_sim_state_count(s) < 2000);
  hk_sim_state_get(s, x);
  hk_body_info first;
  assert_int_equal(hk_model_body_info(m, 0, &first), HK_OK);
  memcpy(q, x + first.q, (size_t)nq * sizeof *q);
  memcpy(v, x + first.v, (size_t)nv * sizeof *v);
  for (int i = 0; i < 500; i++) runge_kutta(s, nq, nv, 2e-3, 2e-3 * i, q, v);
  assert_int_equal(hk_sim_advance(own, 1, NULL), HK_OK);
  hk_sim_state_get(own, x);
  for (int i = 0; i < 3; i++) assert_float_equal(q[i], x[first.q + i], 1e-7);
  for (int i = 0; i < nv; i++) assert_float_equal(v[i], x[first.v + i], 1e-6);
  assert_true(hk_sim_time(s) == 0); /* the state of the simulation is unchanged */
  assert_int_equal(hk_sim_step(s, 1, NULL), HK_OK);
  hk_sim_destroy(s);
  hk_sim_destroy(own);
  hk_model_destroy(m);
}

/* ---- the last step ---- */

static void a_step_reports_its_impacts(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {ball: {type: sphere, radius: 0.1 m, density: 1000 kg/m^3, position: [0 m, 0 m, 1.1 "
      "m]}}\n"
      "laws: {hard: {type: signorini, restitution_normal: 0.5}}\n"
      "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, law: hard, radius: 0.1 m}}\n"
      "forces:\n  g: {type: gravity}\n"
      "  push: {type: load, b: ball, force: [0 N, 0 N, \"1 N * pulse(t, 0.25 s, 0.3 s)\"]}\n"
      "analysis: {duration: 1 s, stepper: event_driven}\n");
  hk_sim *s = sim_of(m, NULL);
  hk_step_report r;
  long impacts = 0, jumps = 0;
  double due = INFINITY, hit = 0;
  while (hk_sim_time(s) < 0.6) {
    assert_int_equal(hk_sim_step(s, 0.6, NULL), HK_OK);
    hk_sim_last_step(s, &r);
    impacts += r.impacts;
    jumps += r.jump;
    if (r.impacts) hit = r.end;
    if (r.end < 0.25) due = fmin(due, r.next_breakpoint);
    assert_true(r.end == hk_sim_time(s) && r.start <= r.end && r.next_breakpoint > r.end);
  }
  assert_int_equal(impacts, 1);
  assert_true(jumps >= 1);
  assert_true(hit > 0.44 && hit < 0.46); /* sqrt(2 m / g), slightly later because of the push */
  assert_float_equal(due, 0.25, 1e-9);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_is_recorded_in_memory),
                                     cmocka_unit_test(recordings_grow),
                                     cmocka_unit_test(rows_go_to_the_caller_who_may_stop),
                                     cmocka_unit_test(what_takes_long_can_be_stopped),
                                     cmocka_unit_test(options_have_a_size),
                                     cmocka_unit_test(parameters_are_listed),
                                     cmocka_unit_test(channels_say_what_they_depend_on),
                                     cmocka_unit_test(ramps_are_continuous),
                                     cmocka_unit_test(a_ramp_is_part_of_the_state),
                                     cmocka_unit_test(sensitivities_are_exact),
                                     cmocka_unit_test(a_parameter_is_tuned_while_running),
                                     cmocka_unit_test(a_copy_goes_on_alike),
                                     cmocka_unit_test(another_integrator_gives_the_same_motion),
                                     cmocka_unit_test(a_step_reports_its_impacts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
