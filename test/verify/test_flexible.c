/* Flexible bodies: one instant, free flight, slider-crank, spin-up and frequencies under
 * rotation, compared with an independent program and with beams. The bodies were reduced by that
 * program; "with" and "without" are its rows with and without stiffening. */
#include "core/map.h"
#include "flexible_node.h"
#include "node/flexible.h"
#include "sim/sim.h"
#include "verify.h"
#include <hooke/linear.h>

static const char TABLE[] = "flexible";
static const char SOURCE[] = "independent program";

/* ---- one instant ---- */

typedef struct instant {
  vf_case c;
  hk_work *work;
  const hk_node *node;
  double root; /* of the mass: coordinates here are eta / root */
  double q[15], v[14];
} instant;

static void set_up_instant(instant *s) {
  vf_file(&s->c, "test/verify/data/flexible/tumble.yaml", NULL, 0);
  s->work = hk_work_create(s->c.model);
  s->node = &s->c.model->node[0];
  s->root = sqrt(s->node->mass);
  assert_int_equal(s->node->nv, 14);
  memcpy(s->q, NODE_X, sizeof NODE_X);
  memcpy(s->q + 3, NODE_QUATERNION, sizeof NODE_QUATERNION);
  memcpy(s->v, NODE_V, sizeof NODE_V);
  memcpy(s->v + 3, NODE_W_BODY, sizeof NODE_W_BODY);
  for (int k = 0; k < 8; k++) s->q[7 + k] = NODE_ETA[k] / s->root;
  for (int k = 0; k < 8; k++) s->v[6 + k] = NODE_ETA_DOT[k] / s->root;
  hk_instant in = {.q = s->q, .v = s->v};
  hk_kinematics(s->work, &in, HK_FRAMES_ALL);
}

/* Factor from a force in these coordinates to one in eta. */
static double force_factor(const instant *s, int k) { return k < 6 ? 1 : 1 / s->root; }

static double relative(double ours, double reference, double size) {
  return fabs(ours - reference) / size;
}

