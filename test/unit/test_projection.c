/* Projection of velocities onto the constraints: the correction, and the report if it fails. */
#include "support/subject.h"
#include "sim/sim.h"

static const char PENDULUM[] =
    "format: 1\n"
    "bodies: {rod: {type: rod, length: 1 m, mass: 1 kg, position: [0.5 m, 0, 0], angular_velocity: [0, 0, 50 rad/s], "
    "velocity: [0, 25 m/s, 0]}}\n"
    "joints: {hinge: {type: revolute, b: rod, at: [0, 0, 0], axis: z}}\n"
    "forces: {weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\n";

/* The rod rotated by this angle about its hinge, with consistent velocities: G belongs to this
 * position, the factors of the last step to an earlier one. */
static void turn(hk_sim *s, double by) {
  const hk_model *m = s->model;
  double *q = s->x + m->at.q, *v = s->x + m->at.v;
  const hk_quat to = hk_quat_mul(hk_quat_exp(hk_v3(0, 0, by)), (hk_quat){q[3], q[4], q[5], q[6]});
  const hk_mat3 R = hk_quat_matrix(to);
  const hk_vec3 x = hk_scale(0.5, hk_column(&R, 0)), u = hk_cross(hk_v3(0, 0, v[5]), x);
  const double place[7] = {x.x, x.y, x.z, to.w, to.x, to.y, to.z}, speed[3] = {u.x, u.y, u.z};
  memcpy(q, place, sizeof place);
  memcpy(v, speed, sizeof speed);
  const hk_instant in = hk_instant_at(m, s->x);
  hk_kinematics(s->work, &in, HK_FRAMES_STEP);
  hk_constraints(s->work, &in);
}

static double velocity_error(hk_sim *s) {
  const hk_model *m = s->model;
  double y[16];
  assert_true(m->nc <= 16);
  hk_constraint_velocity(s->work, s->x + m->at.v, y);
  return hk_max_abs(y, m->nc, NULL);
}

static hk_sim *stepped(hk_model *m) {
  hk_sim *s = sim_of(m, &(hk_sim_options){.stepper = "generalized_alpha", .step = 1e-3});
  MUST(hk_sim_step(s, 1, err));
  return s;
}

/* A velocity that the joint does not allow is removed, with factors of a nearby position. */
static void what_the_joints_do_not_allow_is_taken_off(void **state) {
  (void)state;
  hk_model *m = model_of(PENDULUM);
  hk_sim *s = stepped(m);
  hk_projected told;
  turn(s, 0.01);
  assert_true(velocity_error(s) < 1e-12);
  s->x[m->at.v] += 1e-3;
  assert_float_equal(velocity_error(s), 1e-3, 1e-6);
  assert_int_equal(hk_velocity_project(s, 1e-3, false, s->x, &told), HK_OK);
  assert_true(velocity_error(s) < 1e-6 && !told.rubs);
  hk_sim_destroy(s);
  hk_model_destroy(m);
}

/* With factors from almost half a revolution earlier, the iterations do not reduce the error
 * enough.  The remainder is accepted only if its effect within the step is negligible. */
static void what_is_left_is_small_or_the_step_is_none(void **state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    hk_model *m = model_of(PENDULUM);
    hk_sim *s = stepped(m);
    hk_projected told;
    const double h = k % 2 ? 1e-2 : 1e-9, push = 0.5;
    turn(s, k < 2 ? 3 : 2);
    s->x[m->at.v] += push;
    s->x[m->at.v + 3] += push;
    double before = velocity_error(s);
    hk_status status = hk_velocity_project(s, h, false, s->x, &told);
    double left = velocity_error(s), most = s->option.atol + s->option.rtol * m->length;
    assert_true(left > 0.02 && left <= before);
    assert_int_equal(status, h * left > most ? HK_RETRY : HK_OK);
    assert_int_equal(status, k % 2 ? HK_RETRY : HK_OK);
    hk_sim_destroy(s);
    hk_model_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_joints_do_not_allow_is_taken_off),
      cmocka_unit_test(what_is_left_is_small_or_the_step_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
