/* The linear system of a model: its pattern, the addresses of its parts, and solutions. */
#include "support/subject.h"

static hk_model *world(uint64_t seed) {
  hk_spec *spec = hk_spec_create_with(subjects());
  random_seed(seed);
  build_world(spec);
  hk_item *spring = add_item(spec, HK_FORCE, "spring_damper", "spring");
  set_text(spring, "a", "spot");
  set_text(spring, "b", "wheel.m");
  set_real(spring, "length", 0.5);
  set_real(spring, "stiffness", 10);
  hk_item *rub = add_item(spec, HK_FORCE, "joint_friction", "rub");
  set_text(rub, "joint", "ball");
  set_real(rub, "mu", 0.1);
  set_real(rub, "radius", 0.1);
  hk_item *load = add_item(spec, HK_FORCE, "load", "load");
  set_text(load, "b", "first");
  set_expr(load, "force", 1, "1 N/m * disc.m.y + 2 N*s/m * speck.vx");
  return must_compile(spec);
}

static int node(const hk_model *m, const char *name) {
  for (int i = 0; i < m->n_nodes; i++)
    if (strcmp(m->node[i].name, name) == 0) return i;
  fail_msg("no node %s", name);
  return -1;
}

static bool coupled(const hk_system *s, const hk_model *m, const char *a, const char *b) {
  return hk_block_pattern_find(s->pattern, node(m, a), node(m, b)) >= 0;
}

static void the_pattern_has_what_is_needed_and_no_more(void **state) {
  (void)state;
  hk_model *m = world(1);
  hk_system *full, *reduced;
  MUST(hk_system_create(m, NULL, true, HK_SOLVER_AUTO, &full, err));
  MUST(hk_system_create(m, NULL, false, HK_SOLVER_AUTO, &reduced, err));
  assert_int_equal(full->n, m->nv + m->nc);
  assert_true(coupled(full, m, "third", "fourth") && !coupled(reduced, m, "third", "fourth"));
  assert_true(coupled(full, m, "first", "third") && !coupled(reduced, m, "first", "third"));
  for (int k = 0; k < 2; k++) {
    const hk_system *s = k ? full : reduced;
    assert_true(coupled(s, m, "spot", "wheel"));                                    /* the spring */
    assert_true(coupled(s, m, "first", "disc") && coupled(s, m, "first", "speck")); /* feedback */
    assert_true(coupled(s, m, "fourth", "second"));                                 /* friction */
    assert_false(coupled(s, m, "first", "fourth") || coupled(s, m, "spot", "speck"));
    for (int i = 0; i < m->n_nodes; i++) assert_non_null(s->diagonal[i].at);
    for (int r = 0; r < m->nc; r++) assert_in_range(s->row_at[r], m->nv, s->n - 1);
  }
  hk_system_destroy(full);
  hk_system_destroy(reduced);
  hk_system_destroy(NULL);
  hk_model_destroy(m);
}

/* Solves A x = b and multiplies back, with every solver. */
static void solutions_satisfy_the_equations(void **state) {
  (void)state;
  static const hk_linear_solver_kind kinds[] = {HK_SOLVER_AUTO, HK_SOLVER_BLOCK, HK_SOLVER_KLU};
  for (uint64_t seed = 2; seed < 8; seed++) {
    hk_model *m = world(seed);
    moment s = moment_create(m);
    moment_evaluate(&s, s.q, s.v, s.lambda, s.t);
    for (int k = 0; k < 3; k++) {
      hk_system *sys;
      const hk_coefficients c = {1, 5e-3, 1e-5, NULL};
      MUST(hk_system_create(m, NULL, seed % 2, kinds[k], &sys, err));
      const hk_instant in = moment_instant(&s);
      hk_assemble(sys, s.work, &c, &in);
      assert_int_equal(hk_linear_solver_factor(sys->solver, sys->matrix), HK_OK);
      double *b = calloc(3 * (size_t)sys->n, sizeof *b), *x = b + sys->n, *y = x + sys->n;
      assert_non_null(b);
      for (int i = 0; i < sys->n; i++) b[i] = x[i] = uniform(-1, 1);
      hk_linear_solver_solve(sys->solver, x);
      hk_block_matrix_multiply(sys->matrix, x, y);
      double size = 0;
      for (int i = 0; i < sys->n; i++) size = fmax(size, fabs(x[i]));
      for (int i = 0; i < sys->n; i++) assert_near(y[i], b[i], 1e-12 * (1 + size), "row %d", i);
      free(b);
      hk_system_destroy(sys);
    }
    moment_free(&s);
    hk_model_destroy(m);
  }
}

