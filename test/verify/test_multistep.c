/* Multistep methods of variable order (bdf, adams): the order of each formula, error against
 * tolerance, singular positions, and states between the steps. */
#include "integrator/smooth/history.h"
#include "verify/reference.h"
#include "verify/verify.h"

/* ---- orders ---- */

/* A heavy top on its tip and a free body that spins about a non-principal axis: rotations that do
 * not commute, with and without constraints. */
static const char TOP[] =
    "bodies: {top: {mass: 1 kg, inertia: [2e-3 kg*m^2, 2e-3 kg*m^2, 1e-3 kg*m^2],\n"
    "  position: [0.03 m, 0, 0.05 m], orientation: {axis: y, angle: 30 deg},\n"
    "  angular_velocity: [20 rad/s, 0, 34.64 rad/s], markers: {tip: [0.1 m, 0, 0]}}}\n"
    "joints: {tip: {type: spherical, b: top, at: [0, 0, 0]}}\n"
    "forces: {weight: {type: gravity, acceleration: [0, 0, -9.81 m/s^2]}}\n";
static const char FREE[] =
    "bodies: {top: {type: box, size: [0.3 m, 0.2 m, 0.1 m], mass: 1 kg,\n"
    "  angular_velocity: [3 rad/s, 10 rad/s, 5 rad/s], markers: {tip: [0.1 m, 0, 0]}}}\n";

static const char *const CHANNEL[] = {"top.tip.x", "top.tip.y", "top.tip.z"};

/* The path of the tip over t, at times at which no step ends: a single point may be accurate by
 * chance. */
enum { POINTS = 10 };
typedef double path[POINTS][3];
static void follow_tip(vf_case *c, const hk_sim_options *o, double t, path x) {
  int channel[3];
  for (int k = 0; k < 3; k++) channel[k] = vf_channel(c, CHANNEL[k]);
  vf_start(c, o);
  for (int i = 0; i < POINTS; i++) {
    double at = t * (i + 1) / POINTS;
    while (hk_sim_time(c->sim) < at)
      if (hk_sim_step(c->sim, t, &c->err)) fail_msg("%s", c->err.text);
    assert_int_equal(hk_sim_values_at(c->sim, at, channel, 3, x[i], &c->err), HK_OK);
  }
}

static double distance(path a, path b) {
  double most = 0;
  for (int i = 0; i < POINTS; i++)
    most = fmax(most, sqrt(pow(a[i][0] - b[i][0], 2) + pow(a[i][1] - b[i][1], 2) +
                           pow(a[i][2] - b[i][2], 2)));
  return most;
}

/* An integrator, and for each of its orders the first tolerance at which that order dominates. */
typedef struct formula {
  const char *stepper;
  int step, most;  /* orders measured: step, 2 step ... most */
  double first[9]; /* by order */
  double power;    /* error of a run over tolerance */
} formula;
static const formula FORMULA[] = {
    {"bdf", 1, 5, {0, 0, 1e-7, 1e-8, 1e-9, 1e-10}, 5.0 / 6},
    {"adams", 2, 8, {[2] = 1e-7, [4] = 1e-9, [6] = 1e-8, [8] = 1e-8}, 10.0 / 11},
};
enum { N_FORMULAS = sizeof FORMULA / sizeof *FORMULA };

static const hk_sim_options FINE = {.stepper = "adams", .rtol = 1e-13, .atol = 1e-14};

/* Slope of the error over the mean step; with the error of a step controlled by the tolerance,
 * steps of order k give errors of order k at the end. */
static void measure_order(const formula *f, const char *name, const char *text, int order) {
  enum { LEVELS = 4 };
  vf_case c;
  vf_text(&c, "%s", text);
  /* the starting phase should have little effect */
  double h[LEVELS], error[LEVELS], t = order > 5 ? 2 : 0.5;
  path fine, x;
  follow_tip(&c, &FINE, t, fine);
  const hk_setting most = {"max_order", order};
  for (int i = 0; i < LEVELS; i++) {
    double tol = f->first[order] * pow(0.2, i);
    follow_tip(&c,
               &(hk_sim_options){
                   .stepper = f->stepper, .rtol = tol, .atol = tol / 10, .set = &most, .n_set = 1},
               t, x);
    h[i] = t / (double)hk_sim_statistics(c.sim).steps;
    error[i] = distance(x, fine);
    print_message("  order %d, rtol %.1e: step %.3g s, error %.3g m\n", order, tol, h[i], error[i]);
  }
  /* The error of the free body may decrease faster: the remaining part depends on the motion. */
  char quantity[60];
  double slope = vf_slope(h, error, LEVELS);
  snprintf(quantity, sizeof quantity, "order of %s up to %d", f->stepper, order);
  vf_note("order", name, quantity, slope, "theory");
  snprintf(quantity, sizeof quantity, "order of %s up to %d, missing", f->stepper, order);
  vf_bound("order", name, quantity, fmax(0, order - slope), 0.3, "theory");
  assert_true(slope < 1.3 * order);
  vf_close(&c);
}

