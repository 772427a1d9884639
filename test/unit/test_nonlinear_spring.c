/* Springs by tables and expressions, and the revolute-spherical link: motions with known results. */
#include "linear_case.h"
#include "sim/sim.h"

static hk_model *compile_text(const char *text) {
  char whole[4000];
  snprintf(whole, sizeof whole, "format: 1\n%s", text);
  return model_of(whole);
}

static hk_sim *advanced(hk_model *m, double t) {
  hk_sim *s = sim_of(m, NULL);
  MUST(hk_sim_advance(s, t, err));
  return s;
}

static double value(const hk_sim *s, const char *channel) {
  int i = hk_model_channel_find(s->model, channel);
  if (i < 0) fail_msg("no channel '%s'", channel);
  return hk_sim_value((hk_sim *)(uintptr_t)s, i);
}

#define MASS(spring)                                                                  \
  "tables: {stop: {points: [[-1 m, -100 N], [0, 0], [10 mm, 10 N], [1 m, 1000 N]],\n" \
  "  extrapolation: linear}}\n"                                                       \
  "bodies: {w: {type: point_mass, mass: 3 kg, position: [0, 0, -0.35 m]}}\n"          \
  "joints: {guide: {type: point_on_line, a: ground, b: w, axis: z}}\n"                \
  "forces:\n  g: {type: gravity}\n  s: " spring                                       \
  "\n"                                                                                \
  "analysis: {duration: 1 s, rtol: 1e-12, atol: 1e-13}\n"

/* Two descriptions of the same spring give the same motion and the same energy. */
static void same(const char *one, const char *other, bool energy, double tolerance) {
  hk_model *m[2] = {compile_text(one), compile_text(other)};
  hk_sim *s[2] = {advanced(m[0], 0.7), advanced(m[1], 0.7)};
  assert_float_equal(value(s[0], "w.z"), value(s[1], "w.z"), tolerance);
  if (energy)
    assert_float_equal(value(s[0], "s.energy"), value(s[1], "s.energy"), 5 * tolerance * 200);
  for (int i = 0; i < 2; i++) {
    assert_true(fabs(value(s[i], "energy.balance_error")) < 1e-5);
    hk_sim_destroy(s[i]);
    hk_model_destroy(m[i]);
  }
}

static void linear_expressions_are_spring_dampers(void **state) {
  (void)state;
  same(MASS("{type: spring_damper, b: w, free_length: 0.3 m, stiffness: 2 kN/m, damping: 4 N*s/m}"),
       MASS("{type: nonlinear_spring, spring: 2 kN/m * deflection, damper: 4 N*s/m*deflection_rate,"
            " b: w, free_length: 0.3 m}"),
       true, 1e-9);
}

/* The table has the slope 100 N/m below 0 and 1 kN/m above 0. */
static void tables_are_expressions(void **state) {
  (void)state;
  same(MASS("{type: nonlinear_spring, b: w, free_length: 0.3 m, spring: 2*stop(deflection)}"),
       MASS("{type: nonlinear_spring, b: w, free_length: 0.3 m,"
            " spring: \"2*if(deflection > 0 m, 1 kN/m, 0.1 kN/m)*deflection\"}"),
       true, 1e-7);
}

