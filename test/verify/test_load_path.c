/* Elements act at the correct point: reactions and displacements that follow from statics,
 * independent of the equations of the element.  Each case was once wrong without a message although
 * action equalled reaction. */
#include "verify/verify.h"
#include <hooke/run.h>

/* The model in equilibrium. */
static void balance(vf_case *c) {
  hk_static_report at;
  if (hk_static_solve(c->model, NULL, &c->sim, &at, &c->diag, &c->err)) fail_msg("%s", c->err.text);
}

/* ---- compliant hinges ---- */

/* A moment of 1 N m about x tilts a hinge whose journal has rotated by `angle` about z.  Springs of
 * 1e7 N/m along a bush of 40 mm resist with 1e7 * 0.04^2/12 = 1333.3 N m/rad at any angle. */
static double tilt_stiffness(double degrees) {
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  j: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.02 kg*m^2, 0.03 kg*m^2], markers: {f: "
          "{orientation: {axis: z, angle: %.17g deg}}}}\n"
          "joints:\n"
          "  h: {type: revolute_clearance_joint, a: ground, b: j.f, fidelity: compliant, "
          "stiffness: 1e7 N/m, length: 40 mm}\n"
          "forces:\n"
          "  l: {type: load, b: j, torque: [1 N*m, 0, 0]}\n"
          "  hold: {type: torsion_spring, a: ground, b: j.f, stiffness: 1e4 N*m/rad, angle: "
          "%.17g deg}\n",
          degrees, degrees);
  balance(&c);
  double tilt = vf_value(&c, "h.tilt");
  vf_close(&c);
  return 1 / tilt;
}

static void test_tilt_of_a_turned_hinge(void **state) {
  static const double at[] = {0, 90, 170, 180};
  for (int i = 0; i < 4; i++) {
    char text[60];
    snprintf(text, sizeof text, "compliant hinge rotated by %g degrees", at[i]);
    vf_check("load_path", text, "tilt stiffness [N m/rad]", tilt_stiffness(at[i]),
             1e7 * 0.04 * 0.04 / 12, 1e-3, "k length^2/12");
  }
}

/* Rotated at 20 rad/s for 0.3 s, almost a whole revolution. */
static void test_turning_over(void **state) {
  static const char *const type[] = {"revolute_clearance_joint", "spherical_clearance_joint"};
  for (int i = 0; i < 2; i++) {
    vf_case c;
    vf_text(&c,
            "bodies: {arm: {type: rod, length: 0.2 m, mass: 1 kg, angular_velocity: [0, 0, 20 "
            "rad/s]}}\n"
            "joints: {h: {type: %s, a: ground, b: arm, fidelity: compliant, stiffness: 1e7 N/m, "
            "damping: 100 N*s/m%s}}\n",
            type[i], i ? "" : ", length: 40 mm");
    vf_start(&c, NULL);
    vf_advance(&c, 0.3);
    vf_check("load_path", type[i], "end of a free arm after 6 rad [m]", vf_value(&c, "arm.end.x"),
             0.1 * cos(6), 1e-9, "l/2 cos");
    vf_close(&c);
  }
}

/* A journal that has moved 30 mm through its bush: its frame b is 30 mm away, the load acts at the
 * middle of the bush.  The journal is displaced without tilting. */
static void test_slid_journal(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  ground: {markers: {gz: {at: [0, 0, 30 mm]}}}\n"
          "  j: {position: [0, 0, 30 mm], mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 "
          "kg*m^2], markers: {p: {at: [0, 0, -30 mm]}}}\n"
          "joints: {e: {type: revolute_clearance_joint, a: ground, b: j, axial: free, fidelity: "
          "compliant, stiffness: 1e7 N/m, length: 40 mm}}\n"
          "forces:\n"
          "  hold: {type: bushing, a: ground.gz, b: j, stiffness: [0, 0, 1e3 N/m], "
          "torsion_stiffness: [0, 0, 10 N*m/rad]}\n"
          "  ld: {type: load, b: j.p, force: [0, -100 N, 0]}\n");
  balance(&c);
  vf_check("load_path", "journal 30 mm along its bush", "y of the loaded point [m]",
           vf_value(&c, "j.p.y"), -1e-5, 1e-12, "F/k");
  vf_bound("load_path", "journal 30 mm along its bush", "tilt [rad]", vf_value(&c, "e.tilt"), 1e-9,
           "the load passes through the middle");
  vf_close(&c);
}