static double largest(const double *x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* Solves A x = b, n = 14, by Gaussian elimination with pivoting. */
static void solve(double A[14][14], double *b) {
  for (int k = 0; k < 14; k++) {
    int p = k;
    for (int i = k; i < 14; i++)
      if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
    for (int j = 0; j < 14; j++) {
      double t = A[k][j];
      A[k][j] = A[p][j], A[p][j] = t;
    }
    double t = b[k];
    b[k] = b[p], b[p] = t;
    for (int i = k + 1; i < 14; i++) {
      double f = A[i][k] / A[k][k];
      for (int j = k; j < 14; j++) A[i][j] -= f * A[k][j];
      b[i] -= f * b[k];
    }
  }
  for (int k = 13; k >= 0; k--) {
    for (int j = k + 1; j < 14; j++) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
}

static void check_inertia(const instant *s, double *acceleration) {
  const hk_pose p = hk_map_pose(s->work, 0);
  double M[14][14], f[14], worst = 0;
  for (int j = 0; j < 14; j++) {
    double e[14] = {0}, y[14];
    e[j] = 1;
    s->node->type->multiply(&p, e, y);
    for (int i = 0; i < 14; i++) {
      M[i][j] = y[i] * force_factor(s, i) * force_factor(s, j);
      double size = sqrt(NODE_M[15 * i] * NODE_M[15 * j]);
      worst = fmax(worst, relative(M[i][j], NODE_M[14 * i + j], size));
    }
  }
  vf_bound(TABLE, "one instant", "mass matrix", worst, 1e-12, SOURCE);
  s->node->type->force(&p, s->v, f);
  for (int i = 0; i < 3; i++) f[i] += s->node->mass * NODE_GRAVITY[i];
  for (int k = 0; k < 8; k++) { /* its damping is 1 % of each mode */
    const hk_flexible *b = s->node->data;
    f[6 + k] -= 2 * 0.01 * sqrt(b->k[k] * b->mass) * s->v[6 + k];
  }
  worst = 0;
  for (int i = 0; i < 14; i++) {
    f[i] *= force_factor(s, i);
    worst =
        fmax(worst, relative(f[i], NODE_F[i], largest(NODE_F + (i < 6 ? 0 : 6), i < 6 ? 6 : 8)));
  }
  vf_bound(TABLE, "one instant", "forces", worst, 1e-9, SOURCE);
  solve(M, f);
  worst = 0;
  for (int i = 0; i < 14; i++)
    worst = fmax(worst, relative(f[i], NODE_ACCELERATION[i],
                                 largest(NODE_ACCELERATION + i / 3 * 3, i < 6 ? 3 : 8)));
  vf_bound(TABLE, "one instant", "accelerations", worst, 1e-9, SOURCE);
  for (int i = 0; i < 14; i++) acceleration[i] = f[i] * (i < 6 ? 1 : 1 / s->root);
  double stored = 0, lost = 0;
  s->node->type->stored(&p, s->v, &stored, &lost);
  vf_check(TABLE, "one instant", "energy [J]", s->node->type->energy(&p, s->v) + stored,
           NODE_ENERGY, 1e-9 * NODE_ENERGY, SOURCE);
}

static double off(hk_vec3 a, const double *b) {
  return hk_norm(hk_sub(a, hk_v3(b[0], b[1], b[2]))) / hk_norm(hk_v3(b[0], b[1], b[2]));
}

static void check_marker(const instant *s, const double *acceleration, const char *name,
                         const double *position, const double *rotation, const double *velocity,
                         const double *spin, const double *a_ref, const double *alpha_ref,
                         const double *force) {
  int marker = -1;
  for (int i = 0; i < s->c.model->n_markers; i++)
    if (s->c.model->marker[i].name && strcmp(s->c.model->marker[i].name, name) == 0) marker = i;
  assert_true(marker >= 0);
  const hk_frame *F = &s->work->frame[marker];
  double worst = fmax(off(F->x, position), fmax(off(F->v, velocity), off(F->w, spin)));
  for (int i = 0; i < 9; i++) worst = fmax(worst, fabs(F->R.m[i / 3][i % 3] - rotation[i]));
  hk_vec3 a, alpha;
  hk_map_acceleration(s->work, marker, acceleration, &a, &alpha);
  worst = fmax(worst, fmax(off(a, a_ref), off(alpha, alpha_ref)));
  const double *w = NODE_WRENCH_WORLD;
  double row[14];
  hk_map_row(s->work, marker, hk_v3(w[0], w[1], w[2]), hk_v3(w[3], w[4], w[5]), row);
  for (int i = 0; i < 14; i++)
    worst = fmax(worst, fabs(row[i] * force_factor(s, i) - force[i]) / largest(force, 14));
  vf_bound(TABLE, "one instant", name, worst, 1e-9, SOURCE);
}

static void one_instant(void **state) {
  (void)state;
  instant s = {0};
  double acceleration[14];
  set_up_instant(&s);
  check_inertia(&s, acceleration);
  check_marker(&s, acceleration, "bracket.hub", NODE_HUB_POSITION, NODE_HUB_ROTATION,
               NODE_HUB_VELOCITY, NODE_HUB_ANGULAR_VELOCITY, NODE_HUB_ACCELERATION,
               NODE_HUB_ANGULAR_ACCELERATION, NODE_HUB_FORCE_OF_WRENCH);
  check_marker(&s, acceleration, "bracket.hole", NODE_HOLE_POSITION, NODE_HOLE_ROTATION,
               NODE_HOLE_VELOCITY, NODE_HOLE_ANGULAR_VELOCITY, NODE_HOLE_ACCELERATION,
               NODE_HOLE_ANGULAR_ACCELERATION, NODE_HOLE_FORCE_OF_WRENCH);
  hk_work_destroy(s.work);
  vf_close(&s.c);
}

/* ---- free flight ---- */

/* Spin in body axes, place of the hole, elastic energy. */
static void free_flight(void **state) {
  (void)state;
  static const struct {
    double t, w[3], hole[3], V;
  } row[] = {
      {0.01, {-175.55764, 597.01460, 49.41486}, {.0371542, -.0070056, .0653886}, .409729},
      {0.02, {87.47530, 569.25321, -199.69839}, {.0253752, -.0225605, .0679036}, 1.751035},
      {0.03, {75.83979, 590.27866, 175.65088}, {.0096045, -.0020255, .0751325}, 1.057700},
      {0.05, {116.49520, 575.38496, -184.56684}, {-.0189409, -.0226411, .0692983}, .110914},
  };
  vf_case c;
  vf_file(&c, "test/verify/data/flexible/tumble.yaml", NULL, 0);
  vf_start(&c, NULL);
  double E0 = vf_value(&c, "energy.kinetic");
  for (int i = 0; i < 4; i++) {
    vf_advance(&c, row[i].t);
    hk_quat q = {vf_value(&c, "bracket.qw"), vf_value(&c, "bracket.qx"), vf_value(&c, "bracket.qy"),
                 vf_value(&c, "bracket.qz")};
    hk_mat3 R = hk_quat_matrix(q);
    hk_vec3 w = hk_tmul(&R, hk_v3(vf_value(&c, "bracket.wx"), vf_value(&c, "bracket.wy"),
                                  vf_value(&c, "bracket.wz")));
    hk_vec3 x = hk_v3(vf_value(&c, "bracket.hole.x"), vf_value(&c, "bracket.hole.y"),
                      vf_value(&c, "bracket.hole.z"));
    char text[40];
    snprintf(text, sizeof text, "tumbling, %g ms", 1e3 * row[i].t);
    vf_check(TABLE, text, "spin x [rad/s]", w.x, row[i].w[0], 1e-3, SOURCE);
    vf_check(TABLE, text, "spin y [rad/s]", w.y, row[i].w[1], 1e-3, SOURCE);
    vf_check(TABLE, text, "spin z [rad/s]", w.z, row[i].w[2], 1e-3, SOURCE);
    hk_vec3 hole = hk_v3(row[i].hole[0], row[i].hole[1], row[i].hole[2]);
    vf_bound(TABLE, text, "place of the hole [m]", hk_norm(hk_sub(x, hole)), 1.5e-7, SOURCE);
    vf_check(TABLE, text, "elastic energy [J]", vf_value(&c, "energy.potential"), row[i].V,
             1e-5 * row[i].V + 5e-7, SOURCE);
    double E = vf_value(&c, "energy.kinetic") + vf_value(&c, "energy.potential");
    vf_bound(TABLE, text, "relative change of the energy", fabs(E - E0) / E0, 1e-8, "conserved");
  }
  vf_close(&c);
}

/* ---- slider-crank ---- */

static void slider_crank(void **state) {
  (void)state;
  static const double angle[9] = {45, 90, 180, 270, 360, 450, 540, 630, 675};
  static const double deflection[3][9] = {
      {4.6043, 1.6797, .9091, -2.2689, .1421, 1.9672, -.8832, -1.3971, -4.5652},
      {5.5241, .5436, 1.3738, -2.5290, .1310, 2.3416, -1.3621, -.3751, -5.4012},
      {4.5992, 1.7008, .9045, -2.2764, .1511, 1.9677, -.8843, -1.4060, -4.5579}};
  for (int stiffening = 1; stiffening >= 0; stiffening--) {
    vf_case c;
    const hk_override off_ = {"bodies.rod.stiffening", "false"};
    vf_file(&c, "examples/flexible/slider_crank.yaml", &off_, !stiffening);
    vf_start(&c, NULL);
    for (int i = 0; i < 9; i++) {
      vf_advance(&c, angle[i] * M_PI / 180 / 150);
      double mm = 1e3 * vf_value(&c, "deflection");
      char text[60];
      snprintf(text, sizeof text, "slider-crank %s, %g deg", stiffening ? "with" : "without",
               angle[i]);
      vf_check(TABLE, text, "deflection [mm]", mm, deflection[!stiffening][i], 5e-4, SOURCE);
      if (stiffening)
        vf_check(TABLE, text, "deflection [mm], beams", mm, deflection[2][i], 0.04, "32 beams");
    }
    vf_close(&c);
  }
}

/* ---- spin-up ---- */

static void spin_up(void **state) {
  (void)state;
  static const double t[7] = {2.5, 5, 6.5, 7.5, 10, 12.5, 15};
  static const double w[3][6] = {
      {-.15122266, -.46816753, -.56950353, -.55862490, -.36230973, -.11252809},
      {-.15129108, -.48104694, -.62823826, -.66953621, -.57397143, -.20679748},
      {-.15128369, -.46847790, -.56994983, -.55908365, -.36281320, -.11269540}};
  static const double u[6] = {-.00132188, -.01264075, -.01857940,
                              -.01771858, -.00705592, -.00022021};
  for (int stiffening = 1; stiffening >= 0; stiffening--) {
    vf_case c;
    const hk_override off_ = {"bodies.bar.stiffening", "false"};
    vf_file(&c, "test/verify/data/flexible/spin_up.yaml", &off_, !stiffening);
    vf_start(&c, NULL);
    for (int i = 0; i < 7; i++) {
      vf_advance(&c, t[i]);
      double a = vf_value(&c, "hub.angle"), x = vf_value(&c, "bar.B.x"),
             y = vf_value(&c, "bar.B.y");
      double along = x * cos(a) + y * sin(a) - 10, across = y * cos(a) - x * sin(a);
      char text[60];
      snprintf(text, sizeof text, "spin-up %s, %g s", stiffening ? "with" : "without", t[i]);
      if (i == 6) {
        if (stiffening) vf_check(TABLE, text, "u [m]", along, 5.1397e-4, 1e-7, SOURCE);
        continue;
      }
      vf_check(TABLE, text, "w [m]", across, w[!stiffening][i], 2e-5, SOURCE);
      if (!stiffening) continue;
      vf_check(TABLE, text, "u [m]", along, u[i], 2e-7, SOURCE);
      vf_check(TABLE, text, "w [m], beams", across, w[2][i], 2e-3 * fabs(w[2][i]), "20 beams");
    }
    vf_close(&c);
  }
}

/* ---- frequencies under rotation ---- */

/* Magnitudes of the first three eigenvalues of the blade in rotating axes, at its steady deformation. */
static void blade_with(const char *axis, const char *at, double speed, bool stiffening,
                       double damping, double *out) {
  vf_case c;
  char value[40], ratio[40];
  snprintf(value, sizeof value, "%.10g rad/s", speed);
  snprintf(ratio, sizeof ratio, "%g", damping);
  const hk_override set[] = {{"parameters.speed", value},
                             {"bodies.blade.damping_ratio", ratio},
                             {"joints.hub.axis", axis},
                             {"joints.hub.at", at},
                             {"bodies.blade.stiffening", stiffening ? "true" : "false"},
                             {"analysis.duration", "10 s"}};
  vf_file(&c, "examples/flexible/blade.yaml", set, 6);
  vf_start(&c, NULL);
  if (speed > 0) vf_advance(&c, 0.042 / damping);
  hk_linear *linear = NULL;
  hk_modes modes;
  if (hk_linear_create(c.sim, NULL, &linear, &c.diag, &c.err) ||
      hk_modes_solve(linear, NULL, &modes, &c.err))
    fail_msg("%s", c.err.text);
  for (int i = 0, found = 0; i < modes.n && found < 3; i++)
    if (modes.mode[i].im >= 0) out[found++] = hypot(modes.mode[i].re, modes.mode[i].im);
  hk_modes_free(&modes);
  hk_linear_destroy(linear);
  vf_close(&c);
}

/* Damping brings the blade to its steady deformation.  It changes the magnitudes by Coriolis forces, in proportion to its
 * square; this is removed by extrapolation. */
static void blade_at(const char *text, const char *axis, const char *at, double speed,
                     bool stiffening, const double *reference) {
  double more[3], less[3];
  blade_with(axis, at, speed, stiffening, 0.012, more);
  blade_with(axis, at, speed, stiffening, 0.006, less);
  for (int i = 0; i < 3; i++) {
    char name[40];
    snprintf(name, sizeof name, "frequency %d [rad/s]", i + 1);
    vf_check(TABLE, text, name, less[i] + (less[i] - more[i]) / 3, reference[i],
             1e-5 * reference[i], SOURCE);
  }
}

static void rotating_blade(void **state) {
  (void)state;
  static const struct {
    const char *text, *axis, *at;
    double speed;
    bool stiffening;
    double reference[3];
  } row[] = {
      {"blade at rest", "y", "[0, 0, 0]", 0, true, {387.585, 2428.444, 2570.334}},
      {"blade, 220 rad/s", "y", "[0, 0, 0]", 220.4792759, true, {456.066, 2492.457, 2571.934}},
      {"blade, 551 rad/s", "y", "[0, 0, 0]", 551.1981898, true, {710.932, 2580.285, 2804.765}},
      {"blade, 551 rad/s, without",
       "y",
       "[0, 0, 0]",
       551.1981898,
       false,
       {651.122, 2362.911, 2564.003}},
      {"blade, oblique, 800 rad/s",
       "[0, 0.5, 0.8660254037844386]",
       "[-0.05 m, 0, 0]",
       800,
       true,
       {799.743, 2730.348, 3306.972}},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    blade_at(row[i].text, row[i].axis, row[i].at, row[i].speed, row[i].stiffening,
             row[i].reference);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_instant),    cmocka_unit_test(free_flight),
      cmocka_unit_test(slider_crank),   cmocka_unit_test(spin_up),
      cmocka_unit_test(rotating_blade),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
