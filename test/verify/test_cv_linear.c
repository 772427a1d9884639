/* The tangent stiffness of a constant velocity joint [Minaker]: the seven models of the study, with
 * eigenvalues, ranks and closed forms as derived independently (docs/analysis/linear.md). */
#include "support/check.h"
#include "verify/verify.h"
#include <complex.h>
#include <hooke/linear.h>

static const char TABLE[] = "linear";

typedef struct study {
  const char *file;
  int n, nc, rank;
  bool universal, singular;
} study;
static const study STUDY[] = {
    {"point", 12, 9, 9, false, false},
    {"scissors_links_1", 18, 15, 15, false, false},
    {"scissors_hinges_1", 24, 21, 21, false, false},
    {"scissors_links_2", 24, 22, 21, false, false},
    {"scissors_hinges_2", 36, 34, 33, false, false},
    {"planar_links", 12, 10, 9, false, true},
    {"universal", 18, 15, 15, true, false},
};
enum { N_STUDY = sizeof STUDY / sizeof *STUDY };

static hk_model *read_model(const char *name, const hk_override *set, int n) {
  char path[600];
  hk_diag diag;
  hk_diag_init(&diag);
  snprintf(path, sizeof path, HOOKE_SOURCE_DIR "/examples/cv_linear/%s.yaml", name);
  hk_spec *spec = hk_model_file_read(path, set, n, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!model) print_messages(&diag);
  hk_diag_free(&diag);
  assert_non_null(model);
  return model;
}

typedef struct solution {
  hk_model *model;
  hk_sim *sim;
  hk_static_report at;
  hk_linear *linear;
  hk_modes modes;
} solution;

static void solve(solution *s, hk_model *model) {
  hk_error err = {0};
  *s = (solution){.model = model};
  if (hk_static_solve(model, NULL, &s->sim, &s->at, NULL, &err)) fail_msg("%s", err.text);
  if (hk_linear_create(s->sim, NULL, &s->linear, NULL, &err)) fail_msg("%s", err.text);
  if (hk_modes_solve(s->linear, NULL, &s->modes, &err)) fail_msg("%s", err.text);
}

static void release(solution *s) {
  hk_modes_free(&s->modes);
  hk_linear_destroy(s->linear);
  hk_sim_destroy(s->sim);
  hk_model_destroy(s->model);
}

/* Two zeros, and each of the other four once: s^2 to 1e-9, zeros to s^2 < 1e-12. */
static void check_modes(const hk_modes *m, bool universal, double size2, const char *what) {
  assert_int_equal(m->n, 6);
  double size = sqrt(size2), h = size / sqrt(2);
  const double complex cv[4] = {h + I * h, h - I * h, -h + I * h, -h - I * h};
  const double complex uj[4] = {size, -size, I * size, -I * size};
  int zeros = 0, seen[4] = {0};
  for (int i = 0; i < 6; i++) {
    double complex s = m->mode[i].re + I * m->mode[i].im;
    if (cabs(s * s) < 1e-12) {
      zeros++;
      assert_true(m->mode[i].zero);
      continue;
    }
    for (int k = 0; k < 4; k++) {
      double complex e = universal ? uj[k] : cv[k];
      if (cabs(s - e) < 1e-3 * size) {
        seen[k]++;
        if (!(cabs(s * s - e * e) <= 1e-9 * size2))
          fail_msg("%s: s^2 is off by %.3g", what, cabs(s * s - e * e) / size2);
      }
    }
  }
  if (zeros != 2) fail_msg("%s: %d zero eigenvalues", what, zeros);
  for (int k = 0; k < 4; k++)
    if (seen[k] != 1) fail_msg("%s: eigenvalue %d found %d times", what, k, seen[k]);
}