static void test_orders(void **state) {
  (void)state;
  for (const formula *f = FORMULA; f < FORMULA + N_FORMULAS; f++)
    for (int order = 2; order <= f->most; order += f->step) {
      measure_order(f, "heavy top on its tip", TOP, order);
      measure_order(f, "free body", FREE, order);
    }
}

/* ---- tolerance ---- */

/* The error of a step, of order k + 1, is controlled by the tolerance: the error at the end, of
 * order k, is proportional to its power k/(k + 1). */
static void check_tolerance(const formula *f) {
  enum { N = 5 };
  double tol[N], error[N];
  vf_case c;
  vf_text(&c, "%s", TOP);
  path fine, x;
  follow_tip(&c, &FINE, 1, fine);
  for (int i = 0; i < N; i++) {
    tol[i] = pow(10, -7 - i);
    follow_tip(&c, &(hk_sim_options){.stepper = f->stepper, .rtol = tol[i], .atol = tol[i] / 100},
               1, x);
    error[i] = distance(x, fine);
    print_message("  rtol %.0e: error %.2e m, %ld steps\n", tol[i], error[i],
                  hk_sim_statistics(c.sim).steps);
  }
  char name[60];
  snprintf(name, sizeof name, "heavy top, %s", f->stepper);
  vf_check("order", name, "exponent of error over rtol", vf_slope(tol, error, N), f->power, 0.12,
           "theory");
  vf_close(&c);
}

static void test_tolerance_proportional(void **state) {
  (void)state;
  for (int i = 0; i < N_FORMULAS; i++) check_tolerance(&FORMULA[i]);
}

/* ---- singular positions ---- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The N-four-bar passes ten positions in which its constraints lose rank. */
typedef struct row_of_windows {
  const char *n;
  double x, y; /* end of the first crank after 10 s */
} row_of_windows;
static const row_of_windows TWO = {"2", 0.328458111541, 0.944518538179},
                            FORTY = {"40", 0.180512226687, 0.983572740582};

/* A run that took a wrong branch, or had a velocity jump, differs from the others by far.  Steps
 * that must end at many prescribed times may end close to such a position; they are compared with
 * the usual error of free steps, if that is given.  Returns the usual error divided by the power of
 * the tolerance. */
static double pass_singular_positions(const formula *f, const row_of_windows *w, int tries,
                                      int ends, double usual) {
  enum { MOST = 120 };
  int bad = 0;
  double share[MOST], sorted[MOST];
  const hk_override set[] = {{"N", w->n}};
  vf_case c;
  vf_file(&c, "examples/benchmarks/a02_four_bar.yaml", set, 1);
  for (int i = 0; i < tries; i++) {
    double tol = 1e-5 * pow(1e-3, (double)i / tries);
    vf_start(&c, &(hk_sim_options){.stepper = f->stepper, .rtol = tol, .atol = tol / 10});
    for (int k = 1; k <= ends; k++) vf_advance(&c, 10.0 * k / ends);
    double off =
        hypot(vf_value(&c, "crank[0].end.x") - w->x, vf_value(&c, "crank[0].end.y") - w->y);
    share[i] = sorted[i] = off / pow(tol, f->power);
  }
  qsort(sorted, (size_t)tries, sizeof *sorted, ascending);
  usual = fmax(usual, sorted[tries / 2]);
  for (int i = 0; i < tries; i++) bad += !(share[i] < 6 * usual);
  print_message("  %d tolerances, error over tolerance^%.2g: median %.3g, worst %.3g\n", tries,
                f->power, sorted[tries / 2], sorted[tries - 1]);
  char name[60], what[80];
  snprintf(name, sizeof name, "A02 four-bar, N = %s, %s", w->n, f->stepper);
  snprintf(what, sizeof what, "outliers among %d tolerances, steps cut %s", tries,
           ends > 1 ? "at 400 times" : "nowhere");
  vf_bound("order", name, what, bad, 0.5, "none");
  vf_close(&c);
  return usual;
}

