/* Periodic orbits against references: closed forms, and fourth-order Runge-Kutta with variational equations that are split at
 * kinks, by an independent program. */
#include "support/check.h"
#include <hooke/nonlinear.h>
#include <hooke/state.h>
#include <math.h>
#include <string.h>

/* x'' + 2 zeta x' + x + alpha x^3 = F cos(omega t) */
#define DUFFING(zeta, omega, analysis)                                                      \
  "format: 1\n"                                                                             \
  "bodies: {m: {type: rotor, inertia: 1 kg*m^2}}\n"                                         \
  "forces:\n"                                                                               \
  "  f: {type: actuator, coordinate: m.angle, force: (0.2*cos(" omega "*t/(1 s)) - 2*" zeta \
  "*m.angle_rate/(1 rad/s) - m.angle/(1 rad) - (m.angle/(1 rad))^3) * 1 N*m}\n"             \
  "analysis: {duration: 10 s" analysis "}\n"
#define HARD(zeta, omega, step) DUFFING(zeta, omega, ", step: " step ", rtol: 1e-8, atol: 1e-10")

/* Kahraman and Singh (1990): gear pair with backlash 2, zeta 0.05, Fm 0.1, Fah 0.05, W 0.9 */
static const char gear_pair[] =
    "format: 1\n"
    "bodies: {m: {type: rotor, inertia: 1 kg*m^2, angle: 1.1 rad}}\n"
    "forces:\n"
    "  f:\n"
    "    type: actuator\n"
    "    coordinate: m.angle\n"
    "    force: (0.1 + 0.05*0.81*cos(0.9*t/(1 s)) - 0.1*m.angle_rate/(1 rad/s) - "
    "max(m.angle/(1 rad) - 1, 0) - min(m.angle/(1 rad) + 1, 0)) * 1 N*m\n"
    "analysis: {duration: 10 s, step: 2 ms, rtol: 1e-8, atol: 1e-10}\n";

/* Jeffcott rotor on an isotropic support, with a planar joint and a prescribed spin. */
#define ROTOR_WITH(c, k3, bow, W, analysis)                                                   \
  "format: 1\n"                                                                               \
  "parameters: {e: 0.1 m, k: 1 N/m, c: " c ", k3: " k3 ", bow: " bow ", W: " W                \
  "}\n"                                                                                       \
  "bodies:\n"                                                                                 \
  "  disc: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 2 kg*m^2], center_of_mass: [e, 0, 0], " \
  "angular_velocity: [0, 0, W]}\n"                                                            \
  "joints: {plane: {type: planar, b: disc}}\n"                                                \
  "motions: {spin: {coordinate: plane.angle, value: W*t}}\n"                                  \
  "forces:\n"                                                                                 \
  "  support:\n"                                                                              \
  "    type: load\n"                                                                          \
  "    b: disc\n"                                                                             \
  "    force:\n"                                                                              \
  "      - -(k + k3*(disc.x^2 + disc.y^2))*disc.x - c*disc.vx + k*bow*cos(W*t + 2 rad)\n"     \
  "      - -(k + k3*(disc.x^2 + disc.y^2))*disc.y - c*disc.vy + k*bow*sin(W*t + 2 rad)\n"     \
  "      - 0 N\n"                                                                             \
  "analysis: {duration: 100 s" analysis "}\n"
#define ROTOR(c, k3, bow, W) ROTOR_WITH(c, k3, bow, W, ", rtol: 1e-8, atol: 1e-10")
static const char rotor_of_defaults[] = ROTOR_WITH("0.12 N*s/m", "1 N/m^3", "0 m", "1.5 rad/s", "");

/* Impact oscillator [Shaw and Holmes 1983] with restitution 0.7 */
static const char impact[] =
    "format: 1\n"
    "bodies: {ball: {type: point_mass, mass: 1 kg, position: [0, 0, 1.3 m]}}\n"
    "laws: {hard: {type: signorini, mu: 0, restitution_normal: 0.7}}\n"
    "contacts: {stop: {type: sphere_on_plane, a: ground, b: ball, radius: 1 m, law: hard}}\n"
    "forces:\n"
    "  spring: {type: load, b: ball, force: [0 N, 0 N, \"-(ball.z - 1 m)*1 N/m - 0.04*ball.vz*1 "
    "N*s/m - cos(2.6*t/(1 s))*1 N\"]}\n"
    "analysis: {duration: 100 s, stepper: event_driven, rtol: 1e-9, atol: 1e-11}\n";

#define VAN_DER_POL(analysis)                                                                     \
  "format: 1\n"                                                                                   \
  "bodies: {m: {type: rotor, inertia: 1 kg*m^2, rate: 2 rad/s}}\n"                                \
  "forces:\n"                                                                                     \
  "  f: {type: actuator, coordinate: m.angle, force: ((1 - (m.angle/(1 rad))^2)*m.angle_rate/(1 " \
  "rad/s) - m.angle/(1 rad)) * 1 N*m}\n"                                                          \
  "analysis: {duration: 100 s" analysis "}\n"
