/* Shafts: sections, discs, splines, bow, number of beams, and rejected input. */
#include "verify/beam_model.h"

static const double E = 2.1e11, G = 2.1e11 / 2.6;

static double polar(double outer, double inner) {
  return M_PI / 32 * (pow(outer, 4) - pow(inner, 4));
}

static void at_rest(vf_case *c) {
  hk_static_report report;
  if (hk_static_solve(c->model, NULL, &c->sim, &report, &c->diag, &c->err))
    fail_msg("%s", c->err.text);
}

static double angle_of(vf_case *c, const char *body) {
  char name[2][60];
  snprintf(name[0], sizeof name[0], "%s.qz", body);
  snprintf(name[1], sizeof name[1], "%s.qw", body);
  return 2 * atan2(vf_value(c, name[0]), vf_value(c, name[1]));
}

/* Torque on a stepped shaft, a tube and a cone: the twist angles add up. */
static void sections_twist(void **state) {
  (void)state;
  vf_case c;
  vf_text(&c,
          "joints:\n  bar: {type: shaft, hold: a, lengths: [120 mm, 300 mm, 100 mm], "
          "outer_diameters: [28 mm, 40 "
          "mm, 30 mm],\n    inner_diameters: [0, 34 mm], end_diameters: [0, 0, 20 mm], stations: "
          "[420 mm]}\n"
          "forces:\n  twist: {type: load, b: bar.end, torque: [0, 0, 200 N*m]}\n");
  at_rest(&c);
  double before = 200 / G * (0.12 / polar(0.028, 0) + 0.3 / polar(0.04, 0.034));
  double cone = 200 / G * 32 / M_PI * 0.1 / (3 * 0.01) * (pow(0.02, -3) - pow(0.03, -3));
  assert_float_equal(angle_of(&c, "bar.station[0]"), before, 1e-9);
  assert_float_equal(angle_of(&c, "bar.end") - before, cone, 1e-6 * cone);
  assert_float_equal(vf_value(&c, "bar.twist"), before + cone, 1e-6 * cone);
  assert_float_equal(vf_value(&c, "bar.torsion_max"), 200, 1e-6);
  /* sqrt(3) 16 T/(pi d^3), at the thin end */
  assert_float_equal(vf_value(&c, "bar.stress_max"), sqrt(3) * 16 * 200 / (M_PI * 8e-6), 1);
  vf_close(&c);
}

/* A section given by its stiffnesses is equivalent to one given by its diameter. */
static void stiffnesses_or_diameters(void **state) {
  (void)state;
  double A = M_PI / 4 * 9e-4, I = M_PI / 64 * 81e-8, factor = 6 * 1.3 / (7 + 1.8), f[2];
  for (int i = 0; i < 2; i++) {
    vf_case c;
    hk_modes modes;
    char text[400];
    if (i)
      snprintf(text, sizeof text,
               "axial_stiffnesses: [%.17g N], shear_stiffnesses: [%.17g N], torsion_stiffnesses: "
               "[%.17g N*m^2],\n    bending_stiffnesses: [%.17g N*m^2], line_masses: [%.17g kg/m]",
               E * A, factor * G * A, 2 * G * I, E * I, 7850 * A);
    else
      snprintf(text, sizeof text, "outer_diameters: [30 mm]");
    vf_text(&c, "joints:\n  bar: {type: shaft, hold: none, lengths: [0.7 m], %s}\n", text);
    bm_modes(&c, &modes);
    f[i] = bm_nearest(&modes, 1700).im;
    hk_modes_free(&modes);
    vf_close(&c);
  }
  assert_true(f[0] > 1000);
  assert_float_equal(f[0], f[1], 1e-8 * f[0]);
}

/* A spline in the middle and one at the end: twist T/k each, and half of the backlash.  Short beams
 * are stiff; the equilibrium of their shaft must be found too. */
static void splines_give(void **state) {
  (void)state;
  static const int beams[] = {10, 16, 64};
  for (size_t i = 0; i < sizeof beams / sizeof *beams; i++) {
    vf_case c;
    vf_text(&c,
            "joints:\n  bar: {type: shaft, hold: a, lengths: [0.5 m], outer_diameters: [30 mm],\n"
            "    spline_positions: [0, 200 mm], spline_stiffnesses: [50 kN*m/rad, 20 kN*m/rad],\n"
            "    spline_backlashes: [0, 4 mrad], splines: held, elements: %d}\n"
            "forces:\n  twist: {type: load, b: bar.end, torque: [0, 0, 100 N*m]}\n",
            beams[i]);
    at_rest(&c);
    double bar = 100 * 0.5 / (G * polar(0.03, 0));
    assert_float_equal(angle_of(&c, "bar.start"), 100 / 50e3, 1e-9);
    assert_float_equal(angle_of(&c, "bar.end"), bar + 100 / 50e3 + 100 / 20e3 + 2e-3, 2.5e-6);
    vf_close(&c);
  }
}

