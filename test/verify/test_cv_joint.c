/* The plunging ball joint against closed forms and against the numbers of an independent simulation
 * with the same equations (docs/results/cv-joint.md).
 *
 * Closed forms without friction [Marter2020, eqs 23, 24; statics of the cage and of the joint]:
 *   F0 = 2 T/(n PCD sin g),  cage 2 F0 (sin g tan a - cos g tan b),  T tan(beta/2) across the
 * shafts, g contact angle, a and b inclinations of the tracks. */
#include "verify/verify.h"

typedef struct cv_run {
  vf_case c;
  hk_run_report report;
} cv_run;

/* `set` ends with NULL: "mu", "0", "torque", "500 N*m", NULL. */
static void run_with(cv_run *r, const char *file, const char *const *set) {
  hk_override o[8];
  char path[100];
  int n = 0;
  for (; set && set[2 * n]; n++) o[n] = (hk_override){set[2 * n], set[2 * n + 1]};
  snprintf(path, sizeof path, "examples/cv_joint/%s.yaml", file);
  vf_file(&r->c, path, o, n);
  if (hk_run(r->c.model, NULL, &r->report, &r->c.diag)) fail_msg("%s", r->report.error.text);
}
#define RUN(r, file, ...) run_with(r, file, (const char *const[]){__VA_ARGS__, NULL, NULL})

static double get(const cv_run *r, const char *name) {
  for (int i = 0; i < r->report.n_measures; i++)
    if (strcmp(r->report.measure[i].name, name) == 0) return r->report.measure[i].value;
  fail_msg("no measure '%s'", name);
  return NAN;
}

static void done(cv_run *r) {
  hk_run_report_free(&r->report);
  vf_close(&r->c);
}

static const char *const FORM = "closed form", *const OTHER = "independent simulation";
static const double DEG = 57.29577951308232, UM = 1e6;

static void check(const cv_run *r, const char *text, const char *measure, double factor,
                  double reference, double tolerance, const char *source) {
  vf_check("cv_joint", text, measure, factor * get(r, measure), reference, tolerance, source);
}
static void check_energy(const cv_run *r, const char *text) {
  vf_bound("cv_joint", text, "energy_balance_error", get(r, "energy_balance_error"), 1e-4,
           "first law");
}

static void bent_with_friction(void **state) {
  (void)state;
  cv_run r;
  const char *text = "2 deg, mu 0.03";
  RUN(&r, "plunging", "mu", "0.03");
  check(&r, text, "secondary_torque_outer", 1, 58.15, 0.3, OTHER);
  check(&r, text, "secondary_torque_inner", 1, 11.8, 0.3, OTHER);
  check(&r, text, "cage_angle", DEG, 1.0191, 0.001, OTHER);
  check(&r, text, "axial_amplitude", UM, 57.7, 1.5, OTHER);
  check(&r, text, "axial_order_4", UM, 55.2, 1.5, OTHER);
  check(&r, text, "axial_order_12", UM, 5.7, 0.5, OTHER);
  check(&r, text, "axial_order_20", UM, 1.6, 0.3, OTHER);
  check(&r, text, "axial_order_28", UM, 0.7, 0.3, OTHER);
  vf_bound("cv_joint", text, "axial_order_8", UM * get(&r, "axial_order_8"), 0.05, "symmetry");
  check(&r, text, "ball_stroke", 1e3, 0.957, 0.005, OTHER);
  check(&r, text, "track_force_max", 1, 1.93, 0.01, OTHER);
  check(&r, text, "counter_flank_max", 1, 0.71, 0.01, OTHER);
  vf_bound("cv_joint", text, "loss over power through the joint",
           get(&r, "power_loss") / (2000 * 31.415926535897931), 0.001, "");
  check_energy(&r, text);
  done(&r);
}

