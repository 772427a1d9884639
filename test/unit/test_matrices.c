/* Matrices of a state as compressed rows, against products and finite differences of the library. */
#include "support/subject.h"
#include "sim/sim.h"
#include <hooke/matrices.h>

static const char LINKS[] =
    "format: 1\n"
    "bodies:\n"
    "  ground: {markers: {wall: {at: [0, 1 m, 0]}}}\n"
    "  arm: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0], angular_velocity: [0, 0, "
    "3 rad/s], velocity: [0, 1.5 m/s, 0]}\n"
    "  bob: {type: point_mass, mass: 0.5 kg, position: [1 m, -0.5 m, 0]}\n"
    "  wheel: {type: rotor, inertia: 0.1 kg*m^2, rate: 4 rad/s}\n"
    "joints: {hinge: {type: revolute, b: arm, at: [0, 0, 0], axis: z}}\n"
    "forces:\n"
    "  link: {type: spring_damper, a: arm.end, b: bob, stiffness: 300 N/m, damping: 5 N*s/m, "
    "length: "
    "0.4 m}\n"
    "  hold: {type: spring_damper, a: ground.wall, b: arm, stiffness: 50 N/m, damping: 2 N*s/m, "
    "length: 0.8 m}\n"
    "  twist: {type: torsion_spring, b: wheel, stiffness: 5 N*m/rad, damping: 0.2 N*m*s/rad}\n";

static void multiply(const hk_csr *A, const double *x, double *y) {
  for (int i = 0; i < A->rows; i++) {
    y[i] = 0;
    for (int k = A->start[i]; k < A->start[i + 1]; k++) y[i] += A->value[k] * x[A->column[k]];
  }
}

static void assert_sound(const hk_csr *A, int rows, int columns) {
  assert_int_equal(A->rows, rows);
  assert_int_equal(A->columns, columns);
  assert_int_equal(A->start[0], 0);
  for (int i = 0; i < rows; i++)
    for (int k = A->start[i]; k < A->start[i + 1]; k++) {
      assert_in_range(A->column[k], 0, columns - 1);
      assert_true(k == A->start[i] || A->column[k] > A->column[k - 1]);
    }
}

/* G^T lambda - f at the state, displaced by e d and with the velocities v + e u. */
static void load_at(hk_sim *s, double e, const double *d, const double *u, double *out) {
  const hk_model *m = s->model;
  double move[32], q[32], v[32];
  for (int i = 0; i < m->nv; i++) {
    move[i] = d ? e * d[i] : 0;
    v[i] = s->x[m->at.v + i] + (u ? e * u[i] : 0);
  }
  hk_configuration_add(m, s->x + m->at.q, move, q);
  hk_instant in = hk_instant_last(m, s->x, s->x + m->at.lambda);
  in.q = q, in.v = v;
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraints(s->work, &in);
  assert_int_equal(hk_forces(s->work, &in), HK_OK);
  hk_constraint_force(s->work, in.lambda, s->work->f);
  for (int i = 0; i < m->nv; i++) out[i] = -s->work->f[i];
}

static void they_are_what_the_equations_say(void **state) {
  (void)state;
  hk_model *m = model_of(LINKS);
  hk_sim *sim = sim_of(m, &(hk_sim_options){.step = 1e-3});
  hk_error err = {0};
  assert_int_equal(hk_sim_advance(sim, 0.2, &err), HK_OK);
  assert_true(m->nv <= 32 && m->nq <= 32);
  double before[500], x[32], y[32], z[32], w[32];
  assert_true(hk_sim_state_size(sim) <= sizeof before);
  hk_sim_state_get(sim, before);
  hk_matrices a;
  if (hk_sim_matrices(sim, &a, &err)) fail_msg("%s", err.text);
  assert_memory_equal(before, sim->x, hk_sim_state_size(sim));
  assert_sound(&a.M, m->nv, m->nv);
  assert_sound(&a.C, m->nv, m->nv);
  assert_sound(&a.K, m->nv, m->nv);
  assert_sound(&a.G, m->nc, m->nv);
  random_seed(5);
  for (int i = 0; i < m->nv; i++) x[i] = uniform(-1, 1);
  multiply(&a.M, x, y);
  hk_mass_multiply(sim->work, x, z);
  for (int i = 0; i < m->nv; i++) assert_near(y[i], z[i], 1e-13, "M x");
  multiply(&a.G, x, y);
  hk_constraint_rate(sim->work, x, z);
  for (int i = 0; i < m->nc; i++) assert_near(y[i], z[i], 1e-13, "G x");
  multiply(&a.K, x, y);
  load_at(sim, 1e-5, x, NULL, z), load_at(sim, -1e-5, x, NULL, w);
  for (int i = 0; i < m->nv; i++) assert_near(y[i], (z[i] - w[i]) / 2e-5, 1e-5, "K x");
  multiply(&a.C, x, y);
  load_at(sim, 1e-5, NULL, x, z), load_at(sim, -1e-5, NULL, x, w);
  for (int i = 0; i < m->nv; i++) assert_near(y[i], (z[i] - w[i]) / 2e-5, 1e-5, "C x");
  hk_matrices_free(&a);
  assert_null(a.M.value);
  hk_sim_destroy(sim);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(they_are_what_the_equations_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
