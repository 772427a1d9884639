/* Integrators on motions that are not smooth: loads and motions that jump, forces with kinks,
 * tables with corners, inputs set from outside, redundant rows that become active.  Each case has a
 * closed-form solution; its error must follow the tolerance as in smooth motion, in few steps. */
#include "support/flat_parallelogram.h"
#include "verify/verify.h"

static const char *const STEPPER[] = {"bdf", "adams", "generalized_alpha", "trapezoidal"};
enum { N_STEPPERS = sizeof STEPPER / sizeof *STEPPER, N_MULTISTEP = 2 };

/* The largest error of a run at three tolerances, and the number of steps allowed. */
static const double TOLERANCE[] = {1e-6, 1e-8, 1e-10};
enum { N_TOLERANCES = sizeof TOLERANCE / sizeof *TOLERANCE };
enum { MOST_STEPS = 1500, MOST_SECOND = 12000 };

typedef struct jump {
  const char *name, *text, *channel;
  double duration;
  double exact;
  double limit[N_TOLERANCES];  /* limits for multistep methods */
  double second[N_TOLERANCES]; /* limits for second-order methods; 0: not run */
  long most;                   /* steps allowed for multistep methods; 0: MOST_STEPS */
} jump;

static void run_jump(const jump *j) {
  vf_case c;
  vf_text(&c, "%s", j->text);
  for (int i = 0; i < (j->second[0] > 0 ? N_STEPPERS : N_MULTISTEP); i++)
    for (int k = 0; k < N_TOLERANCES; k++) {
      char quantity[80];
      vf_start(
          &c, &(hk_sim_options){.stepper = STEPPER[i], .rtol = TOLERANCE[k], .atol = TOLERANCE[k]});
      vf_advance(&c, j->duration);
      hk_sim_stats done = hk_sim_statistics(c.sim);
      snprintf(quantity, sizeof quantity, "%s at %.0e, %s, %ld steps", j->channel, TOLERANCE[k],
               STEPPER[i], done.steps);
      vf_check("jumps", j->name, quantity, vf_value(&c, j->channel), j->exact,
               i < N_MULTISTEP ? j->limit[k] : j->second[k], "closed form");
      assert_true(done.steps + done.rejected < (i >= N_MULTISTEP ? MOST_SECOND
                                                : j->most > 0    ? j->most
                                                                 : MOST_STEPS));
    }
  vf_close(&c);
}

/* x(t) after a jump of the force to F at t = 0, from rest at 0, for 2 kg on 8 N/m and 1 N s/m. */
static double step_response(double F, double t) {
  double m = 2, c = 1, k = 8, d = c / (2 * m), w = sqrt(k / m - d * d);
  return t > 0 ? F / k * (1 - exp(-d * t) * (cos(w * t) + d / w * sin(w * t))) : 0;
}

static const char OSCILLATOR[] =
    "bodies:\n"
    "  ground: {markers: {far: [-5 m, 0, 0]}}\n"
    "  m: {type: point_mass, mass: 2 kg}\n"
    "forces:\n"
    "  s: {type: spring_damper, a: ground.far, b: m, stiffness: 8 N/m, damping: 1 N*s/m,\n"
    "    length: 5 m}\n";

static void test_load(void **state) {
  (void)state;
  char text[1500];
  snprintf(text, sizeof text,
           "%s  l: {type: load, b: m, force: [\"if(t > 0.31234567 s, 6 N, 0 N) + "
           "if(t > 1.1 s, -10 N, 0 N)\", 0, 0]}\n",
           OSCILLATOR);
  run_jump(&(jump){"load that jumps",
                   text,
                   "m.x",
                   3,
                   step_response(6, 3 - 0.31234567) + step_response(-10, 3 - 1.1),
                   {1e-4, 3e-6, 1e-7},
                   {5e-4, 3e-5, 2e-6}});
}

/* 200 jumps: the errors of single jumps must not add up. */
static void test_square_wave(void **state) {
  (void)state;
  char text[1500];
  double end = 10.02, exact = step_response(3, end);
  for (int k = 1; k <= 200; k++) exact += step_response(k % 2 ? -6 : 6, end - 0.05 * k);
  snprintf(text, sizeof text,
           "%s  l: {type: load, b: m, force: [\"3 N * sign(sin(2*pi*t/(0.1 s)))\", 0, 0]}\n",
           OSCILLATOR);
  run_jump(&(jump){"square wave",
                   text,
                   "m.x",
                   end,
                   exact,
                   {3e-6, 3e-7, 5e-9},
                   {3e-5, 2e-6, 1e-7},
                   .most = 6000});
}