/* The loaded, articulated joint from its equilibrium instead of ramps: the same steady state. */
static void from_equilibrium(void **state) {
  (void)state;
  cv_run r;
  const char *text = "2 deg, mu 0.03, from equilibrium";
  RUN(&r, "plunging", "begin_at", "70 ms", "analysis.begin", "equilibrium", "revolutions", "2");
  check(&r, text, "secondary_torque_outer", 1, 58.15, 0.3, OTHER);
  check(&r, text, "cage_angle", DEG, 1.0191, 0.001, OTHER);
  check(&r, text, "axial_amplitude", UM, 57.7, 1.5, OTHER);
  check(&r, text, "track_force_max", 1, 1.93, 0.01, OTHER);
  check_energy(&r, text);
  done(&r);
}

static void bent_without_friction(void **state) {
  (void)state;
  cv_run r;
  const char *text = "2 deg, mu 0";
  double T2 = 2000 * tan(1 / DEG);
  RUN(&r, "plunging", "mu", "0");
  check(&r, text, "secondary_torque_outer", 1, T2, 0.05, FORM);
  check(&r, text, "secondary_torque_inner", 1, T2, 0.05, FORM);
  check(&r, text, "cage_angle", DEG, 1.0118, 0.001, OTHER);
  check(&r, text, "track_force_max", 1, 1.31, 0.03, OTHER);
  check(&r, text, "track_force_min", 1, 0.65, 0.03, OTHER);
  check(&r, text, "counter_flank_max", 1, 0.23, 0.03, OTHER);
  check(&r, text, "ball_stroke", 1e3, 0.969, 0.015, FORM);
  check_energy(&r, text);
  done(&r);
}

static void soft_contacts(void **state) {
  (void)state;
  cv_run r;
  RUN(&r, "plunging", "K", "3e11 N/m^1.5", "mu", "0");
  check(&r, "K 3e11, mu 0", "cage_angle", DEG, 1.0714, 0.003, OTHER);
  done(&r);
  if (!vf_long()) return;
  /* Steady state; the mean of the first revolution alone is 1.068. */
  RUN(&r, "plunging", "K", "3e11 N/m^1.5", "mu", "0.03");
  check(&r, "K 3e11, mu 0.03", "cage_angle", DEG, 1.0771, 0.001, "SUNDIALS CVODE");
  done(&r);
}

static void straight(void **state) {
  (void)state;
  static const char *const torque[] = {"400 N*m", "1000 N*m", "2000 N*m"};
  for (int i = 0; i < 3; i++) {
    cv_run r;
    RUN(&r, "zero_deflection", "torque", torque[i]);
    check(&r, torque[i], "track_force", 1, 1.0045, 0.002, FORM);
    check(&r, torque[i], "counter_force", 1, 0, 1e-9, FORM);
    check(&r, torque[i], "cage_force_over_formula", 1, 0.98, 0.015, FORM);
    check_energy(&r, torque[i]);
    done(&r);
  }
}

static void limit_torque(void **state) {
  (void)state;
  cv_run r;
  RUN(&r, "zero_deflection", "torque", "250 N*m", "mu", "0");
  check(&r, "250 N m, below the limit", "cage_force_max", 1, 0, 1e-12, FORM);
  check(&r, "250 N m, below the limit", "track_force", 1, 1.126, 0.005, FORM);
  check(&r, "250 N m, below the limit", "counter_force", 1, 0.126, 0.006, FORM);
  done(&r);
  RUN(&r, "zero_deflection", "torque", "266 N*m", "mu", "0");
  assert_true(get(&r, "cage_force_max") > 0 && get(&r, "counter_force") > 0);
  done(&r);
  RUN(&r, "zero_deflection", "torque", "390 N*m", "mu", "0");
  assert_true(get(&r, "counter_force") > 0); /* it is unloaded above 396.9 N m */
  done(&r);
}

static void reversed(void **state) {
  (void)state;
  cv_run r;
  RUN(&r, "zero_deflection", "torque", "-2000 N*m", "joints.cvj.load", "reverse");
  check(&r, "reversed torque", "track_force", 1, 1.003, 0.003, FORM);
  check(&r, "reversed torque", "cage_force_max", 1, 0.2674, 0.002, FORM);
  done(&r);
}

