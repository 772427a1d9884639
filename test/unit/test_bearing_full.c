/* ball_bearing, fidelity: full, against the quasi-static bearing at rest and against closed forms in motion. */
#include "support/check.h"
#include <hooke/linear.h>
#include <hooke/quality.h>

static const double D = 9.525e-3, DM = 46e-3, DENSITY = 7800, W = 628.3185307179587;

#define SIZES                                                                       \
  "a: ground, b: rotor, balls: 9, ball_diameter: 9.525 mm, pitch_diameter: 46 mm, " \
  "conformity_inner: 0.515, conformity_outer: 0.525"
#define BODY "{mass: 6 kg, inertia: [0.02 kg*m^2, 0.02 kg*m^2, 0.01 kg*m^2]"

/* ---- at rest ---- */

static hk_sim *rest(const char *fidelity, const char *more, const char *load, const char *joint,
                    hk_model **m) {
  char text[2000];
  hk_sim *sim;
  hk_error err = {0};
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies: {rotor: " BODY
           "}}\n"
           "joints:\n"
           "  %s\n"
           "  front: {type: ball_bearing, fidelity: %s, " SIZES
           ", %s}\n"
           "forces: {load: {type: load, b: rotor, force: [%s]}}\n"
           "analysis: {duration: 1 ms}\n",
           joint, fidelity, more, load);
  *m = model_of(text);
  if (hk_static_solve(*m, NULL, &sim, NULL, NULL, &err)) fail_msg("%s", err.text);
  return sim;
}

/* Tight pockets and lands keep the balls at the azimuths of the quasi-static bearing. */
static void radial_load(void **state) {
  (void)state;
  const char *plane = "plane: {type: planar, a: ground, b: rotor}";
  hk_model *m[2];
  hk_sim *s[2] = {rest("full",
                       "clearance: -10 um, pocket_clearance: 0.002 um, guidance: outer_ring, "
                       "guide_clearance: 0.002 um",
                       "500 N, 0 N, 0 N", plane, &m[0]),
                  rest("quasi_static", "clearance: -10 um", "500 N, 0 N, 0 N", plane, &m[1])};
  double x = channel(s[1], m[1], "rotor.x");
  assert_true(x > 3e-6);
  assert_near(channel(s[0], m[0], "rotor.x"), x, 2e-4 * x, "displacement");
  for (int k = 0; k < 9; k++) {
    char full[64], quasi[64];
    snprintf(full, sizeof full, "front.inner[%d].normal_force", k);
    snprintf(quasi, sizeof quasi, "front.balls.element[%d].load_inner", k);
    double Q = channel(s[1], m[1], quasi);
    assert_near(channel(s[0], m[0], full), Q, 5e-4 * Q, "load of ball %d", k);
  }
  double p = channel(s[1], m[1], "front.pressure_max");
  assert_near(channel(s[0], m[0], "front.pressure_max"), p, 2e-4 * p, "pressure");
  for (int i = 0; i < 2; i++) hk_sim_destroy(s[i]), hk_model_destroy(m[i]);
}

static void axial_load(void **state) {
  (void)state;
  const char *kind = "kind: angular_contact, contact_angle: 25 deg",
             *slide = "slide: {type: prismatic, a: ground, b: rotor}";
  hk_model *m[2];
  hk_sim *s[2] = {rest("full", kind, "0 N, 0 N, 1000 N", slide, &m[0]),
                  rest("quasi_static", kind, "0 N, 0 N, 1000 N", slide, &m[1])};
  const char *const pair[][2] = {
      {"rotor.z", "rotor.z"},
      {"front.inner[2].normal_force", "front.balls.element[2].load_inner"},
      {"front.outer[7].normal_force", "front.balls.element[7].load_outer"},
      {"front.angle_inner[4]", "front.balls.element[4].angle_inner"},
      {"front.angle_outer[4]", "front.balls.element[4].angle_outer"}};
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    double wanted = channel(s[1], m[1], pair[i][1]);
    assert_near(channel(s[0], m[0], pair[i][0]), wanted, 1e-6 * fabs(wanted), "%s", pair[i][0]);
  }
  for (int i = 0; i < 2; i++) hk_sim_destroy(s[i]), hk_model_destroy(m[i]);
}

/* ---- in motion ---- */

