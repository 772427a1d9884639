/* What composite joints exert on the bodies they join, against Newton's law for these bodies, the sum of
 * the contacts, and closed forms. */
#include "support/check.h"
#include "verify/verify.h"

static hk_vec3 vector(vf_case *c, const char *before, const char *behind) {
  double v[3];
  for (int i = 0; i < 3; i++) {
    char name[200];
    snprintf(name, sizeof name, "%s%c%s", before, "xyz"[i], behind);
    v[i] = vf_value(c, name);
  }
  return hk_v3(v[0], v[1], v[2]);
}

static void near_vector(hk_vec3 got, hk_vec3 wanted, double tolerance, const char *what) {
  assert_near(got.x, wanted.x, tolerance, "%s, x", what);
  assert_near(got.y, wanted.y, tolerance, "%s, y", what);
  assert_near(got.z, wanted.z, tolerance, "%s, z", what);
}

/* The contacts of the balls with the outer race, summed by hand. */
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
    hk_vec3 F = vector(&c, "cvj.f", "_a"), M = vector(&c, "cvj.t", "_a");
    near_vector(F, sum_of_tracks(&c), 1e-9, "force on the outer race");
    /* All that loads the outer race is the joint and the brake about z, both at its centre. */
    hk_vec3 load = vector(&c, "outer.load_t", ""), brake = vector(&c, "brake.t", "");
    near_vector(hk_add(M, brake), load, 1e-8, "moment on the outer race");
    assert_near(vf_value(&c, "cvj.secondary_torque_a"), hypot(load.x, load.y), 1e-9,
                "secondary torque");
    hk_vec3 z = inner_axis(&c), inner = vector(&c, "inner.load_t", "");
    assert_near(vf_value(&c, "cvj.secondary_torque_b"),
                hk_norm(hk_axpy(inner, -hk_dot(inner, z), z)), 1e-9, "of the inner race");
    assert_near(vf_value(&c, "cvj.torque_b"), hk_dot(inner, z), 1e-9, "its torque");
    assert_near(0.02 * vf_value(&c, "outer.angle_acc"), vf_value(&c, "cvj.torque_a") + brake.z,
                1e-6, "J alpha = torque");
    assert_near(vf_value(&c, "cvj.axial_force_a"), F.z, 1e-10, "axial force");
    assert_near(vf_value(&c, "cvj.radial_force_a"), hypot(F.x, F.y), 1e-10, "radial force");
    /* The inner race is guided in its turning and free in its place.  The accelerations come of contacts taken four at
     * once, the forces of one by one: their gaps differ by the rounding of 55 mm, some 1e-17 m, at 3e10 N/m. */
    hk_vec3 on_b = hk_add(vector(&c, "cvj.f", "_b"), vector(&c, "support.f", ""));
    near_vector(on_b, hk_scale(2, vector(&c, "inner.a", "")), 1e-6, "m a of the inner race");
    hk_vec3 own = vector(&c, "cvj.own_f", "_b");
    assert_near(vf_value(&c, "cvj.axial_force_b"), own.z, 1e-10, "axial force of the inner race");
    assert_near(hk_norm(own), hk_norm(vector(&c, "cvj.f", "_b")), 1e-9, "size in own axes");
  }
  vf_close(&c);
}

/* The ideal joint's moment lies in the plane that halves the bend: T tan(bend/2) across either shaft. */
static void ideal_joint(void **state) {
  (void)state;
  vf_case c;
  vf_file(&c, "examples/cv_joint/half_shaft.yaml", NULL, 0);
  vf_start(&c, NULL);
  vf_advance(&c, 0.05);
  double bend = vf_value(&c, "cvj.bend"), T = vf_value(&c, "cvj.torque_a");
  assert_true(fabs(T) > 400 && bend > 0.03);
  assert_near(vf_value(&c, "cvj.secondary_torque_a"), fabs(T) * tan(bend / 2), 1e-6,
              "secondary torque");
  assert_near(vf_value(&c, "cvj.secondary_torque_b"), fabs(T) * tan(bend / 2), 1e-6,
              "on the other side");
  hk_vec3 fa = vector(&c, "cvj.f", "_a"), fb = vector(&c, "cvj.f", "_b");
  near_vector(fa, hk_neg(fb), 1e-9, "action and reaction");
  hk_vec3 arm = vector(&c, "shaft.gearbox.", ""); /* the gearbox stands at the origin */
  near_vector(
      hk_add(vector(&c, "cvj.t", "_a"), hk_add(vector(&c, "cvj.t", "_b"), hk_cross(arm, fb))),
      hk_v3(0, 0, 0), 1e-8, "moments about one point");
  near_vector(vector(&c, "cvj.f", "_b"), vector(&c, "cvj.ideal.f", ""), 1e-9, "its one part");
  vf_close(&c);
}

static void tripod(void **state) {
  (void)state;
  vf_case c;
  vf_file(&c, "examples/cv_joint/tripod.yaml", NULL, 0);
  vf_start(&c, NULL);
  vf_advance(&c, 0.1);
  hk_vec3 on_b = hk_add(vector(&c, "tripod.f", "_b"), vector(&c, "support.f", ""));
  near_vector(on_b, hk_scale(1, vector(&c, "spider.a", "")), 1e-7, "m a of the spider");
  assert_near(0.02 * vf_value(&c, "housing.angle_acc"),
              vf_value(&c, "tripod.torque_a") + vf_value(&c, "brake.tz"), 1e-6, "J alpha = torque");
  assert_true(vf_value(&c, "tripod.secondary_torque_a") > 1);
  vf_close(&c);
}

/* Rigid contact: impulses over the last step, which changed the momentum of the shafts. */
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
      double t0 = hk_sim_time(c.sim), drive = vf_value(&c, "drive.torque"),
             shaft = vf_value(&c, "shaft.torque");
      vf_advance(&c, t0 + 1e-5);
      double h = hk_sim_time(c.sim) - t0;
      drive = 0.5 * (drive + vf_value(&c, "drive.torque"));
      shaft = 0.5 * (shaft + vf_value(&c, "shaft.torque"));
      double a = 0.014 * (vf_value(&c, "input.angle_rate") - w0) / h;
      double b = 0.012 * (vf_value(&c, "output.angle_rate") - v0) / h;
      assert_near(vf_value(&c, "joint.torque_a"), a - drive, 1e-6, "torque on the input at %g s",
                  t0);
      assert_near(vf_value(&c, "joint.torque_b"), b - shaft, 1e-6, "torque on the output at %g s",
                  t0);
      most = fmax(most, fabs(vf_value(&c, "joint.torque_a")));
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
