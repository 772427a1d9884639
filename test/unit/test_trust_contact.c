/* Quality indicators of contacts and friction: depth, creep, distance from the origin, Painleve's paradox. */
#include "support/gap_scene.h"
#include "verify/verify.h"
#include <hooke/run.h>
#include <hooke/quality.h>

/* A copy of the indicator of a kind; its name is empty if the list has none. */
static hk_indicator indicator_of(const hk_quality *q, hk_quality_kind kind) {
  const hk_indicator *k = hk_quality_find(q, kind);
  return k ? *k : (hk_indicator){0};
}

static hk_indicator sim_indicator(const hk_sim *s, hk_quality_kind kind) {
  hk_quality *q;
  hk_error err;
  assert_int_equal(hk_sim_quality(s, &q, &err), HK_OK);
  const hk_indicator k = indicator_of(q, kind);
  hk_quality_destroy(q);
  return k;
}

/* ---- depth ---- */

/* Every gap between bodies of finite size, with a contact law that is much too soft: it is reported
 * once the middle of the smaller body has passed the surface of the other.  A point has no size. */
static void every_gap_reports_its_depth(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof GAP_SCENES / sizeof *GAP_SCENES; i++) {
    hk_model *m = gap_scene_model(GAP_SCENES[i].gap, "hertz, stiffness: 1 N/m^1.5", false);
    if (!m) continue;
    hk_sim *s = sim_of(m, NULL);
    hk_error err;
    assert_int_equal(hk_sim_advance(s, 5e-3, &err), HK_OK);
    assert_int_equal(sim_indicator(s, HK_QUALITY_DEPTH).level, HK_LEVEL_GOOD);
    assert_int_equal(hk_sim_advance(s, 0.8, &err), HK_OK);
    const hk_indicator k = sim_indicator(s, HK_QUALITY_DEPTH);
    if (strcmp(GAP_SCENES[i].gap, "point_on_plane") == 0) {
      assert_null(k.name);
    } else {
      if (k.level != HK_LEVEL_DOUBT)
        fail_msg("%s: a depth beyond its geometry is not reported", GAP_SCENES[i].gap);
      assert_string_equal(k.element, "subject");
      assert_true(k.amount > 1 && strstr(k.sentence, "deep at t = "));
    }
    hk_sim_destroy(s);
    hk_model_destroy(m);
  }
}

/* ---- creep ---- */

static hk_indicator indicator_after(const char *text, double time, hk_quality_kind kind,
                                    const char *channel, double *value) {
  hk_model *m = model_of(text);
  hk_sim *s = sim_of(m, NULL);
  hk_error err;
  assert_int_equal(hk_sim_advance(s, time, &err), HK_OK);
  const hk_indicator k = sim_indicator(s, kind);
  if (value) *value = hk_sim_value(s, hk_model_channel_find(m, channel));
  hk_sim_destroy(s);
  hk_model_destroy(m);
  return k;
}

