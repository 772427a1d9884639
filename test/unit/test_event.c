/* Events: times compared with closed forms, counts, actions at exact times, stops, saved states,
 * and errors in models. */
#include "linear_case.h"
#include "control/event.h"
#include "sim/sim.h"
#include <hooke/run.h>

static hk_model *compile_text(const char *text) {
  char whole[4000];
  snprintf(whole, sizeof whole, "format: 1\n%s", text);
  return model_of(whole);
}

static double value(hk_sim *s, const char *channel) {
  int i = hk_model_channel_find(s->model, channel);
  if (i < 0) fail_msg("no channel '%s'", channel);
  return hk_sim_value(s, i);
}

/* A ball that falls, and a wheel that a brake slows down between two events. */
#define RIG                                                            \
  "inputs: {brake: {unit: N*m}}\n"                                     \
  "bodies:\n"                                                          \
  "  ball: {type: point_mass, mass: 30 g, position: [0, 0, 1 m]}\n"    \
  "  wheel: {type: rotor, inertia: 0.1 kg*m^2, rate: 10 rad/s}\n"      \
  "forces:\n"                                                          \
  "  g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"          \
  "  drag: {type: actuator, coordinate: wheel.angle, force: -brake}\n" \
  "events:\n"                                                          \
  "  half: {when: ball.z < 0.5 m}\n"                                   \
  "  on: {when: t > 0.2 s, set: {brake: 0.5 N*m}}\n"                   \
  "  off: {when: wheel.angle_rate < 9 rad/s, set: {brake: 0}}\n"       \
  "  turn: {when: sin(wheel.angle + 1 rad) > 0}\n"

