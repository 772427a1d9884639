/* Redundant, conflicting and singular mechanisms: a correct run, or a clear message. */
#include "verify/reference.h"
#include "verify/verify.h"

static void test_bricard_names_its_row(void **state) {
  vf_case c;
  vf_file(&c, "examples/benchmarks/a04_bricard.yaml", NULL, 0);
  vf_start(&c, NULL);
  vf_check("redundancy", "A04 Bricard", "redundant rows", hk_sim_statistics(c.sim).redundant, 1, 0,
           "mobility 1");
  assert_true(vf_said(&c.diag, "redundant: joint 'p5'"));
  assert_true(vf_said(&c.diag, "follows from 'p0', 'p1', 'p2', 'p3', 'p4'"));
  vf_close(&c);
}

/* ---- the N-four-bar with revolute joints everywhere: 3 redundant rows a loop ---- */

static const char ROW[] =
    "parameters: {N: %d, L: 1 m}\n"
    "bodies:\n"
    "  crank: {repeat: {i: 0..N}, type: rod, length: L, mass: 1 kg, position: [i*L, L/2, 0], "
    "orientation: "
    "{axis: z, angle: 90 deg}, velocity: [0.5 m/s, 0, 0], angular_velocity: [0, 0, -1 rad/s]}\n"
    "  coupler: {repeat: {i: 0..N-1}, type: rod, length: L, mass: 1 kg, position: [(i+1/2)*L, L, "
    "0], "
    "velocity: [1 m/s, 0, 0]}\n"
    "joints:\n"
    "  foot: {repeat: {i: 0..N}, type: revolute, b: 'crank[i]', at: [i*L, 0, 0], axis: z}\n"
    "  knee: {repeat: {i: 0..N-1}, type: revolute, a: 'crank[i]', b: 'coupler[i]', at: [i*L, L, "
    "0], axis: "
    "z}\n"
    "  pin: {repeat: {i: 0..N-1}, type: revolute, a: 'crank[i+1]', b: 'coupler[i]', at: [(i+1)*L, "
    "L, 0], "
    "axis: z}\n"
    "forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n";

static void four_bar_rate(const void *data, real t, const real *x, real *xd) {
  real N = *(const int *)data;
  xd[0] = x[1];
  xd[1] = 9.81L * sinl(x[0]) * ((N + 1) / 2 + N) / ((N + 1) / 3 + N);
}

static void row_of_windows(int N) {
  vf_case c;
  char name[40];
  snprintf(name, sizeof name, "revolute four-bars, N = %d", N);
  vf_text(&c, ROW, N);
  vf_start(&c, &(hk_sim_options){.step = 1e-3});
  vf_check("redundancy", name, "redundant rows", hk_sim_statistics(c.sim).redundant, 3 * N, 0,
           "3 a loop");
  assert_true(vf_said(&c.diag, "redundant: joint"));
  real x[REF_MAX_STATE] = {0, 1};
  double most = 0, held = 0;
  for (int i = 1; i <= 100; i++) { /* passes the singular position twice per revolution */
    vf_advance(&c, 0.05 * i);
    ref_rk4(four_bar_rate, &N, 2, x, 0, 5e-4L, 100);
    most = fmax(most, fabs(vf_value(&c, "crank[0].end.x") - (double)sinl(x[0])));
    most = fmax(most, fabs(vf_value(&c, "crank[0].end.y") - (double)cosl(x[0])));
    held = fmax(held, vf_value(&c, "solver.constraint_error"));
  }
  vf_bound("redundancy", name, "position error over 5 s [m]", most, 1e-3, "own reference");
  vf_bound("redundancy", name, "constraint error, all rows", held, 1e-10, "exact");
  vf_close(&c);
}

static void test_row_of_windows(void **state) {
  row_of_windows(1);
  row_of_windows(2);
  row_of_windows(10);
}

/* ---- conflicts ---- */

/* The model must be rejected with a message that contains all of these words. */
static void refused(const char *name, const char *text, const char *const *word, int n) {
  vf_case c;
  vf_text(&c, "%s", text);
  assert_int_equal(hk_sim_create(c.model, NULL, &c.sim, &c.diag, &c.err), HK_EINPUT);
  assert_null(c.sim);
  print_message("  %s\n", c.err.text);
  for (int i = 0; i < n; i++)
    if (!strstr(c.err.text, word[i])) fail_msg("%s: the message lacks \"%s\"", name, word[i]);
  vf_close(&c);
}

static void test_two_lengths(void **state) {
  refused("two links",
          "bodies: {bob: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\n"
          "joints:\n"
          "  short: {type: distance, b: bob, length: 1 m}\n"
          "  long: {type: distance, b: bob, length: 1.1 m}\n",
          (const char *[]){"'short'", "'long'", "100", "mm"}, 4);
}

static void test_two_motions(void **state) {
  refused("two motions",
          "bodies: {rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}}\n"
          "joints: {pin: {type: revolute, b: rod.start, at: [0, 0, 0], axis: z}}\n"
          "motions:\n"
          "  one: {coordinate: pin.angle, value: 0.1 rad}\n"
          "  two: {coordinate: pin.angle, value: 0.3 rad}\n",
          (const char *[]){"'one'", "'two'", "deg"}, 3);
}

