/* The composite universal joint with clearance: its parts, and rejected input. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <hooke/element.h>
#include "spec/type.h"
#include <hooke/hooke.h>

static void near(double x, double wanted, double tolerance) {
  if (!(fabs(x - wanted) <= tolerance)) fail_msg("%.17g instead of %.17g", x, wanted);
}

typedef struct reading {
  hk_spec *spec;
  hk_diag diag;
} reading;

/* Two shafts at an articulation angle of 20 degrees unless `output` gives another one, and a joint
 * between them. */
static reading read_joint(const char *shaft, const char *output, const char *joint) {
  char text[2400];
  reading r = {0};
  int n = snprintf(text, sizeof text,
                   "format: 1\n"
                   "bodies:\n"
                   "  input: {%s}\n"
                   "  output: {%s, %s}\n"
                   "joints: {joint: {type: universal_clearance_joint, a: input, b: output, arm: 40 "
                   "mm, pin_radius: 10 mm, cross_inertia: [1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2], %s}}\n"
                   "laws: {steel: {type: signorini, mu: 0.3, restitution_normal: 0.4}}\n"
                   "analysis: {duration: 1 s, step: 1e-5 s}\n",
                   shaft, shaft, output, joint);
  assert_true(n > 0 && n < (int)sizeof text);
  hk_diag_init(&r.diag);
  r.spec = hk_model_text_read("model", text, (size_t)n, NULL, 0, &r.diag);
  return r;
}

static void forget(reading *r) {
  hk_spec_destroy(r->spec);
  hk_diag_free(&r->diag);
}

static const char ROTOR[] = "type: rotor, inertia: 1 kg*m^2, rate: 3 rad/s";
static const char BODY[] = "mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]";
static const char BENT[] = "orientation: {axis: y, angle: 20 deg}";
static const char SPATIAL[] = "fidelity: spatial, law: steel, cross_mass: 1 kg";

static const void *part(const reading *r, hk_category category, const char *type,
                        const char *name) {
  const hk_item *item = hk_spec_find(r->spec, category, name);
  if (!item) fail_msg("there is no '%s'", name);
  assert_string_equal(item->type->name, type);
  return item->data;
}

static bool has(const reading *r, hk_category category, const char *name) {
  return hk_spec_find(r->spec, category, name) != NULL;
}

static double real_of(const reading *r, hk_category category, const char *name, const char *param) {
  const hk_item *item = hk_spec_find(r->spec, category, name);
  assert_non_null(item);
  int i = hk_type_param_find(item->type, param);
  assert_true(i >= 0);
  return *(const double *)((const char *)item->data + hk_type_param(item->type, i)->offset);
}

static void has_sensors(const reading *r) {
  static const char *const name[] = {"delta", "impulse", "impacts", "closed"};
  for (int i = 0; i < 8; i++) {
    char full[60];
    snprintf(full, sizeof full, "joint.%s_%c", name[i / 2], i % 2 ? 'b' : 'a');
    if (!has(r, HK_SENSOR, full)) fail_msg("there is no sensor '%s'", full);
  }
}

/* ---- parts ---- */

static void parts_of_the_reduced_joint(void **state) {
  (void)state;
  for (int side = 0; side < 2; side++) {
    char joint[200];
    snprintf(joint, sizeof joint,
             "fidelity: reduced, articulation_angle: 20 deg, law: steel, clearance_%c: 50 um",
             "ab"[side]);
    reading r = read_joint(ROTOR, BENT, joint);
    assert_non_null(r.spec);
    part(&r, HK_BODY, "universal_shaft", "joint.cross");
    part(&r, HK_CONTACT, "universal_clearance", "joint.bores");
    part(&r, HK_JOINT, "coupling", "joint.shaft");
    near(real_of(&r, HK_CONTACT, "joint.bores", "clearance"), 50e-6, 1e-18);
    near(real_of(&r, HK_BODY, "joint.cross", "rate"), 3, 0);
    /* cross_inertia begins with that about the pins of the other yoke, then of the one with play */
    const hk_item *cross = hk_spec_find(r.spec, HK_BODY, "joint.cross");
    int i = hk_type_param_find(cross->type, "cross_inertia");
    const double *J =
        (const double *)((const char *)cross->data + hk_type_param(cross->type, i)->offset);
    near(J[0], side ? 1 : 2, 0);
    near(J[1], side ? 2 : 1, 0);
    near(J[2], 2.5, 0);
    const hk_contact_common *gap = hk_spec_find(r.spec, HK_CONTACT, "joint.bores")->data;
    assert_string_equal(gap->a, side ? "output.joint_yoke" : "input.joint_yoke");
    has_sensors(&r);
    forget(&r);
  }
}

