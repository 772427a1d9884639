/* Four contacts at once give the same results as single contacts: forces, energy, power, quantities of each
 * point, tangents and error estimates. */
#include "core/contact.h"
#include "core/force.h"
#include "control/contact_error.h"
#include "sim/sim.h"
#include "verify/verify.h"

/* Largest difference of two arrays. */
static double apart(const double *a, const double *b, int n) {
  double off = 0;
  for (int i = 0; i < n; i++) off = fmax(off, fabs(a[i] - b[i]));
  return off;
}

/* The forces of balls nearly cancel, so the error is relative to the largest one. */
static double hardest(const hk_model *m, const hk_contact_eval *t) {
  double most = 0;
  for (int i = 0; i < m->n_points; i++) most = fmax(most, t[i].N);
  return most;
}

static void near(const char *what, double off) {
  if (!(off < 1e-10)) fail_msg("%s: off by %g", what, off);
}

/* All results of hk_forces at x, with and without batches. */
static void compare(hk_sim *s, const double *x) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  size_t points = (size_t)m->n_points, rows = (size_t)m->nv;
  double *f = test_malloc(rows * sizeof *f);
  hk_contact_eval *touch = test_malloc(points * sizeof *touch);
  const hk_instant in = hk_instant_at(m, x);
  hk_kinematics(w, &in, HK_FRAMES_MOVING);
  assert_int_equal(hk_forces(w, &in), HK_OK);
  memcpy(f, w->f, rows * sizeof *f);
  memcpy(touch, w->touch, points * sizeof *touch);
  double potential = w->potential, dissipated = w->dissipated;
  int n = w->n_batches, closed = 0, open = 0;
  w->n_batches = w->n_singles = 0;
  for (int i = 0; i < m->n_contacts; i++) w->single[w->n_singles++] = i;
  assert_int_equal(hk_forces(w, &in), HK_OK);
  near("forces", apart(f, w->f, m->nv) / hardest(m, w->touch));
  near("energy", fabs(potential / w->potential - 1));
  near("power", fabs(dissipated / w->dissipated - 1));
  for (int i = 0; i < m->n_points; i++) {
    const hk_contact_eval *a = &touch[i], *b = &w->touch[i];
    const double round_off =
        64 * 0x1p-52; /* relative to the speeds of the points, about 1 m/s: the rate is their difference */
    assert_true(fabs(a->gap - b->gap) < 1e-15);
    assert_true((a->N > 0) == (b->N > 0));
    assert_true(fabs(a->rate - b->rate) < round_off * (1 + fabs(b->rate)));
    assert_true(fabs(a->N - b->N) <= 1e-8 * fabs(b->N) &&
                fabs(a->N_depth - b->N_depth) <= 1e-8 * fabs(b->N_depth));
    assert_true(fabs(a->N_rate - b->N_rate) <= 1e-8 * fabs(b->N_rate) &&
                fabs(a->potential - b->potential) <= 1e-8 * b->potential);
    assert_true(fabs(a->f - b->f) <= 1e-9 * fabs(b->f) &&
                fabs(a->f_v - b->f_v) <= 1e-8 * (fabs(b->f_v) + b->f));
    assert_true(fabs(a->sliding_power - b->sliding_power) <= 1e-8 * b->sliding_power);
    *(b->N > 0 ? &closed : &open) += 1;
  }
  assert_true(closed > 0 && open > 0);
  hk_contact_batches(w);
  assert_int_equal(w->n_batches, n);
  test_free(f);
  test_free(touch);
}

/* The Newton matrix at the frames in work, nodes only, dense: [nv][nv], angles times the radius of a ball. */
static double *matrix_at(const hk_sim *s, const hk_instant *in) {
  const hk_model *m = s->model;
  const double h = 1e-5, radius = 0.011;
  const hk_coefficients c = {.cM = 1, .cC = h, .cK = h * h};
  double *A = test_calloc((size_t)(m->nv * m->nv), sizeof *A), x[400], y[400], scale[400];
  assert_int_equal(hk_assemble(s->system, s->work, &c, in), HK_OK);
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++)
      scale[m->node[i].v + k] = m->node[i].type->coordinate[k].angular ? 1 / radius : 1;
  for (int j = 0; j < m->nv; j++) {
    for (int i = 0; i < m->nv; i++) x[i] = i == j ? scale[j] : 0;
    hk_system_node_multiply(s->system, x, y);
    for (int i = 0; i < m->nv; i++) A[i * m->nv + j] = scale[i] * y[i];
  }
  return A;
}

/* The matrix at x: with batches, with batches that evaluate the law again, and without batches. */
static void compare_tangents(hk_sim *s, const double *x) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  const hk_instant in = hk_instant_at(m, x);
  hk_kinematics(w, &in, HK_FRAMES_MOVING);
  hk_constraints(w, &in);
  assert_int_equal(hk_forces(w, &in), HK_OK);
  double *four = matrix_at(s, &in);
  memset(w->touch, 0, (size_t)m->n_points * sizeof *w->touch);
  double *again = matrix_at(s, &in);
  w->n_batches = w->n_singles = 0;
  for (int i = 0; i < m->n_contacts; i++) w->single[w->n_singles++] = i;
  assert_int_equal(hk_forces(w, &in), HK_OK);
  double *one = matrix_at(s, &in);
  w->n_batches = w->n_singles = 0; /* all but contacts */
  double *none = matrix_at(s, &in), most = apart(one, none, m->nv * m->nv);
  near("tangents", apart(four, one, m->nv * m->nv) / most);
  near("tangents, the law asked again", apart(again, one, m->nv * m->nv) / most);
  hk_contact_batches(w);
  test_free(four);
  test_free(again);
  test_free(one);
  test_free(none);
}