/* The response to a force that increases by 1 N/s from t = 0 on. */
static double ramp_response(double t) {
  double m = 2, c = 1, k = 8, d = c / (2 * m), w = sqrt(k / m - d * d), a = c / k;
  double decay = exp(-d * t);
  return t > 0 ? (t - a + decay * (a * cos(w * t) + (d * a - 1) / w * sin(w * t))) / k : 0;
}

static void test_ramps(void **state) {
  (void)state;
  char text[1500];
  double exact = 40 * (ramp_response(3 - 0.4) - ramp_response(3 - 0.5) - ramp_response(3 - 1.3) +
                       ramp_response(3 - 1.4));
  snprintf(text, sizeof text,
           "%s  l: {type: load, b: m, force: [\"4 N * (ramp(t, 0.4 s, 0.5 s) - "
           "ramp(t, 1.3 s, 1.4 s))\", 0, 0]}\n",
           OSCILLATOR);
  run_jump(
      &(jump){"load with corners", text, "m.x", 3, exact, {5e-5, 3e-6, 1e-7}, {3e-4, 2e-5, 1e-6}});
}

/* Force towards the middle, a different constant on either side: parabolas. */
static double parabolas(double t) {
  double x = 1, v = 0;
  for (;;) {
    double a = x > 0 || (x == 0 && v > 0) ? -15 : 4;
    /* Time until x = 0 again. */
    double root = sqrt(v * v - 2 * a * x), way = (-v - (a > 0 ? -root : root)) / a;
    if (way >= t) return x + v * t + 0.5 * a * t * t;
    v += a * way, x = 0, t -= way;
  }
}

static void test_switch(void **state) {
  (void)state;
  run_jump(
      &(jump){"force that jumps with position",
              "bodies: {m: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}}\n"
              "forces: {l: {type: load, b: m, force: [\"if(m.x > 0 m, -30 N, 8 N)\", 0, 0]}}\n",
              "m.x",
              10,
              parabolas(10),
              {2e-3, 2e-4, 5e-5}});
}

/* A spring that is stiffer on one side: half sine waves. */
static double half_waves(double t) {
  double stiff = sqrt(15), soft = 2;
  double first = M_PI / 2 / stiff, v = stiff;
  if (t < first) return cos(stiff * t);
  for (t -= first;;) { /* at 0, downward with v */
    if (t < M_PI / soft) return -v / soft * sin(soft * t);
    t -= M_PI / soft;
    if (t < M_PI / stiff) return v / stiff * sin(stiff * t);
    t -= M_PI / stiff;
  }
}

static void test_kink(void **state) {
  (void)state;
  run_jump(&(jump){"spring with a kink",
                   "bodies: {m: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}}\n"
                   "forces: {l: {type: load, b: m,\n"
                   "  force: [\"-30 N/m * max(m.x, 0 m) - 8 N/m * min(m.x, 0 m)\", 0, 0]}}\n",
                   "m.x",
                   10,
                   half_waves(10),
                   {3e-4, 1e-5, 1e-6}});
}

/* The other end of a spring starts to move at 0.5 s, with a jump of its acceleration, or of its
 * velocity, which is an impact. */
static const char DRIVEN[] =
    "bodies:\n"
    "  c: {type: box, size: [0.1 m, 0.1 m, 0.1 m], mass: 1 kg}\n"
    "  m: {type: point_mass, mass: 2 kg, position: [1 m, 0, 0]}\n"
    "joints:\n"
    "  rail: {type: prismatic, b: c, at: [0, 0, 0], axis: x}\n"
    "  line: {type: point_on_line, a: ground, b: m, axis: x}\n"
    "forces: {s: {type: spring_damper, a: c, b: m, stiffness: 8 N/m, length: 1 m}}\n"
    "motions: {drive: {coordinate: rail.displacement, value: \"%s\"}}\n";

static void test_motion(void **state) {
  (void)state;
  char text[1500];
  double w = 2, t = 1.5, a = 1, v = 0.2; /* since it began to move */
  snprintf(text, sizeof text, DRIVEN, "if(t > 0.5 s, 0.5 * 1 m/s^2 * (t - 0.5 s)^2, 0 m)");
  run_jump(&(jump){"motion with a jump of acceleration",
                   text,
                   "m.x",
                   2,
                   1 + 0.5 * a * t * t - a / (w * w) * (1 - cos(w * t)),
                   {3e-4, 3e-6, 1e-7}});
  snprintf(text, sizeof text, DRIVEN, "0.2 m/s * max(t - 0.5 s, 0 s)");
  run_jump(&(jump){"motion with a jump of velocity",
                   text,
                   "m.x",
                   2,
                   1 + v * t - v / w * sin(w * t),
                   {3e-4, 3e-6, 1e-7}});
}

