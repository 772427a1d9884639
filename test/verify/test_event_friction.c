/* The event-driven integrator with friction that couples contacts, starts and ends: against closed
 * forms, against ordinary integration of the remaining degree of freedom, and as the limit of the
 * time-stepping integrators, which do not locate events. */
#include "verify.h"

static const char TABLE[] = "event_friction";
static const hk_sim_options TIGHT = {.stepper = "event_driven", .rtol = 1e-11, .atol = 1e-13};

static void run(vf_case *c, const hk_sim_options *options, double end) {
  vf_start(c, options);
  vf_advance(c, end);
}

static void balanced(vf_case *c, const char *name, double limit) {
  vf_bound(TABLE, name, "energy balance, J", fabs(vf_value(c, "energy.balance_error")), limit,
           "definition");
}

/* Three positions at `end` by event-driven integration, and the deviation of a time-stepping
 * integrator with the step h. */
typedef struct comparison {
  const char *name;
  const char *channel[3];
  double end, place[3];
} comparison;

static comparison places(vf_case *c, const char *name, double end, const char *const channel[3]) {
  comparison r = {.name = name, .end = end};
  run(c, &TIGHT, end);
  for (int k = 0; k < 3; k++) {
    r.channel[k] = channel[k];
    r.place[k] = vf_value(c, channel[k]);
  }
  return r;
}

static double distance(vf_case *c, const comparison *r, const char *stepper, double h) {
  double most = 0;
  run(c, &(hk_sim_options){.stepper = stepper, .step = h}, r->end);
  for (int k = 0; k < 3; k++) most = fmax(most, fabs(vf_value(c, r->channel[k]) - r->place[k]));
  return most;
}

/* With a shorter step the deviation of a time-stepping integrator decreases by its order, down to
 * `left`. */
static void is_limit_of(vf_case *c, const comparison *r, const char *stepper, const double h[2],
                        double order, double left) {
  double error[2];
  for (int i = 0; i < 2; i++) error[i] = distance(c, r, stepper, h[i]);
  vf_check(TABLE, r->name, "order", vf_slope(h, error, 2), order, 0.25, stepper);
  vf_bound(TABLE, r->name, "at the shorter step", error[1], left, stepper);
}

static void agrees_with(vf_case *c, const comparison *r, const char *stepper, double h,
                        double left) {
  vf_bound(TABLE, r->name, "difference, m", distance(c, r, stepper, h), left, stepper);
}

static const char *const PLACE[] = {"b.x", "b.y", "b.z"};

/* ---- pressure and friction ---- */

/* About the hinge: 0.2 (50 - N) = 0.3 mu N if the belt drags the pad away from it (trailing), with
 * the opposite sign if the belt drags the pad towards it (leading). */
static void brake_shoe(void **state) {
  (void)state;
  vf_case c;
  vf_file(&c, "test/repro/event_driven_trailing_shoe.yaml", NULL, 0);
  run(&c, &TIGHT, 0.1);
  vf_check(TABLE, "trailing shoe", "pressure, N", vf_value(&c, "c.normal_force"),
           10 / (0.2 + 0.3 * 0.7), 1e-10, "closed form");
  vf_check(TABLE, "trailing shoe", "force of the belt, N", vf_value(&c, "drive.effort"),
           7 / (0.2 + 0.3 * 0.7), 1e-10, "closed form");
  balanced(&c, "trailing shoe", 1e-12);
  vf_close(&c);
  /* A belt that moves back and forth from rest; nothing can stick, because the motion of the belt
   * is prescribed. */
  const hk_override set[] = {{"laws.dry.mu", "0.5"},
                             {"bodies.belt.velocity", "[0, 0, 0]"},
                             {"motions.drive.value", "0.1 m * sin(6 rad/s * t)^2"}};
  vf_file(&c, "test/repro/event_driven_trailing_shoe.yaml", set, 3);
  run(&c, &TIGHT, 0.2);
  vf_check(TABLE, "shoe on a belt to and fro", "trailing, N", vf_value(&c, "c.normal_force"),
           10 / 0.35, 1e-10, "closed form");
  vf_advance(&c, 0.4);
  vf_check(TABLE, "shoe on a belt to and fro", "leading, N", vf_value(&c, "c.normal_force"),
           10 / 0.05, 1e-9, "closed form");
  vf_advance(&c, 1);
  /* 0.1 m forward and back: friction dissipates mu N times the distance; t = 1 s is within the
   * second forward stroke. */
  double way = 0.1 * sin(6) * sin(6), there = 0.5 * 10 / 0.35, back = 0.5 * 10 / 0.05;
  vf_check(TABLE, "shoe on a belt to and fro", "sliding work, J", vf_value(&c, "c.sliding_work"),
           0.1 * (there + back) + 0.1 * there + (0.1 - way) * back, 1e-9, "closed form");
  balanced(&c, "shoe on a belt to and fro", 1e-9); /* of 65 J */
  vf_close(&c);
}

