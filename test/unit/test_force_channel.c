/* Channels of forces and joints against positions, velocities and balances. */
#include "support/subject.h"
#include "spec/registry.h"
#include <hooke/linear.h>

static hk_vec3 vector(hk_sim *sim, const hk_model *m, const char *owner, const char *prefix) {
  double v[3];
  for (int i = 0; i < 3; i++) {
    char name[200];
    snprintf(name, sizeof name, "%s.%s%c", owner, prefix, "xyz"[i]);
    v[i] = channel(sim, m, name);
  }
  return hk_v3(v[0], v[1], v[2]);
}

static hk_mat3 axes(hk_sim *sim, const hk_model *m, const char *body) {
  char name[200];
  double q[4];
  for (int i = 0; i < 4; i++) {
    snprintf(name, sizeof name, "%s.q%c", body, "wxyz"[i]);
    q[i] = channel(sim, m, name);
  }
  return hk_quat_matrix((hk_quat){q[0], q[1], q[2], q[3]});
}

static void near_vector(hk_vec3 got, hk_vec3 wanted, double tolerance, const char *what) {
  assert_near(got.x, wanted.x, tolerance, "%s, x", what);
  assert_near(got.y, wanted.y, tolerance, "%s, y", what);
  assert_near(got.z, wanted.z, tolerance, "%s, z", what);
}

static void advance(hk_sim *sim, double t) {
  hk_error err = {0};
  if (hk_sim_advance(sim, t, &err)) fail_msg("%s", err.text);
}

/* Two bodies in free motion, connected with each other and with the ground by one force of each kind. */
static const char TIED[] =
    "format: 1\n"
    "bodies:\n"
    "  one: {mass: 2 kg, inertia: [0.1 kg*m^2, 0.2 kg*m^2, 0.25 kg*m^2], angular_velocity: [1 "
    "rad/s, 2 "
    "rad/s, -1 rad/s], markers: {arm: {at: [0.3 m, 0, 0.1 m]}}}\n"
    "  two: {mass: 1 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2], position: [1 m, 0.2 m, 0], "
    "velocity: [0, 0.5 m/s, 0.2 m/s], markers: {tip: {at: [0, 0.2 m, 0]}}}\n"
    "forces:\n"
    "  weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}\n"
    "  cord: {type: spring_damper, a: one.arm, b: two.tip, stiffness: 70 N/m, damping: 3 N*s/m, "
    "length: "
    "0.5 m, preload: 2 N}\n"
    "  mount: {type: bushing, a: one, b: two, stiffness: [10 N/m, 20 N/m, 30 N/m], damping: [1 "
    "N*s/m, 2 "
    "N*s/m, 3 N*s/m], torsion_stiffness: [1 N*m/rad, 1 N*m/rad, 1 N*m/rad], torsion_damping: [0.1 "
    "N*m*s/rad, 0.1 N*m*s/rad, 0.1 N*m*s/rad]}\n"
    "  hold: {type: bearing, b: one, radial_stiffness: 100 N/m, axial_stiffness: 300 N/m, "
    "radial_damping: 2 N*s/m, axial_damping: 4 N*s/m, spin_damping: 0.2 N*m*s/rad}\n"
    "  push: {type: load, b: two.tip, axes: body, force: [3 N, 0 N, \"2 N * cos(3 rad/s * t)\"], "
    "torque: "
    "[0.1 N*m, 0 N*m, 0 N*m]}\n";