/* Friction can hold more than the load; the remaining motion is creep at v atanh(load/friction). */
static void joints_creep_by_their_displacement(void **state) {
  (void)state;
  static const char *const joint[] = {
      /* 2 N along a slide that can hold 2.943 N */
      "joints: {j: {type: prismatic, b: m, axis: x}}\n"
      "forces: {g: {type: gravity, acceleration: [2 m/s^2, 0, -9.81 m/s^2]},\n"
      "  f: {type: joint_friction, joint: j, mu: 0.3}}\n",
      "joints: {j: {type: revolute, b: m, axis: x}}\n"
      "forces: {g: {type: gravity}, f: {type: joint_friction, joint: j, mu: 0.3, radius: 10 mm},\n"
      "  l: {type: load, b: m, torque: [0.02 N*m, 0, 0]}}\n",
      "joints: {j: {type: spherical, b: m}}\n"
      "forces: {g: {type: gravity}, f: {type: joint_friction, joint: j, mu: 0.3, radius: 10 mm},\n"
      "  l: {type: load, b: m, torque: [0.02 N*m, 0, 0]}}\n",
      "joints: {j: {type: cylindrical, b: m, axis: x}}\n"
      "forces: {g: {type: gravity, acceleration: [2 m/s^2, 0, -9.81 m/s^2]},\n"
      "  f: {type: joint_friction, joint: j, mu: 0.3, radius: 10 mm}}\n"};
  for (int i = 0; i < 4; i++) {
    char text[800];
    snprintf(text, sizeof text,
             "format: 1\nbodies: {m: {mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 "
             "kg*m^2]}}\n%s",
             joint[i]);
    double share = i % 3 ? 0.02 / (0.01 * 0.3 * 9.81) : 2 / (0.3 * 9.81);
    const hk_indicator k = indicator_after(text, 50, HK_QUALITY_CREEP, NULL, NULL);
    double distance = 50 * 1e-3 * atanh(share);
    assert_int_equal(k.level, HK_LEVEL_DOUBT);
    assert_string_equal(k.element, "f");
    assert_float_equal(k.amount, distance, 0.02 * distance);
    assert_float_equal(k.scale, 2.65e-3, 1e-9);
  }
}

/* A joint that oscillates passes through rest twice per period without net displacement. */
static void swings_are_no_creep(void **state) {
  (void)state;
  const hk_indicator k = indicator_after(
      "format: 1\n"
      "bodies: {m: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2],\n"
      "    angular_velocity: [3 rad/s, 0, 0]}}\n"
      "joints: {j: {type: revolute, b: m, axis: x}}\n"
      "forces:\n"
      "  g: {type: gravity}\n"
      "  s: {type: torsion_spring, coordinate: j.angle, stiffness: 4 N*m/rad}\n"
      "  f: {type: joint_friction, joint: j, mu: 0.01, radius: 10 mm}\n",
      60, HK_QUALITY_CREEP, NULL, NULL);
  assert_true(k.amount < 5e-4);
}

static const char INCLINE[] =
    "format: 1\n"
    "bodies: {m: {type: %s, mass: 1 kg, position: [0, 0, %s]%s}}\n"
    "laws: {l: {type: hertz, stiffness: 1e8 N/m^1.5, damping: 1000 N*s/m, mu: 0.3}}\n"
    "contacts: {c: {type: %s, a: ground, b: m, law: l}}\n"
    "forces: {g: {type: gravity, acceleration: [2 m/s^2, 0, -9.81 m/s^2]}}\n";

/* A mass that should stick on an incline slides; a ball rolls, and its slow sliding is part of that
 * motion. */
static void contacts_creep_unless_they_roll(void **state) {
  (void)state;
  char text[800];
  double x;
  snprintf(text, sizeof text, INCLINE, "point_mass", "-1 um", "", "point_on_plane");
  hk_indicator k = indicator_after(text, 20, HK_QUALITY_CREEP, "m.x", &x);
  assert_int_equal(k.level, HK_LEVEL_DOUBT);
  assert_true(x > 1e-3);
  assert_float_equal(k.amount, x, 0.1 * x);
  snprintf(text, sizeof text, INCLINE, "sphere", "99.999 mm", ", radius: 100 mm",
           "sphere_on_plane, radius: 100 mm");
  k = indicator_after(text, 2, HK_QUALITY_CREEP, "m.x", &x);
  assert_true(x > 2);
  assert_true(k.amount < 1e-3 * x);
}

/* ---- distance from the origin ---- */