/* ---- parts ---- */

/* A drive shaft as a part, once as drawn and once rotated by 90 degrees about y: the same
 * results. */
static void test_part_with_bent_shafts(void **state) {
  vf_case c;
  vf_text(&c,
          "assemblies:\n"
          "  drive:\n"
          "    bodies:\n"
          "      inp: {type: cylinder, length: 0.2 m, radius: 2 cm, mass: 2 kg, position: [0, 0, "
          "-0.1 m]}\n"
          "      out: {type: cylinder, length: 1 m, radius: 3 cm, mass: 6 kg, position: [0, -0.5 m "
          "* sin(20 deg), 0.5 m * cos(20 deg)], orientation: {axis: x, angle: 20 deg}}\n"
          "    joints:\n"
          "      first: {type: revolute, b: inp, at: [0, 0, 0], axis: z}\n"
          "      cross: {type: universal, a: inp, b: out, at: [0, 0, 0], axis_a: z, axis_b: [0, "
          "-sin(20 deg), cos(20 deg)]}\n"
          "      last: {type: cylindrical, b: out, at: [0, 0, 0], axis: [0, -sin(20 deg), cos(20 "
          "deg)]}\n"
          "    forces:\n"
          "      t1: {type: actuator, coordinate: first.angle, force: 10 N*m}\n"
          "      t2: {type: torsion_spring, coordinate: last.angle, stiffness: 100 N*m/rad}\n"
          "parts:\n"
          "  p: {assembly: drive}\n"
          "  r: {assembly: drive, position: [1 m, 0, 0], orientation: {axis: y, angle: 90 deg}}\n");
  vf_start(&c, &(hk_sim_options){.rtol = 1e-10, .atol = 1e-12});
  vf_advance(&c, 0.02);
  double as_drawn = vf_value(&c, "p.last.angle");
  assert_true(fabs(as_drawn) > 1e-3);
  vf_check("load_path", "part rotated by 90 degrees", "angle of its inclined output [rad]",
           vf_value(&c, "r.last.angle"), as_drawn, 1e-10, "the part as drawn");
  vf_close(&c);
}

/* ---- composite joints ---- */

/* 100 N m through a universal joint at an articulation angle of 20 degrees, its output in compliant
 * bearings.  Slotted bores hold both ends of the pins along the shaft, so that the bending moment
 * is transmitted as a couple: no axial force. */
static void test_slotted_bores(void **state) {
  static const char *const bores[] = {"round", "slotted"};
  for (int i = 0; i < 2; i++) {
    vf_case c;
    vf_text(&c,
            "bodies:\n"
            "  ground:\n"
            "    markers:\n"
            "      b0: {at: [0, -0.1 m * sin(20 deg), 0.1 m * cos(20 deg)], orientation: {axis: x, "
            "angle: 20 deg}}\n"
            "      b1: {at: [0, -0.4 m * sin(20 deg), 0.4 m * cos(20 deg)], orientation: {axis: x, "
            "angle: 20 deg}}\n"
            "  B: {orientation: {axis: x, angle: 20 deg}, mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 "
            "kg*m^2, 1e-3 "
            "kg*m^2], center_of_mass: [0, 0, 0.2 m], markers: {b0: {at: [0, 0, 0.1 m]}, b1: {at: "
            "[0, 0, 0.4 m]}}}\n"
            "joints:\n"
            "  e: {type: universal_clearance_joint, a: ground, b: B, law: l, fidelity: spatial, "
            "arm: 40 mm, "
            "pin_radius: 10 mm, length: 15 mm, cross_mass: 0.2 kg, cross_inertia: [1e-4 kg*m^2, "
            "1e-4 kg*m^2, 1e-4 "
            "kg*m^2], clearance_a: 20 um, bores: %s}\n"
            "forces:\n"
            "  bear0: {type: bearing, a: ground.b0, b: B.b0, radial_stiffness: 1e9 N/m, "
            "axial_stiffness: 1e9 N/m, "
            "radial_damping: 2e3 N*s/m, axial_damping: 2e4 N*s/m}\n"
            "  bear1: {type: bearing, a: ground.b1, b: B.b1, radial_stiffness: 1e9 N/m, "
            "radial_damping: 2e3 "
            "N*s/m}\n"
            "  tq: {type: load, b: B, torque: [0, 0, \"-step5(t, 0 s, 0 N*m, 5 ms, 100 N*m)\"], "
            "axes: body}\n"
            "laws: {l: {type: hertz, stiffness: 1e11 N/m^1.5, damping: 5e3 N*s/m, mu: 0}}\n",
            bores[i]);
    vf_start(&c, NULL);
    vf_advance(&c, 0.06);
    vf_check("load_path", bores[i], "moment about the input shaft [N m]", vf_value(&c, "e.tz_b"),
             100 * cos(20 * M_PI / 180), 1e-3, "T cos(bend), the arms of a across the bend");
    vf_bound("load_path", bores[i], "thrust of the output [N]", fabs(vf_value(&c, "bear0.own_fz")),
             0.1, "statics");
    vf_close(&c);
  }
}

