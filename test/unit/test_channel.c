/* Channels: all have values, and channels that are derivatives of others agree with them. */
#include "support/subject.h"

/* Every kind of node, joint coordinate, sensor and force, in motion. */
static const char MACHINE[] =
    "format: 1\n"
    "bodies:\n"
    "  crank: {type: rod, length: 0.2 m, mass: 1 kg, position: [0.1 m, 0, 0], markers: {side: {at: "
    "[0, "
    "0.1 m, 0.05 m]}}}\n"
    "  link: {type: rod, length: 0.5 m, mass: 1 kg, position: [0.45 m, 0, 0]}\n"
    "  slider: {type: box, size: [0.1 m, 0.1 m, 0.1 m], mass: 1 kg, position: [0.7 m, 0, 0]}\n"
    "  bob: {mass: 0.5 kg, inertia: [0.01 kg*m^2, 0.02 kg*m^2, 0.015 kg*m^2], center_of_mass: [0, "
    "-0.1 "
    "m, 0.02 m], position: [0.7 m, -0.15 m, 0], angular_velocity: [1 rad/s, 0, 2 rad/s]}\n"
    "  dust: {type: point_mass, mass: 0.2 kg, position: [0.2 m, 0.5 m, 0.3 m], velocity: [0, 0, 1 "
    "m/s]}\n"
    "  flywheel: {type: rotor, inertia: 0.1 kg*m^2, rate: 3 rad/s, axis: x, markers: {rim: {at: "
    "[0, 0.2 "
    "m, 0]}}}\n"
    "  drum: {type: rotor, inertia: 0.1 kg*m^2}\n"
    "joints:\n"
    "  main: {type: revolute, b: crank, at: [0, 0, 0], axis: z}\n"
    "  pin: {type: revolute, a: crank, b: link, at: [0.2 m, 0, 0], axis: z}\n"
    "  wrist: {type: cylindrical, a: link, b: slider, at: [0.7 m, 0, 0], axis: z}\n"
    "  guide: {type: prismatic, b: slider, at: [0.7 m, 0, 0], axis: x}\n"
    "  hook: {type: universal, a: slider, b: bob, at: [0.7 m, 0, 0], axis: y}\n"
    "  mesh: {type: gear, first: flywheel, second: drum, ratio: -3}\n"
    "motions:\n"
    "  drive: {coordinate: main.angle, value: \"2 rad * sin(3 rad/s * t)\"}\n"
    "forces:\n"
    "  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
    "  cord: {type: spring_damper, a: slider, b: dust, stiffness: 40 N/m, damping: 0.3 N*s/m, "
    "length: "
    "0.3 m}\n"
    "  twist: {type: actuator, coordinate: flywheel.angle, force: \"0.3 N*m * sin(pin.angle)\"}\n"
    "sensors:\n"
    "  gap: {type: distance, a: bob, b: dust}\n"
    "  rise: {type: displacement, a: crank, b: dust, axis: y}\n"
    "  swing: {type: angle, a: slider, b: bob}\n"
    "  speed: {value: \"sqrt(dust.vx^2 + dust.vy^2 + dust.vz^2)\"}\n"
    "  double: {value: \"2 * speed + gap / (1 s)\"}\n";

static void every_channel_has_a_value_and_a_unit(void **state) {
  (void)state;
  hk_model *m = model_of(MACHINE);
  hk_sim *sim = sim_of(m, NULL);
  hk_error err = {0};
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < hk_model_channel_count(m); i++) {
      const char *name = hk_model_channel_name(m, i), *unit = hk_model_channel_unit(m, i);
      hk_unit parsed;
      if (!isfinite(hk_sim_value(sim, i))) fail_msg("%s is %g", name, hk_sim_value(sim, i));
      if (hk_unit_parse(unit, strlen(unit), &parsed, &err)) fail_msg("%s: %s", name, err.text);
      assert_int_equal(hk_model_channel_find(m, name), i);
    }
    if (hk_sim_advance(sim, 0.1, &err)) fail_msg("%s", err.text);
  }
  assert_true(isnan(hk_sim_value(sim, -1)));
  assert_true(isnan(hk_sim_value(sim, hk_model_channel_count(m))));
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* Values at five times, h apart, around t. */
enum { N_TIMES = 5 };
static double *record(const hk_model *m, double t, double h) {
  int n = hk_model_channel_count(m);
  double *x = calloc((size_t)(N_TIMES * n), sizeof *x);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 1e-4, .rtol = 1e-10, .atol = 1e-13});
  hk_error err = {0};
  assert_non_null(x);
  for (int k = 0; k < N_TIMES; k++) {
    if (hk_sim_advance(sim, t + (k - 2) * h, &err)) fail_msg("%s", err.text);
    for (int i = 0; i < n; i++) x[k * n + i] = hk_sim_value(sim, i);
  }
  hk_sim_destroy(sim);
  return x;
}

