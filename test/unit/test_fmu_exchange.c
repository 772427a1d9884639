/* Model exchange: FMUs whose states an importer integrates.  The references are closed-form solutions, and co-simulation of the
 * same FMU; drift is in test/verify/test_fmu.c. */
#include "support/fmu_plant.h"

/* ---- events ---- */

/* A force that is switched on at 0.3 s and off at 0.7 s, and a motion whose velocity jumps at 0.5 s; positions at 1 s. */
static const char TIMED[] =
    "format: 1\n"
    "bodies:\n"
    "  m: {type: point_mass, mass: 2 kg}\n"
    "  d: {type: rotor, inertia: 1 kg*m^2, axis: z}\n"
    "joints: {rail: {type: point_on_line, a: ground, b: m, axis: x}}\n"
    "motions: {turn: {type: motion, coordinate: d.angle, value: '1 rad/s^2 * t^2 + if(t < 0.5 s, "
    "0, "
    "3 "
    "rad/s * (t - 0.5 s))'}}\n"
    "forces: {f: {type: load, b: m, force: ['if(t < 0.3 s, 0, if(t < 0.7 s, 10 N, 0))', 0, 0]}}\n"
    "analysis: {duration: 1 s, output_step: 10 ms}\n";

static void test_times(void **state) {
  (void)state;
  for (int two = 0; two < 2; two++) {
    fmu_file f =
        open_text("timed.yaml", TIMED, (hk_fmu_options){.fmi = two ? 2 : 3, .exchange = true});
    plant p = begin(&f, two);
    start_plant(&p);
    adaptive(&p, 1, 1e-6);
    assert_int_equal(p.time_events, 3);
    NEAR(p.t, 1, 1e-15);
    /* 5 m/s^2 for 0.4 s, then 0.3 s at 2 m/s: the polynomials are integrated exactly */
    NEAR(value(&p, "m.vx"), 2, 1e-11);
    NEAR(value(&p, "m.x"), 0.5 * 5 * 0.16 + 0.6, 1e-9);
    NEAR(value(&p, "d.angle"), 1 + 1.5, 1e-12);
    NEAR(value(&p, "d.angle_rate"), 2 + 3, 1e-12);
    end_plant(&p);
    fmu_close(&f);
  }
}

/* A mass between two stops of stiffness 1 kN/m at +-0.1 m, which starts with 1 m/s: half periods of free flight and of
 * oscillation at the stop, in closed form.  Stops by max, by a comparison and by `interp`. */
static const char STOPS[] =
    "format: 1\n"
    "parameters: {k: 1000 N/m}\n"
    "inputs: {push: {unit: N}}\n"
    "bodies: {m: {type: point_mass, mass: 1 kg, velocity: [1 m/s, 0, 0]}}\n"
    "joints: {rail: {type: point_on_line, a: ground, b: m, axis: x}}\n"
    "forces: {f: {type: load, b: m, force: ['push - k*max(0, m.x - 0.1 m) - if(m.x < -0.1 m, "
    "k*(m.x + "
    "0.1 m), 0)', 0, 0]}}\n"
    "sensors: {out: {value: abs(m.x)}}\n"
    "analysis: {duration: 3 s, output_step: 10 ms}\n";

static void test_switches(void **state) {
  (void)state;
  fmu_file f = open_text("stops.yaml", STOPS, (hk_fmu_options){.fmi = 3, .exchange = true});
  plant p = begin(&f, false);
  assert_int_equal(p.n_events, 2); /* max and <; the sensor affects nothing */
  start_plant(&p);
  adaptive(&p, 2, 1e-9);
  double w = sqrt(1000), flight = 0.2, half = M_PI / w, period = 2 * (flight + half), t = 2;
  t = fmod(t - 0.1, period);                  /* since the first contact with the right stop */
  assert_true(t > half && t < half + flight); /* on the way to the left one */
  NEAR(value(&p, "m.x"), 0.1 - (t - half), 2e-7);
  assert_int_equal(p.state_events, 1 + 4 * (int)((2 - 0.1) / period) + 1);
  /* parameters and inputs may change; the state continues */
  CALL(&p, fmi2EnterEventMode(p.c), fmi3EnterEventMode(p.c));
  double x = value(&p, "m.x"), v = value(&p, "m.vx");
  put_value(&p, "push", 3);
  put_value(&p, "k", 500);
  update(&p);
  NEAR(value(&p, "m.x"), x, 1e-15);
  NEAR(value(&p, "m.vx"), v, 1e-15);
  double rate[MOST_STATES];
  derivatives(&p, p.t, p.x, rate);
  NEAR(rate[3], 3, 1e-12);
  end_plant(&p);
  fmu_close(&f);
}

