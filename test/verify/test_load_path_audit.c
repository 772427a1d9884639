/* Load paths of rings, planets, measured flanks, couplings, modes and frequency responses against closed forms. */
#include "verify/beam_model.h"
#include <hooke/machine.h>
#include <hooke/response.h>

static void balance(vf_case *c) {
  hk_static_report at;
  if (hk_static_solve(c->model, NULL, &c->sim, &at, &c->diag, &c->err)) fail_msg("%s", c->err.text);
}

/* ---- planets ---- */

enum { SUN = 24, PLANET = 18, RING = 60 };
static const double MODULE = 2e-3, TORQUE = 60;

/* A sun driven by a torque and a ring on a spring, with a planet whose pin is fixed.  Teeth without
 * profile shift at their reference distance: pitch radii are m z/(2 cos(helix)). */
static void planet_stage(vf_case *c, double helix, const char *outer, const char *inner,
                         const char *tables) {
  const double distance = 0.5 * MODULE * (SUN + PLANET) / cos(helix);
  vf_text(c,
          "bodies:\n"
          "  sun: {mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2]}\n"
          "  planet: {mass: 0.3 kg, inertia: [1e-4 kg*m^2, 1e-4 kg*m^2, 1e-4 kg*m^2], position: "
          "[%.17g m, 0, 0]}\n"
          "  ring: {mass: 2 kg, inertia: [1e-2 kg*m^2, 1e-2 kg*m^2, 1e-2 kg*m^2]}\n"
          "joints:\n"
          "  sun_axis: {type: revolute, b: sun}\n"
          "  pin: {type: revolute, b: planet, at: [%.17g m, 0, 0]}\n"
          "  ring_axis: {type: revolute, b: ring}\n"
          "forces:\n"
          "  outer: {type: gear_pair, a: sun, b: planet, teeth_a: 24, teeth_b: 18, module: 2 mm, "
          "face_width: 20 mm, "
          "helix_angle: %.17g rad, backlash: 60 um, stand: forward, %s}\n"
          "  inner: {type: gear_pair, a: planet, b: ring, ring: true, teeth_a: 18, teeth_b: 60, "
          "module: 2 mm, "
          "face_width: 20 mm, helix_angle: %.17g rad, backlash: 60 um, stand: backward, %s}\n"
          "  drive: {type: load, b: sun, torque: [0, 0, %.17g N*m]}\n"
          "  hold: {type: torsion_spring, coordinate: ring_axis.angle, stiffness: 1e5 N*m/rad}\n%s",
          distance, distance, helix, outer, -helix, inner, TORQUE, tables);
  balance(c);
}

static void check_stage(double degrees, const char *compliance, const char *outer,
                        const char *inner) {
  vf_case c;
  const double helix = degrees * M_PI / 180, r = 0.5 * MODULE / cos(helix),
               tangential = TORQUE / (r * SUN), axial = tangential * tan(fabs(helix));
  char text[80];
  snprintf(text, sizeof text, "sun, planet and ring, helix %g degrees, %s", degrees, compliance);
  planet_stage(&c, helix, outer, inner, "");
  const char *source = "statics at the pitch points";
  vf_check("load_path", text, "moment of the ring on its spring [N m]", vf_value(&c, "hold.torque"),
           TORQUE * RING / SUN, 1e-6 * TORQUE, source);
  vf_check("load_path", text, "force of the pin, around [N]", fabs(vf_value(&c, "pin.fy")),
           2 * tangential, 1e-6 * tangential, source);
  vf_bound("load_path", text, "force of the pin, radial and axial [N]",
           hypot(vf_value(&c, "pin.fx"), vf_value(&c, "pin.fz")), 1e-6 * tangential, source);
  vf_check("load_path", text, "thrust of the sun [N]", fabs(vf_value(&c, "sun_axis.fz")), axial,
           1e-6 * tangential, source);
  vf_check("load_path", text, "thrust of the ring [N]", fabs(vf_value(&c, "ring_axis.fz")), axial,
           1e-6 * tangential, source);
  /* Circumferential forces act at heights that depend on the position of the teeth: they cause a
   * tilting moment about x only. */
  vf_close(&c);
}

static void test_planets(void **state) {
  static const char ISO[] = "compliance: iso", RIGID[] = "compliance: rigid";
  check_stage(0, "iso", ISO, ISO);
  check_stage(15, "iso", ISO, ISO);
  check_stage(-20, "rigid", RIGID, RIGID);
  check_stage(0, "fe", "compliance: fe, slices: 3, bore_a: 20 mm, bore_b: 15 mm",
              "compliance: fe, slices: 3, bore_a: 15 mm, bore_b: 150 mm");
}