/* The shaft rotates about a fixed axis at W; the bearing has an interference of 10 um. */
static hk_sim *turning(const char *start, const char *more, const char *drag, hk_model **m) {
  char text[2000];
  snprintf(text, sizeof text,
           "format: 1\n"
           "bodies: {rotor: " BODY
           ", angular_velocity: [0, 0, %s]}}\n"
           "joints:\n"
           "  hinge: {type: revolute, a: ground, b: rotor}\n"
           "  front: {type: ball_bearing, fidelity: full, " SIZES
           ", clearance: -10 um, damping: 50 N*s/m, cage_friction: 0, %s}\n"
           "forces: {drag: {type: load, b: front.cage, torque: [0 N*m, 0 N*m, %s]}}\n"
           "motions: {turn: {coordinate: hinge.angle, value: 628.3185307179587 rad/s * t}}\n"
           "analysis: {duration: 20 ms, max_step: 10 us}\n",
           start, more, drag);
  *m = model_of(text);
  return sim_of(*m, NULL);
}

static void advance(hk_sim *s, double t) {
  hk_error err = {0};
  if (hk_sim_advance(s, t, &err)) fail_msg("%s", err.text);
}

typedef struct rolling {
  double rho, R_i,
      R_o; /* position of the ball's centre; positions of the contacts relative to it */
  double Q_i, Q_o, orbit, spin;
} rolling;

static rolling rolling_of(hk_sim *s, const hk_model *m) {
  const double x = channel(s, m, "front.ball[0].x"), y = channel(s, m, "front.ball[0].y");
  return (rolling){
      .rho = hypot(x, y),
      .R_i = 0.5 * (D + channel(s, m, "front.inner[0].gap")),
      .R_o = 0.5 * (D + channel(s, m, "front.outer[0].gap")),
      .Q_i = channel(s, m, "front.inner[0].normal_force"),
      .Q_o = channel(s, m, "front.outer[0].normal_force"),
      .orbit = (x * channel(s, m, "front.ball[0].vy") - y * channel(s, m, "front.ball[0].vx")) /
               (x * x + y * y),
      .spin = channel(s, m, "front.ball[0].wz")};
}

/* Rolling without slip: the cage has the speed of an epicyclic gear, with the actual radii. */
static void epicyclic(void **state) {
  (void)state;
  hk_model *m;
  hk_sim *s = turning("628.3185307179587 rad/s", "traction: 0.1", "0 N*m", &m);
  advance(s, 15e-3);
  const rolling b = rolling_of(s, m);
  const double mass = DENSITY * M_PI / 6 * D * D * D;
  /* orbit rho + spin R_o = 0;  orbit rho - spin R_i = W (rho - R_i) */
  const double orbit = W * (b.rho - b.R_i) * b.R_o / (b.rho * (b.R_i + b.R_o));
  assert_near(b.orbit, orbit, 1e-7 * orbit, "orbit");
  assert_near(b.spin, -orbit * b.rho / b.R_o, 1e-6 * fabs(b.spin), "spin");
  assert_near(b.orbit, 0.5 * W * (1 - D / DM), 2e-4 * orbit, "nominal orbit");
  assert_near(channel(s, m, "front.cage_angle_rate"), orbit, 2e-4 * orbit, "cage");
  assert_near(b.Q_o - b.Q_i, mass * orbit * orbit * b.rho, 1e-4, "centrifugal force");
  assert_near(channel(s, m, "front.torque_b"), 0, 1e-5, "torque");
  hk_sim_destroy(s), hk_model_destroy(m);
}