/* Within the backlash the two halves move independently. */
static void backlash_is_free(void **state) {
  (void)state;
  vf_case c;
  vf_text(&c,
          "joints:\n  bar: {type: shaft, hold: none, lengths: [0.2 m], outer_diameters: [30 mm], "
          "speed: 10 rad/s,\n"
          "    spline_positions: [100 mm], spline_stiffnesses: [1 kN*m/rad], spline_backlashes: "
          "[0.1 rad],\n"
          "    splines: held}\n  seat: {type: cylindrical, b: bar.start}\n"
          "forces:\n  stop: {type: load, b: bar.start, torque: [0, 0, \"-if(t < 10 ms, 0.01 N*m, 0 "
          "N*m)\"]}\n"
          "analysis: {duration: 1 ms}\n");
  vf_start(&c, &(hk_sim_options){.stepper = "generalized_alpha", .step = 1e-5});
  vf_advance(&c, 1e-3);
  assert_float_equal(vf_value(&c, "bar.end.wz"), 10, 2e-3);
  assert_true(vf_value(&c, "bar.start.wz") < 10 - 0.1);
  vf_close(&c);
}

/* A disc of the shaft and a body fixed to a station have the same weight. */
static void discs_are_bodies(void **state) {
  (void)state;
  double f[2];
  for (int i = 0; i < 2; i++) {
    vf_case c;
    hk_modes modes;
    double bore = 0.03, d = 0.12, w = 0.02, m = 7850 * M_PI / 4 * (d * d - bore * bore) * w;
    double along = m * (d * d + bore * bore) / 8, across = along / 2 + m * w * w / 12;
    if (i == 0)
      vf_text(&c,
              "joints:\n  bar: {type: shaft, hold: a, lengths: [0.6 m], outer_diameters: [30 mm], "
              "elements: 12,\n"
              "    disc_positions: [350 mm], disc_diameters: [120 mm], disc_widths: [20 mm]}\n");
    else
      vf_text(&c,
              "bodies:\n  disc: {mass: %.17g kg, inertia: [%.17g kg*m^2, %.17g kg*m^2, %.17g "
              "kg*m^2], position: "
              "[0, 0, 350 mm]}\n"
              "joints:\n  bar: {type: shaft, hold: a, lengths: [0.6 m], outer_diameters: [30 mm], "
              "elements: 12,\n"
              "    stations: [350 mm]}\n  on: {type: fixed, a: \"bar.station[0]\", b: disc}\n",
              m, across, across, along);
    bm_modes(&c, &modes);
    f[i] = modes.mode[0].frequency;
    hk_modes_free(&modes);
    vf_close(&c);
  }
  assert_true(f[0] > 10);
  assert_float_equal(f[0], f[1], 1e-8 * f[0]);
}

/* A bowed shaft is free of stress in its initial shape; thrust P increases the bow by the factor
 * 1/(1 - P/Pe). */
static void bow_grows_with_thrust(void **state) {
  (void)state;
  double Pe = M_PI * M_PI * E * M_PI / 64 * pow(0.01, 4), P = 0.4 * Pe;
  vf_case c;
  for (int i = 0; i < 2; i++) {
    vf_text(&c,
            "joints:\n  bar: {type: shaft, hold: none, lengths: [1 m], outer_diameters: [10 mm], "
            "bow: 1 mm, bow_angle: "
            "90 deg,\n    stations: [500 mm], elements: 16}\n"
            "  foot: {type: universal, b: bar.start}\n  head: {type: point_on_line, b: bar.end, "
            "at: [0, 0, 1 m]}\n"
            "forces:\n  push: {type: load, b: bar.end, force: [0, 0, %.17g N]}\n",
            i ? -P : -1e-9);
    at_rest(&c);
    double middle = vf_value(&c, "bar.station[0].y");
    if (i)
      assert_float_equal(middle, 1e-3 / 0.6, 1e-5);
    else
      assert_float_equal(middle, 1e-3, 1e-9);
    vf_close(&c);
  }
}

/* The channel frequency_error is an upper bound of the error, and not much larger than the
 * error. */
static void beams_by_accuracy(void **state) {
  (void)state;
  static const char *const ends[] = {
      "", "  left: {type: fixed, b: bar.start}\n",
      "  left: {type: fixed, b: bar.start}\n  right: {type: fixed, b: bar.end, at: [0, 0, 1 m]}\n"};
  static const double accuracy[] = {0.005, 0.001};
  for (int i = 0; i < 3; i++)
    for (int a = 0; a < (i ? 1 : 2); a++) {
      hk_modes modes[2];
      double promised = 0, worst = 0, top = 0;
      vf_case c[2];
      for (int fine = 0; fine < 2; fine++) {
        vf_text(&c[fine],
                "joints:\n  bar: {type: shaft, hold: none, lengths: [0.6 m, 0.4 m], "
                "outer_diameters: [40 mm, 30 "
                "mm],\n    %s: %g}\n%s",
                fine ? "elements" : "accuracy", fine ? 50 : accuracy[a], ends[i]);
        bm_modes(&c[fine], &modes[fine]);
        if (fine) continue;
        promised = vf_value(&c[0], "bar.frequency_error");
        top = vf_value(&c[0], "bar.highest_frequency");
      }
      for (int m = 0; m < modes[0].n; m++) {
        const hk_mode *coarse = &modes[0].mode[m], *exact = &modes[1].mode[m];
        if (coarse->zero || coarse->im <= 0 || coarse->frequency > top) continue;
        worst = fmax(worst, fabs(coarse->im / exact->im - 1));
      }
      assert_true(promised <= accuracy[a] && promised > 0.3 * accuracy[a]);
      assert_true(worst <= promised);
      assert_true(worst > 0.05 * promised);
      for (int fine = 0; fine < 2; fine++) hk_modes_free(&modes[fine]), vf_close(&c[fine]);
    }
}

