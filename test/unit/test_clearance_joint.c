/* Joints with clearance: one key changes the fidelity, and the names stay; invalid input is rejected with a
 * message that gives the numbers. */
#include "verify/verify.h"

/* A pendulum with a journal or a ball as its joint, swinging about y. */
static const char model[] =
    "bodies:\n"
    "  ground: {markers: {bush: {orientation: {axis: x, angle: -90 deg}}}}\n"
    "  arm: {type: rod, length: 0.2 m, mass: 0.5 kg, position: [%s, 0, 0], markers: {journal: {at: "
    "[-0.1 m, "
    "0, 0], orientation: {axis: x, angle: -90 deg}}}}\n"
    "joints: {pin: {type: %s, a: ground.bush, b: arm.journal, %s}}\n"
    "forces: {weight: {type: gravity}}\n"
    "laws: {elastic: {type: hunt_crossley, stiffness: 1e9 N/m^1.5, restitution: 0.5}, rigid: "
    "{type: "
    "signorini}}\n";

static void pendulum(vf_case *c, const char *type, const char *keys) {
  vf_text(c, model, "0.1 m", type, keys);
}

static const char *const FIDELITY[] = {"ideal", "compliant", "clearance", "lubricated"};

static void fill(char *keys, size_t size, int fidelity, const char *law, const char *more) {
  snprintf(keys, size,
           "fidelity: %s, radius: 1 cm, clearance: 50 um, law: %s, viscosity: 0.2 Pa*s, stiffness: "
           "1e7 N/m, damping: 1 kN*s/m%s",
           FIDELITY[fidelity], law, more);
}

/* Checks the position of the arm after some time, and that the joint did not open. */
static double swing(const char *type, const char *keys, const char *stepper) {
  vf_case c;
  pendulum(&c, type, keys);
  vf_start(&c, &(hk_sim_options){.stepper = stepper, .step = stepper ? 2e-5 : 0});
  double most = 0;
  for (int i = 1; i <= 60; i++) {
    vf_advance(&c, 0.004 * i);
    most = fmax(most, vf_value(&c, "pin.offset"));
    assert_true(fabs(vf_value(&c, "pin.gap") - (5e-5 - vf_value(&c, "pin.offset"))) < 1e-15);
    assert_true(fabs(hypot(vf_value(&c, "pin.fx_b"), vf_value(&c, "pin.fz_b"))) < 1e3);
  }
  assert_true(most < 6.5e-5);
  double regime = vf_value(&c, "pin.regime");
  assert_true(regime == 0 || regime == 1 || regime == 2);
  double impacts = vf_value(&c, "pin.impacts"), closed = vf_value(&c, "pin.closed_time");
  if (strstr(keys, "ideal") || strstr(keys, "compliant"))
    assert_true(impacts == 0 && fabs(closed - 0.24) < 1e-12);
  else
    assert_true(impacts >= 0 && impacts == floor(impacts) && closed >= 0 && closed <= 0.24 + 1e-12);
  if (strstr(keys, "clearance, ")) assert_true(impacts > 0 && closed > 0);
  double z = vf_value(&c, "arm.end.z");
  vf_close(&c);
  return z;
}

static void test_revolute(void **state) {
  char keys[300];
  double z[4];
  for (int i = 0; i < 4; i++) {
    fill(keys, sizeof keys, i, "elastic", ", length: 2 cm, tilt_damping: 1 N*m*s/rad");
    z[i] = swing("revolute_clearance_joint", keys, NULL);
    assert_true(fabs(z[i] - z[0]) < (i == 3 ? 2e-2 : 2e-3)); /* oil has drag */
  }
  fill(keys, sizeof keys, 2, "rigid", ", length: 2 cm");
  assert_true(fabs(swing("revolute_clearance_joint", keys, "moreau") - z[0]) < 2e-3);
  fill(keys, sizeof keys, 3, "rigid", ", length: 2 cm");
  assert_true(fabs(swing("revolute_clearance_joint", keys, "moreau") - z[3]) < 2e-3);
}