static void a_system_may_have_no_rows(void **state) {
  (void)state;
  hk_model *m = world(9);
  hk_system *sys;
  uint8_t *kept = calloc((size_t)m->nc, 1);
  MUST(hk_system_create(m, kept, true, HK_SOLVER_AUTO, &sys, err));
  assert_int_equal(sys->n, m->nv);
  for (int i = 0; i < m->n_constraints; i++) assert_int_equal(sys->constraint_block[i], -1);
  for (int r = 0; r < m->nc; r++) assert_int_equal(sys->row_at[r], -1);
  moment s = moment_create(m);
  moment_evaluate(&s, s.q, s.v, s.lambda, s.t);
  const hk_coefficients c = {1, 0, 0, NULL};
  const hk_instant in = moment_instant(&s);
  hk_assemble(sys, s.work, &c, &in);
  assert_int_equal(hk_linear_solver_factor(sys->solver, sys->matrix), HK_OK);
  double *x = calloc(2 * (size_t)m->nv, sizeof *x), *y = x + m->nv;
  for (int i = 0; i < m->nv; i++) x[i] = 1;
  hk_linear_solver_solve(sys->solver, x);
  hk_mass_multiply(s.work, x, y);
  for (int i = 0; i < m->nv; i++) assert_near(y[i], 1, 1e-13, "M x, row %d", i);
  free(x), free(kept);
  moment_free(&s);
  hk_system_destroy(sys);
  hk_model_destroy(m);
}

/* Minimum weighted displacement that closes the joints to first order: G d = -g, W d in span
 * G^T. */
static void the_metric_gives_the_nearest_displacement(void **state) {
  (void)state;
  hk_model *m = world(10);
  moment s = moment_create(m);
  moment_evaluate(&s, s.q, s.v, s.lambda, s.t);
  hk_system *sys;
  MUST(hk_system_create(m, NULL, false, HK_SOLVER_AUTO, &sys, err));
  double *weight = calloc((size_t)m->nv, sizeof *weight), *x = calloc((size_t)sys->n, sizeof *x);
  for (int i = 0; i < m->nv; i++) weight[i] = uniform(0.5, 2);
  hk_assemble_metric(sys, s.work, weight, 0);
  assert_int_equal(hk_linear_solver_factor(sys->solver, sys->matrix), HK_OK);
  for (int r = 0; r < m->nc; r++) x[sys->row_at[r]] = -s.work->g[r];
  hk_linear_solver_solve(sys->solver, x);
  double *G = dense_jacobian(s.work);
  for (int r = 0; r < m->nc; r++) {
    double sum = 0;
    for (int k = 0; k < m->nv; k++) sum += G[r * m->nv + k] * x[k];
    assert_near(sum, -s.work->g[r], 1e-11, "row %d", r);
  }
  for (int k = 0; k < m->nv; k++) {
    double sum = weight[k] * x[k];
    for (int r = 0; r < m->nc; r++) sum += G[r * m->nv + k] * x[sys->row_at[r]];
    assert_near(sum, 0, 1e-11, "column %d", k);
  }
  free(weight), free(x), free(G);
  hk_system_destroy(sys);
  moment_free(&s);
  hk_model_destroy(m);
}

