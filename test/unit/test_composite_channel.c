/* Resultants of composite joints on the bodies they connect, against Newton's law for these bodies, the sum of
 * the contacts, and closed forms. */
#include "support/check.h"
#include "verify/verify.h"
#include <float.h>

static hk_vec3 vector(vf_case *c, const char *before, const char *behind) {
  double v[3];
  for (int i = 0; i < 3; i++) {
    char name[200];
    snprintf(name, sizeof name, "%s%c%s", before, "xyz"[i], behind);
    v[i] = vf_value(c, name);
  }
  return hk_v3(v[0], v[1], v[2]);
}

/* ---- what two ways to the same number may differ by ---- */

/* Fails unless |got - wanted| <= most; no relative tolerance is added. */
static void within(double got, double wanted, double most, const char *what) {
  if (!(fabs(got - wanted) <= most))
    fail_msg("%s: %.15g, expected %.15g (off by %.3g, which may be %.3g)", what, got, wanted,
             fabs(got - wanted), most);
}

static void vector_within(hk_vec3 got, hk_vec3 wanted, double most, const char *what) {
  within(got.x, wanted.x, most, what);
  within(got.y, wanted.y, most, what);
  within(got.z, wanted.z, most, what);
}

/* The normal forces of a joint's contacts. */
typedef struct pressures {
  double sum; /* of N */
  double off; /* effect of round-off of the gaps on N */
} pressures;

/* For `n` tracks with two flanks each, N = K depth^1.5.  Accelerations use contacts in groups of four, channels
 * use single contacts: the gap is the same up to the order of operations, in which four numbers of the
 * magnitude of the positions are rounded.  This changes N by dN/d depth = 1.5 K^(2/3) N^(1/3) times the
 * rounding error. */
static pressures pressures_of(vf_case *c, const char *track, int n, double K, double place) {
  pressures p = {0, 0};
  for (int i = 0; i < 2 * n; i++) {
    char name[80];
    snprintf(name, sizeof name, "%s[%d].%s.normal_force", track, i / 2, i % 2 ? "counter" : "loaded");
    double N = vf_value(c, name);
    p.sum += N;
    p.off += 1.5 * pow(K, 2.0 / 3) * cbrt(N) * 2 * DBL_EPSILON * place;
  }
  return p;
}

/* The same numbers, each as large as their sum, added in another order. */
static double by_order(double sum, int n) { return n * DBL_EPSILON * sum; }

/* Tolerance of the joint rows in m and rad: integrator/implicit.c. */
static const double held_to = 2e-11;

/* The sum of the contact forces of the balls on the outer race. */
static hk_vec3 sum_of_tracks(vf_case *c) {
  hk_vec3 sum = {0, 0, 0};
  for (int k = 0; k < 8; k++)
    for (int side = 0; side < 2; side++) {
      char name[80];
      snprintf(name, sizeof name, "cvj.outer[%d].%s.f", k, side ? "counter" : "loaded");
      sum = hk_sub(sum, vector(c, name, ""));
    }
  return sum;
}

static hk_vec3 inner_axis(vf_case *c) {
  const hk_quat q = {vf_value(c, "inner.qw"), vf_value(c, "inner.qx"), vf_value(c, "inner.qy"),
                     vf_value(c, "inner.qz")};
  hk_mat3 R = hk_quat_matrix(q);
  return hk_column(&R, 2);
}

static void ball_joint(void **state) {
  (void)state;
  vf_case c;
  vf_file(&c, "examples/cv_joint/plunging.yaml", NULL, 0);
  vf_start(&c, NULL);
  for (double t = 0.03; t < 0.1; t += 0.02) {
    vf_advance(&c, t);
    /* Friction adds 1.2 mu = 0.036 of the normal force; the largest distance is that of the contact of a ball
     * with the outer race. */
    const double arm = 0.055 + 0.0112;
    const pressures p = pressures_of(&c, "cvj.outer", 8, 6e12, arm);
    const double summed = by_order(1.1 * p.sum, 32), force_off = 1.1 * p.off + summed, moment_off = arm * force_off;
    hk_vec3 F = vector(&c, "cvj.f", "_a"), M = vector(&c, "cvj.t", "_a");
    vector_within(F, sum_of_tracks(&c), summed, "force on the outer race");
    /* The outer race is loaded only by the joint and by the brake about z, both at its centre. */
    hk_vec3 load = vector(&c, "outer.load_t", ""), brake = vector(&c, "brake.t", "");
    vector_within(hk_add(M, brake), load, moment_off, "moment on the outer race");
    within(vf_value(&c, "cvj.secondary_torque_a"), hypot(load.x, load.y), moment_off, "secondary torque");
    hk_vec3 z = inner_axis(&c), inner = vector(&c, "inner.load_t", "");
    within(vf_value(&c, "cvj.secondary_torque_b"), hk_norm(hk_axpy(inner, -hk_dot(inner, z), z)), moment_off,
           "of the inner race");
    within(vf_value(&c, "cvj.torque_b"), hk_dot(inner, z), moment_off, "its torque");
    within(0.02 * vf_value(&c, "outer.angle_acc"), vf_value(&c, "cvj.torque_a") + brake.z, moment_off,
           "J alpha = torque");
    within(vf_value(&c, "cvj.axial_force_a"), F.z, summed, "axial force");
    within(vf_value(&c, "cvj.radial_force_a"), hypot(F.x, F.y), summed, "radial force");
    /* The rotation of the inner race is prescribed; its position is free. */
    hk_vec3 on_b = hk_add(vector(&c, "cvj.f", "_b"), vector(&c, "support.f", ""));
    vector_within(on_b, hk_scale(2, vector(&c, "inner.a", "")), force_off, "m a of the inner race");
    hk_vec3 own = vector(&c, "cvj.own_f", "_b");
    within(vf_value(&c, "cvj.axial_force_b"), own.z, summed, "axial force of the inner race");
    within(hk_norm(own), hk_norm(vector(&c, "cvj.f", "_b")), summed, "size in own axes");
  }
  vf_close(&c);
}

