/* BDF of variable order: the order of each formula, error against tolerance, singular positions, and
 * states between the steps. */
#include "verify/reference.h"
#include "verify/verify.h"

/* ---- orders ---- */

/* A heavy top on its tip and a free body that spins about no principal axis: rotations that do not
 * commute, with and without constraints. */
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

static void tip_at(vf_case *c, const hk_sim_options *o, double t, double x[3]) {
  vf_start(c, o);
  vf_advance(c, t);
  for (int k = 0; k < 3; k++) x[k] = vf_value(c, CHANNEL[k]);
}

/* Slope of the error over the mean step; with the error of a step held at the tolerance, steps of order k
 * make errors of order k at the end. */
static void measure_order(const char *name, const char *text, int order) {
  enum { LEVELS = 4 };
  static const double first[6] = {0, 0, 1e-7, 1e-8, 1e-9, 1e-10};
  vf_case c;
  vf_text(&c, "%s", text);
  double fine[3], h[LEVELS], error[LEVELS], t = 0.5;
  tip_at(&c, &(hk_sim_options){.stepper = "bdf", .rtol = 1e-14, .atol = 1e-15}, t, fine);
  const hk_setting most = {"max_order", order};
  for (int i = 0; i < LEVELS; i++) {
    double x[3], tol = first[order] * pow(0.2, i);
    tip_at(&c,
           &(hk_sim_options){
               .stepper = "bdf", .rtol = tol, .atol = tol / 10, .set = &most, .n_set = 1},
           t, x);
    h[i] = t / (double)hk_sim_statistics(c.sim).steps;
    error[i] = sqrt(pow(x[0] - fine[0], 2) + pow(x[1] - fine[1], 2) + pow(x[2] - fine[2], 2));
    print_message("  order %d, rtol %.1e: step %.3g s, error %.3g m\n", order, tol, h[i], error[i]);
  }
  char quantity[60];
  snprintf(quantity, sizeof quantity, "order of bdf up to %d", order);
  vf_check("order", name, quantity, vf_slope(h, error, LEVELS), order, 0.45, "theory");
  vf_close(&c);
}

static void test_orders(void **state) {
  (void)state;
  for (int order = 2; order <= 5; order++) {
    measure_order("heavy top on its tip", TOP, order);
    measure_order("free body", FREE, order);
  }
}

/* ---- tolerance ---- */

/* The error of a step, of order k + 1, is held at the tolerance: that of the end, of order k, follows
 * its power k/(k + 1). */
static void test_tolerance_proportional(void **state) {
  (void)state;
  enum { N = 6 };
  double tol[N], error[N];
  vf_case c;
  vf_text(&c, "%s", TOP);
  double fine[3];
  tip_at(&c, &(hk_sim_options){.stepper = "bdf", .rtol = 1e-14, .atol = 1e-15}, 1, fine);
  for (int i = 0; i < N; i++) {
    double x[3];
    tol[i] = pow(10, -5 - i);
    tip_at(&c, &(hk_sim_options){.stepper = "bdf", .rtol = tol[i], .atol = tol[i] / 100}, 1, x);
    error[i] = sqrt(pow(x[0] - fine[0], 2) + pow(x[1] - fine[1], 2) + pow(x[2] - fine[2], 2));
    print_message("  rtol %.0e: error %.2e m, %ld steps\n", tol[i], error[i],
                  hk_sim_statistics(c.sim).steps);
  }
  vf_check("order", "heavy top, bdf", "exponent of error over rtol", vf_slope(tol, error, N),
           5.0 / 6, 0.08, "theory");
  vf_close(&c);
}

/* ---- singular positions ---- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The N-four-bar passes ten positions in which its constraints lose rank.  A run that took a wrong turn, or
 * was kicked, stands out from the others by far. */
static void test_singular_positions(void **state) {
  (void)state;
  enum { MOST = 120 };
  int tries = getenv("HOOKE_LONG") ? MOST : 12, bad = 0;
  double share[MOST], sorted[MOST];
  const hk_override set[] = {{"analysis.step", "0 s"}};
  vf_case c;
  vf_file(&c, "examples/benchmarks/a02_four_bar.yaml", set, 1);
  for (int i = 0; i < tries; i++) {
    double tol = 1e-5 * pow(1e-3, (double)i / tries);
    vf_start(&c, &(hk_sim_options){.stepper = "bdf", .rtol = tol, .atol = tol / 10});
    vf_advance(&c, 10);
    double off = hypot(vf_value(&c, "crank[0].end.x") - 0.328458111541,
                       vf_value(&c, "crank[0].end.y") - 0.944518538179);
    share[i] = sorted[i] = off / pow(tol, 5.0 / 6);
  }
  qsort(sorted, (size_t)tries, sizeof *sorted, ascending);
  for (int i = 0; i < tries; i++) bad += !(share[i] < 6 * sorted[tries / 2]);
  print_message("  %d tolerances, error over tolerance^(5/6): median %.3g, worst %.3g\n", tries,
                sorted[tries / 2], sorted[tries - 1]);
  vf_bound("order", "A02 four-bar, bdf", "outliers among the tolerances", bad, 0.5, "none");
  vf_close(&c);
}

/* ---- between the steps ---- */

/* What is read between the steps is as good as at their ends, and reading changes nothing. */
static void test_between_steps(void **state) {
  (void)state;
  const hk_sim_options o = {.stepper = "bdf", .rtol = 1e-7, .atol = 1e-9};
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
  vf_bound("order", "heavy top, bdf", "error between steps over that of steps that end there",
           worst / ends, 3, "fine run");
  double end = hk_sim_time(a.sim), x[3];
  assert_int_equal(hk_sim_values_at(a.sim, end + 1, channel, 3, x, &a.err), HK_EINPUT);
  vf_close(&a);
  vf_close(&b);
  vf_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_orders),
      cmocka_unit_test(test_tolerance_proportional),
      cmocka_unit_test(test_singular_positions),
      cmocka_unit_test(test_between_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
