/* Joints against closed forms: shafts with constant-velocity and universal joints, ratios of screw,
 * gear, rack and coupling, dry friction, prescribed motions. */
#include "verify/verify.h"

static const double DEG = M_PI / 180;

/* ---- shafts ---- */

/* Two shafts in bearings, the first along x, the second at the articulation angle beta in the x-y
 * plane; each joint frame has z along its shaft.  The first is driven with varying speed. */
static void shafts(vf_case *c, const char *joint, double beta) {
  vf_text(c,
          "parameters: {beta: %.17g rad}\n"
          "bodies:\n"
          "  in: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.02 kg*m^2], orientation: {z: [1, "
          "0, 0], x: [0, 1, "
          "0]}}\n"
          "  out: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.02 kg*m^2], orientation: {z: "
          "[cos(beta), "
          "sin(beta), 0], x: [-sin(beta), cos(beta), 0]}}\n"
          "  ground:\n"
          "    markers:\n"
          "      a: {orientation: {z: [1, 0, 0], x: [0, 1, 0]}}\n"
          "      b: {orientation: {z: [cos(beta), sin(beta), 0], x: [-sin(beta), cos(beta), 0]}}\n"
          "joints:\n"
          "  bearing_in: {type: revolute, a: ground.a, b: in}\n"
          "  bearing_out: {type: cylindrical, a: ground.b, b: out}\n"
          "  coupling: {type: %s, a: in, b: out}\n"
          "motions: {drive: {coordinate: bearing_in.angle, value: 5 rad/s * t + 0.4 * sin(3 rad/s "
          "* t) * 1 rad}}\n",
          beta, joint);
  vf_start(c, &(hk_sim_options){.step = 1e-3});
}

static void test_constant_velocity(void **state) {
  for (int bend = 10; bend <= 80; bend += 10) {
    vf_case c;
    shafts(&c, "constant_velocity", bend * DEG);
    double angle = 0, rate = 0;
    for (int i = 1; i <= 300; i++) {
      vf_advance(&c, 0.01 * i);
      angle =
          fmax(angle, fabs(vf_value(&c, "bearing_out.angle") - vf_value(&c, "bearing_in.angle")));
      rate = fmax(rate, fabs(vf_value(&c, "bearing_out.angle_rate") -
                             vf_value(&c, "bearing_in.angle_rate")));
    }
    assert_true(fabs(vf_value(&c, "bearing_in.angle") - 15 - 0.4 * sin(9)) < 1e-9);
    char name[60];
    snprintf(name, sizeof name, "constant velocity, articulation angle %d deg", bend);
    vf_bound("law", name, "angle out - in, 15 rad [rad]", angle, 1e-9, "homokinetic");
    vf_bound("law", name, "speed out - in [rad/s]", rate, 1e-6, "homokinetic");
    vf_close(&c);
  }
}

/* The arms are (0, cos p, sin p) on the driving shaft and -sin P (-sin b, cos b, 0) + cos P (0, 0,
 * 1) on the driven one, with the articulation angle b; they are perpendicular if tan P = tan p/cos
 * b: Hooke's joint, with angles measured from the position of the driving arm in the plane of both
 * shafts. */
static void test_universal(void **state) {
  static const int bend[5] = {5, 15, 30, 45, 60};
  for (int k = 0; k < 5; k++) {
    vf_case c;
    double beta = bend[k] * DEG, most = 0, fast = 0, slow = 1e9;
    shafts(&c, "universal", beta);
    for (int i = 1; i <= 300; i++) {
      vf_advance(&c, 0.01 * i);
      double p = vf_value(&c, "bearing_in.angle"), P = vf_value(&c, "bearing_out.angle");
      double ratio = vf_value(&c, "bearing_out.angle_rate") / vf_value(&c, "bearing_in.angle_rate");
      double Q = atan2(sin(p), cos(p) * cos(beta));
      most = fmax(most, fabs(remainder(P - Q, 2 * M_PI)));
      fast = fmax(fast, ratio);
      slow = fmin(slow, ratio);
    }
    char name[60];
    snprintf(name, sizeof name, "universal, articulation angle %d deg", bend[k]);
    vf_bound("law", name, "angle out - closed form, 15 rad [rad]", most, 1e-9,
             "tan P = tan p/cos(beta)");
    vf_check("law", name, "largest speed ratio", fast, 1 / cos(beta), 2e-3 / cos(beta),
             "1/cos(beta)");
    vf_check("law", name, "smallest speed ratio", slow, cos(beta), 2e-3, "cos(beta)");
    vf_close(&c);
  }
}