/* A ball that bounces on a compliant floor: the same as in co-simulation, with events where it opens and closes. */
static const char BOUNCE[] =
    "format: 1\n"
    "bodies: {ball: {type: rigid_body, mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 "
    "kg*m^2], "
    "position: [0, 0, 0.3 m]}}\n"
    "forces: {g: {type: gravity}}\n"
    "laws: {soft: {type: hunt_crossley, stiffness: 1e5 N/m^1.5, exponent: 1.5, restitution: 0.7}}\n"
    "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, radius: 20 mm, law: soft}}\n"
    "sensors: {hits: {value: floor.impacts + 1}, depth: {value: 2*floor.gap}}\n"
    "analysis: {duration: 1 s, output_step: 10 ms, rtol: 1e-9}\n";

static void test_contacts(void **state) {
  (void)state;
  fmu_file f = open_text("bounce.yaml", BOUNCE, (hk_fmu_options){.fmi = 3, .exchange = true});
  plant p = begin(&f, false);
  start_plant(&p);
  fmi3Instance c = start(&f);
  for (int i = 1; i <= 10; i++) {
    adaptive(&p, 0.1 * i, 1e-9);
    assert_int_equal(step(&f, c, 0.1 * (i - 1), 0.1), fmi3OK);
    NEAR(value(&p, "ball.z"), get(&f, c, "ball.z"), 1e-5);
  }
  assert_true(p.state_events >= 4 && p.state_events % 2 == 0);
  assert_int_equal(fmu_reference(&f, "hits"), 0); /* hooke counts impacts in its own steps only */
  assert_true(fmu_reference(&f, "depth") > 0);
  f.fmi3FreeInstance(c);
  end_plant(&p);
  fmu_close(&f);
}

/* ---- states, bad calls ---- */

/* A saved state, restored here or as bytes elsewhere, gives the same bits. */
static void test_states(void **state) {
  (void)state;
  fmu_file f = open_text("stops.yaml", STOPS, (hk_fmu_options){.fmi = 3, .exchange = true});
  plant p = begin(&f, false), other = begin(&f, false);
  start_plant(&p);
  start_plant(&other);
  adaptive(&p, 0.35, 1e-6);
  void *saved = NULL, *copy = NULL;
  size_t size;
  assert_int_equal(f.fmi3GetFMUState(p.c, &saved), fmi3OK);
  plant before = p;
  adaptive(&p, 1, 1e-6);
  double x[MOST_STATES];
  memcpy(x, p.x, sizeof x);
  assert_int_equal(f.fmi3SetFMUState(p.c, saved), fmi3OK);
  p = before;
  adaptive(&p, 1, 1e-6);
  assert_memory_equal(x, p.x, p.n * sizeof *x);
  assert_int_equal(f.fmi3SerializedFMUStateSize(p.c, saved, &size), fmi3OK);
  fmi3Byte *bytes = malloc(size);
  assert_int_equal(f.fmi3SerializeFMUState(p.c, saved, bytes, size), fmi3OK);
  assert_int_equal(f.fmi3DeserializeFMUState(other.c, bytes, size, &copy), fmi3OK);
  assert_int_equal(f.fmi3SetFMUState(other.c, copy), fmi3OK);
  void *c = other.c;
  other = before, other.c = c;
  adaptive(&other, 1, 1e-6);
  assert_memory_equal(x, other.x, p.n * sizeof *x);
  /* damaged bytes, and states of the other kind of instance */
  void *damaged = NULL;
  bytes[size / 2] ^= 1;
  assert_int_equal(f.fmi3DeserializeFMUState(other.c, bytes, size, &damaged), fmi3Error);
  assert_null(damaged);
  free(bytes);
  fmi3Instance cs = start(&f);
  assert_int_equal(f.fmi3SetFMUState(cs, saved), fmi3Error);
  f.fmi3FreeFMUState(p.c, &saved);
  f.fmi3FreeFMUState(other.c, &copy);
  f.fmi3FreeInstance(cs);
  end_plant(&p);
  end_plant(&other);
  fmu_close(&f);
}