static void eigenvalues_of_the_study(void **state) {
  for (int i = 0; i < N_STUDY; i++) {
    const study *t = &STUDY[i];
    solution s;
    solve(&s, read_model(t->file, NULL, 0));
    assert_int_equal(s.linear->n, t->n);
    assert_int_equal(s.linear->nc, t->nc);
    assert_int_equal(s.linear->rank, t->rank);
    assert_int_equal(s.linear->dof, 3);
    assert_int_equal(s.at.redundant, t->nc - t->rank);
    assert_int_equal(s.at.newton, 0);
    assert_true(s.at.residual.relative < 1e-10);
    check_modes(&s.modes, t->universal, t->universal ? sqrt(0.5) : 0.25, t->file);
    const hk_mode *fast = &s.modes.mode[2]; /* the growing one */
    double size = t->universal ? 0.8408964152537145 : 0.5 / sqrt(2);
    vf_check(TABLE, t->file, "rank of G", s.linear->rank, t->rank, 0, "derived");
    vf_check(TABLE, t->file, "real part [1/s]", fast->re, size, 1e-9, "[Minaker, sec. 6]");
    vf_check(TABLE, t->file, "imaginary part [rad/s]", fabs(fast->im), t->universal ? 0 : size,
             1e-9, "[Minaker, sec. 6]");
    assert_int_equal(s.modes.n_unstable, t->universal ? 1 : 2);
    if (t->singular)
      assert_true(s.linear->self_stress > 0.1);
    else
      assert_true(s.linear->self_stress < 1e-10);
    release(&s);
  }
}

/* Natural frequency, damping ratio and time constant as printed in section 6. */
static void figures_of_the_study(void **state) {
  solution s;
  solve(&s, read_model("point", NULL, 0));
  const hk_mode *m = &s.modes.mode[2];
  assert_near(m->frequency, 0.0796, 1e-4, "frequency");
  assert_near(m->damping, -0.7071, 1e-4, "damping");
  assert_near(m->time_constant, -2.8284, 1e-4, "time constant");
  release(&s);
  solve(&s, read_model("universal", NULL, 0));
  assert_near(s.modes.mode[2].time_constant, -1.1892, 1e-4, "time constant");
  assert_near(s.modes.mode[3].frequency, 0.1338, 1e-4, "frequency");
  release(&s);
}

/* |s|^2 = 1.5 t/(5 I + m r^2), for the universal joint 3 sqrt(2) t/(5 I + m r^2). */
static void closed_forms(void **state) {
  random_seed(3);
  for (int round = 0; round < 12; round++)
    for (int i = 0; i < N_STUDY; i++) {
      const study *t = &STUDY[i];
      double m = uniform(0.3, 3), I0 = uniform(0.3, 3), r = uniform(0.3, 3),
             torque = uniform(0.3, 5);
      char text[4][40];
      snprintf(text[0], 40, "%.17g kg", m);
      snprintf(text[1], 40, "%.17g kg*m^2", I0);
      snprintf(text[2], 40, "%.17g m", r);
      snprintf(text[3], 40, "%.17g N*m", torque);
      const hk_override set[] = {{"parameters.m", text[0]},
                                 {"parameters.inertia", text[1]},
                                 {"parameters.r", text[2]},
                                 {"parameters.torque", text[3]}};
      solution s;
      solve(&s, read_model(t->file, set, 4));
      double form = torque / (5 * I0 + m * r * r);
      check_modes(&s.modes, t->universal, (t->universal ? 3 * sqrt(2) : 1.5) * form, t->file);
      release(&s);
    }
}

/* The whole stiffness matrix of the point model: eight entries of +-1/2. */
static void stiffness_of_the_point_model(void **state) {
  static const struct {
    int row, column;
    double value;
  } entry[] = {{4, 5, -.5}, {4, 11, -.5}, {5, 4, .5},   {5, 10, .5},
               {10, 5, .5}, {10, 11, .5}, {11, 4, -.5}, {11, 10, -.5}};
  double wanted[12][12] = {{0}};
  for (int i = 0; i < 8; i++) wanted[entry[i].row - 1][entry[i].column - 1] = entry[i].value;
  solution s;
  solve(&s, read_model("point", NULL, 0));
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      assert_near(s.linear->K[12 * i + j], wanted[i][j], 1e-13, "K[%d][%d]", i + 1, j + 1);
  release(&s);
}