/* ---- ratios ---- */

static void test_ratios(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  nut: {type: box, mass: 1 kg, size: [0.1 m, 0.1 m, 0.1 m]}\n"
          "  pinion: {type: cylinder, mass: 1 kg, radius: 0.1 m, length: 0.1 m, position: [1 m, 0, "
          "0]}\n"
          "  wheel: {type: cylinder, mass: 1 kg, radius: 0.3 m, length: 0.1 m, position: [1.4 m, "
          "0, 0]}\n"
          "  rack: {type: box, mass: 1 kg, size: [1 m, 0.1 m, 0.1 m], position: [1 m, -0.1 m, 0]}\n"
          "  r1: {type: rotor, inertia: 0.1 kg*m^2}\n"
          "  r2: {type: rotor, inertia: 0.2 kg*m^2}\n"
          "joints:\n"
          "  screw: {type: screw, b: nut, at: [0, 0, 0], axis: z, pitch: 5 mm}\n"
          "  hp: {type: revolute, b: pinion, at: [1 m, 0, 0], axis: z}\n"
          "  hw: {type: revolute, b: wheel, at: [1.4 m, 0, 0], axis: z}\n"
          "  sr: {type: prismatic, b: rack, at: [1 m, -0.1 m, 0], axis: x}\n"
          "  mesh: {type: gear, first: hp.angle, second: hw.angle, ratio: -3}\n"
          "  rackmesh: {type: rack, pinion: hp.angle, rack: sr.displacement, radius: 0.1 m}\n"
          "  planet: {type: coupling, terms: {r1: 2, r2: -5, hp.angle: 1}}\n"
          "motions: {drive: {coordinate: hp.angle, value: 7 rad/s * t}, hold: {coordinate: r1, "
          "value: 1 rad/s * t}, "
          "turn: {coordinate: screw.angle, value: -4 rad/s * t}}\n");
  vf_start(&c, &(hk_sim_options){.step = 1e-3});
  vf_advance(&c, 10);
  double p = vf_value(&c, "hp.angle");
  vf_check("law", "prescribed motion", "angle after 10 s [rad]", p, 70, 1e-10, "7 rad/s t");
  vf_check("law", "screw, pitch 5 mm", "advance after -40 rad [m]",
           vf_value(&c, "screw.displacement"), -40 * 5e-3 / (2 * M_PI), 1e-10, "pitch/(2 pi)");
  vf_check("law", "gear, ratio -3", "angle [rad]", vf_value(&c, "hw.angle"), -p / 3, 1e-10,
           "ratio");
  vf_check("law", "rack, radius 0.1 m", "displacement [m]", vf_value(&c, "sr.displacement"),
           0.1 * p, 1e-10, "radius");
  vf_check("law", "coupling 2 r1 - 5 r2 + p", "angle of r2 [rad]", vf_value(&c, "r2.angle"),
           (2 * 10 + p) / 5, 1e-10, "sum");
  vf_close(&c);
}

/* ---- friction ---- */

/* With tanh the sliding block obeys v' = -mu g tanh(v/v0), so sinh(v/v0) = sinh(u/v0) e^(-mu g
 * t/v0): except for creep below v0 it stops at t = u/(mu g), after a distance of about u^2/(2 mu g)
 * - v0^2 pi^2/24/(mu g). */