static void parts_of_the_spatial_joint(void **state) {
  (void)state;
  for (int play = 0; play < 4; play++) {
    char joint[200];
    bool a = play & 1, b = play & 2;
    snprintf(joint, sizeof joint, "%s, clearance_a: %d um, clearance_b: %d um", SPATIAL, a ? 20 : 0,
             b ? 30 : 0);
    reading r = read_joint(BODY, BENT, joint);
    if (!r.spec) fail_msg("%s", r.diag.message[0].text);
    part(&r, HK_BODY, "rigid_body", "joint.cross");
    part(&r, HK_JOINT, "point_on_plane", "joint.axial_a");
    part(&r, HK_JOINT, "point_on_plane", "joint.axial_b");
    for (int i = 0; i < 4; i++) {
      char bore[40], pin[40], friction[40];
      const bool loose = i / 2 ? b : a;
      snprintf(bore, sizeof bore, "joint.bore_%c[%d]", "ab"[i / 2], i % 2);
      snprintf(pin, sizeof pin, "joint.trunnion_%c[%d]", "ab"[i / 2], i % 2);
      snprintf(friction, sizeof friction, "joint.friction_%c[%d]", "ab"[i / 2], i % 2);
      assert_int_equal(has(&r, HK_CONTACT, bore), loose);
      assert_int_equal(has(&r, HK_JOINT, pin), !loose);
      assert_int_equal(has(&r, HK_FORCE, friction), !loose);
      if (!loose) near(real_of(&r, HK_FORCE, friction, "mu"), 0.3, 1e-15);
      if (!loose) continue;
      part(&r, HK_CONTACT, "trunnion_in_bore", bore);
      near(real_of(&r, HK_CONTACT, bore, "bore_radius"), i / 2 ? 0.01003 : 0.01002, 1e-15);
      near(real_of(&r, HK_CONTACT, bore, "length"), 0.02, 1e-15);
    }
    has_sensors(&r);
    forget(&r);
  }
}

/* The outer ends of the bores are at the arm's length: there a rotation of the cross closes the gap
 * first. */
static void bores_end_at_the_arm(void **state) {
  (void)state;
  char joint[200];
  snprintf(joint, sizeof joint, "%s, length: 12 mm, clearance_a: 20 um, clearance_b: 20 um",
           SPATIAL);
  reading r = read_joint(BODY, BENT, joint);
  assert_non_null(r.spec);
  hk_model *m = hk_model_compile(r.spec, &r.diag); /* takes the spec */
  r.spec = NULL;
  assert_non_null(m);
  hk_sim *sim = NULL;
  hk_error err = {0};
  assert_int_equal(hk_sim_create(m, NULL, &sim, &r.diag, &err), 0);
  static const struct {
    const char *name;
    double x, y, z; /* in the middle of the bore */
  } bore[] = {{"input.joint_bore_a[0]", -0.034, 0, 0},
              {"input.joint_bore_a[1]", 0.034, 0, 0},
              {"output.joint_bore_b[0]", 0, -0.034, 0},
              {"output.joint_bore_b[1]", 0, 0.034, 0}};
  for (int i = 0; i < 4; i++) {
    const double at[] = {bore[i].x, bore[i].y, bore[i].z};
    for (int k = 0; k < 3; k++) {
      char channel[80];
      snprintf(channel, sizeof channel, "%s.%c", bore[i].name, "xyz"[k]);
      int c = hk_model_channel_find(m, channel);
      assert_true(c >= 0);
      near(hk_sim_value(sim, c), at[k], 1e-15);
    }
  }
  for (int i = 0; i < 8; i++) { /* all gaps are those of a centred pin */
    char channel[80];
    snprintf(channel, sizeof channel, "joint.bore_%c[%d].%s.gap", "ab"[i / 4], i / 2 % 2,
             i % 2 ? "far" : "near");
    int c = hk_model_channel_find(m, channel);
    assert_true(c >= 0);
    near(hk_sim_value(sim, c), 20e-6, 1e-15);
  }
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  forget(&r);
}

/* A bore that is wider, or displaced around or along the shaft, changes the clearance of its pin
 * accordingly; the other pins are not affected. */
static void every_pin_has_its_own_deviations(void **state) {
  (void)state;
  char joint[300];
  snprintf(joint, sizeof joint,
           "%s, clearance_a: 20 um, clearance_b: 20 um, clearance_error: [0, 5 um], "
           "pitch_error: [0, 0, 4 um], axial_error: [3 um]",
           SPATIAL);
  reading r = read_joint(BODY, BENT, joint);
  assert_non_null(r.spec);
  hk_model *m = hk_model_compile(r.spec, &r.diag);
  r.spec = NULL;
  assert_non_null(m);
  hk_sim *sim = NULL;
  hk_error err = {0};
  assert_int_equal(hk_sim_create(m, NULL, &sim, &r.diag, &err), 0);
  const double gap[] = {17e-6, 25e-6, 16e-6, 20e-6};
  for (int i = 0; i < 4; i++) {
    char channel[80];
    snprintf(channel, sizeof channel, "joint.bore_%c[%d].far.gap", "ab"[i / 2], i % 2);
    int c = hk_model_channel_find(m, channel);
    assert_true(c >= 0);
    near(hk_sim_value(sim, c), gap[i], 1e-12);
  }
  int c = hk_model_channel_find(m, "output.joint_bore_b[0].x");
  near(hk_sim_value(sim, c), 4e-6 * cos(20 * M_PI / 180), 1e-12); /* ahead, at -y, is +x */
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  forget(&r);
}