/* The same with the carrier, all bodies free and tumbling: linear and angular momentum are
 * conserved.  Inertias are those of balls. */
static void momentum(vf_case *c, double out[6]) {
  static const char *const body[] = {"carrier", "sun", "planet", "ring"}, *const axis[] = {"x", "y",
                                                                                           "z"};
  static const double mass[] = {3, 1, 0.3, 2}, inertia[] = {1e-2, 1e-3, 1e-4, 1e-2};
  for (int i = 0; i < 6; i++) out[i] = 0;
  for (int b = 0; b < 4; b++) {
    double x[3], v[3], w[3];
    for (int i = 0; i < 3; i++) {
      char name[3][20];
      snprintf(name[0], 20, "%s.%s", body[b], axis[i]);
      snprintf(name[1], 20, "%s.v%s", body[b], axis[i]);
      snprintf(name[2], 20, "%s.w%s", body[b], axis[i]);
      x[i] = vf_value(c, name[0]), v[i] = vf_value(c, name[1]), w[i] = vf_value(c, name[2]);
    }
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      out[i] += mass[b] * v[i];
      out[3 + i] += mass[b] * (x[j] * v[k] - x[k] * v[j]) + inertia[b] * w[i];
    }
  }
}

static void test_momentum(void **state) {
  double before[6], after[6], worst = 0, size = 0;
  vf_case c;
  vf_text(&c,
          "bodies:\n"
          "  carrier: {mass: 3 kg, inertia: [1e-2 kg*m^2, 1e-2 kg*m^2, 1e-2 kg*m^2], velocity: [1 "
          "m/s, 2 m/s, 0], "
          "angular_velocity: [1 rad/s, 0, 10 rad/s]}\n"
          "  sun: {mass: 1 kg, inertia: [1e-3 kg*m^2, 1e-3 kg*m^2, 1e-3 kg*m^2], velocity: [1 m/s, "
          "2 m/s, 0], "
          "angular_velocity: [1 rad/s, 0, 70 rad/s]}\n"
          "  planet: {mass: 0.3 kg, inertia: [1e-4 kg*m^2, 1e-4 kg*m^2, 1e-4 kg*m^2], position: "
          "[42 mm, 0, 0], "
          "velocity: [1 m/s, 2.42 m/s, 0], angular_velocity: [1 rad/s, 0, -70 rad/s]}\n"
          "  ring: {mass: 2 kg, inertia: [1e-2 kg*m^2, 1e-2 kg*m^2, 1e-2 kg*m^2], velocity: [1 "
          "m/s, 2 m/s, 0], "
          "angular_velocity: [1 rad/s, 0, -14 rad/s]}\n"
          "joints:\n"
          "  sun_axis: {type: revolute, a: carrier, b: sun}\n"
          "  pin: {type: revolute, a: carrier, b: planet, at: [42 mm, 0, 0]}\n"
          "  ring_axis: {type: revolute, a: carrier, b: ring}\n"
          "forces:\n"
          "  outer: {type: gear_pair, a: sun, b: planet, teeth_a: 24, teeth_b: 18, module: 2 mm, "
          "face_width: 20 mm, "
          "backlash: 60 um, stand: forward, centers: carried}\n"
          "  inner: {type: gear_pair, a: planet, b: ring, ring: true, teeth_a: 18, teeth_b: 60, "
          "module: 2 mm, "
          "face_width: 20 mm, backlash: 60 um, stand: backward, centers: carried}\n"
          "  drive: {type: load, a: carrier, b: sun, torque: [0, 0, 20 N*m], axes: body}\n");
  vf_start(&c, &(hk_sim_options){.rtol = 1e-12, .atol = 1e-14});
  momentum(&c, before);
  vf_advance(&c, 2e-3);
  momentum(&c, after);
  for (int i = 0; i < 6; i++)
    worst = fmax(worst, fabs(after[i] - before[i])), size = fmax(size, fabs(before[i]));
  vf_bound("load_path", "free planetary set, rtol 1e-12", "change of momentum, relative",
           worst / size, 1e-9, "conservation");
  vf_close(&c);
}

/* ---- measured flanks ---- */

/* 5 um of material removed from the whole flank of the ring, as tables: the ring rotates further by
 * 5 um along the normal, and so does the sun.  Forces do not change. */