static void test_sliding_block(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {block: {type: box, mass: 2 kg, size: [0.1 m, 0.1 m, 0.1 m], velocity: [3 m/s, "
          "0, 0]}}\n"
          "joints: {slide: {type: prismatic, b: block, at: [0, 0, 0], axis: x}}\n"
          "forces: {g: {type: gravity}, f: {type: joint_friction, joint: slide, mu: 0.3, velocity: "
          "1 mm/s}}\n");
  vf_start(&c, &(hk_sim_options){.rtol = 1e-9, .atol = 1e-11});
  double mug = 0.3 * 9.81, stop = 3 / mug;
  vf_advance(&c, 0.5 * stop);
  vf_check("law", "sliding block, mu 0.3", "speed at half the time [m/s]", vf_value(&c, "block.vx"),
           1.5, 1e-6, "u - mu g t");
  vf_advance(&c, stop);
  vf_bound("law", "sliding block, mu 0.3", "speed at u/(mu g) [m/s]",
           fabs(vf_value(&c, "block.vx")), 1e-3, "stopped");
  vf_advance(&c, stop + 0.1);
  vf_bound("law", "sliding block, mu 0.3", "speed 0.1 s later [m/s]",
           fabs(vf_value(&c, "block.vx")), 1e-8, "stopped");
  vf_check("law", "sliding block, mu 0.3", "way [m]", vf_value(&c, "slide.displacement"),
           9 / (2 * mug), 1e-6, "u^2/(2 mu g)");
  vf_close(&c);
}

/* A wheel of 2 kg, J = 0.04 kg m^2 on a horizontal pin of 20 mm: M = mu r m g. */
static void test_spinning_pin(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {wheel: {mass: 2 kg, inertia: [0.02 kg*m^2, 0.04 kg*m^2, 0.02 kg*m^2], "
          "angular_velocity: [0, 10 "
          "rad/s, 0]}}\n"
          "joints: {pin: {type: revolute, b: wheel, at: [0, 0, 0], axis: y}}\n"
          "forces: {g: {type: gravity}, f: {type: joint_friction, joint: pin, mu: 0.2, radius: 20 "
          "mm, velocity: 0.1 "
          "mm/s}}\n");
  /* Steps below half a revolution, so that revolutions are counted. */
  vf_start(&c, &(hk_sim_options){.rtol = 1e-7, .atol = 1e-9, .max_step = 0.1});
  double rate = 0.2 * 0.02 * 2 * 9.81 / 0.04, stop = 10 / rate;
  vf_advance(&c, 0.5 * stop);
  vf_check("law", "wheel on a rubbing pin", "speed at half the time [rad/s]",
           vf_value(&c, "pin.angle_rate"), 5, 1e-6, "w - M t/J");
  vf_advance(&c, stop + 0.05);
  vf_bound("law", "wheel on a rubbing pin", "speed after J w/M [rad/s]",
           fabs(vf_value(&c, "pin.angle_rate")), 1e-3, "stopped");
  vf_check("law", "wheel on a rubbing pin", "angle [rad]", vf_value(&c, "pin.angle"), 50 / rate,
           1e-4, "J w^2/(2 M)");
  vf_close(&c);
}

/* ---- prescribed motions ---- */

static void test_point_motion(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {body: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.2 kg*m^2, 0.3 kg*m^2], position: "
          "[0.5 m, 0, 0], "
          "markers: {tip: [0, 0.2 m, 0.1 m]}, angular_velocity: [1 rad/s, 2 rad/s, 0]}}\n"
          "motions: {path: {type: point_motion, b: body.tip, x: 0.5 m + 0.2 m * sin(4 rad/s * t), "
          "y: 0.2 m, z: 0.1 m "
          "+ 0.3 m/s * t}}\n"
          "forces: {g: {type: gravity}}\n");
  vf_start(&c, &(hk_sim_options){.step = 1e-3});
  double most = 0, rate = 0, acc = 0;
  for (int i = 1; i <= 200; i++) {
    double t = 0.01 * i;
    vf_advance(&c, t);
    most = fmax(most, fabs(vf_value(&c, "body.tip.x") - 0.5 - 0.2 * sin(4 * t)));
    most = fmax(most, fabs(vf_value(&c, "body.tip.y") - 0.2));
    most = fmax(most, fabs(vf_value(&c, "body.tip.z") - 0.1 - 0.3 * t));
    rate = fmax(rate, fabs(vf_value(&c, "body.tip.vx") - 0.8 * cos(4 * t)));
    acc = fmax(acc, fabs(vf_value(&c, "body.tip.ax") + 3.2 * sin(4 * t)));
  }
  vf_bound("law", "point motion", "position error [m]", most, 1e-10, "as prescribed");
  vf_bound("law", "point motion", "velocity error [m/s]", rate, 1e-6, "as prescribed");
  vf_bound("law", "point motion", "acceleration error [m/s^2]", acc, 1e-8, "as prescribed");
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_constant_velocity),
      cmocka_unit_test(test_universal),
      cmocka_unit_test(test_ratios),
      cmocka_unit_test(test_sliding_block),
      cmocka_unit_test(test_spinning_pin),
      cmocka_unit_test(test_point_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