/* eq. 6 to 8. */
static void hanging_body(void **state) {
  solution s;
  solve(&s, read_model("hanging_body", NULL, 0));
  const double *K = s.linear->K;
  enum { Y = 1, RX = 3, N = 6 }; /* rx rotates the eye towards -y, as theta does in the figure */
  assert_near(K[N * Y + Y], 39.24, 1e-12, "K");
  assert_near(K[N * Y + RX], -11.772, 1e-12, "K");
  assert_near(K[N * RX + Y], -11.772, 1e-12, "K");
  assert_near(K[N * RX + RX], 9.4176, 1e-12, "K");
  assert_near(fabs(s.linear->lambda[0]), 19.62, 1e-12, "tension");
  assert_int_equal(s.modes.n, 10);
  for (int i = 2; i < 10; i++)
    assert_near(fabs(s.modes.mode[i].im), i < 6 ? 3.356046 : 10.125856, 1e-6 / 4, "omega");
  vf_check(TABLE, "hanging body", "first omega [rad/s]", fabs(s.modes.mode[2].im), 3.356046, 1e-6,
           "[Minaker, eq. 6]");
  vf_check(TABLE, "hanging body", "second omega [rad/s]", fabs(s.modes.mode[6].im), 10.125856, 1e-6,
           "[Minaker, eq. 6]");
  release(&s);
  const hk_override unit[] = {{"m", "1 kg"}, {"l", "1 m"}, {"r", "1 m"}, {"inertia", "1 kg*m^2"}};
  solve(&s, read_model("hanging_body", unit, 4));
  for (int i = 2; i < 10; i++)
    assert_near(fabs(s.modes.mode[i].im), i < 6 ? 1.935739 : 5.067831, 1e-6 / 2, "omega");
  release(&s);
}

/* ---- the nonlinear simulation ---- */

static hk_sim *start(const char *file, const char *tilt, const char *rate, hk_model **model) {
  const hk_override set[] = {{"tilt", tilt}, {"rate", rate}};
  *model = read_model(file, set, 2);
  return sim_of(*model, &(hk_sim_options){.step = 2e-3});
}

static void advance(hk_sim *sim, double t) {
  hk_error err = {0};
  if (hk_sim_advance(sim, t, &err)) fail_msg("%s", err.text);
}

/* Growth and whirl while the tilt is below 1e-2, to 1e-4 of the linear values. */
static void simulation_grows_at_the_linear_rate(void **state) {
  static const char *const file[] = {
      "point",    "scissors_links_1", "scissors_hinges_1", "scissors_links_2", "scissors_hinges_2",
      "universal"};
  for (int i = 0; i < 6; i++) {
    bool universal = i == 5;
    double s = universal ? 0.8408964152537145 : 0.3535533905932738;
    double t0 = universal ? 2 : 4, t1 = universal ? 6 : 10;
    hk_model *model;
    hk_sim *sim = start(file[i], universal ? "5e-5 rad" : "1e-4 rad",
                        universal ? "0.8408964152537145 1/s" : "0.3535533905932738 1/s", &model);
    double tilt[2], phase[2];
    for (int k = 0; k < 2; k++) {
      advance(sim, k ? t1 : t0);
      double x = channel(sim, model, "tilt_x"), y = channel(sim, model, "tilt_y");
      tilt[k] = hypot(x, y);
      phase[k] = atan2(y, x);
    }
    assert_true(tilt[1] < 1e-2 && tilt[1] > 20 * tilt[0] / 10);
    double growth = log(tilt[1] / tilt[0]) / (t1 - t0), turned = phase[1] - phase[0];
    vf_check(TABLE, file[i], "growth of the simulation [1/s]", growth, s, 1e-4 * s, "linear");
    if (!universal && turned > 0) turned -= 2 * M_PI;
    double whirl = turned / (t1 - t0);
    vf_check(TABLE, file[i], "whirl of the simulation [rad/s]", whirl, universal ? 0 : -s, 1e-4 * s,
             "linear");
    hk_sim_destroy(sim);
    hk_model_destroy(model);
  }
}

/* Distance of the joint from the axis (the sine of the tilt) up to a tilt of half a radian, from an
 * independent solution of the DAE. */