/* Any state continues in the same way to the last bit: the known future event times are part of the
 * state. */
static void test_restart(void **state) {
  (void)state;
  static const char *const ALL[] = {"bdf",         "adams",        "generalized_alpha",
                                    "trapezoidal", "event_driven", "nonsmooth_alpha"};
  char text[1500];
  snprintf(text, sizeof text,
           "%s  l: {type: load, b: m, force: [\"3 N * sign(sin(2*pi*t/(0.1 s))) + 5 N * pulse(mod("
           "t, 0.3 s), 0.1 s, 0.11 s) + 9 N * exp(-((t - 0.43 s)/(1 ms))^2)\", 0, 0]}\n",
           OSCILLATOR);
  vf_case c, again;
  vf_text(&c, "%s", text);
  vf_text(&again, "%s", text);
  for (int i = 0; i < (int)(sizeof ALL / sizeof *ALL); i++) {
    vf_start(&c, &(hk_sim_options){.stepper = ALL[i]});
    vf_start(&again, &(hk_sim_options){.stepper = ALL[i]});
    size_t size = hk_sim_state_size(c.sim);
    char *before = malloc(3 * size), *after = before + size, *other = after + size;
    for (int k = 0; k < 150; k++) {
      hk_sim_state_get(c.sim, before);
      assert_int_equal(hk_sim_step(c.sim, 1, &c.err), HK_OK);
      hk_sim_state_get(c.sim, after);
      assert_int_equal(hk_sim_state_set(again.sim, before), HK_OK);
      assert_int_equal(hk_sim_step(again.sim, 1, &c.err), HK_OK);
      hk_sim_state_get(again.sim, other);
      assert_memory_equal(after, other, size);
    }
    free(before);
  }
  vf_close(&c);
  vf_close(&again);
}

/* A state whose rate jumps by far more than its tolerance. */
static void test_state(void **state) {
  (void)state;
  static const char *const TAKES[] = {"bdf", "generalized_alpha", "trapezoidal"};
  vf_case c;
  vf_text(
      &c,
      "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
      "states: {p: {rate: \"if(t > 1.3 s, 1e6 Pa/s, 0 Pa/s) - p/(10 s)\", start: 0, unit: Pa}}\n");
  for (int i = 0; i < 3; i++) {
    vf_start(&c, &(hk_sim_options){.stepper = TAKES[i], .rtol = 1e-8, .atol = 1e-8});
    vf_advance(&c, 3);
    vf_check("jumps", "state with a jump of its rate", TAKES[i], vf_value(&c, "p"),
             1e7 * (1 - exp(-0.17)), 1, "closed form");
  }
  vf_close(&c);
}

/* A force that is linear between points: cubics. */
static void test_table(void **state) {
  (void)state;
  static const double point[5][2] = {{0, 0}, {0.3, 6}, {0.7, -4}, {1.15, 5}, {2, 1}};
  double x = 0, v = 0;
  for (int i = 0; i < 4; i++) {
    double h = point[i + 1][0] - point[i][0], a = point[i][1] / 2;
    double slope = (point[i + 1][1] - point[i][1]) / 2 / h;
    x += v * h + a * h * h / 2 + slope * h * h * h / 6;
    v += a * h + slope * h * h / 2;
  }
  run_jump(&(jump){"table with corners",
                   "bodies: {m: {type: point_mass, mass: 2 kg}}\n"
                   "tables: {push: {points: [[0 s, 0 N], [0.3 s, 6 N], [0.7 s, -4 N], [1.15 s, 5 "
                   "N], [2 s, 1 N]]}}\n"
                   "forces: {l: {type: load, b: m, force: [push(t), 0, 0]}}\n",
                   "m.x",
                   2,
                   x,
                   {2e-3, 2e-5, 1e-6}});
}

/* Set between two steps: the next step is a restart. */
static void test_input(void **state) {
  (void)state;
  char text[1500];
  snprintf(text, sizeof text,
           "inputs: {push: {unit: N}}\n%s  l: {type: load, b: m, force: [push, 0, 0]}\n",
           OSCILLATOR);
  vf_case c;
  vf_text(&c, "%s", text);
  for (int i = 0; i < N_MULTISTEP; i++) {
    vf_start(&c, &(hk_sim_options){.stepper = STEPPER[i], .rtol = 1e-10, .atol = 1e-10});
    vf_advance(&c, 0.3);
    assert_int_equal(hk_sim_input_set_by_name(c.sim, "push", 6, &c.err), HK_OK);
    vf_advance(&c, 1.1);
    assert_int_equal(hk_sim_input_set_by_name(c.sim, "push", -4, &c.err), HK_OK);
    vf_advance(&c, 3);
    vf_check("jumps", "input that jumps", STEPPER[i], vf_value(&c, "m.x"),
             step_response(6, 2.7) + step_response(-10, 1.9), 1e-7, "closed form");
    /* the integrator is informed: no search is needed */
    assert_true(hk_sim_statistics(c.sim).rejected < 10);
  }
  vf_close(&c);
}