/* Equal at the start, but with different speeds. */
static void test_two_speeds(void **state) {
  refused("two speeds",
          "bodies: {rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}}\n"
          "joints: {pin: {type: revolute, b: rod.start, at: [0, 0, 0], axis: z}}\n"
          "motions:\n"
          "  one: {coordinate: pin.angle, value: 1 rad/s * t}\n"
          "  two: {coordinate: pin.angle, value: 2 rad/s * t}\n",
          (const char *[]){"'two'", "conflicting speeds", "rad/s"}, 3);
}

/* Motions that diverge later must stop the run with a message; the model must not fly apart. */
static void test_motions_that_part(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0]}}\n"
          "joints: {pin: {type: revolute, b: rod.start, at: [0, 0, 0], axis: z}}\n"
          "motions:\n"
          "  one: {coordinate: pin.angle, value: 1 rad/s * t}\n"
          "  two: {coordinate: pin.angle, value: 1 rad/s * t + 1 rad/s^3 * t^3}\n");
  vf_start(&c, NULL);
  assert_int_equal(hk_sim_advance(c.sim, 1, &c.err), HK_EFAIL);
  print_message("  stopped at %g s: %s\n", hk_sim_time(c.sim), c.err.text);
  assert_true(strlen(c.err.text) > 20);
  assert_true(hypot(vf_value(&c, "rod.start.x"), vf_value(&c, "rod.start.y")) < 1e-6);
  vf_close(&c);
}

/* ---- singular positions at the start ---- */

/* A run either satisfies joints and energy balance, or ends with a message; it never flies
 * apart. */
static void runs_or_says(const char *name, const char *text, double t_end) {
  vf_case c;
  vf_text(&c, "%s", text);
  if (hk_sim_create(c.model, NULL, &c.sim, &c.diag, &c.err)) {
    print_message("  %s: %s\n", name, c.err.text);
    vf_row("redundancy", name, "start", "", "run or say why not", "refused with a message", "", "",
           true);
    vf_close(&c);
    return;
  }
  double e0 = vf_value(&c, "energy.kinetic");
  hk_status status = hk_sim_advance(c.sim, t_end, &c.err);
  double t = hk_sim_time(c.sim), g = vf_value(&c, "solver.constraint_error");
  double e = vf_value(&c, "energy.kinetic") + vf_value(&c, "energy.potential");
  print_message("  %s: to %g s, constraint error %.2g, energy %.6g of %.6g%s%s\n", name, t, g, e,
                e0, status ? ": " : "", status ? c.err.text : "");
  assert_true(g < 1e-9);
  assert_true(fabs(vf_value(&c, "energy.balance_error")) < 1e-2 * fmax(e0, 1e-3));
  if (status) assert_true(strlen(c.err.text) > 20);
  vf_row("redundancy", name, "run", "", "run or say why not",
         status ? "stopped with a message" : "runs", "", "", true);
  vf_close(&c);
}

static void test_dead_centre(void **state) {
  runs_or_says(
      "slider-crank from dead centre",
      "bodies:\n"
      "  crank: {type: rod, length: 0.3 m, mass: 1 kg, position: [0.15 m, 0, 0], "
      "angular_velocity: [0, 0, 10 rad/s], velocity: [0, 1.5 m/s, 0]}\n"
      "  rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.8 m, 0, 0], velocity: [0, 1.5 m/s, "
      "0], angular_velocity: [0, 0, -3 rad/s]}\n"
      "  piston: {mass: 2 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2], position: [1.3 m, "
      "0, 0]}\n"
      "joints:\n"
      "  shaft: {type: revolute, b: crank, at: [0, 0, 0], axis: z}\n"
      "  pin: {type: revolute, a: crank, b: rod, at: [0.3 m, 0, 0], axis: z}\n"
      "  wrist: {type: point_on_line, a: rod.end, b: piston}\n"
      "  guide: {type: prismatic, b: piston, at: [1.3 m, 0, 0], axis: x}\n",
      2);
}

static void test_flat_parallelogram(void **state) {
  runs_or_says(
      "parallelogram from flat",
      "bodies:\n"
      "  left: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0], velocity: [0, 0.5 "
      "m/s, 0], angular_velocity: [0, 0, 1 rad/s]}\n"
      "  right: {type: rod, length: 1 m, mass: 1 kg, position: [2.5 m, 0, 0], velocity: [0, 0.5 "
      "m/s, 0], angular_velocity: [0, 0, 1 rad/s]}\n"
      "  top: {type: rod, length: 2 m, mass: 1 kg, position: [2 m, 0, 0], velocity: [0, 1 m/s, "
      "0]}\n"
      "joints:\n"
      "  a: {type: revolute, b: left, at: [0, 0, 0], axis: z}\n"
      "  b: {type: revolute, b: right, at: [2 m, 0, 0], axis: z}\n"
      "  c: {type: revolute, a: left, b: top, at: [1 m, 0, 0], axis: z}\n"
      "  d: {type: point_on_line, a: right.end, b: top.end}\n",
      3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bricard_names_its_row),
      cmocka_unit_test(test_row_of_windows),
      cmocka_unit_test(test_two_lengths),
      cmocka_unit_test(test_two_motions),
      cmocka_unit_test(test_two_speeds),
      cmocka_unit_test(test_motions_that_part),
      cmocka_unit_test(test_dead_centre),
      cmocka_unit_test(test_flat_parallelogram),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