/* A pin on which a body slides and rotates, both with friction. */
static hk_model *rubbing_pin(uint64_t seed) {
  hk_spec *spec = hk_spec_create_with(subjects());
  random_seed(seed);
  build_world(spec);
  hk_item *pin = add_item(spec, HK_JOINT, "cylindrical", "pin");
  set_text(pin, "a", "first");
  set_text(pin, "b", "fourth");
  for (int k = 0; k < 2; k++) {
    hk_item *rub = add_item(spec, HK_FORCE, "joint_friction", k ? "turn" : "slide");
    set_text(rub, "joint", "pin");
    set_text(rub, "coordinate", k ? "pin.angle" : "pin.displacement");
    set_real(rub, "mu", 0.1);
    if (k) set_real(rub, "radius", 0.1);
  }
  return must_compile(spec);
}

/* In short steps the geometric stiffness of joints is omitted from the matrix if it changes the
 * matrix by less than the allowed fraction of the inertia; in long steps it is always included. */
static void what_is_slight_beside_inertia_is_left_out(void **state) {
  (void)state;
  const double slight = 0.01;
  for (uint64_t seed = 11; seed < 15; seed++) {
    hk_model *m = rubbing_pin(seed);
    moment s = moment_create(m);
    moment_evaluate(&s, s.q, s.v, s.lambda, s.t);
    const hk_instant in = moment_instant(&s);
    for (int k = 0; k < 2; k++) {
      double h = k ? 1 : 1e-3, most = 0;
      hk_system *sys[2];
      for (int i = 0; i < 2; i++) {
        const hk_coefficients c = {.cM = 1, .cC = h, .cK = h * h, .slight = i ? slight : 0};
        MUST(hk_system_create(m, NULL, true, HK_SOLVER_BLOCK, &sys[i], err));
        hk_assemble(sys[i], s.work, &c, &in);
      }
      double *x = calloc(3 * (size_t)sys[0]->n, sizeof *x), *y = x + sys[0]->n, *z = y + sys[0]->n;
      assert_non_null(x);
      for (int j = 0; j < m->nv; j++) {
        memset(x, 0, (size_t)sys[0]->n * sizeof *x);
        x[j] = sqrt(m->give[j]);
        hk_block_matrix_multiply(sys[0]->matrix, x, y);
        hk_block_matrix_multiply(sys[1]->matrix, x, z);
        for (int i = 0; i < m->nv; i++) most = fmax(most, fabs(y[i] - z[i]) * sqrt(m->give[i]));
      }
      if (k)
        assert_true(most == 0);
      else
        assert_true(most > 0 && most < slight);
      free(x);
      hk_system_destroy(sys[0]);
      hk_system_destroy(sys[1]);
    }
    moment_free(&s);
    hk_model_destroy(m);
  }
}

/* If several friction forces depend on the load of one joint, each of its bodies is coupled with
 * the joint once. */
static void friction_couples_a_body_and_a_joint_once(void **state) {
  (void)state;
  int n[2];
  for (int k = 0; k < 2; k++) {
    hk_spec *spec = hk_spec_create_with(subjects());
    random_seed(1);
    build_world(spec);
    for (int i = 0; i < (k ? 300 : 1); i++) {
      char name[16];
      snprintf(name, sizeof name, "rub%d", i);
      hk_item *rub = add_item(spec, HK_FORCE, "joint_friction", name);
      set_text(rub, "joint", "ball");
      set_real(rub, "mu", 0.1);
      set_real(rub, "radius", 0.1);
    }
    hk_model *m = must_compile(spec);
    hk_system *system;
    MUST(hk_system_create(m, NULL, false, HK_SOLVER_AUTO, &system, err));
    n[k] = system->n_loaded;
    hk_system_destroy(system);
    hk_model_destroy(m);
  }
  assert_int_equal(n[0], 2);
  assert_int_equal(n[1], n[0]);
}

static double *matrix_of(const hk_model *m, const moment *at, const double *step_rotation,
                         hk_system *sys) {
  const hk_coefficients c = {0, 1, 0, step_rotation};
  double *A = calloc((size_t)(m->nv * m->nv + 2 * m->nv), sizeof *A), *x = A + m->nv * m->nv;
  assert_non_null(A);
  const hk_instant in = moment_instant(at);
  hk_assemble(sys, at->work, &c, &in);
  for (int k = 0; k < m->nv; k++) {
    double *y = x + m->nv;
    memset(x, 0, (size_t)m->nv * sizeof *x);
    x[k] = 1;
    hk_block_matrix_multiply(sys->matrix, x, y);
    for (int i = 0; i < m->nv; i++) A[i * m->nv + k] = y[i];
  }
  return A;
}

