/* The Delassus operator: known matrices, both sides, blocked directions, held directions. */
#include "support/subject.h"
#include "integrator/impact/delassus.h"
#include "sim/sim.h"

/* Two balls of 2 kg and 0.1 m on a plane, side by side and touching. */
static const char BALLS[] =
    "format: 1\n"
    "bodies:\n"
    "  a: {mass: 2 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2], position: [0, 0, 0.1 m]}\n"
    "  b: {mass: 2 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.01 kg*m^2], position: [0.2 m, 0, 0.1 "
    "m]}\n"
    "laws: {rigid: {type: signorini, mu: 0.3}}\n"
    "contacts:\n"
    "  pair: {type: sphere_on_sphere, a: a, b: b, law: rigid, radius_a: 0.1 m, radius_b: 0.1 m}\n"
    "  under_a: {type: sphere_on_plane, a: ground, b: a, law: rigid, radius: 0.1 m}\n"
    "  under_b: {type: sphere_on_plane, a: ground, b: b, law: rigid, radius: 0.1 m}\n"
    "analysis: {duration: 1 s, step: 1 ms}\n";

typedef struct bench {
  hk_model *m;
  hk_sim *sim;
  hk_contact_row *row;
  int n;
  hk_delassus *d;
} bench;

static bench set_bench(void) {
  bench b = {.m = model_of(BALLS)};
  b.sim = sim_of(b.m, NULL);
  hk_error err = {0};
  b.n = hk_contact_rows_count(b.m);
  assert_int_equal(b.n, 3);
  b.row = calloc((size_t)b.n, sizeof *b.row);
  hk_contact_rows_bind(b.m, b.row);
  const hk_instant in = hk_instant_at(b.m, b.sim->x);
  hk_kinematics(b.sim->work, &in, HK_FRAMES_MOVING);
  hk_contact_rows_at(b.sim->work, INFINITY, b.row);
  const hk_coefficients c = {.cM = 1};
  assert_int_equal(hk_forces(b.sim->work, &in), HK_OK);
  assert_int_equal(hk_assemble(b.sim->index1, b.sim->work, &c, &in), HK_OK);
  assert_int_equal(hk_linear_solver_factor(b.sim->index1->solver, b.sim->index1->matrix), HK_OK);
  b.d = hk_delassus_create(b.m, b.n, &err);
  assert_non_null(b.d);
  return b;
}

static void clear_bench(bench *b) {
  hk_delassus_destroy(b->d);
  free(b->row);
  hk_sim_destroy(b->sim);
  hk_model_destroy(b->m);
}

static void add(bench *b, int i, int dim) {
  for (int k = 0; k < dim; k++) {
    hk_direction f = {.row = k <= b->row[i].tangents ? &b->row[i] : NULL, .k = k, .sign = 1};
    f.c[k] = 1;
    hk_delassus_add(b->d, &f);
  }
}

static double G(const bench *b, int i, int j) { return b->d->G[i * b->d->n + j]; }

static void masses_of_balls(void **state) {
  (void)state;
  bench b = set_bench();
  hk_delassus_begin(b.d, b.sim->index1->n);
  for (int i = 0; i < b.n; i++) add(&b, i, 3);
  assert_int_equal(hk_delassus_set_up(b.d, b.sim->index1->solver), 9);
  const double m = 2, J = 0.01, r = 0.1;
  assert_near(G(&b, 0, 0), 2 / m, 1e-14, "pair, normal: both masses");
  assert_near(G(&b, 1, 1), 2 / m + 2 * r * r / J, 1e-13, "pair, tangent: masses and inertias");
  assert_near(G(&b, 3, 3), 1 / m, 1e-14, "floor, normal");
  assert_near(G(&b, 4, 4), 1 / m + r * r / J, 1e-13, "floor, tangent");
  assert_near(G(&b, 3, 6), 0, 1e-15, "floors do not know each other");
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) assert_near(G(&b, i, j), G(&b, j, i), 1e-14, "symmetric");
  /* An impulse changes the velocities as the operator predicts. */
  double P[9], z[12] = {0};
  for (int i = 0; i < 9; i++) P[i] = 0.1 * (i + 1) * (i % 2 ? -1 : 1);
  hk_delassus_apply(b.d, P, 12, z);
  for (int i = 0; i < 9; i++) {
    double sum = 0;
    for (int j = 0; j < 9; j++) sum += G(&b, i, j) * P[j];
    assert_near(hk_direction_along(&b.d->at[i], z), sum, 1e-13, "velocity after the impulses");
  }
  clear_bench(&b);
}