static void test_singular_positions(void **state) {
  (void)state;
  for (const formula *f = FORMULA; f < FORMULA + N_FORMULAS; f++)
    for (int i = 0; i < 2; i++) {
      const row_of_windows *w = i == 0 ? &TWO : &FORTY;
      int tries = vf_long() ? 120 : i == 0 ? 12 : 4;
      double usual = pass_singular_positions(f, w, tries, 1, 0);
      pass_singular_positions(f, w, tries, 400, usual);
    }
}

/* ---- between the steps ---- */

/* Values between the steps are as accurate as at their ends, and reading them has no side
 * effects. */
static void read_between(const formula *f) {
  const hk_sim_options o = {.stepper = f->stepper, .rtol = 1e-7, .atol = 1e-9};
  vf_case a, b, c;
  vf_text(&c, "%s", TOP);
  vf_start(&c, &o);
  vf_text(&a, "%s", TOP);
  vf_text(&b, "%s", TOP);
  vf_start(&a, &o);
  vf_start(&b, &(hk_sim_options){.stepper = "bdf", .rtol = 1e-13, .atol = 1e-15});
  int channel[3];
  double worst = 0, ends = 0;
  for (int k = 0; k < 3; k++) channel[k] = hk_model_channel_find(a.model, CHANNEL[k]);
  for (double t = 0.05; t < 0.5; t += 0.05) {
    while (hk_sim_time(a.sim) < t)
      if (hk_sim_step(a.sim, 1, &a.err)) fail_msg("%s", a.err.text);
    double x[3];
    assert_int_equal(hk_sim_values_at(a.sim, t, channel, 3, x, &a.err), HK_OK);
    vf_advance(&b, t);
    vf_advance(&c, t); /* with steps that end there */
    for (int k = 0; k < 3; k++) {
      double fine = vf_value(&b, CHANNEL[k]);
      worst = fmax(worst, fabs(x[k] - fine));
      ends = fmax(ends, fabs(vf_value(&c, CHANNEL[k]) - fine));
    }
  }
  char name[60];
  snprintf(name, sizeof name, "heavy top, %s", f->stepper);
  vf_bound("order", name, "error between steps over that of steps that end there", worst / ends, 3,
           "fine run");
  double end = hk_sim_time(a.sim), x[3];
  assert_int_equal(hk_sim_values_at(a.sim, end + 1, channel, 3, x, &a.err), HK_EINPUT);
  vf_close(&a);
  vf_close(&b);
  vf_close(&c);
}

static void test_between_steps(void **state) {
  (void)state;
  for (int i = 0; i < N_FORMULAS; i++) read_between(&FORMULA[i]);
}

/* Steps with a reset of the history during the run, as at a jump. */
static void wander(vf_case *c, int steps, int forgotten) {
  for (int i = 0; i < steps; i++) {
    if (i == forgotten) hk_integrator_of(c->sim)->restart(c->sim, c->sim->x);
    if (hk_sim_step(c->sim, 1e9, &c->err)) fail_msg("%s", c->err.text);
  }
}

/* A step does not change the slots of the history that both states share.  A state from outside
 * shares none with the states of the simulation, even if it looks the same: same model, same number
 * of steps. */
static void take_over(const formula *f) {
  for (int steps = 7; steps < 7 + 2 * HK_HISTORY_MOST; steps++) {
    vf_case a, b;
    vf_text(&a, "%s", TOP);
    vf_text(&b, "%s", TOP);
    vf_start(&a, &(hk_sim_options){.stepper = f->stepper});
    vf_start(&b, &(hk_sim_options){.stepper = f->stepper});
    size_t n = hk_sim_state_size(a.sim);
    double *x = malloc(n), *y = malloc(n);
    wander(&b, 5, -1);
    b.sim->x[b.model->at.v] += 1e-6; /* another motion, at the same times */
    wander(&a, steps, -1);
    wander(&b, steps - 5, -1);
    hk_sim_state_get(a.sim, x);
    assert_int_equal(hk_sim_state_set(b.sim, x), HK_OK);
    wander(&a, 25, steps % 12);
    wander(&b, 25, steps % 12);
    hk_sim_state_get(a.sim, x);
    hk_sim_state_get(b.sim, y);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
    vf_close(&a);
    vf_close(&b);
  }
}

static void test_state_from_outside(void **state) {
  (void)state;
  for (int i = 0; i < N_FORMULAS; i++) take_over(&FORMULA[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_orders),
      cmocka_unit_test(test_tolerance_proportional),
      cmocka_unit_test(test_singular_positions),
      cmocka_unit_test(test_between_steps),
      cmocka_unit_test(test_state_from_outside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