/* The lower block slides when 40 t exceeds 0.3 * 30, the upper one slides on it when (40 t - 9)/3
 * exceeds 0.2 * 10. */
static void stacked_blocks(void **state) {
  (void)state;
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  low: {type: box, size: [0.4 m, 0.2 m, 0.1 m], mass: 2 kg, position: [0, 0, 50 mm],\n"
          "    markers: {r: [0.2 m, 0, -50 mm], l: [-0.2 m, 0, -50 mm], top: [0, 0, 50 mm]}}\n"
          "  up: {type: box, size: [0.2 m, 0.2 m, 0.1 m], mass: 1 kg, position: [0, 0, 0.15 m],\n"
          "    markers: {r: [0.1 m, 0, -50 mm], l: [-0.1 m, 0, -50 mm]}}\n"
          "joints: {p: {type: planar, b: low, axis: y}, q: {type: planar, b: up, axis: y}}\n"
          "forces:\n"
          "  weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}\n"
          "  push: {type: load, b: low, force: [40 N/s * t, 0, 0]}\n"
          "laws: {s: {type: signorini, mu: 0.3}, u: {type: signorini, mu: 0.2}}\n"
          "contacts:\n"
          "  r: {type: point_on_plane, a: ground, b: low.r, law: s}\n"
          "  l: {type: point_on_plane, a: ground, b: low.l, law: s}\n"
          "  ur: {type: point_on_plane, a: low.top, b: up.r, law: u}\n"
          "  ul: {type: point_on_plane, a: low.top, b: up.l, law: u}\n");
  run(&c, &TIGHT, 0.6);
  double t1 = 0.225, t2 = 0.375, T = 0.6, d = t2 - t1, e = T - t2;
  double v2 = 20 * d * d / 3, x2 = 20 * d * d * d / 9; /* both from t1 to t2: a = 40 (t - t1)/3 */
  /* then the upper block has the acceleration 2, the lower one (40 t - 11)/2 = 2 + 20 (t - t2) */
  vf_check(TABLE, "stacked blocks", "upper, m", vf_value(&c, "up.x"), x2 + v2 * e + e * e, 1e-11,
           "closed form");
  vf_check(TABLE, "stacked blocks", "lower, m", vf_value(&c, "low.x"),
           x2 + v2 * e + e * e + 10 * e * e * e / 3, 1e-11, "closed form");
  balanced(&c, "stacked blocks", 1e-12);
  vf_close(&c);
}

/* A disc with backspin: v - mu g t until v = -R w, then it rolls back with (2 v0 - R w0)/3. */
static void disc_rolls_back(void **state) {
  (void)state;
  vf_case c;
  vf_text(
      &c,
      "bodies: {disc: {type: cylinder, radius: 0.1 m, length: 50 mm, mass: 1 kg,\n"
      "  position: [0, 0, 0.1 m], orientation: {axis: x, angle: 90 deg},\n"
      "  velocity: [1 m/s, 0, 0], angular_velocity: [0, -40 rad/s, 0]}}\n"
      "joints: {p: {type: planar, b: disc, axis: y}}\n"
      "forces: {weight: {type: gravity, acceleration: [0, 0, -10 m/s^2]}}\n"
      "laws: {dry: {type: signorini, mu: 0.2}}\n"
      "contacts: {floor: {type: sphere_on_plane, a: ground, b: disc, law: dry, radius: 0.1 m}}\n");
  run(&c, &TIGHT, 2);
  double v = -2.0 / 3, t = (1 - v) / 2;
  vf_check(TABLE, "disc rolls back", "velocity, m/s", vf_value(&c, "disc.vx"), v, 1e-11,
           "closed form");
  vf_check(TABLE, "disc rolls back", "way, m", vf_value(&c, "disc.x"), t - t * t + v * (2 - t),
           1e-11, "closed form");
  balanced(&c, "disc rolls back", 1e-11);
  vf_close(&c);
}

/* ---- to rest in space ---- */