static hk_indicator distance_at(double distance, const char *law, double *d) {
  vf_case c;
  hk_run_report r;
  vf_text(&c,
          "bodies:\n"
          "  a: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [%.17g m, 0, 0]}\n"
          "  b: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [%.17g m, 0, 0],\n"
          "    velocity: [-1 m/s, 0, 0]}\n"
          "%s"
          "sensors: {d: {value: b.x - a.x}}\n"
          "measures: {d: {of: d, take: final}}\n"
          "analysis: {duration: 1 s}\n",
          distance, distance + 1, law);
  assert_int_equal(hk_run(c.model, NULL, &r, &c.diag), HK_OK);
  const hk_indicator k = indicator_of(r.quality, HK_QUALITY_DISTANCE);
  *d = r.measure[0].value;
  assert_int_equal(vf_said(&c.diag, "from the origin"), k.level == HK_LEVEL_DOUBT);
  hk_run_report_free(&r);
  vf_close(&c);
  return k;
}

/* The true error of a spring, and the reported one. */
static void far_errors_are_covered(void **state) {
  (void)state;
  static const char SPRING[] =
      "forces: {s: {type: spring_damper, a: a, b: b, stiffness: 100 N/m, "
      "length: 0.9 m}}\n";
  double near, d;
  distance_at(0, SPRING, &near);
  for (double distance = 1e5; distance < 2e10; distance *= 10) {
    const hk_indicator k = distance_at(distance, SPRING, &d);
    bool warned = k.level == HK_LEVEL_DOUBT;
    assert_true(fabs(d - near) < (warned ? k.amount : 1e-3 * k.scale));
    assert_int_equal(warned, distance > 2e7);
  }
}

/* Contact forces are inaccurate if penetrations are of the size of the round-off of positions. */
static void far_contacts_are_reported(void **state) {
  (void)state;
  static const char HERTZ[] =
      "laws: {l: {type: hertz, stiffness: 1e10 N/m^1.5}}\n"
      "contacts: {c: {type: sphere_on_sphere, a: a, b: b, radius_a: 0.1 m, radius_b: 0.1 m, law: "
      "l}}\n";
  double d;
  assert_int_equal(distance_at(0, HERTZ, &d).level, HK_LEVEL_GOOD);
  const hk_indicator k = distance_at(1e9, HERTZ, &d);
  assert_int_equal(k.level, HK_LEVEL_DOUBT);
}

/* ---- Painleve's paradox ---- */

/* A slender rod whose end slides: paradox above mu = (1 + 3 c^2)/(3 s c), with s and c the sine and
 * cosine of its slope, and only if friction pushes the end under the rod. */
static void paradoxes_have_their_limit(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    double slope = 0.8 + 0.05 * (i / 2), s = sin(slope), c = cos(slope);
    double limit = (1 + 3 * c * c) / (3 * s * c), mu = limit * (i % 2 ? 1.01 : 0.99);
    for (int way = -1; way <= 1; way += 2) {
      char text[1000];
      snprintf(text, sizeof text,
               "format: 1\n"
               "bodies: {rod: {type: rod, length: 2 m, mass: 1 kg, radius: 1 um, position: [0, 0, "
               "%.17g m],\n"
               "    orientation: {axis: y, angle: %.17g rad}, velocity: [%d m/s, 0, 0]}}\n"
               "laws: {rough: {type: signorini, mu: %.17g}}\n"
               "joints: {plane: {type: planar, b: rod, axis: y}}\n"
               "forces: {g: {type: gravity}}\n"
               "contacts: {tip: {type: point_on_plane, a: ground, b: rod.start, law: rough}}\n"
               "analysis: {stepper: moreau, step: 10 us, duration: 1 ms}\n",
               s, -slope, 5 * way, mu);
      const hk_indicator k = indicator_after(text, 1e-4, HK_QUALITY_PARADOX, NULL, NULL);
      assert_int_equal(k.count > 0, i % 2 == 1 && way < 0);
      if (k.count) assert_float_equal(k.amount, limit, 1e-6 * limit);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_gap_reports_its_depth),
      cmocka_unit_test(joints_creep_by_their_displacement),
      cmocka_unit_test(swings_are_no_creep),
      cmocka_unit_test(contacts_creep_unless_they_roll),
      cmocka_unit_test(far_errors_are_covered),
      cmocka_unit_test(far_contacts_are_reported),
      cmocka_unit_test(paradoxes_have_their_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