static void test_topography(void **state) {
  static const char TABLES[] =
      "tables:\n"
      "  flank: {repeat: {i: 0..1}, points: [[0 mm, 5 um], [200 mm, 5 um]]}\n";
  vf_case plain, measured;
  planet_stage(&plain, 0, "compliance: rigid", "compliance: rigid", "");
  double before = vf_value(&plain, "sun_axis.angle"), force = vf_value(&plain, "pin.fy");
  vf_close(&plain);
  planet_stage(&measured, 0, "compliance: rigid, topography_b: flank",
               "compliance: rigid, topography_b: flank", TABLES);
  const double base = 0.5 * MODULE * SUN * cos(20 * M_PI / 180);
  vf_check("load_path", "flanks 5 um short, as tables", "turn of the sun, along the normal [m]",
           (vf_value(&measured, "sun_axis.angle") - before) * base, 10e-6, 1e-9,
           "5 um in each mesh");
  vf_check("load_path", "flanks 5 um short, as tables", "force of the pin [N]",
           vf_value(&measured, "pin.fy"), force, 1e-6 * fabs(force), "as without");
  vf_close(&measured);
}

/* ---- couplings ---- */

/* Three rotors of 1, 2, 3 kg m^2 with s + 2.5 r = 3.5 c under torques: a = M^-1 (f + n L), n.a = 0. */
static void test_coupling(void **state) {
  static const char *const name[] = {"s", "r", "c"};
  const double n[3] = {1, 2.5, -3.5}, I[3] = {1, 2, 3}, f[3] = {4, -1, 2};
  double above = 0, below = 0;
  vf_case c;
  vf_text(&c,
          "bodies: {s: {type: rotor, inertia: 1 kg*m^2}, r: {type: rotor, inertia: 2 kg*m^2}, c: "
          "{type: rotor, inertia: "
          "3 kg*m^2}}\n"
          "joints: {willis: {type: coupling, terms: {s.angle: 1, r.angle: 2.5, c.angle: -3.5}}}\n"
          "forces:\n"
          "  fs: {type: actuator, coordinate: s.angle, force: 4 N*m}\n"
          "  fr: {type: actuator, coordinate: r.angle, force: -1 N*m}\n"
          "  fc: {type: actuator, coordinate: c.angle, force: 2 N*m}\n");
  vf_start(&c, NULL);
  for (int i = 0; i < 3; i++) above -= n[i] * f[i] / I[i], below += n[i] * n[i] / I[i];
  const double effort = above / below;
  vf_check("load_path", "coupling of three rotors", "effort [N m]", vf_value(&c, "willis.effort"),
           effort, 1e-12, "M^-1");
  for (int i = 0; i < 3; i++) {
    char channel[20];
    snprintf(channel, sizeof channel, "%s.angle_acc", name[i]);
    vf_check("load_path", "coupling of three rotors", "acceleration [rad/s^2]",
             vf_value(&c, channel), (f[i] + n[i] * effort) / I[i], 1e-12, "M^-1");
  }
  vf_close(&c);
}

/* ---- small motions ---- */

/* A bar on two springs, with its centre of mass 0.1 m from its origin: bounce and pitch modes.  m =
 * 4 kg, J = 0.3 kg m^2, springs of 3 and 5 kN/m at -0.4 m and 0.5 m from the centre, a load at 0.6
 * m and an output point at -0.6 m. */
static void mounted_bar(vf_case *c) {
  vf_text(c,
          "bodies:\n"
          "  ground: {markers: {l: {at: [-0.3 m, 0, 0]}, r: {at: [0.6 m, 0, 0]}}}\n"
          "  bar: {mass: 4 kg, inertia: [0.1 kg*m^2, 0.3 kg*m^2, 0.3 kg*m^2], center_of_mass: [0.1 "
          "m, 0, 0], markers: "
          "{l: {at: [-0.3 m, 0, 0]}, r: {at: [0.6 m, 0, 0]}, in: {at: [0.7 m, 0, 0]}, out: {at: "
          "[-0.5 m, 0, 0]}}}\n"
          "joints: {flat: {type: planar, b: bar}}\n"
          "forces:\n"
          "  left: {type: bushing, a: ground.l, b: bar.l, stiffness: [0, 3 kN/m, 0]}\n"
          "  right: {type: bushing, a: ground.r, b: bar.r, stiffness: [1 kN/m, 5 kN/m, 0]}\n"
          "  push: {type: load, b: bar.in, force: [0, 0 N, 0]}\n");
}

static const double M[2] = {4, 0.3}, K[3] = {8e3, -0.4 * 3e3 + 0.5 * 5e3, 0.16 * 3e3 + 0.25 * 5e3};