static void test_spherical(void **state) {
  char keys[300];
  double z[4];
  for (int i = 0; i < 4; i++) {
    fill(keys, sizeof keys, i, "elastic", "");
    z[i] = swing("spherical_clearance_joint", keys, NULL);
    assert_true(fabs(z[i] - z[0]) < (i == 3 ? 2e-2 : 2e-3));
  }
  static const char *const reading[] = {"vector", "radial", "gumbel", "reynolds, cavitation: none"};
  for (int i = 0; i < 4; i++) {
    char more[60];
    snprintf(more, sizeof more, ", reading: %s", reading[i]);
    fill(keys, sizeof keys, 3, "elastic", more);
    assert_true(fabs(swing("spherical_clearance_joint", keys, NULL) - z[0]) < 2e-2);
  }
}

/* A journal that is loaded outside of its bush tilts: it touches one end on one side and the other end on the
 * opposite side. */
static void test_misaligned(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  shaft: {mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-4 kg*m^2], markers: {load: "
          "[0, 0, 5 "
          "cm]}}\n"
          "joints: {bush: {type: revolute_clearance_joint, fidelity: clearance, b: shaft, radius: "
          "1 cm, "
          "clearance: 0.1 mm, length: 2 cm, law: elastic}}\n"
          "laws: {elastic: {type: hertz, stiffness: 1e10 N/m^1.5, damping: 2 kN*s/m}}\n"
          "forces: {push: {type: load, b: shaft.load, force: [0, -100 N, 0]}}\n");
  vf_start(&c, NULL);
  vf_advance(&c, 0.2);
  /* lever 5 cm from the middle, ends at 1 cm: 300 N and 200 N */
  assert_true(fabs(vf_value(&c, "bush.contact.far.normal_force") - 300) < 2);
  assert_true(fabs(vf_value(&c, "bush.contact.near.normal_force") - 200) < 2);
  assert_true(vf_value(&c, "bush.contact.far.fy") > 0);
  assert_true(vf_value(&c, "bush.contact.near.fy") < 0);
  /* tilt: twice the sum of clearance and penetration, over the length */
  assert_true(fabs(vf_value(&c, "bush.tilt") - 0.01085) < 1e-4);
  vf_close(&c);
}

/* The film of a tilted journal exerts a restoring moment. */
static void test_tilted_film(void **state) {
  vf_case c;
  double moment[2];
  for (int i = 0; i < 2; i++) {
    vf_text(&c,
            "bodies: {shaft: {mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-4 kg*m^2], "
            "angular_velocity: [1 rad/s, 0, 0]}}\n"
            "forces: {film: {type: film_journal, b: shaft, radius: 1 cm, clearance: 50 um, length: "
            "2 cm, "
            "viscosity: 0.1 Pa*s, slices: %d}}\n",
            i ? 5 : 1);
    vf_start(&c, NULL);
    moment[i] = vf_value(&c, "film.tx");
    vf_close(&c);
  }
  assert_true(moment[0] == 0);
  assert_true(moment[1] < -1e-3);
}