/* A box on four corners slides across a slope.  With the pull f down the slope, friction p and phi
 * the angle between velocity and pull: s' = f cos phi - p, s phi' = -f sin phi, so s sin
 * phi/tan(phi/2)^(p/f) is constant; the displacement is the integral of s^2 (cos phi, sin phi)/(f
 * sin phi) from 0 to the initial angle. */
static void box_across_a_slope(void **state) {
  (void)state;
  const double f = 3, p = 4.5, s0 = 1.3, phi0 = atan2(0.5, -1.2);
  double x = 0, y = 0;
  enum { N = 4000 };
  for (int i = 0; i <= N; i++) {
    double phi = fmax(phi0 * i / N, 1e-9), weight = i == 0 || i == N ? 1 : i % 2 ? 4 : 2;
    double s = s0 * sin(phi0) / sin(phi) * pow(tan(phi / 2) / tan(phi0 / 2), p / f);
    x += weight * s * s * cos(phi) / (f * sin(phi)) * phi0 / N / 3;
    y += weight * s * s / f * phi0 / N / 3;
  }
  vf_case c;
  vf_text(&c,
          "bodies: {box: {type: box, size: [0.2 m, 0.1 m, 60 mm], mass: 2 kg,\n"
          "  position: [0, 0, 30 mm], velocity: [1.2 m/s, 0.5 m/s, 0], markers: {\n"
          "  a: [0.1 m, 50 mm, -30 mm], b: [0.1 m, -50 mm, -30 mm], c: [-0.1 m, 50 mm, -30 mm],\n"
          "  d: [-0.1 m, -50 mm, -30 mm]}}}\n"
          "forces: {weight: {type: gravity, acceleration: [-3 m/s^2, 0, -9 m/s^2]}}\n"
          "laws: {dry: {type: signorini, mu: 0.5}}\n"
          "contacts:\n"
          "  a: {type: point_on_plane, a: ground, b: box.a, law: dry}\n"
          "  b: {type: point_on_plane, a: ground, b: box.b, law: dry}\n"
          "  c: {type: point_on_plane, a: ground, b: box.c, law: dry}\n"
          "  d: {type: point_on_plane, a: ground, b: box.d, law: dry}\n");
  run(&c, &TIGHT, 0.6);
  vf_check(TABLE, "box across a slope", "x at rest, m", vf_value(&c, "box.x"), -x, 1e-10,
           "quadrature");
  vf_check(TABLE, "box across a slope", "y at rest, m", vf_value(&c, "box.y"), y, 1e-10,
           "quadrature");
  vf_bound(TABLE, "box across a slope", "speed at rest, m/s",
           hypot(vf_value(&c, "box.vx"), vf_value(&c, "box.vy")), 1e-15, "closed form");
  vf_check(TABLE, "box across a slope", "friction at rest, N",
           vf_value(&c, "a.friction_force") + vf_value(&c, "b.friction_force") +
               vf_value(&c, "c.friction_force") + vf_value(&c, "d.friction_force"),
           6, 1e-9, "closed form");
  balanced(&c, "box across a slope", 1e-9);
  vf_close(&c);
}

static void rod_end_comes_to_rest(void **state) {
  (void)state;
  const double h[] = {4e-5, 1e-5};
  vf_case c;
  vf_file(&c, "test/repro/event_driven_stop_3d.yaml", NULL, 0);
  comparison r = places(&c, "rod end stops in space", 0.03, PLACE);
  is_limit_of(&c, &r, "nonsmooth_alpha", h, 2, 1e-9);
  run(&c, &TIGHT, 0.03);
  balanced(&c, "rod end stops in space", 1e-12);
  vf_close(&c);
}

/* Impacts at both ends, then the rod lies at rest on both. */
static void rod_comes_to_lie(void **state) {
  (void)state;
  const double h[] = {1e-4, 5e-5};
  const hk_override set[] = {{"analysis.output_step", "10 ms"}};
  vf_case c;
  vf_file(&c, "test/repro/event_driven_rod_stop.yaml", set, 1);
  comparison r = places(&c, "rod falls and lies", 1, PLACE);
  is_limit_of(&c, &r, "nonsmooth_alpha", h, 2, 1e-8);
  run(&c, &TIGHT, 1);
  vf_bound(TABLE, "rod falls and lies", "height, m", fabs(vf_value(&c, "b.z")), 1e-15,
           "closed form");
  vf_check(TABLE, "rod falls and lies", "pressure, N", vf_value(&c, "c.normal_force"),
           vf_value(&c, "d.normal_force"), 1e-12, "closed form");
  vf_check(TABLE, "rod falls and lies", "pressures, N",
           vf_value(&c, "c.normal_force") + vf_value(&c, "d.normal_force"), 9.81, 1e-9,
           "closed form");
  balanced(&c, "rod falls and lies", 1e-11);
  vf_close(&c);
}