static void simulation_far_from_the_axis(void **state) {
  static const double tilt[] = {.001,     .00202811, .00411323, .00834196, .0169173,
                                .0343004, .0694843,  .140255,   .279145,   .528674};
  hk_model *model;
  hk_sim *sim = start("point", "1e-3 rad", "0.3535533905932738 1/s", &model);
  for (int i = 0; i < 10; i++) {
    advance(sim, 2 * i);
    double x = channel(sim, model, "lower.joint.x"), y = channel(sim, model, "lower.joint.y");
    double got = hypot(x, y);
    char what[40];
    snprintf(what, sizeof what, "off the axis at %d s [m]", 2 * i);
    vf_check(TABLE, "point, far", what, got, tilt[i], 1e-4 * tilt[i], "independent DAE");
  }
  hk_sim_destroy(sim);
  hk_model_destroy(model);
}

/* ---- the moment across the shaft ---- */

/* Both shafts held; the articulation `bent` is a rotation about a horizontal axis at the azimuth.
 * The first shaft is fixed to the ground, the second may only rotate about its axis and is loaded
 * by a torque along it. */
static const char SHAFTS[] =
    "format: 1\n"
    "parameters: {bend: %.17g rad, azimuth: %.17g rad, d: 0.25 m, h: 0.2 m, c: 0.1 m, w: 0.5 m}\n"
    "bodies:\n"
    "  one:\n"
    "    mass: 1 kg\n"
    "    inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]\n"
    "    markers: {p1: [0, h, -d], p2: [0, -h, -d], a: {at: [c, 0, -d], orientation: {z: y}},\n"
    "              b: {at: [-c, 0, -d], orientation: {z: y}}}\n"
    "  two:\n"
    "    mass: 1 kg\n"
    "    inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2]\n"
    "    orientation: {axis: [cos(azimuth), sin(azimuth), 0], angle: bend}\n"
    "    markers: {p1: [0, h, d], p2: [0, -h, d], a: {at: [c, 0, d], orientation: {z: y}},\n"
    "              b: {at: [-c, 0, d], orientation: {z: y}}}\n"
    "%s"
    "joints:\n"
    "  weld: {type: fixed, b: one}\n"
    "  bearing: {type: revolute, b: two, at: [0, 0, 0], axis: [sin(azimuth)*sin(bend),\n"
    "            -cos(azimuth)*sin(bend), cos(bend)]}\n"
    "%s"
    "forces: {drive: {type: load, b: two, torque: [0, 0, 2 N*m], axes: body}}\n";

static const char *const JOINT[][2] = {
    {"", "  cv: {type: constant_velocity, a: one, b: two}\n"},
    {"  qa: {mass: 0 kg, position: [w, 0, 0]}\n",
     "  ball: {type: spherical, a: one, b: two}\n"
     "  la: {type: orientation, b: qa}\n"
     "  a1: {type: distance, a: one.p1, b: qa, length: sqrt(d^2 + h^2 + w^2)}\n"
     "  a2: {type: distance, a: one.p2, b: qa, length: sqrt(d^2 + h^2 + w^2)}\n"
     "  a3: {type: distance, a: two.p1, b: qa, length: sqrt(d^2 + h^2 + w^2)}\n"
     "  a4: {type: distance, a: two.p2, b: qa, length: sqrt(d^2 + h^2 + w^2)}\n"},
    {"  qa: {mass: 0 kg, position: [w, 0, 0]}\n"
     "  qb: {mass: 0 kg, position: [-w, 0, 0]}\n",
     "  ball: {type: spherical, a: one, b: two}\n"
     "  la: {type: orientation, b: qa}\n"
     "  a1: {type: distance, a: one.p1, b: qa, length: sqrt(d^2 + h^2 + w^2)}\n"
     "  a2: {type: distance, a: one.p2, b: qa, length: sqrt(d^2 + h^2 + w^2)}\n"
     "  a3: {type: distance, a: two.p1, b: qa, length: sqrt(d^2 + h^2 + w^2)}\n"
     "  a4: {type: distance, a: two.p2, b: qa, length: sqrt(d^2 + h^2 + w^2)}\n"
     "  lb: {type: orientation, b: qb}\n"
     "  b1: {type: distance, a: one.p1, b: qb, length: sqrt(d^2 + h^2 + w^2)}\n"
     "  b2: {type: distance, a: one.p2, b: qb, length: sqrt(d^2 + h^2 + w^2)}\n"
     "  b3: {type: distance, a: two.p1, b: qb, length: sqrt(d^2 + h^2 + w^2)}\n"
     "  b4: {type: distance, a: two.p2, b: qb, length: sqrt(d^2 + h^2 + w^2)}\n"},
    {"  arm1: {mass: 0 kg, position: [c, 0, -d], markers: {hinge: {orientation: {z: y}},\n"
     "         tip: [w - c, 0, d]}}\n"
     "  arm2: {mass: 0 kg, position: [c, 0, d], markers: {hinge: {orientation: {z: y}},\n"
     "         tip: [w - c, 0, -d]}}\n",
     "  ball: {type: spherical, a: one, b: two}\n"
     "  h1: {type: revolute, a: one.a, b: arm1.hinge}\n"
     "  h2: {type: revolute, a: two.a, b: arm2.hinge}\n"
     "  tip: {type: spherical, a: arm1.tip, b: arm2.tip}\n"},
    {"  arm1: {mass: 0 kg, position: [c, 0, -d], markers: {hinge: {orientation: {z: y}},\n"
     "         tip: [w - c, 0, d]}}\n"
     "  arm2: {mass: 0 kg, position: [c, 0, d], markers: {hinge: {orientation: {z: y}},\n"
     "         tip: [w - c, 0, -d]}}\n"
     "  arm3: {mass: 0 kg, position: [-c, 0, -d], markers: {hinge: {orientation: {z: y}},\n"
     "         tip: [c - w, 0, d]}}\n"
     "  arm4: {mass: 0 kg, position: [-c, 0, d], markers: {hinge: {orientation: {z: y}},\n"
     "         tip: [c - w, 0, -d]}}\n",
     "  ball: {type: spherical, a: one, b: two}\n"
     "  h1: {type: revolute, a: one.a, b: arm1.hinge}\n"
     "  h2: {type: revolute, a: two.a, b: arm2.hinge}\n"
     "  tip: {type: spherical, a: arm1.tip, b: arm2.tip}\n"
     "  h3: {type: revolute, a: one.b, b: arm3.hinge}\n"
     "  h4: {type: revolute, a: two.b, b: arm4.hinge}\n"
     "  tip2: {type: spherical, a: arm3.tip, b: arm4.tip}\n"},
};