/* Checks that the model is rejected with a message that contains this text. */
static void refused(const char *position, const char *type, const char *keys,
                    const char *sentence) {
  char text[2000], said[1200] = "";
  hk_diag diag;
  int n = snprintf(text, sizeof text, "format: 1\n");
  n += snprintf(text + n, sizeof text - (size_t)n, model, position, type, keys);
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("model", text, (size_t)n, NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  for (int i = 0; i < diag.n && !said[0]; i++)
    if (diag.message[i].severity == HK_ERROR) hk_diag_format(&diag.message[i], said, sizeof said);
  if (m || !strstr(said, sentence)) fail_msg("'%s' instead of '%s'", said, sentence);
  hk_diag_free(&diag);
}

static void test_bad_input(void **state) {
  static const struct {
    const char *keys, *sentence;
  } bad[] = {
      {"fidelity: clearance, radius: 1 cm, clearance: -50 um, law: rigid", "clearance is -50 um"},
      {"fidelity: clearance, radius: 1 cm, clearance: 0, law: rigid", "clearance is 0 um"},
      {"fidelity: clearance, radius: 1 cm, law: rigid", "needs clearance"},
      {"fidelity: clearance, radius: 0, clearance: 50 um, law: rigid", "must be > 0, got 0 m"},
      {"fidelity: clearance, radius: 1 cm, clearance: 50 um", "needs a contact law"},
      {"fidelity: clearance, radius: 1 cm, clearance: 2 cm, law: rigid",
       "clearance 20 mm must be smaller than radius 10 mm"},
      {"fidelity: lubricated, radius: 1 cm, clearance: 50 um, law: rigid, viscosity: 0",
       "viscosity is 0 Pa s"},
      {"fidelity: lubricated, radius: 1 cm, clearance: 50 um, law: rigid, viscosity: -1 Pa*s",
       "viscosity is -1 Pa s"},
      {"fidelity: lubricated, radius: 1 cm, clearance: 50 um, law: rigid, viscosity: 1 Pa*s, "
       "roughness: 60 um",
       "roughness 60 um must be at least 0 and less than clearance 50 um"},
      {"fidelity: compliant", "needs stiffness"},
      {"fidelity: ideal, at: [0, 0, 0]", "use markers"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    refused("0.1 m", "spherical_clearance_joint", bad[i].keys, bad[i].sentence);
  refused("2 m", "spherical_clearance_joint",
          "fidelity: clearance, radius: 1 cm, clearance: 50 um, law: rigid",
          "1900 mm apart in the initial position, 3.8e+04 times the clearance of 50 um");
  refused("0.1 m", "revolute_clearance_joint",
          "fidelity: clearance, radius: 1 cm, clearance: 50 um, law: rigid", "needs the length of the bush");
  refused("0.1 m", "revolute_clearance_joint",
          "fidelity: lubricated, radius: 1 cm, length: 1 m, clearance: 50 um, viscosity: 1 Pa*s, "
          "law: rigid",
          "length 1000 mm / diameter 20 mm = 50");
}

/* Films as forces, without a joint. */
static void test_bad_films(void **state) {
  static const struct {
    const char *place, *keys, *sentence;
  } bad[] = {
      {"1.2 m", "clearance: 50 um, viscosity: 1 Pa*s, radius: 1 cm",
       "1200 mm apart as placed in the model file"},
      {"0", "clearance: 50 um, viscosity: 1 Pa*s, radius: 1 cm, roughness: 50 um",
       "roughness 50 um must be smaller than clearance 50 um"},
      {"0", "clearance: 0, viscosity: 1 Pa*s, radius: 1 cm", "must be > 0, got 0 m"},
      {"0", "clearance: 50 um, viscosity: -1 Pa*s, radius: 1 cm", "must be > 0, got -1 Pa s"},
      {"0", "clearance: 2 cm, viscosity: 1 Pa*s, radius: 1 cm", "must be smaller than radius"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[1000], said[1200] = "";
    hk_diag diag;
    int n = snprintf(
        text, sizeof text,
        "format: 1\nbodies: {b: {type: sphere, radius: 1 cm, mass: 1 kg, position: [%s, 0, 0]}}\n"
        "forces: {film: {type: film_socket, b: b, %s}}\n",
        bad[i].place, bad[i].keys);
    hk_diag_init(&diag);
    hk_spec *spec = hk_model_text_read("model", text, (size_t)n, NULL, 0, &diag);
    hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
    for (int k = 0; k < diag.n && !said[0]; k++)
      hk_diag_format(&diag.message[k], said, sizeof said);
    if (m || !strstr(said, bad[i].sentence))
      fail_msg("'%s' instead of '%s'", said, bad[i].sentence);
    hk_diag_free(&diag);
  }
}

/* A film that cannot carry the load is reported as an error; for set-valued laws the message names the
 * integrators that support them. */
static void test_lost_and_refused(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {b: {type: sphere, radius: 1 cm, mass: 1 kg, velocity: [0, 0, 3 m/s]}}\n"
          "forces: {film: {type: film_socket, b: b, clearance: 50 um, viscosity: 1 uPa*s, radius: "
          "1 cm}}\n");
  vf_start(&c, NULL);
  assert_int_not_equal(hk_sim_advance(c.sim, 0.1, &c.err), HK_OK);
  assert_non_null(strstr(c.err.text, "the film cannot hold it"));
  vf_close(&c);
  char keys[300];
  fill(keys, sizeof keys, 3, "rigid", "");
  pendulum(&c, "spherical_clearance_joint", keys);
  hk_sim *sim = NULL;
  assert_int_not_equal(
      hk_sim_create(c.model, &(hk_sim_options){.stepper = "bdf"}, &sim, NULL, &c.err), HK_OK);
  assert_non_null(
      strstr(c.err.text, "does not support impacts, but contact 'pin.contact' uses the law 'rigid'"));
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_revolute),         cmocka_unit_test(test_spherical),
      cmocka_unit_test(test_misaligned),       cmocka_unit_test(test_tilted_film),
      cmocka_unit_test(test_bad_input),        cmocka_unit_test(test_bad_films),
      cmocka_unit_test(test_lost_and_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