/* A double-offset joint with its races at an articulation angle and its frames at one point.  The sphere at the
 * rear of its cage is held at the distance c behind b, so the spheres fit if the axes meet d = c
 * (1/cos(bend/2) - 1) in front of b. */
static void bent_joint(vf_case *c, double bend, bool slides, double inertia) {
  const double angle = bend * M_PI / 180;
  vf_text(c,
          "bodies: {B: {orientation: {axis: x, angle: %g deg}, mass: 1 kg, inertia: [1e-3 kg*m^2, "
          "1e-3 kg*m^2, 1e-3 kg*m^2]}}\n"
          "joints:\n"
          "  w: {type: %s, b: B, at: [0, 0, 0], axis: [0, %.15g, %.15g]}\n"
          "  e: {type: cv_ball_joint, a: ground, b: B, law: l, balls: 6, pcd: 62 mm, ball_radius: "
          "8.7313 mm, track_radius: 9.08 mm, cage_mass: 0.12 kg, cage_axial_inertia: %g kg*m^2, "
          "cage_transverse_inertia: %g kg*m^2, track_family: double_offset, cage_offset: 8 mm, "
          "sphere_stiffness: 1e8 N/m}\n"
          "laws: {l: {type: hertz, stiffness: 4e10 N/m^1.5, damping: 2e3 N*s/m}}\n",
          bend, slides ? "prismatic" : "fixed", -sin(angle), cos(angle), inertia, inertia);
}

/* A race that can slide starts where the spheres fit, without load at any angle and with any inertia.  If both races are
 * held, no position is without load: loads remain in equilibrium.  The energy at the start is then of the same order, and
 * far less than the energy k d^2/2 of an inner sphere displaced by d. */
static void test_bent_start(void **state) {
  static const double BEND[] = {3, 6, 10, 15}, INERTIA[] = {1e-4, 1};
  const double offset = 8e-3, k = 1e8;
  for (int i = 0; i < 8; i++) {
    vf_case c;
    char text[80];
    const double bend = BEND[i % 4], d = offset * (1 / cos(bend * M_PI / 360) - 1);
    snprintf(text, sizeof text, "double offset joint at %g degrees, cage of %g kg m^2", bend,
             INERTIA[i / 4]);
    bent_joint(&c, bend, true, INERTIA[i / 4]);
    vf_start(&c, NULL);
    vf_bound("load_path", text, "energy at the start, race b slides [J]",
             vf_value(&c, "energy.potential"), 1e-12 * k * d * d, "the spheres fit");
    vf_check("load_path", text, "way of b to where the spheres fit [m]",
             hypot(vf_value(&c, "B.y"), vf_value(&c, "B.z")), d, 1e-10, "c (1/cos(bend/2) - 1)");
    vf_close(&c);
    bent_joint(&c, bend, false, INERTIA[i / 4]);
    vf_start(&c, NULL);
    vf_bound("load_path", text, "energy at the start, race b held [J]",
             vf_value(&c, "energy.potential"), 0.25 * 0.5 * k * d * d, "a quarter of k d^2/2");
    vf_close(&c);
    bent_joint(&c, bend, false, INERTIA[i / 4]);
    balance(&c);
    assert_true(vf_value(&c, "energy.potential") > 1e-4 * k * d * d);
    vf_close(&c);
  }
}

/* ---- contacts ---- */