/* A kink that the points of a quadrature over the whole range would miss: see expr_integral.c. */
static void stored_energy_is_exact_at_kinks(void **state) {
  (void)state;
  hk_model *m =
      compile_text(MASS("{type: nonlinear_spring, b: w, free_length: 0.3 m, along: length,"
                        " spring: \"2 kN/m*deflection + 100 kN/m*max(0 m, deflection - 10 mm)\"}"));
  hk_sim *s = sim_of(m, NULL);
  for (int i = 0; i < 300; i++) {
    MUST(hk_sim_advance(s, 1e-3 * i, err));
    double d = value(s, "s.deflection"), over = fmax(0, d - 0.01);
    assert_float_equal(value(s, "s.energy"), 1000 * d * d + 5e4 * over * over, 1e-9);
  }
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

/* A stop on both sides of the angle between two rotors: energy and angular momentum are
 * conserved. */
static void rotors_meet_at_a_stop(void **state) {
  (void)state;
  hk_model *m = compile_text(
      "bodies:\n  r: {type: rotor, inertia: 0.1 kg*m^2, rate: 3 rad/s}\n"
      "  q: {type: rotor, inertia: 0.2 kg*m^2}\n"
      "forces: {clutch: {type: nonlinear_spring, along: angle, a: r, b: q, spring: \"5 "
      "N*m/rad*deflection"
      " + 300 N*m/rad*sign(deflection)*max(0 rad, abs(deflection) - 0.1 rad)\"}}\n"
      "analysis: {duration: 1 s, rtol: 1e-11, atol: 1e-12}\n");
  hk_sim *s = advanced(m, 1);
  assert_float_equal(0.1 * value(s, "r.angle_rate") + 0.2 * value(s, "q.angle_rate"), 0.3, 1e-8);
  double r = value(s, "r.angle_rate"), q = value(s, "q.angle_rate");
  assert_float_equal(0.05 * r * r + 0.1 * q * q + value(s, "clutch.energy"), 0.45, 1e-6);
  assert_true(fabs(value(s, "clutch.deflection")) < 0.25);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

/* A spring that depends on the time stores no energy: its work is external. */
static void driven_springs_are_loads(void **state) {
  (void)state;
  hk_model *m =
      compile_text(MASS("{type: nonlinear_spring, b: w, free_length: 0.3 m,"
                        " spring: \"(2 kN/m + 500 N/m*sin(20 rad/s * t))*deflection\"}"));
  hk_sim *s = advanced(m, 0.7);
  assert_float_equal(value(s, "s.energy"), 0, 0);
  assert_true(fabs(value(s, "energy.applied_work")) > 0.1);
  assert_true(fabs(value(s, "energy.balance_error")) < 1e-5);
  hk_sim_destroy(s);
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
  refused(MASS("{type: nonlinear_spring, b: w, spring: 1 N/m*deflection}"),
          "free_length is missing");
  refused(MASS("{type: nonlinear_spring, b: w, free_length: 1 m, spring: 1 N*deflection}"), "in N");
  refused(MASS("{type: nonlinear_spring, b: w, free_length: 1 m, spring: 1 N/m*deflexion}"),
          "deflexion");
  refused(MASS("{type: actuator, coordinate: guide.displacement, force: 1 N/m*deflection}"),
          "deflection");
  refused(MASS("{type: nonlinear_spring, b: w, coordinate: guide.displacement, spring: 1 N}"),
          "exactly one");
  refused(
      "bodies: {w: {type: point_mass, mass: 1 kg}}\n"
      "forces: {s: {type: spring_damper, b: w, stiffness: 1 N/m, free_length: 0}}\n",
      "{type: bushing");
}

/* A point mass on a link swings as on a revolute joint: without weight it keeps its speed on a circle about the axis. */
static void a_link_leads_on_a_circle(void **state) {
  (void)state;
  hk_model *m = compile_text(
      "bodies:\n  ground: {markers: {pin: [0, 0, 0.1 m]}}\n"
      "  p: {type: point_mass, mass: 1 kg, position: [0.3 m, 0.4 m, 0], velocity: [-0.8 m/s, 0.6 "
      "m/s, 0]}\n"
      "joints: {link: {type: revolute_spherical, a: ground.pin, b: p}}\n"
      "forces: {pull: {type: load, b: p, force: [0, 0, 7 N]}}\n"
      "analysis: {duration: 1 s, rtol: 1e-11}\n");
  hk_sim *s = advanced(m, 1);
  assert_float_equal(value(s, "link.angle"), atan2(0.4, 0.3) + 2, 1e-8);
  assert_float_equal(value(s, "link.angle_rate"), 2, 1e-8);
  assert_float_equal(hypot(value(s, "p.x"), value(s, "p.y")), 0.5, 1e-10);
  assert_float_equal(value(s, "p.z"), 0, 1e-10);
  double f[3] = {value(s, "link.fx"), value(s, "link.fy"), value(s, "link.fz")};
  assert_float_equal(f[2], -7, 1e-6);                          /* no motion along the axis */
  assert_float_equal(hypot(f[0], f[1]), 4 / 0.5 * 0.25, 1e-6); /* v^2/r with v = 1 m/s */
  hk_sim_destroy(s);
  hk_model_destroy(m);
  refused(
      "bodies: {p: {type: point_mass, mass: 1 kg, position: [0, 0, 1 m]}}\n"
      "joints: {link: {type: revolute_spherical, a: ground, b: p}}\n",
      "on the axis");
  refused(
      "bodies: {p: {type: point_mass, mass: 1 kg, position: [1 m, 0, 1 m]}}\n"
      "joints: {link: {type: revolute_spherical, a: ground, b: p, length: 0.5 m}}\n",
      "shorter");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_expressions_are_spring_dampers),
      cmocka_unit_test(tables_are_expressions),
      cmocka_unit_test(stored_energy_is_exact_at_kinks),
      cmocka_unit_test(rotors_meet_at_a_stop),
      cmocka_unit_test(driven_springs_are_loads),
      cmocka_unit_test(mistakes_are_named),
      cmocka_unit_test(a_link_leads_on_a_circle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