static void assert_derivative(const hk_model *m, const double *x, double h, const char *of,
                              const char *is, double tolerance) {
  int n = hk_model_channel_count(m), a = hk_model_channel_find(m, of),
      b = hk_model_channel_find(m, is);
  if (a < 0 || b < 0) fail_msg("there is no channel '%s'", a < 0 ? of : is);
  double slope = (x[a] - 8 * x[n + a] + 8 * x[3 * n + a] - x[4 * n + a]) / (12 * h);
  assert_near(x[2 * n + b], slope, tolerance, "%s, the derivative of %s", is, of);
}

static void derivatives_in_time(void **state) {
  (void)state;
  static const char *const frame[] = {"crank", "crank.side", "link.end",    "slider",
                                      "bob",   "dust",       "flywheel.rim"};
  static const char *const coordinate[] = {"main.angle",
                                           "pin.angle",
                                           "wrist.angle",
                                           "wrist.displacement",
                                           "guide.displacement",
                                           "cord.length",
                                           "flywheel.angle",
                                           "drum.angle",
                                           "gap",
                                           "rise",
                                           "swing"};
  const double h = 1e-3;
  hk_model *m = model_of(MACHINE);
  double *x = record(m, 0.15, h);
  char a[80], b[80];
  for (size_t i = 0; i < sizeof frame / sizeof *frame; i++)
    for (int k = 0; k < 3; k++) {
      snprintf(a, sizeof a, "%s.%c", frame[i], "xyz"[k]);
      snprintf(b, sizeof b, "%s.v%c", frame[i], "xyz"[k]);
      assert_derivative(m, x, h, a, b, 1e-5);
      snprintf(a, sizeof a, "%s.a%c", frame[i], "xyz"[k]);
      assert_derivative(m, x, h, b, a, 1e-4);
    }
  for (size_t i = 0; i < sizeof coordinate / sizeof *coordinate; i++) {
    snprintf(a, sizeof a, "%s_rate", coordinate[i]);
    snprintf(b, sizeof b, "%s_acc", coordinate[i]);
    assert_derivative(m, x, h, coordinate[i], a, 1e-5);
    assert_derivative(m, x, h, a, b, 1e-4);
  }
  for (int k = 0; k < 3; k++) {
    snprintf(a, sizeof a, "bob.w%c", "xyz"[k]);
    snprintf(b, sizeof b, "bob.alpha%c", "xyz"[k]);
    assert_derivative(m, x, h, a, b, 1e-4);
  }
  /* Quaternions: q' = (0, w) q / 2. */
  int n = hk_model_channel_count(m);
  double q[4], slope[4], w[3];
  for (int k = 0; k < 4; k++) {
    snprintf(a, sizeof a, "bob.q%c", "wxyz"[k]);
    int i = hk_model_channel_find(m, a);
    q[k] = x[2 * n + i];
    slope[k] = (x[i] - 8 * x[n + i] + 8 * x[3 * n + i] - x[4 * n + i]) / (12 * h);
  }
  for (int k = 0; k < 3; k++) {
    snprintf(a, sizeof a, "bob.w%c", "xyz"[k]);
    w[k] = x[2 * n + hk_model_channel_find(m, a)];
  }
  hk_quat half =
      hk_quat_mul((hk_quat){0, w[0] / 2, w[1] / 2, w[2] / 2}, (hk_quat){q[0], q[1], q[2], q[3]});
  const double wanted[4] = {half.w, half.x, half.y, half.z};
  for (int k = 0; k < 4; k++) assert_near(slope[k], wanted[k], 1e-5, "slope of quaternion %d", k);
  free(x);
  hk_model_destroy(m);
}