static const char STOOL[] =
    "bodies: {b: {type: box, size: [0.4 m, 0.4 m, 20 mm], mass: 2 kg, position: [0, 0, 0.3 m], %s\n"
    "  markers: {a: [0.2 m, 0, -0.3 m], b: [-0.1 m, 0.15 m, -0.3 m], c: [-0.1 m, -0.2 m, -0.3 m],\n"
    "  hook: [0.1 m, 0.2 m, -0.3 m]}}}\n"
    "forces: {weight: {type: gravity}%s}\n"
    "laws: {dry: {type: signorini, mu: 0.4}}\n"
    "contacts:\n"
    "  a: {type: point_on_plane, a: ground, b: b.a, law: dry}\n"
    "  b: {type: point_on_plane, a: ground, b: b.b, law: dry}\n"
    "  c: {type: point_on_plane, a: ground, b: b.c, law: dry}\n";

/* Three legs that slide and rotate to rest together, and three legs that carry a growing off-centre
 * pull until no distribution of friction forces can hold it: then all of them slide. */
static void stool_on_three_legs(void **state) {
  (void)state;
  const double h[] = {4e-4, 2e-4}, coarse[] = {1e-3, 5e-4};
  vf_case c;
  vf_text(&c, STOOL, "velocity: [1 m/s, 0.3 m/s, 0], angular_velocity: [0, 0, 4 rad/s],", "");
  comparison rest = places(&c, "stool slides to rest", 0.6, PLACE);
  vf_bound(TABLE, rest.name, "speed at rest, m/s",
           hypot(vf_value(&c, "b.vx"), vf_value(&c, "b.wz")), 1e-15, "closed form");
  balanced(&c, rest.name, 1e-8);
  is_limit_of(&c, &rest, "moreau", h, 1, 2e-5);
  agrees_with(&c, &rest, "nonsmooth_alpha", 1e-4, 2e-7);
  vf_close(&c);
  vf_text(&c, STOOL, "", ", pull: {type: load, b: b.hook, force: [5 N/s * t, 2 N/s * t, 0]}");
  comparison off = places(&c, "stool is pulled off", 2, PLACE);
  balanced(&c, off.name, 1e-8);
  is_limit_of(&c, &off, "moreau", coarse, 1, 1e-4);
  vf_close(&c);
}

/* ---- sliding that begins and ends, on and on ---- */

static void ball_in_a_bowl(void **state) {
  (void)state;
  const double h[] = {2e-4, 1e-4};
  vf_case c;
  vf_text(
      &c,
      "bodies: {b: {type: sphere, radius: 20 mm, mass: 0.1 kg,\n"
      "  position: [80 mm * sin(45 deg), 0, -80 mm * cos(45 deg)], velocity: [0, 0.3 m/s, 0]}}\n"
      "forces: {weight: {type: gravity}}\n"
      "laws: {dry: {type: signorini, mu: 0.15}}\n"
      "contacts: {c: {type: sphere_in_socket, a: ground, b: b, law: dry, socket_radius: 0.1 m,\n"
      "  ball_radius: 20 mm}}\n");
  comparison r = places(&c, "ball slips in a bowl", 0.5, PLACE);
  is_limit_of(&c, &r, "nonsmooth_alpha", h, 2, 1e-6);
  run(&c, &TIGHT, 1);
  balanced(&c, "ball slips in a bowl", 1e-11);
  vf_close(&c);
}

static void top_on_a_plane(void **state) {
  (void)state;
  const double h[] = {2e-4, 1e-4};
  vf_case c;
  vf_text(&c,
          "bodies: {b: {mass: 0.1 kg, inertia: [8e-5 kg*m^2, 8e-5 kg*m^2, 5e-5 kg*m^2],\n"
          "  position: [30 mm * sin(20 deg), 0, 30 mm * cos(20 deg) + 2 mm],\n"
          "  orientation: {axis: y, angle: 20 deg},\n"
          "  angular_velocity: [60 rad/s * sin(20 deg), 0, 60 rad/s * cos(20 deg)],\n"
          "  markers: {tip: [0, 0, -30 mm]}}}\n"
          "forces: {weight: {type: gravity}}\n"
          "laws: {dry: {type: signorini, mu: 0.1}}\n"
          "contacts: {c: {type: sphere_on_plane, a: ground, b: b.tip, law: dry, radius: 2 mm}}\n");
  comparison r = places(&c, "top on a rough plane", 0.5, PLACE);
  is_limit_of(&c, &r, "nonsmooth_alpha", h, 2, 2e-6);
  run(&c, &TIGHT, 0.5);
  balanced(&c, "top on a rough plane", 1e-11);
  vf_close(&c);
}

