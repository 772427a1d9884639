/* Everyday models with default settings: the results of a new user, against known solutions or, if
 * there are none, against runs with a millionth of the tolerance.  Every measure of every model in
 * test/everyday must be accurate to a thousandth of its scale.  For known solutions known.csv gives
 * the scale; otherwise it is the magnitude of the measure in the fine run, or 1 rad for angles of
 * continuous rotation. */
#include "verify/verify.h"
#include <dirent.h>
#include <hooke/run.h>

enum { MOST_FILES = 64 };

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_models(char **name) {
  DIR *dir = opendir(HOOKE_SOURCE_DIR "/test/everyday");
  assert_non_null(dir);
  int n = 0;
  for (struct dirent *e; n < MOST_FILES && (e = readdir(dir));)
    if (strstr(e->d_name, ".yaml")) name[n++] = strdup(e->d_name);
  closedir(dir);
  qsort(name, (size_t)n, sizeof *name, by_name);
  return n;
}

static void report_of(const vf_case *c, const hk_sim_options *sim, hk_run_report *r) {
  hk_diag diag;
  hk_diag_init(&diag);
  if (hk_run(c->model, &(hk_run_options){.sim = sim}, r, &diag)) fail_msg("%s", r->error.text);
  hk_diag_free(&diag);
}

/* ---- answers that are known ---- */

typedef struct answer {
  char model[60], measure[40], how[80];
  double value, scale;
} answer;

enum { MOST_ANSWERS = 200 };

/* test/everyday/known.csv, written by reference.py in the same folder. */
static int read_answers(answer *out) {
  FILE *file = fopen(HOOKE_SOURCE_DIR "/test/everyday/known.csv", "r");
  assert_non_null(file);
  char line[300];
  int n = 0;
  assert_non_null(fgets(line, sizeof line, file));
  while (n < MOST_ANSWERS && fgets(line, sizeof line, file)) {
    answer *a = &out[n++];
    assert_int_equal(sscanf(line, "%59[^,],%39[^,],%lf,%lf,%79[^\n]", a->model, a->measure,
                            &a->value, &a->scale, a->how),
                     5);
    assert_true(isfinite(a->value) && a->scale > 0);
  }
  fclose(file);
  return n;
}

static double measure_of(const hk_run_report *r, const char *name) {
  for (int i = 0; i < r->n_measures; i++)
    if (strcmp(r->measure[i].name, name) == 0) return r->measure[i].value;
  fail_msg("no measure '%s'", name);
  return NAN;
}

/* The largest error of the measures with known values, relative to their scales; *how: NULL if
 * there are none. */
static double known_error(const char *model, const hk_run_report *r, const answer *a, int n,
                          const char **how) {
  double worst = 0;
  *how = NULL;
  for (int i = 0; i < n; i++) {
    if (strncmp(a[i].model, model, strlen(a[i].model)) != 0 ||
        strcmp(model + strlen(a[i].model), ".yaml") != 0)
      continue;
    worst = fmax(worst, fabs(measure_of(r, a[i].measure) - a[i].value) / a[i].scale);
    if (!*how) *how = a[i].how;
  }
  return worst;
}

/* The largest difference from a run with a millionth of the tolerance, relative to the scales of
 * the measures. */
static double fine_error(const vf_case *c, const hk_run_report *usual) {
  hk_run_report fine;
  double worst = 0;
  report_of(c, &(hk_sim_options){.stepper = "bdf", .rtol = 1e-13, .atol = 1e-14}, &fine);
  for (int i = 0; i < usual->n_measures; i++) {
    double scale = fabs(fine.measure[i].value);
    bool angle =
        strncmp(fine.measure[i].unit, "rad", 3) == 0 || strcmp(fine.measure[i].unit, "1") == 0;
    scale = fmax(scale, angle ? 1 : 0.1);
    worst = fmax(worst, fabs(usual->measure[i].value - fine.measure[i].value) / scale);
  }
  hk_run_report_free(&fine);
  return worst;
}

static void check_model(const char *name, const answer *answers, int n) {
  char path[300], what[120];
  snprintf(path, sizeof path, "test/everyday/%s", name);
  vf_case c;
  vf_file(&c, path, NULL, 0);
  hk_run_report usual;
  const char *how;
  report_of(&c, NULL, &usual);
  double worst = known_error(name, &usual, answers, n, &how);
  if (!how) worst = fine_error(&c, &usual);
  snprintf(what, sizeof what, "worst error of its scale; %s, %ld steps, %ld iterations",
           usual.stepper, usual.stats.steps, usual.stats.newton);
  vf_bound("everyday", name, what, worst, 1e-3, how ? how : "fine run");
  assert_int_equal(usual.doubts, 0);
  hk_run_report_free(&usual);
  vf_close(&c);
}

static void test_everyday(void **state) {
  (void)state;
  static answer answers[MOST_ANSWERS];
  char *name[MOST_FILES];
  int n = list_models(name), n_answers = read_answers(answers);
  assert_true(n >= 36 && n < MOST_FILES);
  for (int i = 0; i < n; i++) check_model(name[i], answers, n_answers);
  for (int i = 0; i < n; i++) free(name[i]);
}

/* ---- methods that are named ---- */

/* With no setting but its name, each second-order method is accurate to 2e-4 of the scale.  Models:
 * oscillation for 100 periods, pendulum on a stiff spring, free gyro at 10 000 rad/s, impacts,
 * sliding and sticking. */