/* In a step that rotates bodies by D the columns of inertia and of dampers are multiplied by T^-1(D) = 1 + D/2 x + ... */
static void dampers_follow_the_rotation_of_a_step(void **state) {
  (void)state;
  hk_model *m = model_of(
      "format: 1\n"
      "bodies:\n"
      "  one: {mass: 2 kg, inertia: [1 kg*m^2, 2 kg*m^2, 2.5 kg*m^2], angular_velocity: [1 rad/s, "
      "2 rad/s, 30 rad/s],\n"
      "        orientation: {axis: [1, 2, 3], angle: 40 deg}, markers: {p: [0.2 m, 0.3 m, -0.1 "
      "m]}}\n"
      "  two: {mass: 3 kg, inertia: [2 kg*m^2, 2 kg*m^2, 3 kg*m^2], position: [1 m, 0, 0],\n"
      "        angular_velocity: [-4 rad/s, 1 rad/s, 3 rad/s], markers: {p: [-0.4 m, 0.1 m, 0.2 "
      "m]}}\n"
      "forces:\n"
      "  rubber: {type: bushing, a: one.p, b: two.p, damping: [3 N*s/m, 5 N*s/m, 7 N*s/m],\n"
      "           rotational_damping: [2 N*m*s/rad, 3 N*m*s/rad, 4 N*m*s/rad]}\n"
      "analysis: {duration: 1 s}\n");
  moment s = moment_create(m);
  moment_evaluate(&s, m->q0, m->v0, s.lambda, 0);
  hk_system *sys;
  MUST(hk_system_create(m, NULL, true, HK_SOLVER_AUTO, &sys, err));
  double D[12] = {0}, largest = 0, changed = 0;
  for (int n = 0; n < 2; n++)
    for (int i = 3; i < 6; i++) D[6 * n + i] = uniform(-1e-4, 1e-4);
  double *A = matrix_of(m, &s, NULL, sys), *B = matrix_of(m, &s, D, sys);
  for (int i = 0; i < 144; i++) largest = fmax(largest, fabs(A[i]));
  for (int i = 0; i < 12; i++)
    for (int n = 0; n < 12; n += 6) {
      const double *row = A + 12 * i + n + 3, *d = D + n + 3;
      /* row (1 + D/2 x) */
      const double wanted[3] = {row[0] + 0.5 * (row[1] * d[2] - row[2] * d[1]),
                                row[1] + 0.5 * (row[2] * d[0] - row[0] * d[2]),
                                row[2] + 0.5 * (row[0] * d[1] - row[1] * d[0])};
      for (int k = 0; k < 3; k++) {
        const double ours = B[12 * i + n + 3 + k];
        assert_near(ours, wanted[k], 1e-8 * largest, "(%d, %d)", i, n + 3 + k);
        changed = fmax(changed, fabs(ours - row[k]));
        assert_near(B[12 * i + n + k], A[12 * i + n + k], 1e-14 * largest, "(%d, %d)", i, n + k);
      }
    }
  assert_true(changed > 1e-5 * largest);
  free(A), free(B);
  hk_system_destroy(sys);
  moment_free(&s);
  hk_model_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_pattern_has_what_is_needed_and_no_more),
      cmocka_unit_test(solutions_satisfy_the_equations),
      cmocka_unit_test(a_system_may_have_no_rows),
      cmocka_unit_test(dampers_follow_the_rotation_of_a_step),
      cmocka_unit_test(friction_couples_a_body_and_a_joint_once),
      cmocka_unit_test(what_is_slight_beside_inertia_is_left_out),
      cmocka_unit_test(the_metric_gives_the_nearest_displacement),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