/* A pin pressed by 100 N slides along its bore without rotation at 0.1 m/s, mu 0.2, 1 kg.  Friction
 * that acts only around the pin does not slow it down; friction in all directions does, by mu
 * N/m. */
static void test_friction_around_a_pin(void **state) {
  static const char *const type[] = {"trunnion_in_bore", "pin_in_bush"};
  for (int i = 0; i < 2; i++) {
    vf_case c;
    vf_text(&c,
            "bodies: {pin: {type: cylinder, length: 0.2 m, radius: 9.9 mm, mass: 1 kg, position: "
            "[0, -0.1001357 "
            "mm, 0], velocity: [0, 0, 0.1 m/s]}}\n"
            "joints: {ori: {type: orientation, a: ground, b: pin}}\n"
            "forces: {w: {type: load, b: pin, force: [0, -100 N, 0]}}\n"
            "laws: {steel: {type: hertz, stiffness: 1e12 N/m^1.5, damping: 5e4 N*s/m, mu: 0.2, "
            "velocity: 1 mm/s}}\n"
            "contacts: {bore: {type: %s, a: ground, b: pin, law: steel, bore_radius: 10 mm, "
            "pin_radius: 9.9 mm, "
            "length: 40 mm}}\n",
            type[i]);
    vf_start(&c, &(hk_sim_options){.rtol = 1e-8, .atol = 1e-10});
    vf_advance(&c, 2e-3);
    double speed = i ? 0.1 - 0.2 * 100 * 2e-3 : 0.1;
    vf_check("load_path", type[i], "speed along the bore [m/s]", vf_value(&c, "pin.vz"), speed,
             1e-5, i ? "v - mu F t/m" : "no friction along the pin");
    vf_close(&c);
  }
}

/* ---- channels ---- */

/* A pendulum that hangs in its rigid ball joint.  Between the steps of nonsmooth_alpha too, the
 * joint carries its weight, as the sum of its parts and among the loads of the body; its contact
 * point is 30 cm above the centre of mass and on the vertical line through it. */
static void test_forces_between_steps(void **state) {
  static const double at[] = {1e-3, 2e-3, 3e-3, 3.5e-3};
  vf_case c;
  vf_text(&c,
          "bodies: {bob: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2], "
          "center_of_mass: [0, 0, -0.3 "
          "m], position: [0, 0, -0.1 mm]}}\n"
          "forces: {g: {type: gravity}, side: {type: load, b: bob, torque: [0, 0, 3 N*m]}, back: "
          "{type: load, b: "
          "bob, torque: [0, 0, -3 N*m]}}\n"
          "laws: {l: {type: signorini, mu: 0}}\n"
          "joints: {h: {type: spherical_clearance_joint, a: ground, b: bob, fidelity: clearance, "
          "radius: 10 mm, "
          "clearance: 0.1 mm, law: l}}\n");
  vf_start(&c, &(hk_sim_options){.stepper = "nonsmooth_alpha", .step = 0.137e-3});
  static const char *const name[] = {"h.fz_b", "h.contact.normal_force", "bob.load_fz",
                                     "h.contact.fz"};
  for (int i = 0; i < 4; i++) {
    int channel[4];
    double value[4];
    for (int k = 0; k < 4; k++) channel[k] = vf_channel(&c, name[k]);
    while (hk_sim_time(c.sim) < at[i])
      if (hk_sim_step(c.sim, 1, &c.err)) fail_msg("%s", c.err.text);
    if (hk_sim_values_at(c.sim, at[i], channel, 4, value, &c.err)) fail_msg("%s", c.err.text);
    for (int k = 0; k < 4; k++)
      vf_check("load_path", "hanging in a rigid contact, between steps", name[k], value[k], 9.81,
               1e-9, "m g");
    /* Exactly at the start of the step, the end of the previous one. */
    if (hk_sim_values_at(c.sim, hk_sim_step_start(c.sim), channel, 4, value, &c.err))
      fail_msg("%s", c.err.text);
    for (int k = 0; k < 4; k++) assert_true(fabs(value[k] - 9.81) < 1e-9);
  }
  vf_close(&c);
}

/* A plank on a rigid plane, pushed on one side: the forces on its two ends, and their moment about
 * its centre. */
