/* The Newton matrix of every type on every kind of node against finite differences. */
#include "conformance/conformance.h"
#include "conform/checks.h"
#include "support/subject.h"

static void tangent_of_joint(void **state) {
  (void)state;
  every(HK_JOINT, "tangent");
}
static void tangent_of_motion(void **state) {
  (void)state;
  every(HK_MOTION, "tangent");
}
static void tangent_of_force(void **state) {
  (void)state;
  every(HK_FORCE, "tangent");
}

/* A load that depends on channels of other forces, with the unit of each channel: all channels that forces may
 * use. */
static const char READ[] =
    "format: 1\n"
    "bodies:\n"
    "  ground: {markers: {m: {at: [0.3 m, -0.2 m, 0.5 m], orientation: {axis: [1, 2, 3], angle: 50 "
    "deg}}}}\n"
    "  first: {mass: 1.2 kg, inertia: [0.3 kg*m^2, 0.4 kg*m^2, 0.5 kg*m^2], center_of_mass: [0.1 "
    "m, "
    "0, 0.2 m], position: [0.4 m, 0, 0.1 m], velocity: [1 m/s, 0.3 m/s, -0.4 m/s], "
    "angular_velocity: "
    "[0.7 rad/s, -0.4 rad/s, 1 rad/s], markers: {m: {at: [0.3 m, 0.1 m, 0], orientation: {axis: "
    "[1, "
    "1, 0], angle: 40 deg}}}}\n"
    "  second: {mass: 2 kg, inertia: [0.6 kg*m^2, 0.4 kg*m^2, 0.5 kg*m^2], position: [0, 0.7 m, "
    "0], "
    "angular_velocity: [0, 0.5 rad/s, 0.2 rad/s], markers: {m: {at: [0, 0.2 m, 0.3 m], "
    "orientation: "
    "{axis: [0, 1, 2], angle: 25 deg}}}}\n"
    "  spot: {type: point_mass, mass: 0.5 kg, position: [1 m, 1 m, 1 m], velocity: [0, 1 m/s, 0]}\n"
    "  wheel: {type: rotor, inertia: 0.7 kg*m^2, axis: [1, 0, 1], rate: 1.3 rad/s, position: [0, "
    "0, "
    "1 m], markers: {m: {at: [0.3 m, 0, 0.1 m], orientation: {axis: x, angle: 35 deg}}}}\n"
    "  disc: {type: rotor, inertia: 0.4 kg*m^2, rate: -0.6 rad/s, angle: 0.4 rad}\n"
    "joints: {hinge: {type: revolute, a: ground.m, b: second, at: [0, 0.7 m, 0], axis: [1, 1, "
    "1]}}\n"
    "forces:\n"
    "  cord: {type: spring_damper, a: first.m, b: spot, stiffness: 3 N/m, damping: 0.7 N*s/m, "
    "length: "
    "0.4 m}\n"
    "  belt: {type: spring_damper, a: wheel.m, b: second.m, stiffness: 2 N/m, damping: 0.4 N*s/m, "
    "length: 0.2 m}\n"
    "  coil: {type: torsion_spring, coordinate: hinge.angle, stiffness: 2 N*m/rad, damping: 0.3 "
    "N*m*s/rad, angle: 20 deg}\n"
    "  shaft: {type: torsion_spring, a: wheel, b: disc, stiffness: 2 N*m/rad, damping: 0.3 "
    "N*m*s/rad}\n"
    "  mount: {type: bushing, a: first.m, b: second.m, stiffness: [3 N/m, 2 N/m, 1 N/m], damping: "
    "[0.3 "
    "N*s/m, 0.2 N*s/m, 0.4 N*s/m], torsion_stiffness: [1 N*m/rad, 2 N*m/rad, 0.5 N*m/rad], "
    "torsion_damping: [0.1 N*m*s/rad, 0.2 N*m*s/rad, 0.3 N*m*s/rad]}\n"
    "  carrier: {type: bearing, a: wheel.m, b: first.m, radial_stiffness: 2 N/m, axial_stiffness: "
    "3 "
    "N/m, radial_damping: 0.5 N*s/m, axial_damping: 0.2 N*s/m, spin_damping: 0.1 N*m*s/rad}\n";

static hk_model *reading_model(const hk_model *plain, const int *channel, int n) {
  static const char *const unit[2] = {"N", "N*m"};
  char text[8192];
  int used =
      snprintf(text, sizeof text, "%s  reads: {type: load, a: second, b: first.m, force: [", READ);
  for (int i = 0; i < 6; i++) {
    const hk_channel *c = &plain->channel[channel[i < n ? i : 0]];
    if (i == 3) used += snprintf(text + used, sizeof text - (size_t)used, "], torque: [");
    used += snprintf(text + used, sizeof text - (size_t)used, "%s\"%s * 0.%d * (1 %s) / (1 %s)\"",
                     i % 3 ? ", " : "", c->name, i + 3, unit[i / 3], c->unit);
  }
  snprintf(text + used, sizeof text - (size_t)used, "]}\n");
  return model_of(text);
}

static void forces_that_read_forces(void **state) {
  (void)state;
  const hk_between nowhere = {0};
  hk_model *plain = model_of(READ);
  int channel[6], n = 0, total = 0;
  for (int i = 0; i <= plain->n_channels; i++) {
    bool wanted = i < plain->n_channels && plain->channel[i].owner == HK_OF_FORCE &&
                  plain->channel[i].needs == 0;
    if (wanted) channel[n++] = i, total++;
    if (n == 0 || (n < 6 && i < plain->n_channels)) continue;
    hk_model *m = reading_model(plain, channel, n);
    hk_check_tangent_model(trial(), m, m->force[m->n_forces - 1].item->type, &nowhere);
    hk_model_destroy(m);
    n = 0;
  }
  assert_int_equal(total, 6 * 12 + 4 + 2 * 2);
  hk_model_destroy(plain);
}

static void tangent_of_contact(void **state) {
  (void)state;
  every(HK_CONTACT, "tangent");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tangent_of_joint),
      cmocka_unit_test(tangent_of_motion),
      cmocka_unit_test(tangent_of_force),
      cmocka_unit_test(forces_that_read_forces),
      cmocka_unit_test(tangent_of_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