/* The moment of the ideal joint lies in the bisecting plane: T tan(angle/2) perpendicular to each shaft. */
static void ideal_joint(void **state) {
  (void)state;
  vf_case c;
  vf_file(&c, "examples/cv_joint/half_shaft.yaml", NULL, 0);
  vf_start(&c, NULL);
  vf_advance(&c, 0.05);
  double bend = vf_value(&c, "cvj.bend"), T = vf_value(&c, "cvj.torque_a");
  assert_true(fabs(T) > 400 && bend > 0.03);
  /* The directions are as accurate as the tolerance of the joint rows. */
  const double off = fabs(T) * held_to;
  within(vf_value(&c, "cvj.secondary_torque_a"), fabs(T) * tan(bend / 2), off, "secondary torque");
  within(vf_value(&c, "cvj.secondary_torque_b"), fabs(T) * tan(bend / 2), off, "on the other side");
  hk_vec3 fa = vector(&c, "cvj.f", "_a"), fb = vector(&c, "cvj.f", "_b");
  vector_within(fa, hk_neg(fb), by_order(hk_norm(fa), 4), "action and reaction");
  hk_vec3 arm = vector(&c, "shaft.gearbox.", ""); /* the gearbox is at the origin */
  vector_within(
      hk_add(vector(&c, "cvj.t", "_a"), hk_add(vector(&c, "cvj.t", "_b"), hk_cross(arm, fb))),
      hk_v3(0, 0, 0), by_order(fabs(T), 16), "moments about one point");
  vector_within(vector(&c, "cvj.f", "_b"), vector(&c, "cvj.ideal.f", ""), by_order(hk_norm(fb), 4),
                "its one part");
  vf_close(&c);
}

static void tripod(void **state) {
  (void)state;
  vf_case c;
  vf_file(&c, "examples/cv_joint/tripod.yaml", NULL, 0);
  vf_start(&c, NULL);
  vf_advance(&c, 0.1);
  const double arm = 0.02 + 0.0172;
  const pressures p = pressures_of(&c, "tripod.track", 3, 1e11, arm);
  const double force_off = 1.1 * p.off + by_order(1.1 * p.sum, 24);
  hk_vec3 on_b = hk_add(vector(&c, "tripod.f", "_b"), vector(&c, "support.f", ""));
  vector_within(on_b, hk_scale(1, vector(&c, "spider.a", "")), force_off, "m a of the spider");
  within(0.02 * vf_value(&c, "housing.angle_acc"), vf_value(&c, "tripod.torque_a") + vf_value(&c, "brake.tz"),
         arm * force_off, "J alpha = torque");
  assert_true(vf_value(&c, "tripod.secondary_torque_a") > 1);
  vf_close(&c);
}

/* Rigid contact: impulses over the last step, which changed the momentum of the shafts.  The drive acts with
 * its value in the middle of the step; the shaft is linear and acts with its mean value.  Rates and times are
 * differences of rounded numbers, divided by the step.  In space, impulses act in the middle of the step too,
 * but the channel uses the lever arms at the end of the step, so the torque has an error equal to the rotation
 * in half a step. */
static void universal_joint(void **state) {
  (void)state;
  static const char *const fidelity[] = {"spatial", "reduced"};
  for (int k = 0; k < 2; k++) {
    const hk_override set = {"joints.joint.fidelity", fidelity[k]};
    vf_case c;
    vf_file(&c, "examples/ujoint_clearance/spatial.yaml", &set, 1);
    vf_start(&c, NULL);
    vf_advance(&c, 0.3);
    double most = 0;
    for (int i = 0; i < 400; i++) {
      double w0 = vf_value(&c, "input.angle_rate"), v0 = vf_value(&c, "output.angle_rate");
      double t0 = hk_sim_time(c.sim), shaft = vf_value(&c, "shaft.torque");
      vf_advance(&c, t0 + 1e-5);
      double h = hk_sim_time(c.sim) - t0, drive = sin(100 * (t0 + 0.5 * h));
      shaft = 0.5 * (shaft + vf_value(&c, "shaft.torque"));
      double a = 0.014 * (vf_value(&c, "input.angle_rate") - w0) / h;
      double b = 0.012 * (vf_value(&c, "output.angle_rate") - v0) / h;
      double size = fmax(fabs(a - drive), fabs(b - shaft)), fastest = fmax(fabs(w0), fabs(v0)) + size * h / 0.012;
      double off = DBL_EPSILON / h * (0.014 * fastest + size * t0) + (k ? 0 : 0.5 * h * fastest * size);
      within(vf_value(&c, "joint.torque_a"), a - drive, off, "torque on the input");
      within(vf_value(&c, "joint.torque_b"), b - shaft, off, "torque on the output");
      most = fmax(most, size);
    }
    assert_true(most > 1); /* they do touch */
    vf_close(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_joint),
      cmocka_unit_test(ideal_joint),
      cmocka_unit_test(tripod),
      cmocka_unit_test(universal_joint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