static void rod_leaves_a_wall(void **state) {
  (void)state;
  const double h[] = {2e-4, 1e-4};
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  ground: {markers: {wall: {orientation: {z: x}}}}\n"
          "  b: {type: rod, length: 1 m, mass: 1 kg, orientation: {axis: y, angle: 70 deg},\n"
          "    position: [0.5 m * cos(70 deg), 0, 0.5 m * sin(70 deg)]}\n"
          "joints: {p: {type: planar, b: b, axis: y}}\n"
          "forces: {weight: {type: gravity}}\n"
          "laws: {dry: {type: signorini, mu: 0.1}}\n"
          "contacts:\n"
          "  floor: {type: point_on_plane, a: ground, b: b.end, law: dry}\n"
          "  wall: {type: point_on_plane, a: ground.wall, b: b.start, law: dry}\n");
  comparison r = places(&c, "rod leaves a wall", 0.6, PLACE);
  is_limit_of(&c, &r, "nonsmooth_alpha", h, 2, 1e-8);
  comparison gone = places(&c, "rod has left the wall", 0.8, PLACE);
  assert_true(vf_value(&c, "wall.gap") > 1e-3);
  agrees_with(&c, &gone, "nonsmooth_alpha", 1e-4, 1e-7);
  run(&c, &TIGHT, 0.8);
  balanced(&c, "rod leaves a wall", 1e-11);
  vf_close(&c);
  /* Without friction the rod separates from the wall when its upper end has fallen to two thirds of
   * its initial height. */
  const char *smooth = "laws: {dry: {type: signorini}}";
  vf_text(&c,
          "bodies:\n"
          "  ground: {markers: {wall: {orientation: {z: x}}}}\n"
          "  b: {type: rod, length: 1 m, mass: 1 kg, orientation: {axis: y, angle: 70 deg},\n"
          "    position: [0.5 m * cos(70 deg), 0, 0.5 m * sin(70 deg)]}\n"
          "joints: {p: {type: planar, b: b, axis: y}}\n"
          "forces: {weight: {type: gravity}}\n"
          "%s\n"
          "contacts:\n"
          "  floor: {type: point_on_plane, a: ground, b: b.end, law: dry}\n"
          "  wall: {type: point_on_plane, a: ground.wall, b: b.start, law: dry}\n",
          smooth);
  vf_start(&c, &TIGHT);
  vf_advance(&c, 0.01);
  while (vf_value(&c, "wall.normal_force") > 0 && hk_sim_time(c.sim) < 2)
    if (hk_sim_step(c.sim, 2, &c.err)) fail_msg("%s", c.err.text);
  vf_check(TABLE, "rod leaves a wall", "height without friction, m", vf_value(&c, "b.z"),
           sin(70 * M_PI / 180) / 3, 1e-10, "closed form");
  vf_close(&c);
}