/* M/N = tan(bend/2): eq. 16. */
static void moment_across_the_shaft(void **state) {
  double worst = 0;
  static const double bend[] = {10, 30, 60, 90}, azimuth[] = {0, 37, 90};
  for (int j = 0; j < 5; j++)
    for (int k = 0; k < 12; k++) {
      char text[6000];
      double phi = bend[k / 3] * M_PI / 180;
      snprintf(text, sizeof text, SHAFTS, phi, azimuth[k % 3] * M_PI / 180, JOINT[j][0],
               JOINT[j][1]);
      hk_model *model = model_of(text);
      hk_sim *sim = NULL;
      hk_static_report at;
      hk_error err = {0};
      if (hk_static_solve(model, NULL, &sim, &at, NULL, &err))
        fail_msg("joint %d, bend %g, azimuth %g: %s", j, bend[k / 3], azimuth[k % 3], err.text);
      assert_true(at.residual.relative < 1e-10);
      double x = channel(sim, model, "weld.tx"), y = channel(sim, model, "weld.ty");
      double N = channel(sim, model, "weld.tz");
      assert_true(fabs(N) > 0.5);
      assert_near(hypot(x, y) / fabs(N), tan(phi / 2), 1e-12, "joint %d: M/N at %g deg, %g deg", j,
                  bend[k / 3], azimuth[k % 3]);
      worst = fmax(worst, fabs(hypot(x, y) / fabs(N) - tan(phi / 2)));
      hk_sim_destroy(sim);
      hk_model_destroy(model);
    }
  vf_bound(TABLE, "articulated joints, 10 to 90 deg", "M/N - tan(bend/2)", worst, 1e-12,
           "[Minaker, eq. 16]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eigenvalues_of_the_study),
      cmocka_unit_test(figures_of_the_study),
      cmocka_unit_test(closed_forms),
      cmocka_unit_test(stiffness_of_the_point_model),
      cmocka_unit_test(hanging_body),
      cmocka_unit_test(simulation_grows_at_the_linear_rate),
      cmocka_unit_test(simulation_far_from_the_axis),
      cmocka_unit_test(moment_across_the_shaft),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