static void test_loads_of_rigid_contacts(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {plank: {mass: 2 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2], markers: "
          "{l: {at: [-1 m, 0, "
          "0]}, r: {at: [1 m, 0, 0]}}}}\n"
          "joints: {guide: {type: planar, a: ground, b: plank, axis: y}}\n"
          "forces: {g: {type: gravity}, push: {type: load, b: plank.r, force: [0, 0, -4 N]}}\n"
          "laws: {l: {type: signorini, mu: 0}}\n"
          "contacts:\n"
          "  left: {type: point_on_plane, a: ground, b: plank.l, law: l}\n"
          "  right: {type: point_on_plane, a: ground, b: plank.r, law: l}\n");
  vf_start(&c, &(hk_sim_options){.stepper = "moreau", .step = 1e-3});
  vf_advance(&c, 0.01);
  vf_check("load_path", "plank on two rigid ends", "plank.load_fz [N]",
           vf_value(&c, "plank.load_fz"), 2 * 9.81, 1e-9, "m g: contacts less the push");
  vf_bound("load_path", "plank on two rigid ends", "plank.load_ty [N m]",
           fabs(vf_value(&c, "plank.load_ty")), 1e-9, "it does not turn");
  vf_close(&c);
}

/* A part of the model with the same name as a composite joint: its spring is not a part of the
 * joint. */
static void test_part_of_the_same_name(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {arm: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2]}}\n"
          "joints: {h: {type: spherical_clearance_joint, a: ground, b: arm, fidelity: ideal}}\n"
          "assemblies: {spr: {ports: [p], forces: {s: {type: load, b: p, force: [7 N, 0, 0]}}}}\n"
          "parts: {h: {assembly: spr, connect: {p: arm}}}\n");
  vf_start(&c, NULL);
  vf_check("load_path", "joint and part of one name", "h.fx_b [N]", vf_value(&c, "h.fx_b"), -7,
           1e-12, "the reaction alone");
  vf_close(&c);
}

/* A shaft that is connected only at its start has the channels of that side: it carries the shaft's
 * weight. */
static void test_shaft_held_at_one_end(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {w: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]}}\n"
          "joints:\n"
          "  f: {type: fixed, b: w}\n"
          "  s: {type: shaft, a: w, hold: a, lengths: [1 m], outer_diameters: [5 cm], density: "
          "8000 kg/m^3}\n"
          "forces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n");
  balance(&c);
  double weight = 8000 * M_PI * 0.025 * 0.025 * 9.81;
  vf_check("load_path", "shaft held at a alone", "s.fy_a [N]", vf_value(&c, "s.fy_a"), -weight,
           1e-6, "its weight");
  vf_check("load_path", "shaft held at a alone", "s.tx_a [N m]", vf_value(&c, "s.tx_a"),
           0.5 * weight, 0.05, "weight half a metre away, sagging");
  assert_int_equal(hk_model_channel_find(c.model, "s.fy_b"), -1);
  vf_close(&c);
}

/* Names that a message suggests exist. */
static void test_offered_names(void **state) {
  static const char text[] =
      "format: 1\nbodies: {r: {type: rotor, inertia: 1 kg*m^2}}\nsensors: {s: {value: r.wz}}\n";
  hk_diag diag;
  hk_diag_init(&diag);
  assert_null(hk_model_text_read("model", text, sizeof text - 1, NULL, 0, &diag));
  assert_true(vf_said(&diag, "'r' has angle, angle_rate"));
  hk_diag_free(&diag);
}

/* ---- energy ---- */

/* A torque to and fro of 10 N m on 1 kg m^2 for some hundred periods: w = W (1 - cos speed t), W = 10 N m s^2/speed.  Through
 * the load passes some hundred times what is stored.  Whether the run warns of its energy; off: largest error of w and of the
 * angle at the end, over what they reach. */