static void springs_by_hand(void **state) {
  (void)state;
  hk_model *m = model_of(TIED);
  hk_sim *sim = sim_of(m, NULL);
  for (double t = 0.1; t < 0.35; t += 0.1) {
    advance(sim, t);
    hk_vec3 d = hk_sub(vector(sim, m, "two.tip", ""), vector(sim, m, "one.arm", ""));
    hk_vec3 u = hk_sub(vector(sim, m, "two.tip", "v"), vector(sim, m, "one.arm", "v"));
    double length = hk_norm(d), rate = hk_dot(d, u) / length;
    double F = -(70 * (length - 0.5) + 3 * rate + 2);
    assert_near(channel(sim, m, "cord.length"), length, 1e-13, "length");
    assert_near(channel(sim, m, "cord.length_rate"), rate, 1e-12, "rate");
    assert_near(channel(sim, m, "cord.force"), F, 1e-11, "force of the spring");
    assert_near(channel(sim, m, "cord.power"), F * rate, 1e-11, "its power");
    assert_near(channel(sim, m, "cord.loss"), 3 * rate * rate, 1e-11, "its loss");
    assert_near(channel(sim, m, "cord.energy"), 35 * pow(length - 0.5, 2) + 2 * (length - 0.5),
                1e-11, "its energy");
    near_vector(vector(sim, m, "cord", "f"), hk_scale(F / length, d), 1e-11, "force on b");
    near_vector(vector(sim, m, "cord", "t"), hk_v3(0, 0, 0), 0, "no moment about its end");
    hk_mat3 one = axes(sim, m, "one"), two = axes(sim, m, "two");
    near_vector(vector(sim, m, "cord", "own_f"), hk_tmul(&one, vector(sim, m, "cord", "f")), 1e-11,
                "in the axes of a");

    /* The bushing: f = -K u - C u' in the axes of a. */
    hk_vec3 s = hk_sub(vector(sim, m, "two", ""), vector(sim, m, "one", ""));
    hk_vec3 v = hk_sub(hk_sub(vector(sim, m, "two", "v"), vector(sim, m, "one", "v")),
                       hk_cross(vector(sim, m, "one", "w"), s));
    hk_vec3 p = hk_tmul(&one, s), w = hk_tmul(&one, v);
    near_vector(hk_v3(channel(sim, m, "mount.ux"), channel(sim, m, "mount.uy"),
                      channel(sim, m, "mount.uz")),
                p, 1e-12, "displacement");
    near_vector(hk_v3(channel(sim, m, "mount.ux_rate"), channel(sim, m, "mount.uy_rate"),
                      channel(sim, m, "mount.uz_rate")),
                w, 1e-11, "its rate");
    hk_vec3 f = hk_v3(-10 * p.x - w.x, -20 * p.y - 2 * w.y, -30 * p.z - 3 * w.z);
    near_vector(vector(sim, m, "mount", "own_f"), f, 1e-10, "force of the bushing");
    near_vector(vector(sim, m, "mount", "f"), hk_mul(&one, f), 1e-10, "in world axes");
    assert_near(channel(sim, m, "mount.force"), hk_norm(f), 1e-10, "its size");
    hk_mat3 relative = hk_tmatmul(&one, &two);
    near_vector(hk_v3(channel(sim, m, "mount.phix"), channel(sim, m, "mount.phiy"),
                      channel(sim, m, "mount.phiz")),
                hk_quat_log(hk_quat_from_matrix(&relative)), 1e-12, "rotation vector");

    /* The bearing on the ground, with its z axis along the world's. */
    hk_vec3 x = vector(sim, m, "one", ""), y = vector(sim, m, "one", "v");
    near_vector(vector(sim, m, "hold", "f"),
                hk_v3(-100 * x.x - 2 * y.x, -100 * x.y - 2 * y.y, -300 * x.z - 4 * y.z), 1e-10,
                "force of the bearing");
    assert_near(channel(sim, m, "hold.radial"), hypot(x.x, x.y), 1e-13, "radial displacement");
    assert_near(channel(sim, m, "hold.axial"), x.z, 1e-13, "axial displacement");
    hk_vec3 z = {0, 0, 1}, n = hk_column(&one, 2), axes = hk_add(n, z);
    assert_near(channel(sim, m, "hold.spin"),
                hk_dot(axes, vector(sim, m, "one", "w")) / hk_dot(axes, z), 1e-12, "spin");

    /* The local axes of the load are those of b. */
    near_vector(vector(sim, m, "push", "own_f"), hk_v3(3, 0, 2 * cos(3 * t)), 1e-12, "load");
    near_vector(vector(sim, m, "push", "f"), hk_mul(&two, hk_v3(3, 0, 2 * cos(3 * t))), 1e-12,
                "load in world axes");
    near_vector(vector(sim, m, "push", "own_t"), hk_v3(0.1, 0, 0), 1e-13, "its moment");
  }
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* Losses and powers, integrated over the run, agree with the energy ledger; the stored energies add up to
 * it. */
static void powers_make_the_ledger(void **state) {
  (void)state;
  static const char *const name[] = {"weight", "cord", "mount", "hold", "push"};
  enum { N = 5 };
  const double h = 1e-4, end = 0.5;
  hk_model *m = model_of(TIED);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = h});
  double work = 0, loss = 0, applied = 0, last[3] = {0};
  double kinetic = channel(sim, m, "energy.kinetic");
  for (int k = 0; k <= (int)lround(end / h); k++) {
    advance(sim, k * h);
    double now[3] = {0}, stored = 0;
    for (int i = 0; i < N; i++) {
      char full[60];
      snprintf(full, sizeof full, "%s.power", name[i]);
      now[0] += channel(sim, m, full);
      if (i == 4) now[2] = channel(sim, m, full);
      snprintf(full, sizeof full, "%s.energy", name[i]);
      stored += channel(sim, m, full);
      snprintf(full, sizeof full, "%s.loss", name[i]);
      if (i) now[1] += channel(sim, m, full);
    }
    assert_near(stored, channel(sim, m, "energy.potential"), 1e-12, "stored energy");
    if (k) work += h / 2 * (last[0] + now[0]);
    if (k) loss += h / 2 * (last[1] + now[1]);
    if (k) applied += h / 2 * (last[2] + now[2]);
    memcpy(last, now, sizeof now);
  }
  assert_near(loss, channel(sim, m, "energy.dissipated"), 1e-9, "energy lost");
  assert_near(applied, channel(sim, m, "energy.applied_work"), 1e-9, "work of the load");
  assert_near(kinetic + work, channel(sim, m, "energy.kinetic"), 1e-6, "kinetic energy");
  assert_true(loss > 1);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* ---- joints ---- */