static void the_other_side_and_what_is_missing(void **state) {
  (void)state;
  bench b = set_bench();
  b.row[1].tangents = 0; /* as a contact that cannot slide */
  hk_delassus_begin(b.d, b.sim->index1->n);
  add(&b, 0, 2), add(&b, 1, 2);
  const hk_direction rubs = {.row = &b.row[0], .c = {0, -0.3, 0}};
  hk_delassus_add_column(b.d, &rubs);
  assert_int_equal(hk_delassus_set_up(b.d, b.sim->index1->solver), 4);
  double before[16], E[4];
  memcpy(before, b.d->G, sizeof before);
  memcpy(E, b.d->E, sizeof E);
  assert_true(before[15] == before[10] && before[11] == 0 && before[12] == 0); /* filled up */
  assert_near(E[1], -0.3 * before[5], 1e-14, "a further column");
  hk_delassus_flip(b.d, 0);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      assert_true(G(&b, i, j) == ((i == 0) != (j == 0) ? -1 : 1) * before[i * 4 + j]);
  assert_true(b.d->E[0] == -E[0] && b.d->E[1] == E[1] && b.d->at[0].sign == -1);
  hk_delassus_flip(b.d, 0);
  assert_memory_equal(b.d->G, before, sizeof before);
  /* The solution for the law: an approach causes an impulse; a direction without mobility gets none. */
  double push[4] = {-1, 0.2, -0.5, 0}, mu[2] = {0.3, 0}, P[4] = {0}, xi[4];
  assert_int_equal(hk_delassus_solve(b.d, 2, push, mu, 0, P, xi), HK_OK);
  assert_true(P[0] > 0 && P[2] > 0 && P[3] == 0 && b.d->result.merit <= HK_CONTACT_TOL);
  assert_near(xi[0], 0, 1e-12, "held");
  clear_bench(&b);
}

static void held_directions(void **state) {
  (void)state;
  bench b = set_bench();
  hk_delassus_begin(b.d, b.sim->index1->n);
  for (int i = 0; i < b.n; i++) add(&b, i, 2);
  hk_delassus_set_up(b.d, b.sim->index1->solver);
  double A[36], x[6], y[6] = {1, -2, 3, 0.5, 0.25, -1};
  memcpy(A, b.d->G, sizeof A);
  memcpy(x, y, sizeof x);
  hk_delassus_factor(b.d);
  assert_int_equal(b.d->rank, 6);
  hk_delassus_hold(b.d, x);
  for (int i = 0; i < 6; i++) {
    double sum = 0;
    for (int j = 0; j < 6; j++) sum += A[i * 6 + j] * x[j];
    assert_near(sum, y[i], 1e-12, "G x");
  }
  /* The same direction twice: forces are not unique, and the rank shows it. */
  hk_delassus_begin(b.d, b.sim->index1->n);
  add(&b, 1, 1), add(&b, 1, 1);
  hk_delassus_set_up(b.d, b.sim->index1->solver);
  hk_delassus_factor(b.d);
  assert_int_equal(b.d->rank, 1);
  clear_bench(&b);
}

/* A joint blocks the contact along one tangent, in any orientation: friction acts along the other tangent
 * only. */
static void held_tangents_get_no_friction(void **state) {
  (void)state;
  for (int k = 0; k < 16; k++) {
    double c = cos(0.4 * k), s = sin(0.4 * k), noise = 1e-17;
    double block[9] = {0.5, 0, 0, 0, 2 * c * c + noise, 2 * c * s, 0, 2 * c * s, 2 * s * s - noise};
    /* It slides at 1 m/s along the free tangent and approaches at 1 m/s. */
    double b[3] = {-1, c, s}, mu = 0.3, P[3] = {2, 0.5 * s, -0.5 * c}, xi[3];
    bench t = set_bench();
    t.d->n = 3;
    memcpy(t.d->G, block, sizeof block);
    hk_delassus_ease(t.d, 3);
    assert_int_equal(hk_delassus_solve(t.d, 3, b, &mu, 0, P, xi), HK_OK);
    assert_near(P[0], 2, 1e-9, "pressure");
    assert_near(P[1], -0.5 * c, 1e-9, "friction holds");
    assert_near(P[2], -0.5 * s, 1e-9, "friction holds");
    memcpy(block, t.d->G, sizeof block);
    hk_delassus_ease(t.d, 3);
    assert_memory_equal(block, t.d->G, sizeof block);
    clear_bench(&t);
  }
}

/* A motion moves the bodies along a tangent in which they are not free: full sliding friction acts at any
 * speed. */
static void driven_tangents_slide(void **state) {
  (void)state;
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 1; k < 6; k++) {
      double slow = pow(10, -k), block[9] = {0.5}, b[3] = {-1, slow, 0}, mu = 0.3, P[3] = {0},
             xi[3];
      bench t = set_bench();
      t.d->n = dim;
      memcpy(t.d->G, block, (size_t)(dim * dim) * sizeof *block);
      hk_delassus_ease(t.d, dim);
      assert_int_equal(hk_delassus_solve(t.d, dim, b, &mu, 0, P, xi), HK_OK);
      assert_near(P[0], 2, 1e-9, "pressure");
      assert_near(P[1], -0.6, 1e-9, "friction of sliding");
      clear_bench(&t);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(driven_tangents_slide),
      cmocka_unit_test(masses_of_balls),
      cmocka_unit_test(the_other_side_and_what_is_missing),
      cmocka_unit_test(held_directions),
      cmocka_unit_test(held_tangents_get_no_friction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