static bool to_and_fro(const char *stepper, double speed, double rtol, double *off) {
  vf_case c;
  hk_run_report r;
  hk_diag diag;
  char text[600];
  double end = 1000 / speed, W = 10 / speed;
  snprintf(
      text, sizeof text,
      "bodies: {r: {type: rotor, inertia: 1 kg*m^2}}\n"
      "forces: {m: {type: actuator, coordinate: r.angle, force: \"10 N*m * sin(%g rad/s * t)\"}}\n"
      "measures:\n"
      "  w: {of: r.angle_rate, take: final}\n"
      "  angle: {of: r.angle, take: final}\n"
      "analysis: {duration: %g s, stepper: %s}\n",
      speed, end, stepper);
  vf_text(&c, text);
  hk_diag_init(&diag);
  hk_sim_options tight = {.rtol = rtol, .atol = 1e-12};
  if (hk_run(c.model, &(hk_run_options){.sim = rtol > 0 ? &tight : NULL}, &r, &diag))
    fail_msg("%s", r.error.text);
  *off = fmax(fabs(r.measure[0].value - W * (1 - cos(1000))) / (2 * W),
              fabs(r.measure[1].value - W * (end - sin(1000) / speed)) / (W * end));
  bool warned = vf_said(&diag, "energy balance");
  hk_diag_free(&diag);
  hk_run_report_free(&r);
  vf_close(&c);
  return warned;
}

/* An accurate run raises no warning, an inaccurate one does. */
static void test_work_to_and_fro(void **state) {
  static const char *const STEPPER[] = {"adams", "bdf", "generalized_alpha", "trapezoidal"};
  double off, worst = 0;
  for (int i = 0; i < 4; i++)
    for (int speed = 1; speed <= 10000; speed *= 10) {
      bool warned = to_and_fro(STEPPER[i], speed, 0, &off);
      if (warned && off < 5e-3)
        fail_msg("%s at %d rad/s warns, and is off by %g", STEPPER[i], speed, off);
      if (!warned && off > 0.05)
        fail_msg("%s at %d rad/s does not warn, and is off by %g", STEPPER[i], speed, off);
      if (i < 2 && speed <= 1000) worst = fmax(worst, off);
    }
  vf_bound("load_path", "actuator to and fro, 1 to 1000 rad/s", "speed and angle, relative", worst,
           1e-3, "W (1 - cos speed t)");
  assert_true(to_and_fro("adams", 1000, 1e-7, &off));
  assert_true(off > 0.01);
}

/* ---- redundant joints ---- */

/* A door on two hinges: each carries half of its weight along the axis, and both carry its moment
 * as a couple. */
static void test_door_on_two_hinges(void **state) {
  vf_case c;
  vf_text(&c,
          "bodies: {door: {mass: 20 kg, inertia: [4 kg*m^2, 2 kg*m^2, 2 kg*m^2], position: [0.5 m, "
          "0, 0]}}\n"
          "joints:\n"
          "  low: {type: revolute, b: door, at: [0, 0, -0.8 m], axis: z}\n"
          "  high: {type: revolute, b: door, at: [0, 0, 0.8 m], axis: z}\n"
          "forces: {g: {type: gravity}}\n");
  vf_start(&c, NULL);
  vf_advance(&c, 0.1);
  vf_check("load_path", "door on two hinges", "low.fz [N]", vf_value(&c, "low.fz"), 10 * 9.81, 1e-6,
           "half its weight");
  vf_check("load_path", "door on two hinges", "high.fz [N]", vf_value(&c, "high.fz"), 10 * 9.81,
           1e-6, "half its weight");
  double moment = 0.8 * (vf_value(&c, "high.fx") - vf_value(&c, "low.fx")) +
                  vf_value(&c, "low.ty") + vf_value(&c, "high.ty");
  vf_check("load_path", "door on two hinges", "moment of both [N m]", moment, -20 * 9.81 * 0.5,
           1e-6, "m g l/2");
  assert_true(vf_said(&c.diag, "load sharing of these is undetermined"));
  vf_close(&c);
}

/* A universal joint between fixed shafts, one side with an interference fit: one row is redundant.
 * Its two trunnions carry the torque as a couple, as in equilibrium, instead of one of them
 * carrying all of it. */