/* A drag on the cage: each race carries half of each ball's part of it by slip. */
static void drag(void **state) {
  (void)state;
  const double T = 0.2, v_g = 0.02, mu = 0.1;
  hk_model *m;
  hk_sim *s = turning("628.3185307179587 rad/s", "traction: 0.1, traction_velocity: 0.02 m/s",
                      "0 N*m - 0.2 N*m", &m);
  advance(s, 20e-3);
  const rolling b = rolling_of(s, m);
  const double F = T / (9 * b.rho), x_i = 0.5 * F / (mu * b.Q_i), x_o = 0.5 * F / (mu * b.Q_o);
  const double v_i = v_g * x_i / sqrt(1 - x_i * x_i), v_o = v_g * x_o / sqrt(1 - x_o * x_o);
  assert_near(channel(s, m, "front.inner[0].slip"), v_i, 5e-3 * v_i, "slip of the inner race");
  assert_near(channel(s, m, "front.outer[0].slip"), v_o, 5e-3 * v_o, "slip of the outer race");
  assert_near(channel(s, m, "front.torque_b"), -T * (b.rho - b.R_i) / (2 * b.rho), 5e-4 * T,
              "torque on the inner ring");
  assert_near(channel(s, m, "front.torque_a"), -T * (b.rho + b.R_o) / (2 * b.rho), 5e-4 * T,
              "torque on the outer ring");
  hk_quality *quality;
  hk_error err = {0};
  assert_int_equal(hk_sim_quality(s, &quality, &err), HK_OK);
  const hk_indicator *energy = hk_quality_find(quality, HK_QUALITY_ENERGY);
  assert_non_null(energy);
  assert_true(energy->amount < 1e-4 * T * W * 20e-3); /* relative to the work of the drag */
  hk_quality_destroy(quality);
  hk_sim_destroy(s), hk_model_destroy(m);
}

/* Nothing slides in a lightly loaded bearing without drag, so its mean friction torque is zero with the default tolerance. */
static void no_friction_of_tolerance(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  rotor: {mass: 6 kg, inertia: [0.02 kg*m^2, 0.02 kg*m^2, 0.01 kg*m^2],\n"
      "          position: [9 um, 0.1 um, 0 um], angular_velocity: [0, 0, 2400 rpm]}\n"
      "joints:\n"
      "  plane: {type: planar, a: ground, b: rotor}\n"
      "  front: {type: ball_bearing, fidelity: full, a: ground, b: rotor, balls: 9, ball_diameter: "
      "9.525 mm,\n"
      "          pitch_diameter: 46 mm, conformity_inner: 0.515, conformity_outer: 0.525, "
      "clearance: 12 um}\n"
      "forces:\n"
      "  weight: {type: load, b: rotor, force: [60 N, 0 N, 0 N]}\n"
      "  air: {type: bearing, a: ground, b: rotor, radial_damping: 200 N*s/m}\n"
      "motions: {turn: {coordinate: plane.angle, value: 2400 rpm * t}}\n"
      "analysis: {duration: 40 ms}\n");
  hk_sim *s = sim_of(m, NULL);
  double mean = 0;
  enum { N = 200 };
  advance(s, 20e-3);
  for (int i = 1; i <= N; i++) {
    advance(s, 20e-3 + i * (20e-3 / N));
    mean += channel(s, m, "front.friction_torque") / N;
  }
  assert_near(mean, 0, 2e-5, "mean friction torque");
  hk_sim_destroy(s), hk_model_destroy(m);
}

/* Balls at rest, shaft at speed: they roll on the outer race and slide on the inner one until
 * t = 0.35 m W r_i/(mu Q_i). */
static void run_up(void **state) {
  (void)state;
  const double mass = DENSITY * M_PI / 6 * D * D * D, mu = 0.05;
  hk_model *m;
  hk_sim *s = turning("0 rad/s",
                      "traction: 0.05, traction_velocity: 2 mm/s, cage_mass: 1e-3 g, "
                      "pocket_clearance: 0.3 mm, cage_restitution: 0.1",
                      "0 N*m", &m);
  double t = 0, slip = 1;
  advance(s, 1e-3);
  const rolling b = rolling_of(s, m);
  const double wanted = 0.35 * mass * W * (0.5 * DM - 0.5 * D) / (mu * b.Q_i);
  assert_true(channel(s, m, "front.outer[3].slip") < 0.02);
  assert_near(channel(s, m, "front.inner[3].slip"), (1 - 1e-3 / wanted) * W * 0.5 * (DM - D),
              0.02 * W * 0.5 * (DM - D), "slip of the inner race");
  for (t = 1e-3; t < 5e-3 && slip > 0.01 * W * 0.5 * (DM - D); t += 2e-5) {
    advance(s, t);
    slip = channel(s, m, "front.inner[3].slip");
  }
  assert_near(t, 0.99 * wanted, 0.02 * wanted, "time until the balls roll");
  hk_sim_destroy(s), hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(radial_load),
                                     cmocka_unit_test(axial_load),
                                     cmocka_unit_test(epicyclic),
                                     cmocka_unit_test(drag),
                                     cmocka_unit_test(no_friction_of_tolerance),
                                     cmocka_unit_test(run_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