static void slider_crank_with_a_stop(void **state) {
  (void)state;
  static const char *const channel[] = {"slider.x", "crank.x", "crank.z"};
  vf_case c;
  vf_text(
      &c,
      "bodies:\n"
      "  ground: {markers: {low: [0, 0, -25 mm], stop: {at: [0.55 m, 0, 0], orientation: {z: "
      "-x}}}}\n"
      "  crank: {type: rod, length: 0.2 m, mass: 0.5 kg, position: [0, 0, 0.1 m],\n"
      "    orientation: {axis: y, angle: -90 deg}, angular_velocity: [0, 8 rad/s, 0]}\n"
      "  rod: {type: rod, length: 0.5 m, mass: 0.5 kg, position: [0.229128784747792 m, 0, 0.1 m],\n"
      "    orientation: {axis: y, angle: 23.5781784782 deg}}\n"
      "  slider: {type: box, size: [0.1 m, 0.1 m, 50 mm], mass: 1 kg,\n"
      "    position: [0.458257569495584 m, 0, 0], markers: {nose: [50 mm, 0, 0], foot: [0, 0, -25 "
      "mm]}}\n"
      "joints:\n"
      "  o: {type: revolute, b: crank, at: [0, 0, 0], axis: y}\n"
      "  a: {type: revolute, a: crank, b: rod, at: [0, 0, 0.2 m], axis: y}\n"
      "  c: {type: revolute, a: rod, b: slider, at: [0.458257569495584 m, 0, 0], axis: y}\n"
      "  g: {type: orientation, a: ground, b: slider}\n"
      "forces: {weight: {type: gravity}, push: {type: load, b: slider, force: [0, 0, -20 N]}}\n"
      "laws: {s: {type: signorini, mu: 0.3}, h: {type: signorini, restitution_normal: 0.4}}\n"
      "contacts:\n"
      "  guide: {type: point_on_plane, a: ground.low, b: slider.foot, law: s}\n"
      "  stop: {type: point_on_plane, a: ground.stop, b: slider.nose, law: h}\n");
  comparison r = places(&c, "slider-crank with a stop", 0.3, channel);
  agrees_with(&c, &r, "nonsmooth_alpha", 5e-5, 2e-8);
  agrees_with(&c, &r, "moreau", 5e-5, 1e-4);
  run(&c, &TIGHT, 0.5);
  assert_true(vf_value(&c, "stop.impacts") >= 1);
  balanced(&c, "slider-crank with a stop", 1e-10);
  vf_close(&c);
}

/* ---- rocking ---- */

/* Rocking about a corner: I w' = -m g R sin(alpha - theta) [Housner]. */
typedef struct block {
  double theta, rate, pull, alpha;
} block;

static void rock(block *b, double h) {
  double k[4][2], x = b->theta, v = b->rate;
  for (int i = 0; i < 4; i++) {
    double part = i == 0 ? 0 : i == 3 ? h : h / 2;
    double y = x + (i ? part * k[i - 1][0] : 0), w = v + (i ? part * k[i - 1][1] : 0);
    k[i][0] = w;
    k[i][1] = -b->pull * sin(b->alpha - y);
  }
  b->theta += h * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]) / 6;
  b->rate += h * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]) / 6;
}

/* Each change of corners reduces the speed by the factor 1 - (m R^2/I)(1 - cos 2 alpha). */
static void rocking_block(void **state) {
  (void)state;
  const double R2 = 0.1 * 0.1 + 0.4 * 0.4, I = (0.04 + 0.64) / 12 + R2, g = 9.81;
  block b = {.theta = 0.1, .pull = g * sqrt(R2) / I, .alpha = atan2(0.1, 0.4)};
  double keeps = 1 - R2 / I * (1 - cos(2 * b.alpha)), t = 0, impact[3];
  for (int n = 0; n < 3; n++) {
    const double h = 1e-5;
    while (b.theta > 0) rock(&b, h), t += h;
    for (int k = 0; k < 4; k++) { /* back to theta = 0 */
      double back = b.theta / b.rate;
      rock(&b, -back);
      t -= back;
    }
    impact[n] = t;
    b.rate *= -keeps; /* from here theta is measured about the other corner */
    b.theta = fabs(b.theta);
    rock(&b, h), t += h;
  }
  vf_case c;
  vf_file(&c, "test/repro/rocking_block_planar_event.yaml", NULL, 0);
  vf_start(&c, &TIGHT);
  for (int n = 0; n < 3; n++) {
    const char *foot = n % 2 ? "r.impacts" : "l.impacts";
    double before = vf_value(&c, foot);
    while (vf_value(&c, foot) == before && hk_sim_time(c.sim) < 1.2)
      if (hk_sim_step(c.sim, 1.2, &c.err)) fail_msg("%s", c.err.text);
    vf_check(TABLE, "rocking block", "impact, s", hk_sim_time(c.sim), impact[n], 1e-9,
             "ordinary integration");
  }
  vf_advance(&c, 1.2);
  balanced(&c, "rocking block", 1e-10);
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(brake_shoe),
      cmocka_unit_test(stacked_blocks),
      cmocka_unit_test(disc_rolls_back),
      cmocka_unit_test(box_across_a_slope),
      cmocka_unit_test(rod_end_comes_to_rest),
      cmocka_unit_test(rod_comes_to_lie),
      cmocka_unit_test(stool_on_three_legs),
      cmocka_unit_test(ball_in_a_bowl),
      cmocka_unit_test(top_on_a_plane),
      cmocka_unit_test(rod_leaves_a_wall),
      cmocka_unit_test(slider_crank_with_a_stop),
      cmocka_unit_test(rocking_block),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