static void test_bad_calls(void **state) {
  (void)state;
  fmu_file f = open_text("stops.yaml", STOPS, (hk_fmu_options){.fmi = 3, .exchange = true});
  plant p = begin(&f, false);
  double x[MOST_STATES] = {0}, y[MOST_STATES];
  bool event, end;
  assert_int_equal(f.fmi3GetContinuousStates(p.c, x, p.n), fmi3Error); /* not initialised */
  assert_int_equal(f.fmi3SetTime(p.c, 0), fmi3Error);
  start_plant(&p);
  assert_int_equal(f.fmi3GetContinuousStates(p.c, x, p.n + 1), fmi3Error);
  assert_int_equal(f.fmi3GetContinuousStates(p.c, NULL, p.n), fmi3Error);
  assert_int_equal(f.fmi3GetContinuousStates(NULL, x, p.n), fmi3Error);
  assert_int_equal(f.fmi3SetTime(p.c, NAN), fmi3Error);
  assert_int_equal(f.fmi3CompletedIntegratorStep(p.c, true, NULL, &end), fmi3Error);
  assert_int_equal(step(&f, p.c, 0, 0.1), fmi3Error);
  memcpy(y, p.x, sizeof y);
  y[0] = NAN;
  assert_int_equal(f.fmi3SetContinuousStates(p.c, y, p.n), fmi3Discard);
  y[0] = 1e300; /* absurd states: refused or finite, and the next good ones are fine */
  assert_int_equal(f.fmi3SetContinuousStates(p.c, y, p.n), fmi3OK);
  f.fmi3GetContinuousStateDerivatives(p.c, x, p.n);
  derivatives(&p, p.t, p.x, x);
  NEAR(x[0], 1, 1e-12);
  assert_int_equal(f.fmi3CompletedIntegratorStep(p.c, true, &event, &end), fmi3OK);
  end_plant(&p);
  /* an FMU for co-simulation only */
  fmu_close(&f);
  f = open_text("stops.yaml", STOPS, (hk_fmu_options){.fmi = 3});
  assert_null(f.fmi3InstantiateModelExchange("me", f.token, f.resources, false, false, NULL, log3));
  assert_non_null(strstr(last_error, "--model-exchange"));
  fmu_close(&f);
}

static void refuse_model(const char *text, const char *what) {
  char model[200], path[200], line[2048] = "";
  hk_diag diag;
  hk_diag_init(&diag);
  write_text("bad.yaml", text, model, sizeof model);
  snprintf(path, sizeof path, "%s/none.fmu", work);
  assert_int_equal(fmu_export(model, (hk_fmu_options){.fmi = 3, .exchange = true}, path, &diag),
                   HK_EINPUT);
  if (diag.n) hk_diag_format(&diag.message[diag.n - 1], line, sizeof line);
  if (!strstr(line, what)) fail_msg("'%s' is not in '%s'", what, line);
  hk_diag_free(&diag);
}

static void test_refused(void **state) {
  (void)state;
  refuse_model(BALL, "contact 'floor' with the law 'hit' (signorini) makes velocities jump");
  refuse_model(
      "format: 1\n"
      "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
      "joints: {rail: {type: point_on_line, a: ground, b: m, axis: x}}\n"
      "forces: {d: {type: maxwell, coordinate: rail.displacement, stiffness: 100 N/m, damping: "
      "3 N*s/m}}\n"
      "analysis: {duration: 1 s}\n",
      "depends on earlier steps");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_times),     cmocka_unit_test(test_switches),
      cmocka_unit_test(test_contacts),  cmocka_unit_test(test_states),
      cmocka_unit_test(test_bad_calls), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
