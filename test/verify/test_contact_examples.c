/* Every contact problem met in the examples, solved again by Siconos numerics.
 *
 * The linker replaces the solver called by the integrators by __wrap_hk_contact_solve.  Siconos
 * gets each problem in the unit in which the diagonal of G is 1 and the largest |b| is 1: the
 * problem is the same, and the absolute tolerances of Siconos fit it. Its solvers are called one
 * after the other until hk_contact_merit certifies a solution; if none is certified, there is no
 * reference, and the problem is counted as skipped. Velocities are always compared, impulses only
 * if G has full rank, because otherwise they are not unique (two pins of a yoke, all corners on one
 * wall of a slot). */
#include "verify/verify.h"

#ifdef HOOKE_SICONOS
#include "solve/contact_problem.h"
#include "support/contact_case.h"
#include "support/siconos.h"

enum { MOST_ROWS = 3 * CASE_MAX, MOST_LCP = 3 * CASE_MAX, MOST_CONES = 12 };
static const double CERTIFIED = 1e-10; /* largest merit of a reference solution, the same as for our
                                        * solutions */
static const double FULL_RANK = 1e-6;  /* smallest pivot of the scaled G */

typedef struct tally {
  long problems, compared, left_out, impulses, uncertain;
  double velocity, impulse; /* largest differences */
} tally;

static tally now;

/* ---- one problem ---- */

/* Scaled: G' = G/(d d'), b' = b/(d size); P = P' size/d, xi = xi' d size. */
typedef struct scaled {
  contact_case c;
  double d[MOST_ROWS], size;
} scaled;

static void scale(scaled *s, const hk_contact_problem *p) {
  const int dim = p->dim, n = dim * p->contacts;
  s->c.dim = dim, s->c.contacts = p->contacts, s->size = 0;
  for (int i = 0; i < p->contacts; i++) {
    double sum = 0;
    for (int a = dim * i; a < dim * (i + 1); a++) sum += p->G[a * n + a];
    for (int a = dim * i; a < dim * (i + 1); a++) s->d[a] = sum > 0 ? sqrt(sum / dim) : 1;
    s->c.mu[i] = p->mu[i];
  }
  for (int i = 0; i < n; i++) s->size = fmax(s->size, fabs(p->b[i]) / s->d[i]);
  if (!(s->size > 0)) s->size = 1;
  for (int i = 0; i < n; i++) {
    s->c.b[i] = p->b[i] / (s->d[i] * s->size);
    for (int j = 0; j < n; j++) s->c.G[i * n + j] = p->G[i * n + j] / (s->d[i] * s->d[j]);
  }
}

/* Smallest pivot of L D L' with symmetric pivoting. */
static double smallest_pivot(const scaled *s, int n) {
  static double A[MOST_ROWS * MOST_ROWS];
  bool used[MOST_ROWS] = {false};
  memcpy(A, s->c.G, (size_t)(n * n) * sizeof *A);
  double least = 1;
  for (int k = 0; k < n; k++) {
    int r = -1;
    for (int i = 0; i < n; i++)
      if (!used[i] && (r < 0 || A[i * n + i] > A[r * n + r])) r = i;
    if (r < 0) break;
    used[r] = true;
    least = fmin(least, A[r * n + r]);
    if (!(least > 0)) return 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n && !used[i]; j++)
        if (!used[j]) A[i * n + j] -= A[i * n + r] * A[r * n + j] / A[r * n + r];
  }
  return least;
}

static void complementarity(int n, const double *M, double *q, int solver, double *z) {
  static double by_column[MOST_LCP * MOST_LCP];
  double w[MOST_LCP] = {0};
  int info = 0;
  for (int i = 0; i < n * n; i++) by_column[i % n * n + i / n] = M[i];
  memset(z, 0, (size_t)n * sizeof *z);
  NumericsMatrix *m = siconos_borrow(n, by_column);
  LinearComplementarityProblem lcp = {n, m, q};
  /* The options own scratch memory of the size of the first problem. */
  SolverOptions *options = siconos_options(solver, 1000, 1e-14);
  if (solver == SICONOS_LCP_LEMKE)
    lcp_lexicolemke(&lcp, z, w, &info, options);
  else
    linearComplementarity_driver(&lcp, z, w, options);
  siconos_options_free(options);
  siconos_give_back(m);
}

/* In the plane by the formulation of Glocker and Studer; without friction by the normal rows
 * alone. */