static const char van_der_pol[] = VAN_DER_POL(", step: 2.5 ms, rtol: 1e-9, atol: 1e-11");

/* A shaft with a pulsating torque and damping: its angle has no influence. */
static const char shaft[] =
    "format: 1\n"
    "bodies: {s: {type: rotor, inertia: 2 kg*m^2}}\n"
    "forces:\n"
    "  f: {type: actuator, coordinate: s.angle, force: (3 + cos(5*t/(1 s)))*1 N*m - 0.1 N*m*s/rad "
    "* s.angle_rate}\n"
    "analysis: {duration: 10 s, step: 1 ms}\n";

static hk_periodic find(hk_model *m, hk_periodic_options o) {
  hk_periodic orbit;
  hk_error err = {0};
  if (hk_periodic_run(m, &o, &orbit, NULL, &err)) fail_msg("%s", err.text);
  assert_true(orbit.found);
  assert_true(orbit.error < 1e-4);
  return orbit;
}

/* Value of a channel at the start of the orbit. */
static double value(const hk_model *m, const hk_periodic *o, const char *name) {
  hk_sim *s = sim_of(m, &(hk_sim_options){.stepper = o->stepper});
  hk_sim_state_set(s, o->state);
  double v = channel(s, m, name);
  hk_sim_destroy(s);
  return v;
}

static double size(const hk_periodic *o, int i) { return hypot(o->re[i], o->im[i]); }

static void assert_planar(const hk_periodic *o, int first, double trace, double det,
                          double tolerance) {
  double re = o->re[first] + o->re[first + 1];
  double product = o->re[first] * o->re[first + 1] - o->im[first] * o->im[first + 1];
  assert_near(re, trace, tolerance, "trace of the monodromy matrix");
  assert_near(product, det, tolerance, "its determinant");
}

static void duffing(void **state) {
  (void)state;
  hk_model *m = model_of(HARD("0.05", "1", "2.5 ms"));
  hk_periodic o = find(m, (hk_periodic_options){.period = 2 * M_PI});
  assert_near(value(m, &o, "m.angle"), 0.6026218845, 2e-6, "x");
  assert_near(value(m, &o, "m.angle_rate"), 0.2192392876, 2e-6, "v");
  assert_planar(&o, 0, 0.1920766167, 0.5334880911, 2e-5);
  assert_int_equal(o.stability, HK_STABLE);
  assert_true(o.runs <= 25);
  hk_periodic_free(&o);
  hk_model_destroy(m);
  m = model_of(HARD("0.0005", "0.8", "10 ms")); /* decays to 1e-6 in 3368 periods */
  o = find(m, (hk_periodic_options){.period = 2 * M_PI / 0.8});
  assert_near(size(&o, 0), exp(-0.0005 * 2 * M_PI / 0.8), 1e-6, "|mu|");
  assert_true(o.runs <= 25);
  hk_periodic_free(&o);
  hk_model_destroy(m);
}

/* With the default settings: the integrator of a run, of high order; the derivative by generalized_alpha on two coarse
 * grids. */
static void defaults(void **state) {
  (void)state;
  hk_model *m = model_of(DUFFING("0.05", "1", ""));
  hk_periodic o = find(m, (hk_periodic_options){.period = 2 * M_PI});
  assert_near(value(m, &o, "m.angle"), 0.6026218845, 3e-9, "x");
  assert_near(value(m, &o, "m.angle_rate"), 0.2192392876, 3e-9, "v");
  assert_planar(&o, 0, 0.1920766167, 0.5334880911, 3e-6);
  assert_int_equal(o.stability, HK_STABLE);
  assert_true(o.per_period <= 150 && o.steps <= 4000);
  hk_periodic_free(&o);
  hk_model_destroy(m);
  m = model_of(DUFFING("0.0005", "0.8", ""));
  o = find(m, (hk_periodic_options){.period = 2 * M_PI / 0.8});
  double mu = exp(-0.0005 * 2 * M_PI / 0.8);
  assert_near(size(&o, 0), mu, 5e-6, "|mu|");
  assert_true(fabs(size(&o, 0) - mu) < o.uncertainty);
  assert_int_equal(o.stability, HK_STABLE);
  hk_periodic_free(&o);
  hk_model_destroy(m);
  m = model_of(VAN_DER_POL(""));
  o = find(m, (hk_periodic_options){.unknown = true, .turn = hk_model_channel_find(m, "m.angle")});
  assert_near(o.period, 6.6632868593, 1e-8, "period");
  assert_true(o.trivial < 1e-4);
  hk_periodic_free(&o);
  hk_model_destroy(m);
  m = model_of(rotor_of_defaults);
  o = find(m, (hk_periodic_options){.period = 2 * M_PI / 1.5});
  assert_near(hypot(value(m, &o, "disc.x"), value(m, &o, "disc.y")), 0.1829610767, 1e-8, "radius");
  assert_near(size(&o, 0), 0.7777676792, 2e-6, "|mu|");
  hk_periodic_free(&o);
  hk_model_destroy(m);
}