/* ---- refusals ---- */

static void refuses(const char *shaft, const char *output, const char *joint, const char *why) {
  reading r = read_joint(shaft, output, joint);
  if (r.spec) fail_msg("accepted: %s", joint);
  bool said = false;
  for (int i = 0; i < r.diag.n; i++) said = said || strstr(r.diag.message[i].text, why);
  if (!said) fail_msg("'%s' instead of '%s'", r.diag.n ? r.diag.message[0].text : "", why);
  assert_true(r.diag.message[0].place.line > 0);
  forget(&r);
}

static void bad_input(void **state) {
  (void)state;
  char joint[300];
  const char reduced[] = "fidelity: reduced, law: steel, clearance_a: 50 um";
  refuses(ROTOR, BENT,
          "fidelity: reduced, articulation_angle: 5 deg, law: steel, clearance_a: -5 um",
          "clearance_a is -5 um: the bores of radius 9.995 mm would be smaller than the pins");
  refuses(ROTOR, BENT,
          "fidelity: reduced, articulation_angle: 5 deg, law: steel, clearance_b: -5 um",
          "clearance_b is -5 um");
  refuses(ROTOR, BENT,
          "fidelity: reduced, articulation_angle: 5 deg, law: steel, clearance_a: 2 mm",
          "less than a tenth of the pins' radius");
  snprintf(joint, sizeof joint, "%s, articulation_angle: 90 deg", reduced);
  refuses(ROTOR, BENT, joint, "articulation_angle 90 deg must be less than 85.9 deg");
  refuses(ROTOR, BENT, reduced, "needs 'articulation_angle'");
  snprintf(joint, sizeof joint, "%s, articulation_angle: 20 deg, clearance_b: 10 um", reduced);
  refuses(ROTOR, BENT, joint, "has clearance in one yoke");
  snprintf(joint, sizeof joint, "%s, articulation_angle: 20 deg", reduced);
  refuses(BODY, BENT, joint, "needs rotors, but 'input' is not a rotor");
  refuses(ROTOR, BENT, "fidelity: reduced, articulation_angle: 5 deg, clearance_a: 5 um",
          "need a law");
  refuses(BODY, "orientation: {axis: y, angle: 95 deg}", SPATIAL,
          "the articulation angle is 95 deg");
  snprintf(joint, sizeof joint, "%s, articulation_angle: 10 deg", SPATIAL);
  refuses(BODY, BENT, joint,
          "give an articulation angle of 20 deg, but articulation_angle is 10 deg");
  snprintf(joint, sizeof joint, "%s, length: 41 mm", SPATIAL);
  refuses(BODY, BENT, joint, "must be shorter than the arm");
  snprintf(joint, sizeof joint, "%s, at: [0, 0, 1 m]", SPATIAL);
  refuses(BODY, BENT, joint, "remove 'at'");
  snprintf(joint, sizeof joint, "%s, clearance_a: 20 um", SPATIAL);
  refuses(BODY, "orientation: {axis: y, angle: 20 deg}, position: [0.1 mm, 0, 0]", joint,
          "100 um apart at the start, more than the clearance of 20 um");
  refuses(BODY, "orientation: {axis: z, angle: 3 deg}", joint,
          "3 deg from perpendicular in the initial position");
  snprintf(joint, sizeof joint, "%s, clearance_a: 20 um, pitch_error: [21 um]", SPATIAL);
  refuses(BODY, BENT, joint,
          "the bore of pin 0 is displaced by 21 um, more than its clearance of 20 um");
  snprintf(joint, sizeof joint, "%s, clearance_a: 20 um, clearance_error: [0, 0, 1 um]", SPATIAL);
  refuses(BODY, BENT, joint, "pin 2 has deviations, but its side has no clearance");
  snprintf(joint, sizeof joint, "%s, articulation_angle: 20 deg, clearance_error: [1 um]", reduced);
  refuses(ROTOR, BENT, joint, "reduced does not distinguish the pins");
  snprintf(joint, sizeof joint, "%s, clearance_a: 20 um, bores: slotted, axial_error: [1 um]",
           SPATIAL);
  refuses(BODY, BENT, joint, "slotted bores hold the pins");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_of_the_reduced_joint),
      cmocka_unit_test(parts_of_the_spatial_joint),
      cmocka_unit_test(bores_end_at_the_arm),
      cmocka_unit_test(every_pin_has_its_own_deviations),
      cmocka_unit_test(bad_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