static void test_trunnions_share(void **state) {
  static const char model[] =
      "bodies:\n"
      "  ground: {markers: {gb: {orientation: {axis: x, angle: 20 deg}}}}\n"
      "  A: {mass: 1 kg, inertia: [1e-2 kg*m^2, 1e-2 kg*m^2, 1e-2 kg*m^2]}\n"
      "  B: {orientation: {axis: x, angle: 20 deg}, mass: 1 kg, inertia: [1e-2 kg*m^2, 1e-2 "
      "kg*m^2, 1e-2 kg*m^2]}\n"
      "joints:\n"
      "  fa: {type: fixed, b: A}\n"
      "  e: {type: universal_clearance_joint, a: A, b: B, law: l, fidelity: spatial, arm: 40 mm, "
      "pin_radius: 20 mm, "
      "length: 20 mm, cross_mass: 0.5 kg, cross_inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2], "
      "clearance_a: 20 um, "
      "fitted_mu: 0.1}\n"
      "  rb: {type: revolute, a: ground.gb, b: B}\n"
      "motions: {mo: {coordinate: rb.angle, value: \"%s\"}}\n"
      "laws: {l: {type: hertz, stiffness: 4e10 N/m^1.5, damping: 2e3 N*s/m, mu: 0.1, velocity: 2 "
      "mm/s}}\n";
  vf_case c;
  double force[2][2];
  for (int still = 0; still < 2; still++) {
    vf_text(&c, model, still ? "2e-3 rad" : "step5(t, 0 s, 0 rad, 2 ms, 2e-3 rad)");
    if (still) {
      balance(&c);
    } else {
      vf_start(&c, NULL);
      vf_advance(&c, 8e-3);
    }
    for (int i = 0; i < 2; i++) {
      char name[3][40];
      for (int k = 0; k < 3; k++)
        snprintf(name[k], sizeof name[k], "e.trunnion_b[%d].f%c", i, "xyz"[k]);
      force[still][i] =
          hypot(hypot(vf_value(&c, name[0]), vf_value(&c, name[1])), vf_value(&c, name[2]));
    }
    vf_check("load_path", still ? "trunnions of held shafts, at rest" : "trunnions of held shafts",
             "force on the one over that on the other", force[still][0] / force[still][1], 1, 0.02,
             "a pair of forces");
    vf_close(&c);
  }
  vf_check("load_path", "trunnions of held shafts", "force [N]", force[0][0], force[1][0],
           1e-3 * force[1][0], "at rest");
}

/* The effort that holds a sum of coordinates has the unit that makes its product with the sum a
 * work: a moment for radians, a force for metres.  A weight of 9.81 N on a rail, half a metre per
 * radian of the rotor. */
static void test_unit_of_an_effort(void **state) {
  static const struct {
    const char *terms, *unit;
    double effort;
  } sum[] = {{"{rail.displacement: 1, one.angle: -0.5 m/rad}", "N", 9.81},
             {"{one.angle: 1, rail.displacement: -2 rad/m}", "N*m", -9.81 / 2},
             {"{one.angle: -0.5 m/rad, rail.displacement: 1}", "N", 9.81}};
  for (int i = 0; i < 3; i++) {
    vf_case c;
    vf_text(&c,
            "bodies: {one: {type: rotor, inertia: 2 kg*m^2}, s: {mass: 1 kg, inertia: [1 kg*m^2, 1 "
            "kg*m^2, 1 "
            "kg*m^2]}}\n"
            "joints: {rail: {type: prismatic, b: s, axis: z}, c: {type: coupling, terms: %s}}\n"
            "forces: {k: {type: torsion_spring, coordinate: one.angle, stiffness: 100 N*m/rad}, g: "
            "{type: "
            "gravity}}\n",
            sum[i].terms);
    balance(&c);
    vf_check("load_path", sum[i].terms, "effort of the coupling", vf_value(&c, "c.effort"),
             sum[i].effort, 1e-9, "virtual work");
    assert_string_equal(hk_model_channel_unit(c.model, vf_channel(&c, "c.effort")), sum[i].unit);
    vf_close(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tilt_of_a_turned_hinge),
      cmocka_unit_test(test_turning_over),
      cmocka_unit_test(test_slid_journal),
      cmocka_unit_test(test_part_with_bent_shafts),
      cmocka_unit_test(test_slotted_bores),
      cmocka_unit_test(test_bent_start),
      cmocka_unit_test(test_friction_around_a_pin),
      cmocka_unit_test(test_forces_between_steps),
      cmocka_unit_test(test_loads_of_rigid_contacts),
      cmocka_unit_test(test_part_of_the_same_name),
      cmocka_unit_test(test_shaft_held_at_one_end),
      cmocka_unit_test(test_offered_names),
      cmocka_unit_test(test_work_to_and_fro),
      cmocka_unit_test(test_unit_of_an_effort),
      cmocka_unit_test(test_door_on_two_hinges),
      cmocka_unit_test(test_trunnions_share),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