static void test_bounce_and_pitch(void **state) {
  const double a = K[0] / M[0], b = K[2] / M[1], d = K[1] * K[1] / (M[0] * M[1]),
               root = sqrt(0.25 * (a - b) * (a - b) + d);
  hk_modes modes;
  vf_case c;
  mounted_bar(&c);
  bm_modes(&c, &modes);
  for (int i = 0; i < 2; i++) {
    const double w = sqrt(0.5 * (a + b) + (i ? root : -root));
    vf_check("load_path", "bar on two springs",
             i ? "second frequency [rad/s]" : "first frequency [rad/s]", bm_nearest(&modes, w).im,
             w, 1e-8 * w, "bounce and pitch");
  }
  hk_modes_free(&modes);
  vf_close(&c);
}

static void test_response_of_mounted_bar(void **state) {
  hk_linear *linear;
  hk_response *r;
  vf_case c;
  int input;
  mounted_bar(&c);
  balance(&c);
  const int y = vf_channel(&c, "bar.out.y");
  if (hk_linear_create(c.sim, NULL, &linear, &c.diag, &c.err) ||
      hk_response_input_find(linear, "forces.push.force.y", &input, &c.err) ||
      hk_response_create(c.sim, linear, input, &y, 1, &r, &c.err))
    fail_msg("%s", c.err.text);
  for (int i = 0; i < 3; i++) {
    const double w = 20 + 40 * i, k11 = K[0] - w * w * M[0], k22 = K[2] - w * w * M[1];
    const double exact =
        (k22 + 0.6 * 0.6 * -k11) / (k11 * k22 - K[1] * K[1]); /* [1, -0.6] K^-1 [1, 0.6] */
    double out[2];
    char text[60];
    if (hk_response_value(r, w, out, &c.err)) fail_msg("%s", c.err.text);
    snprintf(text, sizeof text, "bar on two springs at %g rad/s", w);
    vf_check("load_path", text, "receptance across the bar [m/N]", out[0], exact,
             1e-9 * fabs(exact), "(K - w^2 M)^-1");
    vf_bound("load_path", text, "its imaginary part [m/N]", fabs(out[1]), 1e-9 * fabs(exact),
             "no damping");
  }
  hk_response_destroy(r);
  hk_linear_destroy(linear);
  vf_close(&c);
}

/* ---- exchanged ---- */

typedef struct helical {
  int teeth[2];
  double helix, wide, shift, phase; /* rad, m, m, and the rotation of the first gear, rad */
  const char *more, *laws;
} helical;

/* A gear at the origin on a revolute joint and one beside it that is fixed, each with a marker towards the middle of a
 * tooth, so that the teeth stand the same whichever is a.  Reactions of both supports. */
static void mounted_pair(const helical *k, bool exchanged, double out[12]) {
  static const char *const part[6] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  const double distance = 0.5 * MODULE * (k->teeth[0] + k->teeth[1]) / cos(k->helix),
               other = M_PI + (M_PI - k->phase * k->teeth[0]) / k->teeth[1],
               /* the helix turns the teeth of a shifted gear on */
      twist = 2 * k->shift * sin(k->helix) / (MODULE * k->teeth[1]);
  const int one = exchanged, two = !exchanged;
  vf_case c;
  vf_text(
      &c,
      "bodies:\n"
      "  one: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2], center_of_mass: [3 "
      "mm, 2 mm, 5 mm], markers: {g: {at: [0, 0, 0], orientation: {axis: z, angle: %.17g "
      "rad}}}}\n"
      "  two: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2], position: [%.17g "
      "m, 0, %.17g m], markers: {g: {at: [0, 0, 0], orientation: {axis: z, angle: %.17g "
      "rad}}}}\n"
      "joints:\n"
      "  free: {type: revolute, b: one, at: [0, 0, 0.1 m], axis: z}\n"
      "  held: {type: fixed, b: two, at: [%.17g m, 0, 0.1 m]}\n"
      "forces:\n"
      "  drive: {type: load, b: one, torque: [0, 0, 80 N*m]}\n"
      "  mesh: {type: gear_pair, a: %s.g, b: %s.g, teeth_a: %d, teeth_b: %d, module: %.17g m, "
      "helix_angle: %.17g rad, face_width: %.17g m, face_width_b: %.17g m, backlash: 50 um, "
      "initial_mesh: marked%s}\n%s",
      k->phase, distance, k->shift, other - twist, distance, exchanged ? "two" : "one",
      exchanged ? "one" : "two", k->teeth[one], k->teeth[two], MODULE,
      exchanged ? -k->helix : k->helix, exchanged ? k->wide : 22e-3, exchanged ? 22e-3 : k->wide,
      k->more, k->laws);
  balance(&c);
  for (int i = 0; i < 12; i++) {
    char name[16];
    snprintf(name, sizeof name, "%s.%s", i < 6 ? "free" : "held", part[i % 6]);
    out[i] = vf_value(&c, name);
  }
  vf_close(&c);
}