static bool by_complementarity(scaled *s, int solver, double *P) {
  static double M[MOST_LCP * MOST_LCP];
  double q[MOST_LCP], z[MOST_LCP];
  const int nc = s->c.contacts, dim = s->c.dim, n = dim * nc;
  bool smooth = true;
  for (int i = 0; i < nc; i++) smooth = smooth && s->c.mu[i] == 0;
  const int rows = smooth ? nc : 3 * nc;
  if ((!smooth && dim == 3) || (solver == SICONOS_LCP_ENUM && rows > MOST_CONES)) return false;
  if (smooth)
    for (int i = 0; i < nc; i++) {
      q[i] = s->c.b[dim * i];
      for (int j = 0; j < nc; j++) M[i * nc + j] = s->c.G[dim * i * n + dim * j];
    }
  else
    case_lcp(&s->c, M, q);
  complementarity(rows, M, q, solver, z);
  memset(P, 0, (size_t)n * sizeof *P);
  for (int i = 0; i < nc; i++) {
    P[dim * i] = z[i];
    if (!smooth) P[2 * i + 1] = z[nc + i] - s->c.mu[i] * z[i];
  }
  return true;
}

static bool by_friction(scaled *s, int solver, double *P) {
  static double by_column[MOST_ROWS * MOST_ROWS]; /* G is not symmetric if bodies spin */
  const int n = s->c.dim * s->c.contacts;
  double v[MOST_ROWS] = {0};
  if (solver == SICONOS_FRICTION_2D_NSGS ? s->c.dim == 3 : s->c.dim == 2) return false;
  memset(P, 0, (size_t)n * sizeof *P);
  for (int i = 0; i < n * n; i++) by_column[i % n * n + i / n] = s->c.G[i];
  NumericsMatrix *m = siconos_borrow(n, by_column);
  FrictionContactProblem f = {
      .dimension = s->c.dim, .numberOfContacts = s->c.contacts, .M = m, .q = s->c.b, .mu = s->c.mu};
  SolverOptions *options =
      siconos_options(solver, solver == SICONOS_FRICTION_3D_NSN_AC ? 200 : 5000, 1e-14);
  if (s->c.dim == 2)
    fc2d_driver(&f, P, v, options);
  else
    fc3d_driver(&f, P, v, options);
  siconos_options_free(options);
  siconos_give_back(m);
  return true;
}

/* Impulses in the units of the problem.  The status returned by Siconos is ignored, only its
 * solution is checked: it is often correct when the iteration limit is reached, and sometimes wrong
 * when it is not. */
static bool ask(const hk_contact_problem *p, scaled *s, double *P) {
  static const int way[] = {SICONOS_LCP_LEMKE, SICONOS_LCP_ENUM, SICONOS_FRICTION_2D_NSGS,
                            SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_NSN_AC};
  const int n = p->dim * p->contacts;
  for (int i = 0; i < (int)(sizeof way / sizeof *way); i++) {
    double x[MOST_ROWS];
    if (!(i < 2 ? by_complementarity(s, way[i], x) : by_friction(s, way[i], x))) continue;
    for (int j = 0; j < n; j++) P[j] = x[j] * s->size / s->d[j];
    if (hk_contact_merit(p, P) <= CERTIFIED) return true;
  }
  return false;
}

static void compare(const hk_contact_problem *p, const double *P, const double *xi) {
  static scaled s;
  const int n = p->dim * p->contacts;
  double r[MOST_ROWS];
  assert_true(p->bilateral == 0 && p->contacts <= CASE_MAX);
  scale(&s, p);
  now.problems++;
  if (!ask(p, &s, r)) {
    now.left_out++;
    return;
  }
  now.compared++;
  bool unique = smallest_pivot(&s, n) > FULL_RANK;
  now.impulses += unique;
  double worst_v = 0, worst_P = 0, size = 1;
  for (int i = 0; i < n; i++) {
    double v = p->b[i];
    for (int j = 0; j < n; j++) v += p->G[i * n + j] * r[j];
    worst_v = fmax(worst_v, fabs(v - xi[i]) / (s.d[i] * s.size));
    worst_P = fmax(worst_P, fabs(r[i] - P[i]) * s.d[i] / s.size);
    size = fmax(size, fabs(P[i]) * s.d[i] / s.size);
  }
  now.velocity = fmax(now.velocity, worst_v);
  if (unique) now.impulse = fmax(now.impulse, worst_P / size);
}

hk_status __real_hk_contact_solve(const hk_contact_problem *p, double *P, double *xi,
                                  hk_contact_work *k, hk_contact_result *r);
hk_status __wrap_hk_contact_solve(const hk_contact_problem *p, double *P, double *xi,
                                  hk_contact_work *k, hk_contact_result *r);