/* Displaces bodies at random by some micrometres, with random velocities; `share` scales both. */
static void shake(const hk_model *m, const double *x, double share, double *y) {
  double d[400];
  assert_true(m->nv <= 400);
  memcpy(y, x, (size_t)m->at.size * sizeof *y);
  for (int i = 0; i < m->nv; i++) d[i] = 6e-6 * share * ((double)rand() / RAND_MAX - 0.5);
  hk_configuration_add(m, x + m->at.q, d, y + m->at.q);
  for (int i = 0; i < m->nv; i++) y[m->at.v + i] += 0.1 * share * ((double)rand() / RAND_MAX - 0.5);
}

/* Contact error of a step of length h from x to y, and the values then stored in y, with and without batches.
 * Returns the error. */
static double compare_errors(hk_sim *s, const double *x, double *y, double h, bool multistep) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  const hk_step_rule rule = {0.1, 0.4, 0.8, multistep};
  double off[400], error[2];
  size_t notes = (size_t)(m->n_points * HK_N_TOUCH);
  double *first = test_malloc(notes * sizeof *first), *note = y + m->at.touch;
  for (int i = 0; i < m->nv; i++) off[i] = 1e-7 * ((double)rand() / RAND_MAX - 0.5);
  for (int k = 0; k < 2; k++) {
    const hk_instant in = hk_instant_at(m, y);
    memcpy(note, x + m->at.touch, notes * sizeof *note);
    hk_kinematics(w, &in, HK_FRAMES_MOVING);
    assert_int_equal(hk_forces(w, &in), HK_OK);
    error[k] = hk_contact_error(s, x, h, y, &rule, off);
    if (k == 0) memcpy(first, note, notes * sizeof *note);
    w->n_batches = w->n_singles = 0;
    for (int i = 0; i < m->n_contacts; i++) w->single[w->n_singles++] = i;
  }
  hk_contact_batches(w);
  near("error", fabs(error[0] - error[1]) / (1e3 + 1e3 * error[1]));
  for (size_t i = 0; i < notes; i++)
    assert_true(fabs(first[i] - note[i]) <= 1e-8 * (1e-6 + fabs(note[i])));
  test_free(first);
  return error[1];
}

/* Steps that are far too long, accurate ones, and lengths in between. */
static void judge(hk_sim *s, double *y) {
  double most = 0, least = INFINITY;
  for (int i = 0; i < 60; i++) {
    shake(s->model, s->x, pow(10, -0.1 * i), y);
    double error = compare_errors(s, s->x, y, 1e-6 * pow(10, 0.05 * i), i % 2 != 0);
    most = fmax(most, error), least = fmin(least, error);
  }
  assert_true(most > 10 && least < 1);
}

/* other: a value of the model that is changed too, or NULL. */
static void same_as_one_by_one(const char *file, double time, const char *balls, const char *other,
                               const char *value, int batches) {
  vf_case c;
  const hk_override set[] = {{"balls", balls}, {other, value}};
  vf_file(&c, file, set, other ? 2 : 1);
  vf_start(&c, NULL);
  assert_int_equal(c.sim->work->n_batches, batches);
  vf_advance(&c, time);
  double *y = test_malloc((size_t)c.model->at.size * sizeof *y);
  compare(c.sim, c.sim->x);
  compare_tangents(c.sim, c.sim->x);
  for (int i = 0; i < 20; i++) {
    shake(c.model, c.sim->x, 1, y);
    compare(c.sim, y);
    compare_tangents(c.sim, y);
  }
  judge(c.sim, y);
  test_free(y);
  vf_close(&c);
}

static void straight_tracks_and_windows(void **state) {
  (void)state;
  same_as_one_by_one("examples/cv_joint/plunging.yaml", 0.03, "8", NULL, NULL, 6);
  same_as_one_by_one("examples/cv_joint/plunging.yaml", 0.03, "6", NULL, NULL, 6);
}

static void curved_tracks(void **state) {
  (void)state;
  same_as_one_by_one("examples/cv_joint/rzeppa.yaml", 0.01, "6", NULL, NULL, 6);
}

static void frictionless(void **state) {
  (void)state;
  same_as_one_by_one("examples/cv_joint/plunging.yaml", 0.03, "6", "mu", "0", 6);
}

static void on_the_ground(void **state) {
  (void)state;
  same_as_one_by_one("examples/cv_joint/plunging.yaml", 1e-5, "6", "joints.cvj.a", "ground", 6);
}

static void lanes_without_a_contact(void **state) {
  (void)state;
  same_as_one_by_one("examples/cv_joint/rzeppa.yaml", 0.005, "3", NULL, NULL, 3);
  same_as_one_by_one("examples/cv_joint/rzeppa.yaml", 0.005, "5", NULL, NULL, 3);
  same_as_one_by_one("examples/cv_joint/rzeppa.yaml", 0.005, "7", NULL, NULL, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(straight_tracks_and_windows), cmocka_unit_test(curved_tracks),
      cmocka_unit_test(frictionless), cmocka_unit_test(on_the_ground),
      cmocka_unit_test(lanes_without_a_contact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
