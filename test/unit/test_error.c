/* Errors contain machine-readable fields in addition to the sentence: element, time and constraint row. */
#include "solve/contact_problem.h"
#include "sim/sim.h"
#include "support/subject.h"
#include <hooke/linear.h>
#include <hooke/run.h>

#define HEAD "format: 1\n"
#define FALLING "forces: {weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n"

enum { NO_ROW = -1, ANY_ROW = -2 };
typedef struct expected {
  const char *element;
  double time;
  int row;
  const char *text;
} expected;

static void assert_about(const hk_error *e, hk_status status, const expected *want) {
  if (!status) fail_msg("no failure, where '%s' was expected", want->text);
  assert_int_equal(e->code, status);
  if (!strstr(e->text, want->text)) fail_msg("not about '%s': %s", want->text, e->text);
  if (strcmp(e->element, want->element)) fail_msg("element '%s': %s", e->element, e->text);
  if (!(fabs(e->time - want->time) <= 0.02)) fail_msg("time %g: %s", e->time, e->text);
  if (want->row == NO_ROW ? e->row != -1 : want->row == ANY_ROW ? e->row < 0 : e->row != want->row)
    fail_msg("row %d: %s", e->row, e->text);
}

/* Created, then advanced to 2 s. */
static void run_fails(const char *text, const hk_sim_options *o, const expected *want) {
  hk_model *m = model_of(text);
  hk_error err = {.row = 99};
  hk_sim *s = NULL;
  hk_diag diag;
  hk_diag_init(&diag);
  hk_status status = hk_sim_create(m, o, &s, &diag, &err);
  if (!status) status = hk_sim_advance(s, 2, &err);
  assert_about(&err, status, want);
  hk_diag_free(&diag);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

static void assembly(void **state) {
  run_fails(HEAD
            "bodies: {bob: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
            "joints:\n"
            "  near: {type: distance, b: bob, length: 1 m}\n"
            "  far: {type: distance, b: bob, length: 1.1 m}\n"
            "analysis: {start: 1 s, duration: 1 s}\n",
            NULL, &(expected){"far", 1, 1, "conflicting constraints"});
  run_fails(HEAD
            "bodies:\n"
            "  ground: {markers: {there: {at: [3 m, 0, 0]}}}\n"
            "  bob: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}\n"
            "joints:\n"
            "  left: {type: distance, b: bob, length: 1 m}\n"
            "  right: {type: distance, a: ground.there, b: bob, length: 1 m}\n",
            NULL, &(expected){"right", 0, 1, "conflicting constraints"});
  run_fails(HEAD
            "bodies: {cart: {type: point_mass, mass: 1 kg}}\n"
            "joints: {rail: {type: point_on_line, a: ground, b: cart, axis: x}}\n"
            "motions:\n"
            "  slow: {coordinate: rail.displacement, value: 1 m/s * t}\n"
            "  fast: {coordinate: rail.displacement, value: 2 m/s * t}\n",
            NULL, &(expected){"fast", 0, ANY_ROW, "conflicting speeds"});
  run_fails(HEAD
            "bodies: {wheel: {type: rotor, inertia: 0 kg*m^2}}\n"
            "forces: {push: {type: actuator, coordinate: wheel.angle, force: 1 N*m}}\n",
            NULL, &(expected){"wheel", 0, NO_ROW, "too little mass"});
  run_fails(HEAD
            "states: {z: {unit: 1, start: 0, rate: log(z)/1 s}}\n"
            "bodies: {m: {type: point_mass, mass: 1 kg}}\n",
            NULL, &(expected){"z", 0, NO_ROW, "z"});
}

static void steps(void **state) {
  /* A second motion contradicts the first from 0.5 s on. */
  run_fails(HEAD
            "bodies: {cart: {type: point_mass, mass: 1 kg}}\n"
            "joints: {rail: {type: point_on_line, a: ground, b: cart, axis: x}}\n"
            "motions:\n"
            "  one: {coordinate: rail.displacement, value: 0.1 m/s * t}\n"
            "  two: {coordinate: rail.displacement, value: \"0.1 m/s * t + step(t, 0.5 s, 0 m, 1 "
            "s, 1 m)\"}\n",
            &(hk_sim_options){.stepper = "generalized_alpha", .step = 1e-2},
            &(expected){"two", 0.5, ANY_ROW, "no longer agree"});
  run_fails(HEAD
            "tables: {road: {points: [[0 s, 0 N], [1 s, 5 N]]}}\n"
            "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
            "forces: {push: {type: load, b: m, force: [road(t), 0, 0]}}\n",
            NULL, &(expected){"push", 1, NO_ROW, "reads table 'road'"});
  run_fails(HEAD
            "bodies: {m: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
            "forces: {push: {type: load, b: m, force: [1 N / (1 - t/0.25 s)^4, 0, 0]}}\n",
            NULL, &(expected){"m", 0.25, NO_ROW, "the force balance of body"});
  run_fails(
      HEAD
      "bodies: {top: {type: rod, length: 1 m, mass: 1 kg, angular_velocity: [0, 0, 100 rad/s]}}\n"
      "joints: {pin: {type: revolute, b: top, at: [0, 0, 0], axis: z}}\n",
      &(hk_sim_options){.stepper = "generalized_alpha", .step = 0.1},
      &(expected){"top", 0, NO_ROW, "more than 180 degrees"});
}

/* The test replaces calls between the integrators and the contact solver (test/CMakeLists.txt). */
static bool no_impulses;
hk_status __real_hk_contact_solve(const hk_contact_problem *p, double *P, double *xi,
                                  hk_contact_work *k, hk_contact_result *r);
hk_status __wrap_hk_contact_solve(const hk_contact_problem *p, double *P, double *xi,
                                  hk_contact_work *k, hk_contact_result *r);
hk_status __wrap_hk_contact_solve(const hk_contact_problem *p, double *P, double *xi,
                                  hk_contact_work *k, hk_contact_result *r) {
  hk_status status = __real_hk_contact_solve(p, P, xi, k, r);
  if (no_impulses && p->contacts > 0) r->merit = 0.5, status = HK_RETRY;
  return status;
}

static void contact_solver(void **state) {
  no_impulses = true;
  run_fails(HEAD
            "bodies: {m: {type: point_mass, mass: 1 kg, position: [0, 0, 1.22625 m]}}\n"
            "laws: {hard: {type: signorini}}\n"
            "contacts: {floor: {type: point_on_plane, a: ground, b: m, law: hard}}\n"
            "forces: {weight: {type: gravity}}\n",
            &(hk_sim_options){.stepper = "moreau", .step = 1e-3},
            &(expected){"floor", 0.5, NO_ROW, "the impulses of the contacts cannot be found"});
  no_impulses = false;
}

static void choices(void **state) {
  static const char RIGID[] = HEAD
      "bodies: {m: {type: point_mass, mass: 1 kg, position: [0, 1 m, 0]}}\n"
      "laws: {hard: {type: signorini}}\n"
      "contacts: {floor: {type: point_on_plane, a: ground, b: m, law: hard}}\n";
  run_fails(RIGID, &(hk_sim_options){.stepper = "generalized_alpha"},
            &(expected){"floor", 0, NO_ROW, "does not support impacts"});
}

static hk_status balance(const char *text, hk_error *err) {
  hk_model *m = model_of(text);
  hk_sim *s = NULL;
  hk_static_report report;
  hk_status status = hk_static_solve(m, NULL, &s, &report, NULL, err);
  hk_sim_destroy(s);
  hk_model_destroy(m);
  return status;
}

static void equilibria(void **state) {
  hk_error err = {0};
  hk_status status = balance(HEAD "bodies: {bob: {type: point_mass, mass: 1 kg}}\n" FALLING, &err);
  assert_about(&err, status, &(expected){"bob", 0, NO_ROW, "no equilibrium was found"});
  status = balance(HEAD
                   "bodies: {bob: {type: point_mass, mass: 1 kg}}\n"
                   "laws: {hard: {type: signorini}}\n"
                   "contacts: {floor: {type: point_on_plane, a: ground, b: bob, law: hard}}\n",
                   &err);
  assert_about(&err, status,
               &(expected){"floor", 0, NO_ROW, "equilibrium and linear analysis need"});
  run_fails(HEAD "bodies: {bob: {type: point_mass, mass: 1 kg}}\n" FALLING
                 "analysis: {start: 3 s, duration: 1 s, begin: equilibrium}\n",
            NULL, &(expected){"bob", 3, NO_ROW, "start from equilibrium: no equilibrium"});
}

static void linear(void **state) {
  hk_error err = {0};
  hk_linear *l = NULL;
  hk_model *m = model_of(HEAD "bodies: {bob: {type: point_mass, mass: 1 kg}}\n" FALLING);
  hk_sim *s = sim_of(m, NULL);
  hk_status status = hk_linear_create(s, NULL, &l, NULL, &err);
  assert_about(&err, status, &(expected){"bob", 0, NO_ROW, "not in equilibrium"});
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

/* The error that a run passes on. */
static void reports(void **state) {
  hk_model *m = model_of(HEAD
                         "tables: {road: {points: [[0 s, 0 N], [1 s, 5 N]]}}\n"
                         "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
                         "forces: {push: {type: load, b: m, force: [road(t), 0, 0]}}\n"
                         "analysis: {duration: 2 s}\n");
  hk_run_report report;
  hk_diag diag;
  hk_diag_init(&diag);
  hk_status status = hk_run(m, NULL, &report, &diag);
  assert_about(&report.error, status, &(expected){"push", 1, NO_ROW, "reads table 'road'"});
  hk_run_report_free(&report);
  hk_diag_free(&diag);
  hk_model_destroy(m);
}

static void one_behind_another(void **state) {
  hk_error err;
  hk_fail(&err, HK_RETRY, "the pin is bent");
  hk_error_about(&err, "pin", 2.5, 7);
  assert_int_equal(hk_fail_because(&err, HK_EFAIL, "no way", &err), HK_EFAIL);
  assert_about(&err, HK_EFAIL, &(expected){"pin", 2.5, 7, "no way: the pin is bent"});
  assert_int_equal(hk_fail_because(NULL, HK_EFAIL, "no way", &err), HK_EFAIL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(assembly),       cmocka_unit_test(steps),
      cmocka_unit_test(contact_solver), cmocka_unit_test(choices),
      cmocka_unit_test(equilibria),     cmocka_unit_test(linear),
      cmocka_unit_test(reports),        cmocka_unit_test(one_behind_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