static void test_rows_taken_back(void **state) {
  (void)state;
  vf_case c;
  vf_text(&c, "%s", FLAT_PARALLELOGRAM);
  for (int i = 0; i < N_MULTISTEP; i++) {
    vf_start(&c, &(hk_sim_options){.stepper = STEPPER[i], .rtol = 1e-8, .atol = 1e-8});
    int before = hk_sim_statistics(c.sim).redundant;
    vf_advance(&c, 2);
    assert_true(hk_sim_statistics(c.sim).redundant < before);
    vf_check("jumps", "row taken back", STEPPER[i], vf_value(&c, "a.angle"), 2, 1e-6,
             "uniform rotation");
    vf_bound("jumps", "row taken back", "joints apart [m]", vf_value(&c, "solver.constraint_error"),
             1e-10, "held");
  }
  vf_close(&c);
}

/* A guide that reverses at once: u = n - g oscillates with 2 rad/s, u' decreases by 2 m/s at the
 * corner. */
static void a_motion_with_a_corner(void **state) {
  (void)state;
  static const char *const NAME[] = {"auto", "bdf", "adams", "event_driven"};
  double exact = 5 + sin(10) * cos(10) - sin(10);
  vf_case c;
  vf_text(&c, "%s",
          "bodies:\n"
          "  g: {type: point_mass, mass: 1 kg, position: [5 m, 0, 0], velocity: [-1 m/s, 0, 0]}\n"
          "  n: {type: point_mass, mass: 1 kg, position: [5 m, 0, 0]}\n"
          "motions: {p: {type: point_motion, b: g, x: abs(t - 5 s)*(1 m/s), y: 0 m, z: 0 m}}\n"
          "joints: {l: {type: point_on_line, a: ground, b: n, axis: x}}\n"
          "forces: {f: {type: load, b: n, force: [4 N/m * (g.x - n.x), 0 N, 0 N]}}\n"
          "analysis: {duration: 10 s}\n");
  for (int i = 0; i < 4; i++) {
    vf_start(&c, &(hk_sim_options){.stepper = NAME[i]});
    vf_advance(&c, 10);
    vf_check("jumps", "motion with a corner", NAME[i], vf_value(&c, "n.x"), exact, 1e-6,
             "closed form");
  }
  vf_close(&c);
}

/* The impulse that sets a mass in motion does work equal to its kinetic energy, which is
 * reported. */
static void test_work_of_a_corner(void **state) {
  (void)state;
  static const char *const NAME[] = {"bdf", "adams", "generalized_alpha"};
  vf_case c;
  vf_text(&c, "%s",
          "bodies: {m: {type: point_mass, mass: 1 kg}}\n"
          "joints: {g: {type: point_on_line, b: m, axis: x}}\n"
          "motions: {d: {coordinate: g.displacement, value: \"3 m/s * max(t - 0.5 s, 0 s)\"}}\n"
          "analysis: {duration: 1 s}\n");
  for (int i = 0; i < 3; i++) {
    vf_start(&c, &(hk_sim_options){.stepper = NAME[i]});
    vf_advance(&c, 1);
    const hk_indicator first = vf_indicator(&c, HK_QUALITY_JUMP);
    assert_int_equal(first.count, 1);
    assert_string_equal(first.element, "d");
    vf_check("jumps", "mass set in motion at once", NAME[i], first.amount, 3, 1e-9, "closed form");
    vf_bound("jumps", "mass set in motion at once, energy [J]", NAME[i],
             vf_indicator(&c, HK_QUALITY_ENERGY).amount, 1e-12, "work of the impulse");
  }
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_motion_with_a_corner),
      cmocka_unit_test(test_work_of_a_corner),
      cmocka_unit_test(test_load),
      cmocka_unit_test(test_square_wave),
      cmocka_unit_test(test_ramps),
      cmocka_unit_test(test_switch),
      cmocka_unit_test(test_kink),
      cmocka_unit_test(test_motion),
      cmocka_unit_test(test_state),
      cmocka_unit_test(test_restart),
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_input),
      cmocka_unit_test(test_rows_taken_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