static void test_named(void **state) {
  (void)state;
  static const char *const models[] = {
      "damped_oscillator",  "elastic_pendulum",   "stiff_spring_pendulum",
      "free_gyro_1e4",      "bounce_hertz_1e11",  "clapper",
      "stick_slip_contact", "pendulum_hits_wall", "merry_go_round"};
  static const char *const steppers[] = {"generalized_alpha", "trapezoidal", "nonsmooth_alpha"};
  static answer answers[MOST_ANSWERS];
  int n = read_answers(answers);
  for (size_t i = 0; i < 3 * sizeof models / sizeof *models; i++) {
    const char *stepper = steppers[i % 3];
    char path[300], name[80];
    snprintf(name, sizeof name, "%s.yaml", models[i / 3]);
    snprintf(path, sizeof path, "test/everyday/%s", name);
    vf_case c;
    vf_file(&c, path, NULL, 0);
    if (strcmp(stepper, "trapezoidal") != 0 || hk_model_constraint_count(c.model) == 0) {
      const char *how = NULL;
      hk_run_report r;
      report_of(&c, &(hk_sim_options){.stepper = stepper}, &r);
      double error = known_error(name, &r, answers, n, &how);
      assert_non_null(how);
      vf_bound("everyday", models[i / 3], stepper, error, 2e-4, how);
      assert_int_equal(r.doubts, 0);
      hk_run_report_free(&r);
    }
    vf_close(&c);
  }
}

/* Stick-slip: a hundredth of the tolerance reduces the error at least fivefold (100^(2/3) = 21 on
 * average). */
static void test_stick_slip_converges(void **state) {
  (void)state;
  static const char *const steppers[] = {"generalized_alpha", "trapezoidal", "nonsmooth_alpha",
                                         "bdf"};
  static answer answers[MOST_ANSWERS];
  int n = read_answers(answers);
  for (int i = 0; i < 4; i++) {
    double before = 0.015; /* 3e-3 at 1e-6 */
    for (double rtol = 1e-6; rtol > 1e-11; rtol *= 1e-2) {
      vf_case c;
      hk_run_report r;
      const char *how = NULL;
      vf_file(&c, "test/everyday/stick_slip_contact.yaml", NULL, 0);
      report_of(&c, &(hk_sim_options){.stepper = steppers[i], .rtol = rtol}, &r);
      double error = known_error("stick_slip_contact.yaml", &r, answers, n, &how);
      vf_bound("stick_slip", steppers[i], how, error, fmax(0.2 * before, 1e-6),
               "error at rtol/100");
      before = error;
      hk_run_report_free(&r);
      vf_close(&c);
    }
  }
}

/* ---- output has no part in it ---- */

static void test_output_step(void **state) {
  (void)state;
  static const char *const models[] = {"bounce_hertz_1e11", "pendulum_hits_wall", "row_of_balls"};
  static const char *const steppers[] = {"bdf", "generalized_alpha"};
  for (size_t i = 0; i < 6; i++) {
    char path[300];
    double first = NAN;
    snprintf(path, sizeof path, "test/everyday/%s.yaml", models[i / 2]);
    for (int k = 0; k < 3; k++) {
      static const char *const every[] = {"1 s", "10 ms", "0.37 ms"};
      const hk_override set[] = {{"analysis.output_step", every[k]},
                                 {"analysis.stepper", steppers[i % 2]}};
      vf_case c;
      hk_run_report r;
      vf_file(&c, path, set, 2);
      report_of(&c, NULL, &r);
      if (k == 0) first = r.measure[0].value;
      assert_true(r.measure[0].value == first);
      hk_run_report_free(&r);
      vf_close(&c);
    }
  }
}

/* ---- what cannot be right is told ---- */

static int doubts_of(const char *model, hk_run_report *r) {
  char path[300];
  vf_case c;
  snprintf(path, sizeof path, "test/everyday/extreme/%s.yaml", model);
  vf_file(&c, path, NULL, 0);
  report_of(&c, NULL, r);
  vf_close(&c);
  return r->doubts;
}

static void test_extreme(void **state) {
  (void)state;
  static const char *const poor[] = {
      "damping_1e15",    "spin_1e6_fixed_step", "bounce_fixed_step", "turn_25_rad_per_step",
      "small_vibration", "small_torsion",       "small_mass"};
  hk_run_report r;
  for (size_t i = 0; i < sizeof poor / sizeof *poor; i++) {
    if (doubts_of(poor[i], &r) == 0) fail_msg("%s: not a word", poor[i]);
    hk_run_report_free(&r);
  }
  assert_int_equal(doubts_of("bounce_steel", &r), 0);
  vf_bound("everyday", "steel ball on steel", "height over that of the fall",
           fabs(measure_of(&r, "top") - 0.2), 1e-4, "energy");
  hk_run_report_free(&r);
  assert_int_equal(doubts_of("stiff_pendulum_3e11", &r), 0);
  vf_bound("everyday", "pendulum on 3e11 N/m", "x after 1 s",
           fabs(measure_of(&r, "x") - -0.48325274675896185) / 0.5, 1e-3, "pendulum of 0.5 m");
  hk_run_report_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_everyday),
      cmocka_unit_test(test_named),
      cmocka_unit_test(test_stick_slip_converges),
      cmocka_unit_test(test_output_step),
      cmocka_unit_test(test_extreme),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