static void assert_refused(const char *keys, const char *why) {
  char text[800];
  hk_diag diag;
  hk_diag_init(&diag);
  int n =
      snprintf(text, sizeof text, "format: 1\njoints:\n  bar: {type: shaft, hold: a, %s}\n", keys);
  hk_spec *spec = hk_model_text_read("model", text, (size_t)n, NULL, 0, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  if (model) fail_msg("not refused: %s", keys);
  if (!vf_said(&diag, why)) {
    vf_tell(&diag);
    fail_msg("'%s' does not say '%s'", keys, why);
  }
  hk_diag_free(&diag);
}

static void mistakes_are_told(void **state) {
  (void)state;
  assert_refused("a: flange, speed: 10 rad/s, lengths: [1 m], outer_diameters: [20 mm]}\n"
                 "bodies:\n  flange: {type: cylinder, length: 1 cm, radius: 5 cm, mass: 1 kg, angular_velocity: "
                 "[0, 0, 10 rad/s]",
                 "rotates with it; omit speed");
  assert_refused("lengths: [0, 1 m], outer_diameters: [20 mm, 20 mm]",
                 "length of section 0 must be positive");
  assert_refused("lengths: [1 m, 1 m], outer_diameters: [20 mm]", "section 1 has no stiffness");
  assert_refused("lengths: [1 m], bending_stiffnesses: [1 kN*m^2]", "section 0 has no stiffness");
  assert_refused("lengths: [1 m], outer_diameters: [20 mm], inner_diameters: [25 mm]",
                 "must be smaller");
  assert_refused("lengths: [1 m], outer_diameters: [20 mm, 30 mm, 30 mm]",
                 "length of section 1 must be positive");
  assert_refused("lengths: [1 m], outer_diameters: [20 mm], inner_diameters: [0, 5 mm]",
                 "there are 1 lengths");
  assert_refused("lengths: [1 m], outer_diameters: [20 mm], stations: [1.2 m]",
                 "is not between the ends");
  assert_refused("lengths: [1 m], outer_diameters: [20 mm], stations: [0.5 m, 0.5 m]",
                 "at the same position");
  assert_refused("lengths: [1 m, 1 m], outer_diameters: [20 mm, 22 mm], stations: [1.000001 m]",
                 "two nodes nearly coincide");
  assert_refused("lengths: [1 m], outer_diameters: [20 mm], disc_masses: [1 kg]", "disc 0 needs");
  assert_refused("lengths: [1 m], outer_diameters: [20 mm], disc_positions: [0.5 m]",
                 "more disc_positions");
  assert_refused("lengths: [1 m], outer_diameters: [20 mm], spline_positions: [0.5 m]",
                 "more splines");
  assert_refused(
      "lengths: [1 m], outer_diameters: [20 mm], spline_positions: [1 m], spline_stiffnesses: [1 "
      "kN*m/rad]",
      "hold that end");
  assert_refused("lengths: [1 m], outer_diameters: [20 mm], highest_frequency: 9 MHz",
                 "more than 400 nodes");
  assert_refused("lengths: [1 m], outer_diameters: [20 mm], at: [0, 0, 0]", "use a marker");
}

/* Two bodies at the same position cannot be connected by a beam. */
static void coincident_ends_are_told(void **state) {
  (void)state;
  static const char text[] =
      "format: 1\nbodies:\n  one: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}\n"
      "forces:\n  bar: {type: beam, b: one, length: 1 m, outer_diameter: 20 mm, young: 210 GPa}\n";
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("model", text, sizeof text - 1, NULL, 0, &diag);
  assert_null(spec ? hk_model_compile(spec, &diag) : NULL);
  assert_true(vf_said(&diag, "ends coincide"));
  hk_diag_free(&diag);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sections_twist),
      cmocka_unit_test(stiffnesses_or_diameters),
      cmocka_unit_test(splines_give),
      cmocka_unit_test(backlash_is_free),
      cmocka_unit_test(discs_are_bodies),
      cmocka_unit_test(bow_grows_with_thrust),
      cmocka_unit_test(beams_by_accuracy),
      cmocka_unit_test(mistakes_are_told),
      cmocka_unit_test(coincident_ends_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