static void backlash(void **state) {
  (void)state;
  hk_model *m = model_of(gear_pair);
  hk_periodic o = find(m, (hk_periodic_options){.period = 2 * M_PI / 0.9});
  assert_near(value(m, &o, "m.angle"), 0.8631978088, 2e-6, "x");
  /* A step uses the stiffness at its end: with a jump of 1 within the step, twice per period, the
   * error is up to 2 h. */
  assert_planar(&o, 0, 0.2901465812, 0.4975139409, 2 * 2e-3);
  hk_periodic_free(&o);
  hk_model_destroy(m);
}

static double radius(const hk_model *m, const hk_periodic *o) {
  return hypot(value(m, o, "disc.x"), value(m, o, "disc.y"));
}

static void rotor(void **state) {
  (void)state;
  const double T = 2 * M_PI / 0.8;
  hk_model *m = model_of(ROTOR("0.1 N*s/m", "0 N/m^3", "0 m", "0.8 rad/s"));
  hk_periodic o = find(m, (hk_periodic_options){.period = T});
  assert_int_equal(o.unknowns, 4); /* the joint and the motion hold 8 of 12 */
  assert_near(radius(m, &o), 0.1735443663, 1e-5, "unbalance");
  for (int i = 0; i < 4; i++) assert_near(size(&o, i), exp(-0.05 * T), 1e-5, "|mu|");
  hk_periodic_free(&o);
  hk_model_destroy(m);
  m = model_of(ROTOR("0.02 N*s/m", "0 N/m^3", "0.05 m", "0.8 rad/s"));
  o = find(m, (hk_periodic_options){.period = T});
  assert_near(radius(m, &o), 0.1740252248, 1e-5, "unbalance and bow");
  hk_periodic_free(&o);
  hk_model_destroy(m);
  m = model_of(ROTOR("0.12 N*s/m", "1 N/m^3", "0 m", "1.5 rad/s"));
  o = find(m, (hk_periodic_options){.period = 2 * M_PI / 1.5});
  assert_near(radius(m, &o), 0.1829610767, 1e-5, "the lowest of three orbits");
  assert_near(size(&o, 0), 0.7777676792, 1e-5, "|mu|");
  hk_periodic_free(&o);
  hk_model_destroy(m);
}

static void impacts(void **state) {
  (void)state;
  hk_model *m = model_of(impact);
  hk_periodic o = find(m, (hk_periodic_options){.period = 2 * M_PI / 2.6, .floquet = true});
  assert_near(value(m, &o, "ball.z"), 1.6514003804, 1e-7, "z");
  assert_near(value(m, &o, "ball.vz"), -0.0528352584, 1e-7, "its rate");
  assert_int_equal(o.neutral, 4); /* x and y are free */
  assert_planar(&o, 4, -0.991214042, 0.4448517149, 1e-4);
  hk_periodic_free(&o);
  hk_model_destroy(m);
}

static void unknown_period(void **state) {
  (void)state;
  hk_model *m = model_of(van_der_pol);
  hk_periodic o =
      find(m, (hk_periodic_options){.unknown = true, .turn = hk_model_channel_find(m, "m.angle")});
  assert_near(o.period, 6.6632868593, 1e-5, "period");
  assert_true(o.trivial < 1e-4);
  assert_int_equal(o.stability, HK_STABLE);
  hk_periodic_free(&o);
  hk_model_destroy(m);
}

static void drift(void **state) {
  (void)state;
  hk_model *m = model_of(shaft);
  hk_periodic o = find(m, (hk_periodic_options){.period = 2 * M_PI / 5});
  assert_int_equal(o.n_drifts, 1);
  assert_string_equal(o.drift[0].name, "s.angle");
  assert_near(o.drift[0].amount, 30 * 2 * M_PI / 5, 1e-5, "mean torque over damping, per period");
  assert_near(size(&o, 0), exp(-0.05 * 2 * M_PI / 5), 1e-7, "|mu|");
  hk_periodic_free(&o);
  hk_model_destroy(m);
}

/* A shaft of two stiffnesses on supports of two stiffnesses: the motion is a steady rotation, which allows steps of any
 * length, but neighbouring motions oscillate several times per turn.  Multipliers by Runge-Kutta. */