/* At any position of the teeth, helical gears load their supports the same with a and b exchanged, and as statics say. */
static void test_exchanged(void **state) {
  static const helical PAIR[] = {
      {{23, 31}, 0.38, 22e-3, 0, 0.1, "", ""},
      {{17, 41}, -0.26, 14e-3, 4e-3, 0.21, "", ""},
      {{35, 50},
       0.52,
       30e-3,
       -6e-3,
       0.03,
       ", law: oil",
       "laws: {oil: {type: ehl_line, viscosity: 0.05 Pa*s, pressure_viscosity: 2e-8 1/Pa}}\n"},
      {{31, 23}, 0.14, 22e-3, 0, 0.17, ", compliance: rigid", ""},
  };
  double differ = 0, sums = 0, thrust = 0;
  for (int n = 0; n < 4; n++)
    for (int at = 0; at < 5; at++) {
      helical k = PAIR[n];
      double R[2][12];
      k.phase += 0.2 * at * 2 * M_PI / k.teeth[0];
      for (int i = 0; i < 2; i++) mounted_pair(&k, i, R[i]);
      const double radius = 0.5 * MODULE * k.teeth[0] / cos(k.helix), F = 80 / radius;
      for (int i = 0; i < 12; i++)
        differ = fmax(differ, fabs(R[1][i] - R[0][i]) / (i % 6 < 3 ? F : F * radius));
      for (int i = 0; i < 3; i++) sums = fmax(sums, fabs(R[0][i] + R[0][6 + i]) / F);
      thrust = fmax(thrust, fabs(fabs(R[0][2]) - F * fabs(tan(k.helix))) / F);
      sums = fmax(sums, fabs(fabs(R[0][11]) * k.teeth[0] / k.teeth[1] - 80) / 80);
    }
  vf_bound("load_path", "helical pairs, 4 geometries, 5 positions", "a and b exchanged, relative",
           differ, 1e-8, "the same gears");
  vf_bound("load_path", "helical pairs, 4 geometries, 5 positions",
           "statics of the supports, relative", sums, 1e-8, "sum of forces, torque by the ratio");
  vf_bound("load_path", "helical pairs, 4 geometries, 5 positions", "thrust, relative", thrust,
           1e-8, "F tan(helix)");
}

/* ---- hands ---- */

/* A helical pair with finite elements and its mirror image deflect equally. */
static double deflection(double helix, double torque) {
  vf_case c;
  hk_gear_solution s;
  vf_text(
      &c,
      "bodies:\n"
      "  a: {type: rotor, inertia: 1e-3 kg*m^2}\n"
      "  b: {type: rotor, inertia: 1e-3 kg*m^2, position: [%.17g m, 0, 0]}\n"
      "forces:\n"
      "  mesh: {type: gear_pair, a: a, b: b, teeth_a: 25, teeth_b: 40, module: 3 mm, face_width: "
      "24 mm, helix_angle: %.17g rad, compliance: fe, slices: 4, bore_a: 37.5 mm, bore_b: 60 "
      "mm}\n",
      0.5 * 3e-3 * 65 / cos(helix), helix);
  if (hk_gear_solve(c.model, "mesh", &(hk_gear_options){.torque = torque}, &s, &c.err))
    fail_msg("%s", c.err.text);
  const double mean = s.transmission_error.mean;
  hk_gear_solution_free(&s);
  vf_close(&c);
  return mean;
}

static void test_hands(void **state) {
  const double right = deflection(0.32, 100);
  vf_check("load_path", "helical pair with finite elements, mirrored",
           "mean transmission error [m]", deflection(-0.32, -100), right, 1e-9 * right,
           "the mirror image");
  vf_check("load_path", "helical pair with finite elements, other flank",
           "mean transmission error [m]", deflection(0.32, -100), right, 1e-9 * right,
           "turned over");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hands),
      cmocka_unit_test(test_exchanged),
      cmocka_unit_test(test_planets),
      cmocka_unit_test(test_momentum),
      cmocka_unit_test(test_topography),
      cmocka_unit_test(test_coupling),
      cmocka_unit_test(test_bounce_and_pitch),
      cmocka_unit_test(test_response_of_mounted_bar),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