static void sensors_read_what_they_say(void **state) {
  (void)state;
  hk_model *m = model_of(MACHINE);
  hk_sim *sim = sim_of(m, NULL);
  hk_error err = {0};
  if (hk_sim_advance(sim, 0.2, &err)) fail_msg("%s", err.text);
  double d[3], v[3];
  for (int k = 0; k < 3; k++) {
    char a[40], b[40];
    snprintf(a, sizeof a, "dust.%c", "xyz"[k]), snprintf(b, sizeof b, "bob.%c", "xyz"[k]);
    d[k] = channel(sim, m, a) - channel(sim, m, b);
    snprintf(a, sizeof a, "dust.v%c", "xyz"[k]);
    v[k] = channel(sim, m, a);
  }
  double gap = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  assert_near(channel(sim, m, "gap"), gap, 1e-14, "gap");
  assert_near(channel(sim, m, "speed"), speed, 1e-14, "speed");
  assert_near(channel(sim, m, "double"), 2 * speed + gap, 1e-14, "double");
  /* Gears keep their ratio; the driven angle follows the prescribed motion. */
  assert_near(channel(sim, m, "flywheel.angle"), -3 * channel(sim, m, "drum.angle"), 1e-9, "gear");
  assert_near(channel(sim, m, "main.angle"), 2 * sin(0.6), 1e-10, "motion");
  assert_near(channel(sim, m, "main.angle_rate"), 6 * cos(0.6), 1e-7, "rate of the motion");
  assert_near(channel(sim, m, "main.angle_acc"), -18 * sin(0.6), 1e-7,
              "acceleration of the motion");
  assert_near(channel(sim, m, "time"), 0.2, 0, "time");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* The types of the library; models may include files of other folders. */
static hk_model *including_model_of(const char *text) {
  static hk_registry *types;
  if (!types) types = hk_registry_create();
  assert_non_null(types);
  hk_registry_allow_outside(types);
  return model_of_types(types, text);
}

/* Every channel that can be recorded can be used by a sensor */
static void every_channel_can_be_sensed(const char *text, double t) {
  hk_model *plain = including_model_of(text);
  int n = hk_model_channel_count(plain), made = 0;
  size_t size = strlen(text) + 160 * (size_t)n, used = strlen(text);
  char *all = malloc(size);
  assert_non_null(all);
  memcpy(all, text, used + 1);
  for (int i = 1; i < n; i++)
    used += (size_t)snprintf(all + used, size - used, "  sensed_%d: {value: \"%s\"}\n", i,
                             hk_model_channel_name(plain, i));
  hk_model *m = including_model_of(all);
  hk_sim *sim = sim_of(m, NULL);
  hk_error err = {0};
  if (hk_sim_advance(sim, t, &err)) fail_msg("%s", err.text);
  for (int i = 1; i < n; i++) {
    char name[40];
    const char *of = hk_model_channel_name(plain, i);
    snprintf(name, sizeof name, "sensed_%d", i);
    double wanted = channel(sim, m, of);
    assert_near(channel(sim, m, name), wanted, 1e-12, "sensor of %s", of);
    hk_unit a, b;
    const char *unit = hk_model_channel_unit(m, hk_model_channel_find(m, name));
    assert_false(hk_unit_parse(unit, strlen(unit), &a, NULL));
    unit = hk_model_channel_unit(plain, i);
    assert_false(hk_unit_parse(unit, strlen(unit), &b, NULL));
    assert_true(hk_dim_equal(a.dim, b.dim));
    made++;
  }
  assert_int_equal(made, n - 1);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  hk_model_destroy(plain);
  free(all);
}

static void sensors_read_every_channel(void **state) {
  (void)state;
  every_channel_can_be_sensed(MACHINE, 0.1);
  every_channel_can_be_sensed(
      "format: 1\n"
      "include: " HOOKE_SOURCE_DIR
      "/examples/cv_joint/tripod.yaml\n"
      "sensors:\n",
      0.03);
}

typedef struct ranked {
  const char *name;
  int rank;
  const char *doc; /* NULL: any description */
} ranked;

static hk_model *assert_ranks(const char *example, const ranked *line, size_t n) {
  char text[600];
  snprintf(text, sizeof text, "format: 1\ninclude: " HOOKE_SOURCE_DIR "/examples/%s.yaml\n", example);
  hk_model *m = including_model_of(text);
  for (size_t i = 0; i < n; i++) {
    int k = hk_model_channel_find(m, line[i].name);
    if (k < 0) fail_msg("there is no channel '%s'", line[i].name);
    if (hk_model_channel_rank(m, k) != line[i].rank)
      fail_msg("%s has rank %d", line[i].name, hk_model_channel_rank(m, k));
    if (line[i].doc) assert_string_equal(hk_model_channel_doc(m, k), line[i].doc);
  }
  for (int i = 1; i < hk_model_channel_count(m); i++)
    assert_true(hk_model_channel_rank(m, i) >= hk_model_channel_rank(m, i - 1));
  return m;
}

/* Useful channels are listed first, the parts of composite joints last. */
static void useful_ones_first(void **state) {
  (void)state;
  static const ranked line[] = {{"time", 0},
                                {"slide", 0, "sensor"},
                                {"tripod.bend", 0},
                                {"tripod.secondary_torque_a", 0},
                                {"spider.x", 0},
                                {"support.force", 0},
                                {"energy.balance_error", 0},
                                {"tripod.fx_a", 1},
                                {"spider.qw", 1},
                                {"support.own_fz", 1},
                                {"tripod.roller[0].x", 1},
                                {"tripod.roller[0].qw", 1},
                                {"tripod.track[0].loaded.normal_force", 1},
                                {"tripod.slide[1].force", 1},
                                {"tripod.roller[0].ax", 2},
                                {"spider.tripod_pin[0].x", 2}};
  hk_model *m = assert_ranks("cv_joint/tripod", line, sizeof line / sizeof *line);
  assert_int_equal(hk_model_channel_rank(m, -1), -1);
  assert_null(hk_model_channel_doc(m, -1));
  assert_string_equal(hk_model_channel_doc(m, 0), "time");
  hk_model_destroy(m);
}

/* The sensors of a composite joint appear in the order and with the descriptions of its type's table; sensors
 * that the table does not list are internal parts. */
static void sensors_of_composites_stand_by_their_table(void **state) {
  (void)state;
  static const ranked ball[] = {
      {"cvj.track_force_max", 0, "largest force of the loaded flanks"},
      {"cvj.cage_angle", 0, "angle between the axes of a and the cage"},
      {"cvj.cage_angle_rate", 0},
      {"cvj.stroke[7]", 1, "displacement of a ball along its track in b"},
      {"cvj.flank_sum[0]", 2},
      {"cvj.flank_max[1]", 2},
      {"cvj.flank_min[0]", 2},
      {"cvj.outer_flank_max[1]", 2}};
  static const ranked shaft[] = {{"bar.stress_max", 0, "largest equivalent stress of the beams"},
                                 {"bar.twist", 0, "twist: angle by which the end leads the start"}};
  static const ranked cross[] = {{"joint_1.delta_a_rate", 0, "rate of delta_a"}};
  hk_model_destroy(assert_ranks("cv_joint/plunging", ball, sizeof ball / sizeof *ball));
  hk_model_destroy(assert_ranks("half_shaft/steering", shaft, sizeof shaft / sizeof *shaft));
  hk_model_destroy(assert_ranks("ujoint_clearance/driveline", cross, sizeof cross / sizeof *cross));
}

/* A rod hangs at rest: the hinge carries its weight, and the motion carries the moment about the hinge. */
static void reactions_hold_a_weight(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {rod: {type: rod, length: 2 m, mass: 3 kg, position: [1 m, 0, 0]}}\n"
      "joints: {hinge: {type: revolute, b: rod, at: [0, 0, 0], axis: z}}\n"
      "motions: {hold: {coordinate: hinge.angle, value: 0 rad}}\n"
      "forces: {weight: {type: gravity, acceleration: [0, -10 m/s^2, 1 m/s^2]}}\n");
  hk_sim *sim = sim_of(m, NULL);
  assert_near(channel(sim, m, "hinge.fx"), 0, 1e-12, "fx");
  assert_near(channel(sim, m, "hinge.fy"), 30, 1e-12, "fy");
  assert_near(channel(sim, m, "hinge.fz"), -3, 1e-12, "fz");
  assert_near(channel(sim, m, "hinge.ty"), 3, 1e-12, "ty"); /* the weight has (1,0,0) x (0,0,3) */
  assert_near(channel(sim, m, "hold.effort"), 30, 1e-12, "effort");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_channel_has_a_value_and_a_unit),
      cmocka_unit_test(derivatives_in_time),
      cmocka_unit_test(sensors_read_what_they_say),
      cmocka_unit_test(sensors_read_every_channel),
      cmocka_unit_test(useful_ones_first),
      cmocka_unit_test(sensors_of_composites_stand_by_their_table),
      cmocka_unit_test(reactions_hold_a_weight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