static void times_are_exact(const char *analysis, double tolerance) {
  char text[3000];
  snprintf(text, sizeof text, RIG "analysis: {duration: 3 s, %s}\n", analysis);
  hk_model *m = compile_text(text);
  hk_sim *s = sim_of(m, NULL);
  MUST(hk_sim_advance(s, 3, err));
  assert_float_equal(value(s, "half.time"), sqrt(1 / 9.81), tolerance);
  assert_float_equal(value(s, "on.time"), 0.2, tolerance);
  assert_float_equal(value(s, "off.time"), 0.4, tolerance);
  assert_float_equal(value(s, "wheel.angle_rate"), 9, 10 * tolerance);
  assert_float_equal(value(s, "half.count"), 1, 0);
  /* The wheel has turned by 2 + 1.9 + 9*2.6 = 27.3 rad: sin(27.3 + 1) has risen through 0 four times. */
  assert_float_equal(value(s, "wheel.angle"), 27.3, 10 * tolerance);
  assert_float_equal(value(s, "turn.count"), 4, 0);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

static void events_are_located(void **state) {
  (void)state;
  times_are_exact("rtol: 1e-10", 1e-8);
  times_are_exact("stepper: generalized_alpha, step: 10 ms", 1e-4);
  times_are_exact("stepper: bdf", 1e-8);
}

/* A short pulse between two ends of a step of 0.5 s is not missed. */
static void short_events_are_found(void **state) {
  (void)state;
  hk_model *m = compile_text(
      "bodies: {w: {type: rotor, inertia: 1 kg*m^2, rate: 1 rad/s}}\n"
      "forces: {f: {type: actuator, coordinate: w.angle, force: 0 N*m}}\n"
      "events: {pulse: {when: w.angle > 1.2345 rad and w.angle < 1.2346 rad}}\n"
      "analysis: {duration: 3 s}\n");
  hk_sim *s = sim_of(m, NULL);
  MUST(hk_sim_advance(s, 3, err));
  assert_float_equal(value(s, "pulse.count"), 1, 0);
  assert_float_equal(value(s, "pulse.time"), 1.2345, 1e-9);
  assert_float_equal(value(s, "pulse.active"), 0, 0);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

/* The third time that a pendulum passes its lowest position. */
#define PENDULUM                                                                 \
  "bodies: {bob: {type: point_mass, mass: 1 kg, position: [0.01 m, 0, -1 m]}}\n" \
  "joints: {string: {type: distance, a: ground, b: bob}}\n"                      \
  "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"

static void a_run_stops(void **state) {
  (void)state;
  hk_model *m = compile_text(PENDULUM
                             "stop: {when: bob.x < 0 m, after: 3}\n"
                             "measures: {last: {of: bob.x, take: final}}\n"
                             "analysis: {duration: 20 s}\n");
  hk_run_report report;
  hk_recording *rows = NULL;
  hk_diag d;
  hk_diag_init(&d);
  assert_int_equal(hk_run(m, &(hk_run_options){.recording = &rows}, &report, &d), HK_OK);
  /* Period 2 pi sqrt(L/g) (1 + A^2/16) with L = 1.00005 m, A = 0.01: passages to the left at (1/4, 5/4, 9/4) T. */
  double T = 2 * M_PI * sqrt(sqrt(1.0001) / 9.81) * (1 + 0.0001 / 16);
  assert_string_equal(report.stop_event, "stop");
  assert_float_equal(report.t, 2.25 * T, 1e-6);
  assert_float_equal(report.end, report.t, 0);
  assert_int_equal(report.n_events, 1);
  assert_int_equal(report.event[0].count, 3);
  for (int i = 0; i < 3; i++) assert_float_equal(report.event[0].time[i], (0.25 + i) * T, 1e-6);
  assert_true(fabs(report.measure[0].value) < 1e-9);
  assert_int_equal(d.n_warnings, 0);
  hk_recording_destroy(rows);
  hk_run_report_free(&report);
  hk_diag_free(&d);
  hk_model_destroy(m);
}

/* A simulation in C ends with HK_STOPPED, again at every later call, and a saved state keeps the counts. */
static void counts_are_state(void **state) {
  (void)state;
  hk_model *m =
      compile_text(PENDULUM "stop: {when: bob.x < 0 m, after: 2}\nanalysis: {duration: 20 s}\n");
  hk_sim *s = sim_of(m, NULL), *other = sim_of(m, NULL);
  MUST(hk_sim_advance(s, 1, err));
  assert_null(hk_sim_stop_event(s));
  char *bytes = malloc(hk_sim_state_size(s));
  hk_sim_state_get(s, bytes);
  assert_int_equal(hk_sim_state_set(other, bytes), HK_OK);
  hk_error err = {0};
  hk_sim *both[] = {s, other};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(hk_sim_advance(both[i], 20, &err), HK_STOPPED);
    assert_non_null(strstr(err.text, "stopped by event 'stop'"));
    assert_int_equal(hk_sim_step(both[i], 20, &err), HK_STOPPED);
    assert_string_equal(hk_sim_stop_event(both[i]), "stop");
  }
  assert_true(hk_sim_time(s) == hk_sim_time(other));
  free(bytes);
  hk_sim_destroy(s);
  hk_sim_destroy(other);
  hk_model_destroy(m);
}

/* Rigid impacts: the second bounce stops the run. */
static void impacts_are_events(void **state) {
  (void)state;
  hk_model *m = compile_text(
      "bodies: {ball: {type: sphere, radius: 1 cm, mass: 30 g, position: [0, 0, 1 m]}}\n"
      "forces: {g: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n"
      "laws: {rigid: {type: signorini, restitution_normal: 0.8}}\n"
      "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, law: rigid, radius: 1 cm}}\n"
      "stop: {when: floor.impacts >= 2}\n"
      "analysis: {duration: 3 s, stepper: event_driven}\n");
  hk_run_report report;
  assert_int_equal(hk_run(m, NULL, &report, NULL), HK_OK);
  double fall = sqrt(2 * 0.99 / 9.81);
  assert_float_equal(report.t, fall + 2 * 0.8 * fall, 1e-6);
  hk_run_report_free(&report);
  hk_model_destroy(m);
}

static void refused(const char *text, const char *part) {
  hk_diag d;
  hk_diag_init(&d);
  char whole[4000];
  snprintf(whole, sizeof whole, "format: 1\n%s", text);
  hk_spec *spec = hk_model_text_read("m.yaml", whole, strlen(whole), NULL, 0, &d);
  hk_model *m = spec ? hk_model_compile(spec, &d) : NULL;
  assert_null(m);
  assert_true(d.n > 0);
  if (!strstr(d.message[0].text, part)) fail_msg("%s", d.message[0].text);
  hk_diag_free(&d);
}

static void mistakes_are_named(void **state) {
  (void)state;
#define BODY "inputs: {brake: {unit: N*m}}\nbodies: {w: {type: rotor, inertia: 1 kg*m^2}}\n"
  refused(BODY "events: {e: {when: w.angle - 1 rad}}\n", "true or false");
  refused(BODY "events: {e: {when: w.angel > 1 rad}}\n", "did you mean");
  refused(BODY "events: {e: {set: {brake: 1 N*m}}}\n", "when");
  refused(BODY "events: {e: {when: t > 1 s, set: {brakes: 1 N*m}}}\n", "did you mean 'brake'");
  refused(BODY "events: {e: {when: t > 1 s, set: {brake: 1 N}}}\n", "N*m");
  refused(BODY "events: {e: {when: t > 1 s, after: 0}}\n", "after");
  refused(BODY "stop: {after: 2}\n", "when");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_are_located), cmocka_unit_test(short_events_are_found),
      cmocka_unit_test(a_run_stops),        cmocka_unit_test(counts_are_state),
      cmocka_unit_test(impacts_are_events), cmocka_unit_test(mistakes_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
