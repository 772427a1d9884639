/* Joint friction on the fast path without frames (core/joint_friction_fast.h) equals friction by frames: forces,
 * powers and dependence on the joint loads, even for multipliers other than those of the force evaluation. */
#include "core/joint_friction_fast.h"
#include "core/force.h"
#include "sim/sim.h"
#include "verify/verify.h"

/* A collar that slides and rotates on an arm under a normal load. */
static const char *const COLLAR =
    "bodies:\n"
    "  arm: {type: rod, length: 0.4 m, mass: 2 kg, position: [0.2 m, 0, 0]}\n"
    "  collar: {type: sphere, radius: 3 cm, mass: 0.5 kg, position: [0.3 m, 0, 0]}\n"
    "joints:\n"
    "  main: {type: universal, b: arm.start, axis: z}\n"
    "  guide: {type: cylindrical, a: arm, b: collar, at: [0.3 m, 0, 0], axis: x}\n"
    "forces:\n"
    "  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n"
    "  slides: {type: joint_friction, joint: guide, coordinate: guide.displacement, mu: 0.2, "
    "velocity: 1 m/s}\n"
    "  turns: {type: joint_friction, joint: guide, coordinate: guide.angle, mu: 0.1, radius: 1 cm, "
    "velocity: 1 m/s}\n"
    "  push: {type: load, b: collar, force: [3 N, -40 N, 10 N], torque: [0.02 N*m, 0, 0]}\n"
    "analysis: {duration: 1 s}\n";

static int rubbing(const hk_sim *s) {
  int n = 0;
  for (int i = 0; i < s->model->n_forces; i++) n += s->work->joint_friction[i].on;
  return n;
}

static void near(const char *what, const double *a, const double *b, size_t n) {
  double off = 0, size = 0;
  for (size_t i = 0; i < n; i++) off = fmax(off, fabs(a[i] - b[i])), size = fmax(size, fabs(b[i]));
  if (!(off <= 1e-13 * size)) fail_msg("%s: off by %g of %g", what, off, size);
}

/* f, power and matrix of the accelerations, assembled with `lambda`: [nv + 1 + n_value]. */
static double *all_of(hk_sim *s, const double *lambda) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  const hk_instant in = hk_instant_at(m, s->x), other = hk_instant_with(m, s->x, lambda);
  const hk_coefficients c = {.cM = 1};
  size_t nv = (size_t)m->nv, n = s->system->matrix->n_value;
  double *out = test_malloc((nv + 1 + n) * sizeof *out);
  hk_kinematics(w, &in, HK_FRAMES_MOVING);
  hk_constraints(w, &in);
  assert_int_equal(hk_forces(w, &in), HK_OK);
  memcpy(out, w->f, nv * sizeof *out);
  out[nv] = w->dissipated;
  assert_int_equal(hk_assemble(s->system, w, &c, &other), HK_OK);
  memcpy(out + nv + 1, s->system->matrix->value, n * sizeof *out);
  return out;
}

static hk_sim *moving_collar(vf_case *c) {
  vf_text(c, "%s", COLLAR);
  vf_start(c, NULL);
  vf_advance(c, 0.05);
  return c->sim;
}

static void the_short_way_is_the_long_one(void **state) {
  (void)state;
  vf_case c;
  hk_sim *s = moving_collar(&c);
  size_t nv = (size_t)s->model->nv, n = s->system->matrix->n_value, rows = (size_t)s->model->nc;
  assert_int_equal(rubbing(s), 2);
  double *lambda = test_malloc(rows * sizeof *lambda);
  for (int k = 0; k < 3; k++) {
    for (size_t r = 0; r < rows; r++)
      lambda[r] = s->x[s->model->at.lambda + (int)r] * (1 + k * sin(1.0 + (double)r));
    double *quick = all_of(s, lambda);
    for (int i = 0; i < s->model->n_forces; i++) s->work->joint_friction[i].on = false;
    double *slow = all_of(s, lambda);
    hk_joint_friction_find(s->work);
    near("forces", quick, slow, nv);
    near("power", quick + nv, slow + nv, 1);
    near(k ? "matrix for other multipliers" : "matrix", quick + nv + 1, slow + nv + 1, n);
    test_free(quick);
    test_free(slow);
  }
  test_free(lambda);
  vf_close(&c);
}

/* Steps so short that rotation within them is negligible: only the tangents with respect to rates and load
 * remain; with zero stiffness the general path is used. */
static void tangents_of_short_steps(void **state) {
  (void)state;
  vf_case c;
  hk_sim *s = moving_collar(&c);
  const hk_instant in = hk_instant_at(s->model, s->x);
  const hk_coefficients slow = {.cM = 1, .cC = 1},
                        quick = {.cM = 1, .cC = 1, .cK = 1e-200, .slight = 1};
  size_t n = s->system->matrix->n_value;
  double *A = test_malloc(n * sizeof *A);
  test_free(all_of(s, in.lambda));
  assert_int_equal(hk_assemble(s->system, s->work, &slow, &in), HK_OK);
  memcpy(A, s->system->matrix->value, n * sizeof *A);
  for (int i = 0; i < s->model->n_forces; i++)
    if (s->work->joint_friction[i].on) assert_true(fabs(s->work->joint_friction[i].F_rate) > 1e-5);
  assert_int_equal(hk_assemble(s->system, s->work, &quick, &in), HK_OK);
  near("tangent", s->system->matrix->value, A, n);
  test_free(A);
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_short_way_is_the_long_one),
                                     cmocka_unit_test(tangents_of_short_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