/* A hinge in space on a moving body: its local axes are those of the joint on side a. */
static void reactions_in_own_axes(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  arm: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0], markers: {j: {at: [0.5 "
      "m, "
      "0, 0], orientation: {axis: [1, 2, 0], angle: 40 deg}}}}\n"
      "  leg: {type: box, size: [0.2 m, 0.3 m, 0.4 m], mass: 1 kg, position: [1.2 m, 0.1 m, 0.1 "
      "m]}\n"
      "joints:\n"
      "  shoulder: {type: revolute, b: arm, at: [0, 0, 0], axis: [0, 1, 1], x_axis: [1, 0, 0]}\n"
      "  knee: {type: revolute, a: arm, b: leg, at: [1 m, 0, 0], axis: [1, 0, 1]}\n"
      "forces: {weight: {type: gravity}}\n");
  hk_sim *sim = sim_of(m, NULL);
  advance(sim, 0.3);
  hk_vec3 f = vector(sim, m, "shoulder", "f"), t = vector(sim, m, "shoulder", "t");
  hk_vec3 z = hk_unit3(hk_v3(0, 1, 1)), x = hk_v3(1, 0, 0), y = hk_cross(z, x);
  near_vector(vector(sim, m, "shoulder", "own_f"), hk_v3(hk_dot(f, x), hk_dot(f, y), hk_dot(f, z)),
              1e-12, "force on the shoulder");
  near_vector(vector(sim, m, "shoulder", "own_t"), hk_v3(hk_dot(t, x), hk_dot(t, y), 0), 1e-11,
              "moment, none about its axis");
  /* The axis of the knee rotates with the arm. */
  hk_mat3 R = axes(sim, m, "arm");
  hk_vec3 axis = hk_mul(&R, hk_unit3(hk_v3(1, 0, 1)));
  f = vector(sim, m, "knee", "f");
  hk_vec3 own = vector(sim, m, "knee", "own_f");
  assert_near(own.z, hk_dot(f, axis), 1e-12, "force along the knee's axis");
  assert_near(hk_norm(own), hk_norm(f), 1e-12, "size");
  assert_near(vector(sim, m, "knee", "own_t").z, 0, 1e-11, "no moment about it");
  /* Newton's law for the leg. */
  near_vector(hk_add(f, hk_v3(0, 0, -9.81)), vector(sim, m, "leg", "a"), 1e-10, "m a = f");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void friction_and_its_load(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {arm: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}}\n"
      "joints: {hinge: {type: revolute, b: arm, at: [0, 0, 0], axis: z}}\n"
      "forces:\n"
      "  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
      "  rub: {type: joint_friction, joint: hinge, mu: 0.2, radius: 20 mm, velocity: 1 mm/s}\n"
      "sensors: {twice: {value: 2*rub.torque}}\n");
  hk_sim *sim = sim_of(m, NULL);
  advance(sim, 0.4);
  double N = hk_norm(vector(sim, m, "hinge", "f")), rate = channel(sim, m, "hinge.angle_rate");
  double T = -0.2 * 0.02 * N * tanh(0.02 * rate / 1e-3);
  assert_near(channel(sim, m, "rub.normal_force"), N, 1e-10, "load of the friction");
  assert_near(channel(sim, m, "rub.torque"), T, 1e-12, "friction");
  assert_near(channel(sim, m, "rub.loss"), -T * rate, 1e-12, "its loss");
  assert_near(channel(sim, m, "twice"), 2 * T, 1e-12, "a sensor of it");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* ---- balance at rest ---- */

/* A platform on three legs: springs, a bushing and a joint.  Their channels must add up to the weight of the
 * platform and balance its moment. */
static void a_body_at_rest_is_in_balance(void **state) {
  (void)state;
  static const char text[] =
      "format: 1\n"
      "bodies:\n"
      "  ground: {markers: {p: [1 m, 0, -1 m], q: [-0.5 m, 0.8 m, -1.2 m]}}\n"
      "  table: {mass: 30 kg, inertia: [3 kg*m^2, 3 kg*m^2, 5 kg*m^2], center_of_mass: [0.1 m, "
      "0.05 m, "
      "0.2 m], markers: {p: [0.9 m, 0.1 m, 0], q: [-0.5 m, 0.7 m, 0], r: {at: [-0.4 m, -0.7 m, 0], "
      "orientation: {axis: x, angle: 30 deg}}}}\n"
      "  foot: {mass: 2 kg, inertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2], position: [-0.4 m, -0.7 "
      "m, "
      "-0.5 m]}\n"
      "joints: {stand: {type: prismatic, b: foot, at: [-0.4 m, -0.7 m, -0.5 m], axis: [0, 1, 3]}}\n"
      "forces:\n"
      "  weight: {type: gravity}\n"
      "  p: {type: spring_damper, a: ground.p, b: table.p, stiffness: 5 kN/m, length: 1.05 m}\n"
      "  q: {type: spring_damper, a: table.q, b: ground.q, stiffness: 4 kN/m, length: 1.2 m}\n"
      "  r: {type: bushing, a: table.r, b: foot, stiffness: [9 kN/m, 8 kN/m, 7 kN/m], "
      "torsion_stiffness: [2 kN*m/rad, 2 kN*m/rad, 2 kN*m/rad]}\n"
      "  prop: {type: spring_damper, b: foot, stiffness: 6 kN/m, length: 0.8 m}\n";
  hk_model *m = model_of(text);
  hk_sim *sim = NULL;
  hk_static_report report;
  hk_error err = {0};
  if (hk_static_solve(m, NULL, &sim, &report, NULL, &err)) fail_msg("%s", err.text);
  hk_mat3 R = axes(sim, m, "table");
  hk_vec3 centre = hk_add(vector(sim, m, "table", ""), hk_mul(&R, hk_v3(0.1, 0.05, 0.2)));
  hk_vec3 rp = hk_sub(vector(sim, m, "table.p", ""), centre);
  hk_vec3 rq = hk_sub(vector(sim, m, "table.q", ""), centre);
  hk_vec3 rr = hk_sub(vector(sim, m, "foot", ""), centre);
  hk_vec3 fp = vector(sim, m, "p", "f"), fq = hk_neg(vector(sim, m, "q", "f"));
  hk_vec3 fr = hk_neg(vector(sim, m, "r", "f")), mr = hk_neg(vector(sim, m, "r", "t"));
  near_vector(hk_add(hk_add(fp, fq), fr), hk_v3(0, 0, 30 * 9.81), 1e-7, "weight of the table");
  near_vector(hk_add(hk_add(hk_cross(rp, fp), hk_cross(rq, fq)), hk_add(hk_cross(rr, fr), mr)),
              hk_v3(0, 0, 0), 1e-6, "moment on the table");
  hk_vec3 foot = hk_add(vector(sim, m, "r", "f"), vector(sim, m, "prop", "f"));
  near_vector(hk_add(foot, vector(sim, m, "stand", "f")), hk_v3(0, 0, 2 * 9.81), 1e-7,
              "weight of the foot");
  assert_near(vector(sim, m, "stand", "own_f").z, 0, 1e-8,
              "a slider carries nothing along its axis");
  assert_true(hk_norm(vector(sim, m, "stand", "f")) > 1);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* ---- names, refusals, own channels ---- */

static void same_name_as_a_joint(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies: {arm: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}}\n"
      "joints: {hinge: {type: revolute, b: arm, at: [0, 0, 0], axis: z}}\n"
      "forces: {hinge: {type: torsion_spring, coordinate: hinge.angle, stiffness: 1 N*m/rad, "
      "angle: 1 "
      "rad}}\n"
      "sensors: {s: {value: forces.hinge.torque + hinge.tx}}\n");
  hk_sim *sim = sim_of(m, NULL);
  assert_near(channel(sim, m, "forces.hinge.torque"), 1, 1e-14, "torque");
  assert_near(channel(sim, m, "s"), 1 + channel(sim, m, "hinge.tx"), 1e-14, "sensor");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

/* All channels, including the coordinate that is created for a force. */
static void length_of_a_force_with_the_name_of_a_joint(void **state) {
  (void)state;
  static const char text[] =
      "format: 1\n"
      "bodies: {ball: {type: sphere, radius: 0.1 m, mass: 1 kg, position: [1 m, 0, 0]}}\n"
      "joints: {strut: {type: prismatic, b: ball, at: [1 m, 0, 0], axis: x}}\n"
      "forces: {strut: {type: spring_damper, b: ball, stiffness: 10 N/m, length: 0.5 m}}\n"
      "sensors: {s: {value: \"2 * forces.strut.length\"}}\n";
  hk_model *m = model_of(text);
  hk_sim *sim = sim_of(m, NULL);
  assert_near(channel(sim, m, "forces.strut.length"), 1, 1e-14, "length");
  assert_near(channel(sim, m, "s"), 2, 1e-14, "sensor");
  assert_near(channel(sim, m, "forces.strut.force"), -5, 1e-14, "force");
  assert_int_equal(hk_model_channel_find(m, "strut.length"), -1);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

static void refuse(const char *expression, const char *words) {
  char text[4096];
  snprintf(
      text, sizeof text,
      "format: 1\n"
      "bodies:\n"
      "  arm: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}\n"
      "  ball: {type: sphere, radius: 1 cm, mass: 1 kg, position: [0, 0, 5 m]}\n"
      "joints: {hinge: {type: revolute, b: arm, at: [0, 0, 0], axis: z}}\n"
      "laws: {soft: {type: hertz, stiffness: 1e5 N/m^1.5}}\n"
      "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, radius: 1 cm, law: soft}}\n"
      "sensors: {hidden: {value: 2*hinge.fx}}\n"
      "forces:\n"
      "  rub: {type: joint_friction, joint: hinge, mu: 0.2, radius: 20 mm}\n"
      "  cord: {type: spring_damper, a: arm.end, b: ball, stiffness: 1 N/m, length: 1 m}\n"
      "  servo: {type: actuator, coordinate: hinge.angle, force: -3 N*m/rad * hinge.angle}\n"
      "  act: {type: load, b: ball, force: [\"%s\", 0 N, 0 N]}\n",
      expression);
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("text", text, strlen(text), NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!words) {
    if (!m) fail_msg("%s: %s", expression, diag.n ? diag.message[0].text : "?");
    hk_model_destroy(m);
  } else {
    assert_null(m);
    assert_true(diag.n >= 1);
    if (!strstr(diag.message[0].text, words)) fail_msg("'%s' in: %s", words, diag.message[0].text);
  }
  hk_diag_free(&diag);
}

static void what_a_force_may_not_read(void **state) {
  (void)state;
  refuse("cord.force + cord.own_fy", NULL);
  refuse("hinge.fx", "a reaction is known only after the step is solved");
  refuse("hidden", "a reaction is known only after the step is solved");
  refuse("rub.torque/(1 m)", "friction under a reaction");
  refuse("servo.torque/(1 m)", "given by an expression");
  refuse("cord.power/(1 m/s)", "its derivatives");
  refuse("floor.normal_force", "contact values are known");
  refuse("arm.ax*(1 kg)", "accelerations depend on the forces");
  refuse("energy.kinetic/(1 m)", "known only at output");
  refuse("act.fx", "given by an expression");
}

/* A law with additional channels, as user-defined types may have. */
static const hk_quantity own_channels[] = {{"depth", "m", "overlap"},
                                           {"twice", "N", "twice the force"}};
static void read_own(const double *k, const hk_law_in *in, const hk_normal *normal, double *value) {
  value[0] = in->depth;
  value[1] = 2 * normal->N;
}

static void a_law_with_its_own(void **state) {
  (void)state;
  static const char text[] =
      "format: 1\n"
      "bodies: {ball: {type: sphere, radius: 1 cm, mass: 1 kg, position: [0, 0, 0.0099 m]}}\n"
      "laws: {soft: {type: told, stiffness: 1e5 N/m^1.5}}\n"
      "contacts: {floor: {type: sphere_on_plane, a: ground, b: ball, radius: 1 cm, law: soft}}\n"
      "sensors: {s: {value: floor.twice - floor.normal_force}}\n";
  const hk_type *hertz = hk_registry_find(hk_registry_builtin(), HK_LAW, "hertz");
  hk_law_ops ops = *(const hk_law_ops *)hertz->ops;
  ops.channel = own_channels;
  ops.n_channels = 2;
  ops.read = read_own;
  hk_type told = *hertz;
  told.name = "told";
  told.ops = &ops;
  hk_registry types = *hk_registry_builtin();
  const hk_type **list = calloc((size_t)types.n + 1, sizeof *list);
  assert_non_null(list);
  memcpy(list, types.type, (size_t)types.n * sizeof *list);
  list[types.n++] = &told;
  types.type = list;
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read_with(&types, "text", text, strlen(text), NULL, 0, &diag);
  hk_model *m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!m) fail_msg("%s", diag.n ? diag.message[0].text : "?");
  hk_sim *sim = sim_of(m, NULL);
  double N = 1e5 * pow(1e-4, 1.5);
  assert_near(channel(sim, m, "floor.depth"), 1e-4, 1e-15, "depth");
  assert_near(channel(sim, m, "floor.twice"), 2 * N, 1e-12, "twice the force");
  assert_near(channel(sim, m, "s"), N, 1e-12, "a sensor of it");
  assert_near(channel(sim, m, "floor.energy"), 0.4 * N * 1e-4, 1e-15, "stored energy");
  hk_sim_destroy(sim);
  hk_model_destroy(m);
  hk_diag_free(&diag);
  free(list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_by_hand),
      cmocka_unit_test(powers_make_the_ledger),
      cmocka_unit_test(reactions_in_own_axes),
      cmocka_unit_test(friction_and_its_load),
      cmocka_unit_test(a_body_at_rest_is_in_balance),
      cmocka_unit_test(same_name_as_a_joint),
      cmocka_unit_test(length_of_a_force_with_the_name_of_a_joint),
      cmocka_unit_test(what_a_force_may_not_read),
      cmocka_unit_test(a_law_with_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
