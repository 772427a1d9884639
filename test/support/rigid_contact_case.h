/* Motions with rigid contacts and known solutions: a ball that bounces and comes to rest, one that slides until
 * it rolls, a block on a slope.  For every integrator that supports set-valued contacts. */
#ifndef RIGID_CONTACT_CASE_H
#define RIGID_CONTACT_CASE_H
#include <math.h>

#include "support/check.h"

/* A model from pieces of text; the caller destroys it. */
static hk_model *model_with(const char *format, ...) __attribute__((format(printf, 1, 2)));
static hk_model *model_with(const char *format, ...) {
  static char text[8192];
  va_list args;
  va_start(args, format);
  int n = snprintf(text, sizeof text, "format: 1\n");
  vsnprintf(text + n, sizeof text - (size_t)n, format, args);
  va_end(args);
  return model_of(text);
}

static void advance(hk_sim *sim, double t) {
  hk_error err = {0};
  if (hk_sim_advance(sim, t, &err)) fail_msg("%s", err.text);
}

/* A ball of 2 kg, 0.5 m above the floor; velocity along x and y, friction, restitutions. */
static const char BALL[] =
    "bodies:\n"
    "  ball: {type: sphere, radius: 0.1 m, mass: 2 kg, position: [0, 0, 0.6 m], velocity: [%g m/s, "
    "%g m/s, 0]}\n"
    "forces:\n"
    "  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
    "laws:\n"
    "  dry: {type: signorini, mu: %g, restitution_normal: %g, restitution_tangential: %g}\n"
    "contacts:\n"
    "  floor: {type: sphere_on_plane, a: ground, b: ball, radius: 0.1 m, law: dry}\n";

/* The ball rests on the floor after all its bounces. */
static inline void check_rest(hk_sim *sim, const hk_model *m, double lost) {
  assert_near(channel(sim, m, "ball.vz"), 0, 1e-12, "at rest");
  assert_near(channel(sim, m, "floor.gap"), 0, 1e-12, "on the floor");
  assert_near(channel(sim, m, "floor.normal_force"), 20, 1e-9, "carries the weight");
  assert_near(channel(sim, m, "energy.dissipated"), 10, lost, "all energy is lost");
}

/* A ball that is thrown along the floor with the velocity v0 along (3, 4)/5: sliding ends at 5/7 v0, and the
 * direction does not change. */
static const char ROLLING[] =
    "bodies:\n"
    "  ball: {type: sphere, radius: 0.1 m, mass: 2 kg, position: [0, 0, 0.1 m], velocity: [3 "
    "m/s, 4 m/s, 0]}\n"
    "forces:\n  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
    "laws:\n  dry: {type: signorini, mu: 0.2}\n"
    "contacts:\n"
    "  floor: {type: sphere_on_plane, a: ground, b: ball, radius: 0.1 m, law: dry}\n";

static inline void check_rolling(hk_sim *sim, const hk_model *m, double sliding) {
  double v0 = 5, end = 2.0 / 7 * v0 / (0.2 * 10); /* mu g t = 2/7 v0 */
  advance(sim, end / 2);
  assert_near(hypot(channel(sim, m, "ball.vx"), channel(sim, m, "ball.vy")),
              v0 - 0.2 * 10 * end / 2, sliding, "speed while it slides");
  assert_near(channel(sim, m, "floor.friction_force"), 0.2 * 20, 1e-9, "friction");
  advance(sim, end + 0.2);
  double vx = channel(sim, m, "ball.vx"), vy = channel(sim, m, "ball.vy");
  assert_near(hypot(vx, vy), 5.0 / 7 * v0, 5e-3, "speed when it rolls");
  assert_near(vy / vx, 4.0 / 3, 1e-9, "direction");
  assert_near(channel(sim, m, "floor.friction_force"), 0, 1e-8, "no friction when it rolls");
  assert_near(channel(sim, m, "ball.wy") * 0.1, vx, 1e-9, "rolls in x");
  assert_near(channel(sim, m, "floor.sliding_work"), 0.5 * 2 * 25 * 2.0 / 7, 2e-2, "sliding work");
  assert_near(channel(sim, m, "energy.balance_error"), 0, 2e-2, "balance");
  assert_near(channel(sim, m, "floor.gap"), 0, 1e-12, "stays on the floor");
}

/* A block on a slope of 30 degrees with friction mu sticks if mu > tan 30; otherwise it slides with the
 * acceleration g (sin - mu cos). */
static const char SLOPE[] =
    "bodies:\n"
    "  ground: {markers: {slope: {orientation: {axis: y, angle: 30 deg}}}}\n"
    "  block: {type: point_mass, mass: 1 kg}\n"
    "forces:\n  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
    "laws:\n  dry: {type: signorini, mu: %g}\n"
    "contacts:\n"
    "  slope: {type: point_on_plane, a: ground.slope, b: block, law: dry}\n";

static inline void check_slope(hk_sim *sim, const hk_model *m, double mu, double sticks,
                               double slides) {
  advance(sim, 0.5);
  double s = hypot(channel(sim, m, "block.x"), channel(sim, m, "block.z"));
  double a = mu > tan(M_PI / 6) ? 0 : 10 * (sin(M_PI / 6) - mu * cos(M_PI / 6));
  assert_near(s, 0.5 * a * 0.25, a > 0 ? slides : sticks, "displacement down the slope");
  assert_near(channel(sim, m, "slope.friction_force"),
              fmin(10 * sin(M_PI / 6), mu * 10 * cos(M_PI / 6)), 1e-9, "friction");
}
#endif