static double phase(const cv_run *r) {
  return DEG * atan2(get(r, "track_force_sin"), get(r, "track_force_cos"));
}

static void smooth(void **state) {
  (void)state;
  static const struct {
    const char *text, *alpha, *angle, *deflection;
    double order_1, at, mean, T2;
  } row[] = {{"smooth", "10 deg", "45 deg", "2 deg", 0.2785, 45.9, 1.013, 34.910},
             {"smooth, 55 deg", "10 deg", "55 deg", "2 deg", 0.1865, 36.0, 1.014, 34.910},
             {"smooth, alpha 16", "16 deg", "45 deg", "2 deg", 0.1295, 47.8, 1.038, 34.910},
             {"smooth, bent 1 deg", "16 deg", "45 deg", "1 deg", 0.0649, NAN, 1.038, 17.454}};
  for (int i = 0; i < (vf_long() ? 4 : 1); i++) {
    cv_run r;
    RUN(&r, "smooth", "alpha", row[i].alpha, "contact_angle", row[i].angle, "deflection",
        row[i].deflection);
    check(&r, row[i].text, "track_force_order_1", 1, row[i].order_1, 0.001, OTHER);
    check(&r, row[i].text, "track_force_mean", 1, row[i].mean, 0.001, OTHER);
    check(&r, row[i].text, "secondary_torque_outer", 1, row[i].T2, 0.02, FORM);
    if (!isnan(row[i].at))
      vf_check("cv_joint", row[i].text, "phase [deg]", phase(&r), row[i].at, 0.3, OTHER);
    check_energy(&r, row[i].text);
    done(&r);
  }
}

/* Equal balls: all balls in tracks of the same sign have the same forces, a quarter of a revolution
 * later. */
static void balls_take_turns(void **state) {
  (void)state;
  vf_case c;
  double force[2], F0 = 2 * 2000 / (8 * 0.110 * sin(45 / DEG));
  vf_file(&c, "examples/cv_joint/plunging.yaml", NULL, 0);
  vf_start(&c, NULL);
  vf_advance(&c, 0.40);
  force[0] = vf_value(&c, "cvj.inner[2].loaded.normal_force");
  vf_advance(&c, 0.45);
  force[1] = vf_value(&c, "cvj.inner[0].loaded.normal_force");
  vf_check("cv_joint", "2 deg, mu 0.03", "balls 0 and 2, a quarter turn apart [F0]", force[0] / F0,
           force[1] / F0, 1e-3, "symmetry");
  vf_close(&c);
}

static void strong_friction(void **state) {
  (void)state;
  cv_run r;
  if (!vf_long()) skip();
  RUN(&r, "plunging", "mu", "0.05", "damping", "1e5 N*s/m");
  check(&r, "2 deg, mu 0.05", "secondary_torque_outer", 1, 83.9, 0.8, OTHER);
  check(&r, "2 deg, mu 0.05", "track_force_max", 1, 2.43, 0.02, OTHER);
  check(&r, "2 deg, mu 0.05", "counter_flank_max", 1, 1.85, 0.02, OTHER);
  done(&r);
  RUN(&r, "plunging", "mu", "0.10", "damping", "1e5 N*s/m", "revolutions", "1");
  check_energy(&r, "2 deg, mu 0.10");
  vf_note("cv_joint", "2 deg, mu 0.10", "secondary_torque_outer", get(&r, "secondary_torque_outer"),
          "");
  done(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(straight),           cmocka_unit_test(limit_torque),
      cmocka_unit_test(reversed),           cmocka_unit_test(smooth),
      cmocka_unit_test(bent_with_friction), cmocka_unit_test(bent_without_friction),
      cmocka_unit_test(soft_contacts),      cmocka_unit_test(balls_take_turns),
      cmocka_unit_test(strong_friction),    cmocka_unit_test(from_equilibrium),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
