/* A test model for every gap: two surfaces that touch within the first hundredths of a second, with any law that the gap
 * supports.  In each model a point mass called dust falls next to them. */
#ifndef HK_TEST_GAP_SCENE_H
#define HK_TEST_GAP_SCENE_H
#include "support/check.h"

typedef struct gap_scene {
  const char *gap;
  const char *
      bodies; /* lines of the file; `part` is the body that a weight presses, along -z, y and x */
  const char *contact; /* its keys except type and law */
  bool rigid_only;     /* the gap supports set-valued laws only */
} gap_scene;

#define SCENE_BALL(radius, at)                                           \
  "  part: {type: sphere, radius: " radius ", mass: 1 kg, position: " at \
  ", angular_velocity: [0, 1 rad/s, 0]}\n"
#define SCENE_PIN                                                                              \
  "  part: {type: cylinder, radius: 1 cm, length: 0.2 m, mass: 0.3 kg, position: [0, 0.9 mm, " \
  "0]}\n"
#define SCENE_PIN_SIZES "a: ground, b: part, bore_radius: 11 mm, pin_radius: 10 mm"
#define SCENE_GROOVE                                                                            \
  "a: ground, b: part, race: outer, pitch_radius: 0.1 m, ball_radius: 20 mm, track_radius: 21 " \
  "mm, "                                                                                        \
  "contact_angle: 45 deg, play: 0.1 mm"

static const gap_scene GAP_SCENES[] = {
    {"sphere_on_plane", SCENE_BALL("0.1 m", "[0, 0, 0.1001 m]"),
     "a: ground, b: part, radius: 0.1 m", false},
    {"point_on_plane", "  part: {type: point_mass, mass: 0.5 kg, position: [0, 0, 0.1 mm]}\n",
     "a: ground, b: part", false},
    {"sphere_on_sphere", SCENE_BALL("0.1 m", "[0.01 m, 0, 0.2 m]"),
     "a: ground, b: part, radius_a: 0.1 m, radius_b: 0.1 m", false},
    {"sphere_in_socket", SCENE_BALL("0.1 m", "[0, 0, -9.9 mm]"),
     "a: ground, b: part, socket_radius: 0.11 m, ball_radius: 0.1 m", false},
    {"sphere_in_bore", SCENE_BALL("0.1 m", "[0, 9.99 mm, 0]"),
     "a: ground, b: part, bore_radius: 0.11 m, sphere_radius: 0.1 m", false},
    {"pin_in_bush", SCENE_PIN, SCENE_PIN_SIZES ", length: 0.1 m", false},
    {"trunnion_in_bore", SCENE_PIN, SCENE_PIN_SIZES ", length: 0.1 m", false},
    {"pin_in_bush_planar", SCENE_PIN, SCENE_PIN_SIZES, false},
    {"corners_in_slot",
     "  part: {type: box, size: [0.2 m, 0.1 m, 0.1 m], mass: 1 kg, position: [0, 0.9 mm, 0]}\n",
     "a: ground, b: part, half_length: 0.1 m, half_height: 0.05 m, clearance: 1 mm", false},
    {"ball_in_window", SCENE_BALL("0.05 m", "[0, 0, -0.9 mm]"),
     "a: ground, b: part, half_width: 51 mm, ball_radius: 50 mm", false},
    {"ball_in_groove", SCENE_BALL("20 mm", "[0.1 m, 0.1 mm, 0]"), SCENE_GROOVE ", alpha: 0.1 rad",
     false},
    {"ball_in_curved_groove", SCENE_BALL("20 mm", "[0.1 m, 0.1 mm, 0]"),
     SCENE_GROOVE ", offset: 20 mm", false},
    {"ball_in_ring", SCENE_BALL("20 mm", "[0, 0.1 m, 0.1 mm]"),
     "a: ground, b: part, race: outer, ball_radius: 20 mm, groove_radius: 21 mm, center_radius: "
     "0.0991 m",
     false},
    {"universal_clearance",
     "  yoke: {type: rotor, inertia: 0.01 kg*m^2, rate: 10 rad/s}\n"
     "  cross: {type: rotor, inertia: 0.02 kg*m^2, rate: 8 rad/s}\n",
     "a: yoke, b: cross, clearance: 0.1 mm, arm: 30 mm, pin_radius: 8 mm, angle: 0.3 rad", true},
};

/* The model of a gap with a law ("hertz, stiffness: ...").  A gap without a scene fails the test; NULL: the law
 * is compliant, but the gap supports set-valued laws only. */
static inline hk_model *gap_scene_model(const char *gap, const char *law, bool rigid) {
  const gap_scene *s = NULL;
  for (size_t i = 0; i < sizeof GAP_SCENES / sizeof *GAP_SCENES; i++)
    if (strcmp(GAP_SCENES[i].gap, gap) == 0) s = &GAP_SCENES[i];
  if (!s) fail_msg("no scene for the gap '%s': add one to test/support/gap_scene.h", gap);
  if (!s || (s->rigid_only && !rigid)) return NULL;
  char text[3000];
  snprintf(
      text, sizeof text,
      "format: 1\n"
      "bodies:\n"
      "  dust: {type: point_mass, mass: 0.2 kg, position: [0, 5 m, 0], velocity: [0.5 m/s, 0, 0]}\n"
      "%s"
      "laws: {touch: {type: %s}}\n"
      "contacts: {subject: {type: %s, %s, law: touch}}\n"
      "forces: {weight: {type: gravity, acceleration: [0.3 m/s^2, 1 m/s^2, -9.81 m/s^2]}}\n",
      s->bodies, law, s->gap, s->contact);
  return model_of(text);
}

/* Time in contact and number of impacts of the contact of a scene, summed over its points. */
static inline double gap_scene_touched(hk_sim *sim, const hk_model *m) {
  double sum = 0;
  for (int i = 0; i < hk_model_channel_count(m); i++) {
    const char *name = hk_model_channel_name(m, i), *dot = strrchr(name, '.');
    if (strncmp(name, "subject.", 8) != 0) continue;
    if (strcmp(dot, ".closed_time") == 0 || strcmp(dot, ".impacts") == 0)
      sum += hk_sim_value(sim, i);
  }
  return sum;
}
#endif