hk_status __wrap_hk_contact_solve(const hk_contact_problem *p, double *P, double *xi,
                                  hk_contact_work *k, hk_contact_result *r) {
  hk_status status = __real_hk_contact_solve(p, P, xi, k, r);
  if (status)
    now.uncertain++;
  else
    compare(p, P, xi);
  return status;
}

/* ---- the examples ---- */

/* Runs to the end of `duration` and destroys the case. */
static void judge(vf_case *c, const char *name, double duration) {
  static const char table[] = "contact_oracle", source[] = "Siconos numerics";
  now = (tally){0};
  vf_start(c, NULL);
  vf_advance(c, duration);
  vf_close(c);
  assert_int_equal(now.uncertain, 0);
  vf_check(table, name, "problems with an oracle", (double)now.compared, (double)now.problems,
           1e-3 * (double)now.problems, "all that were met");
  vf_bound(table, name, "velocities", now.velocity, 1e-9, source);
  char quantity[60];
  snprintf(quantity, sizeof quantity, "impulses (%ld of full rank)", now.impulses);
  if (now.impulses) vf_bound(table, name, quantity, now.impulse, 1e-9, source);
  assert_true(now.problems > 100);
}

static void example(const char *name, const char *path, const hk_override *set, int n_set,
                    double duration) {
  vf_case c;
  char full[100];
  snprintf(full, sizeof full, "examples/%s.yaml", path);
  vf_file(&c, full, set, n_set);
  judge(&c, name, duration);
}

static const char paper[] = "ujoint_clearance/paper", spatial[] = "ujoint_clearance/spatial",
                  driveline[] = "ujoint_clearance/driveline";

static void test_reduced(void **state) {
  (void)state;
  static const char *const C[] = {"0.05 um", "10 um", "50 um"};
  for (int i = 0; i < 3; i++) {
    char name[40];
    snprintf(name, sizeof name, "paper, C = %s", C[i]);
    example(name, paper, &(hk_override){"parameters.C", C[i]}, 1, 0.2);
  }
  example("driveline, reduced", driveline, NULL, 0, 0.2);
}

static void test_event_driven(void **state) {
  (void)state;
  const hk_override set = {"analysis.stepper", "event_driven"};
  example("paper, event driven", paper, &set, 1, 0.5);
}

static void test_pins(void **state) {
  (void)state;
  const hk_override both[] = {{"joints.joint_1.fidelity", "spatial"},
                              {"joints.joint_2.fidelity", "spatial"}};
  example("spatial", spatial, NULL, 0, 0.1);
  example("driveline, spatial", driveline, both, 2, 0.05);
}

static void test_mechanisms(void **state) {
  (void)state;
  example("slider_crank", "clearance/slider_crank", NULL, 0, 0.2);
  example("four_bar", "clearance/four_bar", NULL, 0, 2);
}

/* No example has two tangents: a stool with round feet is thrown on the floor, spinning. */
static void test_stool(void **state) {
  (void)state;
  vf_case c;
  vf_text(&c,
          "bodies: {stool: {mass: 1 kg, inertia: [0.02 kg*m^2, 0.02 kg*m^2, 0.03 kg*m^2], "
          "position: [0, 0, 0.25 m], velocity: [1 m/s, 0, 0], angular_velocity: [1 rad/s, 0, 8 "
          "rad/s], markers: {one: {at: [0.2 m, 0, -0.2 m]}, two: {at: [-0.1 m, 0.17 m, -0.2 m]}, "
          "three: {at: [-0.1 m, -0.17 m, -0.2 m]}}}}\n"
          "forces: {weight: {type: gravity}}\n"
          "laws: {dry: {type: signorini, mu: 0.3, restitution_normal: 0.4}}\n"
          "contacts:\n"
          "  a: {type: sphere_on_plane, a: ground, b: stool.one, radius: 0.02 m, law: dry}\n"
          "  b: {type: sphere_on_plane, a: ground, b: stool.two, radius: 0.02 m, law: dry}\n"
          "  c: {type: sphere_on_plane, a: ground, b: stool.three, radius: 0.02 m, law: dry}\n"
          "analysis: {duration: 1 s, step: 0.2 ms, output_step: 10 ms}\n");
  judge(&c, "stool with three feet", 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reduced), cmocka_unit_test(test_event_driven),
      cmocka_unit_test(test_pins), cmocka_unit_test(test_mechanisms), cmocka_unit_test(test_stool)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void test_skipped(void **state) {
  (void)state;
  print_message("skipped: built without Siconos numerics (package libsiconos-numerics-dev)\n");
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_skipped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