#define ODD_SHAFT(analysis)                                                                        \
  "format: 1\n"                                                                                    \
  "parameters: {W: 110 rad/s}\n"                                                                   \
  "bodies:\n"                                                                                      \
  "  s: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2], angular_velocity: [0, 0, "     \
  "W]}\n"                                                                                          \
  "  d: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"                                   \
  "joints: {b: {type: revolute, b: s, axis: z}, plane: {type: planar, b: d, axis: z}}\n"           \
  "motions: {w: {coordinate: b.angle, value: W*t}, hold: {coordinate: plane.angle, value: 0 "      \
  "rad}}\n"                                                                                        \
  "forces:\n"                                                                                      \
  "  e: {type: bushing, a: s, b: d, stiffness: [8e3 N/m, 16e3 N/m, 0], damping: [2 N*s/m, 2 "      \
  "N*s/m, 0]}\n"                                                                                   \
  "  g: {type: bushing, b: d, stiffness: [2e3 N/m, 5e3 N/m, 0], damping: [1 N*s/m, 1 N*s/m, 0]}\n" \
  "analysis: {duration: 1 s" analysis "}\n"

static void steady_rotation(void **state) {
  static const double re[] = {1.7268578391, 0.4641815805, 0.4641815805, 0.5246302278},
                      im[] = {0, 0.7536932961, -0.7536932961, 0};
  hk_model *m = model_of(ODD_SHAFT(""));
  hk_periodic_options o = {.period = 2 * M_PI / 110, .floquet = true};
  for (int turn = 0; turn < 2; turn++) {
    if (turn)
      o = (hk_periodic_options){.unknown = true,
                                .turn = hk_model_channel_find(m, "b.angle"),
                                .amount = 2 * M_PI,
                                .floquet = true};
    hk_periodic orbit = find(m, o);
    assert_int_equal(orbit.n_multipliers, 4);
    assert_int_equal(orbit.stability, HK_UNSTABLE);
    for (int i = 0; i < 4; i++) assert_true(hypot(orbit.re[i] - re[i], orbit.im[i] - im[i]) < 1e-3);
    assert_true(fabs(orbit.re[0] - re[0]) < orbit.uncertainty && orbit.uncertainty < 1e-3);
    hk_periodic_free(&orbit);
  }
  hk_model_destroy(m);
  /* The grid of generalized_alpha suits the steady rotation only; the stability alone is decided on finer grids too. */
  m = model_of(ODD_SHAFT(", stepper: generalized_alpha"));
  hk_periodic orbit = find(m, (hk_periodic_options){.period = 2 * M_PI / 110});
  assert_int_equal(orbit.stability, HK_UNSTABLE);
  assert_near(orbit.re[0], re[0], 0.05, "largest multiplier");
  hk_periodic_free(&orbit);
  hk_model_destroy(m);
}

static void no_orbit(void **state) {
  (void)state;
  hk_model *m = model_of(HARD("0.05", "1", "10 ms"));
  hk_periodic o;
  hk_error err = {0};
  assert_int_equal(
      hk_periodic_run(m, &(hk_periodic_options){.period = 1, .most_runs = 40}, &o, NULL, &err),
      HK_EFAIL);
  assert_non_null(strstr(err.text, "still changes by"));
  assert_false(o.found);
  assert_true(o.residual > 1e-2);
  assert_non_null(o.state);
  hk_periodic_free(&o);
  assert_int_equal(hk_periodic_run(m, &(hk_periodic_options){.period = 0}, &o, NULL, &err),
                   HK_EINPUT);
  hk_periodic_free(&o);
  assert_int_equal(hk_periodic_run(NULL, NULL, &o, NULL, &err), HK_EINPUT);
  hk_model_destroy(m);
}

/* All methods find the same orbit. */
static void methods(void **state) {
  (void)state;
  hk_model *m = model_of(HARD("0.05", "1", "10 ms"));
  double first = NAN;
  for (int method = HK_PERIODIC_AUTO; method <= HK_PERIODIC_NEWTON; method++) {
    hk_periodic o =
        find(m, (hk_periodic_options){
                    .period = 2 * M_PI, .method = (hk_periodic_method)method, .tolerance = 1e-8});
    double x = value(m, &o, "m.angle");
    if (isnan(first)) first = x;
    assert_near(x, first, 1e-7, "method %d", method);
    hk_periodic_free(&o);
  }
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(duffing),         cmocka_unit_test(backlash),
      cmocka_unit_test(defaults),        cmocka_unit_test(rotor),
      cmocka_unit_test(impacts),         cmocka_unit_test(drift),
      cmocka_unit_test(steady_rotation), cmocka_unit_test(no_orbit),
      cmocka_unit_test(unknown_period),  cmocka_unit_test(methods),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
